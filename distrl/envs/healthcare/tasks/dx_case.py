"""The case behind a clinical_diagnosis task: a drawn patient, a condition, and the treatment that suits both.

seed -> [draw] -> Case -> dx_kinds -> Task

A case is drawn until its twist is real: the first choice of treatment is a trap (by an allergy, the kidneys,
a pregnancy, another drug) and a later choice is safe. A fifth of the combinations of a condition and what
twists it (an allergen, a second illness) is kept from training.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from distrl.envs.healthcare.tasks import suitability, words
from distrl.envs.healthcare.tasks.draft import split_of
from distrl.envs.healthcare.tasks.dx_twists import PLAIN, detail, openings
from distrl.envs.healthcare.tasks.schema import World
from distrl.envs.healthcare.tasks.suitability import Hazard
from distrl.envs.healthcare.world.condition import Condition, Option, Treatment
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.records import Database, Patient

MAX_DRAWS = 24  # of conditions and options before a kind gives up
WORLD_SEEDS = 2**31
OTHERS = 1  # further patients in the database
ANY = "any"  # takes a condition of every split


class NoCase(ValueError):
    """No draw fits; names the kind and twist."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One required treatment: the option taken, its order, and the options that had to be passed over."""

    treatment: Treatment
    option: Option
    order: suitability.Ordered
    passed: tuple[tuple[Option, tuple[Hazard, ...]], ...]
    cut: bool = False  # an adult's dose, so that less than usual means kidneys or liver

    @property
    def reduced(self) -> bool:
        """Less a day than usual, for kidneys or liver."""
        if self.option.dose_per_kg:
            return self.order.per_day < self.option.doses_per_day
        usual = self.option.dose * self.option.doses_per_day
        return self.cut and self.order.dose * self.order.per_day < usual

    @property
    def safe_drugs(self) -> list[str]:
        """The drug taken and those after it; what was passed over is left out."""
        names = [option.drug for option in self.treatment.options]
        return list(dict.fromkeys(n for n in names if n not in self.unsafe_drugs))

    @property
    def unsafe_drugs(self) -> list[str]:
        """Drugs of this treatment that would harm; a cross-reaction is weighed: passed over, yet no error."""
        return [o.drug for o, found in self.passed if any(h.kind != "cross_reactivity" for h in found)]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A drawn patient with the condition that the ticket is about; `db` is read, not changed."""

    condition: Condition
    twist: str
    world: World
    db: Database
    patient: Patient
    plan: tuple[Step, ...]

    @property
    def pid(self) -> str:
        """The patient's id."""
        return self.patient["patient_id"]

    @property
    def names(self) -> list[str]:
        """Every accepted name of the diagnosis."""
        return [self.condition.name, *self.condition.synonyms]

    @property
    def trap(self) -> tuple[Option, Hazard, Step] | None:
        """The first option that the twist forbids, with the hazard and its step; None without a twist."""
        return next(
            (
                (option, hazard, step)
                for step in self.plan
                for option, found in step.passed
                for hazard in found
                if hazard.kind == self.twist
            ),
            None,
        )


def plan_for(condition: Condition, patient: Patient) -> tuple[Step, ...] | None:
    """The safe treatment; None where a required one has no safe option.

    A treatment of which the patient takes a drug already goes on and needs no order; where it cannot wait,
    the case is of no use.
    """
    taken = {med["drug"] for med in words.active(patient)}
    urgent = {
        drug
        for item in condition.time_critical
        if item.tool == "prescribe_medication"
        for drugs in item.where.values()
        for drug in drugs
    }
    steps: list[Step] = []
    for treatment in condition.treatments:
        if not treatment.required:
            continue
        if taken & {option.drug for option in treatment.options}:
            if urgent & {option.drug for option in treatment.options}:
                return None
            continue
        given = [step.option.drug for step in steps]
        option, passed = suitability.choose(treatment, patient, condition.key, given)
        if option is None:
            return None
        steps.append(
            Step(
                treatment=treatment,
                option=option,
                order=suitability.ordered(option, patient),
                cut=patient["age_years"] >= suitability.ADULT_YEARS,
                passed=tuple((o, tuple(h)) for o, h in passed),
            )
        )
    return tuple(steps)


def draw(rng: random.Random, split: str, twist: str, fits: Callable[[Condition], bool], *, what: str) -> Case:
    """A case of that twist among the conditions that fit. Raises NoCase when no draw does."""
    pool = [
        (CONDITIONS[key], world)
        for key in cases()
        if fits(CONDITIONS[key])
        for world in openings(key, twist)
        if split in (ANY, split_of(key, twist, *detail(world)))
    ]
    if not pool:
        raise NoCase(f"{what}: no condition for twist {twist!r} in split {split!r}")
    keys = sorted({condition.key for condition, _ in pool})
    for _ in range(MAX_DRAWS):
        key = rng.choice(keys)
        condition, options = rng.choice([pair for pair in pool if pair[0].key == key])
        seed = rng.randrange(WORLD_SEEDS)
        trial = built(seed, condition, twist, {"others": 0, **options})
        if trial is None or not _is_real(trial):
            continue
        case = built(seed, condition, twist, {"others": OTHERS, **options})
        if case is not None and case.plan == trial.plan:
            return case
    raise NoCase(f"{what}: {MAX_DRAWS} draws gave no case of twist {twist!r} in split {split!r}")


def built(seed: int, condition: Condition, twist: str, options: dict[str, Any]) -> Case | None:
    """The case of a world, or None where the world refuses the options or no treatment is safe."""
    world: World = {"seed": seed, "condition": condition.key, "options": options}
    try:
        db = make_database(seed, condition.key, **options)
    except ValueError:
        return None
    patient = db["patients"][target_of(db)]
    plan = plan_for(condition, patient)
    if plan is None:
        return None
    return Case(condition=condition, twist=twist, world=world, db=db, patient=patient, plan=plan)


def _is_real(case: Case) -> bool:
    """Whether the trap is the twist's; without a twist nothing may be passed over."""
    if case.twist in PLAIN:
        clean = not any(step.passed for step in case.plan) and case.patient["pregnant_weeks"] is None
        return clean and (
            case.twist != "unasked" or (bool(case.plan) and not case.patient["allergies_reviewed"])
        )
    reduced = case.twist == "renal" and any(step.reduced for step in case.plan)
    return reduced or case.trap is not None


def other_drugs(case: Case) -> list[str]:
    """Generic names of what the patient takes already."""
    return [med["drug"] for med in words.active(case.patient)]
