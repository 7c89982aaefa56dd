"""Intervals: checked against closed forms and against coverage, not against themselves."""

import numpy as np
import pytest

from distrl.evaluate.statistics import mean_over_tasks, paired_difference


def test_interval_matches_the_normal_one_for_many_tasks():
    rng = np.random.default_rng(1)
    values = rng.normal(0.4, 0.2, 2000)
    got = mean_over_tasks({f"t{i:05d}": v for i, v in enumerate(values)})
    half = 1.96 * values.std(ddof=1) / np.sqrt(values.size)
    assert got.mean == pytest.approx(values.mean())
    assert got.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert got.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    hits = 0
    for seed in range(60):
        values = rng.binomial(1, 0.3, 60)
        got = mean_over_tasks({str(i): float(v) for i, v in enumerate(values)}, seed)
        hits += got.low <= 0.3 <= got.high
    assert 50 <= hits <= 60


def test_constant_values_have_an_interval_of_zero_width():
    got = mean_over_tasks({"a": 0.5, "b": 0.5})
    assert (got.low, got.high) == (0.5, 0.5)


def test_pairing_removes_the_spread_between_tasks():
    before = {f"t{i}": i / 10 for i in range(10)}
    after = {k: v + 0.05 for k, v in before.items()}
    got = paired_difference(before, after)
    assert got.mean == pytest.approx(0.05)
    assert got.high - got.low < 1e-9


def test_different_tasks_are_refused():
    with pytest.raises(ValueError, match="different tasks"):
        paired_difference({"a": 1.0}, {"b": 1.0})


def test_nothing_to_average_is_an_error():
    with pytest.raises(ValueError, match="no task"):
        mean_over_tasks({})
