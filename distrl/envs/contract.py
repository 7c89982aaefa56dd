"""What an environment is: text in, text out, reward in named parts, on Gymnasium's contract.

An environment sees messages, never tokens. An action is the assistant's text exactly as the model wrote
it; the environment parses tool calls out of it, runs them and answers with an observation text. The same
observation stands as structured messages in `info`, so that a chat template can render it.

    obs, info = env.reset(seed=0, options={"task": task})   # task: Task; without it one is drawn by the seed
    obs, reward, terminated, truncated, info = env.step("<tool_call>{…}</tool_call>")

`info` keys (all JSON-serialisable through `asdict`):
    reset: "task_id": str, "messages": list[Message] (system and user), "tools": list[dict] (OpenAI schemas)
    step:  "messages": list[Message] that the environment added (tool results, user turns; may be empty),
           "assistant": Message (the action, parsed: content and tool_calls),
           "tool_events": list[ToolEvent] of this step,
           "reward_parts": dict[str, float] at the end of the episode (their weighted sum is the reward),
           "reward_reasons": list[str] at the end, if the rule gives any: lines "part: why" for people,
           "metrics": dict[str, float] at the end: facts worth averaging (name_right, whole_call_right, …)

`terminated` means that the episode reached its own end; `truncated` that the turn limit cut it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import gymnasium

MAX_OBSERVATION_CHARS = 100_000
MAX_ACTION_CHARS = 10_000


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A call as the OpenAI chat schema has it; `arguments` is a JSON string, never evaluated."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, kw_only=True)
class Message:
    """One chat message as in the OpenAI chat schema."""

    role: str  # "system" | "user" | "assistant" | "tool"
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class ToolEvent:
    """One tool call that was tried. `ok` is False for a malformed call, an unknown tool or an error."""

    turn: int
    name: str
    arguments: str  # JSON as given, cut at the tool's output cap
    output: str
    ok: bool
    kind: str  # "READ" | "WRITE" | "THINK" | "GENERIC" | "" when unknown
    seconds: float = field(default=0.0, compare=False)  # time is no part of what happened


@dataclass(frozen=True, kw_only=True)
class Task:
    """One problem to solve. `payload` is plain JSON data; gold answers live in it, hidden from the model."""

    id: str
    env: str
    split: str  # "train" | "heldout" | "test"
    payload: dict[str, Any] = field(repr=False)
    source: str = "generated"
    licence: str = "Apache-2.0"


class RewardError(RuntimeError):
    """The reward raised or was not finite: the episode says nothing about the policy."""


class AnyText(gymnasium.spaces.Text):
    """Text of bounded length in any characters (`Text` itself knows a fixed alphabet, which samples use)."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length


class TextEnv(gymnasium.Env[str, str]):
    """Base of every environment; `tasks()` and `gold_actions()` make training and checking possible."""

    metadata = {"render_modes": []}  # noqa: RUF012
    observation_space = AnyText(max_length=MAX_OBSERVATION_CHARS, min_length=0)
    action_space = AnyText(max_length=MAX_ACTION_CHARS, min_length=0)

    def gold_actions(self, task: Task) -> list[str]:
        """The assistant texts that solve `task` (one a turn), for cold start and for the checker."""
        raise NotImplementedError(f"{type(self).__name__} has no gold trajectories")

    def cheats(self, task: Task) -> dict[str, list[str]]:
        """Plays that must earn less than the gold one, by name; the play "null" must earn next to nothing."""
        return {}


@runtime_checkable
class TaskSource(Protocol):
    """Where tasks come from: a seeded generator or a loaded file. Splits never overlap."""

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        """Up to `count` tasks of `split`, the same for the same seed; a finite source may give fewer."""
        ...
