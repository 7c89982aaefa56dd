"""From a user's files to a base: every kind of file, bad rows, broken builds, full disks, damaged files."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from distrl import cli
from distrl.envs.healthcare.knowledge import build as building
from distrl.envs.healthcare.knowledge.build import Options, build, open_base
from distrl.envs.healthcare.knowledge.fts5 import FILE
from distrl.envs.healthcare.knowledge.place import (
    BACKENDS,
    BUILDING,
    MANIFEST,
    BackendName,
    KnowledgeError,
    sole_writer,
)
from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.healthcare.knowledge.sources import rows

SHARED = Path(__file__).parents[4] / "shared" / "data" / "knowledge_passages.parquet"
ROWS = [
    Passage(
        doc_id=f"p{n}",
        source="s",
        title=f"title {n}",
        content=f"shared words and number{n}",
        category="even" if n % 2 == 0 else "odd",
        dataset_name="set",
    )
    for n in range(60)
]
BIG_CELL = "kidney " * 25_000  # 175,000 characters

DIES = """
import os, signal, sys
from pathlib import Path
from distrl.envs.healthcare.knowledge import build, fts5, tantivy_base
def die_at_fourth(module, name):
    calls, real = [], getattr(module, name)
    def counted(*args):
        calls.append(name)
        if len(calls) == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)
    setattr(module, name, counted)
die_at_fourth(fts5, "_merge_small")  # inside the transaction of a block
die_at_fourth(tantivy_base, "write_record")  # after the commit of a block, before its progress is noted
for backend in ("fts5", "tantivy"):
    pid = os.fork()
    if not pid:
        build.build([sys.argv[1]], Path(sys.argv[2]) / backend, backend, build.Options(block=8))
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
FULL_DISK = """
import resource, signal, sys
from distrl.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
for backend in ("fts5", "tantivy"):
    print(main(["knowledge", "build", sys.argv[1], "--to", f"{sys.argv[2]}/{backend}", "--backend", backend]))
"""


def jsonl(file: Path, records: list[object]) -> Path:
    file.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return file


def run(*words: object) -> int:
    return cli.main(["knowledge", *(str(word) for word in words)])


def child(script: str, *args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *(str(arg) for arg in args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_every_kind_of_file_gives_the_same_passages(tmp_path: Path) -> None:
    wanted = [*ROWS[:5], replace(ROWS[5], content=BIG_CELL), replace(ROWS[6], content='a "quote",\na line')]
    records = [asdict(p) for p in wanted]
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "a.parquet")
    jsonl(tmp_path / "a.jsonl", list(records))
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
    for name in ("a.parquet", "a.jsonl", "a.csv"):
        read = list(rows(tmp_path / name))
        assert [row.passage for row in read] == wanted
        assert read[-1].read == pytest.approx(1.0)


def test_aliases_and_defaults_name_the_columns(tmp_path: Path) -> None:
    file = jsonl(
        tmp_path / "qa.jsonl",
        [
            {"id": 7, "question": "What is asthma?", "answer": "A disease.", "topic": "lung"},
            {"text": "words", "title": None},
        ],
    )
    first, second = (row.passage for row in rows(file))
    assert first == Passage(
        doc_id="7",
        source="qa",
        title="What is asthma?",
        content="A disease.",
        category="lung",
        dataset_name="qa",
    )
    assert second is not None
    assert second.doc_id.startswith("qa-")
    assert second == next(row.passage for row in list(rows(file))[1:])


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"title": "no text"}, "no content"),
        ({"content": " \n"}, "no content"),
        ({"content": 5}, "content is int, not text"),
        ({"content": ["a"]}, "content is list, not text"),
        ({"content": "a", "doc_id": "x" * 600}, "600 characters"),
        ({"content": "a", "doc_id": True}, "doc_id is bool"),
        ([1], "list, not a JSON object"),
        ("text", "str, not a JSON object"),
    ],
)
def test_bad_row_is_named_with_its_place(tmp_path: Path, record: object, problem: str) -> None:
    file = jsonl(tmp_path / "bad.jsonl", [asdict(ROWS[0]), record, asdict(ROWS[1])])
    with pytest.raises(KnowledgeError, match=r"bad\.jsonl row 2: .*" + problem):
        build([str(file)], tmp_path / "kb")
    report = build([str(file)], tmp_path / "kb", options=Options(skip_bad=True))
    assert (report.rows, report.indexed, report.bad) == (3, 2, 1)
    assert problem in report.notes[0]


def test_bad_lines_and_cells_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"content": "good"}\n{broken\n\xff\xfe\n' + b"[" * 100_000 + b"\n")
    (tmp_path / "b.csv").write_text("doc_id,content\nx,fine\ny,too,many\nz,also fine\n", encoding="utf-8")
    files = [tmp_path / "a.jsonl", tmp_path / "b.csv"]
    assert run("build", *files, "--to", tmp_path / "kb") == cli.EXIT_BAD_INPUT
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "a.jsonl row 2: not JSON; --skip-bad" in said
    assert run("build", *files, "--to", tmp_path / "kb", "--skip-bad") == 0
    assert "4 bad rows left out" in capsys.readouterr().out
    assert open_base(tmp_path / "kb").stats()["passages"] == 3


def test_repeated_ids_are_kept_apart_and_repeated_passages_once(tmp_path: Path) -> None:
    one = {"doc_id": "x", "content": "one"}
    file = jsonl(
        tmp_path / "a.jsonl", [one, {"doc_id": "x", "content": "two"}, one, {"doc_id": "x", "content": "two"}]
    )
    report = build([str(file)], tmp_path / "kb")
    assert (report.indexed, report.twice) == (2, 2)
    base = open_base(tmp_path / "kb")
    assert {hit.passage.content for hit in base.search("one two")} == {"one", "two"}
    building.add([str(file)], tmp_path / "kb")
    assert base.stats()["passages"] == 2


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source and, of each backend, a build that was killed in mid-block by SIGKILL."""
    folder = tmp_path_factory.mktemp("killed")
    source = jsonl(folder / "new.jsonl", [asdict(p) for p in ROWS])
    ended = child(DIES, source, folder)
    assert ended.stdout.split() == [str(-signal.SIGKILL)] * 2, ended.stderr
    return folder


@pytest.mark.parametrize("backend", BACKENDS)
def test_killed_build_is_refused_until_it_goes_on_where_it_was(killed: Path, backend: BackendName) -> None:
    kb, whole, source = killed / backend, killed / f"{backend}-whole", killed / "new.jsonl"
    with pytest.raises(KnowledgeError, match="not finished; run the same"):
        open_base(kb)
    report = build([str(source)], kb, backend, Options(block=8))
    assert (report.rows, report.indexed) == (60, 60)
    assert report.resumed == 24
    build([str(source)], whole, backend, Options(block=8))
    assert open_base(kb).stats() == open_base(whole).stats()
    for query in ("shared words", "number17", "title even"):
        found, wanted = (
            sorted((-hit.score, hit.passage.doc_id) for hit in open_base(path).search(query, 100))
            for path in (kb, whole)
        )
        assert found == wanted
    assert not (kb / BUILDING).exists()


@pytest.mark.parametrize("backend", BACKENDS)
def test_broken_build_leaves_the_old_base_in_force(
    tmp_path: Path, backend: BackendName, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb, source = tmp_path / "kb", jsonl(tmp_path / "new.jsonl", [asdict(p) for p in ROWS])
    build([str(jsonl(tmp_path / "old.jsonl", [asdict(ROWS[0])]))], kb, backend)
    reader = open_base(kb)
    with monkeypatch.context() as broken:
        broken.setattr(building, "complete", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build([str(source)], kb, backend, Options(block=8))
    assert open_base(kb).stats()["passages"] == 1
    assert (kb / BUILDING).exists()
    assert build([str(source)], kb, backend, Options(block=8)).resumed == 60
    assert open_base(kb).stats()["passages"] == 60
    assert len(list(kb.glob("data-*"))) == 1
    assert reader.search("shared")[0].passage == ROWS[0]


def test_half_build_of_other_sources_is_not_gone_on_with(tmp_path: Path) -> None:
    first = jsonl(tmp_path / "a.jsonl", [{"content": "good one"}, {"content": "good two"}, {"content": ""}])
    with pytest.raises(KnowledgeError):
        build([str(first)], tmp_path / "kb", options=Options(block=1))
    other = jsonl(tmp_path / "b.jsonl", [{"content": "other"}])
    report = build([str(other)], tmp_path / "kb", options=Options(block=1))
    assert (report.resumed, report.indexed) == (0, 1)
    assert open_base(tmp_path / "kb").search("good") == []


def test_full_disk_is_one_line_and_no_base(tmp_path: Path) -> None:
    records = [{"content": " ".join(f"word{n}x{k}" for k in range(300))} for n in range(200)]
    ended = child(FULL_DISK, jsonl(tmp_path / "a.jsonl", records), tmp_path)
    assert ended.stdout.split() == [str(cli.EXIT_BAD_INPUT)] * 2, ended.stderr
    lines = ended.stderr.splitlines()
    assert len(lines) == 2
    assert all("cannot write" in line for line in lines)
    assert not list(tmp_path.rglob(MANIFEST))


@pytest.mark.parametrize("backend", BACKENDS)
def test_damaged_base_is_one_line(
    tmp_path: Path, backend: BackendName, capsys: pytest.CaptureFixture[str]
) -> None:
    kb = tmp_path / "kb"
    build([str(jsonl(tmp_path / "a.jsonl", [asdict(ROWS[0])]))], kb, backend)
    data = next(kb.glob("data-*"))
    damaged = data / (FILE if backend == "fts5" else "meta.json")
    damaged.write_bytes(b"no database" * 1000)
    assert run("search", "shared", "--base", kb) == cli.EXIT_BAD_INPUT
    damaged.unlink()
    assert run("search", "shared", "--base", kb) == cli.EXIT_BAD_INPUT
    (kb / MANIFEST).write_text("{")
    assert run("search", "shared", "--base", kb) == cli.EXIT_BAD_INPUT
    assert run("search", "shared", "--base", tmp_path / "none") == cli.EXIT_BAD_INPUT
    assert run("search", "shared", "--base", tmp_path / "a.jsonl") == cli.EXIT_BAD_INPUT
    lines = capsys.readouterr().err.splitlines()
    assert run("build", tmp_path / "a.jsonl", "--to", kb, "--backend", backend) == 0
    assert run("search", "shared", "--base", kb) == 0
    assert len(lines) == 5
    assert all("build" in line or "folder" in line for line in lines), lines


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.parquet", b"PAR1 no"),
        ("a.csv", b"doc_id,content\nx,\xff\xfe\n"),
        ("a.csv", b""),
        ("a.txt", b"words"),
        ("missing.csv", None),
    ],
)
def test_unreadable_source_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run("build", tmp_path / name, "--to", tmp_path / "kb") == cli.EXIT_BAD_INPUT
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert name in said


def test_second_writer_is_refused(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", [asdict(ROWS[0])])
    with sole_writer(tmp_path / "kb"), pytest.raises(KnowledgeError, match="another process"):
        build([str(file)], tmp_path / "kb")


def test_read_only_base_can_be_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build([str(jsonl(tmp_path / "a.jsonl", [asdict(p) for p in ROWS]))], tmp_path / "kb")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert open_base(tmp_path / "kb").search("number3", 1)[0].passage == ROWS[3]


def test_command_builds_adds_searches_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb = tmp_path / "kb"
    one = jsonl(tmp_path / "a.jsonl", [asdict(p) for p in ROWS[:20]])
    two = jsonl(tmp_path / "b.jsonl", [{"doc_id": "esc", "content": "bell \x1b[31m red", "title": "steers"}])
    assert run("build", one, "--to", kb) == 0
    assert run("add", two, "--to", kb) == 0
    assert run("search", "shared", "number4", "--base", kb, "--limit", "3", "--category", "even") == 0
    assert run("search", "bell", "--base", kb) == 0
    assert run("search", "nowhere", "--base", kb) == 0
    assert run("stats", "--base", kb) == 0
    out = capsys.readouterr().out
    assert "20 passages indexed" in out
    assert "1 passages indexed" in out
    assert "\x1b" not in out
    assert r"\x1b[31m" in out
    assert "no passage holds any of these words" in out
    assert "category:odd" in out
    assert out.index("title 4  [p4; s, even]") < out.index("title 0  [p0; s, even]")


def test_limit_out_of_range_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build([str(jsonl(tmp_path / "a.jsonl", [asdict(ROWS[0])]))], tmp_path / "kb")
    assert run("search", "shared", "--base", tmp_path / "kb", "--limit", "0") == cli.EXIT_BAD_INPUT
    assert "1 to 100" in capsys.readouterr().err


@pytest.mark.skipif(not SHARED.exists(), reason="the shared passages are not on this machine")
def test_shared_passages_are_read_whole_and_found(tmp_path: Path) -> None:
    read = list(rows(SHARED))
    assert len(read) == 30_166
    assert all(row.passage is not None for row in read)
    pq.write_table(pq.read_table(SHARED).slice(0, 600), tmp_path / "some.parquet")
    for backend in BACKENDS:
        report = build([str(tmp_path / "some.parquet")], tmp_path / backend, backend)
        assert report.indexed + report.twice == 600
        hit = open_base(tmp_path / backend).search("tests that examine the blood and bone marrow", 1)[0]
        assert "bone marrow" in hit.passage.content
