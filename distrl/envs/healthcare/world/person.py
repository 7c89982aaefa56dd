"""One synthetic patient: frame (age, sex, illnesses), then drugs, blood, signs, story and notes.

condition, Options -> [draw_patient] -> Drawn -> make_database
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass

from distrl.envs.clinical import allergy as allergies
from distrl.envs.clinical import formulary
from distrl.envs.clinical.renal import cockcroft_gault
from distrl.envs.healthcare.world import background, bloods, people, regimen
from distrl.envs.healthcare.world.bloods import Body
from distrl.envs.healthcare.world.chart import notes
from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.frame import Frame
from distrl.envs.healthcare.world.omit import leave_out
from distrl.envs.healthcare.world.options import (
    PREECLAMPSIA_WEEKS,
    Options,
    age_range,
    excluded,
    is_pregnant,
    sex_of,
)
from distrl.envs.healthcare.world.people import ADULT_YEARS
from distrl.envs.healthcare.world.records import (
    Allergy,
    LabResult,
    Medication,
    Patient,
    Problem,
    Sex,
)
from distrl.envs.healthcare.world.reports import reports_for
from distrl.envs.healthcare.world.results import lab_record
from distrl.envs.healthcare.world.signs import vital_record
from distrl.envs.healthcare.world.story import encounters, immunizations, presentation, social

DAYS_A_YEAR = 365.2425
GROWN_FAMILY_YEARS = 45.0  # from here on parents are old enough for the illnesses of age
MONTHS_BELOW = 2.0  # younger than this the age is given in tenths of a year
RANDOM_MISSING = ("height", "pain", "family_history", "immunizations", "social")


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A patient, the results that only an order brings, the texts of imaging and cultures, what it is."""

    condition: str
    patient: Patient
    unmeasured: list[LabResult]
    reports: dict[str, str]


def draw_patient(
    key: str, condition: Condition, options: Options, patient_id: str, now: datetime.datetime, taken: set[str]
) -> Drawn:
    """A patient with the condition. Raises ValueError where the options and the condition fit nobody.

    `taken` holds the names in use and gains this one.
    """
    frame = _frame(key, condition, options, patient_id, now)
    body = _body(frame)
    baseline, touched = _baseline(frame, body)
    problems = _problems(frame, body, baseline)
    listed = _allergies(frame)
    drugs = _medications(frame, body, baseline, problems, listed)
    vitals = vital_record(frame, drugs)
    labs, unmeasured = lab_record(frame, body, baseline, touched, drugs, vitals[-1]["spo2_percent"])
    patient: Patient = {
        "patient_id": patient_id,
        "name": _name(frame, taken),
        "birth_date": frame.birth.isoformat(),
        "age_years": frame.age_years,
        "sex": frame.sex,
        "weight_kg": body.weight_kg,
        "height_cm": body.height_cm,
        "pregnant_weeks": frame.pregnant_weeks,
        "presentation": presentation(frame, {m["drug"] for m in drugs}),
        "problems": problems,
        "allergies": listed,
        "allergies_reviewed": True,
        "medications": drugs,
        "labs": labs,
        "vitals": vitals,
        "notes": [],
        "encounters": encounters(frame),
        "immunizations": immunizations(frame),
        "family_history": _family(frame),
        "social": social(frame),
    }
    hidden = {r["code"] for r in unmeasured}
    left_out = leave_out(patient, frame.missing, now.isoformat(timespec="minutes"))
    unmeasured += [r for r in left_out if r["code"] not in hidden]
    if "notes" not in frame.missing:
        earlier = [e["at"] for e in patient["encounters"][:-1]]
        patient["notes"] = notes(frame.rng("notes"), patient, earlier, patient["encounters"][-1]["at"])
    rate = vitals[-1]["heart_rate_bpm"]
    return Drawn(
        condition=condition.key,
        patient=patient,
        unmeasured=sorted(unmeasured, key=lambda r: r["code"]),
        reports=reports_for(condition.key, frame.chronic, rate),
    )


# --- the frame ---


def _frame(
    key: str, condition: Condition, options: Options, patient_id: str, now: datetime.datetime
) -> Frame:
    rng = random.Random(f"{key}:frame")
    pregnant = is_pregnant(condition, options)
    given = tuple(k for k in dict.fromkeys(options.chronic or ()) if k != condition.key)
    adult = options.renal is not None
    low, high = age_range((condition.key, *given), pregnant=pregnant, adult=adult)
    if options.age is not None and not low <= options.age <= high:
        raise ValueError(f"age={options.age:g}: {condition.key} here is for {low:g} to {high:g} years")
    middle = low + 0.6 * (high - low)
    age = options.age if options.age is not None else rng.triangular(low, high, middle)
    asked = sex_of((condition.key, *given))
    if options.sex is not None and asked is not None and options.sex != asked:
        raise ValueError(f"sex={options.sex!r}: {condition.key} {' '.join(given)} asks for {asked}")
    if pregnant and asked == "male":
        raise ValueError(f"pregnant: {condition.key} {' '.join(given)} asks for a man")
    sex: Sex = options.sex or asked or ("female" if pregnant or rng.random() < 0.5 else "male")
    if pregnant:
        sex = "female"
    age_years = round(age, 1) if age < MONTHS_BELOW else float(int(age))
    chronic = _chronic(rng, condition, given, options, age_years, sex)
    severity = options.severity or rng.choices(("mild", "moderate", "severe"), (25, 50, 25))[0]
    return Frame(
        key=key,
        condition=condition,
        options=options,
        now=now,
        patient_id=patient_id,
        birth=_birth(rng, age_years, now.date()),
        age_years=age_years,
        sex=sex,
        pregnant_weeks=_weeks(rng, condition, options) if pregnant else None,
        chronic=chronic,
        severity=severity,
        missing=_missing(rng, options),
    )


def _weeks(rng: random.Random, condition: Condition, options: Options) -> int:
    if options.pregnant is not None and options.pregnant is not True:
        return int(options.pregnant)
    return rng.randint(PREECLAMPSIA_WEEKS + 4, 37) if condition.key == "preeclampsia" else rng.randint(6, 38)


def _birth(rng: random.Random, age_years: float, today: datetime.date) -> datetime.date:
    """A birth date that gives exactly this age."""
    if age_years < MONTHS_BELOW:
        return today - datetime.timedelta(days=round(age_years * DAYS_A_YEAR))
    years = int(age_years)
    anchor = _years_before(today, years)
    return anchor - datetime.timedelta(days=rng.randrange(1, 364))


def _years_before(day: datetime.date, years: int) -> datetime.date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # 29 February
        return day.replace(year=day.year - years, day=28)


def _missing(rng: random.Random, options: Options) -> tuple[str, ...]:
    if options.missing is not None:
        return options.missing
    return tuple(name for name in RANDOM_MISSING if rng.random() < 0.08)


def _chronic(
    rng: random.Random, condition: Condition, given: tuple[str, ...], options: Options, age: float, sex: Sex
) -> tuple[str, ...]:
    """What the case needs, what was asked for, and where that was left open what is common at this age."""
    held = list(given)

    def fits(key: str) -> bool:
        other = CONDITIONS[key]
        return (
            key not in held
            and key != condition.key
            and other.age[0] <= age <= other.age[1]
            and other.sex in (None, sex)
            and not excluded((condition.key, *held, key))
        )

    needs = background.NEEDS.get(condition.key, ())
    if needs and not set(needs) & set(held):
        possible = [key for key in needs if fits(key)]
        if not possible:
            raise ValueError(
                f"{condition.key} needs {' or '.join(needs)}, which does not fit the other options"
            )
        held.append(possible[0])
    lost = options.renal in ("moderate", "severe") and "end_stage_renal_disease" not in (*held, condition.key)
    if lost and fits("chronic_kidney_disease"):
        held.append("chronic_kidney_disease")
    for key, chance in _likely(condition) if options.chronic is None else ():
        wanted = rng.random() < chance
        kidneys = key in ("chronic_kidney_disease", "end_stage_renal_disease") and options.renal is not None
        if wanted and fits(key) and not kidneys and len(held) < background.MOST_CHRONIC:
            held.append(key)
    return tuple(held)


def _likely(condition: Condition) -> list[tuple[str, float]]:
    """(illness, chance): those that often stand behind the condition first."""
    behind = [(key, 0.45) for key in condition.goes_with if not CONDITIONS[key].acute]
    avoid = set(condition.differential)
    return behind + [(k, p) for k, p in background.COMMON if k not in condition.goes_with and k not in avoid]


# --- the parts ---


def _body(frame: Frame) -> Body:
    height, weight = people.body_size(
        frame.rng("body"), frame.age_years, frame.sex, "obesity" in frame.illnesses
    )
    if frame.pregnant_weeks is not None:
        weight = round(weight + 0.3 * frame.pregnant_weeks, 1)
    return Body(
        sex=frame.sex,
        age_years=frame.age_years,
        weight_kg=weight,
        height_cm=height,
        pregnant_weeks=frame.pregnant_weeks,
    )


def _baseline(frame: Frame, body: Body) -> tuple[bloods.Values, set[str]]:
    """Values outside this visit, and those that a chronic illness sets."""
    rng = frame.rng("baseline")
    values = bloods.healthy(rng, body)
    touched: set[str] = set()
    for key in frame.illnesses:
        touched |= bloods.apply(rng, values, CONDITIONS[key].labs)
        touched |= bloods.apply(rng, values, CONDITIONS[key].unmeasured)
    if frame.options.renal is not None:
        bloods.impaired(rng, values, frame.options.renal, body)
        touched = (touched - {"egfr"}) | {"cr", "bun", "k", "hb", "hco3"}
    elif "egfr" in touched:
        values["cr"] = bloods.creatinine_of(values["egfr"], body)
        touched |= {"cr"}
    return values, touched


def _problems(frame: Frame, body: Body, baseline: bloods.Values) -> list[Problem]:
    rng = frame.rng("problems")
    found: list[Problem] = []
    for key in frame.illnesses:
        known = CONDITIONS[key]
        name, icd10 = known.name, known.icd10
        if key == "chronic_kidney_disease":
            name, icd10 = _stage(bloods.ckd_epi_2021(round(baseline["cr"], 2), body.age_years, body.sex))
        years = min(frame.age_years - max(0.0, known.age[0] - 5), 12.0)
        days = max(120, int(years * 365 * rng.uniform(0.15, 0.9)))
        onset = max(
            frame.now.date() - datetime.timedelta(days=days), frame.birth + datetime.timedelta(days=1)
        )
        found.append(
            {"condition": key, "name": name, "icd10": icd10, "onset": onset.isoformat(), "status": "active"}
        )
    return found


def _stage(egfr: float) -> tuple[str, str]:
    """Name and ICD-10-CM code of chronic kidney disease by eGFR (KDIGO 2024)."""
    for least, stage, code in (
        (60, "2", "N18.2"),
        (45, "3a", "N18.31"),
        (30, "3b", "N18.32"),
        (15, "4", "N18.4"),
    ):
        if egfr >= least:
            return f"Chronic kidney disease stage {stage}", code
    return "Chronic kidney disease stage 5", "N18.5"


def _allergies(frame: Frame) -> list[Allergy]:
    rng = frame.rng("allergies")
    substances = frame.options.allergy
    if substances is None:
        names, weights = zip(*background.ALLERGIES, strict=True)
        count = rng.choices((0, 1, 2), (72, 22, 6))[0]
        drawn = rng.choices(names, weights, k=count)
        by_group = {allergies.GROUP.get(name, name): name for name in drawn}
        substances = tuple(by_group.values())
    found: list[Allergy] = []
    reactions = [r for r in background.REACTIONS if r[0] != frame.condition.key]
    for substance in substances:
        reaction, severity = rng.choice(reactions)
        known = formulary.find(substance)
        name = substance if known is None or substance in allergies.GROUPS else known.name
        group = allergies.GROUP.get(name, name if name in allergies.GROUPS else "")
        found.append({"substance": name, "group": group, "reaction": reaction, "severity": severity})  # type: ignore[typeddict-item]
    return found


def _medications(
    frame: Frame, body: Body, baseline: bloods.Values, problems: list[Problem], listed: list[Allergy]
) -> list[Medication]:
    adult = frame.age_years >= ADULT_YEARS
    creatinine = round(baseline["cr"], 2)
    crcl = cockcroft_gault(body.age_years, body.weight_kg, creatinine, body.sex) if adult else None
    person = regimen.Person(
        sex=frame.sex,
        age_years=frame.age_years,
        weight_kg=body.weight_kg,
        creatinine=creatinine,
        crcl=crcl,
        pregnant_weeks=frame.pregnant_weeks,
        allergies=tuple(listed),
        problems=tuple(problems),
        avoid=frozenset(drug for key in frame.illnesses for drug in CONDITIONS[key].avoid_drugs),
    )
    causes = [background.CAUSES[frame.condition.key]] if frame.condition.key in background.CAUSES else []
    needed = background.CAUSE_NEEDS.get(frame.condition.key)
    if not adult or (needed is not None and needed not in frame.illnesses):
        causes = []
    return regimen.medications(frame.rng("medications"), person, frame.now.date(), causes)


def _family(frame: Frame) -> list[str]:
    rng = frame.rng("family")
    known = background.FAMILY if frame.age_years >= GROWN_FAMILY_YEARS else background.YOUNG_FAMILY
    return rng.sample(known[:-1], rng.choice((1, 2))) if rng.random() < 0.7 else [known[-1]]


def _name(frame: Frame, taken: set[str]) -> str:
    rng = frame.rng("name")
    while True:
        name = f"{rng.choice(people.GIVEN[frame.sex])} {rng.choice(people.FAMILY)}"
        if name not in taken:
            taken.add(name)
            return name
