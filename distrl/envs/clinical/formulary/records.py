"""Short forms in which the tables are written: one call a line, units and limits in a fixed order.

[records] -> drug tables by class -> formulary -> tools, tasks, safety rules, knowledge passages
"""

from __future__ import annotations

from typing import Literal

from distrl.envs.clinical.formulary.core import (
    ChildDose,
    Contraindication,
    DoseRange,
    HepaticStep,
    Monitoring,
    Pharmacokinetics,
    Pregnancy,
    PregnancyVerdict,
    RenalStep,
    Route,
)

Pair = tuple[float, float]
Cleared = Literal["renal", "hepatic", "mixed", "other"]
WEEKLY: Pair = (1 / 7, 1 / 7)
ONCE: Pair = (1, 1)


def given(  # noqa: PLR0913 - the fields of a dose range, in the order of a label
    route: Route,
    unit: str,
    usual: Pair,
    times: Pair,
    max_single: float,
    max_daily: float,
    *,
    per_kg: bool = False,
    use: str = "",
    cap: float | None = None,
) -> DoseRange:
    """One dose `usual` in `unit`, `times` a day, never above `max_single` at once or `max_daily` a day."""
    return DoseRange(
        route=route,
        unit=unit,
        usual=usual,
        doses_per_day=times,
        max_single=max_single,
        max_daily=max_daily,
        per_kg=per_kg,
        indication=use,
        cap=cap,
    )


def rate(unit: str, usual: Pair, most: float, *, use: str = "") -> DoseRange:
    """An intravenous infusion at `usual` in `unit` (a rate), at most `most`."""
    return given("iv", unit, usual, ONCE, most, most, use=use)


def child(route: Route, mg_per_kg_day: Pair, max_mg_day: float, from_years: float) -> ChildDose:
    return ChildDose(route=route, mg_per_kg_day=mg_per_kg_day, max_mg_day=max_mg_day, from_years=from_years)


def kin(
    half_life_h: Pair, cleared: Cleared, available: float | None, bound: float | None
) -> Pharmacokinetics:
    """Half-life in hours; share of an oral dose that arrives, share bound to protein."""
    return Pharmacokinetics(
        half_life_h=half_life_h, cleared=cleared, bioavailability=available, protein_binding=bound
    )


def never(condition: str, reason: str) -> Contraindication:
    return Contraindication(condition=condition, reason=reason)


def weigh(condition: str, reason: str) -> Contraindication:
    """A warning: given only where the benefit outweighs it."""
    return Contraindication(condition=condition, reason=reason, absolute=False)


def kidney(
    below: float, advice: str, max_daily: float | None = None, *, route: Route | None = None
) -> RenalStep:
    return RenalStep(crcl_below=below, advice=advice, max_daily=max_daily, route=route)


def no_kidney(below: float, advice: str, *, route: Route | None = None) -> RenalStep:
    return RenalStep(crcl_below=below, advice=advice, avoid=True, route=route)


def liver(child_pugh: Literal["A", "B", "C"], advice: str, max_daily: float | None = None) -> HepaticStep:
    return HepaticStep(child_pugh=child_pugh, advice=advice, max_daily=max_daily)


def no_liver(child_pugh: Literal["A", "B", "C"], advice: str) -> HepaticStep:
    return HepaticStep(child_pugh=child_pugh, advice=advice, avoid=True)


def level(low: float, high: float, unit: str, sample: str) -> Monitoring:
    return Monitoring(target=(low, high), unit=unit, sample=sample)


def pregnancy(verdict: PregnancyVerdict, reason: str, from_week: int = 0) -> Pregnancy:
    return Pregnancy(verdict=verdict, reason=reason, from_week=from_week)


def label(name: str, also: str = "") -> str:
    """The citation of a US label, and of a guideline where the label is silent."""
    return f"US prescribing information, {name}" + (f"; {also}" if also else "")
