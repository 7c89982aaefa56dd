"""FHIR R4 in and out: one patient as a Bundle, so that a user can bring records of another synthetic source.

Patient -> [to_bundle] -> Bundle (JSON) -> [from_bundle] -> Patient

Each resource is validated by `fhir.resources`, which is imported on first use. Other resource types of a
bundle are ignored; references may be relative, absolute or urn:uuid. Not carried by a bundle: the
presentation (import takes the complaint of the latest encounter), results that only an order brings, and
reports of imaging.
"""

from __future__ import annotations

import importlib
from typing import Any

from distrl.envs.healthcare.world.fhir_in import ByType, patient_of
from distrl.envs.healthcare.world.fhir_out import resources
from distrl.envs.healthcare.world.fhir_read import Json, withdrawn
from distrl.envs.healthcare.world.records import Patient

READ = (
    "Patient", "Encounter", "Condition", "AllergyIntolerance", "MedicationStatement", "MedicationRequest",
    "Medication", "Observation", "Immunization", "FamilyMemberHistory", "DocumentReference",
)  # fmt: skip
MAX_ENTRIES = 20_000


def to_bundle(patient: Patient) -> dict[str, Any]:
    """A validated FHIR R4 Bundle of type "collection" with everything that FHIR carries of the patient."""
    found = list(resources(patient))
    for resource in found:
        _validated(resource, f"{resource['resourceType']} {resource['id']}")
    entries = [{"fullUrl": f"urn:distrl:{r['resourceType']}/{r['id']}", "resource": r} for r in found]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    _validated(bundle, "the bundle")
    return bundle


def from_bundle(bundle: dict[str, Any]) -> Patient:
    """The patient of a bundle. Raises ValueError with one line that names the entry and what is wrong."""
    if not isinstance(bundle, dict) or bundle.get("resourceType") != "Bundle":
        raise ValueError("not a FHIR bundle: resourceType must be 'Bundle'")
    entries = bundle.get("entry", [])
    if not isinstance(entries, list) or len(entries) > MAX_ENTRIES:
        raise ValueError(f"bundle: entry must be a list of at most {MAX_ENTRIES}")
    found: ByType = {}
    by_reference: dict[str, Json] = {}
    for number, entry in enumerate(entries):
        resource = entry.get("resource") if isinstance(entry, dict) else None
        if not isinstance(resource, dict) or not isinstance(resource.get("resourceType"), str):
            raise ValueError(f"bundle entry {number}: no resource with a resourceType")
        kind = resource["resourceType"]
        if kind not in READ:
            continue
        _validated(resource, f"bundle entry {number} ({kind})")
        if not withdrawn(resource):
            found.setdefault(kind, []).append(resource)
        by_reference[str(entry.get("fullUrl", ""))] = resource
        by_reference[f"{kind}/{resource.get('id', '')}"] = resource
    people = found.get("Patient", [])
    if len(people) != 1:
        raise ValueError(f"bundle: {len(people)} Patient resources; give exactly one")
    if len(str(people[0].get("birthDate", ""))) != 10:
        raise ValueError("bundle: Patient.birthDate must be a full date")
    return patient_of(found, lambda ref: by_reference.get(str(ref.get("reference", ""))))


def _validated(resource: Json, where: str) -> None:
    """Raises ValueError with one line for a resource that its FHIR model refuses."""
    kind = resource["resourceType"]
    try:
        module = importlib.import_module(f"fhir.resources.R4B.{kind.lower()}")
    except ImportError as e:
        raise ImportError("FHIR import and export need the package fhir.resources") from e
    try:
        getattr(module, kind).model_validate(resource)
    except ValueError as e:
        errors: list[Any] = getattr(e, "errors", list)()
        first = errors[0] if errors else {"loc": (), "msg": str(e)}
        path = ".".join(str(part) for part in first["loc"])
        text = " ".join(str(first["msg"]).split())[:200]
        raise ValueError(f"{where}: {path + ': ' if path else ''}{text}") from None
