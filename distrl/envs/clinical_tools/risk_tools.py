"""Three tools that grade risk: cardiovascular, metabolic, surgical.

tasks -> EnvWorker[N: call -> these functions -> line] <-> Engine[M] -> …
Formulas and their sources: distrl/envs/clinical/{cardiovascular,metabolic,perioperative}.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, TypedDict

from distrl.envs.clinical import cardiovascular as cv
from distrl.envs.clinical import metabolic, perioperative
from distrl.envs.clinical_tools.line import AdultAge, Creatinine, Sex, SystolicBp, line, notes, yes
from distrl.envs.toolkit import Arg, ToolError


def assess_cardiovascular_risk(  # noqa: PLR0913 - the tool's published parameters
    *,
    patient_age: AdultAge,
    sex: Sex,
    total_cholesterol: Annotated[float, Arg(unit="mg/dL", ge=50, le=600)],
    hdl_cholesterol: Annotated[float, Arg(unit="mg/dL", ge=5, le=200)],
    systolic_bp: SystolicBp,
    on_bp_medication: bool,
    is_smoker: bool,
    has_diabetes: bool,
    family_history_cvd: bool,
    bmi: Annotated[float | None, Arg(unit="kg/m2", ge=10, le=100)] = None,
) -> str:
    """10-year cardiovascular risk by the Framingham Risk Score (general CVD).

    Family history is no term of the model: it is reported as a risk enhancer and multiplies nothing.
    With a BMI the office model is printed beside the lipid model, which stays the headline.
    Ages outside 30-74 are computed and noted. Source: D'Agostino 2008.

    Args:
        on_bp_medication: Whether blood pressure is treated with drugs.
        family_history_cvd: Whether a relative had cardiovascular disease early.
        bmi: Body mass index, if known.
    """
    if hdl_cholesterol >= total_cholesterol:
        raise ToolError(
            f"hdl_cholesterol {hdl_cholesterol:g} must be below total_cholesterol {total_cholesterol:g}"
        )
    factors = cv.RiskFactors(
        age=patient_age,
        sex=sex,
        cholesterol=total_cholesterol,
        hdl=hdl_cholesterol,
        sbp=systolic_bp,
        treated=on_bp_medication,
        smoker=is_smoker,
        diabetes=has_diabetes,
        bmi=25.0 if bmi is None else bmi,
    )
    risk = round(cv.framingham_lipid(factors), 2)
    low, high = cv.VALID_AGES
    return line(
        ("10-year CVD risk", f"{risk:.2f}%"),
        ("Category", cv.risk_category(risk)),
        ("Model", "Framingham 2008"),
        ("Heart age", f"{cv.heart_age(factors):.1f}"),
        ("TC/HDL", f"{total_cholesterol / hdl_cholesterol:.2f}"),
        ("Office model", "" if bmi is None else f"{cv.framingham_office(factors):.2f}% (BMI {bmi:g})"),
        ("Family history", "yes (risk enhancer outside the model)" if family_history_cvd else "no"),
        notes(
            ["" if low <= patient_age <= high else f"age {patient_age} outside the validated {low}-{high}"]
        ),
    )


def calculate_bmi_metabolic_risk(  # noqa: PLR0913 - the tool's published parameters
    *,
    weight_kg: Annotated[float, Arg(unit="kg", ge=20, le=400)],
    height_cm: Annotated[float, Arg(unit="cm", ge=100, le=250)],
    waist_circumference_cm: Annotated[float, Arg(unit="cm", ge=30, le=250)],
    patient_age: AdultAge,
    sex: Sex,
    fasting_glucose_mg_dl: Annotated[float, Arg(unit="mg/dL", ge=20, le=1000)],
    triglycerides_mg_dl: Annotated[float, Arg(unit="mg/dL", ge=10, le=5000)],
    hdl_cholesterol_mg_dl: Annotated[float, Arg(unit="mg/dL", ge=5, le=200)],
    systolic_bp: SystolicBp,
    on_bp_medication: bool,
    physical_activity_level: Literal["sedentary", "light", "moderate", "active"],
    family_history_diabetes: bool,
) -> str:
    """BMI classification and metabolic syndrome screening by ATP III criteria (2005 revision).

    Diabetes risk is the ADA test; hypertension in it means treated or systolic >= 130, as in the criteria.
    Sources: WHO 2000; Grundy 2005; Bang 2009; Mifflin 1990 (energy need).

    Args:
        fasting_glucose_mg_dl: Fasting glucose.
        on_bp_medication: Whether blood pressure is treated with drugs.
        family_history_diabetes: Whether a parent or sibling has diabetes.
    """
    bmi = round(metabolic.body_mass_index(weight_kg, height_cm), 1)
    criteria = metabolic.metabolic_syndrome(
        sex=sex,
        waist_cm=waist_circumference_cm,
        triglycerides=triglycerides_mg_dl,
        hdl=hdl_cholesterol_mg_dl,
        systolic_bp=systolic_bp,
        treated=on_bp_medication,
        fasting_glucose=fasting_glucose_mg_dl,
    )
    pressure = f"{systolic_bp:g} {'treated' if on_bp_medication else 'untreated'}"
    lipids = (triglycerides_mg_dl, hdl_cholesterol_mg_dl)
    values = (waist_circumference_cm, *lipids, pressure, fasting_glucose_mg_dl)
    points = metabolic.ada_diabetes_risk(
        age=patient_age,
        sex=sex,
        family_history=family_history_diabetes,
        hypertension=criteria["blood pressure"],
        active=metabolic.MEETS_ACTIVITY_GOAL[physical_activity_level],
        bmi=bmi,
    )
    resting = metabolic.resting_energy(weight_kg, height_cm, patient_age, sex)
    energy = resting * metabolic.ACTIVITY_LEVEL[physical_activity_level]
    met = sum(criteria.values())
    return line(
        ("BMI", f"{bmi:.1f} kg/m2"),
        ("Class", metabolic.who_class(bmi)),
        ("Metabolic syndrome", f"{yes(met >= 3)} ({met}/5)"),
        ("Criteria", _criteria_text(criteria, values)),
        ("Glycaemia", metabolic.glycaemia(fasting_glucose_mg_dl)),
        ("Waist/height", f"{waist_circumference_cm / height_cm:.2f}"),
        ("Diabetes risk score", f"{points}/10 ({'high' if points >= 5 else 'not high'})"),
        ("Family history", yes(family_history_diabetes)),
        ("Energy need", f"{energy:.0f} kcal/day ({physical_activity_level})"),
    )


def _criteria_text(criteria: dict[str, bool], values: Iterable[float | str]) -> str:
    """The criteria with what was measured, in the order of `metabolic_syndrome`."""
    shown = (value if isinstance(value, str) else f"{value:g}" for value in values)
    rows = zip(criteria.items(), shown, strict=True)
    return "; ".join(f"{name} {value} {'met' if met else 'not met'}" for (name, met), value in rows)


class CardiacRiskFactors(TypedDict):
    """The six factors of the Revised Cardiac Risk Index."""

    ischemic_heart_disease: bool
    heart_failure: bool
    cerebrovascular_disease: bool
    renal_insufficiency: bool
    insulin_diabetes: bool
    high_risk_surgery: bool


def estimate_surgical_risk(  # noqa: PLR0913 - the tool's published parameters
    *,
    patient_age: AdultAge,
    surgery_type: Literal["abdominal", "vascular", "minor", "orthopedic", "thoracic", "cardiac"],
    asa_class: Annotated[int, Arg(ge=1, le=5)],
    cardiac_risk_factors: CardiacRiskFactors,
    functional_capacity_mets: Annotated[float, Arg(unit="METs", ge=1, le=25)],
    is_emergency: bool,
    serum_creatinine: Creatinine,
    has_insulin_dependent_diabetes: bool,
    prior_cardiac_history: Literal["none", "mi", "cabg", "stent", "valve", "stroke"],
    planned_anesthesia: Literal["general", "spinal", "local", "regional"],
) -> str:
    """Perioperative cardiac risk from the RCRI score, with ASA class and functional capacity.

    Precedence of what is told twice: the measured creatinine decides the renal factor, whatever the flag
    says; every other factor counts when either the flag or the argument that implies it is true (insulin
    flag; history of infarction or stroke; abdominal, thoracic or vascular surgery), for a missed factor is
    the worse error. Each disagreement is named in a note. Sources: Lee 1999; Duceppe 2017 (rates);
    Fleisher 2014 (METs).

    Args:
        cardiac_risk_factors: The six RCRI factors.
        has_insulin_dependent_diabetes: Whether diabetes is treated with insulin.
        prior_cardiac_history: Most important cardiac event or procedure.
    """
    implied = {
        "insulin_diabetes": has_insulin_dependent_diabetes,
        "high_risk_surgery": surgery_type in perioperative.HIGH_RISK_SURGERY,
    }
    if prior_cardiac_history in perioperative.HISTORY_IMPLIES:
        implied[perioperative.HISTORY_IMPLIES[prior_cardiac_history]] = True
    used, remarks = _reconcile(cardiac_risk_factors, implied, serum_creatinine)
    points = perioperative.rcri(used)
    rcri_class, pooled, lee = perioperative.rcri_rates(points)
    capacity = perioperative.functional_capacity(functional_capacity_mets)
    biomarker = perioperative.biomarker_advised(patient_age, points)
    return line(
        ("RCRI", f"{points}/6 (class {rcri_class})"),
        ("30-day cardiac risk", f"{pooled:.1f}% (2017 pooled)"),
        ("Lee 1999", f"{lee:.1f}%"),
        ("Factors", "; ".join(name for name in perioperative.RCRI_FACTORS if used[name]) or "none"),
        ("ASA", perioperative.asa_label(asa_class, is_emergency)),
        ("Capacity", f"{functional_capacity_mets:g} METs ({capacity})"),
        ("Surgery", f"{surgery_type} under {planned_anesthesia} anesthesia"),
        ("History", prior_cardiac_history),
        ("Creatinine", f"{serum_creatinine:g} mg/dL"),
        ("BNP before surgery", f"{'advised' if biomarker else 'not needed'} at {patient_age} y"),
        notes([*remarks, _rcri_limits(patient_age, surgery_type, is_emergency)]),
    )


def _reconcile(
    told: CardiacRiskFactors, implied: dict[str, bool], creatinine: float
) -> tuple[dict[str, bool], list[str]]:
    """The six factors as they are counted, and a remark for each that was told in two ways."""
    flags = {name: bool(value) for name, value in told.items()}
    used = {name: flag or implied.get(name, False) for name, flag in flags.items()}
    used["renal_insufficiency"] = creatinine > perioperative.RENAL_CREATININE_MG_DL
    remarks = [f"{n} {yes(flag)} read as {yes(used[n])}" for n, flag in flags.items() if flag != used[n]]
    return used, remarks + [f"{name} by flag alone" for name in implied if flags[name] and not implied[name]]


def _rcri_limits(age: int, surgery: str, emergency: bool) -> str:
    """What lies outside the cohort that RCRI was derived in."""
    outside = []
    if age < perioperative.DERIVATION_AGE:
        outside.append(f"age below {perioperative.DERIVATION_AGE}")
    if emergency:
        outside.append("emergency")
    if surgery in ("cardiac", "minor"):
        outside.append(f"{surgery} surgery")
    return f"outside the RCRI cohort: {' + '.join(outside)}" if outside else ""
