"""Comorbidity: the Charlson index with points for age.

[comorbidity] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

from typing import Literal

from distrl.envs.clinical.calculators.core import Category, Output, Work, Worked, calculator
from distrl.envs.clinical.calculators.inputs import Age
from distrl.envs.clinical.calculators.points import Flags, Scale, choose, count, grade

DiabetesStage = Literal["none_or_diet_controlled", "uncomplicated", "end_organ_damage"]
LiverDiseaseStage = Literal["none", "mild", "moderate_to_severe"]
SolidTumor = Literal["none", "localized", "metastatic"]

# Weights: Charlson ME, J Chronic Dis 1987;40:373-383. Age: Charlson M, J Clin Epidemiol 1994;47:1245-1251.
CCI_AGE = Scale("age", "years", ((80, 4), (70, 3), (60, 2), (50, 1)))
CCI_DIABETES = {"none_or_diet_controlled": 0, "uncomplicated": 1, "end_organ_damage": 2}
CCI_LIVER = {"none": 0, "mild": 1, "moderate_to_severe": 3}
CCI_TUMOR = {"none": 0, "localized": 2, "metastatic": 6}
CCI_FLAGS: Flags = {
    "myocardial_infarction": 1,
    "heart_failure": 1,
    "peripheral_vascular_disease": 1,
    "stroke/tia": 1,
    "dementia": 1,
    "copd": 1,
    "connective_tissue_disease": 1,
    "peptic_ulcer_disease": 1,
    "hemiplegia": 2,
    "moderate_to_severe_ckd": 2,
    "leukemia": 2,
    "lymphoma": 2,
    "aids": 6,
}


@calculator(id=32, title="Charlson Comorbidity Index (CCI)", category=Category.RISK, output=Output.INTEGER)
def charlson_comorbidity_index(
    *,
    age: Age,
    diabetes_stage: DiabetesStage = "none_or_diet_controlled",
    liver_disease_stage: LiverDiseaseStage = "none",
    solid_tumor: SolidTumor = "none",
    myocardial_infarction: bool = False,
    heart_failure: bool = False,
    peripheral_vascular_disease: bool = False,
    stroke: bool = False,
    tia: bool = False,
    dementia: bool = False,
    copd: bool = False,
    connective_tissue_disease: bool = False,
    peptic_ulcer_disease: bool = False,
    hemiplegia: bool = False,
    moderate_to_severe_ckd: bool = False,
    leukemia: bool = False,
    lymphoma: bool = False,
    aids: bool = False,
) -> Worked:
    """Charlson comorbidity index with points for age, 0 to 37.

    Source: Charlson ME, Pompei P, Ales KL, MacKenzie CR, J Chronic Dis 1987;40:373-383; age from 50 as
    Charlson M, Szatrowski TP, Peterson J, Gold J, J Clin Epidemiol 1994;47:1245-1251.

    Args:
        peripheral_vascular_disease: Claudication, bypass, gangrene, or aneurysm of 6 cm or more.
        copd: Chronic pulmonary disease.
        moderate_to_severe_ckd: Chronic kidney disease with creatinine above 3 mg/dL, dialysis or transplant.
    """
    work = Work()
    grade(work, CCI_AGE, age)
    choose(work, "diabetes_stage", diabetes_stage, CCI_DIABETES)
    choose(work, "liver_disease_stage", liver_disease_stage, CCI_LIVER)
    choose(work, "solid_tumor", solid_tumor, CCI_TUMOR)
    count(work, CCI_FLAGS, locals())
    return work.result(work.total("Charlson Comorbidity Index"))
