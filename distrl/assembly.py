"""Who exists in a run: the actors, their resources and names, and the order in which they start and end.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ray

from distrl.config.resources import ActorPlan, actor_plan
from distrl.config.schema import Config
from distrl.engine.actor import EngineActor
from distrl.engine.pool import EnginePool
from distrl.envs import registry
from distrl.envs.contract import Task
from distrl.fleet.waiting import fetch, fetch_all
from distrl.learner.actor import LearnerActor
from distrl.models.device import resolve_dtype
from distrl.models.resolve import resolve_model
from distrl.rollout.worker import EnvWorker
from distrl.trajectory.buffer import TrajectoryBuffer

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - weights pass from the learner to engines of one machine
START_TIMEOUT_S = 300.0  # learner, workers, buffer: imports of torch and transformers on a slow disk


@dataclass
class Fleet:
    """Handles of all actors of a run, and the tasks they work on."""

    engines: EnginePool
    workers: list[Any]
    buffer: Any
    learner: Any
    train_tasks: Sequence[Task]
    heldout_tasks: Sequence[Task]
    weights_dir: Path
    description: dict[str, str] = field(default_factory=dict)

    def announce(self, version: int) -> None:
        """Tell the workers which version every engine serves now."""
        versions = {name: version for name in self.engines.engines}
        told = [worker.set_versions.remote(versions) for worker in self.workers]
        fetch_all(told, "the workers to take note of a version", 60.0)

    def stop(self) -> None:
        """End engines first (they own processes), then the rest; a failing end does not stop the others."""
        self.engines.stop()
        for actor in (*self.workers, self.buffer, self.learner):
            ray.kill(actor, no_restart=True)
        shutil.rmtree(self.weights_dir, ignore_errors=True)


def build(config: Config, run_dir: Path, stop: Callable[[], bool], say: Callable[[str], None]) -> Fleet:
    """Resolve model and tasks, start every actor, wait until all answer; nothing is left when one fails."""
    model = resolve_model(config.model.name, config.model.cache_dir)
    engine_dtype = resolve_dtype(config.model.dtype, "cuda" if config.engine.gpus else "cpu")
    learner_dtype = resolve_dtype(config.model.dtype, "cuda" if config.learner.gpus else "cpu")
    train, heldout = draw_tasks(config)
    say(f"model {config.model.name} ({model.source}), engines {engine_dtype}, learner {learner_dtype}")
    say(f"{len(train)} training tasks, {len(heldout)} held out")
    weights_dir = (SHARED_MEMORY if SHARED_MEMORY.is_dir() else run_dir) / f"distrl-{uuid.uuid4().hex[:12]}"
    plan = {p.name: p for p in actor_plan(config)}
    context, seed = config.rollout.context_tokens, config.run.seed
    engines = {
        name: _actor(
            EngineActor, plan["engine"], name, name, config.engine, model.path, engine_dtype, context, seed
        )
        for name in plan["engine"].names
    }
    learner = _actor(
        LearnerActor,
        plan["learner"],
        plan["learner"].names[0],
        config.learner,
        config.algo,
        model.path,
        learner_dtype,
        str(weights_dir),
        seed,
    )
    workers = [
        _actor(EnvWorker, plan["worker"], name, name, config.env, config.rollout, model.path, engines)
        for name in plan["worker"].names
    ]
    buffer = _actor(TrajectoryBuffer, plan["buffer"], plan["buffer"].names[0], str(run_dir / "trajectories"))
    fleet = Fleet(
        engines=EnginePool(engines, config.engine.request_timeout_s),
        workers=workers,
        buffer=buffer,
        learner=learner,
        train_tasks=train,
        heldout_tasks=heldout,
        weights_dir=weights_dir,
    )
    try:
        started = fetch(learner.start.remote(), "the learner to start", START_TIMEOUT_S, stop)
        waits = [engine.start.remote() for engine in engines.values()]
        fetch_all(waits, f"{len(waits)} engines to start", config.engine.start_timeout_s, stop)
    except BaseException:
        fleet.stop()
        raise
    fleet.description = {
        "model": f"{config.model.name} ({model.source}, digest {model.digest[:12]})",
        "learner": ", ".join(f"{k} {v}" for k, v in started.items()),
        "engines": f"{config.engine.count} x {config.engine.kind} {engine_dtype}",
        "host": f"{os.cpu_count()} cores",
    }
    return fleet


def _actor(kind: type, plan: ActorPlan, name: str, *arguments: Any) -> Any:
    """Start one named actor with the resources that the plan reserves for it."""
    return ray.remote(kind).options(name=name, num_cpus=plan.cpus, num_gpus=plan.gpus).remote(*arguments)


def draw_tasks(config: Config) -> tuple[Sequence[Task], Sequence[Task]]:
    """Training and held-out tasks; refuses an empty half and any id that stands in both."""
    data = config.data
    source = registry.task_source(config.env.id, data.path, data.heldout_fraction, data.options)
    train = source.tasks("train", data.train_tasks, config.run.seed)
    heldout = source.tasks("heldout", data.heldout_tasks, config.run.seed)
    for name, tasks in (("training", train), ("held-out", heldout)):
        if not tasks:
            raise ValueError(f"{config.env.id} gave no {name} task; check data.path and data.*_tasks")
    shared = {t.id for t in train} & {t.id for t in heldout}
    if shared:
        raise ValueError(f"{len(shared)} tasks are both trained on and held out, for example {min(shared)}")
    return train, heldout
