"""Tools that judge a dose against the label's limits for this patient: age, weight, kidney, liver.

EnvWorker[N: ToolCall -> Toolkit.run -> [doses] -> clinical.formulary] <-> Engine[M] -> …

The daily bound is the formulary's `daily_limit`, the one that the safety rules use. Not covered: loading
doses, and infusions beyond the table's limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from distrl.envs.clinical import renal
from distrl.envs.clinical.formulary import Drug, Limit, convert, daily_limit, single_limit
from distrl.envs.clinical.formulary.core import DoseRange, HepaticStep, RenalStep
from distrl.envs.healthcare.tools import lookup, values
from distrl.envs.healthcare.tools.lookup import DrugName, OptionalId, patient, shown
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import Arg, ToolError

Data = dict[str, Any]
ChildPugh = Literal["A", "B", "C"]
ADULT_YEARS = 18
SLACK = 1.001  # a limit is passed when it is passed by more than rounding


@dataclass(kw_only=True)
class Verdict:
    """What a dose runs into: (kind, level, text) of each alert, and what could not be judged."""

    alerts: list[tuple[str, str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limit: Data = field(default_factory=dict)


def check_dosage(
    db: Database,
    drug_name: DrugName,
    dose: Annotated[float, Arg(ge=0.0001, le=1e7, help="One dose, for the whole patient.")],
    dose_unit: Annotated[str, Arg(max_length=20)] = "mg",
    doses_per_day: Annotated[float, Arg(ge=0.001, le=96)] = 1,
    route: Annotated[str | None, Arg(max_length=30)] = None,
    patient_id: OptionalId = None,
) -> Data:
    """Whether a dose is within the limits for a patient's age, weight, kidney and liver.

    Source: the formulary's record, which names its label.

    Args:
        dose_unit: Such as mg, g, mcg or units.
        route: Such as oral or iv; left out, the drug's first route.
        patient_id: For whom; left out, an adult with normal organs.
    """
    record = lookup.drug(drug_name)
    way = lookup.routes(record)[0] if route is None else lookup.route(route, record)
    person = patient(db, patient_id) if patient_id is not None else None
    amount, unit = in_formulary_unit(record, way, dose, dose_unit)
    verdict = judge(record, amount, unit, way, doses_per_day, person)
    grave = [text for _, level, text in verdict.alerts if level in ("contraindicated", "major")]
    return {
        "drug": record.name,
        "route": way,
        "dose": values.amount(amount, unit),
        "daily_dose": values.amount(_clean(amount * doses_per_day), f"{unit}/day"),
        "verdict": "not acceptable" if grave else "see alerts" if verdict.alerts else "within limits",
        "limit": verdict.limit,
        "usual": [usual_text(r) for r in record.adult if r.route == way],
        "alerts": [f"{kind.upper()} ({level}): {text}" for kind, level, text in verdict.alerts],
        "missing": verdict.missing,
        "source": record.source,
    }


def calculate_renal_dose_adjustment(
    db: Database,
    drug_name: DrugName,
    crcl: Annotated[float | None, Arg(unit="mL/min", ge=0, le=250)] = None,
    patient_id: OptionalId = None,
) -> Data:
    """What the kidney function means for a drug's dose: tier, advice and highest daily dose.

    Source: the formulary's record; tiers of the FDA guidance on renal impairment (2024).

    Args:
        crcl: Creatinine clearance or GFR; it counts before the record.
        patient_id: Takes the clearance by Cockcroft-Gault from the record.
    """
    record = lookup.drug(drug_name)
    found = values.Found(value=crcl, unit="mL/min", source="given")
    if crcl is None:
        if patient_id is None:
            raise ToolError("give crcl in mL/min, or patient_id")
        found = values.creatinine_clearance(patient(db, patient_id))
    step, missing = None, list(found.missing)
    if isinstance(found.value, (int, float)):
        step = renal_step(record, found.value)
    known = isinstance(found.value, (int, float))
    return {
        "drug": record.name,
        "crcl": found.as_data(),
        "tier": renal.renal_tier(found.value) if isinstance(found.value, (int, float)) else None,
        "advice": _advice(step, "no adjustment at this clearance")
        if known
        else "not known without a clearance",
        "avoid": step.avoid if step is not None else False if known else None,
        "max_daily": _most(record, step),
        "all_steps": [f"below {s.crcl_below:g} mL/min: {s.advice}" for s in record.renal],
        "missing": missing,
        "source": record.source,
    }


def calculate_hepatic_dose_adjustment(
    db: Database,
    drug_name: DrugName,
    child_pugh: ChildPugh | None = None,
    patient_id: OptionalId = None,
) -> Data:
    """What the liver function means for a drug's dose: advice and highest daily dose by Child-Pugh class.

    Source: the formulary's record; Pugh RNH, Br J Surg 1973;60:646-649.

    Args:
        child_pugh: The class; it counts before the record.
        patient_id: Takes the class from the record of a patient with cirrhosis.
    """
    record = lookup.drug(drug_name)
    found = values.Found(value=child_pugh, unit="class", source="given")
    missing: list[str] = []
    if child_pugh is None:
        if patient_id is None:
            raise ToolError("give child_pugh (A, B or C), or patient_id")
        found = values.child_pugh(patient(db, patient_id))
        missing = list(found.missing) or (
            ["Child-Pugh: no cirrhosis on the problem list"] if found.value is None else []
        )
    step = hepatic_step(record, str(found.value)) if found.value is not None else None
    known = found.value is not None
    return {
        "drug": record.name,
        "child_pugh": found.as_data(),
        "advice": _advice(step, "no adjustment on record for this class")
        if known
        else "not known without a class",
        "avoid": step.avoid if step is not None else False if known else None,
        "max_daily": _most(record, step),
        "all_steps": [f"Child-Pugh {s.child_pugh} and worse: {s.advice}" for s in record.hepatic],
        "missing": missing,
        "source": record.source,
    }


def judge(
    record: Drug, dose: float, unit: str, route: str, doses_per_day: float, person: Patient | None
) -> Verdict:
    """Dose limits, kidney and liver for one patient, or for an adult with normal organs."""
    verdict = Verdict()
    weight = person["weight_kg"] if person is not None else None
    age = person["age_years"] if person is not None else None
    kidney = values.creatinine_clearance(person) if person is not None else values.Found()
    liver = values.child_pugh(person) if person is not None else values.Found()
    clearance = kidney.value if isinstance(kidney.value, float) else None
    if record.renal:
        verdict.missing += kidney.missing
    if record.hepatic:
        verdict.missing += liver.missing
    _age(verdict, record, person)
    _single_dose(verdict, record, dose, unit, route, person)
    daily = dose if "/min" in unit or "/h" in unit else dose * doses_per_day  # a rate is a rate all day
    letter = None if liver.value is None else str(liver.value)
    bound = daily_limit(record.name, route, weight, age, clearance, letter, unit)
    _daily_dose(verdict, record, _clean(daily), unit, route, bound, weight)
    step = renal_step(record, clearance, route) if clearance is not None else None
    if step is not None:
        level = "contraindicated" if step.avoid else "caution"
        verdict.alerts.append(("renal", level, f"creatinine clearance {clearance:g} mL/min: {step.advice}"))
    low = hepatic_step(record, str(liver.value), route) if liver.value is not None else None
    if low is not None:
        level = "contraindicated" if low.avoid else "caution"
        verdict.alerts.append(("hepatic", level, f"Child-Pugh {liver.value}: {low.advice}"))
    return verdict


def renal_step(record: Drug, crcl: float, route: str | None = None) -> RenalStep | None:
    """The narrowest step that holds at this clearance, for a route or for any."""
    holding = [s for s in record.renal if crcl < s.crcl_below and _for_route(s, route)]
    return min(holding, key=lambda s: s.crcl_below, default=None)


def hepatic_step(record: Drug, child_pugh: str, route: str | None = None) -> HepaticStep | None:
    """The worst step that holds from this Child-Pugh class, for a route or for any."""
    holding = [s for s in record.hepatic if s.child_pugh <= child_pugh and _for_route(s, route)]
    return max(holding, key=lambda s: s.child_pugh, default=None)


def in_formulary_unit(record: Drug, route: str, dose: float, unit: str) -> tuple[float, str]:
    """The dose in the formulary's unit of that route. ToolError for a unit that does not turn into it."""
    known = list(dict.fromkeys(r.unit for r in record.adult if r.route == route)) or ["mg"]
    for wanted in known:
        turned = values.in_unit(dose, unit, wanted)
        if turned is not None:
            return turned, wanted
    hint = " for the whole patient, not per kg" if "kg" in unit.lower() else ""
    raise ToolError(
        f"dose_unit {shown(unit)} does not fit {record.name} {route}; give {' or '.join(known)}{hint}"
    )


def usual_text(dose: DoseRange) -> str:
    """`iv 1-2 g, 1-2 a day, at most 2 g a dose and 4 g a day (meningitis)`."""
    unit = f"{dose.unit}/kg" if dose.per_kg else dose.unit
    use = f" ({dose.indication})" if dose.indication else ""
    return (
        f"{dose.route} {span(dose.usual)} {unit}, {_times(dose.doses_per_day)}, "
        f"at most {dose.max_single:g} {unit} a dose and {dose.max_daily:g} {unit} a day{use}"
    )


def _times(per_day: tuple[float, float]) -> str:
    """`1-2 a day`, or `1 a week` of a drug that is given less than daily."""
    if per_day[1] < 1:
        return f"{span((7 * per_day[0], 7 * per_day[1]))} a week"
    return f"{span(per_day)} a day"


def span(pair: tuple[float, float]) -> str:
    """`1-2`, or `1` where both ends are equal."""
    low, high = (f"{value:.3g}" for value in pair)
    return low if low == high else f"{low}-{high}"


def _daily_dose(
    verdict: Verdict,
    record: Drug,
    daily: float,
    unit: str,
    route: str,
    bound: Limit | None,
    weight: float | None,
) -> None:
    """A day's doses against the formulary's bound for this patient; 0 is told by kidney, liver or age."""
    if bound is None or not math.isfinite(bound.value):
        verdict.missing.append(f"daily limit: none is on record for {record.name} {route} in {unit}")
        return
    verdict.limit = {"value": _clean(bound.value), "unit": f"{bound.unit}/day", "reason": bound.reason}
    most = convert(bound.value, bound.unit, unit, weight)
    if most is None:
        verdict.missing.append(f"weight: not known, so the daily dose per kg of {record.name} is not judged")
    elif most > 0 and daily > most * SLACK:
        text = f"{daily:g} {unit} a day is {daily / most:.1f} times the limit of {most:g} {unit}"
        verdict.alerts.append(("dose", "major", f"{text} ({bound.reason})"))


def _age(verdict: Verdict, record: Drug, person: Patient | None) -> None:
    if person is not None and person["age_years"] < record.from_years:
        why = record.age_reason or "the label gives no dose below that age"
        verdict.alerts.append(("age", "contraindicated", f"not below {record.from_years:g} years: {why}"))


def _single_dose(
    verdict: Verdict, record: Drug, dose: float, unit: str, route: str, person: Patient | None
) -> None:
    """One dose against the label's largest, and that of an adult against the smallest usual one."""
    weight = person["weight_kg"] if person is not None else None
    age = person["age_years"] if person is not None else None
    bound = single_limit(record.name, route, weight, age, unit)
    most = None if bound is None else convert(bound.value, bound.unit, unit, weight)
    if bound is not None and most is not None and 0 < most * SLACK < dose:
        text = f"{dose:g} {unit} is {dose / most:.1f} times the largest single dose"
        verdict.alerts.append(("dose", "major", f"{text} ({bound.reason})"))
    if age is not None and age < ADULT_YEARS:
        if not any(c.route == route and c.from_years <= age for c in record.child):
            verdict.missing.append(f"child dose: none in the formulary for {record.name} {route} at that age")
        return
    rows = [r for r in record.adult if r.route == route and r.unit == unit]
    least = [r.usual[0] * (weight or 0.0) if r.per_kg else r.usual[0] for r in rows]
    if least and dose * SLACK < min(least):
        verdict.alerts.append(
            ("dose", "caution", f"{dose:g} {unit} is below the usual {min(least):g} {unit}")
        )


def _for_route(step: RenalStep | HepaticStep, route: str | None) -> bool:
    return route is None or step.route is None or step.route == route


def _advice(step: RenalStep | HepaticStep | None, otherwise: str) -> str:
    return otherwise if step is None else step.advice


def _most(record: Drug, step: RenalStep | HepaticStep | None) -> Data | None:
    """The step's highest daily dose with the unit of the drug's first range."""
    if step is None or step.max_daily is None:
        return None
    first = record.adult[0]
    return {"value": step.max_daily, "unit": f"{first.unit}{'/kg' if first.per_kg else ''}/day"}


def _clean(value: float) -> float:
    """Without the last digits' noise of a product."""
    return float(f"{value:.12g}")
