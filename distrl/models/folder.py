"""Proof that a model folder is what it was: a sha256 over its files, kept in a record, checked at each use.

The quick check compares sizes and times of change. When they differ the files are hashed again: the same
content refreshes the record, other content is an error. Not covered: bytes changed under an old time and size
(`full=True` finds them).
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

RECORD_NAME = "distrl.json"
KEPT_SUFFIXES = (".safetensors", ".json", ".jinja", ".txt", ".model")


class ModelError(ValueError):
    """A model cannot be had, or is not what it should be. One line: the name and the mend."""


def require_model_folder(folder: Path) -> None:
    """Raise ModelError unless `folder` holds config.json and safetensors weights."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"model folder {folder}: no config.json; give a Hugging Face model folder")
    if any(folder.glob("*.safetensors")):
        return
    pickles = sorted(p.name for p in folder.iterdir() if p.suffix in (".bin", ".pt", ".pth", ".ckpt"))
    found = f" (found {pickles[0]}, which is a pickle and is never read)" if pickles else ""
    raise ModelError(
        f"model folder {folder}: no *.safetensors file{found}; convert the weights to safetensors"
    )


def folder_digest(folder: Path, record: Path | None = None, *, full: bool = False) -> str:
    """The sha256 over the files' hashes in order of name. Uses and refreshes `record` when it is given.

    A record's hash stands for a file as long as its size and time of change are those in the record; `full`
    hashes every file.
    """
    old = {} if record is None or full else _read_record(record).get("files", {})
    files = {}
    for path in _model_files(folder):
        stat = path.stat()
        entry = old.get(path.name, {})
        if (entry.get("bytes"), entry.get("mtime_ns")) != (stat.st_size, stat.st_mtime_ns):
            entry = {"bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": file_sha256(path)}
        files[path.name] = entry
    lines = "".join(f"{name} {entry['sha256']}\n" for name, entry in sorted(files.items()))
    digest = hashlib.sha256(lines.encode()).hexdigest()
    if record is not None and files != old:
        _write_record(record, {"digest": digest, "files": files})
    return digest


def check_folder(folder: Path, *, full: bool = False) -> str:
    """Digest of a folder that this project wrote. Raises ModelError when it is not the recorded one."""
    record = folder / RECORD_NAME
    before = _read_record(record)
    if "digest" not in before:
        raise ModelError(f"model folder {folder}: no {RECORD_NAME}; remove the folder and start again")
    old = before.get("files", {})
    now = {p.name: (p.stat().st_size, p.stat().st_mtime_ns) for p in _model_files(folder)}
    if not full and now == {name: (entry["bytes"], entry["mtime_ns"]) for name, entry in old.items()}:
        return str(before["digest"])
    digest = folder_digest(folder)
    if digest != before["digest"]:
        raise ModelError(
            f"model folder {folder}: digest {digest[:12]} is not the recorded {before['digest'][:12]} "
            "(a file was cut or changed); remove the folder and start again"
        )
    return folder_digest(folder, record, full=True)


def file_sha256(path: Path) -> str:
    """Hex sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _model_files(folder: Path) -> list[Path]:
    found = (p for p in folder.iterdir() if p.suffix in KEPT_SUFFIXES and p.name != RECORD_NAME)
    return sorted(p for p in found if p.is_file())


def _read_record(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _write_record(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    aside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    os.replace(aside, path)
