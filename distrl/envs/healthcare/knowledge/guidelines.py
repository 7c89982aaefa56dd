"""Guideline passages from the condition table: how a condition shows, is proven, told apart and treated.

[world.conditions -> guidelines] -> own.passages() -> KnowledgeBase

Sentences of the project; drugs, doses and tests are those that the tasks expect. Not for care.
"""

from __future__ import annotations

from collections.abc import Iterator

from distrl.envs.healthcare.knowledge.monographs import listed
from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.healthcare.world.condition import Condition, Option, TimeCritical
from distrl.envs.healthcare.world.conditions import CONDITIONS

ROUTES = {"iv": "intravenously", "im": "intramuscularly", "sc": "subcutaneously", "oral": "by mouth"}


def guidelines() -> Iterator[Passage]:
    """Up to three passages a condition: diagnosis, treatment, key points."""
    for condition in CONDITIONS.values():
        parts = {
            "diagnosis": _diagnosis(condition),
            "treatment": _treatment(condition),
            "key points": iter(condition.teaching),
        }
        for part, sentences in parts.items():
            said = list(sentences)
            if said:
                yield Passage(
                    doc_id=f"guideline:{condition.key}:{part.replace(' ', '_')}",
                    source="distrl",
                    title=f"{condition.name}: {part}",
                    content=" ".join([*said, f"Source: {condition.source}."]),
                    category="guideline",
                    dataset_name="own",
                )


def _diagnosis(condition: Condition) -> Iterator[str]:
    also = f", also called {listed(condition.synonyms, 'or')}," if condition.synonyms else ""
    yield f"{condition.name}{also} has the ICD-10 code {condition.icd10}."
    if condition.complaints:
        yield f"Patients come with {listed(condition.complaints, 'or')}."
    if condition.symptoms:
        yield f"Symptoms: {listed(condition.symptoms)}."
    if condition.findings:
        yield f"Findings on examination: {listed(condition.findings)}."
    if condition.workup:
        yield f"Tests that belong to the work-up: {listed(condition.workup)}."
    if condition.differential:
        yield f"Differential diagnosis: {listed(_name(key) for key in condition.differential)}."
    if condition.goes_with:
        yield f"It often stands on {listed((_name(key) for key in condition.goes_with), 'or')}."


def _treatment(condition: Condition) -> Iterator[str]:
    for treatment in condition.treatments:
        first, *others = [_option(option) for option in treatment.options]
        instead = f"; where that is not safe, {listed(others, 'or')}" if others else ""
        yield f"For {treatment.purpose} in {condition.name}: {first}{instead}."
    if condition.avoid_drugs:
        yield f"Drugs that do harm in {condition.name}: {listed(condition.avoid_drugs)}."
    yield from (f"Time-critical: {_critical(action)}." for action in condition.time_critical)
    if condition.specialty:
        yield f"Urgency: {condition.urgency}; the specialty is {condition.specialty}."


def _option(option: Option) -> str:
    unit = f"{option.dose_unit}/kg" if option.dose_per_kg else option.dose_unit
    route = ROUTES.get(option.route, option.route)
    often = "once a day" if option.doses_per_day == 1 else f"{option.doses_per_day:g} times a day"
    days = "" if option.days is None else f" for {option.days:g} day{'' if option.days == 1 else 's'}"
    return f"{option.drug} {option.dose:g} {unit} {route} {often}{days}"


def _critical(action: TimeCritical) -> str:
    what = listed((value for values in action.where.values() for value in values), "or")
    return f"{what}, because {action.reason}" if what else action.reason


def _name(key: str) -> str:
    known = CONDITIONS.get(key)
    return known.name if known else key.replace("_", " ")
