"""Passages that give an evaluation item away: its answer in its own words, beside its question.

evaluation items -> [LeakGuard] -> `distrl knowledge build --refuse-leaks FILE`: refused, or flagged

Text is compared as words: NFKC, case folded, letters and digits only. A passage (title and content) leaks an
item when it holds the item's answer as one run of words and, of the runs of five words of its question, a
share that is the larger the shorter the answer is:

    words of the answer   runs of the question that must be there
    1 to 2                80 %
    3 to 7                50 %
    8 or more             one (an answer of more than 20 words counts when any 20 in a row are there)

A question of three or four words is one run. Never a leak: an answer that says nothing by itself (yes, no,
a letter, a number, "all of the above"), for such words stand in any passage.

Not covered: paraphrases, translations, an answer that a passage gives in another order, and questions of
fewer than three words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distrl.envs.healthcare.knowledge.protocol import Passage

RUN = 5
LEAST_QUESTION = 3
LONG_ANSWER, ANSWER_RUN = 8, 20
SHARES = ((2, 0.8), (7, 0.5))  # words of the answer up to, share of the question's runs
EMPTY_WORDS = frozenset(  # of an answer that says nothing by itself
    """yes no maybe true false none all both neither either of the above a an and or is it to in unknown other
    positive negative normal not these any nothing""".split()  # noqa: SIM905 - a word list reads best so
)
QUESTIONS = ("question", "raw_question", "ticket")
ANSWERS = ("answer", "free_form_answer", "correct_answer", "long_answer", "label")
_WORD = re.compile(r"[^\W_]+")
_CHOICES = re.compile(r"\bAnswer Choices:")
_CHOICE = re.compile(r"\(([A-Z])\) ")


@dataclass(frozen=True, kw_only=True)
class EvalItem:
    """A question of an evaluation and one answer that counts as right."""

    item_id: str
    question: str
    answer: str


def words(text: str) -> list[str]:
    """The words that are compared."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def telling(answer: Sequence[str]) -> bool:
    """Does the answer say something by itself: a word of three letters that is not an empty one."""
    return any(len(w) >= 3 and w not in EMPTY_WORDS and not w.isdigit() for w in answer)


def needed_share(answer_words: int) -> float:
    """The share of the question's runs that must be there; 0 means one of them."""
    return next((share for most, share in SHARES if answer_words <= most), 0.0)


class LeakGuard:
    """Looks for leaks of a set of items. A passage costs time by its own length, not by the set's size."""

    def __init__(self, items: Iterable[EvalItem]) -> None:
        self._ids: list[str] = []
        self._answers: list[list[str]] = []
        self._totals: list[int] = []
        self._of_run: dict[tuple[str, ...], list[int]] = {}
        for item in items:
            question, answer = words(item.question), words(item.answer)
            if len(question) >= LEAST_QUESTION and telling(answer):
                runs = set(_runs(question, min(RUN, len(question))))
                for run in runs:
                    self._of_run.setdefault(run, []).append(len(self._ids))
                self._ids.append(item.item_id)
                self._answers.append(answer)
                self._totals.append(len(runs))
        self._sizes = sorted({len(run) for run in self._of_run})

    def __len__(self) -> int:
        """Items that can leak at all."""
        return len(self._ids)

    def leak(self, passage: Passage) -> str | None:
        """The id of an item that the passage gives away, or None."""
        text = [*words(passage.title), *words(passage.content)]
        found: dict[int, int] = {}
        for size in self._sizes:
            for run in set(_runs(text, size)):
                for number in self._of_run.get(run, ()):
                    found[number] = found.get(number, 0) + 1
        if not found:
            return None
        joined = f" {' '.join(text)} "
        return next((self._ids[n] for n, count in found.items() if self._leaks(n, count, joined)), None)

    def _leaks(self, number: int, count: int, text: str) -> bool:
        answer = self._answers[number]
        if count < needed_share(len(answer)) * self._totals[number]:
            return False
        return any(f" {' '.join(run)} " in text for run in _runs(answer, min(ANSWER_RUN, len(answer))))


def _runs(tokens: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    return zip(*(tokens[i:] for i in range(size)), strict=False)


def read_items(file: Path) -> list[EvalItem]:
    """Evaluation items of a JSON Lines file, or a JSON file with a list. Raises ValueError with the place.

    Fields: one of QUESTIONS and one of ANSWERS, in any case. A letter stands for its text in `options`, or in
    the choices behind "Answer Choices:" in the question.
    """
    text = file.read_text(encoding="utf-8")
    try:
        listed = file.suffix == ".json"
        records = (
            json.loads(text) if listed else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except ValueError as error:
        raise ValueError(f"{file}: not JSON: {error}") from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError(f"{file}: not a list of JSON objects")
    items = [item for n, record in enumerate(records, 1) for item in items_of(record, f"{file.stem}-{n}")]
    if not items:
        raise ValueError(f"{file}: no item with a question and an answer")
    return items


def items_of(record: Mapping[str, Any], name: str) -> list[EvalItem]:
    """The items of one record: one for each answer that counts as right; none where something is missing."""
    lower = {str(key).lower(): value for key, value in record.items()}
    asked = next((lower[key] for key in QUESTIONS if isinstance(lower.get(key), str)), "")
    question, *behind = _CHOICES.split(asked, maxsplit=1)
    options = (
        {str(k): str(v) for k, v in lower["options"].items()}
        if isinstance(lower.get("options"), dict)
        else {}
    )
    if behind:
        parts = _CHOICE.split(behind[0])
        options |= {letter: text.strip() for letter, text in zip(parts[1::2], parts[2::2], strict=True)}
    given: list[str] = []
    for key in ANSWERS:
        value = lower.get(key)
        given += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str)]
    item_id = str(lower.get("id") or name)
    answers = dict.fromkeys(options.get(answer.strip(), answer) for answer in given)
    return [EvalItem(item_id=item_id, question=question, answer=a) for a in answers if question and a.strip()]
