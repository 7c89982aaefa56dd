"""What a sentence does to its words: denies, advises against, attributes to others, supposes.

said.Reading -> [flags] -> status of a span

Each function walks its sentence once; a denial ends at a new clause, at the next denial or after SCOPE_WORDS.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from distrl.envs.healthcare import said_tables as t

NEGATED, AGAINST, QUOTED, HYPOTHETICAL = 1, 2, 4, 8
SCOPE_WORDS = 30  # how far a denial reaches when nothing ends it


@dataclass(slots=True, kw_only=True)
class Segment:
    """A sentence or line: words in lower case, stems, offsets, and what stands before each word."""

    words: list[str]
    stems: list[str]
    at: list[tuple[int, int]]
    before: list[str]
    bullet: bool
    ending: str
    function: int  # how many are function words
    bare: bool  # words, none of them a function word, and no heading
    flags: list[int] = field(default_factory=list)
    listed: bool | None = None  # part of a bare list; None: not looked at yet
    inherited: int | None = None  # flags of the heading over it


def flags_of(segment: Segment, inherited: int, open_end: bool = False) -> list[int]:
    """One set of flags for each word."""
    words = segment.words
    flags = [inherited] * len(words)
    skip = -1
    distinct = set(words)
    if not t.TRIGGERS.isdisjoint(distinct):
        for i, word in enumerate(words):
            if i > skip and word in t.TRIGGERS:
                skip = _deny(segment, flags, i, word)
        _exempt_allergies(words, flags)
    if not t.SPEECH.isdisjoint(distinct):
        _quote(segment, flags)
    if not t.CONDITIONAL.isdisjoint(distinct):
        _suppose(segment, flags)
    if open_end and words and not flags[-1]:
        flags[-1] = _heading(words)
    return flags


def _heading(words: list[str]) -> int:
    """What a heading says of its list: "Drugs to avoid:", "Contraindicated:", "Pertinent negatives:"."""
    return AGAINST if any(w in t.AGAINST or w in t.BACKWARD or w == "negatives" for w in words) else 0


def _deny(segment: Segment, flags: list[int], i: int, word: str) -> int:
    """Spread the denial that starts at word i, if one does; the last word that was read with it."""
    words = segment.words
    following = words[i + 1] if i + 1 < len(words) else ""
    for phrase in t.SHORT_SCOPE:
        if words[i : i + len(phrase)] == list(phrase):
            _forward(segment, flags, i + len(phrase), AGAINST, short=True)
            return i + len(phrase) - 1
    for phrase in t.LONG_SCOPE:
        if words[i : i + len(phrase)] == list(phrase):
            passive = i > 0 and words[i - 1] in t.COPULA
            (_backward if passive else _forward)(segment, flags, i if passive else i + len(phrase), NEGATED)
            return i + len(phrase) - 1
    if word in t.NOT:
        return _negate(segment, flags, i, following)
    if word in t.BACKWARD:
        return _participle(segment, flags, i)
    if word == "non":
        if i + 1 < len(words):
            flags[i + 1] |= NEGATED
        return i
    if word in t.DENY or word in t.AGAINST:
        if following in t.HARMLESS_AFTER:
            return i + 1
        bit = AGAINST if word in t.AGAINST else NEGATED
        if i + 1 == len(words) and word in t.AGAINST:
            _backward(segment, flags, i, bit)
        else:
            _forward(segment, flags, i + 1, bit)
    return i


def _participle(segment: Segment, flags: list[int], i: int) -> int:
    """ "X is contraindicated" looks back, "contraindicated: X" and "excluded X" forward."""
    words = segment.words
    colon = i + 1 < len(words) and segment.before[i + 1].endswith(":")
    last = i + 1 == len(words)
    if colon or not (last or (i and (words[i - 1] in t.COPULA or words[i - 1].endswith("ly")))):
        _forward(segment, flags, i + 1, AGAINST)
    else:
        _backward(segment, flags, i, AGAINST)
    return i


def _negate(segment: Segment, flags: list[int], i: int, following: str) -> int:
    """ "not" and its contractions: forward, and back to the subject before a participle of use."""
    words = segment.words
    j = i + 1
    while (
        j < len(words)
        and j <= i + 4
        and (words[j] in t.COPULA or words[j].endswith("ly") or words[j] == "yet")
    ):
        j += 1
    for phrase in t.STILL_POSSIBLE:
        if words[j : j + len(phrase)] == list(phrase):
            return j + len(phrase) - 1
    if following in t.HARMLESS_AFTER or (j < len(words) and words[j] in t.HARMLESS_AFTER):
        return max(j, i + 1)
    advice = words[i] not in {"isn't", "aren't", "wasn't", "weren't"} and (
        words[i] != "not" or i == 0 or words[i - 1] in t.MODAL
    )
    bit = AGAINST if advice else NEGATED
    if any(w in t.BACKWARD_AFTER_NOT for w in words[j : j + 2]):
        _backward(segment, flags, i, bit)
    _forward(segment, flags, i + 1, bit)
    return i


def _forward(segment: Segment, flags: list[int], start: int, bit: int, short: bool = False) -> None:
    words = segment.words
    for k in range(start, min(len(words), start + SCOPE_WORDS)):
        word, comma = words[k], bool(segment.before[k]) and k > start
        if (word in t.DENY or word in t.NOT) and k > start:
            return
        if word in t.ENDS_SCOPE and not (word == "as" and k and words[k - 1] == "such"):
            return
        if word in {"instead", "rather"} and k + 1 < len(words) and words[k + 1] not in {"of", "than"}:
            return
        joined = comma or (k > start and words[k - 1] in t.JOINS)
        if comma and short:
            return
        if k > start and joined and _new_clause(segment, k):
            return
        flags[k] |= bit


def _new_clause(segment: Segment, k: int) -> bool:
    """Whether after a comma or "and" a new statement begins at word k."""
    words = segment.words
    if words[k] in t.ACTION or words[k] in t.FINITE:
        return True
    for j in range(k, min(len(words), k + 6)):
        if j > k and (segment.before[j] or words[j] in t.JOINS):
            return False
        if words[j] in t.FINITE or words[j] == "instead":
            return True
        if j > k and words[j] in t.ACTION and words[j - 1] in {"to", "will", "then", "instead"}:
            return True
    return False


def _backward(segment: Segment, flags: list[int], end: int, bit: int) -> None:
    words = segment.words
    in_list = False
    for k in range(end - 1, max(-1, end - 1 - SCOPE_WORDS), -1):
        word = words[k]
        if word in t.ENDS_SCOPE or (
            word in t.ACTION and k < end - 1 and words[k - 1 : k] not in (["to"], ["be"])
        ):
            return
        in_list = in_list or word in {"and", "or", "nor"}
        flags[k] |= bit
        mark = segment.before[k]
        if mark and not (in_list and mark == ",") and k < end - 1 and mark not in "()*'\"":
            return


def _exempt_allergies(words: list[str], flags: list[int]) -> None:
    """ "avoid it in penicillin allergy" does not deny the allergy."""
    for k, word in enumerate(words):
        if not word.startswith(("allerg", "hypersensit", "anaphyla")):
            continue
        for j in (k - 1, k, k + 1, k + 2):
            if 0 <= j < len(words) and (j <= k or words[k + 1 : k + 2] == ["to"]):
                flags[j] &= ~AGAINST


def _quote(segment: Segment, flags: list[int]) -> None:
    """Mark what others say, ask or want, up to the agent's own clause."""
    words = segment.words
    for i, word in enumerate(words):
        if word not in t.SPEECH:
            continue
        speakers = [w for w in words[max(0, i - 4) : i] if w.removesuffix("'s") in t.OTHERS]
        if not speakers or (speakers[-1] in t.PATIENT and word not in t.SPEECH_OF_PATIENT):
            continue
        for k in range(i + 1, min(len(words), i + 1 + SCOPE_WORDS)):
            if words[k] in t.OWN_CLAUSE:
                break
            flags[k] |= QUOTED


def _suppose(segment: Segment, flags: list[int]) -> None:
    """Mark the if-clause, and the whole sentence where it is contrary to fact or turns on an allergy."""
    words = segment.words
    if "would" in words and not t.ORDINARILY.isdisjoint(words):
        for k in range(next((k for k, w in enumerate(words) if w in t.OWN_CLAUSE), len(words))):
            flags[k] |= HYPOTHETICAL
    for i, word in enumerate(words):
        inverted = word in {"were", "had"} and i == 0
        if word not in {"if", "whether", "unless"} and not inverted:
            continue
        end = i + 1
        while end < len(words) and not (segment.before[end] and end > i + 1) and words[end] != "then":
            end += 1
        clause = words[i:end]
        allergy = any(w.startswith("allerg") for w in clause) and not inverted
        contrary = inverted or (word == "if" and any(w in t.COUNTERFACTUAL for w in clause))
        rest = words[end:] + words[:i]
        contrary = contrary or (word == "if" and any(w in {"would", "would've", "could"} for w in rest))
        for k in range(len(words)) if allergy or contrary else range(i, end):
            flags[k] |= HYPOTHETICAL
        return
