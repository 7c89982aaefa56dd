"""The written set: the card's schema, a round trip through the loader, the same bytes for the same seed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from distrl.envs.clinical_tools.load import FileTasks
from distrl.envs.clinical_tools.tasks import GeneratedTasks
from distrl.envs.clinical_tools.write import SCHEMA, write_dataset
from distrl.envs.task_files import DataError


def test_round_trip_gives_the_generators_tasks_back(tmp_path: Path) -> None:
    paths = write_dataset(tmp_path, 80, 7)
    assert sorted(paths) == sorted(tmp_path.iterdir())
    generated = GeneratedTasks(system_prompt="card")
    for ours, theirs, count in (("train", "train", 72), ("heldout", "test", 8)):
        expected = {t.id: t.payload for t in generated.tasks(ours, count, 7)}
        for extension in ("jsonl", "parquet"):
            source = FileTasks(str(tmp_path / f"{theirs}.{extension}"), 0.0)
            assert {t.id: t.payload for t in source.tasks("train", 0, 0)} == expected
            assert source.report.nulls_dropped == source.report.integers_restored == 0
            assert source.report.answers_differ == source.report.refused == source.report.repeated == 0
    folder = FileTasks(str(tmp_path))
    assert (folder.report.train, folder.report.heldout, folder.report.overlap) == (72, 8, 0)


def test_files_have_the_cards_schema(tmp_path: Path) -> None:
    write_dataset(tmp_path, 10, 0)
    table = pq.read_table(tmp_path / "train.parquet")
    assert table.schema.equals(SCHEMA)
    lines = (tmp_path / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows == table.to_pylist()
    for row in rows:
        assert list(row) == ["prompt", "answer", "ground_truth"]
        assert [m["role"] for m in row["prompt"]] == ["system", "user"]
        assert set(json.loads(row["ground_truth"])) == {"name", "arguments"}


def test_same_seed_same_bytes_and_nothing_half_written_is_left(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_dataset(tmp_path / name, 12, seed)
    names = sorted(p.name for p in (tmp_path / "a").iterdir())
    assert names == ["README.md", "test.jsonl", "test.parquet", "train.jsonl", "train.parquet"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert (tmp_path / "a/train.jsonl").read_bytes() != (tmp_path / "c/train.jsonl").read_bytes()


def test_dataset_card_states_counts_licence_reward_and_that_patients_are_synthetic(tmp_path: Path) -> None:
    write_dataset(tmp_path, 40, 3, formats=("jsonl",))
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    front = card.split("---")[1]
    assert "license: apache-2.0" in front
    assert "path: train.jsonl" in front
    assert "| all | 36 | 4 |" in card
    assert "All patients are synthetic" in card
    assert "--count 40 --seed 3" in card
    assert "equal 1.0; another response 0.1; no\ncall 0.0" in card
    assert not (tmp_path / "train.parquet").exists()


@pytest.mark.parametrize(
    ("count", "formats", "message"),
    [
        (1, ("jsonl",), "count is 1; at least 2 rows"),
        (4, ("csv",), "unknown format 'csv'; known: jsonl, parquet"),
        (4, (), "no format given"),
    ],
)
def test_wrong_arguments_are_named(
    tmp_path: Path, count: int, formats: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        write_dataset(tmp_path, count, 0, formats)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"cannot write to .*file; |cannot write to .*another --out"):
        write_dataset(tmp_path / "file", 4, 0)


def test_a_flipped_byte_in_a_written_page_is_noticed(tmp_path: Path) -> None:
    write_dataset(tmp_path, 40, 3, ["parquet"])
    sound = (tmp_path / "train.parquet").read_bytes()
    chunk = pq.read_metadata(tmp_path / "train.parquet").row_group(0).column(2)
    page = range(chunk.dictionary_page_offset + 200, chunk.data_page_offset, 97)  # past the page's header
    assert len(page) > 5
    for position in page:
        broken = bytearray(sound)
        broken[position] ^= 1
        (tmp_path / "broken.parquet").write_bytes(bytes(broken))
        with pytest.raises(DataError, match="not a sound Parquet file"):
            FileTasks(str(tmp_path / "broken.parquet"))
