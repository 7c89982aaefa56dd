"""The words of generated notes for choices, and for doses of steroids and opioids.

draws -> [phrases_choices -> statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Cells as in `phrases.py`: training forms || held-out forms. {He}, {he}, {His}, {his} stand for the patient.
"""

from __future__ import annotations

from typing import get_args

from distrl.envs.clinical.calculators.doses import Opioid
from distrl.envs.medcalc.generator.phrases import Forms, forms

# argument: (section of the note, {value: whole sentences})
_CHOICES: dict[str, tuple[str, dict[str, str]]] = {
    "chest_pain_history": (
        "symptoms",
        {
            "slightly_suspicious": "The story of the chest pain is only slightly suspicious."
            " | The pain is stabbing and little suspicious of a coronary cause."
            " || Suspicion from the story: slight.",
            "moderately_suspicious": "The story of the chest pain is moderately suspicious."
            " | The pain has typical and atypical features, so that suspicion is moderate."
            " || Suspicion from the story: moderate.",
            "highly_suspicious": "The story of the chest pain is highly suspicious."
            " | The crushing pain with sweating is highly suspicious of ischemia."
            " || Suspicion from the story: high.",
        },
    ),
    "electrocardiogram": (
        "remarks",
        {
            "normal": "The ECG is normal. | A normal electrocardiogram was recorded. || ECG: no abnormality.",
            "nonspecific_repolarization_disturbance": "The ECG shows a nonspecific"
            " repolarization disturbance."
            " | Repolarization on the ECG is disturbed in a nonspecific way."
            " || ECG: nonspecific repolarization change.",
            "significant_st_deviation": "The ECG shows significant ST deviation."
            " | There is ST depression of 2 mm in the lateral leads, a significant deviation."
            " || ECG: significant ST-segment deviation.",
        },
    ),
    "troponin": (
        "remarks",
        {
            "normal": "Troponin is within the normal limit. | The first troponin is normal."
            " || Troponin: not raised.",
            "up_to_three_times_normal": "Troponin is twice the upper limit of normal."
            " | The first troponin is raised to 2.5 times the normal limit."
            " || Troponin: 1.8 times the normal limit.",
            "over_three_times_normal": "Troponin is five times the upper limit of normal."
            " | The first troponin exceeds the normal limit more than fourfold."
            " || Troponin: 6 times the normal limit.",
        },
    ),
    "ascites": (
        "exam",
        {
            "absent": "There is no ascites. | Ascites is absent. || No fluid is found in the abdomen.",
            "slight": "There is slight ascites. | A little ascites is found by ultrasound."
            " || Slight abdominal fluid (ascites).",
            "moderate": "There is moderate ascites. | Ascites is moderate to large."
            " || Moderate abdominal fluid (ascites).",
        },
    ),
    "encephalopathy": (
        "exam",
        {
            "none": "There is no encephalopathy. | {He} shows no sign of hepatic encephalopathy."
            " || Encephalopathy: none.",
            "grade_1_2": "There is grade 2 hepatic encephalopathy."
            " | Hepatic encephalopathy of grade 1 is present."
            " || Encephalopathy: grade 1 to 2.",
            "grade_3_4": "There is grade 3 hepatic encephalopathy."
            " | Hepatic encephalopathy has reached grade 4."
            " || Encephalopathy: grade 3 to 4.",
        },
    ),
    "surgery_type": (
        "remarks",
        {
            "none": "No operation is planned. | {He} is not to be operated on. || Surgery: none intended.",
            "minor": "Minor surgery is planned. | {He} is listed for a minor operation."
            " || Surgery: minor procedure.",
            "major": "Major open surgery of more than 45 minutes is planned."
            " | {He} is listed for major open surgery."
            " || Surgery: major, open, about two hours.",
            "laparoscopic": "Laparoscopic surgery of more than 45 minutes is planned."
            " | {He} is listed for a laparoscopic operation of an hour."
            " || Surgery: laparoscopic, about 90 minutes.",
            "arthroscopic": "Arthroscopic surgery is planned. | {He} is listed for an arthroscopic operation."
            " || Surgery: arthroscopic.",
            "elective_major_lower_extremity_arthroplasty": "An elective total knee arthroplasty is planned."
            " | {He} is listed for an elective hip replacement. || Surgery: elective total hip arthroplasty.",
        },
    ),
    "mobility": (
        "remarks",
        {
            "normal": "{He} walks normally. | Mobility is normal. || {He} is fully mobile.",
            "on_bed_rest": "{He} is on bed rest, so far for a day. | Bed rest was ordered today."
            " || {He} has been on bed rest since this morning.",
            "confined_to_bed_over_72_hours": "{He} has been confined to bed for more than 72 hours."
            " | {He} has been bound to bed for five days. || {He} has not left bed for four days.",
        },
    ),
    "diabetes_stage": (
        "history",
        {
            "none_or_diet_controlled": "There is no diabetes."
            " | Diabetes is mild and controlled by diet alone."
            " || Diabetes: none that needs drugs.",
            "uncomplicated": "{He} takes metformin for uncomplicated diabetes."
            " | Diabetes is treated with tablets and uncomplicated."
            " || Diabetes: on tablets, without complications.",
            "end_organ_damage": "Diabetes has led to end-organ damage with retinopathy."
            " | {He} has diabetes with diabetic retinopathy and neuropathy."
            " || Diabetes: end-organ damage (neuropathy and retinopathy).",
        },
    ),
    "liver_disease_stage": (
        "history",
        {
            "none": "The liver is healthy. | There is no liver disease. || Liver disease: none.",
            "mild": "{He} has mild liver disease (chronic hepatitis without portal hypertension)."
            " | There is compensated cirrhosis without portal hypertension, a mild liver disease."
            " || Liver disease: mild, no portal hypertension.",
            "moderate_to_severe": "{He} has cirrhosis with portal hypertension and variceal bleeding."
            " | Liver disease is severe, with portal hypertension. || Liver disease: moderate to severe.",
        },
    ),
    "solid_tumor": (
        "history",
        {
            "none": "No solid tumor is known. | There has been no solid tumor. || Solid tumor: none.",
            "localized": "{He} has a localized colon cancer."
            " | A localized prostate or breast cancer was found last year."
            " || Solid tumor: localized (kidney).",
            "metastatic": "{He} has metastatic lung cancer. | A cancer of the bowel has spread to the bones."
            " || Solid tumor: metastatic (pancreas).",
        },
    ),
    "eye_response": (
        "exam",
        {
            "eyes_open_spontaneously": "The eyes are open spontaneously."
            " | {He} opens {his} eyes spontaneously."
            " || Eyes: open without a stimulus.",
            "eye_opening_to_verbal_command": "{He} opens {his} eyes when spoken to."
            " | The eyes open to verbal command. || Eyes: open to voice.",
            "eye_opening_to_pain": "{He} opens {his} eyes only to pain. | The eyes open to painful stimuli."
            " || Eyes: open when the nail bed is pressed.",
            "no_eye_opening": "{He} does not open {his} eyes at all. | No eye opening is obtained."
            " || Eyes: stay shut even to pain.",
            "not_testable": "Eye opening is not testable because of swelling."
            " | Swollen lids make eye opening not testable. || Eyes: not testable.",
        },
    ),
    "verbal_response": (
        "exam",
        {
            "oriented": "{He} is oriented and converses. | Speech is oriented."
            " || Speech: knows place and date.",
            "confused": "{He} answers in confused sentences. | Conversation is confused."
            " || Speech: muddled sentences.",
            "inappropriate_words": "{He} utters inappropriate words."
            " | Speech consists of inappropriate words."
            " || Speech: single words that do not fit.",
            "incomprehensible_sounds": "{He} makes incomprehensible sounds."
            " | Only incomprehensible sounds are heard. || Speech: moaning only.",
            "no_verbal_response": "There is no verbal response. | {He} makes no sound. || Speech: none.",
            "not_testable": "The verbal response is not testable."
            " | Intubation makes the verbal response not testable. || Speech: not testable.",
        },
    ),
    "motor_response": (
        "exam",
        {
            "obeys_commands": "{He} obeys commands. | Commands are followed with both hands."
            " || Movement: on request.",
            "localizes_pain": "{He} localizes pain. | The hand moves to the site of a painful stimulus."
            " || Movement: reaches for the painful spot.",
            "withdrawal_from_pain": "{He} withdraws from pain."
            " | The arm is withdrawn from a painful stimulus."
            " || Movement: pulls away from pain.",
            "flexion_to_pain": "Pain causes abnormal flexion."
            " | {He} shows flexion to pain (decorticate posture)."
            " || Movement: decorticate flexion to pain.",
            "extension_to_pain": "Pain causes extension of the arms."
            " | {He} shows extension to pain (decerebrate posture)."
            " || Movement: decerebrate extension to pain.",
            "no_motor_response": "There is no motor response. | {He} does not move to pain."
            " || Movement: none, even to pain.",
            "not_testable": "The motor response is not testable."
            " | Paralysis by drugs makes the motor response not testable. || Movement: not testable.",
        },
    ),
    "surgery": (
        "remarks",
        {
            "nonoperative": "{He} was admitted without an operation. | This is a nonoperative admission."
            " || Admission: nonoperative.",
            "emergency": "{He} was admitted after emergency surgery."
            " | An emergency operation preceded the admission. || Admission: after emergency surgery.",
            "elective": "{He} was admitted after elective surgery."
            " | An elective operation preceded the admission."
            " || Admission: after elective surgery.",
        },
    ),
}

CHOICES = {
    name: (section, {value: forms(cell) for value, cell in says.items()})
    for name, (section, says) in _CHOICES.items()
}

STEROIDS = forms(
    "{He} receives {dose} mg of {old}, to be replaced by {new}."
    " | The present dose of {dose} mg of {old} is to be"
    " switched to {new}. || The ward wants {new} in place of {dose} mg of {old}."
)
STEROID_ROUTES: dict[str, Forms] = {
    "po": forms("oral {drug} | {drug} by mouth | {drug} PO || {drug} as tablets (PO)"),
    "iv": forms("intravenous {drug} | {drug} IV || {drug} by vein (IV)"),
}
_DOSE = "{drug} {dose} {unit} {times} | {dose} {unit} of {drug} {times} || {times} {dose} {unit} of {drug}"
_PATCH = "{times} {dose} {unit} | {times} {dose} µg per hour || {times} strength {dose} {unit}"
# opioid -> (words, unit of a dose, cell)
OPIOIDS: dict[str, tuple[str, str, Forms]] = {
    **{name: (name, "mg", forms(_DOSE)) for name in get_args(Opioid) if not name.startswith("fentanyl")},
    "fentanyl_buccal": ("buccal fentanyl", "µg", forms(_DOSE)),
    "fentanyl_patch": ("", "µg/h", forms(_PATCH)),
}
TIMES = {
    1: "once a day",
    2: "twice a day",
    3: "three times a day",
    4: "four times a day",
    6: "six times a day",
}
PATCHES = {1: "a fentanyl patch of", 2: "two fentanyl patches, each of"}
