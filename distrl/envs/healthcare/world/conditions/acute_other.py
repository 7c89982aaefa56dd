"""Acute conditions of joints and pregnancy.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, refer, treat, vitals, words

CONDITIONS = (
    Condition(
        key="gout_flare",
        name="Acute gout flare",
        icd10="M10.9",
        synonyms=("gout", "acute gouty arthritis", "gout attack", "gout flare", "podagra"),
        acute=True,
        age=(30, 92),
        complaints=words("swollen painful big toe; sudden toe pain at night; red hot toe joint"),
        symptoms=words(
            "severe pain of the big toe since the night; redness; cannot bear the bed sheet; "
            "a similar attack last year"
        ),
        negatives=words("no fever; no injury; no open wound; no other joint"),
        findings=words(
            "red swollen first metatarsophalangeal joint; extreme tenderness; warm skin over the joint"
        ),
        labs=labs(wbc=(10.6, 1.1, 7.5, 13)),
        unmeasured=labs(
            urate=(9.1, 0.8, 7.5, 12), crp=(38, 14, 12, 90), esr=(38, 9, 22, 65), pct=(0.06, 0.015, 0.03, 0.1)
        ),
        vitals=vitals(
            t=(37.3, 0.25, 36.7, 37.9),
            hr=(86, 7, 70, 102),
            sbp=(138, 10, 114, 162),
            dbp=(82, 7, 66, 96),
            rr=(16, 1.3, 13, 20),
            spo2=(98, 0.7, 96, 100),
            pain=(8, 0.9, 6, 10),
        ),
        differential=words("cellulitis; rheumatoid_arthritis; deep_vein_thrombosis"),
        workup=words(
            "Uric Acid; Synovial Fluid Analysis; Basic Metabolic Panel; C-reactive Protein; Joint X-ray"
        ),
        treatments=(
            treat(
                "anti-inflammatory treatment of the flare",
                opt("colchicine", 0.6, "oral", 2, 5),
                opt("naproxen", 500, "oral", 2, 5),
                opt("prednisone", 30, "oral", 1, 5),
            ),
        ),
        avoid_drugs=words("hydrochlorothiazide; chlorthalidone"),
        specialty="rheumatology",
        goes_with=words("gout; hypertension; chronic_kidney_disease; obesity"),
        teaching=(
            "Colchicine, NSAIDs and glucocorticoids are equal first choices for a flare; the choice follows "
            "the other illnesses.",
            "Low-dose colchicine, 1.2 mg then 0.6 mg an hour later, works as well as high doses with less "
            "harm.",
            "Serum urate can be normal during a flare.",
            "Needle-shaped negatively birefringent crystals in joint fluid prove gout.",
            "Allopurinol that a patient already takes is continued through the flare.",
        ),
        source="American College of Rheumatology guideline for gout, 2020",
    ),
    Condition(
        key="preeclampsia",
        name="Preeclampsia with severe features",
        icd10="O14.10",
        synonyms=("severe preeclampsia", "pre-eclampsia", "preeclampsia"),
        acute=True,
        sex="female",
        age=(16, 46),
        complaints=words(
            "pregnant with headache and flashing lights; high blood pressure in pregnancy; pregnant with "
            "swollen face and headache"
        ),
        symptoms=words(
            "headache that will not go; flickering before the eyes; pain under the right ribs; "
            "swollen face and hands; normal movements of the child"
        ),
        negatives=words("no fever; no vaginal bleeding; no contractions; no earlier seizure"),
        findings=words("brisk reflexes; edema of face and hands; tenderness under the right ribs"),
        labs=labs(
            plt=(112, 18, 72, 145),
            cr=(1.0, 0.1, 0.8, 1.3),
            alt=(118, 35, 78, 260),
            ast=(125, 38, 82, 280),
            urate=(7.2, 0.6, 6.1, 9),
        ),
        unmeasured=labs(
            uprot=(260, 90, 110, 600),
            ldh=(420, 90, 290, 700),
            inr=(1.0, 0.04, 0.9, 1.1),
            hapto=(95, 20, 50, 150),
        ),
        vitals=vitals(
            t=(36.8, 0.2, 36.3, 37.3),
            hr=(90, 7, 74, 108),
            sbp=(171, 6, 160, 192),
            dbp=(112, 3, 104, 122),
            rr=(18, 1.4, 15, 22),
            spo2=(97, 0.8, 95, 99),
            pain=(6, 1, 3, 9),
        ),
        differential=words("hypertension; migraine_attack; cholecystitis; acute_hepatitis"),
        workup=words(
            "Complete Blood Count; Liver Function Tests; Basic Metabolic Panel; Urinalysis; Uric Acid; "
            "Lactate Dehydrogenase"
        ),
        treatments=(
            treat(
                "blood pressure within 30 to 60 minutes",
                opt("labetalol", 20, "iv", 3, 1),
                opt("hydralazine", 5, "iv", 3, 1),
                opt("nifedipine", 10, "oral", 3, 1),
            ),
            treat("prevention of seizures", opt("magnesium sulfate", 4, "iv", 1, 1, unit="g")),
        ),
        avoid_drugs=words(
            "lisinopril; losartan; ramipril; enalapril; valsartan; ergotamine; methylergonovine; ibuprofen"
        ),
        time_critical=(
            give(
                5,
                "a systolic pressure of 160 mmHg or more for 15 minutes in pregnancy is an emergency",
                "labetalol",
                "hydralazine",
                "nifedipine",
            ),
            give(5, "magnesium halves the risk of eclampsia", "magnesium sulfate"),
            refer(
                4,
                "delivery is the cure and its timing an obstetric decision",
                "obstetrics",
                "maternal-fetal medicine",
                "obstetrics and gynecology",
            ),
        ),
        specialty="obstetrics",
        urgency="emergency",
        teaching=(
            "Severe features are a pressure of 160/110 mmHg or more, platelets below 100, doubled "
            "transaminases, creatinine above 1.1 mg/dL, lung edema, new headache or visual disturbance.",
            "Intravenous labetalol or hydralazine or oral nifedipine is given within 30 to 60 minutes of "
            "confirmed severe hypertension.",
            "Magnesium sulfate 4 to 6 g, then 1 to 2 g an hour, prevents seizures.",
            "Delivery is advised from 34 weeks on with severe features.",
            "Low-dose aspirin from 12 weeks on lowers the risk in women at high risk.",
        ),
        source="ACOG Practice Bulletin 222, 2020",
    ),
)
