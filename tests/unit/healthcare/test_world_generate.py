"""Generated databases: the same seed gives the same bytes, options hold, impossible ones are refused."""

import datetime
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.clinical import allergy
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.labs import CODE
from distrl.envs.healthcare.world.state import digest


def target(seed, condition, **options):
    db = make_database(seed, condition, others=0, **options)
    return db["patients"][target_of(db)], db


def test_same_seed_gives_the_same_bytes():
    first, second = (json.dumps(make_database(7, "stemi", allergy="aspirin")) for _ in range(2))
    assert first == second


def test_digest_of_a_known_seed_is_stable_within_a_process_and_differs_by_seed():
    digests = {digest(make_database(seed, "cystitis", others=1)) for seed in range(8)}
    assert len(digests) == 8


def test_target_is_one_of_the_patients_and_others_come_beside():
    db = make_database(3, "gout_flare", others=4)
    assert len(db["patients"]) == 5 and target_of(db) in db["patients"]
    assert db["orders"] == db["prescriptions"] == db["diagnoses"] == db["referrals"] == []


def test_place_of_the_target_gives_nothing_away():
    places = {
        list(db["patients"]).index(target_of(db)) for db in (make_database(s, "stemi") for s in range(25))
    }
    assert len(places) >= 4


def test_every_condition_makes_a_patient():
    for key, condition in CONDITIONS.items():
        patient, db = target(1, key)
        held = {p["condition"] for p in patient["problems"]}
        assert (key in held) != condition.acute
        assert json.loads(json.dumps(db)) == db


@given(st.integers(0, 10**9), st.sampled_from(cases()), st.sampled_from(["mild", "moderate", "severe"]))
@settings(max_examples=12, deadline=None)
def test_any_seed_and_severity_makes_a_patient(seed, condition, severity):
    patient, _ = target(seed, condition, severity=severity)
    assert patient["notes"] and patient["encounters"]


@pytest.mark.parametrize("age", [0, 0.2, 1, 4, 9, 40, 80, 95])
def test_age_is_as_asked(age):
    patient, _ = target(5, "bronchiolitis" if age < 1 else "gastroenteritis", age=age)
    assert patient["age_years"] == pytest.approx(age, abs=0.11)


@pytest.mark.parametrize("substance", [*allergy.GROUPS[:20], "amoxicillin", "latex"])
def test_allergy_is_as_asked(substance):
    patient, _ = target(2, "pyelonephritis", allergy=substance)
    (entry,) = patient["allergies"]
    assert entry["substance"] == substance
    assert entry["group"] == allergy.GROUP.get(substance, substance)


def test_no_allergy_is_asked_and_denied():
    patient, _ = target(2, "pyelonephritis", allergy="none")
    assert patient["allergies"] == [] and patient["allergies_reviewed"]


@pytest.mark.parametrize(
    ("tier", "low", "high"), [("mild", 60, 90), ("moderate", 30, 60), ("severe", 15, 30)]
)
def test_renal_tier_is_as_asked(tier, low, high):
    for seed in range(6):
        patient, _ = target(seed, "cellulitis", renal=tier, age=60)
        egfr = [r["value"] for r in patient["labs"] if r["code"] == CODE["egfr"]]
        assert egfr and all(low - 3 <= value < high + 3 for value in egfr)
        held = {p["condition"] for p in patient["problems"]}
        assert ("chronic_kidney_disease" in held) >= (tier != "mild")


def test_pregnancy_is_as_asked_and_shows_in_hcg():
    patient, db = target(4, "pyelonephritis", pregnant=24, age=29)
    assert (patient["sex"], patient["pregnant_weeks"], patient["age_years"]) == ("female", 24, 29)
    hcg = [r["value"] for r in db["unmeasured"][target_of(db)] if r["code"] == CODE["hcg"]]
    assert not hcg or hcg[0] > 1000


def test_severity_moves_the_signs_away_from_health():
    rates = {
        severity: sum(
            target(s, "sepsis_urinary", severity=severity)[0]["vitals"][-1]["systolic_mmhg"]
            for s in range(12)
        )
        for severity in ("mild", "severe")
    }
    assert rates["severe"] < rates["mild"]


def test_chronic_illness_is_as_asked():
    patient, _ = target(6, "stemi", chronic=["diabetes_type_2", "copd"])
    assert {p["condition"] for p in patient["problems"]} == {"diabetes_type_2", "copd"}


@pytest.mark.parametrize(
    "name",
    ["weight", "temperature", "blood_pressure", "vitals", "labs", "creatinine", "allergies", "medications"],
)
def test_what_is_missing_is_absent(name):
    patient, db = target(8, "community_acquired_pneumonia", missing=name, age=60)
    hidden = {r["code"] for r in db["unmeasured"][target_of(db)]}
    codes = {r["code"] for r in patient["labs"]}
    absent = {
        "weight": patient["weight_kg"] is None,
        "temperature": all(v["temperature_c"] is None for v in patient["vitals"]),
        "blood_pressure": all(v["systolic_mmhg"] is v["diastolic_mmhg"] is None for v in patient["vitals"]),
        "vitals": patient["vitals"] == [],
        "labs": patient["labs"] == [] and CODE["wbc"] in hidden,
        "creatinine": CODE["cr"] not in codes and CODE["cr"] in hidden,
        "allergies": patient["allergies"] == [] and not patient["allergies_reviewed"],
        "medications": patient["medications"] == [],
    }
    assert absent[name]


def test_missing_weight_is_not_in_the_notes():
    for seed in range(5):
        patient, _ = target(seed, "cellulitis", missing=["weight", "vitals", "allergies"])
        told = " ".join(n["text"] for n in patient["notes"])
        assert " kg" not in told and "mmHg" not in told and "No known drug allergies" not in told


def test_an_order_can_bring_the_deciding_result_to_light():
    patient, db = target(1, "stemi")
    hidden = {r["code"]: r["value"] for r in db["unmeasured"][target_of(db)]}
    assert hidden[CODE["trop"]] > 100 and CODE["trop"] not in {r["code"] for r in patient["labs"]}
    assert "ST elevation" in db["extra"]["reports"][target_of(db)]["ECG"]


@pytest.mark.parametrize(
    ("condition", "options", "says"),
    [
        ("plague", {}, "not in the condition table"),
        ("stemi", {"age": 3}, "is for"),
        ("stemi", {"age": 130}, "0 to 100"),
        ("bph", {"sex": "female"}, "asks for male"),
        ("bph", {"pregnant": True}, "no age fits|asks for a man"),
        ("cystitis", {"pregnant": True, "sex": "male"}, "sex='male'"),
        ("croup", {"pregnant": 20}, "no age fits"),
        ("preeclampsia", {"pregnant": 10}, "week 20"),
        ("preeclampsia", {"pregnant": False}, "illness of pregnancy"),
        ("stemi", {"allergy": "moonlight"}, "neither a drug"),
        ("stemi", {"chronic": "stemi"}, "no chronic condition"),
        ("stemi", {"chronic": ["diabetes_type_1", "diabetes_type_2"]}, "exclude each other"),
        ("stemi", {"chronic": ["bph"], "sex": "female"}, "asks for male"),
        ("croup", {"renal": "severe"}, "no age fits"),
        ("stemi", {"renal": "awful"}, "none, mild"),
        ("stemi", {"missing": "soul"}, "missing='soul'"),
        ("stemi", {"height": 3}, "unknown option"),
        ("stemi", {"others": -1}, "others=-1"),
    ],
)
def test_impossible_wishes_are_refused_with_the_reason(condition, options, says):
    with pytest.raises(ValueError, match=says):
        make_database(1, condition, **options)


def test_dates_are_in_order():
    patient, db = target(11, "gerd")
    now = db["now"]
    assert datetime.datetime.fromisoformat(now)
    for rows in (patient["labs"], patient["vitals"], patient["encounters"], patient["notes"]):
        assert [r["at"] for r in rows] == sorted(r["at"] for r in rows) and rows[-1]["at"] <= now


def test_task_worlds_become_databases():
    drawn = database_of({"seed": 5, "condition": "gerd", "options": {"others": 1}})
    assert drawn == make_database(5, "gerd", others=1)
    drawn["patients"].clear()
    assert len(database_of({"seed": 5, "condition": "gerd", "options": {"others": 1}})["patients"]) == 2
    kept = database_of({"database": drawn})
    assert kept == drawn and kept is not drawn
    assert database_of({})["patients"] == {}
