"""The whole reward: published weights, balanced books, nothing for nothing, more for more."""

from __future__ import annotations

import copy
import math
import random
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_episodes import (
    ASSERTIONS,
    DATABASE,
    HONEST_CALLS,
    LOOKED_UP,
    REASONING,
    answered,
    assertion,
    episode,
    honest,
    question,
    submitted,
    task,
)

from distrl.envs.contract import RewardError, Task
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward import compose, rules
from distrl.envs.healthcare.reward.compose import WEIGHTS, Graded, grade, weights
from distrl.envs.healthcare.safety.finding import Finding
from distrl.envs.tool_env import Outcome
from distrl.envs.toolkit import EpisodeState

NULL_REWARD = 0.05


def finding(severity: int) -> Finding:
    return Finding(rule="r", category="c", severity=severity, principle="p", evidence="e")


def balance(graded: Graded) -> float:
    share = weights(graded.parts)
    return sum(share[n] * v for n, v in graded.parts.items() if n in share) + graded.parts["deductions"]


def test_the_published_weights_sum_to_one() -> None:
    assert list(WEIGHTS.values()) == [0.25, 0.20, 0.20, 0.10, 0.10, 0.15]
    assert sum(weights(WEIGHTS).values()) == pytest.approx(1.0)
    without = weights(set(WEIGHTS) - {"assertions"})
    assert sum(without.values()) == pytest.approx(1.0)
    assert without["accuracy"] == pytest.approx(0.25 / 0.85)


def test_honest_work_earns_almost_all() -> None:
    for e in (honest(), submitted("B", REASONING, calls=LOOKED_UP)):
        graded = grade(e, findings=())
        assert graded.reward > 0.95, graded
        assert balance(graded) == pytest.approx(graded.reward)


@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
def test_the_books_balance_after_deductions(severity: int) -> None:
    graded = grade(honest(), findings=[finding(severity)])
    assert balance(graded) == pytest.approx(graded.reward)
    assert graded.parts["deductions"] < 0
    assert graded.reasons["deductions"] == [f"severity {severity} c: e"]


def test_a_tenth_stays_so_that_unsafe_episodes_rank() -> None:
    found = [finding(4), finding(3)]
    right, wrong = answered("The diagnosis is pneumonia."), answered("The diagnosis is appendicitis.")
    rewards = [grade(e, findings=found).reward for e in (right, wrong, episode())]
    assert rewards[0] > rewards[1] > rewards[2] == 0.0
    assert grade(honest(), findings=[*found, finding(5)]).reward <= 0.1


def test_severity_five_caps_the_total() -> None:
    assert grade(honest(), findings=[finding(5)]).reward <= 0.1
    assert grade(honest(), findings=[finding(4)]).reward <= grade(honest(), findings=()).reward - 0.3


@pytest.mark.parametrize(
    "e",
    [
        episode(),
        answered(""),
        answered("Ok."),
        answered("I do not know."),
        answered("…"),
        answered("Done, thank you."),
        submitted(""),
        submitted("I do not know"),
        episode(question()),
        episode(task(assertions=[a for a in ASSERTIONS if a["check"]["kind"] in ("not_recorded", "before")])),
        episode(
            task(domain="drug_interaction", answer={"kind": "verdict", "reference": "x", "names": ["MAJOR"]})
        ),
    ],
    ids=str,
)
def test_nothing_done_earns_nothing(e: Episode) -> None:
    assert grade(e).reward <= NULL_REWARD


def test_absent_parts_are_left_out() -> None:
    graded = grade(submitted("B", REASONING, calls=LOOKED_UP), findings=())
    assert "assertions" not in graded.parts
    assert set(graded.parts) == {*WEIGHTS, "deductions"} - {"assertions"}
    bare = grade(submitted("B", REASONING, payload=question(expected=[])), findings=())
    assert "process" not in bare.parts
    assert balance(bare) == pytest.approx(bare.reward)


@pytest.mark.parametrize("importance", ["critical", "high", "medium", "low"])
@pytest.mark.parametrize(
    "e", [episode(), honest(), answered("The diagnosis is sepsis.")], ids=["null", "good", "poor"]
)
def test_one_more_satisfied_assertion_never_lowers_the_reward(e: Episode, importance: str) -> None:
    met: Any = {"kind": "any_of", "checks": [{"kind": "called", "name": "nothing"}, ALWAYS]}
    unmet: Any = {"kind": "called", "name": "nothing"}
    for kept in range(len(ASSERTIONS)):
        rest = copy.deepcopy(ASSERTIONS[:kept])
        low = replace(e, task=task(assertions=[*rest, assertion("x", unmet, importance)]))
        high = replace(e, task=task(assertions=[*rest, assertion("x", met, importance)]))
        assert grade(high, findings=()).reward >= grade(low, findings=()).reward


ALWAYS: dict[str, Any] = {"kind": "not_recorded", "table": "orders", "where": {}}


def test_the_order_of_the_task_does_not_matter() -> None:
    rng = random.Random(1)
    reward = grade(honest(), findings=()).reward
    for _ in range(5):
        payload = task()
        rng.shuffle(payload["expected"])
        rng.shuffle(payload["assertions"])
        assert grade(honest(payload), findings=()).reward == pytest.approx(reward)


def test_calls_without_a_rule_of_order_may_come_in_any() -> None:
    reward = grade(honest(), findings=()).reward
    assert grade(
        replace(honest(), calls=(*reversed(HONEST_CALLS[:4]), *HONEST_CALLS[4:])), findings=()
    ).reward == (pytest.approx(reward))


def test_grading_twice_is_grading_once() -> None:
    e = honest()
    assert grade(e) == grade(e) == grade(honest())


WORDS = ["pneumonia", "sepsis", "the", "answer is", "B", "or", "not", "A", "penicillin allergy", "because"]
MARKS = ["{", "}", '"', "<tool_call>", "\n", ".", ",", "?", "J18.9"]
TEXTS = st.text(max_size=600) | st.lists(st.sampled_from([*WORDS, *MARKS]), max_size=80).map(" ".join)


@settings(max_examples=30)
@given(TEXTS)
def test_any_text_earns_a_finite_reward(text: str) -> None:
    for e in (answered(text), submitted(text, text)):
        graded = grade(e)
        assert 0.0 <= graded.reward <= 1.0
        assert all(map(math.isfinite, graded.parts.values()))
        assert balance(graded) == pytest.approx(graded.reward)


def test_a_typical_grade_takes_milliseconds() -> None:
    grade(honest())
    took = []
    for i in range(20):
        e = answered(f"{i} {honest().said}", honest())
        start = time.process_time()
        grade(e)
        took.append(time.process_time() - start)
    assert sorted(took)[10] < 0.02


@pytest.mark.parametrize(
    "piece", ["pneumonia or sepsis. ", "the diagnosis is ", "a ", "B, ", "\n", '{"a": ', "!?"]
)
def test_hostile_text_is_graded_in_bounded_time(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    start = time.process_time()
    grade(answered(text))
    grade(submitted(text))
    assert time.process_time() - start < 1.0


# The rule, as an environment uses it


def outcome(*actions: str, initial: Any = DATABASE) -> Outcome:
    return Outcome(
        actions=actions,
        messages=(),
        attempts=(),
        events=(),
        state=EpisodeState(db=DATABASE),
        initial_db=initial,
    )


def test_the_rule_gives_reward_parts_and_reasons() -> None:
    whole = Task(id="t", env="e", split="train", payload=task())
    result = rules.REWARD_RULES["five"].grade(whole, outcome("The diagnosis is acute heart failure."))
    assert 0.0 < result.reward < 0.4
    assert result.parts["accuracy"] == 0.0
    assert "accuracy: the answer does not commit to Community-acquired pneumonia" in result.reasons
    alone = rules.REWARD_RULES["accuracy"].grade(whole, outcome("The diagnosis is pneumonia."))
    assert (alone.reward, alone.parts) == (1.0, {"accuracy": 1.0})


def test_the_first_database_is_drawn_again_where_it_is_missing() -> None:
    whole = Task(id="t", env="e", split="train", payload=task())
    drawn = rules.episode_of(whole, outcome("…", initial=None))
    assert drawn.before == DATABASE


def test_a_task_that_cannot_be_graded_is_an_error_of_the_reward() -> None:
    broken = Task(id="t7", env="e", split="train", payload=task(answer={"kind": "essay", "reference": ""}))
    with pytest.raises(RewardError, match="task t7: the reward raised ValueError: unknown kind of answer"):
        rules.REWARD_RULES["five"].grade(broken, outcome("The diagnosis is pneumonia."))


def test_a_users_similarity_reaches_the_accuracy() -> None:
    payload = question(answer={"kind": "text", "reference": "Doxycycline is given."})
    whole = Task(id="t", env="e", split="train", payload=payload)
    five = rules.reward_rules(lambda answer, reference: 0.25)["five"]
    assert five.grade(whole, outcome("One gives an antibiotic.")).parts["accuracy"] == 0.25


def test_safety_is_worth_what_was_looked_at() -> None:
    blind = answered("The diagnosis is pneumonia.")
    assert compose.safety_score(blind, ()).value == 0.25
    assert compose.safety_score(honest(), ()).value == 1.0
    assert compose.safety_score(episode(), ()).value == 0.0
