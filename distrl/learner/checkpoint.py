"""Checkpoints that are whole or not there: written aside, checked against their hashes, then renamed.

Learner [checkpoint] -> disk -> Learner

A checkpoint is a folder with `weights.safetensors` (float32 master weights), `optimizer.safetensors`,
`state.json` and, written last, `VERIFIED`: size and sha256 of the others. No pickle.

Not covered: a disk that answers reads with data other than what it stored later on; `load` notices, and
`newest_verified` then takes the one before.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor

MARKER = "VERIFIED"
WEIGHTS, OPTIMIZER, STATE = "weights.safetensors", "optimizer.safetensors", "state.json"


class CheckpointError(RuntimeError):
    """A checkpoint is missing, cut, changed or of another model; the message names the file and why."""


def write(
    folder: str, weights: dict[str, Tensor], optimizer: dict[str, Tensor], state: dict[str, Any]
) -> str:
    """Writes a checkpoint at `folder` (replaced if there) and returns the path.

    The folder appears by one rename after every file was synced, read back and found equal to its hash.
    """
    target = Path(folder)
    aside = target.with_name(f".{target.name}.{os.getpid()}.writing")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    save_file(weights, aside / WEIGHTS)
    save_file(optimizer, aside / OPTIMIZER)
    (aside / STATE).write_text(json.dumps(state, indent=1))
    files = {}
    for name in (WEIGHTS, OPTIMIZER, STATE):
        _sync(aside / name)
        files[name] = {"bytes": (aside / name).stat().st_size, "sha256": _sha256(aside / name)}
    marker = {"updates": state.get("updates", 0), "files": files}
    (aside / MARKER).write_text(json.dumps(marker, indent=1))
    _sync(aside / MARKER)
    verify(str(aside))
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    if target.exists():
        target.rename(old)
    aside.rename(target)
    _sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)
    return str(target)


def verify(folder: str) -> dict[str, Any]:
    """The marker's content, after every file was read and compared; CheckpointError says what differs."""
    base = Path(folder)
    try:
        marker: dict[str, Any] = json.loads((base / MARKER).read_text())
        listed = dict(marker["files"])
    except FileNotFoundError:
        raise CheckpointError(f"{folder}: no {MARKER} file; it was never finished") from None
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{folder}: {MARKER} cannot be read ({error})") from None
    for name in (WEIGHTS, OPTIMIZER, STATE):
        entry = listed.get(name)
        if entry is None or not (base / name).is_file():
            raise CheckpointError(f"{folder}: {name} is missing")
        size = (base / name).stat().st_size
        if size != entry["bytes"]:
            raise CheckpointError(f"{folder}: {name} has {size} bytes, {entry['bytes']} were written")
        if _sha256(base / name) != entry["sha256"]:
            raise CheckpointError(f"{folder}: {name} differs from its sha256 {entry['sha256'][:12]}…")
    return marker


def read(folder: str) -> tuple[dict[str, Tensor], dict[str, Tensor], dict[str, Any]]:
    """(weights, optimiser state, state) of a checkpoint that was verified just now."""
    verify(folder)
    base = Path(folder)
    state: dict[str, Any] = json.loads((base / STATE).read_text())
    return load_file(base / WEIGHTS), load_file(base / OPTIMIZER), state


def _candidates(parent: str) -> list[Path]:
    """Finished checkpoints, newest first: by optimiser updates, then by the marker's time."""
    base = Path(parent)
    found = []
    for folder in base.iterdir() if base.is_dir() else []:
        marker = folder / MARKER
        if folder.name.startswith(".") or not marker.is_file():
            continue
        try:
            updates = int(json.loads(marker.read_text())["updates"])
        except (json.JSONDecodeError, KeyError, TypeError, ValueError):
            updates = -1
        found.append((updates, marker.stat().st_mtime_ns, folder))
    return [folder for _, _, folder in sorted(found, reverse=True)]


def newest_verified(parent: str) -> str:
    """The newest checkpoint under `parent` whose files all verify, or "". A warning names damaged ones."""
    for folder in _candidates(parent):
        try:
            verify(str(folder))
        except CheckpointError as error:
            warnings.warn(f"checkpoint skipped: {error}", stacklevel=2)
        else:
            return str(folder)
    return ""


def prune(parent: str, keep: int) -> list[str]:
    """Removes all but the `keep` last written checkpoints, and what crashed writers left; returns them.

    By time, not by updates: a damaged checkpoint of a later step must not outlive what was written after it.
    """
    if keep < 1:
        raise ValueError(f"checkpoint.keep={keep} must be at least 1")
    by_time = sorted(_candidates(parent), key=lambda p: (p / MARKER).stat().st_mtime_ns, reverse=True)
    removed = [str(p) for p in by_time[keep:]]
    removed += [str(p) for p in Path(parent).glob(".*.writing")] + [
        str(p) for p in Path(parent).glob(".*.old")
    ]
    for path in removed:
        shutil.rmtree(path)
    return removed


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
