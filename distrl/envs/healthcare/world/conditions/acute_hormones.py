"""Acute conditions of hormones and glucose.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, order, treat, vitals, words

CONDITIONS = (
    Condition(
        key="diabetic_ketoacidosis",
        name="Diabetic ketoacidosis",
        icd10="E10.10",
        synonyms=("DKA", "ketoacidosis"),
        acute=True,
        age=(4, 75),
        complaints=words(
            "vomiting and very thirsty; fast breathing and belly pain; weak with vomiting for a day"
        ),
        symptoms=words(
            "thirst; passing much urine; vomiting; belly pain; weight loss; missed doses of insulin"
        ),
        negatives=words("no fever; no chest pain; no diarrhea; no cough"),
        findings=words("deep fast breathing; fruity breath; dry mouth; soft abdomen"),
        labs=labs(
            glu=(480, 80, 290, 800),
            hco3=(9, 2.2, 4, 15),
            ag=(26, 3, 18, 36),
            na=(131, 3, 123, 138),
            k=(5.1, 0.4, 4.0, 6.1),
            bun=(30, 6, 18, 50),
            wbc=(13.5, 2, 9, 19),
        ),
        unmeasured=labs(
            bhb=(6.2, 1.3, 3.4, 11),
            uket=(110, 25, 60, 160),
            lact=(1.9, 0.4, 1.0, 3.0),
            lipase=(50, 15, 20, 110),
            a1c=(10.8, 1, 8.5, 14),
        ),
        vitals=vitals(
            t=(36.7, 0.3, 36.0, 37.4),
            hr=(116, 8, 98, 138),
            sbp=(108, 9, 90, 130),
            dbp=(66, 6, 52, 80),
            rr=(28, 3, 22, 36),
            spo2=(98, 0.7, 96, 100),
            gcs=(15, 0.4, 14, 15),
            pain=(4, 1.1, 1, 7),
        ),
        differential=words("gastroenteritis; pancreatitis; acute_kidney_injury; sepsis_urinary"),
        workup=words(
            "Basic Metabolic Panel; Beta-hydroxybutyrate; Arterial Blood Gas; Urinalysis; "
            "Complete Blood Count; ECG; Magnesium; Phosphate"
        ),
        treatments=(
            treat(
                "insulin as a first dose, then 0.1 units/kg an hour, when potassium is at least 3.5 mmol/L",
                opt("insulin regular", 0.1, "iv", 1, 1, unit="units/kg"),
            ),
            treat(
                "potassium while it is below 5.0 mmol/L",
                opt("potassium chloride", 20, "iv", 4, 1, unit="mEq"),
                required=False,
            ),
        ),
        avoid_drugs=words("empagliflozin; dapagliflozin; canagliflozin; metformin"),
        time_critical=(
            give(5, "insulin stops ketone production", "insulin regular"),
            order(
                4,
                "potassium must be known before insulin and acid-base status followed",
                "Basic Metabolic Panel",
                "Comprehensive Metabolic Panel",
                "Arterial Blood Gas",
                "Beta-hydroxybutyrate",
            ),
        ),
        specialty="endocrinology",
        urgency="emergency",
        goes_with=words("diabetes_type_1"),
        teaching=(
            "The diagnosis needs glucose of 200 mg/dL or more or known diabetes, beta-hydroxybutyrate of 3.0 "
            "mmol/L or more, and pH below 7.3 or bicarbonate below 18 mmol/L.",
            "Insulin is withheld while potassium is below 3.5 mmol/L.",
            "Dextrose is added to the fluids when glucose falls below 250 mg/dL.",
            "Resolution means ketones below 0.6 mmol/L with pH of at least 7.3 or bicarbonate of at least 18 "
            "mmol/L.",
            "Basal insulin is given one to two hours before the infusion stops.",
            "SGLT2 inhibitors can cause ketoacidosis with near-normal glucose.",
        ),
        source="ADA/EASD consensus report on hyperglycemic crises, 2024",
    ),
    Condition(
        key="hypoglycemia",
        name="Severe hypoglycemia",
        icd10="E16.2",
        synonyms=("hypoglycemia", "low blood sugar", "hypoglycaemia"),
        acute=True,
        age=(4, 95),
        complaints=words("found confused and sweating; shaky and confused; unusually drowsy this morning"),
        symptoms=words(
            "sweating; trembling; confusion; hunger; skipped breakfast after the usual diabetes medicine"
        ),
        negatives=words("no fever; no head injury; no chest pain; no weakness of one side"),
        findings=words("clammy skin; tremor; slow answers; no focal weakness"),
        labs=labs(glu=(37, 6, 22, 52)),
        unmeasured=labs(a1c=(6.6, 0.4, 5.8, 7.8), cortisol=(17, 2, 13, 22)),
        vitals=vitals(
            t=(36.3, 0.25, 35.7, 36.9),
            hr=(104, 8, 88, 124),
            sbp=(142, 11, 118, 168),
            dbp=(80, 7, 64, 96),
            rr=(18, 1.6, 14, 22),
            spo2=(98, 0.7, 96, 100),
            gcs=(13, 1, 10, 14),
            pain=(0, 0.5, 0, 2),
        ),
        differential=words("ischemic_stroke; status_epilepticus; hyponatremia"),
        workup=words("Basic Metabolic Panel; Hemoglobin A1c; CT Head; Ethanol Level"),
        treatments=(
            treat("raise glucose", opt("dextrose", 25, "iv", 1, 1, unit="g"), opt("glucagon", 1, "im", 1, 1)),
        ),
        avoid_drugs=words(
            "glyburide; glipizide; glimepiride; insulin regular; insulin glargine; insulin lispro"
        ),
        time_critical=(
            give(5, "the brain is injured within minutes without glucose", "dextrose", "glucagon"),
        ),
        specialty="endocrinology",
        urgency="emergency",
        goes_with=words("diabetes_type_2; diabetes_type_1"),
        teaching=(
            "Level 1 is a glucose below 70 mg/dL, level 2 below 54 mg/dL, level 3 needs help from another "
            "person.",
            "A conscious patient takes 15 to 20 g of glucose by mouth and checks again after 15 minutes.",
            "Glucagon is prescribed to everyone on insulin and to all at high risk of hypoglycemia.",
            "Sulfonylurea hypoglycemia can return for a day or more, above all with poor kidney function; "
            "octreotide helps.",
        ),
        source="American Diabetes Association, Standards of Care, 2024",
    ),
    Condition(
        key="hyperthyroidism",
        name="Thyrotoxicosis from Graves disease",
        icd10="E05.00",
        synonyms=("thyrotoxicosis", "Graves disease", "hyperthyroidism"),
        acute=True,
        age=(15, 80),
        complaints=words("losing weight and racing heart; trembling and sweating; palpitations and heat"),
        symptoms=words(
            "weight loss with good appetite; palpitations; trembling hands; heat intolerance; "
            "loose stools; poor sleep"
        ),
        negatives=words("no neck pain; no fever; no chest pain; no cough"),
        findings=words("diffuse goiter with a bruit; fine tremor; lid lag; warm moist skin"),
        unmeasured=labs(tsh=(0.01, 0.005, 0.0, 0.03), ft4=(4.6, 0.9, 2.6, 7.5), ft3=(12.5, 2.5, 7, 20)),
        vitals=vitals(
            t=(37.2, 0.2, 36.7, 37.7),
            hr=(116, 8, 98, 134),
            sbp=(144, 10, 122, 168),
            dbp=(70, 6, 56, 84),
            rr=(18, 1.5, 15, 22),
            spo2=(98, 0.7, 96, 100),
            pain=(0, 0.5, 0, 2),
        ),
        differential=words("atrial_fibrillation_rvr; anxiety; gastroenteritis"),
        workup=words(
            "Thyroid Function Tests; ECG; Complete Blood Count; Liver Function Tests; Pregnancy Test"
        ),
        treatments=(
            treat(
                "antithyroid drug", opt("methimazole", 20, "oral", 1), opt("propylthiouracil", 100, "oral", 3)
            ),
            treat(
                "beta blocker for symptoms",
                opt("propranolol", 20, "oral", 3),
                opt("metoprolol", 25, "oral", 2),
                opt("diltiazem", 60, "oral", 3),
            ),
        ),
        avoid_drugs=words("amiodarone; levothyroxine; pseudoephedrine"),
        specialty="endocrinology",
        urgency="urgent",
        goes_with=words("osteoporosis; atrial_fibrillation"),
        teaching=(
            "Methimazole is preferred except in the first trimester, where propylthiouracil is used.",
            "Fever or sore throat under an antithyroid drug calls for a blood count because of "
            "agranulocytosis.",
            "Beta blockers are given to older patients and to all with a resting rate above 90/min.",
            "Propylthiouracil can cause liver failure.",
            "TSH receptor antibodies distinguish Graves disease from other causes.",
        ),
        source="American Thyroid Association guideline, 2016",
    ),
    Condition(
        key="adrenal_insufficiency",
        name="Adrenal crisis",
        icd10="E27.2",
        synonyms=("acute adrenal insufficiency", "Addisonian crisis", "adrenal insufficiency"),
        acute=True,
        age=(16, 85),
        complaints=words("collapsed after days of vomiting; very weak and dizzy; weak with belly pain"),
        symptoms=words(
            "great weakness; vomiting; belly pain; dizziness on standing; weight loss for months; "
            "craving for salt"
        ),
        negatives=words("no cough; no burning on urination; no chest pain; no black stools"),
        findings=words("darkened skin creases; dry mouth; soft abdomen; blood pressure falls on standing"),
        labs=labs(
            na=(124, 2.5, 117, 130),
            k=(5.7, 0.25, 5.1, 6.3),
            glu=(62, 6, 48, 76),
            hco3=(19, 1.3, 16, 22),
            eos=(0.8, 0.15, 0.5, 1.3),
            bun=(32, 5, 22, 46),
        ),
        unmeasured=labs(cortisol=(1.8, 0.6, 0.5, 2.9), lact=(1.7, 0.3, 1.0, 2.4), tsh=(4.6, 0.6, 3.2, 6.5)),
        vitals=vitals(
            t=(37.4, 0.4, 36.6, 38.3),
            hr=(114, 8, 96, 132),
            sbp=(82, 5, 68, 92),
            dbp=(48, 4, 38, 58),
            rr=(20, 1.6, 16, 24),
            spo2=(97, 0.8, 95, 99),
            gcs=(14, 0.6, 13, 15),
            pain=(4, 1, 1, 7),
        ),
        differential=words("gastroenteritis; sepsis_urinary; hyperkalemia; hyponatremia"),
        workup=words("Morning Cortisol; Basic Metabolic Panel; Complete Blood Count; Lactate; Blood Culture"),
        treatments=(
            treat(
                "glucocorticoid at once",
                opt("hydrocortisone", 100, "iv", 1, 1),
                opt("dexamethasone", 4, "iv", 1, 1),
            ),
        ),
        avoid_drugs=words("etomidate; ketoconazole; levothyroxine"),
        time_critical=(
            give(
                5,
                "hydrocortisone saves life and never waits for tests",
                "hydrocortisone",
                "dexamethasone",
                "methylprednisolone",
            ),
        ),
        specialty="endocrinology",
        urgency="emergency",
        goes_with=words("hypothyroidism"),
        teaching=(
            "Hydrocortisone 100 mg is given at once, then 200 mg over 24 hours.",
            "Treatment does not wait for the cortisol result.",
            "A morning cortisol below 5 ug/dL with raised ACTH means primary adrenal insufficiency.",
            "Doses of glucocorticoid are doubled or tripled in febrile illness.",
            "Thyroid hormone started before glucocorticoid can set off a crisis.",
        ),
        source="Endocrine Society guideline for primary adrenal insufficiency, 2016",
    ),
    Condition(
        key="hypercalcemia",
        name="Severe hypercalcemia",
        icd10="E83.52",
        synonyms=("hypercalcemia", "hypercalcaemia", "high calcium", "hypercalcemia of malignancy"),
        acute=True,
        age=(40, 90),
        complaints=words("thirsty and confused; constipated and tired; drinking and passing much water"),
        symptoms=words("thirst; passing much urine; constipation; confusion; bone pain; weight loss"),
        negatives=words("no fever; no diarrhea; no chest pain"),
        findings=words("dry mouth; slow answers; reduced reflexes; tender spine"),
        labs=labs(ca=(14.3, 0.6, 13.1, 16.5), cr=(1.7, 0.25, 1.2, 2.5), bun=(36, 6, 24, 54)),
        unmeasured=labs(pth=(8, 2.5, 3, 14), vitd=(28, 4, 20, 38), phos=(2.7, 0.3, 2.0, 3.5)),
        vitals=vitals(
            hr=(98, 7, 82, 114),
            sbp=(138, 11, 112, 162),
            dbp=(80, 7, 64, 96),
            rr=(17, 1.4, 14, 21),
            spo2=(97, 0.8, 95, 99),
            gcs=(14, 0.5, 13, 15),
            pain=(4, 1.1, 1, 7),
        ),
        differential=words("hyperthyroidism; acute_kidney_injury; hyponatremia"),
        workup=words(
            "Basic Metabolic Panel; Parathyroid Hormone; Vitamin D; Liver Function Tests; ECG; Chest X-ray"
        ),
        treatments=(
            treat(
                "inhibition of bone resorption",
                opt("zoledronic acid", 4, "iv", 1, 1),
            ),
            treat(
                "isotonic fluid first",
                opt("sodium chloride 0.9%", 1000, "iv", 3, 1, unit="mL"),
                opt("lactated ringer's", 1000, "iv", 3, 1, unit="mL"),
            ),
        ),
        avoid_drugs=words(
            "hydrochlorothiazide; chlorthalidone; lithium; digoxin; calcium carbonate; cholecalciferol"
        ),
        specialty="endocrinology",
        urgency="emergency",
        goes_with=words("breast_cancer; hypertension"),
        teaching=(
            "Calcium is corrected for albumin: 0.8 mg/dL for each 1 g/dL below 4.",
            "A suppressed parathyroid hormone points to malignancy or vitamin D excess.",
            "Fluid comes first; zoledronic acid or denosumab follows and acts within two to four days.",
            "Calcitonin acts within hours but loses effect after two days.",
            "Thiazides, calcium and vitamin D are stopped.",
        ),
        source="Endocrine Society guideline, hypercalcemia of malignancy, 2023",
    ),
)
