"""Units of the clinical core: one table of conversion factors, one function.

Place: distrl/envs/clinical is the room of formulas that all three environments read. Every formula in it
takes the conventional (US) unit named by its argument (`_mg_dl`, `_kg`, …); SI values are converted here
first.

Sources: molar masses from the IUPAC atomic weights; creatinine 88.42 µmol/L a mg/dL and the other factors as
in Young DS, Huth EJ, "SI Units for Clinical Measurement", ACP 1998.
"""

from __future__ import annotations

# analyte -> (conventional unit, SI unit, SI value of one conventional unit)
SI_FACTORS: dict[str, tuple[str, str, float]] = {
    "albumin": ("g/dL", "g/L", 10.0),
    "bilirubin": ("mg/dL", "umol/L", 17.104),
    "blood_urea_nitrogen": ("mg/dL", "mmol/L", 0.357),
    "calcium": ("mg/dL", "mmol/L", 0.2495),
    "cholesterol": ("mg/dL", "mmol/L", 0.02586),
    "creatinine": ("mg/dL", "umol/L", 88.42),
    "glucose": ("mg/dL", "mmol/L", 0.05551),
    "hemoglobin": ("g/dL", "g/L", 10.0),
    "triglycerides": ("mg/dL", "mmol/L", 0.01129),
    "height": ("in", "cm", 2.54),
    "weight": ("lb", "kg", 0.45359237),
}


def convert(value: float, analyte: str, unit_from: str, unit_to: str) -> float:
    """`value` of `analyte` in another unit.

    Raises ValueError for an unknown analyte or a unit that the table does not hold for it.
    """
    if analyte not in SI_FACTORS:
        raise ValueError(f"unknown analyte {analyte!r}; known: {', '.join(sorted(SI_FACTORS))}")
    conventional, si, factor = SI_FACTORS[analyte]
    scale = {conventional: 1.0, si: 1.0 / factor}
    for unit in (unit_from, unit_to):
        if unit not in scale:
            raise ValueError(f"unit {unit!r} is not known for {analyte}; use {conventional} or {si}")
    return value * scale[unit_from] / scale[unit_to]


def fahrenheit_to_celsius(value: float) -> float:
    """Degrees Celsius from degrees Fahrenheit."""
    return (value - 32.0) * 5.0 / 9.0
