"""Any verifiers environment as a distrl environment: its tasks, turns and scoring, on our contract.

tasks -> EnvWorker[N: [VerifiersEnv.step] -> session -> verifiers' hooks] <-> Engine[M] -> Buffer -> …

The id is `verifiers/NAME`, NAME being what verifiers' own loaders take. No network client is involved: the
assistant message is our action. What is not covered stands in legacy_source.py and v1_source.py.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import importlib.util
import json
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from distrl.envs.contract import (
    MAX_ACTION_CHARS,
    MAX_OBSERVATION_CHARS,
    Message,
    RewardError,
    Task,
    TextEnv,
    ToolEvent,
)
from distrl.envs.interop.loop import wait_for
from distrl.envs.interop.session import Action, Session, Source, Turn
from distrl.envs.interop.versions import installed_shapes, require
from distrl.envs.toolkit import ParsedAction, clean_text, cut, parse_tool_calls

PREFIX = "verifiers/"
REWARD = "rubric"  # the one reward: what the environment's own scoring gives
DEFAULT_MAX_TURNS = 10
SPLITS = ("train", "heldout", "test")
SOURCES = {
    "legacy": "distrl.envs.interop.legacy_source",
    "v1": "distrl.envs.interop.v1_source",
}
_LOADING = threading.Lock()


class VerifiersTasks:
    """Rows as tasks. Held out is what the environment keeps apart, else a share chosen by each row's hash."""

    def __init__(self, env_id: str, source: Source, heldout_fraction: float) -> None:
        if not 0.0 <= heldout_fraction < 1.0:
            raise ValueError(f"{env_id}: heldout_fraction={heldout_fraction} must be at least 0 and below 1")
        self._env_id = env_id
        rows = {split: {_digest(row): row for row in found} for split, found in source.rows().items()}
        train = rows["train"]
        if "heldout" in rows:
            held = {key: row for key, row in rows["heldout"].items() if key not in train}
        else:
            held = {key: row for key, row in train.items() if _share(key) < heldout_fraction}
            train = {key: row for key, row in train.items() if key not in held}
        self._rows = {"train": train, "heldout": held, "test": {}}

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        """Up to `count` tasks of `split` (0: all), in an order that the seed draws."""
        if split not in SPLITS:
            raise ValueError(f"{self._env_id}: unknown split {split!r}; one of {', '.join(SPLITS)}")
        keys = sorted(self._rows[split])
        order = np.random.default_rng(seed).permutation(len(keys))[: count or None]
        return [self._task(keys[i], split) for i in order]

    def _task(self, key: str, split: str) -> Task:
        payload = {"row": self._rows[split][key]}
        return Task(
            id=key, env=self._env_id, split=split, payload=payload, source=self._env_id, licence="unknown"
        )


class VerifiersEnv(TextEnv):
    """One verifiers environment; each episode is a session on one row."""

    def __init__(self, env_id: str, source: Source, max_turns: int = DEFAULT_MAX_TURNS) -> None:
        self.env_id = env_id
        self._source = source
        self._max_turns = max_turns
        self._session: Session | None = None
        self._tools: list[dict[str, Any]] = []
        self._turn = 0
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode on `options["task"]`, or on a task drawn by the seed."""
        super().reset(seed=seed)
        task = (options or {}).get("task") or self._draw()
        if not isinstance(task, Task) or task.env != self.env_id:
            raise ValueError(f"{self.env_id}: not a task of this environment: {task!r}")
        self.close()
        row = json.loads(json.dumps(task.payload["row"]))  # verifiers may change it, the payload must stay
        self._session = self._source.session(row, self._max_turns)
        turn = wait_for(self._session.open(), f"{self.env_id}: opening task {task.id}")
        self._tools, self._turn, self._over = turn.tools, 0, False
        messages = _within_limits(turn.messages)
        return _as_text(messages), {"task_id": task.id, "messages": messages, "tools": self._tools}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Hand one assistant text to the environment. Raises RewardError when rollout or scoring fails."""
        if self._session is None or self._over:
            raise gymnasium.error.ResetNeeded(f"{self.env_id}: call reset() before step()")
        if not isinstance(action, str):
            raise TypeError(f"{self.env_id}: an action is text, not {type(action).__name__}")
        given = read_action(action, self._turn, has_tools=bool(self._tools))
        self._over = True  # until the answer is there: after an error the episode is over
        turn = wait_for(self._session.answer(given), f"{self.env_id}: turn {self._turn}")
        messages = _within_limits(turn.messages)
        info: dict[str, Any] = {
            "messages": messages,
            "assistant": given.message,
            "tool_events": self._events(given.message, messages),
        }
        self._turn += 1
        self._over = turn.end is not None
        return self._result(turn, _as_text(messages), info)

    def gold_actions(self, task: Task) -> list[str]:
        """The texts that a row brings as `gold_actions` (in the row, or in its info); most bring none."""
        row = task.payload["row"]
        info = row.get("info") or {}
        info = json.loads(info) if isinstance(info, str) else info
        gold = row.get("gold_actions") or info.get("gold_actions")
        if not gold:
            raise NotImplementedError(f"{self.env_id}: task {task.id} brings no gold_actions")
        return list(gold)

    def close(self) -> None:
        """End a running episode."""
        if self._session is not None:
            session, self._session, self._over = self._session, None, True
            wait_for(session.close(), f"{self.env_id}: closing")

    def _result(
        self, turn: Turn, text: str, info: dict[str, Any]
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        end = turn.end
        if end is None:
            return text, 0.0, False, False, info
        if not all(map(math.isfinite, (end.reward, *end.parts.values()))):
            raise RewardError(f"{self.env_id}: the reward is not finite: {end.parts}")
        info["reward_parts"] = end.parts
        info["metrics"] = {name: value for name, value in end.metrics.items() if math.isfinite(value)}
        self.close()
        return text, end.reward, not end.truncated, end.truncated, info

    def _events(self, assistant: Message, messages: list[Message]) -> list[ToolEvent]:
        """Each call with the tool message that answers it. verifiers does not say which calls failed, so
        `ok` says only that the tool exists."""
        known = {tool["function"]["name"] for tool in self._tools}
        outputs = {m.tool_call_id: m.content for m in messages if m.role == "tool"}
        return [
            ToolEvent(
                turn=self._turn,
                name=call.name,
                arguments=call.arguments,
                output=outputs.get(call.id, ""),
                ok=call.name in known,
                kind="",
            )
            for call in assistant.tool_calls
        ]

    def _draw(self) -> Task:
        drawn = VerifiersTasks(self.env_id, self._source, 0.0).tasks(
            "train", 1, int(self.np_random.integers(2**31))
        )
        if not drawn:
            raise ValueError(f"{self.env_id}: it has no training rows; give a task")
        return drawn[0]


def make(name: str, reward: str, options: Mapping[str, Any]) -> VerifiersEnv:
    """The environment `verifiers/NAME`.

    Args:
        name: `verifiers/NAME` or NAME.
        reward: "rubric"; the environment scores itself.
        options: `args` (what its load_environment or taskset config takes), `shape` ("legacy" or "v1"; left
            out, the module says), `max_turns` (v1 only: the legacy shape has its own limit).

    Raises ValueError for a wrong name, reward or option, and when verifiers is not installed.
    """
    env_id = PREFIX + name.removeprefix(PREFIX)
    if reward != REWARD:
        raise ValueError(f"{env_id}: unknown reward {reward!r}; it scores itself: set env.reward={REWARD}")
    _known(f"{env_id}: env.options", options, ("args", "shape", "max_turns"))
    max_turns = options.get("max_turns", DEFAULT_MAX_TURNS)
    if max_turns < 1:
        raise ValueError(f"{env_id}: max_turns={max_turns} must be at least 1")
    return VerifiersEnv(env_id, _source(env_id, options), max_turns)


def task_source(name: str, path: str, heldout_fraction: float, options: Mapping[str, Any]) -> VerifiersTasks:
    """The rows of `verifiers/NAME` as tasks; `options` are `args` and `shape`, the same as for `make`."""
    env_id = PREFIX + name.removeprefix(PREFIX)
    if path:
        raise ValueError(f"{env_id} reads no task files; leave data.path={path!r} empty")
    _known(f"{env_id}: data.options", options, ("args", "shape"))
    return VerifiersTasks(env_id, _source(env_id, options), heldout_fraction)


def read_action(action: str, turn: int, *, has_tools: bool) -> Action:
    """An assistant text as verifiers sees it: content with its thinking, well-formed calls apart.

    Without calls (or without tools) the content is the text as written, since verifiers' parsers search it.
    """
    text = clean_text(action)[:MAX_ACTION_CHARS]
    parsed = parse_tool_calls(text, id_prefix=f"call_{turn}") if has_tools else ParsedAction(content=text)
    if not parsed.calls:
        return Action(content=text, message=Message(role="assistant", content=parsed.content))
    thinking = f"<think>\n{parsed.thinking}\n</think>\n" if parsed.thinking else ""
    message = Message(role="assistant", content=parsed.content, tool_calls=parsed.calls)
    return Action(content=thinking + parsed.content, message=message)


def _source(env_id: str, options: Mapping[str, Any]) -> Source:
    """The loaded environment, one a process for the same name and arguments."""
    name = env_id.removeprefix(PREFIX)
    shape = options.get("shape") or _shape_of(name)
    with _LOADING:
        require(shape)
        return _load(shape, name, json.dumps(options.get("args") or {}, sort_keys=True))


@functools.lru_cache(maxsize=8)
def _load(shape: str, name: str, args: str) -> Source:
    source: Source = importlib.import_module(SOURCES[shape]).load(name, json.loads(args))
    return source


def _shape_of(name: str) -> str:
    """What the module of `name` is: with a load_environment legacy, else v1. ValueError without it."""
    if not installed_shapes():
        return "v1"  # `require` says what to install
    module = name.rsplit("/", 1)[-1].split("@", 1)[0].replace("-", "_")
    if importlib.util.find_spec(module) is None:
        raise ValueError(f"{PREFIX}{name}: no module {module!r}; install that environment's package first")
    return "legacy" if hasattr(importlib.import_module(module), "load_environment") else "v1"


def _known(where: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for option in options:
        if option not in known:
            close = difflib.get_close_matches(option, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            raise ValueError(f"{where}: unknown key {option!r}; {hint}")


def _digest(row: Mapping[str, Any]) -> str:
    """A row's identity: the hash of its content without its place in the data."""
    content = {key: value for key, value in row.items() if key not in ("example_id", "idx")}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _share(key: str) -> float:
    """A row's place in [0, 1), from its hash."""
    return int(key, 16) / 16 ** len(key)


def _within_limits(messages: Sequence[Message]) -> list[Message]:
    return [
        Message(**{**vars(m), "content": cut(clean_text(m.content), MAX_OBSERVATION_CHARS)}) for m in messages
    ]


def _as_text(messages: Sequence[Message]) -> str:
    return cut("\n\n".join(m.content for m in messages), MAX_OBSERVATION_CHARS)
