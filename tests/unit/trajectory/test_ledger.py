"""The ledger's conservation law and its idempotence, under random operations."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.trajectory.ledger import Ledger, LedgerError, State

GROUPS = st.sampled_from(["a", "b", "c", "d"])
OPERATIONS = st.tuples(
    st.sampled_from(["issue", "complete", "admit", "train", "drop"]), GROUPS, st.integers(0, 3)
)


def apply(ledger: Ledger, name: str, group: str, attempt: int) -> bool | None:
    """True or False as the ledger answers; None when it refuses."""
    try:
        if name == "issue":
            return ledger.issue(group, attempt, purpose="train", rows=2)
        if name == "complete":
            return ledger.complete(group, attempt)
        return ledger.drop(group, "why") if name == "drop" else getattr(ledger, name)(group)
    except LedgerError:
        return None


@settings(max_examples=100, deadline=None)
@given(st.lists(OPERATIONS, max_size=60))
def test_issued_is_trained_plus_dropped_plus_live(operations: list[tuple[str, str, int]]) -> None:
    ledger, seen = Ledger(), set()
    for name, group, attempt in operations:
        before = ledger.state()
        changed = apply(ledger, name, group, attempt)
        totals = ledger.totals()
        assert totals["issued"] == totals["trained"] + totals["dropped"] + totals["live"]
        assert totals["live"] == sum(totals[s] for s in ("waiting", "complete", "admitted"))
        if changed is None:
            assert ledger.state() == before
        if changed and name in (
            "admit",
            "train",
            "drop",
        ):  # these edges are once a group, whatever the attempt
            assert (name, group) not in seen
            seen.add((name, group))
        if changed and name in ("complete", "issue"):
            assert (name, group, attempt) not in seen
            seen.add((name, group, attempt))
    assert not {g for n, g, *_ in seen if n == "train"} & {g for n, g, *_ in seen if n == "drop"}


@settings(max_examples=50, deadline=None)
@given(st.lists(OPERATIONS, max_size=40), st.lists(OPERATIONS, max_size=20))
def test_a_ledger_from_json_behaves_as_the_one_that_was_saved(
    first: list[tuple[str, str, int]], then: list[tuple[str, str, int]]
) -> None:
    ledger, copy = Ledger(), Ledger()
    for operation in first:
        apply(ledger, *operation)
    copy.load_state(json.loads(json.dumps(ledger.state())))
    for operation in then:
        assert apply(ledger, *operation) == apply(copy, *operation)
    assert ledger.state() == copy.state()


def test_a_lost_group_is_counted_once_however_often_it_is_issued() -> None:
    ledger = Ledger()
    for attempt in range(3):
        assert ledger.issue("g", attempt, purpose="train", rows=1)
    assert ledger.complete("g", 2) and ledger.admit("g") and ledger.train("g")
    totals = ledger.totals()
    assert (totals["issued"], totals["trained"], totals["reissued"]) == (1, 1, 2)


def test_a_late_older_attempt_changes_nothing() -> None:
    ledger = Ledger()
    ledger.issue("g", 0, purpose="train", rows=1)
    ledger.issue("g", 1, purpose="train", rows=1)
    assert not ledger.complete("g", 0)
    assert ledger["g"].state is State.ISSUED
    assert ledger.complete("g", 1)
    assert not ledger.issue("g", 2, purpose="train", rows=1), "its rows are here: nothing is owed"
    assert ledger.totals()["ignored"] == 2


def test_what_no_correct_run_does_is_refused_by_name() -> None:
    ledger = Ledger()
    ledger.issue("g", 0, purpose="train", rows=1)
    for operation, message in (
        (lambda: ledger.complete("h", 0), "'h' was never issued"),
        (lambda: ledger.complete("g", 1), "attempt 1 was never issued"),
        (lambda: ledger.train("g"), "is issued"),
        (lambda: ledger.drop("g", ""), "without a reason"),
        (lambda: ledger.issue("g", 1, purpose="gold", rows=1), "for 'train'"),
    ):
        with pytest.raises(LedgerError, match=message):
            operation()
    ledger.drop("g", "worker lost")
    with pytest.raises(LedgerError, match="dropped worker lost"):
        ledger.train("g")
    assert not ledger.drop("g", "another reason") and ledger["g"].reason == "worker lost"


def test_totals_tell_purposes_and_reasons_apart() -> None:
    ledger = Ledger()
    ledger.issue("t", 0, purpose="train", rows=1)
    ledger.issue("s", 0, purpose="gold", rows=1)
    ledger.drop("s", "stale")
    assert ledger.totals("train")["issued"] == 1 and ledger.totals("train")["live"] == 1
    assert ledger.totals("gold")["dropped/stale"] == 1
    assert [e.group_id for e in ledger.live()] == ["t"]
