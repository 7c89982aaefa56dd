"""Seizure, headache and meningitis.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, order, treat, vitals, words

CONDITIONS = (
    Condition(
        key="status_epilepticus",
        name="Convulsive status epilepticus",
        icd10="G40.901",
        synonyms=("status epilepticus", "prolonged seizure"),
        acute=True,
        age=(1, 90),
        complaints=words(
            "seizure that does not stop; shaking all over for ten minutes; repeated convulsions"
        ),
        symptoms=words(
            "generalized shaking for more than ten minutes; no recovery between two seizures; "
            "bitten tongue; wet clothes"
        ),
        negatives=words("no head injury; no fever; no known pregnancy problem"),
        findings=words("continuous tonic-clonic movements; unresponsive; pupils equal and reactive"),
        labs=labs(glu=(132, 18, 96, 180), hco3=(17, 2, 12, 21), ag=(17, 2, 13, 22)),
        unmeasured=labs(
            lact=(5.2, 1.4, 2.6, 10), ck=(650, 250, 220, 2500), valp=(22, 8, 5, 42), phenyt=(4.5, 1.5, 1, 8.5)
        ),
        vitals=vitals(
            t=(37.5, 0.3, 36.9, 38.0),
            hr=(124, 9, 102, 148),
            rr=(24, 3, 18, 32),
            sbp=(152, 13, 120, 185),
            dbp=(88, 8, 68, 108),
            spo2=(92, 2, 86, 96),
            gcs=(6, 1.2, 3, 8),
            pain=(0, 0, 0, 0),
        ),
        differential=words("hypoglycemia; bacterial_meningitis; hyponatremia; subarachnoid_hemorrhage"),
        workup=words(
            "Basic Metabolic Panel; CT Head; EEG; Lactate; Magnesium; Phenytoin Level; Valproate Level"
        ),
        treatments=(
            treat(
                "benzodiazepine, first line",
                opt("lorazepam", 4, "iv", 1, 1),
                opt("midazolam", 10, "im", 1, 1),
                opt("diazepam", 10, "iv", 1, 1),
            ),
            treat(
                "second-line antiseizure drug",
                opt("levetiracetam", 60, "iv", 1, 1, unit="mg/kg"),
                opt("valproate", 40, "iv", 1, 1, unit="mg/kg"),
            ),
        ),
        avoid_drugs=words("bupropion; tramadol; meperidine"),
        time_critical=(
            give(
                5,
                "a full-dose benzodiazepine within five minutes stops most seizures",
                "lorazepam",
                "midazolam",
                "diazepam",
            ),
        ),
        specialty="neurology",
        urgency="emergency",
        goes_with=words("epilepsy"),
        teaching=(
            "A convulsive seizure of five minutes or more is treated as status epilepticus.",
            "Lorazepam 0.1 mg/kg, at most 4 mg, or midazolam 10 mg into the muscle above 40 kg, is the first "
            "drug; too low a dose is the usual error.",
            "Levetiracetam 60 mg/kg, fosphenytoin 20 mg PE/kg and valproate 40 mg/kg are equally good second "
            "drugs.",
            "Glucose is measured at the bedside in every seizure.",
            "Valproate is avoided in pregnancy and in women who may become pregnant.",
        ),
        source="American Epilepsy Society guideline, 2016; ESETT trial, 2019",
    ),
    Condition(
        key="migraine_attack",
        name="Migraine attack",
        icd10="G43.909",
        synonyms=("migraine", "acute migraine", "migraine without aura"),
        acute=True,
        age=(12, 65),
        complaints=words("throbbing headache; one-sided headache with vomiting; headache as often before"),
        symptoms=words(
            "one-sided throbbing headache for hours; nausea; dislike of light; dislike of noise; "
            "worse on climbing stairs; similar attacks before"
        ),
        negatives=words("no sudden onset; no fever; no neck stiffness; no weakness; no change of vision"),
        findings=words("lies in a dark room; neck supple; normal strength and speech"),
        vitals=vitals(
            t=(36.7, 0.2, 36.2, 37.3),
            hr=(80, 8, 62, 100),
            sbp=(126, 9, 106, 148),
            dbp=(78, 6, 64, 92),
            rr=(15, 1.5, 12, 19),
            spo2=(98, 0.7, 96, 100),
            pain=(8, 1, 6, 10),
        ),
        differential=words("subarachnoid_hemorrhage; bacterial_meningitis; transient_ischemic_attack"),
        workup=words("CT Head; Basic Metabolic Panel"),
        treatments=(
            treat(
                "acute treatment",
                opt("sumatriptan", 50, "oral", 1, 1),
                opt("naproxen", 500, "oral", 2, 2),
                opt("acetaminophen", 1000, "oral", 3, 2),
            ),
            treat(
                "antiemetic",
                opt("metoclopramide", 10, "iv", 1, 1),
                opt("prochlorperazine", 10, "iv", 1, 1),
                opt("ondansetron", 4, "oral", 2, 1),
                required=False,
            ),
        ),
        avoid_drugs=words("morphine; hydromorphone; codeine; oxycodone; meperidine"),
        specialty="neurology",
        goes_with=words("migraine; anxiety; depression"),
        teaching=(
            "Triptans are contraindicated in coronary disease, stroke, peripheral artery disease and "
            "uncontrolled hypertension.",
            "Opioids are avoided because they lead to medication overuse headache.",
            "A headache that peaks within a minute, fever, neck stiffness or new neurological signs calls "
            "for imaging.",
            "Acetaminophen is the first choice in pregnancy.",
            "Triptans are taken on fewer than ten days a month.",
        ),
        source="American Headache Society consensus statement, 2021",
    ),
    Condition(
        key="bacterial_meningitis",
        name="Acute bacterial meningitis",
        icd10="G00.9",
        synonyms=("bacterial meningitis", "meningitis", "pyogenic meningitis"),
        acute=True,
        age=(2, 95),
        complaints=words("fever and headache with stiff neck; confused with high fever; headache and rash"),
        symptoms=words("headache since yesterday; fever; stiff neck; vomiting; dislike of light; drowsiness"),
        negatives=words("no head injury; no recent travel; no earlier migraine; no seizure"),
        findings=words("neck stiffness; Kernig sign positive; drowsy but rousable; no papilledema"),
        labs=labs(wbc=(20, 3.5, 13, 32), plt=(190, 40, 110, 330), glu=(128, 14, 100, 165)),
        unmeasured=labs(
            cwbc=(2400, 1100, 500, 9000),
            cprot=(260, 80, 120, 600),
            cglu=(22, 6, 8, 36),
            crbc=(4, 3, 0, 20),
            crp=(190, 55, 80, 380),
            pct=(8, 4, 1.5, 30),
            lact=(2.6, 0.7, 1.2, 4.5),
        ),
        vitals=vitals(
            t=(39.4, 0.45, 38.4, 40.6),
            hr=(116, 9, 96, 142),
            rr=(23, 2.5, 18, 30),
            sbp=(112, 11, 90, 140),
            dbp=(66, 7, 50, 84),
            spo2=(96, 1.1, 93, 99),
            gcs=(13, 1, 10, 14),
            pain=(8, 1, 6, 10),
        ),
        differential=words("subarachnoid_hemorrhage; migraine_attack; sepsis_urinary"),
        workup=words(
            "CSF Analysis; CSF Culture; Blood Culture; CT Head; Complete Blood Count; Lactate; "
            "Basic Metabolic Panel"
        ),
        treatments=(
            treat(
                "bactericidal antibacterial",
                opt("ceftriaxone", 2000, "iv", 2, 14),
                opt("meropenem", 2000, "iv", 3, 14),
                opt("moxifloxacin", 400, "iv", 1, 14),
            ),
            treat(
                "cover of resistant pneumococci",
                opt("vancomycin", 15, "iv", 2, 14, unit="mg/kg"),
                opt("linezolid", 600, "iv", 2, 14),
            ),
            treat(
                "corticosteroid with or before the first antibacterial dose",
                opt("dexamethasone", 10, "iv", 4, 4),
            ),
            treat(
                "cover of listeria from the age of 50 or with immunosuppression",
                opt("ampicillin", 2000, "iv", 6, 14),
                opt("sulfamethoxazole-trimethoprim", 5, "iv", 3, 14, unit="mg/kg"),
                required=False,
            ),
        ),
        avoid_drugs=words("azithromycin; doxycycline; cefazolin"),
        time_critical=(
            give(
                5,
                "each hour without an antibacterial raises mortality; imaging and puncture must not delay it",
                "ceftriaxone",
                "cefotaxime",
                "meropenem",
                "moxifloxacin",
                "vancomycin",
            ),
            order(
                4,
                "cultures before the antibacterial find the germ",
                "Blood Culture",
                "CSF Culture",
                "CSF Analysis",
            ),
        ),
        specialty="infectious diseases",
        urgency="emergency",
        goes_with=words("diabetes_type_2; hypertension"),
        teaching=(
            "Antibacterials are given within one hour of arrival, after blood cultures, and never wait for "
            "CT.",
            "CT before lumbar puncture is needed with focal signs, new seizures, papilledema, "
            "immunosuppression or a falling level of consciousness.",
            "Ampicillin is added from the age of 50 and in immunosuppression to cover listeria.",
            "Dexamethasone 10 mg every six hours for four days starts with or just before the first "
            "antibacterial dose.",
            "A CSF glucose below 40 percent of the blood glucose with a neutrophilic pleocytosis points to "
            "bacteria.",
        ),
        source="IDSA guideline, 2004; ESCMID guideline, 2016",
    ),
)
