"""Facts of one condition: work-up, what cannot wait, what does harm, figures and advice of its guidance.

CONDITIONS, formulary -> [condition kinds] -> questions

Wrong answers come from the other conditions' rows; each is false by the tables. A wrong test shares no
analyte with the work-up or the labs of the condition; a wrong drug is no treatment of it, and nothing speaks
against a wrong answer of `harmful`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from distrl.envs.clinical.formulary import DRUGS, drugs_named_in
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.medical_qa_drugs import against
from distrl.envs.healthcare.tasks.medical_qa_facts import Fact, Kind, by_key, guideline, pick_names, start
from distrl.envs.healthcare.world.condition import Condition, TimeCritical
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import TESTS, find_test

GAP = "____"
PROPER = {
    "Addison",
    "Alzheimer",
    "Bell",
    "Crohn",
    "Cushing",
    "Graves",
    "Guillain",
    "Lyme",
    "Parkinson",
    "Wernicke",
}
_DOSE = re.compile(r"\d\s?(?:mg|g|mcg|units)\b")
_NUMBER = re.compile(r"(?<![\w.,/-])\d+(?:\.\d+)?(?![\w,/-]|\.\d)")
FACTORS = (0.25, 0.5, 0.75, 1.5, 2.0, 3.0, 4.0)


def _about(condition: Condition, part: str, *words: str) -> dict[str, object]:
    """What every fact of a guideline shares: the part it stands in, and how that is found."""
    return {
        "doc_id": guideline(condition.key, part),
        "query": " ".join((condition.name, *words)),
        "topic": condition.name,
        "lookup": (call("check_diagnostic_criteria", condition=condition.name, findings=[]),),
    }


def named(condition: Condition) -> dict[str, str]:
    """The slots that hold a condition's name; an abbreviation or a proper name keeps its capitals."""
    first = condition.name.split()[0].split("-")[0]
    keep = first in PROPER or first[1:] != first[1:].lower()
    low = condition.name if keep else condition.name[:1].lower() + condition.name[1:]
    return {"condition": low, "condition_start": start(condition.name)}


def analytes(tests: Iterable[str]) -> set[str]:
    """LOINC codes that tests measure; a test without codes stands for itself."""
    found: set[str] = set()
    for test in tests:
        known = find_test(test) or test
        found |= {known, *TESTS.get(known, ())}
    return found


def _workup(row: str, rng: random.Random) -> Fact | None:
    condition = CONDITIONS[row]
    right = rng.choice(condition.workup)
    taken = analytes(condition.workup) | set(condition.labs) | set(condition.unmeasured)
    pool = {t for c in CONDITIONS.values() for t in c.workup}
    near = {t for key in condition.differential if key in CONDITIONS for t in CONDITIONS[key].workup}
    free = [t for t in pool if not analytes([t]) & taken]
    return Fact(
        kind="workup",
        slots=named(condition),
        right=right,
        wrong=pick_names(rng, sorted(near.intersection(free)), free),
        holds=(right,),
        because=f"The guideline lists {right} in the work-up of {condition.name}, and none of the others.",
        **_about(condition, "diagnosis", "tests work-up"),  # type: ignore[arg-type]
    )


VERBS = {"order_lab_test": "request", "prescribe_medication": "give", "transfer_to_specialist": "call"}


def action_text(step: TimeCritical) -> str:
    """A time-critical step in words, with the first of what it allows: `give aspirin`."""
    first = next(iter(step.where.values()))[0]
    return f"{VERBS.get(step.tool, step.tool.replace('_', ' '))} {first}"


def acts(condition: Condition) -> set[str]:
    """Everything that is right to do in a condition: drugs, tests and specialties of its row."""
    done = {o.drug for t in condition.treatments for o in t.options} | {condition.specialty}
    for step in condition.time_critical:
        for values in step.where.values():
            done.update(values)
    return done | analytes([t for t in (*condition.workup, *done) if find_test(t)])


def _time_critical(row: str, rng: random.Random) -> Fact | None:
    condition = CONDITIONS[row]
    step = rng.choice(condition.time_critical)
    done = acts(condition)
    wrong: dict[bool, list[str]] = {True: [], False: []}
    for other in CONDITIONS.values():
        for act in other.time_critical:
            values = {v for group in act.where.values() for v in group}
            classes = {c for v in values if v in DRUGS for c in DRUGS[v].classes}
            if (values | analytes(values)) & done or classes & _classes(done):
                continue
            wrong[other.key in condition.differential].append(action_text(act))
    right = action_text(step)
    return Fact(
        kind="time_critical",
        slots=named(condition),
        right=right,
        wrong=pick_names(rng, set(wrong[True]) - {right}, set(wrong[False]) - {right}),
        holds=(step.reason,),
        because=f"In {condition.name} it cannot wait to {right}: {step.reason}.",
        difficulty="hard",
        **_about(condition, "treatment", "time-critical"),  # type: ignore[arg-type]
    )


def _classes(names: Iterable[str]) -> set[str]:
    return {c for name in names if name in DRUGS for c in DRUGS[name].classes}


def harmful_drugs(condition: Condition) -> list[str]:
    """Drugs of the formulary that the condition's row warns of, by name or class, and no treatment of it."""
    used = {o.drug for t in condition.treatments for o in t.options}
    avoid = set(condition.avoid_drugs)
    return sorted(d.name for d in DRUGS.values() if avoid & {d.name, *d.classes} and d.name not in used)


def _harmful(row: str, rng: random.Random) -> Fact | None:
    condition = CONDITIONS[row]
    harm = [name for name in harmful_drugs(condition) if name in condition.avoid_drugs]
    if not harm:
        return None
    right = rng.choice(harm)
    used = sorted({o.drug for t in condition.treatments for o in t.options} & DRUGS.keys())
    safe = [d.name for d in DRUGS.values() if condition.key not in against(d.name)]
    return Fact(
        kind="harmful",
        slots=named(condition),
        right=right,
        wrong=pick_names(rng, [u for u in used if u in safe], [d for d in safe if _mild(d)]),
        holds=(right,),
        because=f"Guidance on {condition.name} says to avoid {right}, and speaks against none of the others.",
        **_about(condition, "treatment", "drugs harm"),  # type: ignore[arg-type]
    )


@cache
def _mild(drug: str) -> bool:
    """Few contraindications: a drug that seldom does harm."""
    return len(against(drug)) <= 2


def _sentences(row: str) -> tuple[Condition, str]:
    key, place = row.rsplit("#", 1)
    return CONDITIONS[key], CONDITIONS[key].teaching[int(place)]


def gap_of(sentence: str) -> list[re.Match[str]]:
    """The numbers of a sentence that can be left out: no part of a name, a date or a ratio."""
    return [m for m in _NUMBER.finditer(sentence) if float(m.group()) > 1]


def _number(row: str, rng: random.Random) -> Fact | None:
    condition, sentence = _sentences(row)
    gap = rng.choice(gap_of(sentence))
    right = float(gap.group())
    others = {float(m.group()) for m in _NUMBER.finditer(sentence)}
    rounded = {_like(right * f, gap.group()) for f in FACTORS}
    most = 100 if "percent" in sentence[gap.end() : gap.end() + 20] else float("inf")
    wrong = [w for w in sorted(rounded) if 0 < w <= most and w not in others]
    rng.shuffle(wrong)
    cloze = sentence[: gap.start()] + GAP + sentence[gap.end() :]
    return Fact(
        kind="guidance_number",
        slots={**named(condition), "cloze": cloze},
        right=gap.group(),
        wrong=tuple(f"{w:g}" for w in wrong[:4]),
        holds=(sentence,),
        because=f"The key points of the guideline on {condition.name} hold this sentence with its number.",
        difficulty="hard",
        **_about(condition, "key_points", *_key_words(cloze)),  # type: ignore[arg-type]
    )


def _like(value: float, shown: str) -> float:
    """`value` with as many decimals as `shown`; whole numbers above 20 to a multiple of 5."""
    if "." in shown:
        return round(value, len(shown.partition(".")[2]))
    whole = round(value)
    return float(whole if whole <= 20 or float(shown) % 5 else 5 * round(whole / 5))


def _key_words(sentence: str) -> list[str]:
    return [w for w in re.findall(r"[A-Za-z][\w-]{4,}", sentence)][:8]


def topic_of(condition: Condition, sentence: str) -> str:
    """What a teaching sentence is about: the drug or test that it names alone among its row's; "" if none."""
    drugs = [d.name for d in drugs_named_in(sentence)]
    low = sentence.lower()
    tests = [t for t in TESTS if t.lower() in low and re.search(rf"\b{re.escape(t.lower())}\b", low)]
    for name in (*drugs, *tests):
        if sum(name.lower() in other.lower() for other in condition.teaching) == 1:
            return name
    return ""


def _text(row: str, rng: random.Random) -> Fact | None:
    condition, sentence = _sentences(row)
    topic = topic_of(condition, sentence)
    return Fact(
        kind="guidance_text",
        slots={**named(condition), "topic": topic},
        right=sentence,
        holds=(sentence,),
        because=f"This is what the guideline on {condition.name} says.",
        difficulty="hard",
        **_about(condition, "key_points", topic, *_key_words(sentence)[:3]),  # type: ignore[arg-type]
    )


def _rows(has: Callable[[Condition], bool]) -> Callable[[], Sequence[str]]:
    return lambda: [c.key for c in CONDITIONS.values() if has(c)]


def _sentence_rows(has: Callable[[Condition, str], bool]) -> Callable[[], Sequence[str]]:
    return lambda: [
        f"{c.key}#{place}"
        for c in CONDITIONS.values()
        for place, sentence in enumerate(c.teaching)
        if has(c, sentence)
    ]


KINDS: tuple[Kind, ...] = (
    Kind(
        name="workup",
        rows=_rows(lambda c: bool(c.workup)),
        draw=_workup,
        weight=2,
        split=by_key("condition:{}:workup"),
    ),
    Kind(
        name="time_critical",
        rows=_rows(lambda c: bool(c.time_critical)),
        draw=_time_critical,
        weight=2,
        split=by_key("condition:{}:time"),
    ),
    Kind(
        name="harmful",
        rows=_rows(lambda c: bool(harmful_drugs(c))),
        draw=_harmful,
        weight=2,
        split=by_key("condition:{}:avoid"),
    ),
    Kind(
        name="guidance_number",
        rows=_sentence_rows(lambda c, s: bool(gap_of(s))),
        draw=_number,
        weight=3,
        split=by_key("condition:{}:teaching"),
    ),
    Kind(
        name="guidance_text",
        rows=_sentence_rows(lambda c, s: bool(topic_of(c, s)) and not _DOSE.search(s)),
        draw=_text,
        split=by_key("condition:{}:teaching"),
    ),
)
