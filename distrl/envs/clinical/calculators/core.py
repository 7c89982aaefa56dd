"""What a calculator is: a typed function with an identity, a unit, a citation, and its working shown.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

    @calculator(id=5, title="Mean Arterial Pressure (MAP)", category=Category.PHYSICAL, unit="mmHg")
    def mean_arterial_pressure(*, systolic_bp: SystolicBP, diastolic_bp: DiastolicBP) -> Worked:
        '''Mean arterial pressure in mmHg. Source: ….'''
        work = Work()
        value = diastolic_bp + (systolic_bp - diastolic_bp) / 3.0
        work.step("MAP", f"{diastolic_bp:g} + ({systolic_bp:g} - {diastolic_bp:g}) / 3", value, "mmHg")
        return work.result(value)

Arguments come in the unit of their annotation (`inputs.py`); conversion happens before. An argument outside
its published domain is a CalculatorError. Adults, synthetic patients, not for care.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

Value = float | int | datetime.date | tuple[int, int]


class CalculatorError(ValueError):
    """Arguments for which the published rule gives no value; one line, naming the value and the mend."""


class Output(StrEnum):
    """Type of a value: number, whole-number score, calendar date, (completed weeks, days 0-6)."""

    DECIMAL = "decimal"
    INTEGER = "integer"
    DATE = "date"
    WEEKS_DAYS = "weeks_days"


class Category(StrEnum):
    """The seven groups of MedCalc-Bench."""

    LAB = "lab test"
    PHYSICAL = "physical"
    DATE = "date"
    DOSAGE = "dosage conversion"
    RISK = "risk"
    SEVERITY = "severity"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, kw_only=True)
class Worked:
    """A value and the lines that lead to it. Every `a = b` among the lines holds to 5 significant digits."""

    value: Value
    steps: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """One calculator. `id` is MedCalc-Bench's; `name` the function's, which is also the tool's."""

    id: int
    name: str
    title: str
    category: Category
    output: Output
    unit: str  # of the value, as `quantity.py` reads it; "" when it has none
    function: Callable[..., Worked]


class Work:
    """Collects the lines of one calculation."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._points: list[float] = []

    def step(self, name: str, expression: str, value: float, unit: str = "") -> float:
        """`name = expression = value unit`; `expression` is plain arithmetic that gives `value`."""
        shown = shown_number(value)
        same = expression.strip() == shown
        self._lines.append(f"{name} = {shown if same else f'{expression} = {shown}'} {unit}".rstrip())
        return value

    def note(self, line: str) -> None:
        """A line of reasoning without arithmetic."""
        self._lines.append(line)

    def points(self, finding: str, points: float) -> None:
        """`finding: +points`, counted by `total`."""
        self._lines.append(f"{finding}: {points:+g}" if points else f"{finding}: 0")
        self._points.append(points)

    def total(self, name: str) -> float:
        """`name = 1 + 0 + 2 = 3` over all points so far; an int where it is whole."""
        value = sum(self._points)
        terms = " + ".join(f"{p:g}" if p >= 0 else f"({p:g})" for p in self._points) or "0"
        self.step(name, terms, value)
        return int(value) if float(value).is_integer() else value

    def result(self, value: Value) -> Worked:
        return Worked(value=value, steps=tuple(self._lines))


CALCULATORS: dict[int, Calculator] = {}


def calculator(
    *, id: int, title: str, category: Category, unit: str = "", output: Output = Output.DECIMAL
) -> Callable[[Callable[..., Worked]], Callable[..., Worked]]:
    """Register a function under its MedCalc-Bench id and hand it back unchanged."""

    def register(function: Callable[..., Worked]) -> Callable[..., Worked]:
        if id in CALCULATORS:
            raise ValueError(
                f"calculator {id} is registered twice: {CALCULATORS[id].name}, {function.__name__}"
            )
        CALCULATORS[id] = Calculator(
            id=id,
            name=function.__name__,
            title=title,
            category=category,
            output=output,
            unit=unit,
            function=function,
        )
        return function

    return register


def shown_number(value: float) -> str:
    """Six significant digits without an exponent for the sizes that occur here."""
    text = f"{value:.6g}"
    return f"{value:.0f}" if "e+" in text else text
