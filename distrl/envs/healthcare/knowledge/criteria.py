"""What each calculator counts, in words: its items with their points or units, and its publication.

[clinical.calculators -> criteria] -> own.passages() -> KnowledgeBase

The points are read from the very tables that the calculator adds up, so a passage cannot disagree with the
tool. Not for care.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import cast, get_args, get_type_hints

from distrl.envs.clinical.calculators import CALCULATORS, Calculator
from distrl.envs.clinical.calculators.points import Scale, words
from distrl.envs.healthcare.knowledge.monographs import listed
from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.toolkit import Arg

_RAISES = re.compile(r"Raises CalculatorError[^.]*\.\s*")
_SPACES = re.compile(r"\s+")


def criteria() -> Iterator[Passage]:
    """One passage a calculator."""
    for calculator in CALCULATORS.values():
        yield Passage(
            doc_id=f"criteria:{calculator.name}",
            source="distrl",
            title=f"{calculator.title}: criteria",
            content=" ".join([*_described(calculator), *_items(calculator), *_points(calculator)]),
            category="criteria",
            dataset_name="own",
        )


def _described(calculator: Calculator) -> Iterator[str]:
    text, _, notes = (inspect.getdoc(calculator.function) or "").partition("Args:")
    yield _SPACES.sub(" ", _RAISES.sub("", text)).strip()
    yield from (
        f"{_SPACES.sub(' ', words(note.strip()))}" for note in notes.strip().splitlines() if note.strip()
    )


def _items(calculator: Calculator) -> Iterator[str]:
    hints = get_type_hints(calculator.function, include_extras=True)
    named = [f"{words(name)}{_unit(hint)}" for name, hint in hints.items() if name != "return"]
    unit = f" in {calculator.unit}" if calculator.unit else ""
    yield f"{calculator.title} gives a value{unit} from {listed(named)}."


def _unit(hint: object) -> str:
    unit = next((arg.unit for arg in get_args(hint) if isinstance(arg, Arg)), "")
    return f" ({unit})" if unit else ""


def _points(calculator: Calculator) -> Iterator[str]:
    function = cast(FunctionType, calculator.function)
    tables = [function.__globals__.get(name) for name in function.__code__.co_names]
    rows = [row for table in tables for row in _rows(table)]
    if rows:
        yield f"Points: {'; '.join(rows)}."


def _rows(table: object) -> Iterator[str]:
    if isinstance(table, Scale):
        values = [lower for lower, _ in table.rows]
        for value in [*values, values[-1] - 1]:
            text, points = table.finding(value)
            unit = f" {table.unit}" if table.unit else ""
            yield f"{table.name} {text.partition(', ')[2]}{unit} {points:+g}"
    elif isinstance(table, Mapping) and table and all(_counts(k, v) for k, v in table.items()):
        for names, points in table.items():
            yield f"{words(names.replace('/', ' or '))} {points:+g}"


def _counts(key: object, value: object) -> bool:
    return isinstance(key, str) and isinstance(value, int | float)
