"""What is missing on purpose: taken off the record, so that tools report it as missing.

Patient, names of options.MISSABLE -> [leave_out] -> the results that are now to be ordered
"""

from __future__ import annotations

from collections.abc import Iterable

from distrl.envs.healthcare.world.records import LabResult, Patient

SIGNS = {
    "temperature": ("temperature_c",),
    "heart_rate": ("heart_rate_bpm",),
    "respiratory_rate": ("respiratory_rate_bpm",),
    "blood_pressure": ("systolic_mmhg", "diastolic_mmhg"),
    "spo2": ("spo2_percent",),
    "gcs": ("gcs",),
    "pain": ("pain_0_10",),
}
MEASURES = {"weight": "weight_kg", "height": "height_cm"}
LISTS = ("vitals", "medications", "family_history", "immunizations")
BASIC = "Basic Metabolic Panel"


def leave_out(patient: Patient, missing: Iterable[str], now: str) -> list[LabResult]:
    """Take away what is missing. Laboratory results move to what an order brings, dated `now`."""
    hidden: list[LabResult] = []
    for name in missing:
        if name in MEASURES:
            patient[MEASURES[name]] = None  # type: ignore[literal-required]
        elif name in LISTS:
            patient[name] = []  # type: ignore[literal-required]
        elif name in SIGNS:
            for signs in patient["vitals"]:
                signs.update(dict.fromkeys(SIGNS[name]))  # type: ignore[typeddict-item]
        elif name == "allergies":
            patient["allergies"], patient["allergies_reviewed"] = [], False
        elif name in ("labs", "creatinine"):
            hidden += _hide(patient, whole=name == "labs", now=now)
        elif name == "social":
            patient["social"].update({"smoking": "unknown", "pack_years": None, "drinks_per_week": None})
    return hidden


def _hide(patient: Patient, *, whole: bool, now: str) -> list[LabResult]:
    """The latest of each analyte that goes, all of them or the basic metabolic panel."""
    gone = [r for r in patient["labs"] if whole or r["panel"] == BASIC]
    latest = {r["code"]: r for r in sorted(gone, key=lambda r: r["at"])}
    patient["labs"] = [r for r in patient["labs"] if r not in gone]
    return [{**r, "at": now} for r in latest.values()]
