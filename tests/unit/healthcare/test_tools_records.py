"""Reading and changing a record: missing is said, orders bring results, prescriptions carry alerts."""

import json
from typing import Any

import pytest
from tools_harness import allergy, answer, database, lab, medication, person, problem, run, vitals

from distrl.envs.healthcare.tools.clinical_diagnosis import TOOLS
from distrl.envs.healthcare.world.records import Database
from distrl.envs.toolkit import EpisodeState


def prescribe(
    db: Database, drug: str, dose: float, unit: str = "mg", route: str = "oral", **more: Any
) -> Any:
    return answer(
        TOOLS,
        "prescribe_medication",
        db,
        patient_id="P001",
        drug_name=drug,
        dose=dose,
        dose_unit=unit,
        route=route,
        doses_per_day=more.pop("doses_per_day", 1),
        **more,
    )


def kinds(prescription: Any) -> set[str]:
    return {alert.split(" (")[0] for alert in prescription["alerts"]}


def test_a_sign_that_was_not_taken_is_missing_and_not_normal() -> None:
    db = database(person(vitals=[vitals(spo2_percent=None)]))
    found = answer(TOOLS, "get_vital_signs", db, patient_id="P001")
    assert "spo2" not in found and "spo2: not taken" in found["missing"]
    assert found["heart_rate"] == {"value": 110, "unit": "beats/min"}


def test_the_trend_runs_from_the_oldest_set_to_the_newest() -> None:
    db = database(person(vitals=[vitals("2031-03-04T09:00", heart_rate_bpm=130), vitals("2031-03-04T05:00")]))
    trend = answer(TOOLS, "get_vital_signs_trend", db, patient_id="P001")["trend"]["heart_rate"]
    assert [v["value"] for v in trend["values"]] == [110, 130]
    assert (trend["change"], trend["direction"]) == (20, "rising")


def test_a_lab_has_unit_range_and_flag_and_what_was_not_done_is_said() -> None:
    db = database(person(labs=[lab("k", 6.1), lab("k", 4.4, "2031-03-01T08:00"), lab("na", 140)]))
    found = answer(TOOLS, "get_lab_results", db, patient_id="P001")
    potassium = next(r for r in found["results"][0]["values"] if r["test"] == "Potassium")
    assert (potassium["value"], potassium["unit"], potassium["flag"]) == (6.1, "mmol/L", "high")
    assert potassium["earlier"] == ["4.4 on 2031-03-01"] and found["results"][0]["at"] == "2031-03-04T08:00"
    assert "Complete Blood Count" in found["panels_without_result"]
    assert "Basic Metabolic Panel" not in found["panels_without_result"]
    none = answer(TOOLS, "get_lab_results", db, patient_id="P001", test="troponin")
    assert none["results"] == [] and "not normal" in none["missing"][0]


def test_allergies_that_nobody_asked_about_are_unknown_and_not_none() -> None:
    unasked = database(person(allergies_reviewed=False))
    for tool in ("get_patient_info", "get_allergy_list"):
        assert any("unknown" in m for m in answer(TOOLS, tool, unasked, patient_id="P001")["missing"])
    asked = answer(TOOLS, "get_allergy_list", database(), patient_id="P001")
    assert asked["missing"] == [] and asked["note"] == "asked and none known"


def test_an_allergy_names_the_drugs_that_it_rules_out() -> None:
    db = database(person(allergies=[allergy("penicillin", "penicillin")]))
    found = answer(TOOLS, "get_allergy_list", db, patient_id="P001")["allergies"][0]
    assert "amoxicillin" in found["contraindicated_drugs"]
    assert "ceftriaxone" in found["caution_drugs"]
    assert "azithromycin" not in found["contraindicated_drugs"] + found["caution_drugs"]


def test_a_vaccine_is_due_by_age_and_by_its_last_date() -> None:
    given = [
        {"vaccine": "Influenza, seasonal", "at": "2029-10-01"},
        {"vaccine": "Tdap", "at": "2028-05-01"},
    ]
    due = answer(TOOLS, "get_immunization_history", database(person(immunizations=given)), patient_id="P001")[
        "due"
    ]
    names = {text.split(":")[0] for text in due}
    assert "influenza" in names and "recombinant zoster" in names
    assert not any("tetanus" in name or "syncytial" in name for name in names)


@pytest.mark.parametrize("name", ["Troponin", "troponin", "hs-troponin"])
def test_an_order_brings_the_unmeasured_value_to_light_once(name: str) -> None:
    state = EpisodeState(db=database(unmeasured={"P001": [lab("trop", 250), lab("lact", 3)]}))
    before = answer(TOOLS, "get_lab_results", state, patient_id="P001")
    assert "250" not in json.dumps(before["results"])
    ordered = answer(TOOLS, "order_lab_test", state, patient_id="P001", test_name=name, priority="stat")
    assert ordered["results"][0]["value"] == 250 and ordered["results"][0]["flag"] == "high"
    assert [r["code"] for r in state.db["unmeasured"]["P001"]] == [lab("lact", 3)["code"]]
    assert state.db["orders"][0]["test"] == "Troponin"
    assert state.db["orders"][0]["resulted"] == [lab("trop", 250)["code"]]
    event = run(TOOLS, "order_lab_test", state, call_id="again", patient_id="P001", test_name=name)
    again = json.loads(event.output)
    assert again["results"] == [] and again["already_on_record"][0]["value"] == 250
    assert len(state.db["patients"]["P001"]["labs"]) == 1


def test_a_report_becomes_a_note_and_a_test_without_one_has_no_result() -> None:
    reports = {"reports": {"P001": {"Chest X-ray": "Consolidation of the right lower lobe."}}}
    state = EpisodeState(db=database(extra=reports))
    first = answer(TOOLS, "order_lab_test", state, patient_id="P001", test_name="chest xray")
    assert first["report"].startswith("Consolidation")
    notes = answer(TOOLS, "get_clinical_notes", state, patient_id="P001", note_type="imaging")["notes"]
    assert "Consolidation" in notes[0]["text"]
    event = run(TOOLS, "order_lab_test", state, call_id="again", patient_id="P001", test_name="chest xray")
    assert json.loads(event.output)["report"] == first["report"]
    assert len(state.db["patients"]["P001"]["notes"]) == 1
    head = run(TOOLS, "order_lab_test", state, call_id="head", patient_id="P001", test_name="CT Head")
    assert json.loads(head.output)["status"] == "ordered, no result available"
    assert "not normal" in json.loads(head.output)["missing"][0]


def test_an_unknown_test_is_an_error_with_a_suggestion_and_two_tests_are_one_too_many() -> None:
    unknown = run(TOOLS, "order_lab_test", database(), patient_id="P001", test_name="tropnin")
    assert not unknown.ok and "did you mean Troponin" in unknown.output
    two = run(TOOLS, "order_lab_test", database(), patient_id="P001", test_name="CBC, Lipase")
    assert not two.ok and "order one a call" in two.output


@pytest.mark.parametrize("name", ["Lumbar Puncture / CSF Analysis", "Blood Culture"])
def test_the_public_tasks_names_of_tests_are_known(name: str) -> None:
    assert run(TOOLS, "order_lab_test", database(), patient_id="P001", test_name=name, priority="stat").ok


def test_a_prescription_is_written_with_its_allergy_alert() -> None:
    state = EpisodeState(db=database(person(allergies=[allergy("penicillin", "penicillin", "severe")])))
    written = prescribe(state, "Amoxil", 500, doses_per_day=3)  # type: ignore[arg-type]
    assert written["drug"] == "amoxicillin" and "ALLERGY" in kinds(written)
    assert any("contraindicated" in a for a in written["alerts"])
    assert state.db["prescriptions"][0]["alerts"] == written["alerts"]


def test_a_clean_prescription_has_no_alert() -> None:
    db = database(person(labs=[lab("cr", 0.9)]))
    assert prescribe(db, "azithromycin", 500)["alerts"] == []


def test_a_tenfold_dose_is_alerted_and_a_unit_is_turned() -> None:
    db = database(person(labs=[lab("cr", 0.9)]))
    assert "DOSE" in kinds(prescribe(db, "lisinopril", 400))
    written = prescribe(db, "ceftriaxone", 1, "g", "IV")
    assert (written["dose"], written["dose_unit"], written["route"]) in {(1000, "mg", "iv"), (1, "g", "iv")}
    assert "DOSE" not in kinds(written)


def test_kidney_pregnancy_condition_and_interaction_are_screened() -> None:
    kidneys = database(person(labs=[lab("cr", 4.5)]))
    assert "RENAL" in kinds(prescribe(kidneys, "metformin", 500))
    pregnant = database(person(sex="female", age_years=30.0, pregnant_weeks=20))
    assert "PREGNANCY" in kinds(prescribe(pregnant, "warfarin", 5))
    taking = database(person(medications=[medication("warfarin")]))
    assert "INTERACTION" in kinds(prescribe(taking, "fluconazole", 200))
    assert "DUPLICATE" in kinds(prescribe(taking, "warfarin", 5))
    bleeding = database(person(problems=[problem("active_bleeding")]))
    assert "CONDITION" in kinds(prescribe(bleeding, "warfarin", 5))


def test_what_cannot_be_screened_is_said() -> None:
    db = database(person(allergies_reviewed=False, weight_kg=None))
    unscreened = " ".join(prescribe(db, "metformin", 500)["not_screened"])
    assert "allergies" in unscreened and "creatinine" in unscreened
    young = database(person(sex="female", age_years=30.0))
    assert any("pregnancy" in m for m in prescribe(young, "warfarin", 5)["not_screened"])


@pytest.mark.parametrize(
    ("changes", "mend"),
    [
        ({"drug_name": "amoxicilin"}, "did you mean amoxicillin"),
        ({"route": "rectal"}, "its routes: oral"),
        ({"dose_unit": "mg/kg"}, "not per kg"),
        ({"dose_unit": "furlongs"}, "give mg"),
        ({"dose": 0}, "minimum"),
        ({"doses_per_day": 1000}, "maximum"),
    ],
)
def test_an_impossible_prescription_is_an_error_that_says_the_mend(changes: Any, mend: str) -> None:
    order = {
        "patient_id": "P001",
        "drug_name": "amoxicillin",
        "dose": 500,
        "dose_unit": "mg",
        "route": "oral",
        "doses_per_day": 3,
        **changes,
    }
    state = EpisodeState(db=database())
    event = run(TOOLS, "prescribe_medication", state, **order)
    assert not event.ok and mend in event.output, event.output
    assert state.db["prescriptions"] == []


def test_a_diagnosis_keeps_its_code_and_refuses_what_is_none() -> None:
    state = EpisodeState(db=database())
    answer(TOOLS, "record_diagnosis", state, patient_id="P001", diagnosis=" Pneumonia ", icd10_code="j18.9")
    assert state.db["diagnoses"][0]["icd10"] == "J18.9"
    wrong = run(
        TOOLS, "record_diagnosis", state, call_id="x", patient_id="P001", diagnosis="Flu", icd10_code="flu"
    )
    assert not wrong.ok and "write it like J18.9" in wrong.output


def test_a_referral_without_an_id_is_of_the_only_patient_and_else_an_error() -> None:
    state = EpisodeState(db=database())
    answer(TOOLS, "transfer_to_specialist", state, specialty="General_Surgery", summary="Please operate.")
    assert state.db["referrals"][0]["patient_id"] == "P001"
    assert state.db["referrals"][0]["specialty"] == "general surgery"
    two = database(person(), person(patient_id="P002"))
    event = run(TOOLS, "transfer_to_specialist", two, specialty="surgery", summary="Please operate.")
    assert not event.ok and "patient_id: missing" in event.output
