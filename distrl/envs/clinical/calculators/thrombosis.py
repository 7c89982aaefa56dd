"""Scores of venous thrombosis: pulmonary embolism, deep vein thrombosis, prophylaxis.

[thrombosis] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

from typing import Literal

from distrl.envs.clinical.bands import above
from distrl.envs.clinical.calculators.core import Category, Output, Work, Worked, calculator
from distrl.envs.clinical.calculators.inputs import Age, BodyMassIndex, HeartRate, OxygenSaturation
from distrl.envs.clinical.calculators.points import Flags, Scale, choose, count, grade

SurgeryType = Literal[
    "none", "minor", "major", "laparoscopic", "arthroscopic", "elective_major_lower_extremity_arthroplasty"
]
Mobility = Literal["normal", "on_bed_rest", "confined_to_bed_over_72_hours"]

# Wells PS, Thromb Haemost 2000;83:416-420.
PE_HEART_RATE = Scale("heart rate", "beats/min", ((above(100), 1.5),))
PE_FLAGS: Flags = {
    "dvt_signs": 3,
    "pe_most_likely": 3,
    "immobilized_3_days/surgery_past_4_weeks": 1.5,
    "previous_pe/previous_dvt": 1.5,
    "hemoptysis": 1,
    "active_cancer": 1,
}


@calculator(id=8, title="Wells' Criteria for Pulmonary Embolism", category=Category.RISK)
def wells_pulmonary_embolism(
    *,
    heart_rate: HeartRate,
    dvt_signs: bool = False,
    pe_most_likely: bool = False,
    immobilized_3_days: bool = False,
    surgery_past_4_weeks: bool = False,
    previous_pe: bool = False,
    previous_dvt: bool = False,
    hemoptysis: bool = False,
    active_cancer: bool = False,
) -> Worked:
    """Wells score of pulmonary embolism, 0 to 12.5.

    Source: Wells PS, Anderson DR, Rodger M, et al., Thromb Haemost 2000;83:416-420.

    Args:
        dvt_signs: Clinical signs and symptoms of deep vein thrombosis.
        pe_most_likely: Pulmonary embolism is the first diagnosis or equally likely.
        immobilized_3_days: Immobilization for at least 3 days.
        active_cancer: Treatment within 6 months, or palliative.
    """
    work = Work()
    grade(work, PE_HEART_RATE, heart_rate)
    count(work, PE_FLAGS, locals())
    return work.result(work.total("Wells score"))


# Wells PS, N Engl J Med 2003;349:1227-1235 (the score of 1997 with previously documented thrombosis).
DVT_FLAGS: Flags = {
    "active_cancer": 1,
    "bedridden_3_days/major_surgery_past_12_weeks": 1,
    "calf_swelling_over_3_cm": 1,
    "collateral_superficial_veins": 1,
    "entire_leg_swollen": 1,
    "deep_vein_tenderness": 1,
    "pitting_edema": 1,
    "leg_paralysis_or_plaster": 1,
    "previous_dvt": 1,
    "alternative_diagnosis_as_likely": -2,
}


@calculator(id=16, title="Wells' Criteria for DVT", category=Category.RISK, output=Output.INTEGER)
def wells_deep_vein_thrombosis(
    *,
    active_cancer: bool = False,
    bedridden_3_days: bool = False,
    major_surgery_past_12_weeks: bool = False,
    calf_swelling_over_3_cm: bool = False,
    collateral_superficial_veins: bool = False,
    entire_leg_swollen: bool = False,
    deep_vein_tenderness: bool = False,
    pitting_edema: bool = False,
    leg_paralysis_or_plaster: bool = False,
    previous_dvt: bool = False,
    alternative_diagnosis_as_likely: bool = False,
) -> Worked:
    """Wells score of deep vein thrombosis, -2 to 9.

    Source: Wells PS, Anderson DR, Rodger M, et al., N Engl J Med 2003;349:1227-1235.

    Args:
        active_cancer: Treatment within 6 months, or palliative.
        bedridden_3_days: Recently bedridden for more than 3 days.
        calf_swelling_over_3_cm: Against the other leg, 10 cm below the tibial tuberosity.
        collateral_superficial_veins: Nonvaricose.
        deep_vein_tenderness: Localized along the deep venous system.
        pitting_edema: Confined to the symptomatic leg.
        leg_paralysis_or_plaster: Paralysis, paresis or recent plaster immobilization of the leg.
        alternative_diagnosis_as_likely: As likely as deep vein thrombosis, or more.
    """
    work = Work()
    count(work, DVT_FLAGS, locals())
    return work.result(work.total("Wells score"))


# Caprini JA, Dis Mon 2005;51:70-78.
CAPRINI_AGE = Scale("age", "years", ((75, 3), (61, 2), (41, 1)))
CAPRINI_BMI = Scale("BMI", "kg/m^2", ((above(25), 1),))
CAPRINI_SURGERY = {
    "none": 0,
    "minor": 1,
    "major": 2,
    "laparoscopic": 2,
    "arthroscopic": 2,
    "elective_major_lower_extremity_arthroplasty": 5,
}
CAPRINI_MOBILITY = {"normal": 0, "on_bed_rest": 1, "confined_to_bed_over_72_hours": 2}
CAPRINI_FLAGS: Flags = {
    "major_surgery_past_month": 1,
    "heart_failure_past_month": 1,
    "sepsis_past_month": 1,
    "pneumonia_past_month": 1,
    "plaster_cast_past_month": 2,
    "leg_fracture_past_month": 5,
    "stroke_past_month": 5,
    "multiple_trauma_past_month": 5,
    "spinal_cord_injury_past_month": 5,
    "varicose_veins": 1,
    "swollen_legs": 1,
    "central_venous_access": 2,
    "previous_dvt/previous_pe": 3,
    "family_history_thrombosis": 3,
    "factor_v_leiden": 3,
    "prothrombin_20210a": 3,
    "elevated_homocysteine": 3,
    "lupus_anticoagulant": 3,
    "anticardiolipin_antibody": 3,
    "heparin_induced_thrombocytopenia": 3,
    "other_thrombophilia": 3,
    "inflammatory_bowel_disease": 1,
    "acute_myocardial_infarction": 1,
    "copd": 1,
    "malignancy": 2,
}


@calculator(
    id=36,
    title="Caprini Score for Venous Thromboembolism (2005)",
    category=Category.RISK,
    output=Output.INTEGER,
)
def caprini(
    *,
    age: Age,
    bmi: BodyMassIndex | None = None,
    surgery_type: SurgeryType = "none",
    mobility: Mobility = "normal",
    major_surgery_past_month: bool = False,
    heart_failure_past_month: bool = False,
    sepsis_past_month: bool = False,
    pneumonia_past_month: bool = False,
    plaster_cast_past_month: bool = False,
    leg_fracture_past_month: bool = False,
    stroke_past_month: bool = False,
    multiple_trauma_past_month: bool = False,
    spinal_cord_injury_past_month: bool = False,
    varicose_veins: bool = False,
    swollen_legs: bool = False,
    central_venous_access: bool = False,
    previous_dvt: bool = False,
    previous_pe: bool = False,
    family_history_thrombosis: bool = False,
    factor_v_leiden: bool = False,
    prothrombin_20210a: bool = False,
    elevated_homocysteine: bool = False,
    lupus_anticoagulant: bool = False,
    anticardiolipin_antibody: bool = False,
    heparin_induced_thrombocytopenia: bool = False,
    other_thrombophilia: bool = False,
    inflammatory_bowel_disease: bool = False,
    acute_myocardial_infarction: bool = False,
    copd: bool = False,
    malignancy: bool = False,
) -> Worked:
    """Caprini score (2005) of venous thromboembolism, 0 to 73.

    As MedCalc-Bench, without the three items for women (pregnancy, stillbirth, hormones). A plaster cast has
    the published 2 points, and a history of DVT and PE counts 3 once.
    Source: Caprini JA, Dis Mon 2005;51:70-78.

    Args:
        surgery_type: "major" is longer than 45 minutes.
        leg_fracture_past_month: Hip, pelvis or leg.
        malignancy: Present or previous.
    """
    work = Work()
    grade(work, CAPRINI_AGE, age)
    choose(work, "surgery_type", surgery_type, CAPRINI_SURGERY)
    choose(work, "mobility", mobility, CAPRINI_MOBILITY)
    count(work, CAPRINI_FLAGS, locals())
    grade(work, CAPRINI_BMI, bmi)
    return work.result(work.total("Caprini score"))


# Kline JA, J Thromb Haemost 2004;2:1247-1255.
PERC_AGE = Scale("age", "years", ((50, 1),))
PERC_HEART_RATE = Scale("heart rate", "beats/min", ((100, 1),))
PERC_SPO2 = Scale("oxygen saturation", "%", ((95, 0),), below=1)
PERC_FLAGS: Flags = {
    "unilateral_leg_swelling": 1,
    "hemoptysis": 1,
    "recent_surgery_or_trauma": 1,
    "previous_pe/previous_dvt": 1,
    "hormone_use": 1,
}


@calculator(
    id=48, title="PERC Rule for Pulmonary Embolism", category=Category.DIAGNOSIS, output=Output.INTEGER
)
def perc_rule(
    *,
    age: Age,
    heart_rate: HeartRate,
    spo2: OxygenSaturation,
    unilateral_leg_swelling: bool = False,
    hemoptysis: bool = False,
    recent_surgery_or_trauma: bool = False,
    previous_pe: bool = False,
    previous_dvt: bool = False,
    hormone_use: bool = False,
) -> Worked:
    """Number of criteria of the pulmonary embolism rule-out (PERC), 0 to 8; 0 rules it out at low risk.

    Source: Kline JA, Mitchell AM, Kabrhel C, Richman PB, Courtney DM, J Thromb Haemost 2004;2:1247-1255.

    Args:
        spo2: On room air.
        recent_surgery_or_trauma: Within 4 weeks, under general anesthesia.
        hormone_use: Contraceptive, replacement or other estrogen.
    """
    work = Work()
    grade(work, PERC_AGE, age)
    grade(work, PERC_HEART_RATE, heart_rate)
    grade(work, PERC_SPO2, spo2)
    count(work, PERC_FLAGS, locals())
    return work.result(work.total("PERC criteria"))
