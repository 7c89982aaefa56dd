"""A large corpus with natural word statistics, from a small one: what `benchmarks.knowledge` searches.

[passages -> copies with other words -> Parquet] -> benchmarks.knowledge

Copy 0 is the passages as they are. In every later copy three words in ten are replaced by words drawn from
the corpus's own frequencies, so that the share of passages that hold a common word stays what it was; a word
that occurs at most three times becomes a new word of that copy, so that rare words stay rare and the
vocabulary grows with the base, as it does in real ones. All of it follows from the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FIELDS = ("doc_id", "source", "title", "content", "category", "dataset_name")
REPLACED = 0.3
RARE_COUNT = 3
CHUNK = 10_000


def write_corpus(base: Path, to: Path, count: int, seed: int = 0) -> None:
    """`count` passages made of those in the Parquet file `base`, as the Parquet file `to`."""
    rows = pq.read_table(base).select(list(FIELDS)).to_pylist()
    schema = pa.schema([(name, pa.string()) for name in FIELDS])
    with pq.ParquetWriter(to, schema, compression="zstd") as writer:
        for chunk in _chunks(rows, count, seed):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))


def _chunks(rows: list[dict[str, str]], count: int, seed: int) -> Iterator[list[dict[str, str]]]:
    split = [row["content"].split() for row in rows]
    words = Counter(chain.from_iterable(split))
    names = np.array(list(words), dtype=object)
    number = {word: i for i, word in enumerate(words)}
    frequency = np.fromiter(words.values(), dtype=np.int64)
    rare = frequency <= RARE_COUNT
    running = np.repeat(np.arange(len(names), dtype=np.int32), frequency)  # a uniform draw is by frequency
    numbers = [np.fromiter((number[w] for w in text), dtype=np.int32, count=len(text)) for text in split]
    rng = np.random.default_rng(seed)
    chunk: list[dict[str, str]] = []
    for n in range(count):
        copy, i = divmod(n, len(rows))
        row = rows[i]
        if copy:
            title, content = _varied(row["title"], numbers[i], copy, names, rare, running, rng)
            row = {**row, "title": title, "content": content}
        chunk.append({**row, "doc_id": f"{row['doc_id']}-{n}"})
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _varied(
    title: str,
    numbers: np.ndarray,
    copy: int,
    names: np.ndarray,
    rare: np.ndarray,
    running: np.ndarray,
    rng: np.random.Generator,
) -> tuple[str, str]:
    chosen = numbers.copy()
    swap = rng.random(len(chosen)) < REPLACED
    chosen[swap] = running[rng.integers(0, len(running), int(swap.sum()))]
    words = names[chosen].tolist()
    mark = "q" + chr(ord("a") + copy // 26 % 26) + chr(ord("a") + copy % 26)
    for place in np.flatnonzero(rare[chosen]):
        words[place] += mark
    return f"{title} {names[running[rng.integers(0, len(running))]]}", " ".join(words)
