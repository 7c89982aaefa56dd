"""What the task asserts of a good episode: the weighted share that holds.

Episode -> [assertions] -> compose

Each assertion is decided by its check alone, on what the agent said and did and on the database. One that
silence would keep ("does not prescribe a beta-lactam") is worth what deciding is worth (`decision.grounded`),
so that it is earned by those who could have broken it.
"""

from __future__ import annotations

from distrl.envs.healthcare.checks import holds
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward.decision import grounded
from distrl.envs.healthcare.reward.process import IMPORTANCE, by_silence
from distrl.envs.healthcare.reward.score import Score


def score(episode: Episode) -> Score | None:
    """0..1, or None where the task asserts nothing."""
    asserted = episode.task["assertions"]
    if not asserted:
        return None
    at_rest = grounded(episode)
    earned = 0.0
    reasons = []
    for assertion in asserted:
        if not holds(assertion["check"], episode):
            reasons.append(f"not met ({assertion['importance']}): {assertion['text']}")
            continue
        worth = at_rest if by_silence(assertion["check"], episode) else 1.0
        if worth < 1.0:
            reasons.append(f"met by silence, worth {worth:.2f}: {assertion['text']}")
        earned += IMPORTANCE[assertion["importance"]] * worth
    total = sum(IMPORTANCE[a["importance"]] for a in asserted)
    return Score(value=earned / total, reasons=tuple(reasons))
