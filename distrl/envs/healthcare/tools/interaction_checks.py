"""Tools that check drugs against each other: a pair, a whole list, a graded score.

EnvWorker[N: ToolCall -> Toolkit.run -> [interaction_checks] -> clinical.interactions] <-> Engine[M] -> …

The score from 0 to 10 is a decision of this house: 0, 2, 5, 8 or 10 for none, MINOR, MODERATE, MAJOR and
CONTRAINDICATED, and one point for each thing that makes harm likelier (a drug with a narrow index, age from
65 years, creatinine clearance below 60 mL/min, cirrhosis), never reaching the next grade's base.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

from distrl.envs.clinical.formulary import find
from distrl.envs.clinical.interactions import KNOWN, interaction, rank
from distrl.envs.healthcare.tools import lookup, screening, values
from distrl.envs.healthcare.tools.lookup import DrugName, OptionalId, PatientId, patient
from distrl.envs.healthcare.tools.records import UNREVIEWED
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import Arg, ToolError

Data = dict[str, Any]
MANAGEMENT: dict[str, str] = {
    "none": "no change; none is known, which is no proof of safety",
    "MINOR": "no change needed; usual monitoring",
    "MODERATE": "may be combined with monitoring or an adjusted dose",
    "MAJOR": "avoid where an alternative exists; else lower the dose or monitor closely, as the effect says",
    "CONTRAINDICATED": "do not combine; choose an alternative",
}
BASE: dict[str, int] = {"none": 0, "MINOR": 2, "MODERATE": 5, "MAJOR": 8, "CONTRAINDICATED": 10}
CEILING: dict[str, int] = {"none": 0, "MINOR": 4, "MODERATE": 7, "MAJOR": 9, "CONTRAINDICATED": 10}
OLD_YEARS = 65
LOW_CLEARANCE_ML_MIN = 60
SOURCE = "US prescribing information and the FDA's table of inhibitors and inducers (2023)"
MOST_PAIRS_SHOWN = 20


def check_drug_interaction(drug_a: DrugName, drug_b: DrugName) -> Data:
    """Whether two drugs interact: severity, effect and what to do.

    Severity is none, MINOR, MODERATE, MAJOR or CONTRAINDICATED.
    """
    return _pair(drug_a, drug_b)


def check_interaction(drug_a: DrugName, drug_b: DrugName) -> Data:
    """Whether two drugs interact: severity, effect and what to do.

    Severity is none, MINOR, MODERATE, MAJOR or CONTRAINDICATED.
    """
    return _pair(drug_a, drug_b)


def check_all_interactions(
    db: Database,
    patient_id: PatientId,
    new_drug: Annotated[str | None, Arg(max_length=80)] = None,
) -> Data:
    """Every pair among the drugs that the patient takes, worst first, and a new drug with each of them.

    A new drug is also held against the patient's allergies.

    Source: `clinical.interactions`: US prescribing information, FDA tables (2023).

    Args:
        new_drug: One generic or brand name that is considered.
    """
    person = patient(db, patient_id)
    listed = screening.active_drugs(db, person)
    known = [name for name in listed if name in KNOWN]
    added = None if new_drug is None else lookup.interaction_name(new_drug)
    names = list(dict.fromkeys([*known, *([added] if added is not None else [])]))
    found = [_finding(a, b) for a, b in itertools.combinations(names, 2)]
    hits = sorted((f for f in found if f["severity"] != "none"), key=lambda f: -rank(f["severity"]))
    missing = [f"{name}: not in the interaction table, not checked" for name in listed if name not in known]
    record = None if added is None else find(added)
    if added is not None and not person["allergies_reviewed"]:
        missing.append(UNREVIEWED)
    return {
        "patient_id": person["patient_id"],
        "drugs": names,
        "new_drug": added,
        "pairs_checked": len(found),
        "interactions": hits[:MOST_PAIRS_SHOWN],
        "not_shown": max(0, len(hits) - MOST_PAIRS_SHOWN),
        "worst": hits[0]["severity"] if hits else "none",
        "allergy_alerts": []
        if record is None
        else [str(alert) for alert in screening.allergy_alerts(person, record)],
        "missing": missing or ([] if len(names) > 1 else ["fewer than two drugs: nothing to compare"]),
        "source": SOURCE,
    }


def calculate_interaction_severity_score(
    drug_a: DrugName, drug_b: DrugName, db: Database, patient_id: OptionalId = None
) -> Data:
    """An interaction's weight from 0 (none) to 10 (contraindicated), for a patient where one is named.

    Source: `clinical.interactions`; the scale is a decision of this house.

    Args:
        patient_id: Counts age, kidney and liver of that patient.
    """
    first, second = _names(drug_a, drug_b)
    found = interaction(first, second)
    reasons = [f"{found.severity} interaction: {BASE[found.severity]}"]
    aggravating, missing = _aggravating(
        first, second, None if patient_id is None else patient(db, patient_id)
    )
    score = BASE[found.severity]
    if score:
        score = min(CEILING[found.severity], score + len(aggravating))
        reasons += [f"{text}: +1" for text in aggravating]
    return {
        "drug_a": first,
        "drug_b": second,
        "score": score,
        "scale": "0 to 10",
        "severity": found.severity,
        "effect": found.effect,
        "reasons": reasons,
        "most_in_this_severity": CEILING[found.severity],
        "missing": missing,
    }


def _names(drug_a: str, drug_b: str) -> tuple[str, str]:
    first, second = lookup.interaction_name(drug_a), lookup.interaction_name(drug_b)
    if first == second:
        raise ToolError(f"drug_a and drug_b are both {first}; give two different drugs")
    return first, second


def _pair(drug_a: str, drug_b: str) -> Data:
    return {**_finding(*_names(drug_a, drug_b)), "source": SOURCE}


def _finding(first: str, second: str) -> Data:
    found = interaction(first, second)
    return {
        "drug_a": first,
        "drug_b": second,
        "severity": found.severity,
        "effect": found.effect or "none known",
        "management": MANAGEMENT[found.severity],
    }


def _aggravating(first: str, second: str, person: Patient | None) -> tuple[list[str], list[str]]:
    """(what makes harm likelier, what is not known)."""
    narrow = [name for name in (first, second) if KNOWN[name].narrow]
    found = [f"narrow therapeutic index of {' and '.join(narrow)}"] if narrow else []
    if person is None:
        return found, []
    if person["age_years"] >= OLD_YEARS:
        found.append(f"age {person['age_years']:g} years")
    kidney, liver = values.creatinine_clearance(person), values.child_pugh(person)
    if isinstance(kidney.value, float) and kidney.value < LOW_CLEARANCE_ML_MIN:
        found.append(f"creatinine clearance {kidney.value:g} mL/min")
    if any(p["condition"] == "cirrhosis" and p["status"] == "active" for p in person["problems"]):
        found.append("cirrhosis")
    return found, [*kidney.missing, *liver.missing]
