"""FHIR R4 resources to a patient's record, from any exporter that speaks LOINC and plain texts.

[resources by type] -> Patient

What a bundle does not say stays missing: None, an empty list, or dose 0 with an empty unit.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import re
from collections.abc import Callable, Iterable
from typing import Any

from distrl.envs.clinical import allergy as allergies
from distrl.envs.clinical import formulary
from distrl.envs.healthcare.world import fhir_codes as fc
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.fhir_read import Json, clock, code_of, first, text_of, when
from distrl.envs.healthcare.world.fhir_seen import (
    HEIGHT_UNITS,
    WEIGHT_UNITS,
    lab_of,
    measure,
    social_of,
    vitals_of,
    weeks,
)
from distrl.envs.healthcare.world.records import (
    Allergy,
    Encounter,
    Immunization,
    Medication,
    Note,
    Patient,
    Problem,
)

ByType = dict[str, list[Json]]
_KINDS = {
    "EMER": "emergency",
    "IMP": "inpatient",
    "ACUTE": "inpatient",
    "NONAC": "inpatient",
    "OBSENC": "inpatient",
}
_STRENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,4})?) ?(mg|mcg|g|unt|units?|meq)\b", re.IGNORECASE)
_ROUTES = {
    "subcutaneous": "sc",
    "intravenous": "iv",
    "intramuscular": "im",
    "by mouth": "oral",
    "inhalation": "inhaled",
}
_SEVERITY = {"mild": "mild", "moderate": "moderate", "severe": "severe"}
_DAYS = {"h": 1 / 24, "d": 1.0, "wk": 7.0, "mo": 30.0, "a": 365.0}
_NAMES = {name.lower(): c.key for c in CONDITIONS.values() for name in (c.name, *c.synonyms)}
_BY_ICD = {c.icd10: c.key for c in reversed(list(CONDITIONS.values()))}


def patient_of(found: ByType, referenced: Callable[[Json], Json | None]) -> Patient:
    """The record. `referenced` resolves a reference within the bundle."""
    person = found["Patient"][0]
    seen = found.get("Observation", [])
    visits = sorted((_encounter(e) for e in found.get("Encounter", [])), key=lambda e: e["at"])
    times = [v["at"] for v in visits] + [when(o) for o in seen]
    born = str(person["birthDate"])
    listed, reviewed = _allergies(found.get("AllergyIntolerance", []))
    drugs = [*found.get("MedicationStatement", []), *found.get("MedicationRequest", [])]
    return {
        "patient_id": str(person.get("id", "")) or "imported",
        "name": _name(person),
        "birth_date": born,
        "age_years": _age(born, max(filter(None, times), default=born)),
        "sex": "male" if person.get("gender") == "male" else "female",
        "weight_kg": measure(seen, fc.WEIGHT[0], WEIGHT_UNITS),
        "height_cm": measure(seen, fc.HEIGHT[0], HEIGHT_UNITS),
        "pregnant_weeks": weeks(seen),
        "presentation": {
            "complaint": visits[-1]["reason"] if visits else "",
            "onset": "",
            "symptoms": [],
            "negatives": [],
            "findings": [],
        },
        "problems": [_problem(c) for c in found.get("Condition", [])],
        "allergies": listed,
        "allergies_reviewed": reviewed,
        "medications": [_medication(m, referenced) for m in drugs],
        "labs": sorted(filter(None, map(lab_of, seen)), key=lambda r: r["at"]),
        "vitals": vitals_of(seen),
        "notes": sorted(map(_note, found.get("DocumentReference", [])), key=lambda n: n["at"]),
        "encounters": visits,
        "immunizations": sorted(map(_vaccine, found.get("Immunization", [])), key=lambda i: i["at"]),
        "family_history": list(map(_relative, found.get("FamilyMemberHistory", []))),
        "social": social_of(seen),
    }


def _name(person: Json) -> str:
    names = person.get("name", [{}])
    first = next((n for n in names if n.get("use") in (None, "official")), names[0])
    return str(first.get("text") or " ".join([*first.get("given", []), first.get("family", "")])).strip()


def _age(born: str, at: str) -> float:
    """Whole years from two years on, else tenths."""
    birth, day = _day(born), _day(at)
    years = day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
    return float(years) if years >= 2 else round(max(0, (day - birth).days) / 365.2425, 1)


def _day(text: str) -> datetime.date:
    """The day of a FHIR date; a year or a month stands for its first day."""
    return datetime.date.fromisoformat((text + "-01-01"[: 10 - len(text)] if len(text) < 10 else text)[:10])


def _encounter(visit: Json) -> Encounter:
    kind = _KINDS.get(str(visit.get("class", {}).get("code", "")), "outpatient")
    places = [p["location"].get("display", "") for p in visit.get("location", []) if "location" in p]
    reasons = [text_of(r) for r in visit.get("reasonCode", [])] + [text_of(t) for t in visit.get("type", [])]
    return {
        "encounter_id": str(visit.get("id", "")),
        "kind": kind,  # type: ignore[typeddict-item]
        "at": clock(str(visit.get("period", {}).get("start", ""))),
        "reason": next(filter(None, reasons), ""),
        "location": next(filter(None, places), ""),
    }


def _problem(condition: Json) -> Problem:
    code = condition.get("code", {})
    name, icd10 = text_of(code), code_of(code, fc.ICD10)
    plain = name.lower().removesuffix(" (disorder)").removesuffix(" (finding)")
    key = code_of(code, f"{fc.OWN}condition") or _NAMES.get(plain, "") or _BY_ICD.get(icd10, "")
    status = code_of(condition.get("clinicalStatus", {}), f"{fc.HL7}condition-clinical")
    return {
        "condition": key,
        "name": name,
        "icd10": icd10,
        "onset": str(condition.get("onsetDateTime") or condition.get("recordedDate") or "")[:10],
        "status": "resolved" if status in ("resolved", "inactive", "remission") else "active",
    }


def _allergies(entries: Iterable[Json]) -> tuple[list[Allergy], bool]:
    """(the list, whether anybody asked)."""
    found: list[Allergy] = []
    asked = False
    for entry in entries:
        asked = True
        code = entry.get("code", {})
        if code_of(code, fc.SNOMED) == fc.NO_KNOWN_ALLERGY:
            continue
        reaction = first(entry.get("reaction"))
        text = text_of(code)
        name = " ".join(text.lower().removesuffix(" (substance)").split())
        known = formulary.find(name)
        substance = name if name in allergies.GROUPS or known is None else known.name
        found.append(
            {
                "substance": substance,
                "group": allergies.GROUP.get(substance, substance if substance in allergies.GROUPS else ""),
                "reaction": text_of(first(reaction.get("manifestation"))),
                "severity": _SEVERITY.get(str(reaction.get("severity")), "moderate"),  # type: ignore[typeddict-item]
            }
        )
    return found, asked


def _medication(row: Json, referenced: Callable[[Json], Json | None]) -> Medication:
    concept = row.get("medicationCodeableConcept")
    if concept is None:
        concept = (referenced(row.get("medicationReference", {})) or {}).get("code", {})
    text = text_of(concept)
    named = formulary.drugs_named_in(text)
    known = formulary.find(text)
    dosage = first([*row.get("dosage", []), *row.get("dosageInstruction", [])])
    dose, unit = _dose(dosage, text)
    route = text_of(dosage.get("route")).lower().removesuffix(" route")
    reasons = [text_of(r) for r in row.get("reasonCode", [])]
    since = (
        row.get("effectivePeriod", {}).get("start")
        or row.get("effectiveDateTime")
        or row.get("authoredOn")
        or ""
    )
    return {
        "drug": known.name if known else named[0].name if named else text.lower(),
        "dose": dose,
        "dose_unit": unit,
        "route": _ROUTES.get(route, route) or ("oral" if " oral " in f" {text.lower()} " else ""),
        "doses_per_day": _per_day(dosage),
        "since": str(since)[:10],
        "indication": next(filter(None, reasons), ""),
        "status": "active" if row.get("status") in ("active", "intended", "on-hold") else "stopped",
    }


def _dose(dosage: Json, text: str) -> tuple[float, str]:
    """(dose, unit): as written, else the strength in the product's name times the number of tablets."""
    given = first(dosage.get("doseAndRate")).get("doseQuantity", {})
    value, unit = given.get("value"), str(given.get("unit", ""))
    if value is not None and unit:
        return _number(value), unit
    strength = _STRENGTH.search(text)
    if strength is None:
        return 0.0, ""
    word = {"unt": "units", "unit": "units"}.get(strength[2].lower(), strength[2].lower())
    return float(strength[1]) * (float(value) if value is not None else 1.0), word


def _per_day(dosage: Json) -> float:
    """Doses a day; 0 where the bundle does not say."""
    repeat = dosage.get("timing", {}).get("repeat", {})
    period = float(repeat.get("period", 0) or 0) * _DAYS.get(str(repeat.get("periodUnit", "d")), 1.0)
    if not period:
        return 0.0
    return _number(round(float(repeat.get("frequency", 1)) / period, 6))


def _number(value: Any) -> float:
    """An int where it is whole, as the generator writes."""
    number = float(value)
    return int(number) if number.is_integer() else number


def _note(document: Json) -> Note:
    attachment = first(document.get("content")).get("attachment", {})
    try:
        text = base64.b64decode(str(attachment.get("data", "")), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as e:
        raise ValueError(
            f"DocumentReference {document.get('id')}: attachment is no base64 text ({e})"
        ) from None
    author = first(document.get("author"))
    return {
        "note_id": str(document.get("id", "")),
        "at": clock(str(document.get("date", ""))),
        "kind": text_of(document.get("type")) or "note",
        "author": str(author.get("display", "")),
        "text": text,
    }


def _vaccine(given: Json) -> Immunization:
    return {
        "vaccine": text_of(given.get("vaccineCode")),
        "at": clock(str(given.get("occurrenceDateTime", ""))),
    }


def _relative(member: Json) -> str:
    illness = [text_of(c.get("code")) for c in member.get("condition", [])]
    if illness:
        return f"{text_of(member.get('relationship'))}: {', '.join(illness)}"
    return " ".join(str(n.get("text", "")) for n in member.get("note", [])) or text_of(
        member.get("relationship")
    )
