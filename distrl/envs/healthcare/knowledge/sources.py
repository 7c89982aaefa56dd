"""Passages from a user's files: Parquet, JSON Lines, CSV; streamed, with the place of every bad row.

files -> [rows] -> build.py -> KnowledgeBase

Columns by the index's own names or an alias (ALIASES, the first that the file has). `content` alone is
required. Without an id a passage gets one from its text, so that the same file added twice changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from distrl.envs.healthcare.knowledge.place import KnowledgeError
from distrl.envs.healthcare.knowledge.protocol import Passage

ALIASES: dict[str, tuple[str, ...]] = {
    "doc_id": ("doc_id", "id", "_id", "docid", "passage_id", "pmid"),
    "source": ("source", "origin", "publisher"),
    "title": ("title", "question", "heading", "name"),
    "content": ("content", "contents", "text", "passage", "body", "abstract", "answer"),
    "category": ("category", "topic", "section", "subject", "type"),
    "dataset_name": ("dataset_name", "dataset"),
}
OWN = "own"  # as a source: the passages that the project itself writes
ID_CHARS = 512
ROWS = 4096  # of Parquet at a time
CSV_BLOCK = 64 << 20  # bytes; no single row of a CSV file is longer


@dataclass(frozen=True)
class Row:
    """One row: its passage, or what is wrong with it; `read` is the share of the file that lies behind."""

    place: str
    passage: Passage | None
    problem: str
    read: float


def rows(file: Path) -> Iterator[Row]:
    """The rows of `file` in order. Raises KnowledgeError for a file that cannot be read at all."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        raise KnowledgeError(f"{file}: unknown kind of file {file.suffix!r}; known: {known}")
    with _file_errors(file):
        for number, (values, problem, read) in enumerate(reader(file), start=1):
            place = f"{file} row {number}"
            if values is None:
                yield Row(place, None, problem, read)
                continue
            try:
                yield Row(place, passage_of(values, file.stem), "", read)
            except ValueError as error:
                yield Row(place, None, str(error), read)


def passage_of(values: Mapping[str, Any], name: str) -> Passage:
    """The passage of one row of the file `name`. Raises ValueError, which names the column."""
    found = {field: _text(values, field) for field in ALIASES}
    if not found["content"].strip():
        raise ValueError(f"no content (a column of {', '.join(ALIASES['content'])})")
    if not found["doc_id"]:
        text = "\0".join((found["title"], found["content"]))
        found["doc_id"] = f"{name}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
    if len(found["doc_id"]) > ID_CHARS:
        raise ValueError(f"doc_id has {len(found['doc_id'])} characters; at most {ID_CHARS}")
    for field in ("source", "dataset_name"):
        found[field] = found[field] or name
    return Passage(**found)


def _text(values: Mapping[str, Any], field: str) -> str:
    for alias in ALIASES[field]:
        value = values.get(alias)
        if value is None:
            continue
        if isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool) and field == "doc_id":
            return str(value)
        raise ValueError(f"{alias} is {type(value).__name__}, not text")
    return ""


Read = Iterator[tuple[Mapping[str, Any] | None, str, float]]


def _parquet(file: Path) -> Read:
    with pq.ParquetFile(file) as table:
        wanted = [
            name for name in table.schema_arrow.names if any(name in names for names in ALIASES.values())
        ]
        total, done = max(table.metadata.num_rows, 1), 0
        for batch in table.iter_batches(batch_size=ROWS, columns=wanted):
            for values in batch.to_pylist():
                done += 1
                yield values, "", done / total


def _json_lines(file: Path) -> Read:
    total, done = max(file.stat().st_size, 1), 0
    with file.open("rb") as lines:
        for line in lines:
            done += len(line)
            if not line.strip():
                continue
            try:
                values = json.loads(line)
            except (ValueError, RecursionError):
                yield None, "not JSON", done / total
                continue
            if isinstance(values, dict):
                yield values, "", done / total
            else:
                yield None, f"{type(values).__name__}, not a JSON object", done / total


def _csv(file: Path) -> Read:
    total = max(file.stat().st_size, 1)
    bad: list[Any] = []

    def keep_bad(row: Any) -> str:
        bad.append(row)
        return "skip"

    parse = pa.csv.ParseOptions(newlines_in_values=True, invalid_row_handler=keep_bad)
    read = pa.csv.ReadOptions(use_threads=False, block_size=CSV_BLOCK)
    with file.open("rb") as head:
        names = pa.csv.open_csv(head, read, parse).schema.names
    bad.clear()
    convert = pa.csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        include_columns=[name for name in names if any(name in aliases for aliases in ALIASES.values())],
        strings_can_be_null=False,
    )
    with file.open("rb") as stream:
        for batch in pa.csv.open_csv(stream, read, parse, convert):
            done = stream.tell() / total
            for row in bad:
                yield (
                    None,
                    f"{row.actual_columns} cells, not {row.expected_columns} (line {row.number})",
                    done,
                )
            bad.clear()
            for values in batch.to_pylist():
                yield values, "", done


READERS: dict[str, Callable[[Path], Read]] = {
    ".parquet": _parquet,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
}


@contextmanager
def _file_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:  # pyarrow raises it for damaged Parquet as well
        raise KnowledgeError(f"{file}: {error.strerror or error}") from error
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{file}: not readable as {file.suffix[1:]}: {error}") from error
