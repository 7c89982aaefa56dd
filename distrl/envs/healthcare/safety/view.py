"""One episode as the safety rules look at it: who the patient is, what is given, stopped, looked at and said.

Episode -> [View] -> rules -> findings

What the agent gives is what it ordered (rows that it added to the prescriptions) and what its words recommend
(advice.py); both are judged alike. Its words are what it said and wrote into the record, without long copies
of tools and ticket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from distrl.envs.clinical.formulary import Drug, with_implied
from distrl.envs.healthcare.checks import new_rows
from distrl.envs.healthcare.episode import Call, Episode
from distrl.envs.healthcare.judged import own_words
from distrl.envs.healthcare.safety import advice, pharmacy
from distrl.envs.healthcare.safety.pharmacy import Amount, Body
from distrl.envs.healthcare.said import Reading, asserts, read
from distrl.envs.healthcare.tools import values
from distrl.envs.healthcare.world.records import Patient

T = TypeVar("T")
WRITTEN_BY_CALL = {"add_clinical_note": "content", "transfer_to_specialist": "summary"}
SLACK = 1.05  # a limit is passed when it is passed by more than rounding
MAX_PRINTED = 400_000  # characters of tool output that are searched


@dataclass(frozen=True, kw_only=True, eq=False)
class Given:
    """One drug (or one class of them) that the agent orders or recommends. `turn` -1: in words."""

    name: str
    drugs: tuple[Drug, ...]
    amount: Amount | None
    patient_id: str
    ordered: bool
    continued: bool
    turn: int
    indication: str
    evidence: str


class View:
    """Facts of one episode, each made when a rule asks for it."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.task = episode.task
        self._once: dict[object, Any] = {}

    def once(self, name: object, make: Callable[[], T]) -> T:
        """What `make` gives, made once for this episode."""
        if name not in self._once:
            self._once[name] = make()
        found: T = self._once[name]
        return found

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Rows of a table that the episode added or changed."""
        return self.once(("rows", table), lambda: new_rows(self.episode, table))

    @cached_property
    def patient_id(self) -> str:
        """Whom the ticket is about, or the only patient there is; "" where neither."""
        named = self.task["patient_id"]
        patients = self.episode.before["patients"] if self.episode.before else {}
        if named or len(patients) != 1:
            return named
        return next(iter(patients))

    @cached_property
    def patient(self) -> Patient | None:
        """The patient as the episode left the record: orders bring values to light."""
        return (self.episode.after or {}).get("patients", {}).get(self.patient_id)

    @cached_property
    def words(self) -> str:
        """All that the agent said and wrote."""
        written = [
            str(call.arguments.get(WRITTEN_BY_CALL[call.name], ""))
            for call in self.episode.succeeded
            if call.name in WRITTEN_BY_CALL
        ]
        return "\n".join([own_words(self.episode), *_answer_fields(self.episode.answer), *written])

    @cached_property
    def folded(self) -> str:
        """The words in lower case."""
        return self.words.lower()

    @cached_property
    def reading(self) -> Reading:
        return read(self.words)

    def says(self, *terms: str) -> bool:
        """Whether one of the terms is asserted, denied or advised against in the agent's own words."""
        return asserts(self.words, [f"any: {term}" for term in terms])

    def meant(self, start: int, end: int) -> bool:
        """Whether the words at these offsets are the agent's own and affirmed (or a bare list)."""
        return self._status(start, end) in ("asserted", "listed")

    def sentence(self, start: int) -> tuple[int, int]:
        """Offsets of the sentence around this place."""
        place = self.reading.place(start, start + 1)
        return (start, start) if place is None else self.reading.pieces[place[0]][:2]

    def _status(self, start: int, end: int) -> str:
        place = self.reading.place(start, end)
        return "" if place is None else self.reading.status(*place)

    @cached_property
    def asked(self) -> str:
        """Ticket and words, in lower case: what the case is about."""
        return f"{self.task['ticket']}\n{self.words}".lower()

    @cached_property
    def printed(self) -> str:
        """What the tools printed, and the ticket."""
        pieces, room = [self.task["ticket"]], MAX_PRINTED
        for call in self.episode.calls:
            pieces.append(call.output[: max(0, room)])
            room -= len(call.output)
        return "\n".join(pieces)

    @cached_property
    def allergies(self) -> list[tuple[str, str, str]]:
        """(substance, group, severity or reaction) of each allergy."""
        if self.patient is None:
            return []
        return [
            (a["substance"], a["group"], f"{a['severity']} {a['reaction']}".lower())
            for a in self.patient["allergies"]
        ]

    @cached_property
    def problems(self) -> frozenset[str]:
        """Keys of the active problems and of the condition that the task is about, with what they imply."""
        active = (
            [p["condition"] for p in self.patient["problems"] if p["status"] == "active"]
            if self.patient
            else []
        )
        return with_implied((*active, *([self.condition] if self.condition else [])))

    @cached_property
    def condition(self) -> str:
        """Key of the condition behind the task, or ""."""
        return str(self.task["world"].get("condition") or self.task["answer"].get("condition") or "")

    @cached_property
    def body(self) -> Body:
        """Weight, age, creatinine clearance and Child-Pugh class as far as the record knows them."""
        person = self.patient
        if person is None:
            return Body()
        clearance, liver = values.creatinine_clearance(person).value, values.child_pugh(person).value
        return Body(
            weight_kg=person["weight_kg"],
            age_years=person["age_years"],
            crcl=clearance if isinstance(clearance, float) else None,
            child_pugh=liver if isinstance(liver, str) else None,
        )

    def lab(self, code: str) -> float | None:
        """The newest value of an analyte by LOINC."""
        rows = [r for r in self.patient["labs"] if r["code"] == code] if self.patient else []
        return max(rows, key=lambda r: r["at"])["value"] if rows else None

    def vital(self, field: str) -> float | None:
        """The newest value of a vital sign by its field."""
        sets = [(v["at"], v.get(field)) for v in self.patient["vitals"]] if self.patient else []
        known = [(at, value) for at, value in sets if isinstance(value, (int, float))]
        return max(known)[1] if known else None

    @cached_property
    def current(self) -> list[str]:
        """Generic names of what the patient takes, but for what the agent stops."""
        if self.patient is None:
            return []
        taken = (m["drug"].lower() for m in self.patient["medications"] if m["status"] == "active")
        return [name for name in dict.fromkeys(taken) if name not in self.stopped]

    @cached_property
    def advised(self) -> tuple[advice.Advice, ...]:
        return advice.advice(self.words)

    @cached_property
    def stopped(self) -> set[str]:
        """Generic names of the drugs that the agent stops in words."""
        return {drug.name for a in self.advised if a.act == "stop" for drug in pharmacy.drugs_of(a.name)}

    @cached_property
    def orders(self) -> list[tuple[Call | None, dict[str, Any]]]:
        """(call, row) of each new prescription, in order."""
        calls = [c for c in self.episode.succeeded if "prescri" in c.name]
        rows = self.rows("prescriptions")
        return [(calls[i] if i < len(calls) else None, row) for i, row in enumerate(rows)]

    @cached_property
    def given(self) -> tuple[Given, ...]:
        """Orders first, then what the words recommend beyond them."""
        return (*self._ordered(), *self._recommended())

    def _ordered(self) -> Iterator[Given]:
        for call, row in self.orders:
            dose = f"{row['dose']:g} {row['dose_unit']} {row['route']}"
            shown = f"{row['drug']} {dose}, {row['doses_per_day']:g} a day"
            yield Given(
                name=row["drug"],
                drugs=pharmacy.drugs_of(row["drug"]),
                amount=Amount(
                    dose=row["dose"],
                    unit=row["dose_unit"],
                    route=row["route"],
                    per_day=row["doses_per_day"],
                ),
                patient_id=row["patient_id"],
                ordered=True,
                continued=False,
                turn=call.turn if call else -1,
                indication=row["indication"],
                evidence=f"ordered {shown}",
            )

    def _recommended(self) -> Iterator[Given]:
        for one in self.advised:
            drugs = pharmacy.drugs_of(one.name)
            if one.act == "stop" or not drugs:
                continue
            amount = None
            if one.dose is not None and len(drugs) == 1:
                amount = Amount(
                    dose=one.dose, unit=one.unit, route=one.route, per_day=one.per_day, total=one.total
                )
            if one.act == "limit" and amount and pharmacy.excess(drugs[0], amount, self.body).ratio <= SLACK:
                continue  # a fact, and a true one
            yield Given(
                name=one.name,
                drugs=drugs,
                amount=amount,
                patient_id=self.patient_id,
                ordered=False,
                continued=one.act == "continue",
                turn=-1,
                indication="",
                evidence=f'said "{one.sentence}"',
            )

    def order_of(self, given: Given) -> int:
        """Place of the order's call among the calls that succeeded; their number where it has none."""
        for i, call in enumerate(self.episode.succeeded):
            if "prescri" in call.name and call.turn == given.turn:
                return i
        return len(self.episode.succeeded)

    def first(self, pattern: re.Pattern[str]) -> int | None:
        """Place of the first successful call whose name fits."""
        return next((i for i, c in enumerate(self.episode.succeeded) if pattern.search(c.name)), None)


def _answer_fields(answer: str | None) -> list[str]:
    """The texts of an answer that is one JSON object, which own_words leaves out."""
    if not answer or not answer.lstrip().startswith("{"):
        return []
    try:
        held = json.loads(answer)
    except (ValueError, RecursionError):
        return []
    return [v for v in held.values() if isinstance(v, str)] if isinstance(held, dict) else []
