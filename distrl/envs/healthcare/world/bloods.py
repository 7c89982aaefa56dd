"""One person's laboratory values that agree with each other: drawn where independent, computed where not.

condition shifts -> [draw, complete] -> LabResult

Derived here, never drawn: chloride (from the anion gap), eGFR or its creatinine (CKD-EPI 2021), hematocrit
and red cells, neutrophils, prothrombin time, LDL (Friedewald), transferrin saturation, total protein, serum
osmolality, arterial pH (Henderson-Hasselbalch), pCO2 where acid-base compensation sets it (Winter), pO2 from
the saturation (Severinghaus).
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

from distrl.envs.clinical.renal import ckd_epi_2021, cockcroft_gault
from distrl.envs.healthcare.world.condition import Shift
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.people import ADULT_YEARS, at_age
from distrl.envs.healthcare.world.records import Sex

Values = dict[str, float]  # short name -> value
SEVERITY_BIAS = {"mild": -0.7, "moderate": 0.0, "severe": 0.7}  # in standard deviations, away from health
_SHORT = {lab.code: lab.short for lab in LABS.values()}
_USUAL = {lab.short: lab.usual for lab in LABS.values()}
_DECIMALS = {lab.short: lab.decimals for lab in LABS.values()}
DERIVED = frozenset(["cl", "hct", "rbc", "neut", "pt", "ldl", "tsat", "tp", "sosm", "ph", "ahco3", "po2"])
# What others are derived from.
DRIVERS = (
    "na", "hco3", "ag", "cr", "hb", "mcv", "wbc", "alb", "inr", "tc", "hdl", "tg", "fe", "tibc", "bili",
    "pco2", "glu", "bun", "eos", "ahco3",
)  # fmt: skip
# Added to the usual value of men.
_MALE = {
    "hb": 1.4,
    "cr": 0.16,
    "hdl": -9.0,
    "urate": 0.8,
    "ferritin": 60.0,
    "ck": 20.0,
    "ggt": 5.0,
    "alt": 3.0,
}
_PREGNANT = {"hb": -1.6, "cr": -0.2, "alb": -0.8, "alp": 25.0, "wbc": 1.8, "hco3": -3.0, "bun": -4.0}
_HEALTHY: dict[Sex, tuple[tuple[str, float, float], ...]] = {
    "female": tuple((short, mean, sd) for short, (mean, sd) in _USUAL.items()),
    "male": tuple((short, mean + _MALE.get(short, 0.0), sd) for short, (mean, sd) in _USUAL.items()),
}
SEEN_ONLY_ON_DRUG = {"dig": "digoxin", "lith": "lithium", "phenyt": "phenytoin", "valp": "valproate"}
PO2_OF_SPO2 = (
    (70, 37), (75, 40), (80, 45), (85, 50), (88, 55), (90, 59), (92, 65), (94, 72), (95, 77), (96, 83),
    (97, 89), (98, 95), (99, 101), (100, 106),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Body:
    """What the values depend on. `renal` is a range of eGFR (mL/min/1.73 m2) or None."""

    sex: Sex
    age_years: float
    weight_kg: float
    height_cm: float
    pregnant_weeks: int | None


def drawn(rng: random.Random, shift: Shift, usual: float, bias: float) -> float:
    """A value of the shift; `bias` in sd moves it away from `usual`."""
    away = 1.0 if shift.mean >= usual else -1.0
    return max(shift.low, min(shift.high, rng.gauss(shift.mean + away * bias * shift.sd, shift.sd)))


def healthy(rng: random.Random, body: Body) -> Values:
    """Independent analytes of a healthy person of that body."""
    found = {
        short: mean + sd * max(-1.6, min(1.6, rng.gauss(0.0, 1.0))) for short, mean, sd in _HEALTHY[body.sex]
    }
    if body.pregnant_weeks is not None:
        for short, shift in _PREGNANT.items():
            found[short] += shift
    if body.age_years < ADULT_YEARS:
        _child(found, body)
    else:
        found["ddimer"] += 4.0 * max(0.0, body.age_years - 50)
        found["bnp"] += 0.6 * max(0.0, body.age_years - 50)
        found["cr"] += 0.002 * max(0.0, body.age_years - 50)
    if body.pregnant_weeks is not None:
        found["hcg"] = hcg(body.pregnant_weeks)
        found["ddimer"] += 14.0 * body.pregnant_weeks
        found["pco2"] = 1.5 * found["hco3"] - 2.0
    return found


def _child(found: Values, body: Body) -> None:
    found["cr"] = 0.413 * body.height_cm / 115.0 * (found["cr"] / 0.8 if found["cr"] < 1.0 else 1.0)
    found["alp"] += 150.0
    found["hb"] = at_age(((0, 14.5), (0.4, 12.0), (2, 12.4), (12, 13.4), (18, 14.0)), body.age_years) + (
        0.3 * (found["hb"] - 13.6) / 0.7
    )
    found["wbc"] += 2.0 if body.age_years < 6 else 0.5
    found["phos"] += 1.8 if body.age_years < 1 else 1.2 if body.age_years < 12 else 0.6
    found["lymph"] += 2.0 if body.age_years < 6 else 0.4


def hcg(weeks: int) -> float:
    """hCG in mIU/mL by week of pregnancy, a middle value."""
    return round(
        at_age(((4, 150.0), (6, 9000.0), (9, 95000.0), (14, 45000.0), (20, 20000.0), (40, 22000.0)), weeks)
    )


def apply(
    rng: random.Random,
    values: Values,
    shifts: Mapping[str, Shift],
    *,
    bias: float = 0.0,
) -> set[str]:
    """Put the shifts (by LOINC) into `values`; one that is farther from health in that direction stays.

    Returns the short names that are now set by a condition.
    """
    touched = set()
    for code, shift in shifts.items():
        short = _SHORT[code]
        if short in DERIVED:
            continue
        usual, spread = _USUAL[short]
        value = drawn(rng, shift, usual, bias)
        direction = 1.0 if shift.mean >= usual else -1.0
        marked = abs(shift.mean - usual) > spread  # else the shift says "normal here"
        if not (marked and (values[short] - value) * direction > 0):
            values[short] = value
        touched.add(short)
    return touched


def creatinine_of(egfr: float, body: Body) -> float:
    """The creatinine (mg/dL, two decimals) whose CKD-EPI 2021 eGFR is nearest to `egfr`."""
    low, high = 0.2, 25.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if ckd_epi_2021(middle, body.age_years, body.sex) > egfr:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 2)


RENAL_EGFR = {"mild": (62.0, 84.0), "moderate": (32.0, 57.0), "severe": (16.0, 28.0)}
RENAL_CRCL = {"mild": (60.0, 90.0), "moderate": (30.0, 60.0), "severe": (15.0, 30.0)}


def impaired(rng: random.Random, values: Values, tier: str, body: Body) -> None:
    """Kidney function of that tier, by eGFR and (where both can hold) by creatinine clearance."""
    low, high = RENAL_EGFR[tier]
    floor, ceiling = RENAL_CRCL[tier]
    egfr, creatinine = low, creatinine_of(low, body)
    for _ in range(60):
        egfr = rng.uniform(low, high)
        creatinine = creatinine_of(egfr, body)
        if floor <= cockcroft_gault(body.age_years, body.weight_kg, creatinine, body.sex) < ceiling:
            break
    values["cr"] = creatinine
    lost = max(0.0, 90.0 - egfr)
    values["bun"] = max(values["bun"], 14.0 + 0.34 * lost)
    values["k"] = max(values["k"], min(5.2, 4.2 + 0.011 * lost))
    values["hb"] -= max(0.0, 50.0 - egfr) * 0.055
    values["hco3"] = min(values["hco3"], 25.5 - 0.055 * lost)
    values["phos"] += max(0.0, 30.0 - egfr) * 0.04


def complete(rng: random.Random, values: Values, touched: set[str], body: Body, spo2: float | None) -> Values:
    """The full set with every derived analyte; what others are derived from is rounded as reported."""
    v = dict(values)
    if "egfr" in touched and body.age_years >= ADULT_YEARS and "cr" not in touched:
        v["cr"] = creatinine_of(v["egfr"], body)
    _inflammation(rng, v, touched)
    if "pco2" not in touched:
        v["pco2"] = _compensated(v["hco3"], v["pco2"])
    v["ahco3"] = v["hco3"] - 0.5
    for short in DRIVERS:
        v[short] = _round(short, max(0.0, v[short]))
    v["cl"] = v["na"] - v["hco3"] - v["ag"]
    if body.age_years >= ADULT_YEARS:
        v["egfr"] = ckd_epi_2021(max(v["cr"], 0.2), body.age_years, body.sex)
    else:
        v.pop("egfr", None)
    v["hct"] = 3.0 * v["hb"] + rng.uniform(-0.6, 0.6)
    v["rbc"] = 10.0 * v["hct"] / v["mcv"]
    _white_cells(v)
    v["dbili"] = min(v["dbili"] if "dbili" in touched else 0.2 * v["bili"], 0.8 * v["bili"])
    v["tp"] = v["alb"] + 2.8
    v["pt"] = 12.1 * v["inr"]
    v["tsat"] = 100.0 * v["fe"] / v["tibc"]
    v["ldl"] = v["tc"] - v["hdl"] - v["tg"] / 5.0
    if "ntprobnp" not in touched and "bnp" in touched:
        v["ntprobnp"] = 5.0 * v["bnp"]
    if "amylase" not in touched and "lipase" in touched and v["lipase"] > 180:
        v["amylase"] = 0.5 * v["lipase"]
    v["sosm"] = 2.0 * v["na"] + v["glu"] / 18.0 + v["bun"] / 2.8 + rng.uniform(-2.0, 3.0)
    v["ph"] = 6.1 + math.log10(v["ahco3"] / (0.0307 * v["pco2"]))
    v["po2"] = at_age(PO2_OF_SPO2, spo2 if spo2 is not None else 97)
    return v


def _compensated(hco3: float, usual_pco2: float) -> float:
    """pCO2 (mmHg) that breathing settles at: Winter below a bicarbonate of 21, 0.7 a mmol/L above 29."""
    if hco3 < 21:
        return min(1.5 * hco3 + 8.0, usual_pco2)
    return 40.0 + 0.7 * (hco3 - 24.0) if hco3 > 29 else usual_pco2


def _inflammation(rng: random.Random, v: Values, touched: set[str]) -> None:
    """Acute-phase analytes that follow C-reactive protein where the condition does not set them."""
    if v["crp"] > 20:
        if "esr" not in touched:
            v["esr"] = min(110.0, 20.0 + 0.3 * v["crp"])
        if "pct" not in touched:
            v["pct"] = 0.05 + 0.002 * v["crp"]
        if "ddimer" not in touched:
            v["ddimer"] = max(v["ddimer"], rng.uniform(520.0, 900.0) + 3.0 * v["crp"])
        if "fib" not in touched:
            v["fib"] = 320.0 + min(280.0, v["crp"])


def _white_cells(v: Values) -> None:
    lymph = min(v["lymph"], 0.45 * v["wbc"]) if v["wbc"] < 11 else min(v["lymph"], 0.18 * v["wbc"])
    v["lymph"] = _round("lymph", lymph)
    v["eos"] = min(v["eos"], _round("eos", 0.15 * v["wbc"]))
    v["neut"] = v["wbc"] - v["lymph"] - v["eos"] - 0.06 * v["wbc"]


def _round(short: str, value: float) -> float:
    return round(value, _DECIMALS[short]) + 0.0
