"""Means, paired differences and their intervals; tasks are the independent units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

RESAMPLES = 10_000  # bootstrap resamples: the end points move by less than 1 % of the width between seeds


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean over tasks with its 95 % percentile-bootstrap interval (Efron & Tibshirani 1993)."""

    mean: float
    low: float
    high: float
    tasks: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def mean_over_tasks(per_task: Mapping[str, float], seed: int = 0) -> Estimate:
    """`per_task[task_id]` is the task's own mean over its samples; tasks are resampled."""
    values = np.array([per_task[k] for k in sorted(per_task)], dtype=np.float64)
    if values.size == 0:
        raise ValueError("no task to average over")
    rng = np.random.default_rng(seed)
    means = values[rng.integers(0, values.size, (RESAMPLES, values.size))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(mean=float(values.mean()), low=float(low), high=float(high), tasks=values.size)


def paired_difference(before: Mapping[str, float], after: Mapping[str, float], seed: int = 0) -> Estimate:
    """after - before over the tasks that both hold; raises when they hold different tasks."""
    if set(before) != set(after):
        odd = sorted(set(before) ^ set(after))[:3]
        raise ValueError(f"the two evaluations hold different tasks, for example {odd}")
    return mean_over_tasks({k: after[k] - before[k] for k in before}, seed)
