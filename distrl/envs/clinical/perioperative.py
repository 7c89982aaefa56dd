"""Perioperative cardiac risk: Revised Cardiac Risk Index, ASA class, functional capacity.

RCRI: Lee TH, Circulation 1999;100:1043-1049; derived in elective major non-cardiac surgery at age >= 50.
Two tables of event rates by points 0, 1, 2, >= 3:
- pooled external validations, Duceppe E (CCS guideline), Can J Cardiol 2017;33:17-32: MI, arrest or death
  within 30 days. The headline here, for it comes from later cohorts with troponin surveillance;
- the validation cohort of Lee 1999, printed beside it because much teaching still uses it.
"""

from __future__ import annotations

from collections.abc import Mapping

from distrl.envs.clinical.bands import Bands, above, band

RCRI_FACTORS = (
    "ischemic_heart_disease",
    "heart_failure",
    "cerebrovascular_disease",
    "renal_insufficiency",
    "insulin_diabetes",
    "high_risk_surgery",
)
POOLED_2017_PERCENT = (3.9, 6.0, 10.1, 15.0)
LEE_1999_PERCENT = (0.4, 0.9, 6.6, 11.0)
RCRI_CLASS = ("I", "II", "III", "IV")
RENAL_CREATININE_MG_DL = 2.0  # Lee 1999: renal insufficiency is a preoperative creatinine above 2.0
DERIVATION_AGE = 50

# Lee 1999: intraperitoneal, intrathoracic and suprainguinal vascular operations are high risk.
HIGH_RISK_SURGERY = frozenset({"abdominal", "thoracic", "vascular"})
# What a history implies in Lee's definitions. Bypass and stent count only with present ischaemia: not here.
HISTORY_IMPLIES = {"mi": "ischemic_heart_disease", "stroke": "cerebrovascular_disease"}

# Fleisher LA (ACC/AHA guideline), Circulation 2014;130:e278: > 10 excellent, 7-10 good, 4-6 moderate, < 4
# poor.
METS: Bands = ((above(10.0), "excellent"), (7.0, "good"), (4.0, "moderate"), (0.0, "poor"))
ASA_ROMAN = ("I", "II", "III", "IV", "V")  # ASA Physical Status Classification, 2020; "E" marks an emergency


def rcri(factors: Mapping[str, bool]) -> int:
    """Points 0-6: one for each factor of RCRI_FACTORS that is true."""
    return sum(bool(factors[name]) for name in RCRI_FACTORS)


def rcri_rates(points: int) -> tuple[str, float, float]:
    """(class I-IV, pooled 2017 rate, Lee 1999 rate), rates in percent."""
    row = min(points, 3)
    return RCRI_CLASS[row], POOLED_2017_PERCENT[row], LEE_1999_PERCENT[row]


def asa_label(asa_class: int, emergency: bool) -> str:
    """ASA class in Roman figures, with E for an emergency."""
    return ASA_ROMAN[asa_class - 1] + ("E" if emergency else "")


def functional_capacity(mets: float) -> str:
    """poor, moderate, good or excellent; below 4 METs is poor."""
    return band(mets, METS)


def biomarker_advised(age: float, points: int) -> bool:
    """CCS 2017: NT-proBNP or BNP before surgery at age >= 65 or with RCRI >= 1 (its third ground, age 45-64
    with known cardiovascular disease, mostly shows as a point and is not asked for)."""
    return age >= 65 or points >= 1
