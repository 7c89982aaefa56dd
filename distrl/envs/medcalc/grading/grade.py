"""Is the answer right: the card's bands, the benchmark's exact rule, and the credit for its unit.

answer -> [grade] -> reward parts

An answer in another unit that turns into the truth's (44 µmol/L against 0.5 mg/dL of creatinine) is converted
first; without a unit, or with one that does not turn, the number counts as it stands and the unit earns
nothing.
Percent is a unit like any other. Dates and (weeks, days) are right or wrong, under either rule.
"""

from __future__ import annotations

from distrl.envs.clinical.calculators.core import Output
from distrl.envs.clinical.quantity import UnitError, canonical, convert
from distrl.envs.medcalc.grading.answer import Answer
from distrl.envs.medcalc.task import Truth, limits

# The card's bands: (relative error up to which it holds, credit).
BANDS = ((0.05, 1.0), (0.10, 0.75), (0.25, 0.50), (0.50, 0.25))
_SLACK = 1e-9  # relative, for the last bits of a float
_ZERO = 1e-6  # a truth nearer to 0 has no relative error; the answer must lie as near

# What the answer of a calculator is an amount of, by MedCalc-Bench id; the others need no molar mass.
SUBSTANCE_OF = {
    7: "calcium",
    26: "sodium",
    39: "anion_gap",
    44: "ldl",
    63: "anion_gap",
    65: "anion_gap",
    66: "anion_gap",
}


def accuracy_card(answer: Answer | None, truth: Truth, substance: str = "") -> float:
    """1.0 within the limits or 5 %, then 0.75, 0.5, 0.25 within 10, 25, 50 %, else 0.0; integers too."""
    if answer is None:
        return 0.0
    value = in_truth_unit(answer, truth, substance)
    if not isinstance(value, float) or not isinstance(truth.value, (int, float)):
        return float(answer.value == truth.value)
    if _within_limits(value, truth):
        return 1.0
    if abs(truth.value) < _ZERO:
        return 0.0
    error = abs(value - truth.value) / abs(truth.value)
    return next((credit for bound, credit in BANDS if error <= bound + _SLACK), 0.0)


def accuracy_exact(answer: Answer | None, truth: Truth, substance: str = "") -> float:
    """1.0 for an equal integer, date or (weeks, days), or a decimal within the limits; else 0.0.

    The benchmark's rule without its traps: nothing is rounded (2.6 is not 3), percents are not divided by 100
    where the truth is in percent, and there is no "last number" of several.
    """
    if answer is None:
        return 0.0
    value = in_truth_unit(answer, truth, substance)
    if not isinstance(value, float) or not isinstance(truth.value, (int, float)):
        return float(answer.value == truth.value)
    if truth.output is Output.INTEGER:
        return float(abs(value - truth.value) <= _SLACK)
    return float(_within_limits(value, truth))


def unit_credit(answer: Answer | None, truth: Truth, substance: str = "") -> float:
    """1.0 for the truth's unit or one that turns into it; for a truth without unit, when no unit is given.

    Dates and (weeks, days) carry theirs in their form.
    """
    if answer is None:
        return 0.0
    if truth.output in (Output.DATE, Output.WEEKS_DAYS):
        return 1.0
    given, wanted = canonical(answer.unit), canonical(truth.unit)
    if given is None:
        return 0.0
    if given == wanted:
        return 1.0
    return float(
        bool(given)
        and truth.output is Output.DECIMAL
        and _converted(1.0, given, truth, substance) is not None
    )


def in_truth_unit(answer: Answer, truth: Truth, substance: str = "") -> object:
    """The answer's number in the unit of the truth where its own turns into it; other values as they are."""
    if not isinstance(answer.value, (int, float)):
        return answer.value
    value, given = float(answer.value), canonical(answer.unit)
    if not given or given == canonical(truth.unit):
        return value
    converted = _converted(value, given, truth, substance)
    return value if converted is None else converted


def _converted(value: float, unit: str, truth: Truth, substance: str) -> float | None:
    try:
        return convert(value, unit, truth.unit, substance)
    except UnitError:
        return None


def _within_limits(value: float, truth: Truth) -> bool:
    assert isinstance(truth.value, (int, float))
    lower, upper = truth.lower, truth.upper
    if lower is None or upper is None:
        lower, upper = limits(truth.value)
    slack = max(_SLACK * abs(truth.value), _ZERO if abs(truth.value) < _ZERO else 0.0)
    return min(lower, upper) - slack <= value <= max(lower, upper) + slack
