"""Base of environments in which a model calls tools: parse, run, answer, and grade once at the end.

tasks -> EnvWorker[N: action text -> [ToolEnv.step] -> messages, reward parts] <-> Engine[M] -> Buffer -> …
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import gymnasium

from distrl.envs.contract import (
    MAX_ACTION_CHARS,
    MAX_OBSERVATION_CHARS,
    Message,
    RewardError,
    Task,
    TaskSource,
    TextEnv,
    ToolCall,
    ToolEvent,
)
from distrl.envs.toolkit import EpisodeState, ParsedAction, Toolkit, clean_text, cut, parse_tool_calls

__all__ = ["Grade", "Outcome", "RewardError", "RewardRule", "ToolEnv"]

MAX_CALLS = 8  # run in one turn; more is spam and could flood the observation
DEFAULT_MAX_TURNS = 8
DRAWN_AT_ONCE = 16  # a source may deal its kinds of task in turn; one of so many is kept


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What an episode left behind for grading.

    `actions` holds the assistant's texts as written, thinking included (cut at the action limit); `attempts`
    every call and every malformed call (its error text) in order; `events` what ran or was refused.
    `initial_db` is the database as the episode began; it and `state` are the episode's own, to be read only.
    """

    actions: tuple[str, ...]
    messages: tuple[Message, ...]
    attempts: tuple[ToolCall | str, ...]
    events: tuple[ToolEvent, ...]
    state: EpisodeState
    initial_db: Any = None

    def last_tool_response(self) -> str | None:
        """Content of the last message of role tool, or None."""
        return next((m.content for m in reversed(self.messages) if m.role == "tool"), None)


@dataclass(frozen=True, kw_only=True)
class Grade:
    """What an episode earned; `reasons` are lines "part: why" for people, in the order of the parts."""

    reward: float
    parts: dict[str, float]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RewardRule:
    """A named reward: `parts` grades an episode, the sum over parts of weight times value is the reward."""

    weights: Mapping[str, float]
    parts: Callable[[Task, Outcome], dict[str, float]]

    def grade(self, task: Task, outcome: Outcome) -> Grade:
        """The reward and its parts. RewardError when `parts` raises, leaves a part out or is not finite."""
        try:
            parts = {name: float(value) for name, value in self.parts(task, outcome).items()}
        except Exception as error:
            raise RewardError(f"task {task.id}: the reward raised {type(error).__name__}: {error}") from error
        if parts.keys() != self.weights.keys():
            raise RewardError(f"task {task.id}: parts {sorted(parts)}, weights {sorted(self.weights)}")
        reward = sum(self.weights[name] * value for name, value in parts.items())
        if not all(map(math.isfinite, (*parts.values(), reward))):
            raise RewardError(f"task {task.id}: the reward is not finite: {parts}")
        return Grade(reward=reward, parts=parts)


class ToolEnv(TextEnv):
    """A subclass names its id, tools and rewards, and says what a task looks like.

    It implements `prompt(task)` and `gold_actions(task)`; it may override `default_source()`,
    `offered(task)`, `initial_db(task)` and `measure(task, outcome)`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012
    env_id: ClassVar[str]
    toolkit: ClassVar[Toolkit]
    reward_rules: ClassVar[Mapping[str, RewardRule]]
    terminal: ClassVar[frozenset[str]] = frozenset()  # tools whose successful call ends the episode

    _task: Task | None
    _over: bool

    def __init__(
        self,
        *,
        reward: str,
        single_call: bool = False,
        max_turns: int | None = None,
        source: TaskSource | None = None,
        split: str = "train",
        render_mode: str | None = None,
    ) -> None:
        """Choose the reward rule and how an episode ends.

        Args:
            reward: a key of `reward_rules`.
            single_call: the first turn ends the episode, whether it holds a call or not.
            max_turns: turns after which the episode is truncated (default 8); refused with `single_call`.
            source: where `reset` draws a task when it is given none; None takes `default_source()`.
            split: the split it draws from.
            render_mode: None or "ansi".
        """
        if reward not in self.reward_rules:
            raise ValueError(
                f"{self.env_id}: unknown reward {reward!r}; one of {', '.join(self.reward_rules)}"
            )
        if single_call and max_turns is not None:
            raise ValueError(
                f"{self.env_id}: max_turns={max_turns} does nothing with single_call; leave one out"
            )
        if max_turns is not None and max_turns < 1:
            raise ValueError(f"{self.env_id}: max_turns={max_turns} must be at least 1")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"{self.env_id}: unknown render_mode {render_mode!r}; ansi or none")
        self.rule = self.reward_rules[reward]
        self.single_call = single_call
        self.max_turns = 1 if single_call else (max_turns or DEFAULT_MAX_TURNS)
        self.split = split
        self.render_mode = render_mode
        self._source = source
        self._begin(None)

    # What a subclass says

    def prompt(self, task: Task) -> list[Message]:
        """The opening messages (system, user) of `task`."""
        raise NotImplementedError(f"{type(self).__name__} must turn a task into messages")

    def default_source(self) -> TaskSource:
        """Where tasks come from when neither `source` nor a task was given."""
        raise ValueError(
            f"{self.env_id}: give a task (options={{'task': …}}) or a source; it has none of its own"
        )

    def offered(self, task: Task) -> Toolkit:
        """The tools that an episode on `task` may call: all, unless a subclass chooses."""
        return self.toolkit

    def initial_db(self, task: Task) -> Any:
        """The episode's own fresh database (plain JSON data); None where tools need none."""
        return None

    def measure(self, task: Task, outcome: Outcome) -> dict[str, float]:
        """Facts worth averaging at the end, the same under every reward rule."""
        return {"tool_error_rate": sum(not e.ok for e in outcome.events) / max(1, len(outcome.events))}

    # Gymnasium

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode on `options["task"]`, or on a task drawn by the seed."""
        super().reset(seed=seed)
        self._begin(None)  # a task that is refused below begins no episode
        options = options or {}
        if unknown := sorted(set(options) - {"task"}):
            raise ValueError(f"{self.env_id}: unknown reset option {unknown[0]!r}; only 'task' is known")
        task = options.get("task") or self._draw()
        if not isinstance(task, Task) or task.env != self.env_id:
            raise ValueError(f"{self.env_id}: not a task of this environment: {task!r}")
        self._begin(task)
        opening = [_within_limits(m) for m in self.prompt(task)]
        self._messages += opening
        info = {"task_id": task.id, "messages": opening, "tools": self._offered.schemas()}
        return _as_text(opening), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Run the calls of one assistant text. Any text is an action; only a rule or tool that breaks raises.

        Raises RewardError, ToolFailure, and gymnasium.error.ResetNeeded outside an episode.
        """
        if self._task is None or self._over:
            raise gymnasium.error.ResetNeeded(f"{self.env_id}: call reset() before step()")
        if not isinstance(action, str):
            raise TypeError(f"{self.env_id}: an action is text, not {type(action).__name__}")
        text = clean_text(action)
        parsed = parse_tool_calls(text[:MAX_ACTION_CHARS], id_prefix=f"call_{self._turn}")
        events, added = self._run_attempts(parsed)
        if len(text) > MAX_ACTION_CHARS:
            note = f"Note: the message was cut: {len(text)} characters, limit {MAX_ACTION_CHARS}."
            added.append(Message(role="user", content=note))
        assistant = Message(role="assistant", content=parsed.content, tool_calls=parsed.calls)
        self._actions.append(text[:MAX_ACTION_CHARS])
        self._messages += [assistant, *added]
        self._attempts += parsed.attempts
        self._events += events
        self._turn += 1
        submitted = any(e.ok and e.name in self.terminal for e in events)
        terminated = self.single_call or submitted or not parsed.attempts
        truncated = not terminated and self._turn >= self.max_turns
        self._over = terminated or truncated
        info: dict[str, Any] = {"messages": added, "assistant": assistant, "tool_events": events}
        reward = 0.0
        if self._over:
            grade, info["metrics"] = self._settle(self._task)
            reward, info["reward_parts"] = grade.reward, grade.parts
            info["reward_reasons"] = list(grade.reasons)
        return _as_text(added), reward, terminated, truncated, info

    def render(self) -> str | None:
        """The conversation so far as text, in render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(
            f"{m.role}: {m.content}" + "".join(f"\n  {c.name}({c.arguments})" for c in m.tool_calls)
            for m in self._messages
        )

    # Inside

    def _begin(self, task: Task | None) -> None:
        self._task = None
        self._offered = self.toolkit if task is None else self.offered(task)
        self.state = EpisodeState(db=None if task is None else self.initial_db(task))
        self._initial_db = self.state.db  # a WRITE tool changes a copy, so this one stays as it is
        self._turn = 0
        self._over = False
        self._actions: list[str] = []
        self._messages: list[Message] = []
        self._attempts: list[ToolCall | str] = []
        self._events: list[ToolEvent] = []
        self._task = task

    def _draw(self) -> Task:
        if self._source is None:
            self._source = self.default_source()
        drawn = self._source.tasks(self.split, DRAWN_AT_ONCE, int(self.np_random.integers(2**31)))
        if not drawn:
            raise ValueError(f"{self.env_id}: the task source has no task in split {self.split!r}")
        return drawn[int(self.np_random.integers(len(drawn)))]

    def _run_attempts(self, parsed: ParsedAction) -> tuple[list[ToolEvent], list[Message]]:
        """Events and tool messages of one turn, in the order of the text."""
        events: list[ToolEvent] = []
        messages: list[Message] = []
        for attempt in parsed.attempts[:MAX_CALLS]:
            if isinstance(attempt, ToolCall):
                event = self._offered.run(attempt, turn=self._turn, state=self.state)
                call_id = attempt.id
            else:
                event, call_id = self._refused(attempt), ""
            events.append(event)
            messages.append(Message(role="tool", content=event.output, tool_call_id=call_id, name=event.name))
        if (count := len(parsed.attempts)) > MAX_CALLS:
            event = self._refused(
                f"Error: {count} calls in one turn; the first {MAX_CALLS} ran, the others did not"
            )
            events.append(event)
            messages.append(Message(role="tool", content=event.output))
        return events, messages

    def _refused(self, output: str) -> ToolEvent:
        return ToolEvent(turn=self._turn, name="", arguments="", output=output, ok=False, kind="")

    def _settle(self, task: Task) -> tuple[Grade, dict[str, float]]:
        outcome = Outcome(
            actions=tuple(self._actions),
            messages=tuple(self._messages),
            attempts=tuple(self._attempts),
            events=tuple(self._events),
            state=self.state,
            initial_db=self._initial_db,
        )
        return self.rule.grade(task, outcome), self.measure(task, outcome)


def _within_limits(message: Message) -> Message:
    content = cut(clean_text(message.content), MAX_OBSERVATION_CHARS)
    return message if content == message.content else Message(**{**vars(message), "content": content})


def _as_text(messages: list[Message]) -> str:
    return cut("\n\n".join(m.content for m in messages), MAX_OBSERVATION_CHARS)
