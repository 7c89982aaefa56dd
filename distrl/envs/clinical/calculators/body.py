"""Pressure, body mass and body size: MAP, BMI, ideal, adjusted and target weight, surface area.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

`write_bmi`, `write_ideal_weight` and `write_adjusted_weight` also serve the Cockcroft-Gault calculator.
"""

from __future__ import annotations

import math

from distrl.envs.clinical import metabolic
from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import (
    BodyMassIndex,
    DiastolicBP,
    Height,
    Sex,
    SystolicBP,
    Weight,
)

# kg at 60 in; Devine 1974.
DEVINE_BASE_KG = {"male": 50.0, "female": 45.5}
CM_PER_INCH = 2.54
DEVINE_KG_PER_INCH, DEVINE_INCHES = 2.3, 60.0
EXCESS_COUNTED = 0.4  # of the weight above the ideal one; Winter 2012


def write_bmi(work: Work, weight: float, height: float) -> float:
    """Line and value of the body mass index, kg/m2."""
    bmi = metabolic.body_mass_index(weight, height)
    return work.step("BMI", f"{shown_number(weight)} / ({shown_number(height)} / 100) ** 2", bmi, "kg/m^2")


def write_ideal_weight(work: Work, sex: str, height: float) -> float:
    """Line and value of Devine's ideal weight, kg. CalculatorError where the line falls to 0 (about 1 m)."""
    base = DEVINE_BASE_KG[sex]
    inches = height / CM_PER_INCH
    ideal = base + DEVINE_KG_PER_INCH * (inches - DEVINE_INCHES)
    if ideal <= 0:
        raise CalculatorError(f"height {height:g} cm has no positive ideal weight; give an adult's height")
    return work.step("IBW", f"{base:g} + 2.3 * ({shown_number(height)} / 2.54 - 60)", ideal, "kg")


def write_adjusted_weight(work: Work, ideal: float, weight: float) -> float:
    """Line and value of the adjusted weight, kg."""
    adjusted = ideal + EXCESS_COUNTED * (weight - ideal)
    low = shown_number(ideal)
    return work.step("ABW", f"{low} + 0.4 * ({shown_number(weight)} - {low})", adjusted, "kg")


@calculator(id=5, title="Mean Arterial Pressure (MAP)", category=Category.PHYSICAL, unit="mmHg")
def mean_arterial_pressure(*, systolic_bp: SystolicBP, diastolic_bp: DiastolicBP) -> Worked:
    """Mean arterial pressure in mmHg: diastolic pressure plus a third of the pulse pressure.

    Source: Sesso HD, Hypertension 2000;36:801-807.
    """
    if diastolic_bp > systolic_bp:
        raise CalculatorError(
            f"diastolic_bp {diastolic_bp:g} is above systolic_bp {systolic_bp:g}; exchange them"
        )
    work = Work()
    value = diastolic_bp + (systolic_bp - diastolic_bp) / 3.0
    low = shown_number(diastolic_bp)
    work.step("MAP", f"{low} + ({shown_number(systolic_bp)} - {low}) / 3", value, "mmHg")
    return work.result(value)


@calculator(id=6, title="Body Mass Index (BMI)", category=Category.PHYSICAL, unit="kg/m^2")
def body_mass_index(*, weight: Weight, height: Height) -> Worked:
    """Body mass index in kg/m2: weight over the square of height.

    Source: Keys A, J Chronic Dis 1972;25:329-343.
    """
    work = Work()
    return work.result(write_bmi(work, weight, height))


@calculator(id=10, title="Ideal Body Weight", category=Category.PHYSICAL, unit="kg")
def ideal_body_weight(*, sex: Sex, height: Height) -> Worked:
    """Ideal body weight in kg by Devine: 50 (men) or 45.5 (women) plus 2.3 for each inch over 60.

    Source: Devine BJ, Drug Intell Clin Pharm 1974;8:650-655. He gives the rule for 60 inches and more;
    below, the same 2.3 kg an inch is taken off, as is usual.
    """
    work = Work()
    return work.result(write_ideal_weight(work, sex, height))


@calculator(id=60, title="Body Surface Area Calculator", category=Category.PHYSICAL, unit="m^2")
def body_surface_area(*, weight: Weight, height: Height) -> Worked:
    """Body surface area in m2: square root of weight (kg) times height (cm) over 3600.

    Source: Mosteller RD, N Engl J Med 1987;317:1098.
    """
    work = Work()
    value = math.sqrt(weight * height / 3600.0)
    work.step("BSA", f"sqrt({shown_number(weight)} * {shown_number(height)} / 3600)", value, "m^2")
    return work.result(value)


@calculator(id=61, title="Target weight", category=Category.PHYSICAL, unit="kg")
def target_weight(*, bmi: BodyMassIndex, height: Height) -> Worked:
    """Weight in kg that gives the target body mass index at this height.

    Source: Keys A, J Chronic Dis 1972;25:329-343, solved for weight.

    Args:
        bmi: the body mass index aimed at.
    """
    work = Work()
    value = bmi * (height / 100.0) ** 2
    work.step("target weight", f"{shown_number(bmi)} * ({shown_number(height)} / 100) ** 2", value, "kg")
    return work.result(value)


@calculator(id=62, title="Adjusted Body Weight", category=Category.PHYSICAL, unit="kg")
def adjusted_body_weight(*, sex: Sex, weight: Weight, height: Height) -> Worked:
    """Adjusted body weight in kg: ideal weight plus 0.4 of what the actual weight exceeds it by.

    Sources: Devine BJ, Drug Intell Clin Pharm 1974;8:650-655 (ideal weight); Winter MA, Pharmacotherapy
    2012;32:604-612 (factor 0.4).
    """
    work = Work()
    ideal = write_ideal_weight(work, sex, height)
    return work.result(write_adjusted_weight(work, ideal, weight))
