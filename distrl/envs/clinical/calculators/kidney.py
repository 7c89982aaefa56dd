"""Kidney and water: creatinine clearance, estimated GFR, free water deficit, sodium excretion.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

Values come from `clinical.renal`; its note on race holds here. The three filtration equations are for adults.
"""

from __future__ import annotations

from distrl.envs.clinical import renal
from distrl.envs.clinical.bands import Bands, band
from distrl.envs.clinical.calculators.body import write_adjusted_weight, write_bmi, write_ideal_weight
from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import (
    Age,
    Creatinine,
    Height,
    Sex,
    Sodium,
    UrineCreatinine,
    UrineSodium,
    Weight,
)

ADULT_YEARS = 18.0
# WHO, Technical Report 894, 2000.
BMI_CLASS: Bands = ((25.0, "overweight"), (18.5, "normal weight"), (0.0, "underweight"))
# Body water as a share of weight: Adrogue HJ, Madias NE, N Engl J Med 2000;342:1493-1499.
AGE_GROUP: Bands = ((65.0, "elderly"), (ADULT_YEARS, "adult"), (0.0, "child"))
BODY_WATER = {
    ("child", "male"): 0.6,
    ("child", "female"): 0.6,
    ("adult", "male"): 0.6,
    ("adult", "female"): 0.5,
    ("elderly", "male"): 0.5,
    ("elderly", "female"): 0.45,
}


def _need_adult(age: float) -> None:
    if age < ADULT_YEARS:
        raise CalculatorError(f"age {age:g} is below 18 years; the equation holds for adults only")


def _dosing_weight(work: Work, sex: str, weight: float, height: float) -> float:
    """The weight for Cockcroft-Gault by BMI class, kg."""
    bmi_class = band(write_bmi(work, weight, height), BMI_CLASS)
    if bmi_class == "underweight":
        work.note("BMI below 18.5: underweight, actual weight")
        return weight
    ideal = write_ideal_weight(work, sex, height)
    if bmi_class == "overweight":
        work.note("BMI 25 or more: overweight, adjusted weight")
        return write_adjusted_weight(work, ideal, weight)
    work.note("BMI 18.5 to below 25: normal, the lower of ideal and actual weight")
    lower = min(ideal, weight)
    return work.step("weight", f"min({shown_number(ideal)}, {shown_number(weight)})", lower, "kg")


@calculator(
    id=2,
    title="Creatinine Clearance (Cockcroft-Gault Equation)",
    category=Category.LAB,
    unit="mL/min",
)
def creatinine_clearance(
    *, age: Age, sex: Sex, weight: Weight, height: Height, creatinine: Creatinine
) -> Worked:
    """Creatinine clearance in mL/min by Cockcroft-Gault, with the weight chosen by body mass index.

    Underweight (BMI below 18.5): actual weight; normal: the lower of ideal and actual weight; overweight (25
    or more): adjusted weight. Adults only.

    Sources: Cockcroft DW, Gault MH, Nephron 1976;16:31-41; Winter MA, Pharmacotherapy 2012;32:604-612
    (weights).
    """
    _need_adult(age)
    work = Work()
    used = _dosing_weight(work, sex, weight, height)
    value = renal.cockcroft_gault(age, used, creatinine, sex)
    expression = f"(140 - {shown_number(age)}) * {shown_number(used)} / (72 * {shown_number(creatinine)})"
    expression += " * 0.85" if sex == "female" else ""
    work.step("CrCl", expression, value, "mL/min")
    return work.result(value)


@calculator(
    id=3,
    title="CKD-EPI Equations for Glomerular Filtration Rate",
    category=Category.LAB,
    unit="mL/min/1.73 m^2",
)
def gfr_ckd_epi_2021(*, age: Age, sex: Sex, creatinine: Creatinine) -> Worked:
    """Glomerular filtration rate in mL/min/1.73 m2 by CKD-EPI 2021, without race. Adults only.

    Source: Inker LA, N Engl J Med 2021;385:1737-1749.
    """
    _need_adult(age)
    work = Work()
    kappa, alpha, factor = (0.7, -0.241, " * 1.012") if sex == "female" else (0.9, -0.302, "")
    ratio = work.step("ratio", f"{shown_number(creatinine)} / {kappa:g}", creatinine / kappa)
    exponent = alpha if ratio <= 1 else -1.2
    value = renal.ckd_epi_2021(creatinine, age, sex)
    expression = f"142 * {shown_number(ratio)} ** ({exponent:g}) * 0.9938 ** {shown_number(age)}{factor}"
    work.step("GFR", expression, value, "mL/min/1.73 m^2")
    return work.result(value)


@calculator(id=9, title="MDRD GFR Equation", category=Category.LAB, unit="mL/min/1.73 m^2")
def gfr_mdrd(*, age: Age, sex: Sex, creatinine: Creatinine, black: bool = False) -> Worked:
    """Glomerular filtration rate in mL/min/1.73 m2 by the four-variable MDRD equation. Adults only.

    Source: Levey AS, Ann Intern Med 2006;145:247-254 (constant 175, IDMS-traceable creatinine).

    Args:
        black: applies the equation's race coefficient 1.212; superseded, for older records.
    """
    _need_adult(age)
    work = Work()
    value = renal.mdrd(creatinine, age, sex, black)
    expression = f"175 * {shown_number(creatinine)} ** (-1.154) * {shown_number(age)} ** (-0.203)"
    expression += (" * 0.742" if sex == "female" else "") + (" * 1.212" if black else "")
    work.step("GFR", expression, value, "mL/min/1.73 m^2")
    return work.result(value)


@calculator(id=38, title="Free Water Deficit", category=Category.LAB, unit="L")
def free_water_deficit(*, age: Age, sex: Sex, weight: Weight, sodium: Sodium) -> Worked:
    """Free water deficit in L to a sodium of 140 mEq/L; negative below it (an excess).

    Source: Adrogue HJ, Madias NE, N Engl J Med 2000;342:1493-1499. Elderly from 65, child below 18 years.
    """
    work = Work()
    group = band(age, AGE_GROUP)
    share = BODY_WATER[group, sex]
    work.note(f"Body water of a {sex} {group}: {share:g} of weight")
    value = share * weight * (sodium / 140.0 - 1.0)
    expression = f"{share:g} * {shown_number(weight)} * ({shown_number(sodium)} / 140 - 1)"
    work.step("free water deficit", expression, value, "L")
    return work.result(value)


@calculator(id=40, title="Fractional Excretion of Sodium (FENa)", category=Category.LAB, unit="%")
def fractional_sodium_excretion(
    *,
    sodium: Sodium,
    creatinine: Creatinine,
    urine_sodium: UrineSodium,
    urine_creatinine: UrineCreatinine,
) -> Worked:
    """Fractional excretion of sodium in percent.

    Source: Espinel CH, JAMA 1976;236:579-581.
    """
    work = Work()
    value = 100.0 * (creatinine * urine_sodium) / (sodium * urine_creatinine)
    excreted = f"{shown_number(creatinine)} * {shown_number(urine_sodium)}"
    filtered = f"{shown_number(sodium)} * {shown_number(urine_creatinine)}"
    work.step("FENa", f"100 * ({excreted}) / ({filtered})", value, "%")
    return work.result(value)
