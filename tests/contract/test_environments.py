"""Every registered environment keeps the contract, through the registry and through Gymnasium."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

from distrl.envs.checker import check_env
from distrl.envs.contract import TaskSource, TextEnv
from distrl.envs.registry import ENVIRONMENTS, make, register_all, task_source

IDS = list(ENVIRONMENTS)
PUBLIC_ROWS = Path(__file__).parents[3] / "shared" / "data" / "aws_healthcare_tool_calls" / "train.jsonl"


def default_reward(env_id: str) -> str:
    env = gymnasium.make(env_id).unwrapped
    return str(inspect.signature(type(env)).parameters["reward"].default)


@pytest.mark.parametrize("env_id", IDS)
def test_environment_has_no_finding(env_id: str) -> None:
    assert [str(f) for f in check_env(env_id)] == []


@pytest.mark.parametrize("env_id", IDS)
def test_registry_makes_the_bare_environment_and_its_tasks(env_id: str) -> None:
    env = make(env_id, default_reward(env_id), {})
    assert isinstance(env, TextEnv)
    source = task_source(env_id, "", 0.2, {})
    assert isinstance(source, TaskSource)
    train, heldout = source.tasks("train", 8, 0), source.tasks("heldout", 8, 0)
    assert {t.env for t in (*train, *heldout)} == {env_id}
    assert not {t.id for t in train} & {t.id for t in heldout}
    assert [t.id for t in train] == [t.id for t in task_source(env_id, "", 0.2, {}).tasks("train", 8, 0)]


def test_registration_is_idempotent() -> None:
    before = dict(gymnasium.registry)
    register_all()
    assert dict(gymnasium.registry) == before


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_makes_it_in_a_fresh_process(env_id: str) -> None:
    code = (
        "import gymnasium, sys; "
        f"env = gymnasium.make('distrl.envs:{env_id}'); obs, info = env.reset(seed=0); env.step('x'); "
        f"gymnasium.make('{env_id}'); "
        "heavy = {'torch', 'ray', 'vllm', 'transformers'} & set(sys.modules); print(bool(obs), heavy)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "True set()", done.stderr


@pytest.mark.parametrize(
    ("env_id", "reward", "options", "said"),
    [
        ("distrl/ClinicalTool-v0", "graded", {}, "did you mean 'distrl/ClinicalTools-v0'"),
        ("zzz", "graded", {}, "known: distrl/ClinicalTools-v0"),
        ("distrl/ClinicalTools-v0", "best", {}, "unknown reward 'best'; one of graded, card"),
        (
            "distrl/ClinicalTools-v0",
            "card",
            {"max_turn": 2},
            "unknown key 'max_turn'; did you mean 'max_turns'",
        ),
        ("distrl/ClinicalTools-v0", "card", {"max_turns": 2}, "does nothing with single_call"),
        ("distrl/ClinicalTools-v0", "card", {"system_prompt": "long"}, "one of task, short, card"),
    ],
)
def test_wrong_settings_are_one_line(env_id: str, reward: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        make(env_id, reward, options)
    assert "\n" not in str(caught.value)


def test_wrong_task_sources_are_one_line() -> None:
    with pytest.raises(ValueError, match="unknown key 'stile'; did you mean 'style'"):
        task_source("distrl/ClinicalTools-v0", "", 0.2, {"stile": "plain"})
    with pytest.raises(ValueError, match="reads no task files"):
        task_source("distrl/Letters-v0", "tasks.jsonl", 0.2, {})


@pytest.mark.parametrize("system_prompt", ["task", "card", "short"])
def test_system_prompt_is_the_one_asked_for(system_prompt: str) -> None:
    env = make("distrl/ClinicalTools-v0", "card", {"system_prompt": system_prompt})
    task = task_source("distrl/ClinicalTools-v0", "", 0.2, {"system_prompt": "card"}).tasks("train", 1, 0)[0]
    system, user = env.reset(options={"task": task})[1]["messages"]
    given = task.payload["prompt"]
    assert user.content == given[1]["content"]
    assert (system.content == given[0]["content"]) == (system_prompt != "short")


def test_gold_call_is_compact_and_in_the_order_of_the_signature() -> None:
    env = make("distrl/ClinicalTools-v0", "graded", {})
    for task in task_source("distrl/ClinicalTools-v0", "", 0.2, {}).tasks("train", 16, 3):
        (action,) = env.gold_actions(task)
        opening, body, closing = action.split("\n")
        assert (opening, closing) == ("<tool_call>", "</tool_call>")
        call = json.loads(body)
        assert body == json.dumps(call, separators=(",", ":"), ensure_ascii=False)
        assert call == json.loads(task.payload["ground_truth"])
        signature = next(t for t in env.reset(seed=0)[1]["tools"] if t["function"]["name"] == call["name"])
        order = list(signature["function"]["parameters"]["properties"])
        assert list(call["arguments"]) == [n for n in order if n in call["arguments"]]


@pytest.mark.parametrize("reward", ["graded", "card"])
def test_both_rewards_give_gold_calls_one(reward: str) -> None:
    env = make("distrl/ClinicalTools-v0", reward, {})
    source = task_source("distrl/ClinicalTools-v0", "", 0.2, {})
    for task in (*source.tasks("train", 40, 1), *source.tasks("heldout", 40, 1)):
        env.reset(options={"task": task})
        _, total, terminated, truncated, info = env.step(env.gold_actions(task)[0])
        assert (total, terminated, truncated) == (pytest.approx(1.0), True, False)
        assert info["metrics"] == {
            "name_right": 1.0,
            "fields_right": 1.0,
            "whole_call_right": 1.0,
            "card_reward": 1.0,
            "error_response": 0.0,
        }


@pytest.mark.skipif(not PUBLIC_ROWS.exists(), reason="the public prompt set is not beside this checkout")
def test_gold_calls_of_the_public_rows_earn_one_under_both_rewards() -> None:
    source = task_source("distrl/ClinicalTools-v0", str(PUBLIC_ROWS), 0.2, {})
    tasks = [*source.tasks("train", 0, 0), *source.tasks("heldout", 0, 0)]
    assert len(tasks) > 800
    for reward in ("graded", "card"):
        env = make("distrl/ClinicalTools-v0", reward, {})
        for task in tasks:
            env.reset(options={"task": task})
            assert env.step(env.gold_actions(task)[0])[1] == pytest.approx(1.0)


def test_more_right_fields_never_earn_less_unless_the_tool_refuses() -> None:
    """Arguments of another task of the same tool, put right one by one in the order of the signature."""
    env = make("distrl/ClinicalTools-v0", "graded", {})
    tasks = task_source("distrl/ClinicalTools-v0", "", 0.2, {}).tasks("train", 64, 5)
    for task, other in zip(tasks, tasks[8:], strict=False):
        gold, wrong = (json.loads(t.payload["ground_truth"]) for t in (task, other))
        assert gold["name"] == wrong["name"]
        arguments, best = dict(wrong["arguments"]), 0.0
        for name, value in gold["arguments"].items():
            arguments[name] = value
            env.reset(options={"task": task})
            body = json.dumps({"name": gold["name"], "arguments": arguments})
            _, total, _, _, info = env.step(f"<tool_call>{body}</tool_call>")
            if not info["metrics"]["error_response"]:
                assert total >= best - 1e-12
                best = total
        assert best == pytest.approx(1.0)
