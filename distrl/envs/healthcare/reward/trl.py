"""Each dimension as a reward function of TRL's trainers: reward(prompts, completions, **columns).

data set (column `task`: a Payload, or its JSON) -> trainer -> completions -> [reward functions] -> rewards

The calls in a completion are run again on a fresh database of the task, so that a reward never trusts what
the text says of a tool's answer. A completion is a text, or a list of chat messages (those of the assistant
count, `tool_calls` included). A dimension that a task lacks is None, which TRL leaves out of the sum.
Nothing here imports trl.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from distrl.envs.contract import MAX_ACTION_CHARS, Task, ToolCall, ToolEvent
from distrl.envs.healthcare import safety
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import TERMINAL, from_outcome
from distrl.envs.healthcare.reward import accuracy, assertions, coherence, format, process
from distrl.envs.healthcare.reward.compose import grade, safety_score
from distrl.envs.healthcare.reward.score import Score
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.tool_env import MAX_CALLS, Outcome
from distrl.envs.toolkit import EpisodeState, Toolkit, parse_tool_calls

Completion = str | Sequence[Mapping[str, Any]]


class RewardFunction(Protocol):
    """What TRL calls."""

    __name__: str

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]: ...


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


DIMENSIONS: dict[str, Callable[[Episode], float | None]] = {
    "accuracy": lambda e: accuracy.score(e).value,
    "process": lambda e: _value(process.score(e)),
    "safety": lambda e: safety_score(e, safety.find(e)).value,
    "format": lambda e: format.score(e).value,
    "coherence": lambda e: coherence.score(e).value,
    "assertions": lambda e: _value(assertions.score(e)),
    "total": lambda e: grade(e).reward,
}


def reward_functions(
    names: Iterable[str] = ("total",), *, toolkit: Toolkit | None = None
) -> list[RewardFunction]:
    """Reward functions by name of the dimension, or "total".

    Args:
        names: keys of DIMENSIONS; ValueError for another.
        toolkit: runs the calls; None takes the tools of each task's domain.
    """
    return [_function(name, toolkit) for name in names]


def _function(name: str, toolkit: Toolkit | None) -> RewardFunction:
    if name not in DIMENSIONS:
        raise ValueError(f"unknown dimension {name!r}; one of {', '.join(DIMENSIONS)}")
    of = DIMENSIONS[name]

    def reward(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        tasks = columns.get("task")
        if tasks is None or len(tasks) != len(completions):
            raise ValueError(
                f"reward {name}: the data set needs a column 'task' with one payload a completion"
            )
        return [of(replay(t, c, toolkit)) for t, c in zip(tasks, completions, strict=True)]

    reward.__name__ = f"healthcare_{name}"
    return reward


def replay(task: str | Mapping[str, Any], completion: Completion, toolkit: Toolkit | None = None) -> Episode:
    """The episode that `completion` makes of the task: its calls run in order on a fresh database."""
    payload: dict[str, Any] = json.loads(task) if isinstance(task, str) else dict(task)
    outcome = outcome_of(payload, assistant_texts(completion), toolkit)
    return from_outcome(Task(id="trl", env="", split="train", payload=payload), outcome, outcome.initial_db)


def outcome_of(payload: Mapping[str, Any], texts: Iterable[str], toolkit: Toolkit | None = None) -> Outcome:
    """What assistant texts leave behind, up to the one that ends the episode."""
    kit = DOMAINS[payload["domain"]].toolkit if toolkit is None else toolkit
    state = EpisodeState(db=database_of(payload["world"]))
    initial_db = state.db  # a WRITE tool changes a copy
    actions: list[str] = []
    attempts: list[ToolCall | str] = []
    events: list[ToolEvent] = []
    for turn, text in enumerate(texts):
        parsed = parse_tool_calls(text[:MAX_ACTION_CHARS], id_prefix=f"call_{turn}")
        actions.append(text[:MAX_ACTION_CHARS])
        attempts += parsed.attempts
        events += [_event(kit, attempt, turn, state) for attempt in parsed.attempts[:MAX_CALLS]]
        if not parsed.attempts or any(e.ok and e.name in TERMINAL for e in events):
            break
    return Outcome(
        actions=tuple(actions),
        messages=(),
        attempts=tuple(attempts),
        events=tuple(events),
        state=state,
        initial_db=initial_db,
    )


def _event(kit: Toolkit, attempt: ToolCall | str, turn: int, state: EpisodeState) -> ToolEvent:
    if isinstance(attempt, ToolCall):
        return kit.run(attempt, turn=turn, state=state)
    return ToolEvent(turn=turn, name="", arguments="", output=attempt, ok=False, kind="")


def assistant_texts(completion: Completion) -> list[str]:
    """The assistant's texts, its `tool_calls` written as calls in tags."""
    if isinstance(completion, str):
        return [completion]
    return [_text_of(m) for m in completion if m.get("role") == "assistant"]


def _text_of(message: Mapping[str, Any]) -> str:
    pieces = [str(message.get("content") or "")]
    for call in message.get("tool_calls") or ():
        function = call.get("function", call)
        body = {"name": function.get("name"), "arguments": function.get("arguments") or {}}
        pieces.append(f"<tool_call>\n{json.dumps(body, ensure_ascii=False)}\n</tool_call>")
    return "\n".join(p for p in pieces if p)
