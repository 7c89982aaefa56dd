"""Does a check hold in an episode: on what the agent said, on calls that succeeded, on the rows it added.

Episode -> [holds] -> assertions, process rules, safety obligations

Nothing that a tool printed can satisfy a check: `said` reads the agent's own words (`judged.own_words`), a
call counts when it ran without an error, a record when it is in `after` and was not in `before`.

Not covered: an argument that the agent left to its default is not an argument given.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, cast

from distrl.envs.clinical import formulary
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import own_words
from distrl.envs.healthcare.said import asserts
from distrl.envs.healthcare.tasks.schema import Check

MAX_DEPTH = 8  # any_of within any_of
TABLES = ("orders", "prescriptions", "diagnoses", "referrals")
DRUG_FIELDS = frozenset({"drug", "drug_name", "drug_a", "drug_b", "new_drug", "medication"})
CODE_FIELDS = frozenset({"icd10", "icd10_code", "icd_code"})
NAME_FIELDS = frozenset({"diagnosis", "condition"})  # a name may stand among other words
SWAPPED = {"drug_a": "drug_b", "drug_b": "drug_a"}  # an interaction has no direction


def holds(check: Check, episode: Episode) -> bool:
    """Whether `check` holds. ValueError: unknown kind, missing field, nesting beyond MAX_DEPTH."""
    return _holds(check, episode, 0)


def _holds(check: Check, episode: Episode, depth: int) -> bool:
    if depth > MAX_DEPTH:
        raise ValueError(f"a check is nested deeper than {MAX_DEPTH} levels")
    kind = check.get("kind")
    if kind == "any_of":
        return any(_holds(inner, episode, depth + 1) for inner in _given(check, "checks"))
    if kind not in _KINDS:
        raise ValueError(f"unknown kind of check {kind!r}; one of any_of, {', '.join(_KINDS)}")
    return _KINDS[kind](check, episode)


def _given(check: Check, name: str) -> Any:
    value = cast("Mapping[str, Any]", check).get(name)
    if not value:
        raise ValueError(f"a check of kind {check.get('kind')!r} needs {name!r}, and has {value!r}")
    return value


def _said(check: Check, episode: Episode) -> bool:
    return all(asserts(own_words(episode), terms) for terms in _given(check, "concepts"))


def _not_said(check: Check, episode: Episode) -> bool:
    return not asserts(episode.said, _given(check, "terms"))


def _called(check: Check, episode: Episode) -> bool:
    where = check.get("where", {})
    return any(arguments_match(call.arguments, where) for call in episode.calls_of(_given(check, "name")))


def _recorded(check: Check, episode: Episode) -> bool:
    where = check.get("where", {})
    return any(
        all(field in row and allowed(field, row[field], values) for field, values in where.items())
        for row in new_rows(episode, _given(check, "table"))
    )


def _before(check: Check, episode: Episode) -> bool:
    """Also where none of `then` was called; the first of the two at a time is the order of the calls."""
    first, then = _given(check, "first"), _given(check, "then")
    for call in episode.succeeded:
        if call.name == first:
            return True
        if call.name in then:
            return False
    return True


_KINDS: dict[str, Callable[[Check, Episode], bool]] = {
    "said": _said,
    "not_said": _not_said,
    "called": _called,
    "recorded": _recorded,
    "not_recorded": lambda check, episode: not _recorded(check, episode),
    "before": _before,
}


def new_rows(episode: Episode, table: str) -> list[dict[str, Any]]:
    """Rows of `table` that the episode added or changed, in order. ValueError: no such table."""
    if table not in TABLES:
        raise ValueError(f"unknown table {table!r}; one of {', '.join(TABLES)}")
    before = Counter(_canonical(row) for row in cast("Any", episode.before)[table])
    rows = []
    for row in cast("Any", episode.after)[table]:
        key = _canonical(row)
        if before[key]:
            before[key] -= 1
        else:
            rows.append(row)
    return rows


def arguments_match(arguments: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """Whether each argument of `where` was given with an allowed value; a pair of drugs in either order."""

    def all_of(names: Mapping[str, str]) -> bool:
        return all(
            (given := names.get(name, name)) in arguments and allowed(name, arguments[given], values)
            for name, values in where.items()
        )

    return all_of({}) or (any(name in SWAPPED for name in where) and all_of(SWAPPED))


def allowed(field: str, actual: Any, expected: Any) -> bool:
    """Whether `actual` is the expected value of `field`, or one of them where a list is given.

    Numbers by value, text without regard to case and runs of blanks, lists in any order; drugs also by brand
    and synonym, ICD-10 codes by category where the expected one has no dot, diagnoses by a name that stands
    asserted in the text.
    """
    if isinstance(expected, list) and any(_same(field, actual, value) for value in expected):
        return True
    return _same(field, actual, expected)


def _same(field: str, actual: Any, expected: Any) -> bool:
    if isinstance(actual, str) and isinstance(expected, str):
        return _same_text(field, plain(actual), plain(expected))
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, (int, float)) and isinstance(expected, (int, float)):
        return math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(actual, list) and isinstance(expected, list):
        return sorted(map(_canonical, actual)) == sorted(map(_canonical, expected))
    return bool(actual == expected)


def _same_text(field: str, actual: str, expected: str) -> bool:
    if actual == expected:
        return True
    if field in CODE_FIELDS:
        return "." not in expected and actual.partition(".")[0] == expected
    if field in NAME_FIELDS:
        return bool(expected) and asserts(actual, [expected])
    if field in DRUG_FIELDS:
        drug = formulary.find(actual)
        return drug is not None and drug == formulary.find(expected)
    return False


def plain(text: str) -> str:
    """`text` in lower case, with single blanks."""
    return " ".join(text.casefold().split())


def _canonical(value: Any) -> str:
    return plain(value) if isinstance(value, str) else json.dumps(_by_value(value), sort_keys=True)


def _by_value(value: Any) -> Any:
    """JSON data in which 5.0 and 5 are one, and so are two spellings of a text."""
    if isinstance(value, dict):
        return {str(k): _by_value(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_by_value(v) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return plain(value) if isinstance(value, str) else value
