"""Trajectories as Arrow: exact round trip, validation that names what is wrong, columns without a copy."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest
import torch
from builders import trajectory
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.contract import Message, ToolCall, ToolEvent
from distrl.trajectory.arrow import SCHEMA, SchemaError, column, from_table, to_table, validate
from distrl.trajectory.records import Status, Trajectory, Turn

TEXT = st.text(max_size=12)
F32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
NUMBERS = st.dictionaries(TEXT, F32, max_size=3)
CALLS = st.lists(st.builds(ToolCall, id=TEXT, name=TEXT, arguments=TEXT), max_size=2).map(tuple)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["user", "tool"]),
    content=TEXT,
    tool_calls=CALLS,
    tool_call_id=TEXT,
    name=TEXT,
)
EVENTS = st.builds(
    ToolEvent,
    turn=st.integers(0, 9),
    name=TEXT,
    arguments=TEXT,
    output=TEXT,
    ok=st.booleans(),
    kind=TEXT,
    seconds=st.floats(0, 9),
)


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    turns = []
    for index in range(draw(st.integers(0, 3))):
        sampled = draw(st.integers(0, 4))
        exactly = {"min_size": sampled, "max_size": sampled}
        turns.append(
            Turn(
                index=index,
                prompt_ids_added=tuple(draw(st.lists(st.integers(0, 2**31 - 1), max_size=4))),
                response_ids=tuple(draw(st.lists(st.integers(0, 2**31 - 1), **exactly))),
                logprobs=tuple(draw(st.lists(F32, **exactly))),
                versions=tuple(draw(st.lists(st.integers(-1, 9), **exactly))),
                stop_reason=draw(st.sampled_from(["stop", "length", "abort"])),
            )
        )
    return Trajectory(
        id=draw(TEXT),
        group_id=draw(TEXT),
        attempt=draw(st.integers(0, 5)),
        task_id=draw(TEXT),
        env=draw(TEXT),
        seed=draw(st.integers(-(2**63), 2**63 - 1)),
        turns=tuple(turns),
        messages=tuple(draw(st.lists(MESSAGES, max_size=3))),
        tool_events=tuple(draw(st.lists(EVENTS, max_size=2))),
        reward=draw(F32),
        reward_parts=draw(NUMBERS),
        reward_reasons=tuple(draw(st.lists(TEXT, max_size=2))),
        metrics=draw(NUMBERS),
        status=draw(st.sampled_from(Status)),
        temperature=draw(F32),
        error=draw(TEXT),
        seconds=draw(st.dictionaries(TEXT, st.floats(0, 9), max_size=2)),
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(trajectories(), max_size=4))
def test_records_come_back_exactly(records: list[Trajectory]) -> None:
    table = to_table(records)
    assert validate(table) == 0
    assert from_table(table) == records
    assert from_table(pa.concat_tables([table.slice(0, 1), table.slice(1)])) == records
    for name, expected in (
        ("ids", [r.ids() for r in records]),
        ("loss_mask", [r.loss_mask() for r in records]),
        ("logprobs", [r.logprobs() for r in records]),
    ):
        values, offsets = column(table, name)
        assert [values[a:b].tolist() for a, b in pairwise(offsets)] == expected


def test_columns_have_the_agreed_types_and_need_no_copy() -> None:
    table = to_table([trajectory(index=i) for i in range(3)])
    for name, dtype in (("ids", np.int32), ("logprobs", np.float32), ("versions", np.int32)):
        values, offsets = column(table, name)
        assert values.dtype == dtype and offsets.dtype == np.int32
        buffer = table[name].chunk(0).values.buffers()[1]
        assert values.ctypes.data == buffer.address
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # torch says once that Arrow's memory is read-only
            assert torch.from_numpy(values).data_ptr() == buffer.address
    assert column(table, "loss_mask")[0].dtype == np.bool_


def test_offsets_of_a_slice_start_at_zero() -> None:
    table = to_table([trajectory(index=i) for i in range(3)]).slice(1, 2)
    values, offsets = column(table, "ids")
    assert offsets.tolist() == [0, 14, 28] and len(values) == 28


def replaced(name: str, values: list, type_: pa.DataType | None = None) -> pa.Table:
    table = to_table([trajectory()])
    index = table.schema.get_field_index(name)
    return table.set_column(index, name, pa.array(values, type_ or SCHEMA.field(name).type))


def versioned(version: bytes) -> pa.Table:
    return to_table([trajectory()]).replace_schema_metadata({b"distrl.trajectory.version": version})


GOOD = to_table([trajectory()]).to_pylist()[0]
MASK, LOGPROBS, VERSIONS = GOOD["loss_mask"], GOOD["logprobs"], GOOD["versions"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (versioned(b"3"), "version 3 is newer than 2"),
        (versioned(b"1"), "version 1 is older"),
        (versioned(b"x"), "no schema version"),
        (to_table([trajectory()]).replace_schema_metadata(None), "no schema version"),
        (to_table([trajectory()]).drop_columns(["reward", "seed"]), "missing columns: seed, reward"),
        (replaced("ids", [GOOD["ids"]], pa.list_(pa.int64())), "'ids' has type list<item: int64>"),
        (replaced("logprobs", [LOGPROBS[:-1]]), "row 0: 'logprobs' has 13 values, 'ids' has 14"),
        (replaced("versions", [[*VERSIONS, 0]]), "row 0: 'versions' has 15 values"),
        (
            replaced("loss_mask", [MASK[1:] + MASK[:1]]),
            "loss_mask is misaligned with turn_offsets at position 4",
        ),
        (replaced("logprobs", [LOGPROBS[1:] + LOGPROBS[:1]]), "'logprobs' is -0.25 at position 4"),
        (replaced("versions", [VERSIONS[1:] + VERSIONS[:1]]), "'versions' is 0 at position 4"),
        (replaced("logprobs", [[math.nan, *LOGPROBS[1:]]]), "'logprobs' is nan at position 0"),
        (replaced("turn_offsets", [[0, 5, 8, 10]]), "do not describe 2 turns"),
        (replaced("turn_offsets", [[0, 8, 5, 10, 14]]), "do not describe 2 turns"),
        (replaced("prompt_length", [4]), "prompt_length 4"),
        (replaced("status", ["fine"]), "unknown values ['fine']"),
        (replaced("reward", [math.inf]), "reward is inf"),
        (replaced("reward", [None]), "'reward' has 1 null rows"),
        (replaced("ids", [[None] * 14]), "'ids' has 14 null values"),
        (replaced("ids", [[-1] * 14]), "negative ids"),
    ],
)
def test_malformed_tables_are_refused_by_name(table: pa.Table, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        validate(table)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nan_logprobs_at_sampled_positions_are_counted() -> None:
    logprobs = [math.nan if sampled else value for value, sampled in zip(LOGPROBS, MASK, strict=True)]
    assert validate(replaced("logprobs", [logprobs])) == 7


@settings(max_examples=40, deadline=None)
@given(cut=st.floats(0, 1, exclude_max=True))
def test_a_cut_file_never_reads_as_fewer_rows(cut: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    whole = _arrow_file(tmp_path_factory)
    path = Path(f"{whole}.cut")
    path.write_bytes(whole.read_bytes()[: int(cut * whole.stat().st_size)])
    with pytest.raises((pa.ArrowException, OSError)):
        feather.read_table(path)


def _arrow_file(factory: pytest.TempPathFactory) -> Path:
    path = factory.getbasetemp() / "whole.arrow"
    if not path.exists():
        feather.write_feather(to_table([trajectory(index=i) for i in range(4)]), path, chunksize=1)
    return path
