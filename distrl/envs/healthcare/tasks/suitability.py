"""Which drug of a treatment suits a patient: the first option without a hazard is the gold one.

Option, Patient -> [hazards, choose] -> gold prescriptions, traps, assertions

Not covered: what the tables do not know; a drug without a hazard here is not thereby safe in life.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from distrl.envs.clinical.formulary import (
    DRUGS,
    conflicts_with_allergies,
    convert,
    daily_limit,
    single_limit,
    with_implied,
)
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.healthcare.safety.drug_rules import CAUTION_GATES, DOUBLE, LABEL_GATES
from distrl.envs.healthcare.tasks import words
from distrl.envs.healthcare.tasks.pairs import CONTRAINDICATED, MAJOR, pair_of
from distrl.envs.healthcare.tools import values
from distrl.envs.healthcare.world.condition import Option, Treatment
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.records import Patient

ADULT_YEARS = 18
MOST_HALVINGS = 4  # of a dose for kidneys or liver; what needs more is another drug
SLACK = 1.001  # a limit is passed when it is passed by more than rounding
HARMFUL = ("avoid", "contraindicated")

HazardKind = Literal[
    "allergy", "cross_reactivity", "pregnancy", "interaction", "renal", "hepatic", "contraindication", "age",
    "dose", "duplicate", "value", "unknown",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Hazard:
    """Why a drug does not suit; `about`: the allergen, the other drug, the condition; `reason`: a clause."""

    kind: HazardKind
    about: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Ordered:
    """A dose as it would be ordered."""

    dose: float
    unit: str
    route: str
    per_day: float


def clearance(patient: Patient) -> float | None:
    """Creatinine clearance in mL/min as the tools reckon it; None where the record does not give it."""
    value = values.creatinine_clearance(patient).value
    return value if isinstance(value, float) else None


def ordered(option: Option, patient: Patient) -> Ordered:
    """The option for this patient: a child's dose by the formulary, one per kg as it can be drawn up, and as
    much less a day as kidneys and liver ask for.

    ValueError for a dose per kg without a weight.
    """
    amount, weight = option.dose, patient["weight_kg"]
    if patient["age_years"] < ADULT_YEARS and not option.dose_per_kg:
        amount = _child_dose(option, patient) or amount
    elif option.dose_per_kg:
        if weight is None:
            raise ValueError(f"{option.drug} is dosed per kg and the weight is unknown")
        exact = option.dose * weight
        step = 5.0 if exact >= 20 else 1.0 if exact >= 2 else 0.1
        amount = round(max(step, exact // step * step), 1)
    order = Ordered(dose=amount, unit=option.dose_unit, route=option.route, per_day=option.doses_per_day)
    return _reduced(option.drug, order, patient)


def _reduced(drug: str, order: Ordered, patient: Patient) -> Ordered:
    """The order within the daily limit of kidneys and liver: fewer times a day first, then less at a time."""
    weight = patient["weight_kg"]
    limit = daily_limit(
        drug, order.route, weight, patient["age_years"], clearance(patient), _liver(patient), order.unit
    )
    if limit is None or limit.value <= 0 or not limit.reason.startswith(("CrCl", "Child-Pugh")):
        return order
    for _ in range(MOST_HALVINGS):
        daily = convert(order.dose * order.per_day, order.unit, limit.unit, weight)
        if daily is None or daily <= limit.value * SLACK:
            return order
        once = order.per_day <= 1
        order = replace(order, dose=order.dose / 2) if once else replace(order, per_day=order.per_day / 2)
    return order


def _child_dose(option: Option, patient: Patient) -> float | None:
    """The middle of the child's range in the option's unit and times a day; None where there is none."""
    weight, age = patient["weight_kg"], patient["age_years"]
    record = DRUGS.get(option.drug)
    if record is None or weight is None:
        return None
    for row in record.child:
        if row.route == option.route and row.from_years <= age:
            daily = min(sum(row.mg_per_kg_day) / 2 * weight, row.max_mg_day)
            single = convert(daily / option.doses_per_day, "mg", option.dose_unit)
            if single is None:
                return None
            step = 50.0 if single >= 500 else 10.0 if single >= 100 else 1.0 if single >= 10 else 0.1
            return round(max(step, single // step * step), 1)
    return None


def _undosed(option: Option, patient: Patient) -> Iterator[Hazard]:
    """A child for whom neither the option nor the formulary has a dose; inhaled ones are the same for all."""
    adult = patient["age_years"] >= ADULT_YEARS or option.dose_per_kg or option.route == "inhaled"
    if not adult and _child_dose(option, patient) is None:
        yield Hazard(kind="age", about="age", reason="the formulary has no dose at this age")


def hazards(drug: str, patient: Patient, order: Ordered | None = None, condition: str = "") -> list[Hazard]:
    """Every reason against `drug` (generic name) in this patient; [] for none.

    Args:
        order: the dose that is held against the limits; without it only what forbids the drug counts.
        condition: key of what is being treated, beside the problem list.
    """
    if drug not in DRUGS or drug not in PATHWAYS:
        return [Hazard(kind="unknown", about=drug, reason=f"{drug} is not in the formulary")]
    return [
        *_allergies(drug, patient),
        *_pregnancy(drug, patient),
        *_conditions(drug, patient, condition),
        *_interactions(drug, [med["drug"] for med in words.active(patient)]),
        *_same_class(drug, patient),
        *_values(drug, patient),
        *_limits(drug, patient, order),
    ]


def choose(
    treatment: Treatment, patient: Patient, condition: str, already: Iterable[str] = ()
) -> tuple[Option | None, list[tuple[Option, list[Hazard]]]]:
    """(the first option without a hazard, the options before it with theirs).

    `already`: drugs that this episode gives as well. What one guideline gives together may interact by
    design (an anticoagulant with an antiplatelet drug), so only contraindicated pairs are passed over.
    """
    passed: list[tuple[Option, list[Hazard]]] = []
    others = list(already)
    for option in treatment.options:
        found = hazards(option.drug, patient, ordered(option, patient), condition)
        found += _interactions(option.drug, others, CONTRAINDICATED)
        found += _undosed(option, patient)
        if not found:
            return option, passed
        passed.append((option, found))
    return None, passed


def _allergies(drug: str, patient: Patient) -> Iterator[Hazard]:
    for allergy in patient["allergies"]:
        names = [name for name in (allergy["substance"], allergy["group"]) if name]
        conflicts = conflicts_with_allergies(drug, names)
        for verdict, reason in sorted(conflicts, key=lambda c: c[0] != "CONTRAINDICATED")[:1]:
            if verdict == "CONTRAINDICATED":
                yield Hazard(kind="allergy", about=allergy["substance"], reason=reason)
            elif allergy["severity"] == "severe":  # after a lesser one it is weighed
                yield Hazard(kind="cross_reactivity", about=allergy["substance"], reason=reason)


def _pregnancy(drug: str, patient: Patient) -> Iterator[Hazard]:
    weeks, rule = patient["pregnant_weeks"], DRUGS[drug].pregnancy
    if weeks is not None and rule.verdict in HARMFUL and weeks >= rule.from_week:
        yield Hazard(kind="pregnancy", about="pregnancy", reason=rule.reason)


def _conditions(drug: str, patient: Patient, condition: str) -> Iterator[Hazard]:
    named = {p["condition"] for p in patient["problems"] if p["status"] == "active"} | ({condition} - {""})
    keys = with_implied(named)
    for rule in DRUGS[drug].contraindications:
        if rule.condition in keys and rule.absolute:
            yield Hazard(kind="contraindication", about=rule.condition, reason=rule.reason)
    own = {drug, *DRUGS[drug].classes}
    for key in sorted(keys & CONDITIONS.keys()):
        if own & set(CONDITIONS[key].avoid_drugs):
            reason = f"it can do harm in {CONDITIONS[key].name}"
            yield Hazard(kind="contraindication", about=key, reason=reason)


def _interactions(drug: str, others: Iterable[str], worst: int = MAJOR) -> Iterator[Hazard]:
    for other in others:
        if other == drug:
            yield Hazard(kind="duplicate", about=other, reason=f"{other} is taken already")
        elif (pair := pair_of(drug, other)).rank >= worst:
            yield Hazard(kind="interaction", about=other, reason=pair.effect)


def _same_class(drug: str, patient: Patient) -> Iterator[Hazard]:
    """A current drug of a class of which two at a time only harm, by the safety rules' own table."""
    own = DRUGS[drug].classes
    for med in words.active(patient):
        other = DRUGS.get(med["drug"])
        if other is None or other.name == drug:
            continue
        shared = [name for name in own if name in other.classes and name in DOUBLE]
        if shared:
            yield Hazard(kind="duplicate", about=other.name, reason=f"two of {shared[0]}")


def _values(drug: str, patient: Patient) -> Iterator[Hazard]:
    """A value of the record beyond which the drug is not to be given, by the safety rules' own table."""
    own = {drug, *DRUGS[drug].classes}
    labs = {code: result["value"] for code, result in words.latest(patient).items()}
    newest = max(patient["vitals"], key=lambda v: v["at"]) if patient["vitals"] else None
    signs: dict[str, object] = {} if newest is None else {**newest}
    for names, field, side, bound, reason in (*LABEL_GATES, *CAUTION_GATES):
        value = signs.get(field) if "_" in field else labs.get(field)
        if not own & set(names) or not isinstance(value, (int, float)):
            continue
        if value > bound if side == "above" else value < bound:
            yield Hazard(kind="value", about=field, reason=reason)


def _liver(patient: Patient) -> str | None:
    """The Child-Pugh class; at least B in a cirrhosis, as the safety rules take it."""
    if all(p["condition"] != "cirrhosis" or p["status"] != "active" for p in patient["problems"]):
        return None
    found = values.child_pugh(patient).value
    return max("B", str(found)) if found is not None else "B"


def _limits(drug: str, patient: Patient, order: Ordered | None) -> Iterator[Hazard]:
    record, age, weight = DRUGS[drug], patient["age_years"], patient["weight_kg"]
    route = order.route if order is not None else record.adult[0].route
    if age < ADULT_YEARS and age < record.from_years:
        yield Hazard(kind="age", about="age", reason=record.age_reason)
    unit = None if order is None else order.unit
    for limit, amount in (
        (
            daily_limit(drug, route, weight, age, clearance(patient), _liver(patient), unit),
            0.0 if order is None else order.dose * order.per_day,
        ),
        (
            single_limit(drug, route, weight, age, unit),
            0.0 if order is None else order.dose,
        ),
    ):
        if limit is None:
            if order is not None:
                yield Hazard(kind="dose", about="route", reason=f"{drug} is not given by this route")
            continue
        here = amount if unit is None else convert(amount, unit, limit.unit, weight)
        if here is None or limit.value <= 0 or here > limit.value * SLACK:
            yield _over(limit.reason)


def _over(reason: str) -> Hazard:
    """The hazard of a limit, by the ground that the formulary gives."""
    for start, kind, about in (
        ("CrCl", "renal", "kidney function"),
        ("Child-Pugh", "hepatic", "liver function"),
        ("child", "age", "age"),
        ("not below", "age", "age"),
    ):
        if reason.startswith(start):
            return Hazard(kind=kind, about=about, reason=reason.partition(": ")[2] or reason)  # type: ignore[arg-type]
    return Hazard(kind="dose", about="dose", reason=reason)
