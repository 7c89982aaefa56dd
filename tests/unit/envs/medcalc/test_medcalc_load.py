"""Public MedCalc rows as tasks: every version's columns, answers of every type, limits, splits, bad files."""

from __future__ import annotations

import csv
import datetime
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from distrl.envs.clinical.calculators import CALCULATORS, Output
from distrl.envs.contract import Task, TaskSource
from distrl.envs.medcalc.public.load import LICENCE, FileTasks
from distrl.envs.medcalc.public.rows import agrees, parse_answer
from distrl.envs.medcalc.task import truth_from, truth_of
from distrl.envs.task_files import DataError

DATA = Path(__file__).resolve().parents[5] / "shared/data"
ONE_SHOT = DATA / "medcalc_bench_verified_oneshot/one_shot_data.csv"
PARQUET = DATA / "medcalc_bench_train_subset/ehrmind_medcalc_val.parquet"
needs_rows = pytest.mark.skipif(not ONE_SHOT.exists(), reason="../shared has no MedCalc-Bench rows")
COLUMNS = ("Row Number", "Calculator ID", "Output Type", "Patient Note", "Question", "Relevant Entities")
ANSWER_COLUMNS = ("Ground Truth Answer", "Lower Limit", "Upper Limit", "Ground Truth Explanation")


def row(number: int, **changes: str) -> dict[str, str]:
    """A sound row of body mass index 24.2; each number is another note."""
    values = (str(number), "6", "decimal", f"Note {number}: 70 kg, 170 cm.", "What is the BMI?")
    entities = "{'weight': [70.0, 'kg'], 'height': [170.0, 'cm']}"
    found = dict(zip(COLUMNS, (*values, entities), strict=True))
    found |= dict(zip(ANSWER_COLUMNS, ("24.221", "23.01", "25.432", "first line\n\nlast line"), strict=True))
    return {**found, **changes}


def write(path: Path, rows: list[dict[str, str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def everything(source: FileTasks) -> list[Task]:
    return source.tasks("train", 0, 0) + source.tasks("heldout", 0, 0)


@needs_rows
def test_the_one_shot_rows_are_tasks_with_arguments_that_lead_to_the_answer() -> None:
    source = FileTasks(str(ONE_SHOT), 0.2)
    assert isinstance(source, TaskSource)
    tasks = everything(source)
    assert len({task.id for task in tasks}) == len({t.payload["calculator_id"] for t in tasks}) == 55
    for task in tasks:
        json.dumps(task.payload)
        calculator = CALCULATORS[task.payload["calculator_id"]]
        assert (task.env, task.licence) == ("distrl/MedCalc-v0", LICENCE)
        assert task.source.startswith("MedCalc-Bench") and "one_shot_data.csv row" in task.source
        assert task.payload["unit"] == calculator.unit
        worked = calculator.function(**task.payload["arguments"])
        assert agrees(truth_of(task.payload), worked.value)
        assert task.payload["explanation"] == list(worked.steps)
    assert source.report.lines() == [f"{ONE_SHOT}: 55 rows, 41 for training, 14 held out"]


@needs_rows
def test_the_parquet_rows_load_and_computed_answers_mend_the_labels() -> None:
    labels = FileTasks(str(PARQUET))
    assert (labels.report.rows, labels.report.bad, labels.report.labels_differ) == (1145, 0, 190)
    ours = FileTasks(str(PARQUET), answers="computed")
    assert (ours.report.bad, ours.report.labels_differ) == (14, 0)
    kept = {task.id: task for task in everything(labels)}
    changed = [t for t in everything(ours) if t.payload["answer"] != kept[t.id].payload["answer"]]
    assert {t.payload["calculator_id"] for t in changed} >= {13, 15, 17, 21, 36, 43, 46}
    wrong = [t for t in kept.values() if not t.payload["arguments"]]
    assert len(wrong) == 190 + 14 and all(t.payload["explanation"] for t in wrong)


@pytest.mark.parametrize(
    "rename", [str.lower, lambda name: name.replace(" ", "_"), str.upper, lambda name: name]
)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_columns_of_every_version_are_found(tmp_path: Path, rename: Any, kind: str) -> None:
    rows = [{rename(name): value for name, value in row(i).items()} for i in range(10)]
    path = tmp_path / f"rows.{kind}"
    if kind == "csv":
        write(path, rows)
    else:
        pq.write_table(pa.Table.from_pylist([{**r, "extra": {"nested": [1]}} for r in rows]), path)
    tasks = everything(FileTasks(str(path)))
    assert len(tasks) == 10
    assert all(task.payload["arguments"] == {"weight": 70.0, "height": 170.0} for task in tasks)


def test_numbers_of_a_parquet_file_need_no_text(tmp_path: Path) -> None:
    rows = [{**row(i), "Calculator ID": 6, "Ground Truth Answer": 24.221} for i in range(3)]
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert len(everything(FileTasks(str(path)))) == 3


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [
        (Output.WEEKS_DAYS, "('34 weeks', '3 days')", (34, 3)),
        (Output.WEEKS_DAYS, "(1 week, 0 days)", (1, 0)),
        (Output.WEEKS_DAYS, "241", (34, 3)),
        (Output.DATE, "12/02/2000", datetime.date(2000, 12, 2)),
        (Output.DATE, "2000-12-02", datetime.date(2000, 12, 2)),
        (Output.INTEGER, "8", 8),
        (Output.INTEGER, "-1.0", -1),
        (Output.DECIMAL, " -2.1 ", -2.1),
        (Output.DECIMAL, "1.5", 1.5),
    ],
)
def test_answers_of_every_type_are_read(output: Output, text: str, value: Any) -> None:
    assert parse_answer(output, text) == value


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (Output.WEEKS_DAYS, "N/A"),
        (Output.WEEKS_DAYS, "34 weeks or 35 weeks, 3 days"),
        (Output.DATE, "13/40/2000"),
        (Output.INTEGER, "8.5"),
        (Output.INTEGER, "N/A"),
        (Output.DECIMAL, "nan"),
        (Output.DECIMAL, "inf"),
        (Output.DECIMAL, "1e999"),
        (Output.DECIMAL, "1e308"),
        (Output.INTEGER, "1e300"),
        (Output.WEEKS_DAYS, "('34 weeks', '7 days')"),
        (Output.DECIMAL, "str(2)"),
    ],
)
def test_an_answer_of_another_type_is_refused(output: Output, text: str) -> None:
    with pytest.raises(DataError, match="answer"):
        parse_answer(output, text)


def test_limits_are_in_order_below_zero_and_none_for_scores() -> None:
    below = truth_from(38, -2.1)
    assert (below.lower, below.upper) == pytest.approx((-2.205, -1.995))
    assert (truth_from(8, 1.5).lower, truth_from(8, 1.5).upper) == (1.5, 1.5)
    assert (truth_from(4, 2).lower, truth_from(4, 2).upper) == (2.0, 2.0)
    assert truth_from(69, (34, 3)).lower is None


def test_the_files_own_limits_and_types_do_not_count(tmp_path: Path) -> None:
    changes = {"Lower Limit": "25.4", "Upper Limit": "23.0", "Output Type": "integer"}
    tasks = everything(FileTasks(write(tmp_path / "rows.csv", [row(1, **changes), row(2)])))
    assert {task.payload["output"] for task in tasks} == {"decimal"}
    assert all(task.payload["lower"] == pytest.approx(23.00995) for task in tasks)


def test_a_note_is_on_one_side_whatever_the_order_and_its_blanks(tmp_path: Path) -> None:
    rows = [row(i % 40, Question=f"What is the BMI? ({i // 40})") for i in range(80)]
    for each in rows[40:]:
        each["Patient Note"] = each["Patient Note"].upper().replace(" ", "  ")
    source = FileTasks(write(tmp_path / "a.csv", rows), 0.3)
    random.Random(0).shuffle(rows)
    again = FileTasks(write(tmp_path / "b.csv", rows), 0.3)
    notes = {
        s: {" ".join(t.payload["note"].lower().split()) for t in source.tasks(s, 0, 0)}
        for s in ("train", "heldout")
    }
    assert notes["train"] and notes["heldout"] and not notes["train"] & notes["heldout"]
    for split in notes:
        assert {t.id for t in source.tasks(split, 0, 0)} == {t.id for t in again.tasks(split, 0, 0)}


def test_a_larger_fraction_only_adds_to_what_is_held_out(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", [row(i) for i in range(200)])
    held = [{t.id for t in FileTasks(path, fraction).tasks("heldout", 0, 0)} for fraction in (0.1, 0.3, 0.6)]
    assert held[0] < held[1] < held[2]
    assert [len(ids) for ids in held] == pytest.approx([20, 60, 120], abs=20)
    assert not FileTasks(path, 0.0).tasks("heldout", 0, 0)


def test_a_draw_is_decided_by_its_seed(tmp_path: Path) -> None:
    source = FileTasks(write(tmp_path / "rows.csv", [row(i) for i in range(50)]))
    first = [t.id for t in source.tasks("train", 5, 1)]
    assert first == [t.id for t in source.tasks("train", 5, 1)] != [t.id for t in source.tasks("train", 5, 2)]


def test_a_folder_brings_its_own_split_and_no_note_stands_in_both(tmp_path: Path) -> None:
    write(tmp_path / "train_data.csv", [row(i) for i in range(10)])
    write(tmp_path / "test_data.csv", [row(i) for i in (3, 20, 21)])
    source = FileTasks(str(tmp_path))
    assert len(source.tasks("train", 0, 0)) == 9
    assert len(source.tasks("heldout", 0, 0)) == 3
    assert source.report.in_both == 1
    assert (source.report.repeated, source.report.bad) == (0, 0)


def test_bad_rows_are_counted_with_the_first_reasons(tmp_path: Path) -> None:
    rows = [row(i) for i in range(10)]
    rows[1] = row(1, **{"Calculator ID": "12"})
    rows[2] = row(2, **{"Ground Truth Answer": "N/A"})
    rows[3] = row(3, **{"Patient Note": " "})
    rows[4] = row(4, **{"Calculator ID": "²"})
    rows[5] = row(0, **{"Ground Truth Answer": "30"})
    rows[6] = row(0)
    source = FileTasks(write(tmp_path / "rows.csv", rows))
    assert len(everything(source)) == 4
    assert (source.report.bad, source.report.repeated) == (5, 1)
    said = "\n".join(source.report.lines())
    assert "rows.csv row 2 (row number 1): no calculator '12'" in said
    assert "rows.csv row 3 (row number 2): answer 'N/A' is no number" in said
    assert "dropped 5 bad rows" in said and len(source.report.reasons) == 3


@pytest.mark.parametrize("number", ["00000299", "000002" + "9" * 5000, "-6", "6.5", "6e0"])
def test_a_hostile_calculator_id_is_a_bad_row(tmp_path: Path, number: str) -> None:
    source = FileTasks(write(tmp_path / "rows.csv", [row(1, **{"Calculator ID": number}), row(2)]))
    assert (len(everything(source)), source.report.bad) == (1, 1)


@pytest.mark.parametrize("column", ["Patient Note", "Question", "Ground Truth Explanation"])
def test_a_text_that_no_prompt_holds_is_a_bad_row(tmp_path: Path, column: str) -> None:
    rows = [row(1, **{column: "word " * 20_000}), row(2)]
    source = FileTasks(write(tmp_path / "rows.csv", rows))
    assert (len(everything(source)), source.report.bad) == (1, 1)


def test_a_date_out_of_range_in_a_parquet_file_is_an_error_of_the_file(tmp_path: Path) -> None:
    columns = {"Calculator ID": ["6"], "Patient Note": ["n"], "Question": ["q"]}
    far = pa.array([2**62], pa.timestamp("us"))
    pq.write_table(pa.table({**columns, "Ground Truth Answer": far}), tmp_path / "rows.parquet")
    with pytest.raises(DataError, match="not a sound Parquet file"):
        FileTasks(str(tmp_path / "rows.parquet"))


def test_entities_that_are_no_arguments_leave_the_answer(tmp_path: Path) -> None:
    odd = row(1, **{"Relevant Entities": "{'weight': __import__('os')}"})
    wrong = row(2, **{"Ground Truth Answer": "30"})
    source = FileTasks(write(tmp_path / "rows.csv", [odd, wrong, row(3)]))
    assert (source.report.without_arguments, source.report.labels_differ) == (1, 1)
    for task in everything(source):
        sound = "Note 3" in task.payload["note"]
        assert bool(task.payload["arguments"]) is sound
        assert (task.payload["explanation"] == ["first line", "last line"]) is not sound


def test_a_file_of_bad_rows_only_is_refused_with_the_reasons(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", [row(i, **{"Ground Truth Answer": "N/A"}) for i in range(3)])
    with pytest.raises(DataError, match=r"no usable row; rows\.csv row 1"):
        FileTasks(path)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("rows.csv", None, "no such file"),
        ("rows.jsonl", b"{}", "unknown extension '.jsonl'"),
        ("rows.csv", b"", "no rows"),
        ("rows.csv", b"a,b\n1,2\n", "no column calculatorid, patientnote, question"),
        ("rows.csv", b"Calculator ID,Patient Note\n6,\xff\xfe\n", "not a sound CSV file"),
        ("rows.csv", b'Calculator ID,Patient Note\n6,"' + b"x" * 200_000 + b'"\n', "not a sound CSV file"),
        ("rows.parquet", b"PAR1 nothing", "not a sound Parquet file"),
        ("rows.pkl", b"cos\nsystem\n", "unknown extension"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_mend(
    tmp_path: Path, name: str, content: Any, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=says) as caught:
        FileTasks(str(path))
    assert "\n" not in str(caught.value)


def test_wrong_options_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", [row(1)])
    with pytest.raises(DataError, match=r"heldout_fraction is 1\.5"):
        FileTasks(path, 1.5)
    with pytest.raises(DataError, match="unknown answers 'ours'; known: file, computed"):
        FileTasks(path, answers="ours")
    with pytest.raises(ValueError, match="unknown split 'test'"):
        FileTasks(path).tasks("test", 0, 0)
    with pytest.raises(ValueError, match="count is -1"):
        FileTasks(path).tasks("train", -1, 0)
