"""Acute infections outside chest and brain.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, order, treat, vitals, words

CONDITIONS = (
    Condition(
        key="sepsis_urinary",
        name="Sepsis of urinary source",
        icd10="A41.9",
        synonyms=("urosepsis", "sepsis due to urinary tract infection", "sepsis"),
        acute=True,
        age=(18, 100),
        complaints=words("confusion and shaking chills; weak with fever; fever and low blood pressure"),
        symptoms=words(
            "shaking chills; new confusion; burning on urination; flank pain; little urine; great weakness"
        ),
        negatives=words("no cough; no neck stiffness; no diarrhea; no skin wound"),
        findings=words("flushed and drowsy; flank tenderness; capillary refill of four seconds"),
        labs=labs(
            wbc=(19, 3.5, 12.5, 32),
            plt=(145, 28, 82, 220),
            bun=(38, 8, 24, 68),
            hco3=(19, 1.8, 14, 22),
            ag=(16, 1.6, 13, 21),
        ),
        unmeasured=labs(
            lact=(3.6, 0.9, 2.2, 7),
            crp=(220, 50, 110, 380),
            pct=(14, 7, 3, 60),
            uwbc=(120, 45, 40, 300),
            urbc=(12, 5, 3, 30),
            inr=(1.3, 0.1, 1.1, 1.6),
        ),
        vitals=vitals(
            t=(39.1, 0.5, 38.4, 40.5),
            hr=(118, 9, 98, 142),
            rr=(26, 2.5, 22, 34),
            sbp=(92, 6, 78, 104),
            dbp=(52, 5, 40, 62),
            spo2=(94, 1.3, 90, 97),
            gcs=(14, 0.6, 12, 15),
            pain=(4, 1.2, 1, 7),
        ),
        differential=words("pyelonephritis; community_acquired_pneumonia; bacterial_meningitis"),
        workup=words(
            "Lactate; Blood Culture; Urinalysis; Urine Culture; Complete Blood Count; "
            "Basic Metabolic Panel; Liver Function Tests; Coagulation Panel; Renal Ultrasound"
        ),
        treatments=(
            treat(
                "broad antibacterial within the first hour",
                opt("ceftriaxone", 2000, "iv", 1, 7),
                opt("piperacillin-tazobactam", 4500, "iv", 3, 7),
                opt("meropenem", 1000, "iv", 3, 7),
                opt("aztreonam", 2000, "iv", 3, 7),
                opt("ciprofloxacin", 400, "iv", 2, 7),
            ),
        ),
        avoid_drugs=words("nitrofurantoin; ibuprofen; ketorolac; metformin; lisinopril; losartan"),
        time_critical=(
            give(
                5,
                "each hour without an effective antibacterial in septic shock raises mortality",
                "ceftriaxone",
                "piperacillin-tazobactam",
                "meropenem",
                "aztreonam",
                "ciprofloxacin",
                "cefepime",
                "gentamicin",
                "levofloxacin",
                "ertapenem",
            ),
            order(4, "cultures are drawn before the antibacterial", "Blood Culture", "Urine Culture"),
            order(4, "lactate shows hypoperfusion that blood pressure hides", "Lactate"),
        ),
        specialty="critical care",
        urgency="emergency",
        goes_with=words("diabetes_type_2; bph; hypertension"),
        teaching=(
            "Antibacterials are given within one hour when septic shock is present or sepsis is likely.",
            "At least 30 mL/kg of balanced crystalloid is given in the first three hours for hypoperfusion.",
            "Norepinephrine is the first vasopressor, with a target mean arterial pressure of 65 mmHg.",
            "Lactate is measured at once and again while it is raised.",
            "qSOFA is not used as the single screening tool.",
        ),
        source="Surviving Sepsis Campaign guideline, 2021",
    ),
    Condition(
        key="pyelonephritis",
        name="Acute pyelonephritis",
        icd10="N10",
        synonyms=("pyelonephritis", "kidney infection", "upper urinary tract infection"),
        acute=True,
        age=(5, 90),
        complaints=words("fever and flank pain; back pain with burning urine; chills and side pain"),
        symptoms=words("flank pain; fever with chills; burning on urination; frequent urination; nausea"),
        negatives=words("no cough; no vaginal discharge; no diarrhea; no blood in the urine"),
        findings=words("costovertebral angle tenderness on the right; soft abdomen"),
        labs=labs(wbc=(15, 2.2, 11.5, 22)),
        unmeasured=labs(
            uwbc=(90, 30, 30, 220),
            urbc=(6, 3, 1, 18),
            crp=(110, 35, 45, 230),
            pct=(1.2, 0.6, 0.3, 4),
            lact=(1.4, 0.3, 0.7, 2.0),
        ),
        vitals=vitals(
            t=(38.8, 0.4, 38.1, 40.0),
            hr=(102, 7, 88, 122),
            rr=(19, 1.6, 16, 23),
            sbp=(120, 10, 100, 145),
            dbp=(74, 7, 58, 90),
            spo2=(97, 0.9, 95, 99),
            pain=(6, 1.2, 3, 9),
        ),
        differential=words("cystitis; nephrolithiasis; appendicitis; sepsis_urinary"),
        workup=words("Urinalysis; Urine Culture; Complete Blood Count; Basic Metabolic Panel; Blood Culture"),
        treatments=(
            treat(
                "antibacterial",
                opt("ceftriaxone", 1000, "iv", 1, 7),
                opt("ciprofloxacin", 500, "oral", 2, 7),
                opt("levofloxacin", 750, "oral", 1, 5),
                opt("aztreonam", 1000, "iv", 3, 7),
            ),
        ),
        avoid_drugs=words("nitrofurantoin; fosfomycin; ketorolac"),
        time_critical=(order(3, "a urine culture before treatment guides it", "Urine Culture"),),
        specialty="internal medicine",
        urgency="urgent",
        goes_with=words("diabetes_type_2; nephrolithiasis"),
        teaching=(
            "A urine culture is taken in every patient with pyelonephritis before treatment.",
            "Nitrofurantoin and oral fosfomycin do not reach levels in the kidney that treat pyelonephritis.",
            "Fluoroquinolones are given for five to seven days, beta-lactams for seven days or more.",
            "Pregnant women with pyelonephritis are admitted and get an intravenous beta-lactam.",
            "Imaging follows when fever lasts longer than 72 hours or a stone is suspected.",
        ),
        source="IDSA guideline for uncomplicated cystitis and pyelonephritis, 2010; ACOG, 2023",
    ),
    Condition(
        key="cystitis",
        name="Acute uncomplicated cystitis",
        icd10="N30.00",
        synonyms=(
            "cystitis",
            "urinary tract infection",
            "UTI",
            "bladder infection",
            "lower urinary tract infection",
        ),
        acute=True,
        sex="female",
        age=(12, 85),
        complaints=words("burning on urination; needs to urinate all the time; painful urination"),
        symptoms=words("burning on urination; frequent urination; urgency; pain above the pubic bone"),
        negatives=words("no fever; no flank pain; no vaginal discharge; no vomiting"),
        findings=words("mild suprapubic tenderness; no costovertebral angle tenderness"),
        unmeasured=labs(uwbc=(60, 22, 18, 160), urbc=(8, 4, 1, 25)),
        vitals=vitals(
            t=(36.8, 0.2, 36.3, 37.4),
            hr=(76, 6, 62, 92),
            rr=(15, 1.3, 12, 18),
            sbp=(120, 8, 104, 140),
            dbp=(75, 6, 62, 88),
            spo2=(98, 0.7, 96, 100),
            pain=(3, 1, 1, 6),
        ),
        differential=words("pyelonephritis; nephrolithiasis"),
        workup=words("Urinalysis; Urine Culture"),
        treatments=(
            treat(
                "antibacterial",
                opt("nitrofurantoin", 100, "oral", 2, 5),
                opt("fosfomycin", 3, "oral", 1, 1, unit="g"),
                opt("cephalexin", 500, "oral", 2, 7),
            ),
        ),
        avoid_drugs=words("ciprofloxacin; levofloxacin; moxifloxacin"),
        specialty="primary care",
        goes_with=words("hypothyroidism; diabetes_type_2"),
        teaching=(
            "Nitrofurantoin for five days, fosfomycin as one dose, or trimethoprim-sulfamethoxazole for "
            "three days are first choices.",
            "Trimethoprim-sulfamethoxazole is used only where resistance is below 20 percent.",
            "Fluoroquinolones are kept for more serious infections.",
            "Nitrofurantoin is not given when creatinine clearance is below 30 mL/min, nor at term of "
            "pregnancy.",
            "Bacteriuria without symptoms is treated only in pregnancy and before urological procedures.",
        ),
        source="IDSA guideline for uncomplicated cystitis and pyelonephritis, 2010",
    ),
    Condition(
        key="cellulitis",
        name="Cellulitis of the leg",
        icd10="L03.119",
        synonyms=("cellulitis", "erysipelas", "skin infection"),
        acute=True,
        age=(3, 95),
        complaints=words("red hot leg; spreading redness of the shin; painful red skin with fever"),
        symptoms=words("spreading redness of one shin; warmth; pain; chills; a small scratch days ago"),
        negatives=words("no pus; no calf cramp; no breathlessness; no insect allergy"),
        findings=words(
            "warm tender erythema of one shin with a blurred edge; no fluctuance; fissures between the toes"
        ),
        labs=labs(wbc=(13, 1.6, 10.5, 18)),
        unmeasured=labs(crp=(75, 25, 25, 160), pct=(0.2, 0.08, 0.06, 0.45), ddimer=(520, 130, 250, 900)),
        vitals=vitals(
            t=(38.2, 0.35, 37.6, 39.2),
            hr=(92, 7, 78, 110),
            rr=(17, 1.4, 14, 21),
            sbp=(128, 11, 104, 155),
            dbp=(76, 7, 60, 92),
            spo2=(98, 0.8, 95, 100),
            pain=(5, 1.1, 2, 8),
        ),
        differential=words("deep_vein_thrombosis; gout_flare"),
        workup=words("Complete Blood Count; Basic Metabolic Panel; Wound Culture"),
        treatments=(
            treat(
                "antibacterial against streptococci and staphylococci",
                opt("cephalexin", 500, "oral", 4, 5),
                opt("cefazolin", 1000, "iv", 3, 5),
                opt("clindamycin", 300, "oral", 4, 5),
                opt("linezolid", 600, "oral", 2, 5),
            ),
        ),
        avoid_drugs=words("ciprofloxacin"),
        specialty="primary care",
        urgency="urgent",
        goes_with=words("diabetes_type_2; obesity; peripheral_artery_disease"),
        teaching=(
            "Non-purulent cellulitis is mostly streptococcal; a beta-lactam without MRSA cover is enough.",
            "Five days of treatment suffice when the skin has improved.",
            "Blood cultures are not routine; they are taken with malignancy, neutropenia, immersion injury "
            "or animal bites.",
            "Fissures between the toes are treated to prevent the next episode.",
            "Clindamycin serves patients with a severe beta-lactam allergy.",
        ),
        source="IDSA guideline for skin and soft tissue infections, 2014",
    ),
    Condition(
        key="c_difficile_infection",
        name="Clostridioides difficile infection",
        icd10="A04.72",
        synonyms=("C. difficile colitis", "Clostridioides difficile colitis", "C. diff"),
        acute=True,
        age=(18, 98),
        complaints=words(
            "watery diarrhea after antibiotics; diarrhea many times a day; cramps and loose stools"
        ),
        symptoms=words(
            "six watery stools a day; cramps in the lower abdomen; an antibiotic course last month; "
            "loss of appetite"
        ),
        negatives=words("no blood in the stool; no vomiting; no recent travel"),
        findings=words("mild diffuse abdominal tenderness; no guarding; dry mouth"),
        labs=labs(wbc=(14.0, 1.5, 11.2, 19), k=(3.4, 0.25, 2.9, 3.9), alb=(3.1, 0.25, 2.5, 3.6)),
        unmeasured=labs(crp=(70, 25, 25, 160), lact=(1.5, 0.3, 0.8, 2.0)),
        vitals=vitals(
            t=(38.0, 0.35, 37.3, 38.8),
            hr=(98, 7, 82, 116),
            sbp=(112, 9, 94, 134),
            dbp=(68, 6, 54, 82),
            rr=(18, 1.5, 14, 22),
            spo2=(97, 0.9, 95, 99),
            pain=(4, 1.1, 1, 7),
        ),
        differential=words("gastroenteritis; appendicitis; bowel_obstruction"),
        workup=words("Complete Blood Count; Basic Metabolic Panel; Lactate; CT Abdomen; Stool Test"),
        treatments=(
            treat(
                "treatment of the first episode",
                opt("vancomycin", 125, "oral", 4, 10),
                opt("metronidazole", 500, "oral", 3, 10),
            ),
        ),
        avoid_drugs=words("loperamide; clindamycin; ciprofloxacin"),
        specialty="infectious diseases",
        urgency="urgent",
        goes_with=words("gerd; hypertension; diabetes_type_2"),
        teaching=(
            "Fidaxomicin is preferred over oral vancomycin for a first episode; intravenous vancomycin does "
            "not reach the colon.",
            "Disease is severe with leukocytes of 15,000/uL or more or a creatinine above 1.5 mg/dL.",
            "The inciting antibacterial is stopped as soon as possible.",
            "Metronidazole is an alternative only in non-severe disease when the other drugs are not "
            "available.",
            "Hands are washed with soap because alcohol does not kill spores.",
        ),
        source="IDSA/SHEA guideline, focused update, 2021; IDSA/SHEA, 2017",
    ),
    Condition(
        key="gastroenteritis",
        name="Acute gastroenteritis",
        icd10="A09",
        synonyms=("viral gastroenteritis", "infectious gastroenteritis", "stomach flu"),
        acute=True,
        age=(0.3, 95),
        complaints=words("vomiting and watery stools; diarrhea since last night; vomits everything"),
        symptoms=words("watery stools; vomiting; cramps; contact with a sick person at home; thirst"),
        negatives=words(
            "no blood in the stool; no recent antibiotics; no pain on one side; no recent travel"
        ),
        findings=words("dry mouth; soft abdomen with lively bowel sounds; no guarding"),
        labs=labs(k=(3.5, 0.2, 3.0, 4.0), hco3=(20, 1.4, 17, 23)),
        unmeasured=labs(crp=(14, 6, 4, 32), lact=(1.4, 0.3, 0.7, 2.0)),
        vitals=vitals(
            t=(37.7, 0.35, 36.9, 38.5),
            hr=(96, 7, 80, 114),
            sbp=(114, 8, 98, 132),
            dbp=(70, 6, 56, 84),
            rr=(17, 1.4, 14, 21),
            spo2=(98, 0.7, 96, 100),
            pain=(3, 1, 1, 6),
        ),
        differential=words("appendicitis; c_difficile_infection; diabetic_ketoacidosis"),
        workup=words("Basic Metabolic Panel; Complete Blood Count; Stool Test"),
        treatments=(
            treat("antiemetic so that drinking works", opt("ondansetron", 4, "oral", 2, 1), required=False),
        ),
        avoid_drugs=words("ciprofloxacin; azithromycin; ibuprofen"),
        specialty="primary care",
        goes_with=words("hypertension; gerd"),
        teaching=(
            "Oral rehydration solution is the treatment of mild to moderate dehydration at every age.",
            "Antibacterials are not given for watery diarrhea without fever, blood or recent travel.",
            "Loperamide is not given to anyone below 18 years, nor with fever or bloody stools.",
            "Usual food is resumed as soon as dehydration is corrected.",
        ),
        source="IDSA guideline for infectious diarrhea, 2017",
    ),
)
