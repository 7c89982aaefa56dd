"""Rewards and metrics of clinical tool calling.

tasks -> EnvWorker[N: episode -> [rewards] -> reward parts, metrics] <-> Engine[M] -> Buffer -> Learner -> …

`card` is the data set's published three-tier rule. `graded` gives partial credit by fields, so that a small
model has something to climb; whatever ends in an error earns nothing, and an episode with n calls earns the
n-th part, so that spam, guesses in bulk and keyword soup stay below one honest right call.

Not covered: a call that reaches the right answer through other arguments is wrong under `graded`, right under
`card`. Monotonicity holds between calls that run; a right field may complete a call that the tool refuses.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from distrl.envs.contract import Task, ToolCall
from distrl.envs.tool_env import Outcome, RewardRule
from distrl.envs.toolkit import Toolkit

CARD_WEIGHTS = {"answer_tier": 1.0}
GRADED_WEIGHTS = {"call_parsed": 0.1, "name_right": 0.2, "fields_right": 0.4, "whole_call_right": 0.3}
_RELATIVE_TOLERANCE = 1e-9  # 1.5 and 1.50 are equal after float(); 1.5 and 1.51 are not
_ABSENT = object()


@dataclass(frozen=True, kw_only=True)
class CallGrade:
    """How near an episode's last call is to the gold call; each value in [0, 1]."""

    parsed: float
    name_right: float
    fields_right: float  # matched ÷ (gold fields + surplus fields); 0 under a wrong name
    whole_right: float  # everything right, nothing surplus, and the only call of the episode


def card_tier(response: str | None, answer: str) -> float:
    """0.0 without a tool response; 1.0 when it equals the answer, case and outer blanks aside; else 0.1."""
    if response is None:
        return 0.0
    return 1.0 if response.lower().strip() == answer.lower().strip() else 0.1


def same_value(gold: Any, given: Any) -> float:
    """How far `given` matches `gold`: 1 or 0, for objects the share of fields that match.

    Types count (true is not 1, "65" is not 65), numbers compare by value, strings without case and runs of
    blanks. Lists of strings compare without order, other lists (grams of carbohydrate a meal) with it.
    """
    if isinstance(gold, dict) and isinstance(given, dict):
        names = gold.keys() | given.keys()
        matched = sum(same_value(gold.get(n, _ABSENT), given.get(n, _ABSENT)) for n in names)
        return matched / len(names) if names else 1.0
    if isinstance(gold, list) and isinstance(given, list):
        return float(_same_list(gold, given))
    if isinstance(gold, bool) or isinstance(given, bool):
        return float(gold is given)
    if isinstance(gold, (int, float)) and isinstance(given, (int, float)):
        a, b = float(gold), float(given)
        return float(abs(a - b) <= _RELATIVE_TOLERANCE * max(abs(a), abs(b)))
    if isinstance(gold, str) and isinstance(given, str):
        return float(_normal(gold) == _normal(given))
    return float(gold is None and given is None)


def _same_list(gold: list[Any], given: list[Any]) -> bool:
    if len(gold) != len(given):
        return False
    if all(isinstance(item, str) for item in (*gold, *given)):
        return sorted(map(_normal, gold)) == sorted(map(_normal, given))
    return all(same_value(a, b) == 1.0 for a, b in zip(gold, given, strict=True))


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def fields_right(gold: Mapping[str, Any], given: Mapping[str, Any], defaults: Mapping[str, Any]) -> float:
    """Matched gold arguments ÷ (gold arguments + surplus arguments), in [0, 1].

    An argument left out counts as its default. A surplus argument is one that the gold call lacks and whose
    value is not the default.
    """
    matched = sum(same_value(value, given.get(n, defaults.get(n, _ABSENT))) for n, value in gold.items())
    surplus = sum(
        same_value(defaults.get(n, _ABSENT), value) < 1.0 for n, value in given.items() if n not in gold
    )
    total = len(gold) + surplus
    return matched / total if total else 1.0


def grade_call(kit: Toolkit, task: Task, outcome: Outcome) -> CallGrade:
    """Compare the episode's last call with the task's gold call."""
    call = outcome.attempts[-1] if outcome.attempts else None
    if not isinstance(call, ToolCall):
        return CallGrade(parsed=0.0, name_right=0.0, fields_right=0.0, whole_right=0.0)
    gold = json.loads(task.payload["ground_truth"])
    if call.name != gold["name"]:
        return CallGrade(parsed=1.0, name_right=0.0, fields_right=0.0, whole_right=0.0)
    parameters = kit[call.name].parameters if call.name in kit else {}
    defaults = {n: p["default"] for n, p in parameters.items() if "default" in p}
    share = fields_right(gold["arguments"], json.loads(call.arguments), defaults)
    whole = float(share == 1.0 and len(outcome.attempts) == 1)
    return CallGrade(parsed=1.0, name_right=1.0, fields_right=share, whole_right=whole)


def reward_rules(kit: Toolkit) -> dict[str, RewardRule]:
    """The rules by name; `kit` gives the tools' defaults."""

    def card(task: Task, outcome: Outcome) -> dict[str, float]:
        return {"answer_tier": card_tier(outcome.last_tool_response(), task.payload["answer"])}

    def graded(task: Task, outcome: Outcome) -> dict[str, float]:
        grade = grade_call(kit, task, outcome)
        # A gold call that itself ends in an error is right when it is repeated whole.
        if is_error(outcome) and not grade.whole_right:
            return dict.fromkeys(GRADED_WEIGHTS, 0.0)
        share = 1.0 / max(1, len(outcome.attempts))
        values = (grade.parsed, grade.name_right, grade.fields_right, grade.whole_right)
        return {name: share * value for name, value in zip(GRADED_WEIGHTS, values, strict=True)}

    return {
        "graded": RewardRule(weights=GRADED_WEIGHTS, parts=graded),
        "card": RewardRule(weights=CARD_WEIGHTS, parts=card),
    }


def is_error(outcome: Outcome) -> bool:
    """True when the last tool response is an error."""
    return (outcome.last_tool_response() or "").startswith("Error:")


def metrics(kit: Toolkit, task: Task, outcome: Outcome) -> dict[str, float]:
    """What the evaluation reports, the same under either rule; each value in [0, 1]."""
    grade = grade_call(kit, task, outcome)
    return {
        "name_right": grade.name_right,
        "fields_right": grade.fields_right,
        "whole_call_right": grade.whole_right,
        "card_reward": card_tier(outcome.last_tool_response(), task.payload["answer"]),
        "error_response": float(is_error(outcome)),
    }
