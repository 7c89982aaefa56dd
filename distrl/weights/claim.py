"""Folders in shared memory that do not outlive their owner by more than a run.

Learner, Engine[M] -> [claimed folder] -> Weights

A claimed folder holds a file that its owner keeps locked; the kernel frees the lock however the owner ends.
Whoever claims a folder first removes the neighbours whose owner is gone. Folders without such a file are not
touched. Not covered: what a killed run left on a node where no later run starts.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

PREFIX = "distrl-"  # of the folders that a claim may sweep
OWNER = ".owner"


def claim_folder(folder: str) -> int:
    """Makes `folder` this process's own, after `sweep` of its parent; returns the descriptor of the lock.

    The claim lasts until the descriptor is closed or the process ends. Raises OSError when the folder cannot
    be made.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    aside = place / f"{OWNER}.{os.getpid()}"
    descriptor = os.open(aside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    aside.rename(place / OWNER)  # locked before it has its name, so that no sweep finds it free
    sweep(str(place.parent))
    return descriptor


def sweep(parent: str) -> list[str]:
    """Removes the claimed folders under `parent` whose owner is gone; returns their paths."""
    removed = []
    for marker in sorted(Path(parent).glob(f"{PREFIX}*/{OWNER}")):
        with suppress(OSError):  # locked: its owner lives; not ours to open; gone meanwhile
            descriptor = os.open(marker, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(marker.parent)
                removed.append(str(marker.parent))
            finally:
                os.close(descriptor)
    return removed
