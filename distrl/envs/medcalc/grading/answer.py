"""The one answer in a model's text: where it may stand, and what it says.

text -> [answer: outside thinking -> place -> value and unit] -> grade

Places: a single `\\boxed{…}`, a single `<answer>…</answer>`, a JSON object with the key "answer" that ends
the text. Two boxes, or places that disagree, are no answer. A body holds one value: a name with `=` may stand
before it, its unit behind it. Several numbers, ranges, `±`, bounds, decimal commas and digits outside ASCII
are no answer.

Not covered: numbers in words, two-digit years, day before month in figures (read as MM/DD/YYYY).
"""

from __future__ import annotations

import calendar
import contextlib
import datetime
import math
import re
from dataclasses import dataclass
from typing import Any

from distrl.envs.clinical.calculators.core import Output, Value, shown_number
from distrl.envs.clinical.quantity import canonical
from distrl.envs.toolkit.calls import CallError, strict_json

MAX_BODY_CHARS = 200
MAX_VALUE = 1e12

_BOX = re.compile(r"\\boxed\s*\{")
_ANSWER_TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_TAGS = re.compile(r"</?answer>", re.IGNORECASE)
_WRAPPED = re.compile(r"\\(?:text|textbf|textrm|mathrm|mathbf|rm|operatorname|mbox)\s*\{([^{}]*)\}")
_LATEX = (
    (re.compile(r"\\[,;:! ]|~|\\quad|\$|\\left|\\right"), " "),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree"), "°"),
    (re.compile(r"\\times"), "×"),
    (re.compile(r"\\cdot"), "·"),
    (re.compile(r"\\mu(?![A-Za-z])\s*"), "µ"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\approx"), "≈"),
    (re.compile(r"\^\{([^{}]*)\}"), r"^\1"),
)
_LABEL = re.compile(r"[A-Za-z][^=:±<>≤≥≈]{0,60}[=:]\s*")
_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)\s?(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?:[eE](?P<e>[+\-−]?[0-9]{1,3})|\s*[×x*]\s*10\s*(?:\^|\*\*)\s*\(?(?P<p>[+\-−]?[0-9]{1,3})\)?)?"
)
_OUT_OF = re.compile(r"\s*(?:/|out of)\s*[0-9]{1,3}(?=\s|$)")
_PIECES = re.compile(r"[\s,;|()&+]+")
_WORDS = re.compile(r"[A-Za-zµμ%]+")

_MONTHS = {
    name: number
    for number, month in enumerate(calendar.month_name)
    for name in (month.lower(), month[:3].lower(), month[:4].lower() if month == "September" else "")
    if name
}
_DATES = (  # named groups y, m, d; each a whole date
    re.compile(r"(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})/(?P<y>[0-9]{4})"),
    re.compile(r"(?P<y>[0-9]{4})-(?P<m>[0-9]{1,2})-(?P<d>[0-9]{1,2})"),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.? (?P<d>[0-9]{1,2})(?:st|nd|rd|th)?,? (?P<y>[0-9]{4})"),
    re.compile(r"(?P<d>[0-9]{1,2})(?:st|nd|rd|th)? (?:of )?(?P<m>[A-Za-z]{3,9})\.?,? (?P<y>[0-9]{4})"),
)
_WEEKS_DAYS = (
    re.compile(r"([0-9]{1,2}) ?(?:weeks?|wks?|w),? ?(?:and |& )?([0-9]) ?(?:days?|d)", re.IGNORECASE),
    re.compile(r"([0-9]{1,2}) ?, ?([0-9])"),
    re.compile(r"([0-9]{1,2}) ?\+ ?([0-9])"),
    re.compile(r"([0-9]{1,2})(?: ?\+ ?| )([0-9])/7(?: weeks?)?", re.IGNORECASE),
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One value and the text behind it. `step` is the value of one in its last digit (0.01 for 40.51)."""

    value: Value
    unit: str = ""
    step: float = 1.0


def boxed_body(text: str) -> str | None:
    """What the only `\\boxed{…}` of `text` holds; None without one, with several, or without its end."""
    openings = list(_BOX.finditer(text))
    if len(openings) != 1:
        return None
    start = openings[0].end()
    depth = 1
    for position in range(start, min(len(text), start + MAX_BODY_CHARS + 1)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start:position]
    return None


def answer_body(text: str) -> str | None:
    """What the answer of `text` (thinking left out) says, from whichever places it stands in.

    None when no place is filled, one is filled twice, or two disagree.
    """
    bodies = set[str]()
    if _BOX.search(text):
        body = boxed_body(text)
        if body is None:
            return None
        bodies.add(body.strip())
    if tags := _TAGS.findall(text):
        found = _ANSWER_TAG.search(text) if len(tags) == 2 else None
        if found is None:
            return None
        bodies.add((boxed_body(found[1]) or found[1]).strip())
    if (value := _json_answer(text)) is not None:
        bodies.add(value)
    return bodies.pop() if len(bodies) == 1 else None


def read_answer(body: str, output: Output) -> Answer | None:
    """The answer that `body` states, of the type `output`; None when it states none, or several."""
    if len(body) > MAX_BODY_CHARS:
        return None
    text = _plain(body)
    if output is Output.DATE:
        day = read_date(text)
        return None if day is None else Answer(value=day)
    if output is Output.WEEKS_DAYS:
        return _read_weeks_days(text)
    return _read_number(text, whole=output is Output.INTEGER)


def value_text(value: Value, output: Output, unit: str = "") -> str:
    """A value as an answer is written: `read_answer` reads it back."""
    if isinstance(value, datetime.date):
        return value.strftime("%m/%d/%Y")
    if isinstance(value, tuple):
        return f"({value[0]} weeks, {value[1]} days)"
    number = str(int(value)) if output is Output.INTEGER else shown_number(value)
    return f"{number} {unit}".rstrip()


def read_date(text: str) -> datetime.date | None:
    """A date that is the whole of `text`: MM/DD/YYYY, YYYY-MM-DD or with the month's English name."""
    for pattern in _DATES:
        if match := pattern.fullmatch(text.strip(" .")):
            month = match["m"]
            number = int(month) if month.isdigit() else _MONTHS.get(month.lower(), 0)
            try:
                return datetime.date(int(match["y"]), number, int(match["d"]))
            except ValueError:
                return None
    return None


def _plain(body: str) -> str:
    """`body` without LaTeX dress and without a name before its value."""
    text = body
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    text = _WRAPPED.sub(r" \1", text)
    text = " ".join(text.split()).rstrip(" .")
    if label := _LABEL.match(text):
        text = text[label.end() :]
    return text.removeprefix("≈").removeprefix("=").strip()


def _read_weeks_days(text: str) -> Answer | None:
    bare = text.strip("()[] ").replace("'", "").replace('"', "")
    for pattern in _WEEKS_DAYS:
        if match := pattern.fullmatch(bare):
            weeks, days = int(match[1]), int(match[2])
            return Answer(value=(weeks, days)) if days <= 6 else None
    return None


def _read_number(text: str, *, whole: bool) -> Answer | None:
    match = _NUMBER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if whole and (out_of := _OUT_OF.match(rest)):
        rest = rest[out_of.end() :]
    exponent = int((match["e"] or match["p"] or "0").replace("−", "-"))
    digits = match["digits"].replace(",", "")
    value = float(f"{digits}e{exponent}") * (-1.0 if match["sign"] in ("-", "−") else 1.0)
    if not (math.isfinite(value) and abs(value) <= MAX_VALUE and _one_unit_at_most(rest)):
        return None
    places = len(digits.partition(".")[2])
    return Answer(value=value, unit=rest.strip(" ."), step=10.0 ** (max(-30, min(exponent, 30)) - places))


def _one_unit_at_most(rest: str) -> bool:
    """False when a second number, a range or a heap of units follows the value."""
    unit = rest.strip(" .")
    if canonical(unit) is not None and (not unit[:1].isdigit() or unit.startswith("10")):
        return True
    if any(c.isnumeric() or c in "±<>≤≥–—~=" for c in rest):
        return False
    pieces = {c for piece in _PIECES.split(rest) if piece and (c := canonical(piece.strip(".")))}
    symbols = {c for word in _WORDS.findall(rest) if (c := canonical(word))}
    return len(pieces) <= 1 and len(symbols) <= 3


def _json_answer(text: str) -> str | None:
    """The value under "answer" of a JSON object that ends `text`, as text; None when there is none."""
    whole = text.rstrip().removesuffix("```").rstrip()
    key = whole.rfind('"answer"')
    if key < 0 or not whole.endswith("}"):
        return None
    value: Any = None
    for start in {whole.rfind("{", 0, key), whole.find("{", 0, key)} - {-1}:
        with contextlib.suppress(CallError):
            value, _ = strict_json(whole[start:])
    answer = value.get("answer") if isinstance(value, dict) else None
    if isinstance(answer, list):
        answer = f"({', '.join(str(item) for item in answer)})"
    return None if isinstance(answer, bool) or answer is None else str(answer).strip()
