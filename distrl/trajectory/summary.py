"""What a batch of episodes looks like in numbers, for the log.

EnvWorker[N] -> Arrow -> [means] -> log
"""

from __future__ import annotations

from collections import defaultdict

import pyarrow as pa

from distrl.trajectory.records import Status


def summarise(table: pa.Table) -> dict[str, float]:
    """Means over the episodes that are no error: tokens, turns, tool calls, cuts, reward parts, metrics.

    Keys: `sampled_tokens`, `prompt_tokens`, `turns`, `tool_calls`, `tool_errors`, `cut` (share ended by a
    budget), `part/NAME` for each reward part and `metric/NAME` for each metric of the environment, the
    last two over the episodes that have them. Empty when every episode is an error.
    """
    values: dict[str, list[float]] = defaultdict(list)
    columns = [
        "status",
        "loss_mask",
        "prompt_length",
        "stop_reasons",
        "tool_events",
        "reward_parts",
        "metrics",
    ]
    for row in table.select(columns).to_pylist():
        status = Status(row["status"])
        if status.is_error:
            continue
        values["sampled_tokens"].append(sum(row["loss_mask"]))
        values["prompt_tokens"].append(row["prompt_length"])
        values["turns"].append(len(row["stop_reasons"]))
        values["tool_calls"].append(len(row["tool_events"]))
        values["tool_errors"].append(sum(not event["ok"] for event in row["tool_events"]))
        values["cut"].append(status.is_cut)
        for name, value in row["reward_parts"]:
            values[f"part/{name}"].append(value)
        for name, value in row["metrics"]:
            values[f"metric/{name}"].append(value)
    return {name: sum(numbers) / len(numbers) for name, numbers in values.items()}
