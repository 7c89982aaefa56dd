"""Builders for the tests of the tools: a small world without the generator, calls, drawn arguments."""

import json
from typing import Any

from hypothesis import strategies as st

from distrl.envs.contract import ToolCall, ToolEvent
from distrl.envs.healthcare.knowledge.protocol import Hit, Passage
from distrl.envs.healthcare.world.labs import CODE, result
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import EpisodeState, Toolkit

NOW = "2031-03-04T08:30"


def lab(short: str, value: float, at: str = "2031-03-04T08:00", sex: str = "male", age: float = 70.0) -> Any:
    """One laboratory result of an adult."""
    return result(CODE[short], value, at, sex, age)  # type: ignore[arg-type]


def medication(drug: str, dose: float = 5.0, unit: str = "mg", **changes: Any) -> Any:
    return {
        "drug": drug,
        "dose": dose,
        "dose_unit": unit,
        "route": "oral",
        "doses_per_day": 1.0,
        "since": "2030-01-01",
        "indication": "as before",
        "status": "active",
        **changes,
    }


def problem(condition: str, name: str = "", icd10: str = "Z00.0") -> Any:
    return {
        "condition": condition,
        "name": name or condition.replace("_", " "),
        "icd10": icd10,
        "onset": "2025-01-01",
        "status": "active",
    }


def allergy(substance: str, group: str = "", severity: str = "moderate") -> Any:
    return {"substance": substance, "group": group, "reaction": "rash", "severity": severity}


def vitals(at: str = "2031-03-04T08:00", **changes: Any) -> Any:
    return {
        "at": at,
        "temperature_c": 38.5,
        "heart_rate_bpm": 110,
        "respiratory_rate_bpm": 32,
        "systolic_mmhg": 88,
        "diastolic_mmhg": 55,
        "spo2_percent": 91,
        "gcs": 15,
        "pain_0_10": 3,
        **changes,
    }


def person(**changes: Any) -> Patient:
    """A man of 70 with pneumonia's vital signs and nothing else."""
    base: Any = {
        "patient_id": "P001",
        "name": "Test Person",
        "birth_date": "1961-01-01",
        "age_years": 70.0,
        "sex": "male",
        "weight_kg": 72.0,
        "height_cm": 175.0,
        "pregnant_weeks": None,
        "presentation": {
            "complaint": "cough",
            "onset": "3 days ago",
            "symptoms": ["fever", "cough"],
            "negatives": ["no chest pain"],
            "findings": ["crackles at the right base"],
        },
        "problems": [],
        "allergies": [],
        "allergies_reviewed": True,
        "medications": [],
        "labs": [],
        "vitals": [vitals()],
        "notes": [],
        "encounters": [],
        "immunizations": [],
        "family_history": [],
        "social": {
            "smoking": "unknown",
            "pack_years": None,
            "drinks_per_week": None,
            "occupation": "",
            "living": "",
        },
        **changes,
    }
    patient: Patient = base
    return patient


def database(*patients: Patient, **changes: Any) -> Database:
    base: Any = {
        "now": NOW,
        "patients": {p["patient_id"]: p for p in patients or (person(),)},
        "unmeasured": {},
        "orders": [],
        "prescriptions": [],
        "diagnoses": [],
        "referrals": [],
        **changes,
    }
    made: Database = base
    return made


class Shelf:
    """A knowledge base of one passage, found by any of its words."""

    passage = Passage(
        doc_id="d1", source="test", title="Pneumonia", content="Ceftriaxone treats pneumonia. " * 40
    )

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        found = set(query.lower().split()) & set(self.passage.content.lower().split())
        return [Hit(passage=self.passage, score=1.5)][:limit] if found else []


def run(
    kit: Toolkit, name: str, db: Database | EpisodeState, call_id: str = "call_0", **arguments: Any
) -> ToolEvent:
    """One call; a Database gives a state of its own, an EpisodeState is moved on."""
    state = db if isinstance(db, EpisodeState) else EpisodeState(db=db)
    return kit.run(ToolCall(id=call_id, name=name, arguments=json.dumps(arguments)), state=state)


def answer(kit: Toolkit, name: str, db: Database | EpisodeState, **arguments: Any) -> Any:
    """The JSON of a call that must succeed."""
    event = run(kit, name, db, **arguments)
    assert event.ok, event.output
    return json.loads(event.output)


def arguments_of(schema: dict[str, Any], known: dict[str, list[str]]) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that fit a tool's schema; strings are often ones that `known` gives for the parameter."""
    properties = schema["function"]["parameters"]["properties"]
    required = set(schema["function"]["parameters"]["required"])
    values = {name: _value(field, known.get(name, [])) for name, field in properties.items()}
    return st.fixed_dictionaries(
        {n: v for n, v in values.items() if n in required},
        optional={n: v for n, v in values.items() if n not in required},
    )


def _value(field: dict[str, Any], known: list[str]) -> st.SearchStrategy[Any]:
    if "enum" in field:
        return st.sampled_from(field["enum"])
    kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
    return st.one_of([_kind(kind, field, known) for kind in kinds])


def _kind(kind: str, field: dict[str, Any], known: list[str]) -> st.SearchStrategy[Any]:
    low, high = field.get("minimum"), field.get("maximum")
    if kind == "string":
        free = st.text(max_size=min(40, field.get("maxLength", 40)))
        return st.one_of(st.sampled_from(known), free) if known else free
    if kind == "integer":
        return st.integers(
            min_value=low if low is None else int(low), max_value=high if high is None else int(high)
        )
    if kind == "number":
        return st.floats(min_value=low, max_value=high, allow_nan=False, allow_infinity=False)
    return {"boolean": st.booleans(), "null": st.none()}[kind]
