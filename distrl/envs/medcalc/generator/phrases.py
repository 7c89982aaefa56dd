"""The words of generated notes for quantities: labels, units, and the sentences of special ones.

draws -> [phrases -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

A cell reads "form | form || form | form": before the double bar forms of training, after it forms that only
the held-out split uses. A unit cell reads "unit:digits | unit=as written:digits": the unit as `quantity.py`
reads it, how the note writes it, and the decimals shown (-2: whole hundreds).
"""

from __future__ import annotations

from typing import NamedTuple


class Forms(NamedTuple):
    """The forms of one cell: those of training and those of the held-out split."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]

    def of(self, heldout: bool) -> tuple[str, ...]:
        return self.heldout if heldout else self.train


class Surface(NamedTuple):
    """One way to write a quantity."""

    unit: str  # as `quantity.convert` reads it
    written: str  # as the note has it
    digits: int  # decimals


class Quantity(NamedTuple):
    """How a note speaks of one quantity. `section` is a key of the styles' sections in `notes.py`."""

    section: str
    long: Forms  # in prose
    short: Forms  # in tables and terse notes
    surfaces: tuple[Surface, ...]


def forms(cell: str) -> Forms:
    """`a | b || c` as training forms (a, b) and held-out forms (c)."""
    train, heldout = cell.split("||")
    return Forms(*(tuple(form.strip() for form in half.split(" | ")) for half in (train, heldout)))


def _surfaces(cell: str) -> tuple[Surface, ...]:
    found = []
    for form in cell.split(" | "):
        unit, digits = form.rsplit(":", 1)
        key, _, written = unit.partition("=")
        found.append(Surface(key, written or key, int(digits)))
    return tuple(found)


_MONOVALENT = "mEq/L:0 | mmol/L:0 | mEq/L:0"
_CELLS = "10^9/L=×10^9/L:{d} | 10^9/L=×10³/µL:{d} | 1/uL=/µL:-2"
_CATECHOLAMINE = "ug/kg/min=µg/kg/min:2 | ug/kg/min=mcg/kg/min:2"
_PRESSURE = "mmHg=mmHg:0 | mmHg=mm Hg:0"
_QUANTITIES: dict[str, tuple[str, str, str, str]] = {
    "weight": (
        "vitals",
        "body weight | weight || measured weight",
        "Weight | Wt || Body wt",
        "kg:1 | kg:0 | lb=lb:0 | lb=pounds:1",
    ),
    "height": (
        "vitals",
        "height | body height || standing height",
        "Height | Ht || Ht (standing)",
        "cm:0 | cm:1 | m:2 | in=inches:1",
    ),
    "bmi": (
        "vitals",
        "body mass index | BMI || Quetelet index (BMI)",
        "BMI || BMI (calculated)",
        "kg/m^2=kg/m²:1 | kg/m^2=kg/m2:1",
    ),
    "heart_rate": (
        "vitals",
        "heart rate | pulse || pulse rate",
        "HR | Pulse || P",
        "beats/min=bpm:0 | beats/min:0 | beats/min=/min:0",
    ),
    "respiratory_rate": (
        "vitals",
        "respiratory rate | breathing rate || respirations",
        "RR | Resp || Resps",
        "breaths/min:0 | breaths/min=/min:0",
    ),
    "systolic_bp": (
        "vitals",
        "systolic blood pressure | systolic pressure || upper blood pressure (systolic)",
        "SBP | Systolic BP || Sys BP",
        _PRESSURE,
    ),
    "diastolic_bp": (
        "vitals",
        "diastolic blood pressure | diastolic pressure || lower blood pressure (diastolic)",
        "DBP | Diastolic BP || Dia BP",
        _PRESSURE,
    ),
    "temperature": (
        "vitals",
        "temperature | body temperature || tympanic temperature",
        "Temp | T || Temp (ear)",
        "degC=°C:1 | degF=°F:1 | degC=°C:1",
    ),
    "spo2": (
        "vitals",
        "oxygen saturation | SpO2 by pulse oximetry || pulse oximetry",
        "SpO2 | O2 sat || Sats",
        "%:0",
    ),
    "urine_output": (
        "vitals",
        "urine output | 24-hour urine volume || total diuresis",
        "UO | Urine output || Diuresis",
        "mL/day=mL/day:0 | mL/day=mL in 24 h:0 | L/day=L/day:2",
    ),
    "gcs": (
        "vitals",
        "Glasgow Coma Scale score | GCS total || summed Glasgow score",
        "GCS || GCS sum",
        ":0",
    ),
    "qt_interval": (
        "vitals",
        "QT interval | uncorrected QT interval || measured QT time",
        "QT | QT interval || QT (raw)",
        "ms:0 | ms=msec:0 | s:3",
    ),
    "sodium": ("labs", "serum sodium | sodium || plasma sodium", "Na | Sodium || Na+", _MONOVALENT),
    "urine_sodium": (
        "labs",
        "urine sodium | urinary sodium || spot urine sodium",
        "Urine Na | U-Na || Ur sodium",
        _MONOVALENT,
    ),
    "potassium": (
        "labs",
        "serum potassium | potassium || plasma potassium",
        "K | Potassium || K+",
        "mEq/L:1 | mmol/L:1",
    ),
    "chloride": ("labs", "serum chloride | chloride || plasma chloride", "Cl | Chloride || Cl-", _MONOVALENT),
    "bicarbonate": (
        "labs",
        "serum bicarbonate | bicarbonate || plasma bicarbonate",
        "HCO3 | Bicarbonate || HCO3-",
        _MONOVALENT + " | mEq/L:1",
    ),
    "creatinine": (
        "labs",
        "serum creatinine | creatinine || plasma creatinine",
        "Cr | Creatinine || SCr",
        "mg/dL:2 | mg/dL:1 | umol/L=µmol/L:0",
    ),
    "urine_creatinine": (
        "labs",
        "urine creatinine | urinary creatinine || spot urine creatinine",
        "Urine Cr | U-Cr || Ur creatinine",
        "mg/dL:0 | mmol/L:1",
    ),
    "bun": (
        "labs",
        "blood urea nitrogen | BUN || serum urea nitrogen",
        "BUN || Urea N",
        "mg/dL:0 | mmol/L:1 | mg/dL:0",
    ),
    "glucose": (
        "labs",
        "blood glucose | plasma glucose || glucose in serum",
        "Glucose | Glu || Gluc",
        "mg/dL:0 | mmol/L:1",
    ),
    "insulin": (
        "labs",
        "fasting insulin | serum insulin || basal insulin level",
        "Insulin | Fasting insulin || Ins",
        "uIU/mL=µIU/mL:1 | uIU/mL=mIU/L:1",
    ),
    "albumin": (
        "labs",
        "serum albumin | albumin || plasma albumin",
        "Albumin | Alb || ALB",
        "g/dL:1 | g/L:0 | g/dL:1",
    ),
    "calcium": (
        "labs",
        "total serum calcium | total calcium || measured calcium",
        "Ca | Calcium || Ca (total)",
        "mg/dL:1 | mmol/L:2 | mg/dL:1",
    ),
    "bilirubin": (
        "labs",
        "total bilirubin | bilirubin || serum bilirubin",
        "T bili | Bilirubin || Bili total",
        "mg/dL:1 | umol/L=µmol/L:0",
    ),
    "alt": (
        "labs",
        "alanine aminotransferase | ALT || alanine transaminase",
        "ALT | ALT (SGPT) || ALAT",
        "U/L:0 | U/L=IU/L:0",
    ),
    "ast": (
        "labs",
        "aspartate aminotransferase | AST || aspartate transaminase",
        "AST | AST (SGOT) || ASAT",
        "U/L:0 | U/L=IU/L:0",
    ),
    "total_cholesterol": (
        "labs",
        "total cholesterol | serum total cholesterol || cholesterol (total)",
        "TC | Total cholesterol || Chol total",
        "mg/dL:0 | mmol/L:2",
    ),
    "hdl": (
        "labs",
        "HDL cholesterol | high-density lipoprotein cholesterol || HDL fraction",
        "HDL | HDL-C || HDL chol",
        "mg/dL:0 | mmol/L:2",
    ),
    "triglycerides": (
        "labs",
        "triglycerides | fasting triglycerides || serum triglycerides",
        "TG | Triglycerides || Trig",
        "mg/dL:0 | mmol/L:2",
    ),
    "platelets": (
        "labs",
        "platelet count | platelets || thrombocytes",
        "Plt | Platelets || PLT count",
        _CELLS.format(d=0),
    ),
    "wbc": (
        "labs",
        "white cell count | leukocyte count || total leukocytes",
        "WBC | WCC || Leuko",
        _CELLS.format(d=1),
    ),
    "hemoglobin": (
        "labs",
        "hemoglobin | haemoglobin || hemoglobin level",
        "Hb | Hgb || HGB",
        "g/dL:1 | g/L:0 | g/dL:1",
    ),
    "hematocrit": ("labs", "hematocrit | haematocrit || packed cell volume", "Hct || PCV", "%:0 | %:1"),
    "inr": (
        "labs",
        "international normalized ratio | INR || prothrombin ratio (INR)",
        "INR || PT-INR",
        ":1 | :2",
    ),
    "ph": (
        "labs",
        "arterial pH | pH of arterial blood || blood gas pH",
        "pH | Arterial pH || ABG pH",
        ":2 | :2",
    ),
    "pao2": (
        "labs",
        "arterial oxygen tension | PaO2 || oxygen partial pressure (arterial)",
        "PaO2 || pO2 (art)",
        _PRESSURE + " | kPa:1",
    ),
    "paco2": (
        "labs",
        "arterial carbon dioxide tension | PaCO2 || carbon dioxide partial pressure (arterial)",
        "PaCO2 || pCO2 (art)",
        _PRESSURE + " | kPa:1",
    ),
    "fio2": (
        "labs",
        "inspired oxygen fraction | FiO2 || fraction of inspired oxygen",
        "FiO2 || FiO2 (set)",
        "%:0 | :2",
    ),
    "a_a_gradient": (
        "labs",
        "alveolar-arterial oxygen gradient | A-a gradient || A-a oxygen difference",
        "A-a gradient || A-a O2 diff",
        _PRESSURE,
    ),
    **{
        drug: (
            "support",
            f"{drug} | {drug} by infusion || continuous {drug}",
            f"{drug} || {drug} inf.",
            _CATECHOLAMINE,
        )
        for drug in ("dopamine", "dobutamine", "epinephrine", "norepinephrine")
    },
}
QUANTITIES = {
    name: Quantity(section, forms(long), forms(short), _surfaces(units))
    for name, (section, long, short, units) in _QUANTITIES.items()
}

PRESSURE_LONG = forms("blood pressure | arterial pressure || cuff pressure")
PRESSURE_SHORT = forms("BP | Blood pressure || BP (cuff)")
GCS_LONG = forms("Glasgow Coma Scale | GCS by components || Glasgow components")
GCS_SHORT = forms("GCS || Glasgow")
ROOM_AIR = forms(
    "The blood gas was taken on room air. | {He} was breathing room air (21% oxygen)."
    " || No oxygen was given (room air)."
)
TARGET_BMI = forms(
    "The agreed target BMI is {n} kg/m². | {He} aims at a body mass index of {n} kg/m²."
    " || Goal for the BMI: {n} kg/m²."
)
CYCLE = forms(
    "{His} menstrual cycle is regular at {n} days. | Cycles last {n} days."
    " | Cycles are somewhat irregular, {n} days on average. || Cycle length by {his} own diary: {n} days."
)
DRINKS = forms(
    "{He} drinks about {n} alcoholic beverages a week. | Alcohol: {n} drinks per week."
    " || Weekly alcoholic drinks: {n}."
)
LAST_PERIOD = forms(
    "{His} last menstrual period began on {date}. | First day of the last period: {date}."
    " || The last menses started on {date}."
)
TODAY = forms("Today is {date}. | {He} is seen on {date}. || Date of this consultation: {date}.")
PROSE_VALUE = forms("{label} {value} | {label} of {value} || {label} measured {value}")
WHO = forms(
    "a {age}-year-old {noun} | a {age}-year-old {adjective} patient | a {noun} of {age} years"
    " || a {noun} aged {age} | a {adjective} patient, age {age}"
)
WHO_BORN = forms(
    "a {noun} born on {birth} and seen on {visit}"
    " | a {adjective} patient (date of birth {birth}; visit {visit})"
    " || a {noun}, birth date {birth}, examined {visit}"
)
