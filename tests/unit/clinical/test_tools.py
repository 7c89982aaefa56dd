"""The eight tools: the published line, the public calls, sensitivity to every argument, totality."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.clinical_tools.tools import TOOLS
from distrl.envs.contract import ToolCall, ToolEvent

ROWS = Path(__file__).resolve().parents[4] / "shared/data/aws_healthcare_tool_calls/train.jsonl"
needs_rows = pytest.mark.skipif(not ROWS.exists(), reason="../shared has no rows of the public prompt set")

VANCOMYCIN = {
    "drug_name": "vancomycin",
    "standard_dose_mg": 1000,
    "route": "IV",
    "patient_weight_kg": 85,
    "patient_age": 65,
    "serum_creatinine": 1.5,
    "sex": "male",
    "allergies": [],
    "indication": "suspected MRSA pneumonia",
    "frequency_override": None,
    "max_daily_dose_mg": None,
    "is_loading_dose": False,
}
CVD = {
    "patient_age": 61,
    "sex": "female",
    "total_cholesterol": 180,
    "hdl_cholesterol": 47,
    "systolic_bp": 124,
    "on_bp_medication": False,
    "is_smoker": True,
    "has_diabetes": False,
    "family_history_cvd": False,
    "bmi": None,
}
METABOLIC = {
    "weight_kg": 95,
    "height_cm": 175,
    "waist_circumference_cm": 108,
    "patient_age": 50,
    "sex": "male",
    "fasting_glucose_mg_dl": 118,
    "triglycerides_mg_dl": 185,
    "hdl_cholesterol_mg_dl": 36,
    "systolic_bp": 138,
    "on_bp_medication": True,
    "physical_activity_level": "sedentary",
    "family_history_diabetes": True,
}
NO_FACTORS = dict.fromkeys(
    (
        "ischemic_heart_disease",
        "heart_failure",
        "cerebrovascular_disease",
        "renal_insufficiency",
        "insulin_diabetes",
        "high_risk_surgery",
    ),
    False,
)
SURGERY = {
    "patient_age": 70,
    "surgery_type": "orthopedic",
    "asa_class": 3,
    "cardiac_risk_factors": NO_FACTORS,
    "functional_capacity_mets": 3.5,
    "is_emergency": False,
    "serum_creatinine": 1.1,
    "has_insulin_dependent_diabetes": False,
    "prior_cardiac_history": "none",
    "planned_anesthesia": "spinal",
}
INSULIN = {
    "patient_weight_kg": 80,
    "diabetes_type": "type1",
    "current_a1c": 7.8,
    "fasting_glucose_mg_dl": 165,
    "meal_carbs_per_day": [50, 75, 62.5],
    "current_insulin_regimen": "basal_bolus",
    "correction_target_mg_dl": 120,
    "renal_function_egfr": 90,
    "steroid_use": False,
    "is_pregnant": False,
}
KIDNEY = {
    "serum_creatinine": 2.1,
    "patient_age": 52,
    "sex": "male",
    "patient_weight_kg": 85,
    "is_african_american": False,
    "blood_urea_nitrogen": 35,
    "urine_albumin_mg_l": 40,
    "urine_creatinine_mg_dl": 120,
    "has_diabetes": True,
    "has_hypertension": True,
}
FLUIDS = {
    "patient_weight_kg": 70,
    "clinical_scenario": "burn",
    "percent_tbsa_burn": 20,
    "hours_since_injury": 3,
    "fluid_type": "LR",
    "maintenance_rate_override": None,
    "urine_output_ml_hr": 25,
    "serum_sodium": 138,
    "is_pediatric": False,
    "ongoing_losses_ml_hr": 0,
}
SCREEN = {
    "current_medications": ["simvastatin", "amiodarone", "aspirin"],
    "proposed_medication": "warfarin",
    "patient_age": 64,
    "sex": "male",
    "hepatic_function": "normal",
    "renal_function_egfr": 75,
    "is_pregnant": False,
    "genetic_cyp_variants": {"2C9": "poor_metabolizer"},
    "indication": "atrial fibrillation",
    "check_food_interactions": True,
}
CALLS = {
    "calculate_drug_dosage": VANCOMYCIN,
    "assess_cardiovascular_risk": CVD,
    "calculate_bmi_metabolic_risk": METABOLIC,
    "estimate_surgical_risk": SURGERY,
    "calculate_insulin_regimen": INSULIN,
    "assess_kidney_function": KIDNEY,
    "calculate_fluid_replacement": FLUIDS,
    "screen_drug_interactions": SCREEN,
}


def run(name: str, base: dict[str, Any], **changes: Any) -> ToolEvent:
    return TOOLS.run(ToolCall(id="t", name=name, arguments=json.dumps({**base, **changes})))


def said(name: str, **changes: Any) -> str:
    event = run(name, CALLS[name], **changes)
    assert event.ok, event.output
    return event.output


def test_the_published_vancomycin_line_is_exact():
    assert said("calculate_drug_dosage") == (
        "Drug: Vancomycin 650.0mg IV q24h, CrCl: 59.0 mL/min, Renal tier: moderate, Dose factor: 0.65, "
        "Indication: suspected MRSA pneumonia, Adjustment: Reduce dose, extend interval"
    )


def test_parameters_stand_as_in_the_public_prompt_set():
    assert [tool.name for tool in TOOLS] == list(CALLS)
    for tool in TOOLS:
        assert list(tool.parameters) == list(CALLS[tool.name])


def public_calls() -> list[tuple[str, dict[str, Any]]]:
    calls = [json.loads(text)["tool_call"] for text in ROWS.read_text().splitlines()]
    return [(call["name"], call["arguments"]) for call in calls]


@needs_rows
def test_every_public_call_runs_and_no_two_give_the_same_line():
    lines = set()
    for name, arguments in public_calls():
        event = run(name, arguments)
        assert event.ok, (name, event.output)
        assert "\n" not in event.output
        assert event.output == run(name, arguments).output
        lines.add(event.output)
    assert len(lines) == len(public_calls()) == 913


def changed_values(name: str, value: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """Neighbours of a value: the other choices, the other truth, one small step, null, an item less."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "enum" in schema:
        yield from (choice for choice in schema["enum"] if choice != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        step = 0.1 if name in ("serum_creatinine", "current_a1c", "functional_capacity_mets") else 1
        yield from (round(value + step, 3), round(value - step, 3) if value > step else value + 2 * step)
    elif isinstance(value, str):
        yield value + " x"
    elif isinstance(value, list):
        yield value[:-1] if value else ["codeine"]
    elif isinstance(value, dict) and "properties" in schema and schema.get("required"):
        yield from ({**value, key: not flag} for key, flag in value.items())
    if value is not None and "null" in kinds:
        yield None


@needs_rows
def test_almost_every_change_of_one_argument_changes_the_line():
    """The exact-match reward must see a wrong argument. Known exceptions: a clearance that rounds alike."""
    tried, same = 0, []
    for name, arguments in public_calls()[::6]:
        line = run(name, arguments).output
        for key, schema in TOOLS[name].parameters.items():
            for value in changed_values(key, arguments.get(key), schema):
                event = run(name, arguments, **{key: value})
                tried += 1
                if event.ok and event.output == line:
                    same.append((name, key, arguments.get(key), value))
    assert tried > 2500
    assert len(same) <= 2, same
    assert {key for _, key, _, _ in same} <= {"patient_age", "serum_creatinine"}


@pytest.mark.parametrize(
    ("allergies", "word"),
    [
        (["penicillin"], "CONTRAINDICATED"),
        (["cephalosporin"], "CAUTION"),
        (["sulfa", "codeine"], "no conflict"),
    ],
)
def test_amoxicillin_says_what_an_allergy_means(allergies, word):
    assert word in said("calculate_drug_dosage", drug_name="amoxicillin", route="PO", allergies=allergies)


def test_contraindicated_lines_give_no_dose():
    allergic = said("calculate_drug_dosage", drug_name="amoxicillin", route="PO", allergies=["penicillin"])
    assert allergic.startswith("Drug: Amoxicillin CONTRAINDICATED (asked 1000.0mg PO")
    failing = said("calculate_drug_dosage", drug_name="metformin", route="PO", serum_creatinine=4.0)
    assert failing.startswith("Drug: Metformin CONTRAINDICATED")


def test_loading_dose_is_not_reduced_and_the_daily_limit_caps():
    loading = said("calculate_drug_dosage", is_loading_dose=True)
    assert "1000.0mg" in loading
    assert "Dose factor: 1.0" in loading
    capped = said("calculate_drug_dosage", frequency_override="q12h", max_daily_dose_mg=1000)
    assert "Vancomycin 500.0mg IV q12h" in capped
    assert "dose capped by the daily limit" in capped


def test_order_of_lists_without_an_order_does_not_matter():
    medications = SCREEN["current_medications"]
    assert said("screen_drug_interactions", current_medications=medications[::-1]) == said(
        "screen_drug_interactions"
    )
    both = [["sulfa", "penicillin"], ["penicillin", "sulfa"]]
    lines = {
        said("calculate_drug_dosage", drug_name="amoxicillin", allergies=allergies) for allergies in both
    }
    assert len(lines) == 1


def test_framingham_line_of_the_papers_example():
    assert said("assess_cardiovascular_risk").startswith("10-year CVD risk: 10.48%, Category: intermediate")
    assert "outside the validated 30-74" in said("assess_cardiovascular_risk", patient_age=79)
    assert "outside" not in said("assess_cardiovascular_risk", patient_age=74)


def test_creatinine_outranks_the_renal_flag_in_both_directions():
    flagged = {**NO_FACTORS, "renal_insufficiency": True}
    assert "RCRI: 0/6" in said("estimate_surgical_risk", cardiac_risk_factors=flagged, serum_creatinine=2.0)
    assert "RCRI: 1/6" in said("estimate_surgical_risk", serum_creatinine=2.1)
    assert "renal_insufficiency yes read as no" in said(
        "estimate_surgical_risk", cardiac_risk_factors=flagged
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"has_insulin_dependent_diabetes": True},
        {"cardiac_risk_factors": {**NO_FACTORS, "insulin_diabetes": True}},
        {
            "has_insulin_dependent_diabetes": True,
            "cardiac_risk_factors": {**NO_FACTORS, "insulin_diabetes": True},
        },
        {"prior_cardiac_history": "mi"},
        {"prior_cardiac_history": "stroke"},
        {"surgery_type": "vascular"},
    ],
)
def test_a_factor_told_once_or_twice_counts_once(changes):
    assert "RCRI: 1/6" in said("estimate_surgical_risk", **changes)


def test_insulin_line_of_a_worked_example():
    """80 kg, type 1: 40 U a day; 500/40 = 12.5 g; 1800/40 = 45 mg/dL; 45 above target is one unit."""
    line = said("calculate_insulin_regimen")
    assert line.startswith("TDD: 40.0 U (0.5 U/kg), Basal: 20.0 U/day, Meal boluses: 4.0 / 6.0 / 5.0 U")
    assert "ICR: 1 U per 12.5 g (500 rule), ISF: 45.0 mg/dL per U (1800 rule), Correction: 1.0 U" in line


def test_race_moves_the_older_equations_and_never_the_stage():
    lines = [said("assess_kidney_function", is_african_american=flag) for flag in (False, True)]
    parts = [dict(part.split(": ", 1) for part in line.split(", ")) for line in lines]
    moved = {label for label in parts[0] if parts[0][label] != parts[1][label]}
    assert moved == {"CKD-EPI 2009", "MDRD"}


def test_parkland_line_of_a_worked_example():
    """4 x 70 x 20 = 5600 mL; 2800 mL in the 5 h left of 8, then 2800 mL in 16 h."""
    line = said("calculate_fluid_replacement")
    assert "Deficit: 5600 mL (Parkland 24 h)" in line
    assert "Plan: until 8 h 560.0 mL/h for 5 h; until 24 h 175.0 mL/h for 16 h" in line
    assert "was due by 8 h" in said("calculate_fluid_replacement", hours_since_injury=8)


def test_unknown_drug_is_named_and_never_called_safe():
    line = said("screen_drug_interactions", current_medications=["unobtainium", "aspirin"])
    assert "Overall: INCOMPLETE (at least MAJOR)" in line
    assert "unobtainium not screened" in line
    assert "not in the tables: unobtainium" in line


def test_notes_of_genotype_pregnancy_and_fertility():
    assert "CYP2C9 poor_metabolizer (warfarin reduce dose" in said("screen_drug_interactions")
    pregnant = said("screen_drug_interactions", sex="female", is_pregnant=True, patient_age=30)
    assert "warfarin contraindicated" in pregnant
    fertile = said("screen_drug_interactions", sex="female", patient_age=30)
    assert "contraception with warfarin" in fertile


@pytest.mark.parametrize(
    ("name", "changes", "word"),
    [
        ("assess_cardiovascular_risk", {"hdl_cholesterol": 180}, "must be below total_cholesterol"),
        ("screen_drug_interactions", {"is_pregnant": True}, "contradicts sex male"),
        ("screen_drug_interactions", {"proposed_medication": " "}, "name is empty"),
        ("calculate_fluid_replacement", {"percent_tbsa_burn": None}, "percent_tbsa_burn is needed"),
        ("assess_kidney_function", {"patient_age": 12}, "patient_age"),
        ("calculate_drug_dosage", {"serum_creatinine": 0}, "serum_creatinine"),
        ("estimate_surgical_risk", {"asa_class": 6}, "asa_class"),
    ],
)
def test_contradictions_and_ranges_are_errors_that_name_the_argument(name, changes, word):
    event = run(name, CALLS[name], **changes)
    assert not event.ok
    assert event.output.startswith("Error: ")
    assert word in event.output


def values_of(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Any value that a parameter's schema allows."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    low, high = schema.get("minimum"), schema.get("maximum")
    by_kind: dict[str, Any] = {
        "null": st.none,
        "boolean": st.booleans,
        "integer": lambda: st.integers(low, high),
        "number": lambda: st.floats(low, high),
        "string": lambda: st.sampled_from(["warfarin", "Fluoxetine", "unobtainium", "sepsis, worse\nnow"]),
        "array": lambda: st.lists(values_of(schema["items"]), max_size=4),
        "object": lambda: st.fixed_dictionaries(
            {k: values_of(v) for k, v in schema["properties"].items() if k in schema.get("required", [])},
            optional={
                k: values_of(v)
                for k, v in schema["properties"].items()
                if k not in schema.get("required", [])
            },
        ),
    }
    return st.one_of([by_kind[kind]() for kind in kinds])


DELIBERATE = ("must be below total_cholesterol", "contradicts sex male", "percent_tbsa_burn is needed")


@pytest.mark.parametrize("name", list(CALLS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_combination_of_allowed_values_fails_but_by_a_named_contradiction(name, data):
    arguments = data.draw(st.fixed_dictionaries({k: values_of(v) for k, v in TOOLS[name].parameters.items()}))
    event = run(name, arguments)
    assert event.ok or any(text in event.output for text in DELIBERATE), event.output
    assert "\n" not in event.output
    assert not re.search(r"\b(nan|inf)\b", event.output)
