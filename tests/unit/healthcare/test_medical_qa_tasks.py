"""Generated questions: one right answer by the tables, found by the gold search; splits are apart."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from distrl.envs.clinical.formulary import DRUGS, conflicts_with_allergies, drugs_named_in
from distrl.envs.clinical.interactions import KNOWN, interaction, rank
from distrl.envs.contract import Task
from distrl.envs.healthcare.env import MedicalQAEnv
from distrl.envs.healthcare.knowledge import own
from distrl.envs.healthcare.tasks import medical_qa_drugs, medical_qa_facts, medical_qa_wording
from distrl.envs.healthcare.tasks.draft import SPLITS
from distrl.envs.healthcare.tasks.medical_qa import KINDS, make_task
from distrl.envs.healthcare.tasks.overlap import question_of
from distrl.envs.healthcare.tools.medical_qa import TOOLS
from distrl.envs.healthcare.tools.medical_qa_scores import find_score, interpretation
from distrl.envs.healthcare.tools.search import find
from distrl.envs.healthcare.world.conditions import CONDITIONS

PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "healthcare_gym_tasks" / "medical_qa_200"
EACH = 5  # tasks of each kind and split


@cache
def some_tasks() -> tuple[tuple[str, Task], ...]:
    """(kind, task): a few of every kind and split."""
    found = []
    for name, kind in KINDS.items():
        for split in SPLITS:
            if medical_qa_facts.rows_of(kind, split):
                found += [(name, make_task(seed, split, name)) for seed in range(EACH)]
    return tuple(found)


def choices() -> list[tuple[str, Task]]:
    return [(name, task) for name, task in some_tasks() if task.payload["answer"]["kind"] == "choice"]


def calls(task: Task) -> list[dict[str, Any]]:
    return [call for turn in task.payload["gold"] for call in turn["calls"]]


def test_one_seed_is_one_task() -> None:
    """Across processes and hash seeds it is the frozen split's digests that show it (test_splits.py)."""
    for split in SPLITS:
        assert [make_task(s, split) for s in range(10)] == [make_task(s, split) for s in range(10)]


def test_every_kind_has_wordings_of_its_own_in_each_split() -> None:
    assert medical_qa_wording.STEMS.keys() == KINDS.keys()
    tables = (
        *medical_qa_wording.STEMS.values(),
        medical_qa_wording.CLOSINGS,
        medical_qa_wording.TEXT_CLOSINGS,
    )
    for wordings in (*tables, medical_qa_wording.PERSONAS):
        assert wordings.keys() == set(SPLITS)
        texts = [text for split in SPLITS for text in wordings[split]]
        assert len(texts) == len(set(texts))
    for name, task in some_tasks():
        assert "{" not in task.payload["ticket"], name


def test_rows_of_the_splits_are_disjoint() -> None:
    for kind in KINDS.values():
        rows = [set(medical_qa_facts.rows_of(kind, split)) for split in SPLITS]
        assert not (rows[0] & rows[1] or rows[0] & rows[2] or rows[1] & rows[2]), kind.name
        assert rows[0], kind.name


def test_a_held_out_row_is_never_asked_in_training() -> None:
    """The same right answer to the same kind of question on the same subject is in one split only."""
    seen: dict[tuple[str, str, str], str] = {}
    for name, task in some_tasks():
        if name in ("score", "pregnancy", "allergy", "interaction_effect", "interaction_partner"):
            continue  # their subject is a patient or a pair, not the topic
        key = (name, task.payload["purpose"], task.payload["answer"]["reference"])
        assert seen.setdefault(key, task.split) == task.split, key


def test_a_choice_has_one_letter_for_its_reference_and_no_option_twice() -> None:
    for name, task in choices():
        answer = task.payload["answer"]
        texts = list(answer["options"].values())
        assert answer["options"][answer["letter"]] == answer["reference"]
        assert len({t.casefold() for t in texts}) == len(texts) in (4, 5), name
        assert all(
            f"{letter}. {text}" in task.payload["ticket"] for letter, text in answer["options"].items()
        )


def letters() -> list[str]:
    return [make_task(seed, "train").payload["answer"].get("letter", "") for seed in range(200)]


def test_no_letter_is_right_much_more_often_than_others() -> None:
    found = [x for x in letters() if x]
    assert all(found.count(x) > 0.12 * len(found) for x in string.ascii_uppercase[:4])


# A second look at the tables: which options are right, written without the generator's own helpers.

Holds = Callable[[str, Task], bool]


def of_subject(task: Task) -> Any:
    return DRUGS[task.payload["purpose"].removeprefix("Answer a question on ")]


def condition_of(task: Task) -> Any:
    name = task.payload["purpose"].removeprefix("Answer a question on ")
    return next(c for c in CONDITIONS.values() if c.name == name)


def number_in(pattern: str, task: Task) -> float:
    match = re.search(pattern, task.payload["ticket"])
    assert match
    return float(match[1])


def renal_right(option: str, task: Task) -> bool:
    clearance = number_in(r"(\d+) mL", task)
    steps = [s for s in of_subject(task).renal if s.route is None and clearance < s.crcl_below]
    step = min(steps, key=lambda s: s.crcl_below)
    return option in (step.advice, f"avoid: {step.advice}")


def level_text(level: Any) -> str:
    return f"{level.target[0]:g} to {level.target[1]:g} {level.unit}"


def partner_right(option: str, task: Task) -> bool:
    first = task.payload["purpose"].removeprefix("Answer a question on ").partition(" and ")[0]
    return rank(interaction(first, option).severity) >= rank("MAJOR")


def allergy_right(option: str, task: Task) -> bool:
    story = task.payload["ticket"].partition("\nA. ")[0]
    (allergen,) = drugs_named_in(story)
    return any(
        verdict == "CONTRAINDICATED" for verdict, _ in conflicts_with_allergies(option, [allergen.name])
    )


def harmful_right(option: str, task: Task) -> bool:
    condition = condition_of(task)
    drug = DRUGS[option]
    told = {c.condition for c in drug.contraindications}
    return bool({option, *drug.classes} & set(condition.avoid_drugs)) or condition.key in told


def score_right(option: str, task: Task) -> bool:
    made = next(c["arguments"] for c in calls(task) if c["name"] == "calculate_clinical_score")
    calculator = find_score(made["score_name"])
    assert calculator is not None
    given = {
        **made.get("numbers", {}),
        **made.get("choices", {}),
        **dict.fromkeys(made.get("findings", ()), True),
    }
    value = calculator.function(**given).value
    meaning = interpretation(calculator.name, value, given)
    assert meaning is not None
    return option.startswith(f"{value:g} point") and option.endswith(meaning[0].partition(":")[0])


RIGHT: dict[str, Holds] = {
    "mechanism": lambda option, task: option == of_subject(task).mechanism,
    "drug_class": lambda option, task: of_subject(task).classes[0] in DRUGS[option].classes,
    "contraindication": lambda option, task: (
        option in [medical_qa_drugs.condition_name(c.condition) for c in of_subject(task).contraindications]
    ),
    "boxed_warning": lambda option, task: option == of_subject(task).boxed_warning,
    "food": lambda option, task: option in of_subject(task).food,
    "max_daily_dose": lambda option, task: (
        option in [f"{r.max_daily:g} {r.unit} a day" for r in of_subject(task).adult]
    ),
    "renal_dose": renal_right,
    "drug_level": lambda option, task: option == level_text(of_subject(task).monitoring),
    "pregnancy": lambda option, task: DRUGS[option].pregnancy.verdict == "contraindicated",
    "antidote": lambda option, task: any(
        medical_qa_facts.alike(calls(task)[0]["arguments"]["query"].removeprefix(of_subject(task).name), use)
        for use in DRUGS[option].indications
    ),
    "allergy": allergy_right,
    "interaction_partner": partner_right,
    "workup": lambda option, task: option in condition_of(task).workup,
    "harmful": harmful_right,
    "score": score_right,
}


@pytest.mark.parametrize("name", RIGHT)
def test_exactly_one_option_is_right_by_the_tables(name: str) -> None:
    asked = 0
    for kind, task in choices():
        if kind == name:
            options = task.payload["answer"]["options"]
            right = [letter for letter, text in options.items() if RIGHT[name](text, task)]
            assert right == [task.payload["answer"]["letter"]], (task.payload["ticket"], right)
            asked += 1
    assert asked >= EACH


def test_a_wrong_effect_is_on_record_for_no_part_of_the_pair() -> None:
    for kind, task in choices():
        if kind == "interaction_effect":
            first, second = task.payload["purpose"].removeprefix("Answer a question on ").split(" and ")
            effect = interaction(first, second).effect
            for letter, text in task.payload["answer"]["options"].items():
                assert (text in effect) == (letter == task.payload["answer"]["letter"])


def test_a_wrong_drug_of_a_safe_treatment_is_unsafe_or_no_treatment() -> None:
    for kind, task in choices():
        if kind == "safe_treatment":
            condition = condition_of(task)
            options = {o.drug for t in condition.treatments for o in t.options}
            ticket = task.payload["ticket"]
            allergen = max((name for name in DRUGS if f"anaphylaxis to {name}" in ticket), key=len)
            for text in task.payload["answer"]["options"].values():
                forbidden = conflicts_with_allergies(text, [allergen])
                if text == task.payload["answer"]["reference"]:
                    assert not forbidden
                elif text in options and "pregnant" not in ticket:
                    drug = DRUGS[text]
                    told = {c.condition for c in drug.contraindications} & {condition.key}
                    assert forbidden or told or {text, *drug.classes} & set(condition.avoid_drugs), (
                        task.payload
                    )


def test_a_wrong_diagnosis_explains_little_of_the_story() -> None:
    for kind, task in choices():
        if kind == "diagnosis":
            right = condition_of(task)
            for text in task.payload["answer"]["options"].values():
                other = next(c for c in CONDITIONS.values() if c.name == text)
                if other is not right:
                    phrases = [p for p in (*other.symptoms, *other.findings) if p in task.payload["ticket"]]
                    own_phrases = [
                        p for p in (*right.symptoms, *right.findings) if p in task.payload["ticket"]
                    ]
                    assert other.icd10[:3] != right.icd10[:3] and len(phrases) <= len(own_phrases) / 2


def test_the_gold_search_finds_the_passage_and_the_passage_holds_the_fact() -> None:
    """Over every kind and split, some hundreds of questions: in the first five hits."""
    passages = {p.doc_id: p for p in own.passages()}
    asked = 0
    for name, task in some_tasks():
        query, article = calls(task)[0]["arguments"]["query"], calls(task)[1]["arguments"]["article_id"]
        assert article in [h.passage.doc_id for h in find(query, 5)], (name, query, article)
        assert article in passages
        asked += 1
    assert asked >= 300


def test_every_drug_and_condition_has_the_passages_that_questions_name() -> None:
    known = {p.doc_id for p in own.passages()}
    assert {
        medical_qa_facts.monograph(name, part) for name in DRUGS for part in ("uses", "dosing", "safety")
    } <= known
    taught = [c.key for c in CONDITIONS.values() if c.teaching]
    assert {medical_qa_facts.guideline(key, "key_points") for key in taught} <= known


def test_the_passage_holds_what_answers_the_question() -> None:
    passages = {p.doc_id: " ".join(p.content.split()).casefold() for p in own.passages()}
    for name, kind in KINDS.items():
        for split in SPLITS:
            for row in medical_qa_facts.rows_of(kind, split)[:12]:
                fact = kind.draw(row, random.Random(row))
                for held in () if fact is None else fact.holds:
                    assert held.casefold().rstrip(".") in passages[fact.doc_id], (name, row, held)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", KINDS)
def test_the_gold_episode_runs_and_earns_it(name: str) -> None:
    env = MedicalQAEnv()
    task = make_task(11, "train", name)
    assert {call["name"] for call in calls(task)} <= {tool.name for tool in TOOLS}
    env.reset(options={"task": task})
    for action in env.gold_actions(task):
        _, reward, terminated, _, info = env.step(action)
        assert all(event.ok for event in info["tool_events"]), [e.output for e in info["tool_events"]]
    assert terminated and reward >= 0.95, info["reward_reasons"]


def test_unknown_splits_and_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown split 'dev'"):
        make_task(0, "dev")
    with pytest.raises(ValueError, match="unknown kind 'riddle'"):
        make_task(0, "train", "riddle")


def test_no_question_is_a_benchmark_item() -> None:
    if not (PUBLIC / "tasks.json").exists():
        pytest.skip("the public task files are not on this machine")
    from distrl.envs.clinical_tools.overlap import overlap

    public = [row["raw_question"] for row in json.loads((PUBLIC / "tasks.json").read_text())]
    assert overlap(public, [question_of(task) for _, task in some_tasks()]) == 0.0


def test_drugs_asked_about_in_pairs_are_known_to_the_interaction_table() -> None:
    for name, task in some_tasks():
        if name == "interaction_partner":
            assert set(task.payload["answer"]["options"].values()) <= KNOWN.keys()
