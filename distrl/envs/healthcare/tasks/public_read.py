"""Public task files as they are: tasks.json, split_tasks.json, db.json of one folder, brought to one form.

folder -> [read] -> PublicTask, database -> public

Two shapes are known: tasks with `evaluation_criteria`, and those of ehr_management with `expected_actions`.
Anything else is one clear line, never a traceback from deep inside.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distrl.envs.healthcare.tasks.draft import Difficulty
from distrl.envs.healthcare.tasks.schema import ExpectedCall

FOLDER_DOMAIN = {"medical_qa_200": "medical_qa"}  # where the folder's name is not the domain's
DIFFICULTIES: dict[str, Difficulty] = {
    "easy": "easy",
    "moderate": "moderate",
    "medium": "moderate",
    "hard": "hard",
}
MAX_BYTES = 50_000_000  # of one file; more is no task file
STRAY = "\nOption:"  # a fragment that a converter left in some options


class PublicTasksError(ValueError):
    """A file that is missing or malformed; one line that names it and what is wrong."""


@dataclass(frozen=True, kw_only=True)
class PublicTask:
    """One task in one form. `assertions` are sentences; `cleaned`: an option lost a stray fragment."""

    id: str
    domain: str
    split: str
    ticket: str
    purpose: str
    difficulty: Difficulty
    challenges: tuple[str, ...]
    persona: str
    patient_id: str
    calls: tuple[ExpectedCall, ...]
    assertions: tuple[str, ...]
    answer: str
    options: dict[str, str]
    patient: dict[str, Any]
    cleaned: bool = False


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a folder holds. `absent`: ids that the split lists and tasks.json does not hold."""

    name: str
    tasks: tuple[PublicTask, ...]
    database: dict[str, Any]
    absent: int


def read(folder: Path) -> Files:
    """The files of a folder. Raises PublicTasksError for what is missing or malformed."""
    if not folder.is_dir():
        raise PublicTasksError(f"{folder}: no such folder")
    raw = _json(folder / "tasks.json")
    if not isinstance(raw, list):
        raise PublicTasksError(f"{folder.name}/tasks.json: a list of tasks is expected, not {_kind(raw)}")
    splits = _splits(folder / "split_tasks.json")
    domain = FOLDER_DOMAIN.get(folder.name, folder.name)
    tasks = tuple(
        _task(f"{folder.name}/tasks.json: task {i + 1}", row, domain, splits) for i, row in enumerate(raw)
    )
    ids = {task.id for task in tasks}
    if len(ids) < len(tasks):
        raise PublicTasksError(f"{folder.name}/tasks.json: {len(tasks) - len(ids)} ids occur twice")
    path = folder / "db.json"
    database = _json(path) if path.exists() else {}
    if not isinstance(database, dict):
        raise PublicTasksError(f"{folder.name}/db.json: an object is expected, not {_kind(database)}")
    return Files(name=folder.name, tasks=tasks, database=database, absent=len(set(splits) - ids))


def _json(path: Path) -> Any:
    where = f"{path.parent.name}/{path.name}"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PublicTasksError(f"{where}: larger than {MAX_BYTES // 1_000_000} MB")
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PublicTasksError(f"{where}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise PublicTasksError(f"{where}: no JSON text: {type(error).__name__}") from None
    except json.JSONDecodeError as error:
        raise PublicTasksError(f"{where}: no JSON: {error.msg} in line {error.lineno}") from None


def _splits(path: Path) -> dict[str, str]:
    """Task id to split; ids of other lists (such as "base") are left out."""
    if not path.exists():
        return {}
    data = _json(path)
    if not isinstance(data, dict) or not all(isinstance(ids, list) for ids in data.values()):
        raise PublicTasksError(f"{path.parent.name}/{path.name}: lists of ids by split are expected")
    return {str(name): split for split in ("train", "test") for name in data.get(split, [])}


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "text", type(None): "null"}.get(type(value), "a number")


def _task(where: str, row: Any, domain: str, splits: Mapping[str, str]) -> PublicTask:
    if not isinstance(row, dict):
        raise PublicTasksError(f"{where}: an object is expected, not {_kind(row)}")
    for name in ("id", "ticket"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise PublicTasksError(f"{where}: {name!r} is missing or no text")
    about = _object(where, row, "description")
    criteria = _object(where, row, "evaluation_criteria")
    scenario = _object(where, row, "user_scenario")
    options, cleaned = _options(where, row)
    return PublicTask(
        id=row["id"],
        domain=str(row.get("domain") or domain),
        split=splits.get(row["id"]) or ("test" if row.get("split") == "test" else "train"),
        ticket=row["ticket"],
        purpose=str(about.get("purpose") or row.get("category") or ""),
        difficulty=DIFFICULTIES.get(str(about.get("difficulty") or row.get("difficulty")), "moderate"),
        challenges=tuple(map(str, about.get("key_challenges") or ())),
        persona=str(scenario.get("persona") or ""),
        patient_id=str(row.get("patient_id") or ""),
        calls=_calls(where, row, criteria),
        assertions=_assertions(where, row, criteria),
        answer=str(row.get("correct_answer") or row.get("expected_answer") or "").strip(),
        options=options,
        patient=_object(where, row, "patient_data"),
        cleaned=cleaned,
    )


def _object(where: str, row: dict[str, Any], name: str) -> dict[str, Any]:
    value = row.get(name) or {}
    if not isinstance(value, dict):
        raise PublicTasksError(f"{where}: {name!r} must be an object, not {_kind(value)}")
    return value


def _options(where: str, row: dict[str, Any]) -> tuple[dict[str, str], bool]:
    raw = {str(k): str(v) for k, v in _object(where, row, "options").items()}
    options = {key: text.partition(STRAY)[0].strip() for key, text in raw.items()}
    return options, any(STRAY in text for text in raw.values())


def _calls(where: str, row: dict[str, Any], criteria: dict[str, Any]) -> tuple[ExpectedCall, ...]:
    """Expected calls of either shape."""
    listed = criteria.get("actions") or row.get("expected_actions") or []
    if not isinstance(listed, list):
        raise PublicTasksError(f"{where}: the expected calls must be a list, not {_kind(listed)}")
    calls: list[ExpectedCall] = []
    for place, item in enumerate(listed, 1):
        name = (item.get("name") or item.get("tool")) if isinstance(item, dict) else None
        arguments = (item.get("arguments") or item.get("args") or {}) if isinstance(item, dict) else None
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise PublicTasksError(f"{where}: expected call {place} needs a name and an object of arguments")
        calls.append(
            {
                "id": str(item.get("action_id") or f"call_{place}"),
                "name": name,
                "arguments": arguments,
                "compare_args": [a for a in item.get("compare_args") or [] if a in arguments],
                "info": str(item.get("info") or ""),
            }
        )
    return tuple(calls)


def _assertions(where: str, row: dict[str, Any], criteria: dict[str, Any]) -> tuple[str, ...]:
    rubric = _object(where, row, "rubric")
    found = criteria.get("nl_assertions") or criteria.get("assertions") or rubric.get("must_mention") or []
    if not isinstance(found, list):
        raise PublicTasksError(f"{where}: the assertions must be a list, not {_kind(found)}")
    return tuple(map(str, found))
