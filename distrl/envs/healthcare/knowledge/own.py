"""The base that the project writes itself: monographs, guidelines and criteria that its tools and tasks need.

[formulary, conditions, calculators -> passages] -> default.backend(), `distrl knowledge build own …`

Written from the data tables, so that what an agent reads never disagrees with what its tools say. Not for
care.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from functools import cache

from distrl.envs.healthcare.knowledge.criteria import criteria
from distrl.envs.healthcare.knowledge.guidelines import guidelines
from distrl.envs.healthcare.knowledge.monographs import monographs
from distrl.envs.healthcare.knowledge.protocol import Passage


@cache
def _all() -> tuple[Passage, ...]:
    return (*monographs(), *guidelines(), *criteria())


def passages() -> list[Passage]:
    """All own passages: categories "drug", "guideline", "criteria"; source "distrl"."""
    return list(_all())


@cache
def digest() -> str:
    """Names the passages' content; another digest is another base."""
    return hashlib.sha256(json.dumps([astuple(p) for p in _all()]).encode()).hexdigest()[:16]
