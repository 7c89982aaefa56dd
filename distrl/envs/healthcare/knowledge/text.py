"""What a text may be before it reaches an index: a query's length, characters that no index takes."""

from __future__ import annotations

from distrl.envs.healthcare.knowledge.protocol import Passage

FIELDS = ("doc_id", "source", "title", "content", "category", "dataset_name")
QUERY_CHARS = 10_000  # of a query; the words behind them are not read
MOST_HITS = 100


def clean(text: str) -> str:
    """`text` without NUL and lone surrogates, which SQLite and UTF-8 do not hold."""
    if text.isascii():
        return text.replace("\0", " ")
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def query_text(query: str) -> str:
    """Plain words: the start of `query`, cleaned. Nothing in it is an operator."""
    return clean(query[:QUERY_CHARS])


def check_limit(limit: int) -> None:
    """Raises ValueError unless 1 <= limit <= 100."""
    if not 1 <= limit <= MOST_HITS:
        raise ValueError(f"limit={limit} is out of range; 1 to {MOST_HITS}")


def cleaned(passage: Passage) -> Passage:
    """The passage with every field as `clean` gives it."""
    return Passage(**{name: clean(getattr(passage, name)) for name in FIELDS})
