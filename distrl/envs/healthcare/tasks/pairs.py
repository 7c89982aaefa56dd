"""Two drugs and their interaction, as tasks reckon with it.

clinical.interactions -> [pair_of] -> dx_text, dx_steps, drug_case
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from distrl.envs.clinical.interactions import KNOWN, interaction, rank

MODERATE, MAJOR, CONTRAINDICATED = rank("MODERATE"), rank("MAJOR"), rank("CONTRAINDICATED")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two drugs and their interaction. `severity` as `clinical.interactions` has it."""

    first: str
    second: str
    severity: str
    effect: str

    @property
    def rank(self) -> int:
        """0 for none to 4 for CONTRAINDICATED."""
        return rank(self.severity)


@cache
def pair_of(first: str, second: str) -> Pair:
    """The interaction of two drugs; none for one that the table lacks, and for a drug with itself."""
    if first == second or first not in KNOWN or second not in KNOWN:
        return Pair(first=first, second=second, severity="none", effect="")
    found = interaction(first, second)
    return Pair(first=first, second=second, severity=found.severity, effect=found.effect)
