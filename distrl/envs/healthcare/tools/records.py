"""Tools that read a patient's record: person, history, vital signs, laboratory, drugs, notes, allergies.

EnvWorker[N: ToolCall -> Toolkit.run -> [records] <- Database] <-> Engine[M] -> …

Values carry their units. What is not on the record stands under "missing" in words; it is never shown as
normal. An empty list that nobody has asked about is said to be unknown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from distrl.envs.clinical.allergy import CROSS_REACTIVE
from distrl.envs.clinical.formulary import DRUGS, conflicts_with_allergies
from distrl.envs.healthcare.tools import values
from distrl.envs.healthcare.tools.lookup import PatientId, patient, shown
from distrl.envs.healthcare.world.labs import TESTS, flag
from distrl.envs.healthcare.world.records import (
    Allergy,
    Database,
    LabResult,
    Medication,
    Patient,
    Problem,
)
from distrl.envs.toolkit import Arg

SeriesLength = Annotated[int, Arg(ge=2, le=24)]
Data = dict[str, Any]
MOST_NOTES = 12  # the newest; older ones are counted
MOST_NOTE_CHARS = 1200
EARLIER_SHOWN = 6  # earlier values of a test that is asked for
EARLIER_OF_ABNORMAL = 2
UNREVIEWED = "allergies: nobody has asked yet; unknown, not none"


def get_patient_info(db: Database, patient_id: PatientId) -> Data:
    """Demographics, complaint, active problems, allergies and current medications of the patient."""
    person = patient(db, patient_id)
    missing = [
        f"{name}: not on the record"
        for name, value in (("weight", person["weight_kg"]), ("height", person["height_cm"]))
        if value is None
    ]
    if not person["allergies_reviewed"]:
        missing.append(UNREVIEWED)
    if could_be_pregnant(person) and person["pregnant_weeks"] is None:
        missing.append("pregnancy: no status on the record")
    return {
        "patient_id": person["patient_id"],
        "name": person["name"],
        "birth_date": person["birth_date"],
        "age": values.amount(person["age_years"], "years"),
        "sex": person["sex"],
        "weight": values.amount(person["weight_kg"], "kg"),
        "height": values.amount(person["height_cm"], "cm"),
        "pregnant": values.amount(person["pregnant_weeks"], "weeks of gestation"),
        "complaint": person["presentation"]["complaint"],
        "problems": [_problem(p) for p in person["problems"] if p["status"] == "active"],
        "allergies": [f"{a['substance']} ({a['reaction']}, {a['severity']})" for a in person["allergies"]],
        "medications": [values.regimen(m) for m in person["medications"] if m["status"] == "active"],
        "missing": missing,
    }


def get_patient_history(db: Database, patient_id: PatientId) -> Data:
    """The whole history: present illness, examination, past problems, visits, family and social history."""
    person = patient(db, patient_id)
    present, social = person["presentation"], person["social"]
    missing = [
        f"{name}: nobody asked"
        for name, value in (
            ("pack-years", social["pack_years"]),
            ("drinks per week", social["drinks_per_week"]),
        )
        if value is None
    ]
    missing += ["smoking: unknown"] if social["smoking"] == "unknown" else []
    missing += ["family history: none on the record"] if not person["family_history"] else []
    return {
        "patient_id": person["patient_id"],
        "present_illness": {
            "complaint": present["complaint"],
            "onset": present["onset"],
            "symptoms": present["symptoms"],
            "denied_or_absent": present["negatives"],
            "examination": present["findings"],
        },
        "problems": [_problem(p) for p in person["problems"]],
        "encounters": [
            {key: visit[key] for key in ("kind", "at", "reason", "location")}
            for visit in person["encounters"][-MOST_NOTES:]
        ],
        "stopped_medications": [values.regimen(m) for m in person["medications"] if m["status"] == "stopped"],
        "family_history": person["family_history"],
        "social": {
            "smoking": social["smoking"],
            "pack_years": social["pack_years"],
            "drinks_per_week": social["drinks_per_week"],
            "occupation": social["occupation"],
            "living": social["living"],
        },
        "missing": missing,
    }


def get_vital_signs(db: Database, patient_id: PatientId) -> Data:
    """The latest vital signs with units; a sign that was not taken in that set is named as missing."""
    person = patient(db, patient_id)
    if not person["vitals"]:
        return {"patient_id": person["patient_id"], "missing": ["vital signs: none taken"]}
    latest = max(person["vitals"], key=lambda v: v["at"])
    taken = {name: values.vital(latest, name) for name in values.VITALS}
    return {
        "patient_id": person["patient_id"],
        "at": latest["at"],
        **{
            name: {"value": value, "unit": values.VITALS[name].unit}
            for name, value in taken.items()
            if value is not None
        },
        "sets_on_record": len(person["vitals"]),
        "missing": [f"{name}: not taken" for name, value in taken.items() if value is None],
    }


def get_vital_signs_trend(db: Database, patient_id: PatientId, count: SeriesLength = 8) -> Data:
    """Each vital sign as a series, oldest first, with its change from the first to the last value.

    Args:
        count: How many of the latest sets.
    """
    person = patient(db, patient_id)
    sets = sorted(person["vitals"], key=lambda v: v["at"])[-count:]
    series: Data = {}
    missing = []
    for name, sign in values.VITALS.items():
        points = [(s["at"], v) for s in sets if (v := values.vital(s, name)) is not None]
        if not points:
            missing.append(f"{name}: not taken")
            continue
        change = round(points[-1][1] - points[0][1], 1)
        series[name] = {
            "unit": sign.unit,
            "values": [{"at": at, "value": value} for at, value in points],
            "change": change if len(points) > 1 else None,
            "direction": values.direction(change, sign.noise) if len(points) > 1 else "one value only",
        }
    return {"patient_id": person["patient_id"], "sets": len(sets), "trend": series, "missing": missing}


def get_lab_results(
    db: Database,
    patient_id: PatientId,
    category: Annotated[str | None, Arg(max_length=60)] = None,
    test: Annotated[str | None, Arg(max_length=60)] = None,
) -> Data:
    """Laboratory results on the record by panel, with unit, reference range, flag and earlier values.

    A flag is low, normal or high against the printed range, or "no range". A test without a result has not
    been done: order it. Without category and test, normal values are told in short.

    Args:
        category: Only this panel, such as "chemistry"; leave it out for all.
        test: Only results whose name holds this word, such as "creatinine".
    """
    person = patient(db, patient_id)
    by_code: dict[str, list[LabResult]] = {}
    for result in sorted(person["labs"], key=lambda r: r["at"], reverse=True):
        by_code.setdefault(result["code"], []).append(result)
    panels = sorted({r[0]["panel"] for r in by_code.values()})
    chosen = {
        code: rows
        for code, rows in by_code.items()
        if _holds(category, rows[0]["panel"]) and _holds(test, f"{rows[0]['name']} {rows[0]['panel']}")
    }
    missing = []
    if (category or test) and not chosen:
        wanted = " and ".join(shown(w) for w in (category, test) if w)
        missing.append(
            f"{wanted}: no result on the record (not done, which is not normal); "
            f"panels on the record: {', '.join(panels) or 'none'}"
        )
    elif not chosen:
        missing.append("laboratory: no result on the record (not done, which is not normal)")
    return {
        "patient_id": person["patient_id"],
        "results": _by_panel(list(chosen.values()), EARLIER_SHOWN if category or test else 0),
        "panels_without_result": [
            name
            for name, codes in TESTS.items()
            if len(codes) > 1 and not any(code in by_code for code in codes)
        ],
        "missing": missing,
    }


def get_medications(db: Database, patient_id: PatientId, include_stopped: bool = False) -> Data:
    """The patient's medication list with dose, route, frequency, start and indication.

    Args:
        include_stopped: Also those that were stopped.
    """
    person = patient(db, patient_id)
    listed = [m for m in person["medications"] if include_stopped or m["status"] == "active"]
    placed = [p for p in db["prescriptions"] if p["patient_id"] == person["patient_id"]]
    return {
        "patient_id": person["patient_id"],
        "medications": [_medication(m) for m in listed],
        "prescribed_in_this_episode": [
            {key: p[key] for key in ("drug", "dose", "dose_unit", "route", "doses_per_day")} for p in placed
        ],
        "missing": [] if listed else ["medications: none on the record"],
    }


def get_patient_medications(db: Database, patient_id: PatientId) -> Data:
    """The medication profile: current drugs and what bears on their safety (age, kidney, allergies).

    Kidney function is creatinine clearance by Cockcroft-Gault from the latest creatinine.
    """
    person = patient(db, patient_id)
    kidney = values.creatinine_clearance(person)
    liver = values.child_pugh(person)
    missing = [reason for found in (kidney, liver) for reason in found.missing]
    if person["weight_kg"] is None:
        missing.append("weight: not on the record")
    if not person["allergies_reviewed"]:
        missing.append(UNREVIEWED)
    return {
        "patient_id": person["patient_id"],
        "age": values.amount(person["age_years"], "years"),
        "sex": person["sex"],
        "weight": values.amount(person["weight_kg"], "kg"),
        "pregnant": values.amount(person["pregnant_weeks"], "weeks of gestation"),
        "medications": [_medication(m) for m in person["medications"] if m["status"] == "active"],
        "allergies": [f"{a['substance']} ({a['reaction']}, {a['severity']})" for a in person["allergies"]],
        "conditions": [p["name"] for p in person["problems"] if p["status"] == "active"],
        "creatinine_clearance": kidney.as_data(),
        "child_pugh": liver.as_data(),
        "missing": missing,
    }


def get_clinical_notes(
    db: Database,
    patient_id: PatientId,
    note_type: Annotated[str | None, Arg(max_length=40)] = None,
) -> Data:
    """Clinical notes, newest first.

    Args:
        note_type: Only this kind, such as admission, progress, nursing, consult or report.
    """
    person = patient(db, patient_id)
    notes = sorted(person["notes"], key=lambda n: n["at"], reverse=True)
    chosen = [n for n in notes if _holds(note_type, n["kind"])]
    kinds = sorted({n["kind"] for n in notes})
    missing = []
    if not chosen:
        what = f"notes of type {shown(note_type)}" if note_type else "notes"
        missing.append(f"{what}: none; types on the record: {', '.join(kinds) or 'none'}")
    return {
        "patient_id": person["patient_id"],
        "notes": [
            {
                "note_id": n["note_id"],
                "at": n["at"],
                "type": n["kind"],
                "author": n["author"],
                "text": n["text"][:MOST_NOTE_CHARS],
            }
            for n in chosen[: MOST_NOTES // 2]
        ],
        "not_shown": max(0, len(chosen) - MOST_NOTES // 2),
        "missing": missing,
    }


def get_allergy_list(db: Database, patient_id: PatientId) -> Data:
    """Allergies with reaction, severity, cross-reactive classes and the drugs that they rule out."""
    person = patient(db, patient_id)
    missing = [] if person["allergies_reviewed"] else [UNREVIEWED]
    return {
        "patient_id": person["patient_id"],
        "allergies": [_allergy(a) for a in person["allergies"]],
        "reviewed": person["allergies_reviewed"],
        "note": "" if person["allergies"] or missing else "asked and none known",
        "missing": missing,
    }


def could_be_pregnant(person: Patient) -> bool:
    """Female and of the age at which a pregnancy status belongs on the record (12 to 50 years)."""
    return person["sex"] == "female" and 12 <= person["age_years"] <= 50


def _problem(problem: Problem) -> Data:
    return {key: problem[key] for key in ("name", "icd10", "onset", "status")}


def _medication(medication: Medication) -> Data:
    return {
        "drug": medication["drug"],
        "dose": values.amount(medication["dose"], medication["dose_unit"]),
        "route": medication["route"],
        "doses_per_day": medication["doses_per_day"],
        "since": medication["since"],
        "indication": medication["indication"],
        "status": medication["status"],
    }


def _by_panel(rows_of: list[list[LabResult]], earlier: int) -> list[Data]:
    """Results panel by panel; the time of a value stands beside it only where it is not the panel's.

    `earlier` values of each are shown, and two of an abnormal one at least; without any, normal values are
    told in short, so that a full record stays readable.
    """
    panels: dict[str, list[list[LabResult]]] = {}
    for rows in rows_of:
        panels.setdefault(rows[0]["panel"], []).append(rows)
    found = []
    for panel, members in panels.items():
        newest = max(rows[0]["at"] for rows in members)
        short = [rows[0] for rows in members if not earlier and _is_plain(rows[0], newest)]
        full = [_lab(rows, newest, earlier) for rows in members if rows[0] not in short]
        normal = [f"{r['name']} {values.plain(r['value']):g} {r['unit']}".strip() for r in short]
        found.append({"panel": panel, "at": newest, "values": full, "normal": normal})
    return found


def _is_plain(result: LabResult, panel_at: str) -> bool:
    return flag(result) == "normal" and result["at"] == panel_at


def _lab(rows: list[LabResult], panel_at: str, earlier: int) -> Data:
    data = values.lab(rows[0])
    del data["panel"]
    if data["at"] == panel_at:
        del data["at"]
    shown = max(earlier, EARLIER_OF_ABNORMAL if data["flag"] in ("low", "high") else 0)
    before = [f"{r['value']:g} on {r['at'][:10]}" for r in rows[1 : 1 + shown]]
    return {**data, "earlier": before} if before else data


@lru_cache(maxsize=256)
def _ruled_out(substance: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(contraindicated drugs, drugs to weigh) of the formulary for one allergy."""
    found: dict[str, list[str]] = {"CONTRAINDICATED": [], "CAUTION": []}
    for name in DRUGS:
        for verdict, _ in conflicts_with_allergies(name, [substance])[:1]:
            found[verdict].append(name)
    return tuple(found["CONTRAINDICATED"]), tuple(found["CAUTION"])


def _allergy(allergy: Allergy) -> Data:
    contraindicated, caution = _ruled_out(allergy["substance"])
    return {
        "substance": allergy["substance"],
        "group": allergy["group"] or "none of the cross-reactivity groups",
        "reaction": allergy["reaction"],
        "severity": allergy["severity"],
        "cross_reactivity": [
            f"{other}: {rate}" for (group, other), rate in CROSS_REACTIVE.items() if group == allergy["group"]
        ],
        "contraindicated_drugs": list(contraindicated),
        "caution_drugs": list(caution),
    }


def _holds(wanted: str | None, text: str) -> bool:
    """Whether every word of `wanted` stands in `text`; True where nothing is wanted."""
    words = (wanted or "").replace("_", " ").lower().split()
    return all(word in text.lower() for word in words)
