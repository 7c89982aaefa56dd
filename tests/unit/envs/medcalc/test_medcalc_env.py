"""The MedCalc environment: two modes, gold play, what a turn may earn, and which tools are offered."""

import json

import pytest

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.contract import ToolCall
from distrl.envs.medcalc.env import MedCalcEnv
from distrl.envs.medcalc.generator.generate import GeneratedTasks
from distrl.envs.medcalc.tools import TOOLS


@pytest.fixture(scope="module")
def tasks():
    return GeneratedTasks().tasks("train", 55, 11)


def play(env, task, actions):
    env.reset(options={"task": task})
    for action in actions:
        _, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break
    return reward, info


@pytest.mark.parametrize("mode", ["answer", "tools"])
@pytest.mark.parametrize("reward", ["card", "strict"])
def test_gold_play_of_every_calculator_earns_all(tasks, mode, reward):
    env = MedCalcEnv(reward=reward, mode=mode)
    assert {t.payload["calculator_id"] for t in tasks} == set(CALCULATORS)
    for task in tasks:
        earned, info = play(env, task, env.gold_actions(task))
        assert earned == pytest.approx(1.0), (task.payload["question"], info["reward_parts"])


def test_answer_mode_offers_no_tool_and_ends_after_one_turn(tasks):
    env = MedCalcEnv(mode="answer")
    _, info = env.reset(options={"task": tasks[0]})
    assert info["tools"] == []
    *_, terminated, _, info = env.step('<tool_call>{"name": "calculate", "arguments": {"expression": "1+1"}}')
    assert terminated and not info["tool_events"][0].ok


@pytest.mark.parametrize("others", [0, 3, 54])
def test_the_needed_calculator_is_among_those_offered(tasks, others):
    env = MedCalcEnv(mode="tools", other_calculators=others)
    for task in tasks:
        _, info = env.reset(options={"task": task})
        names = [tool["function"]["name"] for tool in info["tools"]]
        assert names[:2] == ["calculate", "convert_units"] and len(names) == 3 + others
        assert CALCULATORS[task.payload["calculator_id"]].name in names
        _, again = env.reset(options={"task": task})
        assert [tool["function"]["name"] for tool in again["tools"]] == names


def test_a_calculator_that_was_not_offered_is_unknown(tasks):
    env = MedCalcEnv(mode="tools", other_calculators=0)
    env.reset(options={"task": tasks[0]})
    other = next(c for c in CALCULATORS.values() if c.id != tasks[0].payload["calculator_id"])
    env.step(f"<tool_call>{json.dumps({'name': other.name, 'arguments': {}})}</tool_call>")
    event = env._events[0]
    assert not event.ok and event.output.startswith("Error: Unknown tool")


def test_tools_convert_and_compute_so_that_arithmetic_is_enough(tasks):
    """Without a calculator: conversion and arithmetic of the tools count as working."""
    task = next(t for t in GeneratedTasks(calculators=[6]).tasks("train", 30, 0) if t.payload["arguments"])
    weight, height = task.payload["arguments"]["weight"], task.payload["arguments"]["height"]
    expression = f"{weight:g} / ({height:g} / 100) ** 2"
    call = json.dumps({"name": "calculate", "arguments": {"expression": expression}})
    env = MedCalcEnv(mode="tools")
    value = weight / (height / 100) ** 2
    earned, info = play(env, task, [f"<tool_call>{call}</tool_call>", f"\\boxed{{{value:.4g} kg/m^2}}"])
    assert earned == pytest.approx(1.0), info["reward_parts"]
    assert info["metrics"]["tool_error_rate"] == 0.0


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("calculate", {"expression": "9**9**9"}, "Error: "),
        ("calculate", {"expression": "__import__('os')"}, "Error: "),
        ("calculate", {"expression": "(140 - 60) * 72 / 86.4"}, "(140 - 60) * 72 / 86.4 = 66.666667"),
        ("convert_units", {"value": 1, "unit": "furlong", "to": "cm"}, "Error: "),
        ("convert_units", {"value": 1, "unit": "mg/dL", "to": "umol/L"}, "Error: "),
        (
            "convert_units",
            {"value": 1, "unit": "mg/dL", "to": "umol/L", "substance": "creatinine"},
            "1 mg/dL = 88.4",
        ),
    ],
)
def test_tools_answer_or_refuse_in_one_line(name, arguments, said):
    event = TOOLS.run(ToolCall(id="c", name=name, arguments=json.dumps(arguments)))
    assert event.output.startswith(said) and "\n" not in event.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mode": "chat"}, "unknown mode 'chat'; one of answer, tools"),
        ({"other_calculators": 55}, "other_calculators=55 must be 0 to 54"),
        ({"reward": "soft"}, "unknown reward 'soft'; one of card, strict"),
    ],
)
def test_a_wrong_option_is_one_clear_line(options, said):
    with pytest.raises(ValueError, match=said) as error:
        MedCalcEnv(**options)
    assert "\n" not in str(error.value)
