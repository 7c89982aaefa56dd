"""The book of groups: issued -> complete -> admitted -> trained, or dropped with a reason.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer [ledger] -> Learner -> Weights -> (back)

A pure state machine. A group is counted once however often it is issued again, so a killed worker leaves
the totals as they would have been: issued = trained + dropped + live, at any time. An operation that is
repeated, or that speaks of an older attempt, changes nothing and returns False; one that speaks of a group
nobody issued raises LedgerError.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any


class LedgerError(ValueError):
    """An operation that no correct run makes; the message names group, attempt and state."""


class State(StrEnum):
    """Where a group stands."""

    ISSUED = "issued"
    COMPLETE = "complete"
    ADMITTED = "admitted"
    TRAINED = "trained"
    DROPPED = "dropped"

    @property
    def is_live(self) -> bool:
        return self not in (State.TRAINED, State.DROPPED)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One group's line. `rows` trajectories are owed; `order` is its place in the order of first issue."""

    group_id: str
    attempt: int
    purpose: str
    rows: int
    order: int
    state: State = State.ISSUED
    reason: str = ""  # why it was dropped


class Ledger:
    """All groups of a run. Every method but `issue` returns True exactly once for a group and edge."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self.reissued = 0  # times that a lost group was issued again
        self.ignored = 0  # repeated operations and late arrivals of an older attempt

    def __getitem__(self, group_id: str) -> Entry:
        try:
            return self._entries[group_id]
        except KeyError:
            raise LedgerError(f"group {group_id!r} was never issued") from None

    def __contains__(self, group_id: str) -> bool:
        return group_id in self._entries

    def issue(self, group_id: str, attempt: int, *, purpose: str, rows: int) -> bool:
        """Opens a group, or opens it again when `attempt` is higher and its trajectories are still owed."""
        old = self._entries.get(group_id)
        if old is None:
            order = len(self._entries)
            self._entries[group_id] = Entry(
                group_id=group_id, attempt=attempt, purpose=purpose, rows=rows, order=order
            )
            return True
        if (old.purpose, old.rows) != (purpose, rows):
            raise LedgerError(
                f"group {group_id!r} was issued as {old.rows} rows for {old.purpose!r},"
                f" now as {rows} for {purpose!r}"
            )
        if attempt <= old.attempt or old.state is not State.ISSUED:
            return self._ignore()
        self._entries[group_id] = replace(old, attempt=attempt, state=State.ISSUED)
        self.reissued += 1
        return True

    def expects(self, group_id: str, attempt: int) -> bool:
        """True while this attempt's rows are owed; False, and counted as ignored, when they are not."""
        entry = self._issued(group_id, attempt)
        return (attempt == entry.attempt and entry.state is State.ISSUED) or self._ignore()

    def complete(self, group_id: str, attempt: int) -> bool:
        """issued -> complete: the trajectories of this attempt are here."""
        return self._move(group_id, attempt, (State.ISSUED,), State.COMPLETE)

    def admit(self, group_id: str) -> bool:
        """complete -> admitted: it may be trained on."""
        return self._move(group_id, self[group_id].attempt, (State.COMPLETE,), State.ADMITTED)

    def train(self, group_id: str) -> bool:
        """admitted -> trained. Training a group that is owed, complete or dropped is LedgerError."""
        entry = self[group_id]
        if entry.state not in (State.ADMITTED, State.TRAINED):
            raise LedgerError(
                f"group {group_id!r} was trained but is {entry.state.value} {entry.reason}".rstrip()
            )
        return self._move(group_id, entry.attempt, (State.ADMITTED,), State.TRAINED)

    def drop(self, group_id: str, reason: str) -> bool:
        """any live state -> dropped; the first reason stays."""
        if not reason:
            raise LedgerError(f"group {group_id!r} was dropped without a reason")
        entry = self[group_id]
        if not entry.state.is_live:
            return self._ignore()
        self._entries[group_id] = replace(entry, state=State.DROPPED, reason=reason)
        return True

    def _move(self, group_id: str, attempt: int, sources: tuple[State, ...], target: State) -> bool:
        entry = self._issued(group_id, attempt)
        if attempt < entry.attempt or entry.state not in sources:
            return self._ignore()
        self._entries[group_id] = replace(entry, state=target)
        return True

    def _issued(self, group_id: str, attempt: int) -> Entry:
        entry = self[group_id]
        if attempt > entry.attempt:
            raise LedgerError(
                f"group {group_id!r}: attempt {attempt} was never issued (newest {entry.attempt})"
            )
        return entry

    def _ignore(self) -> bool:
        self.ignored += 1
        return False

    def live(self) -> list[Entry]:
        """Groups that are neither trained nor dropped, oldest issue first."""
        return [e for e in self._entries.values() if e.state.is_live]

    def admitted(self) -> list[Entry]:
        """Groups that may be trained on, oldest issue first."""
        return [e for e in self._entries.values() if e.state is State.ADMITTED]

    def totals(self, purpose: str = "") -> dict[str, int]:
        """Counts of groups (of one purpose, or all).

        `issued` ever; `live` = `waiting` + `complete` + `admitted` now; `trained`; `dropped`, and
        `dropped/<reason>` for each reason. `reissued` and `ignored` count operations of all purposes.
        """
        entries = [e for e in self._entries.values() if not purpose or e.purpose == purpose]
        states = Counter(e.state for e in entries)
        reasons = Counter(e.reason for e in entries if e.state is State.DROPPED)
        return {
            "issued": len(entries),
            "live": sum(n for state, n in states.items() if state.is_live),
            "waiting": states[State.ISSUED],
            **{s.value: states[s] for s in State if s is not State.ISSUED},
            "reissued": self.reissued,
            "ignored": self.ignored,
            **{f"dropped/{reason}": n for reason, n in sorted(reasons.items())},
        }

    def state(self) -> dict[str, Any]:
        """JSON-serialisable; `load_state` of it gives an equal ledger."""
        entries = [asdict(e) for e in self._entries.values()]
        return {"entries": entries, "reissued": self.reissued, "ignored": self.ignored}

    def load_state(self, state: dict[str, Any]) -> None:
        entries = [Entry(**{**e, "state": State(e["state"])}) for e in state["entries"]]
        self._entries = {e.group_id: e for e in entries}
        self.reissued, self.ignored = int(state["reissued"]), int(state["ignored"])
