"""What a text shows of its working: steps that can be checked, points by finding, numbers stated.

thinking text -> [working] -> steps -> thinking -> reward parts

A step is `expression = number`, in a chain or alone, or two dates and the days between them. Lines of the
form `finding: +points` and numbers behind an `=` are kept beside. Only the last lines that may hold a claim
are read.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from distrl.envs.clinical.calculators.core import Output
from distrl.envs.clinical.quantity import is_symbol
from distrl.envs.medcalc.grading.answer import read_date
from distrl.envs.medcalc.grading.arithmetic import (
    FUNCTIONS,
    NUMBER,
    ArithmeticRefused,
    carries,
    evaluate_tokens,
    numbers_of,
    tokens,
)

# What is read, from the end, bounds the time of a grade (10 µs a sign at worst); gold working needs a quarter
MAX_LINES = 60
MAX_LINE_CHARS = 240
MAX_SIGNS = 250  # operators, brackets and equal signs
ROUNDING = 2e-3  # relative: a step computed with inputs rounded to three digits still holds
COARSEST = 0.05  # relative: so much may the rounding of the shown digits be worth
_HUGE = 1e300

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
DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"
    r"|[A-Z][a-z]{2,8}\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4}|[0-9]{1,2} [A-Z][a-z]{2,8},? [0-9]{4}"
)
_SPAN = re.compile(r"([0-9]{1,4}) ?(week|day)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]{2}")
NUMBERS = re.compile(NUMBER)


class Step(NamedTuple):
    """A checked claim. `values` is what it arrives at, numbers or dates; `numbers`, sorted, what it names."""

    key: str
    right: bool
    values: tuple[float | datetime.date, ...]
    numbers: tuple[float, ...]
    carried: bool = False  # only carries a number along


@dataclasses.dataclass(frozen=True, kw_only=True)
class Working:
    """What a text shows: steps, points by finding line, and numbers stated behind an `=`."""

    steps: tuple[Step, ...]
    points: Mapping[str, float]
    stated: tuple[float, ...]

    def right(self) -> list[Step]:
        """Steps that hold, those included that only carry a number along."""
        return [step for step in self.steps if step.right]


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
    stated += [number_of(r[1]) for r in results[1:] if r]
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
    shown, step = number_of(target[1]), _last_digit(target[1])
    right = holds(value, shown, step) or (bool(target[2]) and holds(value * 100.0, shown, step))
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


def holds(value: float, shown: float, step: float) -> bool:
    slack = max(ROUNDING * abs(value), min(0.5001 * step, COARSEST * abs(value)))
    return abs(value - shown) <= slack + 1e-9


def _date_step(line: str) -> Step | None:
    """Two dates and the days or weeks between them, in whatever words."""
    days = [d for text in DATE.findall(line) if (d := read_date(text))]
    spans = [int(count) * (7 if unit.lower() == "week" else 1) for count, unit in _SPAN.findall(line)]
    if len(days) != 2 or not spans:
        return None
    apart = abs((days[1] - days[0]).days)
    right = apart in (*spans, sum(spans))
    return Step(
        key=" ".join(line.split()), right=right, values=(*days, float(apart)), numbers=(float(apart),)
    )


def number_of(text: str) -> float:
    value = float(text.replace(",", "").replace("−", "-").replace(" ", ""))
    return max(-_HUGE, min(value, _HUGE))


def _last_digit(text: str) -> float:
    """The value of one in the last digit of a number as written: 0.01 for 40.51, 100 for 1.2e3."""
    digits, _, exponent = text.lower().partition("e")
    return 10.0 ** (max(-30, min(int(exponent or 0), 30)) - min(len(digits.partition(".")[2]), 30))
