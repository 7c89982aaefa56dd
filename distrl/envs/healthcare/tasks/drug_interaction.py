"""Tasks of drug_interaction: whether drugs go together in this patient, and what to do when they do not.

world -> [make_task] -> Task -> EnvWorker[N: DrugInteractionEnv] <-> Engine[M] -> …

Ten kinds: a proposed drug (of every severity, none included, so that a warning has to be earned), the review
of a list, the search for an alternative, doses by kidney and liver, a dose that hangs on a creatinine nobody
measured, pregnancy, a drug level, food, and the pathway of a pair. Severities, limits and verdicts are
computed from the tables that the tools read.
Synthetic, not for care.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import drug_facts, drug_kinds, drug_organs
from distrl.envs.healthcare.tasks.draft import SPLITS
from distrl.envs.healthcare.tasks.drug_case import NoProfile

DOMAIN = "drug_interaction"
MAKERS: dict[str, Callable[[random.Random, str], Task]] = {
    "new_drug": drug_kinds.new_drug,
    "review": drug_kinds.review,
    "alternative": drug_kinds.alternative,
    "renal": drug_organs.renal,
    "hepatic": drug_organs.hepatic,
    "unmeasured": drug_organs.unmeasured,
    "pregnancy": drug_facts.pregnancy,
    "tdm": drug_facts.level,
    "food": drug_facts.food,
    "cyp": drug_facts.cyp,
}
PARTS = {
    "new_drug": 6, "review": 4, "alternative": 3, "renal": 3, "hepatic": 1, "unmeasured": 1, "pregnancy": 2,
    "tdm": 2, "food": 1, "cyp": 2,
}  # fmt: skip
MAX_REDRAWS = 60


def make_task(seed: int, split: str) -> Task:
    """The task of a seed and split. ValueError for an unknown split."""
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
    rng = random.Random(f"{DOMAIN}/{split}/{seed}")
    for _ in range(MAX_REDRAWS):
        kind = rng.choices(list(PARTS), weights=list(PARTS.values()))[0]
        try:
            return MAKERS[kind](rng, split)
        except NoProfile:
            continue
    raise RuntimeError(f"{DOMAIN}: {MAX_REDRAWS} draws gave no task for seed {seed} in split {split!r}")
