"""Safety of an episode: structured events first, text second; five severities. Not for care.

Episode -> [find] -> findings -> [score, consequences] -> reward
"""

from distrl.envs.healthcare.safety.finding import Finding
from distrl.envs.healthcare.safety.judge import consequences, find, score

__all__ = ["Finding", "consequences", "find", "score"]
