"""The vocabulary of the calculators: argument names, units and ranges, one meaning each.

[inputs] -> calculators -> MedCalc, healthcare gym

A name means the same in every calculator that takes it, so that one phrase table, one entity table and one
unit table serve all. Ranges are the widest in which a value can be one of a living patient's.
"""

from __future__ import annotations

from typing import Annotated, Literal

from distrl.envs.toolkit import Arg

Sex = Literal["male", "female"]
# Patient
Age = Annotated[float, Arg(unit="years", ge=0, le=120)]
Weight = Annotated[float, Arg(unit="kg", ge=0.3, le=400)]
Height = Annotated[float, Arg(unit="cm", ge=30, le=250)]
BodyMassIndex = Annotated[float, Arg(unit="kg/m^2", ge=8, le=100)]
# Vital signs
HeartRate = Annotated[float, Arg(unit="beats/min", ge=10, le=350)]
RespiratoryRate = Annotated[float, Arg(unit="breaths/min", ge=2, le=100)]
SystolicBP = Annotated[float, Arg(unit="mmHg", ge=20, le=320)]
DiastolicBP = Annotated[float, Arg(unit="mmHg", ge=5, le=220)]
Temperature = Annotated[float, Arg(unit="degC", ge=20, le=45)]
OxygenSaturation = Annotated[float, Arg(unit="%", ge=20, le=100)]
UrineOutput = Annotated[float, Arg(unit="mL/day", ge=0, le=20000)]
GlasgowComaScore = Annotated[int, Arg(ge=3, le=15)]
QTInterval = Annotated[float, Arg(unit="ms", ge=100, le=1000)]
# Chemistry
Sodium = Annotated[float, Arg(unit="mEq/L", ge=80, le=220)]
UrineSodium = Annotated[float, Arg(unit="mEq/L", ge=0.1, le=500)]
Potassium = Annotated[float, Arg(unit="mEq/L", ge=0.8, le=15)]
Chloride = Annotated[float, Arg(unit="mEq/L", ge=40, le=200)]
Bicarbonate = Annotated[float, Arg(unit="mEq/L", ge=0.5, le=80)]
Creatinine = Annotated[float, Arg(unit="mg/dL", ge=0.05, le=40)]
UrineCreatinine = Annotated[float, Arg(unit="mg/dL", ge=0.5, le=1500)]
UreaNitrogen = Annotated[float, Arg(unit="mg/dL", ge=0.5, le=400)]
Glucose = Annotated[float, Arg(unit="mg/dL", ge=5, le=3000)]
Insulin = Annotated[float, Arg(unit="uIU/mL", ge=0.05, le=2000)]
Albumin = Annotated[float, Arg(unit="g/dL", ge=0.3, le=8)]
Calcium = Annotated[float, Arg(unit="mg/dL", ge=1, le=30)]
Bilirubin = Annotated[float, Arg(unit="mg/dL", ge=0.01, le=100)]
Alt = Annotated[float, Arg(unit="U/L", ge=1, le=30000)]
Ast = Annotated[float, Arg(unit="U/L", ge=1, le=30000)]
TotalCholesterol = Annotated[float, Arg(unit="mg/dL", ge=20, le=1500)]
Hdl = Annotated[float, Arg(unit="mg/dL", ge=2, le=250)]
Triglycerides = Annotated[float, Arg(unit="mg/dL", ge=5, le=10000)]
# Blood
Platelets = Annotated[float, Arg(unit="10^9/L", ge=1, le=3000)]
WhiteCells = Annotated[float, Arg(unit="10^9/L", ge=0.01, le=600)]
Hemoglobin = Annotated[float, Arg(unit="g/dL", ge=1, le=26)]
Hematocrit = Annotated[float, Arg(unit="%", ge=3, le=80)]
InternationalNormalizedRatio = Annotated[float, Arg(ge=0.3, le=30)]
# Blood gas
ArterialPH = Annotated[float, Arg(ge=6.3, le=8.0)]
ArterialOxygen = Annotated[float, Arg(unit="mmHg", ge=5, le=700)]
ArterialCarbonDioxide = Annotated[float, Arg(unit="mmHg", ge=2, le=250)]
AlveolarArterialGradient = Annotated[float, Arg(unit="mmHg", ge=0, le=700)]
InspiredOxygen = Annotated[float, Arg(unit="%", ge=21, le=100)]
# Infusions
Catecholamine = Annotated[float, Arg(unit="ug/kg/min", ge=0, le=100)]
# Habits
DrinksPerWeek = Annotated[float, Arg(unit="drinks/week", ge=0, le=300)]
# Time
Date = Annotated[str, Arg(help="YYYY-MM-DD", max_length=10)]
CycleLength = Annotated[int, Arg(unit="days", ge=15, le=90)]

# The argument of each quantity, by the name that every calculator uses for it.
NAMES = {
    "age": Age,
    "sex": Sex,
    "weight": Weight,
    "height": Height,
    "bmi": BodyMassIndex,
    "heart_rate": HeartRate,
    "respiratory_rate": RespiratoryRate,
    "systolic_bp": SystolicBP,
    "diastolic_bp": DiastolicBP,
    "temperature": Temperature,
    "spo2": OxygenSaturation,
    "urine_output": UrineOutput,
    "gcs": GlasgowComaScore,
    "qt_interval": QTInterval,
    "sodium": Sodium,
    "urine_sodium": UrineSodium,
    "potassium": Potassium,
    "chloride": Chloride,
    "bicarbonate": Bicarbonate,
    "creatinine": Creatinine,
    "urine_creatinine": UrineCreatinine,
    "bun": UreaNitrogen,
    "glucose": Glucose,
    "insulin": Insulin,
    "albumin": Albumin,
    "calcium": Calcium,
    "bilirubin": Bilirubin,
    "alt": Alt,
    "ast": Ast,
    "total_cholesterol": TotalCholesterol,
    "hdl": Hdl,
    "triglycerides": Triglycerides,
    "platelets": Platelets,
    "wbc": WhiteCells,
    "hemoglobin": Hemoglobin,
    "hematocrit": Hematocrit,
    "inr": InternationalNormalizedRatio,
    "ph": ArterialPH,
    "pao2": ArterialOxygen,
    "paco2": ArterialCarbonDioxide,
    "fio2": InspiredOxygen,
    "a_a_gradient": AlveolarArterialGradient,
    "alcoholic_drinks": DrinksPerWeek,
    "dopamine": Catecholamine,
    "dobutamine": Catecholamine,
    "epinephrine": Catecholamine,
    "norepinephrine": Catecholamine,
    "last_menstrual_date": Date,
    "current_date": Date,
    "cycle_length": CycleLength,
}
