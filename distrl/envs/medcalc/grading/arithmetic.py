"""Arithmetic from a model's text: a tokenizer and precedence climbing, bounded in size; nothing runs as code.

[arithmetic] -> thinking (checks shown steps), calculator tool

    sum    := term (("+" | "-") term)*
    term   := signed (("*" | "/" | modulo) signed)*
    signed := ("-" | "+") signed | atom "%"* [("^" | "**") signed]
    atom   := number | "(" sum ")" | function "(" sum ("," sum)* ")" | "√" atom

`×`, `·`, `x` multiply, `÷` divides, `[ ]` are brackets, `1,234.5` is a number (unless the text calls min, max
or round). A `%` before an operand is modulo, any other divides by 100. `log` is natural, as in Python.
All values are floats, so that no power can grow an integer without end.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence

MAX_CHARS = 500
MAX_TOKENS = 250
MAX_DEPTH = 24
MAX_EXPONENT = 1000.0
MAX_MAGNITUDE = 1e100
MOVED = 7.0  # the factor by which `carries` changes a number

PLAIN_NUMBER = r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?|\.[0-9]+"
NUMBER = rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?|{PLAIN_NUMBER}"
_REST = r"[A-Za-z][A-Za-z0-9]*|\*\*|[-+*/^%(),√]"
_TOKEN = re.compile(rf"{NUMBER}|{_REST}")
_TOKEN_IN_LIST = re.compile(rf"{PLAIN_NUMBER}|{_REST}")
_LISTS = re.compile(
    r"(?:min|max|round)\s*[(\[]", re.IGNORECASE
)  # here a comma parts arguments, not thousands
_CHARS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "[": "(", "]": ")"})
_PLAIN = {"**": "^", "x": "*", "X": "*"}
_ANY = 64  # arguments of min and max
_SUM, _TERM, _SIGNED, _POWER = 1, 2, 3, 4
_BINDING = {"+": _SUM, "-": _SUM, "*": _TERM, "/": _TERM, "%": _TERM, "^": _POWER}

_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": math.fmod,
    "^": math.pow,  # of floats alone: no complex numbers, no long integers
}
FUNCTIONS: dict[str, tuple[Callable[..., float], int, int]] = {  # name -> (function, fewest, most arguments)
    "exp": (math.exp, 1, 1),
    "ln": (math.log, 1, 1),
    "log": (math.log, 1, 1),
    "log10": (math.log10, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "abs": (abs, 1, 1),
    "min": (min, 2, _ANY),
    "max": (max, 2, _ANY),
    "round": (lambda x, places=0.0: float(round(x, int(min(max(places, -15.0), 15.0)))), 1, 2),
}


class ArithmeticRefused(ValueError):
    """An expression that is not arithmetic, has no finite value, or is larger than the limits; one line."""


def evaluate(expression: str) -> float:
    """The value of plain arithmetic, in linear time. Raises ArithmeticRefused for anything else."""
    return evaluate_tokens(tokens(expression))


def evaluate_tokens(found: list[str]) -> float:
    """`evaluate` for what `tokens` gave."""
    reader = _Reader(found)
    try:
        value = reader.climb(_SUM, 0)
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        if isinstance(error, ArithmeticRefused):
            raise
        raise ArithmeticRefused(f"the expression has no value: {error}") from None
    if reader.at < len(reader.tokens) - 1:
        raise ArithmeticRefused(f"an operator is missing before {reader.tokens[reader.at]!r}")
    return value


def tokens(expression: str) -> list[str]:
    """Numbers, names and operators, with an empty one at the end. Raises ArithmeticRefused."""
    if len(expression) > MAX_CHARS:
        raise ArithmeticRefused(f"the expression has {len(expression)} characters; at most {MAX_CHARS}")
    text = expression.translate(_CHARS)
    found = (_TOKEN_IN_LIST if _LISTS.search(text) else _TOKEN).findall(text)
    if not found or len(found) > MAX_TOKENS:
        raise ArithmeticRefused(f"the expression has {len(found)} parts; give 1 to {MAX_TOKENS}")
    if sum(map(len, found)) != len("".join(text.split())):
        raise ArithmeticRefused(f"{expression[:24]!r} is not all arithmetic; use numbers and + - * / ^ ( )")
    return [
        _PLAIN.get(part, part) if part[0].isdigit() else _PLAIN.get(part, part.lower()) for part in found
    ] + [""]


def numbers_of(found: Sequence[str]) -> list[float]:
    """The numbers among tokens, in order."""
    return [float(token.replace(",", "")) for token in found if _is_number(token)]


def carries(found: Sequence[str], shown: float) -> bool:
    """Whether the expression only carries `shown`, one of its numbers, along.

    The others are 0 or 1, cancel in pairs, or count nothing: in `x + 0 * (a + b)` they may change, x stays.
    """
    others = numbers_of(found)
    if shown not in others:
        return False
    others.remove(shown)
    odd = set[float]()
    for number in others:
        odd ^= {number}
    if odd <= {0.0, 1.0}:
        return True
    # Each goes to the other side of x, so that `min(73, 80) = 73` and `max(0.7, 1) = 1` change.
    moved = list(found)
    for place, token in enumerate(found):
        if _is_number(token) and (number := float(token.replace(",", ""))) != shown:
            moved[place] = repr(number * (MOVED if abs(number) < abs(shown) else 1.0 / MOVED))
    try:
        return math.isclose(evaluate_tokens(moved), shown, rel_tol=1e-6)
    except ArithmeticRefused:
        return False


def _is_number(token: str) -> bool:
    return token[:1].isdigit() or token[:1] == "."


class _Reader:
    """Precedence climbing over tokens; `at` is the next one."""

    def __init__(self, found: list[str]) -> None:
        self.tokens, self.at = found, 0

    def climb(self, floor: int, depth: int) -> float:
        """The value up to the next operator that binds less than `floor`."""
        value = self._prefix(depth)
        while (sign := self.tokens[self.at]) in _BINDING:
            if sign == "%" and not _starts_operand(self.tokens[self.at + 1]):
                self.at += 1
                value /= 100.0
                continue
            binding = _BINDING[sign]
            if binding < floor:
                break
            self.at += 1
            # A power binds to the right, with the sign of its exponent; the others to the left.
            other = self.climb(_SIGNED if binding == _POWER else binding + 1, depth + (binding == _POWER))
            value = _applied(sign, value, other)
        return value

    def _prefix(self, depth: int) -> float:
        part = self.tokens[self.at]
        self.at += 1
        if _is_number(part):
            return _bounded(float(part.replace(",", "")))
        if depth > MAX_DEPTH:
            raise ArithmeticRefused(f"nested deeper than {MAX_DEPTH} levels")
        if part in ("+", "-"):
            value = self.climb(_SIGNED, depth + 1)
            return -value if part == "-" else value
        if part == "√":
            return math.sqrt(self._prefix(depth + 1))
        if part == "(":
            value = self.climb(_SUM, depth + 1)
            self._expect(")")
            return value
        if part in FUNCTIONS:
            return self._call(part, depth)
        raise ArithmeticRefused(f"{part!r} stands where a number should" if part else "a number is missing")

    def _call(self, name: str, depth: int) -> float:
        function, fewest, most = FUNCTIONS[name]
        self._expect("(")
        arguments = [self.climb(_SUM, depth + 1)]
        while self.tokens[self.at] == ",":
            self.at += 1
            arguments.append(self.climb(_SUM, depth + 1))
        self._expect(")")
        if not fewest <= len(arguments) <= most:
            raise ArithmeticRefused(f"{name} takes {fewest} to {most} arguments, not {len(arguments)}")
        return _bounded(float(function(*arguments)))

    def _expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise ArithmeticRefused(f"{token!r} is missing before {self.tokens[self.at]!r}")
        self.at += 1


def _starts_operand(token: str) -> bool:
    return token[:1].isalnum() or token[:1] in ("(", ".", "√") if token else False


def _applied(sign: str, a: float, b: float) -> float:
    if sign == "^" and abs(b) > MAX_EXPONENT:
        raise ArithmeticRefused(f"the exponent {b:g} is too large; at most {MAX_EXPONENT:g}")
    return _bounded(_OPERATORS[sign](a, b))


def _bounded(value: float) -> float:
    if not abs(value) <= MAX_MAGNITUDE:
        raise ArithmeticRefused(f"a value is larger than {MAX_MAGNITUDE:g}")
    return value
