"""What a careless order must meet: a warning, a cap or the harder verdict; and tables typed a second time."""

from __future__ import annotations

import math

import pytest
from test_tools import said

from distrl.envs.clinical import cardiovascular as cv
from distrl.envs.clinical import dosing, drug_notes, fluids, metabolic, perioperative
from distrl.envs.clinical.interactions import interaction

# D'Agostino 2008, appendix, office-based model: age, BMI, SBP untreated, SBP treated, smoker, diabetes; the
# baseline survival and the mean. Typed apart from the code, so that one slip of a digit shows.
OFFICE = {
    "female": ((2.72107, 0.51125, 2.81291, 2.88267, 0.61868, 0.77763), 0.94833, 26.0145),
    "male": ((3.11296, 0.79277, 1.85508, 1.92672, 0.70953, 0.53160), 0.88431, 23.9388),
}


@pytest.mark.parametrize("sex", list(OFFICE))
@pytest.mark.parametrize("treated", [False, True])
@pytest.mark.parametrize("smoker", [False, True])
@pytest.mark.parametrize("diabetes", [False, True])
def test_office_model_is_that_of_the_paper(sex, treated, smoker, diabetes):
    (age, bmi, untreated_sbp, treated_sbp, smoking, diabetic), survival, mean = OFFICE[sex]
    pressure = (treated_sbp if treated else untreated_sbp) * math.log(142)
    score = age * math.log(57) + bmi * math.log(31) + pressure + smoking * smoker + diabetic * diabetes
    factors = cv.RiskFactors(
        age=57,
        sex=sex,
        cholesterol=200,
        hdl=50,
        sbp=142,
        treated=treated,
        smoker=smoker,
        diabetes=diabetes,
        bmi=31,
    )
    expected = 100 * (1 - survival ** math.exp(score - mean))
    assert cv.framingham_office(factors) == pytest.approx(expected, rel=1e-12)


def test_scores_step_at_their_published_bounds():
    lean = dict(age=30, sex="female", family_history=False, hypertension=False, active=True)
    steps = [metabolic.ada_diabetes_risk(**lean, bmi=bmi) for bmi in (24.9, 25, 29.9, 30, 39.9, 40)]
    assert steps == [0, 1, 1, 2, 2, 3]
    assert [perioperative.biomarker_advised(age, 0) for age in (64, 65)] == [False, True]
    assert perioperative.biomarker_advised(40, 1)


@pytest.mark.parametrize(
    ("crcl", "factor", "interval"),
    [
        (90, 1.0, "q8h"),
        (89.9, 0.8, "q12h"),
        (59.9, 0.6, "q12h"),
        (29.9, 0.4, "q24h"),
        (14.9, 0.25, "q48h"),
    ],
)
def test_gentamicin_rows(crcl, factor, interval):
    row = dosing.dose_row("gentamicin", "IV", crcl)
    assert (row.factor, row.interval) == (factor, interval)


def test_amoxicillin_below_30_gives_at_most_500_mg_a_dose():
    order = dict(drug_name="amoxicillin", route="PO", standard_dose_mg=875)
    assert "Amoxicillin 875.0mg PO q8h" in said("calculate_drug_dosage", **order, serum_creatinine=2.9)
    capped = said("calculate_drug_dosage", **order, serum_creatinine=3.0)  # 29.5 mL/min
    assert "Amoxicillin 500.0mg PO q12h" in capped
    assert "875 mg asked but the label allows 500 mg a dose" in capped
    small = said("calculate_drug_dosage", **{**order, "standard_dose_mg": 500}, serum_creatinine=3.0)
    assert "label allows" not in small


def test_an_interval_that_undoes_the_renal_one_is_named():
    often = said("calculate_drug_dosage", frequency_override="q8h")
    assert "ordered more often than the renal interval q24h" in often
    assert "more often" not in said("calculate_drug_dosage", frequency_override="daily")
    assert "more often" not in said("calculate_drug_dosage", frequency_override="q8h", serum_creatinine=0.9)
    assert "more often" not in said("calculate_drug_dosage", frequency_override="q8h", is_loading_dose=True)


def test_a_heavy_dose_and_a_heavy_day_are_named():
    order = dict(drug_name="gentamicin", serum_creatinine=0.8)  # 85 kg: 595 mg is 7 mg/kg
    assert "above 7 mg/kg" not in said("calculate_drug_dosage", **order, standard_dose_mg=198)
    assert "above 7 mg/kg a day" in said("calculate_drug_dosage", **order, standard_dose_mg=199)
    once = dict(**order, frequency_override="q24h")
    assert "above 7 mg/kg" not in said("calculate_drug_dosage", **once, standard_dose_mg=595)
    assert said("calculate_drug_dosage", **once, standard_dose_mg=600).endswith("Note: above 7 mg/kg")
    assert dosing.heavy_dose("vancomycin", "IV", 1700, "q8h", 85.0, loading=False) == ""
    assert "a day" in dosing.heavy_dose("vancomycin", "IV", 1701, "q8h", 85.0, loading=False)
    assert dosing.heavy_dose("vancomycin", "PO", 1701, "q6h", 85.0, loading=False) == ""


@pytest.mark.parametrize(("hours", "late"), [(4, False), (4.1, True), (7.9, True), (8, False)])
def test_a_burn_that_is_caught_up_late_is_titrated(hours, late):
    line = said("calculate_fluid_replacement", hours_since_injury=hours)
    assert ("titrate the catch-up to urine output" in line) is late


@pytest.mark.parametrize(
    ("sodium", "child", "then"),
    [
        (134.9, False, "isotonic saline"),
        (135, False, "0.45% saline"),
        (150, False, "0.45% saline"),
        (150, True, "isotonic saline"),
    ],
)
def test_saline_after_the_first_hour_of_ketoacidosis(sodium, child, then):
    case = fluids.FluidCase(
        weight_kg=30,
        child=child,
        maintenance_ml_h=70,
        tbsa=0,
        hours=0,
        sodium=sodium,
        oliguric=False,
        losses_ml_h=0,
        colloid=False,
    )
    assert f"then {then}" in fluids.plan("dka", case).remarks


@pytest.mark.parametrize(
    ("first", "second", "severity", "word"),
    [
        ("apixaban", "ketoconazole", "MAJOR", "bleeding"),
        *(
            ("apixaban", inducer, "MAJOR", "loss of anticoagulation")
            for inducer in ("rifampin", "carbamazepine", "phenytoin", "st john's wort")
        ),
        ("oral contraceptives", "ritonavir", "MAJOR", "lower ethinylestradiol"),
        ("lithium", "losartan", "MAJOR", "lithium toxicity"),
        ("linezolid", "bupropion", "CONTRAINDICATED", "hypertensive crisis"),
        ("spironolactone", "sulfamethoxazole-trimethoprim", "MAJOR", "hyperkalaemia"),
        ("pravastatin", "cyclosporine", "MAJOR", "20 mg"),
        ("atorvastatin", "itraconazole", "MAJOR", "20 mg"),
        ("digoxin", "furosemide", "MODERATE", "potassium"),
        ("tacrolimus", "fluvoxamine", "MAJOR", "CYP3A4"),
        ("warfarin", "sulfamethoxazole-trimethoprim", "MAJOR", "bleeding"),
        ("cyclosporine", "tacrolimus", "CONTRAINDICATED", "nephrotoxicity"),
        ("methotrexate", "sulfamethoxazole-trimethoprim", "CONTRAINDICATED", "marrow"),
        ("sertraline", "linezolid", "CONTRAINDICATED", "serotonin"),
        ("metoprolol", "verapamil", "MAJOR", "AV block"),
    ],
)
def test_pairs_that_a_label_warns_of(first, second, severity, word):
    found = interaction(first, second)
    assert found.severity == severity
    assert word in found.effect


@pytest.mark.parametrize(
    ("drug", "egfr", "text"),
    [
        ("gabapentin", 14.9, "100-300 mg/day"),
        ("gabapentin", 15, "200-700 mg/day"),
        ("gabapentin", 30, "400-1400 mg/day"),
        ("gabapentin", 60, ""),
        ("pregabalin", 14.9, "25-75 mg/day"),
        ("metformin", 29.9, "contraindicated"),
        ("metformin", 30, "do not start; halve an existing dose"),
        ("metformin", 45, ""),
        ("venlafaxine", 89.9, "reduce by 25-50%"),
    ],
)
def test_renal_notes_at_their_bounds(drug, egfr, text):
    line = said(
        "screen_drug_interactions",
        proposed_medication=drug,
        current_medications=[],
        renal_function_egfr=egfr,
    )
    noted = f" ({drug} {text})" if text else ""
    assert f"Renal: eGFR {egfr:g}{noted}, Hepatic" in line


def test_drugs_that_harm_a_foetus_are_noted_in_pregnancy():
    for drug in (*drug_notes.TERATOGENS, "sulfamethoxazole-trimethoprim", "itraconazole", "simvastatin"):
        line = said(
            "screen_drug_interactions",
            proposed_medication=drug,
            current_medications=[],
            sex="female",
            patient_age=30,
            is_pregnant=True,
        )
        assert f"Pregnancy: yes ({drug} {drug_notes.PREGNANCY[drug]})" in line
        assert any(word in line for word in ("avoid", "contraindicated", "stop"))


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        (dict(urine_albumin_mg_l=35, has_hypertension=False), "monitor"),  # 29.2 mg/g
        (dict(urine_albumin_mg_l=36, has_hypertension=False), "RAS inhibitor"),  # 30.0 mg/g
        (dict(urine_albumin_mg_l=36, has_diabetes=False), "RAS inhibitor"),
        (dict(urine_albumin_mg_l=36, has_diabetes=False, has_hypertension=False), "monitor"),
        (dict(urine_albumin_mg_l=360, has_diabetes=False, has_hypertension=False), "monitor"),  # 300.0 mg/g
        (
            dict(urine_albumin_mg_l=361, has_diabetes=False, has_hypertension=False),
            "RAS inhibitor; nephrology referral",
        ),
        (dict(urine_albumin_mg_l=None, serum_creatinine=2.9), "nephrology referral"),  # G4
    ],
)
def test_kidney_advice(changes, advice):
    parts = said("assess_kidney_function", **changes).split(", ")
    assert f"Advice: {advice}" in parts


def test_remarks_of_kidney_insulin_and_metabolic_lines_begin_at_their_bounds():
    kidney = "assess_kidney_function"
    assert "prerenal" not in said(kidney, blood_urea_nitrogen=42)  # 42 / 2.1 = 20.0
    assert "BUN/Cr: 20.5 (prerenal pattern)" in said(kidney, blood_urea_nitrogen=43)
    assert "check the unit" in said(kidney, urine_creatinine_mg_dl=9.9)
    assert "check the unit" not in said(kidney, urine_creatinine_mg_dl=10)
    insulin = "calculate_insulin_regimen"
    assert "treat hypoglycaemia before any insulin" in said(insulin, fasting_glucose_mg_dl=69.9)
    assert "hypoglycaemia" not in said(insulin, fasting_glucose_mg_dl=70)
    four = dict(sex="female", patient_age=40, systolic_bp=120, on_bp_medication=False)
    metabolic_risk = "calculate_bmi_metabolic_risk"
    assert "score: 4/10 (not high)" in said(metabolic_risk, **four, family_history_diabetes=False)
    assert "score: 5/10 (high)" in said(metabolic_risk, **four)


def test_notes_of_age_liver_and_surgery_begin_at_their_bounds():
    screen, warfarin = "screen_drug_interactions", "avoid starting if another anticoagulant serves"
    assert warfarin not in said(screen, patient_age=64)
    assert warfarin in said(screen, patient_age=65)
    assert "contraception with warfarin" in said(screen, sex="female", patient_age=50)
    assert "contraception" not in said(screen, sex="female", patient_age=51)
    assert "contraception" not in said(screen, patient_age=30)
    levels = ("normal", "mild_impairment", "moderate_impairment", "severe_impairment")
    texts = [said(screen, hepatic_function=level) for level in levels]
    assert ["warfarin more sensitive" in text for text in texts] == [False, True, True, True]
    assert ["simvastatin contraindicated" in text for text in texts] == [False, False, True, True]
    outside = {
        kind
        for kind in ("abdominal", "vascular", "minor", "orthopedic", "thoracic", "cardiac")
        if "outside the RCRI cohort" in said("estimate_surgical_risk", surgery_type=kind)
    }
    assert outside == {"minor", "cardiac"}


@pytest.mark.parametrize(
    ("sodium", "remark"),
    [(124.9, "raise it by at most 8"), (125, ""), (145, ""), (145.1, "lower it by at most 10")],
)
def test_dehydration_limits_how_fast_sodium_may_move(sodium, remark):
    line = said("calculate_fluid_replacement", clinical_scenario="dehydration", serum_sodium=sodium)
    assert ("mEq/L a day" in line) is bool(remark)
    assert remark in line


def test_each_metabolizer_status_has_its_own_advice():
    def advice(status: str) -> str:
        return said(
            "screen_drug_interactions",
            proposed_medication="clopidogrel",
            genetic_cyp_variants={"2C19": status},
        )

    assert "(clopidogrel avoid: prasugrel or ticagrelor)" in advice("poor_metabolizer")
    assert "(clopidogrel avoid if possible)" in advice("intermediate_metabolizer")
