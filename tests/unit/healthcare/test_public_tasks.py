"""The public task files: what runs, why the rest does not, and one clear line for a malformed file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from distrl.envs.contract import Task
from distrl.envs.healthcare.env import ClinicalDiagnosisEnv, DrugInteractionEnv, MedicalQAEnv
from distrl.envs.healthcare.knowledge import own
from distrl.envs.healthcare.knowledge.protocol import Hit
from distrl.envs.healthcare.tasks import public
from distrl.envs.healthcare.tasks.public import Report, load, main
from distrl.envs.healthcare.tasks.public_database import DOSE_UNKNOWN, convert
from distrl.envs.healthcare.tasks.public_read import PublicTasksError, read
from distrl.envs.healthcare.tools import search

PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "healthcare_gym_tasks"
needs_files = pytest.mark.skipif(not PUBLIC.exists(), reason="the public task files are not on this machine")


class OnePassage:
    """A base that finds the same passage for every query; whether a call runs does not hang on which."""

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        return [Hit(passage=own.passages()[0], score=1.0)]

    def stats(self) -> dict[str, int]:
        return {"passages": 1}


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "backend", OnePassage)


PATIENT = {
    "patient_id": "P9",
    "age": 50,
    "sex": "F",
    "allergies": [{"allergen": "Sulfonamides", "reaction": "rash", "severity": "mild"}],
    "medications": ["metformin 1000mg BID", {"drug_name": "Unobtainium"}],
    "conditions": [{"condition_name": "Hypertension", "icd10_code": "I10", "status": "chronic"}],
    "lab_results": [
        {"test_name": "Potassium", "value": "4.1", "unit": "mEq/L", "reference_range": "3.5-5.0"},
        {"test_name": "Blood Culture", "value": "Pending", "unit": ""},
        {"test_name": "Potassium", "value": "4.1", "unit": "furlongs"},
    ],
    "vital_signs": [{"timestamp": "2026-02-12T08:00:00", "temperature": 38.7, "weight": 70}],
}


def folder(tmp_path: Path, tasks: Any, name: str = "clinical_diagnosis", **files: Any) -> Path:
    path = tmp_path / name
    path.mkdir()
    (path / "tasks.json").write_text(tasks if isinstance(tasks, str) else json.dumps(tasks))
    for file, content in files.items():
        (path / f"{file}.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def task(*actions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    criteria = {"actions": list(actions), "nl_assertions": ["The agent was kind"]}
    return {"id": "t1", "ticket": "Patient P9 is ill.", "evaluation_criteria": criteria, **fields}


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


DIAGNOSIS = action("record_diagnosis", patient_id="P9", diagnosis="Hypertension")


def reasons(path: Path) -> list[str]:
    return [kind for kind, _ in load(path)[1].rows[0].reasons]


def test_a_task_that_runs_becomes_ours(tmp_path: Path) -> None:
    path = folder(
        tmp_path,
        [task(action("get_patient_info", patient_id="P9"), DIAGNOSIS)],
        db={"patients": {"P9": PATIENT}},
    )
    tasks, report = load(path)
    payload = tasks[0].payload
    assert payload["answer"]["kind"] == "diagnosis" and payload["answer"]["condition"] == "hypertension"
    assert payload["assertions"] == [] and report.rows[0].assertions == ("The agent was kind",)
    assert payload["patient_id"] == "P9" and payload["world"]["database"]["patients"]["P9"]["sex"] == "female"
    assert payload["world"]["database"]["diagnoses"] == []  # the gold calls ran on a copy


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (action("read_mind", patient_id="P9"), public.UNKNOWN_TOOL),
        (action("get_clinical_notes"), public.MISSING_ARGUMENT),
        (action("get_patient_info", patient_id="P9", mood="good"), public.WRONG_ARGUMENT),
        (action("get_patient_info", patient_id="P7"), public.NO_DATA),
        (action("order_lab_test", patient_id="P9", test_name="Aura Reading"), public.REFUSED),
    ],
)
def test_why_a_task_does_not_run_is_said(tmp_path: Path, made: dict[str, Any], reason: str) -> None:
    path = folder(tmp_path, [task(made, DIAGNOSIS)], db={"patients": {"P9": PATIENT}})
    assert reasons(path) == [reason]
    assert load(path)[0] == []


def test_a_task_without_a_gold_answer_does_not_run(tmp_path: Path) -> None:
    path = folder(
        tmp_path, [task(action("get_patient_info", patient_id="P9"))], db={"patients": {"P9": PATIENT}}
    )
    assert reasons(path) == [public.NO_ANSWER]


def test_a_domain_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = folder(tmp_path, [task(action("read_palm"))], name="palmistry")
    assert reasons(path) == [public.NOT_THERE]


def test_calls_by_name_alone_are_filled_from_the_task_and_counted(tmp_path: Path) -> None:
    asked = task(
        {"name": "search_pubmed", "arguments": {}},
        action("submit_answer", answer="B"),
        correct_answer="B",
        options={"A": "no", "B": "yes\nOption:"},
        ticket="Is it so? lisinopril",
    )
    tasks, report = load(folder(tmp_path, [asked], name="medical_qa_200"))
    assert report.rows[0].filled == 1 and report.cleaned == 1
    assert tasks[0].payload["answer"]["options"] == {"A": "no", "B": "yes"}
    assert tasks[0].payload["expected"][0]["arguments"] == {}  # the expectation stays by name


def test_what_a_database_lacks_is_counted_and_not_made_up() -> None:
    database, notes = convert({"patients": {"P9": PATIENT}}, {})
    person = database["patients"]["P9"]
    assert [(lab["name"], lab["value"], lab["unit"]) for lab in person["labs"]] == [
        ("Potassium", 4.1, "mmol/L")
    ]
    assert person["allergies"][0]["group"] == "sulfa" and person["vitals"][0]["heart_rate_bpm"] is None
    first, second = person["medications"]
    assert (first["drug"], first["dose"], first["dose_unit"], first["doses_per_day"]) == (
        "metformin",
        1000,
        "mg",
        2,
    )
    assert second["dose_unit"] == DOSE_UNKNOWN
    assert notes["laboratory results without a number"] == 1
    assert notes["laboratory results in a unit that does not convert"] == 1
    assert notes["medications that are not in the formulary"] == 1


def test_a_sex_is_read_from_the_ticket_or_counted_as_unknown() -> None:
    profile = {"patient_id": "DI_P001", "age": 68}
    told, notes = convert({"patient_profiles": {"x": profile}}, {}, "Patient DI_P001 (68F, ill) asks")
    assert told["patients"]["DI_P001"]["sex"] == "female" and not notes
    assert convert({"patient_profiles": {"x": profile}}, {})[1]["patients without a sex, taken as male"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "no JSON: "),
        ('{"a": 1}', "a list of tasks is expected, not an object"),
        ("[[]]", "task 1: an object is expected, not a list"),
        ('[{"id": "x"}]', "'ticket' is missing or no text"),
        ([task(), task()], "1 ids occur twice"),
        ([task(options=["A"])], "'options' must be an object, not a list"),
        ([{**task(), "evaluation_criteria": {"actions": {"a": 1}}}], "expected calls must be a list"),
        ([task({"arguments": {}})], "expected call 1 needs a name"),
        (
            [task(action("f"), evaluation_criteria={"actions": [], "nl_assertions": "x"})],
            "assertions must be a list",
        ),
    ],
)
def test_a_malformed_file_is_one_clear_line(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(PublicTasksError, match=message) as caught:
        load(folder(tmp_path, content))
    assert "\n" not in str(caught.value)


def test_malformed_splits_databases_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PublicTasksError, match="lists of ids by split"):
        read(folder(tmp_path, [task()], name="a", split_tasks={"train": 3}))
    with pytest.raises(PublicTasksError, match="json: an object is expected"):
        read(folder(tmp_path, [task()], name="b", db=[1]))
    with pytest.raises(PublicTasksError, match="no such folder"):
        read(tmp_path / "nowhere")
    assert main([str(tmp_path / "nowhere")]) == 1


@cache
def loaded(name: str) -> tuple[list[Task], Report]:
    return load(PUBLIC / name)


@needs_files
def test_all_ten_public_folders_are_read_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    names = [path.name for path in public.folders(PUBLIC)]
    assert len(names) == 10
    Console(width=200).print(public.table([loaded(name)[1] for name in names]))
    assert main([str(PUBLIC / "psychiatry")]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)


@needs_files
@pytest.mark.parametrize(
    ("name", "runs"), [("clinical_diagnosis", 3), ("drug_interaction", 5), ("medical_qa_200", 200)]
)
def test_the_public_tasks_of_our_domains_run(name: str, runs: int) -> None:
    tasks, report = loaded(name)
    assert len(tasks) == runs, report.details()
    kinds = {kind for row in report.rows for kind, _ in row.reasons}
    assert kinds <= {public.NO_ANSWER}  # no call of ours fails on their data
    assert {t.split for t in tasks} <= {"train", "test"}


@needs_files
def test_a_public_task_is_an_episode_of_our_gym() -> None:
    for name, env in (
        ("clinical_diagnosis", ClinicalDiagnosisEnv()),
        ("drug_interaction", DrugInteractionEnv()),
        ("medical_qa_200", MedicalQAEnv()),
    ):
        task_ = loaded(name)[0][0]
        env.reset(options={"task": task_})
        for text in env.gold_actions(task_):
            _, reward, terminated, _, info = env.step(text)
            assert all(event.ok for event in info["tool_events"])
        assert terminated and info["reward_parts"]["accuracy"] == 1.0, (name, reward, info["reward_reasons"])


def test_a_call_on_no_list_of_a_domain_that_is_not_there_is_unknown(tmp_path: Path) -> None:
    made = task(action("administer_phq9", patient_id="P9"), action("administer_horoscope", patient_id="P9"))
    _, report = load(folder(tmp_path, [made], name="psychiatry"))
    assert report.rows[0].reasons[1:] == [
        (public.UNKNOWN_TOOL, "administer_horoscope is on no list of psychiatry")
    ]
