"""The spellings of MedCalc-Bench's entities, units and choices: names of arguments on our side, data only.

file -> row -> [entity_names: tables] entities -> arguments -> calculators

Left: the entity as v1.0, v1.2 and Verified write it, after `entities.plain` (lower case, NFKC).
Right: the argument that every calculator uses for it (`calculators/inputs.py`, or the flag of a signature).
"""

from __future__ import annotations

# entity -> argument, where the entity means the same in every calculator
NAMES = {
    "age": "age",
    "sex": "sex",
    "weight": "weight",
    "height": "height",
    "body mass index (bmi)": "bmi",
    "heart rate or pulse": "heart_rate",
    "respiratory rate": "respiratory_rate",
    "systolic blood pressure": "systolic_bp",
    "diastolic blood pressure": "diastolic_bp",
    "temperature": "temperature",
    "o2 saturation percentage": "spo2",
    "urine output": "urine_output",
    "glasgow coma score": "gcs",
    "qt interval": "qt_interval",
    "sodium": "sodium",
    "urine sodium": "urine_sodium",
    "potassium": "potassium",
    "chloride": "chloride",
    "bicarbonate": "bicarbonate",
    "creatinine": "creatinine",
    "pre-operative creatinine": "creatinine",
    "urine creatinine": "urine_creatinine",
    "blood urea nitrogen (bun)": "bun",
    "glucose": "glucose",
    "insulin": "insulin",
    "albumin": "albumin",
    "calcium": "calcium",
    "bilirubin": "bilirubin",
    "alanine aminotransferase": "alt",
    "aspartate aminotransferase": "ast",
    "total cholesterol": "total_cholesterol",
    "high-density lipoprotein cholesterol": "hdl",
    "triglycerides": "triglycerides",
    "platelet count": "platelets",
    "white blood cell count": "wbc",
    "hemoglobin": "hemoglobin",
    "hematocrit": "hematocrit",
    "international normalized ratio": "inr",
    "ph": "ph",
    "pao2": "pao2",
    "partial pressure of oxygen": "pao2",
    "partial pressure of oxygen (pao2) for apache ii": "pao2",
    "paco2": "paco2",
    "fio2": "fio2",
    "dopamine": "dopamine",
    "dobutamine": "dobutamine",
    "epinephrine": "epinephrine",
    "norepinephrine": "norepinephrine",
    "last menstrual date": "last_menstrual_date",
    "current date": "current_date",
    "cycle length": "cycle_length",
}

# Findings and choices: the same argument in every calculator that knows it
NAMES |= {
    "race": "black",
    # Heart and vessels
    "congestive heart failure": "heart_failure",
    "congestive heart faliure": "heart_failure",
    "congestive heart failure criteria for the cardiac risk index rule": "heart_failure",
    "cardiac failure present": "heart_failure",
    "hypertension history": "hypertension",
    "diabetes history": "diabetes",
    "diabetes mellitus": "diabetes",
    "diabetes mellitus criteria for cci rule": "diabetes",
    "stroke": "stroke",
    "cerebrovascular accident": "stroke",
    "transient ischemic attacks history": "tia",
    "thromboembolism history": "thromboembolism",
    "vascular disease history": "vascular_disease",
    "peripheral vascular disease": "peripheral_vascular_disease",
    "history of cerebrovascular disease": "cerebrovascular_disease",
    "cerebrovascular disease history": "cerebrovascular_disease",
    "history of ischemic heart disease": "ischemic_heart_disease",
    "myocardial infarction": "myocardial_infarction",
    "acute myocardial infarction": "acute_myocardial_infarction",
    "elevated-risk surgery": "high_risk_surgery",
    "pre-operative treatment with insulin": "insulin_diabetes",
    "suspicion history": "chest_pain_history",
    "electrocardiogram test": "electrocardiogram",
    "initial troponin": "troponin",
    "hypercholesterolemia": "hypercholesterolemia",
    "obesity": "obesity",
    "smoking": "smoking",
    "parent or sibling with cardiovascular disease before age 65": "family_history_cvd",
    "atherosclerotic disease": "atherosclerotic_disease",
    "smoker": "smoker",
    "blood pressure being treated with medicines": "on_bp_medication",
    # Bleeding
    "hypertension": "uncontrolled_hypertension",
    "medication usage predisposing to bleeding": "bleeding_medication",
    "number of alcoholic drinks per week": "alcoholic_drinks",
    "labile international normalized ratio": "labile_inr",
    "renal disease criteria for the has-bled rule": "renal_disease",
    "liver disease criteria for the has-bled rule": "liver_disease",
    "prior major bleeding or predisposition to bleeding": "prior_bleeding",
    "melena present": "melena",
    "recent syncope": "syncope",
    "hepatic disease history": "liver_disease",
    # Thrombosis
    "clinical signs and symptoms of deep vein thrombosis": "dvt_signs",
    "pulmonary embolism is #1 diagnosis or equally likely": "pe_most_likely",
    "previously documented pulmonary embolism": "previous_pe",
    "previously documented deep vein thrombosis": "previous_dvt",
    "immobilization for at least 3 days": "immobilized_3_days",
    "surgery in the previous 4 weeks": "surgery_past_4_weeks",
    "hemoptysis": "hemoptysis",
    "malignancy with treatment within 6 months or palliative": "active_cancer",
    "active cancer": "active_cancer",
    "bedridden recently >3 days": "bedridden_3_days",
    "bedridden recently >3 days or major surgery within 12 weeks": "bedridden_3_days",
    "major surgery within 12 weeks": "major_surgery_past_12_weeks",
    "localized tenderness along the deep venous system": "deep_vein_tenderness",
    "paralysis, paresis, or recent plaster immobilization of the lower extremity": "leg_paralysis_or_plaster",
    "alternative diagnosis to deep vein thrombosis as likely or more likely": (
        "alternative_diagnosis_as_likely"
    ),
    "collateral (nonvaricose) superficial veins present": "collateral_superficial_veins",
    "pitting edema, confined to symptomatic leg": "pitting_edema",
    "calf swelling >3 centimeters compared to the other leg": "calf_swelling_over_3_cm",
    "entire leg swollen": "entire_leg_swollen",
    "unilateral leg swelling": "unilateral_leg_swelling",
    "hormone use": "hormone_use",
    "recent surgery or trauma": "recent_surgery_or_trauma",
    "major surgery in the last month": "major_surgery_past_month",
    "congestive heart failure in the last month": "heart_failure_past_month",
    "sepsis in the last month": "sepsis_past_month",
    "pneumonia in the last month": "pneumonia_past_month",
    "immobilizing plaster cast in the last month": "plaster_cast_past_month",
    "hip, pelvis, or leg fracture in the last month": "leg_fracture_past_month",
    "stroke in the last month": "stroke_past_month",
    "multiple trauma in the last month": "multiple_trauma_past_month",
    "acute spinal cord injury causing paralysis in the last month": "spinal_cord_injury_past_month",
    "varicose veins": "varicose_veins",
    "current swollen legs": "swollen_legs",
    "current central venous access": "central_venous_access",
    "family history of thrombosis": "family_history_thrombosis",
    "positive factor v leiden": "factor_v_leiden",
    "positive prothrombin 20210a": "prothrombin_20210a",
    "elevated serum homocysteine": "elevated_homocysteine",
    "positive lupus anticoagulant": "lupus_anticoagulant",
    "elevated anticardiolipin antibody": "anticardiolipin_antibody",
    "heparin-induced thrombocytopenia": "heparin_induced_thrombocytopenia",
    "other congenital or acquired thrombophilia": "other_thrombophilia",
    "mobility": "mobility",
    "surgery type": "surgery_type",
    "history of inflammatory bowel disease": "inflammatory_bowel_disease",
    "present or previous malignancy": "malignancy",
    # Liver
    "ascites": "ascites",
    "encephalopathy": "encephalopathy",
    "dialysis at least twice in the past week": "dialysis_twice_past_week",
    "continuous veno-venous hemodialysis for >=24 hours in the past week": "cvvhd_past_week",
    # Intensive care and infection
    "a-a gradient": "a_a_gradient",
    "mean arterial pressure": "mean_arterial_pressure",
    "acute renal failure": "acute_renal_failure",
    "chronic renal failure": "chronic_renal_failure",
    "history of severe organ failure or immunocompromise": "organ_failure_or_immunocompromise",
    "on mechanical ventilation": "mechanical_ventilation",
    "continuous positive airway pressure": "cpap",
    "continous positive airway pressure": "cpap",
    "hypotension": "hypotension",
    "altered mental status": "altered_mental_status",
    "confusion": "confusion",
    "nursing home resident": "nursing_home_resident",
    "neoplastic disease": "neoplastic_disease",
    "liver disease history": "liver_disease",
    "liver disease severity": "liver_disease",
    "renal disease history": "renal_disease",
    "renal disease": "renal_disease",
    "pleural effusion on x-ray": "pleural_effusion",
    "best eye response": "eye_response",
    "best verbal response": "verbal_response",
    "best motor response": "motor_response",
    "tender/swollen anterior cervical lymph nodes": "tender_cervical_nodes",
    "cough absent": "cough",
    "exudate or swelling on tonsils": "tonsillar_exudate",
    "fever in past 24 hours": "fever_past_24_hours",
    "absence of cough or coryza": "no_cough_or_coryza",
    "symptom onset <=3 days": "onset_within_3_days",
    "purulent tonsils": "purulent_tonsils",
    "severe tonsil inflammation": "severe_tonsil_inflammation",
    # Comorbidity
    "dementia": "dementia",
    "chronic pulmonary disease": "copd",
    "chronic obstructive pulmonary disease": "copd",
    "connective tissue disease": "connective_tissue_disease",
    "peptic ulcer disease": "peptic_ulcer_disease",
    "hemiplegia": "hemiplegia",
    "moderate to severe chronic kidney disease": "moderate_to_severe_ckd",
    "solid tumor": "solid_tumor",
    "leukemia": "leukemia",
    "lymphoma": "lymphoma",
    "aids": "aids",
    # Doses
    "target steroid": "target_steroid",
}
# calculator id -> entity -> argument, where one calculator means something else
NAMES_OF: dict[int, dict[str, str]] = {
    25: {"hypertension history": "uncontrolled_hypertension"},
    28: {"surgery type": "surgery"},
    32: {
        "diabetes mellitus": "diabetes_stage",
        "diabetes mellitus criteria for cci rule": "diabetes_stage",
        "liver disease severity": "liver_disease_stage",
    },
}
# Entities that stand in rows of calculators whose rule has no such item
IRRELEVANT = {
    "occipital, parietal or temporal scalp hematoma; history of level of conciousness (loc) >=5 sec; "
    "not acting normally per parent or severe mechanism of injury?",
    "altered mental status for pecarn head injury criteria",
}

# Entities that say the opposite of their argument
NEGATED = {"cough absent"}

DATES = {"last_menstrual_date", "current_date"}
DATE_FORMATS = ("%m/%d/%Y", "%Y-%m-%d", "%m/%d/%y")
WORDS = {
    **dict.fromkeys(("true", "yes", "severe", "black", "african american"), True),
    **dict.fromkeys(("false", "no", "not mentioned", "not mentinoed"), False),
    **dict.fromkeys(("white", "asian", "hispanic", "caucasian", "other"), False),
}

# argument -> choice as the files write it -> choice of the signature; others differ by blanks only
CHOICES: dict[str, dict[str, str]] = {
    "electrocardiogram": {
        "non-specific repolarization disturbance": "nonspecific_repolarization_disturbance",
    },
    "troponin": {
        "less than or equal to normal limit": "normal",
        "between the normal limit or up to three times the normal limit": "up_to_three_times_normal",
        "greater than three times normal limit": "over_three_times_normal",
    },
    "encephalopathy": {
        "no encephalopathy": "none",
        "grade 0": "none",
        "grade 1-2": "grade_1_2",
        "grade 3-4": "grade_3_4",
    },
    "diabetes_stage": {
        "none or diet-controlled": "none_or_diet_controlled",
        "end-organ damage": "end_organ_damage",
        "false": "none_or_diet_controlled",
    },
    "liver_disease_stage": {
        "moderate": "moderate_to_severe",
        "severe": "moderate_to_severe",
        "false": "none",
    },
    "solid_tumor": {"false": "none", "true": "localized"},
    "mobility": {
        "confined to bed >72 hours": "confined_to_bed_over_72_hours",
    },
}

# unit as the files write it (after `plain`) -> as `quantity.convert` reads it, where that does not know it
UNIT_SPELLINGS = {
    "s mm hg": "mmHg",
    "degrees celsisus": "degC",
    "mc/kg/min": "ug/kg/min",
    "per day": "1/day",
}
# A count's unit as the files write it -> as `quantity.convert` reads it. They name the volume counted in;
# "m^3" stands where cubic millimetres are meant (no count in a cubic metre is below ten million).
COUNT_UNITS = {
    "\N{GREEK SMALL LETTER MU}l": "1/uL",
    "ul": "1/uL",
    "l": "1/L",
    "ml": "1/mL",
    "mm^3": "1/mm^3",
    "mm3": "1/mm^3",
    "m^3": "1/mm^3",
}
# opioid -> unit of its dose, where it is not mg; a patch's number is its strength in ug/h whatever its unit
DOSE_UNITS = {"fentanyl_buccal": "ug", "fentanyl_patch": ""}
