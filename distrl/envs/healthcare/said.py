"""What the agent asserts: word-level reading of its text with negation, quotation and hypothesis.

Episode.said -> [spans, asserts] -> assertions, not-said checks, safety rules

A term is asserted where its words stand in order in a sentence that is the agent's own, is no question and
no counterfactual, does not deny the term or advise against it, and is no bare list of keywords. Words match
over plural, -ed and -ing, upper and lower case, hyphens, and British or American spelling. A term may begin
with a prefix: "not: amoxicillin" holds where the term is denied or advised against, "any: amoxicillin" where
it is among the agent's own words either way. Work is linear in the text.

Not covered: pronouns ("it is contraindicated"), irony, negation across sentences other than a heading with
its bullets ("Avoid:" and a list), languages other than English.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from distrl.envs.healthcare import said_tables as t
from distrl.envs.healthcare.said_scope import AGAINST, HYPOTHETICAL, NEGATED, QUOTED, Segment, flags_of

Status = Literal["asserted", "negated", "quoted", "question", "hypothetical", "listed"]

MAX_SEGMENT_CHARS = 1200  # a longer sentence is read in pieces
BARE_WORDS = 8  # a run of words without a function word may be this long and still be an answer
BARE_ITEMS = 8  # items of a labelled list ("Plan:" and bullets)
FUNCTION_SHARE = 0.1  # of a sentence's words; English prose has 0.4, telegraphic notes 0.15, keywords 0
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
_BREAK = re.compile(r"(?:[;\n]|(?<![.!?])[.!?]++(?=[\s\"”')\]]|$))[\s;.!?]*+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|dr|mr|mrs|ms|vs|approx|no|st|cf|etc|max|min))\.?$", re.IGNORECASE
)
_BULLET = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_QUOTE = re.compile(r"[\"“][^\"“”\n]{2,600}[\"”]")
_SPEECH = re.compile(
    r"\b(?:says?|said|asks?|asked|claim\w*|insist\w*|told|tells?|wrote|writes|stat(?:es|ed)|quot\w+|question|"
    r"demand\w*|request\w*|ticket|message|think\w*|wonders?|whether)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Span:
    """One place where a term stands: character offsets, the term, and how it is meant."""

    start: int
    end: int
    term: str
    status: Status


def stem(word: str) -> str:
    """The word without plural, -ed, -ing and a final e; American spelling. Short words stay."""
    w = word.lower().replace("’", "'").removesuffix("'s")
    if len(w) <= 3 or not w.isalpha():
        return w.rstrip("s") if len(w) > 3 else w
    return _stem(w)


@lru_cache(maxsize=65536)
def _stem(w: str) -> str:
    w = w.replace("ae", "e").replace("oe", "e")
    for british, american in (("ise", "ize"), ("ising", "izing"), ("ised", "ized"), ("isation", "ization")):
        if w.endswith((british, british + "s")):
            w = w.replace(british, american)
    if w.endswith("ies") and len(w) > 4:
        w = w[:-3] + "y"
    elif w.endswith(("sses", "shes", "ches", "xes", "zes")):
        w = w[:-2]
    elif w.endswith("s") and not w.endswith(("ss", "us", "is")):
        w = w[:-1]
    for ending in ("ing", "ed"):
        if w.endswith(ending) and len(w) - len(ending) >= 3:
            w = w[: -len(ending)]
            if len(w) > 3 and w[-1] == w[-2] and w[-1] not in "sl":
                w = w[:-1]
            break
    if w.endswith("our") and len(w) > 5:
        w = w[:-3] + "or"
    return w[:-1] if w.endswith("e") and len(w) > 4 else w


class Reading:
    """One text, read where it is asked for: pieces, their segments and flags are made once and kept."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = _fold(text.lower())
        self._segments: dict[int, Segment] = {}

    @cached_property
    def pieces(self) -> list[tuple[int, int, str]]:
        """(start, end, what ended it) of each sentence or line."""
        return list(_pieces(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self.pieces]

    @cached_property
    def _quotes(self) -> list[tuple[int, int]]:
        return [m.span() for m in _QUOTE.finditer(self.text)]

    def segment(self, s: int) -> Segment:
        """The words of piece s."""
        found = self._segments.get(s)
        if found is None:
            found = self._segments[s] = _segment(self.text, *self.pieces[s])
        return found

    def occurrences(self, stems: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """(piece, first word) wherever the stems stand in order."""
        if any(_root(one) not in self.folded for one in stems):
            return
        last = -1
        for match in _starts_like(stems[0]).finditer(self.text):
            s = bisect_right(self._starts, match.start()) - 1
            if s == last:
                continue
            last = s
            words = self.segment(s).stems
            for w in range(len(words) - len(stems) + 1):
                if words[w] == stems[0] and tuple(words[w : w + len(stems)]) == stems:
                    yield s, w

    def place(self, start: int, end: int) -> tuple[int, int, int] | None:
        """(piece, first word, words) of the text from start on, within its piece; None between words."""
        s = bisect_right(self._starts, start) - 1
        if s < 0:
            return None
        at = self.segment(s).at
        first = bisect_left(at, (start, 0))
        if first and at[first - 1][1] > start:
            first -= 1
        if first == len(at):
            return None
        return s, first, max(1, bisect_left(at, (end, 0)) - first)

    def status(self, s: int, first: int, count: int) -> Status:
        """How the words first .. first + count of piece s are meant."""
        segment = self.segment(s)
        if not segment.flags:
            segment.flags = flags_of(segment, self._inherited(s))
        bits = _union(segment, first, count)
        if bits & QUOTED or self._in_quotation(segment.at[first][0]):
            return "quoted"
        if segment.ending == "?":
            return "question"
        if bits & HYPOTHETICAL:
            return "hypothetical"
        if bits & (NEGATED | AGAINST):
            return "negated"
        if segment.listed is None:
            segment.listed = self._listed(s)
        return "listed" if segment.listed else "asserted"

    def _in_quotation(self, at: int) -> bool:
        """Whether the offset lies in quotation marks that hold another's words."""
        k = bisect_right(self._quotes, (at, len(self.text))) - 1
        if k < 0 or at >= self._quotes[k][1]:
            return False
        start, end = self._quotes[k]
        around = self.text[max(0, start - 60) : start] + " " + self.text[end : end + 40]
        return bool(_SPEECH.search(around)) or self.text[end - 2] == "?"

    def _inherited(self, s: int) -> int:
        """Flags of the heading ("Avoid:") over a bullet, or over the run of bullets that it ends."""
        k, bits = s, 0
        while k > 0 and s - k <= 2 * BARE_ITEMS and self.segment(k).bullet:
            over = self.segment(k - 1)
            if over.ending == ":":
                bits = (flags_of(over, 0, open_end=True) or [0])[-1]
                break
            if over.inherited is not None:
                bits = over.inherited
                break
            k -= 1
        self.segment(s).inherited = bits
        return bits

    def _listed(self, s: int) -> bool:
        """Whether piece s is, or is part of, a bare list of keywords."""
        segment = self.segment(s)
        if segment.function:
            return len(segment.words) > BARE_WORDS and segment.function / len(segment.words) < FUNCTION_SHARE
        first = last = s
        while first > 0 and s - first <= BARE_ITEMS and self.segment(first - 1).bare:
            first -= 1
        while last + 1 < len(self.pieces) and last - s <= BARE_ITEMS and self.segment(last + 1).bare:
            last += 1
        run = [self.segment(k) for k in range(first, last + 1)]
        label = first > 0 and self.segment(first - 1).ending == ":"
        plan = label and len(run) <= BARE_ITEMS and all(len(one.words) <= BARE_WORDS for one in run)
        return not plan and sum(len(one.words) for one in run) > BARE_WORDS


def _fold(text: str) -> str:
    """British spelling to American, in lower case."""
    return text.replace("ae", "e").replace("oe", "e").replace("is", "iz")


def _root(one: str) -> str:
    """What stands in the folded text wherever a word of this stem stands."""
    return _fold(one)[:-1] if len(one) > 3 else one


@lru_cache(maxsize=8192)
def _starts_like(one: str) -> re.Pattern[str]:
    """Where a word of this stem may begin: its first letters, in either spelling."""
    letters = re.escape(one[: max(2, len(one) - 2)] if len(one) > 3 else one)
    letters = letters.replace("e", "(?:ae|oe|e)").replace("z", "[sz]")
    return re.compile(r"(?<![^\W_])" + letters, re.IGNORECASE)


def _union(segment: Segment, first: int, count: int) -> int:
    """All flags of the span, but for the denials that its own words make ("no fever" as a term)."""
    bits = 0
    for i in range(first, first + count):
        bits |= segment.flags[i]
    own = segment.words[first : first + count]
    if any(w in t.DENY or w in t.AGAINST or w in t.NOT for w in own):
        before = segment.flags[first]
        bits = (bits & ~(NEGATED | AGAINST)) | (before & (NEGATED | AGAINST))
    return bits


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    start = 0
    for mark in _BREAK.finditer(text):
        symbol, at = mark.group()[0], mark.start()
        if symbol == "." and _ABBREVIATION.search(text, max(start, at - 8), at):
            continue
        wrapped = symbol == "\n" and text[mark.end() : mark.end() + 1].islower()
        if wrapped and mark.group().count("\n") == 1 and text[at - 1 : at] != ":":
            continue
        yield from _cut(text, start, at, symbol)
        start = mark.end()
    yield from _cut(text, start, len(text), "")


def _cut(text: str, start: int, end: int, symbol: str) -> Iterator[tuple[int, int, str]]:
    """A sentence, in pieces where it is too long."""
    at = start
    while at < end:
        cut = min(end, at + MAX_SEGMENT_CHARS)
        if cut < end:
            space = text.rfind(" ", at, cut)
            cut = space + 1 if space > at else cut
        yield at, cut, symbol
        at = cut


def _segment(text: str, start: int, end: int, symbol: str) -> Segment:
    words, at, before = [], [], []
    last = start
    for match in _WORD.finditer(text, start, end):
        words.append(match.group().lower().replace("’", "'"))
        at.append(match.span())
        before.append(text[last : match.start()].strip())
        last = match.end()
    ending = ":" if text[last:end].strip(" *_").endswith(":") else symbol
    function = sum(w in t.FUNCTION for w in words)
    return Segment(
        words=words,
        stems=[stem(w) for w in words],
        at=at,
        before=before,
        bullet=_BULLET.match(text, start, end) is not None,
        ending=ending,
        function=function,
        bare=bool(words) and not function and ending != ":",
    )


@lru_cache(maxsize=32)
def read(text: str) -> Reading:
    """The reading of a text; the last few are kept, since many checks look at the same words."""
    return Reading(text)


@lru_cache(maxsize=8192)
def _stems(term: str) -> tuple[str, ...]:
    return tuple(stem(m.group()) for m in _WORD.finditer(term))


def spans(text: str, terms: Iterable[str]) -> list[Span]:
    """Every place of every term with its status, in the order of the terms."""
    return list(_iter_spans(text, terms))


def _iter_spans(text: str, terms: Iterable[str]) -> Iterator[Span]:
    reading = read(text)
    for term in terms:
        stems = _stems(term)
        if not stems:
            continue
        for s, w in reading.occurrences(stems):
            at = reading.segment(s).at
            status = reading.status(s, w, len(stems))
            yield Span(at[w][0], at[w + len(stems) - 1][1], term, status)


def asserts(text: str, terms: Iterable[str]) -> bool:
    """Whether one of the terms is asserted; "not: term" is denied or advised against, "any: term" either."""
    for term in terms:
        mode, colon, rest = term.partition(":")
        if not colon or mode not in {"not", "any"}:
            mode, rest = "", term
        wanted = {"": ("asserted",), "not": ("negated",), "any": ("asserted", "negated")}[mode]
        if any(span.status in wanted for span in _iter_spans(text, (rest,))):
            return True
    return False
