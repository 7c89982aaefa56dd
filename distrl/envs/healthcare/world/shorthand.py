"""Short forms in which the condition tables are written.

[these] -> conditions.* -> generator, tools, tasks, knowledge passages

A lab is named by its short name of the lab table, a vital sign by its initials; (mean, sd, low, high) each.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Option, Shift, TimeCritical, Treatment
from distrl.envs.healthcare.world.labs import CODE, TESTS

Four = tuple[float, float, float, float]
_VITALS = {
    "t": "temperature_c",
    "hr": "heart_rate_bpm",
    "rr": "respiratory_rate_bpm",
    "sbp": "systolic_mmhg",
    "dbp": "diastolic_mmhg",
    "spo2": "spo2_percent",
    "gcs": "gcs",
    "pain": "pain_0_10",
}
# Tools and arguments by which a time-critical action is recognised.
DRUG_ARGUMENT, TEST_ARGUMENT, SPECIALTY_ARGUMENT = "drug_name", "test_name", "specialty"


def words(text: str) -> tuple[str, ...]:
    """Phrases between semicolons."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


def labs(**shifts: Four) -> dict[str, Shift]:
    """{LOINC: Shift} from short names."""
    return {CODE[name]: _shift(four) for name, four in shifts.items()}


def vitals(**shifts: Four) -> dict[str, Shift]:
    """{field of VitalSigns: Shift} from initials."""
    return {_VITALS[name]: _shift(four) for name, four in shifts.items()}


def _shift(four: Four) -> Shift:
    mean, sd, low, high = four
    assert low <= mean <= high, four
    return Shift(mean=mean, sd=sd, low=low, high=high)


def opt(
    drug: str, dose: float, route: str, per_day: float, days: float | None = None, *, unit: str = "mg"
) -> Option:
    """One drug with its adult dose; a unit that ends in "/kg" makes it a dose per kg."""
    per_kg = unit.endswith("/kg")
    return Option(
        drug=drug,
        dose=dose,
        dose_unit=unit.removesuffix("/kg"),
        route=route,
        doses_per_day=per_day,
        days=days,
        dose_per_kg=per_kg,
    )


def treat(purpose: str, *options: Option, required: bool = True) -> Treatment:
    return Treatment(purpose=purpose, options=options, required=required)


def give(severity: int, reason: str, *drugs: str) -> TimeCritical:
    """One of the drugs must be prescribed."""
    return _critical("prescribe_medication", DRUG_ARGUMENT, drugs, severity, reason)


def order(severity: int, reason: str, *tests: str) -> TimeCritical:
    """One of the tests must be ordered."""
    assert all(test in TESTS for test in tests), tests
    return _critical("order_lab_test", TEST_ARGUMENT, tests, severity, reason)


def refer(severity: int, reason: str, *specialties: str) -> TimeCritical:
    """One of the specialties must be called."""
    return _critical("transfer_to_specialist", SPECIALTY_ARGUMENT, specialties, severity, reason)


def _critical(tool: str, argument: str, values: tuple[str, ...], severity: int, reason: str) -> TimeCritical:
    return TimeCritical(tool=tool, where={argument: values}, missing_severity=severity, reason=reason)
