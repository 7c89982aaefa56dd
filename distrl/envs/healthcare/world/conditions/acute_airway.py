"""Acute conditions of ear and upper airway, and of the small child's chest.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import give, labs, opt, treat, vitals, words

CONDITIONS = (
    Condition(
        key="bronchiolitis",
        name="Acute bronchiolitis",
        icd10="J21.9",
        synonyms=("bronchiolitis", "RSV bronchiolitis", "viral bronchiolitis"),
        acute=True,
        age=(0, 1.9),
        complaints=words("runny nose and fast breathing; wheezing baby; poor feeding with cough"),
        symptoms=words("runny nose for three days; cough; fast breathing; poor feeding; noisy breathing"),
        negatives=words("no earlier wheeze; no rash; no vomiting of bile"),
        findings=words("diffuse fine crackles and wheeze; chest retractions; nasal flaring"),
        vitals=vitals(
            t=(37.8, 0.4, 37.0, 38.7),
            hr=(92, 5, 80, 105),
            rr=(23, 2, 19, 28),
            spo2=(92, 1.5, 88, 95),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("community_acquired_pneumonia; asthma_exacerbation; croup"),
        workup=words("Respiratory Viral Panel"),
        avoid_drugs=words("albuterol; prednisone; dexamethasone; azithromycin; amoxicillin; codeine"),
        specialty="pediatrics",
        urgency="urgent",
        teaching=(
            "Bronchiolitis is a clinical diagnosis; chest films and laboratory tests are not routine.",
            "Bronchodilators, corticosteroids and antibacterials are not given in typical bronchiolitis.",
            "Oxygen may be withheld while saturation stays at 90 percent or more.",
            "Care is supportive: nasal suction, hydration by tube or vein when feeding fails.",
        ),
        source="American Academy of Pediatrics, bronchiolitis guideline, 2014",
    ),
    Condition(
        key="croup",
        name="Croup",
        icd10="J05.0",
        synonyms=("acute laryngotracheitis", "viral croup", "laryngotracheobronchitis"),
        acute=True,
        age=(0.5, 6),
        complaints=words("barking cough at night; noisy breathing in; hoarse voice and cough"),
        symptoms=words(
            "barking cough; hoarse voice; harsh noise on breathing in; runny nose; worse at night"
        ),
        negatives=words("no drooling; no choking on an object; no rash"),
        findings=words("inspiratory stridor when upset; barking cough; mild chest retractions"),
        vitals=vitals(
            t=(38.0, 0.4, 37.2, 39.0),
            hr=(92, 5, 80, 106),
            rr=(20, 1.8, 16, 25),
            spo2=(97, 0.9, 94, 99),
            pain=(1, 0.8, 0, 3),
        ),
        differential=words("anaphylaxis; bronchiolitis; asthma_exacerbation"),
        workup=words("Respiratory Viral Panel"),
        treatments=(
            treat(
                "single dose corticosteroid",
                opt("dexamethasone", 0.6, "oral", 1, 1, unit="mg/kg"),
                opt("prednisone", 1, "oral", 1, 1, unit="mg/kg"),
            ),
        ),
        avoid_drugs=words("codeine; amoxicillin"),
        time_critical=(
            give(
                3,
                "a single dose of corticosteroid shortens croup of every severity",
                "dexamethasone",
                "prednisone",
            ),
        ),
        specialty="pediatrics",
        urgency="urgent",
        teaching=(
            "A single dose of dexamethasone, 0.15 to 0.6 mg/kg, is given in croup of every severity.",
            "Nebulized epinephrine is added when there is stridor at rest; the child is then watched for at "
            "least two hours.",
            "Drooling and a toxic look point to epiglottitis or bacterial tracheitis instead.",
            "Antibacterials and cough medicines have no place in croup.",
        ),
        source="Cochrane review, glucocorticoids for croup, 2023; Canadian Paediatric Society, 2017",
    ),
    Condition(
        key="streptococcal_pharyngitis",
        name="Streptococcal pharyngitis",
        icd10="J02.0",
        synonyms=("strep throat", "group A streptococcal pharyngitis", "streptococcal tonsillitis"),
        acute=True,
        age=(4, 45),
        complaints=words("sore throat and fever; pain on swallowing; sore throat without cough"),
        symptoms=words("sudden sore throat; fever; pain on swallowing; headache; swollen neck glands"),
        negatives=words("no cough; no runny nose; no hoarseness; no trouble opening the mouth"),
        findings=words("tonsils red with white exudate; tender anterior neck nodes; palatal petechiae"),
        labs=labs(wbc=(13.5, 1.6, 10.5, 18)),
        unmeasured=labs(crp=(55, 20, 18, 120)),
        vitals=vitals(
            t=(38.7, 0.35, 38.1, 39.8),
            hr=(96, 8, 80, 118),
            rr=(17, 1.5, 13, 21),
            spo2=(98, 0.7, 96, 100),
            pain=(5, 1.2, 2, 8),
        ),
        differential=words("community_acquired_pneumonia; acute_otitis_media"),
        workup=words("Throat Swab"),
        treatments=(
            treat(
                "eradication of group A streptococci",
                opt("penicillin v", 500, "oral", 2, 10),
                opt("amoxicillin", 500, "oral", 2, 10),
                opt("cephalexin", 500, "oral", 2, 10),
                opt("clindamycin", 300, "oral", 3, 10),
                opt("azithromycin", 500, "oral", 1, 5),
            ),
        ),
        avoid_drugs=words("sulfamethoxazole-trimethoprim; doxycycline; ciprofloxacin"),
        specialty="primary care",
        teaching=(
            "Penicillin or amoxicillin for ten days is the treatment of choice; resistance of group A "
            "streptococci to penicillin is unknown.",
            "Patients with a non-anaphylactic penicillin allergy get a first-generation cephalosporin for "
            "ten days.",
            "Clindamycin or a macrolide serves patients with immediate-type penicillin allergy.",
            "Testing is not recommended when cough, runny nose or hoarseness point to a virus.",
            "Sulfonamides and tetracyclines do not eradicate group A streptococci.",
        ),
        source="IDSA guideline for group A streptococcal pharyngitis, 2012",
    ),
    Condition(
        key="acute_otitis_media",
        name="Acute otitis media",
        icd10="H66.90",
        synonyms=("otitis media", "middle ear infection", "AOM"),
        acute=True,
        age=(0.5, 12),
        complaints=words("ear pain and fever; pulling at the ear; crying at night with fever"),
        symptoms=words("ear pain; fever; restless sleep; runny nose; less appetite"),
        negatives=words("no ear discharge; no neck stiffness; no swelling behind the ear"),
        findings=words("bulging red tympanic membrane; reduced movement of the eardrum"),
        vitals=vitals(
            t=(38.7, 0.4, 38.0, 39.8),
            hr=(88, 5, 76, 104),
            rr=(17, 1.5, 14, 21),
            spo2=(98, 0.7, 96, 100),
            pain=(5, 1.2, 2, 8),
        ),
        differential=words("streptococcal_pharyngitis; bacterial_meningitis"),
        treatments=(
            treat(
                "antibacterial",
                opt("amoxicillin", 45, "oral", 2, 10, unit="mg/kg"),
                opt("cefdinir", 7, "oral", 2, 10, unit="mg/kg"),
                opt("azithromycin", 10, "oral", 1, 3, unit="mg/kg"),
            ),
            treat(
                "pain relief",
                opt("acetaminophen", 15, "oral", 4, 3, unit="mg/kg"),
                opt("ibuprofen", 10, "oral", 3, 3, unit="mg/kg"),
                required=False,
            ),
        ),
        avoid_drugs=words("codeine; aspirin; ciprofloxacin; doxycycline"),
        specialty="pediatrics",
        teaching=(
            "Amoxicillin 80 to 90 mg/kg a day in two doses is the first choice.",
            "Observation for 48 to 72 hours is an option from six months on when illness is not severe and "
            "one ear is affected.",
            "Amoxicillin-clavulanate is used when amoxicillin was taken in the last 30 days or purulent "
            "conjunctivitis is present.",
            "Treatment lasts ten days below two years of age and five to seven days from six years on.",
        ),
        source="American Academy of Pediatrics, acute otitis media guideline, 2013",
    ),
)
