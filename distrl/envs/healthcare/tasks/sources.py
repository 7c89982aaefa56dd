"""The task source of each environment id: generated without limit, or frozen and versioned.

[generators, frozen splits] -> [sources] -> tasks -> EnvWorker[N: HealthcareEnv] <-> Engine[M] -> …
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from distrl.envs.contract import Task, TaskSource
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.tasks.generate import GeneratedTasks


class HealthcareTasks(TaskSource):
    """Tasks of several domains, dealt in turn.

    Args:
        domains: keys of DOMAINS, with commas.
        difficulty: easy, moderate or hard; None deals all.
    """

    def __init__(self, *, domains: str = ",".join(DOMAINS), difficulty: str | None = None) -> None:
        self.generated = GeneratedTasks(domain=domains, difficulty=difficulty)

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        return self.generated.tasks(split, count, seed)


ClinicalDiagnosisTasks = functools.partial(HealthcareTasks, domains="clinical_diagnosis")
DrugInteractionTasks = functools.partial(HealthcareTasks, domains="drug_interaction")
MedicalQATasks = functools.partial(HealthcareTasks, domains="medical_qa")
