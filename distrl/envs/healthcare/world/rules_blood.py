"""Rules on vital signs and laboratory values: bounds, arithmetic that must hold, agreement with the illness.

Sources: anion gap, Friedewald (Clin Chem 1972;18:499), Henderson-Hasselbalch, CKD-EPI 2021 (N Engl J Med
2021;385:1737) by the shared calculators.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from distrl.envs.clinical.calculators import CalculatorError
from distrl.envs.clinical.calculators.acid_base import anion_gap
from distrl.envs.clinical.calculators.chemistry import serum_osmolality
from distrl.envs.clinical.calculators.kidney import gfr_ckd_epi_2021
from distrl.envs.clinical.calculators.lipids import ldl_cholesterol
from distrl.envs.healthcare.world.bloods import PO2_OF_SPO2
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import LABS, reference_range
from distrl.envs.healthcare.world.people import ADULT_YEARS, at_age
from distrl.envs.healthcare.world.records import VitalSigns
from distrl.envs.healthcare.world.rule import Case, rule
from distrl.envs.healthcare.world.signs import BOUNDS

# Lowest and highest value that a living patient of these tables can have, by short name.
POSSIBLE: dict[str, tuple[float, float]] = {
    "na": (100, 175), "k": (1.8, 9), "cl": (60, 145), "hco3": (2, 50), "cr": (0.1, 20), "bun": (1, 200),
    "glu": (15, 1500), "ca": (5, 18), "mg": (0.5, 8), "phos": (0.5, 14), "wbc": (0.1, 100), "hb": (3, 24),
    "plt": (3, 1500), "mcv": (50, 130), "alb": (1, 6), "ph": (6.8, 7.75), "pco2": (8, 130), "po2": (25, 130),
    "inr": (0.7, 12), "lact": (0.2, 25), "bili": (0, 45), "a1c": (3, 18), "tsh": (0, 150), "ft4": (0.1, 12),
    "trop": (0, 100000), "crp": (0, 600), "ag": (0, 45), "uph": (4.5, 8.5), "usg": (1.001, 1.04),
}  # fmt: skip
LABEL = {"temperature_c": 0.3, "spo2_percent": 1, "gcs": 0.6}  # beyond the condition's range


def latest(case: Case) -> VitalSigns | None:
    return max(case.patient["vitals"], key=lambda v: v["at"], default=None)


@rule
def diastolic_is_below_systolic(case: Case) -> Iterator[str]:
    for signs in case.patient["vitals"]:
        high, low = signs["systolic_mmhg"], signs["diastolic_mmhg"]
        if high is not None and low is not None and low > high - 10:
            yield f"blood pressure {high}/{low} mmHg"


@rule
def vital_signs_are_survivable(case: Case) -> Iterator[str]:
    for signs in case.patient["vitals"]:
        for name, (low, high) in BOUNDS.items():
            value = signs[name]  # type: ignore[literal-required]
            if value is not None and not low <= value <= high:
                yield f"{name} {value}"


@rule
def vital_signs_are_in_order(case: Case) -> Iterator[str]:
    times = [v["at"] for v in case.patient["vitals"]]
    if times != sorted(times) or any(not case.patient["birth_date"] <= t <= case.db["now"] for t in times):
        yield "vital signs out of order, before birth or in the future"


@rule
def vital_signs_fit_the_condition(case: Case) -> Iterator[str]:
    known, signs = CONDITIONS.get(case.condition), latest(case)
    if known is None or signs is None:
        return
    for name, slack in LABEL.items():
        shift, value = known.vitals.get(name), signs[name]  # type: ignore[literal-required]
        if shift is not None and value is not None and not shift.low - slack <= value <= shift.high + slack:
            yield f"{name} {value} in {known.key}"


@rule
def infants_do_not_rate_pain(case: Case) -> Iterator[str]:
    if case.patient["age_years"] < 2 and any(v["pain_0_10"] is not None for v in case.patient["vitals"]):
        yield f"pain rated at {case.patient['age_years']:g} years"


@rule
def labs_are_of_the_table(case: Case) -> Iterator[str]:
    for result in (*case.patient["labs"], *case.hidden):
        lab = LABS.get(result["code"])
        if lab is None:
            yield f"code {result['code']}"
        elif (result["name"], result["unit"]) != (lab.name, lab.unit):
            yield f"{result['name']} in {result['unit']!r}"


@rule
def labs_are_of_the_past(case: Case) -> Iterator[str]:
    for result in case.patient["labs"]:
        if not case.patient["birth_date"] <= result["at"] <= case.db["now"]:
            yield f"{result['name']} of {result['at']}"


@rule
def one_result_a_sample(case: Case) -> Iterator[str]:
    seen = [(r["code"], r["at"]) for r in case.patient["labs"]] + [(r["code"], "") for r in case.hidden]
    if len(seen) != len(set(seen)):
        yield "one analyte twice in one sample"


@rule
def reference_ranges_are_of_age_and_sex(case: Case) -> Iterator[str]:
    person = case.patient
    for result in (*person["labs"], *case.hidden):
        lab = LABS.get(result["code"])
        if lab and (result["low"], result["high"]) != reference_range(
            lab, person["sex"], person["age_years"]
        ):
            yield f"range of {result['name']}: {result['low']} to {result['high']}"


@rule
def lab_values_are_survivable(case: Case) -> Iterator[str]:
    for sample in case.samples:
        for short, value in sample.items():
            low, high = POSSIBLE.get(short, (0.0, math.inf))
            if not low <= value <= high:
                yield f"{short} {value:g}"


def _off(case: Case, needs: str, off: float, what: str, compute: object) -> Iterator[str]:
    """Each sample in which the last of `needs` differs by more than `off` from what the others give."""
    *inputs, shown = needs.split()
    for sample in case.samples:
        if all(name in sample for name in (*inputs, shown)):
            wanted = compute(*(sample[name] for name in inputs))  # type: ignore[operator]
            if wanted is not None and abs(wanted - sample[shown]) > off:
                yield f"{what} {sample[shown]:g} where {wanted:.3g} follows"


@rule
def anion_gap_adds_up(case: Case) -> Iterator[str]:
    def gap(sodium: float, chloride: float, bicarbonate: float) -> float:
        worked = anion_gap(sodium=sodium, chloride=chloride, bicarbonate=bicarbonate)
        return float(worked.value)  # type: ignore[arg-type]

    yield from _off(case, "na cl hco3 ag", 1.01, "anion gap", gap)


@rule
def egfr_follows_creatinine(case: Case) -> Iterator[str]:
    def egfr(creatinine: float) -> float | None:
        try:
            worked = gfr_ckd_epi_2021(
                age=case.patient["age_years"], sex=case.patient["sex"], creatinine=creatinine
            )
        except CalculatorError:
            return None
        return float(worked.value)  # type: ignore[arg-type]

    yield from _off(case, "cr egfr", 1.01, "eGFR", egfr)


@rule
def no_egfr_in_children(case: Case) -> Iterator[str]:
    if case.patient["age_years"] < ADULT_YEARS and any("egfr" in sample for sample in case.samples):
        yield "eGFR of CKD-EPI below 18 years"


@rule
def hematocrit_is_three_times_hemoglobin(case: Case) -> Iterator[str]:
    yield from _off(case, "hb hct", 2.0, "hematocrit", lambda hb: 3.0 * hb)


@rule
def red_cells_give_the_hematocrit(case: Case) -> Iterator[str]:
    yield from _off(case, "rbc mcv hct", 1.0, "hematocrit", lambda rbc, mcv: rbc * mcv / 10.0)


@rule
def white_cells_hold_their_kinds(case: Case) -> Iterator[str]:
    for sample in case.samples:
        parts = [sample[name] for name in ("neut", "lymph", "eos") if name in sample]
        if "wbc" in sample and sum(parts) > sample["wbc"] + 0.25:
            yield f"{sum(parts):.1f} of {sample['wbc']:.1f} white cells"


@rule
def direct_bilirubin_is_a_part(case: Case) -> Iterator[str]:
    for sample in case.samples:
        if sample.get("dbili", 0.0) > sample.get("bili", math.inf) + 0.05:
            yield f"direct bilirubin {sample['dbili']:g} of {sample['bili']:g}"


@rule
def albumin_is_a_part_of_protein(case: Case) -> Iterator[str]:
    for sample in case.samples:
        if sample.get("alb", 0.0) + 1.0 > sample.get("tp", math.inf):
            yield f"albumin {sample['alb']:g} of {sample['tp']:g} g/dL"


@rule
def ldl_is_friedewald(case: Case) -> Iterator[str]:
    def ldl(total: float, hdl: float, fat: float) -> float | None:
        if fat >= 400:
            return None
        worked = ldl_cholesterol(total_cholesterol=total, hdl=hdl, triglycerides=fat)
        return float(worked.value)  # type: ignore[arg-type]

    yield from _off(case, "tc hdl tg ldl", 1.5, "LDL", ldl)


@rule
def ph_is_henderson_hasselbalch(case: Case) -> Iterator[str]:
    yield from _off(
        case, "ahco3 pco2 ph", 0.03, "pH", lambda base, gas: 6.1 + math.log10(base / (0.0307 * gas))
    )


@rule
def bicarbonates_agree(case: Case) -> Iterator[str]:
    yield from _off(case, "hco3 ahco3", 2.01, "arterial bicarbonate", lambda hco3: hco3)


@rule
def osmolality_adds_up(case: Case) -> Iterator[str]:
    def osmolality(sodium: float, bun: float, glucose: float) -> float:
        worked = serum_osmolality(sodium=sodium, bun=bun, glucose=glucose)
        return float(worked.value)  # type: ignore[arg-type]

    yield from _off(case, "na bun glu sosm", 10.0, "osmolality", osmolality)


@rule
def saturation_is_iron_over_binding(case: Case) -> Iterator[str]:
    yield from _off(case, "fe tibc tsat", 1.01, "transferrin saturation", lambda fe, tibc: 100.0 * fe / tibc)


@rule
def prothrombin_time_follows_inr(case: Case) -> Iterator[str]:
    yield from _off(case, "inr pt", 1.3, "prothrombin time", lambda inr: 12.1 * inr)


@rule
def oxygen_follows_saturation(case: Case) -> Iterator[str]:
    signs = latest(case)
    value = next((r["value"] for r in case.hidden if r["code"] == "2703-7"), None)
    if signs is None or value is None or signs["spo2_percent"] is None:
        return
    wanted = at_age(PO2_OF_SPO2, signs["spo2_percent"])
    if abs(value - wanted) > 8:
        yield f"pO2 {value:g} with a saturation of {signs['spo2_percent']} %"


@rule
def labs_show_the_condition(case: Case) -> Iterator[str]:
    """A value of this visit lies in the condition's range, or still farther from health."""
    known = CONDITIONS.get(case.condition)
    if known is None or not known.acute:
        return
    now = {r["code"]: r["value"] for r in case.hidden}
    now |= {r["code"]: r["value"] for r in case.patient["labs"] if r["at"][:10] == case.db["now"][:10]}
    for code, shift in {**known.labs, **known.unmeasured}.items():
        lab = LABS[code]
        if code not in now or lab.short in ("pco2", "po2", "neut", "ahco3"):
            continue
        slack = 10.0**-lab.decimals
        usual = lab.usual[0]
        short = shift.mean >= usual and now[code] < shift.low - slack
        short |= shift.mean < usual and now[code] > shift.high + slack
        if short:
            yield f"{lab.name} {now[code]:g} in {known.key}"


@rule
def hcg_tells_pregnancy(case: Case) -> Iterator[str]:
    for result in case.hidden:
        if result["code"] == "21198-7" and (result["value"] > 25) != (
            case.patient["pregnant_weeks"] is not None
        ):
            yield f"hCG {result['value']:g}"


@rule
def kidney_disease_shows_in_egfr(case: Case) -> Iterator[str]:
    keys = {p["condition"] for p in case.patient["problems"]}
    bound = 15 if "end_stage_renal_disease" in keys else 90 if "chronic_kidney_disease" in keys else None
    if bound is None:
        return
    for sample in case.samples:
        if sample.get("egfr", 0.0) >= bound + 1:
            yield f"eGFR {sample['egfr']:g} in chronic kidney disease"


@rule
def diabetes_shows_in_a1c(case: Case) -> Iterator[str]:
    keys = {p["condition"] for p in case.patient["problems"]}
    if keys & {"diabetes_type_1", "diabetes_type_2"}:
        for sample in case.samples:
            if sample.get("a1c", 7.0) < 5.7:
                yield f"HbA1c {sample['a1c']:g} % in diabetes"
