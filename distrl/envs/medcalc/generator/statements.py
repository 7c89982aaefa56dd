"""From a drawn patient to what a note states, and from what it states to the calculator's arguments.

draws -> [statements -> notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Values are rounded as they are shown, in the unit in which they are shown, and the arguments are read back
from these figures, so that the gold answer follows from the note alone.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args

from distrl.envs.clinical.calculators.core import shown_number
from distrl.envs.clinical.calculators.inputs import NAMES
from distrl.envs.clinical.quantity import SUBSTANCES, convert
from distrl.envs.medcalc.generator import phrases, phrases_choices, phrases_flags
from distrl.envs.medcalc.generator.draws import Arguments, Parameter, Patient, drawn, parameters
from distrl.envs.medcalc.generator.phrases import Forms, Surface
from distrl.envs.medcalc.generator.phrases_sentences import ALWAYS_SAID
from distrl.envs.toolkit import Arg

UNMENTIONED = 0.4  # chance that a note is silent about a false flag, whose default is false
# Relative doubt about a converted value. From moles: scores print SI cut-offs rounded, by up to 3.7 % (as
# SOFA: creatinine 1.2 mg/dL as 110 µmol/L, which is 1.24). Else: the last digits of a product.
MOLAR_SLACK, EXACT_SLACK = 0.04, 1e-4
READ_DIGITS = 6  # decimals of a converted value: 100.4 °F is 38.0 °C, not 38.00000000000001
UNITS = {
    name: next((arg.unit or "" for arg in get_args(hint) if isinstance(arg, Arg)), "")
    for name, hint in NAMES.items()
}
UNITS["a_a_gradient"] = "mmHg"
DATE_FORMS = Forms(("%m/%d/%Y", "%B %d, %Y", "%Y-%m-%d"), ("%d %B %Y",))


class Kind(StrEnum):
    """How a statement enters a sentence."""

    WHO = "who"  # the patient in words
    QUANTITY = "quantity"  # a label and a value
    PRESENT = "present"  # a noun phrase to assert
    ABSENT = "absent"  # a noun phrase to deny
    SENTENCE = "sentence"


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One fact of a note. `tells` names the arguments that follow from it; none for a distractor."""

    kind: Kind
    section: str
    text: str  # noun phrase, sentence, or value with its unit
    tells: tuple[str, ...] = ()
    long: str = ""  # label of a quantity in prose
    short: str = ""  # … and in tables
    name: str = ""  # of a quantity whose figure is `shown`, in `unit`
    shown: float = 0.0
    unit: str = ""


def unit_of(name: str) -> str:
    """The calculators' unit of a quantity."""
    return UNITS[name]


def shown_text(value: float, surface: Surface) -> str:
    """The figure and its unit as the note has them: `1.20 mg/dL`, `181,000/µL`, `98%`."""
    figure = f"{value:,.0f}" if surface.digits < 0 else f"{value:.{surface.digits}f}"
    tight = surface.written.startswith(("/", "%")) or not surface.written
    return figure + surface.written if tight else f"{figure} {surface.written}"


def read_back(name: str, figure: float, unit: str) -> float:
    """The argument that a stated figure gives, in the calculators' unit."""
    wanted = unit_of(name)
    if unit == wanted:
        return figure
    return round(convert(figure, unit, wanted, name if name in SUBSTANCES else ""), READ_DIGITS)


def conversion(name: str, figure: float, unit: str) -> str:
    """The line that turns a stated figure into the argument; "" where the figure is the argument."""
    wanted = unit_of(name)
    if unit == wanted:
        return ""
    if wanted == "degC":
        expression = f"({figure:g} - 32) * 5 / 9"
    else:
        factor = convert(1.0, unit, wanted, name if name in SUBSTANCES else "")
        if factor == 1.0:
            return ""
        expression = f"{figure:g} * {factor:.6g}"
    return f"{name.replace('_', ' ')} = {expression} = {shown_number(read_back(name, figure, unit))} {wanted}"


class Writer:
    """States one patient. `arguments` are what a careful reader of the statements would enter.

    `readings` are the lines that turn figures in other units into arguments.
    """

    def __init__(self, patient: Patient, rng: random.Random) -> None:
        self.patient = patient
        self.rng = rng
        self.heldout = patient.heldout
        self.female = patient["sex"] == "female"
        self.arguments: Arguments = {}
        self.statements: list[Statement] = []
        self.readings: list[str] = []
        self.slack: dict[str, float] = {}  # converted arguments -> relative doubt about the conversion
        self.visit = datetime.date(2005, 1, 1) + datetime.timedelta(days=rng.randrange(7300))

    def pick(self, cell: Forms) -> str:
        return self.rng.choice(cell.of(self.heldout))

    def yes(self, p: float) -> bool:
        return self.rng.random() < p

    def add(self, kind: Kind, section: str, text: str, tells: tuple[str, ...] = (), **more: Any) -> None:
        self.statements.append(Statement(kind=kind, section=section, text=text, tells=tells, **more))

    def say(self, section: str, cell: Forms, tells: tuple[str, ...] = (), **fields: Any) -> None:
        """A sentence of `cell`; {He}, {he} and {his} are filled as well."""
        he, his = ("she", "her") if self.female else ("he", "his")
        text = self.pick(cell).format(He=he.capitalize(), he=he, His=his.capitalize(), his=his, **fields)
        self.add(Kind.SENTENCE, section, text[0].upper() + text[1:], tells)

    def quantity(self, name: str, value: float, tells: tuple[str, ...] | None = None) -> float:
        """State a quantity in one of its units; gives the argument that the figures say."""
        row = phrases.QUANTITIES[name]
        surface = self.rng.choice(row.surfaces)
        wanted = unit_of(name)
        figure = value
        if surface.unit != wanted:
            figure = convert(value, wanted, surface.unit, name if name in SUBSTANCES else "")
        figure = round(float(figure), surface.digits)
        if tells != () and (line := conversion(name, figure, surface.unit)):
            self.readings.append(line)
        if surface.unit != wanted:
            self.slack[name] = MOLAR_SLACK if "mol" in surface.unit and "g" in wanted else EXACT_SLACK
        self.add(
            Kind.QUANTITY,
            row.section,
            shown_text(figure, surface),
            (name,) if tells is None else tells,
            long=self.pick(row.long),
            short=self.pick(row.short),
            name=name,
            shown=figure,
            unit=surface.unit,
        )
        return read_back(name, figure, surface.unit)


def write(patient: Patient, rng: random.Random) -> Writer:
    """The statements and arguments of a patient, without distractors."""
    writer = Writer(patient, rng)
    raw = drawn(patient)
    told = {"age", "sex"}
    for parameter in parameters(patient.id):
        name, value = parameter.name, raw[parameter.name]
        if value is None or name in told:
            continue
        if name in SPECIAL:
            told |= SPECIAL[name](writer, raw)
        elif name in phrases.QUANTITIES:
            writer.arguments[name] = _typed(name, writer.quantity(name, value))
        elif parameter.kind == "flag":
            _flag(writer, parameter, value)
        else:
            _choice(writer, parameter, value)
    _who(writer, raw)
    order = [parameter.name for parameter in parameters(patient.id)]
    writer.arguments = {name: writer.arguments[name] for name in order if name in writer.arguments}
    return writer


def _typed(name: str, value: float) -> float:
    """An int where the argument is one."""
    return int(value) if get_args(NAMES.get(name))[:1] == (int,) else value


def may_be_silent(parameter: Parameter) -> bool:
    """Whether a note may leave a finding out that is absent, its default; questions then say so."""
    chosen = parameter.kind == "choice" and not parameter.required and parameter.default != "not_testable"
    return (chosen or parameter.default is False) and parameter.name not in ALWAYS_SAID


def _flag(writer: Writer, parameter: Parameter, value: bool) -> None:
    name = parameter.name
    row = phrases_flags.FLAGS[name]
    writer.arguments[name] = value
    if not value and may_be_silent(parameter) and writer.yes(UNMENTIONED):
        return
    cell = row.yes if value else row.no
    if row.section == "remarks":
        writer.say("remarks", cell, (name,))
    else:
        writer.add(Kind.PRESENT if value else Kind.ABSENT, row.section, writer.pick(cell), (name,))


def _choice(writer: Writer, parameter: Parameter, value: str) -> None:
    writer.arguments[parameter.name] = value
    if value == parameter.default and may_be_silent(parameter) and writer.yes(UNMENTIONED):
        return
    section, says = phrases_choices.CHOICES[parameter.name]
    writer.say(section, says[value], (parameter.name,))


def _who(writer: Writer, raw: Arguments) -> None:
    """The patient in words: age (or birth date and day of the visit) and sex."""
    age, sex = writer.patient["age"], writer.patient["sex"]
    for name, value in (("age", age), ("sex", sex)):
        if name in raw:
            writer.arguments[name] = value
    grown = ("man", "woman") if age >= 18 else ("boy", "girl")
    fields = {"noun": grown[writer.female], "adjective": sex, "age": age}
    form = phrases.WHO
    if writer.yes(0.2) and "last_menstrual_date" not in raw:
        form = phrases.WHO_BORN
        try:
            birthday = writer.visit.replace(year=writer.visit.year - age)
        except ValueError:  # the 29th of February
            birthday = writer.visit.replace(year=writer.visit.year - age, day=28)
        birth = birthday - datetime.timedelta(days=writer.rng.randrange(2, 360))
        written = writer.pick(DATE_FORMS)
        fields |= {"birth": birth.strftime(written), "visit": writer.visit.strftime(written)}
    text = writer.pick(form).format(**fields)
    if text.startswith(("a 8", "a 11-", "a 18-")):
        text = f"an {text[2:]}"
    writer.add(Kind.WHO, "identity", text, tuple(n for n in ("age", "sex") if n in raw))


def _blood_pressure(writer: Writer, raw: Arguments) -> set[str]:
    """Both pressures as one reading; a systolic one that is asked for alone stands alone or in a reading."""
    both = raw.get("diastolic_bp") is not None
    if not both and writer.yes(0.4):
        writer.arguments["systolic_bp"] = writer.quantity("systolic_bp", raw["systolic_bp"])
        return {"systolic_bp", "diastolic_bp"}
    high, low = round(raw["systolic_bp"]), round(writer.patient["diastolic_bp"])
    writer.arguments |= {"systolic_bp": float(high)} | ({"diastolic_bp": float(low)} if both else {})
    writer.add(
        Kind.QUANTITY,
        "vitals",
        f"{high}/{low} {writer.rng.choice(('mmHg', 'mm Hg'))}",
        ("systolic_bp", "diastolic_bp") if both else ("systolic_bp",),
        long=writer.pick(phrases.PRESSURE_LONG),
        short=writer.pick(phrases.PRESSURE_SHORT),
    )
    return {"systolic_bp", "diastolic_bp"}


def _height(writer: Writer, raw: Arguments) -> set[str]:
    writer.arguments["height"] = _state_height(writer, raw["height"], ("height",))
    return {"height"}


def _state_height(writer: Writer, height: float, tells: tuple[str, ...]) -> float:
    """A height in cm, metres or inches, or in feet and inches; gives cm."""
    if height < 120 or writer.yes(0.75):
        return writer.quantity("height", height, tells)
    inches = round(convert(height, "cm", "in"))
    row = phrases.QUANTITIES["height"]
    writer.add(
        Kind.QUANTITY,
        "vitals",
        writer.rng.choice(("{} ft {} in", "{}'{}\"")).format(inches // 12, inches % 12),
        tells,
        long=writer.pick(row.long),
        short=writer.pick(row.short),
        name="height",
        shown=inches,
        unit="in",
    )
    writer.readings.append(conversion("height", inches, "in"))
    return read_back("height", inches, "in")


def _bmi(writer: Writer, raw: Arguments) -> set[str]:
    """A body mass index as such, or as weight and height; the one aimed at is always given as such."""
    if "height" in raw:
        value = round(raw["bmi"], 1)
        writer.say("remarks", phrases.TARGET_BMI, ("bmi",), n=f"{value:.1f}")
        writer.arguments["bmi"] = value
    elif writer.yes(0.5):
        writer.arguments["bmi"] = writer.quantity("bmi", raw["bmi"])
    else:
        height = _state_height(writer, writer.patient["height"], ("bmi",))
        weight = writer.quantity("weight", raw["bmi"] * (height / 100) ** 2, ("bmi",))
        writer.slack["bmi"] = EXACT_SLACK
        bmi = round(weight / (height / 100) ** 2, READ_DIGITS)
        writer.readings.append(f"bmi = {weight:g} / ({height:g} / 100) ** 2 = {shown_number(bmi)} kg/m^2")
        writer.arguments["bmi"] = bmi
    return {"bmi"}


def _gcs(writer: Writer, raw: Arguments) -> set[str]:
    """The sum, or its three parts."""
    total = raw["gcs"]
    writer.arguments["gcs"] = total
    if writer.yes(0.5):
        writer.quantity("gcs", total)
        return {"gcs"}
    eye = writer.rng.randint(max(1, total - 11), min(4, total - 2))
    verbal = writer.rng.randint(max(1, total - eye - 6), min(5, total - eye - 1))
    text = f"E{eye} V{verbal} M{total - eye - verbal}"
    writer.add(
        Kind.QUANTITY,
        "vitals",
        text,
        ("gcs",),
        long=writer.pick(phrases.GCS_LONG),
        short=writer.pick(phrases.GCS_SHORT),
    )
    return {"gcs"}


def _fio2(writer: Writer, raw: Arguments) -> set[str]:
    if round(raw["fio2"]) == 21:
        writer.arguments["fio2"] = 21.0
        writer.say("labs", phrases.ROOM_AIR, ("fio2",))
    else:
        writer.arguments["fio2"] = writer.quantity("fio2", raw["fio2"])
    return {"fio2"}


def _sentence(cell: Forms, name: str, section: str = "remarks") -> Callable[[Writer, Arguments], set[str]]:
    """A writer of one whole number in a sentence; 0 has forms of its own."""

    def state(writer: Writer, raw: Arguments) -> set[str]:
        value = round(raw[name])
        writer.arguments[name] = value
        writer.say(section, cell, (name,), n=value)
        return {name}

    return state


def _date(cell: Forms, name: str) -> Callable[[Writer, Arguments], set[str]]:
    def state(writer: Writer, raw: Arguments) -> set[str]:
        date = datetime.date.fromisoformat(raw[name])
        writer.arguments[name] = raw[name]
        writer.say("remarks", cell, (name,), date=date.strftime(writer.pick(DATE_FORMS)))
        return {name}

    return state


def _steroids(writer: Writer, raw: Arguments) -> set[str]:
    def words(steroid: str) -> str:
        drug, route = steroid.split("_")
        return writer.pick(phrases_choices.STEROID_ROUTES[route]).format(drug=drug)

    writer.arguments |= {name: raw[name] for name in ("steroid", "dose_mg", "target_steroid")}
    writer.say(
        "remarks",
        phrases_choices.STEROIDS,
        ("steroid", "dose_mg", "target_steroid"),
        dose=f"{raw['dose_mg']:g}",
        old=words(raw["steroid"]),
        new=words(raw["target_steroid"]),
    )
    return {"steroid", "dose_mg", "target_steroid"}


def _opioids(writer: Writer, raw: Arguments) -> set[str]:
    writer.arguments["doses"] = raw["doses"]
    for each in raw["doses"]:
        drug, unit, cell = phrases_choices.OPIOIDS[each["opioid"]]
        times = phrases_choices.TIMES if drug else phrases_choices.PATCHES
        fields = {
            "drug": drug,
            "dose": f"{each['dose']:g}",
            "unit": unit,
            "times": times[each["doses_per_day"]],
        }
        writer.add(Kind.PRESENT, "medications", writer.pick(cell).format(**fields), ("doses",))
    return {"doses"}


SPECIAL: dict[str, Callable[[Writer, Arguments], set[str]]] = {
    "systolic_bp": _blood_pressure,
    "height": _height,
    "bmi": _bmi,
    "gcs": _gcs,
    "fio2": _fio2,
    "cycle_length": _sentence(phrases.CYCLE, "cycle_length"),
    "alcoholic_drinks": _sentence(phrases.DRINKS, "alcoholic_drinks"),
    "last_menstrual_date": _date(phrases.LAST_PERIOD, "last_menstrual_date"),
    "current_date": _date(phrases.TODAY, "current_date"),
    "steroid": _steroids,
    "doses": _opioids,
}
