"""The endless task source of the gym's domains: seeded generators of patients, tickets and gold episodes.

world -> [GeneratedTasks] -> HealthcareEnv -> rewards

Each split has wordings, personas and combinations (a condition with an allergy, a pair of drugs) of its own;
see `draft.split_of` and `phrases`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import import_module

from distrl.envs.contract import Task, TaskSource
from distrl.envs.healthcare.tasks.draft import ENV_IDS, SPLITS

SEVERAL_ID = "distrl/HealthcareGym-v0"
SEEDS = 2**31
STRIDE = 1_000_003  # a prime: neighbouring seeds of a source share no task seed within a million tasks
DIFFICULTIES = ("easy", "moderate", "hard")


class GeneratedTasks(TaskSource):
    """Unlimited synthetic tasks; task i of a seed and split is the same whatever `count` is.

    Args:
        domain: a key of `draft.ENV_IDS`, whose module's `make_task(seed, split)` writes the tasks; or several
            with commas, dealt in turn, as tasks of the environment of all domains.
        difficulty: deal only tasks of this label; None deals all.

    Raises ValueError for an unknown domain, difficulty or split.
    """

    def __init__(self, *, domain: str = "clinical_diagnosis", difficulty: str | None = None) -> None:
        self.domains = [name.strip() for name in domain.split(",")]
        for name in self.domains:
            if name not in ENV_IDS:
                raise ValueError(f"unknown domain {name!r}; known: {', '.join(ENV_IDS)}")
        if difficulty is not None and difficulty not in DIFFICULTIES:
            raise ValueError(f"unknown difficulty {difficulty!r}; one of {', '.join(DIFFICULTIES)}, or null")
        self.difficulty = difficulty

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """`count` tasks of `split`, no two with the same ticket; equal for equal seeds."""
        if split not in SPLITS:
            raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
        if count < 1:
            raise ValueError(f"count is {count}; a generator is endless, so ask for at least 1 task")
        makers = [maker(name) for name in self.domains]
        found: dict[str, Task] = {}
        index = 0
        while len(found) < count:
            task = makers[len(found) % len(makers)]((seed * STRIDE + index) % SEEDS, split)
            index += 1
            if self.difficulty in (None, task.payload["difficulty"]):
                found.setdefault(task.payload["ticket"], self._of_environment(task))
        return list(found.values())

    def _of_environment(self, task: Task) -> Task:
        return task if len(self.domains) == 1 else dataclasses.replace(task, env=SEVERAL_ID)


def maker(domain: str) -> Callable[[int, str], Task]:
    """`make_task` of a domain, imported when it is asked for."""
    make: Callable[[int, str], Task] = import_module(f"distrl.envs.healthcare.tasks.{domain}").make_task
    return make
