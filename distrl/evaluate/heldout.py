"""Held-out evaluation: the same tasks, greedily and at temperature 1, at fixed places of a run.

heldout tasks -> EnvWorker[N] <-> Engine[M] -> [means over tasks with intervals]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.config.schema import EvalConfig
from distrl.envs.contract import Task
from distrl.evaluate.statistics import Estimate, mean_over_tasks, paired_difference
from distrl.fleet.waiting import FleetError
from distrl.rollout.collect import Collector
from distrl.trajectory.records import Status

HEADLINES = ("reward", "whole_call_right", "fields_right", "name_right", "card_reward")


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """One evaluation: `per_task[column][task_id]` is the task's mean of that measure over its samples.

    A column is `measure@temperature`, for example `whole_call_right@0`.
    """

    place: str  # "before", "cold_start", "step 10", …
    version: int
    per_task: dict[str, dict[str, float]]
    errors: int

    def estimates(self) -> dict[str, Estimate]:
        return {name: mean_over_tasks(values) for name, values in sorted(self.per_task.items())}


def evaluate(
    collector: Collector,
    tasks: Sequence[Task],
    config: EvalConfig,
    *,
    place: str,
    version: int,
    folder: Path,
) -> Evaluation:
    """Run every task at every temperature; the episodes go to `folder` as Parquet before any averaging."""
    per_task: dict[str, dict[str, float]] = {}
    errors = 0
    for temperature in config.temperatures:
        samples = config.samples if temperature > 0 else 1
        tables = collector.evaluate(tasks, samples=samples, temperature=temperature)
        table = pa.concat_tables(tables)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"v{version:06d}-{place.replace(' ', '-')}-t{temperature:g}.parquet"
        pq.write_table(table, folder / name, write_page_checksum=True)
        measures, failed = _measures(table)
        if not measures:
            raise FleetError(f"all {failed} held-out episodes failed: {table['error'][0]}")
        errors += failed
        per_task |= {f"{name}@{temperature:g}": values for name, values in measures.items()}
    return Evaluation(place=place, version=version, per_task=per_task, errors=errors)


def changes(evaluations: Sequence[Evaluation]) -> list[str]:
    """One line a measure and temperature: the paired difference from each evaluation to the next."""
    lines = []
    for earlier, later in pairwise(evaluations):
        for name in sorted(set(earlier.per_task) & set(later.per_task)):
            before, after = earlier.per_task[name], later.per_task[name]
            if set(before) == set(after) and name.split("@")[0] in HEADLINES:
                moved = paired_difference(before, after)
                interval = f"{moved.mean:+.3f} [{moved.low:+.3f}, {moved.high:+.3f}]"
                lines.append(f"{name}, {earlier.place} to {later.place}: {interval}")
    return lines


def _measures(table: pa.Table) -> tuple[dict[str, dict[str, float]], int]:
    """Means by measure and task over the rows that are no error, and the number of error rows."""
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    errors = 0
    columns = ["task_id", "status", "reward", "metrics", "loss_mask"]
    for row in table.select(columns).to_pylist():
        if Status(row["status"]).is_error:
            errors += 1
            continue
        values = {"reward": row["reward"], "sampled_tokens": float(sum(row["loss_mask"]))}
        values |= dict(row["metrics"])
        for name, value in values.items():
            sums[name][row["task_id"]].append(value)
    means = {
        name: {task: sum(values) / len(values) for task, values in by_task.items()}
        for name, by_task in sums.items()
    }
    return means, errors
