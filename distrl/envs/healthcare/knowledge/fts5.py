"""The embedded backend: one SQLite file with the gym's FTS5 table, ranked from postings beside it.

passages -> [passages_fts + blocks of postings] -> search, get, stats <- tools, `distrl knowledge`

`passages_fts` is the gym's format, and any SQLite can read it. Every batch of passages also becomes a block
of postings (postings.py), from which `search` gives FTS5's own OR ranking without FTS5's walk over all rows.
Rows are numbered 1, 2, … and never used twice; a replaced passage leaves the FTS5 table and is marked dead in
its block. WAL, a read connection for each search that runs at a time, one writer that waits for others.

Not covered: rows that somebody else writes into passages_fts; `search` does not see them.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from distrl.envs.healthcare.knowledge.place import KnowledgeError, plain_errors
from distrl.envs.healthcare.knowledge.postings import (
    TOKENIZE,
    Ints,
    Lengths,
    Part,
    Tokenizer,
    decode,
    encode,
    rank,
)
from distrl.envs.healthcare.knowledge.protocol import Hit, Passage
from distrl.envs.healthcare.knowledge.text import FIELDS, check_limit, clean, cleaned, query_text

FILE = "passages.sqlite3"
BLOCK = 32_768  # passages a transaction; also what is done again after a crash
BUSY_MS = 30_000
QUERY_TERMS = 64  # distinct words that count; a query has ten
MERGE_AFTER = 16  # small blocks at the end of the base, from as many calls of `add`

_SCHEMA = f"""
CREATE VIRTUAL TABLE passages_fts USING fts5(
    doc_id, source, title, content, category, dataset_name, tokenize='{TOKENIZE}');
CREATE TABLE ids(doc_id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE labels(id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE blocks(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, lengths BLOB NOT NULL,
    categories BLOB NOT NULL, sources BLOB NOT NULL);
CREATE TABLE postings(block INTEGER NOT NULL, term TEXT NOT NULL, width INTEGER NOT NULL,
    gaps BLOB NOT NULL, counts BLOB NOT NULL);
CREATE UNIQUE INDEX postings_of ON postings(block, term);
CREATE TABLE dead(number INTEGER PRIMARY KEY);
CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES('version', '0'), ('progress', '');
"""
_ROW = "SELECT doc_id, source, title, content, category, dataset_name FROM passages_fts WHERE rowid = ?"
_INSERT = """INSERT INTO passages_fts(rowid, doc_id, source, title, content, category, dataset_name)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
_values = attrgetter(*FIELDS)
_HOLDING = """SELECT b.first, p.width, p.gaps, p.counts FROM blocks b
    CROSS JOIN postings p ON p.block = b.id AND p.term = ? ORDER BY b.id"""


@dataclass(frozen=True)
class _Reader:
    pid: int
    connection: sqlite3.Connection
    tokenizer: Tokenizer


@dataclass(frozen=True)
class _State:
    """All that a ranking needs beside the postings, of one version of the file."""

    version: str
    lengths: Lengths
    labels: dict[str, int]
    categories: NDArray[np.int32]
    sources: NDArray[np.int32]


class Fts5Base:
    """A KnowledgeBase in `folder`. Thread-safe. Raises KnowledgeError for what a person can mend."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.file = folder / FILE
        self._folder = folder
        self._idle: list[_Reader] = []  # connections that no search uses now
        self._write = threading.Lock()
        self._state: _State | None = None
        if create:
            self._create()
        if not self.file.exists():
            raise KnowledgeError(f"{folder}: the file {FILE} is missing; build the base again")
        with plain_errors(folder), self._leased() as reader:
            self._current(reader.connection)

    def _create(self) -> None:
        """The tables, unless they are there; all of them or none."""
        with plain_errors(self._folder):
            connection = self._connect(create=True)
            if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").fetchone() is None:
                connection.executescript(f"PRAGMA journal_mode=WAL; BEGIN; {_SCHEMA} COMMIT;")
            connection.close()

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        """Best first, as FTS5 ranks the OR of the words; [] where no word of the query is in the base."""
        check_limit(limit)
        with plain_errors(self._folder), self._leased() as reader, _snapshot(reader.connection):
            connection = reader.connection
            terms = reader.tokenizer.terms(query_text(query))[:QUERY_TERMS]
            state = self._current(connection)
            words = [_parts(connection, term) for term in terms]
            ranked = rank(words, state.lengths, limit, _allowed(state, category, source))
            return [Hit(passage=_passage(connection, place + 1), score=score) for place, score in ranked]

    def get(self, doc_id: str) -> Passage | None:
        with plain_errors(self._folder), self._leased() as reader, _snapshot(reader.connection):
            found = "SELECT number FROM ids WHERE doc_id = ?"
            row = reader.connection.execute(found, (clean(doc_id),)).fetchone()
            return None if row is None else _passage(reader.connection, row[0])

    def stats(self) -> dict[str, int]:
        """Passages in all ("passages"), by source ("source:GARD") and by category ("category:treatment")."""
        with plain_errors(self._folder), self._leased() as reader:
            state = self._current(reader.connection)
        counts = {"passages": state.lengths.live}
        for kind, codes in (("source", state.sources), ("category", state.categories)):
            held = np.bincount(codes[state.lengths.alive], minlength=len(state.labels) + 2)
            found = {f"{kind}:{label}": int(held[code]) for label, code in state.labels.items() if held[code]}
            counts |= dict(sorted(found.items()))
        return counts

    def add(self, passages: Iterable[Passage], progress: str = "") -> int:
        """Index them, a block a transaction; a known doc_id is replaced. Returns how many.

        `progress` is any text, stored together with the last block (`progress()`).
        """
        stream, total = iter(passages), 0
        with self._write, plain_errors(self._folder):
            connection, tokenizer = self._connect(), Tokenizer()  # its own: a block takes much memory
            try:
                while batch := list(islice(stream, BLOCK)):
                    _write_block(connection, tokenizer, batch, progress)
                    total += len(batch)
            finally:
                connection.close()
        return total

    def progress(self) -> str:
        """The text of the last `add`."""
        with plain_errors(self._folder), self._leased() as reader:
            return str(_fact(reader.connection, "progress"))

    def finish(self) -> None:
        """Fold the log into the file, so that it can be copied and read from a read-only place."""
        with self._write, plain_errors(self._folder):
            self.close()
            connection = self._connect()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()

    def close(self) -> None:
        """Close the connections that no search uses now."""
        while self._idle:
            self._idle.pop().connection.close()

    def _connect(self, *, create: bool = False) -> sqlite3.Connection:
        writable = os.access(self._folder, os.W_OK)
        mode = ("mode=rwc" if create else "mode=rw") if writable else "immutable=1"
        uri = f"{self.file.absolute().as_uri()}?{mode}"
        connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        connection.executescript(
            "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768; PRAGMA mmap_size=268435456;"
        )
        return connection

    @contextmanager
    def _leased(self) -> Iterator[_Reader]:
        """A connection for one use, by any thread; a forked process opens its own."""
        reader = None
        while reader is None and self._idle:
            with suppress(IndexError):  # another thread was faster
                reader = self._idle.pop()
            if reader is not None and reader.pid != os.getpid():
                reader = None
        if reader is None:
            reader = _Reader(os.getpid(), self._connect(), Tokenizer())
        try:
            yield reader
        finally:
            self._idle.append(reader)

    def _current(self, connection: sqlite3.Connection) -> _State:
        """The state of the file as this connection sees it; read anew only after a change."""
        version = _fact(connection, "version")
        state = self._state
        if state is None or state.version != version:
            state = _load(connection, version)
            self._state = state
        return state


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """All reads inside see one state of the file."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _fact(connection: sqlite3.Connection, name: str) -> str:
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return "" if row is None else str(row[0])


def _load(connection: sqlite3.Connection, version: str) -> _State:
    rows = connection.execute("SELECT lengths, categories, sources FROM blocks ORDER BY id").fetchall()
    lengths, categories, sources = (
        np.frombuffer(b"".join(row[i] for row in rows), dtype=np.int32) for i in range(3)
    )
    dead = [number - 1 for (number,) in connection.execute("SELECT number FROM dead")]
    return _State(
        version=version,
        lengths=Lengths(lengths.astype(np.int64), np.array(dead, dtype=np.int64)),
        labels={label: code for code, label in connection.execute("SELECT id, label FROM labels")},
        categories=categories,
        sources=sources,
    )


def _parts(connection: sqlite3.Connection, term: str) -> list[Part]:
    rows = connection.execute(_HOLDING, (term,))
    return [Part(*row) for row in rows]


def _allowed(state: _State, category: str, source: str) -> NDArray[np.bool_] | None:
    allowed: NDArray[np.bool_] | None = None
    for label, codes in ((category, state.categories), (source, state.sources)):
        if label:
            same = codes == state.labels.get(clean(label), -1)
            allowed = same if allowed is None else allowed & same
    return allowed


def _passage(connection: sqlite3.Connection, number: int) -> Passage:
    row = connection.execute(_ROW, (number,)).fetchone()
    return Passage(**dict(zip(FIELDS, row, strict=True)))


def _write_block(
    connection: sqlite3.Connection, tokenizer: Tokenizer, batch: list[Passage], progress: str
) -> None:
    """One transaction: rows, postings, what they replace, and the progress. All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        latest = {p.doc_id: p for p in map(cleaned, batch)}
        fresh = [p for p in latest.values() if not _replace(connection, p)]
        if fresh:
            _append(connection, tokenizer, fresh)
            _merge_small(connection)
        connection.execute("UPDATE facts SET value = value + 1 WHERE name = 'version'")
        connection.execute("UPDATE facts SET value = ? WHERE name = 'progress'", (progress,))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _replace(connection: sqlite3.Connection, passage: Passage) -> bool:
    """Take out what `passage` replaces; True where the base already holds just this passage."""
    row = connection.execute("SELECT number FROM ids WHERE doc_id = ?", (passage.doc_id,)).fetchone()
    if row is None:
        return False
    if _passage(connection, row[0]) == passage:
        return True
    connection.execute("DELETE FROM passages_fts WHERE rowid = ?", row)
    connection.execute("INSERT INTO dead VALUES (?)", row)
    return False


def _append(connection: sqlite3.Connection, tokenizer: Tokenizer, passages: list[Passage]) -> None:
    """`passages` as new rows and one block of postings behind the last."""
    last = connection.execute("SELECT id, first, length(lengths) / 4 FROM blocks ORDER BY id DESC").fetchone()
    block, first = (last[0] + 1, last[1] + last[2]) if last else (1, 0)
    numbers = range(first + 1, first + 1 + len(passages))
    connection.executemany(
        _INSERT,
        ((n, *_values(p)) for n, p in zip(numbers, passages, strict=True)),
    )
    connection.executemany(
        "INSERT OR REPLACE INTO ids VALUES (?, ?)",
        ((p.doc_id, n) for n, p in zip(numbers, passages, strict=True)),
    )
    codes = _codes(connection, {label for p in passages for label in (p.category, p.source)})
    lengths, rows = tokenizer.block(["\n".join(_values(p)) for p in passages])
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", ((block, *row) for row in rows))
    blobs = [
        np.array([codes[getattr(p, f)] for p in passages], dtype=np.int32) for f in ("category", "source")
    ]
    connection.execute(
        "INSERT INTO blocks VALUES (?, ?, ?, ?, ?)",
        (block, first, lengths.tobytes(), *(b.tobytes() for b in blobs)),
    )


def _codes(connection: sqlite3.Connection, labels: set[str]) -> dict[str, int]:
    connection.executemany(
        "INSERT OR IGNORE INTO labels(label) VALUES (?)", ((label,) for label in sorted(labels))
    )
    return {
        label: code for code, label in connection.execute("SELECT id, label FROM labels") if label in labels
    }


def _merge_small(connection: sqlite3.Connection) -> None:
    """Many small blocks at the end become one, so that a word is not looked up in hundreds."""
    tail: list[tuple[int, int, bytes, bytes, bytes]] = []
    for row in connection.execute("SELECT * FROM blocks ORDER BY id DESC LIMIT ?", (2 * MERGE_AFTER,)):
        if len(row[2]) // 4 > BLOCK // 2:
            break
        tail.insert(0, row)
    if len(tail) < MERGE_AFTER:
        return
    block, first = tail[0][0], tail[0][1]
    offset = {row[0]: row[1] - first for row in tail}
    merged: dict[str, list[tuple[Ints, Ints]]] = {}
    for at, term, *blobs in connection.execute(
        "SELECT * FROM postings WHERE block >= ? ORDER BY block", (block,)
    ):
        docs, counts = decode(*blobs)
        merged.setdefault(term, []).append((docs + offset[at], counts.astype(np.int64)))
    connection.execute("DELETE FROM postings WHERE block >= ?", (block,))
    connection.execute("DELETE FROM blocks WHERE id >= ?", (block,))
    for term, parts in merged.items():
        places, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
        rows = encode([term], np.diff(places, prepend=-1), counts, np.zeros(1, dtype=np.int64))
        connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", ((block, *row) for row in rows))
    connection.execute(
        "INSERT INTO blocks VALUES (?, ?, ?, ?, ?)",
        (block, first, *(b"".join(blobs) for blobs in zip(*(row[2:] for row in tail), strict=True))),
    )
