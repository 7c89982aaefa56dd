"""Questions on clinical scores: a patient's data, the score's value and what that means.

medcalc's draws -> calculators -> [score kind] -> questions

Wrong options are other values of the same score with the meaning that each of them has, so one option alone
holds. Training and the other splits have different argument sets, by the rule of MedCalc's generator.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

from distrl.envs.clinical.calculators import CalculatorError
from distrl.envs.clinical.calculators.points import words
from distrl.envs.healthcare.tasks.draft import SPLITS, call
from distrl.envs.healthcare.tasks.medical_qa_facts import Fact, Kind, pick_names
from distrl.envs.healthcare.tools.medical_qa_scores import BY_NAME, MEANINGS, interpretation
from distrl.envs.medcalc.generator import draws
from distrl.envs.medcalc.tools import TOOLS

# Scores asked about, with their least and highest value and the step between values.
ASKED: dict[str, tuple[float, float, float]] = {
    "curb_65": (0, 5, 1),
    "cha2ds2_vasc": (0, 9, 1),
    "has_bled": (0, 9, 1),
    "wells_pulmonary_embolism": (0, 12.5, 1.5),
    "wells_deep_vein_thrombosis": (-2, 9, 1),
    "child_pugh": (5, 15, 1),
    "heart_score": (0, 10, 1),
    "glasgow_blatchford": (0, 23, 1),
    "centor": (-1, 5, 1),
    "feverpain": (0, 5, 1),
    "sirs_criteria": (0, 4, 1),
    "revised_cardiac_risk_index": (0, 6, 1),
}
TITLES = {
    "cha2ds2_vasc": "CHA2DS2-VASc score",
    "curb_65": "CURB-65 score",
    "has_bled": "HAS-BLED score",
    "sirs_criteria": "SIRS criteria count",
    "wells_pulmonary_embolism": "Wells score of pulmonary embolism",
    "wells_deep_vein_thrombosis": "Wells score of deep vein thrombosis",
}
CHART = {
    "bun": "BUN",
    "diastolic_bp": "diastolic blood pressure",
    "paco2": "PaCO2",
    "systolic_bp": "systolic blood pressure",
    "wbc": "white cell count",
}
MAX_DRAWS = 60


def title_of(name: str) -> str:
    """The score as the question names it."""
    return TITLES.get(name, BY_NAME[name].title.split(" for ")[0])


def split_of_arguments(name: str, arguments: dict[str, Any]) -> str:
    """The split of an argument set: training by MedCalc's own rule, the rest halved by hash."""
    if not draws.is_heldout(BY_NAME[name].id, arguments):
        return "train"
    digest = hashlib.sha256(json.dumps([name, arguments], sort_keys=True).encode()).digest()
    return "heldout" if digest[0] % 2 else "test"


def _draw(row: str, rng: random.Random) -> Fact | None:
    split, name = row.split("/")
    calculator = BY_NAME[name]
    wanted = rng.choice(MEANINGS[name].bands or MEANINGS[name].by_sex["male"])[1]  # type: ignore[index]
    best = None
    for _ in range(MAX_DRAWS):
        arguments = draws.drawn(draws.Patient(calculator.id, rng, split != "train"))
        arguments = {key: _rounded(name, key, v) for key, v in arguments.items() if v is not None}
        if split_of_arguments(name, arguments) != split:
            continue
        try:
            value = float(calculator.function(**arguments).value)  # type: ignore[arg-type]
        except CalculatorError:
            continue
        best = (arguments, value)
        if interpretation(name, value, arguments) == (wanted, MEANINGS[name].source):
            break
    return None if best is None else _fact(name, *best, rng)


WHOLE = ("mmHg", "beats/min", "breaths/min", "drinks/week", "years", "%")  # units of whole numbers


def _rounded(name: str, key: str, value: Any) -> Any:
    """A drawn quantity with the digits that a chart has."""
    if isinstance(value, bool) or not isinstance(value, float):
        return value
    unit = _unit(TOOLS[name].parameters[key])
    whole = unit in WHOLE or (value >= 20 and unit != "degC")
    return float(round(value)) if whole else round(value, 1)


def _fact(name: str, arguments: dict[str, Any], value: float, rng: random.Random) -> Fact:
    low, high, step = ASKED[name]
    meaning = interpretation(name, value, arguments)
    assert meaning is not None
    near = [value + step * k for k in (-3, -2, -1, 1, 2, 3) if low <= value + step * k <= high]
    title = title_of(name)
    return Fact(
        kind="score",
        slots={"story": story(name, arguments, rng), "score": title},
        right=_line(value, meaning[0]),
        wrong=pick_names(rng, [_line(v, _meaning(name, v, arguments)) for v in near]),
        query=f"{title} criteria points",
        doc_id=f"criteria:{name}",
        lookup=(call("calculate_clinical_score", score_name=title, **_given(name, arguments)),),
        because=f"The {title} comes to {value:g}, which means: {meaning[0]} ({meaning[1]}).",
        topic=title,
        difficulty="moderate",
    )


def _meaning(name: str, value: float, arguments: dict[str, Any]) -> str:
    found = interpretation(name, value, arguments)
    assert found is not None
    return found[0]


def _line(value: float, meaning: str) -> str:
    return f"{value:g} point{'' if value == 1 else 's'}: {meaning.partition(':')[0]}"


def _kinds(name: str) -> dict[str, str]:
    """Each argument's JSON type; unions with null count as their type."""
    kinds = {}
    for key, schema in TOOLS[name].parameters.items():
        declared = schema["type"]
        kinds[key] = declared if isinstance(declared, str) else next(t for t in declared if t != "null")
    return kinds


def _given(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as calculate_clinical_score takes them."""
    kinds = _kinds(name)
    parts: dict[str, Any] = {
        "numbers": {k: v for k, v in arguments.items() if kinds[k] in ("number", "integer")},
        "findings": [k for k, v in arguments.items() if kinds[k] == "boolean" and v],
        "choices": {k: v for k, v in arguments.items() if kinds[k] == "string"},
    }
    return {key: value for key, value in parts.items() if value}


def named(argument: str) -> str:
    """An argument as a chart writes it."""
    return CHART.get(argument, words(argument))


def story(name: str, arguments: dict[str, Any], rng: random.Random) -> str:
    """The arguments as sentences: measurements, findings that are present, those that are absent."""
    kinds, schema = _kinds(name), TOOLS[name].parameters
    measured: list[str] = []
    present: list[str] = []
    absent: list[str] = []
    for key, value in arguments.items():
        if kinds[key] == "boolean":
            (present if value else absent).append(named(key))
        elif kinds[key] == "string":
            measured.append(f"{named(key)} {words(str(value))}")
        else:
            measured.append(f"{named(key)} {value:g} {_unit(schema[key])}".rstrip())
    for part in (measured, present, absent):
        rng.shuffle(part)
    sentences = []
    if measured:
        sentences.append(f"Recorded: {', '.join(measured)}.")
    if present or absent:
        sentences.append(f"Present: {', '.join(present) or 'none of the items that can be'}.")
    if absent:
        sentences.append(f"Absent: {', '.join(absent)}.")
    return " ".join(sentences)


def _unit(schema: dict[str, Any]) -> str:
    text = schema.get("description", "")
    return text[text.rindex("[") + 1 : -1] if text.endswith("]") else ""


KINDS: tuple[Kind, ...] = (
    Kind(
        name="score",
        rows=lambda: [f"{split}/{name}" for split in SPLITS for name in ASKED],
        split=lambda row: row.split("/")[0],
        draw=_draw,
        weight=3,
    ),
)
