"""What the gold physician writes: a final assessment in sentences, from the record and the plan.

Case -> [assessment and its parts] -> gold trajectories
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from distrl.envs.clinical.formulary import DRUGS, conflicts_with_allergies
from distrl.envs.healthcare.tasks import words
from distrl.envs.healthcare.tasks.dx_case import Case, Step, other_drugs
from distrl.envs.healthcare.tasks.pairs import MODERATE, pair_of
from distrl.envs.healthcare.tasks.suitability import clearance
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.records import LabResult

MOST_EVIDENCE = 3
SPECIALTY = "internal medicine"
OPENINGS = (
    "I start with the record and the vital signs.",
    "First the chart and the vital signs, then the laboratory.",
    "Before any conclusion I read the record.",
    "Let me see who the patient is and how stable.",
)
READING = (
    "Next come the results, the allergies and the current drugs.",
    "Now the laboratory, and what a prescription has to respect.",
    "I look at the results and at allergies and medication.",
)
WEIGHING = (
    "I weigh the alternatives and read what the guideline says.",
    "The possibilities have to be compared before I commit myself.",
    "Let me compare the differential with the guideline.",
)
CHECKING = (
    "Before prescribing I check the new drugs against the current ones.",
    "The planned drugs must go with the list, so I check the pairs.",
)
RECORDING = (
    "No drug is due here; I put the diagnosis on record.",
    "The diagnosis can be recorded now.",
)
ACTING = (
    "The plan is safe for this patient, so I write the orders and the diagnosis.",
    "Nothing stands against this plan; I prescribe and record.",
    "I now put the treatment and the diagnosis on record.",
)


@dataclass(frozen=True)
class Fact:
    """Something on the record that speaks for the diagnosis: a phrase, its names, its value as text."""

    phrase: str
    names: tuple[str, ...]
    values: tuple[str, ...]


def evidence(case: Case, found: Sequence[LabResult] = ()) -> list[Fact]:
    """The most telling facts: abnormal results (`found` by an order first), vital signs, examination."""
    codes = {*case.condition.labs, *case.condition.unmeasured}
    abnormal = [r for r in words.abnormal_labs(case.patient) if r["code"] in codes]
    chosen: dict[str, LabResult] = {}
    for result in (*(r for r in found if words.is_abnormal(r)), *abnormal):
        chosen.setdefault(result["code"], result)
    facts = [_lab_fact(r) for r in list(chosen.values())[:MOST_EVIDENCE]]
    for phrase, value in words.abnormal_vitals(case.patient)[:2]:
        name = phrase[: phrase.rindex(words.number(value))].strip()
        shown = phrase[len(name) :].strip()
        facts.append(Fact(f"the {name} at {shown}", (name,), _values(value)))
    for phrase in case.patient["presentation"]["findings"]:
        if not phrase.startswith("no "):
            facts.append(Fact(f"{phrase} on examination", (phrase,), ()))
    return facts[: MOST_EVIDENCE + 1]


def _values(value: float) -> tuple[str, ...]:
    return tuple(dict.fromkeys((words.number(value), f"{value:.1f}", f"{value:.0f}")))


def _lab_fact(result: LabResult) -> Fact:
    values = tuple(dict.fromkeys((words.number(result["value"]), f"{result['value']:.1f}")))
    name, shown = words.inside(result["name"]), words.lab(result)
    return Fact(f"the {name} at {shown[len(name) :].strip()}", (result["name"],), values)


def diagnosis_sentence(case: Case, rng: random.Random) -> str:
    """The diagnosis, named as the condition table does."""
    name, code, he = words.inside(case.condition.name), case.condition.icd10, words.who(case.patient)
    return rng.choice(
        (
            f"The diagnosis is {name} ({code}) in {he}.",
            f"In {he} the findings fit {name} ({code}) best.",
            f"My diagnosis is {name} ({code}); the patient is {he}.",
        )
    )


def evidence_sentence(facts: Sequence[Fact], rng: random.Random) -> str:
    """What the diagnosis rests on, with values."""
    listed = words.joined([f.phrase for f in facts])
    return rng.choice(
        (
            f"I conclude this because the record shows {listed}.",
            f"It rests on {listed}.",
            f"The record supports it with {listed}.",
        )
    )


def differential_sentence(case: Case, rng: random.Random) -> str:
    """Up to two alternatives that were considered; "" where the table names none."""
    names = [words.inside(CONDITIONS[k].name) for k in case.condition.differential if k in CONDITIONS][:2]
    if not names:
        return ""
    listed = words.joined(names, "or")
    return rng.choice(
        (
            f"I also weighed {listed}, which explains the findings less well.",
            f"As alternatives I considered {listed}; the findings together fit less well with either.",
        )
        if len(names) > 1
        else (f"I also weighed {listed}, which explains the findings less well.",)
    )


def treatment_sentence(plan: Iterable[Step], rng: random.Random) -> str:
    """What was prescribed and for what."""
    parts = [
        f"{words.dose_of(s.option, s.order.dose, s.order.per_day)} ({s.treatment.purpose})" for s in plan
    ]
    if not parts:
        return ""
    listed = words.joined(parts)
    return rng.choice((f"Therefore I prescribed {listed}.", f"For this reason I started {listed}."))


def trap_sentence(case: Case) -> str:
    """Why the usual first choice was left out, or that no allergy stands in the way."""
    if case.trap is None:
        return allergy_sentence(case) if case.plan else ""
    option, hazard, _ = case.trap
    drug, reason = option.drug, hazard.reason.rstrip(".")
    if hazard.kind in ("allergy", "cross_reactivity"):
        reaction = next(
            (a["reaction"] for a in case.patient["allergies"] if a["substance"] == hazard.about), ""
        )
        told = f" ({reaction})" if reaction else ""
        return f"The record holds an allergy to {hazard.about}{told}, so {drug} should be avoided."
    if hazard.kind == "renal":
        value = clearance(case.patient)
        shown = f" of about {value:.0f} mL/min" if value is not None else ""
        return f"With a creatinine clearance{shown} {drug} is not suitable: {reason}."
    if hazard.kind == "pregnancy":
        weeks = case.patient["pregnant_weeks"]
        return f"She is {weeks} weeks pregnant, so {drug} should be avoided: {reason}."
    if hazard.kind == "interaction":
        return f"An interaction of {drug} with {hazard.about} ({reason}) speaks against it."
    return f"I avoided {drug} because of the patient's {hazard.about.replace('_', ' ')}: {reason}."


def reduced_sentence(case: Case) -> str:
    """Which doses were cut for the kidneys or the liver; "" for none."""
    drugs = [step.option.drug for step in case.plan if step.reduced]
    if not drugs:
        return ""
    value = clearance(case.patient)
    why = f"the creatinine clearance of about {value:.0f} mL/min" if value is not None else "the organs"
    return f"I reduced the dose of {words.joined(drugs)} because of {why}."


def allergy_sentence(case: Case) -> str:
    """What the record says of allergies."""
    patient = case.patient
    if not patient["allergies_reviewed"]:
        return "The allergy status is unknown on the record, so it must be asked before the first dose."
    if not patient["allergies"]:
        return "No drug allergy is on record."
    substances = [a["substance"] for a in patient["allergies"]]
    listed = words.joined(substances)
    weighed = [s.option.drug for s in case.plan if conflicts_with_allergies(s.option.drug, substances)]
    if weighed:
        return (
            f"The recorded allergy to {listed} can cross-react with {words.joined(weighed)}; after this "
            "reaction I accept the small risk and have the first dose observed."
        )
    return f"The recorded allergy to {listed} does not touch these drugs."


def interaction_sentence(case: Case) -> str:
    """What the check of new against current drugs came to."""
    if not case.plan:
        return ""
    current = other_drugs(case)
    if not current:
        return "There is no current medication to interact with."
    pairs = [pair_of(step.option.drug, old) for step in case.plan for old in current]
    worst = max(pairs, key=lambda p: (p.rank, p.first, p.second))
    if worst.rank < MODERATE:
        return "None of the current drugs interacts relevantly with the new ones."
    return f"{words.capital(worst.first)} with {worst.second} needs monitoring ({worst.effect})."


def harmful_current(case: Case) -> list[str]:
    """Current drugs that the condition speaks against, by label or guideline; insulin is titrated."""
    found = []
    for name in other_drugs(case):
        record = DRUGS.get(name)
        if record is None or "insulin" in record.classes:
            continue
        ruled = any(r.absolute and r.condition == case.condition.key for r in record.contraindications)
        if ruled or {name, *record.classes} & set(case.condition.avoid_drugs):
            found.append(name)
    return found


def hold_sentence(case: Case) -> str:
    """Which current drugs are held; "" for none."""
    held = harmful_current(case)
    return f"Please hold {words.joined(held)} for now, which can do harm in this condition." if held else ""


def follow_up_sentence(case: Case, facts: Sequence[Fact], rng: random.Random) -> str:
    """What is watched and when to think again."""
    lab = next((words.inside(f.names[0]) for f in facts if f.values), "examination")
    hours = {"emergency": "within the hour", "urgent": "in 4 hours", "routine": "in 2 weeks"}
    when = hours[case.condition.urgency]
    return rng.choice(
        (
            f"Please monitor vital signs, reassess {when} and repeat the {lab}; without improvement the "
            "diagnosis has to be reconsidered.",
            f"Follow-up: reassessment {when} with a repeat {lab}, and at once if the patient worsens.",
        )
    )


def assessment(case: Case, facts: Sequence[Fact], rng: random.Random, *, extra: Iterable[str] = ()) -> str:
    """The final message in full."""
    parts = [
        diagnosis_sentence(case, rng),
        evidence_sentence(facts, rng),
        differential_sentence(case, rng),
        treatment_sentence(case.plan, rng),
        trap_sentence(case),
        reduced_sentence(case),
        interaction_sentence(case),
        hold_sentence(case),
        *extra,
        follow_up_sentence(case, facts, rng),
    ]
    return " ".join(part for part in parts if part)
