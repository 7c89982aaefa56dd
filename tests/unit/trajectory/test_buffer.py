"""The buffer: raw rows on disk before any filter, each group once, oldest first, never too old."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import group, lease, trajectory
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.trajectory.arrow import SchemaError, from_table, to_table, validate
from distrl.trajectory.buffer import TrajectoryBuffer
from distrl.trajectory.lake import LakeError, read_lake, read_part
from distrl.trajectory.ledger import LedgerError
from distrl.trajectory.records import Status


def put(
    buffer: TrajectoryBuffer, name: str, rewards: list[float], *, purpose: str = "train", version: int = 0
):
    buffer.issue(lease(name, rows=len(rewards), purpose=purpose))
    return buffer.put(name, 0, to_table(group(name, rewards, version=version)))


def taken(buffer: TrajectoryBuffer, groups: int, version: int = 0) -> list[str]:
    table = buffer.take(groups, version)
    validate(table)
    return list(dict.fromkeys(table["group_id"].to_pylist()))


def test_every_group_reaches_the_lake_before_it_is_filtered(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    assert put(buffer, "flat", [1.0, 1.0]).zero_variance
    assert not put(buffer, "mixed", [0.0, 1.0]).zero_variance
    assert put(buffer, "gold", [1.0], purpose="gold").zero_variance
    put(buffer, "eval", [0.0, 1.0], purpose="eval")
    lake = from_table(read_lake(str(tmp_path)))
    assert sorted({t.group_id for t in lake}) == ["eval", "flat", "gold", "mixed"]
    assert [t for t in lake if t.group_id == "mixed"] == group("mixed", [0.0, 1.0])
    assert taken(buffer, 9) == ["mixed", "gold"], "what has no signal is not handed out"
    totals = buffer.totals()
    assert (totals["dropped/zero variance"], totals["dropped/evaluation"]) == (1, 1)


def test_error_rows_are_outside_the_verdict(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    rows = [*group("g", [1.0, 1.0]), trajectory("g", index=2, status=Status.REWARD_ERROR)]
    buffer.issue(lease("g", rows=3))
    verdict = buffer.put("g", 0, to_table(rows))
    assert (verdict.rewards, verdict.errors, verdict.zero_variance) == ((1.0, 1.0), 1, True)
    buffer.issue(lease("h", rows=1, purpose="gold"))
    buffer.put("h", 0, to_table([trajectory("h", status=Status.ENV_ERROR)]))
    assert buffer.totals()["dropped/all errors"] == 1


def test_a_verdict_says_why_a_group_was_dropped_and_what_went_wrong(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    assert put(buffer, "mixed", [0.0, 1.0]).dropped == ""
    assert put(buffer, "flat", [1.0, 1.0]).dropped == "zero variance"
    noise = put(buffer, "noise", [0.3, 0.3 + 2e-7])
    assert noise.dropped == "zero variance", "the learner would find no signal in rounding either"
    buffer.issue(lease("broken", rows=2))
    causes = ("turn 0: no engine", "turn 1: no engine")
    rows = [trajectory("broken", index=i, status=Status.ABORTED, error=e) for i, e in enumerate(causes)]
    verdict = buffer.put("broken", 0, to_table(rows))
    assert (verdict.dropped, verdict.error) == ("all errors", "turn 0: no engine")


def test_only_groups_that_were_handed_out_can_be_trained(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    put(buffer, "old", [0.0, 1.0])
    put(buffer, "new", [0.0, 1.0])
    assert taken(buffer, 1) == ["old"]
    with pytest.raises(LedgerError, match="'new'"):
        buffer.trained(["new"])
    assert buffer.totals()["trained"] == 0
    assert buffer.trained(["old"]) == 1


def test_a_stopped_collection_leaves_nothing_that_waits(tmp_path: Path) -> None:
    """Else the next one's count of ready groups would be met with rows of the one before."""
    buffer = TrajectoryBuffer(str(tmp_path))
    put(buffer, "done", [0.0, 1.0])
    assert taken(buffer, 1) == ["done"] and buffer.trained(["done"]) == 1
    put(buffer, "ready", [0.0, 1.0])
    buffer.issue(lease("flying"))
    assert buffer.drop_live("stopped") == 2 and buffer.drop_live("stopped") == 0
    assert taken(buffer, 9) == []
    totals = buffer.totals()
    assert (totals["trained"], totals["dropped/stopped"], totals["live"]) == (1, 2, 0)


def test_a_repeated_put_changes_nothing(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    first = put(buffer, "g", [0.0, 1.0])
    again = buffer.put("g", 0, to_table(group("g", [0.0, 1.0])))
    assert not first.duplicate and again.duplicate and again.rewards == first.rewards
    assert taken(buffer, 9) == ["g"] and taken(buffer, 9) == []
    assert buffer.trained(["g"]) == 1 and buffer.trained(["g"]) == 0
    assert buffer.put("g", 0, to_table(group("g", [0.0, 1.0]))).duplicate, (
        "a reply that was lost, after training"
    )
    assert taken(buffer, 9) == [] and len(list(tmp_path.iterdir())) == 1
    assert buffer.drop(["g"], "late") == 0


def test_killed_worker_group_is_run_once_more(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    buffer.issue(lease("g"))
    assert not buffer.issue(lease("g")), "the same attempt is out already"
    assert buffer.issue(lease("g", attempt=1))
    assert buffer.put("g", 0, to_table(group("g", [0.0, 1.0]))).duplicate, "the dead worker's table came late"
    assert not buffer.put("g", 1, to_table(group("g", [0.0, 1.0], attempt=1))).duplicate
    table = buffer.take(1, 0)
    assert set(table["attempt"].to_pylist()) == {1} and table.num_rows == 2
    totals = buffer.totals()
    assert (totals["issued"], totals["reissued"], totals["live"]) == (1, 1, 1)


def test_wrong_rows_and_unknown_groups_are_refused(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    table = to_table(group("g", [0.0, 1.0]))
    with pytest.raises(LedgerError, match="'g' was never issued"):
        buffer.put("g", 0, table)
    buffer.issue(lease("g", rows=3))
    with pytest.raises(SchemaError, match="owes 3 rows; the table has 2"):
        buffer.put("g", 0, table)
    buffer.issue(lease("h"))
    with pytest.raises(SchemaError, match="group 'h' attempt 0 owes 2 rows"):
        buffer.put("h", 0, table)
    with pytest.raises(LedgerError, match="attempt 4 was never issued"):
        buffer.put("g", 4, to_table(group("g", [0.0, 1.0, 0.5], attempt=4)))
    assert buffer.totals()["waiting"] == 2 and not list(tmp_path.iterdir())


def test_the_oldest_issue_goes_first_whatever_order_it_came_in(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    names = ["c", "a", "b"]
    for name in names:
        buffer.issue(lease(name))
    for name in reversed(names):
        buffer.put(name, 0, to_table(group(name, [0.0, 1.0])))
    assert taken(buffer, 2) == ["c", "a"] and taken(buffer, 2) == ["b"]


def test_stale_groups_are_dropped_with_the_reason(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path), max_staleness=1)
    put(buffer, "old", [0.0, 1.0], version=2)
    put(buffer, "young", [0.0, 1.0], version=3)
    assert taken(buffer, 9, version=4) == ["young"]
    assert buffer.totals()["dropped/stale"] == 1


def test_state_and_lake_bring_pending_groups_back(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path))
    put(buffer, "done", [0.0, 1.0])
    put(buffer, "pending", [0.0, 1.0])
    assert taken(buffer, 1) == ["done"] and buffer.trained(["done"]) == 1
    assert taken(buffer, 1) == ["pending"], "handed out, and then everything dies"
    again = TrajectoryBuffer(str(tmp_path))
    again.load_state(json.loads(json.dumps(buffer.state())))
    assert again.totals() == buffer.totals()
    assert taken(again, 9) == ["pending"]
    (tmp_path / "pending.0.parquet").unlink()
    with pytest.raises(LakeError, match="'pending'"):
        TrajectoryBuffer(str(tmp_path)).load_state(buffer.state())
    with pytest.raises(ValueError, match="max_staleness=0, this run 1"):
        TrajectoryBuffer(str(tmp_path), max_staleness=1).load_state(buffer.state())


def test_a_group_id_cannot_leave_the_lake(tmp_path: Path) -> None:
    buffer = TrajectoryBuffer(str(tmp_path / "lake"))
    put(buffer, "../../escape", [0.0, 1.0])
    assert len(list((tmp_path / "lake").iterdir())) == 1 and len(list(tmp_path.iterdir())) == 1


@settings(max_examples=30, deadline=None)
@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), cut=st.booleans())
def test_a_damaged_part_is_never_read_as_other_rows(
    where: float, bit: int, cut: bool, tmp_path_factory
) -> None:
    folder = tmp_path_factory.mktemp("lake")
    buffer = TrajectoryBuffer(str(folder))
    put(buffer, "g", [0.0, 1.0])
    path = folder / "g.0.parquet"
    good, data = from_table(read_part(path)), bytearray(path.read_bytes())
    place = int(where * len(data))
    if cut:
        del data[place:]
    else:
        data[place] ^= 1 << bit
    path.write_bytes(bytes(data))
    try:
        assert from_table(read_part(path)) == good, "the damage is in bytes that carry no data"
    except LakeError as error:
        assert "g.0.parquet" in str(error)


def test_an_unwritable_lake_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    buffer = TrajectoryBuffer(str(blocked / "lake"))
    buffer.issue(lease("g"))
    with pytest.raises(LakeError, match="cannot write trajectories"):
        buffer.put("g", 0, to_table(group("g", [0.0, 1.0])))
    assert buffer.totals()["waiting"] == 1, "nothing was booked that is not on disk"
