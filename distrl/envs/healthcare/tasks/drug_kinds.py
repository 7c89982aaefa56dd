"""The kinds of drug_interaction about drugs with each other: a proposed drug, a review, a replacement.

Profile, Drug -> [kinds] -> Task

The order of a gold episode is that of the policy: the list, the screening, the decisive point, the answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from distrl.envs.clinical.formulary import Drug
from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import drug_text as text
from distrl.envs.healthcare.tasks import phrases, words
from distrl.envs.healthcare.tasks.draft import Draft, call, said, split_of
from distrl.envs.healthcare.tasks.drug_asks import ASKS
from distrl.envs.healthcare.tasks.drug_case import (
    NoProfile,
    Profile,
    dose_text,
    draw_profile,
    is_clean,
    proposable,
)
from distrl.envs.healthcare.tasks.drug_steps import (
    SEVERITY_TERMS,
    Looked,
    assert_effect,
    assert_pair,
    assert_plan,
    draft_of,
    look,
    monograph,
    oblige_screening,
    safe_alternatives,
    screen,
    submit,
)
from distrl.envs.healthcare.tasks.pairs import MAJOR, MODERATE, Pair, pair_of

NONE_TERMS = [
    "no relevant interaction", "no clinically relevant interaction", "no clinically significant interaction",
    "no significant interaction", "no interaction", "no known interaction", "none",
]  # fmt: skip
START_TERMS = [
    "start", "started", "safe", "acceptable", "compatible", "suitable", "any: objection", "fine", "go ahead",
]  # fmt: skip
SEVERITY_PARTS = {"none": 4, "MINOR": 1, "MODERATE": 3, "MAJOR": 4, "CONTRAINDICATED": 2}
MOST_PAIRS = 3  # pairs of a review that the answer has to name
MAX_PROPOSALS = 8


def new_drug(rng: random.Random, split: str) -> Task:
    """A drug is proposed: is it safe with the list?"""
    wanted = rng.choices(list(SEVERITY_PARTS), weights=list(SEVERITY_PARTS.values()))[0]
    profile, drug, worst = _proposal(rng, split, "new_drug", (wanted,))
    ask = phrases.drawn(ASKS["new_drug"], rng, split)
    draft = draft_of(
        profile,
        rng,
        split,
        "new_drug",
        ask.format(drug=drug.name, dose=dose_text(drug), purpose=words.use(drug.indications[0])),
        difficulty="easy" if worst.severity in ("none", "CONTRAINDICATED") else "moderate",
        purpose=f"{drug.name} proposed; worst severity {worst.severity}",
    )
    draft.challenges.append(worst.effect or "nothing stands in the way, and no warning is due")
    every = (screen(profile, drug.name), ("patient_id", "new_drug"), "the new drug against the whole list")
    look(draft, rng, text.SCREENING, every, monograph(drug.name))
    pair = call("check_interaction", drug_a=drug.name, drug_b=worst.second)
    closer: list[Looked] = [(pair, ("drug_a", "drug_b"), "the decisive pair" if worst.rank else "")]
    other = None
    if worst.rank >= MAJOR:
        search = call("search_alternatives", drug_name=drug.name, patient_id=profile.pid)
        closer.append((search, ("drug_name",), "what could be given instead"))
        other = next(iter(safe_alternatives(drug, profile)), None)
    look(draft, rng, text.CLOSER, *closer)
    oblige_screening(draft, profile, drug.name)
    why = text.rationale(profile.with_new(drug.name), profile, f"{drug.name} against each of them")
    if worst.rank == 0:
        return _cleared(draft, split, drug, text.none_sentence(drug.name, profile, rng), why)
    assert_pair(draft, worst, critical=True)
    assert_plan(draft, worst)
    assert_effect(draft, worst)
    plan = text.plan_sentence(worst, rng, other.name if other else "")
    return submit(
        draft, split, SEVERITY_TERMS[worst.severity], f"{text.risk_sentence(worst, rng)} {plan}", why
    )


def _proposal(
    rng: random.Random, split: str, kind: str, severities: Sequence[str]
) -> tuple[Profile, Drug, Pair]:
    """A patient, a drug and its one worst interaction with the list, of one of `severities`."""
    chosen: list[tuple[Drug, Pair]] = []

    def fits(profile: Profile) -> bool:
        for drug in proposable(profile, rng):
            found = profile.with_new(drug.name)
            worst = found[0] if found else pair_of(drug.name, profile.drugs[0])
            alone = sum(p.rank == worst.rank for p in found) <= 1
            mine = split_of(kind, *sorted((worst.first, worst.second))) == split
            if worst.severity in severities and alone and mine and is_clean(drug, profile):
                chosen.append((drug, worst))
                return True
        return False

    profile = draw_profile(rng, fits, what=kind)
    return profile, *chosen[-1]


def _cleared(draft: Draft, split: str, drug: Drug, answer: str, why: str) -> Task:
    """The answer where nothing stands in the way: said plainly, without a warning that is not due."""
    draft.assert_("critical", "The agent says that there is no relevant interaction.", said(NONE_TERMS))
    can = said(START_TERMS, [f"any: {drug.name}"])
    draft.assert_("high", f"The agent says that {drug.name} can be started.", can)
    draft.assert_(
        "medium",
        "The agent does not warn where nothing is to be warned of.",
        {"kind": "not_said", "terms": ["contraindicated", "major interaction", "serious interaction"]},
    )
    return submit(draft, split, ["none", *NONE_TERMS], answer, why)


def review(rng: random.Random, split: str) -> Task:
    """The whole list: which pairs matter, and what to do about each."""

    def fits(profile: Profile) -> bool:
        pairs = profile.pairs()
        return bool(pairs) and split_of("review", *sorted((pairs[0].first, pairs[0].second))) == split

    profile = draw_profile(rng, fits, what="review", least=3)
    pairs = profile.pairs()
    worst = pairs[0]
    grave = [p for p in pairs if p.rank >= MAJOR][:MOST_PAIRS] or [worst]
    rest = [p for p in pairs if p not in grave and p.rank == MODERATE][:2]
    draft = draft_of(
        profile,
        rng,
        split,
        "review",
        phrases.drawn(ASKS["review"], rng, split),
        difficulty="hard" if len(grave) + len(rest) > 2 else "moderate",
        purpose=f"review of {len(profile.drugs)} drugs; worst severity {worst.severity}",
    )
    draft.challenges += [f"{p.first} with {p.second}: {p.effect}" for p in grave]
    look(draft, rng, text.SCREENING, (screen(profile), ("patient_id",), "every pair of the list"))
    two = {"drug_a": worst.first, "drug_b": worst.second}
    weight = call("calculate_interaction_severity_score", **two, patient_id=profile.pid)
    look(
        draft,
        rng,
        text.CLOSER,
        (call("check_interaction", **two), ("drug_a", "drug_b"), "the worst pair"),
        (weight, (), "how much it weighs in this patient"),
        (*monograph(worst.first)[:2], ""),
    )
    oblige_screening(draft, profile)
    for pair in (*grave, *rest):
        assert_pair(draft, pair, critical=pair in grave)
    assert_plan(draft, worst)
    told = [
        " ".join(f"{text.risk_sentence(p, rng)} {text.plan_sentence(p, rng)}" for p in g)
        for g in (grave, rest)
    ]
    why = f"{text.rationale(pairs, profile, 'every pair of them')} {told[1]}".strip()
    grades = sorted({p.severity for p in grave})
    return submit(draft, split, [term for s in grades for term in SEVERITY_TERMS[s]], told[0], why)


def alternative(rng: random.Random, split: str) -> Task:
    """A planned drug does not fit: what does?"""
    for _ in range(MAX_PROPOSALS):
        profile, drug, worst = _proposal(rng, split, "alternative", ("MAJOR", "CONTRAINDICATED"))
        if good := safe_alternatives(drug, profile):
            break
    else:
        raise NoProfile("alternative: nothing fits the list")
    chosen, names = good[0], [d.name for d in good]
    draft = draft_of(
        profile,
        rng,
        split,
        "alternative",
        phrases.drawn(ASKS["alternative"], rng, split).format(
            drug=drug.name, purpose=words.use(drug.indications[0])
        ),
        difficulty="moderate",
        purpose=f"replace {drug.name} ({worst.severity} with {worst.second}), such as by {chosen.name}",
    )
    draft.challenges.append(worst.effect)
    search = call("search_alternatives", drug_name=drug.name, patient_id=profile.pid)
    look(
        draft,
        rng,
        text.SCREENING,
        (screen(profile, drug.name), ("patient_id", "new_drug"), "why the planned drug does not fit"),
        (search, ("drug_name", "patient_id"), "what could be given, screened for the patient"),
    )
    pair = call("check_interaction", drug_a=chosen.name, drug_b=worst.second)
    draft.expect(pair, "drug_a", drug_a=names, info="the replacement against the list")
    look(draft, rng, text.CLOSER, (pair, (), ""), (*monograph(chosen.name)[:2], ""))
    oblige_screening(draft, profile, drug.name)
    assert_pair(draft, worst, critical=False)
    draft.assert_("critical", "A drug that fits the list is named in its place.", said(names))
    answer = _replacement(drug, chosen, profile)
    why = f"{text.risk_sentence(worst, rng)} For this reason {drug.name} should be avoided."
    return submit(draft, split, names, answer, why)


def _replacement(drug: Drug, chosen: Drug, profile: Profile) -> str:
    """What to give instead, and what to watch."""
    use = words.use(drug.indications[0])
    found = profile.with_new(chosen.name)
    if found and found[0].rank >= MODERATE:
        look_at = text.watched(found[0].effect)
        return (
            f"I recommend {chosen.name} for {use}. With {found[0].second} it needs attention, so please "
            f"monitor {look_at}."
        )
    return f"I recommend {chosen.name} for {use}, because it has no relevant interaction with the list."
