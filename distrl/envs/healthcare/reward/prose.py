"""What kind of text is this: sentences, a keyword list, repetition, junk, a copy.

text -> [prose] -> decision, coherence, accuracy

Measures only; what they cost is decided where they are used. All are linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from distrl.envs.healthcare import said_tables
from distrl.envs.healthcare.said import Span, stem

GRAM = 4  # words of the runs that repetition is counted in
LIST_WORDS = 12  # a run of words without a function word may be this long and still be an answer
LIST_SHARE = 0.1  # of function words in a longer sentence: below, it is a list
COPY_GRAM = 5  # and of those that tell a copy
CONTENT_LETTERS = 4  # shorter words say little of a subject
_VOWEL = re.compile(r"[aeiouyäöüéèáíóú]")
_HARD = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}|(.)\1\1")
_SENTENCE = re.compile(r"[.!?;]+(?=\s|$)|\n")
_WORD = re.compile(r"[^\W_]+")
# Words of clinical writing that name no subject in particular.
_CLINICAL = """
    patient diagnosis diagnoses plan treatment therapy assessment answer option risk dose daily oral iv mg
    management history labs vitals test result findings evidence interaction severity recommendation
    monitoring follow admission discharge referral guideline symptoms because therefore also drug medication
    evidence safe safety careful recommend conclusion right wrong monitor care clinical medical question
    acute severe chronic disease disorder syndrome infection attack major minor moderate recent active type
    high low level class use used avoid alternative combination increase reduce lower
"""
CLINICAL = frozenset(map(stem, _CLINICAL.split()))


@dataclass(frozen=True, kw_only=True)
class Prose:
    """`function_share`: function words among words (English prose 0.4, telegraphic notes 0.15, keywords 0).

    `wordlike`: words that could be words; `distinct`: runs of GRAM words that differ, of all such runs;
    `listed`: words that stand in bare keyword lists. Shares in 0..1 (of nothing: 0, but `distinct` 1).
    """

    words: int
    function_share: float
    wordlike: float
    distinct: float
    listed: float


@lru_cache(maxsize=32)
def measure(text: str) -> Prose:
    """The measures of a text."""
    sentences = [_WORD.findall(piece) for piece in _SENTENCE.split(text.lower()) if piece]
    words = [word for sentence in sentences for word in sentence]
    grams = list(zip(*(words[i:] for i in range(GRAM)), strict=False))
    n = max(1, len(words))
    return Prose(
        words=len(words),
        function_share=sum(w in said_tables.FUNCTION for w in words) / n,
        wordlike=sum(map(_wordlike, words)) / n,
        distinct=len(set(grams)) / len(grams) if grams else 1.0,
        listed=_listed(sentences) / n,
    )


def _listed(sentences: list[list[str]]) -> int:
    """Words in sentences, or runs of bare ones, that are long and have hardly a function word."""
    listed = run = 0
    for sentence in [*sentences, ["the"]]:
        function = sum(w in said_tables.FUNCTION for w in sentence)
        if function == 0:
            run += len(sentence)
            continue
        listed += (run if run > LIST_WORDS else 0) + (
            len(sentence) if len(sentence) > LIST_WORDS and function / len(sentence) < LIST_SHARE else 0
        )
        run = 0
    return listed


def words_of(text: str) -> list[str]:
    """Letters and digits in a row, as written."""
    return _WORD.findall(text)


def content_words(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the words that name something."""
    return frozenset(
        stem(word)
        for text in texts
        for word in words_of(text)
        if len(word) >= CONTENT_LETTERS and word.lower() not in said_tables.FUNCTION
    )


def copied_share(text: str, source: str) -> float:
    """The share of `text`'s runs of COPY_GRAM words that stand in `source`; 0.0 for a text without one."""
    grams, known = _grams(text), set(_grams(source))
    return sum(gram in known for gram in grams) / len(grams) if grams else 0.0


def _grams(text: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return list(zip(*(words[i:] for i in range(COPY_GRAM)), strict=False))


def _wordlike(word: str) -> bool:
    if len(word) <= 3 or not word.isalpha():
        return len(word) <= 12
    return len(word) <= 30 and bool(_VOWEL.search(word)) and not _HARD.search(word)


def outermost(found: Iterable[Span]) -> list[Span]:
    """The spans that lie in no longer one."""
    kept: list[Span] = []
    end = -1
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if span.end > end:
            kept.append(span)
            end = span.end
    return kept
