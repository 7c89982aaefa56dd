"""What a MedCalc task holds: one typed view of a task's payload, the same for generated and loaded tasks.

[task] -> MedCalcEnv -> rewards

The payload is JSON: `note`, `question`, `calculator_id`, `output`, `unit`, `answer` (number, ISO date, or
[weeks, days]), `lower` and `upper` (null for dates and ages), `arguments` (in the calculator's units; empty
where a loaded row gives none) and `explanation` (lines).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from distrl.envs.clinical.calculators import CALCULATORS, Output, Value

HALF_POINTS = {8}  # Wells' score for embolism: not whole, and yet exact
BAND = 0.05  # relative width of the limits on a decimal answer (MedCalc-Bench, Khandekar 2024)


@dataclass(frozen=True, kw_only=True)
class Truth:
    """What is right. `lower` <= `value` <= `upper`; the three are equal unless `output` is decimal."""

    output: Output
    value: Value
    lower: float | None = None  # decimals and integers
    upper: float | None = None
    unit: str = ""


def limits(value: float) -> tuple[float, float]:
    """The benchmark's 5 % limits around `value`, in order also when it is negative."""
    a, b = value * (1.0 - BAND), value * (1.0 + BAND)
    return min(a, b), max(a, b)


def truth_from(calculator_id: int, value: Value) -> Truth:
    """The truth that `value` is: 5 % around a decimal; a score is exact, also one of half points."""
    calculator = CALCULATORS[calculator_id]
    lower = upper = None
    if isinstance(value, (int, float)):
        exact = calculator.output is Output.INTEGER or calculator_id in HALF_POINTS
        lower, upper = (float(value), float(value)) if exact else limits(float(value))
    return Truth(output=calculator.output, value=value, lower=lower, upper=upper, unit=calculator.unit)


def payload(
    *,
    note: str,
    question: str,
    calculator_id: int,
    truth: Truth,
    arguments: Mapping[str, Any],
    explanation: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The JSON payload of a task."""
    value: Any = truth.value
    if isinstance(value, datetime.date):
        value = value.isoformat()
    elif isinstance(value, tuple):
        value = list(value)
    return {
        "note": note,
        "question": question,
        "calculator_id": calculator_id,
        "output": str(truth.output),
        "unit": truth.unit,
        "answer": value,
        "lower": truth.lower,
        "upper": truth.upper,
        "arguments": dict(arguments),
        "explanation": list(explanation),
    }


def truth_of(payload: Mapping[str, Any]) -> Truth:
    """The truth that a payload holds."""
    output, value = Output(payload["output"]), payload["answer"]
    if output is Output.DATE:
        value = datetime.date.fromisoformat(value)
    elif output is Output.WEEKS_DAYS:
        value = (int(value[0]), int(value[1]))
    return Truth(
        output=output, value=value, lower=payload["lower"], upper=payload["upper"], unit=payload["unit"]
    )
