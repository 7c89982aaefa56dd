"""Body mass, metabolic syndrome, diabetes risk and energy need of adults."""

from __future__ import annotations

from distrl.envs.clinical.bands import Bands, band

# WHO, "Obesity: preventing and managing the global epidemic", Technical Report 894, 2000. kg/m2.
WHO_BMI: Bands = (
    (40.0, "Obese class III"),
    (35.0, "Obese class II"),
    (30.0, "Obese class I"),
    (25.0, "Overweight"),
    (18.5, "Normal"),
    (0.0, "Underweight"),
)
# ADA Standards of Care, section 2 (Diabetes Care 2024;47 Suppl 1:S20). mg/dL, fasting.
GLYCAEMIA: Bands = ((126.0, "diabetes range"), (100.0, "prediabetes range"), (0.0, "normal"))

# Multiples of resting energy in common use: McArdle WD, Katch FI, Katch VL, "Exercise Physiology".
ACTIVITY_LEVEL = {"sedentary": 1.2, "light": 1.375, "moderate": 1.55, "active": 1.725}
# At least 150 min a week of moderate activity is "active" in the ADA risk test.
MEETS_ACTIVITY_GOAL = {"sedentary": False, "light": False, "moderate": True, "active": True}


def body_mass_index(weight_kg: float, height_cm: float) -> float:
    """kg/m2."""
    return weight_kg / (height_cm / 100.0) ** 2


def who_class(bmi: float) -> str:
    """WHO weight class of an adult."""
    return band(bmi, WHO_BMI)


def glycaemia(fasting_glucose_mg_dl: float) -> str:
    """ADA band of one fasting glucose (a diagnosis needs a second test)."""
    return band(fasting_glucose_mg_dl, GLYCAEMIA)


def metabolic_syndrome(
    *,
    sex: str,
    waist_cm: float,
    triglycerides: float,
    hdl: float,
    systolic_bp: float,
    treated: bool,
    fasting_glucose: float,
) -> dict[str, bool]:
    """The five criteria (three or more make the syndrome); mg/dL, mmHg, cm.

    NCEP ATP III as revised by AHA/NHLBI, Grundy SM, Circulation 2005;112:2735-2752: waist > 102 cm men, >
    88 cm women (the summary prints ">= 102/88"; ATP III's ">" is used); triglycerides >= 150; HDL < 40
    men, < 50 women; systolic >= 130 or treated; fasting glucose >= 100. Diastolic pressure and drug
    treatment of lipids or glucose also count in the definition and are not asked for here.
    """
    female = sex == "female"
    return {
        "waist": waist_cm > (88.0 if female else 102.0),
        "triglycerides": triglycerides >= 150.0,
        "hdl": hdl < (50.0 if female else 40.0),
        "blood pressure": systolic_bp >= 130.0 or treated,
        "glucose": fasting_glucose >= 100.0,
    }


def ada_diabetes_risk(
    *, age: float, sex: str, family_history: bool, hypertension: bool, active: bool, bmi: float
) -> int:
    """ADA risk test, 0-10 points, 5 or more is high. Bang H, Ann Intern Med 2009;151:775-783.

    Gestational diabetes (one point) is not asked for here and counts as absent.
    """
    points = (age >= 40) + (age >= 50) + (age >= 60)
    points += (bmi >= 25.0) + (bmi >= 30.0) + (bmi >= 40.0)
    return points + (sex == "male") + family_history + hypertension + (not active)


def resting_energy(weight_kg: float, height_cm: float, age: float, sex: str) -> float:
    """Resting energy in kcal a day. Mifflin MD, Am J Clin Nutr 1990;51:241-247."""
    return 10.0 * weight_kg + 6.25 * height_cm - 5.0 * age + (-161.0 if sex == "female" else 5.0)
