"""Chronic conditions of the lungs.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, vitals, words

CONDITIONS = (
    Condition(
        key="copd",
        name="Chronic obstructive pulmonary disease",
        icd10="J44.9",
        synonyms=("COPD", "chronic bronchitis", "emphysema"),
        acute=False,
        age=(45, 95),
        complaints=words("COPD review; breathless on walking uphill"),
        symptoms=words("breathlessness on hills; morning cough with clear sputum"),
        negatives=words("no fever; no chest pain; no blood in the sputum"),
        findings=words("reduced breath sounds; prolonged expiration"),
        labs=labs(hco3=(27.5, 1.2, 25, 30)),
        vitals=vitals(spo2=(93, 1, 91, 96), rr=(18, 1.4, 15, 22)),
        workup=words("Spirometry; Chest X-ray; Complete Blood Count"),
        treatments=(
            treat("long-acting bronchodilator", opt("tiotropium", 18, "inhaled", 1, unit="mcg")),
            treat("rescue inhaler", opt("albuterol", 0.18, "inhaled", 4), required=False),
        ),
        avoid_drugs=words("propranolol; nadolol; timolol"),
        specialty="pulmonology",
        goes_with=words("hypertension; coronary_artery_disease"),
        teaching=(
            "A ratio of FEV1 to FVC below 0.70 after a bronchodilator makes the diagnosis.",
            "Two long-acting bronchodilators together are the first treatment in patients with many symptoms "
            "or exacerbations.",
            "Inhaled corticosteroid is added with exacerbations and blood eosinophils of 300/uL or more.",
            "Stopping smoking is the treatment that slows the decline most.",
            "Oxygen at home is given when PaO2 is at or below 55 mmHg.",
        ),
        source="GOLD report, 2024",
    ),
    Condition(
        key="asthma",
        name="Asthma",
        icd10="J45.909",
        synonyms=("bronchial asthma",),
        acute=False,
        age=(4, 85),
        complaints=words("asthma review; wheeze with exercise"),
        symptoms=words("wheeze twice a week; cough after running"),
        negatives=words("no night waking; no fever"),
        findings=words(
            "lungs clear today",
        ),
        labs=labs(eos=(0.4, 0.1, 0.2, 0.7)),
        workup=words("Spirometry; Peak Flow; Complete Blood Count"),
        treatments=(
            treat(
                "controller",
                opt("fluticasone-salmeterol", 100, "inhaled", 2, unit="mcg"),
                opt("budesonide", 0.36, "inhaled", 2),
                opt("montelukast", 10, "oral", 1),
            ),
            treat("rescue inhaler", opt("albuterol", 0.18, "inhaled", 4), required=False),
        ),
        avoid_drugs=words("propranolol; nadolol; timolol; carvedilol; labetalol"),
        specialty="pulmonology",
        goes_with=words("gerd; obesity"),
        teaching=(
            "Treatment with a short-acting beta agonist alone is no longer recommended.",
            "Low-dose inhaled corticosteroid with formoterol as needed is the preferred reliever from 12 "
            "years on.",
            "Inhaler technique and adherence are checked before treatment is stepped up.",
            "Non-selective beta blockers can set off severe attacks.",
        ),
        source="GINA report, 2024",
    ),
)
