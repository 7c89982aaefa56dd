"""MedCalc-Bench's public rows as tasks: every published version, as CSV or Parquet.

file -> rows -> [FileTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> … -> (back)

    python -m distrl.envs.medcalc.public.load PATH     prints what was kept and dropped

The rows are CC BY-SA 4.0 (MedCalc-Bench, Khandekar 2024): they stay apart from this project, and each task
names licence and source. The labels of the public files are partly wrong: see `audit.py`.
"""

from __future__ import annotations

import hashlib
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distrl.envs.clinical.calculators import CALCULATORS, CalculatorError
from distrl.envs.contract import Task, TaskSource
from distrl.envs.medcalc.public.entities import EntityError, arguments, parse
from distrl.envs.medcalc.public.rows import EXTENSIONS, Row, agrees, read_rows
from distrl.envs.medcalc.task import payload, truth_from
from distrl.envs.task_files import DataError, check_fraction, drawn, heldout_keys

ENV_ID = "distrl/MedCalc-v0"
LICENCE = "CC-BY-SA-4.0"
ANSWERS = ("file", "computed")
MAX_REASONS = 3  # of bad rows that a report quotes
_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Report:
    """What reading a file came to; counts are rows."""

    path: str
    rows: int = 0
    bad: int = 0
    reasons: list[str] = field(default_factory=list)  # of the first bad rows
    repeated: int = 0
    in_both: int = 0
    without_arguments: int = 0
    labels_differ: int = 0
    train: int = 0
    heldout: int = 0

    def refuse(self, reason: str) -> None:
        """Count a bad row and keep the first reasons."""
        self.bad += 1
        if len(self.reasons) < MAX_REASONS:
            self.reasons.append(reason)

    def lines(self) -> list[str]:
        """For people: one fact a line, facts that do not apply left out."""
        said = [f"{self.path}: {self.rows} rows, {self.train} for training, {self.heldout} held out"]
        if self.bad:
            said.append(f"dropped {self.bad} bad rows: {'; '.join(self.reasons)}")
        if self.repeated:
            said.append(f"dropped {self.repeated} that repeat an earlier row")
        if self.in_both:
            said.append(f"dropped {self.in_both} from training whose note stands in the test part too")
        if self.without_arguments:
            said.append(f"{self.without_arguments} whose entities give no value: they have an answer only")
        if self.labels_differ:
            said.append(
                f"{self.labels_differ} whose label is not our calculator's value: audit.py says why; "
                "answers='computed' takes ours"
            )
        return said


class FileTasks(TaskSource):
    """Tasks of one file, or of a folder with `train` and `test` files, CSV or Parquet.

    A file is split here by a hash of each note, so a note is on one side only, the same on every machine and
    in any order. A folder brings its own split; a training row whose note stands in the test part is dropped.
    Bad rows are counted in `report`, not fatal, unless all are bad. A task has arguments and our working
    where they lead to its answer, else the file's explanation.

    Args:
        path: .csv or .parquet file, or folder.
        heldout_fraction: share of a file's notes to hold out, near enough; without effect on a folder.
        answers: "file" keeps the labels of the file; "computed" replaces them by our calculators' values and
            drops the rows whose entities give none.

    Raises DataError (a ValueError) naming the place, the value and the mend.
    """

    def __init__(self, path: str, heldout_fraction: float = 0.2, *, answers: str = "file") -> None:
        check_fraction(heldout_fraction)
        if answers not in ANSWERS:
            raise DataError(f"unknown answers {answers!r}; known: {', '.join(ANSWERS)}")
        self._computed = answers == "computed"
        self.report = Report(path=path)
        self._tasks = self._load(Path(path), heldout_fraction)
        self.report.train, self.report.heldout = len(self._tasks["train"]), len(self._tasks["heldout"])
        for line in self.report.lines()[1:]:
            _log.warning("%s: %s", path, line)

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """Up to `count` tasks of `split` (0: all) in an order that the seed decides."""
        return drawn(self._tasks, split, count, seed)

    def _load(self, path: Path, heldout_fraction: float) -> dict[str, list[Task]]:
        if not path.is_dir():
            rows = self._rows(path)
            out = heldout_keys({note_hash(row.note) for row in rows}, heldout_fraction)
        else:
            train, test = self._rows(_member(path, "train")), self._rows(_member(path, "test"))
            out = {note_hash(row.note) for row in test}
            kept = [row for row in train if note_hash(row.note) not in out]
            self.report.in_both = len(train) - len(kept)
            rows = kept + test
        tasks: dict[str, dict[str, Task]] = {"train": {}, "heldout": {}}
        for row in rows:
            split = "heldout" if note_hash(row.note) in out else "train"
            task = self._task(row, split)
            if task is None:
                continue
            first = tasks[split].setdefault(task.id, task)
            if first.payload["answer"] != task.payload["answer"]:
                self.report.refuse(f"{row.place}: asks what an earlier row asks, with another answer")
        if not any(tasks.values()):
            raise DataError(f"{path}: no usable row; {'; '.join(self.report.reasons)}")
        self.report.repeated = self.report.rows - self.report.bad - self.report.in_both
        self.report.repeated -= sum(map(len, tasks.values()))
        return {split: list(by_id.values()) for split, by_id in tasks.items()}

    def _rows(self, path: Path) -> list[Row]:
        """The sound rows of one file; the others are counted."""
        rows = []
        for row in read_rows(path):
            self.report.rows += 1
            if isinstance(row, Row):
                rows.append(row)
            else:
                self.report.refuse(str(row))
        return rows

    def _task(self, row: Row, split: str) -> Task | None:
        """The task of a row; None where the answer is to be computed and cannot be."""
        given: Mapping[str, Any] = {}
        truth, explanation = row.truth, row.explanation
        try:
            found = arguments(row.calculator_id, parse(row.entities))
            worked = CALCULATORS[row.calculator_id].function(**found)
        except (EntityError, CalculatorError) as error:
            if self._computed:
                self.report.refuse(f"{row.place}: {error}")
                return None
            self.report.without_arguments += 1
        else:
            if self._computed:
                truth = truth_from(row.calculator_id, worked.value)
            if agrees(truth, worked.value):
                given, explanation = found, worked.steps
            else:  # our arguments and working do not lead to this label
                self.report.labels_differ += 1
        return Task(
            id=_task_id(row),
            env=ENV_ID,
            split=split,
            payload=payload(
                note=row.note,
                question=row.question,
                calculator_id=row.calculator_id,
                truth=truth,
                arguments=given,
                explanation=explanation,
            ),
            source=f"MedCalc-Bench (Khandekar 2024), {row.place}",
            licence=LICENCE,
        )


def note_hash(note: str) -> str:
    """Hash of a note, the same whatever its blanks and case."""
    return hashlib.sha256(" ".join(note.casefold().split()).encode()).hexdigest()


def _member(folder: Path, stem: str) -> Path:
    """The file of a folder that holds one part: train.csv, train_data.csv, train.parquet, …"""
    for extension in EXTENSIONS:
        for name in (f"{stem}{extension}", f"{stem}_data{extension}"):
            if (folder / name).is_file():
                return folder / name
    raise DataError(f"{folder}: neither {stem}.csv nor {stem}.parquet is there; give a file, or add it")


def _task_id(row: Row) -> str:
    """The same question about the same note is the same task, whatever its label."""
    text = "\0".join((str(row.calculator_id), note_hash(row.note), row.question))
    return f"medcalc-{hashlib.sha256(text.encode()).hexdigest()[:20]}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m distrl.envs.medcalc.public.load PATH")
    try:
        print("\n".join(FileTasks(sys.argv[1]).report.lines()))
    except DataError as error:
        sys.exit(f"error: {error}")
