"""Inputs of a score: given by the agent, else read from the record, each with its source.

arguments, Database -> [inputs] -> instruments
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from distrl.envs.clinical.calculators import CalculatorError, Worked
from distrl.envs.healthcare.tools import values
from distrl.envs.healthcare.tools.lookup import patient
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import ToolError

Data = dict[str, Any]
GIVEN = "given"
ADULT_YEARS = 18
# Calculator's argument -> (short name of the lab table, unit of the argument, substance)
LAB_INPUTS: dict[str, tuple[str, str, str]] = {
    "bun": ("bun", "mg/dL", "bun"),
    "creatinine": ("cr", "mg/dL", "creatinine"),
    "bilirubin": ("bili", "mg/dL", "bilirubin"),
    "inr": ("inr", "", ""),
    "sodium": ("na", "mEq/L", "sodium"),
    "potassium": ("k", "mEq/L", "potassium"),
    "hematocrit": ("hct", "%", ""),
    "wbc": ("wbc", "10^9/L", ""),
    "ph": ("ph", "", ""),
    "pao2": ("po2", "mmHg", ""),
}


@dataclass(kw_only=True)
class Gathered:
    """Arguments of one calculation as they come together."""

    person: Patient | None
    arguments: Data = field(default_factory=dict)
    shown: Data = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)

    def needed(self, name: str, value: float | None, unit: str) -> None:
        """An input that only the agent can give."""
        if value is None:
            self.missing.append(f"{name}: not given, and not on the record")
        else:
            self._take(name, value, unit, GIVEN)

    def age(self, value: float | None) -> None:
        self._from("age", value, "years", lambda p: values.Found(value=p["age_years"], source="record"))

    def sex(self, value: str | None) -> None:
        self._from("sex", value, "", lambda p: values.Found(value=p["sex"], source="record"))

    def body(self, name: str, value: float | None, key: str, unit: str) -> None:
        """Weight or height of the record's field `key`."""

        def read(person: Patient) -> values.Found:
            size: float | None = person.get(key)  # type: ignore[assignment]
            missing = (f"{name}: not on the record",) if size is None else ()
            return values.Found(value=size, source="record", missing=missing)

        self._from(name, value, unit, read)

    def lab(self, name: str, value: float | None) -> None:
        """A laboratory value by the calculators' name of it."""
        short, unit, substance = LAB_INPUTS[name]
        self._from(name, value, unit, lambda p: values.latest_lab(p, short, unit, substance))

    def vital(self, name: str, value: float | None) -> None:
        self._from(name, value, values.VITALS[name].unit, lambda p: values.latest_vital(p, name))

    def confusion(self, value: bool | None) -> None:
        """Confusion: given, or a Glasgow Coma Score below 15; without either it is missing."""

        def read(person: Patient) -> values.Found:
            found = values.latest_vital(person, "gcs")
            if not isinstance(found.value, (int, float)):
                return values.Found(
                    missing=("confusion: not given, and no Glasgow Coma Score on the record",)
                )
            return values.Found(value=found.value < 15, source=f"GCS {found.value:g}, {found.source}")

        self._from("confusion", value, "", read)

    def problem(self, name: str, value: bool | None, keys: tuple[str, ...]) -> None:
        """A condition: given, or any of `keys` on the problem list; else counted as absent."""
        problems = self.person["problems"] if self.person is not None else []
        hits = [p["name"] for p in problems if p["condition"] in keys]
        self._history(name, value, f"problem list: {', '.join(hits)}" if hits else "")

    def flag(self, name: str, value: bool | None, words: tuple[str, ...]) -> None:
        """A finding: given, or one of `words` in the record's history; else counted as absent."""
        text = _history_text(self.person) if self.person is not None else ""
        hits = [word for word in words if word in text]
        self._history(name, value, f"record: {hits[0]}" if hits else "")

    def score(
        self,
        title: str,
        unit: str,
        function: Callable[..., Worked],
        meaning: Callable[[float], str],
        *,
        adults_only: bool = True,
    ) -> Data:
        """The calculator's value with its working and inputs, or what is missing. ToolError for a child."""
        years = self.arguments.get("age", self.person["age_years"] if self.person is not None else None)
        if adults_only and years is not None and years < ADULT_YEARS:
            raise ToolError(f"{title} holds for adults; the patient is {years:g} years old")
        if self.missing:
            return self._report(title, unit, None, "not calculated: inputs are missing", ())
        try:
            worked = function(**self.arguments)
        except CalculatorError as error:
            raise ToolError(str(error)) from None
        assert isinstance(worked.value, (int, float))
        value = round(float(worked.value), 2)
        value = int(value) if value.is_integer() else value
        return self._report(title, unit, value, meaning(value), worked.steps)

    def _report(
        self, title: str, unit: str, value: float | None, meaning: str, steps: tuple[str, ...]
    ) -> Data:
        return {
            "instrument": title,
            "score": value,
            "unit": unit,
            "interpretation": meaning,
            "inputs": self.shown,
            "working": list(steps),
            "counted_as_absent": self.absent,
            "missing": self.missing,
        }

    def _history(self, name: str, value: bool | None, source: str) -> None:
        if value is not None:
            self._take(name, value, "", GIVEN)
        elif source:
            self._take(name, True, "", source)
        else:
            self.arguments[name] = False
            self.absent.append(name)

    def _from(self, name: str, value: Any, unit: str, read: Callable[[Patient], values.Found]) -> None:
        if value is not None:
            self._take(name, value, unit, GIVEN)
            return
        if self.person is None:
            self.missing.append(f"{name}: not given; give it, or patient_id")
            return
        found = read(self.person)
        if found.value is None:
            self.missing.extend(found.missing)
        else:
            self._take(name, found.value, unit or found.unit, found.source)

    def _take(self, name: str, value: Any, unit: str, source: str) -> None:
        self.arguments[name] = value
        self.shown[name] = {"value": value, "source": source} | ({"unit": unit} if unit else {})


def gather(db: Database, patient_id: str | None) -> Gathered:
    """Inputs of the patient of that id, or of the arguments alone."""
    return Gathered(person=None if patient_id is None else patient(db, patient_id))


def _history_text(person: Patient) -> str:
    present = person["presentation"]
    problems = [p["name"] for p in person["problems"]]
    return " | ".join([*problems, *present["symptoms"], *present["findings"]]).lower()
