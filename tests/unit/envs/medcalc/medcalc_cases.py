"""Tasks and texts that the tests of MedCalc's grading share. Patients are made up."""

import datetime
from typing import Any

from distrl.envs.clinical.calculators.core import Output
from distrl.envs.medcalc.task import Truth, limits, payload

NOTE = (
    "A 65-year-old man weighs 70 kg at a height of 170 cm. Blood pressure 128/76 mmHg. Creatinine 1.8 mg/dL, "
    "sodium 138 mEq/L. He has hypertension and type 2 diabetes, no history of stroke."
)


def decimal(value: float, unit: str = "", *, calculator_id: int = 2, **more: Any) -> dict[str, Any]:
    """A task with a decimal answer."""
    lower, upper = limits(value)
    return _task(
        Truth(output=Output.DECIMAL, value=value, lower=lower, upper=upper, unit=unit), calculator_id, more
    )


def integer(value: int, *, calculator_id: int = 4, **more: Any) -> dict[str, Any]:
    """A task with a score."""
    return _task(Truth(output=Output.INTEGER, value=value, lower=value, upper=value), calculator_id, more)


def date(value: str, **more: Any) -> dict[str, Any]:
    """A task with a date."""
    return _task(Truth(output=Output.DATE, value=datetime.date.fromisoformat(value)), 13, more)


def weeks_days(weeks: int, days: int, **more: Any) -> dict[str, Any]:
    """A task with a gestational age."""
    return _task(Truth(output=Output.WEEKS_DAYS, value=(weeks, days)), 69, more)


def _task(truth: Truth, calculator_id: int, more: dict[str, Any]) -> dict[str, Any]:
    return payload(
        note=more.get("note", NOTE),
        question="What is the value?",
        calculator_id=calculator_id,
        truth=truth,
        arguments=more.get("arguments", {}),
        explanation=more.get("explanation", ()),
    )


CLEARANCE = decimal(
    40.5093,
    "mL/min",
    arguments={"age": 65, "weight": 70, "creatinine": 1.8, "sex": "male"},
    explanation=("CrCl = (140 - 65) * 70 / (72 * 1.8) = 40.5093 mL/min",),
)
SCORE = integer(
    3,
    arguments={"age": 65, "sex": "male", "hypertension": True, "diabetes": True},
    explanation=(
        "age 65 years, at least 65 and below 75: +1",
        "sex: male: 0",
        "hypertension: +1",
        "diabetes: +1",
        "CHA2DS2-VASc score = 1 + 0 + 1 + 1 = 3",
    ),
)
DUE = date(
    "2000-12-02",
    note="A woman, last menstrual period 02/24/2000, cycle of 30 days.",
    arguments={"last_menstrual_date": "2000-02-24", "cycle_length": 30},
    explanation=("days = 280 + (30 - 28) = 282 days", "282 days after 2000-02-24: 2000-12-02"),
)
AGE = weeks_days(
    34,
    3,
    note="Last menstrual period 12/23/2020; today is 08/21/2021.",
    arguments={"last_menstrual_date": "2020-12-23", "current_date": "2021-08-21"},
    explanation=(
        "From 2020-12-23 to 2021-08-21: 241 days",
        "weeks = (241 - 3) / 7 = 34 weeks",
        "days = 241 - 34 * 7 = 3 days",
    ),
)


def told(thinking: str, box: str) -> str:
    """A text with thinking and a box."""
    return f"<think>\n{thinking}\n</think>\n\\boxed{{{box}}}"
