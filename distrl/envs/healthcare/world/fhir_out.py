"""A patient as FHIR R4 resources, plain dicts; `fhir.to_bundle` validates and wraps them.

Patient -> [resources] -> Bundle
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from distrl.envs.healthcare.world import fhir_codes as fc
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.records import LabResult, Medication, Patient, VitalSigns

Json = dict[str, Any]


def resources(patient: Patient) -> Iterator[Json]:
    """The patient first, then everything about it, in the record's order."""
    yield _person(patient)
    about = {"reference": f"Patient/{patient['patient_id']}"}
    yield from _encounters(patient, about)
    yield from _problems(patient, about)
    yield from _allergies(patient, about)
    for number, drug in enumerate(patient["medications"]):
        yield _medication(drug, about, f"{patient['patient_id']}-med-{number}")
    yield from _measures(patient, about)
    for number, signs in enumerate(patient["vitals"]):
        yield from _vitals(signs, about, f"{patient['patient_id']}-vit-{number}")
    for number, lab in enumerate(patient["labs"]):
        yield _lab(lab, about, f"{patient['patient_id']}-lab-{number}")
    yield from _vaccines(patient, about)
    yield from _family(patient, about)
    yield from _notes(patient, about)


def moment(at: str) -> str:
    """A FHIR dateTime; the record's clock has no zone and is written as UTC."""
    return at if len(at) == 10 else f"{at}:00+00:00"


def coded(system: str, code: str, text: str) -> Json:
    return {"coding": [{"system": system, "code": code, "display": text}], "text": text}


def _quantity(value: float, unit: str, ucum: str) -> Json:
    return {"value": value, "unit": unit or ucum, "system": fc.UCUM, "code": ucum}


def _person(patient: Patient) -> Json:
    given, _, family = patient["name"].rpartition(" ")
    name: Json = {"text": patient["name"], "family": family}
    if given:
        name["given"] = [given]
    return {
        "resourceType": "Patient",
        "id": patient["patient_id"],
        "name": [name],
        "gender": patient["sex"],
        "birthDate": patient["birth_date"],
    }


def _encounters(patient: Patient, about: Json) -> Iterator[Json]:
    for visit in patient["encounters"]:
        yield {
            "resourceType": "Encounter",
            "id": visit["encounter_id"],
            "status": "finished",
            "class": {"system": f"{fc.HL7}v3-ActCode", "code": fc.ENCOUNTER_CLASS[visit["kind"]]},
            "subject": about,
            "period": {"start": moment(visit["at"])},
            "reasonCode": [{"text": visit["reason"]}],
            "location": [{"location": {"display": visit["location"]}}],
        }


def _problems(patient: Patient, about: Json) -> Iterator[Json]:
    for number, problem in enumerate(patient["problems"]):
        status = coded(f"{fc.HL7}condition-clinical", problem["status"], problem["status"])
        code = {
            "coding": [
                {"system": fc.ICD10, "code": problem["icd10"], "display": problem["name"]},
                {"system": f"{fc.OWN}condition", "code": problem["condition"]},
            ],
            "text": problem["name"],
        }
        yield {
            "resourceType": "Condition",
            "id": f"{patient['patient_id']}-prob-{number}",
            "clinicalStatus": status,
            "code": code,
            "subject": about,
            "onsetDateTime": problem["onset"],
        }


def _allergies(patient: Patient, about: Json) -> Iterator[Json]:
    """Nothing where nobody asked; "no known allergy" where the answer was no."""
    active = coded(f"{fc.HL7}allergyintolerance-clinical", "active", "active")
    base: Json = {"resourceType": "AllergyIntolerance", "clinicalStatus": active, "patient": about}
    if patient["allergies_reviewed"] and not patient["allergies"]:
        name = f"{patient['patient_id']}-all-none"
        yield {**base, "id": name, "code": coded(fc.SNOMED, fc.NO_KNOWN_ALLERGY, "No known allergy")}
    for number, entry in enumerate(patient["allergies"]):
        yield {
            **base,
            "id": f"{patient['patient_id']}-all-{number}",
            "code": {"text": entry["substance"]},
            "reaction": [{"manifestation": [{"text": entry["reaction"]}], "severity": entry["severity"]}],
        }


def rhythm(per_day: float) -> tuple[int, int]:
    """(times, days) whose quotient is `per_day` to six digits; whole numbers, as FHIR asks."""
    for days in range(1, 367):
        times = round(per_day * days)
        if times >= 1 and round(times / days, 6) == round(per_day, 6):
            return times, days
    return max(1, round(per_day)), 1


def _medication(drug: Medication, about: Json, name: str) -> Json:
    times, days = rhythm(drug["doses_per_day"])
    return {
        "resourceType": "MedicationStatement",
        "id": name,
        "status": drug["status"],
        "medicationCodeableConcept": {"text": drug["drug"]},
        "subject": about,
        "effectivePeriod": {"start": drug["since"]},
        "reasonCode": [{"text": drug["indication"]}],
        "dosage": [
            {
                "timing": {"repeat": {"frequency": times, "period": days, "periodUnit": "d"}},
                "route": {"text": drug["route"]},
                "doseAndRate": [{"doseQuantity": {"value": drug["dose"], "unit": drug["dose_unit"]}}],
            }
        ],
    }


def _observation(about: Json, name: str, category: str, code: Json, at: str) -> Json:
    return {
        "resourceType": "Observation",
        "id": name,
        "status": "final",
        "category": [coded(f"{fc.HL7}observation-category", category, category)],
        "code": code,
        "subject": about,
        "effectiveDateTime": moment(at),
    }


def _measures(patient: Patient, about: Json) -> Iterator[Json]:
    """Body size, pregnancy and habits, as of the latest visit."""
    at = patient["encounters"][-1]["at"] if patient["encounters"] else patient["birth_date"]
    habits = patient["social"]
    rows = (
        (fc.WEIGHT, patient["weight_kg"], "vital-signs"),
        (fc.HEIGHT, patient["height_cm"], "vital-signs"),
        (fc.GESTATION, patient["pregnant_weeks"], "exam"),
        (fc.PACK_YEARS, habits["pack_years"], "social-history"),
    )
    for (loinc, text, ucum), number, category in rows:
        if number is not None:
            name = f"{patient['patient_id']}-{loinc}"
            seen = _observation(about, name, category, coded(fc.LOINC, loinc, text), at)
            yield {**seen, "valueQuantity": _quantity(number, ucum, ucum)}
    smoking = coded(fc.LOINC, *fc.SMOKING)
    seen = _observation(about, f"{patient['patient_id']}-smoking", "social-history", smoking, at)
    yield {**seen, "valueCodeableConcept": {"text": habits["smoking"]}}
    if habits["drinks_per_week"] is not None:
        code = coded(f"{fc.OWN}social", "drinks_per_week", "drinks a week")
        seen = _observation(about, f"{patient['patient_id']}-drinks", "social-history", code, at)
        yield {**seen, "valueQuantity": _quantity(habits["drinks_per_week"], "/wk", "/wk")}
    for key, value in (("occupation", habits["occupation"]), ("living", habits["living"])):
        code = coded(f"{fc.OWN}social", key, key)
        seen = _observation(about, f"{patient['patient_id']}-{key}", "social-history", code, at)
        yield {**seen, "valueString": value}


def _vitals(signs: VitalSigns, about: Json, name: str) -> Iterator[Json]:
    for field, (code, text, ucum) in fc.VITALS.items():
        value = signs[field]  # type: ignore[literal-required]
        if value is not None:
            seen = _observation(
                about, f"{name}-{code}", "vital-signs", coded(fc.LOINC, code, text), signs["at"]
            )
            yield {**seen, "valueQuantity": _quantity(value, ucum, ucum)}
    parts = [
        {"code": coded(fc.LOINC, code, text), "valueQuantity": _quantity(signs[field], ucum, ucum)}  # type: ignore[literal-required]
        for field, (code, text, ucum) in fc.PRESSURES.items()
        if signs[field] is not None  # type: ignore[literal-required]
    ]
    if parts:
        panel = coded(fc.LOINC, *fc.PRESSURE)
        yield {**_observation(about, f"{name}-bp", "vital-signs", panel, signs["at"]), "component": parts}


def _lab(lab: LabResult, about: Json, name: str) -> Json:
    known = LABS.get(lab["code"])
    ucum = known.ucum if known is not None else lab["unit"]
    seen = _observation(about, name, "laboratory", coded(fc.LOINC, lab["code"], lab["name"]), lab["at"])
    seen["valueQuantity"] = _quantity(lab["value"], lab["unit"], ucum)
    ends = {
        end: {"value": lab[end], "unit": lab["unit"] or ucum}
        for end in ("low", "high")
        if lab[end] is not None
    }
    return {**seen, "referenceRange": [ends]} if ends else seen


def _vaccines(patient: Patient, about: Json) -> Iterator[Json]:
    for number, given in enumerate(patient["immunizations"]):
        yield {
            "resourceType": "Immunization",
            "id": f"{patient['patient_id']}-imm-{number}",
            "status": "completed",
            "vaccineCode": {"text": given["vaccine"]},
            "patient": about,
            "occurrenceDateTime": moment(given["at"]),
        }


def _family(patient: Patient, about: Json) -> Iterator[Json]:
    for number, text in enumerate(patient["family_history"]):
        who, colon, what = text.partition(": ")
        member: Json = {
            "resourceType": "FamilyMemberHistory",
            "id": f"{patient['patient_id']}-fam-{number}",
            "status": "completed",
            "patient": about,
            "relationship": {"text": who if colon else "family"},
        }
        yield {
            **member,
            **({"condition": [{"code": {"text": what}}]} if colon else {"note": [{"text": text}]}),
        }


def _notes(patient: Patient, about: Json) -> Iterator[Json]:
    for note in patient["notes"]:
        data = base64.b64encode(note["text"].encode()).decode()
        yield {
            "resourceType": "DocumentReference",
            "id": note["note_id"],
            "status": "current",
            "type": {"text": note["kind"]},
            "subject": about,
            "date": moment(note["at"]),
            "author": [{"display": note["author"]}],
            "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
        }
