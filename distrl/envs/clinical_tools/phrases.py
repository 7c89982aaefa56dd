"""The words of generated tasks: every phrase in one table, training phrases and held-out ones apart.

draws -> [phrases -> GeneratedTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> (back)

A cell reads "form | form || form | form": before the double bar forms of training, after it forms that only
the held-out split uses. "-" says nothing: the value is then false, 0, none or null by the convention that
both system prompts state. Fields in braces are filled by `surfaces.py`; a form whose field a value lacks
(a unit in which it would not come back exactly) is passed over.
"""

from __future__ import annotations

import string
from functools import cache
from typing import NamedTuple

_ANY = "*"

_TABLE: dict[str, dict[str, str]] = {
    "patient_weight_kg": {
        _ANY: "{kg}kg | {kg} kg | weighs {kg} kg | weight {kg} kg | weighs {lb} lb"
        " || body weight {kg} kg | scales show {kg} kg | weight {lb} pounds"
    },
    "serum_creatinine": {
        _ANY: "Cr {v} | creatinine {v} | creatinine {v} mg/dL | serum creatinine {v}"
        " | creatinine {umol} µmol/L"
        " || SCr {v} mg/dL | latest creatinine {v} | SCr {umol} µmol/L"
    },
    "standard_dose_mg": {
        _ANY: "standard dose {v} mg | {v} mg standard dose | usual dose {v} mg | standard dose {g} g"
        " | no dose was named, so take the default {v} mg"
        " || reference dose {v} mg | dose not named: our default is {v} mg | reference dose {g} g"
    },
    "route": {
        "IV": "IV | IV route | intravenously || by vein (IV)",
        "IM": "IM | IM route | intramuscularly || into the muscle (IM)",
        "PO": "PO | by mouth | PO route || taken orally",
    },
    "frequency_override": {
        "null": "- | - | no fixed interval || - | interval left open",
        "daily": "once daily | daily dosing || one dose a day",
        "bid": "twice daily | BID || two doses a day",
        "tid": "three times daily | TID || three doses a day",
        "q8h": "every 8 hours | q8h || 8-hourly",
        "q12h": "every 12 hours | q12h || 12-hourly",
        "q24h": "every 24 hours | q24h || 24-hourly",
    },
    "max_daily_dose_mg": {
        "null": "- | - | no daily cap || - | no ceiling",
        _ANY: "max {v} mg/day | cap at {v} mg a day | daily maximum {v} mg"
        " || not above {v} mg per day | ceiling {v} mg daily",
    },
    "is_loading_dose": {
        "yes": "loading dose | this is the loading dose || to start as a loading dose",
        "no": "- | - | not a loading dose || - | no loading",
    },
    "allergies": {
        "none": "no known allergies | NKDA | no allergies | - || allergies: none | -",
        _ANY: "allergic to {list} | {list} allergy || reacts to {list} | allergies: {list}",
    },
    "indication": {_ANY: "for {v} | indication {v} | treating {v} || reason: {v} | because of {v}"},
    "total_cholesterol": {
        _ANY: "TC {v} | total cholesterol {v} | total cholesterol {v} mg/dL | total cholesterol {mmol} mmol/L"
        " || cholesterol (total) {v} | T-chol {v} mg/dL | T-chol {mmol} mmol/L"
    },
    "hdl_cholesterol": {
        _ANY: "HDL {v} | HDL {v} mg/dL | HDL cholesterol {v} | HDL {mmol} mmol/L"
        " || HDL-C {v} | HDL-C {mmol} mmol/L"
    },
    "systolic_bp": {
        _ANY: "BP {v} | systolic {v} | systolic BP {v} mmHg | SBP {v}"
        " || systolic pressure {v} | upper BP {v} mmHg"
    },
    "on_bp_medication": {
        "yes": "on BP meds | takes BP medication | BP is treated || on antihypertensives",
        "no": "no BP meds | BP untreated | - || no antihypertensives | -",
    },
    "is_smoker": {
        "yes": "smoker | current smoker | smokes || uses tobacco",
        "no": "non-smoker | never smoked | - || tobacco-free | -",
    },
    "has_diabetes": {
        "yes": "diabetic | has diabetes || known diabetes",
        "no": "no diabetes | not diabetic | - || free of diabetes | -",
    },
    "has_hypertension": {
        "yes": "hypertensive | has hypertension || known hypertension",
        "no": "no hypertension | not hypertensive | - || normotensive | -",
    },
    "family_history_cvd": {
        "yes": "family history of heart disease | father had an early heart attack"
        " || a parent with early coronary disease",
        "no": "no family history of heart disease | - || parents free of heart trouble | -",
    },
    "bmi": {"null": "- | - | BMI not recorded || -", _ANY: "BMI {v} | BMI is {v} || body mass index {v}"},
    "height_cm": {
        _ANY: "{v} cm tall | height {v} cm | {v}cm tall | {inch} inches tall"
        " || stands {v} cm | stands {inch} inches"
    },
    "waist_circumference_cm": {
        _ANY: "waist {v} cm | waist {v}cm | waist {inch} in"
        " || girth {v} cm at the waist | girth {inch} in at the waist"
    },
    "fasting_glucose_mg_dl": {
        _ANY: "fasting glucose {v} | glucose {v} mg/dL fasting | FBG {v} | fasting glucose {mmol} mmol/L"
        " || fasting sugar {v} | fasting sugar {mmol} mmol/L"
    },
    "triglycerides_mg_dl": {
        _ANY: "TG {v} | triglycerides {v} | TG {v} mg/dL | triglycerides {mmol} mmol/L"
        " || trigs {v} | trigs {mmol} mmol/L"
    },
    "physical_activity_level": {
        _ANY: "{v} lifestyle | {v} activity level | physical activity: {v}"
        " || exercise level: {v} | {v} by habit"
    },
    "family_history_diabetes": {
        "yes": "family history of diabetes | mother has diabetes || diabetes in the family",
        "no": "no family history of diabetes | - || no relatives with diabetes | -",
    },
    "surgery_type": {
        _ANY: "{v} surgery | {v} surgery planned | listed for {v} surgery"
        " || operation type: {v} | {v} operation"
    },
    "asa_class": {_ANY: "ASA {v} | ASA class {v} | ASA {roman} || ASA-PS {v} | ASA status {roman}"},
    "cardiac_risk_factors": {
        "none": "no cardiac risk factors | - || risk factors: none | -",
        _ANY: "risk factors: {list} | cardiac risk: {list} | positive for {list}"
        " || known risks: {list} | risk list: {list}",
    },
    "functional_capacity_mets": {
        _ANY: "METs {v} | {v} METs | functional capacity {v} METs || reaches {v} METs | METs = {v}"
    },
    "is_emergency": {
        "yes": "emergency | emergency case || done as an emergency",
        "no": "elective | - || planned case | -",
    },
    "has_insulin_dependent_diabetes": {"yes": "- || -", "no": "- | not on insulin || no insulin | -"},
    "prior_cardiac_history": {
        "none": "no prior cardiac history | - || no earlier heart events | -",
        "mi": "prior MI | MI two years ago || earlier MI",
        "cabg": "prior CABG | CABG in the past || earlier CABG",
        "stent": "prior stent | coronary stent in place || earlier stent",
        "valve": "prior valve replacement | valve replaced || earlier valve repair",
        "stroke": "prior stroke | stroke in the past || earlier stroke",
    },
    "planned_anesthesia": {
        _ANY: "{v} anesthesia | {v} anesthesia planned | under {v} anesthesia"
        " || anesthetic: {v} | {v} anesthetic"
    },
    "diabetes_type": {
        "type1": "type 1 diabetes | T1DM || diabetes, type 1",
        "type2": "type 2 diabetes | T2DM || diabetes, type 2",
    },
    "current_a1c": {
        _ANY: "A1c {v} | A1c {v}% | HbA1c {v}% | HbA1c {mmol} mmol/mol"
        " || glycated Hb {v}% | glycated Hb {mmol} mmol/mol"
    },
    "meal_carbs_per_day": {
        _ANY: "meals of {list} g carbs | carbs per meal {slash} g | eats {list} g carbs"
        " || carbohydrate by meal: {slash} g | meal carbs are {list} g"
    },
    "current_insulin_regimen": {
        "none": "no insulin yet | insulin-naive | - || never had insulin | -",
        "basal_only": "on basal insulin only | basal-only now || takes basal insulin alone",
        "basal_bolus": "on basal-bolus | basal-bolus now || uses a basal-bolus scheme",
        "pump": "on a pump | insulin pump now || treated by pump",
    },
    "correction_target_mg_dl": {
        _ANY: "target {v} | correction target {v} mg/dL | no target set, so use the default {v}"
        " || aim for {v} mg/dL | target not set: our default is {v}"
    },
    "renal_function_egfr": {
        "null": "- | - | eGFR unknown || -",
        _ANY: "eGFR {v} | eGFR is {v} || estimated GFR {v}",
    },
    "steroid_use": {
        "yes": "on prednisone | on steroids || takes dexamethasone",
        "no": "no steroids | - || steroid-free | -",
    },
    "is_pregnant": {
        "yes": "pregnant | currently pregnant || expecting a baby",
        "no": "- | - | not pregnant || no pregnancy | -",
    },
    "is_african_american": {
        "yes": "African American | is African American || race: Black",
        "no": "not African American | - || race: not Black | -",
    },
    "blood_urea_nitrogen": {
        _ANY: "BUN {v} | BUN {v} mg/dL | BUN {mmol} mmol/L || urea nitrogen {v} | urea nitrogen {mmol} mmol/L"
    },
    "urine_albumin_mg_l": {
        "null": "no urine data | - || urine not tested | -",
        _ANY: "urine albumin {v} mg/L | urine albumin {mg_dl} mg/dL || albumin in urine {v} mg/L",
    },
    "urine_creatinine_mg_dl": {
        "null": "- || -",
        _ANY: "urine creatinine {v} mg/dL | urine Cr {v} mg/dL || creatinine in urine {v} mg/dL",
    },
    "clinical_scenario": {
        "burn": "burn | burn injury || thermal burn",
        "maintenance": "maintenance fluids | maintenance only || routine maintenance",
        "dehydration": "dehydration | dehydrated || clinical dehydration",
        "dka": "DKA | in DKA || diabetic ketoacidosis (DKA)",
        "hemorrhage": "hemorrhage | acute hemorrhage || active hemorrhage",
    },
    "percent_tbsa_burn": {"null": "- || -", _ANY: "{v}% TBSA | TBSA {v}% || {v} percent TBSA"},
    "hours_since_injury": {
        "null": "- || -",
        _ANY: "{v} h since injury | injured {v} h ago || hours since injury: {v}",
    },
    "fluid_type": {
        "LR": "LR | using LR | lactated Ringer's (LR) || fluid: LR",
        "NS": "NS | using NS | normal saline (NS) || fluid: NS",
        "D5W": "D5W | using D5W || fluid: D5W",
        "D5NS": "D5NS | using D5NS || fluid: D5NS",
    },
    "maintenance_rate_override": {
        "null": "- || -",
        _ANY: "fix the base rate at {v} mL/h | base rate override {v} mL/h || base rate set to {v} mL/h",
    },
    "urine_output_ml_hr": {
        "null": "- | no urine output recorded || -",
        _ANY: "UO {v} mL/h | urine output {v} mL/h | urine output {per_kg} mL/kg/h"
        " || makes {v} mL/h of urine | makes {per_kg} mL/kg/h of urine",
    },
    "serum_sodium": {
        _ANY: "Na {v} | sodium {v} | serum sodium {v} mEq/L || Na+ {v} | plasma sodium {v} mmol/L"
    },
    "ongoing_losses_ml_hr": {
        "0": "no ongoing losses | - || losses have stopped | -",
        _ANY: "ongoing losses {v} mL/h | losing {v} mL/h || continued losses {v} mL/h",
    },
    "current_medications": {
        _ANY: "on {list} | taking {list} | current meds: {list} || already takes {list} | drug list: {list}"
    },
    "hepatic_function": {
        "normal": "normal liver | normal liver function | liver normal || healthy liver",
        _ANY: "{level} liver impairment | {level} hepatic impairment || liver impairment, {level}",
    },
    "genetic_cyp_variants": {
        "null": "- | - | no CYP testing || -",
        _ANY: "CYP{gene} {status} metabolizer | {status} metabolizer of CYP{gene}"
        " || genotype: {status} metabolizer, CYP{gene}",
    },
    "check_food_interactions": {
        "yes": "check food interactions too | include food interactions || food interactions also wanted",
        "no": "- | - | skip the food check || - | drugs only",
    },
}

ALIASES = {"weight_kg": "patient_weight_kg", "hdl_cholesterol_mg_dl": "hdl_cholesterol"}
ALTERNATIVE_UNITS = frozenset({"lb", "umol", "g", "mmol", "inch", "roman", "mg_dl", "per_kg"})

_WHO: dict[str, str] = {
    "sexed": "a {age}-year-old {noun} | a {age}yo {adjective} | a {age} y/o {noun}"
    " || a {noun} aged {age} | a {adjective}, age {age}",
    "child": "a {age}-year-old child || a child aged {age}",
    "adult": "an adult | a {age}-year-old adult || an adult aged {age}",
    "patient": "a patient | my patient || this patient",
}

_OPENERS: dict[str, str] = {  # a request that ends with the patient
    "calculate_drug_dosage": "Work out the {drug} dose for {who} | Dose {drug} by kidney function in {who}"
    " | Renal dosing of {drug}, {who} || How much {drug} suits {who} | Set up {drug} for {who}",
    "assess_cardiovascular_risk": "Ten-year cardiovascular risk of {who} | Run a Framingham estimate on {who}"
    " | CVD risk, {who} || How likely is a cardiac event in {who} | Heart risk score for {who}",
    "calculate_bmi_metabolic_risk": "BMI and metabolic risk of {who} | Screen {who}, metabolic syndrome"
    " | Metabolic check, {who}"
    " || Weight class and metabolic status of {who} | Judge the metabolic health of {who}",
    "estimate_surgical_risk": "Perioperative risk of {who} | Preop clearance, {who}"
    " | Estimate the surgical risk of {who}"
    " || How risky is surgery in {who} | Preop cardiac review of {who}",
    "calculate_insulin_regimen": "Plan insulin doses in {who} | Insulin regimen, {who}"
    " | Work out an insulin plan, {who}"
    " || How should insulin be dosed in {who} | Build an insulin schedule, {who}",
    "assess_kidney_function": "Kidney function of {who} | Stage the renal function of {who}"
    " | Renal check, {who}"
    " || How well do the kidneys work in {who} | CKD work-up of {who}",
    "calculate_fluid_replacement": "IV fluid plan, {who} | Work out fluid replacement in {who}"
    " | Fluid orders, {who}"
    " || How much IV fluid suits {who} | Set infusion rates in {who}",
    "screen_drug_interactions": "Is it safe to add {drug} in {who} | Interaction screen, adding {drug}, {who}"
    " | Want to start {drug} in {who}"
    " || Any clash if {drug} is added in {who} | Vet {drug} as a new drug in {who}",
}

_CLOSERS: dict[str, str] = {  # a request that stands alone
    "calculate_drug_dosage": "What {drug} dose do you advise? | Please dose {drug}."
    " || Suggest the {drug} order.",
    "assess_cardiovascular_risk": "What is the 10-year CVD risk? | Please score the heart risk."
    " || Rate the vascular outlook.",
    "calculate_bmi_metabolic_risk": "Does this meet metabolic syndrome?"
    " | Please classify BMI and metabolic risk."
    " || Sum up the metabolic picture.",
    "estimate_surgical_risk": "What is the surgical risk? | Please give the perioperative risk."
    " || Is theatre safe?",
    "calculate_insulin_regimen": "Which insulin doses? | Please set the insulin regimen."
    " || Draft the insulin orders.",
    "assess_kidney_function": "How is the renal function? | Please stage the kidneys."
    " || Summarise the renal state.",
    "calculate_fluid_replacement": "What fluids and rate? | Please plan the IV fluids."
    " || Draft the fluid orders.",
    "screen_drug_interactions": "May we add {drug}? | Please screen the addition of {drug}."
    " || Would {drug} clash?",
}

_DISTRACTORS = (
    "Pulse 82, afebrile. | Lives with two cats. | Walked in with a cane. | Last seen three months ago."
    " | Temperature 36.8 °C. | Bed 12. | Prefers morning visits. | Had a flu shot in October."
    " | Works as a teacher."
    " || SpO2 97 %. | Arrived by bus. | Speaks Spanish at home. | Respirations 16. | Retired pilot."
)
_GROWN_UP = ("Walked in with a cane.", "Works as a teacher.", "Retired pilot.")


class Forms(NamedTuple):
    """The forms of one cell: those of training and those of the held-out split."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]

    def of(self, heldout: bool) -> tuple[str, ...]:
        return self.heldout if heldout else self.train


def _forms(cell: str) -> Forms:
    train, heldout = cell.split("||")
    return Forms(
        *(tuple("" if f.strip() == "-" else f.strip() for f in s.split(" | ")) for s in (train, heldout))
    )


@cache
def fields(form: str) -> frozenset[str]:
    """The names in braces of a form."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(form) if name)


PHRASES = {name: {key: _forms(cell) for key, cell in cells.items()} for name, cells in _TABLE.items()}
WHO = {kind: _forms(cell) for kind, cell in _WHO.items()}
OPENERS = {tool: _forms(cell) for tool, cell in _OPENERS.items()}
CLOSERS = {tool: _forms(cell) for tool, cell in _CLOSERS.items()}
DISTRACTORS = _forms(_DISTRACTORS)
CHILD_DISTRACTORS = Forms(*(tuple(f for f in forms if f not in _GROWN_UP) for forms in DISTRACTORS))
