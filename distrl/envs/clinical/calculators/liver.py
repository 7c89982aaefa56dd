"""Scores of the liver and the upper gut: cirrhosis, transplant priority, bleeding.

[liver] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

import math
from typing import Literal

from distrl.envs.clinical.bands import above
from distrl.envs.clinical.calculators.core import (
    Category,
    Output,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import (
    Albumin,
    Bilirubin,
    Creatinine,
    HeartRate,
    Hemoglobin,
    InternationalNormalizedRatio,
    Sex,
    Sodium,
    SystolicBP,
    UreaNitrogen,
)
from distrl.envs.clinical.calculators.points import Flags, Scale, choose, count, grade, pick

Ascites = Literal["absent", "slight", "moderate"]
Encephalopathy = Literal["none", "grade_1_2", "grade_3_4"]

# Pugh RNH, Br J Surg 1973;60:646-649; INR for the prothrombin time.
CHILD_INR = Scale("INR", "", ((above(2.3), 3), (1.7, 2)), below=1)
CHILD_BILIRUBIN = Scale("bilirubin", "mg/dL", ((above(3), 3), (2, 2)), below=1)
CHILD_ALBUMIN = Scale("albumin", "g/dL", ((above(3.5), 1), (2.8, 2)), below=3)
CHILD_ASCITES = {"absent": 1, "slight": 2, "moderate": 3}
CHILD_ENCEPHALOPATHY = {"none": 1, "grade_1_2": 2, "grade_3_4": 3}


@calculator(
    id=15, title="Child-Pugh Score for Cirrhosis Mortality", category=Category.SEVERITY, output=Output.INTEGER
)
def child_pugh(
    *,
    bilirubin: Bilirubin,
    albumin: Albumin,
    inr: InternationalNormalizedRatio,
    ascites: Ascites = "absent",
    encephalopathy: Encephalopathy = "none",
) -> Worked:
    """Child-Pugh score, 5 to 15, of the severity of cirrhosis.

    Source: Pugh RNH, Murray-Lyon IM, Dawson JL, Pietroni MC, Williams R, Br J Surg 1973;60:646-649, with the
    INR cut-offs 1.7 and 2.3 in place of the seconds of prothrombin time.

    Args:
        ascites: "moderate" is moderate or more.
    """
    work = Work()
    grade(work, CHILD_INR, inr)
    grade(work, CHILD_BILIRUBIN, bilirubin)
    grade(work, CHILD_ALBUMIN, albumin)
    choose(work, "ascites", ascites, CHILD_ASCITES)
    choose(work, "encephalopathy", encephalopathy, CHILD_ENCEPHALOPATHY)
    return work.result(work.total("Child-Pugh score"))


# OPTN Policy 9.1, 2016. Creatinine, bilirubin and INR below 1 count as 1, so that no logarithm is negative.
MELD_CREATININE_CAP = 4.0  # mg/dL; also the value under dialysis
MELD_SODIUM = (125.0, 137.0)  # mEq/L
MELD_SODIUM_FROM = 11  # MELD(i) above this is corrected for sodium
MELD_CAP = 40


@calculator(id=23, title="MELD Na (UNOS/OPTN)", category=Category.LAB)
def meld_na(
    *,
    creatinine: Creatinine,
    bilirubin: Bilirubin,
    inr: InternationalNormalizedRatio,
    sodium: Sodium,
    dialysis_twice_past_week: bool = False,
    cvvhd_past_week: bool = False,
) -> Worked:
    """MELD-Na score (UNOS/OPTN 2016), 6 to 40, of the priority for a liver transplant.

    Source: Kamath PS, Wiesner RH, Malinchoc M, et al., Hepatology 2001;33:464-470; Kim WR, Biggins SW,
    Kremers WK, et al., N Engl J Med 2008;359:1018-1026; OPTN Policy 9.1 of 2016, as MedCalc-Bench, not the
    MELD 3.0 of 2023.

    Args:
        dialysis_twice_past_week: At least twice.
        cvvhd_past_week: Continuous veno-venous hemodialysis for 24 hours or more.
    """
    work = Work()
    if dialysis_twice_past_week or cvvhd_past_week:
        work.note("Dialysis: the creatinine counts as its highest value.")
        creatinine = MELD_CREATININE_CAP
    cr = work.step(
        "creatinine used",
        f"min(max({creatinine:g}, 1), {MELD_CREATININE_CAP:g})",
        min(max(creatinine, 1.0), MELD_CREATININE_CAP),
        "mg/dL",
    )
    bili = work.step("bilirubin used", f"max({bilirubin:g}, 1)", max(bilirubin, 1.0), "mg/dL")
    ratio = work.step("INR used", f"max({inr:g}, 1)", max(inr, 1.0))
    raw = work.step(
        "MELD(i) over 10",
        f"0.957 * ln({cr:g}) + 0.378 * ln({bili:g}) + 1.12 * ln({ratio:g}) + 0.643",
        0.957 * math.log(cr) + 0.378 * math.log(bili) + 1.12 * math.log(ratio) + 0.643,
    )
    meld = math.floor(raw * 10 + 0.5)
    work.note(f"To one decimal that is {meld / 10:g}.")
    work.step("MELD(i)", f"{meld / 10:g} * 10", meld)
    score = _with_sodium(work, meld, sodium)
    whole = math.floor(score + 0.5)
    if whole != score:
        work.note(f"To a whole number that is {whole}.")
    work.step("MELD-Na", f"min({whole}, {MELD_CAP})", min(whole, MELD_CAP))
    return work.result(min(whole, MELD_CAP))


def _with_sodium(work: Work, meld: int, sodium: float) -> float:
    """MELD(i) corrected for sodium when it is above 11."""
    if meld <= MELD_SODIUM_FROM:
        work.note(f"MELD(i) is not above {MELD_SODIUM_FROM}: no correction for sodium.")
        return meld
    low, high = MELD_SODIUM
    used = work.step(
        "sodium used", f"min(max({sodium:g}, {low:g}), {high:g})", min(max(sodium, low), high), "mEq/L"
    )
    gap = f"({high:g} - {shown_number(used)})"
    return work.step(
        "MELD with sodium",
        f"{meld} + 1.32 * {gap} - 0.033 * {meld} * {gap}",
        meld + 1.32 * (high - used) - 0.033 * meld * (high - used),
    )


# Blatchford O, Lancet 2000;356:1318-1321: urea 6.5, 8, 10 and 25 mmol/L, hemoglobin 100, 120 and 130 g/L.
# In mg/dL 70 is the last value below 25 mmol/L, so 6 points begin above it.
GBS_BUN = Scale("BUN", "mg/dL", ((above(70), 6), (28, 4), (22.4, 3), (18.2, 2)))
GBS_HEMOGLOBIN = {
    "male": Scale("hemoglobin of a man", "g/dL", ((13, 0), (12, 1), (10, 3)), below=6),
    "female": Scale("hemoglobin of a woman", "g/dL", ((12, 0), (10, 1)), below=6),
}
GBS_SYSTOLIC = Scale("systolic pressure", "mmHg", ((110, 0), (100, 1), (90, 2)), below=3)
GBS_HEART_RATE = Scale("heart rate", "beats/min", ((100, 1),))
GBS_FLAGS: Flags = {"melena": 1, "syncope": 2, "liver_disease": 2, "heart_failure": 2}


@calculator(
    id=27, title="Glasgow-Blatchford Bleeding Score (GBS)", category=Category.RISK, output=Output.INTEGER
)
def glasgow_blatchford(
    *,
    sex: Sex,
    bun: UreaNitrogen,
    hemoglobin: Hemoglobin,
    systolic_bp: SystolicBP,
    heart_rate: HeartRate,
    melena: bool = False,
    syncope: bool = False,
    liver_disease: bool = False,
    heart_failure: bool = False,
) -> Worked:
    """Glasgow-Blatchford score, 0 to 23, of the need for treatment in upper gastrointestinal bleeding.

    Source: Blatchford O, Murray WR, Blatchford M, Lancet 2000;356:1318-1321.
    """
    work = Work()
    grade(work, pick("sex", sex, GBS_HEMOGLOBIN), hemoglobin)
    grade(work, GBS_BUN, bun)
    grade(work, GBS_SYSTOLIC, systolic_bp)
    grade(work, GBS_HEART_RATE, heart_rate)
    count(work, GBS_FLAGS, locals())
    return work.result(work.total("Glasgow-Blatchford score"))
