"""The task source of each environment id: generated without limit, or frozen and versioned.

[generators, frozen splits] -> [sources] -> tasks -> EnvWorker[N: HealthcareEnv] <-> Engine[M] -> …
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence

from distrl.envs.contract import Task, TaskSource
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.tasks.generate import SEVERAL_ID, GeneratedTasks
from distrl.envs.healthcare.tasks.splits import FrozenTasks


class HealthcareTasks(TaskSource):
    """Tasks of several domains, dealt in turn.

    Args:
        domains: keys of DOMAINS, with commas.
        difficulty: easy, moderate or hard; None deals all.
        frozen: take the frozen, versioned splits instead of the endless generator.
    """

    def __init__(
        self,
        *,
        domains: str = ",".join(DOMAINS),
        difficulty: str | None = None,
        frozen: bool = False,
    ) -> None:
        if not isinstance(domains, str):
            raise ValueError(f"domains={domains!r} must be text, domains with commas: {','.join(DOMAINS)}")
        if not isinstance(frozen, bool):
            raise ValueError(f"frozen={frozen!r} must be true or false")
        self.generated = GeneratedTasks(domain=domains, difficulty=difficulty)
        if len(set(self.generated.domains)) < len(self.generated.domains):
            raise ValueError(f"domains={domains!r} names one twice; each once")
        self.frozen = [FrozenTasks(domain=name) for name in self.generated.domains] if frozen else []
        self.difficulty = difficulty

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        """`count` tasks of `split`; of frozen ones at most as many as there are, all with `count` 0."""
        if not self.frozen:
            return self.generated.tasks(split, count, seed)
        wanted = [
            [t for t in source.tasks(split, 0, seed) if self.difficulty in (None, t.payload["difficulty"])]
            for source in self.frozen
        ]
        dealt = [task for turn in itertools.zip_longest(*wanted) for task in turn if task is not None]
        if len(self.frozen) > 1:
            dealt = [dataclasses.replace(task, env=SEVERAL_ID) for task in dealt]
        return dealt[:count] if count else dealt


ClinicalDiagnosisTasks = functools.partial(HealthcareTasks, domains="clinical_diagnosis")
DrugInteractionTasks = functools.partial(HealthcareTasks, domains="drug_interaction")
MedicalQATasks = functools.partial(HealthcareTasks, domains="medical_qa")
