"""Synthetic patients by a seed: one whom the ticket is about, and others beside.

seed, condition, options -> [make_database] -> Database -> tools

Every part of a patient (body, illnesses, drugs, blood, signs, notes) draws from its own stream of the seed,
so that one option does not reshuffle the rest. Same arguments, same bytes. No patient is real; not for care.
"""

from __future__ import annotations

import datetime
import random

from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.options import Options, read_options
from distrl.envs.healthcare.world.person import Drawn, draw_patient
from distrl.envs.healthcare.world.records import Database

EPOCH = "2031-01-06T08:00"
SPAN_DAYS = 1000
MAX_OTHERS = 50
TRIES = 40  # of another condition for a further patient


def make_database(seed: int, condition: str, *, others: int = 4, **options: object) -> Database:
    """A database whose ticket patient has `condition`, with `others` further patients.

    Args:
        seed: any integer; the same arguments give the same database.
        condition: a key of CONDITIONS; a chronic one is on the problem list, an acute one is to be found.
        others: 0 to 50.
        **options: age (years, 0-100), sex, pregnant (true, false or the week), allergy (drug or group, or a
            list; "none"), chronic (key or list), renal (none, mild, moderate, severe), severity (mild,
            moderate, severe), missing (names of options.MISSABLE).

    Raises:
        ValueError: an unknown condition or option, or options that no patient fits.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"condition={condition!r}: not in the condition table")
    if not 0 <= others <= MAX_OTHERS:
        raise ValueError(f"others={others}: give 0 to {MAX_OTHERS}")
    wanted = read_options(CONDITIONS[condition], options)
    rng = random.Random(f"{seed}:{condition}:database")
    now = datetime.datetime.fromisoformat(EPOCH) + datetime.timedelta(
        days=rng.randrange(SPAN_DAYS), minutes=5 * rng.randrange(12 * 10)
    )
    ids = [f"P{number:03d}" for number in rng.sample(range(101, 1000), others + 1)]
    taken: set[str] = set()
    people = [draw_patient(f"{seed}:{condition}", CONDITIONS[condition], wanted, ids[0], now, taken)]
    for number, patient_id in enumerate(ids[1:], 1):
        people.append(_another(f"{seed}:{condition}:{number}", patient_id, now, taken))
    return _database(people, now, target=ids[0])


def target_of(db: Database) -> str:
    """The id of the patient whom the database was made for. Raises KeyError where it was not made here."""
    return str(db["extra"]["target"])


def _another(key: str, patient_id: str, now: datetime.datetime, taken: set[str]) -> Drawn:
    rng = random.Random(f"{key}:kind")
    for _ in range(TRIES):
        condition = CONDITIONS[rng.choice(cases())]
        pregnant = True if rng.random() < 0.05 else None
        try:
            options: Options = read_options(condition, {"pregnant": pregnant} if pregnant else {})
            return draw_patient(key, condition, options, patient_id, now, taken)
        except ValueError:
            continue
    raise AssertionError("no further patient could be drawn")


def _database(people: list[Drawn], now: datetime.datetime, target: str) -> Database:
    ordered = sorted(people, key=lambda d: d.patient["patient_id"])
    return {
        "now": now.isoformat(timespec="minutes"),
        "patients": {d.patient["patient_id"]: d.patient for d in ordered},
        "unmeasured": {d.patient["patient_id"]: d.unmeasured for d in ordered},
        "orders": [],
        "prescriptions": [],
        "diagnoses": [],
        "referrals": [],
        "extra": {
            "target": target,
            "conditions": {d.patient["patient_id"]: d.condition for d in ordered},
            "reports": {d.patient["patient_id"]: d.reports for d in ordered},
        },
    }
