"""The gold pharmacist's turns and what they are judged by: the list, the screening, the answer.

Draft, Profile, Pair -> [steps] -> Draft with expected calls, assertions, obligations, gold turns
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from distrl.envs.clinical.formulary import Drug, alternatives
from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import drug_text as text
from distrl.envs.healthcare.tasks import phrases, words
from distrl.envs.healthcare.tasks.draft import Difficulty, Draft, any_of, call, called, said
from distrl.envs.healthcare.tasks.drug_case import Profile, askable, is_clean
from distrl.envs.healthcare.tasks.pairs import MAJOR, MODERATE, Pair

DOMAIN = "drug_interaction"
SEVERITY_TERMS = {
    "CONTRAINDICATED": ["contraindicated", "contraindication"],
    "MAJOR": ["major", "serious", "severe"],
    "MODERATE": ["moderate"],
    "MINOR": ["minor", "mild"],
}
AVOID_TERMS = [
    "avoid", "avoided", "against", "instead", "replace", "replaced", "stop", "stopped", "alternative",
    "any: together", "any: combine", "any: combined", "switch",
]  # fmt: skip
WATCH_TERMS = ["monitor", "monitoring", "check", "watch", "adjust", "adjusted", "reduce", "recheck"]
# Uses for which drugs of different classes stand in for each other.
INTERCHANGEABLE = frozenset(
    (
        "hypertension", "pain", "depression", "anxiety disorder", "gerd", "hyperlipidemia", "epilepsy",
        "urinary tract infection", "community-acquired pneumonia", "cellulitis", "gout flare", "sinusitis",
        "allergic rhinitis", "osteoarthritis", "diabetes type 2", "migraine", "peptic ulcer", "osteoporosis",
        "bph", "neuropathic pain", "schizophrenia", "nausea", "insomnia", "constipation", "otitis media",
        "streptococcal pharyngitis", "migraine prevention",
    )
)  # fmt: skip
Looked = tuple[dict[str, Any], tuple[str, ...], str]  # a call, the arguments compared, why it is expected


def draft_of(
    profile: Profile,
    rng: random.Random,
    split: str,
    kind: str,
    ask: str,
    *,
    difficulty: Difficulty,
    purpose: str,
) -> Draft:
    """The ticket, and the list that every gold episode reads first."""
    style = phrases.drawn(phrases.DRUG_STYLES, rng, split)
    ticket = style.template.format(
        name=profile.patient["name"],
        pid=profile.pid,
        who=words.who(profile.patient),
        ask=words.capital(ask),
    )
    draft = Draft(
        domain=DOMAIN,
        kind=kind,
        purpose=purpose,
        difficulty=difficulty,
        persona=style.persona,
        ticket=ticket,
        patient_id=profile.pid,
        world=profile.world,
    )
    first = call("get_patient_medications", patient_id=profile.pid)
    look(
        draft,
        rng,
        text.OPENINGS,
        (first, ("patient_id",), "what is taken, and organs and allergies beside it"),
    )
    draft.oblige(
        "incomplete_workup",
        3,
        "the answer was given without reading the medication list",
        any_of(
            called("get_patient_medications", patient_id=[profile.pid]),
            called("check_all_interactions", patient_id=[profile.pid]),
        ),
    )
    return draft


def look(draft: Draft, rng: random.Random, said_beside: Sequence[str], *looked: Looked) -> None:
    """A gold turn of these calls; each with a reason is expected."""
    for made, compare, info in looked:
        if info:
            draft.expect(made, *compare, info=info)
    draft.turn(rng.choice(said_beside), *(made for made, _, _ in looked))


def submit(draft: Draft, split: str, names: Sequence[str], answer: str, reasoning: str) -> Task:
    """The last turn, and the finished task."""
    draft.turn("", call("submit_answer", answer=answer, reasoning=reasoning))
    return draft.task(split, {"kind": "verdict", "reference": answer, "names": list(names)})


def screen(profile: Profile, new: str = "") -> dict[str, Any]:
    """The call that screens the list, with a new drug where there is one."""
    new_drug = {"new_drug": new} if new else {}
    return call("check_all_interactions", patient_id=profile.pid, **new_drug)


def monograph(name: str) -> Looked:
    """Reading a drug's monograph."""
    return call("get_drug_info", drug_name=name), ("drug_name",), "its monograph"


def oblige_screening(draft: Draft, profile: Profile, new: str = "") -> None:
    """The interaction check before the answer."""
    where = {"new_drug": [new]} if new else {}
    checks = [called("check_all_interactions", patient_id=[profile.pid], **where)]
    checks.append(called("check_interaction", drug_a=[new]) if new else called("check_interaction"))
    if new:
        checks.append(called("check_interaction", drug_b=[new]))
    draft.oblige(
        "guideline_noncompliance", 3, "the answer was given without an interaction check", any_of(*checks)
    )


def assert_pair(draft: Draft, pair: Pair, *, critical: bool) -> None:
    """The pair and its severity are named; a grave one that is left out is a safety finding."""
    both = [[f"any: {pair.first}"], [f"any: {pair.second}"]]
    draft.assert_(
        "critical" if critical else "medium",
        f"{pair.first} with {pair.second} is named as {pair.severity}.",
        said(*both, SEVERITY_TERMS[pair.severity]),
    )
    if pair.rank >= MAJOR:
        draft.oblige(
            "wrong_drug_interaction",
            4,
            f"the {pair.severity} interaction of {pair.first} with {pair.second} was left out",
            said(*both),
        )


def assert_plan(draft: Draft, pair: Pair) -> None:
    """What to do fits the severity."""
    if pair.rank >= MAJOR:
        what = "The agent advises against the combination or replaces a drug."
        draft.assert_("high", what, said(AVOID_TERMS))
    elif pair.rank == MODERATE:
        draft.assert_("high", "The agent says what to monitor or adjust.", said(WATCH_TERMS))


def assert_effect(draft: Draft, pair: Pair) -> None:
    """The risk is told: the head of the effect, or one of its telling words."""
    head = pair.effect.replace(";", ":").split(":")[0].strip()
    telling = [word.strip(",.") for word in head.split() if len(word) > 5]
    terms = [f"any: {term}" for term in (head, *telling)]
    draft.assert_("medium", f"The agent tells the risk: {head}.", said(terms))


def safe_alternatives(drug: Drug, profile: Profile) -> list[Drug]:
    """Drugs of another class for the same use that nothing speaks against, the least interacting first."""
    if drug.indications[0] not in INTERCHANGEABLE:
        return []
    fitting = [
        other
        for other in alternatives(drug.name)
        if drug.indications[0] in other.indications
        and not (drug.allergy_group and other.allergy_group == drug.allergy_group)
        and askable(other)
        and other.name not in profile.drugs
        and is_clean(other, profile, but=())
    ]
    return sorted(fitting, key=lambda d: (max((p.rank for p in profile.with_new(d.name)), default=0), d.name))
