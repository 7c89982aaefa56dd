"""Small words of tickets and gold texts: who the patient is, a value with its unit, a dose, a list.

Patient, LabResult, Option -> [words] -> tickets, gold trajectories
"""

from __future__ import annotations

from collections.abc import Sequence

from distrl.envs.healthcare.world.condition import Option
from distrl.envs.healthcare.world.records import LabResult, Medication, Patient

VITALS = {
    "temperature_c": ("temperature", "°C"),
    "heart_rate_bpm": ("heart rate", "beats/min"),
    "respiratory_rate_bpm": ("respiratory rate", "breaths/min"),
    "systolic_mmhg": ("systolic blood pressure", "mmHg"),
    "spo2_percent": ("oxygen saturation", "%"),
    "gcs": ("Glasgow Coma Scale", ""),
}
# What counts as out of range at rest in an adult: NEWS2 (Royal College of Physicians, 2017), bands above 0.
VITAL_RANGES: dict[str, tuple[float, float]] = {
    "temperature_c": (36.1, 38.0),
    "heart_rate_bpm": (51, 90),
    "respiratory_rate_bpm": (12, 20),
    "systolic_mmhg": (111, 219),
    "spo2_percent": (96, 100),
    "gcs": (15, 15),
}
ROUTES = {"oral": "by mouth", "iv": "intravenously", "im": "intramuscularly", "sc": "subcutaneously"}
TIMES_A_DAY = {1.0: "once daily", 2.0: "twice daily", 3.0: "three times daily", 4.0: "four times daily"}
CHILD_YEARS = 16
ABBREVIATIONS = frozenset(
    ["bph", "copd", "covid-19", "esbl", "gerd", "hit", "hiv", "mrsa", "mssa", "ptsd", "vre"]
)


def who(patient: Patient) -> str:
    """Such as "a 67-year-old woman"."""
    age, female = patient["age_years"], patient["sex"] == "female"
    if age < 2:
        return f"a {max(1, int(age * 12))}-month-old {'girl' if female else 'boy'}"
    grown = ("woman" if female else "man") if age >= CHILD_YEARS else ("girl" if female else "boy")
    article = "an" if int(age) in (8, 11, 18) or 80 <= age < 90 else "a"
    return f"{article} {int(age)}-year-old {grown}"


def pronouns(patient: Patient) -> tuple[str, str]:
    """(he or she, his or her)."""
    return ("she", "her") if patient["sex"] == "female" else ("he", "his")


def number(value: float) -> str:
    """A number without trailing zeros."""
    return f"{value:.6g}" if abs(value) < 100_000 else f"{value:.0f}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`; "" for nothing."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capital(text: str) -> str:
    """The first letter upper case, the rest as it is."""
    return text[:1].upper() + text[1:]


def use(indication: str) -> str:
    """An indication of the formulary as it is written: "gerd" becomes "GERD"."""
    return " ".join(word.upper() if word in ABBREVIATIONS else word for word in indication.split())


def inside(name: str) -> str:
    """A name as it stands inside a sentence: lower case first, unless it is an abbreviation."""
    head = name.split(" ", 1)[0]
    plain = head[1:2].islower() and head[1:].lower() == head[1:]
    return name[:1].lower() + name[1:] if plain else name


def frequency(doses_per_day: float) -> str:
    """Such as "twice daily"; half a dose a day is every 48 hours."""
    if doses_per_day in TIMES_A_DAY:
        return TIMES_A_DAY[doses_per_day]
    if doses_per_day > 0 and abs(doses_per_day - 1 / 7) < 0.01:
        return "once a week"
    return f"every {number(round(24 / doses_per_day, 1))} hours" if doses_per_day > 0 else "as a single dose"


def dose_of(option: Option, dose: float, per_day: float) -> str:
    """Such as "doxycycline 100 mg by mouth twice daily for 5 days"."""
    length = f" for {number(option.days)} day{'s' if option.days != 1 else ''}" if option.days else ""
    route = ROUTES.get(option.route, option.route)
    if option.days == 1 and per_day == 1:
        return f"{option.drug} {number(dose)} {option.dose_unit} {route} as a single dose"
    return f"{option.drug} {number(dose)} {option.dose_unit} {route} {frequency(per_day)}{length}"


def medication(med: Medication) -> str:
    """Such as "metformin 500 mg twice daily"."""
    return f"{med['drug']} {number(med['dose'])} {med['dose_unit']} {frequency(med['doses_per_day'])}"


def lab(result: LabResult) -> str:
    """Such as "creatinine 1.9 mg/dL"."""
    unit = "" if result["unit"] in ("", "1") else f" {result['unit']}"
    return f"{inside(result['name'])} {number(result['value'])}{unit}"


def active(patient: Patient) -> list[Medication]:
    """What the patient takes now."""
    return [med for med in patient["medications"] if med["status"] == "active"]


def latest(patient: Patient) -> dict[str, LabResult]:
    """The newest result of each code."""
    return {r["code"]: r for r in sorted(patient["labs"], key=lambda r: r["at"])}


def is_abnormal(result: LabResult) -> bool:
    """Whether a value lies out of its printed range."""
    return _excess(result) > 0


def abnormal_labs(patient: Patient) -> list[LabResult]:
    """The newest results out of their range, the furthest out first."""
    out = [(_excess(r), r) for r in latest(patient).values()]
    return [r for excess, r in sorted(out, key=lambda pair: (-pair[0], pair[1]["code"])) if excess > 0]


def _excess(result: LabResult) -> float:
    """How far a value lies out of range, as a share of the limit that it breaks; 0 within."""
    low, high, value = result["low"], result["high"], result["value"]
    if high is not None and value > high:
        return value / high - 1 if high > 0 else 1.0
    if low is not None and value < low:
        return 1 - value / low if low > 0 else 1.0
    return 0.0


def abnormal_vitals(patient: Patient) -> list[tuple[str, float]]:
    """(phrase, value) of each newest vital sign out of range, adults only."""
    if not patient["vitals"] or patient["age_years"] < CHILD_YEARS:
        return []
    newest = max(patient["vitals"], key=lambda v: v["at"])
    found = []
    for field, (low, high) in VITAL_RANGES.items():
        value = newest[field]  # type: ignore[literal-required]
        if value is not None and not low <= value <= high:
            name, unit = VITALS[field]
            sign = "" if unit == "%" else " "
            found.append((f"{name} {number(value)}{sign if unit else ''}{unit}", float(value)))
    return found
