"""Synthetic patients: plausible gold arguments for each tool, drawn from a seed.

[draws -> phrases -> GeneratedTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Values hang together (a heavy patient has a wide waist, an old one a higher creatinine) but describe nobody.
The range of every quantity in `BAND_WIDTHS` is cut into bands; each fifth band is held out, so that training
never shows, say, an age of 36–39 or 56–59 years and the held-out split shows only such ages.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Arguments = dict[str, Any]

BAND_WIDTHS = {  # width of one band, in the argument's own unit
    "patient_age": 4,
    "patient_weight_kg": 4,
    "weight_kg": 4,
    "total_cholesterol": 10,
    "renal_function_egfr": 4,
}

# Drug -> (routes, standard doses in mg, intervals, daily caps in mg, indications). Ranges as in US labels.
DOSED_DRUGS: dict[str, tuple[list[str], list[float], list[str], list[int], list[str]]] = {
    "vancomycin": (
        ["IV"],
        [500, 750, 1000, 1250, 1500],
        ["q12h", "q24h"],
        [2000, 3000, 4000],
        ["MRSA pneumonia", "MRSA bacteremia", "osteomyelitis", "line infection", "endocarditis"],
    ),
    "gentamicin": (
        ["IV", "IM"],
        [80, 120, 160, 200, 240, 320],
        ["q8h", "q24h"],
        [360, 480],
        ["gram-negative sepsis", "complicated UTI", "pyelonephritis", "intra-abdominal abscess"],
    ),
    "amoxicillin": (
        ["PO"],
        [250, 500, 875, 1000],
        ["bid", "tid", "q8h"],
        [2000, 3000],
        ["otitis media", "strep throat", "sinusitis", "dental abscess", "community-acquired pneumonia"],
    ),
    "metformin": (
        ["PO"],
        [500, 850, 1000],
        ["daily", "bid"],
        [1500, 2000, 2550],
        ["type 2 diabetes", "prediabetes", "polycystic ovary syndrome", "insulin resistance"],
    ),
    "lisinopril": (
        ["PO"],
        [2.5, 5, 10, 20, 40],
        ["daily"],
        [20, 40, 80],
        ["hypertension", "heart failure", "diabetic nephropathy", "CKD with proteinuria"],
    ),
}
ALLERGENS = ["sulfa", "penicillin", "aspirin", "cephalosporin", "codeine"]

# Drug -> indication, for the interaction screen.
SCREENED_DRUGS = {
    "warfarin": "atrial fibrillation",
    "amiodarone": "ventricular tachycardia",
    "simvastatin": "high cholesterol",
    "atorvastatin": "hyperlipidemia",
    "omeprazole": "GERD",
    "clopidogrel": "coronary artery disease",
    "fluoxetine": "depression",
    "sertraline": "anxiety disorder",
    "citalopram": "panic disorder",
    "tramadol": "chronic pain",
    "metoprolol": "fast atrial fibrillation",
    "diltiazem": "angina",
    "digoxin": "heart failure",
    "fluconazole": "candidiasis",
    "ketoconazole": "fungal infection",
    "ciprofloxacin": "urinary tract infection",
    "clarithromycin": "respiratory infection",
    "rifampin": "tuberculosis",
    "phenytoin": "seizure disorder",
    "carbamazepine": "trigeminal neuralgia",
    "tacrolimus": "kidney transplant rejection",
    "cyclosporine": "severe psoriasis",
    "ibuprofen": "knee pain",
    "naproxen": "arthritis pain",
    "aspirin": "transient ischemic attacks",
    "lisinopril": "hypertension",
    "amlodipine": "resistant hypertension",
    "metformin": "type 2 diabetes",
    "gabapentin": "neuropathic pain",
    "duloxetine": "diabetic neuropathy",
    "theophylline": "asthma",
}
SURGERY_METS = {"minor": 7, "orthopedic": 5, "abdominal": 5, "thoracic": 4.5, "vascular": 4, "cardiac": 4}
ANESTHESIA = {"minor": ["local", "regional", "general"], "thoracic": ["general"], "cardiac": ["general"]}
PRIOR_HISTORIES = ["mi", "cabg", "stent", "valve", "stroke"]


def in_heldout_range(name: str, value: float) -> bool:
    """True when `value` of the argument `name` lies in a held-out band (every fifth one)."""
    return int(value // BAND_WIDTHS[name]) % 5 == 4


class Dice:
    """Seeded draws that stay on one side of the held-out bands."""

    def __init__(self, rng: random.Random, heldout: bool) -> None:
        self.rng = rng
        self.heldout = heldout

    def yes(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, items: list[Any]) -> Any:
        return items[int(self.rng.random() * len(items))]

    def number(self, mean: float, sd: float, low: float, high: float, digits: int = 0) -> float:
        """A normal draw cut to [low, high] and rounded; an int when `digits` is 0."""
        value = min(high, max(low, self.rng.gauss(mean, sd)))
        return round(value, digits) if digits else round(value)

    def banded(self, name: str, mean: float, sd: float, low: int, high: int) -> int:
        """An int in [low, high] on the split's side; a draw from the other side moves to a near band."""
        value, width = int(self.number(mean, sd, low, high)), BAND_WIDTHS[name]
        if in_heldout_range(name, value) != self.heldout:
            fifth = value // (5 * width) * 5 + 4  # the held-out band of this block of five
            value = (fifth if self.heldout else fifth - 1) * width + value % width
        if low <= value <= high:
            return value
        return int(self.pick([v for v in range(low, high + 1) if in_heldout_range(name, v) == self.heldout]))

    def egfr(self, low: int = 18, high: int = 112) -> int:
        return self.banded("renal_function_egfr", 70, 24, low, high)

    def age(self, mean: float, low: int, high: int, sd: float = 15) -> int:
        return self.banded("patient_age", mean, sd, low, high)

    def sex(self) -> str:
        return "female" if self.yes(0.5) else "male"

    def weight(self, sex: str, name: str = "patient_weight_kg") -> int:
        return self.banded(name, 86 if sex == "male" else 73, 15, 45, 138)

    def creatinine(self, age: int, sick: float = 0.35) -> float:
        """mg/dL; `sick` is the chance of kidney disease."""
        if self.yes(sick):
            return self.number(2.4, 1.2, 1.4, 7.5, 1)
        return self.number(0.85 + age / 400, 0.15, 0.6, 1.4, 1)


def drug_dosage(dice: Dice) -> Arguments:
    drug = dice.pick(list(DOSED_DRUGS))
    routes, doses, intervals, caps, indications = DOSED_DRUGS[drug]
    dose = dice.pick(doses)
    age, sex = dice.age(58, 19, 90), dice.sex()
    allergies = dice.rng.sample(ALLERGENS, dice.pick([0, 0, 0, 1, 1, 2]))
    fitting = [cap for cap in caps if cap >= 2 * dose]
    return {
        "drug_name": drug,
        "standard_dose_mg": dose,
        "route": dice.pick(routes),
        "patient_weight_kg": dice.weight(sex),
        "patient_age": age,
        "serum_creatinine": dice.creatinine(age),
        "sex": sex,
        "allergies": allergies,
        "indication": dice.pick(indications),
        "frequency_override": dice.pick(intervals) if dice.yes(0.45) else None,
        "max_daily_dose_mg": dice.pick(fitting) if fitting and dice.yes(0.3) else None,
        "is_loading_dose": drug in ("vancomycin", "gentamicin") and dice.yes(0.25),
    }


def cardiovascular_risk(dice: Dice) -> Arguments:
    age, sex = dice.age(54, 30, 74, sd=11), dice.sex()
    bmi = dice.number(28, 5, 18.5, 44, 1)
    return {
        "patient_age": age,
        "sex": sex,
        "total_cholesterol": dice.banded("total_cholesterol", 208, 32, 130, 310),
        "hdl_cholesterol": dice.number(48 if sex == "male" else 57, 11, 25, 95),
        "systolic_bp": dice.number(112 + age / 3, 14, 95, 190),
        "on_bp_medication": dice.yes(age / 150),
        "is_smoker": dice.yes(0.3),
        "has_diabetes": dice.yes(0.25),
        "family_history_cvd": dice.yes(0.3),
        "bmi": bmi if dice.yes(0.6) else None,
    }


def metabolic_risk(dice: Dice) -> Arguments:
    sex = dice.sex()
    weight = dice.weight(sex, "weight_kg")
    height = dice.number(176 if sex == "male" else 163, 7, 145, 200)
    bmi = weight / (height / 100) ** 2
    return {
        "weight_kg": weight,
        "height_cm": height,
        "waist_circumference_cm": dice.number(30 + 2.35 * bmi, 5, 60, 165),
        "patient_age": dice.age(48, 20, 80),
        "sex": sex,
        "fasting_glucose_mg_dl": dice.number(70 + 1.2 * bmi, 14, 68, 190),
        "triglycerides_mg_dl": dice.number(60 + 3.2 * bmi, 40, 55, 420),
        "hdl_cholesterol_mg_dl": dice.number(70 - 0.8 * bmi, 8, 25, 90),
        "systolic_bp": dice.number(100 + bmi, 12, 95, 185),
        "on_bp_medication": dice.yes(0.35),
        "physical_activity_level": dice.pick(["sedentary", "light", "moderate", "active"]),
        "family_history_diabetes": dice.yes(0.4),
    }


def surgical_risk(dice: Dice) -> Arguments:
    age = dice.age(63, 22, 90)
    surgery = dice.pick(list(SURGERY_METS))
    prior = dice.pick(PRIOR_HISTORIES) if dice.yes(0.3) else "none"
    creatinine = dice.creatinine(age, 0.25)
    factors = {
        "ischemic_heart_disease": prior in ("mi", "cabg", "stent") or dice.yes(0.15),
        "heart_failure": dice.yes(0.18),
        "cerebrovascular_disease": prior == "stroke" or dice.yes(0.1),
        "renal_insufficiency": creatinine > 2.0,  # the index's own cut: Lee 1999, Circulation 100:1043
        "insulin_diabetes": dice.yes(0.18),
        "high_risk_surgery": surgery in ("abdominal", "thoracic", "vascular") and dice.yes(0.6),
    }
    burden = sum(factors.values())
    return {
        "patient_age": age,
        "surgery_type": surgery,
        "asa_class": dice.number(1.6 + 0.6 * burden, 0.6, 1, 5),
        "cardiac_risk_factors": factors,
        "functional_capacity_mets": dice.number(SURGERY_METS[surgery] - 0.6 * burden, 1.5, 1.5, 11, 1),
        "is_emergency": surgery != "minor" and dice.yes(0.25),
        "serum_creatinine": creatinine,
        "has_insulin_dependent_diabetes": factors["insulin_diabetes"],
        "prior_cardiac_history": prior,
        "planned_anesthesia": dice.pick(
            ANESTHESIA.get(surgery, ["general", "general", "spinal", "regional"])
        ),
    }


def insulin_regimen(dice: Dice) -> Arguments:
    sex, kind = dice.sex(), dice.pick(["type1", "type2", "type2"])
    a1c = dice.number(8.6, 1.3, 6.2, 13, 1)
    return {
        "patient_weight_kg": dice.weight(sex),
        "diabetes_type": kind,
        "current_a1c": a1c,
        "fasting_glucose_mg_dl": dice.number(28.7 * a1c - 70, 22, 85, 330),  # near the ADAG line, fasting
        "meal_carbs_per_day": [int(5 * dice.number(11, 3, 4, 20)) for _ in range(dice.pick([3, 3, 3, 4]))],
        "current_insulin_regimen": dice.pick(
            ["basal_bolus", "pump", "basal_only"]
            if kind == "type1"
            else ["none", "basal_only", "basal_bolus"]
        ),
        "correction_target_mg_dl": dice.pick([100, 110, 120, 130, 140, 150]),
        "renal_function_egfr": dice.egfr() if dice.yes(0.65) else None,
        "steroid_use": dice.yes(0.2),
        "is_pregnant": dice.yes(0.12),
    }


def kidney_function(dice: Dice) -> Arguments:
    age, sex = dice.age(60, 20, 89), dice.sex()
    creatinine = dice.creatinine(age, 0.55)
    urine = dice.yes(0.6)
    return {
        "serum_creatinine": creatinine,
        "patient_age": age,
        "sex": sex,
        "patient_weight_kg": dice.weight(sex),
        "is_african_american": dice.yes(0.25),
        "blood_urea_nitrogen": dice.number(6 + 12 * creatinine, 5, 7, 110),
        "urine_albumin_mg_l": dice.number(60 * creatinine, 60, 5, 900) if urine else None,
        "urine_creatinine_mg_dl": dice.number(100, 35, 25, 250) if urine else None,
        "has_diabetes": dice.yes(0.4),
        "has_hypertension": dice.yes(0.55),
    }


def fluid_replacement(dice: Dice) -> Arguments:
    scenario = dice.pick(["burn", "burn", "maintenance", "dehydration", "dka", "hemorrhage"])
    child = scenario != "hemorrhage" and dice.yes(0.3)
    mean, sd, low, high = (22, 8, 8, 45) if child else (77, 15, 48, 118)
    weight = dice.banded("patient_weight_kg", mean, sd, low, high)
    fluids = {"burn": ["LR"], "maintenance": ["D5NS", "D5W", "NS"], "dka": ["NS"]}.get(scenario, ["NS", "LR"])
    output = dice.number(weight * (1.0 if child else 0.6), weight * 0.2, weight * 0.2, weight * 2)
    burn = scenario == "burn"
    return {
        "patient_weight_kg": weight,
        "clinical_scenario": scenario,
        "percent_tbsa_burn": dice.number(28, 12, 10, 70) if burn else None,
        "hours_since_injury": dice.pick([0, 1, 2, 3, 4, 5, 6]) if burn else None,
        "fluid_type": dice.pick(fluids),
        "maintenance_rate_override": dice.pick([60, 75, 80, 100, 120])
        if not child and dice.yes(0.2)
        else None,
        "urine_output_ml_hr": output if dice.yes(0.7) else None,
        "serum_sodium": dice.number(132 if scenario == "dka" else 139, 4, 122, 155),
        "is_pediatric": child,
        "ongoing_losses_ml_hr": dice.pick([10, 20, 25, 30, 50, 75, 100]) if dice.yes(0.4) else 0,
    }


def drug_interactions(dice: Dice) -> Arguments:
    proposed, *current = dice.rng.sample(list(SCREENED_DRUGS), dice.pick([3, 3, 4]))
    sex, age = dice.sex(), dice.age(58, 20, 88)
    variants = {
        dice.pick(["2D6", "2C19", "2C9"]): dice.pick(["poor_metabolizer", "intermediate_metabolizer"])
    }
    return {
        "current_medications": current,
        "proposed_medication": proposed,
        "patient_age": age,
        "sex": sex,
        "hepatic_function": dice.pick(
            ["normal", "normal", "mild_impairment", "moderate_impairment", "severe_impairment"]
        ),
        "renal_function_egfr": dice.egfr(),
        "is_pregnant": sex == "female" and age < 45 and dice.yes(0.3),
        "genetic_cyp_variants": variants if dice.yes(0.25) else None,
        "indication": SCREENED_DRUGS[proposed],
        "check_food_interactions": dice.yes(0.35),
    }


DRAWS: dict[str, Callable[[Dice], Arguments]] = {
    "calculate_drug_dosage": drug_dosage,
    "assess_cardiovascular_risk": cardiovascular_risk,
    "calculate_bmi_metabolic_risk": metabolic_risk,
    "estimate_surgical_risk": surgical_risk,
    "calculate_insulin_regimen": insulin_regimen,
    "assess_kidney_function": kidney_function,
    "calculate_fluid_replacement": fluid_replacement,
    "screen_drug_interactions": drug_interactions,
}
