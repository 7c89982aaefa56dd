"""The consumer's check of the staleness bound carries the numbers."""

from __future__ import annotations

import numpy as np
import pytest

from distrl.trajectory.admission import StalenessError, check_staleness, staleness


def test_the_consumers_check_carries_the_numbers() -> None:
    versions = np.array([-1, 3, 4, 9], dtype=np.int32)
    sampled = np.array([False, True, True, False])
    assert staleness(versions, sampled, 5) == (1, 2)
    assert check_staleness(versions, sampled, 5, 2) == (1, 2)
    with pytest.raises(
        StalenessError, match=r"version 3, policy is at 5: staleness 2 exceeds max_staleness=1"
    ):
        check_staleness(versions, sampled, 5, 1)
    with pytest.raises(StalenessError, match="sampled by version 4, but the policy is at 3"):
        check_staleness(versions, sampled, 3, 5)


def test_gold_tokens_have_no_age() -> None:
    assert check_staleness(np.full(4, -1), np.ones(4, dtype=bool), 100, 0) == (0, 0)
