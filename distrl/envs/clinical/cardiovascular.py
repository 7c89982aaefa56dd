"""Ten-year general cardiovascular risk, Framingham Heart Study.

D'Agostino RB, Circulation 2008;117:743-753: risk = 1 - S0 ^ exp(sum of beta * x - mean), sex-specific Cox
models, one with lipids and one for the office with BMI instead. Derived at age 30-74, free of CVD. The
outcome is a first coronary, cerebrovascular, peripheral-artery or heart-failure event.

Bands: below 10, 10 to 20, above 20 % (NCEP ATP III, JAMA 2001;285:2486); the paper itself draws its lower
line at 6 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

VALID_AGES = (30, 74)
# The "optimal" profile of the paper's heart age: TC 180, HDL 45, untreated SBP 125, no smoking, no diabetes.
OPTIMAL_TC, OPTIMAL_HDL, OPTIMAL_SBP = 180.0, 45.0, 125.0


@dataclass(frozen=True, kw_only=True)
class CoxModel:
    """Coefficients of one sex and model; `cholesterol` and `hdl`, or `bmi`, are 0 where a model has none."""

    survival: float
    mean: float
    age: float
    cholesterol: float = 0.0
    hdl: float = 0.0
    bmi: float = 0.0
    sbp: float
    sbp_treated: float
    smoker: float
    diabetes: float


LIPID = {
    "male": CoxModel(
        survival=0.88936, mean=23.9802, age=3.06117, cholesterol=1.12370, hdl=-0.93263,
        sbp=1.93303, sbp_treated=1.99881, smoker=0.65451, diabetes=0.57367,
    ),
    "female": CoxModel(
        survival=0.95012, mean=26.1931, age=2.32888, cholesterol=1.20904, hdl=-0.70833,
        sbp=2.76157, sbp_treated=2.82263, smoker=0.52873, diabetes=0.69154,
    ),
}  # fmt: skip
OFFICE = {
    "male": CoxModel(
        survival=0.88431, mean=23.9388, age=3.11296, bmi=0.79277,
        sbp=1.85508, sbp_treated=1.92672, smoker=0.70953, diabetes=0.53160,
    ),
    "female": CoxModel(
        survival=0.94833, mean=26.0145, age=2.72107, bmi=0.51125,
        sbp=2.81291, sbp_treated=2.88267, smoker=0.61868, diabetes=0.77763,
    ),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RiskFactors:
    """What the models read: mg/dL, mmHg, kg/m2, years. `bmi` is read by the office model alone."""

    age: float
    sex: str
    cholesterol: float
    hdl: float
    sbp: float
    treated: bool
    smoker: bool
    diabetes: bool
    bmi: float = 25.0


def _score_without_age(model: CoxModel, f: RiskFactors) -> float:
    return (
        model.cholesterol * math.log(f.cholesterol)
        + model.hdl * math.log(f.hdl)
        + model.bmi * math.log(f.bmi)
        + (model.sbp_treated if f.treated else model.sbp) * math.log(f.sbp)
        + model.smoker * f.smoker
        + model.diabetes * f.diabetes
    )


def _risk(model: CoxModel, f: RiskFactors) -> float:
    score = model.age * math.log(f.age) + _score_without_age(model, f)
    return 100.0 * (1.0 - model.survival ** math.exp(score - model.mean))


def framingham_lipid(f: RiskFactors) -> float:
    """Ten-year risk in percent from cholesterol and HDL."""
    return _risk(LIPID[f.sex], f)


def framingham_office(f: RiskFactors) -> float:
    """Ten-year risk in percent from BMI, for an office without a laboratory."""
    return _risk(OFFICE[f.sex], f)


def heart_age(f: RiskFactors) -> float:
    """The age in years at which the optimal profile carries this person's lipid-model risk (not capped)."""
    model = LIPID[f.sex]
    optimal = RiskFactors(
        age=f.age, sex=f.sex, cholesterol=OPTIMAL_TC, hdl=OPTIMAL_HDL, sbp=OPTIMAL_SBP,
        treated=False, smoker=False, diabetes=False,
    )  # fmt: skip
    excess = _score_without_age(model, f) - _score_without_age(model, optimal)
    return f.age * math.exp(excess / model.age)


def risk_category(percent: float) -> str:
    """low below 10, intermediate from 10 to 20, high above 20 percent."""
    if percent < 10.0:
        return "low"
    return "high" if percent > 20.0 else "intermediate"
