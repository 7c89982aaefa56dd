"""Chronic conditions of hormones, kidney and bone.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, vitals, words

CONDITIONS = (
    Condition(
        key="diabetes_type_2",
        name="Type 2 diabetes mellitus",
        icd10="E11.9",
        synonyms=("type 2 diabetes", "diabetes mellitus type 2", "T2DM"),
        acute=False,
        age=(35, 98),
        complaints=words("diabetes review; sugars running high"),
        symptoms=words("no complaints; home glucose above target"),
        negatives=words("no chest pain; no foot wound; no weight loss"),
        findings=words("feet without wounds; monofilament felt"),
        labs=labs(glu=(158, 22, 118, 230), a1c=(7.8, 0.6, 6.6, 9.8)),
        unmeasured=labs(uacr=(24, 10, 8, 60)),
        workup=words("Hemoglobin A1c; Basic Metabolic Panel; Urine Albumin/Creatinine Ratio; Lipid Panel"),
        treatments=(
            treat(
                "glucose lowering",
                opt("metformin", 1000, "oral", 2),
                opt("sitagliptin", 100, "oral", 1),
                opt("glipizide", 5, "oral", 1),
                opt("insulin glargine", 12, "sc", 1, unit="units"),
            ),
            treat(
                "protection of heart and kidney",
                opt("empagliflozin", 10, "oral", 1),
                opt("semaglutide", 0.5, "sc", 0.142857),
                required=False,
            ),
        ),
        avoid_drugs=(),
        specialty="endocrinology",
        goes_with=words("hypertension; hyperlipidemia; obesity; chronic_kidney_disease"),
        teaching=(
            "A1c of 6.5 percent or more, fasting glucose of 126 mg/dL or more, or 200 mg/dL two hours after "
            "glucose makes the diagnosis.",
            "An A1c below 7 percent is the goal for many adults without frailty.",
            "SGLT2 inhibitors or GLP-1 agonists are given with heart failure, kidney disease or "
            "atherosclerosis whatever the A1c.",
            "Metformin is contraindicated below an eGFR of 30 and not started below 45 mL/min/1.73 m2.",
            "Eyes, feet and urine albumin are checked every year.",
        ),
        source="American Diabetes Association, Standards of Care, 2024",
    ),
    Condition(
        key="diabetes_type_1",
        name="Type 1 diabetes mellitus",
        icd10="E10.9",
        synonyms=("type 1 diabetes", "T1DM", "insulin-dependent diabetes"),
        acute=False,
        age=(4, 75),
        complaints=words("diabetes review; insulin adjustment"),
        symptoms=words("no complaints; a few low readings at night"),
        negatives=words("no vomiting; no weight loss"),
        findings=words(
            "injection sites without lumps",
        ),
        labs=labs(glu=(172, 30, 110, 260), a1c=(7.9, 0.7, 6.6, 10)),
        workup=words(
            "Hemoglobin A1c; Basic Metabolic Panel; Urine Albumin/Creatinine Ratio; Thyroid Function Tests"
        ),
        treatments=(
            treat("basal insulin", opt("insulin glargine", 0.2, "sc", 1, unit="units/kg")),
            treat("insulin with meals", opt("insulin lispro", 0.08, "sc", 3, unit="units/kg")),
        ),
        avoid_drugs=words("empagliflozin; dapagliflozin; canagliflozin"),
        specialty="endocrinology",
        goes_with=words(
            "hypothyroidism",
        ),
        teaching=(
            "Insulin is never stopped in type 1 diabetes, not even when nothing is eaten.",
            "Total daily need is about 0.4 to 1.0 units/kg, half of it basal.",
            "Thyroid disease and celiac disease are looked for at diagnosis.",
            "SGLT2 inhibitors raise the risk of ketoacidosis in type 1 diabetes.",
        ),
        source="American Diabetes Association, Standards of Care, 2024",
    ),
    Condition(
        key="chronic_kidney_disease",
        name="Chronic kidney disease",
        icd10="N18.9",
        synonyms=("CKD", "chronic renal failure", "chronic renal insufficiency"),
        acute=False,
        age=(18, 98),
        complaints=words("kidney review; creatinine check"),
        symptoms=words("no complaints; gets up at night to pass urine"),
        negatives=words("no blood in the urine; no breathlessness"),
        findings=words(
            "mild ankle edema",
        ),
        labs=labs(
            egfr=(44, 8, 31, 58),
            bun=(31, 6, 20, 48),
            k=(4.7, 0.25, 4.1, 5.2),
            hb=(12.0, 0.6, 10.6, 13.4),
            hco3=(23, 1.2, 20, 26),
        ),
        unmeasured=labs(uacr=(180, 80, 40, 600), pth=(95, 25, 66, 180), phos=(4.1, 0.3, 3.4, 4.8)),
        workup=words(
            "Basic Metabolic Panel; Urine Albumin/Creatinine Ratio; Complete Blood Count; "
            "Parathyroid Hormone; Renal Ultrasound"
        ),
        treatments=(
            treat(
                "renin-angiotensin inhibitor",
                opt("lisinopril", 10, "oral", 1),
                opt("losartan", 50, "oral", 1),
            ),
            treat(
                "SGLT2 inhibitor",
                opt("dapagliflozin", 10, "oral", 1),
                opt("empagliflozin", 10, "oral", 1),
                required=False,
            ),
            treat("statin", opt("atorvastatin", 20, "oral", 1), required=False),
        ),
        avoid_drugs=words("ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; gentamicin"),
        specialty="nephrology",
        goes_with=words("hypertension; diabetes_type_2"),
        teaching=(
            "Chronic kidney disease means an eGFR below 60 mL/min/1.73 m2 or a marker of damage for more "
            "than three months.",
            "Stages by eGFR are G1 from 90, G2 60 to 89, G3a 45 to 59, G3b 30 to 44, G4 15 to 29 and G5 "
            "below 15.",
            "An SGLT2 inhibitor is recommended from an eGFR of 20 on with albuminuria, heart failure or "
            "diabetes.",
            "A rise of creatinine of up to 30 percent after starting an ACE inhibitor is accepted.",
            "NSAIDs are avoided and doses of renally cleared drugs adjusted.",
        ),
        source="KDIGO guideline for chronic kidney disease, 2024",
    ),
    Condition(
        key="end_stage_renal_disease",
        name="End-stage kidney disease on hemodialysis",
        icd10="N18.6",
        synonyms=("ESRD", "kidney failure on dialysis", "CKD stage 5 on dialysis"),
        acute=False,
        age=(30, 90),
        complaints=words(
            "dialysis review",
        ),
        symptoms=words("tired after dialysis; itching"),
        negatives=words("no breathlessness; no fever"),
        findings=words(
            "fistula with thrill in the left forearm",
        ),
        labs=labs(
            egfr=(8, 1.5, 5, 12),
            bun=(52, 9, 34, 78),
            k=(5.2, 0.3, 4.5, 5.9),
            hb=(10.6, 0.5, 9.3, 11.8),
            hco3=(22, 1.3, 19, 25),
            phos=(5.4, 0.6, 4.2, 6.8),
        ),
        unmeasured=labs(pth=(340, 90, 160, 580)),
        workup=words("Basic Metabolic Panel; Complete Blood Count; Phosphate; Parathyroid Hormone"),
        avoid_drugs=words(
            "metformin; nitrofurantoin; ibuprofen; naproxen; ketorolac; enoxaparin; dabigatran; "
            "spironolactone"
        ),
        specialty="nephrology",
        goes_with=words("hypertension; diabetes_type_2"),
        teaching=(
            "Phosphate binders are taken with meals.",
            "Hemoglobin under an erythropoiesis-stimulating agent is kept below 11.5 g/dL.",
            "Magnesium and aluminum salts are avoided.",
            "Drugs that dialysis removes are given after the session.",
        ),
        source="KDIGO, CKD-MBD 2017 and anemia 2012",
    ),
    Condition(
        key="hypothyroidism",
        name="Hypothyroidism",
        icd10="E03.9",
        synonyms=("underactive thyroid", "primary hypothyroidism"),
        acute=False,
        age=(18, 95),
        complaints=words("thyroid check; tired and cold"),
        symptoms=words("fatigue; feels cold; constipation; dry skin"),
        negatives=words("no neck pain; no palpitations"),
        findings=words("slow relaxation of reflexes; dry skin"),
        labs=labs(tsh=(6.2, 1.2, 4.3, 10)),
        unmeasured=labs(ft4=(0.9, 0.06, 0.8, 1.1)),
        vitals=vitals(hr=(64, 5, 54, 76)),
        workup=words("Thyroid Function Tests; Lipid Panel; Complete Blood Count"),
        treatments=(treat("thyroid hormone", opt("levothyroxine", 75, "oral", 1, unit="mcg")),),
        specialty="endocrinology",
        goes_with=words("hyperlipidemia; depression"),
        teaching=(
            "The full replacement dose of levothyroxine is about 1.6 mcg/kg a day; older and cardiac "
            "patients start low.",
            "TSH is checked six to eight weeks after each change of dose.",
            "Levothyroxine is taken on an empty stomach, four hours apart from calcium and iron.",
            "The need rises by about a third in pregnancy.",
        ),
        source="American Thyroid Association guideline, 2014",
    ),
    Condition(
        key="obesity",
        name="Obesity",
        icd10="E66.9",
        synonyms=("adiposity",),
        acute=False,
        age=(12, 85),
        complaints=words(
            "wants to lose weight",
        ),
        symptoms=words(
            "knee pain on stairs",
        ),
        workup=words("Hemoglobin A1c; Lipid Panel; Liver Function Tests; Thyroid Function Tests"),
        specialty="primary care",
        goes_with=words("hypertension; diabetes_type_2; hyperlipidemia"),
        teaching=(
            "Obesity is a body mass index of 30 kg/m2 or more.",
            "A loss of 5 to 10 percent of weight improves blood pressure, glucose and lipids.",
            "Drug treatment may be added from a body mass index of 30, or 27 with a related illness.",
            "Surgery is recommended from a body mass index of 35 on.",
        ),
        source="AACE/ACE guideline, 2016; ASMBS/IFSO, 2022",
    ),
    Condition(
        key="gout",
        name="Gout",
        icd10="M10.9",
        synonyms=("chronic gout", "gouty arthritis"),
        acute=False,
        age=(35, 95),
        complaints=words(
            "gout review",
        ),
        symptoms=words(
            "two attacks in the last year",
        ),
        negatives=words(
            "no pain today",
        ),
        findings=words(
            "small tophus on the left ear",
        ),
        labs=labs(urate=(7.6, 0.7, 6.1, 9.5)),
        workup=words("Uric Acid; Basic Metabolic Panel; Liver Function Tests"),
        treatments=(
            treat("urate lowering", opt("allopurinol", 100, "oral", 1), opt("febuxostat", 40, "oral", 1)),
        ),
        avoid_drugs=words("hydrochlorothiazide; chlorthalidone"),
        specialty="rheumatology",
        goes_with=words("hypertension; chronic_kidney_disease; obesity"),
        teaching=(
            "Urate lowering is indicated with two or more flares a year, tophi or joint damage.",
            "Allopurinol starts at 100 mg a day or less and is titrated to a urate below 6 mg/dL.",
            "HLA-B*58:01 is tested before allopurinol in people of Southeast Asian or African American "
            "descent.",
            "Colchicine prophylaxis covers the first three to six months of urate lowering.",
        ),
        source="American College of Rheumatology guideline for gout, 2020",
    ),
    Condition(
        key="osteoporosis",
        name="Osteoporosis",
        icd10="M81.0",
        synonyms=("age-related osteoporosis", "postmenopausal osteoporosis"),
        acute=False,
        age=(50, 100),
        complaints=words(
            "bone density review",
        ),
        symptoms=words(
            "lost 3 cm of height",
        ),
        findings=words(
            "rounded upper back",
        ),
        unmeasured=labs(vitd=(22, 3, 15, 29)),
        workup=words("DXA Scan; Vitamin D; Basic Metabolic Panel; Parathyroid Hormone"),
        treatments=(
            treat(
                "bone protection",
                opt("alendronate", 70, "oral", 0.142857),
                opt("zoledronic acid", 5, "iv", 0.00274),
            ),
        ),
        specialty="endocrinology",
        goes_with=words("gerd; hypothyroidism"),
        teaching=(
            "A T-score of -2.5 or below, or a fragility fracture of hip or spine, makes the diagnosis.",
            "Alendronate is taken fasting and upright for 30 minutes, and not below a clearance of 35 "
            "mL/min.",
            "Denosumab must not be stopped without a follow-on drug because of rebound fractures.",
            "Oral bisphosphonates are reviewed after five years.",
        ),
        source="Endocrine Society guideline, 2019 and 2020",
    ),
)
