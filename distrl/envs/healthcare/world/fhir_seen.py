"""FHIR Observations to laboratory results, vital signs, body size and habits.

[Observation] -> fhir_in.patient_of

Units are turned into the record's where they can be; an analyte of another unit keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable

from distrl.envs.clinical import quantity
from distrl.envs.healthcare.world import fhir_codes as fc
from distrl.envs.healthcare.world.fhir_read import Json, code_of, first, text_of, when
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.records import LabResult, Social, VitalSigns

WEIGHT_UNITS = {"kg": 1.0, "g": 0.001, "[lb_av]": 0.45359237, "lb": 0.45359237}
HEIGHT_UNITS = {"cm": 1.0, "m": 100.0, "[in_i]": 2.54, "in": 2.54}
_BODY = frozenset(
    [
        fc.WEIGHT[0],
        fc.HEIGHT[0],
        fc.GESTATION[0],
        fc.PACK_YEARS[0],
        fc.ALSO_SPO2,
        *(c for c, _, _ in fc.VITALS.values()),
    ]
)


def measure(seen: Iterable[Json], code: str, units: dict[str, float]) -> float | None:
    """The latest value in the record's unit; None where there is none or its unit is unknown."""
    for row in sorted(_by_code(seen, code), key=when, reverse=True):
        given = _quantity(row)
        if given is not None and given[1] in units:
            factor = units[given[1]]
            return given[0] if factor == 1.0 else round(given[0] * factor, 1)
    return None


def weeks(seen: Iterable[Json]) -> int | None:
    rows = sorted(_by_code(seen, fc.GESTATION[0]), key=when)
    given = _quantity(rows[-1]) if rows else None
    return None if given is None else int(given[0])


def lab_of(seen: Json) -> LabResult | None:
    code, given = code_of(seen.get("code", {}), fc.LOINC), _quantity(seen)
    categories = {c.get("code") for concept in seen.get("category", []) for c in concept.get("coding", [])}
    if not code or given is None or code in _BODY or (code not in LABS and "laboratory" not in categories):
        return None
    lab = LABS.get(code)
    shown = str(seen["valueQuantity"].get("unit") or given[1])
    value, unit = given[0], shown
    scale = 1.0
    if lab is not None and given[1] in (lab.ucum, lab.unit):
        unit = lab.unit
    elif lab is not None and (turned := _turned(value, given[1], lab.unit, lab.name)) is not None:
        scale = turned / value if value else 1.0
        value, unit = round(turned, lab.decimals), lab.unit
    span = first(seen.get("referenceRange"))
    low, high = ((span.get(end) or {}).get("value") for end in ("low", "high"))
    return {
        "code": code,
        "name": lab.name if lab else text_of(seen.get("code")),
        "panel": lab.panel if lab else "",
        "value": value,
        "unit": unit,
        "low": None if low is None else float(low) * scale,
        "high": None if high is None else float(high) * scale,
        "at": when(seen),
    }


def _turned(value: float, unit: str, wanted: str, name: str) -> float | None:
    try:
        return quantity.convert(value, unit, wanted, name.lower())
    except (ValueError, KeyError):
        return None


def vitals_of(seen: list[Json]) -> list[VitalSigns]:
    """Signs of one time make one set, oldest first."""
    fields = {code: field for field, (code, _, _) in (fc.VITALS | fc.PRESSURES).items()}
    fields[fc.ALSO_SPO2] = "spo2_percent"
    sets: dict[str, dict[str, float]] = {}
    for row in seen:
        for part in (row, *row.get("component", [])):
            field, given = fields.get(code_of(part.get("code", {}), fc.LOINC)), _quantity(part)
            if field is None or given is None:
                continue
            value = (given[0] - 32.0) / 1.8 if given[1] == "[degF]" else given[0]
            sets.setdefault(when(row), {})[field] = (
                round(value, 1) if field == "temperature_c" else round(value)
            )
    empty = dict.fromkeys([*fc.VITALS, *fc.PRESSURES])
    return [{"at": at, **empty, **values} for at, values in sorted(sets.items())]  # type: ignore[typeddict-item]


def social_of(seen: list[Json]) -> Social:
    texts = {
        code_of(o.get("code", {}), f"{fc.OWN}social"): o
        for o in seen
        if code_of(o.get("code", {}), f"{fc.OWN}social")
    }
    pack_years = [q[0] for o in _by_code(seen, fc.PACK_YEARS[0]) if (q := _quantity(o)) is not None]
    drinks = _quantity(texts["drinks_per_week"]) if "drinks_per_week" in texts else None
    rows = sorted(_by_code(seen, fc.SMOKING[0]), key=when)
    words = text_of(rows[-1].get("valueCodeableConcept")).lower() if rows else ""
    smoking = next((w for w in ("never", "former", "current") if w in words), "unknown")
    if smoking == "unknown" and "ex-smoker" in words:
        smoking = "former"
    return {
        "smoking": smoking,  # type: ignore[typeddict-item]
        "pack_years": pack_years[-1] if pack_years else None,
        "drinks_per_week": drinks[0] if drinks else None,
        "occupation": str(texts.get("occupation", {}).get("valueString", "")),
        "living": str(texts.get("living", {}).get("valueString", "")),
    }


def _quantity(seen: Json) -> tuple[float, str] | None:
    given = seen.get("valueQuantity")
    if not given or given.get("value") is None:
        return None
    return float(given["value"]), str(given.get("code") or given.get("unit") or "")


def _by_code(seen: Iterable[Json], code: str) -> list[Json]:
    return [o for o in seen if code_of(o.get("code", {}), fc.LOINC) == code]
