"""Known slips in the public labels of MedCalc-Bench: what the label computed in place of the published rule.

row -> audit -> [slips] -> reason of a disagreement

Each slip was read off the rows' own explanations. It rebuilds the label's value, alone or with other slips of
the same calculator; a disagreement that no slip rebuilds stays "unexplained".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from distrl.envs.clinical.calculators import CALCULATORS, CalculatorError, Value
from distrl.envs.clinical.calculators.comorbidity import CCI_DIABETES, CCI_LIVER, CCI_TUMOR
from distrl.envs.clinical.calculators.critical import GCS_VERBAL
from distrl.envs.clinical.calculators.liver import CHILD_ASCITES
from distrl.envs.clinical.quantity import SUBSTANCES
from distrl.envs.medcalc.public.entities import plain
from distrl.envs.medcalc.public.entity_names import NAMES

Arguments = Mapping[str, Any]
Entities = Mapping[str, Any]


class Reason(StrEnum):
    """Why a row disagrees, or cannot be computed."""

    WRONG_LABEL = "wrong label"
    DEFINITION = "different definition"
    UNIT = "unit"
    MISSING = "missing entity"
    DOMAIN = "outside the rule's domain"
    UNREADABLE = "unreadable entities"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, kw_only=True)
class Slip:
    """One slip. `change` gives the arguments that differ ({}: it does not apply to the row), `points` what is
    added to the value, `instead` another rule altogether.
    """

    name: str
    reason: Reason = Reason.WRONG_LABEL
    change: Callable[[Arguments, Entities], dict[str, Any]] | None = None
    points: Callable[[Arguments], float] | None = None
    instead: Callable[[Arguments], Value] | None = None


def rebuilt(calculator_id: int) -> Iterator[tuple[Slip, ...]]:
    """Each combination of the slips that a calculator's labels can have, the fewest first."""
    slips = (*SLIPS.get(calculator_id, ()), ROUNDED)
    for size in range(1, len(slips) + 1):
        yield from itertools.combinations(slips, size)


def value_with(
    calculator_id: int, slips: tuple[Slip, ...], arguments: Arguments, entities: Entities
) -> Value | None:
    """The value with these slips made; None where one of them does not apply."""
    changed = dict(arguments)
    for slip in slips:
        if slip.change is not None:
            change = slip.change(changed, entities)
            if not change:
                return None
            changed |= change
    rules = [slip.instead for slip in slips if slip.instead is not None]
    try:
        value = rules[0](changed) if rules else CALCULATORS[calculator_id].function(**changed).value
    except (CalculatorError, ArithmeticError):
        return None
    added = sum(slip.points(arguments) for slip in slips if slip.points is not None)
    return value + added if isinstance(value, (int, float)) else value


def units_of(entities: Entities) -> dict[str, str]:
    """Unit of each entity that has one, by its plain name."""
    return {
        plain(k): plain(str(v[1]))
        for k, v in entities.items()
        if isinstance(v, (list, tuple)) and len(v) == 2
    }


def _rounded_mass(arguments: Arguments, entities: Entities) -> dict[str, float]:
    """Masses that come from moles: the moles of a litre, then their grams, rounded to three decimals."""
    units = units_of(entities)
    changed = {}
    for entity, unit in units.items():
        name = NAMES.get(entity, "")
        mass = SUBSTANCES[name].molar_mass if name in SUBSTANCES else None
        if "mol" in unit and mass and name in arguments and name not in _EQUIVALENTS:
            grams = round(_three(arguments[name] / 100.0 / mass) * mass, 3)
            changed[name] = 100.0 * grams
    return changed


_EQUIVALENTS = {"sodium", "urine_sodium", "potassium", "chloride", "bicarbonate"}


def _three(value: float) -> float:
    return round(value, 3) if value >= 0.001 else float(f"{value:.3g}")


def _misspelt_celsius(arguments: Arguments, entities: Entities) -> dict[str, float]:
    return {"temperature": 20.0} if "degrees celsisus" in units_of(entities).values() else {}


def _white_cells_a_microlitre(arguments: Arguments, entities: Entities) -> dict[str, float]:
    """A count in a microlitre was compared with cut-offs of a larger volume, so it is always above them."""
    unit = units_of(entities).get("white blood cell count")
    return {"wbc": 600.0} if unit == plain("µL") else {}


def _female_kappa(arguments: Arguments) -> Value:
    below = arguments["creatinine"] / 0.7
    return float(142.0 * below**-0.302 * 0.9938 ** arguments["age"])


def _meld_rounded_to_tens(arguments: Arguments) -> Value:
    """MELD-Na with the first equation rounded to a whole number before it is multiplied by ten."""
    dialysis = arguments.get("dialysis_twice_past_week") or arguments.get("cvvhd_past_week")
    creatinine = 4.0 if dialysis else min(max(arguments["creatinine"], 1.0), 4.0)
    first = 0.957 * math.log(creatinine) + 0.378 * math.log(max(arguments["bilirubin"], 1.0))
    whole = round(first + 1.120 * math.log(max(arguments["inr"], 1.0)) + 0.643)
    sodium = 137.0 - min(max(arguments["sodium"], 125.0), 137.0)
    return 10.0 * whole + (1.32 * sodium - 0.033 * first * sodium if whole > 1 else 0.0)


def _flags_off(arguments: Arguments, entities: Entities) -> dict[str, Any]:
    return {name: False for name, value in arguments.items() if value is True} | {"bmi": None}


def _cutoffs_of_child(arguments: Arguments) -> float:
    """Albumin of just 2.8 had 3 points, bilirubin of just 2 none."""
    return (arguments["albumin"] == 2.8) - 2 * (arguments["bilirubin"] == 2.0)


def _one_point_a_stage(arguments: Arguments) -> float:
    tables = {"diabetes_stage": CCI_DIABETES, "liver_disease_stage": CCI_LIVER, "solid_tumor": CCI_TUMOR}
    told = {name: arguments[name] for name in tables if arguments.get(name, "none") != "none"}
    return sum(1 - tables[name][stage] for name, stage in told.items())


def _ratio_in_percent(arguments: Arguments, entities: Entities) -> dict[str, float]:
    """PaO2 over FiO2 in percent is always below 100; under CPAP alone the label has no points for it."""
    cpap_alone = arguments.get("cpap") and not arguments.get("mechanical_ventilation")
    return {"pao2": 500.0 if cpap_alone else 5.0, "fio2": 100.0}


def _risk_as_tenths(arguments: Arguments) -> Value:
    changed = dict(arguments)
    for name in ("total_cholesterol", "hdl"):
        changed[name] = arguments[name] / 38.665
    risk = CALCULATORS[46].function(**changed).value
    assert isinstance(risk, float)
    return round(risk / 100.0, 1)


def _when(
    condition: Callable[[Arguments], bool], **change: Any
) -> Callable[[Arguments, Entities], dict[str, Any]]:
    """A change that applies where `condition` holds."""
    return lambda arguments, entities: change if condition(arguments) else {}


_VERBAL_TWICE = {**GCS_VERBAL, "not_testable": 3}  # twice 4 where ours has 5
ROUNDED = Slip(
    name="masses from moles were rounded to 1 mg/L before the next step",
    reason=Reason.UNIT,
    change=_rounded_mass,
)
_CELSIUS = Slip(
    name="a temperature in 'celsisus' was converted as if in Fahrenheit",
    reason=Reason.UNIT,
    change=_misspelt_celsius,
)
_WHITE_CELLS = Slip(
    name="white cells in a microlitre were compared with cut-offs of another volume",
    reason=Reason.UNIT,
    change=_white_cells_a_microlitre,
)
# calculator id -> its slips
SLIPS: dict[int, tuple[Slip, ...]] = {
    3: (Slip(name="kappa 0.7 of women was used for a man", instead=_female_kappa),),
    13: (
        Slip(
            name="the correction for the cycle's length has the wrong sign",
            change=lambda a, e: {"cycle_length": 56 - a["cycle_length"]},
        ),
    ),
    15: (
        Slip(name="ascites was not counted", points=lambda a: -CHILD_ASCITES[a.get("ascites", "absent")]),
        Slip(name="a value just at a cut-off fell out of its band", points=_cutoffs_of_child),
    ),
    17: (
        Slip(
            name="cerebrovascular disease was not counted",
            change=_when(lambda a: a.get("cerebrovascular_disease", False), cerebrovascular_disease=False),
        ),
    ),
    21: (
        Slip(
            name="the verbal response was counted twice (4 points where not testable)",
            points=lambda a: _VERBAL_TWICE[a.get("verbal_response", "not_testable")],
        ),
    ),
    23: (Slip(name="MELD(i) was rounded to tens", instead=_meld_rounded_to_tens),),
    27: (
        Slip(
            name="a hemoglobin of just 12 or 13 g/dL was taken for below",
            change=lambda a, e: {"hemoglobin": a["hemoglobin"] - 0.01},
        ),
    ),
    28: (
        Slip(name="the Glasgow Coma Score was added, not 15 minus it", points=lambda a: 2 * a["gcs"] - 15),
        _WHITE_CELLS,
        _CELSIUS,
        Slip(name="a pH below 7.33 had no points", change=_when(lambda a: a["ph"] < 7.33, ph=7.4)),
        Slip(
            name="a creatinine of 1.5 to 1.9 mg/dL had no points",
            change=_when(lambda a: 1.5 <= a["creatinine"] < 2.0, creatinine=1.0),
        ),
        Slip(
            name="organ failure or immunocompromise was not counted",
            change=_when(
                lambda a: a.get("organ_failure_or_immunocompromise", False),
                organ_failure_or_immunocompromise=False,
            ),
        ),
    ),
    29: (_CELSIUS,),
    32: (
        Slip(name="diabetes, liver disease and tumor had one point at any stage", points=_one_point_a_stage),
    ),
    36: (Slip(name="of all findings only age, surgery and mobility were counted", change=_flags_off),),
    43: (
        Slip(name="PaO2 was divided by FiO2 in percent", reason=Reason.UNIT, change=_ratio_in_percent),
        Slip(
            name="epinephrine and norepinephrine were not counted",
            change=lambda a, e: {"epinephrine": None, "norepinephrine": None},
        ),
        Slip(
            name="dopamine that is not told had 2 points",
            change=_when(lambda a: a.get("dopamine") is None, dopamine=1.0),
        ),
        Slip(
            name="beside dobutamine no other catecholamine was counted",
            change=_when(
                lambda a: bool(a.get("dobutamine")), dopamine=None, epinephrine=None, norepinephrine=None
            ),
        ),
        Slip(
            name="a urine output below 200 mL/day had 3 points",
            change=_when(lambda a: (a.get("urine_output") or 500.0) < 200.0, urine_output=200.0),
        ),
        Slip(
            name="creatinine was not counted beside urine output",
            change=_when(lambda a: a.get("urine_output") is not None, creatinine=None),
        ),
    ),
    46: (
        Slip(
            name="cholesterol in mmol/L, and the risk as a fraction to tenths",
            reason=Reason.UNIT,
            instead=_risk_as_tenths,
        ),
    ),
    51: (
        _WHITE_CELLS,
        Slip(name="a heart rate up to 90 had a point", points=lambda a: a["heart_rate"] <= 90),
    ),
}
