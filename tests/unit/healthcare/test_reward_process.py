"""Process: expected calls matched one to one, against a slow reference; spam and repetition earn less."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_episodes import ASSERTIONS, EXPECTED, HONEST_CALLS, call, episode, expected, honest, task

from distrl.envs.healthcare.reward import process
from distrl.envs.healthcare.reward.matching import maximum_matching

BARE = task(assertions=[])


def slow_matching(edges: list[list[int]]) -> int:
    """The size of a largest matching, by trying every choice."""
    best = 0
    for choice in itertools.product(*[[None, *e] for e in edges]):
        taken = [c for c in choice if c is not None]
        if len(taken) == len(set(taken)):
            best = max(best, len(taken))
    return best


@given(st.lists(st.lists(st.integers(0, 4), max_size=4, unique=True), max_size=5))
def test_matching_is_as_large_as_by_trying_all(edges: list[list[int]]) -> None:
    found = maximum_matching(edges)
    assert len(found) == slow_matching(edges)
    assert len(set(found.values())) == len(found)
    assert all(right in edges[left] for left, right in found.items())


def test_greedy_choice_is_undone() -> None:
    assert maximum_matching([[0, 1], [0], [1, 2]]).keys() == {0, 1, 2}


def test_all_expected_calls_earn_all() -> None:
    assert process.score(honest()).value == pytest.approx(1.0)
    assert process.score(honest(BARE)).value == pytest.approx(1.0)


def test_a_task_of_three_tools_can_earn_all() -> None:
    calls = HONEST_CALLS[:3]
    e = episode(task(assertions=[], expected=EXPECTED[:3]), calls=calls)
    assert process.score(e).value == pytest.approx(1.0)


def test_nothing_done_earns_nothing() -> None:
    assert process.score(episode()).value == 0.0
    assert process.score(episode(BARE)).value == 0.0
    submit = call("submit_answer", kind="GENERIC", answer="pneumonia")
    assert process.score(episode(calls=(submit,))).value == 0.0


def test_failed_calls_cover_nothing() -> None:
    e = episode(BARE, calls=tuple(replace(c, ok=False) for c in HONEST_CALLS))
    assert process.score(e).value == 0.0


def test_each_call_covers_one_expectation() -> None:
    twice = task(assertions=[], expected=[expected("get_vital_signs"), expected("get_vital_signs")])
    assert process.coverage(episode(twice, calls=HONEST_CALLS[1:2])) == 0.5
    assert process.coverage(episode(twice, calls=HONEST_CALLS[1:2] * 2)) == 1.0


def test_a_wide_expectation_leaves_the_call_to_a_narrow_one() -> None:
    wide, narrow = expected("order", "test", test=["a", "b"]), expected("order", "test", test="a")
    e = episode(task(expected=[wide, narrow]), calls=(call("order", test="a"), call("order", test="b")))
    assert process.coverage(e) == 1.0


def test_coverage_is_the_same_in_any_order() -> None:
    rng = random.Random(0)
    calls = list(HONEST_CALLS[:4])
    for _ in range(10):
        rng.shuffle(calls)
        wanted = rng.sample(EXPECTED, len(EXPECTED))
        assert process.score(episode(task(assertions=[], expected=wanted), calls=tuple(calls))).value == (
            pytest.approx(process.score(episode(BARE, calls=HONEST_CALLS[:4])).value)
        )


def test_repetition_and_spam_earn_less() -> None:
    good = process.score(honest(BARE)).value
    repeated = process.score(replace(honest(BARE), calls=HONEST_CALLS + HONEST_CALLS[:1] * 6)).value
    spam = tuple(call(f"tool_{i}", i) for i in range(60))
    spammed = process.score(replace(honest(BARE), calls=HONEST_CALLS + spam)).value
    only_spam = process.score(episode(calls=spam)).value
    assert good > repeated
    assert good - spammed > 0.25
    assert only_spam < 0.1


def test_rules_of_conduct_weigh_seven_tenths() -> None:
    early = (HONEST_CALLS[5], *HONEST_CALLS[:5])  # prescribed before the allergies were looked up
    kept, broken = process.score(honest()), process.score(replace(honest(), calls=early))
    # recorded 1.5, not recorded 2, before 1.5 of 5 are conduct
    assert kept.value - broken.value == pytest.approx(0.7 * 1.5 / 5.0)
    assert "rule not kept: allergies before prescribing" in broken.reasons


def test_a_policy_of_the_obligations_counts() -> None:
    rule = {"kind": "before", "first": "get_vital_signs", "then": ["get_lab_results"]}
    duty = {
        "id": "o",
        "category": "incomplete_workup",
        "severity": 3,
        "reason": "vitals first",
        "check": rule,
    }
    payload = task(assertions=[], obligations=[duty])
    assert process.score(honest(payload)).value == pytest.approx(1.0)
    backwards = replace(honest(payload), calls=tuple(reversed(HONEST_CALLS)))
    assert process.score(backwards).value == pytest.approx(0.3)


def test_words_are_no_conduct() -> None:
    spoken = [a for a in ASSERTIONS if a["check"]["kind"] == "said"]
    assert process.score(honest(task(assertions=spoken))).value == process.score(honest(BARE)).value
    assert process.score(replace(honest(task(assertions=spoken)), calls=())).value == 0.0


def test_a_task_without_expectations_has_no_process() -> None:
    assert process.score(episode(task(expected=[], assertions=[]))) is None


def test_what_was_missed_is_told() -> None:
    score = process.score(episode(BARE, calls=HONEST_CALLS[1:]))
    assert "missed: get_patient_info(patient_id='P001')" in score.reasons
