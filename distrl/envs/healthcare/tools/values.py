"""What a record holds as numbers: value with unit and source, or the words that say what is missing.

Database -> [values] -> records, instruments, doses, screening

Creatinine clearance is Cockcroft-Gault with the actual weight, adults only (Nephron 1976;16:31-41).
Child-Pugh is reckoned for a patient with cirrhosis on the problem list; ascites and encephalopathy are read
from the examination's words (Br J Surg 1973;60:646-649).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from distrl.envs.clinical import formulary, quantity, renal
from distrl.envs.clinical.calculators import CalculatorError, liver
from distrl.envs.healthcare.world.labs import CODE, LABS, flag
from distrl.envs.healthcare.world.records import LabResult, Medication, Patient, VitalSigns

ADULT_YEARS = 18.0
CHILD_PUGH_CLASS = ((10, "C"), (7, "B"), (5, "A"))  # lowest points of each class
ASCITES_WORDS = ("ascites", "fluid wave", "shifting dullness")
ENCEPHALOPATHY_WORDS = ("encephalopathy", "asterixis", "confus", "flapping tremor")


@dataclass(frozen=True, kw_only=True)
class Sign:
    """One vital sign: its field of the record, unit, and the change that is no more than noise."""

    field: str
    unit: str
    noise: float


VITALS: dict[str, Sign] = {
    "temperature": Sign(field="temperature_c", unit="degC", noise=0.2),
    "heart_rate": Sign(field="heart_rate_bpm", unit="beats/min", noise=4),
    "respiratory_rate": Sign(field="respiratory_rate_bpm", unit="breaths/min", noise=1),
    "systolic_bp": Sign(field="systolic_mmhg", unit="mmHg", noise=5),
    "diastolic_bp": Sign(field="diastolic_mmhg", unit="mmHg", noise=5),
    "spo2": Sign(field="spo2_percent", unit="%", noise=0),
    "gcs": Sign(field="gcs", unit="points of 15", noise=0),
    "pain": Sign(field="pain_0_10", unit="points of 10", noise=0),
}


@dataclass(frozen=True, kw_only=True)
class Found:
    """A value with unit and source; `value` None: `missing` says what is not known."""

    value: float | str | None = None
    unit: str = ""
    source: str = ""
    missing: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any] | None:
        """{"value", "unit", "source"}, or None."""
        if self.value is None:
            return None
        return {"value": self.value, "unit": self.unit, "source": self.source}


def amount(value: float | None, unit: str) -> dict[str, Any] | None:
    """A number with its unit, or None."""
    return None if value is None else {"value": value, "unit": unit}


def plain(value: float) -> float:
    """A whole number without its ".0"."""
    return int(value) if float(value).is_integer() else value


def regimen(medication: Medication) -> str:
    """`amlodipine 5 mg oral, 1 a day`."""
    dose = f"{medication['dose']:g} {medication['dose_unit']}"
    return f"{medication['drug']} {dose} {medication['route']}, {medication['doses_per_day']:g} a day"


def vital(signs: VitalSigns, name: str) -> float | None:
    """One sign of a set, by its name in VITALS."""
    value: float | None = signs.get(VITALS[name].field)  # type: ignore[assignment]
    return value


def direction(change: float, noise: float) -> str:
    """rising, falling or steady."""
    if abs(change) <= noise:
        return "steady"
    return "rising" if change > 0 else "falling"


def lab(result: LabResult) -> dict[str, Any]:
    """One result as the tools show it."""
    low, high = result["low"], result["high"]
    if low is None and high is None:
        reference = "none"
    elif low is None:
        reference = f"up to {high:g}"
    else:
        reference = f"{low:g} and above" if high is None else f"{low:g} to {high:g}"
    return {
        "test": result["name"],
        "panel": result["panel"],
        "value": plain(result["value"]),
        "unit": result["unit"],
        "reference": reference,
        "flag": flag(result),
        "at": result["at"],
    }


def latest_lab(person: Patient, short: str, unit: str = "", substance: str = "") -> Found:
    """The newest result of an analyte (a short name of the lab table), in `unit` where one is given."""
    code = CODE[short]
    rows = [r for r in person["labs"] if r["code"] == code]
    name = LABS[code].name.lower()
    if not rows:
        return Found(missing=(f"{name}: not measured; order {LABS[code].test}",))
    newest = max(rows, key=lambda r: r["at"])
    value, shown = newest["value"], newest["unit"]
    if unit and quantity.canonical(unit) != quantity.canonical(shown):
        try:
            value, shown = quantity.convert(value, shown, unit, substance), unit
        except quantity.UnitError as error:
            return Found(missing=(f"{name}: {error}",))
    return Found(value=float(f"{value:.12g}"), unit=shown, source=f"laboratory, {newest['at']}")


def latest_vital(person: Patient, name: str) -> Found:
    """The newest value of a vital sign (a name of VITALS)."""
    sets = [(s["at"], value) for s in person["vitals"] if (value := vital(s, name)) is not None]
    if not sets:
        return Found(missing=(f"{name}: not taken",))
    at, value = max(sets, key=lambda pair: pair[0])
    return Found(value=value, unit=VITALS[name].unit, source=f"vital signs, {at}")


def creatinine_clearance(person: Patient) -> Found:
    """mL/min by Cockcroft-Gault from the latest creatinine and the actual weight; adults only."""
    if person["age_years"] < ADULT_YEARS:
        return Found(missing=("creatinine clearance: Cockcroft-Gault holds for adults only",))
    creatinine, weight = latest_lab(person, "cr", "mg/dL", "creatinine"), person["weight_kg"]
    missing = [*creatinine.missing, *(["weight: not on the record"] if weight is None else [])]
    if weight is None or not isinstance(creatinine.value, float) or creatinine.value <= 0:
        return Found(missing=(f"creatinine clearance: {'; '.join(missing)}",))
    value = renal.cockcroft_gault(person["age_years"], weight, creatinine.value, person["sex"])
    return Found(
        value=round(value, 1),
        unit="mL/min",
        source=f"Cockcroft-Gault: creatinine {creatinine.value:g} mg/dL ({creatinine.source})",
    )


def child_pugh(person: Patient) -> Found:
    """Class A, B or C of a patient with cirrhosis; without cirrhosis neither a value nor anything missing."""
    if not any(p["condition"] == "cirrhosis" and p["status"] == "active" for p in person["problems"]):
        return Found()
    labs = {
        "bilirubin": latest_lab(person, "bili", "mg/dL", "bilirubin"),
        "albumin": latest_lab(person, "alb", "g/dL", "albumin"),
        "inr": latest_lab(person, "inr"),
    }
    missing = tuple(f"Child-Pugh: {m}" for found in labs.values() for m in found.missing)
    if missing:
        return Found(missing=missing)
    present = person["presentation"]
    words = " ".join([*present["symptoms"], *present["findings"]]).lower()
    ascites = "slight" if any(w in words for w in ASCITES_WORDS) else "absent"
    coma = "grade_1_2" if any(w in words for w in ENCEPHALOPATHY_WORDS) else "none"
    try:
        points = liver.child_pugh(
            ascites=ascites, encephalopathy=coma, **{name: found.value for name, found in labs.items()}
        ).value
    except CalculatorError as error:
        return Found(missing=(f"Child-Pugh: {error}",))
    assert isinstance(points, int)
    letter = next((letter for lowest, letter in CHILD_PUGH_CLASS if points >= lowest), "A")
    return Found(
        value=letter,
        unit="class",
        source=f"Child-Pugh {points}: laboratory; ascites {ascites}, encephalopathy {coma} by examination",
    )


def in_unit(value: float, unit: str, wanted: str) -> float | None:
    """`value` of a dose in another unit; None where it does not turn into it."""
    if unit.strip().lower().rstrip("s") == wanted.lower().rstrip("s"):
        return value
    turned = formulary.convert(value, unit, wanted)
    if turned is not None:
        return float(f"{turned:.12g}")
    try:
        return float(f"{quantity.convert(value, unit, wanted):.12g}")
    except quantity.UnitError:
        return None
