"""What stands behind a case by its nature: illnesses it needs, drugs that caused it, how it began.

[these tables] -> patient generator
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Option
from distrl.envs.healthcare.world.shorthand import opt

# A case whose story needs an illness: one of these, by age.
NEEDS: dict[str, tuple[str, ...]] = {
    "diabetic_ketoacidosis": ("diabetes_type_1",),
    "hypoglycemia": ("diabetes_type_2", "diabetes_type_1"),
    "asthma_exacerbation": ("asthma",),
    "copd_exacerbation": ("copd",),
    "migraine_attack": ("migraine",),
}
# Pairs that one person does not have together on this record.
EXCLUDE: tuple[frozenset[str], ...] = tuple(
    frozenset(pair.split())
    for pair in (
        "diabetes_type_1 diabetes_type_2",
        "chronic_kidney_disease end_stage_renal_disease",
        "hypothyroidism hyperthyroidism",
        "migraine migraine_with_aura",
        "hypertension hypotension",
        "hypokalemia hyperkalemia",
        "hypocalcemia hypercalcemia",
        "atrial_fibrillation_rvr hyperthyroidism",
        "cystitis bph",
        "diabetic_ketoacidosis diabetes_type_2",
        "acute_kidney_injury end_stage_renal_disease",
        "hyperkalemia end_stage_renal_disease",
        "rhabdomyolysis end_stage_renal_disease",
        "asthma copd",
        "asthma copd_exacerbation",
        "copd asthma_exacerbation",
        "croup asthma",
        "subarachnoid_hemorrhage migraine",
        "subarachnoid_hemorrhage migraine_with_aura",
        "bacterial_meningitis migraine",
        "bacterial_meningitis migraine_with_aura",
        "hyponatremia hypothyroidism",
        "hemorrhagic_stroke cirrhosis",
        "acute_hepatitis cirrhosis",
        "acetaminophen_overdose cirrhosis",
        "preeclampsia cirrhosis",
        "preeclampsia end_stage_renal_disease",
        "preeclampsia chronic_kidney_disease",
        "gi_bleeding cirrhosis",
        "hyperthyroidism bradycardia",
        "atrial_fibrillation av_block",
    )
)
# A drug that the story speaks of: (option, days since its start, indication, still taken).
CAUSES: dict[str, tuple[Option, int, str, bool]] = {
    "hypoglycemia": (opt("glipizide", 5, "oral", 1), 700, "Type 2 diabetes mellitus", True),
    "hyponatremia": (opt("hydrochlorothiazide", 25, "oral", 1), 21, "blood pressure", True),
    "gi_bleeding": (opt("naproxen", 500, "oral", 2), 14, "back pain", True),
    "c_difficile_infection": (opt("clindamycin", 300, "oral", 4), 30, "dental infection", False),
}
# The illness without which the cause does not apply, and the phrase that speaks of the cause.
CAUSE_NEEDS = {"hypoglycemia": "diabetes_type_2"}
CAUSE_SAID = {
    "hyponatremia": "water tablet",
    "gi_bleeding": "painkillers",
    "c_difficile_infection": "antibiotic",
}
# When it began, in words that fit the symptoms; else by urgency.
ONSET: dict[str, str] = {
    "stemi": "1 hour ago",
    "nstemi": "since last night",
    "ischemic_stroke": "2 hours ago",
    "transient_ischemic_attack": "3 hours ago",
    "hemorrhagic_stroke": "2 hours ago",
    "subarachnoid_hemorrhage": "4 hours ago",
    "status_epilepticus": "15 minutes ago",
    "hyponatremia": "since yesterday",
    "pulmonary_embolism": "yesterday",
    "atrial_fibrillation_rvr": "this morning",
    "adrenal_insufficiency": "3 days ago",
    "diabetic_ketoacidosis": "yesterday",
    "bronchiolitis": "3 days ago",
    "gastroenteritis": "last night",
    "acute_heart_failure": "5 days ago",
    "migraine_attack": "this morning",
    "bacterial_meningitis": "yesterday",
    "anaphylaxis": "30 minutes ago",
    "acetaminophen_overdose": "8 hours ago",
    "appendicitis": "yesterday",
    "pancreatitis": "last night",
    "gi_bleeding": "2 days ago",
    "acute_kidney_injury": "4 days ago",
    "bowel_obstruction": "2 days ago",
    "nephrolithiasis": "5 hours ago",
    "croup": "last night",
    "gout_flare": "last night",
    "copd_exacerbation": "3 days ago",
    "deep_vein_thrombosis": "3 days ago",
    "hyperthyroidism": "2 months ago",
    "hypercalcemia": "3 weeks ago",
    "acute_hepatitis": "5 days ago",
    "hypoglycemia": "this morning",
    "iron_deficiency_anemia": "3 months ago",
}
BY_URGENCY = {
    "emergency": ("this morning", "since yesterday", "6 hours ago"),
    "urgent": ("2 days ago", "3 days ago", "since yesterday"),
    "routine": ("2 days ago", "3 days ago", "4 days ago"),
}
ALLERGIES: tuple[tuple[str, int], ...] = (  # substance, weight among patients who have one
    ("penicillin", 34), ("amoxicillin", 10), ("sulfamethoxazole-trimethoprim", 12), ("aspirin", 6),
    ("ibuprofen", 5), ("codeine", 7), ("cephalexin", 4), ("ceftriaxone", 3), ("ciprofloxacin", 4),
    ("clarithromycin", 3), ("doxycycline", 2), ("vancomycin", 2), ("lisinopril", 3), ("latex", 4),
    ("iodinated contrast", 4), ("phenytoin", 2), ("clindamycin", 2),
)  # fmt: skip
REACTIONS: tuple[tuple[str, str], ...] = (
    ("hives", "moderate"),
    ("rash", "mild"),
    ("swelling of the face", "severe"),
    ("anaphylaxis", "severe"),
    ("itching", "mild"),
    ("bronchospasm", "severe"),
)
FAMILY: tuple[str, ...] = (
    "father: myocardial infarction at 58", "mother: type 2 diabetes", "mother: breast cancer at 62",
    "brother: hypertension", "father: stroke at 71", "sister: hypothyroidism", "mother: osteoporosis",
    "father: colon cancer at 66", "grandmother: dementia", "no known illness in close relatives",
)  # fmt: skip
YOUNG_FAMILY: tuple[str, ...] = (  # relatives of those below 45 years
    "mother: asthma", "father: hypertension", "mother: migraine", "sister: eczema", "brother: asthma",
    "grandfather: myocardial infarction", "grandmother: type 2 diabetes",
    "no known illness in close relatives",
)  # fmt: skip
COMMON: tuple[tuple[str, float], ...] = (  # condition, chance at a fitting age
    ("hypertension", 0.28), ("hyperlipidemia", 0.2), ("diabetes_type_2", 0.13), ("gerd", 0.12),
    ("hypothyroidism", 0.07), ("osteoarthritis", 0.12), ("depression", 0.1), ("asthma", 0.06),
    ("anxiety", 0.06), ("bph", 0.14), ("osteoporosis", 0.06), ("chronic_kidney_disease", 0.06),
    ("atrial_fibrillation", 0.05), ("coronary_artery_disease", 0.06), ("migraine", 0.04),
    ("rheumatoid_arthritis", 0.02), ("gout", 0.03), ("epilepsy", 0.02), ("copd", 0.05),
    ("obesity", 0.08),
)  # fmt: skip
MOST_CHRONIC = 4
