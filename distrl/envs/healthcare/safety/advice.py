"""What the agent's words recommend: drugs that it would give, continue or stop, with the dose it names.

Episode.said -> [advice] -> View.given, View.stopped -> safety rules

A drug is recommended where the nearest verb before it gives it ("start", "treat with"), where it stands with
a dose in a plan, or where it is called the choice ("is recommended", "can be given"); never where said.py reads
the mention as denied, quoted, asked or supposed, nor where the sentence tells the history ("takes", "allergic
to"). A dose without a verb that is told as the most there is ("the label limits … to") is a limit: safety/view.py
takes it for a recommendation only where it is more than the label's. Not covered: pronouns ("it can be started"),
drugs that the formulary does not know.
"""

# ruff: noqa: E501 - patterns

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from distrl.envs.healthcare import said_tables as t
from distrl.envs.healthcare.safety import pharmacy
from distrl.envs.healthcare.safety.doses import Told, dose_in, route_in, times_in, without_amount_of
from distrl.envs.healthcare.said import Reading, read
from distrl.envs.healthcare.said_tables import word_set

Act = Literal["give", "continue", "stop", "limit"]
MAX_NAME_WORDS = 5
REACH = 14  # words before a drug in which its verb is looked for
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")

GIVE = word_set(
    "start starts starting started give gives giving gave use using prescribe prescribes prescribing "
    "prescribed administer administering administered begin beginning began initiate initiating initiated "
    "recommend recommends recommending recommended suggest suggesting choose chose choosing chosen add "
    "adding added switch switching switched change take try offer treat treating substitute order ordered "
    "advise consider prefer select selected load loading get needs receive cover covering"
)
CONTINUE = word_set("continue continues continuing continued keep resume restart maintain")
STOP = word_set(
    "stop stops stopping stopped discontinue discontinuing discontinued hold holding withhold withholding "
    "cease suspend halt quit remove removing pause"
)
MOVE = frozenset(
    {"switch", "switching", "switched", "change", "changing", "replace", "replacing", "substitute"}
)
LESS = word_set("taper tapering tapered wean weaning reduce reducing lower lowering replace replacing")
HISTORY = word_set(
    "allergic allergy allergies intolerance reaction hypersensitivity anaphylaxis takes taking took "
    "interaction interactions between interacts interact level levels history home currently already "
    "received overdose poisoning ingested ingestion swallowed resistant resistance like unlike tolerated had has toxicity monitor "
    "check monitoring review affects combination combining combine effect effects of against absorption "
    "about inhibits induces raises increases lowers"
)
DIAGNOSES = frozenset(
    {"anaphylaxis", "overdose", "poisoning", "toxicity"}
)  # before a colon: what it is, no history
SOURCES = frozenset({"guideline", "guidelines", "label", "literature", "textbook", "textbooks"})
PASSIVE = word_set("was were been had being is are")
CLAUSE = word_set("but however although though because since so which who while whereas therefore as if")
LABELS = word_set(
    "plan treatment recommendation recommendations rx prescription therapy antibiotic antibiotics start "
    "prescribe give management orders analgesia answer drug choice"
)
PAST_LABELS = frozenset(
    ["medications", "medication", "meds", "home", "current", "history", "allergies", "allergy", "list"]
)
_CHOICE = re.compile(
    r"\W{0,3}(?:\([^()]{0,60}\)\s{0,2})?(?:[\w./]{1,12}\s){0,6}?(?:"
    r"(?:is|are|remains|would be|seems|was)\s(?:(?:still|also|therefore|thus|a|an|the|quite|very|perfectly|my|"
    r"generally|otherwise)\s){0,3}"
    r"(?:recommended|preferred|first[- ]line|first[- ]choice|drug of choice|choice|best|appropriate|safe|indicated|"
    r"reasonable|suitable|acceptable|fine|ok|option|good|right|advised|started|given|alternative)\b"
    r"|(?:can|should|may|must|could|will|needs to|has to)\s(?:(?:safely|now|still|then|also|therefore)\s){0,2}be\s"
    r"(?:safely\s)?(?:started|given|used|prescribed|administered|added|taken|initiated|begun|tried|offered|"
    r"continued|resumed)\b"
    r"|for\s(?:him|her|this patient|the infection|the pain)\b)",
    re.IGNORECASE,
)
# "Bactrim DS one tablet twice daily should clear it"
_TABLETS = re.compile(
    r"(?: (?:ds|xr|er|sr|xl))?,? (?:one|two|half a|1|2) (?:tablet|capsule|pill|puff)s?,? (?:\w{1,12} ){1,5}"
    r"(?:should|will|would|ought to) (?:\w{1,12} )?(?:clear|cover|treat|fix|do|help|settle|control|work|take care)\b",
    re.IGNORECASE,
)
# A class, then "I would begin one today": the next sentence at the latest.
_ONE = re.compile(
    r"\b(?:i|we|let's|let us|please|and)(?: would|'d| will|'ll| shall| should)?(?: \w{1,12}ly)? "
    r"(?:begin|start|give|add|prescribe|use|choose|order) (one)(?= (?:today|now|tonight|tomorrow|at once|right away|"
    r"immediately|straight away|this)\b|[.,;!]|$)",
    re.IGNORECASE,
)
_IN_GENERAL = re.compile(
    r"\b(?:without|who (?:are|do|have) no\w?|not allergic|if not|no allergy|unless)\b", re.IGNORECASE
)
_FOR_OTHERS = re.compile(
    r"\b(?:for|in) (?:most|many|other|healthy|all)? ?(?:adults|patients|people|cases)\b", re.IGNORECASE
)
_STOPPED = re.compile(
    r"\W{0,3}(?:can|should|must|may|will|needs to|has to|is|was)\s(?:now\s)?(?:be\s)?(?:temporarily\s)?"
    r"(?:stopped|discontinued|held|withheld|suspended|replaced|paused)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One drug or class in the agent's words; dose, unit, route and per_day as far as they are named.

    `total`: the dose is all of a day or a week.
    """

    name: str
    act: Act
    dose: float | None = None
    unit: str = ""
    route: str = ""
    per_day: float | None = None
    total: bool = False
    sentence: str = ""


@lru_cache(maxsize=8)
def advice(text: str) -> tuple[Advice, ...]:
    """All that `text` recommends, each once; `name` is a drug of the formulary or a class."""
    found = {(a.name, a.act, a.dose, a.unit, a.per_day, a.route, a.total): a for a in _advice(read(text))}
    return tuple(found.values())


def mentions(reading: Reading) -> Iterator[tuple[int, int, int, str]]:
    """(piece, first word, words, name) of every drug or class named, the longest name first."""
    lexicon, first_words = pharmacy.lexicon()
    last = (-1, -1)  # piece and word behind the last name
    for match in _WORD.finditer(reading.text):
        if match.group().lower() not in first_words:
            continue
        place = reading.place(match.start(), match.end())
        if place is None or place[:2] < last:
            continue
        s, w, _ = place
        words = reading.segment(s).words
        for count in range(min(MAX_NAME_WORDS, len(words) - w), 0, -1):
            name = lexicon.get(" ".join(words[w : w + count]))
            if name is not None:
                last = (s, w + count)
                if name:
                    yield s, w, count, name
                break


def _advice(reading: Reading) -> Iterator[Advice]:
    for s, w, count, name in mentions(reading):
        if reading.status(s, w, count) not in ("asserted", "listed"):
            continue
        act = _act(reading, s, w, count) or _given_as_one(reading, s, w, count)
        if act is None:
            continue
        told = _dose(reading, s, w, count)
        start, end, _ = reading.pieces[s]
        yield Advice(
            name=name,
            act=act,
            dose=told.dose,
            unit=told.unit,
            route=told.route,
            per_day=told.per_day,
            total=told.total,
            sentence=reading.text[start:end].strip()[:160],
        )


def _dose(reading: Reading, s: int, w: int, count: int) -> Told:
    """The dose that the words around a name tell."""
    first = reading.segment(s).at[w][0]
    return dose_in(_behind(reading, s, w, count), reading.text[max(reading.pieces[s][0], first - 60) : first])


def _behind(reading: Reading, s: int, w: int, count: int) -> str:
    """The text behind a name up to the next drug, so that a dose is not read for its neighbour."""
    end = reading.segment(s).at[w + count - 1][1]
    after = reading.text[end : min(reading.pieces[s][1], end + 90)]
    lexicon, _ = pharmacy.lexicon()
    for match in _WORD.finditer(after):
        if match.group().lower() in lexicon:
            return without_amount_of(after[: match.start()])
    return after


def _act(reading: Reading, s: int, w: int, count: int) -> Act | None:
    """What the sentence does with the drug; None: it only speaks of it."""
    segment = reading.segment(s)
    words, text = segment.words, reading.text
    end = segment.at[w + count - 1][1]
    rest = text[end : min(reading.pieces[s][1], end + 120)]
    if _STOPPED.match(rest):
        return "stop"
    verb = _verb(words, segment.before, w)
    chosen = _CHOICE.match(rest) or _TABLETS.match(rest)
    if verb == "give" and not SOURCES.isdisjoint(words[:w]) and _FOR_OTHERS.search(rest):
        return None
    if verb is not None and verb != "history":
        return verb
    if chosen or verb == "history":
        return "give" if chosen and not _IN_GENERAL.search(rest, chosen.end()) else None
    under = _label(segment.words, segment.before, w) or _heading(reading, s)
    if under == "plan" and (w <= 2 or not segment.bullet):
        return "give"
    told, behind = _dose(reading, s, w, count), _behind(reading, s, w, count)
    if told.dose is None or under == "history":
        return None
    if told.limit and told.total:
        return "limit"
    return (
        "give"
        if dose_in(behind).dose is not None and (times_in(behind) is not None or route_in(behind))
        else None
    )


def _given_as_one(reading: Reading, s: int, w: int, count: int) -> Act | None:
    """Whether a class is given by the words that follow on it ("I would begin one today")."""
    if " ".join(reading.segment(s).words[w - 1 : w]) not in {"a", "an"}:
        return None
    start = reading.segment(s).at[w + count - 1][1]
    end = reading.pieces[min(s + 1, len(reading.pieces) - 1)][1]
    found = _ONE.search(reading.text, start, min(end, start + 240))
    if found is None or any(start < at < found.start() for at in _names_at(reading, start, found.start())):
        return None
    place = reading.place(found.start(1), found.end(1))
    return "give" if place and reading.status(*place) in ("asserted", "listed") else None


def _names_at(reading: Reading, start: int, end: int) -> Iterator[int]:
    """Where other drugs or classes may stand in the text between."""
    lexicon, _ = pharmacy.lexicon()
    for match in _WORD.finditer(reading.text, start, end):
        if match.group().lower() in lexicon:
            yield match.start()


def _label(words: list[str], before: list[str], w: int) -> str:
    """ "plan" or "history" by the label before the nearest colon in the sentence; "" without one."""
    k = next((k for k in range(w, 0, -1) if ":" in before[k]), 0)
    label = words[max(0, k - 4) : k]
    if not LABELS.isdisjoint(label):
        return "plan"
    return "history" if not PAST_LABELS.isdisjoint(label) else ""


def _verb(words: list[str], before: list[str], w: int) -> Act | Literal["history"] | None:
    """The nearest verb before word w that says what happens to the drug."""
    for k in range(w - 1, max(-1, w - 1 - REACH), -1):
        word = words[k]
        named = word in DIAGNOSES and ":" in before[k + 1] and PAST_LABELS.isdisjoint(words[:k])
        if word in CLAUSE or named:
            return None
        if word in MOVE:
            return "stop" if _is_left(words, k, w) else "give"
        if word in CONTINUE:
            return "continue"
        if word in STOP:
            return "continue" if not t.NOT.isdisjoint(words[max(0, k - 3) : k]) else "stop"
        if word in LESS:
            return "history"
        if word in GIVE and not (word.startswith("cover") and "with" not in words[k:w]):
            past = (k > 0 and words[k - 1] in PASSIVE) or (k > 1 and words[k - 2] in PASSIVE)
            noun = words[k + 1 : k + 2] == ["of"] and word in {"use", "using"}
            return "history" if noun or (past and word.endswith(("ed", "en"))) else "give"
        if (
            word in HISTORY
            and not (word == "of" and words[k - 1 : k] != ["use"])
            and not (word in {"had", "has"} and k < w - 3)
        ):
            return "history"
    return None


def _is_left(words: list[str], k: int, w: int) -> bool:
    """Whether the verb of change at k leaves the drug at w: "switch X to", "switch from X", "replace X with"."""
    between = words[k:w]
    if words[k].startswith("replac"):
        return "with" not in between and "by" not in between
    return words[w - 1] == "from" or ("to" not in between and "to" in words[w : w + 8])


def _heading(reading: Reading, s: int) -> str:
    """ "plan" or "history" by the heading over a bullet or before a colon; "" otherwise."""
    segment = reading.segment(s)
    head = s
    while head > 0 and s - head < 16 and reading.segment(head).bullet:
        head -= 1
    over = reading.segment(head)
    if over.ending != ":" or over is segment:
        return ""
    if not LABELS.isdisjoint(over.words):
        return "plan"
    return "history" if DIAGNOSES.isdisjoint(over.words) or not PAST_LABELS.isdisjoint(over.words) else ""
