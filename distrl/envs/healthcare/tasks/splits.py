"""Frozen splits: which seeds make the tasks of a version, and proof that they still make the same ones.

generators -> [splits] <- frozen/<domain>-v<n>.json

A file holds rows (seed, split, digest), no task. Loading makes the tasks again and compares; the digest
covers the payload and the database that its seed draws. Freezing skips a seed whose task shares an id, a
question or a run of 13 words with another split (`overlap`), so frozen splits are disjoint by construction.

    python -m distrl.envs.healthcare.tasks.splits freeze [DOMAIN …]
    python -m distrl.envs.healthcare.tasks.splits check [DOMAIN …]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from distrl.envs.contract import Task, TaskSource
from distrl.envs.healthcare.tasks.draft import ENV_IDS, SPLITS
from distrl.envs.healthcare.tasks.overlap import Index, breaches

VERSION = 1
SIZES: Mapping[str, int] = {"train": 400, "heldout": 80, "test": 80}
FOLDER = Path(__file__).parent / "frozen"
DIGEST_CHARS = 16  # of SHA-256 in hex: 64 bits, for a change, not against an attacker
MAX_SKIPPED = 20  # times the size of a split; more says that the generator keeps nothing apart

Maker = Callable[[int, str], Task]


class FrozenError(ValueError):
    """A frozen split that is missing, malformed, or no longer what the generator makes."""


def maker_of(domain: str) -> Maker:
    """`make_task` of a domain. Raises FrozenError for an unknown one."""
    if domain not in ENV_IDS:
        raise FrozenError(f"unknown domain {domain!r}; known: {', '.join(ENV_IDS)}")
    make: Maker = import_module(f"distrl.envs.healthcare.tasks.{domain}").make_task
    return make


def digest(task: Task) -> str:
    """Of the payload and, where a seed draws the database, of what it draws."""
    world = task.payload["world"]
    drawn: Any = None
    if "database" not in world and "condition" in world:
        drawn = import_module("distrl.envs.healthcare.world.build").database_of(world)
    text = json.dumps([task.payload, drawn], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def path_of(domain: str, version: int = VERSION, folder: Path = FOLDER) -> Path:
    """Where the rows of a version stand."""
    return folder / f"{domain}-v{version}.json"


def choose(make: Maker, sizes: Mapping[str, int]) -> tuple[dict[str, dict[int, Task]], dict[str, int]]:
    """({split: {seed: task}}, seeds skipped by split): seeds in rising order, each task apart from others.

    Raises FrozenError when too many seeds fall out.
    """
    chosen: dict[str, dict[int, Task]] = {}
    skipped = dict.fromkeys(sizes, 0)
    indices: dict[str, Index] = {}
    for split, size in sizes.items():
        own = Index(n=1_000_000)  # inside a split only ids and whole questions must differ
        tasks: dict[int, Task] = {}
        seed = 0
        while len(tasks) < size:
            task = make(seed, split)
            if own.breach(task) is None and not any(i.breach(task) for i in indices.values()):
                tasks[seed] = task
                own.add(task)
            else:
                skipped[split] += 1
            if skipped[split] > MAX_SKIPPED * size:
                raise FrozenError(
                    f"{split}: {skipped[split]} of {seed + 1} tasks overlap with others; stopped"
                )
            seed += 1
        chosen[split] = tasks
        indices[split] = Index(tasks.values())
    return chosen, skipped


def freeze(
    domain: str,
    *,
    version: int = VERSION,
    sizes: Mapping[str, int] = SIZES,
    folder: Path = FOLDER,
    make: Maker | None = None,
    replace: bool = False,
) -> dict[str, int]:
    """Write the file of a domain; returns how many seeds each split skipped.

    Raises FrozenError where the version exists and differs, unless `replace`: for a version nobody has used.
    """
    chosen, skipped = choose(make or maker_of(domain), sizes)
    rows = [[seed, split, digest(task)] for split, tasks in chosen.items() for seed, task in tasks.items()]
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"domain": "{domain}", "version": {version}, "rows": [\n{lines}\n]}}\n'
    path = path_of(domain, version, folder)
    if path.exists() and path.read_text() != text and not replace:
        raise FrozenError(f"{path.name} exists and differs; a frozen version stays: raise the version")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return skipped


def rows_of(domain: str, version: int = VERSION, folder: Path = FOLDER) -> list[tuple[int, str, str]]:
    """The rows of a file. Raises FrozenError for a missing or malformed one."""
    path = path_of(domain, version, folder)
    try:
        data = json.loads(path.read_text())
        rows = [(int(seed), str(split), str(known)) for seed, split, known in data["rows"]]
    except FileNotFoundError:
        raise FrozenError(
            f"no frozen split {path.name}; write it with python -m {__name__} freeze {domain}"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise FrozenError(f"{path.name} is malformed: {type(error).__name__}: {error}") from None
    if (data.get("domain"), data.get("version")) != (domain, version):
        raise FrozenError(f"{path.name} says {data.get('domain')!r} v{data.get('version')}")
    return rows


def load_frozen(
    domain: str,
    split: str,
    *,
    version: int = VERSION,
    folder: Path = FOLDER,
    make: Maker | None = None,
) -> list[Task]:
    """The tasks of a frozen split, made again and checked.

    Raises FrozenError when a task is not what it was: the generator changed, and the version must rise.
    """
    if split not in SPLITS:
        raise FrozenError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
    made = make or maker_of(domain)
    tasks = []
    for seed, name, known in rows_of(domain, version, folder):
        if name != split:
            continue
        task = made(seed, split)
        if digest(task) != known:
            raise FrozenError(
                f"{domain} v{version}: seed {seed} of {split} makes another task ({digest(task)}, frozen "
                f"{known}): the generator or its tables changed; undo that, or freeze a higher version"
            )
        tasks.append(task)
    return tasks


class FrozenTasks(TaskSource):
    """The frozen tasks of a domain as a finite source."""

    def __init__(self, *, domain: str, version: int = VERSION) -> None:
        self._tasks = {split: load_frozen(domain, split, version=version) for split in SPLITS}

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """Up to `count` tasks of `split` (0: all), in an order that the seed decides."""
        if split not in self._tasks:
            raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
        if count < 0:
            raise ValueError(f"count is {count}; give 0 for all tasks, or a positive number")
        order = list(self._tasks[split])
        random.Random(f"{seed}/{split}").shuffle(order)
        return order[:count] if count else order


def main(arguments: Sequence[str] | None = None) -> int:
    """`freeze` writes the files of the domains, `check` loads them and looks for overlap."""
    parser = argparse.ArgumentParser(prog="python -m distrl.envs.healthcare.tasks.splits")
    parser.add_argument("command", choices=("freeze", "check"))
    parser.add_argument("domain", nargs="*", help=f"of {', '.join(ENV_IDS)}; none: all")
    parser.add_argument("--replace", action="store_true", help="freeze over a version that nobody has used")
    given = parser.parse_args(arguments)
    failed = False
    for domain in given.domain or ENV_IDS:
        try:
            freezes = given.command == "freeze"
            print(f"{domain}: {_freeze_line(domain, given.replace) if freezes else _check_line(domain)}")
        except (FrozenError, ModuleNotFoundError) as error:
            failed = True
            print(f"{domain}: {error}", file=sys.stderr)
    return int(failed)


def _freeze_line(domain: str, replace: bool) -> str:
    skipped = freeze(domain, replace=replace)
    sizes = ", ".join(f"{size} {split} ({skipped[split]} seeds skipped)" for split, size in SIZES.items())
    return f"wrote {path_of(domain).name}: {sizes}"


def _check_line(domain: str) -> str:
    splits = {split: load_frozen(domain, split) for split in SPLITS}
    shared = breaches(splits)
    if shared:
        raise FrozenError(f"{len(shared)} overlaps, the first: {shared[0]}")
    return ", ".join(f"{len(tasks)} {split}" for split, tasks in splits.items()) + ": as frozen, no overlap"


if __name__ == "__main__":
    sys.exit(main())
