"""Acute conditions of the lungs, and anaphylaxis.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, treat, vitals, words

CONDITIONS = (
    Condition(
        key="community_acquired_pneumonia",
        name="Community-acquired pneumonia",
        icd10="J18.9",
        synonyms=("pneumonia", "CAP", "bacterial pneumonia", "lobar pneumonia"),
        acute=True,
        age=(2, 98),
        complaints=words("fever and cough; cough with chest pain; productive cough and chills"),
        symptoms=words(
            "cough with rusty sputum; fever with chills; chest pain on breathing in; "
            "breathlessness; loss of appetite; fatigue"
        ),
        negatives=words("no leg swelling; no recent hospital stay; no neck stiffness"),
        findings=words(
            "crackles over the right lower lobe; dullness to percussion over the right base; "
            "bronchial breathing"
        ),
        labs=labs(wbc=(16.0, 3.0, 11.5, 27.0), bun=(24, 6, 13, 46), na=(136, 2.5, 129, 142)),
        unmeasured=labs(
            crp=(150, 50, 55, 330),
            pct=(1.8, 1.1, 0.4, 9),
            lact=(1.7, 0.4, 0.8, 2.8),
            po2=(66, 5, 52, 76),
            pco2=(34, 2, 29, 38),
        ),
        vitals=vitals(
            t=(38.8, 0.5, 38.1, 40.2),
            hr=(106, 9, 90, 132),
            rr=(25, 3, 20, 34),
            sbp=(118, 13, 92, 150),
            dbp=(70, 8, 52, 90),
            spo2=(91, 2, 84, 94),
            pain=(4, 1.2, 1, 7),
        ),
        differential=words("copd_exacerbation; acute_heart_failure; pulmonary_embolism"),
        workup=words(
            "Chest X-ray; Complete Blood Count; Basic Metabolic Panel; Procalcitonin; "
            "Blood Culture; Sputum Culture"
        ),
        treatments=(
            treat(
                "antibacterial against pneumococci",
                opt("ceftriaxone", 2000, "iv", 1, 5),
                opt("levofloxacin", 750, "iv", 1, 5),
                opt("doxycycline", 100, "oral", 2, 7),
            ),
            treat(
                "atypical cover beside a beta-lactam",
                opt("azithromycin", 500, "oral", 1, 3),
                opt("doxycycline", 100, "oral", 2, 5),
                required=False,
            ),
        ),
        time_critical=(
            give(
                4,
                "an antibacterial within hours of the diagnosis lowers mortality",
                "ceftriaxone",
                "levofloxacin",
                "doxycycline",
                "ampicillin-sulbactam",
                "moxifloxacin",
                "azithromycin",
                "amoxicillin",
                "cefotaxime",
                "amoxicillin-clavulanate",
            ),
        ),
        specialty="pulmonology",
        urgency="urgent",
        goes_with=words("copd; diabetes_type_2; hypertension; asthma"),
        teaching=(
            "CURB-65 counts confusion, urea above 7 mmol/L (urea nitrogen above 19 mg/dL), respiratory rate "
            "of 30 or more, low blood pressure and age of 65 or more.",
            "A CURB-65 score of 0 or 1 allows treatment at home, 2 suggests admission and 3 or more means "
            "severe pneumonia.",
            "Inpatients with non-severe pneumonia get a beta-lactam plus a macrolide, or a respiratory "
            "fluoroquinolone alone.",
            "Treatment lasts at least five days and until the patient is clinically stable.",
            "Blood and sputum cultures are taken in severe pneumonia and when MRSA or Pseudomonas is "
            "suspected.",
        ),
        source="ATS/IDSA guideline for community-acquired pneumonia, 2019",
    ),
    Condition(
        key="copd_exacerbation",
        name="Acute exacerbation of COPD",
        icd10="J44.1",
        synonyms=("COPD exacerbation", "exacerbation of chronic obstructive pulmonary disease", "AECOPD"),
        acute=True,
        age=(45, 95),
        complaints=words("worsening breathlessness; more cough and sputum; wheezing worse for three days"),
        symptoms=words(
            "breathlessness worse than usual; more sputum than usual; sputum turned yellow; "
            "wheeze; chest tightness"
        ),
        negatives=words("no fever; no leg swelling; no chest pain"),
        findings=words(
            "diffuse expiratory wheeze; prolonged expiration; use of accessory muscles; barrel chest"
        ),
        labs=labs(wbc=(11.0, 1.4, 7.5, 14.5), hco3=(30, 2, 26, 35)),
        unmeasured=labs(
            pco2=(56, 5, 46, 72),
            po2=(58, 4, 48, 66),
            crp=(28, 12, 6, 70),
            pct=(0.12, 0.05, 0.04, 0.24),
            bnp=(70, 16, 30, 99),
        ),
        vitals=vitals(
            t=(37.3, 0.3, 36.6, 37.9),
            hr=(104, 9, 84, 128),
            rr=(27, 3, 21, 36),
            sbp=(138, 14, 108, 175),
            dbp=(80, 8, 60, 100),
            spo2=(87, 2, 80, 91),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("community_acquired_pneumonia; acute_heart_failure; pulmonary_embolism"),
        workup=words("Arterial Blood Gas; Chest X-ray; ECG; Complete Blood Count; Basic Metabolic Panel"),
        treatments=(
            treat(
                "short-acting bronchodilator",
                opt("albuterol", 2.5, "inhaled", 6, 3),
                opt("ipratropium", 0.5, "inhaled", 4, 3),
            ),
            treat(
                "systemic corticosteroid",
                opt("prednisone", 40, "oral", 1, 5),
                opt("methylprednisolone", 40, "iv", 1, 5),
            ),
            treat(
                "antibacterial for purulent sputum",
                opt("doxycycline", 100, "oral", 2, 5),
                opt("azithromycin", 500, "oral", 1, 3),
                opt("amoxicillin-clavulanate", 875, "oral", 2, 5),
                required=False,
            ),
        ),
        avoid_drugs=words("propranolol; nadolol; timolol; morphine; lorazepam; diazepam"),
        time_critical=(
            give(4, "bronchodilators without delay relieve airflow obstruction", "albuterol", "ipratropium"),
        ),
        specialty="pulmonology",
        urgency="urgent",
        goes_with=words("copd; hypertension; coronary_artery_disease"),
        teaching=(
            "Oxygen is titrated to a saturation of 88 to 92 percent in exacerbations of COPD.",
            "Prednisone 40 mg daily for five days is enough.",
            "Antibacterials are given when sputum purulence increases together with dyspnea or sputum "
            "volume, or when ventilation is needed.",
            "Non-invasive ventilation is indicated when pH is at or below 7.35 with a PaCO2 of at least 45 "
            "mmHg.",
            "Non-selective beta blockers worsen bronchospasm; a cardioselective one may be continued.",
        ),
        source="GOLD report, 2024",
    ),
    Condition(
        key="asthma_exacerbation",
        name="Acute asthma exacerbation",
        icd10="J45.901",
        synonyms=("asthma attack", "acute severe asthma", "exacerbation of asthma"),
        acute=True,
        age=(4, 80),
        complaints=words("wheezing and short of breath; chest tightness with cough; inhaler no longer helps"),
        symptoms=words(
            "wheeze; breathlessness; chest tightness; cough at night; little relief from the inhaler"
        ),
        negatives=words("no fever; no hives; no leg swelling; no chest pain"),
        findings=words(
            "diffuse wheeze in both lungs; speaks in short phrases; prolonged expiration; "
            "use of accessory muscles"
        ),
        labs=labs(eos=(0.6, 0.15, 0.3, 1.2)),
        unmeasured=labs(pco2=(33, 2, 28, 38), po2=(70, 5, 58, 82)),
        vitals=vitals(
            hr=(114, 10, 92, 138),
            rr=(27, 3, 21, 36),
            spo2=(92, 1.6, 87, 95),
            sbp=(126, 11, 104, 155),
            dbp=(76, 8, 58, 95),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("anaphylaxis; community_acquired_pneumonia; pulmonary_embolism"),
        workup=words("Peak Flow; Arterial Blood Gas; Chest X-ray; Basic Metabolic Panel"),
        treatments=(
            treat("short-acting beta agonist", opt("albuterol", 2.5, "inhaled", 6, 2)),
            treat(
                "systemic corticosteroid",
                opt("prednisone", 40, "oral", 1, 5),
                opt("methylprednisolone", 40, "iv", 1, 5),
            ),
            treat(
                "anticholinergic in severe attacks", opt("ipratropium", 0.5, "inhaled", 3, 1), required=False
            ),
            treat(
                "bronchodilator of second line in severe attacks",
                opt("magnesium sulfate", 2, "iv", 1, 1, unit="g"),
                required=False,
            ),
        ),
        avoid_drugs=words("propranolol; nadolol; timolol; carvedilol; lorazepam; diazepam; morphine"),
        time_critical=(
            give(5, "an inhaled bronchodilator at once can be life-saving", "albuterol", "levalbuterol"),
            give(
                4,
                "a systemic corticosteroid within the first hour prevents admission",
                "prednisone",
                "methylprednisolone",
                "dexamethasone",
                "hydrocortisone",
            ),
        ),
        specialty="pulmonology",
        urgency="emergency",
        goes_with=words("asthma; gerd"),
        teaching=(
            "Systemic corticosteroids are given within one hour to all but the mildest attacks.",
            "A normal or rising PaCO2 in a tiring patient warns of respiratory failure.",
            "Oxygen is titrated to 93 to 95 percent in adults and 94 to 98 percent in children.",
            "Intravenous magnesium sulfate 2 g over 20 minutes is considered when first treatment fails.",
            "Sedatives are strictly avoided in an asthma attack.",
        ),
        source="GINA report, 2024",
    ),
    Condition(
        key="anaphylaxis",
        name="Anaphylaxis",
        icd10="T78.2XXA",
        synonyms=("anaphylactic shock", "anaphylactic reaction"),
        acute=True,
        age=(2, 90),
        complaints=words(
            "hives and trouble breathing; swollen lips after a meal; rash and dizziness after a sting"
        ),
        symptoms=words(
            "hives all over; swelling of lips and tongue; tight throat; wheeze; "
            "vomiting; dizziness on standing; began within minutes of eating nuts"
        ),
        negatives=words("no fever; no productive cough; no chest pain"),
        findings=words("widespread urticaria; swollen lips; wheeze in both lungs; warm flushed skin"),
        unmeasured=labs(tryptase=(26, 8, 13, 70), lact=(2.6, 0.6, 1.4, 4.5)),
        vitals=vitals(
            hr=(122, 10, 100, 148),
            sbp=(84, 6, 68, 98),
            dbp=(48, 5, 36, 60),
            rr=(26, 3, 20, 34),
            spo2=(92, 2, 86, 96),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("asthma_exacerbation; septic_shock; cellulitis"),
        workup=words("Tryptase; ECG; Basic Metabolic Panel"),
        treatments=(
            treat("first line, into the lateral thigh", opt("epinephrine", 0.5, "im", 1, 1)),
            treat(
                "H1 antihistamine for the skin",
                opt("cetirizine", 10, "oral", 1, 3),
                opt("diphenhydramine", 25, "iv", 3, 1),
                required=False,
            ),
            treat("bronchodilator for wheeze", opt("albuterol", 2.5, "inhaled", 4, 1), required=False),
        ),
        avoid_drugs=words("propranolol; metoprolol"),
        time_critical=(
            give(5, "intramuscular epinephrine is the only drug that prevents death", "epinephrine"),
        ),
        specialty="allergy and immunology",
        urgency="emergency",
        goes_with=words("asthma"),
        teaching=(
            "Epinephrine 0.01 mg/kg, at most 0.5 mg in adults, goes into the anterolateral thigh without "
            "delay.",
            "Antihistamines and corticosteroids do not replace epinephrine and do not prevent shock.",
            "Epinephrine may be repeated every 5 to 15 minutes.",
            "Glucagon helps when a beta blocker blunts the response to epinephrine.",
            "Tryptase is best drawn 15 minutes to 3 hours after onset.",
        ),
        source="Joint Task Force on Practice Parameters, anaphylaxis, 2023; WAO guidance, 2020",
    ),
)
