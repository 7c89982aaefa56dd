"""From a typed Python function to its OpenAI function schema, and from a schema violation to its mend.

[schema] -> Toolkit -> tasks' tool list, argument validation.

Parameters are described by their annotations (`int`, `float`, `str`, `bool`, `Literal`, `list[T]`,
`dict[str, T]`, `dict[Literal[…], T]`, `TypedDict`, `X | None`, `Annotated[T, Arg(…)]`), their defaults and a
Google-style docstring.
"""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

DATABASE_PARAMETER = "db"  # a parameter of this name is filled from the episode's state, never by the model
_SCALARS = {str: "string", bool: "boolean", int: "integer", float: "number"}
_ENTRY = re.compile(r"^(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")


class ToolKind(StrEnum):
    """What a tool does to the episode's state; READ, THINK and GENERIC leave it unchanged."""

    READ = "READ"
    WRITE = "WRITE"
    THINK = "THINK"
    GENERIC = "GENERIC"


@dataclass(frozen=True, kw_only=True)
class Arg:
    """What an annotation cannot say: unit, inclusive range (in that unit), length limit, help text."""

    unit: str = ""
    ge: float | None = None
    le: float | None = None
    max_length: int | None = None  # characters of a string, items of a list
    help: str = ""


def function_schema(function: Callable[..., str]) -> dict[str, Any]:
    """The OpenAI schema {"type": "function", "function": {name, description, parameters}} of `function`.

    Raises TypeError when a parameter has no annotation or one that has no JSON Schema.
    """
    summary, helps = read_docstring(function)
    hints = typing.get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name == DATABASE_PARAMETER:
            continue
        if name not in hints:
            raise TypeError(f"{function.__name__}: parameter {name!r} has no annotation")
        schema = annotation_schema(hints[name], f"{function.__name__}: {name}")
        texts = [t for t in (helps.pop(name, ""), schema.pop("description", "")) if t]
        if texts:
            schema = {"description": " ".join(texts), **schema}
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        else:
            schema["default"] = parameter.default
        properties[name] = schema
    if helps:
        raise TypeError(f"{function.__name__}: the docstring describes unknown parameters {sorted(helps)}")
    parameters = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    Draft202012Validator.check_schema(parameters)
    return {
        "type": "function",
        "function": {"name": function.__name__, "description": summary, "parameters": parameters},
    }


def annotation_schema(hint: Any, where: str) -> dict[str, Any]:
    """JSON Schema of one annotation; `where` names the parameter in a TypeError."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        schema = annotation_schema(args[0], where)
        for spec in (a for a in args[1:] if isinstance(a, Arg)):
            _apply(schema, spec)
        return schema
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if origin is Literal:
        kinds = sorted({_SCALARS[type(a)] for a in args})
        return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": list(args)}
    if origin in (types.UnionType, typing.Union):
        return _optional(args, where)
    if origin is list:
        return {"type": "array", "items": annotation_schema(args[0], where)}
    if origin is dict:
        return _mapping(args, where)
    if typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint, include_extras=True)
        return {
            "type": "object",
            "properties": {k: annotation_schema(v, f"{where}.{k}") for k, v in fields.items()},
            "required": [k for k in fields if k in hint.__required_keys__],
            "additionalProperties": False,
        }
    raise TypeError(f"{where}: no JSON Schema for the annotation {hint!r}")


def _apply(schema: dict[str, Any], spec: Arg) -> None:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if spec.ge is not None:
        schema["minimum"] = spec.ge
    if spec.le is not None:
        schema["maximum"] = spec.le
    if spec.max_length is not None:
        schema["maxItems" if "array" in kinds else "maxLength"] = spec.max_length
    text = " ".join(t for t in (spec.help, f"[{spec.unit}]" if spec.unit else "") if t)
    if text:
        schema["description"] = text


def _optional(args: tuple[Any, ...], where: str) -> dict[str, Any]:
    """`X | None`: the schema of X with null allowed. Other unions have no single mend and are refused."""
    inner = [a for a in args if a is not type(None)]
    if len(inner) != 1 or len(args) != 2:
        raise TypeError(f"{where}: of unions only `X | None` is supported")
    schema = annotation_schema(inner[0], where)
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    schema["type"] = [*kinds, "null"]
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _mapping(args: tuple[Any, ...], where: str) -> dict[str, Any]:
    """dict[str, T] (any key) or dict[Literal[…], T] (these keys, each optional)."""
    value = annotation_schema(args[1], where)
    if typing.get_origin(args[0]) is Literal:
        names = typing.get_args(args[0])
        return {
            "type": "object",
            "properties": {n: dict(value) for n in names},
            "additionalProperties": False,
        }
    if args[0] is not str:
        raise TypeError(f"{where}: keys of a dict must be str or Literal")
    return {"type": "object", "additionalProperties": value}


def read_docstring(function: Callable[..., str]) -> tuple[str, dict[str, str]]:
    """(first paragraph, {parameter: help}) of a Google-style docstring."""
    lines = (inspect.getdoc(function) or "").splitlines()
    summary = " ".join(line.strip() for line in _until_blank(lines))
    helps: dict[str, str] = {}
    name, inside = "", False
    for line in lines:
        if not line.startswith((" ", "\t")):
            inside = line.strip() in ("Args:", "Arguments:") or (inside and not line.strip())
            continue
        if not inside:
            continue
        entry = _ENTRY.match(line.strip())
        if entry and len(line) - len(line.lstrip()) <= 4:
            name = entry.group(1)
            helps[name] = entry.group(2).strip()
        elif name:
            helps[name] = f"{helps[name]} {line.strip()}".strip()
    return summary, helps


def _until_blank(lines: list[str]) -> list[str]:
    blank = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
    return lines[:blank]


def signature_line(schema: dict[str, Any]) -> str:
    """One line for small contexts: `name(a: integer, b?: "x"|"y" = "x"): first line of the description`.

    Any OpenAI function schema is taken, also one of another maker.
    """
    function = schema.get("function", schema)
    parameters = function.get("parameters", {})
    required = set(parameters.get("required", ()))
    parts = []
    for name, field in parameters.get("properties", {}).items():
        default = f" = {_json(field['default'])}" if "default" in field else ""
        parts.append(f"{name}{'' if name in required else '?'}: {_type_text(field)}{default}")
    summary = function.get("description", "").strip().partition("\n")[0]
    return f"{function['name']}({', '.join(parts)}): {summary}"


def _type_text(field: dict[str, Any]) -> str:
    if "enum" in field:
        return "|".join(_json(v) for v in field["enum"])
    kind = field.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    texts = []
    for kind in kinds:
        if kind == "array" and "items" in field:
            texts.append(f"[{_type_text(field['items'])}]")
        elif kind == "object" and "properties" in field:
            texts.append(
                "{" + ", ".join(f"{k}: {_type_text(v)}" for k, v in field["properties"].items()) + "}"
            )
        else:
            texts.append(kind)
    return "|".join(texts)


def explain(error: ValidationError) -> list[str]:
    """What is wrong with which argument and what would be right, one line a fault.

    `error` comes from a validator of this module's schemas.
    """
    path = ".".join(str(p) for p in error.absolute_path)
    field, prefix = path or "arguments", f"{path}." if path else ""
    instance: Any = error.instance
    given = _short(instance)
    wanted: Any = error.validator_value
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    known = schema.get("properties", {})
    if error.validator == "required":
        return [f"{prefix}{n}: missing; give {_wanted(known[n])}" for n in wanted if n not in instance]
    if error.validator == "additionalProperties":
        mend = f"unknown; remove it (known: {', '.join(known)})"
        return [f"{prefix}{_short(n)}: {mend}" for n in instance if n not in known]
    if error.validator == "enum":
        return [f"{field}: {given} is not one of {', '.join(_json(v) for v in wanted)}"]
    if error.validator in ("minimum", "maximum"):
        side = "below" if error.validator == "minimum" else "above"
        return [f"{field}: {given} is {side} the {error.validator} {wanted:g}; give {_wanted(schema)}"]
    if error.validator in ("maxLength", "maxItems"):
        unit = "characters" if error.validator == "maxLength" else "items"
        return [f"{field}: too long; give at most {wanted} {unit}"]
    return [f"{field}: {given} is {_kind_of(instance)}; give {_wanted(schema)}"]


def _wanted(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    text = _type_text(schema)
    if low is not None and high is not None:
        text += f" from {low:g} to {high:g}"
    elif low is not None:
        text += f", at least {low:g}"
    elif high is not None:
        text += f", at most {high:g}"
    unit = re.search(r"\[[^\]]*\]$", schema.get("description", ""))
    return f"{text} {unit.group()}" if unit else text


def _kind_of(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "an object")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(value: Any) -> str:
    text = _json(value)
    return text if len(text) <= 60 else text[:57] + "..."
