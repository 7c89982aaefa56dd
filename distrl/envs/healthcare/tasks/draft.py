"""What a generator gathers of one task, and the short words for calls and checks.

[generators -> Draft] -> Payload -> Task -> EnvWorker[N: HealthcareEnv] <-> Engine[M] -> …
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks.schema import (
    Answer,
    Assertion,
    Check,
    ExpectedCall,
    GoldTurn,
    Obligation,
    Payload,
    Table,
    World,
)

Importance = Literal["critical", "high", "medium", "low"]
Difficulty = Literal["easy", "moderate", "hard"]
ENV_IDS = {
    "clinical_diagnosis": "distrl/ClinicalDiagnosis-v0",
    "drug_interaction": "distrl/DrugInteraction-v0",
    "medical_qa": "distrl/MedicalQA-v0",
}
SPLITS = ("train", "heldout", "test")
LICENCE = "Apache-2.0"
KEPT = 10  # one of so many combinations is kept for heldout, another one for test


def split_of(*combination: str) -> str:
    """The only split in which a combination (a condition and an allergy, a pair of drugs) occurs."""
    digest = hashlib.sha256("/".join(combination).encode()).digest()
    return {0: "heldout", 1: "test"}.get(int.from_bytes(digest[:4]) % KEPT, "train")


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A tool call of a gold turn."""
    return {"name": name, "arguments": arguments}


def said(*concepts: Sequence[str]) -> Check:
    """Of each group of terms one is asserted."""
    return {"kind": "said", "concepts": [list(terms) for terms in concepts]}


def called(name: str, **where: Iterable[Any]) -> Check:
    """A successful call, each named argument one of the values."""
    return {"kind": "called", "name": name, "where": {key: list(values) for key, values in where.items()}}


def recorded(table: Table, **where: Iterable[Any]) -> Check:
    """A row of the database, each named field one of the values."""
    return {"kind": "recorded", "table": table, "where": {key: list(values) for key, values in where.items()}}


def not_recorded(table: Table, **where: Iterable[Any]) -> Check:
    """No such row."""
    return {
        "kind": "not_recorded",
        "table": table,
        "where": {key: list(values) for key, values in where.items()},
    }


def before(first: str, *then: str) -> Check:
    """The first successful call of `first` precedes every one of `then`."""
    return {"kind": "before", "first": first, "then": list(then)}


def any_of(*checks: Check) -> Check:
    """At least one holds."""
    return {"kind": "any_of", "checks": list(checks)}


@dataclass(kw_only=True)
class Draft:
    """One task in the making; the lists fill in the order of the gold trajectory."""

    domain: str
    kind: str
    purpose: str
    difficulty: Difficulty
    persona: str
    ticket: str
    patient_id: str
    world: World
    challenges: list[str] = field(default_factory=list)
    expected: list[ExpectedCall] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    gold: list[GoldTurn] = field(default_factory=list)

    def expect(self, made: dict[str, Any], *compare: str, info: str, **allowed: list[Any]) -> dict[str, Any]:
        """Expect the call `made` by its arguments `compare`; `allowed` widens one to several values."""
        self.expected.append(
            {
                "id": f"call_{len(self.expected) + 1}",
                "name": made["name"],
                "arguments": {**made["arguments"], **allowed},
                "compare_args": list(compare),
                "info": info,
            }
        )
        return made

    def assert_(self, importance: Importance, text: str, check: Check) -> None:
        """A statement that the episode is judged by."""
        self.assertions.append(
            {
                "id": f"assertion_{len(self.assertions) + 1}",
                "text": text,
                "importance": importance,
                "check": check,
            }
        )

    def oblige(self, category: str, severity: int, reason: str, check: Check) -> None:
        """Something whose omission is a safety finding."""
        self.obligations.append(
            {
                "id": f"obligation_{len(self.obligations) + 1}",
                "category": category,
                "severity": severity,
                "reason": reason,
                "check": check,
            }
        )

    def turn(self, text: str, *calls: dict[str, Any]) -> None:
        """The gold trajectory's next turn."""
        self.gold.append({"calls": list(calls), "text": text})

    def task(self, split: str, answer: Answer) -> Task:
        """The finished task; its id is a hash of all that it holds."""
        payload: Payload = {
            "domain": self.domain,
            "purpose": self.purpose,
            "difficulty": self.difficulty,
            "key_challenges": self.challenges,
            "persona": self.persona,
            "ticket": self.ticket,
            "patient_id": self.patient_id,
            "world": self.world,
            "expected": self.expected,
            "assertions": self.assertions,
            "obligations": self.obligations,
            "answer": answer,
            "reward_basis": ["ACTION", "NL_ASSERTION"],
            "gold": self.gold,
        }
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        return Task(
            id=f"{self.domain}-{self.kind}-{digest[:16]}",
            env=ENV_IDS[self.domain],
            split=split,
            payload=dict(payload),
            licence=LICENCE,
        )
