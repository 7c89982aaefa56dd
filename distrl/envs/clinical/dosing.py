"""Doses by kidney function: factor and interval from creatinine clearance, as data.

Each drug has rows (lower bound of CrCl in mL/min, dose factor, interval, advice) in falling order. Sources:
- vancomycin: interval extension as in Matzke GR, Antimicrob Agents Chemother 1984;25:433 and Rybak MJ, Am
  J Health Syst Pharm 2020;77:835 (AUC-guided monitoring). The factor 0.65 at q24h and its advice in the
  moderate tier are those of the published example of this tool set; 0.85, 0.5 and 0.5 are set around it
  (decision).
- gentamicin: Aronoff GR, "Drug Prescribing in Renal Failure", 5th ed., 2007: 60-90 % q8-12h above 50
  mL/min, 30-70 % q12h at 10-50, 20-30 % q24-48h below 10; one value of each range (decision).
- amoxicillin: US label: no change at 30 or more; below, at most 500 mg a dose, q12h at 10-30, q24h below 10.
- metformin: FDA Drug Safety Communication, 8 April 2016: not below 30, not to be started at 30-45. The
  label reads eGFR; creatinine clearance stands for it here. Half dose at 30-45: ADA-KDIGO consensus,
  de Boer IH, Diabetes Care 2022;45:3075.
- lisinopril: US label: full dose above 30, half at 10-30, 2.5 mg for 10 (a quarter) below 10.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from distrl.envs.clinical.bands import above

DOSES_PER_DAY = {
    "q6h": 4.0,
    "q8h": 3.0,
    "tid": 3.0,
    "q12h": 2.0,
    "bid": 2.0,
    "q24h": 1.0,
    "daily": 1.0,
    "q48h": 0.5,
}


@dataclass(frozen=True, kw_only=True)
class DoseRow:
    """What holds from `crcl_from` mL/min up to the row above. Factor 0 means: do not give."""

    crcl_from: float
    factor: float
    interval: str
    advice: str
    most_mg: float = math.inf  # a single dose that the label does not let be passed


def _rows(*rows: tuple[float, float, str, str]) -> tuple[DoseRow, ...]:
    return tuple(DoseRow(crcl_from=c, factor=f, interval=i, advice=a) for c, f, i, a in rows)


NONE = "No renal adjustment"
BOTH = "Reduce dose, extend interval"
RENAL_DOSES: dict[str, tuple[DoseRow, ...]] = {
    "vancomycin": _rows(
        (90, 1.0, "q12h", NONE),
        (60, 0.85, "q12h", "Reduce dose"),
        (30, 0.65, "q24h", BOTH),
        (15, 0.5, "q48h", f"{BOTH}, dose by level"),
        (0, 0.5, "q48h", f"{BOTH}, redose only by level"),
    ),
    "gentamicin": _rows(
        (90, 1.0, "q8h", NONE),
        (60, 0.8, "q12h", BOTH),
        (30, 0.6, "q12h", f"{BOTH}, dose by level"),
        (15, 0.4, "q24h", f"{BOTH}, dose by level"),
        (0, 0.25, "q48h", f"{BOTH}, redose only by level"),
    ),
    "amoxicillin": (
        DoseRow(crcl_from=30, factor=1.0, interval="q8h", advice=NONE),
        DoseRow(crcl_from=10, factor=1.0, interval="q12h", advice="Extend interval", most_mg=500.0),
        DoseRow(crcl_from=0, factor=1.0, interval="q24h", advice="Extend interval", most_mg=500.0),
    ),
    "metformin": _rows(
        (60, 1.0, "q12h", NONE),
        (45, 1.0, "q12h", "Monitor renal function"),
        (30, 0.5, "q12h", "Do not start, halve an existing dose"),
        (0, 0.0, "q12h", "Do not give: lactic acidosis"),
    ),
    "lisinopril": _rows(
        (above(30), 1.0, "q24h", NONE),
        (10, 0.5, "q24h", "Reduce dose, check potassium"),
        (0, 0.25, "q24h", "Reduce dose, check potassium"),
    ),
}
# Oral vancomycin is not absorbed: for C. difficile only, q6h, no renal adjustment (IDSA/SHEA, Johnson S,
# Clin Infect Dis 2021).
ORAL_VANCOMYCIN = DoseRow(crcl_from=0, factor=1.0, interval="q6h", advice="Not absorbed, C. difficile only")

ROUTES = {
    "vancomycin": ("IV", "PO"),
    "gentamicin": ("IV", "IM"),
    "amoxicillin": ("PO",),
    "metformin": ("PO",),
    "lisinopril": ("PO",),
}
# A first dose that fills the volume of distribution does not depend on elimination; other drugs have none.
HAS_LOADING_DOSE = frozenset({"vancomycin", "gentamicin"})
# Largest sensible single dose, mg/kg: vancomycin loading 35 (Rybak 2020), gentamicin extended-interval 7
# (Nicolau 1995).
MAX_MG_PER_KG = {"vancomycin": 35.0, "gentamicin": 7.0}
# Largest sensible day by vein or muscle, mg/kg: vancomycin 20 every 8 h (Rybak 2020); gentamicin as one
# extended-interval dose.
MAX_MG_PER_KG_DAY = {"vancomycin": 60.0, "gentamicin": 7.0}


def dose_row(drug: str, route: str, crcl: float) -> DoseRow:
    """The row of `drug` that holds at this creatinine clearance. KeyError for a drug without a table."""
    if drug == "vancomycin" and route == "PO":
        return ORAL_VANCOMYCIN
    rows = RENAL_DOSES[drug]
    return next((row for row in rows if crcl >= row.crcl_from), rows[-1])


def heavy_dose(drug: str, route: str, dose_mg: float, interval: str, weight_kg: float, loading: bool) -> str:
    """A warning where one dose, or a day of them, passes what is sensible for the weight; else ""."""
    if drug not in MAX_MG_PER_KG:
        return ""
    if dose_mg > MAX_MG_PER_KG[drug] * weight_kg:
        return f"above {MAX_MG_PER_KG[drug]:g} mg/kg"
    day_mg = dose_mg * DOSES_PER_DAY[interval]
    heavy = day_mg > MAX_MG_PER_KG_DAY[drug] * weight_kg and not loading and route != "PO"
    return f"above {MAX_MG_PER_KG_DAY[drug]:g} mg/kg a day" if heavy else ""


def too_often(row: DoseRow, ordered: str | None, loading: bool) -> str:
    """A warning where the prescriber's interval undoes a renal adjustment; else ""."""
    if ordered is None or loading or row.advice == NONE:
        return ""
    more = DOSES_PER_DAY[ordered] > DOSES_PER_DAY[row.interval]
    return f"ordered more often than the renal interval {row.interval}" if more else ""


def capped_dose(dose_mg: float, interval: str, max_daily_mg: float | None, loading: bool) -> float:
    """`dose_mg`, lowered so that a day's doses stay within the limit (a loading dose counts once)."""
    if max_daily_mg is None:
        return dose_mg
    per_day = 1.0 if loading else max(1.0, DOSES_PER_DAY[interval])
    return min(dose_mg, max_daily_mg / per_day)
