"""The folder of a knowledge base: which data are in force, which are half built, and who may write.

distrl knowledge build -> [folder: knowledge.json -> data-…] -> open_base -> KnowledgeBase

    PATH/knowledge.json   {"format", "backend", "data"}: replaced in one step when a build is complete
    PATH/data-…/          the index itself; an unfinished one is named by building.json alone
    PATH/building.json    {"backend", "data", "sources"}: what a build under way, or a broken one, reads
    PATH/.lock            held while somebody builds or adds

So a build that is killed leaves the former base in force, or none, and goes on where its last batch ended.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

BackendName = Literal["fts5", "tantivy"]
BACKENDS: tuple[BackendName, ...] = ("fts5", "tantivy")
FORMAT = 1
MANIFEST, BUILDING, LOCK = "knowledge.json", "building.json", ".lock"


class KnowledgeError(ValueError):
    """What a person can mend about a base or its sources; one line that says how."""


def read_record(file: Path) -> dict[str, Any] | None:
    """The JSON object of `file`, or None where there is no such file. Raises KnowledgeError."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise KnowledgeError(f"{file.parent} is a file; a knowledge base is a folder") from None
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise KnowledgeError(f"{file} is damaged; build the base again with `distrl knowledge build`")
    return record


def write_record(file: Path, record: dict[str, Any]) -> None:
    """In one step: a reader sees the former record or this one, also after a crash."""
    fresh = file.with_suffix(".tmp")
    with fresh.open("w", encoding="utf-8") as out:
        json.dump(record, out)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)


def data_in_force(path: Path) -> tuple[BackendName, Path]:
    """Backend and folder of the finished base at `path`. Raises KnowledgeError, which says what to do."""
    record = read_record(path / MANIFEST)
    if record is None and read_record(path / BUILDING) is not None:
        raise KnowledgeError(
            f"{path}: the build is not finished; run the same `distrl knowledge build` again to go on with it"
        )
    if record is None:
        raise KnowledgeError(
            f"{path}: no knowledge base; make one with `distrl knowledge build … --to {path}`"
        )
    if record.get("format") != FORMAT or record.get("backend") not in BACKENDS:
        raise KnowledgeError(f"{path}: made by another version of distrl; build it again")
    data = path / str(record.get("data"))
    if not data.is_dir():
        raise KnowledgeError(f"{path}: the folder {data.name} is missing; build the base again")
    backend: BackendName = record["backend"]
    return backend, data


@contextmanager
def sole_writer(path: Path, timeout_s: float = 0.0) -> Iterator[None]:
    """Holds the base's lock; the system frees it when the process ends in whatever way."""
    path.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(path / LOCK, timeout=timeout_s):
            yield
    except Timeout:
        raise KnowledgeError(
            f"{path}: another process builds or adds here; try again when it is done"
        ) from None


def _known(file: Path) -> dict[str, Any]:
    """The record, or an empty one where it is missing or damaged: a build mends that."""
    try:
        return read_record(file) or {}
    except KnowledgeError:
        return {}


def begin(path: Path, backend: BackendName, sources: str) -> tuple[Path, bool]:
    """(folder of the new data, is it the half of a former build of the same `sources`). Under the lock."""
    force, half = _known(path / MANIFEST), _known(path / BUILDING)
    keep = {force.get("data")}
    same = half.get("backend") == backend and half.get("sources") == sources and half.get("data") not in keep
    if same and (path / str(half["data"])).is_dir():
        keep.add(half["data"])
    else:
        same = False
    for old in path.glob("data-*"):
        if old.name not in keep:
            shutil.rmtree(old)
    if same:
        return path / str(half["data"]), True
    data = path / f"data-{os.urandom(6).hex()}"
    write_record(path / BUILDING, {"backend": backend, "data": data.name, "sources": sources})
    data.mkdir()
    return data, False


def complete(path: Path, backend: BackendName, data: Path) -> None:
    """Put `data` in force and drop what was before. Readers that have the old one open keep it."""
    former = _known(path / MANIFEST)
    write_record(path / MANIFEST, {"format": FORMAT, "backend": backend, "data": data.name})
    (path / BUILDING).unlink(missing_ok=True)
    if former.get("data") and former["data"] != data.name:
        shutil.rmtree(path / str(former["data"]), ignore_errors=True)


@contextmanager
def plain_errors(folder: Path) -> Iterator[None]:
    """A library's error about the index becomes one line that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        said = str(error)
        if "full" in said or "disk I/O" in said:
            raise KnowledgeError(
                f"{folder}: cannot write: {said}; free some space and run it again"
            ) from error
        if "readonly" in said:
            raise KnowledgeError(f"{folder}: cannot write: {said}") from error
        if "locked" in said or "busy" in said:
            raise KnowledgeError(f"{folder}: another process writes here: {said}; try again") from error
        if "unable to open" in said:
            raise KnowledgeError(
                f"{folder}: gone; a new build took its place, so open the base again"
            ) from error
        raise KnowledgeError(f"{folder}: the index is damaged ({said}); build it again") from error
