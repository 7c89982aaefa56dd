"""The walk over tasks: complete epochs, fixed by the seed, resumable from one integer."""

import pytest

from distrl.envs.contract import Task
from distrl.trajectory.sampler import TaskSampler

TASKS = [Task(id=f"t{i}", env="e", split="train", payload={}) for i in range(7)]


def draw(sampler: TaskSampler, count: int) -> list[str]:
    return [sampler.next().id for _ in range(count)]


def test_every_task_comes_once_an_epoch():
    sampler = TaskSampler(TASKS, seed=3)
    for _ in range(3):
        assert sorted(draw(sampler, 7)) == sorted(t.id for t in TASKS)


def test_epochs_and_seeds_differ():
    first = TaskSampler(TASKS, seed=3)
    assert draw(first, 7) != draw(first, 7)
    assert draw(TaskSampler(TASKS, seed=3), 7) != draw(TaskSampler(TASKS, seed=4), 7)


def test_resumed_walk_continues_where_it_stopped():
    whole = draw(TaskSampler(TASKS, seed=3), 20)
    resumed = TaskSampler(TASKS, seed=3)
    resumed.drawn = 11
    assert draw(resumed, 9) == whole[11:]


def test_no_tasks_is_refused_with_the_mend():
    with pytest.raises(ValueError, match=r"data\.train_tasks"):
        TaskSampler([], seed=0)
