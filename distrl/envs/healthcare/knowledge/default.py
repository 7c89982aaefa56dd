"""The knowledge base of this process: the project's own, until somebody says otherwise.

[backend] <- tools of every environment of the process

The own base is built once into the cache folder ($DISTRL_CACHE or ~/.cache/distrl), under a name that follows
from its content; where that folder cannot be written, into a folder that goes with the process.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from pathlib import Path

from distrl.envs.healthcare.knowledge.build import build_passages, open_base
from distrl.envs.healthcare.knowledge.place import MANIFEST
from distrl.envs.healthcare.knowledge.protocol import KnowledgeBase, Passage

WAIT_S = 120.0  # for another process that builds the same base
_lock = threading.Lock()
_in_use: list[KnowledgeBase] = []


def backend() -> KnowledgeBase:
    """The base in use, built or opened at the first call. Thread-safe."""
    with _lock:
        if not _in_use:
            _in_use.append(own_base())
        return _in_use[0]


def use(base: Path | str | KnowledgeBase) -> KnowledgeBase:
    """Make `base`, or the finished base in that folder, the one of this process. Raises KnowledgeError."""
    chosen = open_base(base) if isinstance(base, Path | str) else base
    with _lock:
        _in_use[:] = [chosen]
    return chosen


def own_base() -> KnowledgeBase:
    """The project's own base, built where it is not there yet."""
    from distrl.envs.healthcare.knowledge import own  # late: it reads every clinical table

    cache = Path(os.environ.get("DISTRL_CACHE") or "~/.cache/distrl").expanduser().absolute()
    path = cache / "knowledge" / f"own-{own.digest()}"
    try:
        return _built(path, own.passages())
    except OSError:
        pass
    held = tempfile.mkdtemp(prefix="distrl-knowledge-")
    atexit.register(shutil.rmtree, held, ignore_errors=True)
    return _built(Path(held) / "own", own.passages())


def _built(path: Path, passages: list[Passage]) -> KnowledgeBase:
    if not (path / MANIFEST).exists():
        build_passages(passages, path, wait_s=WAIT_S, keep=True)
    return open_base(path)
