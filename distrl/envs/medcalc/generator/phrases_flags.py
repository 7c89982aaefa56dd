"""The words of generated notes for findings: what a note says when a flag is true or false.

draws -> [phrases_flags -> statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

In the sections `history`, `symptoms`, `exam` and `medications` the words are noun phrases that the frames of
`notes.py` assert or deny; in `remarks` they are whole sentences. Cells as in `phrases.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from distrl.envs.medcalc.generator.phrases import Forms, forms
from distrl.envs.medcalc.generator.phrases_sentences import REMARKS


class Flag(NamedTuple):
    """How a note asserts (`yes`) and denies (`no`) a finding."""

    section: str
    yes: Forms
    no: Forms


_HISTORY = {
    "heart_failure": (
        "congestive heart failure | chronic heart failure with an ejection fraction of 30%"
        " || systolic heart failure",
        "heart failure | congestive heart failure || cardiac failure",
    ),
    "hypertension": (
        "arterial hypertension | high blood pressure for ten years | treated hypertension"
        " || essential hypertension",
        "hypertension | high blood pressure || elevated blood pressure",
    ),
    "diabetes": (
        "type 2 diabetes mellitus | diabetes mellitus || non-insulin-dependent diabetes mellitus",
        "diabetes mellitus | diabetes || sugar disease (diabetes)",
    ),
    "stroke": (
        "an ischemic stroke four years ago | a previous ischemic stroke || an earlier cerebral infarction",
        "stroke | cerebral infarction || completed stroke",
    ),
    "tia": (
        "a transient ischemic attack | a TIA in the past || one earlier transient ischemic attack (TIA)",
        "transient ischemic attack | TIA || transient ischemic attacks",
    ),
    "thromboembolism": (
        "a systemic arterial embolism | arterial thromboembolism || an arterial embolus from the heart",
        "thromboembolism | arterial embolism || systemic embolism",
    ),
    "vascular_disease": (
        "a myocardial infarction two years ago | peripheral artery disease | aortic plaque"
        " || an old myocardial infarction",
        "myocardial infarction, peripheral artery disease or aortic plaque"
        " || infarction, aortic plaque or peripheral arterial disease",
    ),
    "previous_dvt": (
        "a deep vein thrombosis confirmed by ultrasound some years ago"
        " | an old, documented deep vein thrombosis"
        " || an earlier deep venous thrombosis on duplex scan",
        "previous deep vein thrombosis | earlier DVT || past deep venous thrombosis",
    ),
    "previous_pe": (
        "a pulmonary embolism proven by CT angiography some years ago | an old, documented pulmonary embolism"
        " || an earlier pulmonary embolus on CT",
        "previous pulmonary embolism | earlier PE || past pulmonary embolus",
    ),
    "ischemic_heart_disease": (
        "a myocardial infarction | angina pectoris treated with nitrates"
        " || coronary disease with an old infarct",
        "ischemic heart disease | coronary artery disease || myocardial infarction or angina",
    ),
    "cerebrovascular_disease": (
        "a previous stroke | an ischemic stroke in the past || an old cerebral infarct",
        "stroke or transient ischemic attack | cerebrovascular disease || stroke or TIA",
    ),
    "hypercholesterolemia": (
        "hypercholesterolemia | high cholesterol || elevated LDL cholesterol under treatment",
        "hypercholesterolemia | high cholesterol || lipid disorder",
    ),
    "atherosclerotic_disease": (
        "coronary bypass surgery | peripheral artery disease | a coronary stent"
        " || an old myocardial infarction",
        "coronary or peripheral artery disease | atherosclerotic disease of heart or legs"
        " || myocardial infarction, PCI, CABG or peripheral arterial disease",
    ),
    "obesity": ("obesity, BMI above 30 | obesity || class 2 obesity", "obesity || excess body weight"),
    "smoking": (
        "daily smoking, a pack a day | current smoking || ongoing cigarette use",
        "smoking | tobacco use || cigarette use",
    ),
    "smoker": (
        "daily smoking, a pack a day | current smoking || ongoing cigarette use",
        "smoking | tobacco use || cigarette use",
    ),
    "active_cancer": (
        "lung cancer under chemotherapy | pancreatic cancer in palliative care"
        " | colon cancer treated two months ago"
        " || breast cancer on current chemotherapy",
        "cancer | malignant disease || malignancy, treated or palliative",
    ),
    "malignancy": (
        "colon cancer resected years ago | breast cancer || treated prostate cancer",
        "cancer | malignancy || malignant disease now or before",
    ),
    "liver_disease": (
        "cirrhosis of the liver | compensated cirrhosis || alcohol-related cirrhosis",
        "liver disease | cirrhosis || hepatic disease",
    ),
    "copd": (
        "chronic obstructive pulmonary disease | COPD || chronic obstructive bronchitis (COPD)",
        "chronic obstructive pulmonary disease | COPD || obstructive lung disease",
    ),
    "varicose_veins": (
        "varicose veins of both legs | varicose veins || large varices of the legs",
        "varicose veins || leg varices",
    ),
    "inflammatory_bowel_disease": (
        "Crohn disease | ulcerative colitis || inflammatory bowel disease (Crohn type)",
        "inflammatory bowel disease || Crohn disease or ulcerative colitis",
    ),
    "factor_v_leiden": (
        "factor V Leiden | a factor V Leiden mutation || the Leiden variant of factor V",
        "factor V Leiden || the Leiden variant of factor V",
    ),
    "prothrombin_20210a": (
        "the prothrombin 20210A mutation | prothrombin G20210A carriage || a prothrombin 20210A variant",
        "prothrombin 20210A mutation || prothrombin 20210A variant",
    ),
    "elevated_homocysteine": (
        "elevated serum homocysteine | hyperhomocysteinemia || raised homocysteine levels",
        "elevated homocysteine || raised homocysteine levels",
    ),
    "lupus_anticoagulant": (
        "a positive lupus anticoagulant || lupus anticoagulant (repeatedly positive)",
        "lupus anticoagulant || positive lupus anticoagulant test",
    ),
    "anticardiolipin_antibody": (
        "elevated anticardiolipin antibodies || a raised anticardiolipin antibody titre",
        "anticardiolipin antibodies || anticardiolipin antibody",
    ),
    "heparin_induced_thrombocytopenia": (
        "heparin-induced thrombocytopenia || an episode of heparin-induced thrombocytopenia",
        "heparin-induced thrombocytopenia || thrombocytopenia from heparin",
    ),
    "other_thrombophilia": (
        "protein C deficiency | antithrombin deficiency || inherited protein S deficiency",
        "protein C, protein S or antithrombin deficiency || other congenital or acquired thrombophilia",
    ),
    "myocardial_infarction": (
        "a myocardial infarction | a heart attack some years ago || an old myocardial infarct",
        "myocardial infarction | heart attack || myocardial infarct",
    ),
    "peripheral_vascular_disease": (
        "peripheral vascular disease with claudication | an abdominal aortic aneurysm of 6 cm"
        " || peripheral arterial occlusive disease",
        "peripheral vascular disease || peripheral arterial occlusive disease",
    ),
    "dementia": (
        "Alzheimer dementia | vascular dementia || dementia of the Alzheimer type",
        "dementia | cognitive decline || dementing illness",
    ),
    "connective_tissue_disease": (
        "systemic lupus erythematosus | rheumatoid arthritis || systemic sclerosis",
        "connective tissue disease | rheumatologic disease || collagen disease",
    ),
    "peptic_ulcer_disease": (
        "a bleeding gastric ulcer treated by endoscopy | peptic ulcer disease || a duodenal ulcer",
        "peptic ulcer disease | gastric or duodenal ulcer || ulcer disease",
    ),
    "hemiplegia": (
        "hemiplegia of the left side | a right-sided hemiplegia || persistent hemiplegia",
        "hemiplegia | paralysis of one side || hemiplegia or paraplegia",
    ),
    "leukemia": (
        "chronic lymphocytic leukemia | chronic myeloid leukemia || acute myeloid leukemia",
        "leukemia || leukemic disease",
    ),
    "lymphoma": (
        "follicular lymphoma | Hodgkin lymphoma || diffuse large B-cell lymphoma",
        "lymphoma || malignant lymphoma",
    ),
    "renal_disease": (
        "end-stage kidney disease on dialysis | chronic kidney disease treated by dialysis"
        " || a kidney transplant",
        "kidney disease | chronic renal disease || renal disease of any kind",
    ),
    "moderate_to_severe_ckd": (
        "chronic kidney disease on dialysis | severe chronic kidney disease with creatinine above 3 mg/dL"
        " || kidney failure with a transplant",
        "chronic kidney disease || kidney failure",
    ),
    "uncontrolled_hypertension": (
        "uncontrolled hypertension with systolic values above 160 mmHg"
        " | poorly controlled hypertension around 180/100 mmHg"
        " || hypertension that stays above 170 mmHg systolic",
        "uncontrolled hypertension || systolic values above 160 mmHg",
    ),
    "prior_bleeding": (
        "a major gastrointestinal bleed two years ago | a transfused diverticular bleed in the past"
        " || a transfused bleed last year",
        "major bleeding or bleeding tendency || earlier major bleed",
    ),
    "labile_inr": (
        "a labile INR, in range less than half of the time | unstable INR values under warfarin"
        " || an INR within range only 40% of the time",
        "labile INR | unstable INR values || INR swings",
    ),
    "neoplastic_disease": (
        "breast cancer under treatment | lung cancer diagnosed last year || colon cancer with metastases",
        "cancer | neoplastic disease || active neoplasm",
    ),
    "organ_failure_or_immunocompromise": (
        "cirrhosis with portal hypertension | heart failure of NYHA class IV"
        " | chemotherapy with lasting immunosuppression"
        " || severe organ insufficiency (dialysis for years)",
        "severe organ insufficiency or immunocompromise || chronic organ failure or immune suppression",
    ),
    "aids": (
        "AIDS with Pneumocystis pneumonia | AIDS || AIDS with Kaposi sarcoma",
        "AIDS || AIDS-defining illness",
    ),
}
_SYMPTOMS = {
    "hemoptysis": (
        "hemoptysis | coughing up blood || blood-streaked sputum",
        "hemoptysis | bloody sputum || coughing of blood",
    ),
    "melena": (
        "melena | black tarry stools || tarry, foul-smelling stools",
        "melena | black stools || tarry stools",
    ),
    "cough": ("a cough | dry cough || coughing for days", "cough | coughing || cough at all"),
    "fever_past_24_hours": (
        "fever in the past 24 hours | fever since yesterday evening"
        " || feverish temperatures within the last day",
        "fever in the past 24 hours | fever since yesterday || feverish temperatures within the last day",
    ),
    "syncope": (
        "syncope on the day of admission | a brief loss of consciousness with collapse"
        " || one syncopal episode today",
        "syncope | fainting || syncopal episodes",
    ),
}
_EXAM = {
    "tonsillar_exudate": (
        "tonsillar exudate | exudate on both tonsils | swollen tonsils || white exudate covering the tonsils",
        "tonsillar exudate or swelling || coating or swelling of the tonsils",
    ),
    "tender_cervical_nodes": (
        "tender anterior cervical lymph nodes | swollen anterior cervical lymph nodes"
        " || painful nodes at the front of the neck",
        "tender anterior cervical lymph nodes | cervical lymphadenopathy"
        " || painful nodes at the front of the neck",
    ),
    "purulent_tonsils": (
        "purulent tonsils | pus on the tonsils || tonsils coated with pus",
        "pus on the tonsils || purulent coating of the tonsils",
    ),
    "severe_tonsil_inflammation": (
        "severely inflamed tonsils | marked inflammation of the tonsils || intensely red, inflamed tonsils",
        "severe tonsil inflammation || marked inflammation of the tonsils",
    ),
    "confusion": (
        "new confusion | disorientation in time and place || newly confused speech",
        "confusion | disorientation || new confusion",
    ),
    "altered_mental_status": (
        "altered mental status | acute disorientation || a clouded mental state",
        "change of mental status | disorientation || clouding of consciousness",
    ),
    "dvt_signs": (
        "a swollen left leg with tenderness along the deep veins"
        " | unilateral leg swelling with pain on deep vein palpation"
        " || clinical signs of deep vein thrombosis in the right leg",
        "leg swelling or tenderness along the deep veins | clinical sign of deep vein thrombosis"
        " || sign suggesting DVT",
    ),
    "calf_swelling_over_3_cm": (
        "a calf circumference 4 cm larger than on the other side"
        " | calf swelling of 3.5 cm against the other leg"
        " || a calf 5 cm thicker than its fellow",
        "calf swelling of more than 3 cm against the other leg | significant difference in calf size"
        " || calf difference above 3 cm",
    ),
    "collateral_superficial_veins": (
        "collateral, nonvaricose superficial veins | dilated nonvaricose superficial collaterals"
        " || prominent superficial collateral veins that are not varicose",
        "collateral superficial veins || nonvaricose superficial collaterals",
    ),
    "entire_leg_swollen": (
        "swelling of the entire leg | a leg swollen from groin to foot || whole-leg swelling",
        "swelling of the entire leg || whole-leg swelling",
    ),
    "deep_vein_tenderness": (
        "tenderness along the deep venous system | localized tenderness over the popliteal and femoral vein"
        " || pain on pressure along the deep veins",
        "tenderness along the deep venous system || pain on pressure along the deep veins",
    ),
    "pitting_edema": (
        "pitting edema confined to the symptomatic leg | pitting edema of the painful leg only"
        " || one-sided pitting edema of the affected leg",
        "pitting edema || pitting of the affected leg",
    ),
    "swollen_legs": (
        "swollen legs | leg swelling || swelling of both lower legs",
        "leg swelling || swelling of the lower legs",
    ),
    "unilateral_leg_swelling": (
        "unilateral leg swelling | swelling of the right calf only || one leg visibly thicker than the other",
        "unilateral leg swelling | leg asymmetry || one-sided leg swelling",
    ),
    "leg_paralysis_or_plaster": (
        "paresis of the symptomatic leg | a plaster cast on the leg, fitted last week"
        " || paralysis of the affected leg",
        "paralysis, paresis or plaster cast of the leg || leg paresis or cast",
    ),
}
_MEDICATIONS = {
    "bleeding_medication": (
        "aspirin 100 mg daily | daily naproxen || clopidogrel 75 mg",
        "aspirin, clopidogrel or NSAIDs | antiplatelet drugs or NSAIDs || platelet inhibitors or NSAIDs",
    ),
    "insulin_diabetes": (
        "insulin glargine for diabetes | preoperative insulin || basal-bolus insulin",
        "insulin | insulin in whatever form || insulin of any kind",
    ),
    "hormone_use": (
        "an estrogen-containing contraceptive | oral estrogen replacement || a combined contraceptive pill",
        "estrogen or other hormones | hormonal contraception || estrogens",
    ),
    "on_bp_medication": (
        "amlodipine for blood pressure | an antihypertensive drug || ramipril against high blood pressure",
        "blood pressure medicine | antihypertensive drugs || antihypertensives",
    ),
}
_BY_SECTION = {
    "history": _HISTORY,
    "symptoms": _SYMPTOMS,
    "exam": _EXAM,
    "medications": _MEDICATIONS,
    "remarks": REMARKS,
}
FLAGS = {
    name: Flag(section, forms(yes), forms(no))
    for section, rows in _BY_SECTION.items()
    for name, (yes, no) in rows.items()
}
