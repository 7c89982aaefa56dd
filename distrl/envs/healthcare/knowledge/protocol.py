"""What a knowledge base answers: passages by relevance, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class Passage:
    """One passage; the fields are those of the gym's index (docs/knowledge.md)."""

    doc_id: str
    source: str
    title: str
    content: str
    category: str = ""
    dataset_name: str = ""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A passage with its BM25 score (higher is better)."""

    passage: Passage
    score: float


class KnowledgeBase(Protocol):
    """Thread-safe; a query is plain words, never a query language."""

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        """Best first; [] for a query without a usable word. `limit` 1 to 100."""
        ...

    def get(self, doc_id: str) -> Passage | None:
        """The passage of that id, or None."""
        ...

    def stats(self) -> dict[str, int]:
        """Passages in all and by source: {"passages": n, "source:<name>": n, …}."""
        ...

    def add(self, passages: Iterable[Passage]) -> int:
        """Index them; a known doc_id is replaced. Returns how many."""
        ...
