"""Why the patient is here, earlier visits, vaccinations and circumstances.

Frame -> [presentation, encounters, immunizations, social] -> Patient
"""

from __future__ import annotations

import datetime
import math
import random

from distrl.envs.healthcare.world import people
from distrl.envs.healthcare.world.background import BY_URGENCY, CAUSE_SAID, CAUSES, ONSET
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.frame import Frame
from distrl.envs.healthcare.world.people import ADULT_YEARS
from distrl.envs.healthcare.world.records import Encounter, Immunization, Presentation, Social

SHOWN = 0.75  # share of a condition's phrases that a patient shows
SMOKING_YEARS = 16.0
# Phrases that do not go with an illness of the problem list.
_CLASH: dict[str, tuple[str, ...]] = {
    "atrial_fibrillation": ("regular pulse",),
    "migraine": ("migraine",),
    "migraine_with_aura": ("migraine", "aura"),
    "epilepsy": ("seizure",),
    "asthma": ("wheeze",),
    "copd": ("wheeze", "lungs clear"),
    "depression": ("low mood",),
    "heart_failure": ("no edema",),
    "chronic_kidney_disease": ("no edema",),
    "venous_thromboembolism": (),
}
_WOMEN_ONLY = ("vaginal", "pregnan", "contractions")
_RATED = ("pain", "ache", "dizziness", "nausea", "thirst", "feeling", "tight", "palpitations", "numb")
INFANT_YEARS = 2.0


def presentation(frame: Frame, drugs: set[str]) -> Presentation:
    """The complaint, when it began, and most of the condition's phrases; a cause only if `drugs` has it."""
    rng = frame.rng("story")
    condition = frame.condition
    complaints = condition.complaints or ("a review of the problem list",)
    if condition.acute and not condition.complaints:
        complaints = ("feeling unwell",)
    urgency = BY_URGENCY[condition.urgency] if condition.acute else ("several months ago", "some weeks ago")
    return {
        "complaint": rng.choice(complaints),
        "onset": ONSET.get(condition.key) or rng.choice(urgency),
        "symptoms": _most(rng, _speakable(frame, _caused(frame, condition.symptoms, drugs))),
        "negatives": _most(rng, _agreeing(frame, condition.negatives), least=2),
        "findings": _most(rng, _agreeing(frame, condition.findings), least=2),
    }


def _caused(frame: Frame, phrases: tuple[str, ...], drugs: set[str]) -> tuple[str, ...]:
    """Without the phrase that speaks of a drug which the record does not have."""
    said = CAUSE_SAID.get(frame.condition.key)
    if said is None or CAUSES[frame.condition.key][0].drug in drugs:
        return phrases
    return tuple(p for p in phrases if said not in p)


def _speakable(frame: Frame, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """In infants only what others can see."""
    if frame.age_years >= INFANT_YEARS:
        return phrases
    return tuple(p for p in phrases if not any(word in p for word in _RATED)) or phrases


def _agreeing(frame: Frame, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Without phrases that contradict the problem list or the sex."""
    clash = [word for key in frame.chronic for word in _CLASH.get(key, ())]
    if frame.sex == "male":
        clash += _WOMEN_ONLY
    return tuple(p for p in phrases if not any(word in p for word in clash))


def _most(rng: random.Random, phrases: tuple[str, ...], least: int = 3) -> list[str]:
    """About three quarters, in the table's order."""
    count = min(len(phrases), max(least, math.ceil(SHOWN * len(phrases))))
    kept = sorted(rng.sample(range(len(phrases)), count))
    return [phrases[i] for i in kept]


def encounters(frame: Frame) -> list[Encounter]:
    """Earlier visits, then this one; oldest first."""
    rng = frame.rng("encounters")
    found: list[Encounter] = []
    most = 700 if frame.age_years >= 2 else max(12, int(frame.age_years * 200))
    earlier = sorted((rng.randrange(11, most) for _ in range(rng.choice((1, 1, 2, 3)))), reverse=True)
    reasons = [f"review of {CONDITIONS[k].name}" for k in frame.illnesses] or ["check-up", "vaccination"]
    lived = (frame.now.date() - frame.birth).days
    for days in (d for d in dict.fromkeys(earlier) if d < lived):
        at = frame.now - datetime.timedelta(days=days, minutes=rng.randrange(120))
        found.append(_encounter(frame, len(found) + 1, "outpatient", at, rng.choice(reasons), "clinic"))
    condition = frame.condition
    kind = "emergency" if condition.acute and condition.urgency != "routine" else "outpatient"
    place = "emergency department" if kind == "emergency" else "clinic"
    complaint = frame.rng("story").choice(condition.complaints or ("review",))
    at = frame.now - datetime.timedelta(minutes=10)
    found.append(_encounter(frame, len(found) + 1, kind, at, complaint, place))
    return found


def _encounter(
    frame: Frame, number: int, kind: str, at: datetime.datetime, reason: str, place: str
) -> Encounter:
    return {
        "encounter_id": f"{frame.patient_id}-E{number:02d}",
        "kind": kind,  # type: ignore[typeddict-item]
        "at": at.isoformat(timespec="minutes"),
        "reason": reason,
        "location": place,
    }


def immunizations(frame: Frame) -> list[Immunization]:
    """Some of the vaccines of that age, with dates in life."""
    rng = frame.rng("immunizations")
    age, found = frame.age_years, []
    plan: list[tuple[str, float, int, int]] = [("influenza", 0.55, 20, 500)]
    if age >= ADULT_YEARS:
        plan += [("Td", 0.6, 300, 5000), ("COVID-19", 0.6, 60, 900)]
        plan += [("pneumococcal conjugate (PCV20)", 0.5, 100, 1500)] if age >= 65 else []
        plan += [("recombinant zoster", 0.4, 100, 1500)] if age >= 55 else []
    elif age >= 1.5:
        plan += [
            ("measles-mumps-rubella", 0.9, 60, int(max(61, (age - 1) * 365))),
            ("DTaP", 0.9, 60, int(age * 300)),
        ]
    if age < 0.6:
        plan = []
    for vaccine, chance, least, most in plan:
        wanted, days = rng.random() < chance, rng.randrange(least, max(least + 1, most))
        at = frame.now.date() - datetime.timedelta(days=days)
        if wanted and at > frame.birth + datetime.timedelta(days=42):
            found.append(Immunization(vaccine=vaccine, at=at.isoformat()))
    return sorted(found, key=lambda i: i["at"])


def social(frame: Frame) -> Social:
    """Circumstances; children neither smoke nor drink."""
    rng = frame.rng("social")
    if frame.age_years < SMOKING_YEARS:
        return {
            "smoking": "never",
            "pack_years": 0.0,
            "drinks_per_week": 0.0,
            "occupation": "pupil" if frame.age_years >= 6 else "none",
            "living": "with family",
        }
    smoker = "copd" in frame.illnesses or frame.condition.key == "copd_exacerbation"
    smoking = rng.choices(("never", "former", "current"), (0, 60, 40) if smoker else (55, 28, 17))[0]
    years = frame.age_years - SMOKING_YEARS
    pack_years = 0.0 if smoking == "never" else float(max(1, round(years * rng.uniform(0.15, 0.7))))
    drinks = float(rng.choice((0, 0, 1, 2, 4, 6))) if frame.pregnant_weeks is None else 0.0
    if "alcohol_use_disorder" in frame.illnesses:
        drinks = float(rng.randint(24, 60))
    asked = rng.random() > 0.15
    retired = frame.age_years >= 68
    return {
        "smoking": smoking,  # type: ignore[typeddict-item]
        "pack_years": pack_years if asked or smoking == "never" else None,
        "drinks_per_week": drinks if asked else None,
        "occupation": ("retired " if retired else "") + rng.choice(people.JOBS),
        "living": rng.choice(people.LIVING),
    }
