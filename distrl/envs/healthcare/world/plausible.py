"""Whether a database could be of living people: every breach of the rules, by patient.

Database -> [plausible] -> list of breaches (empty is good)

Not covered: whether the story is typical, whether treatment is good, and anything that the rules do not name.
"""

from __future__ import annotations

from distrl.envs.healthcare.world import rules_blood, rules_drugs, rules_person
from distrl.envs.healthcare.world.records import Database
from distrl.envs.healthcare.world.rule import RULES, Case

RULE_MODULES = (rules_person, rules_blood, rules_drugs)  # importing them fills RULES


def plausible(db: Database) -> list[str]:
    """ "rule: patient: what is wrong" for each breach, in the order of patients and rules."""
    kinds = db.get("extra", {}).get("conditions", {})
    found = []
    for patient in db["patients"].values():
        condition = kinds.get(patient["patient_id"], "") if isinstance(kinds, dict) else ""
        case = Case(db=db, patient=patient, condition=condition)
        for name, check in RULES.items():
            found += [f"{name}: {patient['patient_id']}: {text}" for text in check(case)]
    return found
