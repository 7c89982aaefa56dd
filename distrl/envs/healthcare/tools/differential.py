"""Differential diagnosis from symptoms, and guideline text of one condition: both out of the condition table.

EnvWorker[N: ToolCall -> Toolkit.run -> [differential] -> world.conditions] <-> Engine[M] -> …

Not covered: test results; the tool ranks by what it was told, age and sex, and leaves the rest to the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from distrl.envs.healthcare.tools import matching
from distrl.envs.healthcare.tools.lookup import OptionalId, patient, shown, suggestion
from distrl.envs.healthcare.world.condition import Condition, Option, Treatment
from distrl.envs.healthcare.world.conditions import CONDITIONS, SHORT
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import Arg, ToolError

Data = dict[str, Any]
MOST_RANKED = 8
MATCHES_FROM = 0.6  # share of a phrase's weight that a feature must hold
AGAINST = 0.5  # what a feature that the condition is known to lack takes away
UNUSUAL_AGE = 0.6  # factor outside the condition's usual ages
FEWEST_LIKELY = 0.2  # scores below this are not shown
MOST_GUIDELINES = 3
LIKE_FROM = 0.5  # overlap from which a name is that of a condition
NEAR_BEST = 0.75  # of the best overlap: others that the name may mean
# Words of a query that name no condition.
_ABOUT = frozenset(("guideline", "treatment", "management", "therapy", "diagnosis"))


@dataclass(frozen=True, kw_only=True)
class _Profile:
    """A condition's features as words, with the phrase that each stands for."""

    condition: Condition
    features: tuple[tuple[str, frozenset[str]], ...]
    lacks: tuple[tuple[str, frozenset[str]], ...]
    vocabulary: frozenset[str]  # of both: a phrase without any of these words is not compared


def _whole() -> list[Condition]:
    """The conditions that have more than a name."""
    return [c for key, c in CONDITIONS.items() if key not in SHORT]


@cache
def _profiles() -> tuple[tuple[_Profile, ...], matching.Weights]:
    profiles = []
    for c in _whole():
        told = (*c.complaints, *c.symptoms, *c.findings)
        features = _worded(map(matching.present, told))
        lacks = _worded((*(matching.absent(t) or t for t in c.negatives), *map(matching.absent, told)))
        vocabulary = frozenset[str]().union(*(f for _, f in (*features, *lacks)))
        profiles.append(_Profile(condition=c, features=features, lacks=lacks, vocabulary=vocabulary))
    return tuple(profiles), matching.weights([[f for _, f in p.features] for p in profiles])


def _worded(texts: Iterable[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((text, spoken) for text in texts if (spoken := matching.words(text)))


def get_differential_diagnosis(
    db: Database,
    symptoms: Annotated[str, Arg(max_length=1000)],
    patient_id: OptionalId = None,
) -> Data:
    """Conditions that fit the symptoms and findings, best first, with what matched, red flags and tests.

    Source: the condition table.

    Args:
        symptoms: What is present, separated by commas, such as "fever, productive cough, dyspnea".
        patient_id: Takes age and sex into account.
    """
    person = patient(db, patient_id) if patient_id is not None else None
    phrases = matching.phrases(symptoms)
    said = _worded(text for text in phrases if matching.present(text))
    if not said:
        raise ToolError('symptoms: no symptom found; give them separated by commas, such as "fever, cough"')
    profiles, weight = _profiles()
    rows = [row for profile in profiles if (row := _fit(profile, said, weight, person)) is not None]
    rows.sort(key=lambda row: (-row["score"], -row["coverage"], row["condition"]))
    known = {text for row in rows for text in row["matched"]}
    return {
        "symptoms": [text for text, _ in said],
        "read_as_absent": [text for text in phrases if not matching.present(text)],
        "age_and_sex_used": person is not None,
        "differential": rows[:MOST_RANKED],
        "not_recognised": [text for text, _ in said if text not in known],
        "note": "Ranked by the symptoms given; a condition that is not listed is not ruled out.",
    }


def _fit(
    profile: _Profile,
    said: tuple[tuple[str, frozenset[str]], ...],
    weight: matching.Weights,
    person: Patient | None,
) -> Data | None:
    """One row of the differential, or None where nothing fits."""
    condition = profile.condition
    if person is not None and condition.sex not in (None, person["sex"]):
        return None
    total = score = 0.0
    matched: dict[str, str] = {}
    against = []
    for text, spoken in said:
        importance = max(weight.total(frozenset((w,))) for w in spoken)
        total += importance
        if not spoken & profile.vocabulary:
            continue
        likeness, feature = max(
            ((weight.likeness(spoken, f), phrase) for phrase, f in profile.features if spoken & f),
            default=(0.0, ""),
        )
        if likeness >= MATCHES_FROM:
            score += importance * likeness
            matched[text] = feature
        elif any(weight.likeness(spoken, f) >= MATCHES_FROM for _, f in profile.lacks):
            score -= importance * AGAINST
            against.append(text)
    share = score / total if total else 0.0
    usual = person is None or condition.age[0] <= person["age_years"] <= condition.age[1]
    share *= 1.0 if usual else UNUSUAL_AGE
    if not matched or share < FEWEST_LIKELY:
        return None
    return {
        "condition": condition.name,
        "icd10": condition.icd10,
        "score": round(share, 3),
        "coverage": round(len(set(matched.values())) / max(1, len(profile.features)), 3),
        "matched": matched,
        "against": [*against, *([] if usual else ["unusual at this age"])],
        "red_flag": _red_flag(condition),
        "tests": list(condition.workup),
    }


def _red_flag(condition: Condition) -> str:
    urgent = [t.reason for t in condition.time_critical]
    return "; ".join(urgent) or ("emergency" if condition.urgency == "emergency" else "")


def search_clinical_guidelines(db: Database, condition: Annotated[str, Arg(max_length=200)]) -> Data:
    """Guideline of a condition: tests, treatment with doses, what to avoid, what cannot wait, its source.

    Source: the condition table; each guideline names its own source.

    Args:
        condition: Its name, such as "community-acquired pneumonia".
    """
    found = conditions_named(condition)
    if not found:
        names = [c.name for c in _whole()]
        return {
            "query": condition,
            "guidelines": [],
            "missing": [f"no guideline of {shown(condition)}{suggestion(condition, names)}"],
        }
    return {"query": condition, "guidelines": [guideline(c) for c in found], "missing": []}


def conditions_named(text: str) -> list[Condition]:
    """What a name means: the conditions of exactly that name, else up to three that share its words."""
    plain = _spelled(text)
    exact = [c for c, names in _names() if plain in names or plain == c.icd10.lower()]
    if exact:
        return sorted(exact, key=lambda c: _spelled(c.name) != plain)[:MOST_GUIDELINES]
    wanted = matching.words(plain) - _ABOUT
    scored = [(max(_shared(wanted, spoken) for spoken in names.values()), c) for c, names in _names()]
    best = max(score for score, _ in scored)
    near = [row for row in scored if row[0] >= max(LIKE_FROM, NEAR_BEST * best)]
    near.sort(key=lambda row: (-row[0], row[1].name))
    return [c for _, c in near][:MOST_GUIDELINES]


@cache
def _names() -> tuple[tuple[Condition, dict[str, frozenset[str]]], ...]:
    """Each condition with its spelled names and their words."""
    return tuple(
        (c, {(plain := _spelled(name)): matching.words(plain) for name in (c.name, c.key, *c.synonyms)})
        for c in _whole()
    )


def _spelled(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def _shared(wanted: frozenset[str], name: frozenset[str]) -> float:
    """Overlap of two names, 0 to 1; qualifiers such as "acute" count little."""

    def size(group: frozenset[str]) -> float:
        return sum(matching.QUALIFIER_WEIGHT if w in matching.QUALIFIERS else 1.0 for w in group)

    whole = size(wanted | name)
    return size(wanted & name) / whole if whole and wanted & name - matching.QUALIFIERS else 0.0


def guideline(condition: Condition) -> Data:
    """What the condition table says of the care of one condition."""
    return {
        "condition": condition.name,
        "icd10": condition.icd10,
        "urgency": condition.urgency,
        "specialty": condition.specialty,
        "tests": list(condition.workup),
        "treatment": [_treatment(t) for t in condition.treatments],
        "avoid": list(condition.avoid_drugs),
        "cannot_wait": [t.reason for t in condition.time_critical],
        "to_tell_from": [CONDITIONS[key].name for key in condition.differential if key in CONDITIONS],
        "facts": list(condition.teaching),
        "source": condition.source,
    }


def _treatment(treatment: Treatment) -> Data:
    return {
        "purpose": treatment.purpose,
        "required": treatment.required,
        "options_in_order": [_option(o) for o in treatment.options],
    }


def _option(option: Option) -> str:
    per = f"{option.dose_unit}/kg" if option.dose_per_kg else option.dose_unit
    days = "until reviewed" if option.days is None else f"{option.days:g} days"
    return f"{option.drug} {option.dose:g} {per} {option.route}, {option.doses_per_day:g} a day, {days}"
