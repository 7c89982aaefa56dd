"""LDL cholesterol from the lipid profile; ten-year risk of hard coronary heart disease.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

The risk is that of infarction or coronary death (ATP III); `clinical.cardiovascular` has the later Framingham
model of all cardiovascular events, which is another outcome.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import Age, Hdl, Sex, SystolicBP, TotalCholesterol, Triglycerides

FRIEDEWALD_LIMIT = 400.0  # mg/dL of triglycerides


@dataclass(frozen=True, kw_only=True)
class HardCoronaryModel:
    """Coefficients of one sex; those of age, lipids and pressure belong to natural logarithms."""

    age: float
    cholesterol: float
    hdl: float
    systolic: float
    treated: float
    smoker: float
    age_cholesterol: float
    age_smoker: float
    age_age: float  # 0 where the model has no such term
    constant: float
    survival: float
    smoking_age_limit: float  # age in the smoking term is at most this


HARD_CORONARY = {
    "male": HardCoronaryModel(
        age=52.00961, cholesterol=20.014077, hdl=-0.905964, systolic=1.305784, treated=0.241549,
        smoker=12.096316, age_cholesterol=-4.605038, age_smoker=-2.84367, age_age=-2.93323,
        constant=-172.300168, survival=0.9402, smoking_age_limit=70,
    ),
    "female": HardCoronaryModel(
        age=31.764001, cholesterol=22.465206, hdl=-1.187731, systolic=2.552905, treated=0.420251,
        smoker=13.07543, age_cholesterol=-5.060998, age_smoker=-2.996945, age_age=0.0,
        constant=-146.5933061, survival=0.98767, smoking_age_limit=78,
    ),
}  # fmt: skip
AGES = (20.0, 79.0)  # of the ATP III risk tables


@calculator(id=44, title="LDL Calculated", category=Category.LAB, unit="mg/dL")
def ldl_cholesterol(*, total_cholesterol: TotalCholesterol, hdl: Hdl, triglycerides: Triglycerides) -> Worked:
    """LDL cholesterol in mg/dL by Friedewald: total less HDL less a fifth of triglycerides (at most 400).

    Source: Friedewald WT, Clin Chem 1972;18:499-502, who found the rule to fail above 400 mg/dL of
    triglycerides. CalculatorError there, and where the parts exceed the total.
    """
    if triglycerides > FRIEDEWALD_LIMIT:
        raise CalculatorError(
            f"triglycerides {triglycerides:g} mg/dL are above 400; measure LDL directly (Friedewald fails)"
        )
    value = total_cholesterol - hdl - triglycerides / 5.0
    if value <= 0:
        raise CalculatorError(
            f"total_cholesterol {total_cholesterol:g} mg/dL is below the sum of its parts; check the profile"
        )
    work = Work()
    parts = f"{shown_number(hdl)} - {shown_number(triglycerides)} / 5"
    work.step("LDL", f"{shown_number(total_cholesterol)} - {parts}", value, "mg/dL")
    return work.result(value)


@calculator(
    id=46,
    title="Framingham Risk Score for Hard Coronary Heart Disease",
    category=Category.LAB,
    unit="%",
)
def hard_coronary_risk(
    *,
    age: Age,
    sex: Sex,
    systolic_bp: SystolicBP,
    total_cholesterol: TotalCholesterol,
    hdl: Hdl,
    smoker: bool = False,
    on_bp_medication: bool = False,
) -> Worked:
    """Ten-year risk of infarction or coronary death in percent (Framingham, ATP III), age 20 to 79.

    Sources: NCEP ATP III, Circulation 2002;106:3143-3421 (the model, after Wilson PW, Circulation
    1998;97:1837-1847). In the smoking term age counts at most as 70 for men and 78 for women. Without known
    coronary disease or diabetes.
    """
    if not AGES[0] <= age <= AGES[1]:
        raise CalculatorError(f"age {age:g} is outside 20 to 79 years, the ages of the ATP III equations")
    model = HARD_CORONARY[sex]
    log_age, log_cholesterol = math.log(age), math.log(total_cholesterol)
    shown_age = f"ln({shown_number(age)})"
    shown_cholesterol = f"ln({shown_number(total_cholesterol)})"
    capped = min(age, model.smoking_age_limit)
    terms = [
        (model.age, shown_age, log_age),
        (model.cholesterol, shown_cholesterol, log_cholesterol),
        (model.hdl, f"ln({shown_number(hdl)})", math.log(hdl)),
        (model.systolic, f"ln({shown_number(systolic_bp)})", math.log(systolic_bp)),
        (model.treated, "", float(on_bp_medication)),
        (model.smoker, "", float(smoker)),
        (model.age_cholesterol, f"{shown_age} * {shown_cholesterol}", log_age * log_cholesterol),
        (model.age_smoker, f"ln({shown_number(capped)})", math.log(capped) * smoker),
        (model.age_age, f"{shown_age} * {shown_age}", log_age * log_age),
        (model.constant, "", 1.0),
    ]
    work = Work()
    score = sum(factor * value for factor, _, value in terms)
    shown = f"{score:.8g}"  # eight digits: an absolute error of the score is a relative one of the risk
    work.note(f"score = {_written_sum(terms)} = {shown}")
    risk = 100.0 * (1.0 - model.survival ** math.exp(score))
    work.step("risk", f"100 * (1 - {model.survival:g} ** exp({shown}))", risk, "%")
    return work.result(risk)


def _written_sum(terms: list[tuple[float, str, float]]) -> str:
    """`a * x - b * y …` over (coefficient, text of the variable or "", its value), less the terms of 0."""
    text = ""
    for factor, variable, value in terms:
        if factor * value == 0:
            continue
        sign = " - " if factor < 0 else " + " if text else ""
        text += f"{sign}{abs(factor)!r}" + (f" * {variable}" if variable else "")
    return text
