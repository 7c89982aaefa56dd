"""How a value is written: in its own unit, or in another one where it comes back exactly.

draws -> [surfaces -> phrases -> GeneratedTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> … -> (back)

A second unit is offered for a value only when reading it back, rounded as the tasks' system prompt says
(whole numbers; creatinine and A1c to one decimal), gives the same value. Factors are the customary ones:
creatinine 88.4 µmol/L per mg/dL; glucose 18, cholesterol 38.67, triglycerides 88.57 and urea nitrogen 2.8
mg/dL per mmol/L (AMA Manual of Style, SI conversions); A1c % = 0.09148 mmol/mol + 2.152 (NGSP-IFCC master
equation: Hoelzel 2004, Clin Chem 50:166).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

KG_PER_LB = 0.45359237
CM_PER_INCH = 2.54
CREATININE_UMOL_PER_MG_DL = 88.4
MG_DL_PER_MMOL = {
    "total_cholesterol": 38.67,
    "hdl_cholesterol": 38.67,
    "hdl_cholesterol_mg_dl": 38.67,
    "fasting_glucose_mg_dl": 18.0,
    "triglycerides_mg_dl": 88.57,
    "blood_urea_nitrogen": 2.8,
}
ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV", 5: "V"}
FACTORS = {
    "ischemic_heart_disease": "ischemic heart disease",
    "heart_failure": "heart failure",
    "cerebrovascular_disease": "cerebrovascular disease",
    "renal_insufficiency": "renal insufficiency",
    "insulin_diabetes": "insulin-dependent diabetes",
    "high_risk_surgery": "high-risk surgery",
}

Fields = dict[str, str]


def number(value: float) -> str:
    """A number as people write it; a float keeps its first decimal (1.0, not 1), as in laboratory reports."""
    return str(value)


def listed(items: list[Any]) -> str:
    """`a, b and c`."""
    words = [number(i) if isinstance(i, int | float) else str(i) for i in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _other_unit(field: str, value: float, factor: float, *, shown: int, kept: int) -> Fields:
    """`value` / `factor` with `shown` decimals, if times `factor` it rounds back at `kept` decimals.

    A product half-way between two values (75 inches, 190.5 cm) is passed over: rules of rounding differ.
    """
    text = f"{value / factor:.{shown}f}"
    clear = abs(float(text) * factor - value) < 0.5 * 10.0**-kept - 1e-9
    return {field: text} if clear else {}


def _weight(value: Any, _: dict[str, Any]) -> Fields:
    return {"kg": number(value), **_other_unit("lb", value, KG_PER_LB, shown=0, kept=0)}


def _length(value: Any, _: dict[str, Any]) -> Fields:
    return {"v": number(value), **_other_unit("inch", value, CM_PER_INCH, shown=0, kept=0)}


def _creatinine(value: Any, _: dict[str, Any]) -> Fields:
    other = _other_unit("umol", value, 1 / CREATININE_UMOL_PER_MG_DL, shown=0, kept=1)
    return {"v": number(value), **other}


def _dose(value: Any, _: dict[str, Any]) -> Fields:
    return {"v": number(value), **({"g": f"{value / 1000:g}"} if value >= 1000 else {})}


def _a1c(value: Any, _: dict[str, Any]) -> Fields:
    mmol = round((value - 2.152) / 0.09148)
    exact = round(0.09148 * mmol + 2.152, 1) == value
    return {"v": number(value), **({"mmol": str(mmol)} if exact else {})}


def _urine_output(value: Any, arguments: dict[str, Any]) -> Fields:
    kg = arguments["patient_weight_kg"]
    return {"v": number(value), **_other_unit("per_kg", value, kg, shown=2, kept=0)}


def _variants(value: Any, _: dict[str, Any]) -> Fields:
    ((gene, status),) = value.items()
    return {"gene": gene, "status": status.removesuffix("_metabolizer")}


def _lab(name: str) -> Callable[[Any, dict[str, Any]], Fields]:
    factor, shown = MG_DL_PER_MMOL[name], 2 if "glucose" not in name and "urea" not in name else 1
    return lambda value, _: {"v": number(value), **_other_unit("mmol", value, factor, shown=shown, kept=0)}


_WRITERS: dict[str, Callable[[Any, dict[str, Any]], Fields]] = {
    "patient_weight_kg": _weight,
    "weight_kg": _weight,
    "height_cm": _length,
    "waist_circumference_cm": _length,
    "serum_creatinine": _creatinine,
    "standard_dose_mg": _dose,
    "current_a1c": _a1c,
    "urine_output_ml_hr": _urine_output,
    "genetic_cyp_variants": _variants,
    "asa_class": lambda value, _: {"v": str(value), "roman": ROMAN[value]},
    "urine_albumin_mg_l": lambda value, _: {"v": number(value), "mg_dl": f"{value / 10:g}"},
    "allergies": lambda value, _: {"list": " and ".join(value)},
    "current_medications": lambda value, _: {"list": listed(value)},
    "meal_carbs_per_day": lambda value, _: {"list": listed(value), "slash": "/".join(map(str, value))},
    "cardiac_risk_factors": lambda value, _: {"list": listed([FACTORS[k] for k in value if value[k]])},
    "hepatic_function": lambda value, _: {"level": value.removesuffix("_impairment")},
    **{name: _lab(name) for name in MG_DL_PER_MMOL},
}


def case_of(value: Any) -> str:
    """The cell of the phrase table for a value: "yes", "no", "null", "none" (empty) or the value itself."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "null"
    if isinstance(value, list):
        return "some" if value else "none"
    if isinstance(value, dict):
        return "some" if any(value.values()) else "none"
    return str(value)


def written(name: str, value: Any, arguments: dict[str, Any]) -> Fields:
    """The fields with which a phrase about the argument `name` can be filled."""
    if case_of(value) in ("yes", "no", "null", "none"):
        return {"v": str(value)}
    writer = _WRITERS.get(name)
    return (
        writer(value, arguments)
        if writer
        else {"v": number(value) if isinstance(value, float) else str(value)}
    )
