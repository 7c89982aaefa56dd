"""Intravenous fluids: maintenance, burns, dehydration, ketoacidosis, haemorrhage. Rates in mL/h, volumes
in mL.

Sources, and what is a decision of this house (D) because they give a range:
- Maintenance: 4-2-1 mL/kg/h for the first 10, next 10 and further kilograms. Holliday MA, Segar WE,
  Pediatrics 1957;19:823-832. Adult maintenance seldom needs more than 120 mL/h; D: not capped, so the rule
  stays checkable.
- Burn: 4 mL x kg x %TBSA of crystalloid in 24 h, half in the first 8 h after the injury. Baxter CR, Shires
  T, Ann N Y Acad Sci 1968;150:874-894. Children get maintenance on top (ABLS, American Burn Association).
  The first half is spread over what is left of the 8 h; past them it is overdue in full and the second
  rate runs (D). With less than half of the 8 h left, a remark lets urine output guide the catch-up (ABLS).
- Dehydration: children 75 mL/kg (WHO, "The treatment of diarrhoea", 2005, plan B); adults 50 mL/kg, 5 % of
  body weight (D: severity is not asked for). Half in 8 h and half in 16 h on top of maintenance (Nelson
  Textbook of Pediatrics, deficit therapy); evenly over 48 h when sodium is above 145, for sodium may fall
  by at most 10-12 mEq/L a day (Adrogue HJ, Madias NE, N Engl J Med 2000;342:1493). Oliguria: a first bolus
  of 20 mL/kg for children (WHO plan C begins with 30; PALS 20), 500 mL for adults (NICE CG174).
- Ketoacidosis, adults: 15 mL/kg in the first hour, at most 1500 mL; then 250 mL/h, 500 mL/h while oliguric
  (range 250-500), half-normal saline unless sodium is low (Kitabchi AE, Diabetes Care 2009;32:1335;
  Umpierrez GE, Diabetes Care 2024;47:1257). Children: 10 mL/kg in the first hour (D: the lower of 10-20),
  then maintenance plus a 7 % deficit over 48 h (ISPAD 2022, Glaser N, Pediatr Diabetes 2022;23:835).
  Sodium is read as measured; glucose is not asked for.
- Haemorrhage: first bolus 1 L for adults, 20 mL/kg for children up to 1 L (ATLS 10th ed., 2018); each lost
  mL is replaced by 3 mL of crystalloid or 1 mL of colloid (the 3:1 rule of earlier ATLS editions).
- Urine target: 0.5 mL/kg/h for adults, 1.0 for children (ABLS, ATLS).
- Free water deficit = total body water x (Na / 140 - 1), water 0.6 of weight (children), 0.5 (adults, D:
  sex is not asked for). Adrogue & Madias 2000.
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.envs.clinical.bands import Bands, above, band

BURN_ML_PER_KG_TBSA = 4.0
BURN_CATCH_UP_FROM_H = 4.0  # from here the first half runs at more than twice its planned rate
DEFICIT_ML_PER_KG = {"adult": 50.0, "child": 75.0}
OLIGURIA_BOLUS_ML_PER_KG_CHILD, OLIGURIA_BOLUS_ML_ADULT = 20.0, 500.0
DKA_FIRST_HOUR_ML_PER_KG = {"adult": 15.0, "child": 10.0}
DKA_FIRST_HOUR_MAX_ML = 1500.0
DKA_RATE_ML_H, DKA_RATE_OLIGURIC_ML_H = 250.0, 500.0
DKA_DEFICIT_ML_PER_KG_CHILD, DKA_DEFICIT_HOURS = 70.0, 48.0
SHOCK_BOLUS_ADULT_ML, SHOCK_BOLUS_ML_PER_KG_CHILD = 1000.0, 20.0
CRYSTALLOID_RATIO, COLLOID_RATIO = 3.0, 1.0
URINE_TARGET_ML_KG_H = {"adult": 0.5, "child": 1.0}
SODIUM: Bands = ((above(145.0), "high"), (135.0, "normal"), (0.0, "low"))

PROFOUND_HYPONATRAEMIA_MEQ_L = 125.0  # Spasovski G, Eur J Endocrinol 2014;170:G1

# What is said when a fluid does not fit a scenario. Absent pairs fit.
FLUID_NOTES = {
    ("burn", "NS"): "LR is preferred (hyperchloraemic acidosis)",
    ("burn", "D5W"): "not a resuscitation fluid; use LR",
    ("burn", "D5NS"): "not a resuscitation fluid; use LR",
    ("burn", "colloid"): "crystalloid first; colloid after 12-24 h",
    ("maintenance", "D5W"): "hypotonic; isotonic maintenance lowers the risk of hyponatraemia (AAP 2018)",
    ("maintenance", "colloid"): "colloid is not a maintenance fluid",
    ("dehydration", "D5W"): "hypotonic; restore volume with isotonic crystalloid first",
    ("dehydration", "D5NS"): "restore volume without glucose first",
    ("dehydration", "colloid"): "crystalloid is preferred",
    ("dka", "D5W"): "not for the first hours; isotonic crystalloid first",
    ("dka", "D5NS"): "add glucose when plasma glucose falls below 250 mg/dL",
    ("dka", "colloid"): "crystalloid is preferred",
    ("hemorrhage", "D5W"): "not a resuscitation fluid; use LR or NS",
    ("hemorrhage", "D5NS"): "not a resuscitation fluid; use LR or NS",
}


@dataclass(frozen=True, kw_only=True)
class Phase:
    """One step of a plan: a rate in mL/h for some hours. `hours` is None when it runs until reviewed."""

    name: str
    ml_per_h: float
    hours: float | None = None


def maintenance_rate(weight_kg: float) -> float:
    """4-2-1 rule, mL/h."""
    first, second = min(weight_kg, 10.0), min(max(weight_kg - 10.0, 0.0), 10.0)
    return 4.0 * first + 2.0 * second + max(weight_kg - 20.0, 0.0)


def parkland(weight_kg: float, percent_tbsa: float) -> float:
    """Crystalloid of the first 24 h after a burn, mL."""
    return BURN_ML_PER_KG_TBSA * weight_kg * percent_tbsa


def burn_phases(total_ml: float, hours_since_injury: float) -> list[Phase]:
    """Rates from now to 24 h after the injury; none is left at 24 h."""
    half = total_ml / 2.0
    phases = []
    if hours_since_injury < 8.0:
        left = 8.0 - hours_since_injury
        phases.append(Phase(name="until 8 h", ml_per_h=half / left, hours=left))
    left = min(16.0, 24.0 - hours_since_injury)
    if left > 0:
        phases.append(Phase(name="until 24 h", ml_per_h=half / 16.0, hours=left))
    return phases


def dehydration_phases(deficit_ml: float, sodium: float) -> list[Phase]:
    """Half in 8 h and half in 16 h, or evenly over 48 h when sodium (mEq/L) is high."""
    if sodium_band(sodium) == "high":
        return [Phase(name="48 h", ml_per_h=deficit_ml / 48.0, hours=48.0)]
    half = deficit_ml / 2.0
    return [
        Phase(name="first 8 h", ml_per_h=half / 8.0, hours=8.0),
        Phase(name="next 16 h", ml_per_h=half / 16.0, hours=16.0),
    ]


def dka_first_hour(weight_kg: float, child: bool) -> float:
    """mL in the first hour."""
    if child:
        return DKA_FIRST_HOUR_ML_PER_KG["child"] * weight_kg
    return min(DKA_FIRST_HOUR_ML_PER_KG["adult"] * weight_kg, DKA_FIRST_HOUR_MAX_ML)


def dka_rate(weight_kg: float, child: bool, maintenance_ml_h: float, oliguric: bool) -> float:
    """mL/h after the first hour."""
    if child:
        return maintenance_ml_h + DKA_DEFICIT_ML_PER_KG_CHILD * weight_kg / DKA_DEFICIT_HOURS
    return DKA_RATE_OLIGURIC_ML_H if oliguric else DKA_RATE_ML_H


def shock_bolus(weight_kg: float, child: bool) -> float:
    """First bolus of haemorrhage, mL."""
    if child:
        return min(SHOCK_BOLUS_ML_PER_KG_CHILD * weight_kg, SHOCK_BOLUS_ADULT_ML)
    return SHOCK_BOLUS_ADULT_ML


def oliguria_bolus(weight_kg: float, child: bool) -> float:
    """First bolus of an oliguric dehydrated patient, mL."""
    return OLIGURIA_BOLUS_ML_PER_KG_CHILD * weight_kg if child else OLIGURIA_BOLUS_ML_ADULT


def urine_target(child: bool) -> float:
    """mL/kg/h."""
    return URINE_TARGET_ML_KG_H["child" if child else "adult"]


def sodium_band(sodium_meq_l: float) -> str:
    """low < 135, normal 135-145, high > 145 mEq/L."""
    return band(sodium_meq_l, SODIUM)


def free_water_deficit(weight_kg: float, sodium_meq_l: float, child: bool) -> float:
    """mL of free water missing; 0 at or below 140 mEq/L."""
    return max(0.0, 1000.0 * (0.6 if child else 0.5) * weight_kg * (sodium_meq_l / 140.0 - 1.0))


@dataclass(frozen=True, kw_only=True)
class FluidPlan:
    """A bolus and a deficit in mL (0 when there is none), the rule behind the deficit, the rates, remarks."""

    bolus_ml: float = 0.0
    deficit_ml: float = 0.0
    rule: str = ""
    with_maintenance: bool = True  # whether the rates contain the maintenance rate
    phases: tuple[Phase, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FluidCase:
    """What a plan is made from: kg, mL/h, %TBSA, hours since the burn, mEq/L."""

    weight_kg: float
    child: bool
    maintenance_ml_h: float
    tbsa: float
    hours: float
    sodium: float
    oliguric: bool
    losses_ml_h: float
    colloid: bool


def _raised(phases: list[Phase], ml_per_h: float) -> tuple[Phase, ...]:
    """The phases with a rate added to each."""
    return tuple(Phase(name=p.name, ml_per_h=p.ml_per_h + ml_per_h, hours=p.hours) for p in phases)


def _burn(case: FluidCase) -> FluidPlan:
    total = parkland(case.weight_kg, case.tbsa)
    added = case.losses_ml_h + (case.maintenance_ml_h if case.child else 0.0)
    remarks = []
    if BURN_CATCH_UP_FROM_H < case.hours < 8.0:
        remarks.append("late start: titrate the catch-up to urine output; do not rush it")
    if case.hours >= 8.0:
        remarks.append(f"first half of {total / 2.0:.0f} mL was due by 8 h: give what is missing")
    if case.hours >= 24.0:
        remarks.append("past the 24 h of the formula")
    if case.oliguric:
        remarks.append("urine below target: raise the rate")
    phases = _raised(burn_phases(total, case.hours), added)
    return FluidPlan(
        deficit_ml=total,
        rule="Parkland 24 h",
        with_maintenance=case.child,
        phases=phases,
        remarks=tuple(remarks),
    )


def _maintenance(case: FluidCase) -> FluidPlan:
    rate = case.maintenance_ml_h + case.losses_ml_h
    remarks = ("urine below target: assess volume",) if case.oliguric else ()
    return FluidPlan(phases=(Phase(name="continuous", ml_per_h=rate),), remarks=remarks)


def _dehydration(case: FluidCase) -> FluidPlan:
    per_kg = DEFICIT_ML_PER_KG["child" if case.child else "adult"]
    deficit = per_kg * case.weight_kg
    phases = dehydration_phases(deficit, case.sodium)
    remarks = []
    if sodium_band(case.sodium) == "high":
        remarks.append("sodium high: lower it by at most 10 mEq/L a day")
    if case.sodium < PROFOUND_HYPONATRAEMIA_MEQ_L:
        remarks.append("sodium very low: raise it by at most 8 mEq/L a day")
    return FluidPlan(
        bolus_ml=oliguria_bolus(case.weight_kg, case.child) if case.oliguric else 0.0,
        deficit_ml=deficit,
        rule=f"{per_kg:g} mL/kg",
        phases=_raised(phases, case.maintenance_ml_h + case.losses_ml_h),
        remarks=tuple(remarks),
    )


def _dka(case: FluidCase) -> FluidPlan:
    rate = dka_rate(case.weight_kg, case.child, case.maintenance_ml_h, case.oliguric) + case.losses_ml_h
    low = sodium_band(case.sodium) == "low"
    then = "isotonic saline" if low or case.child else "0.45% saline"
    return FluidPlan(
        bolus_ml=dka_first_hour(case.weight_kg, case.child),
        with_maintenance=case.child,
        phases=(Phase(name="after the first hour", ml_per_h=rate),),
        remarks=(f"then {then}", "add 5% dextrose below 250 mg/dL glucose"),
    )


def _hemorrhage(case: FluidCase) -> FluidPlan:
    ratio = COLLOID_RATIO if case.colloid else CRYSTALLOID_RATIO
    rate = case.maintenance_ml_h + ratio * case.losses_ml_h
    remarks = [f"losses replaced {ratio:g}:1", "blood products early"]
    if case.oliguric:
        remarks.append("urine below target: shock not corrected")
    return FluidPlan(
        bolus_ml=shock_bolus(case.weight_kg, case.child),
        phases=(Phase(name="after the bolus", ml_per_h=rate),),
        remarks=tuple(remarks),
    )


_PLANS = {
    "burn": _burn,
    "maintenance": _maintenance,
    "dehydration": _dehydration,
    "dka": _dka,
    "hemorrhage": _hemorrhage,
}


def plan(scenario: str, case: FluidCase) -> FluidPlan:
    """The plan of one scenario: burn, maintenance, dehydration, dka or hemorrhage."""
    return _PLANS[scenario](case)
