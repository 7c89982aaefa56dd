"""Scores of critical illness: consciousness, acute physiology, organ failure, inflammatory response.

[critical] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

from typing import Literal

from distrl.envs.clinical.bands import above
from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Output,
    Work,
    Worked,
    calculator,
)
from distrl.envs.clinical.calculators.inputs import (
    Age,
    AlveolarArterialGradient,
    ArterialCarbonDioxide,
    ArterialOxygen,
    ArterialPH,
    Bilirubin,
    Catecholamine,
    Creatinine,
    DiastolicBP,
    GlasgowComaScore,
    HeartRate,
    Hematocrit,
    InspiredOxygen,
    Platelets,
    Potassium,
    RespiratoryRate,
    Sodium,
    SystolicBP,
    Temperature,
    UrineOutput,
    WhiteCells,
)
from distrl.envs.clinical.calculators.points import Scale, choose, given, grade, pick, worst

EyeResponse = Literal[
    "eyes_open_spontaneously",
    "eye_opening_to_verbal_command",
    "eye_opening_to_pain",
    "no_eye_opening",
    "not_testable",
]
VerbalResponse = Literal[
    "oriented",
    "confused",
    "inappropriate_words",
    "incomprehensible_sounds",
    "no_verbal_response",
    "not_testable",
]
MotorResponse = Literal[
    "obeys_commands",
    "localizes_pain",
    "withdrawal_from_pain",
    "flexion_to_pain",
    "extension_to_pain",
    "no_motor_response",
    "not_testable",
]
Surgery = Literal["nonoperative", "emergency", "elective"]

# Teasdale G, Lancet 1974;2:81-84. "not_testable" has the full points of its component.
GCS_EYE = {
    "eyes_open_spontaneously": 4,
    "eye_opening_to_verbal_command": 3,
    "eye_opening_to_pain": 2,
    "no_eye_opening": 1,
    "not_testable": 4,
}
GCS_VERBAL = {
    "oriented": 5,
    "confused": 4,
    "inappropriate_words": 3,
    "incomprehensible_sounds": 2,
    "no_verbal_response": 1,
    "not_testable": 5,
}
GCS_MOTOR = {
    "obeys_commands": 6,
    "localizes_pain": 5,
    "withdrawal_from_pain": 4,
    "flexion_to_pain": 3,
    "extension_to_pain": 2,
    "no_motor_response": 1,
    "not_testable": 6,
}


@calculator(id=21, title="Glasgow Coma Score (GCS)", category=Category.SEVERITY, output=Output.INTEGER)
def glasgow_coma_score(
    *,
    eye_response: EyeResponse = "not_testable",
    verbal_response: VerbalResponse = "not_testable",
    motor_response: MotorResponse = "not_testable",
) -> Worked:
    """Glasgow Coma Score, 3 to 15, from the best response of each kind.

    A component that is not testable or not told has its full points, as in MedCalc-Bench; at the bedside it
    is recorded as NT and no sum is given (Teasdale 2014).
    Source: Teasdale G, Jennett B, Lancet 1974;2:81-84; Teasdale G, Maas A, Lecky F, et al., Lancet Neurol
    2014;13:844-854.
    """
    work = Work()
    choose(work, "eye_response", eye_response, GCS_EYE)
    choose(work, "verbal_response", verbal_response, GCS_VERBAL)
    choose(work, "motor_response", motor_response, GCS_MOTOR)
    return work.result(work.total("Glasgow Coma Score"))


# Knaus WA, Crit Care Med 1985;13:818-829. The printed whole-number ranges are read as half-open ones.
APACHE_AGE = Scale("age", "years", ((75, 6), (65, 5), (55, 3), (45, 2)))
APACHE_TEMPERATURE = Scale(
    "temperature", "degC", ((41, 4), (39, 3), (38.5, 1), (36, 0), (34, 1), (32, 2), (30, 3)), below=4
)
APACHE_MAP = Scale(
    "mean arterial pressure", "mmHg", ((160, 4), (130, 3), (110, 2), (70, 0), (50, 2)), below=4
)
APACHE_HEART_RATE = Scale(
    "heart rate", "beats/min", ((180, 4), (140, 3), (110, 2), (70, 0), (55, 2), (40, 3)), below=4
)
APACHE_RESPIRATORY_RATE = Scale(
    "respiratory rate", "breaths/min", ((50, 4), (35, 3), (25, 1), (12, 0), (10, 1), (6, 2)), below=4
)
APACHE_FIO2_FOR_GRADIENT = 50  # %; from here the A-a gradient counts, below it PaO2
APACHE_GRADIENT = Scale("A-a gradient", "mmHg", ((500, 4), (350, 3), (200, 2)))
APACHE_PAO2 = Scale("PaO2", "mmHg", ((above(70), 0), (above(60), 1), (55, 3)), below=4)
APACHE_PH = Scale("arterial pH", "", ((7.7, 4), (7.6, 3), (7.5, 1), (7.33, 0), (7.25, 2), (7.15, 3)), below=4)
APACHE_SODIUM = Scale(
    "sodium", "mEq/L", ((180, 4), (160, 3), (155, 2), (150, 1), (130, 0), (120, 2), (111, 3)), below=4
)
APACHE_POTASSIUM = Scale(
    "potassium", "mEq/L", ((7, 4), (6, 3), (5.5, 1), (3.5, 0), (3, 1), (2.5, 2)), below=4
)
APACHE_CREATININE = Scale("creatinine", "mg/dL", ((3.5, 4), (2, 3), (1.5, 2), (0.6, 0)), below=2)
APACHE_CREATININE_ACUTE = Scale(
    "creatinine in acute renal failure", "mg/dL", ((3.5, 8), (2, 6), (1.5, 4), (0.6, 0)), below=2
)
APACHE_HEMATOCRIT = Scale("hematocrit", "%", ((60, 4), (50, 2), (46, 1), (30, 0), (20, 2)), below=4)
APACHE_WHITE_CELLS = Scale("white cells", "10^9/L", ((40, 4), (20, 2), (15, 1), (3, 0), (1, 2)), below=4)
APACHE_CHRONIC = {"nonoperative": 5, "emergency": 5, "elective": 2}
GCS_FULL = 15


@calculator(id=28, title="APACHE II Score", category=Category.RISK, output=Output.INTEGER)
def apache_ii(
    *,
    age: Age,
    temperature: Temperature,
    systolic_bp: SystolicBP,
    diastolic_bp: DiastolicBP,
    heart_rate: HeartRate,
    respiratory_rate: RespiratoryRate,
    fio2: InspiredOxygen,
    ph: ArterialPH,
    sodium: Sodium,
    potassium: Potassium,
    creatinine: Creatinine,
    hematocrit: Hematocrit,
    wbc: WhiteCells,
    gcs: GlasgowComaScore,
    pao2: ArterialOxygen | None = None,
    a_a_gradient: AlveolarArterialGradient | None = None,
    acute_renal_failure: bool = False,
    organ_failure_or_immunocompromise: bool = False,
    surgery: Surgery = "nonoperative",
) -> Worked:
    """APACHE II score, 0 to 71, from the worst values of the first 24 hours of intensive care.

    Raises CalculatorError without `pao2` at FiO2 below 50 %, or without `a_a_gradient` from 50 %.
    Source: Knaus WA, Draper EA, Wagner DP, Zimmerman JE, Crit Care Med 1985;13:818-829. As in MedCalc-Bench,
    creatinine below 0.6 mg/dL is not doubled in acute renal failure.

    Args:
        surgery: Counts only with organ_failure_or_immunocompromise.
    """
    work = Work()
    grade(work, APACHE_AGE, age)
    if organ_failure_or_immunocompromise:
        work.points(f"organ failure or immunocompromise, {surgery}", pick("surgery", surgery, APACHE_CHRONIC))
    grade(work, APACHE_TEMPERATURE, temperature)
    grade(work, APACHE_MAP, _mean_pressure(work, systolic_bp, diastolic_bp))
    grade(work, APACHE_HEART_RATE, heart_rate)
    grade(work, APACHE_RESPIRATORY_RATE, respiratory_rate)
    _apache_oxygen(work, fio2, pao2, a_a_gradient)
    grade(work, APACHE_PH, ph)
    grade(work, APACHE_SODIUM, sodium)
    grade(work, APACHE_POTASSIUM, potassium)
    grade(work, APACHE_CREATININE_ACUTE if acute_renal_failure else APACHE_CREATININE, creatinine)
    grade(work, APACHE_HEMATOCRIT, hematocrit)
    grade(work, APACHE_WHITE_CELLS, wbc)
    coma = work.step("points for consciousness", f"{GCS_FULL} - {gcs}", GCS_FULL - gcs)
    work.points(f"Glasgow Coma Score {gcs}", coma)
    return work.result(work.total("APACHE II score"))


def _apache_oxygen(work: Work, fio2: float, pao2: float | None, gradient: float | None) -> None:
    name, scale, value = ("pao2", APACHE_PAO2, pao2)
    if fio2 >= APACHE_FIO2_FOR_GRADIENT:
        name, scale, value = ("a_a_gradient", APACHE_GRADIENT, gradient)
    if value is None:
        raise CalculatorError(f"fio2 {fio2:g} % needs {name}; give it")
    work.note(f"At FiO2 {fio2:g} % the {scale.name} counts.")
    grade(work, scale, value)


def _mean_pressure(work: Work, systolic_bp: float, diastolic_bp: float) -> float:
    return work.step(
        "MAP", f"({systolic_bp:g} + 2 * {diastolic_bp:g}) / 3", (systolic_bp + 2 * diastolic_bp) / 3, "mmHg"
    )


# Vincent JL, Intensive Care Med 1996;22:707-710.
SOFA_RATIO = Scale("PaO2/FiO2 without respiratory support", "mmHg", ((400, 0), (300, 1)), below=2)
SOFA_RATIO_SUPPORTED = Scale(
    "PaO2/FiO2 with respiratory support", "mmHg", ((400, 0), (300, 1), (200, 2), (100, 3)), below=4
)
SOFA_PLATELETS = Scale("platelets", "10^9/L", ((150, 0), (100, 1), (50, 2), (20, 3)), below=4)
SOFA_GCS = Scale("Glasgow Coma Score", "", ((15, 0), (13, 1), (10, 2), (6, 3)), below=4)
SOFA_BILIRUBIN = Scale("bilirubin", "mg/dL", ((12, 4), (6, 3), (2, 2), (1.2, 1)))
SOFA_MAP = Scale("mean arterial pressure", "mmHg", ((70, 0),), below=1)
SOFA_HYPOTENSION = ("hypotension", 1.0)
SOFA_DOPAMINE = Scale("dopamine", "ug/kg/min", ((above(15), 4), (above(5), 3), (above(0), 2)))
SOFA_DOBUTAMINE = Scale("dobutamine", "ug/kg/min", ((above(0), 2),))
SOFA_EPINEPHRINE = Scale("epinephrine", "ug/kg/min", ((above(0.1), 4), (above(0), 3)))
SOFA_NOREPINEPHRINE = Scale("norepinephrine", "ug/kg/min", ((above(0.1), 4), (above(0), 3)))
SOFA_CREATININE = Scale("creatinine", "mg/dL", ((5, 4), (3.5, 3), (2, 2), (1.2, 1)))
SOFA_URINE = Scale("urine output", "mL/day", ((500, 0), (200, 3)), below=4)


@calculator(
    id=43,
    title="Sequential Organ Failure Assessment (SOFA) Score",
    category=Category.RISK,
    output=Output.INTEGER,
)
def sofa(
    *,
    pao2: ArterialOxygen,
    fio2: InspiredOxygen,
    platelets: Platelets,
    bilirubin: Bilirubin,
    gcs: GlasgowComaScore | None = None,
    systolic_bp: SystolicBP | None = None,
    diastolic_bp: DiastolicBP | None = None,
    dopamine: Catecholamine | None = None,
    dobutamine: Catecholamine | None = None,
    epinephrine: Catecholamine | None = None,
    norepinephrine: Catecholamine | None = None,
    creatinine: Creatinine | None = None,
    urine_output: UrineOutput | None = None,
    mechanical_ventilation: bool = False,
    cpap: bool = False,
    hypotension: bool = False,
) -> Worked:
    """SOFA score, 0 to 24, of organ failure; an organ without values counts as healthy.

    Source: Vincent JL, Moreno R, Takala J, et al., Intensive Care Med 1996;22:707-710, with dobutamine and
    the catecholamine doses of its table 3; 3 and 4 respiratory points need mechanical ventilation or CPAP.

    Args:
        hypotension: Mean arterial pressure below 70 mmHg; counts only where the pressure is not given.
    """
    work = Work()
    ratio = work.step("PaO2/FiO2", f"100 * {pao2:g} / {fio2:g}", 100 * pao2 / fio2, "mmHg")
    grade(work, SOFA_RATIO_SUPPORTED if mechanical_ventilation or cpap else SOFA_RATIO, ratio)
    circulation = given(
        (SOFA_DOPAMINE, dopamine),
        (SOFA_DOBUTAMINE, dobutamine),
        (SOFA_EPINEPHRINE, epinephrine),
        (SOFA_NOREPINEPHRINE, norepinephrine),
    )
    if systolic_bp is not None and diastolic_bp is not None:
        circulation.append(SOFA_MAP.finding(_mean_pressure(work, systolic_bp, diastolic_bp)))
    elif hypotension:
        circulation.append(SOFA_HYPOTENSION)
    worst(work, circulation)
    grade(work, SOFA_GCS, gcs)
    grade(work, SOFA_BILIRUBIN, bilirubin)
    grade(work, SOFA_PLATELETS, platelets)
    worst(work, given((SOFA_CREATININE, creatinine), (SOFA_URINE, urine_output)))
    return work.result(work.total("SOFA score"))


# Bone RC, Chest 1992;101:1644-1655.
SIRS_TEMPERATURE = Scale("temperature", "degC", ((above(38), 1), (36, 0)), below=1)
SIRS_HEART_RATE = Scale("heart rate", "beats/min", ((above(90), 1),))
SIRS_RESPIRATORY_RATE = Scale("respiratory rate", "breaths/min", ((above(20), 1),))
SIRS_PACO2 = Scale("PaCO2", "mmHg", ((32, 0),), below=1)
SIRS_WHITE_CELLS = Scale("white cells", "10^9/L", ((above(12), 1), (4, 0)), below=1)


@calculator(id=51, title="SIRS Criteria", category=Category.DIAGNOSIS, output=Output.INTEGER)
def sirs_criteria(
    *,
    temperature: Temperature,
    heart_rate: HeartRate,
    respiratory_rate: RespiratoryRate,
    wbc: WhiteCells,
    paco2: ArterialCarbonDioxide | None = None,
) -> Worked:
    """Number of criteria, 0 to 4, of the systemic inflammatory response syndrome.

    Source: Bone RC, Balk RA, Cerra FB, et al., Chest 1992;101:1644-1655; without the alternative of more than
    10 % immature white cells, which MedCalc-Bench never gives.
    """
    work = Work()
    grade(work, SIRS_TEMPERATURE, temperature)
    grade(work, SIRS_HEART_RATE, heart_rate)
    worst(work, given((SIRS_RESPIRATORY_RATE, respiratory_rate), (SIRS_PACO2, paco2)))
    grade(work, SIRS_WHITE_CELLS, wbc)
    return work.result(work.total("SIRS criteria"))
