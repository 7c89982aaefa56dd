"""Which verdict does an answer give, where several grades of one scale stand in it.

answer, accepted names -> [gives] -> accuracy, decided

A grade counts where it is said of the matter ("a major interaction", "severity: major", "the level is low"),
with the grades that are listed after it; where none is, the first grade of the text counts. So "major,
through a moderate CYP3A4 inhibitor" is one verdict, and "severity: minor or major" is none. Verdicts without
a scale are given where one of their names is asserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from distrl.envs.healthcare.checks import plain
from distrl.envs.healthcare.reward.prose import outermost
from distrl.envs.healthcare.said import Span, asserts, spans


@dataclass(frozen=True)
class Scale:
    """Grades with other words for each, and the words that a grade is said of."""

    about: str
    grades: dict[str, tuple[str, ...]]

    def grade(self, name: str) -> str:
        """The grade that `name` is a word for, or ""."""
        name = plain(name)
        return next((g for g, words in self.grades.items() if name in (g, *words)), "")

    @cached_property
    def before(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.about})\W{{0,4}}(?:is|of|as|rated|graded)?\W{{0,4}}$", re.IGNORECASE)

    @cached_property
    def after(self) -> re.Pattern[str]:
        return re.compile(rf"\W{{0,4}}(?:\w{{1,20}}\W{{1,3}}){{0,3}}(?:{self.about})\b", re.IGNORECASE)


_NONE = tuple(
    f"no {word}interaction"
    for word in ("", "known ", "relevant ", "significant ", "clinically relevant ", "clinically significant ")
)
SCALES = (
    Scale(  # the severities of clinical.interactions
        r"interactions?|severity|risk|verdict|rating|grade|combination",
        {
            "contraindicated": ("contraindicated",),
            "major": ("severe", "serious"),
            "moderate": (),
            "minor": ("mild",),
            "none": _NONE,
        },
    ),
    Scale(  # a drug level and its target range
        r"levels?|concentrations?",
        {
            "below": ("low", "subtherapeutic"),
            "within": ("therapeutic", "in range", "on target", "in the target"),
            "above": ("high", "supratherapeutic", "toxic"),
        },
    ),
)
_LISTED = re.compile(r"\s{0,3}(?:,|/|\bor\b|\band\b|\bto\b){1,2}\s{0,3}(?:or\b|and\b)?\s{0,3}", re.IGNORECASE)


def gives(text: str, names: Iterable[str]) -> bool:
    """Whether `text` gives one of the verdicts `names`, and no other grade of their scale."""
    names = [name for name in names if name.strip()]
    scale = scale_of(names)
    if scale is None:
        return asserts(text, names)
    given = grades(text, names, scale)
    return bool(given) and given <= {scale.grade(name) or plain(name) for name in names}


def scale_of(names: Iterable[str]) -> Scale | None:
    """The scale that at least half of the names are grades of."""
    names = list(names)
    return next((s for s in SCALES if names and sum(bool(s.grade(n)) for n in names) * 2 >= len(names)), None)


def grades(text: str, names: Iterable[str], scale: Scale) -> set[str]:
    """The grades of `scale` (and the other `names`) that `text` gives."""
    terms = {plain(name): scale.grade(name) or plain(name) for name in names if name.strip()}
    terms |= {word: grade for grade, words in scale.grades.items() for word in (grade, *words)}
    found = [s for s in outermost(spans(text, terms)) if s.status == "asserted"]
    firm: list[Span] = []
    for span in found:
        listed = firm and _LISTED.fullmatch(text, firm[-1].end, span.start)
        if listed or _of_the_matter(text, span, scale):
            firm.append(span)
    return {terms[s.term] for s in (firm or found[:1])}


def _of_the_matter(text: str, span: Span, scale: Scale) -> bool:
    before, after = text[max(0, span.start - 40) : span.start], text[span.end : span.end + 70]
    return " interaction" in span.term or bool(scale.before.search(before) or scale.after.match(after))
