"""The environment contract as code: each finding says what broke and what to fix.

[checker] -> tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Not covered: whether a reward means anything, whether tasks are solvable by a model, and leaks between splits.
"""

from __future__ import annotations

import copy
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from jsonschema import Draft202012Validator

from distrl.envs.contract import (
    MAX_ACTION_CHARS,
    MAX_OBSERVATION_CHARS,
    Message,
    Task,
    TaskSource,
    TextEnv,
    ToolEvent,
)
from distrl.envs.toolkit import parse_tool_calls

GOLD_REWARD = 0.95
NULL_REWARD = 0.05  # at most, for a play that does nothing
CHEAT_MARGIN = 0.05  # by which the gold play stays ahead of any other
MAX_TURNS_CHECKED = 200  # an environment that runs longer than this on junk has no turn limit
TOOL_NAME = re.compile(r"^[A-Za-z0-9_-]{1,64}$")
JUNK = (
    "",
    " \n",
    "no call at all",
    "\x00\x1b]52;c;AAAA\x07",
    "\ud800 a lone surrogate",
    "<tool_call>",
    "<tool_call></tool_call>",
    "</think></tool_call><think>",
    "<tool_call>" + "[" * 5000,
    "<tool_call>" * 800,
    "<tool_call>{'name': 'x'}</tool_call>",
    '<tool_call>{"name": 1, "arguments": []}</tool_call>',
    '<tool_call>{"name": "no_such_tool", "arguments": {"a": 1e999}}</tool_call>',
    '<tool_call>{"name": "__import__(\'os\').abort()", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "no_such_tool", "arguments": {"a": "\\ud800"}}</tool_call>',
    "x" * (2 * MAX_ACTION_CHARS),
)
Factory = Callable[[], TextEnv]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One breach of the contract: which check found it, and what to fix."""

    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


def check_env(env_id: str, tasks: int = 20) -> list[Finding]:
    """Check a registered environment under its default reward; an empty list: it keeps the contract.

    Args:
        env_id: a key of the registry.
        tasks: how many generated tasks have their gold actions played.
    """
    import gymnasium

    from distrl.envs.registry import register_all, task_source

    register_all()
    source = task_source(env_id, "", 0.0, {})
    return check_factory(lambda: gymnasium.make(env_id, disable_env_checker=True).unwrapped, source, tasks)  # type: ignore[return-value, arg-type]


def check_factory(factory: Factory, source: TaskSource, tasks: int = 20) -> list[Finding]:
    """Check the environments that `factory` builds; a check that raises is itself a finding."""
    drawn = list(source.tasks("train", tasks, 0))
    if not drawn:
        return [
            Finding(check="tasks", message="the task source gave no training task; it must give at least one")
        ]
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        messages: list[str] = []
        try:
            messages.extend(check(factory, drawn))
        except Exception as error:
            text = " ".join(str(error).split())
            messages.append(f"raised {type(error).__name__}: {text}; this must not raise")
        findings += [Finding(check=name, message=m) for m in dict.fromkeys(messages)]
    return findings


@dataclass(frozen=True, kw_only=True)
class _Play:
    """One episode: its opening and its steps (observation, reward, terminated, truncated, info)."""

    opening: tuple[str, dict[str, Any]]
    steps: list[tuple[str, float, bool, bool, dict[str, Any]]]

    @property
    def ended(self) -> bool:
        return bool(self.steps) and (self.steps[-1][2] or self.steps[-1][3])

    def plain(self) -> str:
        """Everything that happened as JSON text, seconds aside."""
        return json.dumps([self.opening, self.steps], default=_plain, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, (Message, ToolEvent)):
        return {k: v for k, v in asdict(value).items() if k != "seconds"}
    raise TypeError(
        f"{type(value).__name__} in info is not JSON; use str, float, dict, list and the contract's records"
    )


def _play(env: TextEnv, task: Task, actions: Sequence[str]) -> _Play:
    """Play `actions` until they or the episode end."""
    opening = env.reset(seed=0, options={"task": task})
    steps: list[Any] = []
    for action in actions:
        steps.append(env.step(action))
        if steps[-1][2] or steps[-1][3]:
            break
    return _Play(opening=opening, steps=steps)


def _to_the_end(env: TextEnv, task: Task, action: str) -> _Play:
    return _play(env, task, [action] * MAX_TURNS_CHECKED)


def _gymnasium(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Gymnasium's own checker; its assertions and warnings are findings."""
    env = factory()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gymnasium_check_env(env, skip_render_check=env.spec is None, skip_close_check=env.spec is None)
    for warning in caught:
        if "gymnasium" in str(warning.filename):
            yield f"Gymnasium's checker warns: {' '.join(str(warning.message).split())}"


def _messages(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Opening and step messages have the promised keys, types and roles, and serialise."""
    env = factory()
    for task in tasks[:5]:
        play = _to_the_end(env, task, "no call at all")
        info = play.opening[1]
        if missing := {"task_id", "messages", "tools"} - info.keys():
            yield f"reset's info lacks {sorted(missing)}"
            continue
        if info["task_id"] != task.id:
            yield f"reset's info has task_id {info['task_id']!r}, not the given task's {task.id!r}"
        if not any(m.role == "user" for m in info["messages"]):
            yield "reset's messages hold no user message; the model needs a question"
        yield from _roles("reset", info["messages"], ("system", "user"))
        for _, _, _, _, info in play.steps:
            if missing := {"messages", "assistant", "tool_events"} - info.keys():
                yield f"step's info lacks {sorted(missing)}"
                continue
            yield from _roles("step", info["messages"], ("tool", "user"))
            yield from _roles("step's assistant", [info["assistant"]], ("assistant",))
        play.plain()


def _roles(where: str, messages: Sequence[Any], roles: tuple[str, ...]) -> Iterator[str]:
    for message in messages:
        if not isinstance(message, Message):
            yield f"{where}: {type(message).__name__} among the messages; use distrl.envs.contract.Message"
        elif message.role not in roles:
            yield f"{where}: role {message.role!r}; the environment may only add {' and '.join(roles)}"
        elif not isinstance(message.content, str):
            yield f"{where}: content of type {type(message.content).__name__}; it must be text"


def _limits(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Observations stay within the limit and in UTF-8, whatever the action."""
    env = factory()
    for action in (*JUNK, *_gold(env, tasks[0])):
        play = _play(env, tasks[0], [action])
        for text in (play.opening[0], *(s[0] for s in play.steps)):
            if len(text) > MAX_OBSERVATION_CHARS:
                yield f"an observation has {len(text)} characters; the limit is {MAX_OBSERVATION_CHARS}"
            if text != text.encode("utf-8", "replace").decode("utf-8"):
                yield "an observation holds lone surrogates, which no UTF-8 file takes; replace them"


def _determinism(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """The same task, seed and actions give the same episode, in a fresh and in a used environment."""
    used = factory()
    for task in tasks[:5]:
        actions = _gold(used, task) or [JUNK[2]]
        first = _play(factory(), task, actions).plain()
        if first != _play(factory(), task, actions).plain():
            yield "two fresh environments differ on one task, seed and actions; draw only from self.np_random"
        if first != _play(used, task, actions).plain():
            yield "a used environment differs from a fresh one; reset() must build every state anew"


def _payload(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Episodes leave the task as it was."""
    env = factory()
    before = copy.deepcopy(tasks[0].payload)
    for action in (*_gold(env, tasks[0]), *JUNK):
        _play(env, tasks[0], [action])
    if tasks[0].payload != before:
        yield "an episode changed its task's payload; copy what the episode works on"


def _junk(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """No text makes step() raise; the five values have their types."""
    env = factory()
    tools = [t["function"]["name"] for t in env.reset(seed=0, options={"task": tasks[0]})[1].get("tools", [])]
    calls = [
        f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'
        for name in tools
        for arguments in ("{}", "null", "[]", '{"x": 1}')
    ]
    for action in (*JUNK, *calls):
        try:
            step = _play(env, tasks[0], [action]).steps[0]
        except Exception as error:
            yield f"step({action[:60]!r}) raised {type(error).__name__}; answer with an error observation"
            continue
        if [type(v) for v in step] != [str, float, bool, bool, dict]:
            types = [type(v).__name__ for v in step]
            yield f"step() returned {types}; it must be str, float, bool, bool, dict"


def _ends(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Each episode ends one way, within a turn limit, with finite reward, parts and metrics."""
    env = factory()
    call = '<tool_call>{"name": "no_such_tool", "arguments": {}}</tool_call>'
    for actions in (_gold(env, tasks[0]), [JUNK[2]] * MAX_TURNS_CHECKED, [call] * MAX_TURNS_CHECKED):
        play = _play(env, tasks[0], actions)
        if not play.ended:
            yield f"an episode is not over after {len(actions)} turns; set a turn limit and truncate"
            continue
        for _, reward, terminated, truncated, info in play.steps:
            over = terminated or truncated
            if terminated and truncated:
                yield "an episode is terminated and truncated at once; terminated wins at its own end"
            if not math.isfinite(reward):
                yield f"a reward is {reward}; raise RewardError instead, so that it stays out of the gradient"
            if over and not info.get("reward_parts"):
                yield "the last info lacks reward_parts; give the reward's named parts"
            if over and "metrics" not in info:
                yield "the last info lacks metrics; give a dict, if need be an empty one"
            for group in ("reward_parts", "metrics"):
                for name, value in info.get(group, {}).items():
                    if not isinstance(value, float) or not math.isfinite(value):
                        yield f"{group}[{name!r}] is {value!r}; it must be a finite float"


def _gold_reward(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """The task's own solution earns the reward."""
    env = factory()
    for task in tasks:
        play = _play(env, task, env.gold_actions(task))
        if not play.ended or play.steps[-1][3]:
            yield f"task {task.id}: its gold actions do not reach the episode's own end"
        elif (reward := play.steps[-1][1]) < GOLD_REWARD:
            parts = play.steps[-1][4].get("reward_parts")
            yield f"task {task.id}: gold actions earn {reward:.3f} < {GOLD_REWARD}; mend it ({parts})"


def earnings(env: TextEnv, task: Task) -> dict[str, float]:
    """What the gold play of `task` earns ("gold"), and each of its cheats, by name."""
    plays = {"gold": _gold(env, task), **env.cheats(task)}
    return {name: _reward(env, task, actions) for name, actions in plays.items()}


def _cheats(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """What is not the work earns less than the work, and doing nothing earns next to nothing."""
    env = factory()
    for task in tasks:
        earned = earnings(env, task)
        honest = earned.pop("gold")
        for name, reward in earned.items():
            limit = NULL_REWARD if name == "null" else honest - CHEAT_MARGIN
            if reward > limit:
                yield f"task {task.id}: the play {name!r} earns {reward:.3f} > {limit:.3f}; mend the reward"


def _reward(env: TextEnv, task: Task, actions: list[str]) -> float:
    """What `actions` earn; an episode that they do not end is ended by an empty message."""
    play = _play(env, task, actions)
    return play.steps[-1][1] if play.ended else _play(env, task, [*actions, ""]).steps[-1][1]


def _state(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Only WRITE tools change the episode's database."""
    env: Any = factory()
    if not hasattr(env, "toolkit"):
        return
    for task in tasks:
        for turn, action in enumerate(_gold(env, task)):
            env.reset(seed=0, options={"task": task})
            for call in parse_tool_calls(action).calls:
                before = env.state.digest()
                event = env.offered(task).run(call, turn=turn, state=env.state)
                if event.kind != "WRITE" and env.state.digest() != before:
                    yield f"tool {event.name} is {event.kind} and changed the database; mark it WRITE or mend"


def _schemas(factory: Factory, tasks: list[Task]) -> Iterator[str]:
    """Tools are OpenAI function schemas whose parameters are valid JSON Schema (Draft 2020-12)."""
    tools = factory().reset(seed=0, options={"task": tasks[0]})[1].get("tools", [])
    names = [t.get("function", {}).get("name", "") for t in tools]
    if len(set(names)) != len(names):
        yield "two tools have the same name"
    for name, tool in zip(names, tools, strict=True):
        if tool.get("type") != "function" or not TOOL_NAME.match(name):
            yield f"tool {name!r}: needs type function and a name of letters, digits, _ and -"
            continue
        function = tool["function"]
        if not function.get("description"):
            yield f"tool {name}: no description; write a docstring"
        parameters = function.get("parameters", {})
        try:
            json.dumps(tool, allow_nan=False)
            Draft202012Validator.check_schema(parameters)
        except Exception as error:
            yield f"tool {name}: not a valid JSON Schema: {str(error).splitlines()[0]}"
            continue
        for field, schema in parameters.get("properties", {}).items():
            if "default" in schema and not Draft202012Validator(schema).is_valid(schema["default"]):
                yield f"tool {name}: the default of {field} does not fit its own schema"


def _gold(env: TextEnv, task: Task) -> list[str]:
    """Gold actions, or none where the environment has none (the gold check reports that)."""
    try:
        return env.gold_actions(task)
    except NotImplementedError:
        return [JUNK[2]]


CHECKS: dict[str, Callable[[Factory, list[Task]], Iterator[str]]] = {
    "gymnasium": _gymnasium,
    "messages": _messages,
    "limits": _limits,
    "determinism": _determinism,
    "payload": _payload,
    "junk": _junk,
    "ends": _ends,
    "gold": _gold_reward,
    "cheats": _cheats,
    "state": _state,
    "schemas": _schemas,
}
