"""Generated databases break no rule of plausibility, and every rule fires on a planted breach."""

import copy
import random

import pytest

from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.labs import CODE
from distrl.envs.healthcare.world.plausible import plausible
from distrl.envs.healthcare.world.rule import RULES

SEEDS = 300


def test_there_are_enough_rules():
    assert len(RULES) >= 30


def test_hundreds_of_seeds_are_plausible():
    keys = [*CONDITIONS, *cases()]
    for seed in range(SEEDS):
        key = keys[seed % len(keys)]
        assert plausible(make_database(seed, key, others=0)) == [], (seed, key)


def test_databases_of_many_options_are_plausible():
    rng = random.Random(5)
    made = 0
    while made < 60:
        options = {
            "age": rng.choice((None, 1, 7, 30, 85)),
            "pregnant": rng.choice((None, None, True, 12)),
            "renal": rng.choice((None, None, "mild", "severe")),
            "severity": rng.choice((None, "mild", "severe")),
            "chronic": rng.choice((None, None, [rng.choice(cases(acute=False))])),
            "missing": rng.choice((None, ["labs"], ["weight", "temperature"], ["medications", "notes"])),
        }
        key, seed = rng.choice(cases()), rng.randrange(10**6)
        try:
            db = make_database(seed, key, others=1, **options)
        except ValueError:
            continue
        made += 1
        assert plausible(db) == [], (seed, key, options)


# A patient that has everything the breaches touch: drugs, an allergy, notes, all the samples.
ADULT = make_database(
    21,
    "community_acquired_pneumonia",
    others=1,
    age=58,
    sex="female",
    allergy="penicillin",
    chronic=["diabetes_type_2", "hypertension", "chronic_kidney_disease"],
    missing=(),
)
CHILD = make_database(4, "croup", others=1, age=3, missing=())
INFANT = make_database(4, "bronchiolitis", others=0, age=0.6, missing=())


def _set(rows, code, **values):
    for row in rows:
        if row["code"] == CODE[code]:
            row.update(values)
            return
    raise AssertionError(f"{code} is not there to be broken")


def _drug(**values):
    drug = {"drug": "amlodipine", "dose": 5, "dose_unit": "mg", "route": "oral", "doses_per_day": 1,
            "since": "2030-01-01", "indication": "", "status": "active"}  # fmt: skip
    return {**drug, **values}


def _problem(**values):
    return {
        "condition": "gerd",
        "name": "x",
        "icd10": "K21.9",
        "onset": "2030-01-01",
        "status": "active",
        **values,
    }


def _lab(code, value, at):
    return {
        "code": CODE[code],
        "name": code,
        "panel": "",
        "value": value,
        "unit": "",
        "low": None,
        "high": None,
        "at": at,
    }


def _rekey(p, h, db):
    db["patients"]["P999"] = db["patients"].pop(p["patient_id"])


def _same_id(p, key, field):
    p[key].append(copy.deepcopy(p[key][0]) | {"at": p[key][-1]["at"]})
    assert p[key][0][field] == p[key][-1][field]


def _other(p, db):
    return next(q for q in db["patients"].values() if q is not p)


def _today(p):
    return [r for r in p["labs"] if r["at"] == p["labs"][-1]["at"]]


BREACHES = {
    # who
    "names_are_unique": lambda p, h, db: p.update(name=_other(p, db)["name"]),
    "note_ids_are_unique": lambda p, h, db: _same_id(p, "notes", "note_id"),
    "encounter_ids_are_unique": lambda p, h, db: _same_id(p, "encounters", "encounter_id"),
    "age_fits_the_birth_date": lambda p, h, db: p.update(age_years=44.0),
    "age_is_human": lambda p, h, db: p.update(age_years=140.0),
    "height_fits_age": lambda p, h, db: p.update(height_cm=95.0),
    "weight_fits_age": lambda p, h, db: p.update(weight_kg=9.0),
    "body_mass_index_is_possible": lambda p, h, db: p.update(weight_kg=30.0),
    "pregnancy_is_possible": lambda p, h, db: p.update(pregnant_weeks=12),
    "problems_are_known": lambda p, h, db: p["problems"].append(_problem(condition="melancholy")),
    "problems_are_listed_once": lambda p, h, db: p["problems"].append(copy.deepcopy(p["problems"][0])),
    "problems_fit_age_and_sex": lambda p, h, db: p["problems"].append(
        _problem(condition="bph", icd10="N40.1")
    ),
    "problems_go_together": lambda p, h, db: p["problems"].append(
        _problem(condition="diabetes_type_1", icd10="E10.9")
    ),
    "the_answer_is_not_on_the_problem_list": lambda p, h, db: p["problems"].append(
        _problem(condition="community_acquired_pneumonia", icd10="J18.9")
    ),
    "onset_is_in_life_and_past": lambda p, h, db: p["problems"][0].update(onset="2050-01-01"),
    "unreviewed_allergies_are_empty": lambda p, h, db: p.update(allergies_reviewed=False),
    "allergy_group_is_that_of_the_substance": lambda p, h, db: p["allergies"][0].update(group="sulfa"),
    "encounters_are_in_order": lambda p, h, db: p["encounters"].reverse(),
    "vaccinations_are_in_life_and_past": lambda p, h, db: p["immunizations"].append(
        {"vaccine": "flu", "at": "2050-01-01"}
    ),
    "notes_are_of_the_past": lambda p, h, db: p["notes"][0].update(at="2050-01-01T08:00"),
    "notes_agree_on_allergies": lambda p, h, db: p["notes"][-1].update(text="No known drug allergies."),
    "notes_do_not_name_the_answer": lambda p, h, db: p["notes"][-1].update(
        text="Penicillin. Lobar pneumonia."
    ),
    "smoking_is_consistent": lambda p, h, db: p["social"].update(smoking="never", pack_years=20.0),
    "reports_are_of_known_tests": lambda p, h, db: db["extra"]["reports"][p["patient_id"]].update(
        {"Palm reading": "x"}
    ),
    "key_is_the_patient_id": _rekey,
    # signs and blood
    "diastolic_is_below_systolic": lambda p, h, db: p["vitals"][-1].update(
        diastolic_mmhg=138, systolic_mmhg=120
    ),
    "vital_signs_are_survivable": lambda p, h, db: p["vitals"][-1].update(heart_rate_bpm=400),
    "vital_signs_are_in_order": lambda p, h, db: p["vitals"].reverse(),
    "vital_signs_fit_the_condition": lambda p, h, db: p["vitals"][-1].update(temperature_c=36.0),
    "labs_are_of_the_table": lambda p, h, db: _set(p["labs"], "k", unit="furlongs"),
    "labs_are_of_the_past": lambda p, h, db: _set(p["labs"], "k", at="2050-01-01T08:00"),
    "one_result_a_sample": lambda p, h, db: p["labs"].append(copy.deepcopy(p["labs"][-1])),
    "reference_ranges_are_of_age_and_sex": lambda p, h, db: _set(p["labs"], "hb", low=20.0),
    "lab_values_are_survivable": lambda p, h, db: _set(p["labs"], "k", value=30.0),
    "anion_gap_adds_up": lambda p, h, db: _set(p["labs"], "cl", value=80.0),
    "egfr_follows_creatinine": lambda p, h, db: _set(p["labs"], "egfr", value=12.0),
    "hematocrit_is_three_times_hemoglobin": lambda p, h, db: _set(p["labs"], "hct", value=20.0),
    "red_cells_give_the_hematocrit": lambda p, h, db: _set(p["labs"], "rbc", value=8.0),
    "white_cells_hold_their_kinds": lambda p, h, db: _set(p["labs"], "neut", value=60.0),
    "direct_bilirubin_is_a_part": lambda p, h, db: _set(h, "dbili", value=9.0),
    "albumin_is_a_part_of_protein": lambda p, h, db: _set(h, "tp", value=2.0),
    "ldl_is_friedewald": lambda p, h, db: _set([*p["labs"], *h], "ldl", value=300.0),
    "ph_is_henderson_hasselbalch": lambda p, h, db: _set(h, "ph", value=7.0),
    "bicarbonates_agree": lambda p, h, db: _set(h, "ahco3", value=45.0),
    "osmolality_adds_up": lambda p, h, db: h.append(_lab("sosm", 400.0, db["now"])),
    "saturation_is_iron_over_binding": lambda p, h, db: h.extend(
        [_lab("fe", 100.0, db["now"]), _lab("tibc", 300.0, db["now"]), _lab("tsat", 90.0, db["now"])]
    ),
    "prothrombin_time_follows_inr": lambda p, h, db: _set(h, "pt", value=40.0),
    "oxygen_follows_saturation": lambda p, h, db: _set(h, "po2", value=130.0),
    "labs_show_the_condition": lambda p, h, db: _set(h, "crp", value=1.0),
    "hcg_tells_pregnancy": lambda p, h, db: h.append(_lab("hcg", 20000.0, db["now"])),
    "kidney_disease_shows_in_egfr": lambda p, h, db: _set(_today(p), "egfr", value=120.0),
    "diabetes_shows_in_a1c": lambda p, h, db: _set([*p["labs"], *h], "a1c", value=4.2),
    # drugs
    "drugs_are_of_the_formulary": lambda p, h, db: p["medications"].append(_drug(drug="nectar")),
    "drugs_are_listed_once": lambda p, h, db: p["medications"].extend([_drug(), _drug()]),
    "no_drug_against_an_allergy": lambda p, h, db: p["medications"].append(
        _drug(drug="amoxicillin", dose=500)
    ),
    "doses_are_within_limits": lambda p, h, db: p["medications"].append(_drug(dose=500)),
    "doses_are_positive": lambda p, h, db: p["medications"].append(_drug(dose=0)),
    "drugs_began_in_life_and_past": lambda p, h, db: p["medications"].append(_drug(since="2050-01-01")),
    "no_harmful_drug_in_pregnancy": lambda p, h, db: (
        p.update(pregnant_weeks=12),
        p["medications"].append(_drug(drug="lisinopril", dose=10)),
    ),
    "no_contraindicated_pair": lambda p, h, db: p["medications"].extend(
        [_drug(drug="simvastatin", dose=20), _drug(drug="ketoconazole", dose=200)]
    ),
    "drug_levels_only_in_who_takes_it": lambda p, h, db: (
        p["medications"].append(_drug()),
        h.append(_lab("lith", 0.8, db["now"])),
    ),
    "warfarin_shows_in_the_inr": lambda p, h, db: p["medications"].append(_drug(drug="warfarin")),
}


def _against_a_problem(p, h, db):
    p["problems"].append(_problem(condition="angioedema_history", icd10="T78.3XXD"))
    p["medications"].append(_drug(drug="lisinopril", dose=10))


BREACHES["no_drug_against_a_problem"] = _against_a_problem
OF_CHILDREN = {
    "no_egfr_in_children": (
        CHILD,
        lambda p, h, db: p["labs"].append(_lab("egfr", 90.0, p["vitals"][-1]["at"])),
    ),
    "infants_do_not_rate_pain": (INFANT, lambda p, h, db: p["vitals"][-1].update(pain_0_10=4)),
}


def broken(source, breach):
    db = copy.deepcopy(source)
    patient = db["patients"][target_of(db)]
    breach(patient, db["unmeasured"][target_of(db)], db)
    return {line.split(":")[0] for line in plausible(db)}


def test_every_rule_has_a_planted_breach():
    assert set(BREACHES) | set(OF_CHILDREN) == set(RULES)


def test_unbroken_patients_break_nothing():
    assert [plausible(db) for db in (ADULT, CHILD, INFANT)] == [[], [], []]


@pytest.mark.parametrize("name", BREACHES)
def test_planted_breach_is_found(name):
    assert name in broken(ADULT, BREACHES[name])


@pytest.mark.parametrize("name", OF_CHILDREN)
def test_planted_breach_in_a_child_is_found(name):
    source, breach = OF_CHILDREN[name]
    assert name in broken(source, breach)
