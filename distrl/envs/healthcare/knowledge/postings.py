"""Which passages hold a word and how often, as arrays; and FTS5's BM25 over them.

[tokenizer -> block of postings -> ranking] <- fts5.Fts5Base <- tools that search

FTS5 ranks by walking every row that holds any word of the query, which takes a second where a million
passages hold a common one. The same figures kept as arrays give the same ranking in some milliseconds: the
formula is FTS5's bm25() with all columns alike, Robertson and Zaragoza, Foundations and Trends in
Information Retrieval 2009;3:333, with k1 1.2, b 0.75 and a floor for words of more than half of all rows.

Not covered: a word more than 255 times in one passage counts as 255.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.75
IDF_FLOOR = 1e-6  # what FTS5 gives a word of more than half of all rows
MOST = 255
TOKENIZE = "porter unicode61"
HASH_BYTES = 256 << 20  # one block stays in memory as a whole, so that nothing is merged
_WIDTHS: dict[int, np.dtype[Any]] = {1: np.dtype("<u1"), 2: np.dtype("<u2"), 4: np.dtype("<u4")}

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Row = tuple[str, int, bytes, bytes]  # word; bytes a gap; gaps between places, the first from -1; counts


class Tokenizer:
    """FTS5's own, by way of a scratch table in memory: its words are those of the index. For one thread."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute(
            f"CREATE VIRTUAL TABLE t USING fts5(text, content='', columnsize=0, tokenize='{TOKENIZE}')"
        )
        self._db.execute("INSERT INTO t(t, rank) VALUES('hashsize', ?)", (HASH_BYTES,))
        self._db.execute("CREATE VIRTUAL TABLE each_word USING fts5vocab(t, 'instance')")
        self._db.execute("CREATE VIRTUAL TABLE word USING fts5vocab(t, 'row')")

    def terms(self, text: str) -> list[str]:
        """The distinct words of `text` as the index spells them, in the order of the text."""
        self._fill([text])
        found = self._db.execute("SELECT term FROM each_word ORDER BY offset")
        return list(dict.fromkeys(term for (term,) in found))

    def block(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], Iterator[Row]]:
        """(words of each text, a row for each distinct word) of one block."""
        self._fill(texts)
        words = self._db.execute("SELECT term, cnt FROM word").fetchall()
        ends = np.cumsum([count for _, count in words], dtype=np.int64)
        # One text of all places, in the order of `word`, is read in half the time of a row for each.
        (found,) = self._db.execute("SELECT group_concat(doc) FROM each_word").fetchone()
        docs = np.fromstring(found or "0", dtype=np.int64, sep=",")[: ends[-1] if words else 0] - 1
        lengths = np.bincount(docs, minlength=len(texts)).astype(np.int32)
        return lengths, encode_all([term for term, _ in words], docs, ends)

    def _fill(self, texts: Sequence[str]) -> None:
        self._db.execute("BEGIN")
        self._db.execute("INSERT INTO t(t) VALUES('delete-all')")
        self._db.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts, start=1))
        self._db.execute("COMMIT")


def encode_all(terms: Sequence[str], docs: Ints, ends: Ints) -> Iterator[Row]:
    """Rows of `terms`, whose places (ascending, one for each time) are `docs` up to their `ends`."""
    firsts = np.concatenate(([0], ends[:-1])) if len(ends) else ends
    new = np.diff(docs, prepend=-1) != 0
    new[firsts] = True
    starts = np.flatnonzero(new)
    counts = np.diff(starts, append=len(docs))
    offsets = np.searchsorted(starts, firsts)  # where each word begins among its distinct places
    places = docs[starts]
    gaps = np.diff(places, prepend=-1)
    gaps[offsets] = places[offsets] + 1
    yield from encode(terms, gaps, counts, offsets)


def encode(terms: Sequence[str], gaps: Ints, counts: Ints, offsets: Ints) -> Iterator[Row]:
    """Rows of `terms`, of which each has the gaps and counts from its offset to the next one's."""
    if not terms:
        return
    sized = {width: gaps.astype(dtype) for width, dtype in _WIDTHS.items()}
    small = np.minimum(counts, MOST).astype(np.uint8)
    most = np.maximum.reduceat(gaps, offsets)
    widths = np.where(most < 1 << 8, 1, np.where(most < 1 << 16, 2, 4)).tolist()
    ends = [*offsets[1:].tolist(), len(gaps)]
    for term, width, start, end in zip(terms, widths, offsets.tolist(), ends, strict=True):
        yield term, width, sized[width][start:end].tobytes(), small[start:end].tobytes()


def decode(width: int, gaps: bytes, counts: bytes) -> tuple[Ints, Floats]:
    """The places and how often, from the last three of a Row."""
    docs = np.cumsum(np.frombuffer(gaps, dtype=_WIDTHS[width]), dtype=np.int64) - 1
    return docs, np.frombuffer(counts, dtype=np.uint8).astype(np.float64)


class Part:
    """One word's postings in one block, decoded only when needed; the block begins at the place `first`."""

    def __init__(self, first: int, width: int, gaps: bytes, counts: bytes) -> None:
        self.first = first
        self.held = len(counts)
        self._row = (width, gaps, counts)

    @cached_property
    def _decoded(self) -> tuple[Ints, Floats]:
        return decode(*self._row)

    @property
    def places(self) -> Ints:
        """Places in the whole base, ascending."""
        return self.first + self._decoded[0]

    def add_all(self, scores: Floats, norm: Floats, weight: float) -> None:
        """Add the word's share to the score of every passage that holds it."""
        docs, counts = self._decoded
        block = scores[self.first :]
        block[docs] += weight * counts / (counts + norm[self.first :][docs])

    def add_at(self, places: Ints, scores: Floats, norm: Floats, weight: float) -> None:
        """The same, for passages of `places` (ascending) alone."""
        docs, counts = self._decoded
        start, end = np.searchsorted(places, (self.first, self.first + docs[-1] + 1))
        wanted = places[start:end] - self.first
        found = np.searchsorted(docs, wanted)
        found = found[docs[found] == wanted]
        at, count = self.first + docs[found], counts[found]
        scores[at] += weight * count / (count + norm[at])


class Lengths:
    """Words of each passage, and which are replaced: what BM25 needs beside the postings."""

    def __init__(self, words: Ints, dead: Ints) -> None:
        self.size = len(words)
        self.alive = np.ones(self.size, dtype=bool)
        self.alive[dead] = False
        self.live = int(self.alive.sum())
        self.any_dead = self.live < self.size
        mean = float(words[self.alive].mean()) if self.live else 1.0
        self.norm: Floats = K1 * (1.0 - B + B * words.astype(np.float64) / max(mean, 1e-9))

    def idf(self, parts: Sequence[Part]) -> float:
        """FTS5's weight of a word, from the passages in force that hold it."""
        if self.any_dead:
            held = sum(int(self.alive[part.places].sum()) for part in parts)
        else:
            held = sum(part.held for part in parts)
        return max(math.log((self.live - held + 0.5) / (held + 0.5)), IDF_FLOOR)


Weighed = Sequence[tuple[float, Sequence[Part]]]  # (idf, postings) of each word, the rarest first


def rank(
    words: Sequence[Sequence[Part]], lengths: Lengths, limit: int, allowed: NDArray[np.bool_] | None = None
) -> list[tuple[int, float]]:
    """(place, BM25) of the best `limit`, best first, ties by place; `allowed` leaves others out."""
    barred = ~lengths.alive if lengths.any_dead else None
    if allowed is not None:
        barred = ~allowed if barred is None else barred | ~allowed
    weighed = sorted(((lengths.idf(parts), parts) for parts in words if parts), key=lambda w: -w[0])
    telling = [w for w in weighed if w[0] > IDF_FLOOR]
    scores = _scores(telling, lengths.norm, limit, barred)
    if np.count_nonzero(scores) < limit:  # else words of every second passage, worth 3e-6, change nothing
        telling = weighed
        scores = _scores(weighed, lengths.norm, limit, barred)
    places = np.flatnonzero(scores > _least(telling, scores, limit))
    if len(places) > limit:
        kth = np.partition(scores[places], -limit)[-limit]
        places = places[scores[places] >= kth]
    order = np.lexsort((places, -scores[places]))[:limit]
    return [(int(place), float(scores[place])) for place in places[order]]


def _scores(weighed: Weighed, norm: Floats, limit: int, barred: NDArray[np.bool_] | None) -> Floats:
    """BM25 of every passage that can be among the best `limit`; others may have less than theirs.

    A word adds less than its weight. So once the words to come weigh less than the `limit`th has already,
    only the passages that they could still lift above it are looked at (Turtle H, Flood J, Information
    Processing and Management 1995;31:831).
    """
    scores = np.zeros(len(norm))
    weights = [idf * (K1 + 1.0) for idf, _ in weighed]
    able: Ints | None = None
    for n, (weight, (_, parts)) in enumerate(zip(weights, weighed, strict=True)):
        to_come = sum(weights[n:])
        if able is None and n and to_come < (least := _least(weighed[:n], scores, limit)):
            able = np.flatnonzero(scores > least - to_come)
        for part in parts:
            if able is None:
                part.add_all(scores, norm, weight)
            else:
                part.add_at(able, scores, norm, weight)
        if barred is not None:
            scores[barred] = 0.0
    return scores


def _least(weighed: Weighed, scores: Floats, limit: int) -> float:
    """A score just below the `limit`th among the passages of one rare word: no better one is below it."""
    for _, parts in weighed:
        if sum(part.held for part in parts) >= limit:
            held = np.concatenate([scores[part.places] for part in parts])
            return max(float(np.nextafter(np.partition(held, -limit)[-limit], 0.0)), 0.0)
    return 0.0
