"""Each check of the environment checker fires on an environment that breaks it, and only where it should."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import gymnasium
import pytest
from tiny_env import GOLD, TinyEnv, TinyTasks, text_of

from distrl.envs.checker import CHECKS, Finding, check_env, check_factory
from distrl.envs.contract import MAX_OBSERVATION_CHARS, Message, RewardError, Task, TextEnv
from distrl.envs.tool_env import RewardRule
from distrl.envs.toolkit import ToolKind, Toolkit


def findings(env: type[TextEnv], check: str) -> list[str]:
    return [f.message for f in check_factory(env, TinyTasks(), tasks=3) if f.check == check]


def test_a_sound_environment_has_no_finding() -> None:
    assert check_factory(TinyEnv, TinyTasks(), tasks=5) == []
    assert check_factory(lambda: TinyEnv(single_call=True), TinyTasks(), tasks=5) == []
    assert check_factory(lambda: TinyEnv(reward="card"), TinyTasks(), tasks=5) == []


class Unseeded(TinyEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return super().reset(seed=None, options=options)


class NoMessages(TinyEnv):
    def reset(self, **options: Any) -> Any:
        obs, info = super().reset(**options)
        return obs, {k: v for k, v in info.items() if k != "messages"}


class NoQuestion(TinyEnv):
    def prompt(self, task: Task) -> list[Message]:
        return [Message(role="system", content="Call a tool.")]


class WrongTaskId(TinyEnv):
    def reset(self, **options: Any) -> Any:
        obs, info = super().reset(**options)
        return obs, {**info, "task_id": "another"}


class SpeaksForTheModel(TinyEnv):
    def step(self, action: str) -> Any:
        *rest, info = super().step(action)
        return *rest, {**info, "messages": [Message(role="assistant", content="I am the model.")]}


class PlainDicts(TinyEnv):
    def step(self, action: str) -> Any:
        *rest, info = super().step(action)
        return *rest, {**info, "messages": [{"role": "tool", "content": "x"}]}


class NoToolEvents(TinyEnv):
    def step(self, action: str) -> Any:
        *rest, info = super().step(action)
        return *rest, {k: v for k, v in info.items() if k != "tool_events"}


class NotJson(TinyEnv):
    def step(self, action: str) -> Any:
        *rest, info = super().step(action)
        return *rest, {**info, "tool_events": [object()]}


class Floods(TinyEnv):
    def step(self, action: str) -> Any:
        _, *rest = super().step(action)
        return "x" * (MAX_OBSERVATION_CHARS + 1), *rest


class Echoes(TinyEnv):
    def step(self, action: str) -> Any:
        _, *rest = super().step(action)
        return action[:100], *rest


class Dice(TinyEnv):
    def step(self, action: str) -> Any:
        _, *rest = super().step(action)
        return str(random.random()), *rest


class Leaks(TinyEnv):
    shared: Sequence[str] = ()

    def initial_db(self, task: Task) -> Any:
        self.shared = [*self.shared, task.id]
        return {"orders": []}

    def prompt(self, task: Task) -> list[Message]:
        return [Message(role="user", content=f"patient {len(self.shared)}")]


class EatsPayload(TinyEnv):
    def prompt(self, task: Task) -> list[Message]:
        messages = super().prompt(task)
        task.payload["seen"] = task.payload.get("seen", 0) + 1
        return messages


class RaisesOnBrackets(TinyEnv):
    def step(self, action: str) -> Any:
        if "[[" in action:
            raise RecursionError("too deep")
        return super().step(action)


class IntegerReward(TinyEnv):
    def step(self, action: str) -> Any:
        obs, reward, *rest = super().step(action)
        return obs, int(reward), *rest


class Endless(TinyEnv):
    def __init__(self) -> None:
        super().__init__(max_turns=10_000)


class BothEnds(TinyEnv):
    def step(self, action: str) -> Any:
        obs, reward, terminated, truncated, info = super().step(action)
        return obs, reward, terminated, terminated or truncated, info


class NaNReward(TinyEnv):
    def step(self, action: str) -> Any:
        obs, reward, terminated, truncated, info = super().step(action)
        return obs, float("nan") if terminated else reward, terminated, truncated, info


class NoParts(TinyEnv):
    def step(self, action: str) -> Any:
        *rest, info = super().step(action)
        return *rest, {k: v for k, v in info.items() if k not in ("reward_parts", "metrics")}


class BoolMetric(TinyEnv):
    def measure(self, task: Task, outcome: Any) -> Any:
        return {"right": True}


class Stingy(TinyEnv):
    reward_rules = {  # noqa: RUF012
        "graded": RewardRule(weights={"a": 0.5}, parts=lambda task, outcome: {"a": 1.0})
    }


class NeverSolved(TinyEnv):
    def gold_actions(self, task: Task) -> list[str]:
        return [text_of(GOLD)] * 20


class NoGold(TinyEnv):
    def gold_actions(self, task: Task) -> list[str]:
        return TextEnv.gold_actions(self, task)


class RewardRaises(TinyEnv):
    def _settle(self, task: Task) -> Any:
        raise RewardError("no reward today")


SLY = Toolkit("sly")


@SLY.tool(ToolKind.READ)
def peek(db: Any) -> str:
    """Look, and leave a mark."""
    db["orders"].append("peeked")
    return "seen"


class SlyRead(TinyEnv):
    toolkit = SLY

    def gold_actions(self, task: Task) -> list[str]:
        return [text_of({}, "peek"), "done"]


class BadSchemas(TinyEnv):
    def reset(self, **options: Any) -> Any:
        obs, info = super().reset(**options)

        def tool(name: str, parameters: Any, description: str = "does") -> Any:
            function = {"name": name, "description": description, "parameters": parameters}
            return {"type": "function", "function": function}

        info["tools"] = [
            tool("bad name", {}),
            tool("twin", {}),
            tool("twin", {}),
            tool("silent", {}, description=""),
            tool("no_type", {"type": "strange"}),
            tool("bad_default", {"properties": {"a": {"type": "integer", "default": "x"}}}),
        ]
        return obs, info


class PaysCheats(TinyEnv):
    def cheats(self, task: Task) -> dict[str, list[str]]:
        return {"copied": self.gold_actions(task)}


class PaysSilence(TinyEnv):
    def cheats(self, task: Task) -> dict[str, list[str]]:
        return {"null": self.gold_actions(task)}


BREACHES: list[tuple[type[TextEnv], str, str]] = [
    (Unseeded, "gymnasium", "this must not raise"),
    (NoMessages, "messages", "reset's info lacks ['messages']"),
    (NoQuestion, "messages", "no user message"),
    (WrongTaskId, "messages", "task_id 'another'"),
    (SpeaksForTheModel, "messages", "role 'assistant'"),
    (PlainDicts, "messages", "dict among the messages"),
    (NoToolEvents, "messages", "step's info lacks ['tool_events']"),
    (NotJson, "messages", "object in info is not JSON"),
    (Floods, "limits", f"{MAX_OBSERVATION_CHARS + 1} characters"),
    (Echoes, "limits", "lone surrogates"),
    (Dice, "determinism", "draw only from self.np_random"),
    (Leaks, "determinism", "reset() must build every state anew"),
    (EatsPayload, "payload", "changed its task's payload"),
    (RaisesOnBrackets, "junk", "raised RecursionError"),
    (IntegerReward, "junk", "it must be str, float, bool, bool, dict"),
    (Endless, "ends", "set a turn limit"),
    (BothEnds, "ends", "terminated and truncated at once"),
    (NaNReward, "ends", "a reward is nan"),
    (NoParts, "ends", "lacks reward_parts"),
    (NoParts, "ends", "lacks metrics"),
    (BoolMetric, "ends", "metrics['right'] is True"),
    (Stingy, "gold", "earn 0.500 < 0.95"),
    (NeverSolved, "gold", "do not reach the episode's own end"),
    (PaysCheats, "cheats", "the play 'copied' earns 1.000 > 0.950"),
    (PaysSilence, "cheats", "the play 'null' earns 1.000 > 0.050"),
    (NoGold, "gold", "has no gold trajectories"),
    (RewardRaises, "junk", "raised RewardError"),
    (SlyRead, "state", "peek is READ and changed the database"),
    (BadSchemas, "schemas", "'bad name'"),
    (BadSchemas, "schemas", "two tools have the same name"),
    (BadSchemas, "schemas", "silent: no description"),
    (BadSchemas, "schemas", "no_type: not a valid JSON Schema"),
    (BadSchemas, "schemas", "default of a does not fit"),
]


@pytest.mark.parametrize(
    ("env", "check", "said"), BREACHES, ids=[f"{e.__name__}-{s}" for e, _, s in BREACHES]
)
def test_breach_is_found_and_named(env: type[TextEnv], check: str, said: str) -> None:
    messages = findings(env, check)
    assert any(said in m for m in messages), messages


def test_findings_before_a_check_raised_are_kept() -> None:
    class ThenBreaks(NotJson, WrongTaskId):
        pass

    said = findings(ThenBreaks, "messages")
    assert any("task_id 'another'" in m for m in said)
    assert any("is not JSON" in m for m in said)


def test_every_check_has_a_breach() -> None:
    assert {check for _, check, _ in BREACHES} == set(CHECKS)


def test_source_without_tasks_is_a_finding() -> None:
    class Empty(TinyTasks):
        def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
            return []

    (finding,) = check_factory(TinyEnv, Empty())
    assert str(finding) == "tasks: the task source gave no training task; it must give at least one"
    assert finding == Finding(check="tasks", message=finding.message)


def test_unknown_environment_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="did you mean 'distrl/Letters-v0'"):
        check_env("distrl/Letter-v0")
    assert "test/Tiny-v0" not in gymnasium.registry
