"""What is decided of a synthetic patient before anything is measured: who, how old, how ill.

condition, Options -> [Frame] -> results, signs, story -> person -> make_database
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.options import Options
from distrl.envs.healthcare.world.records import Severity, Sex


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What is decided before anything is measured. `chronic` without the condition itself."""

    key: str
    condition: Condition
    options: Options
    now: datetime.datetime
    patient_id: str
    birth: datetime.date
    age_years: float
    sex: Sex
    pregnant_weeks: int | None
    chronic: tuple[str, ...]
    severity: Severity
    missing: tuple[str, ...]

    def rng(self, part: str) -> random.Random:
        """A stream of its own for each part."""
        return random.Random(f"{self.key}:{part}")

    @property
    def illnesses(self) -> tuple[str, ...]:
        """Keys of the problem list."""
        own = () if self.condition.acute else (self.condition.key,)
        return own + self.chronic
