"""Near-duplicate prompts: grouped so that a split never separates them, and measured by n-grams.

file rows -> [overlap -> FileTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Not covered: paraphrases. Two prompts of one template that differ in more than sex, pronouns and numbers, and
share no run of 13 words, count as different.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

NGRAM = 13  # the customary length for train-test overlap: Brown 2020, arXiv:2005.14165, appendix C
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_PERSON = frozenset({"male", "female", "man", "woman", "he", "she", "his", "her", "him"})


def words(text: str) -> list[str]:
    """Lower-case words and numbers, without punctuation."""
    return _WORD.findall(text.lower())


def template(text: str) -> str:
    """The words with every number masked and every word of sex made one."""
    return " ".join("#" if w[0].isdigit() else "@" if w in _PERSON else w for w in words(text))


def ngrams(tokens: Sequence[str], n: int = NGRAM) -> set[tuple[str, ...]]:
    """All runs of `n` words; a shorter text is one run."""
    return {tuple(tokens[i : i + n]) for i in range(max(1, len(tokens) - n + 1))}


def overlap(train: Iterable[str], heldout: Sequence[str], *, masked: bool = False) -> float:
    """Share of held-out texts that have a 13-gram in common with a training text.

    `masked` compares templates (numbers and sex masked) instead of the words as they stand.
    """
    split = (lambda text: template(text).split()) if masked else words
    known: set[tuple[str, ...]] = set()
    for text in train:
        known |= ngrams(split(text))
    return sum(not known.isdisjoint(ngrams(split(text))) for text in heldout) / max(1, len(heldout))


def near_groups(texts: Sequence[str]) -> list[str]:
    """For each text the key of its group: texts of one template, or linked by a common 13-gram, are together.

    The key is the smallest SHA-256 of the group's templates, so it does not depend on the order of the texts.
    """
    parent = list(range(len(texts)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    owner: dict[object, int] = {}
    for i, text in enumerate(texts):
        for mark in (template(text), *ngrams(words(text))):
            parent[root(i)] = root(owner.setdefault(mark, i))
    digests = [hashlib.sha256(template(text).encode()).hexdigest() for text in texts]
    smallest: dict[int, str] = {}
    for i, digest in enumerate(digests):
        smallest[root(i)] = min(digest, smallest.get(root(i), digest))
    return [smallest[root(i)] for i in range(len(texts))]
