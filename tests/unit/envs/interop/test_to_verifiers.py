"""distrl's environments in verifiers: what a rollout earns there is what it earns here."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from scripted_model import ScriptedModel, serve

from distrl.envs.contract import Message, Task
from distrl.envs.interop import load_environment
from distrl.envs.interop.messages import action_text, observation, read_task, task_json
from distrl.envs.interop.to_verifiers import EnvSpec, Episode, default_reward
from distrl.envs.interop.versions import installed_shapes
from distrl.envs.registry import make
from distrl.envs.toolkit import parse_tool_calls

ENVIRONMENTS = ("distrl/Letters-v0", "distrl/ClinicalTools-v0")
SHAPES = installed_shapes()
needs_verifiers = pytest.mark.skipif(not SHAPES, reason="verifiers is not installed: it is an optional extra")


def native_call(text: str, call_id: str = "c1") -> dict[str, Any]:
    """An assistant message with the calls of `text` apart, as a server with a tool parser returns it."""
    calls = [
        {"id": call_id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in parse_tool_calls(text).calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def gold(spec: EnvSpec, task: Task) -> list[str]:
    return spec.make().gold_actions(task)


def native_end(spec: EnvSpec, task: Task, actions: list[str]) -> tuple[float, dict[str, Any]]:
    """Reward and last info of an episode in our own environment."""
    env = spec.make()
    env.reset(seed=0, options={"task": task})
    steps = [env.step(action) for action in actions]
    return steps[-1][1], steps[-1][4]


# Without verifiers


def test_missing_verifiers_is_one_line_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", None)
    with pytest.raises(ValueError, match=r'^verifiers is not installed: pip install "verifiers==0\.4\.\*"$'):
        load_environment()
    with pytest.raises(ValueError, match=r'pip install "verifiers==0\.3\.\*"'):
        load_environment(shape="legacy")


def test_unknown_shape_is_named() -> None:
    with pytest.raises(ValueError, match="unknown shape 'v2' of verifiers; one of legacy, v1"):
        load_environment(shape="v2")


def test_native_call_becomes_the_text_that_our_parser_reads() -> None:
    message = native_call('<tool_call>{"name": "bmi", "arguments": {"note": "größer"}}</tool_call>')
    message |= {"reasoning_content": "think", "content": "Let me see."}
    parsed = parse_tool_calls(action_text(message))
    assert [(c.id, c.name, json.loads(c.arguments)) for c in parsed.calls] == [
        ("c1", "bmi", {"note": "größer"})
    ]
    assert (parsed.content, parsed.thinking) == ("Let me see.", "think")


@pytest.mark.parametrize("arguments", ['{"a": 1', "[1]", "null", "NaN"])
def test_native_arguments_that_are_no_object_stay_an_error(arguments: str) -> None:
    call = {"id": "c", "function": {"name": "bmi", "arguments": arguments}}
    parsed = parse_tool_calls(action_text({"content": "", "tool_calls": [call]}))
    assert not parsed.calls
    assert parsed.errors[0].startswith("Error: Invalid JSON")


def test_call_id_that_our_parser_refuses_is_left_out() -> None:
    call = {"id": "x" * 65, "name": "bmi", "arguments": "{}"}
    assert parse_tool_calls(action_text({"tool_calls": [call]})).calls[0].name == "bmi"


def test_tool_answer_goes_as_a_tool_message_only_to_a_call_that_the_server_knows() -> None:
    answer = Message(role="tool", content="BMI: 24", tool_call_id="c1", name="bmi")
    assert observation(answer, ["c1"]) == {"role": "tool", "tool_call_id": "c1", "content": "BMI: 24"}
    assert observation(answer, []) == {
        "role": "user",
        "content": "<tool_response>\nBMI: 24\n</tool_response>",
    }


@pytest.mark.parametrize("env_id", ENVIRONMENTS)
def test_task_survives_its_row(env_id: str) -> None:
    task = EnvSpec(env_id=env_id, num_examples=1).tasks()[0]
    assert read_task(task_json(task)) == task


@pytest.mark.parametrize("env_id", ENVIRONMENTS)
def test_episode_on_gold_text_or_native_calls_earns_what_the_environment_gives(env_id: str) -> None:
    spec = EnvSpec(env_id=env_id, num_examples=5)
    for task in spec.tasks():
        actions = gold(spec, task)
        reward, info = native_end(spec, task, actions)
        for answer in ({"content": actions[0]}, native_call(actions[0])):
            if not answer["content"] and not answer["tool_calls"]:
                continue  # letters has no calls
            episode = Episode(spec, task)
            episode.answer(answer)
            assert episode.result is not None
            assert episode.result.reward == reward == 1.0
            assert episode.result.parts == info["reward_parts"]
            assert episode.result.metrics == info["metrics"]


def test_default_reward_is_the_one_that_the_class_takes() -> None:
    assert [default_reward(e) for e in (*ENVIRONMENTS, "no/such")] == ["share", "graded", ""]


# With verifiers


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serve() as running:
        yield running


async def play_legacy(env: Any, model: ScriptedModel) -> list[dict[str, Any]]:
    from openai import AsyncOpenAI
    from verifiers.clients import OpenAIChatCompletionsClient

    client = OpenAIChatCompletionsClient(AsyncOpenAI(api_key="none", base_url=model.base_url))
    runs = [env.run_rollout(row, client=client, model="m", sampling_args={}) for row in env.get_dataset()]
    outputs = await asyncio.gather(*runs)
    await client.close()
    return [{"reward": o["reward"], "signals": o["metrics"], "error": o["error"]} for o in outputs]


async def play_v1(env: Any, model: ScriptedModel) -> list[dict[str, Any]]:
    import verifiers.v1 as vf

    client = vf.EvalClientConfig(base_url=model.base_url, api_key_var="DISTRL_TEST_NO_KEY")
    context = vf.ModelContext(model="m", client=client)
    async with env.serving():
        episodes = await asyncio.gather(*(env.run_episode(task, context) for task in env.taskset))
    traces = [episode.traces[0] for episode in episodes]
    return [
        {"reward": t.reward, "signals": t.metrics, "error": "; ".join(e.message for e in t.errors) or None}
        for t in traces
    ]


PLAY = {"legacy": play_legacy, "v1": play_v1}


def play(shape: str, model: ScriptedModel, spec: EnvSpec, script: list[list[dict[str, Any]]]) -> list[Any]:
    """The rollouts of `spec`'s tasks at once; `script` holds each task's assistant messages."""
    for task, messages in zip(spec.tasks(), script, strict=True):
        opening = Episode(spec, task).opening
        model.say[next(m.content for m in opening if m.role == "user")] = list(messages)
    env = load_environment(
        spec.env_id, reward=spec.reward, num_examples=spec.num_examples, shape=shape, **(spec.options or {})
    )
    return asyncio.run(PLAY[shape](env, model))


@needs_verifiers
@pytest.mark.parametrize("env_id", ENVIRONMENTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_gold_actions_earn_in_verifiers_what_they_earn_natively(
    shape: str, env_id: str, model: ScriptedModel
) -> None:
    spec = EnvSpec(env_id=env_id, num_examples=3)
    ends = [native_end(spec, task, gold(spec, task)) for task in spec.tasks()]
    script = [[{"content": text} for text in gold(spec, task)] for task in spec.tasks()]
    for output, (reward, info) in zip(play(shape, model, spec, script), ends, strict=True):
        assert output["error"] is None
        assert output["reward"] == reward == 1.0
        for name, value in info["metrics"].items():
            assert output["signals"][name] == value
        for name, value in info["reward_parts"].items():
            assert output["signals"][f"part/{name}"] == value


@needs_verifiers
@pytest.mark.parametrize("shape", SHAPES)
def test_several_turns_of_native_calls_reach_the_model_as_tool_messages(
    shape: str, model: ScriptedModel
) -> None:
    spec = EnvSpec(num_examples=2, options={"single_call": False, "max_turns": 4})
    tasks = spec.tasks()
    script = [[native_call(gold(spec, task)[0]), {"content": "Done."}] for task in tasks]
    outputs = play(shape, model, spec, script)
    assert [o["reward"] for o in outputs] == [
        native_end(spec, task, [*gold(spec, task), "Done."])[0] for task in tasks
    ]
    answers = {r["messages"][-1]["content"] for r in model.requests if r["messages"][-1]["role"] == "tool"}
    assert answers == {task.payload["answer"] for task in tasks}
    assert {len(r["tools"]) for r in model.requests} == {8}


@needs_verifiers
@pytest.mark.parametrize("shape", SHAPES)
def test_no_call_earns_nothing_and_the_turn_limit_truncates(shape: str, model: ScriptedModel) -> None:
    spec = EnvSpec(num_examples=2, options={"single_call": False, "max_turns": 2})
    call = {"content": '<tool_call>{"name": "no_such_tool", "arguments": {}}</tool_call>'}
    outputs = play(shape, model, spec, [[{"content": "I do not know."}], [call, call]])
    natively = [["I do not know."], [call["content"]] * 2]
    ends = [native_end(spec, t, a)[0] for t, a in zip(spec.tasks(), natively, strict=True)]
    assert [o["reward"] for o in outputs] == ends
    assert [o["signals"]["truncated"] for o in outputs] == [0.0, 1.0]


@needs_verifiers
def test_verifiers_own_loader_finds_the_module() -> None:
    if "legacy" in SHAPES:
        import verifiers

        env = verifiers.load_environment("distrl", environment="distrl/Letters-v0", num_examples=2, seed=3)
        assert (len(env.get_dataset()), len(env.get_eval_dataset())) == (2, 2)
        assert set(env.get_dataset()["info"]).isdisjoint(env.get_eval_dataset()["info"])
    if "v1" in SHAPES:
        import verifiers.v1 as vf

        config = {"taskset": {"id": "distrl", "env_id": "distrl/Letters-v0", "num_examples": 2}}
        env = vf.load_environment(vf.resolve_env_config(config))
        assert len(list(env.taskset)) == 2


@needs_verifiers
@pytest.mark.parametrize("shape", SHAPES)
def test_wrong_argument_is_named_before_the_first_rollout(shape: str) -> None:
    with pytest.raises(ValueError, match="unknown reward 'best'; one of graded, card"):
        load_environment(reward="best", shape=shape)
    with pytest.raises(ValueError, match="did you mean 'system_prompt'"):
        load_environment(system_promt="card", shape=shape)
    with pytest.raises(ValueError, match="did you mean 'distrl/ClinicalTools-v0'"):
        load_environment("distrl/ClinicalTool-v0", shape=shape)


def test_registry_makes_what_the_spec_names() -> None:
    assert type(EnvSpec(env_id="distrl/Letters-v0").make()) is type(make("distrl/Letters-v0", "share", {}))
