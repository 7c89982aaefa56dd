"""The audit of public labels: all judged, every disagreement explained, no crash on any file."""

from __future__ import annotations

import csv
import datetime
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from distrl.envs.medcalc.audit import Verdict, judge, main
from distrl.envs.medcalc.public.rows import Row, read_rows
from distrl.envs.medcalc.public.slips import Reason
from distrl.envs.medcalc.task import truth_from

DATA = Path(__file__).resolve().parents[5] / "shared/data"
ONE_SHOT = DATA / "medcalc_bench_verified_oneshot/one_shot_data.csv"
SUBSETS = {
    "rowanhnwl_valid_split.csv": (965, 26, 15),
    "ehrmind_medcalc_val.parquet": (941, 190, 14),
}
needs_rows = pytest.mark.skipif(not ONE_SHOT.exists(), reason="../shared has no MedCalc-Bench rows")


def made_up(calculator_id: int, entities: Any, label: Any) -> Row:
    return Row(
        place="row 1",
        calculator_id=calculator_id,
        note="note",
        question="question",
        entities=repr(entities),
        truth=truth_from(calculator_id, label),
        explanation=(),
    )


@needs_rows
def test_the_one_shot_file_agrees_in_all_55_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ONE_SHOT)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{ONE_SHOT}: 55 rows"
    assert next(line for line in lines if " all " in line).split() == ["all", "55", "55", "0", "0"]
    assert len(lines) == 55 + 5


@needs_rows
@pytest.mark.parametrize("name", SUBSETS)
def test_every_disagreement_with_the_train_subsets_is_explained(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = [
        judge(row) for row in read_rows(DATA / "medcalc_bench_train_subset" / name) if isinstance(row, Row)
    ]
    counts = Counter(each.verdict for each in judged)
    assert (counts[Verdict.AGREE], counts[Verdict.DISAGREE], counts[Verdict.NO_VALUE]) == SUBSETS[name]
    assert all(each.reason is not Reason.UNEXPLAINED for each in judged)
    for each in judged:
        assert (each.ours is None) == (each.verdict is Verdict.NO_VALUE)
        assert each.verdict is Verdict.AGREE or (each.reason and each.detail and "\n" not in each.line())


@pytest.mark.parametrize(
    ("calculator_id", "entities", "label", "reason", "says"),
    [
        (
            13,
            {"Last menstrual date": "09/17/2011", "cycle length": 21},
            datetime.date(2012, 6, 30),
            Reason.WRONG_LABEL,
            "wrong sign",
        ),
        (
            21,
            {
                "Best eye response": "eye opening to pain",
                "Best verbal response": "inappropriate words",
                "Best motor response": "withdrawal from pain",
            },
            12,
            Reason.WRONG_LABEL,
            "counted twice",
        ),
        (
            3,
            {"age": [74, "years"], "creatinine": [0.9, "mg/dL"], "sex": "Male"},
            83.072,
            Reason.WRONG_LABEL,
            "kappa",
        ),
        (7, {"Albumin": [28.0, "g/L"], "Calcium": [2.26, "mmol/L"]}, 8.96, Reason.UNIT, "were rounded"),
        (
            51,
            {
                "Temperature": [36.5, "degrees celsius"],
                "Heart Rate or Pulse": [70.0, "beats per minute"],
                "respiratory rate": [18.0, "breaths per minute"],
                "White blood cell count": [8700.0, "µL"],
            },
            2,
            Reason.UNIT,
            "another volume; a heart rate up to 90",
        ),
    ],
)
def test_a_slip_rebuilds_the_label_and_names_itself(
    calculator_id: int, entities: dict[str, Any], label: Any, reason: Reason, says: str
) -> None:
    judged = judge(made_up(calculator_id, entities, label))
    assert (judged.verdict, judged.reason) == (Verdict.DISAGREE, reason)
    assert says in judged.detail


def test_a_label_that_no_slip_rebuilds_stays_unexplained() -> None:
    entities = {"Last menstrual date": "09/17/2011", "cycle length": 21}
    judged = judge(made_up(13, entities, datetime.date(2012, 6, 29)))
    assert (judged.verdict, judged.reason) == (Verdict.DISAGREE, Reason.UNEXPLAINED)


@pytest.mark.parametrize(
    ("entities", "label", "verdict", "reason"),
    [
        ({"age": [62, "years"], "sex": "Male"}, 0, Verdict.AGREE, None),
        ({"age": [62, "years"], "sex": "Male"}, 3, Verdict.DISAGREE, Reason.UNEXPLAINED),
        ({"age": [62, "years"]}, 0, Verdict.NO_VALUE, Reason.MISSING),
        ({"age": [62000, "years"], "sex": "Male"}, 0, Verdict.NO_VALUE, Reason.UNIT),
        ({"age": [62, "years"], "sex": "Male", "luck": True}, 0, Verdict.NO_VALUE, Reason.UNREADABLE),
        ({"age": [62, "years"], "sex": "unknown"}, 0, Verdict.NO_VALUE, Reason.UNREADABLE),
        ("no entities", 0, Verdict.NO_VALUE, Reason.UNREADABLE),
    ],
)
def test_each_reason_is_told_apart(
    entities: Any, label: int, verdict: Verdict, reason: Reason | None
) -> None:
    judged = judge(made_up(4, entities, label))
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_a_value_outside_the_rules_domain_is_no_error_of_the_row() -> None:
    judged = judge(made_up(20, {"age": [14, "months"], "Temperature": [38.4, "degrees celsius"]}, 1))
    assert (judged.verdict, judged.reason) == (Verdict.NO_VALUE, Reason.DOMAIN)


def test_hostile_and_broken_files_are_told_and_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["Calculator ID", "Patient Note", "Question", "Relevant Entities", "Ground Truth Answer"]
        )
        writer.writerow(["6", "note", "BMI?", "{'weight': __import__('os')}", "24"])
        writer.writerow(["6", "note", "BMI?", "{'weight': [70, 'kg'], 'height': [170, 'cm']}", "N/A"])
        writer.writerow(["600", "note", "BMI?", "{}", "24"])
    assert main([str(path)]) == 1
    said = capsys.readouterr().out
    assert "unreadable entities" in said and said.count("not judged: ") == 2
    assert main([str(tmp_path / "absent.csv"), str(tmp_path / "also.pkl")]) == 1
    assert capsys.readouterr().err.count("error: ") == 2
    assert main([]) == 2
