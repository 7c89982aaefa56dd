"""Flags, ranges and worked examples of the scores, as data for their tests."""

from __future__ import annotations

from typing import Any

# id -> points of each flag alone, from the printed instruments.
FLAGS: dict[int, dict[str, float]] = {
    4: dict(
        heart_failure=1, hypertension=1, stroke=2, tia=2, thromboembolism=2, vascular_disease=1, diabetes=1
    ),
    8: dict(
        dvt_signs=3, pe_most_likely=3, immobilized_3_days=1.5, surgery_past_4_weeks=1.5, previous_pe=1.5,
        previous_dvt=1.5, hemoptysis=1, active_cancer=1,
    ),
    15: {},
    16: dict(
        active_cancer=1, bedridden_3_days=1, major_surgery_past_12_weeks=1, calf_swelling_over_3_cm=1,
        collateral_superficial_veins=1, entire_leg_swollen=1, deep_vein_tenderness=1, pitting_edema=1,
        leg_paralysis_or_plaster=1, previous_dvt=1, alternative_diagnosis_as_likely=-2,
    ),
    17: dict(
        high_risk_surgery=1, ischemic_heart_disease=1, heart_failure=1, cerebrovascular_disease=1,
        insulin_diabetes=1,
    ),
    18: dict(
        hypertension=1, hypercholesterolemia=1, diabetes=1, obesity=1, smoking=1, family_history_cvd=1,
        atherosclerotic_disease=2, tia=2,
    ),
    20: dict(cough=-1, tonsillar_exudate=1, tender_cervical_nodes=1),
    21: {},
    25: dict(
        uncontrolled_hypertension=1, renal_disease=1, liver_disease=1, stroke=1, prior_bleeding=1,
        labile_inr=1, bleeding_medication=1,
    ),
    27: dict(melena=1, syncope=2, liver_disease=2, heart_failure=2),
    28: dict(acute_renal_failure=0, organ_failure_or_immunocompromise=5),
    29: dict(
        nursing_home_resident=10, neoplastic_disease=30, liver_disease=20, heart_failure=10,
        cerebrovascular_disease=10, renal_disease=10, altered_mental_status=20, pleural_effusion=10,
    ),
    32: dict(
        myocardial_infarction=1, heart_failure=1, peripheral_vascular_disease=1, stroke=1, tia=1, dementia=1,
        copd=1, connective_tissue_disease=1, peptic_ulcer_disease=1, hemiplegia=2, moderate_to_severe_ckd=2,
        leukemia=2, lymphoma=2, aids=6,
    ),
    33: dict(
        fever_past_24_hours=1, no_cough_or_coryza=1, onset_within_3_days=1, purulent_tonsils=1,
        severe_tonsil_inflammation=1,
    ),
    36: dict(
        major_surgery_past_month=1, heart_failure_past_month=1, sepsis_past_month=1, pneumonia_past_month=1,
        plaster_cast_past_month=2, leg_fracture_past_month=5, stroke_past_month=5,
        multiple_trauma_past_month=5, spinal_cord_injury_past_month=5, varicose_veins=1, swollen_legs=1,
        central_venous_access=2, previous_dvt=3, previous_pe=3, family_history_thrombosis=3,
        factor_v_leiden=3, prothrombin_20210a=3, elevated_homocysteine=3, lupus_anticoagulant=3,
        anticardiolipin_antibody=3, heparin_induced_thrombocytopenia=3, other_thrombophilia=3,
        inflammatory_bowel_disease=1, acute_myocardial_infarction=1, copd=1, malignancy=2,
    ),
    43: dict(mechanical_ventilation=0, cpap=0, hypotension=1),
    45: dict(confusion=1),
    48: dict(
        unilateral_leg_swelling=1, hemoptysis=1, recent_surgery_or_trauma=1, previous_pe=1, previous_dvt=1,
        hormone_use=1,
    ),
    51: {},
}  # fmt: skip

# Flags of one criterion: together they have the points of one.
ONE_CRITERION: tuple[tuple[int, tuple[str, ...], float], ...] = (
    (4, ("stroke", "tia", "thromboembolism"), 2),
    (8, ("immobilized_3_days", "surgery_past_4_weeks"), 1.5),
    (8, ("previous_pe", "previous_dvt"), 1.5),
    (16, ("bedridden_3_days", "major_surgery_past_12_weeks"), 1),
    (18, ("hypertension", "diabetes"), 1),
    (18, ("hypertension", "diabetes", "smoking"), 2),
    (18, ("hypertension", "diabetes", "smoking", "obesity", "atherosclerotic_disease", "tia"), 2),
    (32, ("stroke", "tia"), 1),
    (36, ("previous_dvt", "previous_pe"), 3),
    (48, ("previous_pe", "previous_dvt"), 1),
)

# id -> (least, greatest total) of the printed instrument at the ages of `inputs.Age`.
RANGES: dict[int, tuple[float, float]] = {
    4: (0, 9),
    8: (0, 12.5),
    15: (5, 15),
    16: (-2, 9),
    17: (0, 6),
    18: (0, 10),
    20: (-1, 5),
    21: (3, 15),
    23: (6, 40),
    25: (0, 9),
    27: (0, 23),
    28: (0, 71),
    29: (-10, 405),
    32: (0, 37),
    33: (0, 5),
    36: (0, 73),
    43: (0, 24),
    45: (0, 5),
    48: (0, 8),
    51: (0, 4),
}

# The worked example of MedCalc-Bench for each score, in canonical units: id -> (arguments, answer).
ONE_SHOT: dict[int, tuple[dict[str, Any], float]] = {
    4: (dict(age=62, sex="male", stroke=True), 2),
    8: (dict(heart_rate=150), 1.5),
    15: (dict(inr=2.0, albumin=3.7, bilirubin=2.6 / 17.104), 6),
    16: (
        dict(
            active_cancer=True, major_surgery_past_12_weeks=True, deep_vein_tenderness=True,
            collateral_superficial_veins=True,
        ),
        4,
    ),
    17: (dict(insulin_diabetes=True, creatinine=2.1, high_risk_surgery=True), 3),
    18: (dict(age=28, smoking=True), 1),
    20: (dict(age=17, temperature=40), 2),
    21: (
        dict(
            eye_response="eyes_open_spontaneously", motor_response="flexion_to_pain",
            verbal_response="no_verbal_response",
        ),
        8,
    ),
    23: (dict(creatinine=7.78, inr=2.2, sodium=133, bilirubin=36.1), 40),
    25: (dict(age=43, uncontrolled_hypertension=True, alcoholic_drinks=0), 1),
    27: (dict(sex="male", bun=51, heart_rate=90, hemoglobin=11, systolic_bp=110, liver_disease=True), 9),
    28: (
        dict(
            age=64, temperature=(100.8 - 32) / 1.8, systolic_bp=110, diastolic_bp=58, heart_rate=107,
            respiratory_rate=22, fio2=36, pao2=75, ph=7.29, sodium=136, potassium=4.5, creatinine=1.8,
            hematocrit=34, wbc=12.3, gcs=13, acute_renal_failure=True,
        ),
        11,
    ),
    29: (
        dict(
            age=67, sex="female", heart_rate=90, respiratory_rate=19, systolic_bp=120, temperature=37.1,
            ph=7.37, bun=21, sodium=138, glucose=179, hematocrit=40, pao2=79, renal_disease=True,
            nursing_home_resident=True,
        ),
        77,
    ),
    32: (dict(age=82, connective_tissue_disease=True, peptic_ulcer_disease=True, copd=True), 7),
    33: (dict(fever_past_24_hours=True), 1),
    36: (
        dict(
            age=67, bmi=21, mobility="confined_to_bed_over_72_hours", pneumonia_past_month=True,
            leg_fracture_past_month=True, varicose_veins=True, family_history_thrombosis=True, copd=True,
        ),
        15,
    ),
    43: (
        dict(
            pao2=79, fio2=52, cpap=True, systolic_bp=78, diastolic_bp=46, hypotension=True, dopamine=5,
            gcs=13, bilirubin=1.6, platelets=147, creatinine=1.7, urine_output=650,
        ),
        9,
    ),
    45: (dict(age=77, systolic_bp=105, diastolic_bp=52, bun=40, respiratory_rate=23, confusion=True), 4),
    48: (dict(age=64, heart_rate=72, spo2=100, previous_pe=True), 2),
    51: (dict(temperature=(103 - 32) / 1.8, heart_rate=120, respiratory_rate=32, wbc=33, paco2=41), 4),
}  # fmt: skip
