"""The backend for large bases: a tantivy index, which skips what cannot reach the top ten.

passages -> [tantivy index] -> search, get, stats <- tools, `distrl knowledge`

One field holds all columns as text, lower case, stemmed (English Snowball), ranked by Lucene's BM25 (k1 1.2,
b 0.75); the passage is stored beside it. Words are stemmed a little otherwise than by FTS5's porter, and
lengths are kept in one byte, so the ranking is near FTS5's but not the same.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.envs.healthcare.knowledge.place import KnowledgeError, read_record, write_record
from distrl.envs.healthcare.knowledge.protocol import Hit, Passage
from distrl.envs.healthcare.knowledge.text import FIELDS, check_limit, clean, cleaned, query_text

if TYPE_CHECKING:
    import tantivy

BLOCK = 32_768  # passages a commit; also what is done again after a crash
HEAP_BYTES = 128 << 20
QUERY_TERMS = 64
WORD_CHARS = 200
META, PROGRESS = "meta.json", "progress.json"
_EXACT = ("doc_id", "source", "category")  # found by their exact text
_values = attrgetter(*FIELDS)


class TantivyBase:
    """A KnowledgeBase in `folder`. Thread-safe. Raises KnowledgeError for what a person can mend."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._folder = folder
        self._write = threading.Lock()
        self._loading = threading.Lock()
        with _plain_errors(folder):
            self._schema = _schema()
            tantivy = _library()
            if create or tantivy.Index.exists(str(folder)):
                self._index = tantivy.Index(self._schema, path=str(folder))
            else:
                raise KnowledgeError(f"{folder}: the index is missing; build the base again")
            self._index.register_tokenizer("stemmed", _analyzer())
            self._terms = _analyzer()
            self._seen = -1

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        """Best first; [] where no word of the query is in the base."""
        check_limit(limit)
        with _plain_errors(self._folder):
            terms = list(dict.fromkeys(self._terms.analyze(query_text(query))))[:QUERY_TERMS]
            if not terms:
                return []
            searcher = self._searcher()
            asked = self._query(terms, {"category": clean(category), "source": clean(source)})
            found = searcher.search(asked, limit=limit, count=False).hits
            return [
                Hit(passage=_passage(searcher.doc(address)), score=float(score)) for score, address in found
            ]

    def get(self, doc_id: str) -> Passage | None:
        with _plain_errors(self._folder):
            searcher = self._searcher()
            query = _library().Query.term_query(self._schema, "doc_id", clean(doc_id), "basic")
            found = searcher.search(query, limit=1, count=False).hits
            return _passage(searcher.doc(found[0][1])) if found else None

    def stats(self) -> dict[str, int]:
        """Passages in all ("passages"), by source ("source:GARD") and by category ("category:treatment")."""
        with _plain_errors(self._folder):
            searcher = self._searcher()
            everything = _library().Query.all_query()
            counts = {"passages": int(searcher.num_docs)}
            for kind in ("source", "category"):
                held = searcher.terms_with_prefix(kind, "", filter_query=everything)
                counts |= {f"{kind}:{label}": int(n) for label, n in sorted(held) if n}
            return counts

    def add(self, passages: Iterable[Passage], progress: str = "") -> int:
        """Index them, a commit a block; a known doc_id is replaced. Returns how many.

        `progress` is any text; it is stored after the last commit (`progress()`).
        """
        stream, total = iter(passages), 0
        with self._write, _plain_errors(self._folder):
            writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
            try:
                while batch := list(islice(stream, BLOCK)):
                    for passage in {p.doc_id: p for p in map(cleaned, batch)}.values():
                        writer.delete_documents_by_term("doc_id", passage.doc_id)
                        writer.add_document(_document(passage))
                    writer.commit()
                    total += len(batch)
            finally:
                writer.wait_merging_threads()
            write_record(self._folder / PROGRESS, {"text": progress})
        return total

    def progress(self) -> str:
        """The text of the last `add`."""
        return str((read_record(self._folder / PROGRESS) or {}).get("text", ""))

    def finish(self) -> None:
        """Nothing: every commit is complete in itself."""

    def close(self) -> None:
        """Nothing is held that another process would miss."""

    def _searcher(self) -> tantivy.Searcher:
        """A view of the last commit; the index is read anew only after a change."""
        try:
            changed = (self._folder / META).stat().st_mtime_ns
        except FileNotFoundError:  # a new build took its place; what is open stays readable
            changed = self._seen
        if changed != self._seen:
            with self._loading:
                self._index.reload()
                self._seen = changed
        return self._index.searcher()

    def _query(self, terms: list[str], exact: dict[str, str]) -> tantivy.Query:
        tantivy = _library()
        words = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term, "freq"))
            for term in terms
        ]
        asked = tantivy.Query.boolean_query(words)
        needs = [
            tantivy.Query.const_score_query(tantivy.Query.term_query(self._schema, name, value, "basic"), 0.0)
            for name, value in exact.items()
            if value
        ]
        return (
            tantivy.Query.boolean_query([(tantivy.Occur.Must, q) for q in [asked, *needs]])
            if needs
            else asked
        )


def _library() -> Any:
    try:
        import tantivy
    except ImportError:
        raise KnowledgeError(
            "this base needs tantivy: pip install tantivy, or build it with --backend fts5"
        ) from None
    return tantivy


def _analyzer() -> tantivy.TextAnalyzer:
    tantivy = _library()
    build = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(WORD_CHARS),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.lowercase(),
        tantivy.Filter.stemmer("english"),
    ):
        build = build.filter(step)
    return build.build()


def _schema() -> tantivy.Schema:
    build = _library().SchemaBuilder()
    for name in _EXACT:
        build.add_text_field(name, tokenizer_name="raw", index_option="basic")
    build.add_text_field("text", tokenizer_name="stemmed", index_option="freq")
    build.add_bytes_field("passage", stored=True)
    return build.build()


def _document(passage: Passage) -> tantivy.Document:
    document = _library().Document()
    for name in _EXACT:
        document.add_text(name, getattr(passage, name))
    values = _values(passage)
    document.add_text("text", "\n".join(values))
    document.add_bytes("passage", json.dumps(values).encode())
    return document


def _passage(document: tantivy.Document) -> Passage:
    stored: Any = document.get_first("passage")
    values = json.loads(bytes(stored))
    return Passage(**dict(zip(FIELDS, values, strict=True)))


@contextmanager
def _plain_errors(folder: Path) -> Iterator[None]:
    """A library's error about the index becomes one line that says what to do."""
    try:
        yield
    except KnowledgeError:
        raise
    except OSError as error:
        raise KnowledgeError(f"{folder}: {error.strerror or error}; build the base again") from error
    except ValueError as error:
        said = " ".join(str(error).split())[:200]
        if "LockBusy" in said or "lock" in said.lower():
            raise KnowledgeError(
                f"{folder}: another process writes here; try again when it is done"
            ) from error
        if "No space" in said or "File too large" in said or "IoError" in said:
            raise KnowledgeError(
                f"{folder}: cannot write ({said}); free some space and run it again"
            ) from error
        raise KnowledgeError(f"{folder}: the index is damaged ({said}); build it again") from error
