"""Our calculators against an independent implementation, open-medicine 0.12.0, on random valid inputs.

Where the two differ on purpose, the known difference is taken into account here, named, and explained in
docs/medcalc.md with the publication that decides it. Everything else must be equal.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.medcalc.public.entities import parameters

if importlib.util.find_spec("open_medicine") is None:
    pytest.skip("open-medicine, the oracle, is not installed", allow_module_level=True)

Arguments = dict[str, Any]
DRAWS = 500  # of each calculator, fifteen thousand in all
DIGITS = {19: 0.00501, 60: 0.00501}  # the oracle rounds to two decimals here, elsewhere to one
# Where thresholds lie: narrower than what the calculators accept, whole where the oracle takes integers.
RANGES: dict[str, tuple[float, float, int]] = {
    "age": (18, 95, 0),
    "weight": (30, 200, 1),
    "height": (140, 210, 0),
    "bmi": (15, 50, 1),
    "heart_rate": (30, 220, 0),
    "respiratory_rate": (5, 55, 0),
    "systolic_bp": (60, 250, 0),
    "diastolic_bp": (30, 150, 0),
    "temperature": (29, 42, 1),
    "spo2": (80, 100, 0),
    "qt_interval": (250, 600, 0),
    "sodium": (105, 185, 0),
    "potassium": (2, 8, 1),
    "chloride": (80, 130, 0),
    "bicarbonate": (5, 45, 0),
    "creatinine": (0.3, 8, 1),
    "bun": (5, 90, 1),
    "glucose": (50, 700, 0),
    "albumin": (1.5, 5.5, 1),
    "calcium": (5, 15, 1),
    "bilirubin": (0.2, 20, 1),
    "alt": (5, 500, 0),
    "ast": (5, 500, 0),
    "platelets": (10, 500, 0),
    "wbc": (0.5, 50, 1),
    "hemoglobin": (5, 18, 1),
    "hematocrit": (15, 65, 0),
    "inr": (0.8, 5, 1),
    "ph": (6.9, 7.8, 2),
    "pao2": (40, 500, 0),
    "fio2": (21, 100, 0),
    "gcs": (3, 15, 0),
    "a_a_gradient": (0, 600, 0),
    "dopamine": (0, 25, 1),
    "dobutamine": (0, 25, 1),
    "epinephrine": (0, 0.3, 2),
    "norepinephrine": (0, 0.3, 2),
    "urine_output": (50, 3000, 0),
    "alcoholic_drinks": (0, 20, 0),
}


def draw(calculator_id: int, rng: random.Random) -> Arguments:
    """Random arguments of every parameter; optional quantities are missing in one of five draws."""
    found: Arguments = {}
    schema = parameters(calculator_id)
    for name, field in schema["properties"].items():
        if "enum" in field:
            found[name] = rng.choice(field["enum"])
        elif "boolean" in field["type"]:
            found[name] = rng.random() < 0.4
        elif name in schema["required"] or rng.random() < 0.8:
            low, high, digits = RANGES[name]
            value = round(rng.uniform(low, high), digits)
            found[name] = int(value) if "integer" in field["type"] else value
    return found


@functools.cache
def rule_of(module: str) -> tuple[Any, Any]:
    """(model of its parameters, function) of one of the oracle's calculators."""
    found = vars(importlib.import_module(f"open_medicine.mcp.calculators.{module}"))
    model = next(v for name, v in found.items() if name.endswith("Params"))
    return model, next(v for name, v in found.items() if name.startswith("calculate_"))


def oracle(module: str, **given: Any) -> Any:
    """The oracle's value of these parameters."""
    model, function = rule_of(module)
    return function(model(**given)).value


def only(a: Arguments, *names: str) -> Arguments:
    """The arguments of these names that were drawn; counts as the whole numbers that the oracle takes."""
    return {name: int(a[name]) if name in WHOLE else a[name] for name in names if name in a}


WHOLE = {"age", "heart_rate", "respiratory_rate", "systolic_bp", "diastolic_bp"}


def female(a: Arguments) -> bool:
    return bool(a["sex"] == "female")


def creatinine_clearance(a: Arguments) -> Any:
    """The oracle takes the actual weight; it is given the weight that MedCalc-Bench's question asks for."""
    bmi = a["weight"] / (a["height"] / 100.0) ** 2
    ideal = (45.5 if female(a) else 50.0) + 2.3 * (a["height"] / 2.54 - 60.0)
    weight = a["weight"]
    if bmi >= 25.0:
        weight = ideal + 0.4 * (weight - ideal)
    elif bmi >= 18.5:
        weight = min(ideal, weight)
    given = {"age": int(a["age"]), "is_female": female(a), "serum_creatinine": a["creatinine"]}
    return oracle("cockcroft_gault", weight=weight, **given)


def child_pugh(a: Arguments) -> Any:
    ascites = {"absent": "none", "slight": "mild", "moderate": "severe"}[a["ascites"]]
    return oracle("child_pugh", **only(a, "bilirubin", "albumin", "inr", "encephalopathy"), ascites=ascites)


def heart(a: Arguments) -> Any:
    fields = parameters(18)["properties"]
    steps = {
        n: fields[n]["enum"].index(a[n]) for n in ("chest_pain_history", "electrocardiogram", "troponin")
    }
    factors = ("hypertension", "hypercholesterolemia", "diabetes", "obesity", "smoking", "family_history_cvd")
    return oracle(
        "heart_score",
        history=steps["chest_pain_history"],
        ecg=steps["electrocardiogram"],
        troponin=steps["troponin"],
        age=int(a["age"]),
        risk_factor_count=sum(a[n] for n in factors),
        history_of_atherosclerosis=a["atherosclerotic_disease"] or a["tia"],
    )


def coma(a: Arguments) -> Any:
    """The oracle knows no component that is not testable."""
    fields = parameters(21)["properties"]
    best = {"eye_response": 4, "verbal_response": 5, "motor_response": 6}
    places = {n: fields[n]["enum"].index(a[n]) for n in best}
    if any(places[n] == top for n, top in best.items()):
        return None
    return oracle("gcs", **{n: top - places[n] for n, top in best.items()})


def blatchford(a: Arguments) -> Any:
    """The oracle gives syncope, liver disease and heart failure one point each; Blatchford 2000 gives two.

    It takes BUN of 70 mg/dL itself into the highest band.
    """
    value = oracle(
        "glasgow_blatchford",
        bun=a["bun"] - (a["bun"] == 70.0) * 0.1,
        hemoglobin=a["hemoglobin"],
        systolic_bp=int(a["systolic_bp"]),
        pulse=int(a["heart_rate"]),
        is_male=not female(a),
        melena=a["melena"],
        syncope=a["syncope"],
        hepatic_disease=a["liver_disease"],
        cardiac_failure=a["heart_failure"],
    )
    return value + a["syncope"] + a["liver_disease"] + a["heart_failure"]


def apache(a: Arguments) -> Any:
    """The oracle works the gradient out of PaCO2; it doubles a creatinine below 0.6 in renal failure."""
    fio2 = a["fio2"] / 100.0
    needed = "a_a_gradient" if fio2 >= 0.5 else "pao2"
    if needed not in a:
        return None
    pao2 = a.get("pao2", 100.0)
    surgery = {"emergency": "emergency_surgery", "elective": "elective_surgery"}
    value = oracle(
        "apache2",
        **only(
            a,
            "temperature",
            "heart_rate",
            "respiratory_rate",
            "acute_renal_failure",
            "hematocrit",
            "gcs",
            "age",
        ),
        mean_arterial_pressure=(a["systolic_bp"] + 2 * a["diastolic_bp"]) / 3,
        fio2=fio2,
        pao2=pao2,
        paco2=0.8 * (fio2 * 713.0 - pao2 - a.get("a_a_gradient", 0.0) - 1e-6),
        arterial_ph=a["ph"],
        serum_sodium=a["sodium"],
        serum_potassium=a["potassium"],
        serum_creatinine=a["creatinine"],
        white_blood_cell_count=a["wbc"],
        admission_type=surgery.get(a["surgery"], a["surgery"]),
        severe_organ_insufficiency_or_immunocompromised=a["organ_failure_or_immunocompromise"],
    )
    return value - 2 * (a["creatinine"] < 0.6 and a["acute_renal_failure"])


def pneumonia(a: Arguments) -> Any:
    """The oracle knows no oxygen saturation; its class I is no number of points."""
    a.pop("spo2", None)
    flags = [n for n, f in parameters(29)["properties"].items() if f["type"] == "boolean"]
    flags[flags.index("heart_failure")] = "age"  # renamed below
    value = oracle(
        "psi_port",
        **only(
            a, *flags, "respiratory_rate", "systolic_bp", "bun", "sodium", "glucose", "hematocrit", "pao2"
        ),
        is_female=female(a),
        congestive_heart_failure=a["heart_failure"],
        temperature_celsius=a["temperature"],
        pulse=int(a["heart_rate"]),
        arterial_ph=a.get("ph"),
    )
    return value or None


def charlson(a: Arguments) -> Any:
    same = ("myocardial_infarction", "peripheral_vascular_disease", "dementia", "connective_tissue_disease")
    return oracle(
        "charlson",
        **only(a, *same, "peptic_ulcer_disease", "hemiplegia", "leukemia", "lymphoma", "aids", "age"),
        congestive_heart_failure=a["heart_failure"],
        cerebrovascular_disease=a["stroke"] or a["tia"],
        chronic_pulmonary_disease=a["copd"],
        moderate_severe_renal_disease=a["moderate_to_severe_ckd"],
        mild_liver_disease=a["liver_disease_stage"] == "mild",
        moderate_severe_liver_disease=a["liver_disease_stage"] == "moderate_to_severe",
        uncomplicated_diabetes=a["diabetes_stage"] == "uncomplicated",
        diabetes_with_end_organ_damage=a["diabetes_stage"] == "end_organ_damage",
        solid_tumor=a["solid_tumor"] == "localized",
        metastatic_solid_tumor=a["solid_tumor"] == "metastatic",
    )


def caprini(a: Arguments) -> Any:
    """The oracle lacks a fracture of hip, pelvis or leg (5 points) and surgery in the last month (1)."""
    same = (
        "varicose_veins",
        "swollen_legs",
        "central_venous_access",
        "family_history_thrombosis",
        "malignancy",
    )
    surgery, bed, age = a["surgery_type"], a["mobility"], a["age"]
    value = oracle(
        "caprini",
        **only(
            a, *same, "factor_v_leiden", "prothrombin_20210a", "lupus_anticoagulant", "elevated_homocysteine"
        ),
        age_41_60=41 <= age <= 60,
        age_61_74=61 <= age <= 74,
        age_75_or_older=age >= 75,
        minor_surgery=surgery == "minor",
        major_open_surgery=surgery == "major",
        laparoscopic_surgery=surgery == "laparoscopic",
        arthroscopic_surgery=surgery == "arthroscopic",
        major_lower_extremity_arthroplasty=surgery == "elective_major_lower_extremity_arthroplasty",
        medical_patient_at_bed_rest=bed == "on_bed_rest",
        confined_to_bed=bed == "confined_to_bed_over_72_hours",
        bmi_over_25=a.get("bmi", 0.0) > 25.0,
        sepsis=a["sepsis_past_month"],
        serious_lung_disease=a["pneumonia_past_month"],
        abnormal_pulmonary_function=a["copd"],
        acute_mi=a["acute_myocardial_infarction"],
        chf=a["heart_failure_past_month"],
        inflammatory_bowel_disease=a["inflammatory_bowel_disease"],
        immobilizing_plaster_cast=a["plaster_cast_past_month"],
        history_dvt_pe=a["previous_dvt"] or a["previous_pe"],
        anticardiolipin_antibodies=a["anticardiolipin_antibody"],
        hit=a["heparin_induced_thrombocytopenia"],
        other_thrombophilia=a["other_thrombophilia"],
        stroke=a["stroke_past_month"],
        multiple_trauma=a["multiple_trauma_past_month"],
        acute_spinal_cord_injury=a["spinal_cord_injury_past_month"],
    )
    return value + 5 * a["leg_fracture_past_month"] + a["major_surgery_past_month"]


def sofa(a: Arguments) -> Any:
    """The oracle knows neither dobutamine nor hypotension in words, and asks for no respiratory support."""
    a.pop("dobutamine", None)
    a |= {"hypotension": False, "mechanical_ventilation": True}
    both = "systolic_bp" in a and "diastolic_bp" in a
    same = ("platelets", "bilirubin", "dopamine", "epinephrine", "norepinephrine", "gcs", "creatinine")
    return oracle(
        "sofa",
        pao2_fio2=100.0 * a["pao2"] / a["fio2"],
        map_pressure=(a["systolic_bp"] + 2 * a["diastolic_bp"]) / 3 if both else None,
        **only(a, *same, "urine_output"),
    )


def curb(a: Arguments) -> Any:
    """The oracle takes BUN above 20 mg/dL; urea above 7 mmol/L is above 19.6, here above 19."""
    same = only(a, "age", "confusion", "respiratory_rate", "systolic_bp", "diastolic_bp")
    return oracle("curb65", **same, bun=20.1 if a["bun"] > 19.0 else a["bun"])


def wells_pe(a: Arguments) -> Any:
    return oracle(
        "wells_pe",
        clinical_signs_dvt=a["dvt_signs"],
        pe_most_likely_diagnosis=a["pe_most_likely"],
        heart_rate_gt_100=a["heart_rate"] > 100,
        immobilization_or_surgery=a["immobilized_3_days"] or a["surgery_past_4_weeks"],
        previous_dvt_pe=a["previous_dvt"] or a["previous_pe"],
        hemoptysis=a["hemoptysis"],
        malignancy=a["active_cancer"],
    )


def wells_dvt(a: Arguments) -> Any:
    return oracle(
        "wells_dvt",
        **only(a, "active_cancer", "entire_leg_swollen", "pitting_edema", "collateral_superficial_veins"),
        paralysis_or_casting=a["leg_paralysis_or_plaster"],
        bedridden_or_major_surgery=a["bedridden_3_days"] or a["major_surgery_past_12_weeks"],
        tenderness_along_deep_veins=a["deep_vein_tenderness"],
        calf_swelling_gt_3cm=a["calf_swelling_over_3_cm"],
        previously_documented_dvt=a["previous_dvt"],
        alternative_diagnosis_likely=a["alternative_diagnosis_as_likely"],
    )


def perc(a: Arguments) -> Any:
    return oracle(
        "perc",
        **only(a, "unilateral_leg_swelling", "hemoptysis", "recent_surgery_or_trauma"),
        age_gte_50=a["age"] >= 50,
        heart_rate_gte_100=a["heart_rate"] >= 100,
        spo2_lt_95=a["spo2"] < 95,
        prior_dvt_pe=a["previous_dvt"] or a["previous_pe"],
        estrogen_use=a["hormone_use"],
    )


def chads(a: Arguments) -> Any:
    return oracle(
        "chadsvasc",
        **only(a, "hypertension", "age", "diabetes", "vascular_disease"),
        congestive_heart_failure=a["heart_failure"],
        stroke_tia_thromboembolism=a["stroke"] or a["tia"] or a["thromboembolism"],
        female_sex=female(a),
    )


def rcri(a: Arguments) -> Any:
    return oracle(
        "rcri",
        high_risk_surgery=a["high_risk_surgery"],
        history_of_ischemic_heart_disease=a["ischemic_heart_disease"],
        history_of_congestive_heart_failure=a["heart_failure"],
        history_of_cerebrovascular_disease=a["cerebrovascular_disease"],
        preoperative_insulin_treatment=a["insulin_diabetes"],
        preoperative_creatinine_above_2=a.get("creatinine", 0.0) > 2.0,
    )


def has_bled(a: Arguments) -> Any:
    return oracle(
        "hasbled",
        **only(a, "stroke", "labile_inr"),
        hypertension=a["uncontrolled_hypertension"],
        abnormal_renal_function=a["renal_disease"],
        abnormal_liver_function=a["liver_disease"],
        bleeding=a["prior_bleeding"],
        elderly=a["age"] > 65,
        drugs=a["bleeding_medication"],
        alcohol=a.get("alcoholic_drinks", 0.0) >= 8,
    )


def centor(a: Arguments) -> Any:
    return oracle(
        "centor_mcisaac",
        age=int(a["age"]),
        tonsillar_swelling_or_exudate=a["tonsillar_exudate"],
        tender_anterior_cervical_lymphadenopathy=a["tender_cervical_nodes"],
        fever=a["temperature"] > 38.0,
        absence_of_cough=not a["cough"],
    )


def corrected_sodium(a: Arguments) -> Any:
    """The oracle's value is Katz's 1.6 mEq/L; MedCalc-Bench asks for Hillier's 2.4 for each 100 mg/dL."""
    return oracle("corrected_sodium", **only(a, "sodium", "glucose")) + 0.8 * (a["glucose"] - 100.0) / 100.0


ORACLES: dict[int, Callable[[Arguments], Any]] = {
    2: creatinine_clearance,
    3: lambda a: oracle("ckd_epi", age=int(a["age"]), is_female=female(a), serum_creatinine=a["creatinine"]),
    4: chads,
    6: lambda a: oracle("bmi", weight_kg=a["weight"], height_cm=a["height"]),
    7: lambda a: oracle("corrected_calcium", **a),
    8: wells_pe,
    11: lambda a: oracle(
        "corrected_qtc", qt_ms=a["qt_interval"], heart_rate=a["heart_rate"], method="bazett"
    ),
    15: child_pugh,
    16: wells_dvt,
    17: rcri,
    18: heart,
    19: lambda a: oracle("fib4", **only(a, "age", "ast", "alt", "platelets")),
    20: centor,
    21: coma,
    22: lambda a: oracle("maintenance_iv_fluids", weight_kg=a["weight"]),
    25: has_bled,
    26: corrected_sodium,
    27: blatchford,
    28: apache,
    29: pneumonia,
    30: lambda a: oracle("serum_osmolality", **a),
    32: charlson,
    36: caprini,
    39: lambda a: oracle("anion_gap", **a),
    43: sofa,
    45: curb,
    48: perc,
    56: lambda a: oracle(
        "corrected_qtc", qt_ms=a["qt_interval"], heart_rate=a["heart_rate"], method="fridericia"
    ),
    60: lambda a: oracle("bsa_mosteller", weight_kg=a["weight"], height_cm=a["height"]),
    65: lambda a: oracle("anion_gap", **a),
}


@pytest.mark.parametrize("calculator_id", ORACLES)
def test_random_valid_inputs_give_the_oracles_value(calculator_id: int) -> None:
    """`None` from an oracle: it has no value for these inputs."""
    rng = random.Random(calculator_id)
    compared = 0
    for _ in range(DRAWS):
        arguments = draw(calculator_id, rng)
        expected = ORACLES[calculator_id](arguments)
        if expected is None:
            continue
        value = CALCULATORS[calculator_id].function(**arguments).value
        assert isinstance(value, (int, float))
        assert math.isclose(value, expected, rel_tol=0, abs_tol=DIGITS.get(calculator_id, 0.0501)), arguments
        compared += 1
    assert compared > DRAWS / 4
