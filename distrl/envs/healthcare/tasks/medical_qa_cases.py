"""Questions on a drawn patient: the likeliest diagnosis, and the first treatment that is safe.

CONDITIONS, LABS, suitability -> [case kinds] -> questions

A story is drawn from the condition's own row: complaint, symptoms, findings, vital signs, laboratory. A wrong
diagnosis is of another ICD-10 category and explains at most MOST_FIT of what is told. A wrong drug has a
hazard for the patient, does harm in the condition, or belongs to no treatment of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

from distrl.envs.clinical.allergy import GROUP
from distrl.envs.clinical.formulary import DRUGS, conflicts_with_allergies
from distrl.envs.healthcare.tasks import suitability, words
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.medical_qa_conditions import named
from distrl.envs.healthcare.tasks.medical_qa_facts import (
    Fact,
    Kind,
    by_key,
    guideline,
    pick_names,
    start,
    telling,
)
from distrl.envs.healthcare.tools import matching
from distrl.envs.healthcare.world.condition import Condition, Shift, Treatment
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import LABS, reference_range
from distrl.envs.healthcare.world.records import Allergy, Patient, Sex

FEWEST_FEATURES = 5  # symptoms and findings of a condition that can be told apart by them
MOST_FIT = 0.4  # share of the told phrases that a wrong diagnosis may explain; the right one explains all
SAME_WORDS = 0.6  # share of a phrase's words that a feature must hold to be the same
WRITTEN_VITALS = ("temperature_c", "heart_rate_bpm", "respiratory_rate_bpm", "systolic_mmhg", "spo2_percent")
PREGNANT_IN = 5  # one of so many stories of women of that age
FERTILE = (18, 44)


def _patient(age: int, sex: Sex, allergies: list[Allergy], pregnant_weeks: int | None) -> Patient:
    """A patient of whom nothing is known but this."""
    return {
        "patient_id": "Q001",
        "name": "",
        "birth_date": "",
        "age_years": age,
        "sex": sex,
        "weight_kg": 70.0,
        "height_cm": None,
        "pregnant_weeks": pregnant_weeks,
        "presentation": {"complaint": "", "onset": "", "symptoms": [], "negatives": [], "findings": []},
        "problems": [],
        "allergies": allergies,
        "allergies_reviewed": True,
        "medications": [],
        "labs": [],
        "vitals": [],
        "notes": [],
        "encounters": [],
        "immunizations": [],
        "family_history": [],
        "social": {
            "smoking": "unknown",
            "pack_years": None,
            "drinks_per_week": None,
            "occupation": "",
            "living": "",
        },
    }


def _somebody(condition: Condition, rng: random.Random, least_age: int = 2) -> tuple[int, Sex]:
    """(age in whole years, sex) within what the condition allows."""
    low, high = max(least_age, condition.age[0]), min(90, condition.age[1])
    age = rng.randint(int(low), max(int(low), int(high)))
    sexes: tuple[Sex, ...] = ("female", "male") if condition.sex is None else (condition.sex,)
    return age, rng.choice(sexes)


def _drawn(shift: Shift, rng: random.Random) -> float:
    return min(shift.high, max(shift.low, rng.gauss(shift.mean, shift.sd)))


def _some(items: tuple[str, ...], rng: random.Random, least: int, most: int) -> list[str]:
    count = min(len(items), rng.randint(least, most))
    return rng.sample(items, count)


def _labs(condition: Condition, sex: Sex, age: int, rng: random.Random) -> list[str]:
    """Up to three values out of their range, with unit and range."""
    shown = []
    shifts = {**condition.labs, **condition.unmeasured}
    for code in rng.sample(sorted(shifts), len(shifts)):
        lab = LABS[code]
        low, high = reference_range(lab, sex, age)
        value = round(_drawn(shifts[code], rng), lab.decimals)
        if (low is not None and value < low) or (high is not None and value > high):
            span = (
                f"up to {high:g}" if low is None else f"from {low:g}" if high is None else f"{low:g}-{high:g}"
            )
            shown.append(f"{lab.name} {value:g} {lab.unit} ({span})".replace("  ", " "))
    return shown[:3]


def _vitals(condition: Condition, rng: random.Random) -> list[str]:
    found = []
    for name in rng.sample(WRITTEN_VITALS, len(WRITTEN_VITALS)):
        if name in condition.vitals:
            label, unit = words.VITALS[name]
            value = _drawn(condition.vitals[name], rng)
            found.append(
                f"{label} {value:.1f} {unit}" if name == "temperature_c" else f"{label} {value:.0f} {unit}"
            )
    return found[:3]


def _diagnosis(row: str, rng: random.Random) -> Fact | None:
    condition = CONDITIONS[row]
    age, sex = _somebody(condition, rng)
    symptoms = _some(condition.symptoms, rng, 3, 5)
    findings = _some(condition.findings, rng, 1, 3)
    absent = _some(condition.negatives, rng, 0, 2)
    told = (*symptoms, *findings)
    others = [
        c
        for c in CONDITIONS.values()
        if _told_apart(c) and not twins(c, condition) and _could_be(c, age, sex)
    ]
    low = [c for c in others if c.acute == condition.acute and fit(c.key, told) <= MOST_FIT]
    near = [c.name for c in low if c.key in condition.differential]
    person = _patient(age, sex, [], None)
    return Fact(
        kind="diagnosis",
        slots={"story": _story(condition, person, (symptoms, findings, absent), rng)},
        right=condition.name,
        wrong=pick_names(rng, near, [c.name for c in low if c.specialty == condition.specialty or not near]),
        query=" ".join((*symptoms, *findings)),
        doc_id=guideline(condition.key, "diagnosis"),
        holds=tuple(symptoms),
        lookup=(
            call("get_differential_diagnosis", symptoms=", ".join((*symptoms, *findings))),
            call("check_diagnostic_criteria", condition=condition.name, findings=[*symptoms, *findings]),
        ),
        because=f"{start(words.joined(symptoms))} with {words.joined(findings)}: that is {condition.name}.",
        topic=condition.name,
        difficulty="moderate",
    )


@cache
def _features() -> dict[str, tuple[frozenset[str], ...]]:
    """The words of each complaint, symptom and finding, by condition key."""
    return {
        c.key: tuple(matching.words(p) for p in (*c.complaints, *c.symptoms, *c.findings))
        for c in CONDITIONS.values()
    }


def fit(key: str, told: tuple[str, ...]) -> float:
    """Share of the told phrases that a condition's row holds, by most of their words."""
    spoken = [matching.words(p) for p in told]
    held = [any(len(w & f) >= SAME_WORDS * len(w) for f in _features()[key]) for w in spoken if w]
    return sum(held) / max(1, len(held))


def twins(first: Condition, second: Condition) -> bool:
    """Whether two conditions are of one ICD-10 category, so that a story cannot tell them apart."""
    return first.icd10[:3] == second.icd10[:3]


def _could_be(condition: Condition, age: int, sex: Sex) -> bool:
    return condition.sex in (None, sex) and condition.age[0] <= age <= condition.age[1]


def _story(
    condition: Condition, person: Patient, told: tuple[list[str], list[str], list[str]], rng: random.Random
) -> str:
    """The patient in sentences; what is told stays in the order in which it was drawn."""
    symptoms, findings, absent = told
    age = int(person["age_years"])
    sentences = [f"{start(words.who(person))} is seen."]
    named = telling(" ".join((condition.name, *condition.synonyms, "review")))
    if complaints := [c for c in condition.complaints if not telling(c) & named]:
        sentences.append(f"Complaint: {rng.choice(complaints)}.")
    sentences.append(f"History: {', '.join((*symptoms, *absent))}.")
    if findings:
        sentences.append(f"Examination: {', '.join(findings)}.")
    if vitals := _vitals(condition, rng):
        sentences.append(f"Vital signs: {', '.join(vitals)}.")
    if labs := _labs(condition, person["sex"], age, rng):
        sentences.append(f"Laboratory: {', '.join(labs)}.")
    return " ".join(sentences)


@cache
def _allergens(drug: str) -> tuple[str, ...]:
    """Drugs of the formulary an allergy to which rules `drug` out; itself is one."""
    return tuple(
        name
        for name in DRUGS
        if any(v == "CONTRAINDICATED" for v, _ in conflicts_with_allergies(drug, [name]))
    )


def _treatments(row: str) -> tuple[Condition, Treatment]:
    key, place = row.rsplit("#", 1)
    return CONDITIONS[key], CONDITIONS[key].treatments[int(place)]


def _safe_treatment(row: str, rng: random.Random) -> Fact | None:
    condition, treatment = _treatments(row)
    age, sex = _somebody(condition, rng, least_age=18)
    source = rng.choice(_known_allergens(treatment))
    allergen = rng.choice(_allergens(source) or (source,))
    allergy: Allergy = {"substance": allergen, "group": "", "reaction": "anaphylaxis", "severity": "severe"}
    weeks = None
    if sex == "female" and FERTILE[0] <= age <= FERTILE[1] and rng.randrange(PREGNANT_IN) == 0:
        weeks = rng.randint(8, 36)
    person = _patient(age, sex, [allergy], weeks)
    right, passed = suitability.choose(treatment, person, condition.key)
    if right is None or not passed:
        return None
    near = [o.drug for o, _ in passed]
    classes = _classes(o.drug for o in treatment.options)
    kin = [d for d in DRUGS if d not in (*near, right.drug) and classes & set(DRUGS[d].classes)]
    near += [d for d in kin if suitability.hazards(d, person, condition=condition.key)]
    foreign = _foreign(condition, classes)
    story = f"{start(words.who(person))}{f', {weeks} weeks pregnant,' if weeks else ''}"
    why = "; ".join(f"{o.drug} is out ({h[0].reason})" for o, h in passed)
    return Fact(
        kind="safe_treatment",
        slots={
            **named(condition),
            "who": story,
            "who_small": story[:1].lower() + story[1:].rstrip(","),
            "allergy": f"anaphylaxis to {allergen}",
            "purpose": treatment.purpose,
        },
        right=right.drug,
        wrong=pick_names(rng, near, foreign),
        query=f"{condition.name} treatment {treatment.purpose}",
        doc_id=guideline(condition.key, "treatment"),
        holds=(right.drug,),
        lookup=(_compared(condition, near[:1], right.drug),),
        because=f"For {treatment.purpose} {why}, so {right.drug} is the first safe choice.",
        topic=condition.name,
        difficulty="hard",
    )


def _classes(drugs: Iterable[str]) -> set[str]:
    return {c for drug in drugs if drug in DRUGS for c in DRUGS[drug].classes}


def _foreign(condition: Condition, classes: set[str]) -> list[str]:
    """Drugs of the same specialty that are no treatment of the condition, nor of a class of one."""
    used = {o.drug for t in condition.treatments for o in t.options}
    kindred = [c for c in CONDITIONS.values() if c.specialty == condition.specialty]
    drugs = {o.drug for c in kindred for t in c.treatments for o in t.options} & DRUGS.keys()
    pool = drugs if len(drugs) > 8 else set(DRUGS)
    return [d for d in pool if d not in used and not classes & set(DRUGS[d].classes)]


def _compared(condition: Condition, passed: list[str], right: str) -> dict[str, Any]:
    return call("compare_treatments", condition=condition.name, treatments=[*passed, right])


def _told_apart(condition: Condition) -> bool:
    return (
        len(condition.symptoms) >= 3 and len(condition.symptoms) + len(condition.findings) >= FEWEST_FEATURES
    )


def _known_allergens(treatment: Treatment) -> list[str]:
    """Options before the last one whose drug is of a group that allergies are known to."""
    return [o.drug for o in treatment.options[:-1] if o.drug in GROUP]


def _choices(treatment: Treatment) -> bool:
    """Whether an allergy leaves something to choose between, all of it in the formulary."""
    return bool(_known_allergens(treatment)) and {o.drug for o in treatment.options} <= DRUGS.keys()


KINDS: tuple[Kind, ...] = (
    Kind(
        name="diagnosis",
        rows=lambda: [c.key for c in CONDITIONS.values() if _told_apart(c)],
        split=by_key("condition:{}:picture"),
        draw=_diagnosis,
        weight=5,
    ),
    Kind(
        name="safe_treatment",
        rows=lambda: [
            f"{c.key}#{place}"
            for c in CONDITIONS.values()
            for place, treatment in enumerate(c.treatments)
            if _choices(treatment)
        ],
        split=by_key("condition:{}:treatment"),
        draw=_safe_treatment,
        weight=4,
    ),
)
