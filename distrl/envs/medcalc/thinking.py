"""How much of the shown working holds: steps that can be checked, not words that can be counted.

thinking, answer, task -> [thinking] -> share in [0, 1] -> reward parts

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
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from distrl.envs.clinical.calculators.core import Output, Value
from distrl.envs.clinical.quantity import is_symbol
from distrl.envs.medcalc.answer import Answer, read_date
from distrl.envs.medcalc.arithmetic import (
    FUNCTIONS,
    NUMBER,
    ArithmeticRefused,
    carries,
    evaluate_tokens,
    numbers_of,
    tokens,
)
from distrl.envs.medcalc.task import HALF_POINTS, truth_of

# What is read, from the end, bounds the time of a grade (10 µs a sign at worst); gold working needs a quarter
MAX_LINES = 60
MAX_LINE_CHARS = 240
MAX_SIGNS = 250  # operators, brackets and equal signs
ROUNDING = 2e-3  # relative: a step computed with inputs rounded to three digits still holds
COARSEST = 0.05  # relative: so much may the rounding of the shown digits be worth
_INPUT_MATCH = 5e-3
_ZERO_BUCKET = 10**9
_HUGE = 1e300
_COMMON = {0.0, 1.0, 2.0, 10.0, 100.0}  # numbers that any text holds

_LATEX = (
    (re.compile(r"\\(?:d|t)?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(?:times|cdot)"), "*"),
    (re.compile(r"\\approx"), "="),
    (re.compile(r"\\(?:left|right|[,;:! \[\]()])|\$"), " "),
    (re.compile(r"\\%"), "%"),
)
_SIGN = re.compile(r"[-+*/^%(=≈×÷·⋅√,]")
_LINES = re.compile(r"\n|(?<=[.;])\s")
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}[.)])\s+")
_COMPARED = re.compile(r"[<>!]=|=[<>]")
_EQUALS = re.compile(r"\s*[=≈]+\s*")
_UNIT = re.compile(
    r"(?<=[0-9)\]])\s?([A-Za-zµμ°]+(?:\s?/\s?[A-Za-zµμ]+){0,2}(?:\^?[23]|[²³])?)"
    r"(?:\s?/\s?\(?1\.73\s?m(?:\^?2|²)\)?)?(?![A-Za-z(])"
)
_LETTERS = re.compile(r"[A-Za-zµμ]+")
_OPERATOR = re.compile(r"[-+*/^×÷·⋅−–√(\[]|[0-9)\]]\s?[xX]\s?[0-9(\[]")
_OPERATORS_FIRST = tuple("-+*/^×÷·⋅−–)]xX")
_BREAK = re.compile(r"[A-Za-z_µμ°][A-Za-z_µμ°0-9]*|[^-0-9A-Za-z.,+*/^%()×÷·⋅−–\[\]√\s]")
_ARITHMETIC_WORD = re.compile(
    rf"(?:{'|'.join(FUNCTIONS)})\s?[(\[]|[xX](?![A-Za-z])|(?<=[0-9])[eE][0-9]*(?![A-Za-z])"
)
_RESULT = re.compile(rf"([+\-−]?\s?(?:{NUMBER}))\s?(%?)(?!\s?[-+*/^×÷·−–x]\s?[0-9(.√a-z]|[A-Za-z0-9])")
_RANGE = re.compile(r"\(?([0-9.]+)\s?[-–−]\s?([0-9.]+)\)?")
_POINTS = re.compile(
    r"\s*(?:([+\-−][0-9]{1,3}(?:\.[0-9]+)?|0)(?:\s?(?:points?|pts?))?|([0-9]{1,3}(?:\.[0-9]+)?)\s?(?:points?|pts?))\.?\s*"
)
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"
    r"|[A-Z][a-z]{2,8}\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4}|[0-9]{1,2} [A-Z][a-z]{2,8},? [0-9]{4}"
)
_SPAN = re.compile(r"([0-9]{1,4}) ?(week|day)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]{2}")
_WORD = re.compile(r"[a-z]{4,}")
_NUMBERS = re.compile(NUMBER)


class Step(NamedTuple):
    """A checked claim. `values` is what it arrives at, numbers or dates; `numbers`, sorted, what it names."""

    key: str
    right: bool
    values: tuple[float | datetime.date, ...]
    numbers: tuple[float, ...]
    carried: bool = False  # only carries a number along


class _Used(NamedTuple):
    numbers: set[int]  # buckets
    dates: set[datetime.date]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Working:
    """What a text shows: steps, points by finding line, and numbers stated behind an `=`."""

    steps: tuple[Step, ...]
    points: Mapping[str, float]
    stated: tuple[float, ...]

    def right(self) -> list[Step]:
        """Steps that hold, those included that only carry a number along."""
        return [step for step in self.steps if step.right]


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


def read_working(text: str, output: Output) -> Working:
    """The steps, points and statements of `text`."""
    dated = output in (Output.DATE, Output.WEEKS_DAYS)
    if "\\" in text or "$" in text:
        for pattern, plain in _LATEX:
            text = pattern.sub(plain, text)
    steps, points, stated = dict[str, Step](), dict[str, float](), list[float]()
    for bare in _joined(_read_lines(text, dated)):
        found = [step] if dated and (step := _date_step(bare)) else list(_chain(bare, stated))
        for step in found:
            steps.setdefault(step.key, step)
        finding, colon, tail = bare.rpartition(":")
        if colon and not found and (match := _POINTS.fullmatch(tail)) and _NAME.search(finding):
            points[" ".join(finding.lower().split())] = float((match[1] or match[2]).replace("−", "-"))
    return Working(steps=tuple(steps.values()), points=points, stated=tuple(stated))


def _read_lines(text: str, dated: bool) -> list[str]:
    """The last lines that may hold a step, within the limits."""
    kept, signs = list[str](), 0
    for line in reversed(_LINES.split(text)):
        if len(line) > MAX_LINE_CHARS or not (
            "=" in line or "≈" in line or ":" in line or (dated and _SPAN.search(line))
        ):
            continue
        signs += len(_SIGN.findall(line))
        if signs > MAX_SIGNS or len(kept) == MAX_LINES:
            break
        kept.append(_BULLET.sub("", line, count=1).strip())
    return kept[::-1]


def _joined(lines: list[str]) -> list[str]:
    """Lines as chains: `x = a` and then `x = b`, or `= b`, is `x = a = b`."""
    chains, last = list[str](), ""
    for line in lines:
        label, sign, rest = line.partition("=")
        if sign and chains and label.strip() in ("", last):
            chains[-1] += f" = {rest}"
        else:
            chains.append(line)
            last = label.strip() if sign else ""
    return chains


def _chain(line: str, stated: list[float]) -> Iterator[Step]:
    """Steps of `a = b = c`: each expression against the next number behind it, or the one just before it."""
    parts = _EQUALS.split(_UNIT.sub(_without_unit, _COMPARED.sub(" ; ", line).replace("mm Hg", "mmHg")))
    if len(parts) < 2:
        return
    results = [_RESULT.match(part) for part in parts]
    stated += [_number(r[1]) for r in results[1:] if r]
    for place, part in enumerate(parts):
        expression = _tail(part)
        if not expression:
            continue
        target = next((r for r in results[place + 1 :] if r), None)
        if target is None and place and results[place - 1]:
            target = _RESULT.fullmatch(parts[place - 1].strip())
        if target and (step := _step(expression, target)):
            yield step


def _without_unit(match: re.Match[str]) -> str:
    return "" if all(map(is_symbol, _LETTERS.findall(match[1]))) else match.group()


def _tail(part: str) -> str:
    """The longest arithmetic at the end of `part`; "" when there is none, or a word hangs on it."""
    if not _OPERATOR.search(part):
        return ""
    start = 0
    for word in reversed(list(_BREAK.finditer(part))):
        if not _ARITHMETIC_WORD.match(part, word.start()):
            start = word.end()
            break
    tail = part[start:].strip(" ,%\t")
    # An operator in front had a word on its left; at the very start a minus is a sign.
    return "" if tail[:1] in _OPERATORS_FIRST and not (start == 0 and tail[:1] in ("-", "−")) else tail


def _step(expression: str, target: re.Match[str]) -> Step | None:
    """The claim `expression = target`; None when the left side is no arithmetic."""
    try:
        found = tokens(expression)
        value = evaluate_tokens(found)
    except ArithmeticRefused:
        return None
    leaves = numbers_of(found)
    if not leaves or len(found) < 3:
        return None
    shown, step = _number(target[1]), _last_digit(target[1])
    right = _holds(value, shown, step) or (bool(target[2]) and _holds(value * 100.0, shown, step))
    bounds = _RANGE.fullmatch(expression)
    if not right and bounds and leaves[0] < leaves[1]:
        return None  # "65 - 74 = 1 point" is a row of a table
    return Step(
        key="".join(found),
        right=right,
        carried=carries(found, shown),
        values=(shown, value),
        numbers=tuple(sorted((*leaves, shown))),
    )


def _holds(value: float, shown: float, step: float) -> bool:
    slack = max(ROUNDING * abs(value), min(0.5001 * step, COARSEST * abs(value)))
    return abs(value - shown) <= slack + 1e-9


def _date_step(line: str) -> Step | None:
    """Two dates and the days or weeks between them, in whatever words."""
    days = [d for text in _DATE.findall(line) if (d := read_date(text))]
    spans = [int(count) * (7 if unit.lower() == "week" else 1) for count, unit in _SPAN.findall(line)]
    if len(days) != 2 or not spans:
        return None
    apart = abs((days[1] - days[0]).days)
    right = apart in (*spans, sum(spans))
    return Step(
        key=" ".join(line.split()), right=right, values=(*days, float(apart)), numbers=(float(apart),)
    )


def _gives(value: float | datetime.date, answer: Answer) -> bool:
    """True when a step's value is the answer, to the digits that the answer shows."""
    wanted = answer.value
    if isinstance(value, datetime.date) or isinstance(wanted, datetime.date):
        return value == wanted
    if isinstance(wanted, tuple):
        return value == wanted[0] * 7 + wanted[1]
    return _holds(value, float(wanted), answer.step)


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
        numbers.update(_bucket(_number(text)) for text in _NUMBERS.findall(finding))
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
    return frozenset(_number(text) for text in _NUMBERS.findall(note))


@functools.lru_cache(maxsize=256)
def _note_words(note: str) -> frozenset[str]:
    return frozenset(_WORD.findall(note.lower()))


@functools.lru_cache(maxsize=256)
def _note_dates(note: str) -> frozenset[datetime.date]:
    return frozenset(d for text in _DATE.findall(note) if (d := read_date(text)))


def _number(text: str) -> float:
    value = float(text.replace(",", "").replace("−", "-").replace(" ", ""))
    return max(-_HUGE, min(value, _HUGE))


def _last_digit(text: str) -> float:
    """The value of one in the last digit of a number as written: 0.01 for 40.51, 100 for 1.2e3."""
    digits, _, exponent = text.lower().partition("e")
    return 10.0 ** (max(-30, min(int(exponent or 0), 30)) - min(len(digits.partition(".")[2]), 30))
