"""What all loaders of task files share: the error of a row, the held-out share by hash, the seeded draw.

rows of a file -> loaders [task_files] -> tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> …
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from distrl.envs.contract import Task

FILE_SPLITS = ("train", "heldout")


class DataError(ValueError):
    """A file or row that cannot be used; the message is one line with the place, the value and the mend."""


def check_fraction(fraction: float) -> None:
    """DataError unless `fraction` is a share from 0 up to, but not, 1."""
    if not 0 <= fraction < 1:
        raise DataError(f"heldout_fraction is {fraction}; give a share from 0 up to, but not, 1")


def heldout_keys(keys: Iterable[str], fraction: float) -> set[str]:
    """The keys (hex hashes) below the fraction; at least one key on each side where there are two."""
    ranked = sorted(set(keys))
    if fraction == 0 or len(ranked) < 2:
        return set()
    out = {key for key in ranked if int(key[:16], 16) < fraction * 2**64}
    return (out or {ranked[0]}) - ({ranked[-1]} if len(out) == len(ranked) else set())


def drawn(tasks: Mapping[str, Sequence[Task]], split: str, count: int, seed: int) -> list[Task]:
    """Up to `count` tasks of `split` (0: all) in an order that the seed decides."""
    if split not in FILE_SPLITS:
        raise ValueError(f"unknown split {split!r}; known: {', '.join(FILE_SPLITS)}")
    if count < 0:
        raise ValueError(f"count is {count}; give 0 for all tasks, or a positive number")
    order = list(tasks[split])
    random.Random(f"{seed}/{split}").shuffle(order)
    return order[:count] if count else order
