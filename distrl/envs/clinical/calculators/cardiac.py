"""Scores of the heart: stroke and bleeding in atrial fibrillation, surgery, chest pain.

[cardiac] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

from typing import Literal

from distrl.envs.clinical.bands import above
from distrl.envs.clinical.calculators.core import Category, Output, Work, Worked, calculator
from distrl.envs.clinical.calculators.inputs import Age, Creatinine, DrinksPerWeek, Sex
from distrl.envs.clinical.calculators.points import Flags, Scale, choose, count, grade
from distrl.envs.clinical.perioperative import RCRI_FACTORS, RENAL_CREATININE_MG_DL

ChestPainHistory = Literal["slightly_suspicious", "moderately_suspicious", "highly_suspicious"]
Electrocardiogram = Literal["normal", "nonspecific_repolarization_disturbance", "significant_st_deviation"]
Troponin = Literal["normal", "up_to_three_times_normal", "over_three_times_normal"]

# Lip GYH, Chest 2010;137:263-272.
VASC_AGE = Scale("age", "years", ((75, 2), (65, 1)))
VASC_SEX = {"male": 0, "female": 1}
VASC_FLAGS: Flags = {
    "heart_failure": 1,
    "hypertension": 1,
    "stroke/tia/thromboembolism": 2,
    "vascular_disease": 1,
    "diabetes": 1,
}


@calculator(
    id=4,
    title="CHA2DS2-VASc Score for Atrial Fibrillation Stroke Risk",
    category=Category.RISK,
    output=Output.INTEGER,
)
def cha2ds2_vasc(
    *,
    age: Age,
    sex: Sex,
    heart_failure: bool = False,
    hypertension: bool = False,
    stroke: bool = False,
    tia: bool = False,
    thromboembolism: bool = False,
    vascular_disease: bool = False,
    diabetes: bool = False,
) -> Worked:
    """CHA2DS2-VASc score, 0 to 9, of stroke risk in atrial fibrillation. All flags are of the history.

    Source: Lip GYH, Nieuwlaat R, Pisters R, Lane DA, Crijns HJGM, Chest 2010;137:263-272.

    Args:
        vascular_disease: Previous myocardial infarction, peripheral artery disease or aortic plaque.
    """
    work = Work()
    grade(work, VASC_AGE, age)
    choose(work, "sex", sex, VASC_SEX)
    count(work, VASC_FLAGS, locals())
    return work.result(work.total("CHA2DS2-VASc score"))


# Lee TH, Circulation 1999;100:1043-1049: one point each.
RCRI_CREATININE = Scale("creatinine", "mg/dL", ((above(RENAL_CREATININE_MG_DL), 1),))
RCRI_FLAGS: Flags = {name: 1 for name in RCRI_FACTORS if name != "renal_insufficiency"}


@calculator(
    id=17,
    title="Revised Cardiac Risk Index for Pre-Operative Risk",
    category=Category.RISK,
    output=Output.INTEGER,
)
def revised_cardiac_risk_index(
    *,
    creatinine: Creatinine | None = None,
    high_risk_surgery: bool = False,
    ischemic_heart_disease: bool = False,
    heart_failure: bool = False,
    cerebrovascular_disease: bool = False,
    insulin_diabetes: bool = False,
) -> Worked:
    """Revised Cardiac Risk Index, 0 to 6, before non-cardiac surgery.

    Source: Lee TH, Marcantonio ER, Mangione CM, et al., Circulation 1999;100:1043-1049.

    Args:
        creatinine: Preoperative value.
        high_risk_surgery: Intraperitoneal, intrathoracic or suprainguinal vascular.
        cerebrovascular_disease: History of stroke or transient ischemic attack.
        insulin_diabetes: Preoperative treatment with insulin.
    """
    work = Work()
    count(work, RCRI_FLAGS, locals())
    grade(work, RCRI_CREATININE, creatinine)
    return work.result(work.total("Revised Cardiac Risk Index"))


# Backus BE, Int J Cardiol 2013;168:2153-2158.
HEART_AGE = Scale("age", "years", ((65, 2), (45, 1)))
HEART_HISTORY = {"slightly_suspicious": 0, "moderately_suspicious": 1, "highly_suspicious": 2}
HEART_ECG = {"normal": 0, "nonspecific_repolarization_disturbance": 1, "significant_st_deviation": 2}
HEART_TROPONIN = {"normal": 0, "up_to_three_times_normal": 1, "over_three_times_normal": 2}
HEART_FACTORS = Scale("risk factors", "", ((3, 2), (1, 1)))
HEART_ATHEROSCLEROSIS = 2  # known atherosclerotic disease has the points of three factors


@calculator(
    id=18, title="HEART Score for Major Cardiac Events", category=Category.RISK, output=Output.INTEGER
)
def heart_score(
    *,
    age: Age,
    chest_pain_history: ChestPainHistory = "slightly_suspicious",
    electrocardiogram: Electrocardiogram = "normal",
    troponin: Troponin = "normal",
    hypertension: bool = False,
    hypercholesterolemia: bool = False,
    diabetes: bool = False,
    obesity: bool = False,
    smoking: bool = False,
    family_history_cvd: bool = False,
    atherosclerotic_disease: bool = False,
    tia: bool = False,
) -> Worked:
    """HEART score, 0 to 10, of major cardiac events in chest pain.

    A transient ischemic attack is atherosclerotic disease by the definition, which gives 2 points at once.
    Source: Six AJ, Backus BE, Kelder JC, Neth Heart J 2008;16:191-196; Backus BE, Six AJ, Kelder JC, et al.,
    Int J Cardiol 2013;168:2153-2158.

    Args:
        obesity: Body mass index above 30 kg/m^2.
        smoking: Current, or stopped within 3 months.
        family_history_cvd: Parent or sibling with cardiovascular disease before age 65.
        atherosclerotic_disease: Infarction, PCI, CABG, stroke, or peripheral arterial disease.
    """
    work = Work()
    choose(work, "chest_pain_history", chest_pain_history, HEART_HISTORY)
    choose(work, "electrocardiogram", electrocardiogram, HEART_ECG)
    grade(work, HEART_AGE, age)
    factors = [hypertension, hypercholesterolemia, diabetes, obesity, smoking, family_history_cvd]
    if atherosclerotic_disease or tia:
        work.points("known atherosclerotic disease", HEART_ATHEROSCLEROSIS)
    else:
        grade(work, HEART_FACTORS, sum(map(bool, factors)))
    choose(work, "troponin", troponin, HEART_TROPONIN)
    return work.result(work.total("HEART score"))


# Pisters R, Chest 2010;138:1093-1100.
BLED_AGE = Scale("age", "years", ((above(65), 1),))
BLED_DRINKS = Scale("alcohol", "drinks/week", ((8, 1),))
BLED_FLAGS: Flags = {
    "uncontrolled_hypertension": 1,
    "renal_disease": 1,
    "liver_disease": 1,
    "stroke": 1,
    "prior_bleeding": 1,
    "labile_inr": 1,
    "bleeding_medication": 1,
}


@calculator(
    id=25, title="HAS-BLED Score for Major Bleeding Risk", category=Category.RISK, output=Output.INTEGER
)
def has_bled(
    *,
    age: Age,
    alcoholic_drinks: DrinksPerWeek | None = None,
    uncontrolled_hypertension: bool = False,
    renal_disease: bool = False,
    liver_disease: bool = False,
    stroke: bool = False,
    prior_bleeding: bool = False,
    labile_inr: bool = False,
    bleeding_medication: bool = False,
) -> Worked:
    """HAS-BLED score, 0 to 9, of major bleeding under anticoagulation.

    Source: Pisters R, Lane DA, Nieuwlaat R, de Vos CB, Crijns HJGM, Lip GYH, Chest 2010;138:1093-1100.

    Args:
        uncontrolled_hypertension: Systolic pressure above 160 mmHg.
        renal_disease: Dialysis, transplant, or creatinine above 2.26 mg/dL.
        liver_disease: Cirrhosis, or bilirubin over 2 times and AST, ALT or AP over 3 times normal.
        prior_bleeding: Prior major bleeding or predisposition to bleeding.
        labile_inr: Time in therapeutic range below 60 %.
        bleeding_medication: Aspirin, clopidogrel or NSAIDs.
    """
    work = Work()
    grade(work, BLED_AGE, age)
    grade(work, BLED_DRINKS, alcoholic_drinks)
    count(work, BLED_FLAGS, locals())
    return work.result(work.total("HAS-BLED score"))
