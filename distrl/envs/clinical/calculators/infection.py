"""Scores of throat infection and pneumonia.

[infection] -> CALCULATORS -> MedCalc, healthcare gym. Synthetic patients, not for care.
"""

# ruff: noqa: PLR0913 - a score takes as many arguments as its instrument has items.

from __future__ import annotations

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
    ArterialOxygen,
    ArterialPH,
    DiastolicBP,
    Glucose,
    HeartRate,
    Hematocrit,
    OxygenSaturation,
    RespiratoryRate,
    Sex,
    Sodium,
    SystolicBP,
    Temperature,
    UreaNitrogen,
)
from distrl.envs.clinical.calculators.points import Flags, Scale, choose, count, given, grade, worst

# McIsaac WJ, CMAJ 1998;158:75-83.
CENTOR_YOUNGEST = 3
CENTOR_AGE = Scale("age", "years", ((45, -1), (15, 0)), below=1)
CENTOR_TEMPERATURE = Scale("temperature", "degC", ((above(38), 1),))
CENTOR_FLAGS: Flags = {"tonsillar_exudate": 1, "tender_cervical_nodes": 1}


@calculator(
    id=20,
    title="Centor Score (Modified/McIsaac) for Strep Pharyngitis",
    category=Category.SEVERITY,
    output=Output.INTEGER,
)
def centor(
    *,
    age: Age,
    temperature: Temperature,
    cough: bool = False,
    tonsillar_exudate: bool = False,
    tender_cervical_nodes: bool = False,
) -> Worked:
    """Centor score as modified by McIsaac, -1 to 5, of streptococcal pharyngitis, from age 3.

    Without word of a cough it counts as absent, which scores 1. Raises CalculatorError below age 3.
    Source: McIsaac WJ, White D, Tannenbaum D, Low DE, CMAJ 1998;158:75-83.

    Args:
        tonsillar_exudate: Exudate or swelling on the tonsils.
        tender_cervical_nodes: Tender or swollen anterior cervical lymph nodes.
    """
    if age < CENTOR_YOUNGEST:
        raise CalculatorError(f"age {age:g} years: the score holds from {CENTOR_YOUNGEST} years")
    work = Work()
    grade(work, CENTOR_AGE, age)
    grade(work, CENTOR_TEMPERATURE, temperature)
    work.points("cough present" if cough else "cough absent", 0 if cough else 1)
    count(work, CENTOR_FLAGS, locals())
    return work.result(work.total("Centor score"))


# Little P, BMJ 2013;347:f5806: one point each.
FEVERPAIN_FLAGS: Flags = {
    "fever_past_24_hours": 1,
    "no_cough_or_coryza": 1,
    "onset_within_3_days": 1,
    "purulent_tonsils": 1,
    "severe_tonsil_inflammation": 1,
}


@calculator(
    id=33,
    title="FeverPAIN Score for Strep Pharyngitis",
    category=Category.DIAGNOSIS,
    output=Output.INTEGER,
)
def feverpain(
    *,
    fever_past_24_hours: bool = False,
    no_cough_or_coryza: bool = False,
    onset_within_3_days: bool = False,
    purulent_tonsils: bool = False,
    severe_tonsil_inflammation: bool = False,
) -> Worked:
    """FeverPAIN score, 0 to 5, of streptococcal pharyngitis.

    Unlike in the Centor score, absence of cough counts only when stated.
    Source: Little P, Hobbs FDR, Moore M, et al., BMJ 2013;347:f5806.
    """
    work = Work()
    count(work, FEVERPAIN_FLAGS, locals())
    return work.result(work.total("FeverPAIN score"))


# Lim WS, Thorax 2003;58:377-382. Urea above 7 mmol/L is BUN above 19.6 mg/dL, given everywhere as 19.
CURB_AGE = Scale("age", "years", ((65, 1),))
CURB_BUN = Scale("BUN", "mg/dL", ((above(19), 1),))
CURB_RESPIRATORY_RATE = Scale("respiratory rate", "breaths/min", ((30, 1),))
CURB_SYSTOLIC = Scale("systolic pressure", "mmHg", ((90, 0),), below=1)
CURB_DIASTOLIC = Scale("diastolic pressure", "mmHg", ((above(60), 0),), below=1)
CURB_FLAGS: Flags = {"confusion": 1}


@calculator(
    id=45, title="CURB-65 Score for Pneumonia Severity", category=Category.RISK, output=Output.INTEGER
)
def curb_65(
    *,
    age: Age,
    bun: UreaNitrogen,
    respiratory_rate: RespiratoryRate,
    systolic_bp: SystolicBP,
    diastolic_bp: DiastolicBP,
    confusion: bool = False,
) -> Worked:
    """CURB-65 score, 0 to 5, of the severity of pneumonia.

    Source: Lim WS, van der Eerden MM, Laing R, et al., Thorax 2003;58:377-382; BUN above 19 mg/dL for urea
    above 7 mmol/L, as MedCalc-Bench.
    """
    work = Work()
    grade(work, CURB_AGE, age)
    count(work, CURB_FLAGS, locals())
    grade(work, CURB_BUN, bun)
    grade(work, CURB_RESPIRATORY_RATE, respiratory_rate)
    worst(work, given((CURB_SYSTOLIC, systolic_bp), (CURB_DIASTOLIC, diastolic_bp)))
    return work.result(work.total("CURB-65 score"))


# Fine MJ, N Engl J Med 1997;336:243-250. Its "40 degC or more" is "above 39.9" here, as in MedCalc-Bench.
PSI_SEX = {"male": 0, "female": -10}
PSI_RESPIRATORY_RATE = Scale("respiratory rate", "breaths/min", ((30, 20),))
PSI_SYSTOLIC = Scale("systolic pressure", "mmHg", ((90, 0),), below=20)
PSI_TEMPERATURE = Scale("temperature", "degC", ((above(39.9), 15), (35, 0)), below=15)
PSI_HEART_RATE = Scale("heart rate", "beats/min", ((125, 10),))
PSI_PH = Scale("arterial pH", "", ((7.35, 0),), below=30)
PSI_BUN = Scale("BUN", "mg/dL", ((30, 20),))
PSI_SODIUM = Scale("sodium", "mEq/L", ((130, 0),), below=20)
PSI_GLUCOSE = Scale("glucose", "mg/dL", ((250, 10),))
PSI_HEMATOCRIT = Scale("hematocrit", "%", ((30, 0),), below=10)
PSI_PAO2 = Scale("PaO2", "mmHg", ((60, 0),), below=10)
PSI_SPO2 = Scale("oxygen saturation", "%", ((90, 0),), below=10)
PSI_FLAGS: Flags = {
    "nursing_home_resident": 10,
    "neoplastic_disease": 30,
    "liver_disease": 20,
    "heart_failure": 10,
    "cerebrovascular_disease": 10,
    "renal_disease": 10,
    "altered_mental_status": 20,
    "pleural_effusion": 10,
}


@calculator(
    id=29,
    title="PSI Score: Pneumonia Severity Index for CAP",
    category=Category.SEVERITY,
    output=Output.INTEGER,
)
def pneumonia_severity_index(
    *,
    age: Age,
    sex: Sex,
    heart_rate: HeartRate,
    respiratory_rate: RespiratoryRate,
    systolic_bp: SystolicBP,
    temperature: Temperature,
    ph: ArterialPH | None = None,
    bun: UreaNitrogen | None = None,
    sodium: Sodium | None = None,
    glucose: Glucose | None = None,
    hematocrit: Hematocrit | None = None,
    pao2: ArterialOxygen | None = None,
    spo2: OxygenSaturation | None = None,
    nursing_home_resident: bool = False,
    neoplastic_disease: bool = False,
    liver_disease: bool = False,
    heart_failure: bool = False,
    cerebrovascular_disease: bool = False,
    renal_disease: bool = False,
    altered_mental_status: bool = False,
    pleural_effusion: bool = False,
) -> Worked:
    """Pneumonia severity index in points.

    Age counts in completed years, a laboratory value that is not given as normal.
    Source: Fine MJ, Auble TE, Yealy DM, et al., N Engl J Med 1997;336:243-250. Class I, which is a rule and
    not a number of points, is left out.

    Args:
        pleural_effusion: On the chest x-ray.
    """
    work = Work()
    work.points(f"age {int(age)} years", int(age))
    choose(work, "sex", sex, PSI_SEX)
    count(work, PSI_FLAGS, locals())
    grade(work, PSI_HEART_RATE, heart_rate)
    grade(work, PSI_TEMPERATURE, temperature)
    grade(work, PSI_PH, ph)
    grade(work, PSI_RESPIRATORY_RATE, respiratory_rate)
    grade(work, PSI_SYSTOLIC, systolic_bp)
    grade(work, PSI_BUN, bun)
    grade(work, PSI_SODIUM, sodium)
    grade(work, PSI_GLUCOSE, glucose)
    grade(work, PSI_HEMATOCRIT, hematocrit)
    worst(work, given((PSI_PAO2, pao2), (PSI_SPO2, spo2)))
    return work.result(work.total("Pneumonia Severity Index"))
