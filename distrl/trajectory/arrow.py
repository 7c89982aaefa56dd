"""Trajectories as Arrow: one row a trajectory, list columns, unpadded, a schema with a version number.

tasks -> EnvWorker[N] <-> Engine[M] -> [Arrow batch] -> Buffer -> Learner -> Weights -> (back)

Token columns (`ids`, `loss_mask`, `logprobs`, `versions`) are aligned position by position. `turn_offsets`
holds 2 x turns + 1 numbers: start of a turn's added prompt, start of its response, …, end of the row; so the
turns come back exactly. `column` gives flat values and offsets that torch reads without a copy.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from distrl.envs.contract import Message, ToolCall, ToolEvent
from distrl.trajectory.records import Status, Trajectory, Turn

SCHEMA_VERSION = 2
_VERSION_KEY = b"distrl.trajectory.version"

_NUMBERS = pa.map_(pa.string(), pa.float32())
_SECONDS = pa.map_(pa.string(), pa.float64())
_TOOL_CALL = pa.struct([("id", pa.string()), ("name", pa.string()), ("arguments", pa.string())])
_MESSAGE = pa.struct(
    [
        ("role", pa.string()),
        ("content", pa.string()),
        ("tool_calls", pa.list_(_TOOL_CALL)),
        ("tool_call_id", pa.string()),
        ("name", pa.string()),
    ]
)
_TOOL_EVENT = pa.struct(
    [
        ("turn", pa.int32()),
        ("name", pa.string()),
        ("arguments", pa.string()),
        ("output", pa.string()),
        ("ok", pa.bool_()),
        ("kind", pa.string()),
        ("seconds", pa.float64()),
    ]
)

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("group_id", pa.string()),
        ("attempt", pa.int32()),
        ("task_id", pa.string()),
        ("env", pa.string()),
        ("seed", pa.int64()),
        ("ids", pa.list_(pa.int32())),
        ("loss_mask", pa.list_(pa.bool_())),
        ("logprobs", pa.list_(pa.float32())),
        ("versions", pa.list_(pa.int32())),
        ("turn_offsets", pa.list_(pa.int32())),
        ("prompt_length", pa.int32()),
        ("stop_reasons", pa.list_(pa.string())),
        ("messages", pa.list_(_MESSAGE)),
        ("tool_events", pa.list_(_TOOL_EVENT)),
        ("reward", pa.float32()),
        ("reward_parts", _NUMBERS),
        ("reward_reasons", pa.list_(pa.string())),
        ("metrics", _NUMBERS),
        ("status", pa.string()),
        ("temperature", pa.float32()),
        ("error", pa.string()),
        ("seconds", _SECONDS),
    ],
    metadata={_VERSION_KEY: str(SCHEMA_VERSION).encode()},
)

_ALIGNED = ("ids", "loss_mask", "logprobs", "versions")


class SchemaError(ValueError):
    """An Arrow table is not a table of trajectories that this version can read; the message says why."""


def to_table(trajectories: list[Trajectory]) -> pa.Table:
    """One row a trajectory, in the order given."""
    return pa.Table.from_pylist([_row(t) for t in trajectories], schema=SCHEMA)


def _row(t: Trajectory) -> dict[str, Any]:
    offsets, versions = [0], []
    for turn in t.turns:
        offsets += [offsets[-1] + len(turn.prompt_ids_added)]
        offsets += [offsets[-1] + len(turn.response_ids)]
        versions += [-1] * len(turn.prompt_ids_added) + list(turn.versions)
    return {
        "id": t.id,
        "group_id": t.group_id,
        "attempt": t.attempt,
        "task_id": t.task_id,
        "env": t.env,
        "seed": t.seed,
        "ids": t.ids(),
        "loss_mask": t.loss_mask(),
        "logprobs": t.logprobs(),
        "versions": versions,
        "turn_offsets": offsets,
        "prompt_length": len(t.turns[0].prompt_ids_added) if t.turns else 0,
        "stop_reasons": [turn.stop_reason for turn in t.turns],
        "messages": [asdict(m) for m in t.messages],
        "tool_events": [asdict(e) for e in t.tool_events],
        "reward": t.reward,
        "reward_parts": list(t.reward_parts.items()),
        "reward_reasons": list(t.reward_reasons),
        "metrics": list(t.metrics.items()),
        "status": t.status.value,
        "temperature": t.temperature,
        "error": t.error,
        "seconds": list(t.seconds.items()),
    }


def from_table(table: pa.Table) -> list[Trajectory]:
    """The records of a table, validated first. Log-probabilities and rewards come back as float32 values."""
    validate(table)
    return [_trajectory(row) for row in table.to_pylist()]


def _trajectory(row: dict[str, Any]) -> Trajectory:
    cuts = row["turn_offsets"]
    turns = tuple(
        Turn(
            index=k,
            prompt_ids_added=tuple(row["ids"][start:middle]),
            response_ids=tuple(row["ids"][middle:end]),
            logprobs=tuple(row["logprobs"][middle:end]),
            versions=tuple(row["versions"][middle:end]),
            stop_reason=row["stop_reasons"][k],
        )
        for k, (start, middle, end) in enumerate(zip(cuts[:-1:2], cuts[1::2], cuts[2::2], strict=True))
    )
    messages = tuple(
        Message(**{**m, "tool_calls": tuple(ToolCall(**c) for c in m["tool_calls"])}) for m in row["messages"]
    )
    plain = ("id", "group_id", "attempt", "task_id", "env", "seed", "reward", "temperature", "error")
    return Trajectory(
        **{name: row[name] for name in plain},
        turns=turns,
        messages=messages,
        tool_events=tuple(ToolEvent(**e) for e in row["tool_events"]),
        reward_parts=dict(row["reward_parts"]),
        reward_reasons=tuple(row["reward_reasons"]),
        metrics=dict(row["metrics"]),
        seconds=dict(row["seconds"]),
        status=Status(row["status"]),
    )


def validate(table: pa.Table) -> int:
    """Checks version, columns, types, lengths and alignment; raises SchemaError naming what is wrong.

    Returns the number of sampled positions whose log-probability is not finite: the learner leaves those
    tokens out of the loss and its denominator, so they are counted here and are not fatal.
    """
    _check_schema(table.schema)
    for name in SCHEMA.names:
        if table[name].null_count:
            raise SchemaError(f"column {name!r} has {table[name].null_count} null rows; none are allowed")
    unknown = set(pc.unique(table["status"]).to_pylist()) - {s.value for s in Status}
    if unknown:
        raise SchemaError(
            f"column 'status' has unknown values {sorted(unknown)}; known: {[s.value for s in Status]}"
        )
    rewards = table["reward"].to_numpy()
    if not np.isfinite(rewards).all():
        row = int(np.flatnonzero(~np.isfinite(rewards))[0])
        raise SchemaError(
            f"row {row}: reward is {rewards[row]}; a reward that is not finite is REWARD_ERROR and 0"
        )
    values, offsets = {}, {}
    for name in (*_ALIGNED, "turn_offsets"):
        values[name], offsets[name] = column(table, name)
    for name in _ALIGNED[1:]:
        _check_lengths(name, np.diff(offsets[name]), np.diff(offsets["ids"]))
    _check_turns(table, values, offsets)
    return _check_alignment(table, values, offsets["ids"])


def _check_schema(schema: pa.Schema) -> None:
    raw = (schema.metadata or {}).get(_VERSION_KEY)
    if raw is None or not raw.isdigit():
        raise SchemaError(f"no schema version in the table's metadata ({_VERSION_KEY.decode()}={raw!r})")
    if int(raw) > SCHEMA_VERSION:
        raise SchemaError(
            f"schema version {int(raw)} is newer than {SCHEMA_VERSION}; update distrl to read it"
        )
    if int(raw) < SCHEMA_VERSION:
        raise SchemaError(f"schema version {int(raw)} is older than {SCHEMA_VERSION} and cannot be read")
    missing = [name for name in SCHEMA.names if name not in schema.names]
    if missing:
        raise SchemaError(f"missing columns: {', '.join(missing)}")
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise SchemaError(f"columns that stand more than once: {', '.join(twice)}")
    for field in SCHEMA:
        found = schema.field(field.name).type
        if found != field.type:
            raise SchemaError(f"column {field.name!r} has type {found}, expected {field.type}")


def _check_lengths(name: str, lengths: np.ndarray, expected: np.ndarray) -> None:
    bad = np.flatnonzero(lengths != expected)
    if bad.size:
        row = int(bad[0])
        raise SchemaError(
            f"row {row}: {name!r} has {int(lengths[row])} values, 'ids' has {int(expected[row])}"
            f" ({bad.size} such rows)"
        )


def _check_turns(table: pa.Table, values: dict[str, np.ndarray], offsets: dict[str, np.ndarray]) -> None:
    """Offsets of every row rise from 0 to the row's length, and the mask is True exactly in the responses."""
    mask, id_cuts, turn_cuts = values["loss_mask"], offsets["ids"], offsets["turn_offsets"]
    stops = table["stop_reasons"].combine_chunks()
    prompts = table["prompt_length"].to_numpy()
    turns = pc.list_value_length(stops).to_numpy(zero_copy_only=False)
    for row in range(table.num_rows):
        cuts = values["turn_offsets"][turn_cuts[row] : turn_cuts[row + 1]]
        length = int(id_cuts[row + 1] - id_cuts[row])
        if (
            len(cuts) != 2 * int(turns[row]) + 1
            or cuts[0] != 0
            or cuts[-1] != length
            or (np.diff(cuts) < 0).any()
        ):
            raise SchemaError(
                f"row {row}: turn_offsets {cuts.tolist()[:9]} do not describe {int(turns[row])} turns"
                f" over {length} ids"
            )
        if int(prompts[row]) != (int(cuts[1]) if len(cuts) > 1 else 0):
            raise SchemaError(f"row {row}: prompt_length {int(prompts[row])} is not the first turn's prompt")
        expected = np.zeros(length, dtype=bool)
        for start, end in zip(cuts[1::2], cuts[2::2], strict=True):
            expected[start:end] = True
        bad = np.flatnonzero(mask[id_cuts[row] : id_cuts[row + 1]] != expected)
        if bad.size:
            raise SchemaError(
                f"row {row}: loss_mask is misaligned with turn_offsets at position {int(bad[0])}"
            )


def _check_alignment(table: pa.Table, values: dict[str, np.ndarray], cuts: np.ndarray) -> int:
    mask = values["loss_mask"]
    for name, fill in (("logprobs", 0.0), ("versions", -1)):
        bad = np.flatnonzero(~mask & (values[name] != fill))
        if bad.size:
            row = int(np.searchsorted(cuts, bad[0], side="right")) - 1
            raise SchemaError(
                f"row {row}: {name!r} is {values[name][bad[0]]} at position {int(bad[0] - cuts[row])}, which"
                f" was not sampled (expected {fill}); mask and {name} are misaligned"
            )
    if (values["ids"] < 0).any():
        raise SchemaError(f"column 'ids' has negative ids ({int(values['ids'].min())})")
    return int((mask & ~np.isfinite(values["logprobs"])).sum())


def column(table: pa.Table, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Flat values and row offsets of a list column: row i is `values[offsets[i]:offsets[i + 1]]`.

    No copy is made where the column is one chunk (`table.combine_chunks()`), except for `loss_mask`, whose
    bits are unpacked to bytes. The arrays are read-only views; offsets are int32, from 0, length rows + 1.
    """
    chunked = table[name]
    if not pa.types.is_list(chunked.type):
        raise SchemaError(f"column {name!r} has type {chunked.type}, not a list")
    array = chunked.chunk(0) if chunked.num_chunks == 1 else chunked.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # combine_chunks of an empty column, or of one too long for int32
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], chunked.type)
    offsets = array.offsets.to_numpy()
    flat = array.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
    if flat.null_count:
        raise SchemaError(f"column {name!r} has {flat.null_count} null values; none are allowed")
    values = flat.to_numpy(zero_copy_only=not pa.types.is_boolean(flat.type))
    return values, offsets if offsets[0] == 0 else offsets - offsets[0]
