"""How long does an agent wait for a search, and does it get what a full ranking would give?

passages -> [fts5, FTS5's own OR, tantivy, bm25s] -> latency, build rate, size, top-ten overlap

    python -m benchmarks.knowledge [--passages 828473] [--queries 200] [--folder DIR] [--corpus FILE]

The corpus is made from a Parquet file of passages (knowledge_corpus.py says how), the queries are 3 to 10
successive words of random passages, stop words and all. "Overlap" is the share of the top ten of FTS5's own
`MATCH 'a OR b …' ORDER BY rank` over the distinct words. Times are CPU time of the searching thread, which a
busy machine changes little, and by the wall clock beside it. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from benchmarks.knowledge_corpus import write_corpus
from distrl.envs.healthcare.knowledge.build import build, open_base
from distrl.envs.healthcare.knowledge.fts5 import FILE
from distrl.envs.healthcare.knowledge.place import BackendName, data_in_force

BASE = Path(__file__).parents[2] / "shared" / "data" / "knowledge_passages.parquet"
PASSAGES, QUERIES, TOP = 828_473, 200, 10
WORDS = (3, 10)
GOALS = {"fts5": 60.0, "tantivy": 10.0}  # ms at the median: what an agent may wait for a search
GOAL_OVERLAP = 0.95
WARM_UP = 5
_WORD = re.compile(r"[^\W_]+")


@dataclass
class Measured:
    """One way to search: the doc_ids of each query's top ten, milliseconds, and what building it took."""

    name: str
    top: list[list[str]] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    built_cpu_s: float = 0.0
    built_wall_s: float = 0.0
    size_mb: float = 0.0

    def figures(self, full: Measured, passages: int) -> dict[str, float]:
        """What is reported; overlap against `full`."""
        figures = {
            "median_ms": statistics.median(self.cpu_ms),
            "p99_ms": float(np.percentile(self.cpu_ms, 99)),
            "median_wall_ms": statistics.median(self.wall_ms),
            "p99_wall_ms": float(np.percentile(self.wall_ms, 99)),
            "overlap": overlap(self.top, full.top),
        }
        if self.built_cpu_s:
            figures |= {
                "passages_per_cpu_s": passages / self.built_cpu_s,
                "passages_per_s": passages / self.built_wall_s,
                "size_mb": self.size_mb,
            }
        return {name: round(value, 3) for name, value in figures.items()}


def main() -> None:
    """Run, print a table for people, then the JSON line; exit code 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=PASSAGES)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--base", type=Path, default=BASE, help="Parquet file that the corpus is made from")
    parser.add_argument("--corpus", type=Path, help="a corpus made before, instead")
    parser.add_argument("--folder", type=Path, help="where to build; default: a temporary folder")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="knowledge-", dir=args.folder))
    try:
        corpus = args.corpus
        if corpus is None:
            corpus = folder / "corpus.parquet"
            print(f"making {args.passages:,} passages from {args.base.name}", flush=True)
            write_corpus(args.base, corpus, args.passages)
        result = measure(corpus, args.queries, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


def measure(corpus: Path, queries: int, folder: Path) -> dict[str, object]:
    """Build and ask each backend in turn."""
    passages = pq.read_metadata(corpus).num_rows
    asked = sample(corpus, queries)
    fts5 = of_backend("fts5", corpus, asked, folder)
    full = of_full_or(folder / "fts5", asked)
    tantivy = of_backend("tantivy", corpus, asked, folder)
    ways = [full, fts5, tantivy, of_bm25s(corpus, asked, folder)]
    figures = {way.name: way.figures(full, passages) for way in ways}
    for name, row in figures.items():
        print(f"{name:<9}" + "  ".join(f"{key} {value:g}" for key, value in row.items()), flush=True)
    quick = all(figures[name]["median_ms"] <= goal for name, goal in GOALS.items())
    return {
        "name": "knowledge",
        "value": figures["fts5"]["median_ms"],
        "goal": f"median <= {GOALS['fts5']:g} ms (fts5), <= {GOALS['tantivy']:g} ms (tantivy); "
        f"fts5 overlap >= {GOAL_OVERLAP}",
        "holds": quick and figures["fts5"]["overlap"] >= GOAL_OVERLAP,
        "conditions": {
            "passages": passages,
            "queries": len(asked),
            "words": f"{WORDS[0]} to {WORDS[1]}",
            "figures": figures,
            "clock": "CPU time",
            "load": os.getloadavg()[0],
            "max_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "cores": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


def sample(corpus: Path, count: int, seed: int = 0) -> list[str]:
    """Successive words of random passages."""
    rng = np.random.default_rng(seed)
    with pq.ParquetFile(corpus) as file:
        wanted = set(rng.choice(file.metadata.num_rows, size=3 * count, replace=False).tolist())
        texts: list[list[str]] = []
        first = 0
        for batch in file.iter_batches(columns=["content"]):
            here = [n - first for n in wanted if first <= n < first + batch.num_rows]
            texts += [_WORD.findall(batch.column(0)[n].as_py()) for n in sorted(here)]
            first += batch.num_rows
    long = [text for text in texts if len(text) >= WORDS[1]]
    rng.shuffle(long)
    queries = []
    for text in long[:count]:
        size = int(rng.integers(WORDS[0], WORDS[1] + 1))
        start = int(rng.integers(0, len(text) - size + 1))
        queries.append(" ".join(text[start : start + size]))
    return queries


def timed(way: Measured, queries: Sequence[str], search: Callable[[str], list[str]]) -> Measured:
    """Ask every query once, after a few that only warm caches."""
    for query in queries[:WARM_UP]:
        search(query)
    for query in queries:
        wall, cpu = time.perf_counter(), time.thread_time()
        way.top.append(search(query))
        way.cpu_ms.append(1e3 * (time.thread_time() - cpu))
        way.wall_ms.append(1e3 * (time.perf_counter() - wall))
    print(f"{way.name}: {len(queries)} queries, median {statistics.median(way.cpu_ms):.1f} ms", flush=True)
    return way


def of_backend(name: BackendName, corpus: Path, queries: Sequence[str], folder: Path) -> Measured:
    """One of the project's backends, built as the command builds it."""
    way, path = Measured(name), folder / name
    wall, cpu = time.perf_counter(), time.process_time()
    build([str(corpus)], path, name)
    way.built_wall_s, way.built_cpu_s = time.perf_counter() - wall, time.process_time() - cpu
    way.size_mb = megabytes(path)
    print(f"{name}: built in {way.built_cpu_s:.0f} s of CPU, {way.built_wall_s:.0f} s", flush=True)
    base = open_base(path)
    return timed(way, queries, lambda query: [hit.passage.doc_id for hit in base.search(query, TOP)])


def of_full_or(path: Path, queries: Sequence[str]) -> Measured:
    """What FTS5 does by itself with the OR of the distinct words."""
    connection = sqlite3.connect(data_in_force(path)[1] / FILE)
    connection.execute("PRAGMA mmap_size=268435456")

    def search(query: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(query.lower())))
        rows = connection.execute(
            "SELECT doc_id FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT ?", (words, TOP)
        )
        return [doc_id for (doc_id,) in rows]

    return timed(Measured("full_or"), queries, search)


def of_bm25s(corpus: Path, queries: Sequence[str], folder: Path) -> Measured:
    """The library bm25s, in memory, with Porter's stemmer, Lucene's BM25 and no stop words."""
    import bm25s
    from nltk.stem.porter import PorterStemmer

    way = Measured("bm25s")
    stem = PorterStemmer(mode="ORIGINAL_ALGORITHM").stem
    wall, cpu = time.perf_counter(), time.process_time()
    table = pq.read_table(
        corpus, columns=["doc_id", "source", "title", "content", "category", "dataset_name"]
    )
    ids = table.column("doc_id").to_pylist()
    texts = [" ".join(row.values()) for batch in table.to_batches() for row in batch.to_pylist()]
    del table

    def tokens(of: list[str]) -> bm25s.tokenization.Tokenized:
        return bm25s.tokenize(
            of,
            stopwords=None,
            token_pattern=_WORD.pattern,
            stemmer=lambda words: [stem(word) for word in words],
            show_progress=False,
        )

    held = tokens(texts)
    del texts
    gc.collect()
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(held, show_progress=False)
    del held
    gc.collect()
    way.built_wall_s, way.built_cpu_s = time.perf_counter() - wall, time.process_time() - cpu
    index.save(folder / "bm25s")
    way.size_mb = megabytes(folder / "bm25s")
    print(f"bm25s: built in {way.built_cpu_s:.0f} s of CPU, {way.built_wall_s:.0f} s", flush=True)

    def search(query: str) -> list[str]:
        asked = [stem(word) for word in dict.fromkeys(_WORD.findall(query.lower()))]
        found, _ = index.retrieve([asked], k=TOP, show_progress=False)
        return [ids[n] for n in found[0].tolist()]

    return timed(way, queries, search)


def overlap(found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> float:
    """Mean share of the wanted that was found, over the queries that find anything at all."""
    shares = [len(set(a) & set(b)) / len(b) for a, b in zip(found, wanted, strict=True) if b]
    return statistics.fmean(shares) if shares else 1.0


def megabytes(path: Path) -> float:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6


if __name__ == "__main__":
    main()
