"""Immunization history and what is due, against the adult schedule.

EnvWorker[N: ToolCall -> Toolkit.run -> [vaccines] <- Database] <-> Engine[M] -> …

Source: CDC/ACIP, Recommended Adult Immunization Schedule, United States, 2025 (Issa AN, MMWR 2025;74:30-33):
influenza yearly; Td or Tdap every 10 years; pneumococcal from 50; recombinant zoster from 50; RSV once from
75. Only these age-based rows are judged; risk groups, pregnancy, travel and children's schedules are not.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from distrl.envs.healthcare.tools.lookup import PatientId, patient
from distrl.envs.healthcare.world.records import Database

ADULT_YEARS = 18
DAYS_A_YEAR = 365.25


@dataclass(frozen=True, kw_only=True)
class Due:
    """A vaccine of the schedule: words of its names, from which age, how often (None: a series once)."""

    names: tuple[str, ...]
    from_years: float
    every_years: float | None = None


SCHEDULE: dict[str, Due] = {
    "influenza": Due(names=("influenza", "flu"), from_years=18, every_years=1),
    "tetanus-diphtheria (Td or Tdap)": Due(
        names=("tetanus", "td", "tdap", "diphtheria"), from_years=18, every_years=10
    ),
    "pneumococcal conjugate": Due(names=("pneumococcal", "pcv15", "pcv20", "pcv21"), from_years=50),
    "recombinant zoster": Due(names=("zoster", "shingles"), from_years=50),
    "respiratory syncytial virus": Due(names=("rsv", "respiratory syncytial"), from_years=75),
}


def get_immunization_history(db: Database, patient_id: PatientId) -> dict[str, Any]:
    """Vaccinations on the record with dates, and which of the adult schedule are due.

    Source: CDC/ACIP adult immunization schedule, 2025.
    """
    person = patient(db, patient_id)
    given = sorted(person["immunizations"], key=lambda i: i["at"], reverse=True)
    adult = person["age_years"] >= ADULT_YEARS
    missing = [] if given else ["immunizations: none on the record (unknown, not none given)"]
    if not adult:
        missing.append("what is due: only the adult schedule is held")
    return {
        "patient_id": person["patient_id"],
        "immunizations": [{"vaccine": i["vaccine"], "at": i["at"]} for i in given],
        "due": [
            f"{name}: {why}"
            for name, row in SCHEDULE.items()
            if adult
            and person["age_years"] >= row.from_years
            and (why := _why_due(row, [(i["vaccine"], i["at"]) for i in given], db["now"]))
        ],
        "source": "adult schedule by age, CDC/ACIP 2025; risk groups are not judged",
        "missing": missing,
    }


def _why_due(row: Due, given: list[tuple[str, str]], now: str) -> str:
    """Why a vaccine is due, or "" where it is not."""
    dates = [at for vaccine, at in given if _is_one_of(vaccine, row.names)]
    if not dates:
        return "none on the record"
    if row.every_years is None:
        return ""
    try:
        since = datetime.date.fromisoformat(now[:10]) - datetime.date.fromisoformat(max(dates)[:10])
    except ValueError:
        return "date of the last dose cannot be read"
    return f"last {max(dates)}" if since.days > row.every_years * DAYS_A_YEAR else ""


def _is_one_of(vaccine: str, names: tuple[str, ...]) -> bool:
    words = vaccine.lower().replace("(", " ").replace(")", " ").replace("/", " ").replace("-", " ").split()
    plain = " ".join(words)
    return any(name in words or (" " in name and name in plain) for name in names)
