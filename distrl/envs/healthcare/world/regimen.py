"""The drugs that a patient takes: from the treatments of the illnesses, safe and dosed for this person.

problems, allergies, kidney function -> [medications] -> Medication

A baseline list never holds a drug that an allergy, a pregnancy, an age limit, an absolute contraindication
or the kidneys forbid, and no pair that is contraindicated. Lesser interactions do occur: they are for the
tasks to find.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from distrl.envs.clinical import formulary
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.clinical.interactions import interaction, rank
from distrl.envs.healthcare.world.condition import Option
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.people import ADULT_YEARS
from distrl.envs.healthcare.world.records import Allergy, Medication, Problem, Sex

OPTION_WEIGHTS = (60, 25, 15, 8, 4)
REQUIRED_CHANCE, OPTIONAL_CHANCE, STOPPED_CHANCE = 0.9, 0.4, 0.2
CONTRAINDICATED, MAJOR = rank("CONTRAINDICATED"), rank("MAJOR")
MAJOR_CHANCE = 0.5  # that a major interaction slips into the list
# One drug of each of these classes at most.
ONE_OF = frozenset([
    "raas blocker", "statin", "sglt2 inhibitor", "beta blocker", "anticoagulant", "proton pump inhibitor",
    "ssri", "snri", "propionic acid nsaid", "calcium channel blocker", "loop diuretic", "thiazide diuretic",
    "thiazide-like diuretic", "sulfonylurea", "corticosteroid", "bisphosphonate",
    "short-acting beta-2 agonist",
])  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Person:
    """What decides on a drug. `crcl` in mL/min; None in children."""

    sex: Sex
    age_years: float
    weight_kg: float
    creatinine: float
    crcl: float | None
    pregnant_weeks: int | None
    allergies: tuple[Allergy, ...]
    problems: tuple[Problem, ...]
    avoid: frozenset[str] = field(default=frozenset())


def forbidden(drug: str, route: str, person: Person) -> str:
    """Why the drug must not be on the list; "" where nothing is known against it."""
    known = formulary.DRUGS.get(drug)
    if known is None:
        return "not in the formulary"
    names = [n for a in person.allergies for n in (a["substance"], a["group"]) if n]
    if conflicts := formulary.conflicts_with_allergies(drug, names):
        return conflicts[0][1]
    weeks = person.pregnant_weeks
    if weeks is not None and known.pregnancy.verdict in ("avoid", "contraindicated"):
        return known.pregnancy.reason
    active = formulary.with_implied(p["condition"] for p in person.problems if p["status"] == "active")
    for rule in known.contraindications:
        if rule.condition in active and rule.absolute:
            return rule.reason
    if person.avoid & {drug, *known.classes}:
        return "harms in a condition of the list"
    limit = formulary.daily_limit(
        drug, route, weight_kg=person.weight_kg, age_years=person.age_years, crcl=person.crcl
    )
    return limit.reason if limit is not None and limit.value <= 0 else ""


def dosed(option: Option, person: Person) -> tuple[float, str] | None:
    """(one dose, unit) for this person, within the formulary's limits; None where none fits."""
    dose, unit = option.dose, option.dose_unit
    if option.dose_per_kg:
        dose = max(1.0, round(dose * person.weight_kg))
    elif person.age_years < ADULT_YEARS:
        child = _child_dose(option, person)
        if child is None:
            return None
        dose = child
    if option.drug == "apixaban" and option.dose == 5 and _apixaban_half(person):
        dose = 2.5
    limit = formulary.daily_limit(
        option.drug,
        option.route,
        weight_kg=person.weight_kg,
        age_years=person.age_years,
        crcl=person.crcl,
        unit=unit,
    )
    if limit is None:
        return None
    for _ in range(3):
        daily = formulary.convert(dose * option.doses_per_day, unit, limit.unit, person.weight_kg)
        if daily is None:
            return None
        if daily <= limit.value * 1.0001:
            return round(dose, 3), unit
        dose /= 2
    return None


def _child_dose(option: Option, person: Person) -> float | None:
    """A child's dose in the option's unit; None where the formulary has none for that age."""
    if option.route == "inhaled":
        return option.dose
    for row in formulary.DRUGS[option.drug].child:
        if row.route == option.route and row.from_years <= person.age_years:
            low, high = row.mg_per_kg_day
            daily = min((low + high) / 2 * person.weight_kg, row.max_mg_day)
            single = formulary.convert(daily / option.doses_per_day, "mg", option.dose_unit)
            if single is None:
                return None
            return float(round(single, -1 if single >= 100 else 0 if single >= 10 else 1))
    return None


def _apixaban_half(person: Person) -> bool:
    """Two of: 80 years, 60 kg or less, creatinine 1.5 mg/dL or more (apixaban label, atrial fibrillation)."""
    return [person.age_years >= 80, person.weight_kg <= 60, person.creatinine >= 1.5].count(True) >= 2


def medications(
    rng: random.Random,
    person: Person,
    today: datetime.date,
    causes: list[tuple[Option, int, str, bool]],
) -> list[Medication]:
    """The list, in the order of the problems; `causes` are drugs of the story, where they are allowed."""
    found: list[Medication] = []
    for option, days, indication, active in causes:
        if not forbidden(option.drug, option.route, person) and (dose := dosed(option, person)):
            row = _row(option, dose, today - datetime.timedelta(days=days), indication)
            found.append(row if active else {**row, "status": "stopped"})
    for problem in person.problems:
        if problem["status"] != "active" or CONDITIONS[problem["condition"]].acute:
            continue
        onset = datetime.date.fromisoformat(problem["onset"])
        for option in _chosen(rng, problem["condition"], person, found):
            dose = dosed(option, person)
            if dose is None:
                continue
            latest = max(onset, today - datetime.timedelta(days=31))
            since = onset + datetime.timedelta(days=int(rng.random() * max(0, (latest - onset).days)))
            found.append(_row(option, dose, since, problem["name"]))
    return found + _stopped(rng, person, today, found)


def _stopped(
    rng: random.Random, person: Person, today: datetime.date, current: list[Medication]
) -> list[Medication]:
    """Now and then an earlier drug of a treatment whose present one is another."""
    taken = {m["drug"] for m in current}
    for problem in person.problems if rng.random() < STOPPED_CHANCE else ():
        onset = datetime.date.fromisoformat(problem["onset"])
        for treatment in CONDITIONS[problem["condition"]].treatments:
            names = [o.drug for o in treatment.options]
            earlier = [o for o in treatment.options if o.drug not in taken]
            if not taken & set(names) or not earlier:
                continue
            option = rng.choice(earlier)
            dose = None if forbidden(option.drug, option.route, person) else dosed(option, person)
            if dose is not None:
                since = min(onset + datetime.timedelta(days=14), today)
                return [{**_row(option, dose, since, problem["name"]), "status": "stopped"}]
    return []


def _chosen(
    rng: random.Random, condition: str, person: Person, current: list[Medication]
) -> Iterator[Option]:
    for treatment in CONDITIONS[condition].treatments:
        wanted = rng.random() < (REQUIRED_CHANCE if treatment.required else OPTIONAL_CHANCE)
        lottery = rng.random()
        slips = rng.random() < MAJOR_CHANCE
        if not wanted:
            continue
        options = [
            (option, OPTION_WEIGHTS[min(i, len(OPTION_WEIGHTS) - 1)])
            for i, option in enumerate(treatment.options)
            if not forbidden(option.drug, option.route, person) and _fits(option.drug, current, slips)
        ]
        total = sum(weight for _, weight in options)
        for option, weight in options:
            lottery -= weight / total
            if lottery <= 0:
                yield option
                break


def _fits(drug: str, current: list[Medication], major_too: bool) -> bool:
    """Whether the drug goes with what is on the list."""
    classes = set(formulary.DRUGS[drug].classes) & ONE_OF
    for other in (m["drug"] for m in current if m["status"] == "active"):
        if other == drug or classes & set(formulary.DRUGS[other].classes):
            return False
        if drug in PATHWAYS and other in PATHWAYS:
            worst = rank(interaction(drug, other).severity)
            if worst >= CONTRAINDICATED or (worst >= MAJOR and not major_too):
                return False
    return True


def _row(option: Option, dose: tuple[float, str], since: datetime.date, indication: str) -> Medication:
    return {
        "drug": option.drug,
        "dose": dose[0],
        "dose_unit": dose[1],
        "route": option.route,
        "doses_per_day": option.doses_per_day,
        "since": since.isoformat(),
        "indication": indication,
        "status": "active",
    }
