"""The env-worker actor: runs groups of episodes at once and answers each lease with one Arrow table.

tasks -> [EnvWorker[N]] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

A plain class; the caller makes a Ray actor of it. The engines it is given are Ray actor handles.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pyarrow as pa
from ray.exceptions import RayActorError

from distrl.config.schema import EnvConfig, RolloutConfig
from distrl.engine.protocol import GenerateRequest, Generation
from distrl.envs.contract import TextEnv
from distrl.envs.registry import make, register_all
from distrl.rollout.agent_loop import Budgets, play_gold, run_episode
from distrl.rollout.rendering import Renderer
from distrl.rollout.router import NoEngineError, Router
from distrl.trajectory.arrow import to_table
from distrl.trajectory.records import GroupLease, Trajectory

PURPOSES = ("train", "gold", "eval")


class RoutedEngines:
    """Many engines behind one `generate`: the router's async shell."""

    def __init__(self, engines: dict[str, Any], timeout_s: float) -> None:
        self._engines = engines
        self._timeout_s = timeout_s
        self._announced = asyncio.Event()  # replaced at each announcement
        self.router = Router(engines)

    def set_versions(self, versions: dict[str, int]) -> None:
        self.router.set_versions(versions)
        self._announced.set()
        self._announced = asyncio.Event()

    async def generate(self, request: GenerateRequest) -> Generation:
        """Consumes: a request.  Produces: its Generation, from another engine when the first one dies.
        Waits for: an engine at the current version, then that engine.
        Unblocked by: `set_versions`, the engine's answer or death, `timeout_s` (NoEngineError).
        """
        while True:
            engine_id = await self._admitted(request.conversation_id)
            try:
                generation: Generation = await self._engines[engine_id].generate.remote(request)
                return generation
            except RayActorError:
                self.router.lose(engine_id)
            finally:
                self.router.release(engine_id)

    async def _admitted(self, conversation_id: str) -> str:
        deadline = time.monotonic() + self._timeout_s
        while (engine_id := self.router.acquire(conversation_id)) is None:
            if self.router.all_lost:
                raise NoEngineError(f"every engine is dead: {self.router.describe()}")
            try:
                await asyncio.wait_for(self._announced.wait(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise NoEngineError(
                    f"waited {self._timeout_s:.1f} s for an engine at the current version:"
                    f" {self.router.describe()}"
                ) from None
        return engine_id


class EnvWorker:
    """Runs leases; at most `episodes_per_worker` episodes at once over all of them."""

    def __init__(
        self,
        worker_id: str,
        env: EnvConfig,
        rollout: RolloutConfig,
        model_path: str,
        engines: dict[str, Any],
    ) -> None:
        register_all()
        self.worker_id = worker_id
        self._env, self._rollout = env, rollout
        self._renderer = Renderer(model_path, rollout.tool_prompt)
        # Half the episode's time: the error that names engines and versions comes before the episode's own.
        self._engines = RoutedEngines(engines, timeout_s=rollout.episode_timeout_s / 2)
        self._slots = asyncio.Semaphore(rollout.episodes_per_worker)
        self._budgets = Budgets(
            turn_tokens=rollout.turn_tokens,
            episode_tokens=rollout.episode_tokens,
            context_tokens=rollout.context_tokens,
            episode_timeout_s=rollout.episode_timeout_s,
        )
        self._counts: Counter[str] = Counter()
        self._seconds: Counter[str] = Counter()

    async def set_versions(self, versions: dict[str, int]) -> None:
        """Announces the policy version of each engine; only engines at the newest one are used."""
        self._engines.set_versions(versions)

    async def run_group(self, lease: GroupLease) -> pa.Table:
        """Plays every seed of the lease at once and returns one row a seed, in the order of the seeds.

        Consumes: a lease.  Produces: an Arrow table.
        Waits for: a free slot, then its episodes.
        Unblocked by: other episodes' ends; each episode has its own deadline.
        """
        if lease.purpose not in PURPOSES:
            raise ValueError(f"lease {lease.group_id}: purpose {lease.purpose!r} is not one of {PURPOSES}")
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._episode(lease, i)) for i in range(len(lease.seeds))]
        return to_table([task.result() for task in tasks])

    async def _episode(self, lease: GroupLease, index: int) -> Trajectory:
        self._counts["waiting"] += 1
        try:
            await self._slots.acquire()
        finally:
            self._counts["waiting"] -= 1
        self._counts["running"] += 1
        try:
            if lease.purpose == "gold":
                limit_s = self._budgets.episode_timeout_s
                done = await play_gold(self._make_env, self._renderer, lease, index, limit_s)
            else:
                done = await run_episode(
                    self._make_env, self._engines, self._renderer, lease, index, self._budgets
                )
        finally:
            self._counts["running"] -= 1
            self._slots.release()
            self._engines.router.forget(f"{lease.group_id}.{lease.attempt}.{index}")
        self._book(done)
        return done

    def _make_env(self) -> TextEnv:
        return make(self._env.id, self._env.reward, self._env.options)

    def _book(self, done: Trajectory) -> None:
        self._counts["episodes"] += 1
        self._counts[f"status/{done.status.value}"] += 1
        self._counts["turns"] += len(done.turns)
        self._counts["sampled_tokens"] += done.sampled_tokens
        self._counts["rewritten_histories"] += "RenderError" in done.error
        self._seconds.update(done.seconds)

    def gauges(self) -> dict[str, float]:
        """Counts since the start (episodes, turns, tokens, statuses, seconds) and what runs or waits now."""
        loads = {f"load/{e}": float(n) for e, n in self._engines.router.loads().items()}
        counts = {name: float(n) for name, n in self._counts.items()}
        seconds = {f"seconds/{name}": float(s) for name, s in self._seconds.items()}
        return counts | seconds | loads | {"moves": float(self._engines.router.moves)}
