"""Small builders of episodes for the safety tests: one patient, what was said, ordered and called."""

# ruff: noqa: E501 - rows

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from distrl.envs.healthcare.episode import Call, Episode
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.records import Database, Patient

NOW = "2031-03-04T08:30"
Order = tuple[str, float, str, str, float]  # drug, dose, unit, route, doses a day


def patient(**changes: Any) -> Patient:
    """A man of 58 years and 80 kg without allergies or drugs; `changes` replace fields or shorten them.

    Short forms: allergies=[("penicillin", "penicillin", "anaphylaxis", "severe")], takes=["warfarin"],
    problems=["asthma"], labs={"2823-3": 5.9}, vitals={"heart_rate_bpm": 44}.
    """
    person: dict[str, Any] = {
        "patient_id": "P001",
        "name": "Oskar Lindqvist",
        "birth_date": "1972-05-01",
        "age_years": 58.0,
        "sex": "male",
        "weight_kg": 80.0,
        "height_cm": 178.0,
        "pregnant_weeks": None,
        "presentation": {"complaint": "", "onset": "", "symptoms": [], "negatives": [], "findings": []},
        "allergies_reviewed": True,
        "notes": [],
        "encounters": [],
        "immunizations": [],
        "family_history": [],
        "social": {
            "smoking": "never", "pack_years": None, "drinks_per_week": None, "occupation": "", "living": "",
        },
    }  # fmt: skip
    short = {k: changes.pop(k) for k in ("allergies", "takes", "problems", "labs", "vitals") if k in changes}
    person |= changes
    person["allergies"] = [
        dict(zip(("substance", "group", "reaction", "severity"), row, strict=True))
        for row in short.get("allergies", [])
    ]
    person["medications"] = [
        {
            "drug": name, "dose": 1.0, "dose_unit": "mg", "route": "oral", "doses_per_day": 1.0,
            "since": "2030-01-01", "indication": "", "status": "active",
        }
        for name in short.get("takes", [])
    ]  # fmt: skip
    person["problems"] = [
        {
            "condition": key,
            "name": key.replace("_", " "),
            "icd10": "",
            "onset": "2030-01-01",
            "status": "active",
        }
        for key in short.get("problems", [])
    ]
    person["labs"] = [
        {
            "code": code, "name": code, "panel": "", "value": value, "unit": LABS[code].unit, "low": None, "high": None,
            "at": NOW,
        }
        for code, value in short.get("labs", {}).items()
    ]  # fmt: skip
    signs = dict.fromkeys(
        (
            "temperature_c", "heart_rate_bpm", "respiratory_rate_bpm", "systolic_mmhg", "diastolic_mmhg",
            "spo2_percent", "gcs", "pain_0_10",
        )
    )  # fmt: skip
    person["vitals"] = [{"at": NOW, **signs, **short["vitals"]}] if "vitals" in short else []
    return person  # type: ignore[return-value]


def other_patient() -> Patient:
    return patient(patient_id="P002", name="Marta Okonkwo", sex="female", age_years=44.0)


def database(*people: Patient) -> Database:
    return {
        "now": NOW,
        "patients": {p["patient_id"]: p for p in people},
        "unmeasured": {},
        "orders": [],
        "prescriptions": [],
        "diagnoses": [],
        "referrals": [],
    }


READS = (
    "get_patient_info",
    "get_vital_signs",
    "get_lab_results",
    "get_allergy_list",
    "check_drug_interaction",
)


def reading_calls(person: Patient) -> list[Call]:
    """A careful start: record, values, allergies, interactions; outputs name what they show."""
    shown = json.dumps({"allergies": person["allergies"], "pregnancy": person["pregnant_weeks"]})
    return [
        Call(turn=0, name=name, arguments={"patient_id": "P001"}, ok=True, output=shown, kind="READ")
        for name in READS
    ]


def episode(
    person: Patient | None = None,
    said: str = "",
    *,
    orders: Sequence[Order] = (),
    calls: Sequence[Call] | None = None,
    ticket: str = "Please see this patient.",
    domain: str = "clinical_diagnosis",
    condition: str = "",
    answer_kind: str = "text",
    obligations: Sequence[dict[str, Any]] = (),
    rows: dict[str, list[dict[str, Any]]] | None = None,
    order_for: str = "P001",
    indication: str = "as discussed",
) -> Episode:
    """An episode about `person`; None: a question without a patient. `rows` are added to the database."""
    before = database(*([person, other_patient()] if person is not None else []))
    after = copy.deepcopy(before)
    made = list(reading_calls(person) if calls is None and person is not None else calls or [])
    for i, (drug, dose, unit, route, times) in enumerate(orders):
        row = {
            "prescription_id": f"RX{i:03d}", "patient_id": order_for, "drug": drug, "dose": dose, "dose_unit": unit,
            "route": route, "doses_per_day": times, "days": 5.0, "indication": indication, "alerts": [],
        }  # fmt: skip
        after["prescriptions"].append(row)  # type: ignore[arg-type]
        made.append(
            Call(
                turn=i + 1, name="prescribe_medication", arguments={"patient_id": order_for, "drug_name": drug},
                ok=True, output=json.dumps(row), kind="WRITE",
            )
        )  # fmt: skip
    for table, added in (rows or {}).items():
        after[table].extend(added)  # type: ignore[literal-required]
    task: Any = {
        "domain": domain, "purpose": "", "difficulty": "easy", "key_challenges": [], "persona": "",
        "ticket": ticket, "patient_id": "P001" if person is not None else "", "world": {"condition": condition},
        "expected": [], "assertions": [], "obligations": list(obligations),
        "answer": {"kind": answer_kind, "reference": ""}, "reward_basis": ["ACTION"], "gold": [],
    }  # fmt: skip
    return Episode(
        task=task, calls=tuple(made), said=said, thought="", answer=said or None, submitted={}, before=before,
        after=after, turns=len(made) + 1,
    )  # fmt: skip


def call(name: str, output: Any = "", *, turn: int = 0, kind: str = "READ", **arguments: Any) -> Call:
    text = output if isinstance(output, str) else json.dumps(output)
    return Call(turn=turn, name=name, arguments=arguments, ok=True, output=text, kind=kind)
