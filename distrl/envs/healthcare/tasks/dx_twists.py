"""Twists of a case: what makes the usual first choice of a treatment a trap while a later choice is safe.

condition and drug tables -> [openings] -> options of the drawn world

An opening is decided on the tables alone, so that few worlds are drawn in vain; the drawn patient is judged
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from distrl.envs.clinical.allergy import GROUPS
from distrl.envs.clinical.formulary import DRUGS, conflicts_with_allergies
from distrl.envs.healthcare.tasks.pairs import MAJOR, pair_of
from distrl.envs.healthcare.tasks.suitability import ADULT_YEARS, HARMFUL
from distrl.envs.healthcare.world.condition import Condition, Option, Treatment
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases

TWISTS = ("none", "unasked", "allergy", "renal", "pregnancy", "interaction", "contraindication")
CHILDBEARING = (20, 42)
CLEARANCE = {"moderate": 45.0, "severe": 24.0}  # mL/min, a middle value of each tier
World = dict[str, Any]
PLAIN: dict[str, World] = {"none": {}, "unasked": {"missing": ["allergies"]}}  # that set no trap


@cache
def openings(key: str, twist: str) -> tuple[World, ...]:
    """World options that may bring the twist about in a condition; () where none can."""
    if twist in PLAIN:
        return (PLAIN[twist],)
    found: list[World] = []
    for treatment in CONDITIONS[key].treatments:
        if treatment.required and len(treatment.options) > 1:
            found += [world for world in _OPENINGS[twist](CONDITIONS[key], treatment) if world not in found]
    return tuple(found)


def detail(world: World) -> tuple[str, ...]:
    """What of an opening decides the split; the age does not."""
    return tuple(f"{name}={value}" for name, value in sorted(world.items()) if name != "age")


def _trap(treatment: Treatment, against: Callable[[Option], bool]) -> bool:
    """Whether something speaks against the first option and not against each of the others."""
    first, *others = treatment.options
    if any(option.drug not in DRUGS for option in treatment.options):
        return False
    return against(first) and not all(map(against, others))


def _allergic(condition: Condition, treatment: Treatment) -> Iterator[World]:
    for group in dict.fromkeys((*GROUPS, treatment.options[0].drug)):

        def against(option: Option, group: str = group) -> bool:
            also = DRUGS[group].allergy_group if group in DRUGS else ""
            found = conflicts_with_allergies(option.drug, [name for name in (group, also) if name])
            return any(verdict == "CONTRAINDICATED" for verdict, _ in found)

        if _trap(treatment, against):
            yield {"allergy": group}


def _renal(condition: Condition, treatment: Treatment) -> Iterator[World]:
    for tier, crcl in CLEARANCE.items():
        adult = condition.age[1] >= ADULT_YEARS

        def against(option: Option, crcl: float = crcl) -> bool:
            steps = [
                s for s in DRUGS[option.drug].renal if crcl < s.crcl_below and s.route in (None, option.route)
            ]
            daily = option.dose * option.doses_per_day
            return any(s.avoid or (s.max_daily is not None and daily > s.max_daily) for s in steps)

        first = treatment.options[0]
        if adult and first.drug in DRUGS and against(first):
            yield {"renal": tier}


def _pregnant(condition: Condition, treatment: Treatment) -> Iterator[World]:
    low, high = max(condition.age[0], CHILDBEARING[0]), min(condition.age[1], CHILDBEARING[1])
    if condition.sex == "male" or low > high:
        return
    for week in (9, 15, 21, 27, 33):

        def against(option: Option, week: int = week) -> bool:
            rule = DRUGS[option.drug].pregnancy
            return rule.verdict in HARMFUL and week >= rule.from_week

        if _trap(treatment, against):
            yield from ({"pregnant": week, "age": age} for age in range(int(low), int(high) + 1, 3))


def _interacting(condition: Condition, treatment: Treatment) -> Iterator[World]:
    """Chronic illnesses whose usual drug clashes with the first choice."""
    for key in cases(acute=False):
        usual = dict.fromkeys(o.drug for t in CONDITIONS[key].treatments for o in t.options[:2])
        for drug in usual:
            if _trap(treatment, lambda o, d=drug: pair_of(o.drug, d).rank >= MAJOR):  # type: ignore[misc]
                yield {"chronic": [key]}


def _contraindicated(condition: Condition, treatment: Treatment) -> Iterator[World]:
    """Illnesses of the problem list in which the first choice is forbidden."""
    for key, other in CONDITIONS.items():
        if other.acute or key == condition.key:
            continue

        def against(option: Option, key: str = key) -> bool:
            return any(r.absolute and r.condition == key for r in DRUGS[option.drug].contraindications)

        if _trap(treatment, against):
            yield {"chronic": [key]}


_OPENINGS: dict[str, Callable[[Condition, Treatment], Iterator[World]]] = {
    "allergy": _allergic,
    "renal": _renal,
    "pregnancy": _pregnant,
    "interaction": _interacting,
    "contraindication": _contraindicated,
}
