"""Acute conditions of kidney, salts and muscle, and poisoning.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, order, treat, vitals, words

CONDITIONS = (
    Condition(
        key="hyperkalemia",
        name="Severe hyperkalemia",
        icd10="E87.5",
        synonyms=("hyperkalemia", "high potassium", "hyperkalaemia"),
        acute=True,
        age=(30, 95),
        complaints=words("weak legs; tired and heart skipping; weakness since missing a check-up"),
        symptoms=words("weakness of the legs; palpitations; fatigue; less urine than usual"),
        negatives=words("no chest pain; no fever; no vomiting; no weakness of one side"),
        findings=words("reduced strength in both legs; slow irregular pulse; lungs clear"),
        labs=labs(
            k=(6.9, 0.3, 6.3, 7.9), cr=(3.2, 0.8, 2.0, 6.0), bun=(58, 12, 36, 95), hco3=(17, 1.6, 13, 20)
        ),
        unmeasured=labs(ck=(110, 20, 60, 170), dig=(1.1, 0.3, 0.5, 1.8)),
        vitals=vitals(
            hr=(54, 5, 42, 66),
            sbp=(132, 12, 104, 160),
            dbp=(76, 7, 60, 94),
            rr=(19, 1.6, 15, 23),
            spo2=(97, 0.9, 94, 99),
            pain=(0, 0.6, 0, 3),
        ),
        differential=words("acute_kidney_injury; rhabdomyolysis; adrenal_insufficiency"),
        workup=words("ECG; Basic Metabolic Panel; Arterial Blood Gas; Creatine Kinase; Magnesium"),
        treatments=(
            treat(
                "protection of the heart",
                opt("calcium gluconate", 3, "iv", 1, 1, unit="g"),
            ),
            treat(
                "shift of potassium into cells, with dextrose",
                opt("insulin regular", 10, "iv", 1, 1, unit="units"),
                opt("albuterol", 10, "inhaled", 1, 1),
            ),
        ),
        avoid_drugs=words(
            "spironolactone; eplerenone; lisinopril; losartan; ramipril; enalapril; valsartan; "
            "potassium chloride; sulfamethoxazole-trimethoprim; trimethoprim; amiloride; "
            "ibuprofen; naproxen; ketorolac"
        ),
        time_critical=(
            order(5, "the ECG shows danger to the heart", "ECG"),
            give(
                5,
                "intravenous calcium protects the heart within minutes",
                "calcium gluconate",
            ),
        ),
        specialty="nephrology",
        urgency="emergency",
        goes_with=words("chronic_kidney_disease; diabetes_type_2; hypertension"),
        teaching=(
            "Severe hyperkalemia is a potassium of 6.5 mmol/L or more.",
            "Intravenous calcium is given when the ECG shows changes of hyperkalemia; it does not lower "
            "potassium.",
            "Ten units of regular insulin with 25 g of glucose lower potassium within 15 to 30 minutes.",
            "Glucose is watched for six hours after insulin because hypoglycemia is common.",
            "Dialysis is needed when potassium stays high in kidney failure.",
        ),
        source="UK Kidney Association, hyperkalaemia guideline, 2023",
    ),
    Condition(
        key="acute_kidney_injury",
        name="Acute kidney injury from volume depletion",
        icd10="N17.9",
        synonyms=("AKI", "acute renal failure", "prerenal acute kidney injury", "acute kidney failure"),
        acute=True,
        age=(40, 98),
        complaints=words("hardly any urine; dizzy and weak after days of diarrhea; dry and tired"),
        symptoms=words(
            "little urine; dizziness on standing; thirst; poor appetite; diarrhea for four days; "
            "kept taking all tablets"
        ),
        negatives=words("no flank pain; no blood in the urine; no fever; no rash"),
        findings=words("dry mouth; low jugular venous pressure; no bladder distension; no edema"),
        labs=labs(
            cr=(2.9, 0.5, 2.1, 4.8), bun=(66, 11, 45, 105), k=(5.2, 0.25, 4.6, 5.8), hco3=(19, 1.4, 16, 22)
        ),
        unmeasured=labs(
            una=(12, 4, 4, 19),
            uosm=(640, 60, 510, 800),
            usg=(1.025, 0.002, 1.02, 1.03),
            uprot=(14, 4, 4, 25),
            ck=(100, 20, 50, 165),
        ),
        vitals=vitals(
            t=(36.7, 0.25, 36.1, 37.3),
            hr=(106, 7, 90, 124),
            sbp=(98, 6, 86, 112),
            dbp=(58, 5, 46, 70),
            rr=(18, 1.5, 14, 22),
            spo2=(97, 0.9, 95, 99),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("hyperkalemia; rhabdomyolysis; nephrolithiasis; sepsis_urinary"),
        workup=words(
            "Basic Metabolic Panel; Urinalysis; Urine Sodium; Renal Ultrasound; Creatine Kinase; ECG"
        ),
        avoid_drugs=words(
            "ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; gentamicin; tobramycin; amikacin; "
            "lisinopril; losartan; ramipril; enalapril; valsartan; metformin"
        ),
        specialty="nephrology",
        urgency="urgent",
        goes_with=words("hypertension; diabetes_type_2; heart_failure"),
        teaching=(
            "Acute kidney injury is a rise of creatinine by 0.3 mg/dL within 48 hours, to 1.5 times baseline "
            "within seven days, or urine below 0.5 mL/kg/h for six hours.",
            "Stage 2 is a creatinine of 2.0 to 2.9 times baseline, stage 3 three times or 4.0 mg/dL.",
            "A fractional excretion of sodium below 1 percent points to volume depletion in patients without "
            "diuretics.",
            "Non-steroidal anti-inflammatory drugs, aminoglycosides and renin-angiotensin blockers are "
            "paused.",
            "Doses of drugs that the kidney clears are adjusted to the falling clearance.",
        ),
        source="KDIGO guideline for acute kidney injury, 2012",
    ),
    Condition(
        key="hyponatremia",
        name="Severe symptomatic hyponatremia",
        icd10="E87.1",
        synonyms=("hyponatremia", "hyponatraemia", "low sodium", "hypotonic hyponatremia"),
        acute=True,
        age=(40, 98),
        complaints=words("confused since yesterday; headache and unsteady; nausea and drowsiness"),
        symptoms=words("confusion; headache; nausea; unsteady walk; a new water tablet three weeks ago"),
        negatives=words("no fever; no head injury; no diarrhea; no weakness of one side"),
        findings=words("slow answers; no edema; moist mouth; no focal weakness"),
        labs=labs(na=(115, 2.5, 108, 121), k=(3.6, 0.25, 3.1, 4.2), bun=(9, 2, 5, 14)),
        unmeasured=labs(
            uosm=(430, 60, 300, 600),
            una=(62, 12, 38, 100),
            tsh=(1.9, 0.5, 0.7, 3.6),
            cortisol=(16, 2, 12, 22),
        ),
        vitals=vitals(
            hr=(80, 7, 64, 98),
            sbp=(136, 10, 114, 160),
            dbp=(78, 6, 62, 92),
            rr=(16, 1.4, 13, 20),
            spo2=(97, 0.8, 95, 99),
            gcs=(13, 0.8, 11, 14),
            pain=(3, 1, 0, 6),
        ),
        differential=words("ischemic_stroke; hypoglycemia; adrenal_insufficiency; hypothyroidism"),
        workup=words(
            "Basic Metabolic Panel; Serum Osmolality; Urine Osmolality; Urine Sodium; "
            "Thyroid Function Tests; Morning Cortisol; CT Head"
        ),
        treatments=(
            treat(
                "hypertonic saline for severe symptoms",
                opt("sodium chloride 3%", 150, "iv", 1, 1, unit="mL"),
            ),
        ),
        avoid_drugs=words(
            "hydrochlorothiazide; chlorthalidone; indapamide; desmopressin; sertraline; fluoxetine; "
            "citalopram; escitalopram; carbamazepine; oxcarbazepine"
        ),
        time_critical=(
            give(4, "hypertonic saline reverses brain swelling within minutes", "sodium chloride 3%"),
        ),
        specialty="nephrology",
        urgency="emergency",
        goes_with=words("hypertension; depression; heart_failure"),
        teaching=(
            "Severe symptoms are treated with 100 to 150 mL of 3 percent saline, repeated as needed.",
            "Sodium must not rise by more than 8 to 10 mmol/L in the first 24 hours; less where osmotic "
            "demyelination is likely.",
            "A rise of 4 to 6 mmol/L is enough to reverse severe symptoms.",
            "Thiazides, antidepressants and antiepileptic drugs are looked for and stopped.",
            "A urine osmolality below 100 mOsm/kg means excess water intake or low solute intake.",
        ),
        source="US expert panel recommendations (Verbalis), 2013; European guideline, 2014",
    ),
    Condition(
        key="rhabdomyolysis",
        name="Rhabdomyolysis",
        icd10="M62.82",
        synonyms=("rhabdo", "acute muscle breakdown"),
        acute=True,
        age=(16, 90),
        complaints=words("dark urine and sore muscles; muscle pain after a long run; found on the floor"),
        symptoms=words("severe muscle pain; dark brown urine; weakness of the legs; long lie on the floor"),
        negatives=words("no fever; no flank colic; no chest pain; no rash"),
        findings=words("tender swollen thighs; dry mouth; pulses present; no skin wound"),
        labs=labs(
            k=(5.4, 0.25, 4.8, 6.1), cr=(2.1, 0.35, 1.5, 3.4), bun=(36, 6, 24, 56), ca=(8.1, 0.3, 7.3, 8.7)
        ),
        unmeasured=labs(
            ck=(38000, 15000, 9000, 120000),
            ast=(620, 180, 260, 1400),
            alt=(190, 50, 80, 400),
            phos=(5.6, 0.5, 4.6, 7.5),
            urbc=(1, 0.7, 0, 3),
            urate=(9.0, 0.8, 7.4, 12),
        ),
        vitals=vitals(
            t=(37.0, 0.3, 36.3, 37.7),
            hr=(102, 7, 86, 120),
            sbp=(118, 10, 98, 142),
            dbp=(72, 6, 58, 88),
            rr=(18, 1.5, 15, 22),
            spo2=(97, 0.8, 95, 99),
            pain=(7, 1, 4, 9),
        ),
        differential=words("acute_kidney_injury; hyperkalemia; deep_vein_thrombosis"),
        workup=words(
            "Creatine Kinase; Basic Metabolic Panel; Urinalysis; Phosphate; ECG; Liver Function Tests"
        ),
        avoid_drugs=words(
            "simvastatin; atorvastatin; rosuvastatin; ibuprofen; naproxen; ketorolac; colchicine; "
            "gemfibrozil; daptomycin"
        ),
        specialty="nephrology",
        urgency="emergency",
        goes_with=words("hyperlipidemia; alcohol_use_disorder"),
        teaching=(
            "A creatine kinase above five times the upper limit, or 1000 U/L, makes the diagnosis; kidney "
            "injury is likelier above 5000 U/L.",
            "Urine that is positive for blood on the strip without red cells under the microscope means "
            "myoglobin.",
            "Early isotonic fluid for a urine output of 200 to 300 mL/h protects the kidney.",
            "Calcium is replaced only for symptoms because it rebounds during recovery.",
            "Statins and other myotoxic drugs are stopped.",
        ),
        source="American Association for the Surgery of Trauma, rhabdomyolysis protocol, 2022",
    ),
    Condition(
        key="nephrolithiasis",
        name="Ureteral colic from a kidney stone",
        icd10="N20.1",
        synonyms=("renal colic", "kidney stone", "nephrolithiasis", "ureteral stone", "urolithiasis"),
        acute=True,
        age=(18, 80),
        complaints=words("waves of flank pain; pain from the back to the groin; sudden side pain"),
        symptoms=words("colicky flank pain into the groin; cannot lie still; nausea; red urine"),
        negatives=words("no fever; no burning on urination before; no diarrhea; no leg swelling"),
        findings=words("restless with pain; costovertebral angle tenderness on the left; soft abdomen"),
        unmeasured=labs(
            urbc=(45, 18, 12, 120), uwbc=(4, 1.5, 1, 9), urate=(5.4, 0.7, 3.8, 7.2), crp=(5, 1.5, 1, 9)
        ),
        vitals=vitals(
            t=(36.9, 0.2, 36.4, 37.5),
            hr=(98, 8, 82, 118),
            sbp=(146, 11, 122, 172),
            dbp=(86, 7, 70, 102),
            rr=(19, 1.6, 15, 23),
            spo2=(98, 0.7, 96, 100),
            pain=(9, 0.8, 7, 10),
        ),
        differential=words("pyelonephritis; appendicitis; bowel_obstruction"),
        workup=words("Urinalysis; Basic Metabolic Panel; CT Abdomen; Renal Ultrasound; Complete Blood Count"),
        treatments=(
            treat(
                "pain relief",
                opt("ketorolac", 15, "iv", 4, 1),
                opt("ibuprofen", 600, "oral", 3, 3),
                opt("acetaminophen", 1000, "iv", 3, 2),
                opt("morphine", 4, "iv", 4, 1),
            ),
        ),
        specialty="urology",
        urgency="urgent",
        goes_with=words("obesity; gout; hypertension"),
        teaching=(
            "Non-steroidal anti-inflammatory drugs are the first choice for colic when kidney function and "
            "stomach allow.",
            "Fever with an obstructed kidney is an emergency that needs drainage.",
            "Low-dose CT without contrast is the most accurate image; ultrasound comes first in pregnancy "
            "and children.",
            "Stones of up to 10 mm in the distal ureter may be observed with an alpha blocker.",
            "Fluid intake for at least 2.5 L of urine a day prevents new stones.",
        ),
        source="EAU guideline on urolithiasis, 2023; AUA, 2016",
    ),
    Condition(
        key="acetaminophen_overdose",
        name="Acetaminophen overdose",
        icd10="T39.1X2A",
        synonyms=(
            "paracetamol overdose",
            "acetaminophen poisoning",
            "paracetamol poisoning",
            "acetaminophen toxicity",
        ),
        acute=True,
        age=(13, 75),
        complaints=words(
            "took a box of pain tablets; swallowed many tablets; nausea after taking too many tablets"
        ),
        symptoms=words(
            "took about thirty tablets eight hours ago; nausea; vomiting; belly ache under the right "
            "ribs; low mood for weeks"
        ),
        negatives=words("no jaundice; no confusion; no ringing in the ears; no alcohol with it"),
        findings=words("tearful and alert; mild tenderness under the right ribs; no flapping tremor"),
        unmeasured=labs(
            apap=(155, 25, 90, 260),
            alt=(75, 25, 36, 180),
            ast=(80, 28, 38, 190),
            inr=(1.1, 0.06, 1.0, 1.2),
            salic=(0, 0, 0, 0),
            lact=(1.6, 0.3, 0.9, 2.4),
        ),
        vitals=vitals(
            t=(36.8, 0.2, 36.3, 37.3),
            hr=(92, 7, 76, 110),
            sbp=(120, 8, 104, 140),
            dbp=(74, 6, 60, 88),
            rr=(17, 1.4, 14, 21),
            spo2=(98, 0.7, 96, 100),
            pain=(3, 1, 0, 6),
        ),
        differential=words("acute_hepatitis; gastroenteritis; pancreatitis"),
        workup=words(
            "Acetaminophen Level; Salicylate Level; Liver Function Tests; Coagulation Panel; "
            "Basic Metabolic Panel; Ethanol Level; Pregnancy Test; ECG"
        ),
        treatments=(
            treat(
                "antidote",
                opt("acetylcysteine", 150, "iv", 1, 1, unit="mg/kg"),
                opt("acetylcysteine", 140, "oral", 1, 1, unit="mg/kg"),
            ),
        ),
        avoid_drugs=words("acetaminophen; isoniazid; phenytoin; carbamazepine"),
        time_critical=(
            give(
                5, "acetylcysteine within eight hours nearly always prevents liver failure", "acetylcysteine"
            ),
            order(5, "the level decides on the antidote by the nomogram", "Acetaminophen Level"),
        ),
        specialty="toxicology",
        urgency="emergency",
        goes_with=words("depression"),
        teaching=(
            "The level is drawn at four hours or later and read against the Rumack-Matthew nomogram, whose "
            "US treatment line starts at 150 ug/mL.",
            "Acetylcysteine is started at once when the level will not be known within eight hours of "
            "ingestion.",
            "Intravenous acetylcysteine starts with 150 mg/kg over one hour.",
            "Activated charcoal helps within four hours of ingestion in an alert patient.",
            "Every intentional overdose is followed by an assessment of suicide risk.",
        ),
        source="US and Canada consensus statement on acetaminophen poisoning (Dart), 2023",
    ),
)
