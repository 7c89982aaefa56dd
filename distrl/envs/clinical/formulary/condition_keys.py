"""Keys of the conditions that a contraindication of the formulary may name.

formulary records -> [condition keys] <- condition tables, patient problem lists

A patient's problem list, the condition tables and the drug records must use the same word for one thing, or a
safety rule passes in silence. Pregnancy and allergies are fields of the patient and stand nowhere here.
"""

from __future__ import annotations

from collections.abc import Iterable

CONDITION_KEYS: tuple[str, ...] = (
    # heart and vessels
    "heart_failure",
    "acute_heart_failure",
    "coronary_artery_disease",
    "myocardial_infarction",
    "hypertension",
    "hypotension",
    "cardiogenic_shock",
    "septic_shock",
    "bradycardia",
    "av_block",
    "atrial_fibrillation",
    "long_qt",
    "ventricular_arrhythmia",
    "pre_excitation",
    "aortic_stenosis",
    "mechanical_heart_valve",
    "peripheral_artery_disease",
    "pulmonary_hypertension",
    "bilateral_renal_artery_stenosis",
    "venous_thromboembolism",
    # brain and mind
    "ischemic_stroke",
    "hemorrhagic_stroke",
    "epilepsy",
    "migraine_with_aura",
    "parkinson_disease",
    "myasthenia_gravis",
    "dementia",
    "raised_intracranial_pressure",
    "depression",
    "bipolar_disorder",
    "eating_disorder",
    "alcohol_use_disorder",
    "opioid_use_disorder",
    # lungs
    "asthma",
    "copd",
    "respiratory_depression",
    "sleep_apnea",
    # gut and liver
    "peptic_ulcer",
    "gi_bleeding",
    "bowel_obstruction",
    "inflammatory_bowel_disease",
    "gastroparesis",
    "pancreatitis",
    "cirrhosis",
    "acute_hepatitis",
    "esophageal_disorder",
    "c_difficile_infection",
    # kidney and salts
    "chronic_kidney_disease",
    "end_stage_renal_disease",
    "acute_kidney_injury",
    "hyperkalemia",
    "hypokalemia",
    "hyponatremia",
    "hypercalcemia",
    "hypocalcemia",
    "hypermagnesemia",
    "hypovolemia",
    "metabolic_acidosis",
    "nephrolithiasis",
    "bph",
    "urinary_retention",
    # hormones and metabolism
    "diabetes_type_1",
    "diabetes_type_2",
    "diabetic_ketoacidosis",
    "hypoglycemia",
    "hypothyroidism",
    "hyperthyroidism",
    "adrenal_insufficiency",
    "pheochromocytoma",
    "medullary_thyroid_carcinoma",
    "gout",
    "osteoporosis",
    "porphyria",
    "g6pd_deficiency",
    # blood and immunity
    "active_bleeding",
    "bleeding_disorder",
    "thrombocytopenia",
    "hit",
    "bone_marrow_suppression",
    "angioedema_history",
    "antiphospholipid_syndrome",
    "immunosuppression",
    "systemic_infection",
    "tuberculosis",
    # cancer, eye, muscle, joints
    "breast_cancer",
    "bladder_cancer",
    "glaucoma_angle_closure",
    "rhabdomyolysis",
    "tendon_disorder",
    "psoriasis",
    # circumstances
    "recent_surgery",
    "recent_head_trauma",
)

# A key of the condition table -> what else holds with it, so that a rule on the wider one is not passed over.
IMPLIES: dict[str, tuple[str, ...]] = {
    "acute_heart_failure": ("heart_failure",),
    "asthma_exacerbation": ("asthma",),
    "atrial_fibrillation_rvr": ("atrial_fibrillation",),
    "bacterial_meningitis": ("systemic_infection",),
    "cardiogenic_shock": ("hypotension",),
    "copd_exacerbation": ("copd",),
    "deep_vein_thrombosis": ("venous_thromboembolism",),
    "end_stage_renal_disease": ("chronic_kidney_disease",),
    "gi_bleeding": ("active_bleeding",),
    "gout_flare": ("gout",),
    "nstemi": ("myocardial_infarction", "coronary_artery_disease"),
    "preeclampsia": ("hypertension",),
    "pulmonary_embolism": ("venous_thromboembolism",),
    "sepsis_urinary": ("systemic_infection",),
    "septic_shock": ("systemic_infection", "hypotension"),
    "status_epilepticus": ("epilepsy",),
    "stemi": ("myocardial_infarction", "coronary_artery_disease"),
    "subarachnoid_hemorrhage": ("hemorrhagic_stroke",),
    "transient_ischemic_attack": ("ischemic_stroke",),
}


def with_implied(keys: Iterable[str]) -> frozenset[str]:
    """The keys and what they imply, to any depth."""
    found: set[str] = set()
    left = list(keys)
    while left:
        key = left.pop()
        if key not in found:
            found.add(key)
            left += IMPLIES.get(key, ())
    return frozenset(found)
