"""Which actors a config starts and what each reserves: read by the driver (to start) and by `--dry-run`."""

from __future__ import annotations

from dataclasses import dataclass

from distrl.config.schema import Config


@dataclass(frozen=True, kw_only=True)
class ActorPlan:
    """`count` actors named `name` (`-0`, `-1`, … when there may be several); reserved per actor."""

    name: str
    count: int
    cpus: float
    gpus: float
    what: str

    @property
    def names(self) -> list[str]:
        return [f"{self.name}-{i}" for i in range(self.count)]


def actor_plan(config: Config) -> list[ActorPlan]:
    """The actors of a run. Env workers and the buffer wait most of their time and reserve no CPU."""
    return [
        ActorPlan(
            name="engine",
            count=config.engine.count,
            cpus=config.engine.cpus,
            gpus=config.engine.gpus,
            what=f"{config.engine.kind} rollout engine, {config.engine.max_running} sequences at once",
        ),
        ActorPlan(
            name="worker",
            count=config.rollout.workers,
            cpus=0.0,
            gpus=0.0,
            what=f"env worker of {config.env.id}, {config.rollout.episodes_per_worker} episodes at once",
        ),
        ActorPlan(name="buffer", count=1, cpus=0.0, gpus=0.0, what="trajectory buffer and ledger"),
        ActorPlan(
            name="learner",
            count=1,
            cpus=config.learner.cpus,
            gpus=config.learner.gpus,
            what=f"{config.algo.name}, {config.algo.groups_per_step} x {config.algo.group_size} rollouts",
        ),
    ]


def reserved(plan: list[ActorPlan]) -> tuple[float, float]:
    """Ray CPUs and GPUs that the whole plan reserves."""
    return sum(p.cpus * p.count for p in plan), sum(p.gpus * p.count for p in plan)
