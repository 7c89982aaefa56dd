"""Synthetic patients: arguments of each calculator and what surrounds them, drawn from a seed.

[draws -> statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Values hang together (a tall patient weighs more, chloride follows sodium and the gap, pH follows bicarbonate
and PaCO2) but describe nobody. Each quantity mixes a healthy mode with sick ones, so that every band of every
score occurs. Held out: bands of one quantity of each calculator (`BANDS`; each fifth band is shown by the
held-out split alone), and for calculators without such a quantity a fifth of all argument sets, by hash.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import inspect
import json
import math
import random
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.clinical.calculators.inputs import NAMES
from distrl.envs.medcalc.generator.draw_tables import (
    AGES,
    BURDENS,
    BURDENS_OF,
    CALM,
    FEMALE,
    OPIOID_DOSES,
    PREDNISONE_EQUIVALENT_MG,
    SPREADS,
    SPREADS_OF,
    UNMEASURED,
    Spread,
)

Arguments = dict[str, Any]
HELDOUT_SHARE = 5  # one of so many bands, or hashes, is held out
PNEUMONIA = 29  # its severity index takes PaO2 and the saturation
WEIGHT_FIRST = 22  # maintenance fluids: the weight is drawn over its whole range and the age follows
BANDS = {  # width of a band; the first of these quantities that a calculator must have is cut into bands
    "age": 2,
    "weight": 2,
    "height": 2,
    "sodium": 1,
    "heart_rate": 2,
    "total_cholesterol": 5,
    "systolic_bp": 2,
    "glucose": 10,
    "calcium": 0.25,
}


class Parameter(NamedTuple):
    """One argument of a calculator as its signature declares it."""

    name: str
    kind: str  # "quantity" (of inputs.NAMES) | "flag" | "choice" | "other"
    default: Any  # inspect.Parameter.empty when it must be given
    choices: tuple[Any, ...]

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@functools.cache
def parameters(calculator_id: int) -> tuple[Parameter, ...]:
    """The arguments of a calculator, read from its signature."""
    function = CALCULATORS[calculator_id].function
    hints = get_type_hints(function)
    found = []
    for parameter in inspect.signature(function).parameters.values():
        hint = hints[parameter.name]
        literal = next((h for h in (hint, *get_args(hint)) if get_origin(h) is Literal), None)
        kind = (
            "quantity"
            if parameter.name in NAMES
            else "choice"
            if literal
            else "flag"
            if hint is bool
            else "other"
        )
        found.append(Parameter(parameter.name, kind, parameter.default, get_args(literal) if literal else ()))
    return tuple(found)


@functools.cache
def banded(calculator_id: int) -> str:
    """The quantity whose bands deal a calculator's arguments to the splits; "" when a hash does."""
    required = {p.name for p in parameters(calculator_id) if p.required}
    return next((name for name in BANDS if name in required), "")


def in_heldout_band(name: str, value: float) -> bool:
    """True when `value` of the quantity `name` lies in a held-out band (every fifth one)."""
    return math.floor(value / BANDS[name] + 1e-9) % HELDOUT_SHARE == HELDOUT_SHARE - 1


def is_heldout(calculator_id: int, arguments: Mapping[str, Any]) -> bool:
    """The split to which a calculator's arguments belong: True for held-out, False for training."""
    if name := banded(calculator_id):
        return in_heldout_band(name, arguments[name])
    text = json.dumps([calculator_id, arguments], sort_keys=True)
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % HELDOUT_SHARE == 0


class Patient:
    """A patient of one calculator's task; each value is drawn when it is first asked for, then stays."""

    def __init__(self, calculator_id: int, rng: random.Random, heldout: bool) -> None:
        self.id = calculator_id
        self.rng = rng
        self.heldout = heldout
        self.burden = rng.choice(BURDENS_OF.get(calculator_id, BURDENS))  # how likely each finding is
        self.calm = rng.choice(CALM)  # how likely each quantity is of its healthy mode
        self._values: Arguments = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            spread = SPREADS_OF.get((self.id, name))
            value = self.spread(spread) if spread else self._drawn(name)
            self._values[name] = self._on_side(name, value)
        return self._values[name]

    def _drawn(self, name: str) -> Any:
        return LINKED[name](self) if name in LINKED else self.spread(SPREADS[name])

    def spread(self, spread: Spread) -> float:
        """A draw of one of the modes, the first for a calm patient, cut to the spread's range."""
        healthy = self.rng.random() < self.calm
        mean, sd = spread.modes[0 if healthy else int(self.rng.random() * len(spread.modes))]
        value = self.rng.gauss(mean, sd)
        return value if spread.low <= value <= spread.high else self.rng.uniform(spread.low, spread.high)

    def _on_side(self, name: str, value: Any) -> Any:
        """`value`, moved to a near band when its band belongs to the other split."""
        if name != banded(self.id) or in_heldout_band(name, value) == self.heldout:
            return value
        width = BANDS[name]
        block = math.floor(value / width) // HELDOUT_SHARE * HELDOUT_SHARE  # first band of this block of five
        # Both move up: below the first block's bands a child could weigh nothing.
        up = HELDOUT_SHARE - 1 if self.heldout else HELDOUT_SHARE + self.rng.randrange(HELDOUT_SHARE - 1)
        band = block + up
        return type(value)(band * width + value % width)


def drawn(patient: Patient) -> Arguments:
    """Raw arguments of the patient's calculator; None where an optional quantity was not measured."""
    found: Arguments = {}
    for parameter in parameters(patient.id):
        name = parameter.name
        if parameter.kind == "flag":
            found[name] = patient.rng.random() < patient.burden
        elif parameter.kind == "choice" and name != "sex":
            found[name] = patient.rng.choice(parameter.choices)
        elif parameter.default is None and patient.rng.random() < UNMEASURED.get(name, 0.3):
            found[name] = None
        else:
            found[name] = patient[name]
    if patient.id in RULES:
        RULES[patient.id](found, patient)
    return found


def _age(p: Patient) -> int:
    low, high = AGES.get(p.id, (18, 94))
    if p.id == WEIGHT_FIRST and p["weight"] < 45:  # about twice (age + 4) kg in childhood
        return min(14, max(2, round(p["weight"] / 2) - 4))
    age = p.rng.gauss(64, 15) if p.rng.random() < 0.6 else p.rng.uniform(low, high)
    return int(age if low <= age <= high else p.rng.uniform(low, high + 1))


def _sex(p: Patient) -> str:
    return "female" if p.id in FEMALE or p.rng.random() < 0.5 else "male"


def _height(p: Patient) -> float:
    grown = p.rng.gauss(176, 8) if p["sex"] == "male" else p.rng.gauss(163, 7)
    return max(50.0, grown if p["age"] >= 17 else min(grown, 74 + 6.2 * p["age"] + p.rng.gauss(0, 4)))


def _weight(p: Patient) -> float:
    return max(3.0, p["bmi"] * (p["height"] / 100) ** 2)


def _bmi(p: Patient) -> float:
    if p["age"] < 17:
        return p.rng.gauss(15 + p["age"] / 3, 1.5)
    return p.spread(SPREADS["bmi"])


def _diastolic(p: Patient) -> float:
    return min(p["systolic_bp"] - 12, max(18, 0.45 * p["systolic_bp"] + 20 + p.rng.gauss(0, 9)))


def _chloride(p: Patient) -> float:
    return min(140, max(65, p["sodium"] - p["bicarbonate"] - p.spread(SPREADS["gap"])))


def _ph(p: Patient) -> float:
    """Henderson-Hasselbalch: pKa 6.1, 0.0307 mmol/L of dissolved CO2 per mmHg."""
    return min(7.75, max(6.8, 6.1 + math.log10(p["bicarbonate"] / (0.0307 * p["paco2"]))))


def _pao2(p: Patient) -> float:
    return min(500, max(38, p["fio2"] / 100 * p.spread(SPREADS["pf_ratio"])))


def _spo2(p: Patient) -> float:
    """Beside PaO2 its saturation (Severinghaus JW, J Appl Physiol 1979;46:599-602), else a draw."""
    if p.id != PNEUMONIA:
        return p.spread(SPREADS["spo2"])
    tension = p["pao2"]
    return float(100 / (1 + 23400 / (tension**3 + 150 * tension)))


def _date(p: Patient) -> str:
    return (datetime.date(2004, 1, 1) + datetime.timedelta(days=p.rng.randrange(7300))).isoformat()


def _current_date(p: Patient) -> str:
    start = datetime.date.fromisoformat(p["last_menstrual_date"])
    return (start + datetime.timedelta(days=p.rng.randint(25, 292))).isoformat()


def _opioids(p: Patient) -> list[dict[str, Any]]:
    """One to four opioids; most patients take one or two."""
    chosen = p.rng.sample(sorted(OPIOID_DOSES), p.rng.choice((1, 1, 2, 2, 3, 4)))
    found = []
    for opioid in chosen:
        doses, times = OPIOID_DOSES[opioid]
        found.append({"opioid": opioid, "dose": p.rng.choice(doses), "doses_per_day": p.rng.choice(times)})
    return found


LINKED: dict[str, Callable[[Patient], Any]] = {
    "age": _age,
    "sex": _sex,
    "height": _height,
    "weight": _weight,
    "bmi": _bmi,
    "diastolic_bp": _diastolic,
    "chloride": _chloride,
    "ph": _ph,
    "pao2": _pao2,
    "spo2": _spo2,
    "bun": lambda p: min(180, max(4, p["creatinine"] * p.rng.uniform(9, 24))),
    "ast": lambda p: max(8, p["alt"] * p.rng.uniform(0.55, 1.9)),
    "hematocrit": lambda p: min(62, max(14, p["hemoglobin"] * p.rng.uniform(2.85, 3.15))),
    "gcs": lambda p: 15 if p.rng.random() < p.calm else p.rng.randint(3, 15),
    "cycle_length": lambda p: p.rng.choice((28, 28, *range(23, 38))),
    "last_menstrual_date": _date,
    "current_date": _current_date,
    "doses": _opioids,
}


def _coma(found: Arguments, p: Patient) -> None:
    """Responses that mostly agree in depth; uniform ones would hardly give 3 or 15 points."""
    depth = p.rng.random()
    for parameter in parameters(p.id):
        graded = [choice for choice in parameter.choices if choice != "not_testable"]  # best first
        if p.rng.random() < 0.6:
            found[parameter.name] = graded[min(len(graded) - 1, int(depth * len(graded)))]


def _two_steroids(found: Arguments, p: Patient) -> None:
    """Two different drugs, and a usual dose of the first."""
    drug = found["steroid"].split("_")[0]
    others = [s for s in PREDNISONE_EQUIVALENT_MG if s != drug]
    while found["target_steroid"].split("_")[0] not in others:
        found["target_steroid"] = p.rng.choice(parameters(24)[-1].choices)
    size = PREDNISONE_EQUIVALENT_MG[drug]
    found["dose_mg"] = round(size * p.rng.uniform(1, 16), 1 if size < 2 else 0)


def _apache(found: Arguments, p: Patient) -> None:
    """From an FiO2 of 50 % the A-a gradient is given, below it PaO2: Knaus 1985. Failing kidneys show."""
    if found["acute_renal_failure"]:
        found["creatinine"] = max(found["creatinine"], p.rng.uniform(1.5, 5))
    high = round(found["fio2"]) >= 50
    found["a_a_gradient"] = p["a_a_gradient"] if high else None
    if not high:
        found["pao2"] = p["pao2"]


def _sofa_circulation(found: Arguments, p: Patient) -> None:
    """Both pressures or none; hypotension as the pressures say; one form of respiratory support at most."""
    if found["systolic_bp"] is None or found["diastolic_bp"] is None:
        found["systolic_bp"] = found["diastolic_bp"] = None
    else:
        high, low = round(found["systolic_bp"]), round(found["diastolic_bp"])
        found["hypotension"] = (high + 2 * low) / 3 < 70
    found["cpap"] = found["cpap"] and not found["mechanical_ventilation"]
    if found["cpap"] or found["mechanical_ventilation"]:
        found["fio2"] = max(found["fio2"], p.rng.uniform(28, 60))


def _hormones_of_women(found: Arguments, p: Patient) -> None:
    found["hormone_use"] = found["hormone_use"] and p["sex"] == "female"


RULES: dict[int, Callable[[Arguments, Patient], None]] = {  # what the findings of one calculator must keep
    21: _coma,
    24: _two_steroids,
    28: _apache,
    43: _sofa_circulation,
    48: _hormones_of_women,
}
