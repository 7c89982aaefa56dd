"""The questions of generated tasks: a request, the definition that counts, the form of the answer.

draws -> notes + [questions] -> GeneratedTasks -> MedCalcEnv -> rewards

A request is generic but for what is asked; a definition says what a reader could not know from the name alone
(which variant, which constants), as the calculators' docstrings do. Cells as in `phrases.py`.
"""

from __future__ import annotations

import random

from distrl.envs.clinical.calculators import Calculator, Category, Output
from distrl.envs.medcalc.generator.draws import parameters
from distrl.envs.medcalc.generator.phrases import Forms, forms
from distrl.envs.medcalc.generator.statements import may_be_silent

_REQUESTS = forms(
    "What is this patient's {what}? | Please determine the patient's {what}."
    " | Calculate the {what} of this patient."
    " | From the note, give the patient's {what}. | Work out the {what}."
    " || Which value does this patient have for the {what}? | Derive the {what} from this handover."
)
_ASKED = {  # what is asked for: training words || held-out words
    2: "creatinine clearance (Cockcroft-Gault equation) | Cockcroft-Gault creatinine clearance"
    " || CrCl by Cockcroft-Gault",
    3: "glomerular filtration rate by the CKD-EPI 2021 equation | CKD-EPI GFR || eGFR (CKD-EPI)",
    4: "CHA2DS2-VASc score | CHA2DS2-VASc score for stroke risk in atrial fibrillation"
    " || stroke risk score CHA2DS2-VASc",
    5: "mean arterial pressure | mean arterial pressure (MAP) || MAP",
    6: "body mass index | body mass index (BMI) || BMI",
    7: "calcium corrected for albumin | albumin-corrected calcium || corrected calcium",
    8: "Wells score for pulmonary embolism | score by Wells' criteria for PE || PE score of Wells",
    9: "glomerular filtration rate by the MDRD equation | MDRD GFR || eGFR (MDRD)",
    10: "ideal body weight | ideal body weight (IBW) || IBW",
    11: "corrected QT interval by Bazett's formula | QTc (Bazett) || Bazett QTc",
    13: "estimated due date | estimated date of delivery || due date",
    15: "Child-Pugh score | Child-Pugh score for cirrhosis || Child-Turcotte-Pugh points",
    16: "Wells score for deep vein thrombosis | score by Wells' criteria for DVT || DVT score of Wells",
    17: "Revised Cardiac Risk Index | Revised Cardiac Risk Index (RCRI) before surgery || RCRI",
    18: "HEART score | HEART score for major cardiac events || score HEART",
    19: "Fibrosis-4 index | FIB-4 index || FIB-4",
    20: "modified Centor score | Centor score (McIsaac) || McIsaac score",
    21: "Glasgow Coma Score | Glasgow Coma Score (GCS) || GCS sum",
    22: "maintenance fluid rate | hourly maintenance fluid || maintenance infusion rate",
    23: "MELD-Na score | MELD-Na (UNOS/OPTN) || MELD with sodium",
    24: "equivalent dose of the new corticosteroid | steroid dose after the switch"
    " || steroid dose after conversion",
    25: "HAS-BLED score | HAS-BLED score of bleeding risk || bleeding score HAS-BLED",
    26: "sodium corrected for glucose | corrected sodium in hyperglycemia || glucose-corrected sodium",
    27: "Glasgow-Blatchford bleeding score | Glasgow-Blatchford score (GBS) || Blatchford score",
    28: "APACHE II score | APACHE II points || score APACHE II",
    29: "Pneumonia Severity Index | PSI score for pneumonia || PORT/PSI points",
    30: "calculated serum osmolality | serum osmolality || osmolality by formula",
    31: "HOMA-IR | HOMA-IR index of insulin resistance || homeostatic index HOMA-IR",
    32: "Charlson Comorbidity Index | Charlson index with age || Charlson points",
    33: "FeverPAIN score | FeverPAIN score for a sore throat || score FeverPAIN",
    36: "Caprini score | Caprini score (2005) for venous thromboembolism || Caprini points",
    38: "free water deficit | deficit of free water || water deficit",
    39: "anion gap | serum anion gap || AG",
    40: "fractional excretion of sodium | fractional excretion of sodium (FENa) || FENa",
    43: "SOFA score | Sequential Organ Failure Assessment (SOFA) score || SOFA points",
    44: "LDL cholesterol | calculated LDL cholesterol || LDL by formula",
    45: "CURB-65 score | CURB-65 score of pneumonia severity || CURB-65 points",
    46: "Framingham risk of hard coronary heart disease | ten-year Framingham risk (hard coronary events)"
    " || hard coronary risk by Framingham",
    48: "number of PERC criteria | number of positive PERC criteria for pulmonary embolism || PERC count",
    49: "daily morphine milligram equivalents | total MME a day || daily MME",
    51: "number of SIRS criteria | number of SIRS criteria met || SIRS count",
    56: "corrected QT interval by Fridericia's formula | QTc (Fridericia) || Fridericia QTc",
    57: "corrected QT interval by the Framingham formula | QTc (Framingham) || Framingham QTc",
    58: "corrected QT interval by Hodges' formula | QTc (Hodges) || Hodges QTc",
    59: "corrected QT interval by Rautaharju's formula | QTc (Rautaharju) || Rautaharju QTc",
    60: "body surface area | body surface area (BSA) || BSA",
    61: "target weight | weight at the target BMI || weight aimed at",
    62: "adjusted body weight | adjusted body weight (ABW) || ABW",
    63: "delta gap | delta anion gap || rise of the anion gap (delta gap)",
    64: "delta ratio | delta-delta ratio || ratio delta/delta",
    65: "albumin-corrected anion gap | anion gap corrected for albumin || corrected AG",
    66: "albumin-corrected delta gap | delta gap corrected for albumin || corrected delta gap",
    67: "albumin-corrected delta ratio | delta ratio corrected for albumin || corrected delta ratio",
    68: "estimated date of conception | date of conception || conception date",
    69: "gestational age | gestational age today || age of the pregnancy",
}
ASKED = {i: forms(cell) for i, cell in _ASKED.items()}
_DEFINITIONS = {
    2: "Use actual weight if the BMI is below 18.5, the lower of ideal and actual weight if it is normal, and"
    " adjusted body weight (ideal plus 40% of the excess) from a BMI of 25.",
    3: "Use the creatinine equation of 2021, without race.",
    7: "Take 4 g/dL as the normal albumin.",
    9: "Use the four-variable equation with the constant 175; its race coefficient applies to"
    " Black patients.",
    10: "Use the formula of Devine (1974).",
    13: "Use Naegele's rule and adjust for the length of the cycle.",
    15: "Use the version with INR.",
    18: "A test that is not mentioned counts as normal.",
    20: "Use McIsaac's modification with age.",
    21: "A component that cannot be tested counts in full.",
    22: "Use the 4-2-1 rule.",
    23: "Use the UNOS/OPTN version of 2016 and round to a whole number.",
    24: "Use doses of equal glucocorticoid effect; the route makes no difference.",
    26: "Use the correction of Hillier (1999).",
    29: "Give the points, not the class. A temperature above 39.9 °C counts.",
    30: "Take the alcohol concentration as 0 mg/dL.",
    31: "The stated values are fasting ones.",
    32: "Include the points for age.",
    38: "The desired sodium is 140 mEq/L; a child is below 18 years, an elderly patient 65 or older.",
    43: "An organ for which nothing is stated counts as healthy.",
    44: "Use the Friedewald equation.",
    45: "A BUN above 19 mg/dL counts.",
    46: "Count myocardial infarction and coronary death within ten years.",
    49: "Use the factors of the CDC guideline of 2022 (buprenorphine 10, buccal fentanyl 0.13 per µg).",
    60: "Use the formula of Mosteller.",
    62: "Use Devine's ideal weight and 40% of the excess.",
    63: "The delta gap is here the anion gap less 12 mEq/L; leave potassium out.",
    64: "Take 12 and 24 mEq/L as normal anion gap and bicarbonate; leave potassium out.",
    65: "Take 4 g/dL as the normal albumin; leave potassium out.",
    66: "The delta gap is here the albumin-corrected anion gap less 12 mEq/L; normal albumin 4 g/dL.",
    67: "Take 12 and 24 mEq/L as normal gap and bicarbonate, 4 g/dL as normal albumin; leave potassium out.",
    68: "Count 14 days from the first day of the last period.",
}
_SILENCE = forms(
    "What is not mentioned is absent. | Take findings that are not mentioned as absent."
    " || Whatever the text leaves out is absent."
)
_ADMISSION = forms(  # of measured values alone: history is earlier, and infusions count in scores
    "Of the measured values, use those on admission."
    " | Measured values count as on admission, not earlier or later ones."
    " | Take measured values as they were when the patient was first seen."
    " || Of measured values those at arrival count, not what came before or after."
)
TIMELESS = (Category.DATE, Category.DOSAGE)  # nothing changes between admission and later
_FORMATS: dict[str, Forms] = {
    "unit": forms("Answer in {unit}. | Give the result in {unit}. | Unit: {unit}. || State it in {unit}."),
    "plain": forms("Answer with a number. | Give one number. || One number is wanted."),
    Output.INTEGER: forms(
        "Answer with a whole number. | Give the score as a whole number. || One whole number is wanted."
    ),
    Output.DATE: forms("Answer as MM/DD/YYYY. | Give the date as MM/DD/YYYY. || Date format: MM/DD/YYYY."),
    Output.WEEKS_DAYS: forms(
        "Answer as (weeks, days), such as (12 weeks, 3 days). | Give completed weeks and remaining days as"
        " (weeks, days). || Format: (weeks, days)."
    ),
}
_WRITTEN_UNITS = {"kg/m^2": "kg/m²", "m^2": "m²", "mL/min/1.73 m^2": "mL/min/1.73 m²"}


def question(calculator: Calculator, rng: random.Random, heldout: bool) -> str:
    """A question about one calculator in the words of the split."""
    form: str = calculator.output
    if calculator.output is Output.DECIMAL:
        form = "unit" if calculator.unit else "plain"
    unit = _WRITTEN_UNITS.get(calculator.unit, calculator.unit)
    parts = [
        rng.choice(_REQUESTS.of(heldout)).format(what=rng.choice(ASKED[calculator.id].of(heldout))),
        _DEFINITIONS.get(calculator.id, ""),
        rng.choice(_SILENCE.of(heldout)) if any(map(may_be_silent, parameters(calculator.id))) else "",
        "" if calculator.category in TIMELESS else rng.choice(_ADMISSION.of(heldout)),
        rng.choice(_FORMATS[form].of(heldout)).format(unit=unit),
    ]
    return " ".join(part for part in parts if part)
