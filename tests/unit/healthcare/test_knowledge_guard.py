"""Which passages give an evaluation item away, and which only touch its subject."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from distrl import cli
from distrl.envs.healthcare.knowledge.build import open_base
from distrl.envs.healthcare.knowledge.guard import EvalItem, LeakGuard, items_of, read_items, telling, words
from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.healthcare.knowledge.sources import rows

SHARED = Path(__file__).parents[4] / "shared" / "data"

QUESTION = "Which drug is the first choice for absence seizures in a child of seven years?"
LONG = (
    "Because dry lips follow from dehydration, from wind and cold, and from some medicines, the first "
    "step is to drink, to protect the lips with a plain balm, and to see a doctor when cracks do not heal."
)


def passage(title: str, content: str) -> Passage:
    return Passage(doc_id="d", source="s", title=title, content=content)


def guard(question: str, answer: str) -> LeakGuard:
    return LeakGuard([EvalItem(item_id="item", question=question, answer=answer)])


@pytest.mark.parametrize(
    ("question", "answer", "title", "content"),
    [
        (QUESTION, "Ethosuximide", QUESTION, "Ethosuximide."),
        (QUESTION, "ethosuximide", "", f"Q: {QUESTION.upper()}\nA: ETHOSUXIMIDE"),
        (QUESTION, "Ethosuximide, by mouth", QUESTION[:62], "It is ethosuximide by mouth"),
        ("Are dry lips a symptom of anything?", LONG, "Are dry lips a symptom", LONG),
        ("Are dry lips a symptom of anything?", LONG, "Are dry lips a symptom", LONG[40:]),
        ("What is asthma?", "a disease of the airways", "What is asthma?", "It is a disease of the airways."),
        ("ﬁve ﬁndings of a sick child", "Fièvre élevée", "Five findings of a sick child", "FIÈVRE ÉLEVÉE"),
    ],
)
def test_question_with_its_answer_leaks(question: str, answer: str, title: str, content: str) -> None:
    assert guard(question, answer).leak(passage(title, content)) == "item"


@pytest.mark.parametrize(
    ("question", "answer", "title", "content"),
    [
        (
            QUESTION,
            "Ethosuximide",
            "Absence seizures",
            "Ethosuximide is the first choice for absence seizures.",
        ),
        (QUESTION, "Ethosuximide", QUESTION, "Valproate is another choice."),
        (QUESTION, "Ethosuximide", QUESTION[:45], "Ethosuximide"),
        (QUESTION, "yes", QUESTION, "Yes."),
        (QUESTION, "A", QUESTION, "A"),
        (QUESTION, "None of the above", QUESTION, "None of the above"),
        (QUESTION, "12", QUESTION, "12"),
        (QUESTION, "ethosuximide", QUESTION, "ethosuximides"),
        ("Are dry lips a symptom of anything?", LONG, "Are dry lips a symptom", LONG[:60]),
        ("Are dry lips a symptom of anything?", LONG, "Lip care", LONG),
        (
            "Why asthma?",
            "a chronic disease of the airways",
            "Why asthma?",
            "a chronic disease of the airways",
        ),
    ],
)
def test_near_miss_does_not_leak(question: str, answer: str, title: str, content: str) -> None:
    assert guard(question, answer).leak(passage(title, content)) is None


def test_items_of_public_layouts() -> None:
    choices = "How?\nAnswer Choices: (A) Nasal cannula (B) Mask (C) Bag and mask"
    assert [i.answer for i in items_of({"question": choices, "label": ["C"]}, "x")] == ["Bag and mask"]
    assert items_of({"question": choices, "label": ["C"]}, "x")[0].question.strip() == "How?"
    listed = {"question": "Q", "options": {"A": "one", "B": "two"}, "answer": "B", "id": 3}
    assert items_of(listed, "x") == [EvalItem(item_id="3", question="Q", answer="two")]
    assert [i.answer for i in items_of({"Question": "Q", "Free_form_answer": "long"}, "x")] == ["long"]
    assert items_of({"Question": "Q"}, "x") == []
    assert items_of({"question": "Q", "answer": None}, "x") == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared evaluation items are not on this machine")
def test_pairs_of_public_items_leak_and_the_shared_passages_do_not() -> None:
    files = [*SHARED.glob("medlfqa/*MedLFQA.jsonl"), *SHARED.glob("medqa_mmlu*/*.jsonl")]
    items = [item for file in files for item in read_items(file)]
    found = LeakGuard(items)
    assert len(found) > 0.95 * len(items) > 800
    pairs = [i for i in items if telling(words(i.answer)) and len(words(i.question)) >= 3]
    assert all(found.leak(passage(item.question, item.answer)) for item in pairs)
    others = [
        row.passage for row, _ in zip(rows(SHARED / "knowledge_passages.parquet"), range(500), strict=False)
    ]
    assert not any(found.leak(p) for p in others if p is not None)


@pytest.mark.parametrize("text", ["{", "[1]", '{"question": "Q"}', ""])
def test_unusable_items_are_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"items\.jsonl"):
        read_items(file)


def test_command_refuses_or_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, items = tmp_path / "qa.jsonl", tmp_path / "eval.jsonl"
    source.write_text(
        json.dumps({"title": QUESTION, "content": "Ethosuximide"})
        + "\n"
        + json.dumps({"content": "Absence seizures"})
    )
    items.write_text(json.dumps({"id": "e1", "question": QUESTION, "answer": "Ethosuximide"}))
    for option, kept in (("--refuse-leaks", 1), ("--flag-leaks", 2)):
        kb = str(tmp_path / option)
        assert cli.main(["knowledge", "build", str(source), "--to", kb, option, str(items)]) == 0
        out = capsys.readouterr().out
        assert "qa.jsonl row 1: gives away e1" in out
        assert "1 passages that give an evaluation item away" in out
        assert open_base(kb).stats()["passages"] == kept


def test_time_follows_the_passage_not_the_items() -> None:
    many = LeakGuard(
        EvalItem(
            item_id=str(n), question=f"What does word{n} mean for patient number {n}?", answer=f"meaning{n}"
        )
        for n in range(5000)
    )
    hostile = passage("what does " * 100, "a " * 50_000)
    start = time.process_time()
    assert many.leak(hostile) is None
    assert time.process_time() - start < 1.0
