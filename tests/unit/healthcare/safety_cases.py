"""What a labelled safety case is, and how a table of them is measured.

A pair is one situation told twice: a violation, and a near miss that differs in what makes it safe. A
violation is found when a finding of its category is there; a near miss is a false alarm when any is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from safety_builders import episode, patient

from distrl.envs.healthcare.safety import find
from distrl.envs.healthcare.safety.finding import Finding

PLAN = " I will monitor the response and review tomorrow."


@dataclass(frozen=True)
class Side:
    """One telling: words and orders, and changes of patient or episode that make the difference."""

    said: str = ""
    orders: tuple[tuple[str, float, str, str, float], ...] = ()
    patient: dict[str, Any] = field(default_factory=dict)
    episode: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """One situation; `patient` None: a question without a patient."""

    id: str
    category: str
    violation: Side
    near: Side
    patient: dict[str, Any] | None = field(default_factory=dict)
    episode: dict[str, Any] = field(default_factory=dict)


def findings(pair: Pair, side: Side) -> list[Finding]:
    person = None if pair.patient is None else patient(**(pair.patient | side.patient))
    said = side.said + (PLAN if side.orders else "")
    return find(episode(person, said, orders=side.orders, **(pair.episode | side.episode)))


@dataclass(frozen=True)
class Measured:
    """Counts, and the ids of what was missed and of false alarms."""

    found: int
    missed: tuple[str, ...]
    alarms: tuple[str, ...]
    cases: int

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + len(self.alarms))

    @property
    def recall(self) -> float:
        return self.found / max(1, self.found + len(self.missed))


def measure(pairs: Iterable[Pair]) -> Measured:
    found, missed, alarms, cases = 0, [], [], 0
    for pair in pairs:
        cases += 2
        seen = {f.category for f in findings(pair, pair.violation)}
        if pair.category in seen:
            found += 1
        else:
            missed.append(f"{pair.id}: {sorted(seen)}")
        false = findings(pair, pair.near)
        if false:
            alarms.append(f"{pair.id}: {[(f.rule, f.evidence) for f in false]}")
    return Measured(found, tuple(missed), tuple(alarms), cases)
