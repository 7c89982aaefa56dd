"""Databases of the public task files as ours, as far as their data go; what does not fit is told.

db.json, patient_data -> [convert] -> Database -> public

Values without a number ("Pending"), of no analyte of the table or in a unit that does not convert are left
out and counted. A sex that the file does not give is "male" and counted. A dose that the file does not give
is 0 with the unit DOSE_UNKNOWN.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from distrl.envs.clinical import formulary, quantity
from distrl.envs.clinical.allergy import GROUP, GROUPS
from distrl.envs.healthcare.tools import lookup
from distrl.envs.healthcare.tools.medical_qa_clinical import conditions_like
from distrl.envs.healthcare.world.build import empty_database
from distrl.envs.healthcare.world.labs import CODE, LABS
from distrl.envs.healthcare.world.records import (
    Allergy,
    Database,
    LabResult,
    Medication,
    Note,
    Patient,
    Problem,
    VitalSigns,
)

DOSE_UNKNOWN = "(dose not recorded)"
NOW = "2026-02-12T18:00"  # where the file gives no time
Notes = Counter[str]
_AMOUNT = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s{0,3}(mcg|mg|g|units?)\b", re.IGNORECASE)
_TIMES = {
    "once daily": 1.0,
    "daily": 1.0,
    "once daily at bedtime": 1.0,
    "bid": 2.0,
    "twice daily": 2.0,
    "three times daily": 3.0,
    "tid": 3.0,
    "four times daily": 4.0,
    "before meals": 3.0,
}
_TIMES_WORD = re.compile(
    r"\b(once daily|twice daily|three times daily|four times daily|daily|bid|tid)\b", re.I
)
_SEX_TOLD = re.compile(r"\b(\w{1,20})\s?\(\d{1,3}([MF])\b")
_ALLERGENS = {
    "sulfonamides": "sulfa",
    "sulfonamide": "sulfa",
    "sulfa drugs": "sulfa",
    "penicillins": "penicillin",
}
# Names of the files where they are not those of the laboratory table, by its short name.
_LAB_NAMES = {
    "abg pco2": "pco2",
    "abg ph": "ph",
    "abg po2": "po2",
    "alt": "alt",
    "arterial ph": "ph",
    "blood glucose": "glu",
    "blood glucose (fasting)": "glu",
    "bnp": "bnp",
    "bun": "bun",
    "calcium": "ca",
    "crp": "crp",
    "hba1c": "a1c",
    "potassium": "k",
    "serum bicarbonate": "hco3",
    "serum ketones (beta-hydroxybutyrate)": "bhb",
    "troponin i": "trop",
    "white blood cell count": "wbc",
}
_SAME_UNIT = {"x10^9/l": "10^3/uL", "meq/l": "mmol/L"}  # the same number under two names (monovalent ions)


def convert(raw: Mapping[str, Any], patient: Mapping[str, Any], tickets: str = "") -> tuple[Database, Notes]:
    """(our database, what was left out, by reason).

    Args:
        raw: db.json.
        patient: a task's own patient where it has one; then nobody else is in the database.
        tickets: texts that may tell a patient's sex, as in `DI_P001 (68M, …`.
    """
    notes: Notes = Counter()
    database = empty_database()
    profiles = [patient] if patient else _people(raw)
    told = {name: {"M": "male", "F": "female"}[sex] for name, sex in _SEX_TOLD.findall(tickets)}
    for profile in profiles:
        person = _patient({"sex": told.get(str(profile.get("patient_id"))), **profile}, notes)
        database["patients"][person["patient_id"]] = person
    times = [v["at"] for p in database["patients"].values() for v in p["vitals"]]
    database["now"] = max(times, default=NOW)
    return database, notes


def _people(raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The patients of either shape of file; [] for one without patients."""
    found = raw.get("patients") or raw.get("patient_profiles") or {}
    return [p for p in found.values() if isinstance(p, dict)] if isinstance(found, dict) else []


def _patient(raw: Mapping[str, Any], notes: Notes) -> Patient:
    weights = [v["weight"] for v in raw.get("vital_signs") or [] if v.get("weight")]
    labs = [_lab(row, notes) for row in raw.get("lab_results") or []]
    renal = str(raw.get("renal_function") or "")
    if not raw.get("sex"):
        notes["patients without a sex, taken as male"] += 1
    extra = [f"Kidney function: {renal}."] if renal else []
    if raw.get("hepatic_function"):
        extra.append(f"Liver function: {raw['hepatic_function']}.")
    if extra:
        notes["kidney or liver function in words, kept as a note"] += 1
    return {
        "patient_id": str(raw.get("patient_id") or "P001"),
        "name": str(raw.get("name") or ""),
        "birth_date": str(raw.get("date_of_birth") or ""),
        "age_years": float(raw.get("age") or 0),
        "sex": "female" if str(raw.get("sex") or "").lower().startswith("f") else "male",
        "weight_kg": raw.get("weight_kg") or (weights[-1] if weights else None),
        "height_cm": raw.get("height_cm"),
        "pregnant_weeks": None,
        "presentation": {
            "complaint": str(raw.get("chief_complaint") or ""),
            "onset": "",
            "symptoms": [],
            "negatives": [],
            "findings": [],
        },
        "problems": [_problem(p, notes) for p in raw.get("conditions") or []],
        "allergies": [_allergy(a) for a in raw.get("allergies") or []],
        "allergies_reviewed": "allergies" in raw,
        "medications": list(_medications(raw, notes)),
        "labs": [lab for lab in labs if lab is not None],
        "vitals": [_vitals(v) for v in raw.get("vital_signs") or []],
        "notes": _notes(raw, extra),
        "encounters": [],
        "immunizations": [],
        "family_history": [str(raw["family_history"])] if raw.get("family_history") else [],
        "social": {
            "smoking": _smoking(str(raw.get("social_history") or "")),
            "pack_years": None,
            "drinks_per_week": None,
            "occupation": "",
            "living": str(raw.get("social_history") or ""),
        },
    }


def _smoking(text: str) -> Any:
    low = text.lower()
    for sign, status in (("former smoker", "former"), ("non-smoker", "never"), ("active smoker", "current")):
        if sign in low:
            return status
    return "unknown"


def _problem(raw: Any, notes: Notes) -> Problem:
    row = raw if isinstance(raw, dict) else {"condition_name": raw}
    name = str(row.get("condition_name") or "")
    known = conditions_like(name)
    if len(known) != 1:
        notes["problems that are no condition of the table"] += 1
    return {
        "condition": known[0].key if len(known) == 1 else name.lower().replace(" ", "_"),
        "name": name,
        "icd10": str(row.get("icd10_code") or (known[0].icd10 if len(known) == 1 else "")),
        "onset": str(row.get("onset_date") or ""),
        "status": "resolved" if row.get("status") == "resolved" else "active",
    }


def _allergy(raw: Any) -> Allergy:
    row = raw if isinstance(raw, dict) else {"allergen": raw}
    name = str(row.get("allergen") or "").lower()
    substance = _ALLERGENS.get(name, name)
    severity = row.get("severity")
    return {
        "substance": substance,
        "group": substance if substance in GROUPS else GROUP.get(substance, ""),
        "reaction": str(row.get("reaction") or "not recorded"),
        "severity": severity if severity in ("mild", "moderate", "severe") else "moderate",
    }


def _medications(raw: Mapping[str, Any], notes: Notes) -> Iterable[Medication]:
    for item in [*(raw.get("medications") or []), *(raw.get("current_medications") or [])]:
        row = item if isinstance(item, dict) else _written(str(item))
        name = str(row.get("drug_name") or "")
        drug = formulary.find(name) or formulary.find(name.replace("_", " "))
        if drug is None:
            notes["medications that are not in the formulary"] += 1
        amount = _AMOUNT.search(str(row.get("dosage") or ""))
        if amount is None:
            notes["medications without a dose"] += 1
        yield {
            "drug": name.lower().replace("_", " ") if drug is None else drug.name,
            "dose": float(amount[1]) if amount else 0.0,
            "dose_unit": amount[2].lower().replace("unit", "units").replace("unitss", "units")
            if amount
            else DOSE_UNKNOWN,
            "route": lookup.ROUTES.get(str(row.get("route") or "oral").lower(), "oral"),
            "doses_per_day": _TIMES.get(str(row.get("frequency") or "").lower(), 0.0),
            "since": str(row.get("start_date") or ""),
            "indication": "",
            "status": "stopped" if row.get("end_date") else "active",
        }


def _written(text: str) -> dict[str, str]:
    """`metformin 1000mg BID` in its parts; a bare name is a name."""
    amount, times = _AMOUNT.search(text), _TIMES_WORD.search(text)
    name = text[: amount.start()] if amount else text
    return {
        "drug_name": name.strip(),
        "dosage": amount.group() if amount else "",
        "frequency": times.group().lower() if times else "",
    }


def _lab(raw: Mapping[str, Any], notes: Notes) -> LabResult | None:
    name = str(raw.get("test_name") or "").lower()
    code = CODE.get(_LAB_NAMES.get(name, "")) or _code_named(name)
    value = _number(str(raw.get("value")))
    if value is None:
        notes["laboratory results without a number"] += 1
        return None
    if code is None:
        notes["laboratory results that are not in the table"] += 1
        return None
    lab, unit = LABS[code], str(raw.get("unit") or "")
    low, _, high = str(raw.get("reference_range") or "").partition("-")
    turned = [_in_unit(v, unit, lab.unit) for v in (value, _number(low), _number(high))]
    if turned[0] is None:
        notes["laboratory results in a unit that does not convert"] += 1
        return None
    return {
        "code": lab.code,
        "name": lab.name,
        "panel": lab.panel,
        "value": turned[0],
        "unit": lab.unit,
        "low": turned[1],
        "high": turned[2],
        "at": f"{raw.get('result_date') or '2026-02-12'}T12:00",
    }


def _code_named(name: str) -> str | None:
    return next((code for code, lab in LABS.items() if lab.name.lower() == name), None)


def _in_unit(value: float | None, unit: str, wanted: str) -> float | None:
    """`value` in the unit wanted; None for one that does not turn into it."""
    unit = _SAME_UNIT.get(unit.lower(), unit)
    if value is None or unit.lower() == wanted.lower():
        return value
    try:
        return float(f"{quantity.convert(value, unit, wanted):.6g}")
    except quantity.UnitError:
        return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _vitals(raw: Mapping[str, Any]) -> VitalSigns:
    return {
        "at": str(raw.get("timestamp") or NOW)[:16],
        "temperature_c": raw.get("temperature"),
        "heart_rate_bpm": raw.get("heart_rate"),
        "respiratory_rate_bpm": raw.get("respiratory_rate"),
        "systolic_mmhg": raw.get("blood_pressure_systolic"),
        "diastolic_mmhg": raw.get("blood_pressure_diastolic"),
        "spo2_percent": raw.get("spo2"),
        "gcs": raw.get("gcs"),
        "pain_0_10": raw.get("pain"),
    }


def _notes(raw: Mapping[str, Any], extra: list[str]) -> list[Note]:
    notes: list[Note] = [
        {
            "note_id": str(row.get("note_id") or f"N{place:03d}"),
            "at": f"{row.get('date') or '2026-02-12'}T09:00",
            "kind": str(row.get("note_type") or "note"),
            "author": str(row.get("author") or ""),
            "text": str(row.get("content") or ""),
        }
        for place, row in enumerate(raw.get("clinical_notes") or [], 1)
    ]
    if extra:
        notes.append({"note_id": "N900", "at": NOW, "kind": "profile", "author": "", "text": " ".join(extra)})
    return notes
