"""Notes from statements: distractors are added, then one of several styles sets everything into text.

draws -> statements -> [notes -> GeneratedTasks] -> MedCalcEnv -> rewards

Training styles are `discharge`, `soap`, `table`, `referral` and `vignette`; the held-out split alone has
`handover`, besides wordings of its own in every table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from distrl.envs.clinical.calculators import CALCULATORS, Category
from distrl.envs.medcalc.generator import phrases, phrases_around
from distrl.envs.medcalc.generator.draws import parameters
from distrl.envs.medcalc.generator.phrases import Forms, forms
from distrl.envs.medcalc.generator.statements import Kind, Statement, Writer, shown_text

TRAIN_STYLES = ("discharge", "soap", "table", "referral", "vignette")
HELDOUT_STYLES = ("handover",)


class Style(NamedTuple):
    """How a note is laid out. `blocks` are (heading, sections of statements)."""

    opening: Forms  # {who} {Who} {reason}
    blocks: tuple[tuple[str, tuple[str, ...]], ...]
    voice: str  # "prose" | "terse"
    figures: str  # of quantities: "prose" | "terse" | "table"
    closing: Forms


_FINDINGS = ("history", "symptoms", "exam", "remarks")
STYLES = {
    "discharge": Style(
        forms(
            "Discharge summary. The patient, {who}, was admitted for {reason}."
            " | DISCHARGE SUMMARY\n{Who} was admitted to our ward for {reason}. || -"
        ),
        (
            ("History", ("history", "symptoms")),
            ("Findings on admission", ("vitals", "exam")),
            ("Laboratory", ("labs",)),
            ("Treatment", ("medications", "support")),
            ("Course", ("remarks",)),
        ),
        "prose",
        "prose",
        forms("Discharged in stable condition. | Follow-up with the family doctor. | - || -"),
    ),
    "soap": Style(
        forms("S: {who}, here for {reason}. | Subjective: {who}; reason {reason}. || -"),
        (
            ("", ("symptoms", "history", "medications", "remarks")),
            ("O", ("vitals", "exam", "labs", "support")),
        ),
        "terse",
        "terse",
        forms("A/P: observe, discuss on rounds. | A: as above. P: see orders. | - || -"),
    ),
    "table": Style(
        forms("Patient: {who}\nReason: {reason} | Record of {who}. Indication: {reason}. || -"),
        (
            ("Results", ("vitals", "labs", "support")),
            ("Remarks", ("history", "symptoms", "exam", "medications", "remarks")),
        ),
        "prose",
        "table",
        forms("- | End of report. || -"),
    ),
    "referral": Style(
        forms(
            "Dear colleague,\nthank you for seeing {who}, referred for {reason}."
            " | Dear Doctor,\nI refer to you {who} because of {reason}. || -"
        ),
        (
            ("", ("history", "symptoms", "remarks")),
            ("", ("exam", "vitals", "labs")),
            ("", ("medications", "support")),
        ),
        "prose",
        "prose",
        forms("With kind regards | Many thanks for your opinion. | Yours sincerely || -"),
    ),
    "vignette": Style(
        forms("{Who} comes in for {reason}. | {Who} is seen for {reason}. || -"),
        (("", (*_FINDINGS[:2], "medications", "support", *_FINDINGS[2:], "vitals", "labs")),),
        "prose",
        "prose",
        forms("- || -"),
    ),
    "handover": Style(
        forms("- || Situation: {who}; {reason}. | Situation - {who}, with us for {reason}."),
        (
            ("Background", ("history", "medications")),
            ("Assessment", ("symptoms", "exam", "vitals", "labs", "support")),
            ("Further", ("remarks",)),
        ),
        "prose",
        "terse",
        forms("- || Recommendation: review by the day team. | Recommendation: continue the plan."),
    ),
}

FRAMES: dict[tuple[str, str, Kind], Forms] = {  # (voice, section, kind) -> sentences with a {list}
    key: forms(cell)
    for key, cell in {
        ("prose", "history", Kind.PRESENT): "The past medical history includes {list}."
        " | Medical history: {list}."
        " | Known conditions: {list}. || Background conditions comprise {list}.",
        ("prose", "history", Kind.ABSENT): "There is no history of {list}. | {He} has no history of {list}."
        " | The records show no {list}. || Nothing on file suggests {list}.",
        ("prose", "symptoms", Kind.PRESENT): "{He} reports {list}. | The complaints include {list}."
        " || Complaints given: {list}.",
        ("prose", "symptoms", Kind.ABSENT): "{He} denies {list}. | There has been no {list}."
        " || When asked, {he} reports no {list}.",
        ("prose", "exam", Kind.PRESENT): "Examination shows {list}. | On examination: {list}."
        " || Seen on examination: {list}.",
        ("prose", "exam", Kind.ABSENT): "There is no {list}. | Examination finds no {list}."
        " || The examiner noted no {list}.",
        ("prose", "medications", Kind.PRESENT): "Current treatment: {list}. | {He} takes {list}."
        " || Drug chart: {list}.",
        ("prose", "medications", Kind.ABSENT): "{He} does not take {list}. | Not taken: {list}."
        " || The drug chart does not list {list}.",
        ("prose", "vitals", Kind.QUANTITY): "On arrival: {list}."
        " | Vital signs and measurements on admission: {list}."
        " || Observations at arrival: {list}.",
        ("prose", "labs", Kind.QUANTITY): "Laboratory tests on admission: {list}. | Initial results: {list}."
        " || Bloods at arrival: {list}.",
        ("prose", "support", Kind.QUANTITY): "Running infusions: {list}. | Circulatory support: {list}."
        " || Pumps: {list}.",
        ("terse", "history", Kind.PRESENT): "PMH: {list}. | Hx: {list}. || -",
        ("terse", "history", Kind.ABSENT): "No hx of {list}. | PMH negative for {list}. || -",
        ("terse", "symptoms", Kind.PRESENT): "C/o {list}. | Reports {list}. || -",
        ("terse", "symptoms", Kind.ABSENT): "Denies {list}. | No {list}. || -",
        ("terse", "exam", Kind.PRESENT): "Exam: {list}. | O/E {list}. || -",
        ("terse", "exam", Kind.ABSENT): "Exam: no {list}. | O/E no {list}. || -",
        ("terse", "medications", Kind.PRESENT): "Meds: {list}. | Rx: {list}. || -",
        ("terse", "medications", Kind.ABSENT): "Not on {list}. | Does not take {list}. || -",
        ("terse", "vitals", Kind.QUANTITY): "VS: {list}. | Vitals/measurements: {list}. || Obs: {list}.",
        ("terse", "labs", Kind.QUANTITY): "Labs: {list}. | Lab: {list}. || Bloods: {list}.",
        ("terse", "support", Kind.QUANTITY): "Drips: {list}. | Infusions: {list}. || Pumps: {list}.",
    }.items()
}
NEWLINE_AFTER = {"table": "\n"}  # after a heading and after figures; else a blank
# Quantities that have no second value in a note, and those that move little.
INFUSED = ("dopamine", "dobutamine", "epinephrine", "norepinephrine")
STEADY = frozenset({"height", "gcs", "ph", "temperature", "spo2", "fio2", *INFUSED})
NARROW = frozenset({"sodium", "chloride"})


def compose(writer: Writer, style: str, *, distractors: bool) -> str:
    """The note of a patient's statements in one style; with distractors, they join the statements first."""
    if distractors:
        _distract(writer)
    layout = STYLES[style]
    who = next(s.text for s in writer.statements if s.kind is Kind.WHO)
    fields = {
        "who": who,
        "Who": who[0].upper() + who[1:],
        "reason": writer.pick(phrases_around.REASONS[writer.patient.id]),
    }
    parts = [writer.pick(layout.opening).format(**fields)]
    groups: dict[str, list[Statement]] = {}
    for statement in writer.statements:
        groups.setdefault(statement.section, []).append(statement)
    joint = " " if layout.figures == "prose" else "\n"
    for heading, sections in layout.blocks:
        texts = [
            _section(writer, layout, section, groups[section]) for section in sections if section in groups
        ]
        if texts:
            start = f"{heading}:{NEWLINE_AFTER.get(layout.figures, ' ')}" if heading else ""
            parts.append(start + joint.join(texts))
    closing = writer.pick(layout.closing)
    return "\n".join([*parts, closing] if closing != "-" else parts)


def _section(writer: Writer, layout: Style, section: str, mine: list[Statement]) -> str:
    """The text of one section: figures first, then what is there, what is not, and whole sentences."""
    writer.rng.shuffle(mine)
    by_kind: dict[Kind, list[Statement]] = {}
    for statement in mine:
        by_kind.setdefault(statement.kind, []).append(statement)
    texts = []
    for kind, joint in ((Kind.PRESENT, " and "), (Kind.ABSENT, " or ")):
        if kind in by_kind:
            words = _listed([s.text for s in by_kind[kind]], joint if layout.voice == "prose" else ", ")
            texts.append(_framed(writer, (layout.voice, section, kind), words))
    words = " ".join(texts + [s.text for s in by_kind.get(Kind.SENTENCE, ())])
    if Kind.QUANTITY not in by_kind:
        return words
    figures = _figures(writer, layout, section, by_kind[Kind.QUANTITY])
    return f"{figures}{NEWLINE_AFTER.get(layout.figures, ' ')}{words}".rstrip()


def _figures(writer: Writer, layout: Style, section: str, quantities: Sequence[Statement]) -> str:
    if layout.figures == "table":
        return "\n".join(f"{s.short} | {s.text}" for s in quantities)
    if layout.figures == "terse":
        return _framed(
            writer, ("terse", section, Kind.QUANTITY), ", ".join(f"{s.short} {s.text}" for s in quantities)
        )
    items = [writer.pick(phrases.PROSE_VALUE).format(label=s.long, value=s.text) for s in quantities]
    return _framed(writer, ("prose", section, Kind.QUANTITY), _listed(items, " and "))


def _framed(writer: Writer, key: tuple[str, str, Kind], words: str) -> str:
    he = "she" if writer.female else "he"
    return writer.pick(FRAMES[key]).format(list=words, he=he, He=he.capitalize())


def _listed(items: Sequence[str], joint: str) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + joint + items[-1]


def _distract(writer: Writer) -> None:
    """Two to five facts that decide nothing, chosen so that none speaks about an argument."""
    for add in writer.rng.sample(_DISTRACTORS, writer.rng.randint(2, 5)):
        add(writer)


def _other_time(cell: Forms, least: int, most: int) -> Callable[[Writer], None]:
    """A stated quantity at another time, earlier or after treatment, with a figure of its own."""

    def state(writer: Writer) -> None:
        stated = [s for s in writer.statements if s.name and s.tells and s.name not in STEADY]
        if not stated:
            return
        statement = writer.rng.choice(stated)
        surface = next(s for s in phrases.QUANTITIES[statement.name].surfaces if s.unit == statement.unit)
        factors = (0.95, 0.97, 1.02, 1.04) if statement.name in NARROW else (0.8, 0.86, 0.92, 1.06, 1.12, 1.2)
        figure = round(statement.shown * writer.rng.choice(factors), surface.digits)
        n, value = writer.rng.randint(least, most), shown_text(figure, surface)
        writer.say("remarks", cell, n=n, label=statement.long, value=value)

    return state


def _taken(writer: Writer) -> set[str]:
    return {p.name for p in parameters(writer.patient.id)}


def _spare_vital(writer: Writer) -> None:
    taken = _taken(writer)
    free = [
        name
        for name, parts in phrases_around.SPARE_VITALS.items()
        if name not in taken and not any(part in t for part in parts for t in taken)
    ]
    if free:
        name = writer.rng.choice(free)
        normal = {
            "heart_rate": 78,
            "respiratory_rate": 15,
            "spo2": 97,
            "temperature": 36.8,
            "systolic_bp": 124,
        }
        writer.quantity(name, normal[name] * writer.rng.uniform(0.985, 1.01), ())


def _spare_lab(writer: Writer) -> None:
    """A result that nobody asked for; where findings count, one that speaks of no disease."""
    taken = _taken(writer)
    plain = CALCULATORS[writer.patient.id].category in (Category.LAB, Category.PHYSICAL)
    plain = plain and all(p.kind == "quantity" for p in parameters(writer.patient.id))
    free = [name for name in phrases_around.SPARE_LABS if name not in taken]
    if plain and free and writer.yes(0.7):
        name = writer.rng.choice(free)
        writer.quantity(name, writer.patient[name], ())
        return
    label, low, high, digits, unit = writer.rng.choice(phrases_around.HARMLESS_LABS)
    text = f"{writer.rng.uniform(low, high):.{digits}f} {unit}"
    if all(s.long != label for s in writer.statements):
        writer.add(Kind.QUANTITY, "labs", text, long=label, short=label)


def _relative(writer: Writer) -> None:
    taken = _taken(writer)
    free = [
        cell
        for cell, forbidden in phrases_around.RELATIVES
        if not any(part in name for part in forbidden for name in taken)
    ]
    writer.say("remarks", writer.rng.choice(free))


def _social(writer: Writer) -> None:
    grown = writer.patient["age"] >= 18
    writer.say("remarks", phrases_around.SOCIAL if grown else phrases_around.CHILD_SOCIAL)


def _harmless(section: str, cell: Forms) -> Callable[[Writer], None]:
    return lambda writer: writer.add(Kind.PRESENT, section, writer.pick(cell))


_DISTRACTORS: tuple[Callable[[Writer], None], ...] = (
    _other_time(phrases_around.EARLIER, 3, 14),
    _other_time(phrases_around.LATER, 2, 6),
    _spare_vital,
    _spare_lab,
    _spare_lab,
    _relative,
    _social,
    _harmless("history", phrases_around.HARMLESS_HISTORY),
    _harmless("medications", phrases_around.HARMLESS_DRUGS),
    _harmless("exam", phrases_around.HARMLESS_EXAM),
)
