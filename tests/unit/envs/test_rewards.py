"""Rewards of clinical tool calling: the card's tiers exactly; graded rises with right fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_env import GOLD, KIT, TinyEnv, TinyTasks, text_of

from distrl.envs.clinical_tools.rewards import GRADED_WEIGHTS, card_tier, fields_right, same_value
from distrl.envs.contract import Task

TASK = TinyTasks().task(70)
RIGHT = {**GOLD, "weight_kg": 70}
REQUIRED = KIT["dose"].schema["function"]["parameters"]["required"]
WRONG = {
    "drug": "beta",
    "weight_kg": 71,
    "age": 59,
    "allergies": ["sulfa"],
    "risks": {"heart": False, "renal": True},
    "meals": [60, 40],
    "variants": {"2D6": "poor"},
    "note": "other",
    "loading": False,
}


def play(
    *actions: str, reward: str = "graded", task: Task = TASK, single_call: bool = True
) -> dict[str, Any]:
    env = TinyEnv(reward=reward, single_call=single_call)
    env.reset(options={"task": task})
    for action in actions:
        _, total, over, _, info = env.step(action)
    assert over
    return {"reward": total, "parts": info["reward_parts"], **info["metrics"]}


def graded(arguments: Any, name: str = "dose") -> float:
    return play(text_of(arguments, name))["reward"]


@pytest.mark.parametrize(
    ("response", "tier"),
    [
        (None, 0.0),
        ("Drug: X 1.0mg", 1.0),
        ("  drug: x 1.0MG\n", 1.0),
        ("Drug:  X 1.0mg", 0.1),
        ("Drug: X 1.0mg.", 0.1),
        ("", 0.1),
        ("Error: anything", 0.1),
    ],
)
def test_card_tiers(response: str | None, tier: float) -> None:
    assert card_tier(response, "Drug: X 1.0mg") == tier


def test_card_takes_the_last_tool_response() -> None:
    right, wrong = text_of(RIGHT), text_of(WRONG)
    assert play(right, reward="card")["reward"] == 1.0
    assert play(right + wrong, reward="card")["reward"] == 0.1
    assert play(wrong + right, reward="card")["reward"] == 1.0
    assert play("<tool_call>{", reward="card")["reward"] == 0.1
    assert play("I would give alpha.", reward="card")["reward"] == 0.0


def test_graded_weights_sum_to_one_and_gold_earns_it() -> None:
    assert sum(GRADED_WEIGHTS.values()) == pytest.approx(1.0)
    assert graded(RIGHT) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "spelling",
    [
        {"weight_kg": 70.0},
        {"age": 60.0},
        {"drug": "alpha", "note": "  suspected mrsa "},
        {"allergies": ["Penicillin", "SULFA"]},
    ],
)
def test_equal_values_in_another_spelling_are_right(spelling: dict[str, Any]) -> None:
    assert graded({**RIGHT, **spelling}) == pytest.approx(1.0)


def test_left_out_default_is_right() -> None:
    assert graded({n: v for n, v in RIGHT.items() if n != "variants"}) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("gold", "given_value", "share"),
    [
        (1.5, 1.5 * (1 + 1e-10), 1.0),
        (1.5, 1.5 * (1 + 1e-8), 0.0),
        (0, 0.0, 1.0),
        (0, 1e-12, 0.0),
        (1, True, 0.0),
        (True, 1, 0.0),
        (False, None, 0.0),
        (None, None, 1.0),
        (None, 0, 0.0),
        ("65", 65, 0.0),
        ("a  B", "A b", 1.0),
        (["a", "a", "b"], ["b", "a", "a"], 1.0),
        (["a", "a", "b"], ["a", "b", "b"], 0.0),
        (["a"], ["a", "a"], 0.0),
        ([1, 2], [2, 1], 0.0),
        ([1, 2], [1.0, 2], 1.0),
        ([], [], 1.0),
        ([], None, 0.0),
        ({}, {}, 1.0),
        ({"x": 1, "y": 2}, {"x": 1, "y": 3}, 0.5),
        ({"x": 1}, {"x": 1, "y": 3}, 0.5),
        ({"x": None}, {}, 0.0),
    ],
)
def test_values_compare_by_type(gold: Any, given_value: Any, share: float) -> None:
    assert same_value(gold, given_value) == share


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(list(RIGHT))), st.sampled_from(list(RIGHT)))
def test_one_more_right_field_never_lowers_the_reward(wrong: set[str], mended: str) -> None:
    def reward(names: set[str]) -> float:
        return graded({n: WRONG[n] if n in names else v for n, v in RIGHT.items()})

    before, after = reward(wrong), reward(wrong - {mended})
    assert 0.0 <= before <= after <= 1.0 + 1e-12
    if mended in wrong:
        assert before < after


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(list(RIGHT))), st.sampled_from(list(RIGHT)))
def test_giving_one_more_right_field_never_lowers_the_reward(absent: set[str], given_name: str) -> None:
    def reward(names: set[str]) -> float:
        return graded({n: v for n, v in RIGHT.items() if n not in names})

    assert reward(absent) <= reward(absent - {given_name}) <= 1.0 + 1e-12


def test_surplus_arguments_are_punished() -> None:
    gold = {"a": 1, "b": 2}
    assert fields_right(gold, gold, {}) == 1.0
    assert fields_right(gold, {**gold, "c": 3}, {}) == pytest.approx(2 / 3)
    assert fields_right(gold, {**gold, "c": None}, {"c": None}) == 1.0
    assert fields_right(gold, {}, {"a": 1}) == 0.5
    assert fields_right({}, {}, {}) == 1.0


def test_error_response_earns_nothing() -> None:
    for bad in ({**RIGHT, "age": 200}, {**RIGHT, "drug": "gamma"}, {**RIGHT, "surprise": 1}, {}):
        result = play(text_of(bad))
        assert result["reward"] == 0.0
        assert set(result["parts"].values()) == {0.0}
        assert result["error_response"] == 1.0
    assert play(text_of(RIGHT, "no_such_tool"))["reward"] == 0.0


def test_gold_call_that_ends_in_an_error_is_right_only_as_a_whole() -> None:
    refused = {**RIGHT, "drug": "beta", "allergies": ["beta"]}
    payload = {
        **TASK.payload,
        "ground_truth": json.dumps({"name": "dose", "arguments": refused}),
        "answer": "Error: allergic to beta",
    }
    task = Task(id="refused", env=TASK.env, split="train", payload=payload)
    assert play(text_of(refused), task=task)["reward"] == pytest.approx(1.0)
    assert play(text_of({**refused, "age": 61}), task=task)["reward"] == 0.0


def bare(arguments: dict[str, Any]) -> str:
    return json.dumps({"name": "dose", "arguments": arguments})


SOUP = " ".join(f"{n} {v}" for n, v in RIGHT.items())
NEAR = {**RIGHT, "age": 61}
HACKS = {
    "nothing": "",
    "keyword soup": f"dose {SOUP} {TASK.payload['answer']}",
    "the answer as text": TASK.payload["answer"],
    "gold call as a thought": f"<think>{text_of(RIGHT)}</think>",
    "gold call quoted in prose": f"I would call {json.dumps({'name': 'dose', 'arguments': RIGHT})}",
    "empty arguments": text_of({}),
    "malformed": text_of(RIGHT)[:-30],
    "many calls, the right one last": text_of(NEAR) * 3 + text_of(RIGHT),
    "many calls, the right one first": text_of(RIGHT) + text_of(NEAR) * 3,
    "the right call twice": text_of(RIGHT) * 2,
    "spam": text_of(RIGHT) * 40,
    "right and malformed": text_of(RIGHT) + "<tool_call>{",
    "malformed and right": "<tool_call>{}</tool_call>" + text_of(RIGHT),
    "every value of an enum": text_of({**RIGHT, "drug": ["alpha", "beta"]}),
    "one call for each value": "".join(text_of({**RIGHT, "drug": d}) for d in ("beta", "alpha")),
    "bare guesses in a row, the right one first": bare(RIGHT) + bare(NEAR),
    "bare guesses in a row, the right one last": bare(NEAR) + bare(RIGHT),
    "look-alike digits": text_of({**RIGHT, "weight_kg": "７０"}),
    "look-alike name": text_of(RIGHT, "d\u043ese"),
    "arguments quoted twice": text_of(json.dumps(json.dumps(RIGHT))),
    "a key given twice": text_of(RIGHT).replace('"drug"', '"drug": "beta", "drug"', 1),
    "true for a number": text_of({**RIGHT, "weight_kg": True}),
    "surplus keys": text_of({**RIGHT, "drug2": "beta", "dose": 5}),
    "first value of everything": text_of(
        {"drug": "alpha", "weight_kg": 1, "age": 0, "allergies": [], "risks": {"heart": True, "renal": True}}
    ),
    "text where numbers belong": text_of({**RIGHT, "weight_kg": "70"}),
    "another tool": text_of({"count": 3}, "flood"),
    "one field off": text_of(NEAR),
}


@pytest.mark.parametrize("hack", list(HACKS))
def test_hack_ranks_below_the_honest_call(hack: str) -> None:
    result = play(HACKS[hack])
    assert result["reward"] < graded(RIGHT) - 0.05
    assert result["whole_call_right"] == 0.0


def test_more_calls_earn_less_than_the_same_single_call() -> None:
    rewards = [play(text_of(RIGHT) * n)["reward"] for n in (1, 2, 3, 8)]
    assert rewards == sorted(rewards, reverse=True)
    assert len(set(rewards)) == len(rewards)
    assert play(text_of(NEAR))["reward"] > play(text_of(RIGHT) * 2)["reward"]


def test_calls_of_earlier_turns_count() -> None:
    honest = play(text_of(RIGHT), "done", single_call=False)["reward"]
    tried = play(text_of(NEAR), text_of(RIGHT), "done", single_call=False)["reward"]
    assert tried < honest


@pytest.mark.parametrize("action", [text_of(RIGHT), text_of(NEAR), text_of({}), "no", HACKS["spam"]])
def test_metrics_do_not_depend_on_the_rule(action: str) -> None:
    by_rule = [play(action, reward=rule) for rule in ("graded", "card")]
    names = ("name_right", "fields_right", "whole_call_right", "card_reward", "error_response")
    graded_metrics, card_metrics = ([r[n] for n in names] for r in by_rule)
    assert graded_metrics == card_metrics
    assert by_rule[1]["card_reward"] == by_rule[1]["reward"]
    assert all(0.0 <= by_rule[0][n] <= 1.0 for n in names)


def test_metrics_report_fields_of_a_refused_call() -> None:
    result = play(text_of({**RIGHT, "age": 200}))
    assert result["name_right"] == 1.0
    assert result["fields_right"] == pytest.approx(8 / 9)
    assert result["error_response"] == 1.0
