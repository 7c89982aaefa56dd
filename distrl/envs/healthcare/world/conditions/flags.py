"""Short records of conditions that matter to others (a contraindication, a history, a state).

Sources: ICD-10-CM 2024 for codes; the facts carry their guideline in the last field.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.records import Sex
from distrl.envs.healthcare.world.shorthand import labs, vitals, words

# key, name, ICD-10-CM, lowest and highest age, specialty, facts, source
Row = tuple[str, str, str, tuple[float, float], str, str, str]
ACUTE = [
    "hypotension",
    "cardiogenic_shock",
    "septic_shock",
    "respiratory_depression",
    "urinary_retention",
    "hypokalemia",
    "hypocalcemia",
    "hypermagnesemia",
    "hypovolemia",
    "metabolic_acidosis",
    "active_bleeding",
    "systemic_infection",
    "raised_intracranial_pressure",
    "hit",
]
SIGNS = {
    "hypotension": vitals(sbp=(86, 4, 76, 94), dbp=(50, 4, 40, 58)),
    "cardiogenic_shock": vitals(sbp=(80, 4, 68, 89), dbp=(50, 4, 40, 58), hr=(112, 8, 96, 130)),
    "septic_shock": vitals(
        sbp=(80, 4, 68, 89),
        dbp=(44, 4, 34, 54),
        hr=(122, 8, 104, 140),
        t=(38.8, 0.4, 38.2, 40.0),
        rr=(26, 2, 22, 32),
    ),
    "hypovolemia": vitals(sbp=(94, 4, 84, 104), hr=(108, 6, 96, 122)),
    "active_bleeding": vitals(sbp=(98, 5, 86, 108), hr=(110, 7, 96, 126)),
    "respiratory_depression": vitals(rr=(8, 0.4, 8, 10), spo2=(87, 2, 82, 91)),
    "systemic_infection": vitals(t=(38.6, 0.3, 38.1, 39.6), hr=(102, 6, 92, 118)),
    "bradycardia": vitals(hr=(46, 3, 39, 52)),
    "av_block": vitals(hr=(48, 4, 40, 56)),
}
LABS = {
    "septic_shock": labs(wbc=(18, 3, 12.5, 28), lact=(4.2, 0.8, 2.4, 8), crp=(210, 50, 100, 380)),
    "cardiogenic_shock": labs(lact=(4.0, 0.8, 2.2, 8), bnp=(1300, 400, 500, 4000)),
    "hypokalemia": labs(k=(2.9, 0.15, 2.5, 3.2)),
    "hypocalcemia": labs(ca=(7.5, 0.3, 6.8, 8.1)),
    "hypermagnesemia": labs(mg=(3.6, 0.4, 2.9, 5)),
    "metabolic_acidosis": labs(hco3=(15, 1.5, 11, 18), ag=(17, 1.5, 14, 21)),
    "active_bleeding": labs(hb=(8.6, 0.7, 6.9, 10)),
    "systemic_infection": labs(wbc=(14, 1.5, 11.2, 19), crp=(110, 35, 45, 240)),
    "thrombocytopenia": labs(plt=(44, 12, 20, 78)),
    "hit": labs(plt=(72, 14, 42, 105)),
    "bone_marrow_suppression": labs(wbc=(2.3, 0.4, 1.4, 3.2), plt=(82, 16, 48, 120), hb=(9.4, 0.6, 8, 10.6)),
}
SEX: dict[str, Sex] = {"breast_cancer": "female"}

ROWS: tuple[Row, ...] = (
    ("myocardial_infarction", "Old myocardial infarction", "I25.2", (40, 98), "cardiology",
     "After infarction a statin and aspirin are continued for life unless contraindicated; "
     "NSAIDs raise the risk of another infarction",
     "AHA/ACC guideline for chronic coronary disease, 2023"),
    ("hypotension", "Hypotension", "I95.9", (18, 100), "internal medicine",
     "A mean arterial pressure below 65 mmHg threatens organs; drugs that lower pressure are paused",
     "Surviving Sepsis Campaign guideline, 2021"),
    ("cardiogenic_shock", "Cardiogenic shock", "R57.0", (30, 98), "cardiology",
     "Cardiogenic shock is low output with hypoperfusion despite filling; beta blockers are not started in "
     "it",
     "AHA scientific statement, cardiogenic shock, 2017"),
    ("septic_shock", "Septic shock", "R65.21", (18, 100), "critical care",
     "Septic shock needs a vasopressor for 65 mmHg and shows a lactate above 2 mmol/L after fluid; "
     "norepinephrine is the first vasopressor",
     "Sepsis-3 definition, 2016; Surviving Sepsis Campaign, 2021"),
    ("bradycardia", "Sinus bradycardia", "R00.1", (40, 100), "cardiology",
     "Beta blockers, diltiazem, verapamil and digoxin slow the heart further; "
     "symptomatic sinus node disease is an indication for pacing",
     "ACC/AHA/HRS guideline for bradycardia, 2018"),
    ("av_block", "Second-degree atrioventricular block", "I44.1", (40, 100), "cardiology",
     "Drugs that slow atrioventricular conduction are avoided without a pacemaker; "
     "Mobitz type II is an indication for pacing",
     "ACC/AHA/HRS guideline for bradycardia, 2018"),
    ("long_qt", "Long QT syndrome", "I45.81", (5, 80), "cardiology",
     "Drugs that prolong QT are avoided; potassium and magnesium are kept in the upper normal range",
     "AHA/ACC/HRS guideline for ventricular arrhythmias, 2017"),
    ("ventricular_arrhythmia", "Ventricular tachycardia", "I47.20", (30, 95), "cardiology",
     "Class IC drugs are contraindicated after infarction; a defibrillator prevents sudden death in selected "
     "patients",
     "AHA/ACC/HRS guideline for ventricular arrhythmias, 2017"),
    ("pre_excitation", "Wolff-Parkinson-White syndrome", "I45.6", (8, 75), "cardiology",
     "Verapamil, diltiazem, digoxin and adenosine are dangerous in pre-excited atrial fibrillation; "
     "ablation cures the accessory pathway",
     "ACC/AHA/HRS guideline for supraventricular tachycardia, 2015"),
    ("aortic_stenosis", "Aortic stenosis", "I35.0", (60, 100), "cardiology",
     "Vasodilators are used with care in severe stenosis; valve replacement is indicated once symptoms begin",
     "ACC/AHA guideline for valvular heart disease, 2020"),
    ("mechanical_heart_valve", "Mechanical heart valve", "Z95.2", (25, 90), "cardiology",
     "Warfarin is the only oral anticoagulant for mechanical valves; dabigatran is contraindicated",
     "ACC/AHA guideline for valvular heart disease, 2020"),
    ("pulmonary_hypertension", "Pulmonary hypertension", "I27.20", (25, 90), "pulmonology",
     "Right heart catheterization makes the diagnosis; pregnancy is advised against",
     "ESC/ERS guideline for pulmonary hypertension, 2022"),
    ("bilateral_renal_artery_stenosis", "Bilateral renal artery stenosis", "I70.1", (50, 95), "nephrology",
     "ACE inhibitors and angiotensin receptor blockers can cause acute kidney failure; flash pulmonary edema "
     "is typical",
     "ACC/AHA guideline for peripheral artery disease, 2016"),
    ("myasthenia_gravis", "Myasthenia gravis", "G70.00", (18, 90), "neurology",
     "Aminoglycosides, fluoroquinolones, macrolides, magnesium and beta blockers can worsen weakness; "
     "pyridostigmine relieves symptoms",
     "International consensus guidance for myasthenia gravis, 2020"),
    ("raised_intracranial_pressure", "Raised intracranial pressure", "G93.2", (10, 90), "neurosurgery",
     "Lumbar puncture is deferred until imaging; hypercapnia raises intracranial pressure",
     "Brain Trauma Foundation guideline, 2016"),
    ("eating_disorder", "Bulimia nervosa", "F50.2", (13, 50), "psychiatry",
     "Bupropion is contraindicated because of seizures; potassium is checked in purging",
     "American Psychiatric Association guideline, eating disorders, 2023"),
    ("opioid_use_disorder", "Opioid use disorder", "F11.20", (18, 70), "psychiatry",
     "Buprenorphine and methadone halve mortality; naloxone is given to take home",
     "ASAM national practice guideline, 2020"),
    ("respiratory_depression", "Respiratory depression", "R06.89", (18, 95), "critical care",
     "Opioids with benzodiazepines or gabapentinoids depress breathing together; naloxone reverses opioids",
     "FDA drug safety communications, 2016 and 2019"),
    ("sleep_apnea", "Obstructive sleep apnea", "G47.33", (25, 90), "pulmonology",
     "Positive airway pressure is the treatment of choice; sedatives and opioids worsen apnea",
     "AASM guideline, 2019"),
    ("inflammatory_bowel_disease", "Ulcerative colitis", "K51.90", (15, 80), "gastroenterology",
     "Mesalamine is first for mild to moderate disease; NSAIDs can set off a flare",
     "ACG guideline for ulcerative colitis, 2019"),
    ("gastroparesis", "Diabetic gastroparesis", "K31.84", (25, 80), "gastroenterology",
     "Metoclopramide is used for at most 12 weeks; opioids and GLP-1 agonists delay emptying further",
     "ACG guideline for gastroparesis, 2022"),
    ("esophageal_disorder", "Esophageal stricture", "K22.2", (40, 95), "gastroenterology",
     "Oral bisphosphonates are contraindicated when tablets can stick; doxycycline and potassium tablets can "
     "ulcerate "
     "the esophagus",
     "Alendronate prescribing information, 2019"),
    ("hypokalemia", "Hypokalemia", "E87.6", (18, 95), "nephrology",
     "Low magnesium keeps potassium low; hypokalemia raises the risk of digoxin toxicity and long QT",
     "KDIGO controversies conference on potassium, 2020"),
    ("hypocalcemia", "Hypocalcemia", "E83.51", (18, 95), "endocrinology",
     "Denosumab and bisphosphonates are withheld until calcium is corrected; low magnesium must be replaced "
     "too",
     "Denosumab prescribing information, 2024"),
    ("hypermagnesemia", "Hypermagnesemia", "E83.41", (18, 95), "nephrology",
     "Magnesium-containing laxatives and antacids are avoided in kidney failure; calcium gluconate is the "
     "antidote",
     "Magnesium sulfate prescribing information, 2020"),
    ("hypovolemia", "Hypovolemia", "E86.1", (2, 100), "internal medicine",
     "Diuretics and SGLT2 inhibitors are paused; NSAIDs then endanger the kidney",
     "KDIGO guideline for acute kidney injury, 2012"),
    ("metabolic_acidosis", "Metabolic acidosis", "E87.20", (18, 95), "nephrology",
     "Metformin is contraindicated in acute or chronic metabolic acidosis; the anion gap divides the causes",
     "Metformin prescribing information, 2018"),
    ("urinary_retention", "Urinary retention", "R33.9", (45, 98), "urology",
     "Anticholinergic drugs and decongestants are stopped; the bladder is drained by catheter",
     "American Urological Association guideline, 2021"),
    ("pheochromocytoma", "Pheochromocytoma", "D35.00", (20, 80), "endocrinology",
     "Beta blockade before alpha blockade can cause hypertensive crisis; plasma metanephrines make the "
     "diagnosis",
     "Endocrine Society guideline, 2014"),
    ("medullary_thyroid_carcinoma", "Medullary thyroid carcinoma", "C73", (20, 80), "endocrinology",
     "GLP-1 agonists are contraindicated with a personal or family history; calcitonin is the tumor marker",
     "American Thyroid Association guideline, 2015"),
    ("porphyria", "Acute intermittent porphyria", "E80.21", (18, 70), "hematology",
     "Barbiturates, carbamazepine, phenytoin and sulfonamides can set off attacks; hemin treats them",
     "AGA practice update on acute hepatic porphyria, 2023"),
    ("g6pd_deficiency", "G6PD deficiency", "D75.A", (1, 90), "hematology",
     "Primaquine, dapsone, rasburicase and nitrofurantoin can cause hemolysis; fava beans are avoided",
     "CPIC guideline for G6PD, 2022"),
    ("bleeding_disorder", "Von Willebrand disease", "D68.00", (5, 90), "hematology",
     "Aspirin and NSAIDs worsen bleeding; desmopressin or von Willebrand concentrate covers surgery",
     "ASH/ISTH/NHF/WFH guideline, 2021"),
    ("active_bleeding", "Active bleeding", "R58", (18, 98), "internal medicine",
     "Anticoagulants are stopped and reversed in major bleeding; antiplatelet drugs are reviewed",
     "ACC expert consensus on bleeding, 2020"),
    ("thrombocytopenia", "Immune thrombocytopenia", "D69.3", (16, 90), "hematology",
     "Treatment is recommended below 30,000/uL in adults; injections into muscle and NSAIDs are avoided",
     "ASH guideline, 2019"),
    ("hit", "Heparin-induced thrombocytopenia", "D75.829", (25, 95), "hematology",
     "All heparin is stopped, flushes included; argatroban, bivalirudin, fondaparinux or a DOAC is given "
     "instead",
     "ASH guideline, 2018"),
    ("bone_marrow_suppression", "Bone marrow suppression", "D61.9", (18, 90), "hematology",
     "Methotrexate, linezolid and trimethoprim deepen cytopenia; fever with neutropenia is an emergency",
     "NCCN guideline, 2023"),
    ("angioedema_history", "History of ACE inhibitor angioedema", "T78.3XXD", (35, 95), "allergy and "
        "immunology",
     "ACE inhibitors and sacubitril are contraindicated for life; angiotensin receptor blockers are used "
     "with caution",
     "ACC/AHA guideline for high blood pressure, 2017"),
    ("antiphospholipid_syndrome", "Antiphospholipid syndrome", "D68.61", (18, 80), "hematology",
     "Warfarin is preferred over direct oral anticoagulants in triple-positive disease; oestrogen is "
     "contraindicated",
     "EULAR recommendations, 2019"),
    ("immunosuppression", "Immunosuppression after kidney transplant", "D84.821", (20, 80), "nephrology",
     "Live vaccines are contraindicated; azoles and macrolides raise calcineurin inhibitor levels",
     "KDIGO guideline, transplant recipients, 2009"),
    ("systemic_infection", "Systemic infection", "B99.9", (1, 98), "infectious diseases",
     "Biologics are paused during serious infection; glucocorticoids are not stopped suddenly",
     "American College of Rheumatology guideline, 2021"),
    ("tuberculosis", "Latent tuberculosis", "Z22.7", (5, 90), "infectious diseases",
     "Latent infection is treated before TNF inhibitors; rifampin speeds the breakdown of many drugs",
     "CDC/NTCA guideline, 2020"),
    ("breast_cancer", "Breast cancer", "C50.919", (30, 90), "oncology",
     "Oestrogen is contraindicated; strong CYP2D6 inhibitors weaken tamoxifen",
     "NCCN guideline, 2023"),
    ("bladder_cancer", "Bladder cancer", "C67.9", (45, 95), "urology",
     "Pioglitazone is not used in active bladder cancer; visible blood in the urine leads to cystoscopy",
     "Pioglitazone prescribing information, 2017; AUA, 2020"),
    ("glaucoma_angle_closure", "Angle-closure glaucoma", "H40.20X0", (45, 95), "ophthalmology",
     "Anticholinergic and adrenergic drugs can set off an attack; laser iridotomy prevents it",
     "American Academy of Ophthalmology preferred practice pattern, 2020"),
    ("tendon_disorder", "Achilles tendinopathy from a fluoroquinolone", "M76.60", (25, 90), "orthopedics",
     "Fluoroquinolones are avoided after tendon injury from one of them; corticosteroids add to the risk",
     "FDA drug safety communication, fluoroquinolones, 2016"),
    ("psoriasis", "Psoriasis", "L40.9", (12, 90), "dermatology",
     "Beta blockers, lithium and antimalarials can worsen psoriasis; topical steroids and vitamin D "
     "analogues come first",
     "AAD-NPF guideline, 2020"),
    ("recent_surgery", "Recent major surgery", "Z98.890", (18, 95), "surgery",
     "Thrombolysis is contraindicated within weeks of major surgery; risk of venous thrombosis is raised for "
     "months",
     "AHA/ASA guideline, 2019; CHEST, 2021"),
    ("recent_head_trauma", "Recent head injury", "S09.90XD", (5, 95), "neurosurgery",
     "Thrombolysis is contraindicated within three months of severe head injury; anticoagulants raise the "
     "risk of bleeding",
     "AHA/ASA guideline, 2019"),
)  # fmt: skip


def _record(row: Row) -> Condition:
    key, name, icd10, age, specialty, facts, source = row
    return Condition(
        key=key,
        name=name,
        icd10=icd10,
        acute=key in ACUTE,
        sex=SEX.get(key),
        age=age,
        vitals=SIGNS.get(key, {}),
        labs=LABS.get(key, {}),
        specialty=specialty,
        teaching=tuple(f"{fact[0].upper()}{fact[1:]}." for fact in words(facts)),
        source=source,
    )


CONDITIONS = tuple(map(_record, ROWS))
