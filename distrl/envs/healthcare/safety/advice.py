"""What the agent's words recommend: drugs that it would give, continue or stop, with the dose it names.

Episode.said -> [advice] -> View.given, View.stopped -> safety rules

A drug is recommended where the nearest verb before it gives it ("start", "treat with"), where it stands with
a dose in a plan, or where it is called the choice ("is recommended", "can be given"); never where said.py reads
the mention as denied, quoted, asked or supposed, nor where the sentence tells the history ("takes", "allergic
to"). Not covered: pronouns ("it can be started"), drugs that the formulary does not know.
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
from distrl.envs.healthcare.said import Reading, read
from distrl.envs.healthcare.said_tables import word_set

Act = Literal["give", "continue", "stop"]
MAX_NAME_WORDS = 5
REACH = 14  # words before a drug in which its verb is looked for
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")

GIVE = word_set(
    "start starts starting started give gives giving gave use using prescribe prescribes prescribing "
    "prescribed administer administering administered begin beginning began initiate initiating initiated "
    "recommend recommends recommending recommended suggest suggesting choose chose choosing chosen add "
    "adding added switch switching switched change take try offer treat treating substitute order ordered "
    "advise consider prefer select selected load loading get needs receive"
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
    "received overdose poisoning resistant resistance like unlike tolerated had has toxicity monitor "
    "check monitoring review affects combination combining combine effect effects of against absorption "
    "about inhibits induces raises increases lowers"
)
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
_UNITS = r"(mg|g|mcg|µg|ug|μg|micrograms?|milligrams?|grams?|units?|iu|mmol|meq|mEq)\b(?!\s?/\s?kg)"
_DOSE = re.compile(rf"(?<![\w.])(\d{{1,7}}(?:[.,]\d{{1,3}})*)\s?{_UNITS}", re.IGNORECASE)
_TIMES: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), times)
    for pattern, times in (
        (r"\b(?:four times|4 times|4x|qid|q\.i\.d|q6h|every (?:6|six) h)", 4.0),
        (r"\b(?:three times|3 times|3x|thrice|tid|t\.i\.d|tds|q8h|every (?:8|eight) h)", 3.0),
        (r"\b(?:twice|two times|2 times|2x|bid|b\.i\.d|bd\b|q12h|every (?:12|twelve) h)", 2.0),
        (r"\b(?:every (?:4|four) h|q4h|six times)", 6.0),
        (r"\b(?:every (?:2|two) h|q2h)", 12.0),
        (r"\b(?:weekly|once a week|every week)", 1 / 7),
        (
            r"\b(?:once|daily|a day|per day|every day|qd\b|q24h|od\b|nightly|at night|every (?:24|morning))",
            1.0,
        ),
    )
)
_ROUTES = (
    (re.compile(r"\b(?:iv|intravenous\w*|i\.v\.)(?!\w)", re.IGNORECASE), "iv"),
    (re.compile(r"\b(?:im|intramuscular\w*)(?!\w)", re.IGNORECASE), "im"),
    (re.compile(r"\b(?:sc|sq|subcut\w*)(?!\w)", re.IGNORECASE), "sc"),
    (re.compile(r"\b(?:po|oral\w*|by mouth|tablets?|capsules?)(?!\w)", re.IGNORECASE), "oral"),
    (re.compile(r"\b(?:inhal\w*|nebuli[sz]\w*)(?!\w)", re.IGNORECASE), "inhaled"),
)


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One drug or class in the agent's words; dose, unit, route and per_day as far as they are named."""

    name: str
    act: Act
    dose: float | None = None
    unit: str = ""
    route: str = ""
    per_day: float | None = None
    sentence: str = ""


@lru_cache(maxsize=8)
def advice(text: str) -> tuple[Advice, ...]:
    """All that `text` recommends, each once; `name` is a drug of the formulary or a class."""
    found = {(a.name, a.act, a.dose, a.unit, a.per_day, a.route): a for a in _advice(read(text))}
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
        act = _act(reading, s, w, count)
        if act is None:
            continue
        segment = reading.segment(s)
        stop = reading.pieces[s][1]
        after = reading.text[segment.at[w + count - 1][1] : min(stop, segment.at[w + count - 1][1] + 90)]
        dose, unit, per_day, route = dose_in(_until_next_drug(after))
        start, end, _ = reading.pieces[s]
        yield Advice(
            name=name,
            act=act,
            dose=dose,
            unit=unit,
            route=route,
            per_day=per_day,
            sentence=reading.text[start:end].strip()[:160],
        )


def _until_next_drug(after: str) -> str:
    """The text up to the next drug's name, so that a dose is not read for its neighbour."""
    lexicon, _ = pharmacy.lexicon()
    for match in _WORD.finditer(after):
        if match.group().lower() in lexicon:
            return after[: match.start()]
    return after


def dose_in(text: str) -> tuple[float | None, str, float | None, str]:
    """(dose, unit, doses a day, route) that a phrase names; None and "" for what it does not name."""
    found = _DOSE.search(text)
    dose = float(found.group(1).replace(",", "")) if found and found.group(1).count(".") < 2 else None
    times = next((n for pattern, n in _TIMES if pattern.search(text)), None)
    route = next((name for pattern, name in _ROUTES if pattern.search(text)), "")
    return dose, found.group(2) if found else "", times, route


def _act(reading: Reading, s: int, w: int, count: int) -> Act | None:
    """What the sentence does with the drug; None: it only speaks of it."""
    segment = reading.segment(s)
    words, text = segment.words, reading.text
    end = segment.at[w + count - 1][1]
    rest = text[end : min(reading.pieces[s][1], end + 120)]
    if _STOPPED.match(rest):
        return "stop"
    verb = _verb(words, w)
    chosen = _CHOICE.match(rest)
    if verb == "give" and not SOURCES.isdisjoint(words[:w]) and _FOR_OTHERS.search(rest):
        return None
    if verb is not None and verb != "history":
        return verb
    if chosen or verb == "history":
        return "give" if chosen and not _IN_GENERAL.search(rest, chosen.end()) else None
    under = _label(segment.words, segment.before, w) or _heading(reading, s)
    if under == "plan" and (w <= 2 or not segment.bullet):
        return "give"
    dose, _, times, route = dose_in(_until_next_drug(rest))
    if dose is not None and (times is not None or route) and under != "history":
        return "give"
    return None


def _label(words: list[str], before: list[str], w: int) -> str:
    """ "plan" or "history" by the label before the nearest colon in the sentence; "" without one."""
    k = next((k for k in range(w, 0, -1) if ":" in before[k]), 0)
    label = words[max(0, k - 4) : k]
    if not LABELS.isdisjoint(label):
        return "plan"
    return "history" if not PAST_LABELS.isdisjoint(label) else ""


def _verb(words: list[str], w: int) -> Act | Literal["history"] | None:
    """The nearest verb before word w that says what happens to the drug."""
    for k in range(w - 1, max(-1, w - 1 - REACH), -1):
        word = words[k]
        if word in CLAUSE:
            return None
        if word in MOVE:
            return "stop" if _is_left(words, k, w) else "give"
        if word in CONTINUE:
            return "continue"
        if word in STOP:
            return "continue" if not t.NOT.isdisjoint(words[max(0, k - 3) : k]) else "stop"
        if word in LESS:
            return "history"
        if word in GIVE:
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
    return "history"
