"""Files become a base: read, checked, indexed block by block, and put in force as a whole.

sources -> rows -> ids made distinct, leaks refused -> [blocks] -> data folder -> knowledge.json

A block and how far it reached are stored together, so a build that is killed goes on behind its last block
when the same command runs again: it reads the files from their start, and indexes nothing twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from distrl.envs.healthcare.knowledge.fts5 import BLOCK, Fts5Base
from distrl.envs.healthcare.knowledge.guard import LeakGuard
from distrl.envs.healthcare.knowledge.place import (
    MANIFEST,
    BackendName,
    KnowledgeError,
    begin,
    complete,
    data_in_force,
    sole_writer,
)
from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.healthcare.knowledge.sources import OWN, Row, rows
from distrl.envs.healthcare.knowledge.tantivy_base import TantivyBase

SHOWN = 20  # places of bad rows and leaks that a report keeps
Base = Fts5Base | TantivyBase
BASES: dict[BackendName, type[Fts5Base] | type[TantivyBase]] = {"fts5": Fts5Base, "tantivy": TantivyBase}
T = TypeVar("T")


@dataclass
class Report:
    """What became of the rows. `resumed`: rows that a former, broken build had already done."""

    rows: int = 0
    indexed: int = 0
    bad: int = 0
    twice: int = 0
    leaks: int = 0
    resumed: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How rows are judged. `refuse` leaks, or keep and count them; a bad row ends all unless `skip_bad`."""

    skip_bad: bool = False
    guard: LeakGuard | None = None
    guard_name: str = ""
    refuse: bool = True
    block: int = BLOCK


Progress = Callable[[float, Report], None]


def open_base(path: Path | str) -> Base:
    """The finished base at `path`. Raises KnowledgeError, which says what to do."""
    backend, data = data_in_force(Path(path))
    return BASES[backend](data)


def build(
    sources: Sequence[str],
    to: Path,
    backend: BackendName = "fts5",
    options: Options | None = None,
    on_progress: Progress = lambda _share, _report: None,
) -> Report:
    """A new base at `to` from `sources`, in force only once it is complete. Raises KnowledgeError."""
    options = options or Options()
    files = _files(sources)
    with sole_writer(to):
        data, half = begin(to, backend, _fingerprint(files, options))
        base = BASES[backend](data, create=True)
        done = json.loads(base.progress() or "{}") if half else {}
        report = _index(base, files, options, Report(**done), on_progress)
        base.finish()
        complete(to, backend, data)
    return report


def build_passages(
    passages: Iterable[Passage],
    to: Path,
    backend: BackendName = "fts5",
    *,
    wait_s: float = 0.0,
    keep: bool = False,
) -> None:
    """A new base at `to` from passages at hand; `keep`: unless there is one. Waits `wait_s` for others."""
    with sole_writer(to, wait_s):
        if keep and (to / MANIFEST).exists():
            return
        data, _ = begin(to, backend, "")
        base = BASES[backend](data, create=True)
        base.add(passages)
        base.finish()
        complete(to, backend, data)


def add(
    sources: Sequence[str],
    to: Path,
    options: Options | None = None,
    on_progress: Progress = lambda _share, _report: None,
) -> Report:
    """Add `sources` to the base at `to`; a known doc_id is replaced. Raises KnowledgeError."""
    files = _files(sources)
    open_base(to)  # before the lock, which would make the folder
    with sole_writer(to):
        base = open_base(to)
        report = _index(base, files, options or Options(), Report(), on_progress)
        base.finish()
    return report


def _index(base: Base, files: Sequence[str], options: Options, done: Report, on_progress: Progress) -> Report:
    """All rows behind those of `done`; the report of a block is stored with it."""
    report, indexed = Report(), done.indexed
    kept = _kept(files, options, report, done.rows, on_progress)
    for block in _blocks(kept, options.block):
        indexed += len(block)
        base.add(block, json.dumps(asdict(replace(report, indexed=indexed))))
    report.indexed = indexed
    return report


def _kept(
    files: Sequence[str], options: Options, report: Report, skip: int, on_progress: Progress
) -> Iterator[Passage]:
    """The passages of rows behind the first `skip`; the report counts all rows."""
    ids = _Ids()
    for n, file in enumerate(files):
        for row in _rows_of(file):
            report.rows += 1
            if row.passage is None:
                report.bad += 1
                _note(report, f"{row.place}: {row.problem}")
                if not options.skip_bad:
                    raise KnowledgeError(f"{row.place}: {row.problem}; --skip-bad leaves such rows out")
                continue
            passage = ids.distinct(row.passage)
            if passage is None:
                report.twice += 1
                continue
            if report.rows <= skip:
                report.resumed += 1
            leak = options.guard.leak(passage) if options.guard else None
            if leak is not None:
                report.leaks += 1
                _note(report, f"{row.place}: gives away {leak}")
            if report.rows > skip and not (leak is not None and options.refuse):
                yield passage
            if report.rows % 1000 == 0:
                on_progress((n + row.read) / len(files), report)
    on_progress(1.0, report)


def _rows_of(file: str) -> Iterator[Row]:
    if file != OWN:
        yield from rows(Path(file))
        return
    from distrl.envs.healthcare.knowledge import own

    passages = own.passages()
    for n, passage in enumerate(passages, start=1):
        yield Row(f"own row {n}", passage, "", n / len(passages))


class _Ids:
    """Files repeat ids: the same passage again is left out, another one gets a mark of its text."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}

    def distinct(self, passage: Passage) -> Passage | None:
        if self._is_new(passage.doc_id, passage):
            return passage
        if self._first[hash(passage.doc_id)] == hash((passage.title, passage.content)):
            return None
        text = f"{passage.title}\0{passage.content}".encode("utf-8", "replace")
        other = f"{passage.doc_id}~{hashlib.sha256(text).hexdigest()[:8]}"
        return replace(passage, doc_id=other) if self._is_new(other, passage) else None

    def _is_new(self, doc_id: str, passage: Passage) -> bool:
        known = len(self._first)
        self._first.setdefault(hash(doc_id), hash((passage.title, passage.content)))
        return len(self._first) > known


def _note(report: Report, line: str) -> None:
    if len(report.notes) < SHOWN:
        report.notes.append(line)


def _blocks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    block: list[T] = []
    for item in items:
        block.append(item)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block


def _files(sources: Sequence[str]) -> list[str]:
    for source in sources:
        if source != OWN and not Path(source).is_file():
            raise KnowledgeError(f"{source}: no such file")
    return list(sources)


def _fingerprint(files: Sequence[str], options: Options) -> str:
    """What a half build must share with this one to be gone on with."""
    said: list[object] = [options.guard_name, options.refuse, options.block]
    for file in files:
        if file == OWN:
            from distrl.envs.healthcare.knowledge import own  # late: it reads every clinical table

            said.append(own.digest())
        else:
            facts = Path(file).stat()
            said.append((str(Path(file).absolute()), facts.st_size, facts.st_mtime_ns))
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
