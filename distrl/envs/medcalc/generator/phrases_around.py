"""The words of generated notes that decide nothing: reasons for the visit, and distractors.

draws -> [phrases_around -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Cells as in `phrases.py`: training forms || held-out forms. {He}, {he}, {His}, {his} stand for the patient.
"""

from __future__ import annotations

from distrl.envs.medcalc.generator.phrases import Forms, forms

_REASONS = {  # reason for the visit -> the calculators that it fits
    "a check of kidney function | a medication review by kidney function || renal follow-up": (2, 3, 9, 40),
    "palpitations from known atrial fibrillation | newly found atrial fibrillation"
    " || atrial fibrillation on an ECG": (4, 25),
    "a routine check-up | a general health review || a yearly medical review": (5, 6, 10, 60, 61, 62),
    "abnormal calcium values | muscle cramps || a calcium value out of range": (7,),
    "sudden shortness of breath | chest pain when breathing || acute breathlessness": (8, 48),
    "dizzy spells and an abnormal ECG | a review of drugs that act on the QT interval || an ECG review": (
        11,
        56,
        57,
        58,
        59,
    ),
    "a first prenatal visit | a pregnancy check || early antenatal care": (13, 68, 69),
    "follow-up of cirrhosis | jaundice in known cirrhosis || liver clinic follow-up": (15, 23),
    "a painful leg | leg pain for two days || discomfort in one leg": (16,),
    "a preoperative assessment | clearance before an operation || assessment before surgery": (17,),
    "chest pain | chest discomfort since the morning || pain behind the breastbone": (18,),
    "raised liver enzymes | a fatty liver on ultrasound || hepatology follow-up": (19,),
    "a sore throat | painful swallowing || throat pain": (20, 33),
    "reduced consciousness | a fall from a ladder || impaired alertness": (21,),
    "poor oral intake | fasting before an elective test || inability to drink": (22,),
    "a review of anti-inflammatory treatment | a flare of joint disease || a review of steroid treatment": (
        24,
    ),
    "hyperglycemia | thirst and frequent urination || high sugar readings": (26, 30),
    "vomiting of blood | suspected upper gastrointestinal bleeding || blood in the vomit": (27,),
    "critical illness needing intensive care | admission to intensive care || intensive care treatment": (
        28,
        43,
    ),
    "community-acquired pneumonia | pneumonia || pneumonia acquired at home": (29, 45),
    "weight gain and fatigue | a metabolic review || screening of insulin resistance": (31,),
    "a geriatric assessment | a review of chronic illnesses || a review of long-term diseases": (32,),
    "an inpatient review of thrombosis prophylaxis | admission to a surgical ward || prophylaxis planning": (
        36,
    ),
    "an abnormal sodium value | weakness and thirst || a sodium value out of range": (38,),
    "suspected acid-base disorder | rapid breathing and nausea || an acid-base problem": (
        39,
        63,
        64,
        65,
        66,
        67,
    ),
    "a lipid check | cardiovascular prevention || lipid clinic review": (44, 46),
    "chronic pain | a review of pain treatment || long-standing pain": (49,),
    "suspected infection | shivering and malaise || possible sepsis": (51,),
}
REASONS: dict[int, Forms] = {i: forms(cell) for cell, ids in _REASONS.items() for i in ids}

# Laboratory results that no calculator takes: label, low, high, digits, unit.
HARMLESS_LABS = (
    ("TSH", 0.6, 3.8, 1, "mIU/L"),
    ("ferritin", 40, 220, 0, "ng/mL"),
    ("vitamin B12", 240, 700, 0, "pg/mL"),
    ("magnesium", 1.7, 2.3, 1, "mg/dL"),
    ("phosphate", 2.6, 4.4, 1, "mg/dL"),
    ("uric acid", 3.4, 6.8, 1, "mg/dL"),
    ("amylase", 30, 95, 0, "U/L"),
    ("folate", 5, 18, 0, "ng/mL"),
)
# Values beside those asked for; a vital sign is passed over where it would speak about a flag.
SPARE_LABS = (
    "sodium",
    "potassium",
    "creatinine",
    "glucose",
    "albumin",
    "hemoglobin",
    "platelets",
    "wbc",
    "alt",
    "bun",
)
SPARE_VITALS = {
    "heart_rate": (),
    "respiratory_rate": (),
    "spo2": (),
    "temperature": ("fever",),
    "systolic_bp": ("hypert", "hypot", "bp_med"),
}
EARLIER = forms(  # a value of another time; the question asks for those on admission
    "About {n} months earlier: {label} {value}. | A previous {label} ({n} months ago): {value}."
    " | Old records, now {n} months old, give {label} {value}."
    " | In an outside letter from {n} months ago,"
    " {label} is put at {value}. || {label} of {value}, noted {n} months before this visit, is on file."
)
LATER = forms(
    "After treatment, on day {n}: {label} {value}. | By day {n} of treatment the {label} had come to {value}."
    " | Control after {n} days of treatment: {label} {value}."
    " || On treatment day {n} the {label} had changed to {value}."
)

_RELATIVES = (  # sentences about others, and the parts of argument names that forbid them
    (
        "{His} sister has type 2 diabetes. | An uncle is diabetic. || A cousin has diabetes.",
        (),
    ),
    (
        "{His} grandfather died of a stroke at 88. | {His} aunt, 84, had a stroke."
        " || A great-uncle had a stroke at 90.",
        ("cvd",),
    ),
    (
        "{His} aunt had colon cancer. | A grandmother had breast cancer. || Cancer struck {his} grandfather.",
        (),
    ),
    (
        "A neighbour was recently treated for pneumonia. | {His} spouse takes warfarin."
        " || A colleague has the flu.",
        (),
    ),
    ("{His} aunt has cirrhosis. | A cousin has heart failure. || An uncle receives dialysis.", ("cvd",)),
)
RELATIVES = tuple((forms(cell), forbidden) for cell, forbidden in _RELATIVES)
SOCIAL = forms(
    "{He} works as a teacher. | {He} came with a relative. | {He} lives on the third floor."
    " | {He} enjoys gardening. | {He} speaks Spanish at home. | {His} last visit was in spring."
    " | {He} drives a bus. | {He} moved here from the coast. | {He} keeps two cats. | {He} plays chess."
    " | {He} was an engineer. || {He} arrived by bus. | {He} sings in a choir. | {He} paints."
    " | {He} has a dog."
)
CHILD_SOCIAL = forms(
    "{He} came with {his} parents. | {He} attends school nearby. | {He} has two brothers."
    " || {He} brought a favourite toy. | {He} was brought by an aunt."
)
HARMLESS_HISTORY = forms(
    "an appendectomy in childhood | migraine | seasonal allergic rhinitis | hypothyroidism | glaucoma | gout"
    " | osteoarthritis of the hands | a hernia repair years ago | restless legs | eczema | plantar fasciitis"
    " || tonsillectomy as a child | hay fever | psoriasis | tinnitus | a bunion operation long ago"
)
HARMLESS_DRUGS = forms(
    "levothyroxine 75 µg daily | vitamin D | cetirizine as needed | folic acid | latanoprost eye drops"
    " | melatonin | loratadine | calcium carbonate | allopurinol 100 mg | paracetamol as needed"
    " || biotin | a multivitamin | artificial tears | zinc tablets | saline nose spray"
)
HARMLESS_EXAM = forms(
    "a healed appendectomy scar | dry skin | normal hearing | mild hallux valgus | normal visual fields"
    " | a small lipoma of the back | a few pigmented moles | symmetric facial movement"
    " || good dental status | a faded tattoo | a small birthmark | worn-down fingernails"
)
