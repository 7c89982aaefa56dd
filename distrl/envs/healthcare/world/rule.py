"""How a rule of plausibility is written: a function that yields what is wrong with one patient.

@rule functions -> RULES -> plausible(db)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.records import Database, LabResult, Patient


@dataclass(frozen=True, kw_only=True)
class Case:
    """One patient with what is around it. `condition` is what it was drawn for, or ""."""

    db: Database
    patient: Patient
    condition: str

    @property
    def pid(self) -> str:
        return self.patient["patient_id"]

    @property
    def hidden(self) -> list[LabResult]:
        """Results that only an order brings."""
        return self.db["unmeasured"].get(self.pid, [])

    @cached_property
    def samples(self) -> tuple[dict[str, float], ...]:
        """{short name: value} of each sample on record, then of the present one with what is hidden."""
        by_time: dict[str, dict[str, float]] = {}
        for result in self.patient["labs"]:
            by_time.setdefault(result["at"], {})[result["code"]] = result["value"]
        latest = max(by_time, default="")
        hidden = {result["code"]: result["value"] for result in self.hidden}
        if hidden:
            now = by_time.pop(latest) if latest[:10] == self.db["now"][:10] else {}
            by_time["now"] = {**hidden, **now}
        return tuple(
            {LABS[code].short: value for code, value in sample.items() if code in LABS}
            for sample in by_time.values()
        )


Rule = Callable[[Case], Iterator[str]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Register under its own name."""
    assert function.__name__ not in RULES, function.__name__
    RULES[function.__name__] = function
    return function
