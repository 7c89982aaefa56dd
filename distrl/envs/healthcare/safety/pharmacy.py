"""Safety's questions to the formulary: who is meant by a name, what conflicts, how far a dose is off.

clinical.formulary, clinical.allergy, clinical.interactions -> [pharmacy] -> drug rules

The facts and limits are the formulary's; only the measure of excess (a ratio) is made here. A drug that the
formulary does not know is judged by the stem of its name (USAN): -cillin, cef- and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from distrl.envs.clinical import formulary
from distrl.envs.clinical.formulary import Drug
from distrl.envs.clinical.formulary import names as formulary_names
from distrl.envs.clinical.interactions import Interaction, interaction, rank
from distrl.envs.healthcare.said import stem
from distrl.envs.healthcare.said_tables import word_set

LARGEST_KG = 120.0  # taken where a weight is unknown, so that only what nobody may have counts as excess
_STEMS = (
    (re.compile(r"cillin\b"), "penicillin"),
    (re.compile(r"\b(?:cef|ceph)\w{3,20}"), "cephalosporin"),
    (re.compile(r"\bsulfa(?:diazine|methoxazole|methizole|dimidine)\b"), "sulfa"),
)
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
# Words that are classes or brands in the tables and something else, or too wide, in running text.
_NO_CLASS = word_set(
    "antibiotic vitamin mineral hormone electrolyte antidote sugar gas antiviral antifungal analgesic fluid"
)


def key(name: str) -> str:
    """A name as the lexicon writes it: lower-case words with single blanks."""
    return " ".join(m.lower() for m in _WORD.findall(name))


@lru_cache(maxsize=1)
def lexicon() -> tuple[dict[str, str], frozenset[str]]:
    """(name in words -> generic or class name, "" for a phrase that is no drug; the first words of all)."""
    words: dict[str, str] = {}
    classes = {klass: klass for drug in formulary.DRUGS.values() for klass in drug.classes}
    for name, klass in (classes | formulary_names.CLASS_SYNONYMS).items():
        if klass not in _NO_CLASS and len(name) > 2:
            words.setdefault(key(name), klass)
            words.setdefault(f"{key(name)}s", klass)
    for drug in formulary.DRUGS.values():
        for name in (*drug.brands, drug.name):
            words[key(name)] = drug.name
    for synonym, name in formulary_names.SYNONYMS.items():
        if synonym not in formulary_names.NOT_IN_TEXT:
            words[key(synonym)] = name
    words |= {key(phrase): "" for phrase in formulary_names.NOT_A_DRUG}
    return words, frozenset(name.split(" ", 1)[0] for name in words)


def drugs_of(name: str) -> tuple[Drug, ...]:
    """The drug of that name, or all drugs of that class; () for an unknown one."""
    one = formulary.find(name)
    return (one,) if one is not None else tuple(formulary.in_class(name))


def allergy_verdict(name: str, drugs: Iterable[Drug], allergies: Iterable[str]) -> tuple[str, str] | None:
    """The mildest (verdict, reason) of the drugs meant, the worst of each; None where one is free of it."""
    wanted = [a for a in allergies if a]
    verdicts = []
    for drug in drugs:
        found = formulary.conflicts_with_allergies(drug.name, wanted)
        if not found:
            return None
        verdicts.append(min(found, key=lambda pair: pair[0] != "CONTRAINDICATED"))
    if verdicts:
        return max(verdicts, key=lambda pair: pair[0] != "CONTRAINDICATED")
    return _unknown_drug(name.lower(), wanted)


def _unknown_drug(name: str, allergies: list[str]) -> tuple[str, str] | None:
    groups = {group for pattern, group in _STEMS if pattern.search(name)}
    for allergy in allergies:
        held = {group for pattern, group in _STEMS if pattern.search(allergy.lower())}
        named = stem(allergy) == stem(name) or any(stem(allergy) == stem(group) for group in groups)
        if named or held & groups:
            return "CONTRAINDICATED", f"{allergy} allergy"
    found = formulary.conflicts_with_allergies(name, allergies)
    return found[0] if found else None


def pair(first: str, second: str) -> Interaction | None:
    """The interaction of two generic names; None where the table lacks one or they are the same."""
    if first == second:
        return None
    try:
        return interaction(first, second)
    except KeyError:
        return None


def severity_rank(found: Interaction | None) -> int:
    """0 for none to 4 for CONTRAINDICATED."""
    return 0 if found is None else rank(found.severity)


@dataclass(frozen=True, kw_only=True)
class Amount:
    """A dose as it was ordered or advised; `per_day` None: not told; `total`: all of a day or week."""

    dose: float
    unit: str
    route: str
    per_day: float | None
    total: bool = False


@dataclass(frozen=True, kw_only=True)
class Body:
    """What bounds a dose; None: not known."""

    weight_kg: float | None = None
    age_years: float | None = None
    crcl: float | None = None
    child_pugh: str | None = None


@dataclass(frozen=True, kw_only=True)
class Excess:
    """How many times the most, and the ground of the bound; ratio inf: not to be given at all."""

    ratio: float
    reason: str


def route_of(drug: Drug, route: str) -> str:
    """The route in the formulary's words; the drug's first that is no infusion where none is named."""
    if route in {r.route for r in drug.adult} | {c.route for c in drug.child}:
        return route
    whole = [r.route for r in drug.adult if "/" not in r.unit] + [r.route for r in drug.adult]
    return whole[0] if whole else ""


def excess(drug: Drug, amount: Amount, body: Body) -> Excess:
    """One dose against the most at once, a day's dose against the most a day, for this age and weight.

    All of a day or a week is held against the most a day only.
    """
    route, kilos = route_of(drug, amount.route), body.weight_kg or LARGEST_KG
    single = formulary.single_limit(drug.name, route, kilos, body.age_years, amount.unit)
    day = formulary.daily_limit(drug.name, route, kilos, body.age_years, unit=amount.unit)
    found = [] if amount.total else [_ratio(amount.dose, amount.unit, single, kilos)]
    adult = body.age_years is None or body.age_years >= 18
    if amount.total or amount.per_day is not None or not adult:
        found.append(_ratio(amount.dose * (amount.per_day or 1.0), amount.unit, day, kilos))
    return max(found, key=lambda one: one.ratio)


def organ_excess(drug: Drug, amount: Amount | None, body: Body) -> Excess:
    """A day's dose against what kidney and liver allow; without an amount only what must not be given."""
    nothing = Excess(ratio=0.0, reason="")
    route = route_of(drug, amount.route if amount else "")
    if body.crcl is None and body.child_pugh is None:
        return nothing
    kilos = body.weight_kg or LARGEST_KG
    unit = amount.unit if amount else None
    bound = formulary.daily_limit(
        drug.name, route, kilos, body.age_years, body.crcl, body.child_pugh, unit=unit
    )
    label = formulary.daily_limit(drug.name, route, kilos, body.age_years, unit=unit)
    if bound is None or label is None or bound.value >= label.value:
        return nothing
    if amount is None:
        return Excess(ratio=float("inf"), reason=bound.reason) if bound.value <= 0 else nothing
    return _ratio(amount.dose * (amount.per_day or 1.0), amount.unit, bound, kilos)


def _ratio(dose: float, unit: str, limit: formulary.Limit | None, kilos: float) -> Excess:
    if limit is None:
        return Excess(ratio=0.0, reason="")
    if limit.value <= 0:
        return Excess(ratio=float("inf"), reason=limit.reason)
    given = formulary.convert(dose, unit, limit.unit, kilos)
    return Excess(ratio=0.0 if given is None else given / limit.value, reason=limit.reason)


def share_of_usual(drug: Drug, amount: Amount, body: Body) -> float | None:
    """One dose as a share of the smallest usual adult one by this route; None where that cannot be told."""
    route = route_of(drug, amount.route)
    shares = []
    for row in drug.adult:
        given = formulary.convert(amount.dose, amount.unit, row.unit, body.weight_kg)
        if row.route == route and given is not None and row.usual[0] > 0:
            shares.append(given / (row.usual[0] * ((body.weight_kg or 60.0) if row.per_kg else 1.0)))
    return max(shares, default=None)
