"""How a score counts: cut-offs, choices and flags as tables, one line of working for each finding.

[points] -> the score calculators -> MedCalc, healthcare gym

Three kinds of table. A `Scale` maps a quantity to points by its cut-offs; a choice maps each value of a
categorical argument to points; `Flags` maps boolean arguments to points, "a/b" counting once for either.
A quantity that is given always has a line; a flag that is false has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from distrl.envs.clinical.bands import band
from distrl.envs.clinical.calculators.core import CalculatorError, Work, shown_number

Flags = Mapping[str, float]  # argument name, or "one/other" -> points when true
Finding = tuple[str, float]  # text of a line, points
Row = TypeVar("Row")
_CAPITALS = {"aids", "bmi", "ckd", "copd", "dvt", "inr", "pe", "st", "tia"}


@dataclass(frozen=True)
class Scale:
    """Points of a quantity: `rows` of (lower bound, points) in falling order, `below` under the last one."""

    name: str
    unit: str
    rows: tuple[tuple[float, float], ...]
    below: float = 0.0

    def finding(self, value: float) -> Finding:
        """The line and the points of `value`, with the band it lies in."""
        rows = (*self.rows, (-math.inf, self.below))
        uppers = (math.inf, *(lower for lower, _ in self.rows))
        ranges = [_range_text(lower, upper) for (lower, _), upper in zip(rows, uppers, strict=True)]
        label = band(value, [(lower, text) for (lower, _), text in zip(rows, ranges, strict=True)])
        points = rows[ranges.index(label)][1]
        quantity = f"{self.name} {shown_number(value)} {self.unit}".rstrip()
        return f"{quantity}, {label}", points


def _range_text(lower: float, upper: float) -> str:
    """Words instead of signs, so that `=` in a line of working always means equality."""
    from_text = f"{'above' if _just_above(lower) else 'at least'} {shown_number(round(lower, 9))}"
    to_text = f"{'at most' if _just_above(upper) else 'below'} {shown_number(round(upper, 9))}"
    if math.isinf(lower):
        return to_text
    return from_text if math.isinf(upper) else f"{from_text} and {to_text}"


def _just_above(bound: float) -> bool:
    """True of a bound made by `bands.above`."""
    return math.isfinite(bound) and round(bound, 9) < bound


def words(name: str) -> str:
    """An argument name or value as text: `previous_dvt` -> `previous DVT`."""
    return " ".join(word.upper() if word in _CAPITALS else word for word in name.split("_"))


def grade(work: Work, scale: Scale, value: float | None) -> None:
    """Count the points of a quantity; one that is not given counts nothing and has no line."""
    if value is not None:
        work.points(*scale.finding(value))


def pick(name: str, value: str, table: Mapping[str, Row]) -> Row:
    """The row of a categorical argument. Raises CalculatorError for a value outside the table."""
    if value not in table:
        raise CalculatorError(f"{name} {value!r} is not known; use one of {', '.join(table)}")
    return table[value]


def choose(work: Work, name: str, value: str, table: Mapping[str, float]) -> None:
    """Count the points of a categorical argument. Raises CalculatorError for a value outside the table."""
    work.points(f"{words(name)} {words(value)}", pick(name, value, table))


def count(work: Work, table: Flags, arguments: Mapping[str, object]) -> None:
    """Count the flags of `table` that are true among `arguments`."""
    for names, points in table.items():
        present = [words(name) for name in names.split("/") if arguments[name]]
        if present:
            work.points(" and ".join(present), points)


def worst(work: Work, findings: Iterable[Finding]) -> None:
    """Count the highest of several findings of one criterion; the others are noted beside it."""
    ranked = sorted(findings, key=lambda finding: -finding[1])
    for place, (text, points) in enumerate(ranked):
        if place == 0:
            work.points(text, points)
        else:
            work.note(f"{text}: {points:g}, not added to the line above")


def given(*pairs: tuple[Scale, float | None]) -> list[Finding]:
    """The findings of those quantities that are given."""
    return [scale.finding(value) for scale, value in pairs if value is not None]
