"""Starting insulin: total daily dose, carbohydrate ratio, sensitivity factor.

Sources, and what is a decision of this house (marked D) because they give a range:
- Total daily dose (TDD). Type 1: 0.5 U/kg, the usual start of the range 0.4-1.0 (ADA Standards of Care
  2024, section 9, Diabetes Care 47 Suppl 1:S158). Type 2: 0.3-0.5 U/kg when basal-bolus begins (AACE,
  Samson SL, Endocr Pract 2023;29:305); D: 0.3 from no insulin, 0.4 from basal only, 0.5 from basal-bolus
  or pump.
- Pregnancy: 0.7 U/kg, the first-trimester figure (ACOG Practice Bulletin 201, 2018: 0.7/0.8/0.9 by
  trimester). The trimester is not asked for, so D: the lowest of the three, and a note that the need rises.
- A1c >= 9 %: D: + 0.1 U/kg outside pregnancy (AACE titrates 10-20 % a step when far above goal).
- Glucocorticoid: D: x 1.2 (JBDS 2023 and ADA section 16 ask for more insulin without one number).
- Kidney: 75 % of the dose at eGFR 10-50, 50 % below 10 (Snyder RW, Berns JS, Semin Dial 2004;17:365-370).
- Half of TDD is basal (ADA section 9: 30-50 %).
- Rules. Injections: 500 rule and 1800 rule. Pump: 450 rule and 2000 rule, for continuous insulin needs less
  correction (Walsh J, J Diabetes Sci Technol 2010;4:1174 finds about 1960/TDD). D: which rule goes with
  which regimen.
- Estimated average glucose = 28.7 A1c - 46.7 (Nathan DM, Diabetes Care 2008;31:1473).
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.envs.clinical.bands import Bands, above, band

UNITS_PER_KG = {
    ("type1", "none"): 0.5,
    ("type1", "basal_only"): 0.5,
    ("type1", "basal_bolus"): 0.5,
    ("type1", "pump"): 0.5,
    ("type2", "none"): 0.3,
    ("type2", "basal_only"): 0.4,
    ("type2", "basal_bolus"): 0.5,
    ("type2", "pump"): 0.5,
}
PREGNANCY_UNITS_PER_KG = 0.7
HIGH_A1C_PERCENT, HIGH_A1C_EXTRA = 9.0, 0.1
STEROID_FACTOR = 1.2
BASAL_FRACTION = 0.5
RULES = {"injection": (500, 1800), "pump": (450, 2000)}  # grams and mg/dL a unit, times TDD

# Goals: A1c below 7 %, below 6 % in pregnancy; fasting glucose below 95 mg/dL in pregnancy (ADA 2024,
# sections 6, 15).
A1C_GOAL, A1C_GOAL_PREGNANCY, FASTING_GOAL_PREGNANCY = 7.0, 6.0, 95.0
HYPOGLYCAEMIA_MG_DL = 70.0

_RENAL: Bands = ((above(50.0), "1.0"), (10.0, "0.75"), (0.0, "0.5"))


@dataclass(frozen=True, kw_only=True)
class Regimen:
    """Units a day, units a kilogram, grams a unit, mg/dL a unit, and the two rules used."""

    units_per_kg: float
    steroid_factor: float
    renal_factor: float
    tdd: float
    basal: float
    carb_rule: int
    correction_rule: int
    grams_per_unit: float
    mg_dl_per_unit: float


def renal_factor(egfr: float | None) -> float:
    """Share of the dose kept at this eGFR (mL/min/1.73 m2); 1.0 when it is not known."""
    return 1.0 if egfr is None else float(band(egfr, _RENAL))


def units_per_kg(diabetes_type: str, regimen: str, a1c: float, pregnant: bool) -> float:
    """Total daily units a kilogram before the steroid and kidney factors."""
    if pregnant:
        return PREGNANCY_UNITS_PER_KG
    return UNITS_PER_KG[diabetes_type, regimen] + (HIGH_A1C_EXTRA if a1c >= HIGH_A1C_PERCENT else 0.0)


def insulin_regimen(
    *,
    weight_kg: float,
    diabetes_type: str,
    regimen: str,
    a1c: float,
    egfr: float | None,
    steroid: bool,
    pregnant: bool,
) -> Regimen:
    """The starting regimen; a1c in percent, egfr in mL/min/1.73 m2 or None."""
    per_kg = units_per_kg(diabetes_type, regimen, a1c, pregnant)
    steroids = STEROID_FACTOR if steroid else 1.0
    kidney = renal_factor(egfr)
    tdd = weight_kg * per_kg * steroids * kidney
    carb_rule, correction_rule = RULES["pump" if regimen == "pump" else "injection"]
    return Regimen(
        units_per_kg=per_kg,
        steroid_factor=steroids,
        renal_factor=kidney,
        tdd=tdd,
        basal=tdd * BASAL_FRACTION,
        carb_rule=carb_rule,
        correction_rule=correction_rule,
        grams_per_unit=carb_rule / tdd,
        mg_dl_per_unit=correction_rule / tdd,
    )


def correction_units(glucose: float, target: float, mg_dl_per_unit: float) -> float:
    """Correction bolus in units; never negative."""
    return max(0.0, (glucose - target) / mg_dl_per_unit)


def estimated_average_glucose(a1c: float) -> float:
    """mg/dL from A1c in percent."""
    return 28.7 * a1c - 46.7
