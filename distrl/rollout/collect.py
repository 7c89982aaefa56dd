"""Hand groups to workers, book them in the buffer, replace those without a signal.

tasks -> [lease -> EnvWorker[N] -> Arrow -> Buffer] -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import ray
from ray.exceptions import ActorDiedError

from distrl.envs.contract import Task
from distrl.fleet.waiting import FleetError, Interrupted, fetch, value_of
from distrl.trajectory.records import GroupLease

MAX_ATTEMPTS = 2  # a group whose worker failed is run once more, then dropped with the reason
POLL_S = 0.5


@dataclass(kw_only=True)
class Collected:
    """What one collection brought: groups that wait in the buffer, and what was dropped on the way."""

    ready: list[str] = field(default_factory=list)
    zero_variance: int = 0
    lost: int = 0  # groups without a single episode that is no error
    error: str = ""  # the first cause of an errored episode or a lost group
    rewards: list[float] = field(default_factory=list)  # of every rollout that was no error
    errors: int = 0
    summaries: list[dict[str, float]] = field(default_factory=list)  # one a group

    def metrics(self) -> dict[str, float]:
        """Means over all rollouts that came back, those of dropped groups included, and the counts."""
        names = dict.fromkeys(name for summary in self.summaries for name in summary)
        means = {n: _mean([s[n] for s in self.summaries if n in s]) for n in names}
        return {
            "reward": _mean(self.rewards),
            **means,
            "groups_ready": float(len(self.ready)),
            "groups_zero_variance": float(self.zero_variance),
            "groups_lost": float(self.lost),
            "episodes_error": float(self.errors),
        }


class Collector:
    """One object owns which lease is where. `counter` numbers the groups and is checkpointed."""

    def __init__(
        self,
        workers: Sequence[Any],
        buffer: Any,
        *,
        seed: int,
        timeout_s: float,
        stop: Callable[[], bool],
    ) -> None:
        self._workers = list(workers)
        self._buffer = buffer
        self._seed = seed
        self._timeout_s = timeout_s
        self._stop = stop
        self._flying: dict[ray.ObjectRef, tuple[GroupLease, int]] = {}
        self._dead: dict[int, str] = {}  # workers that died, and how; they are given nothing more
        self.counter = 0

    def train(
        self, draw: Callable[[], Task], *, want: int, budget: int, group_size: int, temperature: float
    ) -> Collected:
        """Run groups until `want` of them have a signal or `budget` groups were issued.

        Consumes tasks; produces groups booked in the buffer; waits for workers and the buffer;
        unblocked by a finished group, the deadline (FleetError) or the stop signal (Interrupted).
        """
        out, issued = Collected(), 0

        def admit() -> Iterator[GroupLease]:
            nonlocal issued
            while len(out.ready) + len(self._flying) < want and issued < budget:
                issued += 1
                yield self._lease(draw(), group_size, temperature, "train")

        self._launch(admit())
        for lease, outcome in self._finished():
            self._book(lease, outcome, out)
            self._launch(admit())
        return _with_episodes(out)

    def gold(self, tasks: Iterable[Task]) -> Collected:
        """Play the gold actions of `tasks`; every group that comes back without an error is ready."""
        out = Collected()
        self._launch(self._lease(task, 1, 0.0, "gold") for task in tasks)
        for lease, outcome in self._finished():
            self._book(lease, outcome, out)
        return _with_episodes(out)

    def evaluate(self, tasks: Iterable[Task], *, samples: int, temperature: float) -> list[pa.Table]:
        """Run `samples` episodes of each task outside the ledger; one table a task."""
        self._launch((self._lease(task, samples, temperature, "eval") for task in tasks), booked=False)
        tables = []
        for lease, outcome in self._finished(booked=False):
            if isinstance(outcome, FleetError):
                raise FleetError(f"held-out task {lease.task.id} could not be run: {outcome}")
            tables.append(fetch(outcome, f"the episodes of task {lease.task.id}", 60.0))
        return tables

    def drop_flying(self, reason: str) -> int:
        """Give up what is in flight, and what waits for a step that will not come; the ledger says why.

        Returns how many groups. A later collection so begins with an empty buffer: what it brings is what
        the learner takes.
        """
        for ref in self._flying:
            ray.cancel(ref, force=False)
        self._flying.clear()
        dropped: int = fetch(self._buffer.drop_live.remote(reason), "the buffer's answer to a drop", 60.0)
        return dropped

    def _lease(self, task: Task, size: int, temperature: float, purpose: str) -> GroupLease:
        self.counter += 1
        group_id = f"{purpose}-{self.counter:07d}"
        return GroupLease(
            group_id=group_id,
            attempt=0,
            task=task,
            seeds=tuple(
                _seed(self._seed, task.id if purpose == "eval" else group_id, i) for i in range(size)
            ),
            temperature=temperature,
            purpose=purpose,
        )

    def _launch(self, leases: Iterable[GroupLease], booked: bool = True) -> None:
        for lease in leases:
            if booked:
                fetch(self._buffer.issue.remote(lease), f"the buffer to issue {lease.group_id}", 60.0)
            index = self._least_loaded()
            self._flying[self._workers[index].run_group.remote(lease)] = (lease, index)

    def _least_loaded(self) -> int:
        """The living worker with the fewest groups; FleetError when none lives."""
        load = {index: 0 for index in range(len(self._workers)) if index not in self._dead}
        if not load:
            raise FleetError(f"every env worker is dead: {'; '.join(self._dead.values())}")
        for _, index in self._flying.values():
            if index in load:
                load[index] += 1
        return min(load, key=lambda index: load[index])

    def _finished(self, booked: bool = True) -> Iterator[tuple[GroupLease, ray.ObjectRef | FleetError]]:
        """Leases as they end, with the reference of their table, or why the group was given up."""
        deadline = time.monotonic() + self._timeout_s
        while self._flying:
            if self._stop():
                raise Interrupted("stopped while rollouts were running")
            if time.monotonic() > deadline:
                waiting = sorted(lease.group_id for lease, _ in self._flying.values())
                raise FleetError(f"no group ended for {self._timeout_s:.0f} s; waiting for {waiting[:4]}")
            done, _ = ray.wait(list(self._flying), num_returns=1, timeout=POLL_S, fetch_local=False)
            for ref in done:
                deadline = time.monotonic() + self._timeout_s
                lease, index = self._flying.pop(ref)
                failure = _failure(ref, f"worker-{index} with {lease.group_id}")
                if failure is None:
                    yield lease, ref
                elif not self._runs_again(lease, index, failure, booked):
                    yield lease, failure

    def _runs_again(self, lease: GroupLease, index: int, failure: FleetError, booked: bool) -> bool:
        """Launches a failed lease once more, on a living worker; False when its attempts are used up."""
        if isinstance(failure.__cause__, ActorDiedError):
            self._dead[index] = str(failure)
        if lease.attempt + 1 < MAX_ATTEMPTS:
            self._launch([replace(lease, attempt=lease.attempt + 1)], booked=booked)
            return True
        if booked:
            dropped = self._buffer.drop.remote([lease.group_id], f"worker failed: {failure}")
            fetch(dropped, "the buffer's answer to a drop", 60.0)
        return False

    def _book(self, lease: GroupLease, outcome: ray.ObjectRef | FleetError, out: Collected) -> None:
        if isinstance(outcome, FleetError):
            out.lost += 1
            out.error = out.error or str(outcome)
            return
        put = self._buffer.put.remote(lease.group_id, lease.attempt, outcome)
        verdict = fetch(put, f"the buffer to book {lease.group_id}", 120.0)
        out.rewards += verdict.rewards
        out.errors += verdict.errors
        out.error = out.error or verdict.error
        out.summaries += [verdict.summary] if verdict.summary else []
        if verdict.dropped == "zero variance":
            out.zero_variance += 1
        elif verdict.dropped or verdict.duplicate:
            out.lost += 1
        else:
            out.ready.append(lease.group_id)


def _with_episodes(out: Collected) -> Collected:
    """`out`, or FleetError when every episode was an error: that is no matter of one episode any more."""
    if out.lost and not out.rewards:
        raise FleetError(f"all of {out.lost} groups were lost, for example: {out.error or 'no cause given'}")
    return out


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def _failure(ref: ray.ObjectRef, what: str) -> FleetError | None:
    """Why the finished task behind `ref` failed, or None (its table is then mapped here, and let go)."""
    try:
        value_of(ref, what)
    except FleetError as error:
        return error
    return None


def _seed(run_seed: int, name: str, index: int) -> int:
    """A 31-bit seed that depends on the run's seed, the group and the place in it."""
    text = f"{run_seed}:{name}:{index}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "big") >> 1
