"""distrl: a Ray-distributed actor-learner system for tool-using clinical language agents."""

__version__ = "0.1.0"
