"""The base of tool environments keeps the contract: ends, limits, fresh state, reward once at the end."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import gymnasium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_env import GOLD, TinyEnv, TinyTasks, text_of

from distrl.envs.contract import MAX_ACTION_CHARS, MAX_OBSERVATION_CHARS, Message, RewardError, Task
from distrl.envs.tool_env import MAX_CALLS, Grade, Outcome, RewardRule, ToolEnv

TASK = TinyTasks().task(70)
RIGHT = {**GOLD, "weight_kg": 70}


def begin(**options: Any) -> TinyEnv:
    env = TinyEnv(**options)
    env.reset(seed=0, options={"task": TASK})
    return env


def test_reset_gives_task_messages_and_tools() -> None:
    obs, info = TinyEnv().reset(seed=0, options={"task": TASK})
    assert obs == "Call a tool.\n\nalpha at 70 kg?"
    assert info["task_id"] == "tiny-70"
    assert [m.role for m in info["messages"]] == ["system", "user"]
    assert [t["function"]["name"] for t in info["tools"]] == ["dose", "order", "orders", "flood", "hang"]


def test_seed_draws_the_task() -> None:
    env = TinyEnv()
    drawn = [env.reset(seed=s)[1]["task_id"] for s in range(20)]
    assert drawn == [TinyEnv().reset(seed=s)[1]["task_id"] for s in range(20)]
    assert len(set(drawn)) > 10


def test_step_runs_the_call_and_answers_as_a_tool() -> None:
    obs, reward, terminated, truncated, info = begin().step(text_of(RIGHT))
    assert obs == info["messages"][0].content == TASK.payload["answer"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    (message,) = info["messages"]
    (call,) = info["assistant"].tool_calls
    assert (message.role, message.name, message.tool_call_id) == ("tool", "dose", call.id)
    assert "reward_parts" not in info
    json.dumps([asdict(m) for m in (*info["messages"], info["assistant"], *info["tool_events"])])


def test_turn_without_a_call_is_the_episodes_own_end() -> None:
    env = begin()
    env.step(text_of(RIGHT))
    _, reward, terminated, truncated, info = env.step("That is all.")
    assert (terminated, truncated) == (True, False)
    assert reward == pytest.approx(1.0)
    assert info["metrics"]["whole_call_right"] == 1.0


def test_turn_limit_truncates() -> None:
    env = begin(max_turns=2)
    assert env.step(text_of(RIGHT))[2:4] == (False, False)
    assert env.step(text_of(RIGHT))[2:4] == (False, True)


@pytest.mark.parametrize("action", [text_of(RIGHT), "<tool_call>{", "no call", ""])
def test_single_call_ends_after_the_first_turn(action: str) -> None:
    _, _, terminated, truncated, info = begin(single_call=True).step(action)
    assert (terminated, truncated) == (True, False)
    assert set(info["reward_parts"]) == {"call_parsed", "name_right", "fields_right", "whole_call_right"}


def test_weighted_parts_are_the_reward() -> None:
    env = begin(single_call=True)
    _, reward, _, _, info = env.step(text_of({**RIGHT, "age": 61}))
    assert reward == pytest.approx(sum(env.rule.weights[n] * v for n, v in info["reward_parts"].items()))
    assert 0.1 < reward < 0.7


def test_malformed_call_is_an_observation_in_the_order_of_the_text() -> None:
    action = f"<tool_call>{{</tool_call>{text_of(RIGHT)}"
    _, _, _, _, info = begin().step(action)
    assert [e.ok for e in info["tool_events"]] == [False, True]
    assert info["messages"][0].content.startswith("Error: Invalid JSON - ")
    assert info["messages"][1].content == TASK.payload["answer"]


def test_surplus_calls_do_not_run_and_are_said() -> None:
    env = begin()
    _, _, _, _, info = env.step(text_of({"item": "x"}, "order") * 30)
    assert len(env.state.db["orders"]) == MAX_CALLS
    assert info["messages"][-1].content == "Error: 30 calls in one turn; the first 8 ran, the others did not"


def test_call_ids_of_turns_differ_and_a_repeated_id_writes_once() -> None:
    env = begin()
    env.step(text_of({"item": "x"}, "order"))
    env.step(text_of({"item": "x"}, "order"))
    assert env.state.db["orders"] == ["x", "x"]
    same = '{"id": "mine", "name": "order", "arguments": {"item": "y"}}'
    env.step(f"<tool_call>{same}</tool_call><tool_call>{same}</tool_call>")
    env.step(f"<tool_call>{same}</tool_call>")
    assert env.state.db["orders"] == ["x", "x", "y"]


def test_state_is_fresh_for_each_episode() -> None:
    env = begin()
    env.step(text_of({"item": "x"}, "order"))
    env.reset(seed=0, options={"task": TASK})
    assert env.step(text_of({}, "orders"))[0] == "[]"


def test_too_long_action_is_cut_and_said() -> None:
    action = text_of(RIGHT) + "x" * MAX_ACTION_CHARS
    obs, _, _, _, info = begin().step(action)
    assert len(info["tool_events"]) == 1
    assert obs.endswith(f"Note: the message was cut: {len(action)} characters, limit {MAX_ACTION_CHARS}.")
    assert len(info["assistant"].content) <= MAX_ACTION_CHARS


def test_too_long_question_is_cut_and_said() -> None:
    payload = {**TASK.payload, "prompt": [{"role": "user", "content": "q" * (MAX_OBSERVATION_CHARS + 1)}]}
    task = Task(id="long", env=TASK.env, split="train", payload=payload)
    obs, info = TinyEnv().reset(options={"task": task})
    assert len(obs) == MAX_OBSERVATION_CHARS
    assert obs.endswith(f"[cut: {MAX_OBSERVATION_CHARS + 1} characters, limit {MAX_OBSERVATION_CHARS}]")
    assert info["messages"][0].content == obs


class Broken(TinyEnv):
    """Rewards that must not reach the gradient."""

    reward_rules = {  # noqa: RUF012
        "raises": RewardRule(weights={"a": 1.0}, parts=lambda task, outcome: {"a": 1 / 0}),
        "nan": RewardRule(weights={"a": 1.0}, parts=lambda task, outcome: {"a": float("nan")}),
        "masked": RewardRule(weights={"a": 0.0}, parts=lambda task, outcome: {"a": float("inf")}),
        "text": RewardRule(weights={"a": 1.0}, parts=lambda task, outcome: {"a": "much"}),  # type: ignore[dict-item]
        "partial": RewardRule(weights={"a": 1.0, "b": 1.0}, parts=lambda task, outcome: {"a": 1.0}),
    }


@pytest.mark.parametrize("reward", list(Broken.reward_rules))
def test_broken_reward_is_a_reward_error_that_names_the_task(reward: str) -> None:
    env = Broken(reward=reward, single_call=True)
    env.reset(options={"task": TASK})
    with pytest.raises(RewardError, match="tiny-70"):
        env.step("no call")


def test_reward_is_graded_once_at_the_end() -> None:
    seen: list[Outcome] = []

    class Counted(TinyEnv):
        reward_rules = {  # noqa: RUF012
            "graded": RewardRule(
                weights={"n": 1.0}, parts=lambda task, outcome: seen.append(outcome) or {"n": 1.0}
            )
        }

    env = Counted()
    env.reset(options={"task": TASK})
    env.step(text_of(RIGHT))
    assert seen == []
    env.step("done")
    (outcome,) = seen
    assert [m.role for m in outcome.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert outcome.last_tool_response() == TASK.payload["answer"]


def test_terminal_tool_ends_the_episode_when_it_succeeds() -> None:
    class Ordering(TinyEnv):
        terminal = frozenset({"order"})

    env = Ordering()
    env.reset(options={"task": TASK})
    assert env.step(text_of({"wrong": "x"}, "order"))[2:4] == (False, False)
    assert env.step(text_of({"item": "x"}, "order"))[2:4] == (True, False)


def test_reasons_and_the_first_database_reach_rule_and_info() -> None:
    seen: list[Outcome] = []

    class Reasoned(RewardRule):
        def grade(self, task: Task, outcome: Outcome) -> Grade:
            seen.append(outcome)
            return Grade(reward=0.5, parts={"a": 0.5}, reasons=("a: half",))

    class Explained(TinyEnv):
        reward_rules = {"graded": Reasoned(weights={"a": 1.0}, parts=lambda task, outcome: {})}  # noqa: RUF012

    env = Explained()
    env.reset(options={"task": TASK})
    env.step(text_of({"item": "x"}, "order"))
    info = env.step("done")[4]
    assert info["reward_reasons"] == ["a: half"]
    assert seen[0].initial_db["orders"] == []
    assert seen[0].state.db["orders"] == ["x"]


def test_steps_outside_an_episode_are_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        TinyEnv().step("x")
    env = begin(single_call=True)
    env.step("x")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("x")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reward": "best"}, "unknown reward 'best'; one of graded, card"),
        ({"single_call": True, "max_turns": 3}, "max_turns=3 does nothing with single_call"),
        ({"max_turns": 0}, "max_turns=0 must be at least 1"),
        ({"render_mode": "human"}, "unknown render_mode 'human'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TinyEnv(**options)


def test_wrong_reset_options_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown reset option 'tasks'"):
        TinyEnv().reset(options={"tasks": TASK})
    other = Task(id="a", env="other", split="train", payload={})
    with pytest.raises(ValueError, match="not a task of this environment"):
        TinyEnv().reset(options={"task": other})


def test_environment_without_source_says_so() -> None:
    class Sourceless(TinyEnv):
        default_source = ToolEnv.default_source

    with pytest.raises(ValueError, match="give a task"):
        Sourceless().reset(seed=0)


def test_render_shows_the_conversation() -> None:
    env = begin(render_mode="ansi")
    env.step(text_of({}, "orders"))
    text = env.render()
    assert text is not None
    assert text.splitlines()[-3:] == ["assistant: ", "  orders({})", "tool: []"]
    assert begin().render() is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(), max_size=60) | st.just(text_of(RIGHT)), min_size=1, max_size=4))
def test_any_text_gives_a_finite_reward_in_range(actions: list[str]) -> None:
    env = begin(max_turns=3)
    for action in actions:
        obs, reward, terminated, truncated, info = env.step(action)
        obs.encode("utf-8")
        assert not (terminated and truncated)
        assert 0.0 <= reward <= 1.0 + 1e-12
        assert all(isinstance(m, Message) for m in info["messages"])
        if terminated or truncated:
            break
