"""Facts of two drugs: what goes wrong when they meet, and which drug must not join another.

clinical.interactions, formulary -> [pair kinds] -> questions

Asked are pairs that are contraindicated or major and whose effect names neither drug. A wrong effect is
on record for neither drug, alone or with any other; a wrong partner has at most a minor interaction with it.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

from distrl.envs.clinical.formulary import DRUGS
from distrl.envs.clinical.interactions import KNOWN, Interaction, interaction, rank
from distrl.envs.healthcare.knowledge import own
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.medical_qa_facts import (
    Fact,
    Kind,
    by_key,
    monograph,
    pick,
    pick_names,
    start,
    telling,
)

SERIOUS = rank("MAJOR")
SLIGHT = rank("MINOR")
JOIN = " + "
STEM = 6
VAGUE = {"toxicity", "withdrawal"}  # effects that fit many pairs


@cache
def serious_pairs() -> dict[str, Interaction]:
    """Pairs with a serious interaction that the own base tells of and whose effect names neither drug."""
    written = {passage.doc_id for passage in own.passages()}
    known = [name for name in DRUGS if name in KNOWN and monograph(name, "interactions") in written]
    found = {}
    for a, b in combinations(sorted(known), 2):
        verdict = interaction(a, b)
        if rank(verdict.severity) >= SERIOUS and not any(name in verdict.effect for name in (a, b)):
            found[f"{a}{JOIN}{b}"] = verdict
    return found


def _doc(first: str, second: str) -> dict[str, object]:
    use = DRUGS[first].indications[0]
    return {
        "doc_id": monograph(first, "interactions"),
        "query": f"{first} {second} interaction",
        "topic": f"{first} and {second}",
        "lookup": (call("compare_treatments", condition=use, treatments=[first, second]),),
        "difficulty": "hard",
    }


def head(effect: str) -> str:
    """An effect without cause and advice: `bleeding: CYP2C9 inhibition` is bleeding."""
    return effect.partition(":")[0].partition(";")[0].strip()


def _stems(text: str) -> frozenset[str]:
    """The telling words of a text, cut so that `nephrotoxic` and `nephrotoxicity` are one."""
    return frozenset(w[:STEM] for w in telling(text))


@cache
def _known_of(drug: str) -> frozenset[str]:
    """Stems of every effect on record for a drug: with any other drug, and by itself."""
    effects = [interaction(drug, other).effect for other in DRUGS if other in KNOWN and other != drug]
    return _stems(" ".join((*effects, *DRUGS[drug].side_effects, DRUGS[drug].boxed_warning)))


def _effect(row: str, rng: random.Random) -> Fact | None:
    first, second = rng.sample(row.split(JOIN), 2)
    verdict = serious_pairs()[row]
    right = head(verdict.effect)
    known = _known_of(first) | _known_of(second)
    others = {head(v.effect) for v in serious_pairs().values()} - VAGUE
    return Fact(
        kind="interaction_effect",
        slots={"drug": first, "other": second, "drug_start": start(first)},
        right=right,
        wrong=pick(rng, right, [o for o in others if not _stems(o) & known]),
        holds=(f"with {second}: {verdict.effect}",),
        because=f"{start(first)} with {second} is {verdict.severity.lower()}: {verdict.effect}.",
        **_doc(first, second),  # type: ignore[arg-type]
    )


def _partner(row: str, rng: random.Random) -> Fact | None:
    first, second = rng.sample(row.split(JOIN), 2)
    verdict = serious_pairs()[row]
    free = [d for d in DRUGS if d in KNOWN and d != first and rank(interaction(first, d).severity) <= SLIGHT]
    near = [d for d in free if set(DRUGS[d].classes) & set(DRUGS[second].classes)]
    return Fact(
        kind="interaction_partner",
        slots={"drug": first, "drug_start": start(first), "severity": verdict.severity.lower()},
        right=second,
        wrong=pick_names(rng, near, free),
        holds=(f"with {second}: {verdict.effect}",),
        because=f"{start(first)} with {second} is {verdict.severity.lower()}: {verdict.effect}; the others "
        "have no serious interaction on record with it.",
        **_doc(first, second),  # type: ignore[arg-type]
    )


KINDS: tuple[Kind, ...] = (
    Kind(
        name="interaction_effect",
        rows=lambda: tuple(serious_pairs()),
        split=by_key("pair:{}"),
        draw=_effect,
        weight=2,
    ),
    Kind(
        name="interaction_partner",
        rows=lambda: tuple(serious_pairs()),
        split=by_key("pair:{}"),
        draw=_partner,
        weight=2,
    ),
)
