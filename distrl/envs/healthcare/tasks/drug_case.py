"""The patient behind a drug_interaction task, and what the formulary says of a drug for that patient.

seed -> [draw_profile, worst_of, candidates] -> Profile, Pair -> drug_kinds -> Task
"""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Any

from distrl.envs.clinical.formulary import DRUGS, Drug, conflicts_with_allergies
from distrl.envs.clinical.formulary.core import DoseRange
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.healthcare.tasks import suitability, words
from distrl.envs.healthcare.tasks.pairs import Pair, pair_of
from distrl.envs.healthcare.tasks.schema import World
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.records import Database, Patient

MAX_PROFILES = 40
WORLD_SEEDS = 2**31
UNITS = ("mg", "mcg", "g")
OTHERS = 1  # further patients in the database


class NoProfile(ValueError):
    """No draw fits the kind."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A drawn patient with a medication list; `db` is read, not changed."""

    world: World
    db: Database
    patient: Patient

    @property
    def pid(self) -> str:
        """The patient's id."""
        return self.patient["patient_id"]

    @property
    def drugs(self) -> list[str]:
        """Generic names of the current drugs, each once, in the list's order."""
        return list(dict.fromkeys(med["drug"] for med in words.active(self.patient)))

    def pairs(self) -> list[Pair]:
        """Every interacting pair of current drugs, the worst first."""
        found = [
            pair
            for i, first in enumerate(self.drugs)
            for second in self.drugs[i + 1 :]
            if (pair := pair_of(first, second)).rank > 0
        ]
        return sorted(found, key=lambda p: (-p.rank, p.first, p.second))

    def with_new(self, drug: str) -> list[Pair]:
        """The interactions of a new drug with current ones, the worst first."""
        found = [pair for other in self.drugs if (pair := pair_of(drug, other)).rank > 0]
        return sorted(found, key=lambda p: (-p.rank, p.second))


def draw_profile(
    rng: random.Random,
    fits: Callable[[Profile], bool],
    *,
    what: str,
    least: int = 2,
    most: int = 9,
    **options: Any,
) -> Profile:
    """A patient with `least` to `most` current drugs whom the kind fits. Raises NoProfile without one."""
    chronic = [key for key in cases(acute=False) if CONDITIONS[key].age[1] >= suitability.ADULT_YEARS]
    for _ in range(MAX_PROFILES):
        key, *behind = rng.sample(chronic, rng.choice((2, 3, 3, 4)))
        asked = {"others": OTHERS, "chronic": behind, **options}
        if "chronic" in options:
            asked["chronic"] = sorted({*behind[:2], *options["chronic"]} - {key})
        seed = rng.randrange(WORLD_SEEDS)
        try:
            db = make_database(seed, key, **asked)
        except ValueError:
            continue
        patient = db["patients"][target_of(db)]
        world: World = {"seed": seed, "condition": key, "options": asked}
        profile = Profile(world=world, db=db, patient=patient)
        known = all(drug in PATHWAYS and drug in DRUGS for drug in profile.drugs)
        adult = patient["age_years"] >= suitability.ADULT_YEARS
        if adult and known and least <= len(profile.drugs) <= most and fits(profile):
            return profile
    raise NoProfile(f"{what}: {MAX_PROFILES} draws gave no patient")


def first_range(drug: Drug) -> DoseRange | None:
    """The range that a ticket's dose is taken from, by mouth; None for what is not swallowed."""
    return next((r for r in drug.adult if r.route == "oral" and not r.per_kg and r.unit in UNITS), None)


def dose_text(drug: Drug) -> str:
    """Such as "500 mg twice daily"."""
    given = first_range(drug)
    assert given is not None, drug.name
    low, _ = given.usual
    return f"{words.number(low)} {given.unit} {words.frequency(given.doses_per_day[0])}"


def askable(drug: Drug) -> bool:
    """Whether a ticket can propose the drug: a dose, a use, and known pathways."""
    return drug.name in PATHWAYS and bool(drug.indications) and first_range(drug) is not None


def proposable(profile: Profile, rng: random.Random) -> Iterator[Drug]:
    """Drugs that could be proposed to the patient, in a drawn order; nothing is said of their safety."""
    names = sorted(DRUGS)
    rng.shuffle(names)
    taken = set(profile.drugs)
    return (DRUGS[name] for name in names if name not in taken and askable(DRUGS[name]))


def is_clean(drug: Drug, profile: Profile, *, but: Container[str] = ("interaction",)) -> bool:
    """Whether no allergy touches the drug, and nothing speaks against its usual dose but hazards `but`."""
    given = first_range(drug)
    assert given is not None, drug.name
    allergens = [name for a in profile.patient["allergies"] for name in (a["substance"], a["group"]) if name]
    if conflicts_with_allergies(drug.name, allergens):
        return False
    order = suitability.Ordered(
        dose=given.usual[0], unit=given.unit, route=given.route, per_day=given.doses_per_day[0]
    )
    return all(h.kind in but for h in suitability.hazards(drug.name, profile.patient, order))
