"""Pacing keeps tokens young: with the producer's rule the consumer's check never fails."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.trajectory.admission import StalenessError, capacity, check_staleness, staleness


@pytest.mark.parametrize(
    ("live", "accepted", "version", "max_staleness", "free"),
    [(0, 0, 0, 0, 8), (8, 0, 0, 0, 0), (3, 5, 0, 0, 0), (0, 8, 1, 0, 8), (4, 8, 1, 2, 20), (40, 0, 0, 0, 0)],
)
def test_capacity_is_the_published_rule(
    live: int, accepted: int, version: int, max_staleness: int, free: int
) -> None:
    found = capacity(
        live=live, accepted=accepted, version=version, max_staleness=max_staleness, groups_per_step=8
    )
    assert found == free


@settings(max_examples=80, deadline=None)
@given(
    bound=st.integers(0, 3),
    per_step=st.integers(1, 4),
    choices=st.lists(st.sampled_from(["start", "finish", "reject", "step"]), max_size=120),
    order=st.randoms(use_true_random=False),
)
def test_paced_groups_taken_oldest_first_stay_within_the_bound(bound, per_step, choices, order) -> None:
    """Groups start when there is room, end in any order, some are rejected; the learner takes the oldest."""
    version, number, flying, ready, accepted = 0, 0, {}, {}, 0
    for choice in choices:
        room = capacity(
            live=len(flying),
            accepted=accepted,
            version=version,
            max_staleness=bound,
            groups_per_step=per_step,
        )
        if choice == "start" and room:
            flying[number] = version
            number += 1
        elif choice in ("finish", "reject") and flying:
            group = order.choice(sorted(flying))
            born = flying.pop(group)
            if choice == "finish":
                ready[group] = born
                accepted += 1
        elif choice == "step" and len(ready) >= per_step and not any(g < min(ready) for g in flying):
            for group in sorted(ready)[:per_step]:
                assert version - ready.pop(group) <= bound
            version += 1


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
