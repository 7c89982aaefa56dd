"""Chronic conditions of gut, liver and blood.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, treat, vitals, words

CONDITIONS = (
    Condition(
        key="gerd",
        name="Gastroesophageal reflux disease",
        icd10="K21.9",
        synonyms=("GERD", "acid reflux", "reflux disease"),
        acute=False,
        age=(18, 95),
        complaints=words("heartburn; burning behind the breastbone after meals"),
        symptoms=words("heartburn after meals; sour taste at night"),
        negatives=words("no trouble swallowing; no black stools; no weight loss"),
        findings=words(
            "soft abdomen",
        ),
        workup=words("Complete Blood Count; Upper Endoscopy"),
        treatments=(
            treat(
                "acid suppression",
                opt("omeprazole", 20, "oral", 1),
                opt("pantoprazole", 40, "oral", 1),
                opt("famotidine", 20, "oral", 2),
            ),
        ),
        avoid_drugs=(),
        specialty="gastroenterology",
        goes_with=words("obesity; asthma"),
        teaching=(
            "A proton pump inhibitor is taken 30 to 60 minutes before a meal for eight weeks.",
            "Trouble swallowing, bleeding, weight loss or anemia calls for endoscopy.",
            "Weight loss and a raised head of the bed relieve reflux.",
            "Omeprazole and esomeprazole weaken clopidogrel; pantoprazole hardly does.",
        ),
        source="American College of Gastroenterology guideline, 2022",
    ),
    Condition(
        key="cirrhosis",
        name="Cirrhosis of the liver",
        icd10="K74.60",
        synonyms=("liver cirrhosis", "hepatic cirrhosis"),
        acute=False,
        age=(35, 88),
        complaints=words("liver review; swollen belly"),
        symptoms=words("fatigue; easy bruising; fuller abdomen"),
        negatives=words("no confusion; no vomiting of blood; no fever"),
        findings=words("spider nevi; shifting dullness; spleen palpable"),
        labs=labs(
            alb=(3.0, 0.25, 2.4, 3.5),
            bili=(1.9, 0.4, 1.1, 3.0),
            dbili=(0.9, 0.25, 0.4, 1.6),
            inr=(1.4, 0.12, 1.2, 1.8),
            plt=(98, 18, 58, 145),
            na=(135, 2, 130, 140),
            ast=(58, 12, 36, 95),
            alt=(42, 9, 25, 70),
        ),
        unmeasured=labs(nh3=(48, 10, 30, 75), afp=(5, 1.5, 2, 9)),
        vitals=vitals(sbp=(108, 8, 92, 126), dbp=(64, 6, 52, 78)),
        workup=words(
            "Liver Function Tests; Coagulation Panel; Abdominal Ultrasound; Alpha-fetoprotein; "
            "Upper Endoscopy; Ammonia"
        ),
        treatments=(
            treat("ascites", opt("spironolactone", 100, "oral", 1)),
            treat("second diuretic", opt("furosemide", 40, "oral", 1), required=False),
            treat("prevention of encephalopathy", opt("lactulose", 20, "oral", 3, unit="g"), required=False),
        ),
        avoid_drugs=words(
            "ibuprofen; naproxen; ketorolac; diclofenac; celecoxib; diazepam; lorazepam; "
            "lisinopril; losartan; gentamicin"
        ),
        specialty="gastroenterology",
        goes_with=words("alcohol_use_disorder; diabetes_type_2"),
        teaching=(
            "Child-Pugh uses bilirubin, albumin, INR, ascites and encephalopathy.",
            "Liver ultrasound every six months looks for cancer.",
            "NSAIDs, ACE inhibitors and angiotensin receptor blockers are avoided with ascites.",
            "Acetaminophen up to 2 g a day is the safest pain reliever in cirrhosis.",
            "Spontaneous bacterial peritonitis is 250 neutrophils/uL or more in ascites.",
        ),
        source="AASLD practice guidance on ascites and varices, 2021 and 2024",
    ),
    Condition(
        key="peptic_ulcer",
        name="Peptic ulcer disease",
        icd10="K27.9",
        synonyms=("gastric ulcer", "duodenal ulcer", "stomach ulcer"),
        acute=False,
        age=(25, 92),
        complaints=words("burning stomach pain; ulcer follow-up"),
        symptoms=words("gnawing epigastric pain; relief after meals"),
        negatives=words("no black stools; no vomiting of blood; no weight loss"),
        findings=words(
            "mild epigastric tenderness",
        ),
        workup=words("Complete Blood Count; Upper Endoscopy; Stool Test"),
        treatments=(
            treat(
                "acid suppression",
                opt("pantoprazole", 40, "oral", 1),
                opt("omeprazole", 20, "oral", 1),
                opt("famotidine", 40, "oral", 1),
            ),
        ),
        avoid_drugs=words("ibuprofen; naproxen; ketorolac; diclofenac; aspirin"),
        specialty="gastroenterology",
        goes_with=words("osteoarthritis; hypertension"),
        teaching=(
            "Helicobacter pylori is looked for in every ulcer and treated when found.",
            "Eradication is confirmed four weeks after treatment and two weeks off acid suppression.",
            "A gastric ulcer is checked by endoscopy until healed.",
            "A patient who must take an NSAID after an ulcer gets a COX-2 inhibitor with a proton pump "
            "inhibitor.",
        ),
        source="ACG guidelines, NSAID ulcers 2009 and Helicobacter pylori 2024",
    ),
    Condition(
        key="iron_deficiency_anemia",
        name="Iron deficiency anemia",
        icd10="D50.9",
        synonyms=("iron-deficiency anaemia", "microcytic anemia"),
        acute=False,
        age=(12, 90),
        complaints=words("tired and pale; short of breath on stairs for months"),
        symptoms=words("fatigue; breathlessness on stairs; craving for ice"),
        negatives=words("no black stools; no weight loss; no fever"),
        findings=words("pale conjunctivae; spoon-shaped nails"),
        labs=labs(hb=(9.6, 0.7, 7.8, 11.2), mcv=(72, 3, 64, 79), rdw=(17, 1, 15, 20)),
        unmeasured=labs(
            fe=(24, 6, 10, 42), tibc=(435, 22, 385, 490), ferritin=(6, 2, 2, 11), retic=(1.0, 0.2, 0.5, 1.5)
        ),
        workup=words("Complete Blood Count; Iron Studies; Reticulocyte Count; Upper Endoscopy"),
        treatments=(treat("iron", opt("ferrous sulfate", 325, "oral", 1)),),
        specialty="hematology",
        goes_with=words(
            "gerd",
        ),
        teaching=(
            "A ferritin below 45 ng/mL with anemia means iron deficiency.",
            "Men and postmenopausal women with iron deficiency anemia are offered endoscopy of both ends.",
            "Iron once daily or every other day is absorbed as well as several doses a day.",
            "Iron binds levothyroxine, quinolones and tetracyclines; hours must lie between them.",
        ),
        source="American Gastroenterological Association guideline, 2020",
    ),
)
