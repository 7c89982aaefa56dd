"""Acute conditions of the heart.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, order, refer, treat, vitals, words

_ASPIRIN_LOAD = treat(
    "antiplatelet loading dose",
    opt("aspirin", 324, "oral", 1, 1),
    opt("clopidogrel", 600, "oral", 1, 1),
)
_STATIN = treat(
    "high-intensity statin",
    opt("atorvastatin", 80, "oral", 1),
    opt("rosuvastatin", 20, "oral", 1),
    required=False,
)

CONDITIONS = (
    Condition(
        key="stemi",
        name="ST-elevation myocardial infarction",
        icd10="I21.3",
        synonyms=("STEMI", "ST-segment elevation myocardial infarction", "acute transmural infarction"),
        acute=True,
        age=(35, 95),
        complaints=words("crushing chest pain; chest pressure for an hour; chest pain with sweating"),
        symptoms=words(
            "pressing retrosternal pain; pain spreading to the left arm; sweating; nausea; "
            "shortness of breath; feeling of doom"
        ),
        negatives=words("no pain on breathing; no calf swelling; no tearing back pain; no fever"),
        findings=words("pale and clammy; no chest wall tenderness; lungs clear"),
        labs=labs(glu=(155, 30, 90, 300), wbc=(11.5, 2, 7, 17)),
        unmeasured=labs(trop=(2800, 1500, 300, 20000), ck=(600, 250, 180, 3000), lact=(1.8, 0.4, 0.8, 3.0)),
        vitals=vitals(
            hr=(96, 12, 60, 130),
            sbp=(128, 18, 92, 175),
            dbp=(78, 10, 52, 102),
            rr=(21, 2, 16, 28),
            spo2=(95, 1.5, 90, 98),
            pain=(8, 1, 6, 10),
        ),
        differential=words("nstemi; pulmonary_embolism; acute_heart_failure; gerd"),
        workup=words(
            "ECG; Troponin; Chest X-ray; Basic Metabolic Panel; Complete Blood Count; Coagulation Panel"
        ),
        treatments=(
            _ASPIRIN_LOAD,
            treat(
                "P2Y12 inhibitor",
                opt("ticagrelor", 180, "oral", 1, 1),
                opt("prasugrel", 60, "oral", 1, 1),
                opt("clopidogrel", 600, "oral", 1, 1),
            ),
            treat(
                "anticoagulation for the intervention",
                opt("heparin", 60, "iv", 1, 1, unit="units/kg"),
                opt("enoxaparin", 1, "sc", 2, 2, unit="mg/kg"),
            ),
            _STATIN,
        ),
        avoid_drugs=words("ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; nifedipine"),
        time_critical=(
            order(5, "an ECG within 10 minutes decides on reperfusion", "ECG"),
            give(
                5,
                "an antiplatelet loading dose at first contact lowers mortality",
                "aspirin",
                "clopidogrel",
                "ticagrelor",
                "prasugrel",
            ),
            refer(
                5,
                "primary intervention within 90 minutes of first contact saves muscle",
                "cardiology",
                "interventional cardiology",
            ),
        ),
        specialty="cardiology",
        urgency="emergency",
        goes_with=words("hypertension; hyperlipidemia; coronary_artery_disease; diabetes_type_2"),
        teaching=(
            "A 12-lead ECG is read within 10 minutes of arrival in every patient with suspected acute "
            "coronary syndrome.",
            "Primary percutaneous intervention is preferred when it can be done within 90 minutes of first "
            "medical contact, or within 120 minutes including a transfer.",
            "Fibrinolysis is given within 30 minutes of arrival when intervention within 120 minutes is not "
            "possible and symptoms began less than 12 hours ago.",
            "Non-steroidal anti-inflammatory drugs other than aspirin are stopped because they raise "
            "mortality and reinfarction.",
            "Prasugrel must not be given after a stroke or transient ischemic attack.",
        ),
        source="ACC/AHA/ACEP guideline for acute coronary syndromes, 2025; ESC, 2023",
    ),
    Condition(
        key="nstemi",
        name="Non-ST-elevation myocardial infarction",
        icd10="I21.4",
        synonyms=("NSTEMI", "non-ST-segment elevation myocardial infarction"),
        acute=True,
        age=(38, 98),
        complaints=words("chest tightness on and off; chest pain at rest; chest discomfort since last night"),
        symptoms=words(
            "pressing chest pain at rest; pain spreading to the jaw; shortness of breath; nausea; sweating"
        ),
        negatives=words("no pain on breathing; no fever; no leg swelling"),
        findings=words("uncomfortable at rest; no chest wall tenderness; lungs clear"),
        labs=labs(glu=(140, 28, 88, 280)),
        unmeasured=labs(trop=(420, 250, 80, 3500), ck=(260, 90, 140, 900)),
        vitals=vitals(
            hr=(88, 11, 58, 120),
            sbp=(140, 17, 100, 185),
            dbp=(82, 9, 56, 105),
            rr=(19, 2, 14, 26),
            spo2=(96, 1.2, 91, 99),
            pain=(6, 1.2, 3, 9),
        ),
        differential=words("stemi; pulmonary_embolism; acute_heart_failure; gerd"),
        workup=words("ECG; Troponin; Basic Metabolic Panel; Complete Blood Count; Chest X-ray"),
        treatments=(
            _ASPIRIN_LOAD,
            treat(
                "P2Y12 inhibitor", opt("ticagrelor", 180, "oral", 1, 1), opt("clopidogrel", 300, "oral", 1, 1)
            ),
            treat(
                "anticoagulation",
                opt("enoxaparin", 1, "sc", 2, 3, unit="mg/kg"),
                opt("heparin", 60, "iv", 1, 1, unit="units/kg"),
            ),
            _STATIN,
        ),
        avoid_drugs=words("ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; alteplase"),
        time_critical=(
            order(5, "an ECG within 10 minutes tells apart who needs reperfusion now", "ECG"),
            order(4, "serial troponin makes the diagnosis", "Troponin"),
            give(
                5,
                "an antiplatelet drug without delay lowers mortality",
                "aspirin",
                "clopidogrel",
                "ticagrelor",
                "prasugrel",
            ),
        ),
        specialty="cardiology",
        urgency="emergency",
        goes_with=words("coronary_artery_disease; hypertension; hyperlipidemia; diabetes_type_2"),
        teaching=(
            "High-sensitivity troponin is repeated after 1 to 3 hours; a rise or fall with one value above "
            "the 99th percentile shows acute injury.",
            "Fibrinolysis is not given without ST elevation or an equivalent because it does harm.",
            "An invasive strategy within 24 hours is reasonable when the GRACE score is above 140.",
            "Enoxaparin is given once daily instead of twice when creatinine clearance is below 30 mL/min.",
            "Aspirin and a P2Y12 inhibitor are continued together for about 12 months unless bleeding risk "
            "is high.",
        ),
        source="ACC/AHA/ACEP guideline for acute coronary syndromes, 2025",
    ),
    Condition(
        key="acute_heart_failure",
        name="Acute decompensated heart failure",
        icd10="I50.9",
        synonyms=(
            "acute heart failure",
            "decompensated heart failure",
            "cardiogenic pulmonary edema",
            "congestive heart failure exacerbation",
        ),
        acute=True,
        age=(45, 100),
        complaints=words(
            "shortness of breath lying flat; breathless and swollen legs; weight gain and breathlessness"
        ),
        symptoms=words(
            "breathlessness on exertion; waking at night short of breath; needs three pillows; "
            "swollen ankles; weight gain of several kilograms in a week; dry cough at night"
        ),
        negatives=words("no fever; no chest pain; no purulent sputum"),
        findings=words(
            "raised jugular venous pressure; bilateral basal crackles; pitting edema to the "
            "knees; third heart sound"
        ),
        labs=labs(na=(134, 3, 125, 141), bun=(32, 9, 16, 70)),
        unmeasured=labs(bnp=(1100, 450, 420, 4500), ntprobnp=(6200, 2600, 1900, 25000), trop=(28, 9, 8, 70)),
        vitals=vitals(
            hr=(98, 12, 66, 132),
            sbp=(146, 20, 100, 195),
            dbp=(86, 11, 58, 115),
            rr=(25, 3, 18, 34),
            spo2=(90, 2.5, 82, 95),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("community_acquired_pneumonia; copd_exacerbation; pulmonary_embolism; nstemi"),
        workup=words("BNP; Chest X-ray; ECG; Echocardiogram; Basic Metabolic Panel; Troponin"),
        treatments=(
            treat(
                "decongestion",
                opt("furosemide", 40, "iv", 2, 3),
                opt("bumetanide", 1, "iv", 2, 3),
                opt("torsemide", 20, "oral", 1, 3),
            ),
            treat(
                "afterload reduction when systolic pressure is above 110 mmHg",
                opt("nitroglycerin", 0.4, "oral", 3, 1),
                required=False,
            ),
        ),
        avoid_drugs=words(
            "ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; diltiazem; verapamil; pioglitazone"
        ),
        time_critical=(
            give(
                4,
                "an intravenous loop diuretic relieves pulmonary edema",
                "furosemide",
                "bumetanide",
                "torsemide",
            ),
        ),
        specialty="cardiology",
        urgency="emergency",
        goes_with=words("heart_failure; hypertension; atrial_fibrillation; coronary_artery_disease"),
        teaching=(
            "Intravenous loop diuretics are given early, at 1 to 2.5 times the daily oral dose in patients "
            "who already take one.",
            "A B-type natriuretic peptide below 100 pg/mL makes acute heart failure unlikely.",
            "Diltiazem and verapamil are harmful in heart failure with reduced ejection fraction.",
            "Guideline-directed therapy is continued during decompensation unless there is shock or severe "
            "hypotension.",
            "Non-steroidal anti-inflammatory drugs retain sodium and worsen heart failure.",
        ),
        source="AHA/ACC/HFSA guideline for heart failure, 2022; ESC, 2021",
    ),
    Condition(
        key="atrial_fibrillation_rvr",
        name="Atrial fibrillation with rapid ventricular response",
        icd10="I48.91",
        synonyms=(
            "atrial fibrillation with rapid ventricular rate",
            "rapid atrial fibrillation",
            "AF with RVR",
            "atrial fibrillation",
        ),
        acute=True,
        age=(40, 98),
        complaints=words("racing heart; palpitations since the morning; fluttering in the chest"),
        symptoms=words("irregular palpitations; fatigue; light-headedness; breathlessness on stairs"),
        negatives=words("no syncope; no chest pain; no fever; no leg swelling"),
        findings=words("irregularly irregular pulse; pulse deficit; lungs clear"),
        unmeasured=labs(bnp=(260, 70, 120, 480), trop=(12, 3, 4, 16), tsh=(1.7, 0.4, 0.6, 3.5)),
        vitals=vitals(
            hr=(142, 12, 112, 175),
            sbp=(122, 13, 98, 160),
            dbp=(78, 9, 56, 98),
            rr=(19, 2, 14, 25),
            spo2=(96, 1.2, 92, 99),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("hyperthyroidism; pulmonary_embolism; acute_heart_failure; nstemi"),
        workup=words(
            "ECG; Thyroid Function Tests; Basic Metabolic Panel; Magnesium; Echocardiogram; "
            "Complete Blood Count"
        ),
        treatments=(
            treat(
                "rate control",
                opt("metoprolol", 25, "oral", 2),
                opt("diltiazem", 60, "oral", 3),
                opt("digoxin", 0.25, "oral", 1, 1),
            ),
            treat(
                "stroke prevention",
                opt("apixaban", 5, "oral", 2),
                opt("rivaroxaban", 20, "oral", 1),
                opt("warfarin", 5, "oral", 1),
            ),
        ),
        time_critical=(order(4, "an ECG confirms the rhythm and shows pre-excitation or ischemia", "ECG"),),
        specialty="cardiology",
        urgency="urgent",
        goes_with=words("hypertension; atrial_fibrillation; coronary_artery_disease"),
        teaching=(
            "Anticoagulation is recommended at a CHA2DS2-VASc score of 2 or more in men and 3 or more in "
            "women.",
            "Direct oral anticoagulants are preferred over warfarin except with a mechanical valve or "
            "moderate to severe mitral stenosis.",
            "Hemodynamic instability from atrial fibrillation calls for immediate electrical cardioversion.",
            "Diltiazem and verapamil are not used for rate control in heart failure with reduced ejection "
            "fraction.",
            "Drugs that block the atrioventricular node are dangerous in atrial fibrillation with "
            "pre-excitation.",
        ),
        source="ACC/AHA/ACCP/HRS guideline for atrial fibrillation, 2023",
    ),
)
