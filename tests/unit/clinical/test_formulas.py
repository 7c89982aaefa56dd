"""Formulas against published examples, independent float64 references and both sides of every cut-off."""

from __future__ import annotations

import ast
import csv
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.clinical import cardiovascular as cv
from distrl.envs.clinical import dosing, fluids, insulin, metabolic, perioperative, renal
from distrl.envs.clinical.allergy import allergy_conflicts
from distrl.envs.clinical.bands import above, band

SHARED = Path(__file__).resolve().parents[4] / "shared"
MEDCALC = SHARED / "data/medcalc_bench_train_subset/rowanhnwl_valid_split.csv"
SEXES = ("male", "female")
ages = st.floats(18, 120)
creatinines = st.floats(0.1, 30)


def test_cockcroft_gault_of_the_published_vancomycin_example():
    assert renal.cockcroft_gault(65, 85, 1.5, "male") == pytest.approx(
        float(Fraction(75 * 85, 108)), rel=1e-15
    )
    assert renal.cockcroft_gault(65, 85, 1.5, "female") == pytest.approx(0.85 * 75 * 85 / 108, rel=1e-15)


def test_ckd_epi_2021_gives_the_example_of_the_national_kidney_foundation():
    assert round(renal.ckd_epi_2021(1.2, 55, "male")) == 71


@pytest.mark.skipif(not MEDCALC.exists(), reason="../shared has no MedCalc-Bench rows")
def test_answers_of_medcalc_bench_are_reproduced():
    """Four calculators of an independent implementation, on its rows in the usual units.

    Left out: men with a creatinine up to 0.9 in CKD-EPI, where its answers take the women's kappa 0.7.
    """
    formulas = {
        "3": lambda e: renal.ckd_epi_2021(e["creatinine"][0], e["age"][0], e["sex"].lower()),
        "6": lambda e: metabolic.body_mass_index(e["weight"][0], e["height"][0]),
        "9": lambda e: renal.mdrd(
            e["creatinine"][0], e["age"][0], e["sex"].lower(), e.get("Race") == "Black"
        ),
        "22": lambda e: fluids.maintenance_rate(e["weight"][0]),
    }
    usual = {"creatinine": "mg/dL", "weight": "kg", "height": "cm", "age": "years"}
    compared = dict.fromkeys(formulas, 0)
    with MEDCALC.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Calculator ID"] in formulas]
    for row in rows:
        name, entities = row["Calculator ID"], ast.literal_eval(row["Relevant Entities"])
        wrong_kappa = name == "3" and entities["sex"] == "Male" and entities["creatinine"][0] <= 0.9
        if wrong_kappa or any(entities[key][1] != unit for key, unit in usual.items() if key in entities):
            continue
        assert formulas[name](entities) == pytest.approx(float(row["Ground Truth Answer"]), rel=1e-3), (
            entities
        )
        compared[name] += 1
    assert all(count >= 20 for count in compared.values()), compared


@settings(deadline=None)
@given(creatinines, ages, st.sampled_from(SEXES), st.booleans())
def test_gfr_equations_agree_with_their_logarithmic_form(creatinine, age, sex, black):
    """The same models written as sums of logarithms, an independent path to the number."""
    female = sex == "female"

    def piecewise(kappa, low, high):
        x = math.log(creatinine / kappa)
        return (low if x < 0 else high) * x

    log_2021 = math.log(142) + piecewise(0.7 if female else 0.9, -0.241 if female else -0.302, -1.2)
    log_2021 += age * math.log(0.9938) + female * math.log(1.012)
    log_2009 = math.log(141) + piecewise(0.7 if female else 0.9, -0.329 if female else -0.411, -1.209)
    log_2009 += age * math.log(0.993) + female * math.log(1.018) + black * math.log(1.159)
    log_mdrd = math.log(175) - 1.154 * math.log(creatinine) - 0.203 * math.log(age)
    log_mdrd += female * math.log(0.742) + black * math.log(1.212)
    assert renal.ckd_epi_2021(creatinine, age, sex) == pytest.approx(math.exp(log_2021), rel=1e-12)
    assert renal.ckd_epi_2009(creatinine, age, sex, black) == pytest.approx(math.exp(log_2009), rel=1e-12)
    assert renal.mdrd(creatinine, age, sex, black) == pytest.approx(math.exp(log_mdrd), rel=1e-12)


@pytest.mark.parametrize(
    ("classify", "edges"),
    [
        (
            renal.g_stage,
            [(90, "G1", "G2"), (60, "G2", "G3a"), (45, "G3a", "G3b"), (30, "G3b", "G4"), (15, "G4", "G5")],
        ),
        (renal.a_stage, [(30, "A2", "A1"), (above(300), "A3", "A2")]),
        (
            renal.renal_tier,
            [
                (90, "normal", "mild"),
                (60, "mild", "moderate"),
                (30, "moderate", "severe"),
                (15, "severe", "ESRD"),
            ],
        ),
        (
            metabolic.who_class,
            [
                (18.5, "Normal", "Underweight"),
                (25, "Overweight", "Normal"),
                (30, "Obese class I", "Overweight"),
                (35, "Obese class II", "Obese class I"),
                (40, "Obese class III", "Obese class II"),
            ],
        ),
        (
            metabolic.glycaemia,
            [(100, "prediabetes range", "normal"), (126, "diabetes range", "prediabetes range")],
        ),
        (
            perioperative.functional_capacity,
            [(4, "moderate", "poor"), (7, "good", "moderate"), (above(10), "excellent", "good")],
        ),
        (fluids.sodium_band, [(135, "normal", "low"), (above(145), "high", "normal")]),
        (insulin.renal_factor, [(above(50), 1.0, 0.75), (10, 0.75, 0.5)]),
        (cv.risk_category, [(10, "intermediate", "low"), (above(20), "high", "intermediate")]),
    ],
)
def test_every_cut_off_has_the_right_label_on_both_sides(classify, edges):
    for bound, at, below in edges:
        assert (classify(bound), classify(math.nextafter(bound, -math.inf))) == (at, below)


@settings(deadline=None)
@given(st.floats(allow_nan=False), st.lists(st.integers(-99, 99), unique=True, min_size=1, max_size=6))
def test_a_band_is_the_highest_bound_not_above_the_value(value, bounds):
    falling = sorted(bounds, reverse=True)
    expected = next((bound for bound in falling if bound <= value), falling[-1])
    assert band(value, [(bound, str(bound)) for bound in falling]) == str(expected)


def test_kdigo_risk_rises_with_both_categories():
    order = ["low", "moderate", "high", "very high"]
    g_names, a_names = ("G1", "G2", "G3a", "G3b", "G4", "G5"), ("A1", "A2", "A3")
    grid = [[order.index(renal.kdigo_risk(g, a)) for g in g_names] for a in a_names]
    assert all(row == sorted(row) for row in grid)
    assert all(list(column) == sorted(column) for column in zip(*grid, strict=True))
    assert grid == [[0, 0, 1, 2, 3, 3], [1, 1, 2, 3, 3, 3], [2, 2, 3, 3, 3, 3]]


def test_acr_is_milligrams_a_gram():
    assert renal.albumin_creatinine_ratio(30, 120) == 25.0  # 30 mg/L over 1.2 g/L


def test_framingham_gives_the_two_worked_examples_of_the_paper():
    """D'Agostino 2008: 10.48 % for the woman of 61, 15.62 % for the man of 53."""
    woman = cv.RiskFactors(
        age=61, sex="female", cholesterol=180, hdl=47, sbp=124, treated=False, smoker=True, diabetes=False
    )
    man = cv.RiskFactors(
        age=53, sex="male", cholesterol=161, hdl=55, sbp=125, treated=True, smoker=False, diabetes=True
    )
    assert cv.framingham_lipid(woman) == pytest.approx(10.48, abs=0.005)
    assert cv.framingham_lipid(man) == pytest.approx(15.62, abs=0.005)


factors = st.builds(
    cv.RiskFactors,
    age=ages,
    sex=st.sampled_from(SEXES),
    cholesterol=st.floats(50, 600),
    hdl=st.floats(5, 200),
    sbp=st.floats(50, 300),
    treated=st.booleans(),
    smoker=st.booleans(),
    diabetes=st.booleans(),
    bmi=st.floats(10, 100),
)


@settings(deadline=None)
@given(factors)
def test_risk_is_a_percentage_and_heart_age_is_consistent_with_it(f):
    risk = cv.framingham_lipid(f)
    assert 0 <= risk <= 100
    assert 0 <= cv.framingham_office(f) <= 100
    optimal = cv.RiskFactors(
        age=cv.heart_age(f),
        sex=f.sex,
        cholesterol=180,
        hdl=45,
        sbp=125,
        treated=False,
        smoker=False,
        diabetes=False,
    )
    assert cv.framingham_lipid(optimal) == pytest.approx(risk, rel=1e-6, abs=1e-9)


def test_bmi_of_exact_values():
    assert metabolic.body_mass_index(100, 200) == 25.0
    assert metabolic.body_mass_index(95, 175) == pytest.approx(
        float(Fraction(95 * 10000, 175 * 175)), rel=1e-14
    )


@pytest.mark.parametrize(
    ("sex", "name", "met", "unmet"),
    [
        ("male", "waist", dict(waist_cm=102.1), dict(waist_cm=102)),
        ("female", "waist", dict(waist_cm=88.1), dict(waist_cm=88)),
        ("male", "triglycerides", dict(triglycerides=150), dict(triglycerides=149.9)),
        ("male", "hdl", dict(hdl=39.9), dict(hdl=40)),
        ("female", "hdl", dict(hdl=49.9), dict(hdl=50)),
        ("male", "blood pressure", dict(systolic_bp=130), dict(systolic_bp=129.9)),
        ("male", "blood pressure", dict(treated=True), dict(treated=False)),
        ("male", "glucose", dict(fasting_glucose=100), dict(fasting_glucose=99.9)),
    ],
)
def test_each_metabolic_criterion_at_its_bound(sex, name, met, unmet):
    healthy = dict(waist_cm=70, triglycerides=100, hdl=60, systolic_bp=110, treated=False, fasting_glucose=85)
    assert metabolic.metabolic_syndrome(sex=sex, **{**healthy, **met})[name]
    assert not any(metabolic.metabolic_syndrome(sex=sex, **{**healthy, **unmet}).values())


def test_ada_score_spans_zero_to_ten():
    least = dict(age=39, sex="female", family_history=False, hypertension=False, active=True, bmi=24.9)
    most = dict(age=60, sex="male", family_history=True, hypertension=True, active=False, bmi=40)
    assert metabolic.ada_diabetes_risk(**least) == 0
    assert metabolic.ada_diabetes_risk(**most) == 10
    steps = [metabolic.ada_diabetes_risk(**{**least, "age": age}) for age in (39, 40, 49, 50, 59, 60)]
    assert steps == [0, 1, 1, 2, 2, 3]


def test_mifflin_differs_by_166_kcal_between_the_sexes():
    assert metabolic.resting_energy(70, 175, 40, "male") == 10 * 70 + 6.25 * 175 - 200 + 5
    assert (
        metabolic.resting_energy(70, 175, 40, "male") - metabolic.resting_energy(70, 175, 40, "female") == 166
    )


def test_rcri_counts_each_factor_once_and_reads_the_right_row():
    none = dict.fromkeys(perioperative.RCRI_FACTORS, False)
    assert [perioperative.rcri({**none, name: True}) for name in none] == [1] * 6
    assert perioperative.rcri(dict.fromkeys(none, True)) == 6
    rates = [perioperative.rcri_rates(points) for points in range(7)]
    assert rates[:3] == [("I", 3.9, 0.4), ("II", 6.0, 0.9), ("III", 10.1, 6.6)]
    assert rates[3:] == [("IV", 15.0, 11.0)] * 4
    assert [perioperative.asa_label(n, False) for n in range(1, 6)] == ["I", "II", "III", "IV", "V"]
    assert perioperative.asa_label(4, True) == "IVE"


def test_insulin_rules_are_inverse_to_the_daily_dose():
    plan = insulin.insulin_regimen(
        weight_kg=80,
        diabetes_type="type1",
        regimen="basal_bolus",
        a1c=7.5,
        egfr=None,
        steroid=False,
        pregnant=False,
    )
    assert (plan.tdd, plan.basal, plan.grams_per_unit, plan.mg_dl_per_unit) == (40.0, 20.0, 12.5, 45.0)
    pump = insulin.insulin_regimen(
        weight_kg=80, diabetes_type="type1", regimen="pump", a1c=7.5, egfr=90, steroid=False, pregnant=False
    )
    assert (pump.grams_per_unit, pump.mg_dl_per_unit) == (11.25, 50.0)
    assert insulin.correction_units(210, 120, 45) == 2.0
    assert insulin.correction_units(100, 120, 45) == 0.0
    assert insulin.estimated_average_glucose(7.0) == pytest.approx(154.2)  # Nathan 2008 prints 154


@pytest.mark.parametrize(
    ("change", "ratio"),
    [
        (dict(a1c=8.9), 1.0),
        (dict(a1c=9.0), 1.2),
        (dict(steroid=True), 1.2),
        (dict(egfr=50), 0.75),
        (dict(egfr=9.9), 0.5),
    ],
)
def test_each_insulin_adjustment_scales_the_dose(change, ratio):
    usual = dict(
        weight_kg=70,
        diabetes_type="type1",
        regimen="basal_bolus",
        a1c=8.0,
        egfr=None,
        steroid=False,
        pregnant=False,
    )
    base = insulin.insulin_regimen(**usual).tdd
    assert insulin.insulin_regimen(**{**usual, **change}).tdd == pytest.approx(base * ratio)


@pytest.mark.parametrize(("weight", "rate"), [(5, 20), (10, 40), (15, 50), (20, 60), (25, 65), (70, 110)])
def test_four_two_one_rule(weight, rate):
    assert fluids.maintenance_rate(weight) == rate


@settings(deadline=None)
@given(st.floats(1, 400), st.floats(1, 100), st.floats(0, 7.99))
def test_parkland_phases_deliver_the_whole_volume(weight, tbsa, hours):
    total = fluids.parkland(weight, tbsa)
    phases = fluids.burn_phases(total, hours)
    assert sum(p.ml_per_h * p.hours for p in phases) == pytest.approx(4 * weight * tbsa)
    assert sum(p.hours for p in phases) == pytest.approx(24 - hours)


def test_burn_phases_at_and_past_their_limits():
    assert [p.name for p in fluids.burn_phases(9600, 8)] == ["until 24 h"]
    assert fluids.burn_phases(9600, 12)[0].hours == 12
    assert fluids.burn_phases(9600, 24) == []


@settings(deadline=None)
@given(st.floats(1, 400), st.floats(90, 200))
def test_dehydration_phases_deliver_the_deficit(deficit, sodium):
    phases = fluids.dehydration_phases(deficit, sodium)
    assert sum(p.ml_per_h * p.hours for p in phases) == pytest.approx(deficit)
    assert sum(p.hours for p in phases) == (48 if sodium > 145 else 24)


def test_bolus_limits_of_shock_and_ketoacidosis():
    assert [fluids.dka_first_hour(w, False) for w in (60, 100, 140)] == [900, 1500, 1500]
    assert fluids.dka_first_hour(30, True) == 300
    assert fluids.dka_rate(30, True, 70, False) == pytest.approx(70 + 70 * 30 / 48)
    assert [fluids.dka_rate(70, False, 110, low) for low in (False, True)] == [250, 500]
    assert [fluids.shock_bolus(w, True) for w in (10, 50, 80)] == [200, 1000, 1000]
    assert fluids.free_water_deficit(70, 140, False) == 0
    assert fluids.free_water_deficit(70, 154, False) == pytest.approx(3500)


def test_haemorrhage_replaces_three_to_one_with_crystalloid_and_one_to_one_with_colloid():
    case = dict(weight_kg=70, child=False, maintenance_ml_h=110, tbsa=0, hours=0, sodium=140, oliguric=False)
    rates = [
        fluids.plan("hemorrhage", fluids.FluidCase(**case, losses_ml_h=50, colloid=colloid))
        .phases[0]
        .ml_per_h
        for colloid in (False, True)
    ]
    assert rates == [260, 160]


def test_allergy_by_class_and_across_classes():
    assert allergy_conflicts("amoxicillin", ["penicillin"])[0][0] == "CONTRAINDICATED"
    assert allergy_conflicts("amoxicillin", ["amoxicillin"])[0][0] == "CONTRAINDICATED"
    assert allergy_conflicts("amoxicillin", ["cephalosporin"])[0][0] == "CAUTION"
    assert allergy_conflicts("ceftriaxone", ["penicillin"])[0][0] == "CAUTION"
    assert allergy_conflicts("naproxen", ["aspirin"])[0][0] == "CONTRAINDICATED"
    assert (
        allergy_conflicts("vancomycin", ["sulfa", "penicillin", "aspirin", "cephalosporin", "codeine"]) == []
    )


def test_renal_dose_rows_fall_and_end_at_zero():
    for rows in dosing.RENAL_DOSES.values():
        bounds = [row.crcl_from for row in rows]
        assert bounds == sorted(bounds, reverse=True)
        assert bounds[-1] == 0
        effects = [row.factor * dosing.DOSES_PER_DAY[row.interval] for row in rows]
        assert effects == sorted(effects, reverse=True)  # less clearance never means more drug


@pytest.mark.parametrize(
    ("drug", "crcl", "factor", "interval"),
    [
        ("vancomycin", 30, 0.65, "q24h"),
        ("vancomycin", 29.9, 0.5, "q48h"),
        ("metformin", 30, 0.5, "q12h"),
        ("metformin", 29.9, 0.0, "q12h"),
        ("lisinopril", 30, 0.5, "q24h"),
        ("lisinopril", 30.1, 1.0, "q24h"),
        ("amoxicillin", 30, 1.0, "q8h"),
        ("amoxicillin", 9.9, 1.0, "q24h"),
    ],
)
def test_dose_rows_at_their_bounds(drug, crcl, factor, interval):
    row = dosing.dose_row(drug, "PO" if drug != "vancomycin" else "IV", crcl)
    assert (row.factor, row.interval) == (factor, interval)


def test_daily_limit_caps_by_the_number_of_doses():
    assert dosing.capped_dose(1000, "q8h", 2400, loading=False) == 800
    assert dosing.capped_dose(1000, "q48h", 2400, loading=False) == 1000
    assert dosing.capped_dose(3000, "q8h", 2400, loading=True) == 2400
