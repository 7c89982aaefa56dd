"""The schema as a table: every dotted key with its type, default and meaning. Read from the dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from distrl.config.schema import Config

SHORTHANDS = {"model": "model.name", "env": "env.id", "algo": "algo.name"}
"""A section given as one word means its leading key: `model: smollm2-135m`."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """One key: `name` is dotted, `type` the annotation, `section` the docstring of its dataclass."""

    name: str
    type: Any
    default: Any
    meaning: str
    section: str

    @property
    def type_name(self) -> str:
        if get_origin(self.type) is list:
            return f"list of {get_args(self.type)[0].__name__}"
        return "mapping" if get_origin(self.type) is dict else str(self.type.__name__)


def _walk(cls: type, instance: Any, prefix: str) -> list[Key]:
    hints = get_type_hints(cls)
    section = " ".join((cls.__doc__ or "").split())
    found: list[Key] = []
    for f in fields(cls):
        value, name = getattr(instance, f.name), prefix + f.name
        if is_dataclass(value):
            found += _walk(type(value), value, f"{name}.")
        else:
            meaning = f.metadata.get("help", "")
            found.append(Key(name=name, type=hints[f.name], default=value, meaning=meaning, section=section))
    return found


@cache
def known_keys() -> dict[str, Key]:
    """All keys by dotted name, in the order of the schema."""
    return {k.name: k for k in _walk(Config, Config(), "")}


@cache
def sections() -> tuple[str, ...]:
    """Names of the sections (`run`, `ray`, …)."""
    return tuple(f.name for f in fields(Config) if is_dataclass(getattr(Config(), f.name)))


def get(config: Config, name: str) -> Any:
    """The value at a dotted key."""
    value: Any = config
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def has_type(key: Key, value: Any) -> bool:
    """True when `value` is what the key wants: no silent conversion but int → float."""
    if get_origin(key.type) is dict:
        return isinstance(value, dict) and all(isinstance(k, str) for k in value)
    if get_origin(key.type) is list:
        return isinstance(value, list) and all(_number(v) for v in value)
    if key.type is float:
        return _number(value)
    if key.type is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, key.type)
