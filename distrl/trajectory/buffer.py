"""Where groups wait between env workers and learner: validated, on disk, booked, handed out oldest first.

tasks -> EnvWorker[N] <-> Engine[M] -> [Buffer] -> Learner -> Weights -> (back)

A plain class; the caller makes a Ray actor of it. It owns the ledger and the staleness bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from distrl.trajectory.admission import check_staleness, staleness
from distrl.trajectory.arrow import SCHEMA, SchemaError, column, validate
from distrl.trajectory.lake import LakeError, part_path, read_part, write_part
from distrl.trajectory.ledger import Ledger, LedgerError
from distrl.trajectory.records import EQUAL_REWARDS, GroupLease, Status
from distrl.trajectory.summary import summarise

_ERRORS = {s.value for s in Status if s.is_error}


@dataclass(frozen=True, kw_only=True)
class GroupVerdict:
    """What a put said of its group. `rewards` are those of the rows without an error, in row order.

    `zero_variance`: those rewards are all equal (or there is none), so the group has no signal for a
    group-relative objective. `dropped`: the reason why the group was dropped at once, or "". `error`: what
    the first errored row says. `duplicate`: the group had settled or a newer attempt runs; nothing changed.
    """

    group_id: str
    rewards: tuple[float, ...]
    zero_variance: bool
    errors: int
    summary: dict[str, float] = field(default_factory=dict)  # see `summarise`
    dropped: str = ""
    error: str = ""
    duplicate: bool = False


class TrajectoryBuffer:
    """Issue, put, take, trained or drop. Raw rows reach `lake_dir` before anything is filtered."""

    def __init__(self, lake_dir: str, max_staleness: int = 0) -> None:
        self._lake_dir = lake_dir
        self._max_staleness = max_staleness
        self._ledger = Ledger()
        self._tables: dict[str, pa.Table] = {}  # admitted groups only
        self._taken: set[str] = set()  # handed out, not yet trained or dropped

    def issue(self, lease: GroupLease) -> bool:
        """Books a lease. False when the group has settled or is already out under this attempt."""
        return self._ledger.issue(lease.group_id, lease.attempt, purpose=lease.purpose, rows=len(lease.seeds))

    def put(self, group_id: str, attempt: int, table: pa.Table) -> GroupVerdict:
        """Takes a group's rows: validate, write to the lake, book as complete, then admit or drop.

        Dropped at once, with the reason: groups for evaluation (`evaluation`), groups whose rows are all
        errors (`all errors`), and training groups without variance (`zero variance`). Raises SchemaError for
        a table that is malformed or another group's, LedgerError for a group or attempt nobody issued.
        """
        validate(table)
        verdict = _verdict(group_id, table)
        if not self._ledger.expects(group_id, attempt):
            return replace(verdict, duplicate=True)
        entry = self._ledger[group_id]
        _check_rows(table, group_id, attempt, entry.rows)
        table = table.combine_chunks()
        write_part(self._lake_dir, group_id, attempt, table)
        self._ledger.complete(group_id, attempt)
        reason = _reason_to_drop(entry.purpose, verdict)
        if reason:
            self._ledger.drop(group_id, reason)
        else:
            self._ledger.admit(group_id)
            self._tables[group_id] = table
        return replace(verdict, dropped=reason)

    def take(self, groups: int, policy_version: int) -> pa.Table:
        """Up to `groups` admitted groups, oldest issue first, as one table of one chunk; each only once.

        A group whose oldest token exceeds the bound is dropped (`stale`); the table that goes out is checked
        again and StalenessError carries the numbers.
        """
        chosen: list[str] = []
        for entry in self._ledger.admitted():
            if len(chosen) == groups:
                break
            if entry.group_id in self._taken:
                continue
            if staleness(*_versions(self._tables[entry.group_id]), policy_version)[1] > self._max_staleness:
                self.drop([entry.group_id], "stale")
                continue
            chosen.append(entry.group_id)
        if not chosen:
            return SCHEMA.empty_table()
        table = pa.concat_tables([self._tables[g] for g in chosen]).combine_chunks()
        check_staleness(*_versions(table), policy_version, self._max_staleness)
        self._taken.update(chosen)
        return table

    def trained(self, group_ids: list[str]) -> int:
        """Books groups as trained; returns how many were not so booked before.

        Raises LedgerError for a group that waits here and was not handed out: nobody can have trained on it.
        """
        kept = sorted(set(group_ids) & self._tables.keys() - self._taken)
        if kept:
            raise LedgerError(f"{len(kept)} groups were trained but never handed out, such as {kept[0]!r}")
        return sum(self._settle(g) for g in group_ids if self._ledger.train(g))

    def drop(self, group_ids: list[str], reason: str) -> int:
        """Drops live groups with a reason; returns how many were live."""
        return sum(self._settle(g) for g in group_ids if self._ledger.drop(g, reason))

    def drop_live(self, reason: str) -> int:
        """Drops every group that is neither trained nor dropped; returns how many."""
        return self.drop([e.group_id for e in self._ledger.live()], reason)

    def _settle(self, group_id: str) -> int:
        self._tables.pop(group_id, None)
        self._taken.discard(group_id)
        return 1

    def totals(self, purpose: str = "") -> dict[str, int]:
        """The ledger's counts (see `Ledger.totals`); issued = trained + dropped + live."""
        return self._ledger.totals(purpose)

    def state(self) -> dict[str, Any]:
        """JSON-serialisable. Rows of admitted groups stay in the lake and are read from there again."""
        return {"ledger": self._ledger.state(), "max_staleness": self._max_staleness}

    def load_state(self, state: dict[str, Any]) -> None:
        """Restores ledger and pending rows; groups that had been handed out are handed out again."""
        if state["max_staleness"] != self._max_staleness:
            raise ValueError(
                f"checkpoint has max_staleness={state['max_staleness']}, this run {self._max_staleness}"
            )
        ledger = Ledger()
        ledger.load_state(state["ledger"])
        tables = {}
        for entry in ledger.admitted():
            path = part_path(self._lake_dir, entry.group_id, entry.attempt)
            if not Path(path).exists():
                raise LakeError(f"checkpoint names group {entry.group_id!r}, but {path} is missing")
            tables[entry.group_id] = read_part(path).combine_chunks()
            _check_rows(tables[entry.group_id], entry.group_id, entry.attempt, entry.rows)
        self._ledger, self._tables, self._taken = ledger, tables, set()


def _verdict(group_id: str, table: pa.Table) -> GroupVerdict:
    statuses, rewards, texts = (table[name].to_pylist() for name in ("status", "reward", "error"))
    kept = tuple(r for r, s in zip(rewards, statuses, strict=True) if s not in _ERRORS)
    return GroupVerdict(
        group_id=group_id,
        rewards=kept,
        zero_variance=not kept or max(kept) - min(kept) <= EQUAL_REWARDS,
        errors=len(rewards) - len(kept),
        error=next((e for e, s in zip(texts, statuses, strict=True) if s in _ERRORS), ""),
        summary=summarise(table),
    )


def _reason_to_drop(purpose: str, verdict: GroupVerdict) -> str:
    if purpose == "eval":
        return "evaluation"
    if not verdict.rewards:
        return "all errors"
    return "zero variance" if purpose == "train" and verdict.zero_variance else ""


def _check_rows(table: pa.Table, group_id: str, attempt: int, rows: int) -> None:
    named = set(zip(table["group_id"].to_pylist(), table["attempt"].to_pylist(), strict=True))
    if table.num_rows != rows or named != {(group_id, attempt)}:
        raise SchemaError(
            f"group {group_id!r} attempt {attempt} owes {rows} rows; the table has {table.num_rows}"
            f" of {sorted(named)}"
        )


def _versions(table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    return column(table, "versions")[0], column(table, "loss_mask")[0]
