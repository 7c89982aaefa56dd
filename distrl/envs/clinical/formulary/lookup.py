"""Finding drugs: by any of their names, by class, in running text, and in place of another.

text, names -> [lookup] -> Drug records
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from distrl.envs.clinical import allergy, interactions
from distrl.envs.clinical.formulary.core import Drug
from distrl.envs.clinical.formulary.names import CLASS_SYNONYMS, NOT_A_DRUG, NOT_IN_TEXT, SYNONYMS
from distrl.envs.clinical.formulary.table import DRUGS

_WORD = re.compile(r"[a-z0-9]+")
Words = tuple[str, ...]


def _words(text: str) -> Words:
    return tuple(_WORD.findall(text.lower()))


def _names() -> dict[str, str]:
    """Every name -> generic name. A generic name wins over a synonym, a synonym over a brand."""
    names = {brand.lower(): drug.name for drug in DRUGS.values() for brand in drug.brands}
    names |= {synonym: name for synonym, name in SYNONYMS.items() if name in DRUGS}
    return names | {name: name for name in DRUGS}


_NAMES = _names()
_BY_WORDS: dict[Words, str] = {_words(name): generic for name, generic in _NAMES.items()}
_IN_TEXT: dict[Words, str] = {
    _words(name): generic for name, generic in _NAMES.items() if name not in NOT_IN_TEXT
} | {_words(phrase): "" for phrase in NOT_A_DRUG}
# First word -> lengths of the names that begin with it, the longest first: most words cost one look-up.
_LENGTHS: dict[str, list[int]] = {
    first: sorted({len(words) for words in _IN_TEXT if words[0] == first}, reverse=True)
    for first in {words[0] for words in _IN_TEXT}
}
CLASSES: frozenset[str] = frozenset(name for drug in DRUGS.values() for name in drug.classes)


def find(name: str) -> Drug | None:
    """The drug of a generic name, brand or synonym; case, spaces, hyphens and slashes do not matter."""
    generic = _BY_WORDS.get(_words(name))
    return None if generic is None else DRUGS[generic]


def class_name(name: str) -> str | None:
    """The formulary's name of a class, from a synonym or a plural; None for an unknown one."""
    key = " ".join(name.lower().split())
    for form in (key, key.removesuffix("s"), key.removesuffix("es")):
        known = CLASS_SYNONYMS.get(form, form)
        if known in CLASSES:
            return known
    return None


def in_class(name: str) -> list[Drug]:
    """The drugs of a class, in the order of the tables; empty for an unknown class."""
    known = class_name(name)
    return [drug for drug in DRUGS.values() if known in drug.classes]


def _mentions(words: list[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        step = 1
        for length in _LENGTHS.get(words[at], ()):
            generic = _IN_TEXT.get(tuple(words[at : at + length]))
            if generic is not None:
                step = length
                if generic:
                    yield generic
                break
        at += step


def drugs_named_in(text: str) -> list[Drug]:
    """The drugs that `text` names, each once, in the order of their first mention; time is linear.

    The longest name wins ("amoxicillin-clavulanate" names no amoxicillin). Negation is not read here.
    """
    return [DRUGS[name] for name in dict.fromkeys(_mentions(_WORD.findall(text.lower())))]


def conflicts_with_allergies(drug: str, allergies: Iterable[str]) -> list[tuple[str, str]]:
    """(verdict, reason) of each allergy that touches `drug`, by any of its names; see clinical.allergy."""
    known = find(drug)
    return allergy.allergy_conflicts(
        known.name if known else drug.lower().strip(), map(_substance, allergies)
    )


def _substance(text: str) -> str:
    """A drug's generic name, else an allergen group, else the words as they stand."""
    group = allergy.group_named(text)
    if group:
        return group
    known = find(text)
    return known.name if known else " ".join(text.lower().split())


def interaction_of(first: str, second: str) -> interactions.Interaction | None:
    """The worst interaction of two drugs by any of their names; None where one of them is not known."""
    a, b = find(first), find(second)
    return None if a is None or b is None else interactions.interaction(a.name, b.name)


def alternatives(drug: str) -> list[Drug]:
    """Drugs of another class that share an indication, those that share most first; empty when unknown.

    A drug that an allergy to `drug` would forbid (same group, same side chain) is none.
    """
    known = find(drug)
    if known is None:
        return []
    uses = set(known.indications)
    shared = [
        (len(uses & set(other.indications)), other)
        for other in DRUGS.values()
        if other.classes[0] != known.classes[0] and uses & set(other.indications)
    ]
    return [other for _, other in sorted(shared, key=lambda row: -row[0]) if not _forbids(known, other)]


def _forbids(allergen: Drug, other: Drug) -> bool:
    found = allergy.allergy_conflicts(other.name, [allergen.name])
    return any(verdict == "CONTRAINDICATED" for verdict, _ in found)
