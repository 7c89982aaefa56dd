"""The typed database of one episode: synthetic patients as plain JSON, so that copy, hash and diff are exact.

tasks -> EnvWorker[N: HealthcareEnv -> [Database] <- tools] <-> Engine[M] -> Buffer -> Learner -> …

Times are ISO 8601 without a zone ("2031-03-04T08:30"), dates "2031-03-04". `None` means not measured or not
known, and tools say so; nothing that is missing is ever shown as normal. Units stand in the field's name or
beside the value. No patient is real; none of this is for care.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Sex = Literal["female", "male"]
Severity = Literal["mild", "moderate", "severe"]


class Problem(TypedDict):
    """A condition of the patient's problem list. `condition` is a key of the condition table."""

    condition: str
    name: str
    icd10: str
    onset: str
    status: Literal["active", "resolved"]


class Allergy(TypedDict):
    """`substance` a drug or a class; `group` the cross-reactivity group of clinical.allergy, or ""."""

    substance: str
    group: str
    reaction: str
    severity: Severity


class Medication(TypedDict):
    """A drug that the patient takes. `drug` is a generic name of the formulary; `dose` in `dose_unit`."""

    drug: str
    dose: float
    dose_unit: str
    route: str
    doses_per_day: float
    since: str
    indication: str
    status: Literal["active", "stopped"]


class LabResult(TypedDict):
    """One laboratory value with its reference range; `low` or `high` is None where the range is open."""

    code: str  # LOINC
    name: str
    panel: str
    value: float
    unit: str
    low: float | None
    high: float | None
    at: str


class VitalSigns(TypedDict):
    """One set of vital signs; what was not taken is None."""

    at: str
    temperature_c: float | None
    heart_rate_bpm: int | None
    respiratory_rate_bpm: int | None
    systolic_mmhg: int | None
    diastolic_mmhg: int | None
    spo2_percent: int | None
    gcs: int | None
    pain_0_10: int | None


class Note(TypedDict):
    note_id: str
    at: str
    kind: str  # "admission", "progress", "nursing", "consult", "agent", …
    author: str
    text: str


class Encounter(TypedDict):
    encounter_id: str
    kind: Literal["emergency", "inpatient", "outpatient"]
    at: str
    reason: str
    location: str


class Immunization(TypedDict):
    vaccine: str
    at: str


class Social(TypedDict):
    """`pack_years` and `drinks_per_week` are None where nobody asked."""

    smoking: Literal["never", "former", "current", "unknown"]
    pack_years: float | None
    drinks_per_week: float | None
    occupation: str
    living: str


class Presentation(TypedDict):
    """Why the patient is here. `symptoms` and `findings` are short phrases, positives first."""

    complaint: str
    onset: str
    symptoms: list[str]
    negatives: list[str]
    findings: list[str]


class Patient(TypedDict):
    """`pregnant_weeks` is None unless the patient is known to be pregnant."""

    patient_id: str
    name: str
    birth_date: str
    age_years: float
    sex: Sex
    weight_kg: float | None
    height_cm: float | None
    pregnant_weeks: int | None
    presentation: Presentation
    problems: list[Problem]
    allergies: list[Allergy]
    allergies_reviewed: bool  # False: nobody has asked; an empty list then means unknown
    medications: list[Medication]
    labs: list[LabResult]
    vitals: list[VitalSigns]
    notes: list[Note]
    encounters: list[Encounter]
    immunizations: list[Immunization]
    family_history: list[str]
    social: Social


class LabOrder(TypedDict):
    order_id: str
    patient_id: str
    test: str
    reason: str
    resulted: list[str]  # LOINC codes that came back; empty: no result is available


class Prescription(TypedDict):
    prescription_id: str
    patient_id: str
    drug: str
    dose: float
    dose_unit: str
    route: str
    doses_per_day: float
    days: float | None
    indication: str
    alerts: list[str]  # what the order system warned of when it was placed


class RecordedDiagnosis(TypedDict):
    patient_id: str
    diagnosis: str
    icd10: str
    confidence: Literal["low", "moderate", "high"]
    reasoning: str


class Referral(TypedDict):
    patient_id: str
    specialty: str
    urgency: Literal["routine", "urgent", "emergency"]
    reason: str


class Database(TypedDict):
    """All that the tools of one episode see. `unmeasured` holds values that only an order brings to light."""

    now: str
    patients: dict[str, Patient]
    unmeasured: dict[str, list[LabResult]]
    orders: list[LabOrder]
    prescriptions: list[Prescription]
    diagnoses: list[RecordedDiagnosis]
    referrals: list[Referral]
    extra: NotRequired[dict[str, object]]
