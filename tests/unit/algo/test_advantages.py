"""Group-relative advantages."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from distrl.algo.advantages import group_advantages


def judged(rewards: list[float], groups: str, errors: list[bool] | None = None, std: bool = True):
    flags = torch.tensor(errors or [False] * len(rewards))
    return group_advantages(torch.tensor(rewards, dtype=torch.float64), list(groups), flags, std)


def test_by_hand() -> None:
    got = judged([1.0, 0.0, 0.0, 1.0, 2.0, 5.0], "aaabbb")
    third, two_thirds, deviation = 1 / 3, 2 / 3, (2 / 9) ** 0.5
    expected = [two_thirds / deviation, -third / deviation, -third / deviation]
    assert got.advantages[:3].tolist() == pytest.approx(expected, abs=1e-12)
    assert judged([1.0, 2.0, 6.0], "bbb", std=False).advantages.tolist() == [-2.0, -1.0, 3.0]


def test_errored_and_nonfinite_rows_stay_outside_the_baseline() -> None:
    got = judged([1.0, 0.0, 100.0, float("nan")], "aaaa", [False, False, True, False])
    assert got.advantages.tolist() == [1.0, -1.0, 0.0, 0.0]
    assert got.kept.tolist() == [True, True, False, False]
    assert got.error_rows == 2 and got.zero_variance_groups == 0


@pytest.mark.parametrize("rewards", [[0.3, 0.1 + 0.2], [0.7], [1.0, 1.0, 1.0]])
def test_groups_without_variance_are_exactly_zero_and_counted(rewards: list[float]) -> None:
    got = judged(rewards, "a" * len(rewards))
    assert got.advantages.tolist() == [0.0] * len(rewards) and not got.kept.any()
    assert got.zero_variance_groups == got.groups == 1


@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from("abc")), min_size=1, max_size=20),
    st.randoms(use_true_random=False),
)
def test_kept_groups_are_centred_with_unit_deviation_in_any_order(pairs, order) -> None:
    rewards, keys = [r / 10 for r, _ in pairs], "".join(g for _, g in pairs)
    got = judged(rewards, keys)
    for key in set(keys):
        mine = got.advantages[[i for i, g in enumerate(keys) if g == key and got.kept[i]]]
        if len(mine):
            assert float(mine.mean()) == pytest.approx(0.0, abs=1e-12)
            assert float(mine.square().mean()) == pytest.approx(1.0, abs=1e-9)
    shuffled = list(range(len(rewards)))
    order.shuffle(shuffled)
    again = judged([rewards[i] for i in shuffled], "".join(keys[i] for i in shuffled))
    torch.testing.assert_close(again.advantages, got.advantages[shuffled], rtol=0, atol=1e-12)
