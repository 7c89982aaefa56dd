"""The public rows of MedCalc-Bench, typed: every published version, as CSV or Parquet.

file -> [rows] -> FileTasks (load), audit

A row is text until it is here: the answer becomes a value of its calculator's type, the limits are the
benchmark's own rule. Nothing of a row is evaluated.
"""

from __future__ import annotations

import csv
import datetime
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.envs.clinical.calculators import CALCULATORS, Output, Value
from distrl.envs.medcalc.public.entity_names import DATE_FORMATS
from distrl.envs.medcalc.task import Truth, truth_from
from distrl.envs.task_files import DataError

EXTENSIONS = (".csv", ".parquet")
LABEL_DIGITS = 5e-4  # labels are rounded to three decimals
MAX_ID_DIGITS = 6
MAX_TEXT_CHARS = (
    90_000  # of note and question, and of an explanation: a prompt's limit cuts off what is beyond
)
MAX_LABEL = 1e12  # no answer can be larger; 1e308 and its limits would be no JSON
# What a row must hold; names are compared without case, blanks and underscores.
COLUMNS = {
    "row": ("rownumber",),
    "id": ("calculatorid", "calcid"),
    "note": ("patientnote", "note"),
    "question": ("question",),
    "entities": ("relevantentities",),
    "answer": ("groundtruthanswer", "groundtruth"),
    "explanation": ("groundtruthexplanation",),
}
NEEDED = ("id", "note", "question", "answer")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One public row, typed. `entities` is the text as it stands in the file."""

    place: str
    calculator_id: int
    note: str
    question: str
    entities: str
    truth: Truth
    explanation: tuple[str, ...]


def read_rows(path: Path) -> Iterator[Row | DataError]:
    """Each row, or the error that says what is wrong with it. Raises DataError for the file itself."""
    if not path.exists():
        raise DataError(f"{path}: no such file; give a MedCalc-Bench .csv or .parquet file")
    if path.suffix not in EXTENSIONS:
        raise DataError(f"{path}: unknown extension {path.suffix!r}; give .csv or .parquet")
    if not os.access(path, os.R_OK):
        raise DataError(f"{path}: no permission to read it; mend its mode or owner")
    table = _parquet(path) if path.suffix == ".parquet" else _csv(path)
    empty = True
    for place, raw in table:
        if empty:
            _require_columns(path, raw)
        empty = False
        try:
            yield _row(place, raw)
        except DataError as error:
            yield error
    if empty:
        raise DataError(
            f"{path}: the file has no rows; expected columns Calculator ID, Patient Note, Question, …"
        )


def agrees(truth: Truth, value: Value) -> bool:
    """Whether `value` is right by the label: within the limits, or equal."""
    if truth.lower is None or truth.upper is None or not isinstance(value, (int, float)):
        return value == truth.value
    return truth.lower - LABEL_DIGITS <= value <= truth.upper + LABEL_DIGITS


def parse_answer(output: Output, text: str) -> Value:
    """The answer of a row. Raises DataError for a text that is none of its calculator's type.

    Gestational age is "('34 weeks', '3 days')", or a number of days as in the corrected labels.
    """
    text = text.strip()
    if output is Output.DATE:
        for form in DATE_FORMATS:
            try:
                return datetime.datetime.strptime(text, form).date()
            except ValueError:
                continue
        raise DataError(f"answer {text[:60]!r} is no date; give MM/DD/YYYY")
    if output is Output.WEEKS_DAYS:
        if found := re.fullmatch(r"\W*(\d{1,3}) weeks?\W+([0-6]) days?\W*", text):
            return int(found.group(1)), int(found.group(2))
        if re.fullmatch(r"\d{1,3}(\.0)?", text):
            return divmod(int(float(text)), 7)
        raise DataError(f"answer {text[:60]!r} is no gestational age; give ('34 weeks', '3 days')")
    try:
        value = float(text)
    except ValueError:
        raise DataError(f"answer {text[:60]!r} is no number") from None
    whole = output is Output.INTEGER
    if not abs(value) <= MAX_LABEL or (whole and not value.is_integer()):
        kind = "whole" if whole else "finite"
        raise DataError(f"answer {text[:60]!r} is no {kind} number of at most {MAX_LABEL:g}")
    return int(value) if whole else value


def _row(place: str, raw: Mapping[str, Any]) -> Row:
    cells = {name: _cell(raw, columns) for name, columns in COLUMNS.items()}
    place = f"{place} (row number {' '.join(cells['row'][:20].split())})" if cells["row"] else place
    for name in NEEDED:
        if not cells[name]:
            raise DataError(f"{place}: {name} is empty; fill it or remove the row")
    longest = max(len(cells["note"]) + len(cells["question"]), len(cells["explanation"]))
    if longest > MAX_TEXT_CHARS:
        raise DataError(f"{place}: a text of {longest} characters, at most {MAX_TEXT_CHARS}; shorten it")
    number = cells["id"].removesuffix(".0")
    known = number.isascii() and number.isdigit() and len(number) <= MAX_ID_DIGITS
    calculator_id = int(number) if known else 0
    if calculator_id not in CALCULATORS:
        raise DataError(f"{place}: no calculator {cells['id'][:20]!r}")
    try:
        value = parse_answer(CALCULATORS[calculator_id].output, cells["answer"])
    except DataError as error:
        raise DataError(f"{place}: {error}") from None
    return Row(
        place=place,
        calculator_id=calculator_id,
        note=cells["note"],
        question=cells["question"],
        entities=cells["entities"],
        truth=truth_from(calculator_id, value),
        explanation=tuple(line for line in cells["explanation"].splitlines() if line.strip()),
    )


def _cell(raw: Mapping[str, Any], columns: tuple[str, ...]) -> str:
    value = next((raw[c] for c in columns if raw.get(c) is not None), "")
    return value.strip() if isinstance(value, str) else str(value)


def _plain_column(name: Any) -> str:
    return re.sub(r"[^a-z0-9]", "", str(name).casefold())


def _require_columns(path: Path, raw: Mapping[str, Any]) -> None:
    missing = [name for name in NEEDED if not any(column in raw for column in COLUMNS[name])]
    if missing:
        wanted = ", ".join(COLUMNS[name][0] for name in missing)
        raise DataError(f"{path}: no column {wanted}; the file has {', '.join(map(str, raw))[:200]}")


def _csv(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        try:
            for i, raw in enumerate(reader, 1):
                yield f"{path.name} row {i}", {_plain_column(k): v for k, v in raw.items() if k is not None}
        except (csv.Error, UnicodeDecodeError) as error:
            raise DataError(f"{path}: not a sound CSV file in UTF-8 ({error}); save it anew") from None


def _parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    known = {column for columns in COLUMNS.values() for column in columns}
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
        names = [name for name in file.schema_arrow.names if _plain_column(name) in known]
        rows = file.read(columns=names).to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise DataError(f"{path}: not a sound Parquet file ({' '.join(str(error).split())[:200]})") from None
    for i, raw in enumerate(rows, 1):
        yield f"{path.name} row {i}", {_plain_column(name): value for name, value in raw.items()}
