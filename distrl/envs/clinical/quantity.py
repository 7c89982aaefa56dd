"""Clinical units: read as people write them, converted by `pint` with the molar masses of the substances.

[quantity] -> MedCalc (reading and grading of answers, notes in other units), healthcare gym

    canonical("mm Hg")                            -> "mmHg"
    convert(44.0, "µmol/L", "mg/dL", "creatinine") -> 0.4976

A unit is looked up in the tables below or read by a short grammar of their symbols (one numerator, at most
two denominators, a power of ten). `pint` is asked once for each symbol; a text never reaches it.

Not covered: compound heights (5 ft 10 in), ambiguous capitals (`G/L` is read as g/L), masses of proteins.
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

MAX_CHARS = 48

# symbol -> (relation to symbols above it, other spellings; case does not count)
UNITS: dict[str, tuple[str, str]] = {
    "g": ("[mass]", "gm gms gram grams"),
    "kg": ("1e3 * g", "kgs kilo kilos kilogram kilograms"),
    "mg": ("1e-3 * g", "mgs milligram milligrams mme"),
    "ug": ("1e-6 * g", "mcg microgram micrograms"),
    "ng": ("1e-9 * g", "nanogram nanograms"),
    "pg": ("1e-12 * g", "picogram picograms"),
    "lb": ("453.59237 * g", "lbs pound pounds"),  # exact: international pound, 1959
    "oz": ("28.349523125 * g", "ounce ounces"),
    "m": ("[length]", "meter meters metre metres"),
    "cm": ("1e-2 * m", "cms centimeter centimeters centimetre centimetres"),
    "mm": ("1e-3 * m", "millimeter millimeters millimetre millimetres"),
    "in": ("0.0254 * m", 'inch inches "'),  # exact: international inch, 1959
    "ft": ("0.3048 * m", "foot feet '"),
    "L": ("1e-3 * m ** 3", "l liter liters litre litres"),
    "dL": ("1e-4 * m ** 3", "deciliter deciliters decilitre"),
    "mL": ("1e-6 * m ** 3", "cc ccs milliliter milliliters millilitre millilitres"),
    "uL": ("1e-9 * m ** 3", "mcl cmm cumm microliter microliters microlitre"),
    "fL": ("1e-18 * m ** 3", "femtoliter femtoliters"),
    "s": ("[time]", "sec secs second seconds"),
    "ms": ("1e-3 * s", "msec msecs millisecond milliseconds"),
    "min": ("60 * s", "mins minute minutes"),
    "h": ("3600 * s", "hr hrs hour hours"),
    "day": ("86400 * s", "d days"),
    "week": ("604800 * s", "wk wks weeks"),
    "month": ("2629800 * s", "months"),  # a twelfth of a Julian year
    "year": ("31557600 * s", "y yr yrs years"),
    "mol": ("[substance]", "mole moles"),
    "mmol": ("1e-3 * mol", "mmols millimole millimoles"),
    "umol": ("1e-6 * mol", "mcmol micromol micromole micromoles"),
    "nmol": ("1e-9 * mol", "nanomole nanomoles"),
    "pmol": ("1e-12 * mol", "picomole picomoles"),
    "Eq": ("[charge]", "equivalent equivalents"),
    "mEq": ("1e-3 * Eq", "meqs milliequivalent milliequivalents"),
    "Osm": ("[osmoles]", ""),
    "mOsm": ("1e-3 * Osm", "mosmol mosmols milliosmole milliosmoles"),
    "U": ("[activity]", "iu unit units"),
    "mU": ("1e-3 * U", "miu"),
    "uU": ("1e-6 * U", "uiu mciu mcu"),
    "mmHg": ("[pressure_head]", "torr"),  # heads and pascals in one dimension of their own
    "kPa": ("7.50061683 * mmHg", "kilopascal kilopascals"),
    "cmH2O": ("0.735559 * mmHg", "cmh20"),
    "K": ("[temperature]; offset: 0", "kelvin"),
    "degC": ("K; offset: 273.15", "c celsius centigrade"),
    "degF": ("5 / 9 * K; offset: 255.3722222222222", "f fahrenheit"),
    "bsa173": ("[body_surface]", ""),  # an index to 1.73 m² is a unit of its own
    "%": ("0.01", "percent pct"),
    "beats": ("[]", "beat"),
    "breaths": ("[]", "breath"),
    "cells": ("[]", "cell"),
    "drinks": ("[]", "drink"),
}

# Whole spellings that the grammar would not reach; keys in lower case with single blanks.
PHRASES: dict[str, str] = {
    **dict.fromkeys(("", "point", "points", "pts", "pt", "score", "dimensionless", "unitless"), ""),
    **dict.fromkeys(("mm hg", "mm of hg", "mm. hg", "millimeters of mercury", "mmhg."), "mmHg"),
    **dict.fromkeys(("bpm", "beats per minute", "beats/minute", "beat per minute", "/min"), "beats/min"),
    **dict.fromkeys(("breaths per minute", "breaths/minute", "respirations per minute"), "breaths/min"),
    **dict.fromkeys(("deg c", "degrees c", "degree celsius", "degrees celsius", "degree c"), "degC"),
    **dict.fromkeys(("degrees celcius", "degrees centigrade", "degc.", "celcius"), "degC"),
    **dict.fromkeys(("deg f", "degrees f", "degree fahrenheit", "degrees fahrenheit", "degree f"), "degF"),
    **dict.fromkeys(("degrees fahreinheit", "degrees farenheit", "farenheit", "fahreinheit"), "degF"),
    **dict.fromkeys(("cm h2o", "cm of h2o", "cm of water"), "cmH2O"),
    **dict.fromkeys(("per cent", "vol%", "% o2"), "%"),
    **dict.fromkeys(("mg mme/day", "mme/day", "mme per day", "mg/day mme"), "mg/day"),
    **dict.fromkeys(("years old", "years of age", "year old", "year-old"), "year"),
    **dict.fromkeys(("square meters", "square meter", "sq m", "m sq", "sqm"), "m^2"),
}
_EXACT = {"mM": "mmol/L", "uM": "umol/L", "nM": "nmol/L", "pM": "pmol/L"}  # capitals count here


@dataclass(frozen=True, kw_only=True)
class Substance:
    """What turns one kind of amount of a substance into another; None where there is no such turn."""

    molar_mass: float | None = None  # g/mol, IUPAC atomic weights
    valence: int | None = None  # Eq/mol
    mol_per_unit: float | None = None  # mol/U


_CHOLESTEROL = Substance(molar_mass=386.65)
_CREATININE = Substance(molar_mass=113.12)
_SODIUM = Substance(molar_mass=22.990, valence=1)
_MONOVALENT = Substance(valence=1)

# Names are those of the calculators' arguments, and of some answers.
SUBSTANCES: dict[str, Substance] = {
    "creatinine": _CREATININE,
    "urine_creatinine": _CREATININE,
    "bun": Substance(molar_mass=28.014),  # the two nitrogens of a molecule of urea
    "glucose": Substance(molar_mass=180.156),
    "bilirubin": Substance(molar_mass=584.66),
    "total_cholesterol": _CHOLESTEROL,
    "hdl": _CHOLESTEROL,
    "ldl": _CHOLESTEROL,
    "triglycerides": Substance(molar_mass=885.4),  # triolein, as is usual
    "hemoglobin": Substance(molar_mass=16114.5),  # one chain with its iron, as laboratories in mmol/L mean it
    "calcium": Substance(molar_mass=40.078, valence=2),
    "sodium": _SODIUM,
    "urine_sodium": _SODIUM,
    "potassium": Substance(molar_mass=39.098, valence=1),
    "chloride": Substance(molar_mass=35.45, valence=1),
    "bicarbonate": Substance(molar_mass=61.017, valence=1),
    "albumin": Substance(),
    # 6.0 nmol a unit: Knopp JL, Holder-Pearson L, Chase JG, J Diabetes Sci Technol 2019;13:597-600.
    "insulin": Substance(mol_per_unit=6.0e-9),
    "anion_gap": _MONOVALENT,  # a difference of monovalent ions
}


class UnitError(ValueError):
    """A unit that is not known, or does not turn into the one asked for; one line with what would do."""


Parsed = tuple[int, tuple[tuple[str, int], ...]]  # power of ten, (symbol, exponent) in order

_SPELLINGS = {
    spelling.lower(): symbol
    for symbol, (_, others) in UNITS.items()
    for spelling in (symbol, *others.split())
    if symbol != "bsa173"
} | {"bsa173": "bsa173", "point": "", "points": ""}
_CHARS = str.maketrans(
    {"µ": "u", "μ": "u", "°": " deg ", "º": " deg ", "·": "*", "⋅": "*", "×": "*", "∙": "*", "’": "'"}
    | {"″": '"', "′": "'", "−": "-", "℃": "degC", "℉": "degF", "\u00a0": " ", "\u202f": " ", "∕": "/"}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_INDEX = re.compile(r"1\.73\s*m\s*\^?\s*2")
_PER = re.compile(r"\s*(?:/|\bper\b)\s*", re.IGNORECASE)
_SCALE = re.compile(r"[x*]?\s*10\s*(?:\^|\*\*?|e)\s*([0-9]{1,2})\s*\*?\s*", re.IGNORECASE)
_FACTOR = re.compile(r"([A-Za-z%\"']+|bsa173|cmH2O|cmh2o)(?:\^?(-?[1-9]))?")
_SCALE_WORDS = {"k": 3, "thou": 3, "thousand": 3, "million": 6, "mil": 6}
_LONGEST = 8.0e307


def canonical(unit: str) -> str | None:
    """The unit as this module writes it: `mg/dL`, `10^9/L`, `mL/min/1.73m^2`, "" for points; None if unknown.

    Never raises; `canonical(canonical(u)) == canonical(u)`.
    """
    return _canonical(unit) if len(unit) <= MAX_CHARS else None


def convert(value: float, unit: str, to: str, substance: str = "") -> float:
    """`value` of `unit` in `to`; `substance` (a key of `SUBSTANCES`) bridges mass, moles, charge and units.

    Raises UnitError for a unit that is not known or does not turn into the other.
    """
    slope, intercept = _linear(unit, to, substance)
    result = slope * value + intercept
    if not abs(result) < _LONGEST:
        raise UnitError(f"{value!r} {unit} is not a quantity that converts to {to}; give a finite number")
    return result


@functools.lru_cache(maxsize=8192)
def _canonical(unit: str) -> str | None:
    parsed = _parse(unit)
    return None if parsed is None else _written(parsed)


def is_symbol(word: str) -> bool:
    """True of one symbol or its spelled-out name (`kg`, `pounds`), whatever its case; cheap."""
    return word.lower().replace("µ", "u").replace("μ", "u") in _SPELLINGS


def _parse(unit: str) -> Parsed | None:
    if len(unit) > MAX_CHARS:
        return None
    text = _SUPERSCRIPT_RUN.sub(lambda m: "^" + m.group().translate(_SUPERSCRIPTS), unit).translate(_CHARS)
    if not text.isascii():
        return None
    text = " ".join(text.split()).rstrip(".")
    phrase = _EXACT.get(text, PHRASES.get(text.lower()))
    text = _INDEX.sub("bsa173", text if phrase is None else phrase)
    if not text:
        return 0, ()
    parts = _PER.split(text)
    if len(parts) > 3:
        return None
    power, factors = 0, list[tuple[str, int]]()
    if scale := _SCALE.match(parts[0]):
        power, parts[0] = int(scale.group(1)), parts[0][scale.end() :]
    elif len(parts) > 1 and parts[0].lower() in _SCALE_WORDS:
        power, parts[0] = _SCALE_WORDS[parts[0].lower()], ""
    for place, part in enumerate(parts):
        read = _factors(part, sign=-1 if place else 1)
        if read is None or (place and not read):
            return None
        factors += read
    return (power, tuple(factors)) if _plausible(power, factors) else None


def _factors(part: str, *, sign: int) -> list[tuple[str, int]] | None:
    """Symbols of one part between slashes, with the sign of their place; None when one is not known."""
    factors = []
    bare = part.strip("() ")
    for piece in re.split(r"[*\s]+", bare) if bare and bare != "1" else ():
        if piece == "deg":
            continue
        match = _FACTOR.fullmatch(piece)
        symbol = _SPELLINGS.get(match.group(1).lower()) if match else None
        if piece.lower() in _SPELLINGS:
            symbol, exponent = _SPELLINGS[piece.lower()], 1
        elif match is None or symbol is None:
            return None
        else:
            exponent = int(match.group(2) or 1)
        if symbol:
            factors.append((symbol, sign * exponent))
    return factors


def _plausible(power: int, factors: list[tuple[str, int]]) -> bool:
    """At least one symbol; one numerator and two denominators at most, no symbol twice: no soup."""
    above = sum(exponent > 0 for _, exponent in factors)
    symbols = {symbol for symbol, _ in factors}
    return above <= 1 and 1 <= len(factors) <= 3 and len(symbols) == len(factors) and power <= 15


def _written(parsed: Parsed) -> str:
    power, factors = parsed

    def one(symbol: str, exponent: int) -> str:
        name = "1.73m^2" if symbol == "bsa173" else symbol
        return name if abs(exponent) == 1 else f"{name}^{abs(exponent)}"

    above = [f"10^{power}"] * bool(power) + [one(s, e) for s, e in factors if e > 0]
    return "".join(["*".join(above)] + ["/" + one(s, e) for s, e in factors if e < 0])


@functools.lru_cache(maxsize=8192)
def _linear(unit: str, to: str, substance: str) -> tuple[float, float]:
    """(slope, intercept) of the conversion."""
    if substance and substance not in SUBSTANCES:
        raise UnitError(f"unknown substance {substance!r}; one of {', '.join(SUBSTANCES)}")
    source, target = _measure(unit), _measure(to)
    for bridge in _bridges(substance):
        if _product(source.dimensions, bridge.dimensions) == target.dimensions:
            slope = source.factor * bridge.factor / target.factor
            intercept = (source.offset - target.offset) / target.factor
            # 15 digits: without the last bit's noise 250 × 10³/µL are 250 × 10⁹/L.
            return float(f"{slope:.15g}"), float(f"{intercept:.15g}")
    about = f" of {substance}" if substance else "; name the substance if it is a mass turned into moles"
    raise UnitError(f"{unit!r} does not turn into {to!r}{about}")


class _Measure(NamedTuple):
    """One unit in root units: value x factor + offset."""

    factor: float
    dimensions: dict[str, float]
    offset: float = 0.0  # of degrees that stand alone


def _product(a: dict[str, float], b: dict[str, float], power: int = 1) -> dict[str, float]:
    """Dimensions of a x b ** power."""
    total = {name: a.get(name, 0.0) + power * b.get(name, 0.0) for name in a.keys() | b.keys()}
    return {name: exponent for name, exponent in total.items() if exponent}


def _measure(unit: str) -> _Measure:
    parsed = _parse(unit)
    if parsed is None:
        raise UnitError(f"unknown unit {unit[:MAX_CHARS]!r}; write it like mg/dL, mmol/L, 10^9/L or mL/min")
    power, factors = parsed
    if not power and len(factors) == 1 and factors[0][1] == 1:
        return _symbol(factors[0][0])
    factor, dimensions = 10.0**power, dict[str, float]()
    for name, exponent in factors:
        symbol = _symbol(name)
        factor *= symbol.factor**exponent
        dimensions = _product(dimensions, symbol.dimensions, exponent)
    return _Measure(factor, dimensions)


def _bridges(substance: str) -> list[_Measure]:
    """No bridge, then products of the substance's turns, each once, either way."""
    known = SUBSTANCES.get(substance, Substance())
    turns = [
        _Measure(
            value * _symbol(above).factor / _symbol(below).factor,
            _product(_symbol(above).dimensions, _symbol(below).dimensions, -1),
        )
        for value, above, below in (
            (known.molar_mass, "g", "mol"),
            (known.valence, "Eq", "mol"),
            (known.mol_per_unit, "mol", "U"),
        )
        if value is not None
    ]
    products = []
    for exponents in itertools.product((0, 1, -1), repeat=len(turns)):
        product = _Measure(1.0, {})
        for turn, exponent in zip(turns, exponents, strict=True):
            dimensions = _product(product.dimensions, turn.dimensions, exponent)
            product = _Measure(product.factor * turn.factor**exponent, dimensions)
        products.append(product)
    return products


@functools.cache
def _symbol(symbol: str) -> _Measure:
    """What pint says of a symbol of `UNITS`, asked once."""
    registry = _registry()
    unit = registry.Unit(_pint_name(symbol))
    zero, one = (registry.Quantity(size, unit).to_root_units().magnitude for size in (0.0, 1.0))
    return _Measure(one - zero, {name: float(power) for name, power in unit.dimensionality.items()}, zero)


def _pint_name(symbol: str) -> str:
    return "percent" if symbol == "%" else symbol


@functools.cache
def _registry() -> Any:
    """The one registry: empty but for `UNITS`; built on first use."""
    import pint

    registry: Any = pint.UnitRegistry(None)
    for symbol, (relation, _) in UNITS.items():
        registry.define(f"{_pint_name(symbol)} = {relation}")
    return registry
