"""Maintenance fluid, equivalent doses of corticosteroids, morphine equivalents of opioids.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

A conversion compares potencies; it is no dose for a patient who changes drugs.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from distrl.envs.clinical import fluids
from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import Weight
from distrl.envs.toolkit import Arg

Steroid = Literal[
    "betamethasone_iv",
    "cortisone_po",
    "dexamethasone_iv",
    "dexamethasone_po",
    "hydrocortisone_iv",
    "hydrocortisone_po",
    "methylprednisolone_iv",
    "methylprednisolone_po",
    "prednisolone_po",
    "prednisone_po",
    "triamcinolone_iv",
]
# mg of equal glucocorticoid effect: Meikle AW, Tyler FH, Am J Med 1977;63:200-207. Sources print 0.6 to 0.75
# for betamethasone.
STEROID_MG: dict[str, float] = {
    "betamethasone": 0.75,
    "cortisone": 25.0,
    "dexamethasone": 0.75,
    "hydrocortisone": 20.0,
    "methylprednisolone": 4.0,
    "prednisolone": 5.0,
    "prednisone": 5.0,
    "triamcinolone": 4.0,
}

Opioid = Literal[
    "buprenorphine",
    "codeine",
    "fentanyl_buccal",
    "fentanyl_patch",
    "hydrocodone",
    "hydromorphone",
    "methadone",
    "morphine",
    "oxycodone",
    "oxymorphone",
    "tapentadol",
    "tramadol",
]
# MME of one mg (fentanyl: of one ug, of one ug/h): CDC Clinical Practice Guideline, Dowell D, MMWR Recomm Rep
# 2022;71(3):1-95. It has no factor for two products, whose factors are from CDC's earlier compilation of oral
# MME factors (May 2014): buccal fentanyl, and buprenorphine, which as a partial agonist CDC no longer counts.
MME_FACTOR: dict[str, float] = {
    "buprenorphine": 10.0,
    "codeine": 0.15,
    "fentanyl_buccal": 0.13,
    "fentanyl_patch": 2.4,
    "hydrocodone": 1.0,
    "hydromorphone": 5.0,
    "methadone": 4.7,
    "morphine": 1.0,
    "oxycodone": 1.5,
    "oxymorphone": 3.0,
    "tapentadol": 0.4,
    "tramadol": 0.2,
}


class OpioidDose(TypedDict):
    """One opioid as taken: `dose` in mg; buccal fentanyl in ug; a fentanyl patch in ug/h."""

    opioid: Opioid
    dose: Annotated[float, Arg(ge=0, le=10000, help="mg; ug for fentanyl_buccal, ug/h for fentanyl_patch")]
    doses_per_day: Annotated[float, Arg(ge=0, le=48, help="for fentanyl_patch the patches worn at once")]


@calculator(id=22, title="Maintenance Fluids Calculations", category=Category.PHYSICAL, unit="mL/h")
def maintenance_fluids(*, weight: Weight) -> Worked:
    """Maintenance fluid in mL/h by the 4-2-1 rule, not capped.

    Source: Holliday MA, Segar WE, Pediatrics 1957;19:823-832.
    """
    work = Work()
    shown = shown_number(weight)
    if weight <= 10.0:
        expression = f"4 * {shown}"
    elif weight <= 20.0:
        expression = f"40 + 2 * ({shown} - 10)"
    else:
        expression = f"60 + 1 * ({shown} - 20)"
    value = fluids.maintenance_rate(weight)
    work.step("maintenance fluid", expression, value, "mL/h")
    return work.result(value)


@calculator(id=24, title="Steroid Conversion Calculator", category=Category.DOSAGE, unit="mg")
def steroid_equivalent(
    *,
    steroid: Steroid,
    dose_mg: Annotated[float, Arg(unit="mg", ge=0.001, le=10000)],
    target_steroid: Steroid,
) -> Worked:
    """Dose in mg of one corticosteroid with the glucocorticoid effect of a dose of another.

    Source: Meikle AW, Tyler FH, Am J Med 1977;63:200-207. The route does not change the factor.

    Args:
        steroid: the corticosteroid given, with its route.
        dose_mg: its dose.
        target_steroid: the corticosteroid asked for, with its route.
    """
    given = steroid.partition("_")[0]
    wanted, _, wanted_route = target_steroid.partition("_")
    work = Work()
    work.note(f"{STEROID_MG[given]:g} mg of {given} equal {STEROID_MG[wanted]:g} mg of {wanted}")
    value = dose_mg * STEROID_MG[wanted] / STEROID_MG[given]
    expression = f"{shown_number(dose_mg)} * {STEROID_MG[wanted]:g} / {STEROID_MG[given]:g}"
    work.step(f"{wanted} {wanted_route.upper()}", expression, value, "mg")
    return work.result(value)


@calculator(
    id=49,
    title="Morphine Milligram Equivalents (MME) Calculator",
    category=Category.DOSAGE,
    unit="MME/day",
)
def morphine_equivalents(*, doses: Annotated[list[OpioidDose], Arg(max_length=12)]) -> Worked:
    """Morphine milligram equivalents in MME/day of all opioids taken, with the factors of CDC 2022.

    Source: Dowell D, MMWR Recomm Rep 2022;71(3):1-95; two factors from CDC's earlier compilation (2014).

    Args:
        doses: one entry for each opioid.
    """
    if not doses:
        raise CalculatorError("doses is empty; give at least one opioid")
    work = Work()
    parts = []
    for each in doses:
        factor = MME_FACTOR[each["opioid"]]
        part = each["dose"] * each["doses_per_day"] * factor
        expression = f"{shown_number(each['dose'])} * {shown_number(each['doses_per_day'])} * {factor:g}"
        parts.append(work.step(each["opioid"].replace("_", " "), expression, part, "MME/day"))
    value = sum(parts)
    work.step("MME", " + ".join(shown_number(part) for part in parts), value, "MME/day")
    return work.result(value)
