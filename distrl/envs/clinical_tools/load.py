"""Tasks from files: the public rows, the card's rows and our own written sets, as JSONL or Parquet.

file -> [rows -> mended gold call -> FileTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> … -> (back)

    python -m distrl.envs.clinical_tools.load PATH     prints what was kept, mended and dropped

A row is {"prompt": text, "tool_call": {name, arguments}} or {"prompt": messages, "answer", "ground_truth"},
where ground_truth is a JSON string or a struct. No pickle, no code.
"""

from __future__ import annotations

import difflib
import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.envs.clinical_tools.overlap import near_groups, overlap
from distrl.envs.clinical_tools.tasks import SYSTEM_PROMPTS, answer_of, make_task, one_of, tool_names
from distrl.envs.clinical_tools.tools import TOOLS
from distrl.envs.contract import Task, TaskSource
from distrl.envs.task_files import DataError, check_fraction, drawn, heldout_keys
from distrl.envs.toolkit import ToolError, strict_json

EXTENSIONS = (".jsonl", ".parquet")
ROLES = ("system", "user", "assistant", "tool")
_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Report:
    """What reading a file came to; counts are rows."""

    path: str
    rows: int = 0
    repeated: int = 0
    refused: int = 0
    first_refusal: str = ""
    nulls_dropped: int = 0
    integers_restored: int = 0
    answers_differ: int = 0
    train: int = 0
    heldout: int = 0
    groups: int = 0
    overlap: float = 0.0
    overlap_masked: float = 0.0

    def lines(self) -> list[str]:
        """For people: one fact a line, facts that do not apply left out."""
        said = [f"{self.path}: {self.rows} rows, {self.train} for training, {self.heldout} held out"]
        if self.refused:
            said.append(
                f"dropped {self.refused} whose gold call our tools refuse (first: {self.first_refusal})"
            )
        if self.repeated:
            said.append(f"dropped {self.repeated} that repeat an earlier row")
        if self.nulls_dropped or self.integers_restored:
            said.append(
                f"mended struct columns: nulls of other tools dropped in {self.nulls_dropped}, "
                f"integers restored in {self.integers_restored}"
            )
        if self.answers_differ:
            said.append(f"{self.answers_differ} answers differ from what our tools say")
        said.append(
            f"{self.groups} groups of near-duplicates; held-out prompts that share a 13-gram with training: "
            f"{self.overlap:.1%} as written, {self.overlap_masked:.1%} with numbers and sex masked"
        )
        return said


class FileTasks(TaskSource):
    """Tasks of one file, or of a folder with `train` and `test` files.

    A file is split here: near-duplicates stay together and a hash of the group decides, so the same rows are
    held out on every machine and in any order. A folder brings its own split (`heldout_fraction` has no
    part in it); a prompt that stands in both parts is refused.

    Args:
        path: .jsonl or .parquet file, or folder.
        heldout_fraction: share of a file's rows to hold out, near enough: groups are not cut.
        tools: keep only rows of these tools; None keeps all.
        system_prompt: for rows without a system message: "short", "card" or "none".
        answers: "tools" recomputes each answer with our tools; "file" keeps the row's own where it has one.
        licence: licence of the rows, noted in each task.

    Raises DataError (a ValueError) naming the line, the value and the mend.
    """

    def __init__(
        self,
        path: str,
        heldout_fraction: float = 0.2,
        *,
        tools: Sequence[str] | None = None,
        system_prompt: str = "short",
        answers: str = "tools",
        licence: str = "unstated",
    ) -> None:
        check_fraction(heldout_fraction)
        self._system = {**SYSTEM_PROMPTS, "none": ""}[
            one_of("system_prompt", system_prompt, (*SYSTEM_PROMPTS, "none"))
        ]
        self._answers = one_of("answers", answers, ("tools", "file"))
        self._tools = None if tools is None else tool_names(tools)
        self._licence = licence
        self.report = Report(path=path)
        self._tasks = self._load(Path(path), heldout_fraction)
        self._finish_report()

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """Up to `count` tasks of `split` (0: all) in an order that the seed decides."""
        return drawn(self._tasks, split, count, seed)

    def _load(self, path: Path, heldout_fraction: float) -> dict[str, list[Task]]:
        if not path.exists():
            raise DataError(f"{path}: no such file; write one with `distrl data clinical_tools --out DIR`")
        seen: dict[str, tuple[str, Task]] = {}
        if path.is_dir():
            parts = {"train": _member(path, "train"), "heldout": _member(path, "test")}
            return {split: self._rows(file, split, seen) for split, file in parts.items()}
        rows = self._rows(path, "train", seen)
        keys = near_groups([_user(task) for task in rows])
        out = heldout_keys(keys, heldout_fraction)
        return {
            "train": [task for task, key in zip(rows, keys, strict=True) if key not in out],
            "heldout": [_as_heldout(task) for task, key in zip(rows, keys, strict=True) if key in out],
        }

    def _rows(self, path: Path, split: str, seen: dict[str, tuple[str, Task]]) -> list[Task]:
        """The usable rows of one file. `seen` maps each prompt so far to its place and task."""
        tasks = []
        for where, row in _read(path):
            task = self._task(where, row, split)
            if task is None:
                continue
            place, first = seen.setdefault(_user(task), (where, task))
            if first is task:
                tasks.append(task)
            elif first.split != split:
                raise DataError(f"{where}: the prompt stands in training too ({place}); remove one of them")
            elif first.id != task.id:
                raise DataError(f"{where}: same prompt as {place} but another gold call; keep one of them")
            else:
                self.report.repeated += 1
        if not tasks:
            raise DataError(f"{path}: no usable row; expected {_EXPECTED}")
        return tasks

    def _task(self, where: str, row: Any, split: str) -> Task | None:
        """The task of a row; None when it is of an unwanted tool or its gold call is refused."""
        if not isinstance(row, dict):
            raise DataError(f"{where}: a row must be an object, not {type(row).__name__}")
        prompt, (name, given) = _prompt(where, row), _gold(where, row)
        if self._tools is not None and name not in self._tools:
            return None
        self.report.rows += 1
        arguments = self._repaired(name, given)
        answer = answer_of(name, arguments)
        if answer.startswith("Error"):
            self.report.refused += 1
            self.report.first_refusal = self.report.first_refusal or f"{where}: {answer}"
            return None
        stated = row.get("answer")
        if stated is not None and not isinstance(stated, str):
            raise DataError(f"{where}: answer must be text, not {type(stated).__name__}")
        self.report.answers_differ += stated is not None and stated != answer
        return make_task(
            split=split,
            messages=prompt
            if prompt[0]["role"] == "system" or not self._system
            else [{"role": "system", "content": self._system}, *prompt],
            tool=name,
            arguments=arguments,
            answer=stated if self._answers == "file" and stated is not None else answer,
            source=Path(self.report.path).name,
            licence=self._licence,
        )

    def _repaired(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """The gold arguments without a struct column's traces: foreign nulls, integers made floats."""
        schema = TOOLS[name].schema["function"]["parameters"]
        pruned = _without_foreign_nulls(given, schema)
        self.report.nulls_dropped += pruned != given
        try:
            checked = TOOLS.check(name, pruned)
        except ToolError:
            return pruned  # running it gives the tool's own words
        self.report.integers_restored += json.dumps(checked) != json.dumps(pruned)
        return checked

    def _finish_report(self) -> None:
        texts = {split: [_user(t) for t in tasks] for split, tasks in self._tasks.items()}
        report = self.report
        report.train, report.heldout = len(texts["train"]), len(texts["heldout"])
        report.groups = len(set(near_groups(texts["train"] + texts["heldout"])))
        report.overlap = overlap(texts["train"], texts["heldout"])
        report.overlap_masked = overlap(texts["train"], texts["heldout"], masked=True)
        for line in report.lines():
            _log.info("%s", line)
        if report.refused or report.repeated or report.nulls_dropped or report.answers_differ:
            _log.warning("%s", "; ".join(report.lines()[:-1]))


_EXPECTED = '{"prompt": text, "tool_call": {…}} or {"prompt": messages, "answer": text, "ground_truth": JSON}'


def _member(folder: Path, stem: str) -> Path:
    """The file of a folder that holds one part of a split."""
    for extension in EXTENSIONS:
        if (file := folder / f"{stem}{extension}").is_file():
            return file
    raise DataError(f"{folder}: neither {stem}.jsonl nor {stem}.parquet is there; give a file, or add it")


def _read(path: Path) -> Iterator[tuple[str, Any]]:
    """(place, row) of each row; blank lines of JSONL are skipped."""
    if not os.access(path, os.R_OK):
        raise DataError(f"{path}: no permission to read it; mend its mode or owner")
    if path.suffix not in EXTENSIONS:
        raise DataError(f"{path}: unknown extension {path.suffix!r}; give .jsonl or .parquet")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty; expected rows {_EXPECTED}")
    if path.suffix == ".parquet":
        try:
            rows = pq.ParquetFile(path, page_checksum_verification=True).read().to_pylist()
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise DataError(
                f"{path}: not a sound Parquet file ({' '.join(str(error).split())[:200]})"
            ) from None
        yield from ((f"{path.name} row {i}", row) for i, row in enumerate(rows, 1))
        return
    with path.open("rb") as file:
        for i, raw in enumerate(file, 1):
            where = f"{path.name} line {i}"
            try:
                line = raw.decode("utf-8-sig" if i == 1 else "utf-8")
                if line.strip():
                    yield where, strict_json(line)[0]
            except UnicodeDecodeError as error:
                raise DataError(f"{where}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None
            except ValueError as error:
                if isinstance(error, DataError):
                    raise
                raise DataError(f"{where}: bad JSON ({error}) in {_short(line)}") from None


def _prompt(where: str, row: dict[str, Any]) -> list[dict[str, str]]:
    """The chat messages of a row; a plain text is one user message."""
    prompt = row.get("prompt")
    if isinstance(prompt, str):
        prompt = [{"role": "user", "content": prompt}]
    if not isinstance(prompt, list) or not prompt:
        raise DataError(f"{where}: prompt is {_short(prompt)}; give a text or a list of messages")
    for message in prompt:
        sound = isinstance(message, dict) and message.get("role") in ROLES
        if not sound or not isinstance(message.get("content"), str):
            raise DataError(f"{where}: message {_short(message)} lacks a role of {ROLES} or text content")
    if not any(m["role"] == "user" and m["content"].strip() for m in prompt):
        raise DataError(f"{where}: the prompt has no user message with text")
    return [{"role": m["role"], "content": m["content"]} for m in prompt]


def _gold(where: str, row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """(name, arguments) of the row's gold call."""
    field = next((f for f in ("tool_call", "ground_truth") if row.get(f) is not None), None)
    if field is None:
        raise DataError(f"{where}: neither tool_call nor ground_truth is there; expected {_EXPECTED}")
    call = _from_text(where, field, row[field])
    name, arguments = call.get("name"), _from_text(where, f"{field}.arguments", call.get("arguments"))
    if not isinstance(name, str) or name not in TOOLS:
        close = difflib.get_close_matches(str(name), [t.name for t in TOOLS], n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(t.name for t in TOOLS)}"
        raise DataError(f"{where}: unknown tool {_short(name)}; {hint}")
    return name, arguments


def _from_text(where: str, field: str, value: Any) -> dict[str, Any]:
    """An object, given as such or as a JSON string."""
    if isinstance(value, str):
        try:
            value = strict_json(value)[0]
        except ValueError as error:
            raise DataError(f"{where}: {field} is not JSON ({error}): {_short(value)}") from None
    if not isinstance(value, dict):
        raise DataError(f"{where}: {field} is {_short(value)}; give an object, or one as a JSON string")
    return value


def _without_foreign_nulls(given: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """`given` without the nulls that the schema does not know or does not allow, at any depth.

    Where Arrow or pandas gives the arguments of all tools one struct type, every key of every tool appears in
    every row. A null that the parameter's own schema allows is kept.
    """
    properties = schema.get("properties", {})
    kept: dict[str, Any] = {}
    for name, stored in given.items():
        value, known = stored, properties.get(name, {})
        kinds = known.get("type", [])
        nullable = "null" in ([kinds] if isinstance(kinds, str) else kinds)
        if isinstance(value, dict) and value:
            inner = _without_foreign_nulls(value, known)
            value = inner if inner or (known and not nullable) else None  # a struct of nulls is a null
        if value is not None or nullable:
            kept[name] = value
    return kept


def _as_heldout(task: Task) -> Task:
    return Task(**{**vars(task), "split": "heldout"})


def _user(task: Task) -> str:
    """The text that makes a prompt what it is: its user messages."""
    return "\n".join(m["content"] for m in task.payload["prompt"] if m["role"] == "user")


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m distrl.envs.clinical_tools.load PATH")
    try:
        print("\n".join(FileTasks(sys.argv[1]).report.lines()))
    except DataError as error:
        sys.exit(f"error: {error}")
