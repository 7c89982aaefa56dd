"""Who exists in a run: the actors, their resources and names, and the order in which they start and end.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ray

from distrl.config.resources import actor_plan
from distrl.config.schema import Config
from distrl.engine.actor import EngineActor
from distrl.engine.kv_cache import plan_cache
from distrl.engine.pool import EnginePool
from distrl.envs import registry
from distrl.envs.contract import Task
from distrl.fleet.waiting import FleetError, fetch, fetch_all
from distrl.learner.actor import LearnerActor
from distrl.models.device import resolve_dtype
from distrl.models.resolve import resolve_model
from distrl.rollout.worker import EnvWorker
from distrl.trajectory.buffer import TrajectoryBuffer

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - weights pass from the learner to engines of one machine
STOP_TIMEOUT_S = 10.0
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

    def gauges(self) -> dict[str, float]:
        """Counters of the learner, every engine and every worker, as `actor/gauge`."""
        told = {"learner": self.learner.gauges.remote()}
        told |= {f"worker-{i}": worker.gauges.remote() for i, worker in enumerate(self.workers)}
        values = fetch_all(list(told.values()), "the gauges of learner and workers", 60.0)
        pairs = zip(told, values, strict=True)
        return self.engines.gauges() | {f"{who}/{n}": v for who, some in pairs for n, v in some.items()}

    def stop(self) -> None:
        """End engines first (they own processes), then the rest; a failing end does not stop the others."""
        self.engines.stop()
        with contextlib.suppress(FleetError):  # it removes its weight files, on whatever node it is
            fetch(self.learner.stop.remote(), "the learner to stop", STOP_TIMEOUT_S)
        for actor in (*self.workers, self.buffer, self.learner):
            ray.kill(actor, no_restart=True)
        shutil.rmtree(self.weights_dir, ignore_errors=True)


def build(config: Config, run_dir: Path, stop: Callable[[], bool], say: Callable[[str], None]) -> Fleet:
    """Resolve model and tasks, start every actor, wait until all answer; nothing is left when one fails."""
    model = resolve_model(config.model.name, config.model.cache_dir)
    dtypes = {
        part: resolve_dtype(config.model.dtype, "cuda" if gpus else "cpu")
        for part, gpus in (("engines", config.engine.gpus), ("learner", config.learner.gpus))
    }
    train, heldout = draw_tasks(config)
    say(f"model {config.model.name} ({model.source}), " + ", ".join(f"{k} {v}" for k, v in dtypes.items()))
    say(f"{len(train)} training tasks, {len(heldout)} held out")
    if config.engine.kind == "vllm" and not config.engine.gpus:
        cache = plan_cache(config.engine, model.path, dtypes["engines"], config.rollout.context_tokens)
        if short := cache.shortfall():
            say(short)
    fleet = _create(config, run_dir, model.path, dtypes, train, heldout)
    try:
        learner = _wait_until_started(fleet, config, stop)
    except BaseException:
        fleet.stop()
        raise
    fleet.description = {
        "model": f"{config.model.name} ({model.source}, digest {model.digest[:12]})",
        "learner": ", ".join(f"{learner[k]} {k}" for k in ("parameters", "dtype", "device", "threads")),
        "engines": f"{config.engine.count} x {config.engine.kind}, {dtypes['engines']}",
        "host": f"{os.cpu_count()} cores",
    }
    return fleet


def _create(
    config: Config,
    run_dir: Path,
    model_path: str,
    dtypes: dict[str, str],
    train: Sequence[Task],
    heldout: Sequence[Task],
) -> Fleet:
    """The actors, with the names and resources of the plan; none of them has loaded anything yet."""
    plan = {p.name: p for p in actor_plan(config)}
    memory = SHARED_MEMORY if SHARED_MEMORY.is_dir() else run_dir
    weights_dir = memory / f"distrl-{uuid.uuid4().hex[:12]}"
    context, seed = config.rollout.context_tokens, config.run.seed
    served = (config.engine, model_path, dtypes["engines"], context, seed)
    trained = (config.learner, config.algo, model_path, dtypes["learner"], str(weights_dir), seed)
    played = (config.env, config.rollout, model_path)

    def start(kind: type, part: str, name: str, *arguments: Any) -> Any:
        resources = {"num_cpus": plan[part].cpus, "num_gpus": plan[part].gpus}
        return ray.remote(kind).options(name=name, **resources).remote(*arguments)

    engines = {name: start(EngineActor, "engine", name, name, *served) for name in plan["engine"].names}
    return Fleet(
        engines=EnginePool(engines, config.engine.request_timeout_s),
        workers=[start(EnvWorker, "worker", n, n, *played, engines) for n in plan["worker"].names],
        buffer=start(TrajectoryBuffer, "buffer", plan["buffer"].names[0], str(run_dir / "trajectories")),
        learner=start(LearnerActor, "learner", plan["learner"].names[0], *trained),
        train_tasks=train,
        heldout_tasks=heldout,
        weights_dir=weights_dir,
    )


def _wait_until_started(fleet: Fleet, config: Config, stop: Callable[[], bool]) -> dict[str, Any]:
    """Learner and engines load at the same time; returns what the learner says of itself."""
    learner_start = fleet.learner.start.remote()
    engine_starts = [engine.start.remote() for engine in fleet.engines.engines.values()]
    learner: dict[str, Any] = fetch(learner_start, "the learner to start", START_TIMEOUT_S, stop)
    what = f"{', '.join(fleet.engines.engines)} to start"
    fetch_all(engine_starts, what, config.engine.start_timeout_s, stop)
    return learner


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
