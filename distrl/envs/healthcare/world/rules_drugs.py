"""Rules on the medication list: known drugs, doses within limits, nothing that this patient must not have."""

from __future__ import annotations

from collections.abc import Iterator

from distrl.envs.clinical import formulary
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.clinical.interactions import interaction
from distrl.envs.clinical.renal import cockcroft_gault
from distrl.envs.healthcare.world.bloods import SEEN_ONLY_ON_DRUG
from distrl.envs.healthcare.world.people import ADULT_YEARS
from distrl.envs.healthcare.world.records import Medication
from distrl.envs.healthcare.world.rule import Case, rule

CREATININE = "2160-0"
SLACK = 1.06  # two samples of one person differ by a little
HIGH_INR = frozenset(("cirrhosis", "acute_hepatitis", "sepsis_urinary"))


def active(case: Case) -> list[Medication]:
    return [m for m in case.patient["medications"] if m["status"] == "active"]


def clearance(case: Case) -> float | None:
    """From the oldest creatinine: what the list was made for, before this visit's illness."""
    known = sorted((r["at"], r["value"]) for r in case.patient["labs"] if r["code"] == CREATININE)
    weight, age = case.patient["weight_kg"], case.patient["age_years"]
    before = [value for at, value in known if at[:10] != case.db["now"][:10]]
    if not before or weight is None or age < ADULT_YEARS:
        return None
    return SLACK * cockcroft_gault(age, weight, min(before), case.patient["sex"])


@rule
def drugs_are_of_the_formulary(case: Case) -> Iterator[str]:
    for drug in case.patient["medications"]:
        if drug["drug"] not in formulary.DRUGS:
            yield f"drug {drug['drug']!r}"


@rule
def drugs_are_listed_once(case: Case) -> Iterator[str]:
    names = [m["drug"] for m in active(case)]
    yield from (f"{name} twice" for name in sorted({n for n in names if names.count(n) > 1}))


@rule
def no_drug_against_an_allergy(case: Case) -> Iterator[str]:
    names = [n for a in case.patient["allergies"] for n in (a["substance"], a["group"]) if n]
    for drug in active(case):
        for verdict, reason in formulary.conflicts_with_allergies(drug["drug"], names):
            if verdict == "CONTRAINDICATED":
                yield f"{drug['drug']}: {reason}"


@rule
def doses_are_within_limits(case: Case) -> Iterator[str]:
    for drug in active(case):
        limit = formulary.daily_limit(
            drug["drug"],
            drug["route"],
            weight_kg=case.patient["weight_kg"],
            age_years=case.patient["age_years"],
            crcl=clearance(case),
            unit=drug["dose_unit"],
        )
        if limit is None:
            continue
        daily = formulary.convert(
            drug["dose"] * drug["doses_per_day"], drug["dose_unit"], limit.unit, case.patient["weight_kg"]
        )
        if daily is not None and daily > limit.value * 1.02:
            yield f"{drug['drug']} {daily:g} {limit.unit} a day; {limit.reason}"


@rule
def doses_are_positive(case: Case) -> Iterator[str]:
    for drug in case.patient["medications"]:
        if drug["dose"] <= 0 or drug["doses_per_day"] <= 0:
            yield f"{drug['drug']}: dose {drug['dose']:g}, {drug['doses_per_day']:g} a day"


@rule
def drugs_began_in_life_and_past(case: Case) -> Iterator[str]:
    for drug in case.patient["medications"]:
        if not case.patient["birth_date"] <= drug["since"] <= case.db["now"][:10]:
            yield f"{drug['drug']} since {drug['since']}"


@rule
def no_drug_against_a_problem(case: Case) -> Iterator[str]:
    keys = {p["condition"] for p in case.patient["problems"] if p["status"] == "active"}
    for drug in active(case):
        known = formulary.DRUGS.get(drug["drug"])
        for against in known.contraindications if known else ():
            if against.absolute and against.condition in keys:
                yield f"{drug['drug']} in {against.condition}"


@rule
def no_harmful_drug_in_pregnancy(case: Case) -> Iterator[str]:
    if case.patient["pregnant_weeks"] is None:
        return
    for drug in active(case):
        known = formulary.DRUGS.get(drug["drug"])
        if known is not None and known.pregnancy.verdict == "contraindicated":
            yield f"{drug['drug']} in pregnancy"


@rule
def no_contraindicated_pair(case: Case) -> Iterator[str]:
    names = sorted({m["drug"] for m in active(case)} & PATHWAYS.keys())
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            if interaction(first, second).severity == "CONTRAINDICATED":
                yield f"{first} with {second}"


@rule
def drug_levels_only_in_who_takes_it(case: Case) -> Iterator[str]:
    names = {m["drug"] for m in active(case)}
    for sample in case.samples if case.patient["medications"] else ():
        for short, drug in SEEN_ONLY_ON_DRUG.items():
            if short in sample and drug not in names:
                yield f"level of {drug} without the drug"


@rule
def warfarin_shows_in_the_inr(case: Case) -> Iterator[str]:
    on_warfarin = any(m["drug"] == "warfarin" for m in active(case))
    keys = {p["condition"] for p in case.patient["problems"]} | {case.condition}
    for sample in case.samples if case.patient["medications"] else ():
        inr = sample.get("inr")
        if inr is None:
            continue
        if on_warfarin and inr < 1.7:
            yield f"INR {inr:g} on warfarin"
        if not on_warfarin and inr > 1.5 and not keys & HIGH_INR:
            yield f"INR {inr:g} without a reason"
