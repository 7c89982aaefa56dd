"""Acute venous thrombosis and embolism.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, treat, vitals, words

_ANTICOAGULATION = treat(
    "therapeutic anticoagulation",
    opt("apixaban", 10, "oral", 2, 7),
    opt("rivaroxaban", 15, "oral", 2, 21),
    opt("enoxaparin", 1, "sc", 2, 5, unit="mg/kg"),
    opt("heparin", 80, "iv", 1, 1, unit="units/kg"),
)

CONDITIONS = (
    Condition(
        key="pulmonary_embolism",
        name="Acute pulmonary embolism",
        icd10="I26.99",
        synonyms=("pulmonary embolism", "PE", "pulmonary thromboembolism"),
        acute=True,
        age=(18, 98),
        complaints=words(
            "sudden shortness of breath; chest pain on breathing in; breathlessness since yesterday"
        ),
        symptoms=words(
            "sudden breathlessness; sharp chest pain on breathing in; one swollen calf; "
            "coughing a little blood; palpitations; a long journey last week"
        ),
        negatives=words("no fever; no purulent sputum; no wheeze"),
        findings=words(
            "tachypnea with clear lungs; one calf 3 cm wider than the other; loud pulmonary second sound"
        ),
        unmeasured=labs(
            ddimer=(3600, 1500, 1100, 12000),
            trop=(30, 12, 6, 90),
            bnp=(150, 60, 40, 400),
            pco2=(31, 2, 25, 35),
            po2=(66, 5, 52, 76),
        ),
        vitals=vitals(
            t=(37.2, 0.25, 36.5, 37.8),
            hr=(112, 9, 92, 138),
            sbp=(118, 12, 94, 150),
            dbp=(74, 8, 55, 95),
            rr=(25, 3, 19, 34),
            spo2=(91, 2, 84, 95),
            pain=(5, 1.3, 2, 8),
        ),
        differential=words("community_acquired_pneumonia; nstemi; acute_heart_failure; deep_vein_thrombosis"),
        workup=words(
            "D-dimer; CT Pulmonary Angiography; ECG; Troponin; Chest X-ray; "
            "Basic Metabolic Panel; Complete Blood Count"
        ),
        treatments=(_ANTICOAGULATION,),
        avoid_drugs=words("estradiol; oral contraceptives"),
        time_critical=(
            give(
                5,
                "anticoagulation is started at once when the probability is high",
                "apixaban",
                "rivaroxaban",
                "enoxaparin",
                "heparin",
                "dabigatran",
                "edoxaban",
                "fondaparinux",
            ),
        ),
        specialty="pulmonology",
        urgency="emergency",
        goes_with=words("obesity; venous_thromboembolism; breast_cancer"),
        teaching=(
            "A Wells score above 4 means that pulmonary embolism is likely and imaging follows without "
            "D-dimer.",
            "After the age of 50 the D-dimer threshold is age times 10 ng/mL FEU when the probability is not "
            "high.",
            "Anticoagulation is started while imaging is awaited when clinical probability is intermediate "
            "or high.",
            "Systemic thrombolysis is given in high-risk embolism, that is with persistent hypotension or "
            "shock.",
            "Low-molecular-weight heparin is the anticoagulant of choice in pregnancy; direct oral "
            "anticoagulants and warfarin are avoided.",
            "Treatment lasts at least three months.",
        ),
        source="ESC guideline for acute pulmonary embolism, 2019; CHEST guideline, 2021",
    ),
    Condition(
        key="deep_vein_thrombosis",
        name="Deep vein thrombosis of the leg",
        icd10="I82.409",
        synonyms=("DVT", "deep venous thrombosis", "deep vein thrombosis"),
        acute=True,
        age=(18, 98),
        complaints=words("swollen painful leg; calf pain for three days; one leg larger than the other"),
        symptoms=words(
            "swelling of one leg; calf pain on walking; warmth of the calf; a week in bed recently"
        ),
        negatives=words("no breathlessness; no chest pain; no fever; no skin wound"),
        findings=words(
            "calf 4 cm wider than the other; pitting edema of one leg; tenderness along the deep veins"
        ),
        unmeasured=labs(ddimer=(2600, 1100, 900, 9000)),
        vitals=vitals(
            t=(37.0, 0.25, 36.3, 37.6),
            hr=(84, 8, 64, 104),
            rr=(16, 1.5, 12, 20),
            spo2=(97, 0.9, 95, 100),
            pain=(4, 1.2, 1, 7),
        ),
        differential=words("cellulitis; acute_heart_failure; pulmonary_embolism"),
        workup=words("D-dimer; Leg Vein Ultrasound; Complete Blood Count; Basic Metabolic Panel"),
        treatments=(_ANTICOAGULATION,),
        avoid_drugs=words("estradiol; oral contraceptives"),
        specialty="vascular medicine",
        urgency="urgent",
        goes_with=words("obesity; venous_thromboembolism; breast_cancer"),
        teaching=(
            "A Wells score of 2 or more makes deep vein thrombosis likely and leads straight to ultrasound.",
            "A negative D-dimer rules out thrombosis only when clinical probability is low or unlikely.",
            "Apixaban starts with 10 mg twice daily for seven days, then 5 mg twice daily.",
            "Proximal thrombosis is treated for at least three months.",
            "Low-molecular-weight heparin replaces direct oral anticoagulants in pregnancy.",
        ),
        source="CHEST guideline, antithrombotic therapy for VTE, 2021; ASH, 2020",
    ),
)
