"""Calcium and sodium corrections, osmolality, insulin resistance, liver fibrosis.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym
"""

from __future__ import annotations

import math

from distrl.envs.clinical.calculators.core import Category, Work, Worked, calculator, shown_number
from distrl.envs.clinical.calculators.inputs import (
    Age,
    Albumin,
    Alt,
    Ast,
    Calcium,
    Glucose,
    Insulin,
    Platelets,
    Sodium,
    UreaNitrogen,
)


@calculator(
    id=7,
    title="Calcium Correction for Hypoalbuminemia",
    category=Category.LAB,
    unit="mg/dL",
)
def corrected_calcium(*, calcium: Calcium, albumin: Albumin) -> Worked:
    """Calcium in mg/dL corrected for albumin: plus 0.8 for each g/dL of albumin below 4.

    Source: Payne RB, Br Med J 1973;4:643-646, in mg/dL and rounded to 0.8 as in common use.
    """
    work = Work()
    value = calcium + 0.8 * (4.0 - albumin)
    expression = f"{shown_number(calcium)} + 0.8 * (4 - {shown_number(albumin)})"
    work.step("corrected calcium", expression, value, "mg/dL")
    return work.result(value)


@calculator(id=19, title="Fibrosis-4 (FIB-4) Index for Liver Fibrosis", category=Category.LAB)
def fib4_index(*, age: Age, ast: Ast, alt: Alt, platelets: Platelets) -> Worked:
    """FIB-4 index, without unit: age times AST over platelets (10^9/L) and the square root of ALT.

    Source: Sterling RK, Hepatology 2006;43:1317-1325.
    """
    work = Work()
    value = age * ast / (platelets * math.sqrt(alt))
    top = f"{shown_number(age)} * {shown_number(ast)}"
    work.step("FIB-4", f"{top} / ({shown_number(platelets)} * sqrt({shown_number(alt)}))", value)
    return work.result(value)


@calculator(
    id=26,
    title="Sodium Correction for Hyperglycemia",
    category=Category.LAB,
    unit="mEq/L",
)
def corrected_sodium(*, sodium: Sodium, glucose: Glucose) -> Worked:
    """Sodium in mEq/L corrected for glucose: plus 2.4 for each 100 mg/dL above 100.

    Source: Hillier TA, Am J Med 1999;106:399-403, who studied hyperglycaemia; below 100 mg/dL the same line
    is continued (at most -2.3 mEq/L), as calculators of that name do.
    """
    work = Work()
    value = sodium + 0.024 * (glucose - 100.0)
    expression = f"{shown_number(sodium)} + 0.024 * ({shown_number(glucose)} - 100)"
    work.step("corrected sodium", expression, value, "mEq/L")
    return work.result(value)


@calculator(id=30, title="Serum Osmolality", category=Category.LAB, unit="mOsm/kg")
def serum_osmolality(*, sodium: Sodium, bun: UreaNitrogen, glucose: Glucose) -> Worked:
    """Calculated serum osmolality in mOsm/kg: twice sodium plus BUN / 2.8 plus glucose / 18, no ethanol.

    Source: Purssell RA, Ann Emerg Med 2001;38:653-659, without the ethanol term.
    """
    work = Work()
    value = 2.0 * sodium + bun / 2.8 + glucose / 18.0
    expression = f"2 * {shown_number(sodium)} + {shown_number(bun)} / 2.8 + {shown_number(glucose)} / 18"
    work.step("osmolality", expression, value, "mOsm/kg")
    return work.result(value)


@calculator(
    id=31,
    title="HOMA-IR (Homeostatic Model Assessment for Insulin Resistance)",
    category=Category.LAB,
)
def homa_ir(*, insulin: Insulin, glucose: Glucose) -> Worked:
    """HOMA-IR, without unit: fasting insulin (uIU/mL) times fasting glucose (mg/dL) over 405.

    Source: Matthews DR, Diabetologia 1985;28:412-419 (22.5 with mmol/L, 405 with mg/dL).
    """
    work = Work()
    value = insulin * glucose / 405.0
    work.step("HOMA-IR", f"{shown_number(insulin)} * {shown_number(glucose)} / 405", value)
    return work.result(value)
