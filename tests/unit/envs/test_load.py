"""Files as task sources: real rows, card rows, struct columns, splits without near-duplicates, bad input."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.clinical_tools.load import FileTasks
from distrl.envs.clinical_tools.overlap import near_groups, ngrams, overlap, template, words
from distrl.envs.clinical_tools.tasks import SYSTEM_PROMPTS, GeneratedTasks, answer_of
from distrl.envs.contract import Task, TaskSource
from distrl.envs.task_files import DataError

PUBLIC = Path(__file__).parents[3].parent / "shared/data/aws_healthcare_tool_calls/train.jsonl"
needs_public = pytest.mark.skipif(not PUBLIC.exists(), reason="the public rows are not beside this checkout")
SURGICAL = {
    "patient_age": 61,
    "surgery_type": "orthopedic",
    "asa_class": 2,
    "cardiac_risk_factors": {
        "ischemic_heart_disease": False,
        "heart_failure": True,
        "cerebrovascular_disease": False,
        "renal_insufficiency": False,
        "insulin_diabetes": False,
        "high_risk_surgery": False,
    },
    "functional_capacity_mets": 5.5,
    "is_emergency": False,
    "serum_creatinine": 1.1,
    "has_insulin_dependent_diabetes": False,
    "prior_cardiac_history": "none",
    "planned_anesthesia": "spinal",
}


def public_row(text: str, age: int = 61) -> dict[str, Any]:
    call = {"name": "estimate_surgical_risk", "arguments": {**SURGICAL, "patient_age": age}}
    return {"prompt": text, "tool_call": call}


def write(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def everything(source: FileTasks) -> list[Task]:
    return source.tasks("train", 0, 0) + source.tasks("heldout", 0, 0)


def user(task: Task) -> str:
    return task.payload["prompt"][-1]["content"]


@needs_public
def test_public_rows_load_and_near_duplicates_stay_on_one_side() -> None:
    source = FileTasks(str(PUBLIC), 0.2)
    train, heldout = source.tasks("train", 0, 1), source.tasks("heldout", 0, 1)
    report = source.report
    rows = sum(1 for line in PUBLIC.open(encoding="utf-8") if line.strip())
    assert report.rows == rows == len(train) + len(heldout) + report.refused + report.repeated
    assert len(train) + len(heldout) >= 0.95 * rows
    assert 0.15 <= len(heldout) / rows <= 0.27
    assert report.overlap == overlap([user(t) for t in train], [user(t) for t in heldout]) == 0
    assert not {template(user(t)) for t in train} & {template(user(t)) for t in heldout}
    assert not {t.id for t in train} & {t.id for t in heldout}
    for task in random.Random(0).sample(train + heldout, 60):
        gold = json.loads(task.payload["ground_truth"])
        assert task.payload["answer"] == answer_of(gold["name"], gold["arguments"])
        assert not task.payload["answer"].startswith("Error")


@needs_public
def test_the_same_rows_are_held_out_in_any_order(tmp_path: Path) -> None:
    lines = PUBLIC.read_text(encoding="utf-8").splitlines()[:200]
    mixed = random.Random(3).sample(lines, len(lines))
    held = []
    for name, chosen in (("a", lines), ("b", mixed)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(chosen), encoding="utf-8")
        held.append({t.id for t in FileTasks(str(tmp_path / f"{name}.jsonl")).tasks("heldout", 0, 0)})
    assert held[0] == held[1] != set()


def test_refused_gold_calls_are_dropped_counted_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [public_row(f"Case {w}, what is the risk?") for w in ("one", "two", "three", "four")]
    rows[2]["tool_call"]["arguments"]["asa_class"] = 9
    rows.append(rows[0])
    source = FileTasks(write(tmp_path / "rows.jsonl", rows))
    assert isinstance(source, TaskSource)
    assert (source.report.rows, source.report.refused, source.report.repeated) == (5, 1, 1)
    assert len(everything(source)) == 3
    assert "dropped 1 whose gold call our tools refuse (first: rows.jsonl line 3: Error: " in caplog.text
    assert "dropped 1 that repeat an earlier row" in caplog.text


def test_draws_are_seeded_and_cut_to_count(tmp_path: Path) -> None:
    rows = [public_row(f"{w} {w} {w} risk?", 40 + i) for i, w in enumerate("abcdefghijklmnop")]
    source = FileTasks(write(tmp_path / "rows.jsonl", rows), 0.3)
    assert source.tasks("train", 4, 1) == source.tasks("train", 0, 1)[:4]
    assert source.tasks("train", 0, 1) != source.tasks("train", 0, 2)
    assert {t.id for t in source.tasks("train", 0, 1)} == {t.id for t in source.tasks("train", 0, 2)}
    assert {t.split for t in source.tasks("heldout", 0, 0)} == {"heldout"}
    assert FileTasks(write(tmp_path / "rows.jsonl", rows), 0.0).tasks("heldout", 0, 0) == []


def test_system_prompt_and_licence_are_added_where_a_row_has_none(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", [public_row("A risk?"), public_row("Quite another risk?")])
    for name, first in (("short", SYSTEM_PROMPTS["short"]), ("card", SYSTEM_PROMPTS["card"])):
        for task in everything(FileTasks(path, system_prompt=name, licence="MIT-0")):
            assert task.payload["prompt"][0] == {"role": "system", "content": first}
            assert (task.licence, task.source) == ("MIT-0", "rows.jsonl")
    bare = everything(FileTasks(path, system_prompt="none"))
    assert [m["role"] for t in bare for m in t.payload["prompt"]] == ["user", "user"]


def unified(tasks: list[Task]) -> pa.Table:
    """The rows as a library writes them that gives all gold calls one struct type, integers as floats."""

    def merged(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: merged(v) for k, v in value.items()}
        if isinstance(value, list):
            return [merged(v) for v in value]
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    return pa.Table.from_pylist(
        [{**t.payload, "ground_truth": merged(json.loads(t.payload["ground_truth"]))} for t in tasks]
    )


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_struct_columns_are_mended_to_the_same_calls_and_answers(tmp_path: Path, kind: str) -> None:
    tasks = GeneratedTasks().tasks("train", 120, 2)
    table, path = unified(tasks), tmp_path / f"rows.{kind}"
    stored = table.to_pylist()
    assert len(stored[0]["ground_truth"]["arguments"]) > 40, "the rows must show the fault"
    if kind == "parquet":
        pq.write_table(table, path)
    else:
        write(path, stored)
    source = FileTasks(str(path))
    loaded = {user(t): t.payload for t in everything(source)}
    assert len(loaded) == 120
    for task in tasks:
        back = loaded[user(task)]
        assert back["answer"] == task.payload["answer"]
        assert json.loads(back["ground_truth"]) == json.loads(task.payload["ground_truth"])
        gold = json.loads(back["ground_truth"])["arguments"]
        assert not isinstance(gold.get("asa_class"), float)
    assert source.report.nulls_dropped == 120
    assert source.report.integers_restored > 0
    assert source.report.answers_differ == source.report.refused == 0
    assert any(
        "mended struct columns: nulls of other tools dropped in 120" in x for x in source.report.lines()
    )


def test_a_struct_of_nulls_is_a_null_again(tmp_path: Path) -> None:
    tasks = GeneratedTasks(tools=["screen_drug_interactions"]).tasks("train", 4, 2)
    rows = [{**t.payload, "ground_truth": json.loads(t.payload["ground_truth"])} for t in tasks]
    for row in rows:
        row["ground_truth"]["arguments"]["genetic_cyp_variants"] = {"2D6": None, "2C19": None}
        row["ground_truth"]["arguments"]["cardiac_risk_factors"] = {"heart_failure": None}
    for task in everything(FileTasks(write(tmp_path / "rows.jsonl", rows))):
        arguments = json.loads(task.payload["ground_truth"])["arguments"]
        assert arguments["genetic_cyp_variants"] is None
        assert "cardiac_risk_factors" not in arguments


def test_answers_of_another_tool_set_are_counted_and_kept_on_request(tmp_path: Path) -> None:
    rows = [t.payload | {"answer": "Another line"} for t in GeneratedTasks().tasks("train", 8, 5)]
    path = write(tmp_path / "rows.jsonl", rows)
    ours, theirs = FileTasks(path), FileTasks(path, answers="file")
    assert ours.report.answers_differ == theirs.report.answers_differ == 8
    assert "Another line" not in {t.payload["answer"] for t in everything(ours)}
    assert {t.payload["answer"] for t in everything(theirs)} == {"Another line"}


def test_only_wanted_tools_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", [t.payload for t in GeneratedTasks().tasks("train", 16, 5)])
    kept = everything(FileTasks(path, tools=["assess_kidney_function"]))
    assert {json.loads(t.payload["ground_truth"])["name"] for t in kept} == {"assess_kidney_function"}


def test_a_prompt_in_both_parts_of_a_folder_is_refused(tmp_path: Path) -> None:
    tasks = [t.payload for t in GeneratedTasks().tasks("train", 6, 5)]
    write(tmp_path / "train.jsonl", tasks[:4])
    write(tmp_path / "test.jsonl", tasks[4:])
    assert len(FileTasks(str(tmp_path)).tasks("heldout", 0, 0)) == 2
    write(tmp_path / "test.jsonl", tasks[3:])
    message = "test.jsonl line 1: the prompt stands in training too (train.jsonl line 4); remove one of them"
    with pytest.raises(DataError, match=re.escape(message)):
        FileTasks(str(tmp_path))
    (tmp_path / "test.jsonl").unlink()
    with pytest.raises(DataError, match=re.escape("neither test.jsonl nor test.parquet is there")):
        FileTasks(str(tmp_path))


GOOD = json.dumps(public_row("A risk?"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n \n", "no usable row"),
        (GOOD + '\n{"prompt": "x",}\n', "rows.jsonl line 2: bad JSON ("),
        (GOOD + "\n[1]\n", "rows.jsonl line 2: a row must be an object, not list"),
        (GOOD.replace("61", "NaN"), "rows.jsonl line 1: bad JSON (NaN"),
        (GOOD.replace("prompt", "question"), "rows.jsonl line 1: prompt is 'None'; give a text or a list"),
        (GOOD.replace("A risk?", " "), "rows.jsonl line 1: the prompt has no user message"),
        (GOOD.replace("tool_call", "call"), "rows.jsonl line 1: neither tool_call nor ground_truth"),
        (
            GOOD.replace("estimate_surgical_risk", "estimate_surgery_risk"),
            "rows.jsonl line 1: unknown tool 'estimate_surgery_risk'; did you mean 'estimate_surgical_risk'?",
        ),
        (
            json.dumps({"prompt": "x", "answer": "y", "ground_truth": "name=z"}),
            "rows.jsonl line 1: ground_truth is not JSON (",
        ),
        (
            json.dumps({"prompt": [{"role": "boss", "content": "x"}], "ground_truth": "{}"}),
            "rows.jsonl line 1: message \"{'role': 'boss', 'content': 'x'}\" lacks a role",
        ),
        (
            json.dumps({**public_row("A risk?"), "answer": 3}),
            "rows.jsonl line 1: answer must be text, not int",
        ),
        (
            GOOD + "\n" + json.dumps(public_row("A risk?", 50)),
            "rows.jsonl line 2: same prompt as rows.jsonl line 1 but another gold call; keep one of them",
        ),
    ],
)
def test_bad_rows_are_named_with_line_value_and_mend(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        FileTasks(str(path))
    assert "\n" not in str(caught.value)


def test_wrong_files_are_named_and_never_unpickled(tmp_path: Path) -> None:
    class Canary:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "sung",))

    (tmp_path / "rows.pkl").write_bytes(pickle.dumps(Canary()))
    (tmp_path / "rows.parquet").write_bytes(b"not parquet at all")
    (tmp_path / "latin.jsonl").write_bytes(b'{"prompt": "\xe9"}\n')
    for name, message in (
        ("rows.pkl", "unknown extension '.pkl'; give .jsonl or .parquet"),
        ("rows.parquet", "not a sound Parquet file"),
        ("latin.jsonl", "latin.jsonl line 1: not UTF-8"),
        ("absent.jsonl", "no such file"),
    ):
        with pytest.raises(DataError, match=re.escape(message)):
            FileTasks(str(tmp_path / name))
    assert not (tmp_path / "sung").exists()


def test_parquet_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    offsets, text = pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")
    pq.write_table(
        pa.table({"prompt": pa.Array.from_buffers(pa.string(), 1, [None, offsets, text])}),
        tmp_path / "rows.parquet",
    )
    with pytest.raises(DataError, match=r"not a sound Parquet file .*utf-8"):
        FileTasks(str(tmp_path / "rows.parquet"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", [public_row("A risk?")])
    Path(path).chmod(0)
    with pytest.raises(DataError, match="no permission to read it"):
        FileTasks(path)


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    rows = [t.payload for t in GeneratedTasks().tasks("train", 4, 5)]
    plain = everything(FileTasks(write(tmp_path / "plain.jsonl", rows)))
    text = (tmp_path / "plain.jsonl").read_text(encoding="utf-8").replace("\n", "\r\n")
    (tmp_path / "marked.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())
    marked = everything(FileTasks(str(tmp_path / "marked.jsonl")))
    assert {t.id for t in marked} == {t.id for t in plain}
    assert len(plain) == 4


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ("assess_kidney_function", "tools is the text 'assess_kidney_function'; give a list: ["),
        ([], "tools is empty"),
        (["guess"], "unknown tool 'guess'"),
    ],
)
def test_wrong_tools_are_named_by_files_and_generator(tmp_path: Path, tools: Any, message: str) -> None:
    path = write(tmp_path / "rows.jsonl", [public_row("A risk?")])
    for build in (lambda: FileTasks(path, tools=tools), lambda: GeneratedTasks(tools=tools)):
        with pytest.raises(ValueError, match=re.escape(message)):
            build()


def test_a_flipped_byte_in_a_parquet_page_is_noticed(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([t.payload for t in GeneratedTasks().tasks("train", 8, 0)])
    path = tmp_path / "rows.parquet"
    pq.write_table(
        table,
        path,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    data = bytearray(path.read_bytes())
    data[data.index(b"CrCl") + 1] ^= 1
    path.write_bytes(data)
    with pytest.raises(DataError, match="not a sound Parquet file"):
        FileTasks(str(path))


@pytest.mark.parametrize("fraction", [-0.1, 1.0, float("nan")])
def test_wrong_fraction_is_named(tmp_path: Path, fraction: float) -> None:
    with pytest.raises(DataError, match="heldout_fraction is"):
        FileTasks(write(tmp_path / "rows.jsonl", [public_row("A risk?")]), fraction)


TEXTS = st.lists(
    st.lists(
        st.sampled_from(["he", "she", "risk", "of", "a", "61", "62", "man", "woman", "with", "1.1", "fever"]),
        min_size=1,
        max_size=18,
    ).map(" ".join),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(texts=TEXTS, seed=st.integers(0, 99))
def test_groups_hold_templates_and_ngrams_together_in_any_order(texts: list[str], seed: int) -> None:
    keys = dict(zip(texts, near_groups(texts), strict=True))
    mixed = random.Random(seed).sample(texts, len(texts))
    assert dict(zip(mixed, near_groups(mixed), strict=True)) == keys
    for a in texts:
        for b in texts:
            if template(a) == template(b) or ngrams(words(a)) & ngrams(words(b)):
                assert keys[a] == keys[b]


def test_a_common_run_of_thirteen_words_or_a_chain_of_them_makes_one_group() -> None:
    run = "one two three four five six seven eight nine ten eleven twelve thirteen"
    chain = [f"{run} and red", f"{run} or blue cars drive over a bridge that no one has seen yet today"]
    chain.append("green " + chain[1].split("or ")[1] + " at all")
    alone = "one two three four five six seven eight nine ten eleven twelve but other"
    keys = near_groups([*chain, alone])
    assert len(set(keys[:3])) == 1
    assert keys[3] != keys[0]


def test_overlap_counts_heldout_texts_that_share_thirteen_words() -> None:
    run = "one two three four five six seven eight nine ten eleven twelve thirteen"
    assert overlap([f"{run} more"], [f"so {run}", "nothing alike"]) == 0.5
    assert overlap([run.replace("thirteen", "other")], [run]) == 0.0
    assert overlap(["a man of 61"], ["a woman of 72"]) == 0.0
    assert overlap(["a man of 61"], ["a woman of 72"], masked=True) == 1.0
