"""Tools that change the record: order a test, prescribe, write a note, record a diagnosis, refer.

EnvWorker[N: ToolCall -> Toolkit.run -> [orders] -> Database] <-> Engine[M] -> …

Each is a WRITE tool: it works on a copy that replaces the database only when it succeeds. None of them judges
the agent: a prescription that harms is written with its alerts, so that the safety rules can see it.
"""

# ruff: noqa: PLR0913 - an order has as many fields as its form.

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from distrl.envs.healthcare.tools import doses, lookup, screening, values
from distrl.envs.healthcare.tools.lookup import DrugName, PatientId, patient, shown, suggestion
from distrl.envs.healthcare.world.labs import LABS, TESTS, TEXT_TESTS, find_test
from distrl.envs.healthcare.world.records import Database, LabResult, Patient, Prescription
from distrl.envs.toolkit import Arg, ToolError

Data = dict[str, Any]
Words = Annotated[str, Arg(max_length=2000)]
ShortText = Annotated[str, Arg(max_length=200)]
_ICD10 = re.compile(r"[A-Z][0-9][0-9A-Z](?:\.[0-9A-Z]{1,4})?")
_TEST_PARTS = re.compile(r"[/,;+()]")


def order_lab_test(
    db: Database,
    patient_id: PatientId,
    test_name: ShortText,
    priority: Literal["routine", "urgent", "stat"] = "routine",
    reason: ShortText = "",
) -> Data:
    """Order one laboratory test, culture, tracing or image, and get its result where there is one.

    Args:
        test_name: One test, such as "Troponin", "CSF Analysis", "Blood Culture" or "Chest X-ray".
        reason: What the result will decide.
    """
    person = patient(db, patient_id)
    test = orderable(test_name)
    new, known, absent = _measure(db, person, test)
    report = _report(db, person, test)
    order_id = f"O{len(db['orders']) + 1:03d}"
    db["orders"].append(
        {
            "order_id": order_id,
            "patient_id": person["patient_id"],
            "test": test,
            "reason": f"[{priority}] {reason}".strip(),
            "resulted": [r["code"] for r in (*new, *known)],
        }
    )
    resulted = bool(new or known or report)
    return {
        "order_id": order_id,
        "patient_id": person["patient_id"],
        "test": test,
        "priority": priority,
        "status": "resulted" if resulted else "ordered, no result available",
        "results": [values.lab(r) for r in new],
        "already_on_record": [values.lab(r) for r in known],
        "report": report,
        "missing": [f"{name}: no result (not normal, not known)" for name in absent]
        if TESTS[test]
        else ([] if report else [f"{test}: no result (not normal, not known)"]),
    }


def prescribe_medication(
    db: Database,
    patient_id: PatientId,
    *,
    drug_name: DrugName,
    dose: Annotated[float, Arg(ge=0.0001, le=1e7, help="One dose, for this patient; not per kg.")],
    dose_unit: Annotated[str, Arg(max_length=20, help="Such as mg, g, mcg or units.")],
    route: Annotated[str, Arg(max_length=30, help="Such as oral, iv, im, sc or inhaled.")],
    doses_per_day: Annotated[float, Arg(ge=0.001, le=96, help="1 for once daily or a single dose.")],
    days: Annotated[float | None, Arg(unit="days", ge=0.01, le=3650)] = None,
    indication: ShortText = "",
) -> Data:
    """Prescribe one drug. The order is screened and written with its alerts; read them, they do not stop it.

    Screened: allergies, dose, kidney, liver, pregnancy, conditions, interactions, duplicates.

    Source: the formulary, `clinical.interactions`, `clinical.allergy`.

    Args:
        days: How long; leave it out for until reviewed.
        indication: What it is for.
    """
    person = patient(db, patient_id)
    record = lookup.drug(drug_name)
    way = lookup.route(route, record)
    amount, unit = doses.in_formulary_unit(record, way, dose, dose_unit)
    screened = screening.screen(
        db,
        person,
        record,
        screening.Ordered(dose=amount, unit=unit, route=way, doses_per_day=doses_per_day),
    )
    prescription: Prescription = {
        "prescription_id": f"RX{len(db['prescriptions']) + 1:03d}",
        "patient_id": person["patient_id"],
        "drug": record.name,
        "dose": amount,
        "dose_unit": unit,
        "route": way,
        "doses_per_day": doses_per_day,
        "days": days,
        "indication": indication,
        "alerts": [str(alert) for alert in screened.alerts],
    }
    db["prescriptions"].append(prescription)
    return {"status": "written", **prescription, "not_screened": list(screened.missing)}


def add_clinical_note(
    db: Database,
    patient_id: PatientId,
    note_type: Annotated[str, Arg(max_length=40, help="Such as progress, consult, handover or discharge.")],
    content: Annotated[str, Arg(max_length=8000)],
) -> Data:
    """Write a note into the patient's record.

    Args:
        content: The note's text.
    """
    person = patient(db, patient_id)
    kind = " ".join(note_type.lower().split())
    if not content.strip() or not kind:
        raise ToolError("the note is empty; give note_type and content")
    note_id = f"N{len(person['notes']) + 1:03d}-agent"
    person["notes"].append(
        {"note_id": note_id, "at": db["now"], "kind": kind, "author": "agent", "text": content.strip()}
    )
    return {
        "status": "written",
        "note_id": note_id,
        "patient_id": person["patient_id"],
        "note_type": kind,
        "at": db["now"],
    }


def record_diagnosis(
    db: Database,
    patient_id: PatientId,
    diagnosis: ShortText,
    icd10_code: Annotated[str, Arg(max_length=10)] = "",
    confidence: Literal["low", "moderate", "high"] = "moderate",
    reasoning: Words = "",
) -> Data:
    """Record a diagnosis with its ICD-10 code, how sure it is, and why.

    Args:
        diagnosis: Its name in words.
        icd10_code: Such as J18.9.
        reasoning: The findings it rests on.
    """
    person = patient(db, patient_id)
    code = icd10_code.strip().upper()
    if not diagnosis.strip():
        raise ToolError("the diagnosis is empty; give its name in words")
    if code and not _ICD10.fullmatch(code):
        raise ToolError(
            f"icd10_code {shown(icd10_code)} is not an ICD-10 code; write it like J18.9, or leave it out"
        )
    db["diagnoses"].append(
        {
            "patient_id": person["patient_id"],
            "diagnosis": " ".join(diagnosis.split()),
            "icd10": code,
            "confidence": confidence,
            "reasoning": reasoning.strip(),
        }
    )
    return {
        "status": "recorded",
        **db["diagnoses"][-1],
        "missing": [
            f"{name}: not given"
            for name, value in (("icd10_code", code), ("reasoning", reasoning.strip()))
            if not value
        ],
    }


def transfer_to_specialist(
    db: Database,
    specialty: Annotated[str, Arg(max_length=60)],
    summary: Words,
    patient_id: Annotated[str | None, Arg(max_length=64)] = None,
    urgency: Literal["routine", "urgent", "emergency"] = "routine",
) -> Data:
    """Hand the patient over to a specialist with a summary. Writes a referral; the case goes on.

    Args:
        specialty: Such as cardiology, surgery or intensive care.
        summary: Who, what was found, what was done, what is asked.
        patient_id: Id as the ticket gives it; may be left out where the case has one patient.
    """
    person = patient(db, patient_id) if patient_id is not None else _only_patient(db)
    named = " ".join(specialty.lower().replace("_", " ").split())
    if not named or not summary.strip():
        raise ToolError("specialty and summary must not be empty; say who should take over and why")
    db["referrals"].append(
        {
            "patient_id": person["patient_id"],
            "specialty": named,
            "urgency": urgency,
            "reason": summary.strip(),
        }
    )
    return {"status": "referred", **db["referrals"][-1]}


def orderable(name: str) -> str:
    """The orderable test of that name. ToolError with close names for an unknown one or for several."""
    whole = find_test(name)
    if whole is not None:
        return whole
    parts = [p.strip() for p in _TEST_PARTS.split(name)]
    found = list(dict.fromkeys(t for p in parts if (t := find_test(p)) is not None))
    if len(found) == 1:
        return found[0]
    if found:
        raise ToolError(f"{shown(name)} names {len(found)} tests; order one a call: {', '.join(found)}")
    close = suggestion(name, TESTS) or f"; there are: {', '.join(TESTS)}"
    raise ToolError(f"no test {shown(name)}{close}")


def _measure(db: Database, person: Patient, test: str) -> tuple[list[LabResult], list[LabResult], list[str]]:
    """(results that the order brings to light, results known before, names without a result)."""
    waiting = db["unmeasured"].get(person["patient_id"], [])
    new = [r for r in waiting if r["code"] in TESTS[test]]
    if new:
        db["unmeasured"][person["patient_id"]] = [r for r in waiting if r["code"] not in TESTS[test]]
        person["labs"].extend(new)
    fresh = {r["code"] for r in new}
    known: dict[str, LabResult] = {}
    for result in sorted(person["labs"], key=lambda r: r["at"]):
        if result["code"] in TESTS[test] and result["code"] not in fresh:
            known[result["code"]] = result
    absent = [LABS[code].name for code in TESTS[test] if code not in fresh and code not in known]
    return new, list(known.values()), absent


def _report(db: Database, person: Patient, test: str) -> str:
    """The text of a culture, tracing or image: read once it becomes a note of the record."""
    if test not in TEXT_TESTS:
        return ""
    reports = db.get("extra", {}).get("reports")
    own = reports.get(person["patient_id"]) if isinstance(reports, dict) else None
    title = f"{test}: "
    if isinstance(own, dict) and test in own:
        text = str(own.pop(test))
        person["notes"].append(
            {
                "note_id": f"N{len(person['notes']) + 1:03d}-report",
                "at": db["now"],
                "kind": TEXT_TESTS[test],
                "author": "department",
                "text": title + text,
            }
        )
        return text
    notes = [n["text"] for n in person["notes"] if n["text"].startswith(title)]
    return notes[-1].removeprefix(title) if notes else ""


def _only_patient(db: Database) -> Patient:
    """The patient of the ticket where the case holds one; ToolError where the id is needed."""
    target = db.get("extra", {}).get("target")
    if isinstance(target, str) and target in db["patients"]:
        return db["patients"][target]
    if len(db["patients"]) == 1:
        return next(iter(db["patients"].values()))
    raise ToolError("patient_id: missing; give the id of the ticket")
