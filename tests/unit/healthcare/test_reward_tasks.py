"""On generated tasks: the gold play earns nearly all, silence nothing, its bare answer much less."""

from __future__ import annotations

import pytest

from distrl.envs.healthcare.env import gold_text
from distrl.envs.healthcare.reward.rules import REWARD_RULES
from distrl.envs.healthcare.reward.trl import outcome_of
from distrl.envs.healthcare.tasks.generate import GeneratedTasks

TASKS = [
    task
    for domain in ("clinical_diagnosis", "drug_interaction", "medical_qa")
    for task in GeneratedTasks(domain=domain).tasks("test", 3, seed=3)
]


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_gold_play_silence_and_the_bare_answer(task) -> None:
    gold = [gold_text(turn) for turn in task.payload["gold"]]
    grades = [REWARD_RULES["five"].grade(task, outcome_of(task.payload, p)) for p in (gold, [""], gold[-1:])]
    played, silent, bare = (grade.reward for grade in grades)
    assert played >= 0.95, grades[0]
    assert silent <= 0.05, grades[1]
    assert bare <= played - 0.3, grades[2]
