"""Vital signs as a short series: an earlier visit in health, then this visit by condition and severity.

Frame, drugs -> [vital_record] -> VitalSigns

The condition tables speak of adults; a child's value is scaled by what is normal at its age.
"""

from __future__ import annotations

import datetime
import random

from distrl.envs.clinical import formulary
from distrl.envs.healthcare.world import people
from distrl.envs.healthcare.world.bloods import SEVERITY_BIAS, drawn
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.frame import Frame
from distrl.envs.healthcare.world.people import ADULT_YEARS, at_age
from distrl.envs.healthcare.world.records import Medication, VitalSigns

LEAST_PULSE_PRESSURE = 20
PAIN_FROM_YEARS = 3.0  # younger children cannot rate pain
_SCALED = {
    "heart_rate_bpm": people.HEART_RATE,
    "respiratory_rate_bpm": people.BREATHS,
    "systolic_mmhg": people.SYSTOLIC,
    "diastolic_mmhg": people.DIASTOLIC,
}
_SPREAD = {
    "temperature_c": 0.15,
    "heart_rate_bpm": 5.0,
    "respiratory_rate_bpm": 1.0,
    "systolic_mmhg": 6.0,
    "diastolic_mmhg": 4.0,
    "spo2_percent": 0.6,
}
BOUNDS = {"heart_rate_bpm": (35, 215), "respiratory_rate_bpm": (8, 75), "systolic_mmhg": (50, 240),
           "diastolic_mmhg": (28, 140), "spo2_percent": (70, 100), "gcs": (3, 15), "pain_0_10": (0, 10),
           "temperature_c": (34.0, 41.5)}  # fmt: skip
Signs = dict[str, float]


def vital_record(frame: Frame, drugs: list[Medication]) -> list[VitalSigns]:
    """An earlier set, then two or three of this visit; oldest first."""
    rng = frame.rng("vitals")
    health = _healthy(rng, frame, drugs)
    ill = dict(health)
    bias = SEVERITY_BIAS[frame.severity] if frame.condition.acute else 0.0
    for name, shift in frame.condition.vitals.items():
        ill[name] = _scaled(name, drawn(rng, shift, health[name], bias), frame.age_years)
    hours = 3 if frame.condition.urgency == "emergency" else 2 if frame.condition.acute else 1
    earlier = frame.now - datetime.timedelta(days=rng.randint(40, 300), minutes=rng.randrange(200))
    sets = [_set(rng, frame, health, earlier)] if frame.age_years >= 1 else []
    for step in range(hours):
        at = frame.now - datetime.timedelta(minutes=15 + 45 * (hours - 1 - step))
        sets.append(_set(rng, frame, ill, at, noise=0.25))
    return sets


def _healthy(rng: random.Random, frame: Frame, drugs: list[Medication]) -> Signs:
    age = frame.age_years
    found: Signs = {
        "temperature_c": 36.7,
        "spo2_percent": 98.0 if age < 70 else 97.0,
        "gcs": 15,
        "pain_0_10": 0,
        **{name: at_age(points, age) for name, points in _SCALED.items()},
    }
    for name, spread in _SPREAD.items():
        found[name] += spread * max(-1.7, min(1.7, rng.gauss(0.0, 1.0)))
    if any("beta blocker" in formulary.DRUGS[m["drug"]].classes for m in drugs if m["status"] == "active"):
        found["heart_rate_bpm"] -= 8
    for key in frame.chronic:
        for name, shift in CONDITIONS[key].vitals.items():
            found[name] = _scaled(name, drawn(rng, shift, found[name], 0.0), age)
    if frame.pregnant_weeks is not None:
        found["heart_rate_bpm"] += 8
        found["systolic_mmhg"] -= 6
        found["diastolic_mmhg"] -= 6
    return found


def _scaled(name: str, adult: float, age_years: float) -> float:
    """A value of the adult tables at this age."""
    points = _SCALED.get(name)
    if points is None or age_years >= ADULT_YEARS:
        return adult
    return adult * at_age(points, age_years) / at_age(points, ADULT_YEARS)


def _set(
    rng: random.Random, frame: Frame, signs: Signs, at: datetime.datetime, noise: float = 0.4
) -> VitalSigns:
    shown = {
        name: value + noise * _SPREAD.get(name, 0.0) * rng.uniform(-1, 1) for name, value in signs.items()
    }
    shown = {name: max(BOUNDS[name][0], min(BOUNDS[name][1], value)) for name, value in shown.items()}
    for name, shift in frame.condition.vitals.items():
        if signs is not None and name in ("gcs", "spo2_percent", "temperature_c") and noise < 0.4:
            shown[name] = max(shift.low, min(shift.high, shown[name]))
    systolic, diastolic = round(shown["systolic_mmhg"]), round(shown["diastolic_mmhg"])
    return {
        "at": at.isoformat(timespec="minutes"),
        "temperature_c": round(shown["temperature_c"], 1),
        "heart_rate_bpm": round(shown["heart_rate_bpm"]),
        "respiratory_rate_bpm": round(shown["respiratory_rate_bpm"]),
        "systolic_mmhg": systolic,
        "diastolic_mmhg": min(diastolic, systolic - LEAST_PULSE_PRESSURE),
        "spo2_percent": round(shown["spo2_percent"]),
        "gcs": round(shown["gcs"]),
        "pain_0_10": round(shown["pain_0_10"]) if frame.age_years >= PAIN_FROM_YEARS else None,
    }
