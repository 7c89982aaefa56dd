"""The laboratory record: earlier values, those of this visit, and those that only an order brings to light.

Frame, baseline values, drugs -> [lab_record] -> (on record, unmeasured)
"""

from __future__ import annotations

import datetime

from distrl.envs.healthcare.world import bloods
from distrl.envs.healthcare.world.bloods import Body, Values
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.frame import Frame
from distrl.envs.healthcare.world.labs import LABS, TESTS, result
from distrl.envs.healthcare.world.people import ADULT_YEARS
from distrl.envs.healthcare.world.records import LabResult, Medication

ROUTINE = ("Complete Blood Count", "Basic Metabolic Panel")
# Tests of an ordinary laboratory that any patient could have.
AT_HAND = (
    *ROUTINE, "Liver Function Tests", "Coagulation Panel", "Urinalysis", "Troponin", "D-dimer", "BNP",
    "Lactate", "C-reactive Protein", "Procalcitonin", "Lipase", "Magnesium", "Phosphate",
    "Thyroid Function Tests", "Creatine Kinase", "Arterial Blood Gas", "Hemoglobin A1c",
)  # fmt: skip
FERTILE = (12.0, 55.0)
THERAPEUTIC_INR = (2.5, 0.3)
# Between two samples of one person: half a healthy sd in all, nothing where health has no spread.
_NOISE = {lab.short: 0.5 * lab.usual[1] for lab in LABS.values()}
_ORDER = tuple(LABS)
_LEVELS = bloods.SEEN_ONLY_ON_DRUG


def lab_record(
    frame: Frame, body: Body, baseline: Values, touched: set[str], drugs: list[Medication], spo2: int | None
) -> tuple[list[LabResult], list[LabResult]]:
    """(results on the record, oldest first; results that an order brings)."""
    rng = frame.rng("labs")
    taken = {m["drug"] for m in drugs if m["status"] == "active"}
    usual, marked = dict(baseline), set(touched)
    if "warfarin" in taken:
        usual["inr"] = max(2.0, min(3.2, rng.gauss(*THERAPEUTIC_INR)))
        marked.add("inr")
    found = _earlier(frame, body, usual, marked, taken)
    now_values, now_marked = dict(usual), set(marked)
    condition = frame.condition
    if condition.acute:
        bias = bloods.SEVERITY_BIAS[frame.severity]
        shifts = {**condition.labs, **condition.unmeasured}
        now_marked |= bloods.apply(rng, now_values, shifts, bias=bias)
    full = bloods.complete(rng, now_values, now_marked, body, spo2)
    shown = _codes(ROUTINE) | set(condition.labs) if condition.acute or condition.labs else set()
    shown |= {code for c in condition.labs for code in _panel(c)}
    at = (frame.now - datetime.timedelta(minutes=40)).isoformat(timespec="minutes")
    found += _results(frame, full, shown, at, taken)
    wanted = _codes(AT_HAND) | set(condition.unmeasured)
    for key in (condition.key, *condition.differential, *frame.chronic):
        other = CONDITIONS[key]
        wanted |= _codes(other.workup) | set(other.labs) | set(other.unmeasured)
    wanted |= {code for c in wanted for code in _panel(c)}
    hidden = _results(frame, full, wanted - shown, frame.now.isoformat(timespec="minutes"), taken)
    return found, hidden


def _earlier(frame: Frame, body: Body, usual: Values, marked: set[str], taken: set[str]) -> list[LabResult]:
    """One to three samples of the past year and a half, near the person's usual values."""
    rng = frame.rng("earlier")
    codes = _codes(ROUTINE) if frame.age_years >= 1 else set()
    for key in frame.illnesses:
        codes |= _codes(CONDITIONS[key].workup) | set(CONDITIONS[key].labs)
    codes |= {code for c in codes for code in _panel(c)}
    if not frame.illnesses and frame.age_years < 40 and rng.random() < 0.4:
        return []
    count = rng.choice((1, 2, 2, 3)) if frame.age_years >= 2 else 1
    least = 30 if frame.age_years >= 2 else 10
    most = 500 if frame.age_years >= 2 else max(11, int(frame.age_years * 200))
    days = sorted(rng.sample(range(least, most), min(count, most - least)), reverse=True)
    found: list[LabResult] = []
    lived = (frame.now.date() - frame.birth).days
    for day in (d for d in days if d < lived):
        values = {short: value + _NOISE[short] * (rng.random() - 0.5) for short, value in usual.items()}
        values.pop("egfr", None)
        full = bloods.complete(rng, values, marked - {"egfr"}, body, 97)
        if frame.pregnant_weeks is not None:
            full.pop("hcg", None)
        moment = frame.now - datetime.timedelta(days=day, minutes=rng.randrange(240))
        found += _results(frame, full, codes, moment.isoformat(timespec="minutes"), taken)
    return found


def _codes(tests: tuple[str, ...]) -> set[str]:
    return {code for test in tests for code in TESTS[test]}


def _panel(code: str) -> tuple[str, ...]:
    """All codes of the test that measures this one."""
    return TESTS[LABS[code].test]


def _results(frame: Frame, values: Values, codes: set[str], at: str, taken: set[str]) -> list[LabResult]:
    found = []
    for code in _ORDER:
        short = LABS[code].short
        if code not in codes or short not in values or not _measurable(frame, short, taken):
            continue
        if short == "ldl" and values["tg"] >= 400:  # Friedewald does not hold
            continue
        found.append(result(code, values[short], at, frame.sex, frame.age_years))
    return found


def _measurable(frame: Frame, short: str, taken: set[str]) -> bool:
    """Whether the value means something in this person: a drug's level only in who takes it."""
    if short in _LEVELS:
        return _LEVELS[short] in taken
    if short == "hcg":
        return frame.sex == "female" and FERTILE[0] <= frame.age_years <= FERTILE[1]
    return short != "egfr" or frame.age_years >= ADULT_YEARS
