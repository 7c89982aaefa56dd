"""What a prescription of one drug runs into: allergy, dose, kidney, liver, pregnancy, conditions, drugs.

Drug, Patient -> [screening] -> prescribe_medication, check_dosage

The facts are those of the formulary, of `clinical.interactions` and of `clinical.allergy`. What cannot be
screened because the record lacks a value is said under `missing`. Not covered: infusion rates, ideal weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from distrl.envs.clinical.formulary import Drug, conflicts_with_allergies, find, with_implied
from distrl.envs.clinical.interactions import interaction, rank
from distrl.envs.healthcare.tools import doses
from distrl.envs.healthcare.tools.records import UNREVIEWED, could_be_pregnant
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.records import Database, Patient

ALERTED_FROM = rank("MODERATE")  # a MINOR interaction changes nothing and would drown the others
# How grave the level of an alert is: a drug's own worst decides its place among alternatives.
GRAVITY = {"contraindicated": 4, "major": 3, "avoid": 3, "moderate": 2, "caution": 1}
HARMFUL_IN_PREGNANCY = ("avoid", "contraindicated")


@dataclass(frozen=True, kw_only=True)
class Alert:
    """One warning. `kind` such as allergy or dose; `level` contraindicated, major, moderate or caution."""

    kind: str
    level: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind.upper()} ({self.level}): {self.text}"


@dataclass(frozen=True, kw_only=True)
class Screened:
    """Alerts, gravest kinds first, and what could not be screened."""

    alerts: tuple[Alert, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Ordered:
    """A dose as it would be given, in the formulary's unit and route."""

    dose: float
    unit: str
    route: str
    doses_per_day: float


def screen(db: Database, person: Patient, record: Drug, ordered: Ordered) -> Screened:
    """Every alert that the order raises for this patient."""
    missing = [] if person["allergies_reviewed"] else [UNREVIEWED]
    verdict = doses.judge(record, ordered.dose, ordered.unit, ordered.route, ordered.doses_per_day, person)
    missing += verdict.missing
    if (
        could_be_pregnant(person)
        and person["pregnant_weeks"] is None
        and record.pregnancy.verdict in HARMFUL_IN_PREGNANCY
    ):
        missing.append(f"pregnancy: status not known, and {record.name} is one to {record.pregnancy.verdict}")
    missing += [
        f"interaction with {name}: not in the table"
        for name in active_drugs(db, person, without=record.name)
        if known_interaction(record.name, name) is None
    ]
    of_dose = tuple(Alert(kind=kind, level=level, text=text) for kind, level, text in verdict.alerts)
    return Screened(alerts=(*concerns(db, person, record), *of_dose), missing=tuple(missing))


def concerns(db: Database, person: Patient, record: Drug, without: str = "") -> tuple[Alert, ...]:
    """What speaks against a drug at any dose; `without` is a drug that it would replace."""
    return (
        *allergy_alerts(person, record),
        *_pregnancy(person, record),
        *_conditions(person, record),
        *_other_drugs(record, active_drugs(db, person, without)),
    )


def allergy_alerts(person: Patient, record: Drug) -> Iterator[Alert]:
    """Allergies of the record that touch a drug."""
    for allergy in person["allergies"]:
        names = (allergy["substance"], allergy["group"])
        conflicts = next(
            (c for name in names if name and (c := conflicts_with_allergies(record.name, [name.lower()]))), []
        )
        for verdict, reason in conflicts:
            yield Alert(
                kind="allergy",
                level=verdict.lower(),
                text=f"{reason}; reaction {allergy['reaction']}, {allergy['severity']}",
            )


def pregnancy_verdict(record: Drug, weeks: int) -> str:
    """The formulary's verdict at that week of pregnancy."""
    return record.pregnancy.verdict if weeks >= record.pregnancy.from_week else "caution"


def active_drugs(db: Database, person: Patient, without: str = "") -> list[str]:
    """Generic names of what the patient takes or was prescribed in this episode, each once, in order."""
    taken = [m["drug"] for m in person["medications"] if m["status"] == "active"]
    taken += [p["drug"] for p in db["prescriptions"] if p["patient_id"] == person["patient_id"]]
    known = (record.name if (record := find(name)) is not None else name for name in taken)
    return [name for name in dict.fromkeys(known) if name != without]


def _pregnancy(person: Patient, record: Drug) -> Iterator[Alert]:
    weeks = person["pregnant_weeks"]
    if weeks is None:
        return
    verdict = pregnancy_verdict(record, weeks)
    if verdict != "compatible":
        yield Alert(kind="pregnancy", level=verdict, text=f"week {weeks}: {record.pregnancy.reason}")


def _conditions(person: Patient, record: Drug) -> Iterator[Alert]:
    problems = {p["condition"]: p["name"] for p in person["problems"] if p["status"] == "active"}
    for key, name in problems.items():
        implied = with_implied([key])
        for rule in record.contraindications:
            if rule.condition in implied:
                level = "contraindicated" if rule.absolute else "caution"
                yield Alert(kind="condition", level=level, text=f"{name}: {rule.reason}")
    ruled = {rule.condition for rule in record.contraindications}
    own = {record.name, *record.classes}
    for key, name in problems.items():
        known = CONDITIONS.get(key)
        if known is not None and key not in ruled and own & set(known.avoid_drugs):
            yield Alert(kind="condition", level="caution", text=f"{record.name} is to be avoided in {name}")


def _other_drugs(record: Drug, others: list[str]) -> Iterator[Alert]:
    for name in others:
        if name == record.name:
            yield Alert(kind="duplicate", level="moderate", text=f"{name} is already on the list")
            continue
        other = find(name)
        if other is not None and other.classes and record.classes and other.classes[0] == record.classes[0]:
            yield Alert(
                kind="duplicate", level="moderate", text=f"{name} is of the same class ({record.classes[0]})"
            )
        found = known_interaction(record.name, name)
        if found is not None and rank(found[0]) >= ALERTED_FROM:
            yield Alert(kind="interaction", level=found[0].lower(), text=f"with {name}: {found[1]}")


def known_interaction(first: str, second: str) -> tuple[str, str] | None:
    """(severity, effect) of two drugs; None where the table lacks one of them."""
    try:
        found = interaction(first, second)
    except KeyError:
        return None
    return found.severity, found.effect
