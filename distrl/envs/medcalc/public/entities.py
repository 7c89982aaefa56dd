"""From the `Relevant Entities` of a public MedCalc-Bench row to a calculator's arguments in its own units.

file -> row -> [entities] -> arguments -> calculators -> load, audit

The text of a row is data: a JSON object or a Python literal of strings, numbers, booleans and lists, read
with limits on size and depth and never evaluated. The names, units and choices of every published version
stand in `entity_names.py`. Nothing is guessed: a unit that gives an impossible value is an error.
"""

from __future__ import annotations

import ast
import datetime
import difflib
import json
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from distrl.envs.clinical.calculators import CALCULATORS, Calculator, Worked
from distrl.envs.clinical.quantity import SUBSTANCES, UnitError, convert
from distrl.envs.medcalc.public.entity_names import (
    CHOICES,
    COUNT_UNITS,
    DATE_FORMATS,
    DATES,
    DOSE_UNITS,
    IRRELEVANT,
    NAMES,
    NAMES_OF,
    NEGATED,
    UNIT_SPELLINGS,
    WORDS,
)
from distrl.envs.medcalc.tools import TOOLS
from distrl.envs.toolkit import ToolError

MAX_CHARS = 20_000
MAX_ENTITIES = 100
MAX_DEPTH = 6
_TOKEN = re.compile(
    r"""\s+|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d{1,20}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?(?![\d.])"""
    r"""|\b(?:True|False|None|true|false|null)\b|[\[\](){},:]"""
)


_DOSE = re.compile(r"(.{3,40}?) dose( per day)?")
OPIOIDS = 49  # the one calculator that takes a list
COUNT = "10^9/L"
LARGEST = 1e15  # of a number in a row; NaN and infinities are above it too


class Fault(StrEnum):
    """What is wrong with an entity; the audit counts by it."""

    TEXT = "unreadable text"
    UNKNOWN = "unknown entity"
    MISSING = "missing entity"
    UNIT = "unit"
    VALUE = "value"


class EntityError(ValueError):
    """An entity that cannot be an argument; one line, naming the entity and the mend."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def compute(calculator_id: int, entities: Mapping[str, Any]) -> Worked:
    """The worked value of a calculator for the entities of a row.

    Raises EntityError for entities that are no arguments, CalculatorError where the rule gives no value.
    """
    return _calculator(calculator_id).function(**arguments(calculator_id, entities))


def arguments(calculator_id: int, entities: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that `entities` (name -> value, or [value, unit]) give, in the calculator's units.

    Entities that the calculator does not use are left out, as are those of value None. Where several name
    the same finding (two spellings of one history), it is present when any of them says so.

    Raises EntityError naming the entity and the mend: unknown name, choice or unit, value out of range,
    contradiction, missing argument.
    """
    calculator = _calculator(calculator_id)
    found = _doses(entities) if calculator_id == OPIOIDS else _arguments(calculator, entities)
    return _checked(calculator, found)


def _arguments(calculator: Calculator, entities: Mapping[str, Any]) -> dict[str, Any]:
    fields = parameters(calculator.id)["properties"]
    found: dict[str, Any] = {}
    for entity, given in entities.items():
        if given is None or plain(entity) in IRRELEVANT:
            continue
        for name, value in _read(calculator, entity, given, fields):
            known = found.setdefault(name, value)
            if isinstance(known, bool) and isinstance(value, bool):
                found[name] = known or value
            elif known != value:
                raise EntityError(
                    Fault.VALUE, f"{entity!r}: {given!r} contradicts another entity; remove one"
                )
    return found


def _doses(entities: Mapping[str, Any]) -> dict[str, Any]:
    """The opioids of `X Dose` and `X Dose Per Day` pairs."""
    found: dict[str, dict[str, Any]] = {}
    for entity, given in entities.items():
        words = _DOSE.fullmatch(plain(entity))
        if words is None:
            raise EntityError(
                Fault.UNKNOWN, f"{entity!r}: no opioid's dose; give 'X Dose' and 'X Dose Per Day'"
            )
        opioid = words.group(1).replace(" ", "_")
        each = found.setdefault(opioid, {"opioid": opioid})
        if words.group(2):
            each["doses_per_day"] = _number(entity, given, "", "")
        else:
            each["dose"] = _number(entity, given, DOSE_UNITS.get(opioid, "mg"), "")
    for opioid, each in found.items():
        if len(each) < 3:
            raise EntityError(Fault.MISSING, f"{opioid}: its dose or its doses per day are missing; add them")
    return {"doses": list(found.values())}


def parameters(calculator_id: int) -> dict[str, Any]:
    """JSON Schema of the calculator's parameters, as its tool has it; not to be changed."""
    schema = TOOLS[CALCULATORS[calculator_id].name].schema["function"]["parameters"]
    assert isinstance(schema, dict)
    return schema


def parse(text: str) -> dict[str, Any]:
    """The entities of a row's text. Raises EntityError for what is no small flat literal or JSON object."""
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        raise EntityError(Fault.TEXT, f"entities: not a text of at most {MAX_CHARS} characters")
    names = _scan(text)
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise EntityError(
                Fault.TEXT,
                f"entities: neither a Python literal nor JSON: {_short(text)}; give {{name: value}}",
            ) from None
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise EntityError(
            Fault.TEXT, f"entities: not an object with names: {_short(text)}; give {{name: value}}"
        )
    if len(found) != names:
        raise EntityError(Fault.TEXT, f"entities: a name stands twice in {_short(text)}; keep one")
    if len(found) > MAX_ENTITIES:
        raise EntityError(Fault.TEXT, f"entities: {len(found)} of them; give at most {MAX_ENTITIES}")
    return found


def _scan(text: str) -> int:
    """Number of names at the top level; refuses what is no token of a literal, and deep nesting."""
    depth = names = at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise EntityError(Fault.TEXT, f"entities: {_short(text[at:])} is no string, number or list")
        mark = token.group()
        depth += (mark in "[({") - (mark in "])}")
        names += mark == ":" and depth == 1
        if depth > MAX_DEPTH:
            raise EntityError(Fault.TEXT, f"entities: nested deeper than {MAX_DEPTH}; give {{name: value}}")
        at = token.end()
    return names


def plain(name: str) -> str:
    """An entity's name without the differences that carry no meaning: case, blanks, subscripts, ≤ for <=."""
    text = unicodedata.normalize("NFKC", name).replace("≤", "<=").replace("≥", ">=")
    return " ".join(text.casefold().split())


def _read(
    calculator: Calculator, entity: str, given: Any, fields: Mapping[str, Any]
) -> list[tuple[str, Any]]:
    """(argument, value) pairs of one entity; most give one."""
    if plain(entity) == "input steroid" and "steroid" in fields:
        return _steroid(entity, given, fields)
    name = NAMES_OF.get(calculator.id, {}).get(plain(entity)) or NAMES.get(plain(entity))
    if name is None:
        close = difflib.get_close_matches(plain(entity), [*NAMES, *NAMES_OF.get(calculator.id, {})], n=1)
        hint = f"did you mean {close[0]!r}?" if close else "remove it, or add it to entity_names.NAMES"
        raise EntityError(Fault.UNKNOWN, f"{entity!r}: no such entity of {calculator.name}; {hint}")
    if name not in fields:
        return []
    return [(name, _value(name, entity, given, fields[name]))]


def _value(name: str, entity: str, given: Any, field: Mapping[str, Any]) -> Any:
    """`given` as the argument's type and unit."""
    if "enum" in field:
        return _choice(name, entity, given, field["enum"])
    if "boolean" in field["type"]:
        return _flag(entity, given) != (plain(entity) in NEGATED)
    return _date(entity, given) if name in DATES else _quantity(name, entity, given, field)


def _choice(name: str, entity: str, given: Any, allowed: list[Any]) -> Any:
    text = plain(str(given))
    value = CHOICES.get(name, {}).get(text, text.replace(" ", "_"))
    if value not in allowed:
        raise EntityError(
            Fault.VALUE,
            f"{entity!r}: {given!r} is no choice of {name}; give one of {', '.join(map(str, allowed))}",
        )
    return value


def _flag(entity: str, given: Any) -> bool:
    value = WORDS.get(plain(given)) if isinstance(given, str) else given
    if not isinstance(value, bool):
        raise EntityError(Fault.VALUE, f"{entity!r}: {given!r} is neither true nor false; give one of them")
    return value


def _date(entity: str, given: Any) -> str:
    for form in DATE_FORMATS:
        try:
            return datetime.datetime.strptime(str(given), form).date().isoformat()
        except ValueError:
            continue
    raise EntityError(Fault.VALUE, f"{entity!r}: {given!r} is no date; give MM/DD/YYYY")


def _number(entity: str, given: Any, wanted: str, substance: str) -> float:
    """The number of `given`, a number or [number, unit], in the unit `wanted` ("" where it has none)."""
    value, unit = given if isinstance(given, (list, tuple)) and len(given) == 2 else (given, "")
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST
    if not number or not isinstance(unit, str):
        raise EntityError(
            Fault.VALUE, f"{entity!r}: {given!r} is no number; give a number, or [number, 'unit']"
        )
    spelling = UNIT_SPELLINGS.get(plain(unit), unit)
    if wanted == COUNT:
        spelling = COUNT_UNITS.get(plain(unit), spelling)
    if not spelling or not wanted or spelling == wanted:
        return value
    try:
        return convert(float(value), spelling, wanted, substance)
    except UnitError as error:
        raise EntityError(Fault.UNIT, f"{entity!r}: {error}") from None


def _quantity(name: str, entity: str, given: Any, field: Mapping[str, Any]) -> float | int:
    """A number in the argument's unit and range; outside it the unit is taken to be wrong."""
    unit = unit_of(field)
    value = _number(entity, given, unit, name if name in SUBSTANCES else "")
    low, high = field.get("minimum", value), field.get("maximum", value)
    if not low <= value <= high:
        raise EntityError(
            Fault.UNIT,
            f"{entity!r}: {given!r} is {value:g} {unit}, outside {low:g} to {high:g}; mend its value or unit",
        )
    return int(value) if "integer" in field["type"] and float(value).is_integer() else value


def _steroid(entity: str, given: Any, fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """[steroid, dose, unit] as two arguments."""
    if not isinstance(given, (list, tuple)) or len(given) != 3:
        raise EntityError(Fault.VALUE, f"{entity!r}: {given!r}; give [steroid, dose, 'mg']")
    steroid = _choice("steroid", entity, given[0], fields["steroid"]["enum"])
    return [("steroid", steroid), ("dose_mg", _quantity("dose_mg", entity, given[1:], fields["dose_mg"]))]


def unit_of(field: Mapping[str, Any]) -> str:
    """The unit at the end of a parameter's description, "" when it has none."""
    found = re.search(r"\[([^\]]*)\]$", field.get("description", ""))
    return found.group(1) if found else ""


def _checked(calculator: Calculator, found: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the calculator takes them; nothing that it needs is missing."""
    missing = [name for name in parameters(calculator.id)["required"] if name not in found]
    if missing:
        names = {a: e for e, a in (NAMES | NAMES_OF.get(calculator.id, {})).items()}
        wanted = ", ".join(repr(names.get(name, name)) for name in missing)
        raise EntityError(Fault.MISSING, f"{calculator.name} also needs {wanted}; add it to the entities")
    try:
        return TOOLS.check(calculator.name, found)
    except ToolError as error:
        raise EntityError(Fault.VALUE, f"{calculator.name}: {error}") from None


def _calculator(calculator_id: int) -> Calculator:
    if calculator_id not in CALCULATORS:
        raise EntityError(
            Fault.UNKNOWN, f"no calculator {calculator_id}; known: {', '.join(map(str, CALCULATORS))}"
        )
    return CALCULATORS[calculator_id]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:57]}...")
