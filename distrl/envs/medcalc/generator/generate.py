"""The endless task source of MedCalc: a seeded generator that writes its own patient notes.

draws -> statements -> notes + questions -> [GeneratedTasks] -> MedCalcEnv -> rewards

Held out, and never shown by the training split: the note style `handover`, a wording of every label, finding,
frame and question, and a fifth of the argument sets of each calculator, by value bands of one quantity or by
hash (`draws.is_heldout`), so that no pair (calculator, arguments) is in both splits.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from typing import TypeVar

from distrl.envs.clinical.calculators import CALCULATORS, Calculator, CalculatorError, Output, Worked
from distrl.envs.contract import Task, TaskSource
from distrl.envs.medcalc.generator.draws import Patient, is_heldout
from distrl.envs.medcalc.generator.notes import HELDOUT_STYLES, TRAIN_STYLES, compose
from distrl.envs.medcalc.generator.questions import question
from distrl.envs.medcalc.generator.statements import Writer, write
from distrl.envs.medcalc.task import payload, truth_from

ENV_ID = "distrl/MedCalc-v0"
SPLITS = ("train", "heldout")
LICENCE = "Apache-2.0"
MAX_REDRAWS = 2000  # in a row; reached only when a split has no further note to give
SMALLEST = 0.01  # decimals nearer to 0 have limits that no rounded answer meets

T = TypeVar("T", int, str)


class GeneratedTasks(TaskSource):
    """Unlimited synthetic tasks; task i of a seed and split is the same whatever `count` is.

    Args:
        calculators: ids to deal in turn; None takes all 55.
        styles: note styles of the training split (`notes.TRAIN_STYLES`); None takes all. The held-out split
            has styles of its own.
        distractors: whether notes also hold values and facts that decide nothing.

    Raises ValueError for an unknown calculator, style or split, and for an empty choice.
    """

    def __init__(
        self,
        *,
        calculators: Sequence[int] | None = None,
        styles: Sequence[str] | None = None,
        distractors: bool = True,
    ) -> None:
        self.calculators = _chosen("calculators", calculators, sorted(CALCULATORS))
        self.styles = {"train": _chosen("styles", styles, TRAIN_STYLES), "heldout": list(HELDOUT_STYLES)}
        self.distractors = distractors

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """`count` tasks of `split`, no two with the same note and question; equal for equal seeds."""
        if split not in SPLITS:
            raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
        if count < 1:
            raise ValueError(f"count is {count}; a generator is endless, so ask for at least 1 task")
        seen: set[str] = set()
        return [self._task(split, index, seed, seen) for index in range(count)]

    def _task(self, split: str, index: int, seed: int, seen: set[str]) -> Task:
        calculator = CALCULATORS[self.calculators[index % len(self.calculators)]]
        rng = random.Random(f"{seed}/{split}/{index}")
        for _ in range(MAX_REDRAWS):
            writer = write(Patient(calculator.id, rng, split == "heldout"), rng)
            worked = _worked(calculator, writer)
            if worked is None:
                continue
            note = compose(writer, rng.choice(self.styles[split]), distractors=self.distractors)
            asked = question(calculator, rng, split == "heldout")
            digest = hashlib.sha256(f"{calculator.id}\0{note}\0{asked}".encode()).hexdigest()
            if digest in seen:
                continue
            seen.add(digest)
            return Task(
                id=f"medcalc-{digest[:20]}",
                env=ENV_ID,
                split=split,
                payload=payload(
                    note=note,
                    question=asked,
                    calculator_id=calculator.id,
                    truth=truth_from(calculator.id, worked.value),
                    arguments=writer.arguments,
                    explanation=(*writer.readings, *worked.steps),
                ),
                licence=LICENCE,
            )
        raise RuntimeError(
            f"{calculator.name}: {MAX_REDRAWS} draws in a row gave no new task of {split!r} (seed {seed})"
        )


def _worked(calculator: Calculator, writer: Writer) -> Worked | None:
    """The calculator's value of what a note states; None where the draw is of no use.

    Of no use: arguments of the other split or outside the rule's domain, a decimal too near to 0, and a score
    that hangs on the last digits with which a reader converts.
    """
    if is_heldout(calculator.id, writer.arguments) != writer.heldout:
        return None
    try:
        worked = calculator.function(**writer.arguments)
        if calculator.output is Output.INTEGER:
            for name in writer.slack.keys() & writer.arguments.keys():
                for factor in (1 - writer.slack[name], 1 + writer.slack[name]):
                    nudged = writer.arguments | {name: writer.arguments[name] * factor}
                    if calculator.function(**nudged).value != worked.value:
                        return None
    except CalculatorError:
        return None
    value = worked.value
    return None if isinstance(value, float) and 0 < math.fabs(value) < SMALLEST else worked


def _chosen(what: str, given: Sequence[T] | None, known: Sequence[T]) -> list[T]:
    """`given` as a list of known values; all of them for None."""
    if given is None:
        return list(known)
    if isinstance(given, str) or not given:
        raise ValueError(f"{what} is {given!r}; give a list of at least one, or leave it out for all")
    for value in given:
        if value not in known:
            raise ValueError(f"unknown {what} {value!r}; known: {', '.join(map(str, known))}")
    return list(given)
