"""Whether splits are apart: by id, by content, and by runs of words.

generators -> [overlap] -> frozen splits, tests

A held-out task overlaps a training task when their questions have a run of 13 words in common, the customary
length (Brown 2020, arXiv:2005.14165, appendix C); a question of fewer words overlaps when it stands whole in
the other. Words are compared as they stand, numbers included: in a clinical question the numbers are the
content, and with masked numbers every two patients of one score would be alike. No wording is taken out
beforehand: generators hold out whole wordings for each split, so a shared run is a leak and not a frame. What
is compared is the question and the right answer; the wrong options are left out, as they come from one table
for all splits and tell nothing of the answer.

Not covered: paraphrases, and two questions that ask for one fact in different words. The generators keep
facts apart by their keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from distrl.envs.clinical_tools.overlap import NGRAM, ngrams, words
from distrl.envs.contract import Task

Run = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Breach:
    """Two tasks that should not be in different splits. `run` is what they share, or the shared id."""

    kind: Literal["id", "question", "run of words"]
    first: str
    second: str
    run: str

    def __str__(self) -> str:
        return f"{self.first} and {self.second}: same {self.kind}: {self.run[:160]}"


def question_of(task: Task) -> str:
    """The ticket without its list of options, and for a choice the right option beside it."""
    ticket, answer = task.payload["ticket"], task.payload["answer"]
    options = set(answer.get("options", {}).values())
    kept = [line for line in ticket.splitlines() if not any(line.strip().endswith(o) for o in options if o)]
    right = answer["reference"] if options else ""
    return "\n".join([*kept, right]).strip()


class Index:
    """The runs of words of one split, and in which task each stands first."""

    def __init__(self, tasks: Iterable[Task] = (), n: int = NGRAM) -> None:
        self.n = n
        self._ids: dict[str, str] = {}
        self._questions: dict[str, str] = {}
        self._runs: dict[Run, str] = {}
        self._short: dict[int, dict[Run, str]] = {}
        self._texts: list[tuple[str, list[str]]] = []
        for task in tasks:
            self.add(task)

    def add(self, task: Task) -> None:
        """Take a task in."""
        text = question_of(task)
        tokens = words(text)
        self._ids.setdefault(task.id, task.id)
        self._questions.setdefault(text, task.id)
        self._texts.append((task.id, tokens))
        for run in ngrams(tokens, self.n):
            self._runs.setdefault(run, task.id)
        for length, known in self._short.items():
            for run in ngrams(tokens, length):
                known.setdefault(run, task.id)

    def breach(self, task: Task) -> Breach | None:
        """The first thing that `task` has in common with a task of this index; None where it is apart."""
        text = question_of(task)
        if task.id in self._ids:
            return Breach(kind="id", first=task.id, second=task.id, run=task.id)
        if (other := self._questions.get(text)) is not None:
            return Breach(kind="question", first=other, second=task.id, run=text)
        tokens = words(text)
        known = self._runs if len(tokens) >= self.n else self._of_length(len(tokens))
        for run in sorted(ngrams(tokens, self.n)):
            if (other := known.get(run)) is not None:
                return Breach(kind="run of words", first=other, second=task.id, run=" ".join(run))
        return None

    def _of_length(self, length: int) -> dict[Run, str]:
        """Runs of a shorter length, made when a short question first asks for them."""
        if length not in self._short:
            runs = self._short[length] = {}
            for task_id, tokens in self._texts:
                for run in ngrams(tokens, length):
                    runs.setdefault(run, task_id)
        return self._short[length]


def breaches(splits: Mapping[str, Sequence[Task]], n: int = NGRAM) -> list[Breach]:
    """Everything that any two of `splits` share, at most one breach for a task and a split."""
    found = []
    names = list(splits)
    for place, name in enumerate(names):
        index = Index(splits[name], n)
        for other in names[place + 1 :]:
            found += [b for task in splits[other] if (b := index.breach(task)) is not None]
    return found
