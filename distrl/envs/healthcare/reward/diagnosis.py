"""Which conditions does a text commit to, and is the right one among them rather than one of many.

answer, rows of the diagnoses -> [diagnosis] -> accuracy, decided

Names and synonyms are those of the condition table. A longer name that holds a shorter one hides it
("aspiration pneumonia" is no "pneumonia"). Where a text has sentences that commit ("the diagnosis is", "most
likely"), they alone count, so that a differential may stand beside them. Conditions on the patient's problem
list are no guesses.

A cause or a consequence ("with acute kidney injury", "due to …") is no guess of its own, up to two of them.

Not covered: rivals that are not in the condition table.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from distrl.envs.healthcare.checks import new_rows, plain
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import once, own_answer
from distrl.envs.healthcare.reward.prose import outermost
from distrl.envs.healthcare.said import Span, spans
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases

GOLD = "gold"
CREDIT = {1: 1.0, 2: 1.0, 3: 0.5, 4: 0.25}  # by conditions committed to; from five on it is a list
MAX_ATTACHED = 2  # causes and consequences ("with", "due to") that are no guesses of their own
CONFIDENCE = {"low": 0, "moderate": 1, "high": 2}
_SENTENCE = re.compile(r"[.!?;]+(?=\s|$)|\n")
_COMMITS = re.compile(
    r"\b(?:diagnos(?:is|es|ed|e)|most likely|impression|assessment|conclusion|conclude|final answer|"
    r"consistent with|confirms?|this is|has|presents? with)\b",
    re.IGNORECASE,
)
_CONSIDERS = re.compile(
    r"\b(?:differential|considered|considering|alternatives?|rule out|ruled out|less likely|unlikely|"
    r"exclude[sd]?|rather than|instead of|against)\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(r"\b(?:or|versus|vs|either|alternatively|possibly)\b", re.IGNORECASE)
_ATTACHES = re.compile(
    r"\b(?:with|due to|secondary to|complicated by|caused by|causing|from|leading to|resulting in)\b",
    re.IGNORECASE,
)
_LISTS_ON = re.compile(r"\W{0,3}(?:and)?\W{0,3}(?:acute|mild|moderate|severe)?\W{0,3}", re.IGNORECASE)
_CODE = re.compile(r"\b([A-TV-Z][0-9][0-9A-Z])(?:\.[0-9A-Z]{1,4})?\b")


@dataclass(frozen=True, kw_only=True)
class Commitment:
    """Conditions that a text commits to. `right`: the gold one is asserted; `count` includes it."""

    right: bool
    count: int
    hedged: bool = False

    @property
    def credit(self) -> float:
        """1.0 for the right one alone or with one beside it, less with more or behind an "or", else 0.0."""
        return CREDIT.get(self.count + (self.hedged and self.count > 1), 0.0) if self.right else 0.0


def committed(text: str, episode: Episode) -> Commitment:
    """What the agent's text commits to."""
    firm = [s for s in _SENTENCE.split(text) if _COMMITS.search(s) and not _CONSIDERS.search(s)]
    for chosen in (".\n".join(firm), text):
        found = _spans(chosen, episode)
        right = any(key == GOLD and span.status == "asserted" for span, key in found)
        codes = set(_CODE.findall(chosen))
        right = right or bool(codes & _gold_categories(episode))
        others = {key for _, key in found} - {GOLD}
        if right or others:
            guesses = len(others) - min(MAX_ATTACHED, len(_attached(chosen, found)))
            count = max(guesses + right, len(codes), 1)
            return Commitment(right=right, count=count, hedged=_hedged(chosen, found))
    return Commitment(right=False, count=0)


def _attached(text: str, found: list[tuple[Span, str]]) -> set[str]:
    """Conditions named as cause or consequence of the one before them in the sentence, not instead of it."""
    attached: set[str] = set()
    apart = {found[0][1]} if found else set()
    for (before, first), (span, key) in itertools.pairwise(found):
        between = text[before.end : span.start]
        goes_on = first in attached and _LISTS_ON.fullmatch(between)
        if key not in apart and (_ATTACHES.search(between) or goes_on) and not _SENTENCE.search(between):
            attached.add(key)
        else:
            apart.add(key)
            attached.discard(key)
    return attached - {GOLD}


def _hedged(text: str, found: list[tuple[Span, str]]) -> bool:
    """Whether one sentence names two conditions and leaves a choice."""
    ends = [mark.start() for mark in _SENTENCE.finditer(text)]
    sentences: dict[int, list[tuple[Span, str]]] = {}
    for span, key in found:
        sentences.setdefault(bisect.bisect_left(ends, span.start), []).append((span, key))
    for number, members in sentences.items():
        if len({key for _, key in members}) > 1:
            start = ends[number - 1] if number else 0
            end = ends[number] if number < len(ends) else len(text)
            if _HEDGES.search(text, start, end):
                return True
    return False


def in_answer(episode: Episode) -> Commitment:
    """What the answer commits to, in the agent's own words."""
    return once(episode, "committed", lambda: committed(own_answer(episode), episode))


def recorded(episode: Episode) -> Commitment | None:
    """What the rows of highest confidence, added for the task's patient, commit to; None without a row."""
    return once(episode, "recorded", lambda: _recorded(episode))


def _recorded(episode: Episode) -> Commitment | None:
    patient = episode.task["patient_id"]
    rows = [r for r in new_rows(episode, "diagnoses") if not patient or r["patient_id"] == patient]
    if not rows:
        return None
    best = max(CONFIDENCE.get(r["confidence"], 0) for r in rows)
    chosen = [row for row in rows if CONFIDENCE.get(row["confidence"], 0) == best]
    keys = {key for row in chosen for key in _row_keys(row, episode)}
    return Commitment(right=GOLD in keys, count=len(keys))


def _row_keys(row: Mapping[str, str], episode: Episode) -> set[str]:
    """The conditions of one row; its code decides where its words name none that is known."""
    found = {key for _, key in _all_spans(row["diagnosis"], episode)}
    if found:
        return found - _problems(episode, "condition")
    if set(_CODE.findall(row["icd10"].upper())) & _gold_categories(episode):
        return {GOLD}
    return {plain(row["diagnosis"])} - _problems(episode, "name")


def gold_names(episode: Episode) -> list[str]:
    """Names of the right diagnosis; the reference where the task gives none."""
    answer = episode.task["answer"]
    return [name for name in answer.get("names", ()) if name.strip()] or [answer["reference"]]


def _spans(text: str, episode: Episode) -> list[tuple[Span, str]]:
    """Where `text` asserts or lists GOLD or another condition, by key; known problems left out."""
    problems = _problems(episode, "condition")
    return [(span, key) for span, key in _all_spans(text, episode) if key not in problems]


def _all_spans(text: str, episode: Episode) -> list[tuple[Span, str]]:
    gold = episode.task["answer"].get("condition", "")
    terms = {plain(name): GOLD for name in gold_names(episode)}
    for name, key in _names().items():
        terms.setdefault(name, GOLD if key == gold else key)
    found = ((span, terms[span.term]) for span in outermost(spans(text, terms)))
    return [(s, key) for s, key in found if s.status in ("asserted", "listed")]


@cache
def _names() -> dict[str, str]:
    """Name or synonym -> key of the conditions that can be a case."""
    chosen = (CONDITIONS[key] for key in cases())
    return {plain(n): c.key for c in chosen for n in (c.name, *c.synonyms)}


def _problems(episode: Episode, field: Literal["condition", "name"]) -> set[str]:
    """What is on the patient's problem list, as keys or as names."""
    patient = episode.before["patients"].get(episode.task["patient_id"])
    return {plain(p[field]) for p in patient["problems"]} if patient else set()


def _gold_categories(episode: Episode) -> set[str]:
    return {code.partition(".")[0].upper() for code in episode.task["answer"].get("icd10", ())}
