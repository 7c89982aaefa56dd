"""Equations against published examples and both sides of every limit."""

from __future__ import annotations

import datetime
import itertools
import math
from typing import get_args

import pytest

from distrl.envs.clinical.calculators import acid_base, body, chemistry, dates, doses, ecg, kidney, lipids
from distrl.envs.clinical.calculators.core import CalculatorError


def gap(sodium: float, chloride: float, bicarbonate: float, **more: float) -> dict[str, float]:
    return {"sodium": sodium, "chloride": chloride, "bicarbonate": bicarbonate, **more}


# Body


def test_mean_arterial_pressure_refuses_exchanged_pressures():
    assert body.mean_arterial_pressure(systolic_bp=90, diastolic_bp=90).value == 90
    with pytest.raises(CalculatorError, match="exchange"):
        body.mean_arterial_pressure(systolic_bp=80, diastolic_bp=120)


@pytest.mark.parametrize(
    ("sex", "inches", "kg"),
    [("male", 60, 50), ("female", 60, 45.5), ("male", 70, 73), ("female", 58, 40.9), ("male", 59, 47.7)],
)
def test_devine_adds_2_3_kg_an_inch_and_takes_it_off_below_60(sex, inches, kg):
    assert body.ideal_body_weight(sex=sex, height=inches * 2.54).value == pytest.approx(kg)


def test_ideal_weight_of_an_infant_is_refused():
    with pytest.raises(CalculatorError, match="height 90 cm"):
        body.ideal_body_weight(sex="male", height=90)
    with pytest.raises(CalculatorError, match="height 90 cm"):
        body.adjusted_body_weight(sex="female", weight=12, height=90)


def test_target_weight_is_the_inverse_of_body_mass_index():
    kg = body.target_weight(bmi=22.5, height=163).value
    assert body.body_mass_index(weight=kg, height=163).value == pytest.approx(22.5)


# Kidney and water


@pytest.mark.parametrize(
    ("sex", "height", "weight", "used"),
    [
        ("female", 140, 36.25, 36.25),  # BMI 18.495, underweight: actual
        ("female", 140, 36.27, 45.5 + 2.3 * (140 / 2.54 - 60)),  # BMI 18.505: the lower ideal weight
        ("male", 200, 74, 74),  # BMI 18.5 exactly, normal: the lower actual weight
        ("male", 200, 99.99, 50 + 2.3 * (200 / 2.54 - 60)),  # BMI 24.998, normal
        ("male", 200, 100, 0.6 * (50 + 2.3 * (200 / 2.54 - 60)) + 40),  # BMI 25 exactly: adjusted
    ],
)
def test_creatinine_clearance_takes_the_weight_of_the_bmi_class(sex, height, weight, used):
    worked = kidney.creatinine_clearance(age=60, sex=sex, weight=weight, height=height, creatinine=1)
    factor = 0.85 if sex == "female" else 1
    assert worked.value == pytest.approx(80 * used / 72 * factor)


def test_ckd_epi_2021_gives_the_example_of_the_national_kidney_foundation():
    assert round(kidney.gfr_ckd_epi_2021(age=55, sex="male", creatinine=1.2).value) == 71


def test_mdrd_race_coefficient_is_applied_only_when_asked_for():
    plain = kidney.gfr_mdrd(age=50, sex="male", creatinine=1.2)
    raised = kidney.gfr_mdrd(age=50, sex="male", creatinine=1.2, black=True)
    assert raised.value / plain.value == pytest.approx(1.212)


def test_filtration_equations_are_for_adults():
    size = {"weight": 60, "height": 165}
    for function, more in (
        (kidney.creatinine_clearance, size),
        (kidney.gfr_mdrd, {}),
        (kidney.gfr_ckd_epi_2021, {}),
    ):
        assert function(age=18, sex="male", creatinine=1, **more).value > 0
        with pytest.raises(CalculatorError, match=r"age 17\.9 is below 18"):
            function(age=17.9, sex="male", creatinine=1, **more)


def test_free_water_deficit_of_the_published_case():
    """Adrogue & Madias 2000: a man of 76, 68 kg, sodium 168 has 34 L of body water."""
    value = kidney.free_water_deficit(age=76, sex="male", weight=68, sodium=168).value
    assert value == pytest.approx(34 * (168 / 140 - 1))


@pytest.mark.parametrize(
    ("age", "sex", "share"),
    [
        (17.9, "female", 0.6),
        (18, "female", 0.5),
        (64.9, "male", 0.6),
        (65, "male", 0.5),
        (65, "female", 0.45),
    ],
)
def test_body_water_changes_at_18_and_65_years(age, sex, share):
    value = kidney.free_water_deficit(age=age, sex=sex, weight=100, sodium=154).value
    assert value == pytest.approx(share * 10)


# ECG


@pytest.mark.parametrize("name", ["bazett", "fridericia", "framingham", "hodges", "rautaharju"])
def test_qt_is_unchanged_at_a_heart_rate_of_60(name):
    assert getattr(ecg, f"qtc_{name}")(heart_rate=60, qt_interval=410).value == pytest.approx(410)


def test_framingham_qtc_refuses_a_heart_so_slow_that_nothing_is_left():
    with pytest.raises(CalculatorError, match="heart_rate 10"):
        ecg.qtc_framingham(heart_rate=10, qt_interval=500)


# Acid and base


def test_gaps_may_be_zero_and_negative_without_binary_noise():
    assert acid_base.anion_gap(**gap(120, 115, 20)).value == -15
    assert acid_base.delta_gap(**gap(141.3, 110.1, 19.2)).value == 0
    assert acid_base.delta_ratio(**gap(141.3, 110.1, 19.2)).value == 0
    assert acid_base.albumin_corrected_delta_gap(**gap(140, 110, 26, albumin=5)).value == -10.5


def test_delta_ratio_is_negative_above_and_refused_at_a_bicarbonate_of_24():
    assert acid_base.delta_ratio(**gap(150, 100, 30)).value == pytest.approx(8 / -6)
    for function, more in (
        (acid_base.delta_ratio, {}),
        (acid_base.albumin_corrected_delta_ratio, {"albumin": 3}),
    ):
        with pytest.raises(CalculatorError, match="bicarbonate 24"):
            function(**gap(140, 100, 24, **more))


def test_albumin_of_4_corrects_nothing():
    plain, more = gap(140, 104, 14), {"albumin": 4}
    assert acid_base.albumin_corrected_anion_gap(**plain, **more).value == acid_base.anion_gap(**plain).value
    assert (
        acid_base.albumin_corrected_delta_ratio(**plain, **more).value == acid_base.delta_ratio(**plain).value
    )


# Chemistry


def test_corrections_change_nothing_at_the_normal_value_and_go_both_ways():
    assert chemistry.corrected_calcium(calcium=9, albumin=4).value == 9
    assert chemistry.corrected_calcium(calcium=9, albumin=5).value == pytest.approx(8.2)
    assert chemistry.corrected_sodium(sodium=130, glucose=100).value == 130
    assert chemistry.corrected_sodium(sodium=130, glucose=600).value == pytest.approx(142)
    assert chemistry.corrected_sodium(sodium=140, glucose=50).value == pytest.approx(138.8)


def test_homa_ir_is_one_at_the_model_s_reference_of_5_units_and_4_5_mmol():
    assert chemistry.homa_ir(insulin=5, glucose=81).value == pytest.approx(1)


# Lipids


def test_friedewald_holds_up_to_400_of_triglycerides():
    assert lipids.ldl_cholesterol(total_cholesterol=200, hdl=40, triglycerides=400).value == 80
    with pytest.raises(CalculatorError, match=r"triglycerides 400.5 mg/dL are above 400"):
        lipids.ldl_cholesterol(total_cholesterol=200, hdl=40, triglycerides=400.5)
    with pytest.raises(CalculatorError, match="total_cholesterol 100"):
        lipids.ldl_cholesterol(total_cholesterol=100, hdl=60, triglycerides=200)


# ATP III's point tables (Circulation 2002;106:3143) round the same models. Arguments in the middle of the
# classes, and the table's percent for one point less and one point more than their sum.
ATP_POINTS = [
    (dict(sex="male", age=52, total_cholesterol=220, hdl=45, systolic_bp=135), 6, 10),  # 11 points, 8 %
    (dict(sex="male", age=62, total_cholesterol=180, hdl=45, systolic_bp=125, smoker=True), 10, 16),  # 13
    (dict(sex="male", age=67, total_cholesterol=220, hdl=55, systolic_bp=135, on_bp_medication=True), 12, 20),
    (dict(sex="male", age=42, total_cholesterol=220, hdl=45, systolic_bp=135, smoker=True), 8, 12),  # 12
    (dict(sex="female", age=62, total_cholesterol=220, hdl=55, systolic_bp=135), 2, 3),  # 14 points, 2 %
    (
        dict(sex="female", age=67, total_cholesterol=260, hdl=45, systolic_bp=150, on_bp_medication=True),
        11,
        17,
    ),
    (dict(sex="female", age=52, total_cholesterol=260, hdl=45, systolic_bp=150, smoker=True), 6, 11),  # 19
]


@pytest.mark.parametrize(("arguments", "low", "high"), ATP_POINTS)
def test_hard_coronary_risk_is_within_one_point_of_the_published_tables(arguments, low, high):
    assert low <= lipids.hard_coronary_risk(**arguments).value <= high


@pytest.mark.parametrize(("sex", "limit"), [("male", 70), ("female", 78)])
def test_age_in_the_smoking_term_stops_at_the_limit_of_the_sex(sex, limit):
    model = lipids.HARD_CORONARY[sex]
    base = dict(sex=sex, total_cholesterol=200, hdl=50, systolic_bp=130)

    def smoking_effect(age: float) -> float:
        """Log hazard ratio of smoking at an age."""
        risks = [lipids.hard_coronary_risk(age=age, smoker=s, **base).value / 100 for s in (True, False)]
        smoking, none = (math.log(-math.log1p(-risk) / -math.log(model.survival)) for risk in risks)
        return smoking - none

    assert smoking_effect(limit) == pytest.approx(smoking_effect(79))
    assert smoking_effect(limit - 1) > smoking_effect(limit) + 1e-3


def test_hard_coronary_risk_is_given_from_20_to_79_years():
    base = dict(sex="female", total_cholesterol=200, hdl=50, systolic_bp=130)
    for age in (20, 79):
        assert 0 < lipids.hard_coronary_risk(age=age, **base).value < 100
    for age in (19.9, 79.1):
        with pytest.raises(CalculatorError, match="20 to 79"):
            lipids.hard_coronary_risk(age=age, **base)


# Dates


@pytest.mark.parametrize(
    ("start", "cycle", "due"),
    [
        ("2024-02-29", 28, (2024, 12, 5)),
        ("2023-06-01", 28, (2024, 3, 7)),  # over 29 February
        ("2022-06-01", 28, (2023, 3, 8)),
        ("2023-01-03", 26, (2023, 10, 8)),
        ("2023-01-03", 35, (2023, 10, 17)),
    ],
)
def test_due_date_counts_280_days_and_the_cycle_beyond_28(start, cycle, due):
    worked = dates.due_date(last_menstrual_date=start, cycle_length=cycle)
    assert worked.value == datetime.date(*due)


def test_due_date_without_a_cycle_length_is_that_of_28_days():
    start = "2021-05-05"
    assert dates.due_date(last_menstrual_date=start) == dates.due_date(
        last_menstrual_date=start, cycle_length=28
    )


def test_conception_and_gestational_age_know_leap_years():
    assert dates.conception_date(last_menstrual_date="2024-02-20").value == datetime.date(2024, 3, 5)
    assert dates.conception_date(last_menstrual_date="2023-02-20").value == datetime.date(2023, 3, 6)
    ages = {
        ("2024-02-24", "2024-03-02"): (1, 0),
        ("2023-02-24", "2023-03-02"): (0, 6),
        ("2024-05-05", "2024-05-05"): (0, 0),
    }
    for (start, today), age in ages.items():
        assert dates.gestational_age(last_menstrual_date=start, current_date=today).value == age


@pytest.mark.parametrize(
    "text", ["2023-02-29", "20230228", "02/28/2023", "2023-W05-1", "1899-12-31", "9999-12-31", ""]
)
def test_a_text_that_is_no_date_is_refused_with_its_argument_s_name(text):
    with pytest.raises(CalculatorError, match="last_menstrual_date"):
        dates.due_date(last_menstrual_date=text)


def test_a_pregnancy_does_not_begin_tomorrow():
    with pytest.raises(CalculatorError, match="before"):
        dates.gestational_age(last_menstrual_date="2024-05-06", current_date="2024-05-05")


# Doses


@pytest.mark.parametrize(("kg", "rate"), [(3, 12), (10, 40), (10.5, 41), (20, 60), (20.5, 60.5), (70, 110)])
def test_maintenance_fluid_follows_4_2_1(kg, rate):
    assert doses.maintenance_fluids(weight=kg).value == pytest.approx(rate)


def test_steroids_convert_there_and_back_by_every_path():
    steroids = get_args(doses.Steroid)
    assert {name.partition("_")[0] for name in steroids} == set(doses.STEROID_MG)
    for given, wanted in itertools.product(steroids, repeat=2):
        there = doses.steroid_equivalent(steroid=given, dose_mg=12, target_steroid=wanted).value
        back = doses.steroid_equivalent(steroid=wanted, dose_mg=there, target_steroid=given).value
        assert back == pytest.approx(12)


def test_prednisone_5_equals_hydrocortisone_20_and_cortisone_25():
    for target, mg in (("hydrocortisone_iv", 20), ("cortisone_po", 25), ("methylprednisolone_iv", 4)):
        worked = doses.steroid_equivalent(steroid="prednisone_po", dose_mg=5, target_steroid=target)
        assert worked.value == pytest.approx(mg)


@pytest.mark.parametrize(
    ("opioid", "dose", "times", "mme"),
    [
        ("hydrocodone", 5, 4, 20),  # both examples of the guideline's table
        ("oxycodone", 10, 2, 30),
        ("fentanyl_patch", 25, 1, 60),  # ug/h
        ("methadone", 10, 3, 141),
        ("tramadol", 50, 4, 40),
    ],
)
def test_morphine_equivalents_follow_the_guideline_of_2022(opioid, dose, times, mme):
    given = {"opioid": opioid, "dose": dose, "doses_per_day": times}
    assert doses.morphine_equivalents(doses=[given]).value == pytest.approx(mme)
    assert doses.morphine_equivalents(doses=[given, given]).value == pytest.approx(2 * mme)


def test_every_opioid_has_a_factor_and_no_dose_is_an_error():
    assert set(get_args(doses.Opioid)) == set(doses.MME_FACTOR)
    with pytest.raises(CalculatorError, match="empty"):
        doses.morphine_equivalents(doses=[])
