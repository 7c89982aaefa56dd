"""Raw trajectories on disk: one Parquet part a group, with page checksums, written before any filter.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> [lake]

A part's name is made from group and attempt, so a put that is repeated rewrites the same part. A part is
written aside, flushed and renamed: a part that has its name is whole. Any Parquet reader (pandas, DuckDB,
polars) reads the folder. Not covered: a part that is deleted is noticed only when its group is still pending.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from distrl.trajectory.arrow import SchemaError, validate


class LakeError(RuntimeError):
    """A part cannot be written or read; the message names the file and the cause."""


def part_path(lake_dir: str, group_id: str, attempt: int) -> Path:
    """Where the group's part lies; the id is escaped, so it cannot leave the folder."""
    return Path(lake_dir) / f"{quote(group_id, safe=' ')}.{attempt}.parquet"


def write_part(lake_dir: str, group_id: str, attempt: int, table: pa.Table) -> Path:
    """Writes one group's rows durably and returns the path."""
    path = part_path(lake_dir, group_id, attempt)
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as sink:
            pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
            sink.flush()
            os.fsync(sink.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise LakeError(f"cannot write trajectories to {path}: {error}") from error
    return path


def read_part(path: Path) -> pa.Table:
    """Reads one part, verifying page checksums and schema."""
    try:
        table = pq.read_table(path, page_checksum_verification=True, partitioning=None)
        validate(table)
    except (OSError, pa.ArrowException, SchemaError) as error:
        raise LakeError(f"cannot read trajectories from {path}: {error}") from error
    return table


def read_lake(lake_dir: str) -> pa.Table:
    """All parts of the folder in the order of their names."""
    paths = sorted(Path(lake_dir).glob("*.parquet"))
    if not paths:
        raise LakeError(f"no trajectories in {lake_dir}")
    return pa.concat_tables([read_part(p) for p in paths])
