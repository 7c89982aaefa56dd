"""From a task's world to the database of its episode.

Payload["world"] -> [database_of] -> Database <- tools
"""

from __future__ import annotations

import copy
import functools
import json

from distrl.envs.healthcare.tasks.schema import World
from distrl.envs.healthcare.world.generate import EPOCH, make_database
from distrl.envs.healthcare.world.records import Database


def database_of(world: World) -> Database:
    """A fresh database: a copy of `database`, else drawn by `seed` and `condition`, else without patients.

    Raises ValueError for options that no patient fits.
    """
    if "database" in world:
        return copy.deepcopy(world["database"])
    if "condition" in world:
        asked = json.dumps(world.get("options", {}), sort_keys=True)
        drawn: Database = json.loads(_drawn(world.get("seed", 0), world["condition"], asked))
        return drawn
    return empty_database()


@functools.lru_cache(maxsize=128)  # the episodes of one group share a world
def _drawn(seed: int, condition: str, options: str) -> str:
    """The database as JSON, from which each episode reads its own."""
    return json.dumps(make_database(seed, condition, **json.loads(options)))


def empty_database(now: str = EPOCH) -> Database:
    """A database without patients."""
    return {
        "now": now,
        "patients": {},
        "unmeasured": {},
        "orders": [],
        "prescriptions": [],
        "diagnoses": [],
        "referrals": [],
    }
