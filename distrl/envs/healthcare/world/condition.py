"""What the world knows of a condition: how it shows, what it is told from, how it is treated, and whence.

[condition tables] -> patient generator, tasks, tools, knowledge passages

One table serves them all, so that a patient's labs, the gold diagnosis and the guideline cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from distrl.envs.healthcare.world.records import Sex

Urgency = Literal["routine", "urgent", "emergency"]


@dataclass(frozen=True, kw_only=True)
class Shift:
    """Distribution of a value in this condition: a normal of `mean` and `sd`, clipped to low..high."""

    mean: float
    sd: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Option:
    """One drug with an adult dose; `days` None: until reviewed. `dose_per_kg`: the dose is per kg."""

    drug: str
    dose: float
    dose_unit: str
    route: str
    doses_per_day: float
    days: float | None = None
    dose_per_kg: bool = False


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """Options in order of preference: the first that is safe for the patient is the gold one."""

    purpose: str
    options: tuple[Option, ...]
    required: bool = True


@dataclass(frozen=True, kw_only=True)
class TimeCritical:
    """An action that must not be left out: a tool's name and allowed values of its arguments.

    `missing_severity` is the safety severity of its omission (3 to 5).
    """

    tool: str
    where: dict[str, tuple[str, ...]]
    missing_severity: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One condition. `key` is snake case; lab keys are LOINC codes of the lab table; vitals field names.

    `labs` are on the record at arrival, `unmeasured` come back only when ordered (by `test` name of the lab
    table). `symptoms`, `negatives`, `findings`: short phrases of which a patient shows most. `differential`:
    keys of what it must be told from. `workup`: names of tests that ought to be seen or ordered.
    """

    key: str
    name: str
    icd10: str
    synonyms: tuple[str, ...] = ()
    acute: bool
    sex: Sex | None = None
    age: tuple[float, float]
    complaints: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    labs: dict[str, Shift] = field(default_factory=dict)
    unmeasured: dict[str, Shift] = field(default_factory=dict)
    vitals: dict[str, Shift] = field(default_factory=dict)
    differential: tuple[str, ...] = ()
    workup: tuple[str, ...] = ()
    treatments: tuple[Treatment, ...] = ()
    avoid_drugs: tuple[str, ...] = ()  # drugs or classes that harm in this condition
    time_critical: tuple[TimeCritical, ...] = ()
    specialty: str = ""
    urgency: Urgency = "routine"
    goes_with: tuple[str, ...] = ()  # chronic conditions that often stand behind it
    teaching: tuple[str, ...] = ()  # facts of one sentence each, for guideline passages and questions
    source: str
