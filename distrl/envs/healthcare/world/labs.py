"""Analytes by LOINC code with their reference ranges, and the tests that can be ordered.

[lab_table] -> this module -> generator, tools, tasks, FHIR

Imaging, cultures and tracings give words, not numbers. They are orderable tests without codes (`TEXT_TESTS`);
their texts lie in `Database["extra"]["reports"]` as {patient_id: {test name: text}} and come to light when
ordered. Synthetic use only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from distrl.envs.healthcare.world.lab_table import ROWS, Span
from distrl.envs.healthcare.world.records import LabResult, Sex


@dataclass(frozen=True, kw_only=True)
class Lab:
    """One analyte. `female`, `male`: adult ranges (low, high), None is open; `usual`: healthy (mean, sd)."""

    code: str  # LOINC
    short: str
    name: str
    panel: str
    unit: str
    ucum: str
    female: Span
    male: Span
    decimals: int
    usual: tuple[float, float]
    test: str  # the orderable test that measures it


# Orders that measure one analyte, beside the panels.
_SINGLE = {
    "Magnesium": "mg", "Phosphate": "phos", "Lipase": "lipase", "Amylase": "amylase", "Ammonia": "nh3",
    "D-dimer": "ddimer", "Troponin": "trop", "BNP": "bnp", "NT-proBNP": "ntprobnp",
    "Creatine Kinase": "ck", "C-reactive Protein": "crp", "Procalcitonin": "pct",
    "Erythrocyte Sedimentation Rate": "esr", "Lactate Dehydrogenase": "ldh", "Haptoglobin": "hapto",
    "Uric Acid": "urate", "Reticulocyte Count": "retic", "Vitamin B12": "b12", "Folate": "folate",
    "Hemoglobin A1c": "a1c", "Beta-hydroxybutyrate": "bhb", "Morning Cortisol": "cortisol",
    "Parathyroid Hormone": "pth", "Vitamin D": "vitd", "Pregnancy Test": "hcg",
    "Serum Osmolality": "sosm", "Lactate": "lact", "Urine Albumin/Creatinine Ratio": "uacr",
    "Urine Sodium": "una", "Urine Osmolality": "uosm", "Acetaminophen Level": "apap",
    "Salicylate Level": "salic", "Ethanol Level": "etoh", "Digoxin Level": "dig",
    "Lithium Level": "lith", "Phenytoin Level": "phenyt", "Valproate Level": "valp",
    "Tryptase": "tryptase", "Rheumatoid Factor": "rf", "Anti-CCP Antibody": "ccp",
    "Alpha-fetoprotein": "afp",
}  # fmt: skip
_PANELS = (
    "Complete Blood Count", "Basic Metabolic Panel", "Liver Function Tests", "Coagulation Panel",
    "Arterial Blood Gas", "Urinalysis", "CSF Analysis", "Lipid Panel", "Iron Studies",
    "Thyroid Function Tests",
)  # fmt: skip
_OF_SHORT = {short: test for test, short in _SINGLE.items()}


def _lab(row: tuple[str, str, str, str, str, str, Span, Span | None, int, tuple[float, float]]) -> Lab:
    short, code, name, panel, unit, ucum, female, male, decimals, usual = row
    return Lab(
        code=code,
        short=short,
        name=name,
        panel=panel,
        unit=unit,
        ucum=ucum,
        female=female,
        male=male or female,
        decimals=decimals,
        usual=usual,
        test=_OF_SHORT.get(short, panel),
    )


LABS: dict[str, Lab] = {lab.code: lab for lab in map(_lab, ROWS)}
CODE: dict[str, str] = {lab.short: lab.code for lab in LABS.values()}  # short name -> LOINC


def _codes(panel: str) -> tuple[str, ...]:
    return tuple(lab.code for lab in LABS.values() if lab.panel == panel and lab.test == panel)


# Tests whose result is a text, by the kind of note that it becomes.
TEXT_TESTS: dict[str, str] = {
    "Blood Culture": "microbiology",
    "Urine Culture": "microbiology",
    "Sputum Culture": "microbiology",
    "CSF Culture": "microbiology",
    "Wound Culture": "microbiology",
    "Throat Swab": "microbiology",
    "Stool Test": "microbiology",
    "Respiratory Viral Panel": "microbiology",
    "Synovial Fluid Analysis": "microbiology",
    "Chest X-ray": "imaging",
    "Abdominal X-ray": "imaging",
    "Joint X-ray": "imaging",
    "CT Head": "imaging",
    "CT Chest": "imaging",
    "CT Pulmonary Angiography": "imaging",
    "CT Abdomen": "imaging",
    "CT Angiography Head and Neck": "imaging",
    "MRI Brain": "imaging",
    "Abdominal Ultrasound": "imaging",
    "Renal Ultrasound": "imaging",
    "Pelvic Ultrasound": "imaging",
    "Leg Vein Ultrasound": "imaging",
    "Carotid Ultrasound": "imaging",
    "Echocardiogram": "imaging",
    "DXA Scan": "imaging",
    "Upper Endoscopy": "imaging",
    "ECG": "imaging",
    "EEG": "imaging",
    "Spirometry": "imaging",
    "Peak Flow": "imaging",
}
TESTS: dict[str, tuple[str, ...]] = {
    **{panel: _codes(panel) for panel in _PANELS},
    "Comprehensive Metabolic Panel": (*_codes("Basic Metabolic Panel"), *_codes("Liver Function Tests")),
    **{test: (CODE[short],) for test, short in _SINGLE.items()},
    **{test: () for test in TEXT_TESTS},
}
_SYNONYMS = {
    "abg": "Arterial Blood Gas", "blood gas": "Arterial Blood Gas", "bmp": "Basic Metabolic Panel",
    "electrolytes": "Basic Metabolic Panel", "renal function": "Basic Metabolic Panel",
    "renal panel": "Basic Metabolic Panel", "creatinine": "Basic Metabolic Panel",
    "potassium": "Basic Metabolic Panel", "glucose": "Basic Metabolic Panel",
    "cbc": "Complete Blood Count", "full blood count": "Complete Blood Count",
    "fbc": "Complete Blood Count", "cmp": "Comprehensive Metabolic Panel", "lft": "Liver Function Tests",
    "lfts": "Liver Function Tests", "liver panel": "Liver Function Tests",
    "hepatic panel": "Liver Function Tests", "coagulation": "Coagulation Panel",
    "pt/inr": "Coagulation Panel", "inr": "Coagulation Panel", "ua": "Urinalysis",
    "lumbar puncture": "CSF Analysis", "csf": "CSF Analysis",
    "lumbar puncture / csf analysis": "CSF Analysis", "lipids": "Lipid Panel", "tsh": "Thyroid Function "
    "Tests", "thyroid panel": "Thyroid Function Tests", "thyroid function": "Thyroid Function Tests",
    "crp": "C-reactive Protein", "pct": "Procalcitonin", "esr": "Erythrocyte Sedimentation Rate",
    "hs-troponin": "Troponin", "high-sensitivity troponin": "Troponin", "troponin i": "Troponin",
    "ck": "Creatine Kinase", "hba1c": "Hemoglobin A1c", "a1c": "Hemoglobin A1c",
    "ketones": "Beta-hydroxybutyrate", "blood ketones": "Beta-hydroxybutyrate", "hcg": "Pregnancy Test",
    "beta-hcg": "Pregnancy Test", "urine acr": "Urine Albumin/Creatinine Ratio",
    "lactic acid": "Lactate", "paracetamol level": "Acetaminophen Level",
    "blood cultures": "Blood Culture", "cxr": "Chest X-ray", "chest radiograph": "Chest X-ray",
    "chest xray": "Chest X-ray", "head ct": "CT Head", "ct brain": "CT Head",
    "non-contrast ct head": "CT Head", "ctpa": "CT Pulmonary Angiography",
    "ct pulmonary angiogram": "CT Pulmonary Angiography", "ct abdomen and pelvis": "CT Abdomen",
    "abdominal ct": "CT Abdomen", "right upper quadrant ultrasound": "Abdominal Ultrasound",
    "ultrasound abdomen": "Abdominal Ultrasound", "leg ultrasound": "Leg Vein Ultrasound",
    "compression ultrasound": "Leg Vein Ultrasound", "venous ultrasound": "Leg Vein Ultrasound",
    "echo": "Echocardiogram", "echocardiography": "Echocardiogram", "electrocardiogram": "ECG",
    "ekg": "ECG", "12-lead ecg": "ECG", "endoscopy": "Upper Endoscopy", "egd": "Upper Endoscopy",
    "joint aspiration": "Synovial Fluid Analysis", "arthrocentesis": "Synovial Fluid Analysis",
    "peak expiratory flow": "Peak Flow", "ddimer": "D-dimer", "rheumatoid factor": "Rheumatoid Factor",
}  # fmt: skip
_BY_NAME = {**_SYNONYMS, **{test.lower(): test for test in TESTS}}
_BY_NAME |= {lab.name.lower(): lab.test for lab in LABS.values() if lab.name.lower() not in _BY_NAME}

# Children: KDIGO 2024 and Schwartz (creatinine follows height); haematology by age: Nathan and Oski 2015.
_CHILD: dict[str, tuple[tuple[float, Span], ...]] = {  # short -> (below this age in years, range)
    "cr": ((2, (0.15, 0.4)), (6, (0.2, 0.5)), (12, (0.3, 0.7)), (16, (0.4, 0.9))),
    "hb": ((0.25, (9.5, 20.0)), (2, (10.5, 13.5)), (12, (11.0, 15.5)), (18, (11.5, 16.0))),
    "hct": ((0.25, (29.0, 60.0)), (2, (32.0, 41.0)), (12, (33.0, 47.0)), (18, (35.0, 48.0))),
    "wbc": ((2, (6.0, 17.5)), (6, (5.0, 15.5)), (12, (4.5, 13.5)), (18, (4.5, 11.0))),
    "alp": ((18, (100.0, 400.0)),),
    "phos": ((1, (4.5, 7.0)), (12, (3.7, 5.8)), (18, (3.0, 5.4))),
}


def find_test(name: str) -> str | None:
    """The orderable test of that name, of a common synonym or of an analyte; None for an unknown one."""
    return _BY_NAME.get(re.sub(r"\s+", " ", name[:200]).strip().lower())


def reference_range(lab: Lab, sex: Sex, age_years: float) -> Span:
    """(low, high) in the lab's unit for that person; None is open. Children differ in a few analytes."""
    for below, span in _CHILD.get(lab.short, ()):
        if age_years < below:
            return span
    return lab.female if sex == "female" else lab.male


def result(code: str, value: float, at: str, sex: Sex, age_years: float) -> LabResult:
    """A LabResult of the table's decimals; KeyError for a code that is not in LABS."""
    lab = LABS[code]
    low, high = reference_range(lab, sex, age_years)
    rounded = round(max(0.0, value), lab.decimals) + 0.0  # no minus zero
    return {
        "code": code,
        "name": lab.name,
        "panel": lab.panel,
        "value": rounded,
        "unit": lab.unit,
        "low": low,
        "high": high,
        "at": at,
    }


def flag(lab: LabResult) -> str:
    """ "low", "high", "normal", or "no range" where both ends are open."""
    if lab["low"] is None and lab["high"] is None:
        return "no range"
    if lab["low"] is not None and lab["value"] < lab["low"]:
        return "low"
    return "high" if lab["high"] is not None and lab["value"] > lab["high"] else "normal"
