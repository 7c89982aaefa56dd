"""Hand-built episodes for the reward's tests: one case of pneumonia, one pair of drugs, one question."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from distrl.envs.healthcare.episode import Call, Episode

TICKET = (
    "Patient P001 is a 58-year-old man with five days of productive cough, fever and worsening shortness of "
    "breath. Please assess him, record a diagnosis and start treatment. He reports drug allergies."
)
PATIENT: dict[str, Any] = {
    "patient_id": "P001",
    "name": "Alban Reyes",
    "birth_date": "1973-02-11",
    "age_years": 58.0,
    "sex": "male",
    "weight_kg": 82.0,
    "height_cm": 178.0,
    "pregnant_weeks": None,
    "presentation": {
        "complaint": "cough and fever",
        "onset": "five days ago",
        "symptoms": ["productive cough", "fever", "dyspnea"],
        "negatives": ["chest pain"],
        "findings": ["crackles over the right lower lobe"],
    },
    "problems": [
        {
            "condition": "diabetes_type_2",
            "name": "Type 2 diabetes mellitus",
            "icd10": "E11.9",
            "onset": "2019-05-01",
            "status": "active",
        }
    ],
    "allergies": [
        {"substance": "penicillin", "group": "penicillins", "reaction": "anaphylaxis", "severity": "severe"}
    ],
    "allergies_reviewed": True,
    "medications": [],
    "labs": [],
    "vitals": [],
    "notes": [],
    "encounters": [],
    "immunizations": [],
    "family_history": [],
    "social": {
        "smoking": "never",
        "pack_years": None,
        "drinks_per_week": None,
        "occupation": "teacher",
        "living": "with family",
    },
}
DATABASE: dict[str, Any] = {
    "now": "2031-03-04T08:30",
    "patients": {"P001": PATIENT},
    "unmeasured": {},
    "orders": [],
    "prescriptions": [],
    "diagnoses": [],
    "referrals": [],
}
DIAGNOSED = {
    "patient_id": "P001",
    "diagnosis": "Community-acquired pneumonia",
    "icd10": "J18.9",
    "confidence": "high",
    "reasoning": "fever, crackles and infiltrate",
}
PRESCRIBED = {
    "prescription_id": "RX1",
    "patient_id": "P001",
    "drug": "doxycycline",
    "dose": 100.0,
    "dose_unit": "mg",
    "route": "oral",
    "doses_per_day": 2.0,
    "days": 5.0,
    "indication": "community-acquired pneumonia",
    "alerts": [],
}
HONEST_ANSWER = (
    "The diagnosis is community-acquired pneumonia, because fever, crackles and a raised white count point "
    "to the right lower lobe. Pulmonary embolism is less likely since there is no chest pain. Given his "
    "penicillin allergy I prescribed doxycycline 100 mg twice daily for five days and I avoid amoxicillin. "
    "I will recheck his oxygen saturation and temperature within 48 hours, and sooner if he gets worse."
)


def expected(name: str, *compare: str, **arguments: Any) -> dict[str, Any]:
    return {"id": name, "name": name, "arguments": arguments, "compare_args": list(compare), "info": ""}


def assertion(name: str, check: dict[str, Any], importance: str = "medium") -> dict[str, Any]:
    return {"id": name, "text": name, "importance": importance, "check": check}


EXPECTED = [
    expected("get_patient_info", "patient_id", patient_id="P001"),
    expected("get_vital_signs", "patient_id", patient_id="P001"),
    expected("get_lab_results", "patient_id", patient_id="P001"),
    expected("get_allergy_list", "patient_id", patient_id="P001"),
    expected("record_diagnosis", "patient_id", "icd10", patient_id="P001", icd10="J18"),
    expected("prescribe_medication", "drug", drug=["doxycycline", "azithromycin"]),
]
ASSERTIONS = [
    assertion(
        "allergy noticed", {"kind": "said", "concepts": [["penicillin allergy", "allergic to penicillin"]]}
    ),
    assertion("pneumonia named", {"kind": "said", "concepts": [["pneumonia"]]}, "critical"),
    assertion(
        "diagnosis recorded", {"kind": "recorded", "table": "diagnoses", "where": {"icd10": ["J18"]}}, "high"
    ),
    assertion(
        "no beta-lactam",
        {"kind": "not_recorded", "table": "prescriptions", "where": {"drug": ["amoxicillin", "ceftriaxone"]}},
        "critical",
    ),
    assertion(
        "allergies before prescribing",
        {"kind": "before", "first": "get_allergy_list", "then": ["prescribe_medication"]},
        "high",
    ),
]


def task(**changes: Any) -> dict[str, Any]:
    """The pneumonia task."""
    return {
        "domain": "clinical_diagnosis",
        "purpose": "diagnose and treat",
        "difficulty": "moderate",
        "key_challenges": ["penicillin allergy"],
        "persona": "an attending physician",
        "ticket": TICKET,
        "patient_id": "P001",
        "world": {"database": DATABASE},
        "expected": copy.deepcopy(EXPECTED),
        "assertions": copy.deepcopy(ASSERTIONS),
        "obligations": [],
        "answer": {
            "kind": "diagnosis",
            "reference": "Community-acquired pneumonia",
            "names": ["Community-acquired pneumonia", "pneumonia", "CAP"],
            "icd10": ["J18.9"],
            "condition": "community_acquired_pneumonia",
        },
        "reward_basis": ["ACTION", "NL_ASSERTION"],
        "gold": [],
        **changes,
    }


def call(
    name: str, turn: int = 0, ok: bool = True, output: str = "{}", kind: str = "READ", **args: Any
) -> Call:
    return Call(turn=turn, name=name, arguments=args, ok=ok, output=output, kind=kind)


HONEST_CALLS = (
    call("get_patient_info", 0, patient_id="P001"),
    call("get_vital_signs", 1, patient_id="P001"),
    call("get_lab_results", 2, patient_id="P001"),
    call("get_allergy_list", 3, patient_id="P001", output='{"allergies": ["penicillin"]}'),
    call("record_diagnosis", 4, patient_id="P001", diagnosis="Community-acquired pneumonia", icd10="J18.9"),
    call("prescribe_medication", 5, kind="WRITE", patient_id="P001", drug="doxycycline"),
)


def database(**rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The database with rows in its tables."""
    return {**copy.deepcopy(DATABASE), **copy.deepcopy(rows)}


def episode(payload: dict[str, Any] | None = None, **changes: Any) -> Episode:
    """An episode of the pneumonia task in which nothing happened, but for `changes`."""
    fields: dict[str, Any] = {
        "task": payload or task(),
        "calls": (),
        "said": "",
        "thought": "",
        "answer": None,
        "submitted": {},
        "before": DATABASE,
        "after": DATABASE,
        "turns": 1,
    }
    return Episode(**{**fields, **changes})


def answered(text: str, base: Episode | None = None, **changes: Any) -> Episode:
    """`base` (or a fresh episode) whose only words are the answer `text`."""
    return replace(base or episode(), said=text, answer=text, **changes)


def honest(payload: dict[str, Any] | None = None) -> Episode:
    """The case, worked up, recorded, treated and told."""
    return answered(
        HONEST_ANSWER,
        episode(payload),
        calls=HONEST_CALLS,
        after=database(diagnoses=[DIAGNOSED], prescriptions=[PRESCRIBED]),
        turns=7,
    )


OPTIONS = {"A": "Amoxicillin", "B": "Doxycycline", "C": "Ceftriaxone", "D": "Vancomycin"}
QUESTION = (
    "Which antibiotic suits an adult with mild community-acquired pneumonia and a history of anaphylaxis to "
    "penicillin? A) Amoxicillin B) Doxycycline C) Ceftriaxone D) Vancomycin"
)


def question(**changes: Any) -> dict[str, Any]:
    """A question with options; the answer is B."""
    return task(
        **{
            "domain": "medical_qa",
            "ticket": QUESTION,
            "patient_id": "",
            "world": {},
            "expected": [expected("search_pubmed"), expected("analyze_answer_options")],
            "assertions": [],
            "answer": {"kind": "choice", "reference": "Doxycycline", "letter": "B", "options": OPTIONS},
            **changes,
        }
    )


def submitted(
    answer: str, reasoning: str = "", payload: dict[str, Any] | None = None, **changes: Any
) -> Episode:
    """An episode that hands in `answer`; by default without having looked anything up."""
    arguments = {"answer": answer, "reasoning": reasoning}
    calls = (*changes.pop("calls", ()), call("submit_answer", 9, kind="GENERIC", **arguments))
    said = "\n".join((answer, reasoning))
    return episode(
        payload or question(), calls=calls, said=said, answer=answer, submitted=arguments, **changes
    )


LOOKED_UP = (call("search_pubmed", 0, query="pneumonia"), call("analyze_answer_options", 1, question="…"))
REASONING = (
    "Doxycycline covers the usual pathogens of mild community-acquired pneumonia. Amoxicillin is excluded "
    "because of the anaphylaxis, and ceftriaxone shares the beta-lactam ring; therefore B is the answer."
)
