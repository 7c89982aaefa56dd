"""The state of a database: a digest that changes with every change, and what changed between two.

Database -> [digest] -> 64 hex digits; (before, after) -> [diff] -> Change
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from distrl.envs.healthcare.world.records import Database

ABSENT = "(absent)"


@dataclass(frozen=True, kw_only=True)
class Change:
    """One value that differs; `path` such as "prescriptions[0].dose". A side that lacks it is ABSENT."""

    path: str
    before: Any
    after: Any


def digest(db: Database) -> str:
    """SHA-256 of the canonical JSON; equal content gives an equal digest whatever the order of keys."""
    text = json.dumps(db, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def diff(before: Database, after: Database) -> list[Change]:
    """Every difference, in the order of sorted paths; [] where the content is equal."""
    return list(_changes("", before, after))


def _changes(path: str, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}):
            inner = f"{path}.{key}" if path else str(key)
            yield from _changes(inner, before.get(key, ABSENT), after.get(key, ABSENT))
    elif isinstance(before, list) and isinstance(after, list):
        for i in range(max(len(before), len(after))):
            old = before[i] if i < len(before) else ABSENT
            new = after[i] if i < len(after) else ABSENT
            yield from _changes(f"{path}[{i}]", old, new)
    elif before != after or type(before) is not type(after):
        yield Change(path=path, before=before, after=after)
