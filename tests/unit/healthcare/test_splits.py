"""Frozen splits: what was frozen comes back, a changed generator is an error, a planted overlap is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import splits
from distrl.envs.healthcare.tasks.draft import ENV_IDS, SPLITS
from distrl.envs.healthcare.tasks.overlap import NGRAM, Breach, Index, breaches, question_of
from distrl.envs.healthcare.tasks.splits import FrozenError, FrozenTasks, freeze, load_frozen, main, path_of

SIZES = {"train": 12, "heldout": 4, "test": 4}
NUMBERS = [f"w{letter}" for letter in "abcdefghijklmnop"]


def task(ticket: str, name: str = "t", split: str = "train", **answer: Any) -> Task:
    payload = {"ticket": ticket, "answer": {"kind": "text", "reference": "", **answer}, "world": {}}
    return Task(id=name, env="e", split=split, payload=payload)


def make(seed: int, split: str) -> Task:
    return task(f"In {split} patient {seed} asks whether {seed} is even.", f"{split}-{seed}", split)


def test_what_was_frozen_comes_back(tmp_path: Path) -> None:
    skipped = freeze("medical_qa", sizes=SIZES, folder=tmp_path, make=make)
    assert skipped == dict.fromkeys(SIZES, 0)
    for split, size in SIZES.items():
        tasks = load_frozen("medical_qa", split, folder=tmp_path, make=make)
        assert [t.payload for t in tasks] == [make(seed, split).payload for seed in range(size)]
    rows = json.loads(path_of("medical_qa", folder=tmp_path).read_text())["rows"]
    assert len(rows) == sum(SIZES.values()) and all(len(row) == 3 for row in rows)


def test_a_changed_generator_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    freeze("medical_qa", sizes=SIZES, folder=tmp_path, make=make)

    def changed(seed: int, split: str) -> Task:
        return make(seed, split) if seed != 3 else task("another question", f"{split}-3", split)

    with pytest.raises(FrozenError, match=r"seed 3 of train makes another task .* freeze a higher version"):
        load_frozen("medical_qa", "train", folder=tmp_path, make=changed)
    with pytest.raises(FrozenError, match="a frozen version stays: raise the version"):
        freeze("medical_qa", sizes=SIZES, folder=tmp_path, make=changed)
    freeze("medical_qa", sizes=SIZES, folder=tmp_path, make=changed, replace=True)
    assert load_frozen("medical_qa", "train", folder=tmp_path, make=changed)[3].id == "train-3"


def test_the_digest_covers_the_drawn_database(monkeypatch: pytest.MonkeyPatch) -> None:
    from distrl.envs.healthcare.world import build

    drawn = task("a question")
    drawn.payload["world"] = {"seed": 1, "condition": "stemi"}
    monkeypatch.setattr(build, "database_of", lambda world: {"patients": {"P1": 1}})
    before = splits.digest(drawn)
    monkeypatch.setattr(build, "database_of", lambda world: {"patients": {"P1": 2}})
    assert splits.digest(drawn) != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "malformed"),
        ('{"domain": "medical_qa", "version": 1}', "malformed: KeyError"),
        ('{"domain": "medical_qa", "version": 1, "rows": [[1]]}', "malformed"),
        ('{"domain": "other", "version": 1, "rows": []}', "says 'other' v1"),
    ],
)
def test_a_malformed_file_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path_of("medical_qa", folder=tmp_path).write_text(text)
    with pytest.raises(FrozenError, match=message) as caught:
        load_frozen("medical_qa", "train", folder=tmp_path, make=make)
    assert "\n" not in str(caught.value)


def test_a_missing_file_unknown_split_and_domain_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FrozenError, match="write it with"):
        load_frozen("medical_qa", "train", folder=tmp_path, make=make)
    with pytest.raises(FrozenError, match="unknown split 'dev'"):
        load_frozen("medical_qa", "dev", folder=tmp_path, make=make)
    with pytest.raises(FrozenError, match="unknown domain 'astrology'"):
        splits.maker_of("astrology")


def test_freezing_skips_what_overlaps(tmp_path: Path) -> None:
    run = " ".join(NUMBERS[:NGRAM])

    def leaky(seed: int, split: str) -> Task:
        planted = f" {run}" if seed == 0 and split != "test" else ""
        return task(f"{split} {seed} asks for {seed}{planted}", f"{split}-{seed}", split)

    skipped = freeze("medical_qa", sizes=SIZES, folder=tmp_path, make=leaky)
    assert skipped == {"train": 0, "heldout": 1, "test": 0}


def test_a_generator_without_apart_splits_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(FrozenError, match="overlap with others; stopped"):
        freeze(
            "medical_qa",
            sizes=SIZES,
            folder=tmp_path,
            make=lambda seed, split: task("same for all", f"{seed}"),
        )


@pytest.mark.parametrize("length", [NGRAM - 1, NGRAM])
def test_a_planted_run_of_words_is_found_from_the_thirteenth_word_on(length: int) -> None:
    run = " ".join(NUMBERS[:length])
    train, held = (
        task(f"alpha beta, {run} gamma delta", "a"),
        task(f"epsilon zeta {run}: eta theta", "b", "test"),
    )
    found = breaches({"train": [train], "test": [held]})
    assert len(found) == (length >= NGRAM)
    if found:
        assert found[0] == Breach(kind="run of words", first="a", second="b", run=run)


def test_a_short_question_that_stands_within_another_is_found() -> None:
    long = task(f"Tell me, how does lisinopril work? {' '.join(NUMBERS)}", "a")
    assert Index([long]).breach(task("How does lisinopril work?", "b")) is not None
    assert Index([long]).breach(task("How does warfarin work?", "c")) is None


def test_equal_ids_and_questions_are_found() -> None:
    index = Index([task("what is it", "a")])
    assert index.breach(task("something else", "a")).kind == "id"  # type: ignore[union-attr]
    assert index.breach(task("what is it", "b")).kind == "question"  # type: ignore[union-attr]


def test_numbers_tell_patients_apart_and_options_are_left_out() -> None:
    words = "blood pressure {0} over 80, pulse {1}, temperature 37, weight {2}, height 170, age {0}"
    one, other = task(words.format(61, 90, 70), "a"), task(words.format(62, 91, 71), "b")
    assert not breaches({"train": [one], "test": [other]})
    options = {"A": " ".join(NUMBERS), "B": "no"}
    asked = task(
        f"Which?\n\nA. {options['A']}\nB. no\n\nChoose.", options=options, reference="no", letter="B"
    )
    assert question_of(asked).split() == ["Which?", "Choose.", "no"]


@pytest.mark.parametrize("domain", ENV_IDS)
def test_the_frozen_splits_of_a_domain_are_as_frozen_and_disjoint(domain: str) -> None:
    rows = splits.rows_of(domain)
    assert {split: sum(r[1] == split for r in rows) for split in SPLITS} == dict(splits.SIZES)
    make_task = splits.maker_of(domain)
    some = [row for place, row in enumerate(rows) if place % 14 == 0]
    tasks = {split: [make_task(seed, split) for seed, name, _ in some if name == split] for split in SPLITS}
    made = {(seed, split): splits.digest(make_task(seed, split)) for seed, split, _ in some}
    assert made == {(seed, split): known for seed, split, known in some}
    assert breaches(tasks) == []


def test_frozen_tasks_are_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        splits, "load_frozen", lambda domain, split, version: [make(i, split) for i in range(5)]
    )
    source = FrozenTasks(domain="medical_qa")
    assert len(source.tasks("test", 0, 1)) == 5
    assert source.tasks("test", 3, 1) == source.tasks("test", 3, 1) != source.tasks("test", 3, 2)
    with pytest.raises(ValueError, match="unknown split"):
        source.tasks("dev", 1, 0)


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "astrology"]) == 1
    assert "astrology: unknown domain" in capsys.readouterr().err
