"""What a knowledge base answers: FTS5's own ranking, plain words, whatever the words are."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.healthcare.knowledge import fts5, own
from distrl.envs.healthcare.knowledge.fts5 import Fts5Base
from distrl.envs.healthcare.knowledge.protocol import KnowledgeBase, Passage
from distrl.envs.healthcare.knowledge.tantivy_base import TantivyBase

MAKERS: dict[str, Callable[[Path], KnowledgeBase]] = {
    "fts5": lambda folder: Fts5Base(folder, create=True),
    "tantivy": lambda folder: TantivyBase(folder, create=True),
}
SAMPLE = own.passages()[::4]
HOSTILE = [
    "",
    " \t\n",
    '"',
    '"unbalanced AND (OR NOT',
    "NEAR(a b, 5) title:asthma doc_id:* ^x -y",
    "'; DROP TABLE passages_fts; --",
    "a\0b\0",
    "\ud800\udfff lone",
    "the of and in is",
    "💊🫀 ❤️",
    "ａｓｔｈｍａ éàü ß İ",
    "dose " * 20_000,
    "x" * 100_000,
    "".join(chr(i) for i in range(0x250)),
    "(" * 100_000,
]


def passage(doc_id: str, content: str, **fields: str) -> Passage:
    return Passage(**{"doc_id": doc_id, "source": "s", "title": "t", "content": content, **fields})


@pytest.fixture(scope="module", params=list(MAKERS))
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    made = MAKERS[request.param](tmp_path_factory.mktemp(request.param))
    assert made.add(SAMPLE) == len(SAMPLE)
    return made


@pytest.fixture
def empty(tmp_path: Path, request: pytest.FixtureRequest) -> KnowledgeBase:
    return MAKERS[request.param](tmp_path)


both = pytest.mark.parametrize("empty", list(MAKERS), indirect=True)


def own_or(file: Path, query: str, limit: int) -> list[tuple[str, float]]:
    """FTS5's own OR over the distinct stems, ties by row."""
    words = list(dict.fromkeys(fts5.Tokenizer().terms(query)))
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    with sqlite3.connect(file) as connection:
        return connection.execute(
            "SELECT doc_id, -bm25(passages_fts) FROM passages_fts WHERE passages_fts MATCH ? "
            "ORDER BY bm25(passages_fts), rowid LIMIT ?",
            (match, limit),
        ).fetchall()


def queries(count: int, seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        words = re.findall(r"[^\W_]+", rng.choice(SAMPLE).content)
        start = rng.randrange(len(words))
        found.append(" ".join(words[start : start + rng.randint(3, 10)]))
    return found


def stable(query: str) -> str:
    """Only words whose stem is its own stem, so that FTS5 reads the stems in `own_or` as they are."""
    tokenizer = fts5.Tokenizer()
    return " ".join(w for w in re.findall(r"[^\W_]+", query.lower()) if tokenizer.terms(w) == [w])


def assert_ranks_as_fts5(base: Fts5Base, query: str) -> int:
    """The scores are FTS5's to the last shown digit; order may differ only among equals. Returns how many."""
    wanted = own_or(base.file, query, 10)
    found = [(hit.passage.doc_id, hit.score) for hit in base.search(query, 10)]
    assert len(found) == len(wanted), query
    for (_, score), (_, best) in zip(found, wanted, strict=True):
        assert score == pytest.approx(best, rel=1e-9, abs=2e-5), query
    return len(wanted)


def test_ranking_is_that_of_fts5s_own_or(tmp_path: Path) -> None:
    base = Fts5Base(tmp_path, create=True)
    base.add(SAMPLE)
    assert sum(assert_ranks_as_fts5(base, stable(query)) for query in queries(30)) > 250


def test_ranking_stays_fts5s_through_small_adds_replacements_and_merged_blocks(tmp_path: Path) -> None:
    base = Fts5Base(tmp_path, create=True)
    for start in range(0, 90, 5):
        base.add(SAMPLE[start : start + 5])
    base.add([replace(p, content=f"{p.content} rewritten asthma dose") for p in SAMPLE[20:40]])
    with sqlite3.connect(base.file) as connection:
        blocks = connection.execute("SELECT count(*) FROM blocks").fetchone()[0]
    assert blocks < fts5.MERGE_AFTER
    assert base.stats()["passages"] == 90
    assert (
        sum(assert_ranks_as_fts5(base, stable(query)) for query in [*queries(15, seed=1), "asthma dose"]) > 90
    )
    assert base.search("rewritten", 100)[0].passage.content.endswith("rewritten asthma dose")
    assert len(base.search("rewritten", 100)) == 20


def test_blocks_give_the_ranking_of_one_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Fts5Base(tmp_path, create=True)
    whole.add(SAMPLE[:100])
    (tmp_path / "blocks").mkdir()
    monkeypatch.setattr(fts5, "BLOCK", 13)
    parts = Fts5Base(tmp_path / "blocks", create=True)
    parts.add(SAMPLE[:100])
    for query in queries(20):
        assert parts.search(query) == whole.search(query)


@pytest.mark.parametrize("query", HOSTILE, ids=[repr(q[:12]) for q in HOSTILE])
def test_no_query_is_an_error_or_a_language(base: KnowledgeBase, query: str) -> None:
    assert len(base.search(query)) <= 10


@settings(max_examples=30, deadline=None)
@given(query=st.text(max_size=60), category=st.text(max_size=5), limit=st.integers(1, 100))
def test_any_text_is_plain_words(base: KnowledgeBase, query: str, category: str, limit: int) -> None:
    hits = base.search(query, limit, category=category)
    assert len(hits) <= limit
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(not category or hit.passage.category == category for hit in hits)


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_limit_out_of_range_is_refused(base: KnowledgeBase, limit: int) -> None:
    with pytest.raises(ValueError, match="1 to 100"):
        base.search("dose", limit)


def test_operators_and_column_names_are_words(base: KnowledgeBase) -> None:
    assert base.search("warfarin NOT bleeding")[0].passage == base.search("not bleeding warfarin")[0].passage
    assert base.search("content:warfarin")
    assert base.search("-warfarin")


def test_filters_keep_category_and_source(base: KnowledgeBase) -> None:
    for category in ("drug", "guideline", "criteria"):
        hits = base.search("severe pneumonia dose score", 20, category=category)
        assert {hit.passage.category for hit in hits} == {category}
    assert base.search("pneumonia", category="nothing", source="distrl") == []
    assert base.search("pneumonia", source="distrl") == base.search("pneumonia")


def test_what_was_added_is_what_comes_back(base: KnowledgeBase) -> None:
    assert all(base.get(p.doc_id) == p for p in SAMPLE[:20])
    assert base.get("no such id") is None
    assert base.get("\0\ud800") is None
    stats = base.stats()
    assert stats["passages"] == stats["source:distrl"] == len(SAMPLE)
    assert stats["category:drug"] == sum(p.category == "drug" for p in SAMPLE)


@both
def test_known_id_is_replaced(empty: KnowledgeBase) -> None:
    empty.add([passage("a", "alpha words"), passage("b", "beta words")])
    assert empty.add([passage("a", "gamma words", source="other"), passage("c", "delta")]) == 2
    assert empty.search("alpha") == []
    assert [hit.passage.content for hit in empty.search("gamma")] == ["gamma words"]
    assert empty.get("a") == passage("a", "gamma words", source="other")
    assert empty.stats() == {"passages": 3, "source:other": 1, "source:s": 2} | {
        k: v for k, v in empty.stats().items() if k.startswith("category:")
    }


@both
def test_last_of_one_id_in_one_call_counts(empty: KnowledgeBase) -> None:
    empty.add([passage("a", "first"), passage("a", "second")])
    assert empty.stats()["passages"] == 1
    assert empty.get("a") == passage("a", "second")


@both
def test_odd_characters_and_empty_base(empty: KnowledgeBase) -> None:
    assert empty.search("anything") == []
    assert empty.stats()["passages"] == 0
    empty.add([passage("n\0ul", "con\0tent \ud800 end", category="c\0")])
    hit = (
        empty.search("content end")[0].passage
        if empty.search("content end")
        else empty.search("end")[0].passage
    )
    assert "\0" not in hit.content + hit.doc_id + hit.category
    assert empty.get("n\0ul") == hit


@both
def test_passages_without_a_word_are_kept(empty: KnowledgeBase) -> None:
    nothing = Passage(doc_id="!", source="", title="", content="…")
    assert empty.add([nothing]) == 1
    assert empty.get("!") == nothing
    empty.add([nothing, passage("a", "words")])
    assert [hit.passage.doc_id for hit in empty.search("words ! …")] == ["a"]
    assert empty.stats()["passages"] == 2


@both
def test_threads_search_while_one_adds(empty: KnowledgeBase) -> None:
    empty.add(SAMPLE[:40])

    def ask(n: int) -> int:
        return sum(len(empty.search(query, 5)) for query in queries(8, seed=n))

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ask, n) for n in range(8)]
        adding = [pool.submit(empty.add, SAMPLE[start : start + 20]) for start in range(40, 120, 20)]
        assert all(future.result() > 0 for future in asked)
        assert [future.result() for future in adding] == [20] * 4
    assert empty.stats()["passages"] == 120
    assert empty.get(SAMPLE[119].doc_id) == SAMPLE[119]


def test_another_open_base_sees_what_was_added(tmp_path: Path) -> None:
    for name, make in MAKERS.items():
        (tmp_path / name).mkdir()
        writer, reader = make(tmp_path / name), make(tmp_path / name)
        assert reader.search("zebra") == []
        writer.add([passage("z", "zebra")])
        assert [hit.passage.doc_id for hit in reader.search("zebra")] == ["z"]
