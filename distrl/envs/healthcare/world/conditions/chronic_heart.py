"""Chronic conditions of heart and vessels.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, vitals, words

_DAILY_STATIN = treat(
    "statin",
    opt("atorvastatin", 40, "oral", 1),
    opt("rosuvastatin", 20, "oral", 1),
    opt("pravastatin", 40, "oral", 1),
)
_ORAL_ANTICOAGULANT = treat(
    "stroke prevention",
    opt("apixaban", 5, "oral", 2),
    opt("rivaroxaban", 20, "oral", 1),
    opt("warfarin", 5, "oral", 1),
)
_ANTIPLATELET = treat("antiplatelet", opt("aspirin", 81, "oral", 1), opt("clopidogrel", 75, "oral", 1))
_BETA = treat(
    "beta blocker",
    opt("metoprolol", 50, "oral", 2),
    opt("bisoprolol", 5, "oral", 1),
    opt("carvedilol", 12.5, "oral", 2),
)

CONDITIONS = (
    Condition(
        key="hypertension",
        name="Essential hypertension",
        icd10="I10",
        synonyms=("hypertension", "high blood pressure", "arterial hypertension"),
        acute=False,
        age=(30, 100),
        complaints=words("high readings on the home blood pressure monitor; blood pressure check"),
        symptoms=words("no complaints; home readings above target"),
        negatives=words("no headache; no chest pain; no breathlessness"),
        findings=words("regular pulse; no edema"),
        vitals=vitals(sbp=(144, 8, 128, 168), dbp=(86, 5, 74, 99)),
        workup=words("Basic Metabolic Panel; Urine Albumin/Creatinine Ratio; Lipid Panel; ECG"),
        treatments=(
            treat(
                "first-line antihypertensive",
                opt("lisinopril", 10, "oral", 1),
                opt("losartan", 50, "oral", 1),
                opt("amlodipine", 5, "oral", 1),
                opt("chlorthalidone", 12.5, "oral", 1),
                opt("labetalol", 100, "oral", 2),
            ),
            treat(
                "second antihypertensive of another class",
                opt("amlodipine", 5, "oral", 1),
                opt("hydrochlorothiazide", 12.5, "oral", 1),
                required=False,
            ),
        ),
        avoid_drugs=words("pseudoephedrine"),
        specialty="primary care",
        goes_with=words("hyperlipidemia; diabetes_type_2; obesity"),
        teaching=(
            "Stage 1 hypertension is 130 to 139 over 80 to 89 mmHg, stage 2 is 140 over 90 mmHg or more.",
            "First-line classes are thiazides, ACE inhibitors, angiotensin receptor blockers and calcium "
            "channel blockers.",
            "The target is below 130/80 mmHg in most adults.",
            "An ACE inhibitor and an angiotensin receptor blocker are not combined.",
            "ACE inhibitors and angiotensin receptor blockers are contraindicated in pregnancy; labetalol "
            "and nifedipine are used.",
        ),
        source="ACC/AHA guideline for high blood pressure, 2017",
    ),
    Condition(
        key="hyperlipidemia",
        name="Hyperlipidemia",
        icd10="E78.5",
        synonyms=("dyslipidemia", "hypercholesterolemia", "high cholesterol"),
        acute=False,
        age=(30, 95),
        complaints=words("cholesterol check; review of lipids"),
        symptoms=words("no complaints"),
        negatives=words("no muscle pain; no chest pain"),
        findings=words("no xanthomas"),
        labs=labs(tc=(238, 20, 205, 300), hdl=(46, 5, 34, 60), tg=(175, 35, 105, 290)),
        workup=words("Lipid Panel; Liver Function Tests; Hemoglobin A1c"),
        treatments=(
            _DAILY_STATIN,
            treat("added when the target is missed", opt("ezetimibe", 10, "oral", 1), required=False),
        ),
        specialty="primary care",
        goes_with=words("hypertension; diabetes_type_2"),
        teaching=(
            "A high-intensity statin lowers LDL cholesterol by half or more.",
            "LDL cholesterol of 190 mg/dL or more is treated with a high-intensity statin at any risk.",
            "Ezetimibe is added when LDL cholesterol stays at 70 mg/dL or more in very high risk disease.",
            "Lipids are measured again 4 to 12 weeks after a change of statin dose.",
        ),
        source="AHA/ACC guideline on blood cholesterol, 2018",
    ),
    Condition(
        key="coronary_artery_disease",
        name="Coronary artery disease",
        icd10="I25.10",
        synonyms=("CAD", "ischemic heart disease", "coronary heart disease", "stable angina"),
        acute=False,
        age=(45, 98),
        complaints=words("review of stable angina; follow-up of heart disease"),
        symptoms=words("chest tightness on steep stairs; relief within minutes of rest"),
        negatives=words("no pain at rest; no breathlessness; no syncope"),
        findings=words("regular pulse; lungs clear"),
        labs=labs(tc=(168, 16, 130, 215), hdl=(46, 5, 34, 60)),
        workup=words("ECG; Lipid Panel; Echocardiogram; Basic Metabolic Panel; Hemoglobin A1c"),
        treatments=(_ANTIPLATELET, _DAILY_STATIN, _BETA),
        avoid_drugs=words("ibuprofen; diclofenac; celecoxib; sumatriptan; rizatriptan; ergotamine"),
        specialty="cardiology",
        goes_with=words("hypertension; hyperlipidemia; diabetes_type_2; myocardial_infarction"),
        teaching=(
            "A high-intensity statin and an antiplatelet drug are given to every patient with coronary "
            "disease who tolerates them.",
            "Beta blockers prolong life after infarction with reduced ejection fraction and relieve angina.",
            "Nitrates are not combined with phosphodiesterase 5 inhibitors.",
            "SGLT2 inhibitors or GLP-1 agonists are given when diabetes type 2 is present.",
        ),
        source="AHA/ACC guideline for chronic coronary disease, 2023",
    ),
    Condition(
        key="atrial_fibrillation",
        name="Atrial fibrillation",
        icd10="I48.91",
        synonyms=("AF", "chronic atrial fibrillation", "permanent atrial fibrillation"),
        acute=False,
        age=(50, 100),
        complaints=words("review of irregular heartbeat; anticoagulation check"),
        symptoms=words("occasional palpitations; tires on hills"),
        negatives=words("no chest pain; no syncope; no bleeding"),
        findings=words("irregularly irregular pulse; lungs clear"),
        vitals=vitals(hr=(82, 8, 62, 106)),
        workup=words("ECG; Echocardiogram; Thyroid Function Tests; Basic Metabolic Panel"),
        treatments=(
            _ORAL_ANTICOAGULANT,
            treat(
                "rate control",
                opt("metoprolol", 50, "oral", 2),
                opt("diltiazem", 60, "oral", 3),
                opt("digoxin", 0.125, "oral", 1),
            ),
        ),
        specialty="cardiology",
        goes_with=words("hypertension; heart_failure; coronary_artery_disease"),
        teaching=(
            "CHA2DS2-VASc estimates the risk of stroke in atrial fibrillation.",
            "Apixaban is halved to 2.5 mg when two hold: age of 80 or more, weight of 60 kg or less, "
            "creatinine of 1.5 mg/dL or more.",
            "Aspirin does not prevent stroke in atrial fibrillation well enough to replace anticoagulation.",
            "A resting heart rate below 100 to 110/min is an accepted target in patients without symptoms.",
        ),
        source="ACC/AHA/ACCP/HRS guideline for atrial fibrillation, 2023",
    ),
    Condition(
        key="heart_failure",
        name="Heart failure with reduced ejection fraction",
        icd10="I50.22",
        synonyms=("HFrEF", "chronic heart failure", "congestive heart failure", "systolic heart failure"),
        acute=False,
        age=(50, 98),
        complaints=words("heart failure review; more tired than last year"),
        symptoms=words("breathlessness on two flights of stairs; tired in the evening"),
        negatives=words("no breathlessness at rest; no weight gain; no chest pain"),
        findings=words("displaced apex beat; no edema today; lungs clear"),
        labs=labs(na=(138, 1.6, 133, 142), bun=(22, 4, 14, 34)),
        unmeasured=labs(bnp=(290, 60, 160, 395), ntprobnp=(1250, 300, 700, 1800)),
        vitals=vitals(hr=(72, 7, 56, 90), sbp=(116, 9, 98, 138), dbp=(70, 6, 56, 84)),
        workup=words("BNP; Echocardiogram; ECG; Basic Metabolic Panel; Iron Studies"),
        treatments=(
            treat(
                "renin-angiotensin inhibitor",
                opt("lisinopril", 10, "oral", 1),
                opt("losartan", 50, "oral", 1),
            ),
            treat(
                "evidence-based beta blocker",
                opt("bisoprolol", 5, "oral", 1),
                opt("carvedilol", 12.5, "oral", 2),
                opt("metoprolol", 50, "oral", 1),
            ),
            treat(
                "SGLT2 inhibitor", opt("empagliflozin", 10, "oral", 1), opt("dapagliflozin", 10, "oral", 1)
            ),
            treat("mineralocorticoid antagonist", opt("spironolactone", 25, "oral", 1), required=False),
            treat("diuretic", opt("furosemide", 40, "oral", 1), required=False),
        ),
        avoid_drugs=words(
            "diltiazem; verapamil; ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; pioglitazone; "
            "cilostazol"
        ),
        specialty="cardiology",
        goes_with=words("hypertension; coronary_artery_disease; atrial_fibrillation; chronic_kidney_disease"),
        teaching=(
            "Four pillars prolong life: a renin-angiotensin or neprilysin inhibitor, a beta blocker, a "
            "mineralocorticoid antagonist and an SGLT2 inhibitor.",
            "Spironolactone is not started when potassium is above 5.0 mmol/L or eGFR is 30 or below.",
            "Sacubitril-valsartan is never combined with an ACE inhibitor; 36 hours must lie between.",
            "Diltiazem, verapamil, NSAIDs and glitazones worsen heart failure.",
        ),
        source="AHA/ACC/HFSA guideline for heart failure, 2022",
    ),
    Condition(
        key="peripheral_artery_disease",
        name="Peripheral artery disease",
        icd10="I73.9",
        synonyms=("PAD", "intermittent claudication"),
        acute=False,
        age=(50, 95),
        complaints=words("calf pain on walking; review of leg circulation"),
        symptoms=words("cramp of the calf after 200 m; relief on standing still"),
        negatives=words("no pain at rest; no wound on the foot"),
        findings=words("weak foot pulses; cool feet"),
        labs=labs(tc=(205, 18, 165, 255)),
        workup=words("Lipid Panel; Hemoglobin A1c; Basic Metabolic Panel"),
        treatments=(_ANTIPLATELET, _DAILY_STATIN),
        avoid_drugs=words("sumatriptan; rizatriptan; ergotamine"),
        specialty="vascular medicine",
        goes_with=words("hypertension; hyperlipidemia; diabetes_type_2; coronary_artery_disease"),
        teaching=(
            "An ankle-brachial index of 0.90 or less makes the diagnosis.",
            "Supervised exercise is the first treatment of claudication.",
            "Cilostazol relieves claudication and is contraindicated in heart failure.",
            "Every patient with peripheral artery disease gets a high-intensity statin and an antiplatelet "
            "drug.",
        ),
        source="ACC/AHA guideline for peripheral artery disease, 2024",
    ),
    Condition(
        key="venous_thromboembolism",
        name="History of venous thromboembolism",
        icd10="Z86.718",
        synonyms=("previous deep vein thrombosis", "VTE history"),
        acute=False,
        age=(25, 95),
        complaints=words(
            "anticoagulation review",
        ),
        symptoms=words(
            "no complaints",
        ),
        treatments=(
            treat(
                "extended anticoagulation",
                opt("apixaban", 2.5, "oral", 2),
                opt("rivaroxaban", 10, "oral", 1),
                opt("warfarin", 5, "oral", 1),
                required=False,
            ),
        ),
        avoid_drugs=words("oral contraceptives; estradiol; raloxifene; tamoxifen"),
        workup=words("Complete Blood Count; Basic Metabolic Panel"),
        specialty="hematology",
        goes_with=words(
            "obesity",
        ),
        teaching=(
            "Extended treatment is offered after an unprovoked event when bleeding risk is not high.",
            "Half-dose apixaban or rivaroxaban serves extended prevention after six months.",
            "Oestrogen-containing contraceptives are contraindicated after venous thromboembolism.",
            "A direct oral anticoagulant is avoided in antiphospholipid syndrome.",
        ),
        source="CHEST guideline, antithrombotic therapy for VTE, 2021",
    ),
)
