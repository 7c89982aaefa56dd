"""Doses in words: how much, how often and by which route, and whether it is one dose or all of a day.

text around a drug's name -> [dose_in] -> advice.py

"1 g three times a day" tells one dose; "3 g a day" and "no more than 4 g in 24 hours" tell all of a day, which is
held against the most a day and not against the most at once. "Daily" alone is one dose a day, but for a limit
("maximum 4 g daily") and for a daily dose ("a daily dose of 3 g").
"""

# ruff: noqa: E501 - patterns

from __future__ import annotations

import re
from typing import NamedTuple

_UNITS = r"(mg|g|mcg|µg|ug|μg|micrograms?|milligrams?|grams?|units?|iu|mmol|meq|mEq)\b(?!\s?/\s?kg)"
_DOSE = re.compile(rf"(?<![\w.])(\d{{1,7}}(?:[.,]\d{{1,3}})*)\s?{_UNITS}", re.IGNORECASE)
_TIMES: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), times)
    for pattern, times in (
        (r"\b(?:four times|4 times|4x|qid|q\.i\.d|q6h|every (?:6|six) h)", 4.0),
        (r"\b(?:three times|3 times|3x|thrice|tid|t\.i\.d|tds|q8h|every (?:8|eight) h)", 3.0),
        (r"\b(?:twice|two times|2 times|2x|bid|b\.i\.d|bd\b|q12h|every (?:12|twelve) h)", 2.0),
        (r"\b(?:every (?:4|four) h|q4h|six times)", 6.0),
        (r"\b(?:every (?:2|two) h|q2h)", 12.0),
        (r"\b(?:weekly|once a week|every week)", 1 / 7),
        (
            r"\b(?:once|daily|a day|per day|every day|qd\b|q24h|od\b|nightly|at night|every (?:24|morning))",
            1.0,
        ),
    )
)
_ROUTES = (
    (re.compile(r"\b(?:iv|intravenous\w*|i\.v\.)(?!\w)", re.IGNORECASE), "iv"),
    (re.compile(r"\b(?:im|intramuscular\w*)(?!\w)", re.IGNORECASE), "im"),
    (re.compile(r"\b(?:sc|sq|subcut\w*)(?!\w)", re.IGNORECASE), "sc"),
    (re.compile(r"\b(?:po|oral\w*|by mouth|tablets?|capsules?)(?!\w)", re.IGNORECASE), "oral"),
    (re.compile(r"\b(?:inhal\w*|nebuli[sz]\w*)(?!\w)", re.IGNORECASE), "inhaled"),
)

# What may stand between an amount and its day: "2 g by mouth a day", "4 g of it in 24 hours".
_BETWEEN = r"[\s,(]{0,2}(?:(?:in total|total|altogether|max|maximum|of it|orally|oral|po|by mouth|iv|intravenously)[\s,)]{1,2}){0,2}"
_NO_DATE = r"\b(?!\s(?:before|after|later|ago|earlier|prior))"
_A_DAY = re.compile(
    rf"{_BETWEEN}(?:/\s?(?:day|d|24\s?h(?:ours?|rs?)?)|(?:a|per) day"
    r"|(?:in|within|over|per) (?:any |a |one |each |every )?(?:24|twenty-four)[\s-]?(?:h|hr|hrs|hour|hours)"
    rf"|in (?:a|one|any) day){_NO_DATE}",
    re.IGNORECASE,
)
_A_WEEK = re.compile(rf"{_BETWEEN}(?:/\s?(?:week|wk)|(?:a|per) week){_NO_DATE}", re.IGNORECASE)
_DAILY = re.compile(rf"{_BETWEEN}daily\b", re.IGNORECASE)
_DIVIDED = re.compile(rf"{_BETWEEN}daily,? (?:in|as) (?:\w{{1,8}} )?divided\b", re.IGNORECASE)
_DAILY_DOSE = re.compile(
    r"\b(?:daily|day's) (?:dose|total|amount|maximum|max|limit)\W{1,3}(?:(?:of|is|to|at|up) ){0,2}$",
    re.IGNORECASE,
)
_MOST = (
    r"at most|(?:no|not) more than|not (?:to )?exceed(?:ing)?|max(?:imum|imal)?|limit(?:s|ed)?|capped|ceiling"
)
_LIMIT = re.compile(rf"\b(?:{_MOST}|label)\b", re.IGNORECASE)
_LIMIT_BEFORE = re.compile(
    rf"\b(?:{_MOST})\W{{1,3}}(?:(?:total|daily|dose|amount|of|is|to|at) ){{0,4}}$", re.IGNORECASE
)
_ONE_DOSE = re.compile(
    r"\b(?:every|each|per|single|at once|once|at a time|(?:a|one) dose|now|stat|hourly)\b|/", re.IGNORECASE
)


# An amount before the drug's name, with the words that lead to it: "at most 150 mg of pregabalin".
_AMOUNT_OF = re.compile(
    rf"((?<![a-z])[a-z ]{{0,30}}(?<![\w.,])\d{{1,7}}(?:[.,]\d{{1,3}}){{0,3}}\s?{_UNITS}) of ((?:oral|iv|intravenous) )?$",
    re.IGNORECASE,
)


class Told(NamedTuple):
    """A dose in words; None and "" for what is not told.

    `total`: `dose` is all of a day, or of a week where `per_day` is 1/7. `limit`: it is told as the most there is.
    """

    dose: float | None
    unit: str
    per_day: float | None
    route: str
    total: bool = False
    limit: bool = False


def dose_in(text: str, before: str = "") -> Told:
    """What `text`, the words behind a drug's name, tell of its dose; `before` are the words before the name."""
    own = _AMOUNT_OF.search(before)
    if own is not None:
        text, before = own.group(1) + text, before[: own.start()]
    found = _DOSE.search(text)
    dose = float(found.group(1).replace(",", "")) if found and found.group(1).count(".") < 2 else None
    times, route = times_in(text), route_in(text) or route_in(" ".join(before.split()[-1:]))
    if own is not None and own.group(3):
        route = route_in(own.group(3))
    if found is None or dose is None:
        return Told(None, found.group(2) if found else "", times, route)
    ahead, behind = text[: found.start()], text[found.end() :]
    limit = _LIMIT.search(before) is not None or _LIMIT.search(ahead) is not None
    days = _days(ahead, behind, limit, told_times=times is not None)
    return Told(dose, found.group(2), 1 / days if days else times, route, days > 0, limit)


def times_in(text: str) -> float | None:
    """Doses a day that a phrase names."""
    return next((n for pattern, n in _TIMES if pattern.search(text)), None)


def route_in(text: str) -> str:
    """The route that a phrase names; "" without one."""
    return next((name for pattern, name in _ROUTES if pattern.search(text)), "")


def without_amount_of(text: str) -> str:
    """`text` up to the amount at its end that is of the next drug ("and 1 g of")."""
    own = _AMOUNT_OF.search(text)
    return text if own is None else text[: own.start()]


def _days(ahead: str, behind: str, limit: bool, told_times: bool) -> int:
    """Days that an amount between these words is the total of: 1, 7, or 0 for one dose."""
    if _A_WEEK.match(behind):
        return 7
    if _A_DAY.match(behind) or _DIVIDED.match(behind) or (limit and _DAILY.match(behind)):
        return 1
    if told_times or _ONE_DOSE.search(f"{ahead[-40:]} {behind[:30]}"):
        return 0 if not _DAILY_DOSE.search(ahead) else 1
    return 1 if _LIMIT_BEFORE.search(ahead) or _DAILY_DOSE.search(ahead) else 0
