"""Facts of doses and of patients: daily limits, kidney, levels, pregnancy, antidotes, cross-reactions.

clinical.formulary -> [dose kinds] -> questions

A dose is asked where one range holds for every use. Wrong amounts are multiples of the right one that are no
limit of the drug; wrong drugs are those of which the formulary says the opposite.
"""

from __future__ import annotations

import random
from functools import cache

from distrl.envs.clinical.formulary import DRUGS, Drug, conflicts_with_allergies
from distrl.envs.clinical.formulary.core import DoseRange, RenalStep
from distrl.envs.healthcare.tasks.medical_qa_drugs import about, others, row_drug, rows_where, same_kind
from distrl.envs.healthcare.tasks.medical_qa_facts import Fact, Kind, alike, by_key, pick, pick_names, start


def general_range(drug: Drug) -> DoseRange | None:
    """The one adult oral range of a drug that holds for every use, absolute; None where there is no such."""
    oral = [r for r in drug.adult if r.route == "oral"]
    whole = len(oral) == 1 and not oral[0].per_kg and not oral[0].indication and oral[0].doses_per_day[1] >= 1
    return oral[0] if whole else None


def _max_daily(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    dose = general_range(drug)
    assert dose is not None
    taken = {r.max_daily for r in drug.adult}
    wrong = [
        _amount(value, dose.unit)
        for factor in (0.25, 0.5, 1.5, 2, 3, 4)
        if (value := float(f"{dose.max_daily * factor:.2g}")) not in taken
    ]
    rng.shuffle(wrong)
    right = _amount(dose.max_daily, dose.unit)
    return Fact(
        kind="max_daily_dose",
        slots={"drug": drug.name, "route": dose.route},
        right=right,
        wrong=tuple(w for w in wrong if w != right)[:4],
        holds=(right,),
        because=f"The dosing part of the monograph gives the limit of one day for {drug.name} by this route.",
        **about(drug, "dosing", "adult dose at most a day"),  # type: ignore[arg-type]
    )


def _amount(value: float, unit: str) -> str:
    return f"{value:g} {unit} a day"


def _renal(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    steps = sorted((s for s in drug.renal if s.route is None), key=lambda s: s.crcl_below)
    place = rng.randrange(len(steps))
    step, floor = steps[place], (steps[place - 1].crcl_below if place else 5)
    right = renal_text(step)
    if not _definite(right):
        return None
    crcl = rng.randrange(int(floor), max(int(floor) + 1, int(step.crcl_below)))
    own = [renal_text(s) for s in steps if s is not step]
    far = [renal_text(s) for d in DRUGS.values() if not same_kind(d, drug) for s in d.renal]
    offered = [
        [t for t in pool if _definite(t) and not (_avoids(t) and _avoids(right))] for pool in (own, far)
    ]
    return Fact(
        kind="renal_dose",
        slots={"drug": drug.name, "crcl": str(crcl)},
        right=right,
        wrong=pick(rng, right, [*offered[0], "no change of the dose is needed"], offered[1]),
        holds=(step.advice,),
        because=f"For {drug.name} below {step.crcl_below:g} mL/min the monograph says: {right}.",
        difficulty="hard",
        **about(drug, "dosing", "creatinine clearance below"),  # type: ignore[arg-type]
    )


def _avoids(advice: str) -> bool:
    return "avoid" in advice or "contraindicated" in advice


def _definite(advice: str) -> bool:
    """Whether an advice says something that another does not: a number, or not to give the drug."""
    return _avoids(advice) or any(c.isdigit() for c in advice)


def renal_text(step: RenalStep) -> str:
    """What holds below a clearance, in words."""
    says_so = not step.avoid or step.advice.startswith(("avoid", "do not", "not "))
    return step.advice if says_so else f"avoid: {step.advice}"


def _level(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    level = drug.monitoring
    assert level is not None
    low, high = level.target
    others = [d.monitoring for d in DRUGS.values() if d.monitoring is not None and d.name != drug.name]
    wrong = {_range(o.target, o.unit) for o in others if o.unit == level.unit and o.target != level.target}
    scaled = {_range((low * f, high * f), level.unit) for f in (0.5, 2, 3, 4)}
    right = _range(level.target, level.unit)
    return Fact(
        kind="drug_level",
        slots={"drug": drug.name, "sample": level.sample},
        right=right,
        wrong=pick_names(rng, wrong - {right}, scaled - {right}),
        holds=(f"{low:g} to {high:g} {level.unit}",),
        because=f"The monograph of {drug.name} gives {right} as its target, {level.sample}.",
        **about(drug, "dosing", "therapeutic drug monitoring target"),  # type: ignore[arg-type]
    )


def _range(target: tuple[float, float], unit: str) -> str:
    return f"{target[0]:g} to {target[1]:g} {unit}"


def _pregnancy(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    week = rng.randint(max(6, drug.pregnancy.from_week), 38)
    near, far = others(drug)
    fine = [[d.name for d in pool if d.pregnancy.verdict == "compatible"] for pool in (near, far)]
    wrong = pick_names(rng, fine[0], fine[1])
    return Fact(
        kind="pregnancy",
        slots={"week": str(week)},
        right=drug.name,
        wrong=wrong,
        holds=(drug.pregnancy.reason,),
        because=f"In pregnancy {drug.name} is contraindicated: {drug.pregnancy.reason}. No other is.",
        **about(drug, "safety", "contraindicated in pregnancy"),  # type: ignore[arg-type]
    )


USES = ("overdose", "poisoning", "toxicity", "reversal", "intoxication")


@cache
def antidotes() -> tuple[str, ...]:
    """Drugs with an indication that is a poisoning or a reversal."""
    return tuple(d.name for d in DRUGS.values() if any(word in use for use in d.indications for word in USES))


def _antidote(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    use = rng.choice([u for u in drug.indications if any(word in u for word in USES)])
    others = [
        d for d in DRUGS.values() if d.name != drug.name and not any(alike(use, u) for u in d.indications)
    ]
    near = [d.name for d in others if d.name in antidotes() and not same_kind(d, drug)]
    wrong = pick_names(rng, near, [d.name for d in others if not same_kind(d, drug)])
    return Fact(
        kind="antidote",
        slots={"use": use},
        right=drug.name,
        wrong=wrong,
        holds=(use,),
        because=f"The monograph of {drug.name} names {use} among its uses; those of the others do not.",
        difficulty="easy",
        **about(drug, "uses", use),  # type: ignore[arg-type]
    )


REACTIONS = ("anaphylaxis", "widespread hives and wheezing", "angioedema with hypotension")


@cache
def forbidden_by(allergen: str) -> tuple[str, ...]:
    """Other drugs that an allergy to this one rules out."""
    return tuple(
        name
        for name in DRUGS
        if name != allergen
        and any(verdict == "CONTRAINDICATED" for verdict, _ in conflicts_with_allergies(name, [allergen]))
    )


def _allergy(row: str, rng: random.Random) -> Fact | None:
    allergen = row_drug(row)
    right = rng.choice(forbidden_by(allergen.name))
    free = [d for d in DRUGS.values() if not conflicts_with_allergies(d.name, [allergen.name])]
    near = [d.name for d in free if set(d.classes[1:]) & set(row_drug(right).classes[1:])]
    wrong = pick_names(rng, near, [d.name for d in free])
    reason = conflicts_with_allergies(right, [allergen.name])[0][1]
    return Fact(
        kind="allergy",
        slots={"drug": allergen.name, "drug_start": start(allergen.name), "reaction": rng.choice(REACTIONS)},
        right=right,
        wrong=wrong,
        because=f"{start(right)} cross-reacts with {allergen.name} ({reason}); the others do not.",
        difficulty="hard",
        **about(row_drug(right), "safety", "allergy group contraindicated"),  # type: ignore[arg-type]
    )


KINDS: tuple[Kind, ...] = (
    Kind(
        name="max_daily_dose",
        rows=rows_where(lambda d: general_range(d) is not None),
        draw=_max_daily,
        weight=2,
        split=by_key("drug:{}:dose"),
    ),
    Kind(
        name="renal_dose",
        rows=rows_where(lambda d: any(s.route is None for s in d.renal)),
        draw=_renal,
        weight=2,
        split=by_key("drug:{}:renal"),
    ),
    Kind(
        name="drug_level",
        rows=rows_where(lambda d: d.monitoring is not None and d.monitoring.unit != "INR"),
        draw=_level,
        split=by_key("drug:{}:level"),
    ),
    Kind(
        name="pregnancy",
        rows=rows_where(lambda d: d.pregnancy.verdict == "contraindicated"),
        draw=_pregnancy,
        weight=2,
        split=by_key("drug:{}:pregnancy"),
    ),
    Kind(name="antidote", rows=antidotes, draw=_antidote, split=by_key("drug:{}:antidote")),
    Kind(
        name="allergy",
        rows=rows_where(lambda d: bool(forbidden_by(d.name))),
        draw=_allergy,
        weight=2,
        split=by_key("drug:{}:allergy"),
    ),
)
