"""Rewards and metrics of MedCalc: a pure core over the raw text of the answer, and the rules around it.

tasks -> EnvWorker[N: episode -> [rewards] -> reward parts, metrics] <-> Engine[M] -> Buffer -> Learner -> …

`card` has the card's four parts; `strict` the benchmark's one. Both read the answer outside thinking, from
one box, one <answer> tag or a final JSON object; the part `boxed` wants the box. Decisions: docs/medcalc.md.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from distrl.envs.contract import MAX_ACTION_CHARS, Task
from distrl.envs.medcalc.grading.answer import Answer, answer_body, boxed_body, read_answer
from distrl.envs.medcalc.grading.grade import SUBSTANCE_OF, accuracy_card, accuracy_exact, unit_credit
from distrl.envs.medcalc.grading.thinking import thinking_score
from distrl.envs.medcalc.task import Truth, truth_of
from distrl.envs.tool_env import Outcome, RewardRule
from distrl.envs.toolkit import parse_tool_calls

CARD_WEIGHTS = {"accuracy": 0.60, "thinking": 0.20, "boxed": 0.10, "units": 0.10}
STRICT_WEIGHTS = {"accuracy": 1.0}


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """A text and its task, taken apart once."""

    answer: Answer | None
    boxed: bool  # the answer stands in the one box
    thinking: str
    truth: Truth
    substance: str


def grade_text(text: str, payload: Mapping[str, Any], rule: str, earlier: str = "") -> dict[str, float]:
    """The parts of `rule` ("card" or "strict") for an assistant's raw last text, thinking included.

    `earlier` is the working of the turns before: thinking, and what tools answered. Each part is in [0, 1].
    Any text is graded; only a rule or payload that does not exist raises.
    """
    reading = _read(text, payload, earlier)
    if rule == "strict":
        return {"accuracy": accuracy_exact(reading.answer, reading.truth, reading.substance)}
    if rule != "card":
        raise ValueError(f"unknown rule {rule!r}; card or strict")
    return {
        "accuracy": accuracy_card(reading.answer, reading.truth, reading.substance),
        "thinking": thinking_score(reading.thinking, reading.answer, payload),
        "boxed": float(reading.boxed),
        "units": unit_credit(reading.answer, reading.truth, reading.substance),
    }


def metrics(text: str, payload: Mapping[str, Any], earlier: str = "") -> dict[str, float]:
    """What the evaluation reports, the same under either rule; each value in [0, 1]."""
    reading = _read(text, payload, earlier)
    return {
        "accuracy_exact": accuracy_exact(reading.answer, reading.truth, reading.substance),
        "accuracy_card": accuracy_card(reading.answer, reading.truth, reading.substance),
        "boxed": float(reading.boxed),
        "unit_right": unit_credit(reading.answer, reading.truth, reading.substance),
        "thinking": thinking_score(reading.thinking, reading.answer, payload),
    }


def measure(task: Task, outcome: Outcome) -> dict[str, float]:
    """`metrics` of an episode."""
    text, earlier = _episode(outcome)
    return metrics(text, task.payload, earlier)


def _read(text: str, payload: Mapping[str, Any], earlier: str) -> _Reading:
    parsed = parse_tool_calls(text[:MAX_ACTION_CHARS])
    truth = truth_of(payload)
    body = answer_body(parsed.content)
    answer = None if body is None else read_answer(body, truth.output)
    return _Reading(
        answer=answer,
        boxed=answer is not None and boxed_body(parsed.content) is not None,
        thinking=f"{earlier}\n{parsed.thinking}" if earlier else parsed.thinking,
        truth=truth,
        substance=SUBSTANCE_OF.get(payload["calculator_id"], ""),
    )


def _episode(outcome: Outcome) -> tuple[str, str]:
    """The last text, and the working before it."""
    *before, last = outcome.actions or ("",)
    thoughts = [parse_tool_calls(action).thinking for action in before]
    answers = [event.output for event in outcome.events if event.ok]
    return last, "\n".join((*thoughts, *answers))


def _parts(task: Task, outcome: Outcome, rule: str) -> dict[str, float]:
    text, earlier = _episode(outcome)
    return grade_text(text, task.payload, rule, earlier)


REWARD_RULES: Mapping[str, RewardRule] = {
    "card": RewardRule(weights=CARD_WEIGHTS, parts=functools.partial(_parts, rule="card")),
    "strict": RewardRule(weights=STRICT_WEIGHTS, parts=functools.partial(_parts, rule="strict")),
}
