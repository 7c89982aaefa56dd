"""Acute conditions of the abdomen.

[conditions.*] -> CONDITIONS

Doses are for adults unless they are per kg; the guideline stands in each `source`.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.shorthand import labs, opt, refer, treat, vitals, words

_ABDOMINAL = treat(
    "antibacterial against enteric germs",
    opt("ceftriaxone", 2000, "iv", 1, 4),
    opt("ciprofloxacin", 400, "iv", 2, 4),
    opt("aztreonam", 2000, "iv", 3, 4),
)
_ANAEROBES = treat(
    "cover of anaerobes",
    opt("metronidazole", 500, "iv", 3, 4),
    opt("clindamycin", 600, "iv", 3, 4),
)
_PAIN = treat(
    "pain relief",
    opt("morphine", 4, "iv", 4, 1),
    opt("hydromorphone", 0.5, "iv", 4, 1),
    opt("acetaminophen", 1000, "iv", 3, 1),
    required=False,
)

CONDITIONS = (
    Condition(
        key="appendicitis",
        name="Acute appendicitis",
        icd10="K35.80",
        synonyms=("appendicitis", "uncomplicated appendicitis"),
        acute=True,
        age=(5, 75),
        complaints=words(
            "pain in the lower right belly; belly pain that moved to the right; belly pain and vomiting"
        ),
        symptoms=words(
            "pain that moved from the navel to the right lower abdomen; loss of appetite; nausea; "
            "one bout of vomiting; pain on coughing"
        ),
        negatives=words("no diarrhea; no burning on urination; no jaundice; no earlier surgery"),
        findings=words(
            "tenderness at McBurney point; rebound tenderness; pain on the right when the left is pressed"
        ),
        labs=labs(wbc=(14.5, 1.8, 11.2, 20), neut=(11.8, 1.5, 8.5, 17)),
        unmeasured=labs(crp=(60, 25, 18, 150), uwbc=(4, 1.5, 0, 9), lact=(1.3, 0.3, 0.6, 2.0)),
        vitals=vitals(
            t=(37.9, 0.3, 37.3, 38.7),
            hr=(96, 7, 80, 114),
            rr=(17, 1.4, 14, 21),
            sbp=(124, 9, 106, 146),
            dbp=(76, 6, 62, 90),
            spo2=(98, 0.7, 96, 100),
            pain=(7, 1, 4, 9),
        ),
        differential=words("gastroenteritis; pyelonephritis; nephrolithiasis; bowel_obstruction"),
        workup=words(
            "Complete Blood Count; C-reactive Protein; Urinalysis; CT Abdomen; Abdominal Ultrasound; "
            "Basic Metabolic Panel"
        ),
        treatments=(_ABDOMINAL, _ANAEROBES, _PAIN),
        time_critical=(
            refer(
                4,
                "perforation follows delay; surgery is offered within 24 hours",
                "surgery",
                "general surgery",
                "pediatric surgery",
            ),
        ),
        specialty="surgery",
        urgency="emergency",
        teaching=(
            "Laparoscopic appendectomy within 24 hours is the standard for uncomplicated appendicitis.",
            "The Alvarado score counts migration of pain, anorexia, nausea, right lower quadrant tenderness, "
            "rebound, fever, leukocytosis and left shift.",
            "Ultrasound is the first image in children and pregnancy; CT is best in other adults.",
            "One dose of a broad-spectrum antibacterial is given before surgery.",
            "Antibacterials alone may be offered to selected patients without a fecalith, with a risk of "
            "recurrence.",
        ),
        source="World Society of Emergency Surgery, Jerusalem guideline, 2020",
    ),
    Condition(
        key="cholecystitis",
        name="Acute cholecystitis",
        icd10="K81.0",
        synonyms=("acute calculous cholecystitis", "gallbladder inflammation"),
        acute=True,
        age=(20, 92),
        complaints=words(
            "pain under the right ribs; upper belly pain after a fatty meal; fever and right-sided belly pain"
        ),
        symptoms=words(
            "steady pain under the right ribs for over six hours; pain into the right shoulder; "
            "nausea; fever; worse after fatty food"
        ),
        negatives=words("no chest pain; no dark urine; no diarrhea; no cough"),
        findings=words("Murphy sign positive; tenderness in the right upper quadrant; no jaundice"),
        labs=labs(
            wbc=(14.2, 1.8, 11.0, 20),
            alp=(125, 22, 85, 185),
            bili=(1.1, 0.25, 0.6, 1.8),
            alt=(48, 13, 24, 95),
            ast=(44, 12, 22, 90),
        ),
        unmeasured=labs(crp=(95, 35, 32, 220), lipase=(40, 10, 18, 70), lact=(1.3, 0.3, 0.7, 2.0)),
        vitals=vitals(
            t=(38.2, 0.3, 37.6, 39.0),
            hr=(98, 7, 82, 116),
            rr=(18, 1.5, 14, 22),
            sbp=(130, 10, 108, 156),
            dbp=(78, 7, 62, 94),
            spo2=(97, 0.8, 95, 99),
            pain=(7, 1, 4, 9),
        ),
        differential=words("pancreatitis; peptic_ulcer; pyelonephritis; nstemi"),
        workup=words(
            "Abdominal Ultrasound; Liver Function Tests; Complete Blood Count; Lipase; "
            "C-reactive Protein; ECG"
        ),
        treatments=(_ABDOMINAL, _ANAEROBES, _PAIN),
        specialty="surgery",
        urgency="urgent",
        goes_with=words("obesity; diabetes_type_2; hyperlipidemia"),
        teaching=(
            "A local sign, a systemic sign and imaging together make the diagnosis by the Tokyo guidelines.",
            "Early laparoscopic cholecystectomy, within 72 hours and at most a week of onset, is preferred.",
            "Ultrasound shows stones, a wall thicker than 4 mm, fluid around the gallbladder and a "
            "sonographic Murphy sign.",
            "Percutaneous drainage is for patients who are not fit for surgery.",
            "A bilirubin above 4 mg/dL points to a stone in the common bile duct.",
        ),
        source="Tokyo Guidelines, 2018; WSES, 2020",
    ),
    Condition(
        key="pancreatitis",
        name="Acute pancreatitis",
        icd10="K85.90",
        synonyms=("pancreatitis", "acute biliary pancreatitis", "acute alcoholic pancreatitis"),
        acute=True,
        age=(20, 88),
        complaints=words(
            "severe upper belly pain; pain going through to the back; belly pain and vomiting since the night"
        ),
        symptoms=words(
            "constant epigastric pain through to the back; vomiting; relief on leaning forward; bloating"
        ),
        negatives=words("no chest pain; no diarrhea; no black stools; no burning on urination"),
        findings=words("epigastric tenderness; reduced bowel sounds; no rebound"),
        labs=labs(wbc=(13.5, 1.9, 9.8, 19), ca=(8.5, 0.3, 7.8, 9.2), glu=(140, 22, 100, 210)),
        unmeasured=labs(
            lipase=(1300, 600, 260, 5000),
            amylase=(680, 260, 340, 2200),
            crp=(95, 40, 20, 240),
            tg=(170, 35, 90, 300),
            lact=(1.6, 0.3, 0.8, 2.4),
        ),
        vitals=vitals(
            t=(37.6, 0.3, 36.9, 38.4),
            hr=(106, 8, 88, 126),
            rr=(20, 1.8, 16, 25),
            sbp=(124, 11, 100, 150),
            dbp=(76, 7, 58, 92),
            spo2=(96, 1, 93, 99),
            pain=(8, 0.9, 6, 10),
        ),
        differential=words("cholecystitis; peptic_ulcer; nstemi; bowel_obstruction"),
        workup=words(
            "Lipase; Liver Function Tests; Abdominal Ultrasound; Complete Blood Count; "
            "Basic Metabolic Panel; Lipid Panel"
        ),
        treatments=(
            treat(
                "pain relief",
                opt("morphine", 4, "iv", 6, 2),
                opt("hydromorphone", 0.5, "iv", 6, 2),
                opt("acetaminophen", 1000, "iv", 3, 2),
            ),
            treat("antiemetic", opt("ondansetron", 4, "iv", 3, 2), required=False),
        ),
        avoid_drugs=words("ceftriaxone; meropenem; liraglutide; semaglutide; sitagliptin"),
        specialty="gastroenterology",
        urgency="urgent",
        goes_with=words("hyperlipidemia; alcohol_use_disorder; obesity"),
        teaching=(
            "Two of three make the diagnosis: typical pain, lipase above three times the upper limit, "
            "typical imaging.",
            "Moderately aggressive hydration with lactated Ringer solution is guided by repeated checks.",
            "Prophylactic antibacterials are not given, not even in severe or necrotizing disease.",
            "Eating by mouth starts within 24 to 48 hours when tolerated.",
            "ERCP within 24 hours is for pancreatitis with cholangitis; cholecystectomy follows in the same "
            "admission in mild biliary disease.",
        ),
        source="American College of Gastroenterology guideline, 2024",
    ),
    Condition(
        key="gi_bleeding",
        name="Acute upper gastrointestinal bleeding",
        icd10="K92.2",
        synonyms=(
            "upper GI bleed",
            "upper gastrointestinal bleed",
            "gastrointestinal bleeding",
            "upper gastrointestinal hemorrhage",
            "GI bleeding",
        ),
        acute=True,
        age=(25, 98),
        complaints=words("vomiting blood; black tarry stools; dizzy with black stools"),
        symptoms=words(
            "black tarry stools for two days; vomit like coffee grounds; dizziness on standing; "
            "stomach ache; painkillers for the back for two weeks"
        ),
        negatives=words("no fever; no jaundice; no chest pain; no weight loss"),
        findings=words("pale conjunctivae; epigastric tenderness; melena on rectal examination"),
        labs=labs(hb=(8.2, 0.9, 5.8, 10.2), bun=(44, 9, 28, 76), plt=(255, 40, 160, 380)),
        unmeasured=labs(lact=(2.1, 0.5, 1.2, 3.6), inr=(1.1, 0.06, 0.9, 1.2)),
        vitals=vitals(
            hr=(112, 8, 94, 134),
            sbp=(102, 7, 86, 118),
            dbp=(60, 6, 46, 74),
            rr=(19, 1.7, 15, 24),
            spo2=(97, 0.9, 95, 99),
            pain=(3, 1, 1, 6),
        ),
        differential=words("peptic_ulcer; pancreatitis; acute_kidney_injury"),
        workup=words(
            "Complete Blood Count; Basic Metabolic Panel; Coagulation Panel; Upper Endoscopy; "
            "Liver Function Tests; Lactate"
        ),
        treatments=(
            treat(
                "acid suppression", opt("pantoprazole", 80, "iv", 1, 1), opt("esomeprazole", 80, "iv", 1, 1)
            ),
            treat("prokinetic before endoscopy", opt("erythromycin", 250, "iv", 1, 1), required=False),
        ),
        avoid_drugs=words(
            "ibuprofen; naproxen; ketorolac; diclofenac; aspirin; warfarin; apixaban; "
            "rivaroxaban; dabigatran; heparin; enoxaparin; clopidogrel"
        ),
        time_critical=(
            refer(4, "endoscopy within 24 hours finds and treats the source", "gastroenterology"),
        ),
        specialty="gastroenterology",
        urgency="emergency",
        goes_with=words("osteoarthritis; hypertension; peptic_ulcer"),
        teaching=(
            "A Glasgow-Blatchford score of 0 or 1 allows care outside the hospital.",
            "Red cells are transfused below a hemoglobin of 7 g/dL, below 8 g/dL with cardiovascular "
            "disease.",
            "Endoscopy is done within 24 hours of presentation.",
            "High-dose proton pump inhibition for three days follows endoscopic treatment of a bleeding "
            "ulcer.",
            "In cirrhosis a vasoactive drug and ceftriaxone are started before endoscopy.",
        ),
        source="American College of Gastroenterology guideline, 2021",
    ),
    Condition(
        key="bowel_obstruction",
        name="Small bowel obstruction",
        icd10="K56.609",
        synonyms=("bowel obstruction", "intestinal obstruction", "mechanical ileus", "SBO"),
        acute=True,
        age=(25, 95),
        complaints=words("vomiting and swollen belly; cramping belly pain; no stool for two days"),
        symptoms=words(
            "cramping pain in waves; green vomit; swollen abdomen; no stool or wind for two days; "
            "belly surgery years ago"
        ),
        negatives=words("no fever; no diarrhea; no chest pain; no jaundice"),
        findings=words("distended tympanic abdomen; high-pitched bowel sounds; old midline scar; no rebound"),
        labs=labs(
            wbc=(11.3, 1.3, 8, 14.5), k=(3.3, 0.2, 2.8, 3.8), hco3=(29, 1.6, 26, 33), bun=(29, 6, 18, 46)
        ),
        unmeasured=labs(lact=(1.7, 0.3, 1.0, 2.4), lipase=(42, 10, 18, 90)),
        vitals=vitals(
            t=(37.2, 0.25, 36.6, 37.8),
            hr=(104, 8, 88, 122),
            sbp=(114, 9, 96, 136),
            dbp=(70, 6, 56, 84),
            rr=(19, 1.6, 15, 24),
            spo2=(97, 0.9, 94, 99),
            pain=(6, 1, 4, 9),
        ),
        differential=words("gastroenteritis; pancreatitis; appendicitis"),
        workup=words("CT Abdomen; Abdominal X-ray; Lactate; Basic Metabolic Panel; Complete Blood Count"),
        treatments=(
            treat("antiemetic without prokinetic effect", opt("ondansetron", 4, "iv", 3, 1)),
            treat("pain relief", opt("acetaminophen", 1000, "iv", 3, 1), required=False),
        ),
        avoid_drugs=words("metoclopramide; loperamide; polyethylene glycol; senna; bisacodyl; lactulose"),
        time_critical=(refer(4, "strangulation must not be missed", "surgery", "general surgery"),),
        specialty="surgery",
        urgency="emergency",
        teaching=(
            "Adhesions cause most small bowel obstructions.",
            "Peritonitis, strangulation or ischemia calls for surgery at once.",
            "Without these, decompression by tube, fluids and water-soluble contrast are tried for up to 72 "
            "hours.",
            "Metoclopramide and other prokinetics are contraindicated in mechanical obstruction.",
        ),
        source="WSES Bologna guideline for adhesive small bowel obstruction, 2018",
    ),
    Condition(
        key="acute_hepatitis",
        name="Acute viral hepatitis",
        icd10="B19.9",
        synonyms=("acute hepatitis", "viral hepatitis", "hepatitis"),
        acute=True,
        age=(8, 75),
        complaints=words("yellow eyes; tired with dark urine; nausea and yellow skin"),
        symptoms=words(
            "yellow skin; dark urine; fatigue; loss of appetite; itching; ate raw shellfish a month ago"
        ),
        negatives=words("no confusion; no vomiting of blood; no new medicine; no weight loss before"),
        findings=words("jaundice; tender liver edge; no ascites; no flapping tremor"),
        unmeasured=labs(
            alt=(1450, 450, 620, 3200),
            ast=(1150, 380, 480, 2600),
            bili=(7.2, 2, 3.5, 14),
            dbili=(4.8, 1.2, 2, 9),
            alp=(165, 28, 110, 260),
            inr=(1.1, 0.06, 0.9, 1.3),
            apap=(0, 0, 0, 0),
            alb=(3.9, 0.2, 3.4, 4.4),
        ),
        vitals=vitals(
            t=(37.5, 0.3, 36.9, 38.2),
            hr=(84, 7, 68, 102),
            sbp=(116, 8, 100, 136),
            dbp=(72, 6, 60, 86),
            rr=(16, 1.3, 13, 19),
            spo2=(98, 0.7, 96, 100),
            pain=(2, 1, 0, 5),
        ),
        differential=words("acetaminophen_overdose; cholecystitis; pancreatitis"),
        workup=words(
            "Liver Function Tests; Coagulation Panel; Acetaminophen Level; Abdominal Ultrasound; "
            "Basic Metabolic Panel"
        ),
        avoid_drugs=words("acetaminophen; methotrexate; isoniazid; valproate; amiodarone; ketoconazole"),
        specialty="gastroenterology",
        urgency="urgent",
        teaching=(
            "Acute liver failure means an INR of 1.5 or more with encephalopathy in a patient without "
            "earlier liver disease.",
            "Hepatitis A and E need supportive care; acute hepatitis C is treated like chronic infection.",
            "An acetaminophen level is measured in every patient with acute hepatitis.",
            "Household contacts of hepatitis A are vaccinated within two weeks of exposure.",
        ),
        source="AASLD practice guidance, hepatitis B 2018; ACG guideline for acute liver failure, 2023",
    ),
)
