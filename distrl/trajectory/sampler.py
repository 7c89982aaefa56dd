"""Which task comes next: every task once an epoch, in an order that a seed fixes.

[tasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distrl.envs.contract import Task


class TaskSampler:
    """An endless, seeded walk over `tasks`: epoch e is the permutation that (seed, e) fixes.

    `drawn` is the only state, so a checkpoint holds one integer and a resumed run draws what comes next.
    """

    def __init__(self, tasks: Sequence[Task], seed: int) -> None:
        if not tasks:
            raise ValueError("there are no training tasks; raise data.train_tasks or check data.path")
        self._tasks = tasks
        self._seed = seed
        self.drawn = 0
        self._order: tuple[int, np.ndarray] | None = None

    def next(self) -> Task:
        epoch, place = divmod(self.drawn, len(self._tasks))
        if self._order is None or self._order[0] != epoch:
            order = np.random.default_rng((self._seed, epoch)).permutation(len(self._tasks))
            self._order = (epoch, order)
        self.drawn += 1
        return self._tasks[int(self._order[1][place])]
