"""The five dimensions of the reward, each a pure function, and their composition."""
