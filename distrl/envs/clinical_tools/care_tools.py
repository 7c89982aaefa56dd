"""Three tools that plan care: insulin, kidney function, intravenous fluids.

tasks -> EnvWorker[N: call -> these functions -> line] <-> Engine[M] -> …
Formulas and their sources: distrl/envs/clinical/{insulin,renal,fluids}.py.
"""

from __future__ import annotations

from typing import Annotated, Literal

from distrl.envs.clinical import fluids, insulin, renal
from distrl.envs.clinical_tools.line import AdultAge, Creatinine, Egfr, Sex, line, notes, yes
from distrl.envs.toolkit import Arg, ToolError

Glucose = Annotated[float, Arg(unit="mg/dL", ge=20, le=1000)]
MealCarbs = Annotated[float, Arg(unit="g", ge=0, le=500)]


def calculate_insulin_regimen(  # noqa: PLR0913 - the tool's published parameters
    *,
    patient_weight_kg: Annotated[float, Arg(unit="kg", ge=10, le=400)],
    diabetes_type: Literal["type1", "type2"],
    current_a1c: Annotated[float, Arg(unit="%", ge=3, le=20)],
    fasting_glucose_mg_dl: Glucose,
    meal_carbs_per_day: Annotated[list[MealCarbs], Arg(max_length=10)],
    current_insulin_regimen: Literal["none", "basal_only", "basal_bolus", "pump"],
    correction_target_mg_dl: Annotated[float, Arg(unit="mg/dL", ge=60, le=250)],
    renal_function_egfr: Egfr = None,
    steroid_use: bool,
    is_pregnant: bool,
) -> str:
    """Basal-bolus insulin regimen with the 450/500 carbohydrate and 1800/2000 correction rules.

    Doses to 0.1 unit. Sources and the house's decisions: clinical/insulin.py.

    Args:
        fasting_glucose_mg_dl: Fasting glucose, corrected to the target.
        meal_carbs_per_day: Grams of carbohydrate of each meal.
        current_insulin_regimen: Insulin used now.
        correction_target_mg_dl: Glucose target of the correction dose.
        steroid_use: Whether the patient takes a glucocorticoid.
    """
    plan = insulin.insulin_regimen(
        weight_kg=patient_weight_kg,
        diabetes_type=diabetes_type,
        regimen=current_insulin_regimen,
        a1c=current_a1c,
        egfr=renal_function_egfr,
        steroid=steroid_use,
        pregnant=is_pregnant,
    )
    meals = [f"{carbs / plan.grams_per_unit:.1f}" for carbs in meal_carbs_per_day]
    correction = insulin.correction_units(fasting_glucose_mg_dl, correction_target_mg_dl, plan.mg_dl_per_unit)
    basal = f"{plan.basal:.1f} U/day" if current_insulin_regimen != "pump" else f"{plan.basal / 24:.2f} U/h"
    egfr = "not given" if renal_function_egfr is None else f"{renal_function_egfr:g}"
    return line(
        ("TDD", f"{plan.tdd:.1f} U ({plan.units_per_kg:.1f} U/kg)"),
        ("Basal", basal),
        ("Meal boluses", f"{' / '.join(meals)} U" if meals else "none"),
        ("ICR", f"1 U per {plan.grams_per_unit:.1f} g ({plan.carb_rule} rule)"),
        ("ISF", f"{plan.mg_dl_per_unit:.1f} mg/dL per U ({plan.correction_rule} rule)"),
        (
            "Correction",
            f"{correction:.1f} U ({fasting_glucose_mg_dl:g} to {correction_target_mg_dl:g} mg/dL)",
        ),
        ("Regimen", f"{diabetes_type} from {current_insulin_regimen}"),
        ("A1c", _a1c_text(current_a1c, is_pregnant)),
        ("eGFR", f"{egfr} (factor {plan.renal_factor:g})"),
        ("Steroid", f"{yes(steroid_use)} (factor {plan.steroid_factor:g})"),
        ("Pregnant", yes(is_pregnant)),
        notes(_insulin_notes(fasting_glucose_mg_dl, correction_target_mg_dl, is_pregnant)),
    )


def _a1c_text(a1c: float, pregnant: bool) -> str:
    goal = insulin.A1C_GOAL_PREGNANCY if pregnant else insulin.A1C_GOAL
    side = "below" if a1c < goal else "not below"
    return f"{a1c:g}% ({side} {goal:g}; average {insulin.estimated_average_glucose(a1c):.0f} mg/dL)"


def _insulin_notes(glucose: float, target: float, pregnant: bool) -> list[str]:
    found = ["treat hypoglycaemia before any insulin"] if glucose < insulin.HYPOGLYCAEMIA_MG_DL else []
    if pregnant:
        found.append("need rises by trimester")
        if target > insulin.FASTING_GOAL_PREGNANCY:
            found.append(
                f"target above the fasting goal of {insulin.FASTING_GOAL_PREGNANCY:g} mg/dL in pregnancy"
            )
    return found


def assess_kidney_function(  # noqa: PLR0913 - the tool's published parameters
    *,
    serum_creatinine: Creatinine,
    patient_age: AdultAge,
    sex: Sex,
    patient_weight_kg: Annotated[float, Arg(unit="kg", ge=20, le=400)],
    is_african_american: bool,
    blood_urea_nitrogen: Annotated[float, Arg(unit="mg/dL", ge=1, le=300)],
    urine_albumin_mg_l: Annotated[float | None, Arg(unit="mg/L", ge=0, le=20000)] = None,
    urine_creatinine_mg_dl: Annotated[float | None, Arg(unit="mg/dL", ge=0.1, le=1000)] = None,
    has_diabetes: bool,
    has_hypertension: bool,
) -> str:
    """Kidney function from CrCl, MDRD and CKD-EPI, with KDIGO stages.

    The stage comes from CKD-EPI 2021, which has no race term; MDRD and CKD-EPI 2009 are reported with the
    race argument, as older records have them. The stage assumes three months (KDIGO); one sample cannot
    show it.
    Sources: clinical/renal.py; RAS inhibitor and referral: KDIGO 2024.

    Args:
        is_african_american: Read only by the two older equations.
        urine_albumin_mg_l: Urine albumin, if measured.
        urine_creatinine_mg_dl: Urine creatinine, if measured.
    """
    egfr = round(renal.ckd_epi_2021(serum_creatinine, patient_age, sex), 1)
    g = renal.g_stage(egfr)
    acr = None
    if urine_albumin_mg_l is not None and urine_creatinine_mg_dl is not None:
        acr = round(renal.albumin_creatinine_ratio(urine_albumin_mg_l, urine_creatinine_mg_dl), 1)
    a = "" if acr is None else renal.a_stage(acr)
    one_missing = acr is None and (urine_albumin_mg_l is not None or urine_creatinine_mg_dl is not None)
    diluted = urine_creatinine_mg_dl is not None and urine_creatinine_mg_dl < 10.0
    older = renal.ckd_epi_2009(serum_creatinine, patient_age, sex, is_african_american)
    mdrd = renal.mdrd(serum_creatinine, patient_age, sex, is_african_american)
    crcl = renal.cockcroft_gault(patient_age, patient_weight_kg, serum_creatinine, sex)
    ratio = round(blood_urea_nitrogen / serum_creatinine, 1)
    return line(
        ("eGFR", f"{egfr:.1f} mL/min/1.73m2 (CKD-EPI 2021)"),
        ("Stage", f"{g}{a}"),
        ("Risk", renal.kdigo_risk(g, a) if a else "not known without ACR"),
        ("CKD-EPI 2009", f"{older:.1f}"),
        ("MDRD", f"{mdrd:.1f}"),
        ("CrCl", f"{crcl:.1f} mL/min"),
        ("ACR", "not given" if acr is None else f"{acr:.1f} mg/g"),
        ("BUN/Cr", f"{ratio:.1f}{' (prerenal pattern)' if ratio > 20.0 else ''}"),
        ("Diabetes", yes(has_diabetes)),
        ("Hypertension", yes(has_hypertension)),
        ("Advice", _kidney_advice(g, a, has_diabetes, has_hypertension)),
        notes(
            (
                "albumin and creatinine are both needed for ACR" if one_missing else "",
                "urine creatinine below 10 mg/dL: check the unit" if diluted else "",
            )
        ),
    )


def _kidney_advice(g: str, a: str, diabetes: bool, hypertension: bool) -> str:
    """KDIGO 2024: RAS inhibitor for A3, or A2 with diabetes or hypertension; nephrology for G4, G5 or A3."""
    advice = []
    if a == "A3" or (a == "A2" and (diabetes or hypertension)):
        advice.append("RAS inhibitor")
    if g in ("G4", "G5") or a == "A3":
        advice.append("nephrology referral")
    return "; ".join(advice) or "monitor"


def calculate_fluid_replacement(  # noqa: PLR0913 - the tool's published parameters
    *,
    patient_weight_kg: Annotated[float, Arg(unit="kg", ge=1, le=400)],
    clinical_scenario: Literal["burn", "maintenance", "dehydration", "dka", "hemorrhage"],
    percent_tbsa_burn: Annotated[float | None, Arg(unit="%", ge=1, le=100)] = None,
    hours_since_injury: Annotated[float | None, Arg(unit="h", ge=0, le=72)] = None,
    fluid_type: Literal["LR", "NS", "D5W", "D5NS", "colloid"],
    maintenance_rate_override: Annotated[float | None, Arg(unit="mL/h", ge=0, le=1000)] = None,
    urine_output_ml_hr: Annotated[float | None, Arg(unit="mL/h", ge=0, le=2000)] = None,
    serum_sodium: Annotated[float, Arg(unit="mEq/L", ge=90, le=200)],
    is_pediatric: bool,
    ongoing_losses_ml_hr: Annotated[float, Arg(unit="mL/h", ge=0, le=5000)],
) -> str:
    """IV fluid plan by the Parkland formula, the 4-2-1 maintenance rule and scenario rules.

    Every rate of the plan includes maintenance where the scenario has it, and ongoing losses. The override
    replaces the 4-2-1 rate. Burn arguments outside a burn are ignored with a note. Sources:
    clinical/fluids.py.

    Args:
        percent_tbsa_burn: Burned share of the body surface; needed for a burn.
        hours_since_injury: Hours since the burn; 0 when not given.
        maintenance_rate_override: Maintenance rate in place of the 4-2-1 rule.
    """
    if clinical_scenario == "burn" and percent_tbsa_burn is None:
        raise ToolError("percent_tbsa_burn is needed when clinical_scenario is burn; give 1 to 100")
    maintenance, source = fluids.maintenance_rate(patient_weight_kg), "4-2-1"
    if maintenance_rate_override is not None:
        maintenance, source = maintenance_rate_override, "override"
    oliguric, urine = _urine(urine_output_ml_hr, patient_weight_kg, fluids.urine_target(is_pediatric))
    case = fluids.FluidCase(
        weight_kg=patient_weight_kg,
        child=is_pediatric,
        maintenance_ml_h=maintenance,
        tbsa=percent_tbsa_burn or 0.0,
        hours=hours_since_injury or 0.0,
        sodium=serum_sodium,
        oliguric=oliguric,
        losses_ml_h=ongoing_losses_ml_hr,
        colloid=fluid_type == "colloid",
    )
    plan = fluids.plan(clinical_scenario, case)
    burn = _burn_remark(clinical_scenario, percent_tbsa_burn, hours_since_injury)
    person = "child" if is_pediatric else "adult"
    return line(
        ("Scenario", f"{clinical_scenario} ({person} {patient_weight_kg:g} kg)"),
        ("Fluid", fluid_type),
        ("Bolus", f"{plan.bolus_ml:.0f} mL" if plan.bolus_ml else ""),
        ("Deficit", f"{plan.deficit_ml:.0f} mL ({plan.rule})" if plan.deficit_ml else ""),
        ("Plan", "; ".join(_phase_text(phase) for phase in plan.phases) or "reassess"),
        (
            "Maintenance",
            f"{maintenance:.1f} mL/h ({source}{'' if plan.with_maintenance else '; not in the plan'})",
        ),
        ("Ongoing losses", f"{ongoing_losses_ml_hr:g} mL/h"),
        ("Urine", urine),
        ("Sodium", _sodium_text(case)),
        notes([fluids.FLUID_NOTES.get((clinical_scenario, fluid_type), ""), *plan.remarks, burn]),
    )


def _phase_text(phase: fluids.Phase) -> str:
    span = "" if phase.hours is None else f" for {phase.hours:g} h"
    return f"{phase.name} {phase.ml_per_h:.1f} mL/h{span}"


def _urine(urine_ml_h: float | None, weight_kg: float, target: float) -> tuple[bool, str]:
    """(below the target in mL/kg/h, text); an output that was not measured is not low."""
    if urine_ml_h is None:
        return False, f"not given (target {target:g} mL/kg/h)"
    per_kg = round(urine_ml_h / weight_kg, 2)
    side = "below" if per_kg < target else "at"
    return per_kg < target, f"{urine_ml_h:g} mL/h ({per_kg:.2f} mL/kg/h {side} target {target:g})"


def _sodium_text(case: fluids.FluidCase) -> str:
    verdict = fluids.sodium_band(case.sodium)
    if verdict == "high":
        water = fluids.free_water_deficit(case.weight_kg, case.sodium, case.child)
        verdict += f"; free water deficit {water:.0f} mL"
    return f"{case.sodium:g} mEq/L ({verdict})"


def _burn_remark(scenario: str, tbsa: float | None, hours: float | None) -> str:
    if scenario == "burn":
        since = "0 h (assumed)" if hours is None else f"{hours:g} h"
        return f"burn of {tbsa:g}% at {since}"
    given = [
        f"{n} {v:g}" for n, v in (("percent_tbsa_burn", tbsa), ("hours_since_injury", hours)) if v is not None
    ]
    return f"ignored outside a burn: {' + '.join(given)}" if given else ""
