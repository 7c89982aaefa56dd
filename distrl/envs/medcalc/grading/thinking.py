"""How much of the shown working holds: steps that can be checked, not words that can be counted.

thinking, answer, task -> working -> [thinking] -> share in [0, 1] -> reward parts

A step is `expression = number`, in a chain or alone; in a score all `finding: +points` lines together, by
their sum; two dates and the days between them. The share is right / (right + wrong) x inputs. `right` counts
steps that hold and lead to the answer: they give it, or a number that a later such step uses; without one
that gives it all is 0. Each counts once; one that only carries a number along (x * 1, x + 5 - 5, x + 0 * y)
does not count, unless the gold working has it. `wrong` counts all that do not hold. `inputs` is the share of
the task's own inputs that occur in right steps, of those in the gold working's; where that has none, at least
one finding or number must come from the note.

Not covered: a wrong formula with right arithmetic (accuracy sees that), reasons in prose, algebra.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import math
import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from distrl.envs.clinical.calculators.core import Output, Value
from distrl.envs.medcalc.grading.answer import Answer, read_date
from distrl.envs.medcalc.grading.working import DATE, NUMBERS, Step, Working, holds, number_of, read_working
from distrl.envs.medcalc.task import HALF_POINTS, truth_of

_INPUT_MATCH = 5e-3
_ZERO_BUCKET = 10**9
_COMMON = {0.0, 1.0, 2.0, 10.0, 100.0}  # numbers that any text holds
_WORD = re.compile(r"[a-z]{4,}")


class _Used(NamedTuple):
    numbers: set[int]  # buckets
    dates: set[datetime.date]


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Gold:
    """The gold working, and what its steps use: those that lead to the answer, and all."""

    working: Working
    leading: _Used
    used: _Used
    carriers: frozenset[tuple[float, ...]]  # numbers of the steps that carry
    all_carry: bool  # 20 mg of a drug as 20 mg of the same drug


def thinking_score(thinking: str, answer: Answer | None, payload: Mapping[str, Any]) -> float:
    """The share described above, in [0, 1]. Never raises; time is bounded by what is read."""
    if answer is None or not thinking.strip():
        return 0.0
    truth = truth_of(payload)
    own = read_working(thinking, truth.output)
    if truth.output is not Output.INTEGER and payload["calculator_id"] not in HALF_POINTS:
        own = dataclasses.replace(own, points={})  # no score: "65, 70 and 1.8: +90" adds nothing up
    gold = _gold(tuple(payload["explanation"]), truth.output, truth.value)
    carriers = {step.numbers for step in own.steps} if gold.all_carry else gold.carriers
    steps = _leading(own, answer, carriers)
    right = len(steps) + _points_give(own, answer)
    nothing_to_compute = payload["explanation"] and not (gold.working.steps or gold.working.points)
    if nothing_to_compute and not right:
        right = int(any(_gives(value, answer) for value in own.stated))
    if not right:
        return 0.0
    wrong = sum(not step.right for step in own.steps)
    share = _inputs_share(_used(own, steps), gold.leading, payload)
    if share is None:
        share = _inputs_share(_used(own, own.right()), gold.used, payload)
    return (
        right / (right + wrong) * (_from_note(own, steps, gold.working, payload) if share is None else share)
    )


def _gives(value: float | datetime.date, answer: Answer) -> bool:
    """True when a step's value is the answer, to the digits that the answer shows."""
    wanted = answer.value
    if isinstance(value, datetime.date) or isinstance(wanted, datetime.date):
        return value == wanted
    if isinstance(wanted, tuple):
        return value == wanted[0] * 7 + wanted[1]
    return holds(value, float(wanted), answer.step)


def _points_give(working: Working, answer: Answer) -> bool:
    return bool(working.points) and _gives(sum(working.points.values()), answer)


def _leading(working: Working, answer: Answer, carriers: Set[tuple[float, ...]]) -> list[Step]:
    """Right steps that give the answer or what a later one, or a finding, uses; `carriers` may carry."""
    steps = list[Step]()
    needed = _used(working, ()).numbers if _points_give(working, answer) else set[int]()
    for step in reversed(working.right()):
        given = any(_gives(value, answer) for value in step.values)
        if not (given or any(_among(v, needed) for v in step.values if isinstance(v, float))):
            continue
        if step.carried and step.numbers not in carriers:  # hands its number on, no more
            needed |= {_bucket(v) for v in step.values if isinstance(v, float)}
            continue
        steps.append(step)
        needed |= {_bucket(n) for n in step.numbers}
    return steps[::-1]


def _inputs_share(used: _Used, gold: _Used, payload: Mapping[str, Any]) -> float | None:
    """How many of the inputs that the gold working uses are used; None when it uses none."""
    numbers, dates = _known_inputs(payload["arguments"])
    found = [_among(n, used.numbers) for n in numbers if _among(n, gold.numbers)]
    found += [day in used.dates for day in dates if day in gold.dates]
    return sum(found) / len(found) if found else None


def _from_note(own: Working, steps: Sequence[Step], gold: Working, payload: Mapping[str, Any]) -> float:
    """1.0 when a finding, date or number of the working comes from the note, else 0.0."""
    note = payload["note"]
    if own.points:
        words = {w for finding in own.points for w in _WORD.findall(finding)}
        gold_words = {w for finding in gold.points for w in _WORD.findall(finding)}
        return float(not words.isdisjoint(gold_words | _note_words(note)))
    if payload["arguments"]:
        return 1.0  # the gold working quotes no number either
    if days := _used(own, steps).dates:
        return float(not days.isdisjoint(_note_dates(note)))
    return float(any(n in _note_numbers(note) and n not in _COMMON for s in steps for n in s.numbers))


def _used(working: Working, steps: Sequence[Step]) -> _Used:
    """Numbers and dates of the steps given and of the finding lines."""
    numbers = {_bucket(n) for step in steps for n in step.numbers}
    for finding in working.points:
        numbers.update(_bucket(number_of(text)) for text in NUMBERS.findall(finding))
    return _Used(numbers, {v for s in steps for v in s.values if isinstance(v, datetime.date)})


def _among(number: float, used: set[int]) -> bool:
    place = _bucket(number)
    return place in used or place - 1 in used or place + 1 in used


def _bucket(number: float) -> int:
    """Numbers within half a percent of each other fall into one bucket or neighbours, whatever their sign."""
    return round(math.log(abs(number)) / _INPUT_MATCH) if number else _ZERO_BUCKET


def _known_inputs(arguments: Any) -> tuple[list[float], list[datetime.date]]:
    """Numbers other than 0, and dates, at any depth of the task's arguments."""
    numbers, dates, queue = list[float](), list[datetime.date](), [arguments]
    while queue:
        item = queue.pop()
        if isinstance(item, Mapping):
            queue += item.values()
        elif isinstance(item, (list, tuple)):
            queue += item
        elif isinstance(item, str):
            dates += [d] if (d := read_date(item)) else []
        elif isinstance(item, (int, float)) and not isinstance(item, bool) and item:
            numbers.append(float(item))
    return numbers, dates


@functools.lru_cache(maxsize=1024)
def _gold(explanation: tuple[str, ...], output: Output, value: Value) -> _Gold:
    working = read_working("\n".join(explanation), output)
    carriers = frozenset(step.numbers for step in working.steps if step.carried)
    return _Gold(
        working=working,
        leading=_used(working, _leading(working, Answer(value=value, step=0.0), carriers)),
        used=_used(working, working.right()),
        carriers=carriers,
        all_carry=bool(working.steps) and all(step.carried for step in working.steps),
    )


@functools.lru_cache(maxsize=256)
def _note_numbers(note: str) -> frozenset[float]:
    return frozenset(number_of(text) for text in NUMBERS.findall(note))


@functools.lru_cache(maxsize=256)
def _note_words(note: str) -> frozenset[str]:
    return frozenset(_WORD.findall(note.lower()))


@functools.lru_cache(maxsize=256)
def _note_dates(note: str) -> frozenset[datetime.date]:
    return frozenset(d for text in DATE.findall(note) if (d := read_date(text)))
