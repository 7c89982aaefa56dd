"""Rules on who the patient is, on dates, identifiers, problems and circumstances."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from distrl.envs.clinical import allergy as allergies
from distrl.envs.healthcare.world import people
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import TEXT_TESTS
from distrl.envs.healthcare.world.options import excluded
from distrl.envs.healthcare.world.people import ADULT_YEARS, at_age
from distrl.envs.healthcare.world.rule import Case, rule

FERTILE = (12.0, 55.0)
BMI = (13.0, 60.0)


@rule
def key_is_the_patient_id(case: Case) -> Iterator[str]:
    if case.db["patients"].get(case.pid) is not case.patient:
        yield f"filed under another key than {case.pid}"


@rule
def names_are_unique(case: Case) -> Iterator[str]:
    same = [p for p in case.db["patients"].values() if p["name"] == case.patient["name"]]
    if len(same) > 1 or not case.patient["name"].strip():
        yield f"name {case.patient['name']!r} is empty or taken"


@rule
def note_ids_are_unique(case: Case) -> Iterator[str]:
    every = [n["note_id"] for p in case.db["patients"].values() for n in p["notes"]]
    for note in case.patient["notes"]:
        if every.count(note["note_id"]) > 1:
            yield f"note {note['note_id']} twice"


@rule
def encounter_ids_are_unique(case: Case) -> Iterator[str]:
    every = [e["encounter_id"] for p in case.db["patients"].values() for e in p["encounters"]]
    for visit in case.patient["encounters"]:
        if every.count(visit["encounter_id"]) > 1:
            yield f"encounter {visit['encounter_id']} twice"


@rule
def age_fits_the_birth_date(case: Case) -> Iterator[str]:
    birth = datetime.date.fromisoformat(case.patient["birth_date"])
    days = (datetime.date.fromisoformat(case.db["now"][:10]) - birth).days
    age = case.patient["age_years"]
    if days < 0 or not -0.06 <= days / 365.2425 - age < 1.01:
        yield f"age {age:g} with birth date {birth}"


@rule
def age_is_human(case: Case) -> Iterator[str]:
    if not 0 <= case.patient["age_years"] <= 101:
        yield f"age {case.patient['age_years']}"


@rule
def height_fits_age(case: Case) -> Iterator[str]:
    height, age, sex = case.patient["height_cm"], case.patient["age_years"], case.patient["sex"]
    if height is None:
        return
    middle = at_age(people.HEIGHT[sex], age)
    if not 0.85 * middle <= height <= 1.16 * middle:
        yield f"height {height:g} cm at {age:g} years"


@rule
def weight_fits_age(case: Case) -> Iterator[str]:
    weight, age, sex = case.patient["weight_kg"], case.patient["age_years"], case.patient["sex"]
    if weight is None:
        return
    middle = at_age(people.WEIGHT[sex], age)
    low, high = (0.7, 1.9) if age < ADULT_YEARS else (0.5, 3.0)
    if not low * middle <= weight <= high * middle:
        yield f"weight {weight:g} kg at {age:g} years"


@rule
def body_mass_index_is_possible(case: Case) -> Iterator[str]:
    weight, height = case.patient["weight_kg"], case.patient["height_cm"]
    if weight is None or height is None or case.patient["age_years"] < ADULT_YEARS:
        return
    bmi = weight / (height / 100) ** 2
    if not BMI[0] <= bmi <= BMI[1]:
        yield f"body mass index {bmi:.1f}"
    if bmi < 29.5 and any(p["condition"] == "obesity" for p in case.patient["problems"]):
        yield f"obesity with a body mass index of {bmi:.1f}"


@rule
def pregnancy_is_possible(case: Case) -> Iterator[str]:
    weeks, age = case.patient["pregnant_weeks"], case.patient["age_years"]
    if weeks is None:
        return
    if case.patient["sex"] != "female" or not FERTILE[0] <= age <= FERTILE[1]:
        yield f"pregnant {case.patient['sex']} of {age:g} years"
    if not 1 <= weeks <= 43:
        yield f"{weeks} weeks pregnant"


@rule
def problems_are_known(case: Case) -> Iterator[str]:
    for problem in case.patient["problems"]:
        known = CONDITIONS.get(problem["condition"])
        if known is None:
            yield f"problem {problem['condition']!r}"
        elif problem["icd10"].split(".")[0] != known.icd10.split(".")[0]:
            yield f"{problem['condition']} with ICD-10 {problem['icd10']}"


@rule
def problems_are_listed_once(case: Case) -> Iterator[str]:
    keys = [p["condition"] for p in case.patient["problems"] if p["status"] == "active"]
    yield from (f"problem {key} twice" for key in sorted({k for k in keys if keys.count(k) > 1}))


@rule
def problems_fit_age_and_sex(case: Case) -> Iterator[str]:
    for key in (p["condition"] for p in case.patient["problems"]):
        known = CONDITIONS.get(key)
        if known is None:
            continue
        if not known.age[0] - 1 <= case.patient["age_years"] <= known.age[1] + 1:
            yield f"{key} at {case.patient['age_years']:g} years"
        if known.sex not in (None, case.patient["sex"]):
            yield f"{key} in a {case.patient['sex']} patient"


@rule
def problems_go_together(case: Case) -> Iterator[str]:
    keys = [p["condition"] for p in case.patient["problems"]]
    if pair := excluded(keys):
        yield f"{pair} exclude each other"


@rule
def the_answer_is_not_on_the_problem_list(case: Case) -> Iterator[str]:
    known = CONDITIONS.get(case.condition)
    if (
        known is not None
        and known.acute
        and any(p["condition"] == known.key for p in case.patient["problems"])
    ):
        yield f"{known.key} is on the problem list"


@rule
def onset_is_in_life_and_past(case: Case) -> Iterator[str]:
    for problem in case.patient["problems"]:
        if not case.patient["birth_date"] <= problem["onset"] <= case.db["now"][:10]:
            yield f"{problem['condition']} since {problem['onset']}"


@rule
def unreviewed_allergies_are_empty(case: Case) -> Iterator[str]:
    if not case.patient["allergies_reviewed"] and case.patient["allergies"]:
        yield "allergies listed though nobody has asked"


@rule
def allergy_group_is_that_of_the_substance(case: Case) -> Iterator[str]:
    for entry in case.patient["allergies"]:
        name = entry["substance"]
        group = allergies.GROUP.get(name, name if name in allergies.GROUPS else "")
        if entry["group"] != group:
            yield f"{name} in group {entry['group']!r}"


@rule
def encounters_are_in_order(case: Case) -> Iterator[str]:
    times = [e["at"] for e in case.patient["encounters"]]
    if times != sorted(times) or any(not case.patient["birth_date"] <= t <= case.db["now"] for t in times):
        yield "encounters out of order, before birth or in the future"


@rule
def vaccinations_are_in_life_and_past(case: Case) -> Iterator[str]:
    for given in case.patient["immunizations"]:
        if not case.patient["birth_date"] < given["at"] <= case.db["now"]:
            yield f"{given['vaccine']} at {given['at']}"


@rule
def notes_are_of_the_past(case: Case) -> Iterator[str]:
    for note in case.patient["notes"]:
        if not case.patient["birth_date"] <= note["at"] <= case.db["now"]:
            yield f"note of {note['at']}"


@rule
def notes_agree_on_allergies(case: Case) -> Iterator[str]:
    entries, asked = case.patient["allergies"], case.patient["allergies_reviewed"]
    for note in case.patient["notes"]:
        if note["kind"] not in ("admission", "nursing"):
            continue
        if "No known drug allergies" in note["text"] and (entries or not asked):
            yield f"note {note['note_id']} denies allergies"
        absent = [e["substance"] for e in entries if e["substance"] not in note["text"]]
        if absent:
            yield f"note {note['note_id']} leaves out {absent[0]}"


@rule
def notes_do_not_name_the_answer(case: Case) -> Iterator[str]:
    known = CONDITIONS.get(case.condition)
    if known is None or not known.acute:
        return
    held = " ".join(p["name"].lower() for p in case.patient["problems"])
    for note in case.patient["notes"]:
        for name in (known.name, *known.synonyms):
            if len(name) > 4 and name.lower() in note["text"].lower() and name.lower() not in held:
                yield f"note {note['note_id']} says {name!r}"


@rule
def smoking_is_consistent(case: Case) -> Iterator[str]:
    habits, age = case.patient["social"], case.patient["age_years"]
    if habits["smoking"] == "never" and habits["pack_years"]:
        yield f"never smoked, {habits['pack_years']:g} pack-years"
    if age < 12 and (habits["smoking"] in ("current", "former") or habits["drinks_per_week"]):
        yield f"smokes or drinks at {age:g} years"


@rule
def reports_are_of_known_tests(case: Case) -> Iterator[str]:
    every = case.db.get("extra", {}).get("reports", {})
    own = every.get(case.pid, {}) if isinstance(every, dict) else {}
    for test, text in own.items():
        if test not in TEXT_TESTS or not str(text).strip():
            yield f"report {test!r}"
