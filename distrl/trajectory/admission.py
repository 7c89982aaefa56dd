"""How old the tokens of a batch may be when it is trained on: one pure rule.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> [staleness check] -> Learner -> (back)
"""

from __future__ import annotations

import numpy as np


class StalenessError(RuntimeError):
    """A batch breaks the staleness bound; the message carries the numbers."""


def staleness(versions: np.ndarray, sampled: np.ndarray, policy_version: int) -> tuple[int, int]:
    """Smallest and largest age, in versions, of the sampled tokens; (0, 0) without any.

    `versions` int [tokens], `sampled` bool [tokens]. Tokens of gold actions carry version -1 and no age.
    """
    ages = policy_version - versions[sampled & (versions >= 0)]
    return (int(ages.min()), int(ages.max())) if ages.size else (0, 0)


def check_staleness(
    versions: np.ndarray, sampled: np.ndarray, policy_version: int, max_staleness: int
) -> tuple[int, int]:
    """`staleness`, or StalenessError when a token is older than the bound or newer than the policy."""
    youngest, oldest = staleness(versions, sampled, policy_version)
    if oldest > max_staleness:
        raise StalenessError(
            f"oldest token was sampled by version {policy_version - oldest}, policy is at {policy_version}:"
            f" staleness {oldest} exceeds max_staleness={max_staleness}"
        )
    if youngest < 0:
        raise StalenessError(
            f"newest token was sampled by version {policy_version - youngest}, but the policy is at"
            f" {policy_version}: the versions of engine and learner have parted"
        )
    return youngest, oldest
