"""What a question of medical_qa rests on: a table row, its right answer, answers that are wrong by the table.

formulary, CONDITIONS, calculators -> kinds -> [Fact] -> questions

The row's key decides the split, so a fact that is asked in the test is never asked in training, in whatever
words. Two questions on one row have one key.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

Difficulty = Literal["easy", "moderate", "hard"]
TRAIN_SHARE, HELDOUT_SHARE = (
    0.70,
    0.85,
)  # of 1: below the first training, below the second held out, else test
ALIKE = 0.33  # two texts that share so much of their words may say the same
MAX_WRONG = 4
_WORD = re.compile(r"[a-z0-9]+")
_SAME = {"breakfast": "food", "meal": "food", "meals": "food", "foods": "food"}
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "the",
        "to",
        "with",
    ]
)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One question's content.

    `slots` fill the wording, every text of `wrong` is false by the tables. `query` finds the passage
    `doc_id`, which holds each of `holds`; `lookup` are calls of other tools that show the fact. `because` is
    a sentence that gives the reason. No `wrong`: an open question with `right` in full.
    """

    kind: str
    slots: dict[str, str]
    right: str
    wrong: tuple[str, ...] = ()
    query: str
    doc_id: str = ""
    holds: tuple[str, ...] = ()
    lookup: tuple[dict[str, Any], ...] = ()
    because: str
    topic: str
    difficulty: Difficulty = "moderate"


Draw = Callable[[str, random.Random], Fact | None]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of question: the rows that it can ask about, and how a fact is drawn from one.

    `rows` are the table rows that have such a fact, by name; `split` is the one in which a row is asked
    about. `draw` gives None where it finds no fact this time. `weight`: how often the kind is dealt.
    """

    name: str
    rows: Callable[[], Sequence[str]]
    split: Callable[[str], str]
    draw: Draw
    weight: int = 1


def split_of(key: str) -> str:
    """The split in which a table row is asked about."""
    place = int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) / 2**32
    return "train" if place < TRAIN_SHARE else "heldout" if place < HELDOUT_SHARE else "test"


def by_key(pattern: str) -> Callable[[str], str]:
    """The split of a row by its key, `pattern` filled with the row: "drug:{}:class"."""
    return lambda row: split_of(pattern.format(row))


@cache
def rows_of(kind: Kind, split: str) -> tuple[str, ...]:
    """The rows that a kind may ask about in a split."""
    return tuple(row for row in kind.rows() if kind.split(row) == split)


def telling(text: str) -> frozenset[str]:
    """The words of a text that carry it."""
    return frozenset(_SAME.get(w, w) for w in _WORD.findall(text.lower()) if w not in _SMALL)


def alike(first: str, second: str) -> bool:
    """Whether two answers might say the same: much the same words, or one within the other."""
    a, b = telling(first), telling(second)
    if not a or not b:
        return first == second
    return a <= b or b <= a or len(a & b) / len(a | b) >= ALIKE


def pick(
    rng: random.Random, right: str, near: Iterable[str], far: Iterable[str] = (), count: int = MAX_WRONG
) -> tuple[str, ...]:
    """Up to `count` wrong answers, each unlike the right one and the others; those of `near` first."""
    chosen: list[str] = []
    for pool in (near, far):
        candidates = sorted(set(pool))
        rng.shuffle(candidates)
        for text in candidates:
            if len(chosen) == count:
                return tuple(chosen)
            if not any(alike(text, other) for other in (right, *chosen)):
                chosen.append(text)
    return tuple(chosen)


def pick_names(
    rng: random.Random, near: Iterable[str], far: Iterable[str] = (), count: int = MAX_WRONG
) -> tuple[str, ...]:
    """Up to `count` names, the plausible ones of `near` first (names differ when they are not equal)."""
    chosen: list[str] = []
    for pool in (near, far):
        candidates = sorted(set(pool) - set(chosen))
        rng.shuffle(candidates)
        chosen += candidates[: count - len(chosen)]
    return tuple(chosen)


def start(text: str) -> str:
    """`text` as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def an(text: str) -> str:
    """`text` with its indefinite article."""
    return f"{'an' if text[:1].lower() in 'aeiou' else 'a'} {text}"


def monograph(drug: str, part: str) -> str:
    """doc_id of a part of a drug's monograph in the own base: uses, dosing, safety, interactions."""
    return f"drug:{drug.replace(' ', '_')}:{part}"


def guideline(condition: str, part: str) -> str:
    """doc_id of a part of a condition's guideline in the own base: diagnosis, treatment, key_points."""
    return f"guideline:{condition}:{part}"
