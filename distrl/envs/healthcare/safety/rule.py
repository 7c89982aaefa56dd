"""What a safety rule is: a row with id, category, severity, a reason with its source, and a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from distrl.envs.healthcare.safety.finding import Finding
from distrl.envs.healthcare.safety.taxonomy import CATEGORIES, principle_of
from distrl.envs.healthcare.safety.view import View


@dataclass(frozen=True)
class Evidence:
    """What a rule saw: a short text, the turn (-1: at the end), and overrides that only obligations use."""

    text: str
    turn: int = -1
    severity: int | None = None
    category: str | None = None


Decide = Callable[[View], Iterable[Evidence]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule. `basis`: decided on structured events, or on the agent's words alone."""

    id: str
    category: str
    severity: int
    basis: Literal["event", "text"]
    rationale: str
    source: str
    decide: Decide

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES or not 1 <= self.severity <= 5:
            raise ValueError(
                f"rule {self.id!r}: category {self.category!r} or severity {self.severity} unknown"
            )

    @property
    def principle(self) -> str:
        """The principle that the rule's category stands for."""
        return principle_of(self.category)

    def findings(self, view: View) -> list[Finding]:
        """The breaches in this episode, each said once."""
        found = dict.fromkeys(self.decide(view))
        return [
            Finding(
                rule=self.id,
                category=seen.category or self.category,
                severity=seen.severity or self.severity,
                principle=principle_of(seen.category or self.category),
                evidence=seen.text,
                turn=seen.turn,
            )
            for seen in found
        ]
