"""Environments; this import registers them, as in `gymnasium.make("distrl.envs:distrl/Letters-v0")`."""

from distrl.envs.registry import register_all

register_all()
