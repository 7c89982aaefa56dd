"""How much of a drug a patient may have in a day or at once, and why: label, age, weight, kidney, liver.

formulary records, patient numbers -> [limits] -> tools, safety rules

Not covered: obesity and ideal weight, dialysis, hypoalbuminemia, indications (the widest range of a route
counts), treatment so far. A number that is not given bounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from distrl.envs.clinical.formulary.core import ChildDose, DoseRange, Drug, HepaticStep, RenalStep
from distrl.envs.clinical.formulary.lookup import find

ROUTES = {
    "by mouth": "oral",
    "inh": "inhaled",
    "inhalation": "inhaled",
    "intramuscular": "im",
    "intravenous": "iv",
    "nasal": "intranasal",
    "nebulized": "inhaled",
    "po": "oral",
    "pr": "rectal",
    "sl": "oral",
    "subcut": "sc",
    "subcutaneous": "sc",
    "sublingual": "oral",
    "subq": "sc",
}
ADULT_YEARS = 18
# From this age and weight on doses are no longer counted per kg: the child's absolute cap holds (decision, as
# most labels give adult doses from 40 or 45 kg on).
BIG_CHILD_YEARS, BIG_CHILD_KG = 12, 40
_AMOUNTS: dict[str, tuple[str, float]] = {
    "mcg": ("mass", 1e-3),
    "ug": ("mass", 1e-3),
    "µg": ("mass", 1e-3),
    "microgram": ("mass", 1e-3),
    "micrograms": ("mass", 1e-3),
    "mg": ("mass", 1.0),
    "milligram": ("mass", 1.0),
    "milligrams": ("mass", 1.0),
    "g": ("mass", 1e3),
    "gram": ("mass", 1e3),
    "grams": ("mass", 1e3),
    "unit": ("units", 1.0),
    "units": ("units", 1.0),
    "iu": ("units", 1.0),
    "milliunits": ("units", 1e-3),
    "meq": ("mEq", 1.0),
    "mmol": ("mmol", 1.0),
    "ml": ("volume", 1.0),
    "l": ("volume", 1e3),
}
_TIMES = {"min": 1.0, "h": 60.0, "hr": 60.0, "hour": 60.0, "day": 1440.0}
_CLASSES = "ABC"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """At most `value` in `unit`; `unit` ends in "/kg" where the weight is unknown. 0: not to be given."""

    value: float
    unit: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class _Unit:
    kind: str
    factor: float
    per_kg: bool
    timed: bool


def _read(unit: str) -> _Unit | None:
    parts = unit.lower().replace(" ", "").split("/")
    amount = _AMOUNTS.get(parts[0])
    if amount is None:
        return None
    kind, factor = amount
    rest = [part for part in parts[1:] if part != "kg"]
    if len(rest) > 1 or any(part not in _TIMES for part in rest):
        return None
    for part in rest:
        factor /= _TIMES[part]
    return _Unit(kind=kind, factor=factor, per_kg="kg" in parts[1:], timed=bool(rest))


def convert(value: float, unit: str, wanted: str, weight_kg: float | None = None) -> float | None:
    """`value` of `unit` in `wanted`; rates and doses per kg too. None where they measure different things."""
    here, there = _read(unit), _read(wanted)
    if here is None or there is None:
        return value if unit.lower() == wanted.lower() else None
    if here.kind != there.kind or here.timed != there.timed:
        return None
    if here.per_kg != there.per_kg:
        if weight_kg is None:
            return None
        value = value * weight_kg if here.per_kg else value / weight_kg
    return value * here.factor / there.factor


def daily_limit(
    drug: str,
    route: str,
    weight_kg: float | None = None,
    age_years: float | None = None,
    crcl: float | None = None,
    child_pugh: str | None = None,
    unit: str | None = None,
) -> Limit | None:
    """The most of `drug` in a day, in the unit of its record, with the ground that bounds it most.

    `crcl` in mL/min; `child_pugh` A, B or C. `unit` chooses among ranges where a route has an amount and a
    rate. None for an unknown drug, or one that has no range by this route.
    """
    return _limit(drug, route, weight_kg, age_years, crcl, child_pugh, unit, "max_daily")


def single_limit(
    drug: str,
    route: str,
    weight_kg: float | None = None,
    age_years: float | None = None,
    unit: str | None = None,
) -> Limit | None:
    """The most of `drug` at once; kidney and liver do not bound a first dose."""
    return _limit(drug, route, weight_kg, age_years, None, None, unit, "max_single")


def _limit(
    drug: str,
    route: str,
    weight_kg: float | None,
    age_years: float | None,
    crcl: float | None,
    child_pugh: str | None,
    unit: str | None,
    field: Literal["max_daily", "max_single"],
) -> Limit | None:
    known = find(drug)
    if known is None:
        return None
    way = " ".join(route.lower().split())
    way = ROUTES.get(way, way)
    ranges = [row for row in known.adult if row.route == way and _same_kind(row.unit, unit)]
    if not ranges:
        return None
    ranges = [row for row in ranges if row.unit == ranges[0].unit]
    bounds = [_label(ranges, field, weight_kg), *_age(known, way, ranges[0].unit, weight_kg, age_years)]
    scale = weight_kg if any(row.per_kg for row in ranges) else 1.0
    bounds += _steps(ranges[0].unit, scale, _kidney(known, way, crcl), f"CrCl {crcl or 0:.0f} mL/min")
    bounds += _steps(ranges[0].unit, scale, _liver(known, way, child_pugh), f"Child-Pugh {child_pugh}")
    return min(bounds, key=lambda bound: bound.value)


def _same_kind(unit: str, wanted: str | None) -> bool:
    """Whether the units can be compared, with a weight at hand."""
    return wanted is None or convert(1.0, unit, wanted, 1.0) is not None


def _label(ranges: list[DoseRange], field: str, weight_kg: float | None) -> Limit:
    """The widest range; per kg where one is per kg and the weight is unknown."""
    unit = ranges[0].unit
    if weight_kg is None and any(row.per_kg for row in ranges):
        most = max(float(getattr(row, field)) for row in ranges if row.per_kg)
        return Limit(
            value=most, unit=f"{unit}/kg", reason=f"label: at most {most:g} {unit}/kg; no weight known"
        )
    values = [_absolute(row, float(getattr(row, field)), weight_kg or 0.0) for row in ranges]
    most = max(values)
    return Limit(value=most, unit=unit, reason=f"label: at most {most:g} {unit}")


def _absolute(row: DoseRange, most: float, weight_kg: float) -> float:
    if not row.per_kg:
        return most
    times = max(1.0, most / row.max_single)
    return most * weight_kg if row.cap is None else min(most * weight_kg, row.cap * times)


def _age(
    drug: Drug, route: str, unit: str, weight_kg: float | None, age_years: float | None
) -> Iterable[Limit]:
    if age_years is None or age_years >= ADULT_YEARS:
        return
    if age_years < drug.from_years:
        yield Limit(value=0.0, unit=unit, reason=f"not below {drug.from_years:g} years: {drug.age_reason}")
    for row in drug.child:
        if row.route == route and row.from_years <= age_years:
            big = age_years >= BIG_CHILD_YEARS and (weight_kg or 0.0) >= BIG_CHILD_KG
            yield _child(row, unit, None if big else weight_kg)


def _child(row: ChildDose, unit: str, weight_kg: float | None) -> Limit:
    per_kg = row.mg_per_kg_day[1]
    by_weight = row.max_mg_day if weight_kg is None else per_kg * weight_kg
    value = convert(min(by_weight, row.max_mg_day), "mg", unit)
    bound = "" if weight_kg is None else f"{per_kg:g} mg/kg and "
    reason = f"child: at most {bound}{row.max_mg_day:g} mg a day"
    return Limit(value=float("inf") if value is None else value, unit=unit, reason=reason)


def _kidney(drug: Drug, route: str, crcl: float | None) -> list[RenalStep]:
    if crcl is None:
        return []
    return [step for step in drug.renal if crcl < step.crcl_below and step.route in (None, route)]


def _liver(drug: Drug, route: str, child_pugh: str | None) -> list[HepaticStep]:
    if child_pugh is None:
        return []
    grade = child_pugh.strip().upper()
    return [step for step in drug.hepatic if grade >= step.child_pugh and step.route in (None, route)]


def _steps(
    unit: str, scale: float | None, steps: Iterable[RenalStep | HepaticStep], where: str
) -> Iterable[Limit]:
    for step in steps:
        if step.avoid:
            yield Limit(value=0.0, unit=unit, reason=f"{where}: {step.advice}")
        elif step.max_daily is not None:
            value = step.max_daily if scale is None else step.max_daily * scale
            shown = f"{unit}/kg" if scale is None else unit
            yield Limit(value=value, unit=shown, reason=f"{where}: {step.advice}")
