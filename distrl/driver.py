"""The run on one screen: build the actors, step, publish, evaluate, checkpoint, report.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

The driver holds no tensor: tables and weights travel between actors as references and manifests. Where the
time goes comes from one span log, so that the seconds of all phases add up to the wall clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from distrl.assembly import Fleet, build
from distrl.config.schema import Config
from distrl.evaluate.heldout import Evaluation, changes, evaluate
from distrl.fleet.waiting import Interrupted, fetch
from distrl.learner.checkpoint import newest_verified, prune
from distrl.learner.optim import warmup, warmup_cosine
from distrl.observe.report import heldout_metrics
from distrl.observe.runlog import RunLog
from distrl.observe.spans import SpanLog
from distrl.rollout.collect import Collected, Collector
from distrl.trajectory.sampler import TaskSampler

REFRESH_MODE = "wait"  # this loop is synchronous: no request runs while weights are published
CHECKPOINTS, EXPORT, LAKE, HELDOUT = "checkpoints", "export", "trajectories", "heldout"


class NoSignalError(RuntimeError):
    """Batch after batch, no group had rewards that differ: there is nothing to learn from."""


@dataclass
class Progress:
    """Where the run stands; a checkpoint holds it beside the weights."""

    cold_step: int = 0
    step: int = 0
    drawn: int = 0  # training tasks handed out
    groups: int = 0  # groups numbered
    empty_batches: int = 0
    evaluations: list[dict[str, Any]] = field(default_factory=list)

    def has(self, place: str) -> bool:
        return any(e["place"] == place for e in self.evaluations)


def run(config: Config, log: RunLog, stop: Callable[[], bool]) -> int:
    """Build, train, report; 0 when the steps asked for were done or the run was stopped in good order."""
    spans = SpanLog()
    try:
        with spans.span("start"):
            fleet = build(config, Path(log.run_dir), stop, log.note)
    except Interrupted as why:
        log.note(f"{why}; nothing was trained")
        return 0
    try:
        return Training(config, fleet, log, spans, stop).run()
    finally:
        fleet.stop()


class Training:
    """The phases of a run in order; each can be entered again after a resume."""

    def __init__(
        self, config: Config, fleet: Fleet, log: RunLog, spans: SpanLog, stop: Callable[[], bool]
    ) -> None:
        self.config, self.fleet, self.log, self.spans, self.stop = config, fleet, log, spans, stop
        self.run_dir = Path(log.run_dir)
        self.progress = Progress()
        self.version = 0
        self.started = time.monotonic()
        self.sampler = TaskSampler(fleet.train_tasks, config.run.seed)
        self.collector = Collector(
            fleet.workers,
            fleet.buffer,
            seed=config.run.seed,
            timeout_s=config.rollout.episode_timeout_s + config.engine.request_timeout_s,
            stop=stop,
        )

    def run(self) -> int:
        """The phases in order, each skipped where a resumed run has done it.

        Consumes: tasks. Produces: a trained policy and a report. Waits for: actors. Unblocked by: their
        answers, their deadlines (FleetError), the stop signal.
        """
        self.restore()
        self.publish()
        try:
            if self.config.eval.before:
                self.evaluate("before")
            if self.cold_steps_wanted():
                self.cold_start(self.cold_steps_wanted())
                self.evaluate("cold_start")
            self.reinforce()
            self.evaluate("end")
        except Interrupted as why:
            dropped = self.collector.drop_flying("stopped by the user")
            self.log.note(f"{why}; {dropped} groups in flight were dropped")
        self.finish()
        return 0

    # -- phases -----------------------------------------------------------------------------------------

    def cold_start(self, wanted: int) -> None:
        """Supervised steps on gold trajectories, through the same workers, Arrow batches and packing."""
        config, done_before = self.config.cold_start, self.progress.cold_step
        while self.progress.cold_step < wanted and not self.out_of_time():
            with self.spans.span("rollout"):
                played = self.collector.gold(self.sampler.next() for _ in range(config.batch_size))
            lr = warmup_cosine(self.progress.cold_step, wanted, config.lr)
            metrics = self.learn("supervised", played, lr)
            self.progress.cold_step += 1
            self.log.step("cold_start", self.progress.cold_step, metrics | self.seconds())
            self.checkpoint_when_due(self.progress.cold_step, always=self.progress.cold_step == wanted)
            self.raise_when_stopped()
        if self.progress.cold_step > done_before:
            self.publish()

    def reinforce(self) -> None:
        """Roll out, learn, publish, until the steps or the time are used up."""
        learner = self.config.learner
        while self.progress.step < self.config.steps and not self.out_of_time():
            with self.spans.span("rollout"):
                collected = self.roll_out()
            metrics = collected.metrics()
            if collected.ready:
                lr = warmup(self.progress.step, learner.warmup_steps, learner.lr)
                metrics |= self.learn("reinforce", collected, lr)
                self.publish()
            self.progress.step += 1
            self.log.step("train", self.progress.step, metrics | self.seconds())
            self.checkpoint_when_due(self.progress.step)
            every = self.config.eval.every
            if every and self.progress.step % every == 0 and self.progress.step < self.config.steps:
                self.evaluate(f"step-{self.progress.step}")
            self.raise_when_stopped()

    def evaluate(self, place: str) -> None:
        """Held-out tasks at `place` of the run, once; their episodes lie in the run's folder.

        Weights that were evaluated already are not evaluated again: `place` gets the same figures.
        """
        if self.progress.has(place):
            return
        latest = self.progress.evaluations[-1:]
        if latest and latest[0]["version"] == self.version:
            self.progress.evaluations.append({**latest[0], "place": place})
            return
        with self.spans.span("evaluate"):
            result = evaluate(
                self.collector,
                self.fleet.heldout_tasks,
                self.config.eval,
                place=place,
                version=self.version,
                folder=self.run_dir / HELDOUT,
            )
        self.progress.evaluations.append(asdict(result))
        metrics = heldout_metrics(result.estimates()) | {"errors": float(result.errors)}
        self.log.step(f"eval/{place}", self.progress.step, metrics | self.seconds())

    def finish(self) -> None:
        """Checkpoint, export, report; the last lines say where everything is."""
        self.checkpoint()
        with self.spans.span("export"):
            exported = self.fleet.learner.export.remote(str(self.run_dir / EXPORT))
            export = fetch(exported, "the learner's export", 300.0)
        ledger = fetch(self.fleet.buffer.totals.remote(), "the buffer's totals", 60.0)
        evaluations = [Evaluation(**e) for e in self.progress.evaluations]
        done = f"{self.progress.step} of {self.config.steps} reinforcement steps were done"
        notes = [
            done if self.progress.step == self.config.steps else f"{done}; the same command resumes",
            *(f"{name}: {value}" for name, value in self.fleet.description.items()),
            "groups: " + ", ".join(f"{name} {count}" for name, count in ledger.items() if count),
            *changes(evaluations),
        ]
        self.log.report(evaluations, notes, seconds=self.spans.totals(), export=export)

    # -- parts of a step --------------------------------------------------------------------------------

    def roll_out(self) -> Collected:
        algo = self.config.algo
        collected = self.collector.train(
            self.sampler.next,
            want=algo.groups_per_step,
            budget=round(algo.groups_per_step * (1 + algo.extra_groups)),
            group_size=algo.group_size,
            temperature=self.config.rollout.temperature,
        )
        self.progress.empty_batches = 0 if collected.ready else self.progress.empty_batches + 1
        if self.progress.empty_batches >= algo.max_empty_batches:
            raise NoSignalError(
                f"{self.progress.empty_batches} batches in a row had no group whose rewards differ "
                f"(last mean reward {collected.metrics()['reward']:.3f}); "
                "use an easier task, another reward, a higher temperature or a longer cold start"
            )
        return collected

    def learn(self, method: str, collected: Collected, lr: float) -> dict[str, float]:
        """One learner step on the groups that wait in the buffer, and the ledger's entry of it."""
        with self.spans.span("learner"):
            table = self.fleet.buffer.take.remote(len(collected.ready), self.version)
            stepped = getattr(self.fleet.learner, method).remote(table, lr)
            metrics = fetch(stepped, f"the learner's {method} step", self.config.learner.timeout_s)
            trained = self.fleet.buffer.trained.remote(collected.ready)
            fetch(trained, "the buffer to book trained groups", 60.0)
        return metrics | {"lr": lr}

    def publish(self) -> None:
        """Weights of the next version to every engine, verified; workers then admit that version only."""
        with self.spans.span("publish"):
            manifest = fetch(self.fleet.learner.publish.remote(), "the learner to write its weights", 300.0)
            self.fleet.engines.publish(manifest, self.fleet.learner, REFRESH_MODE)
            self.version = manifest.version
            self.fleet.announce(manifest.version)

    def seconds(self) -> dict[str, float]:
        """Seconds of each phase since the last record, their sum, and the gauges of learner and engines."""
        gauges = self.fleet.gauges()
        spent = {f"seconds/{phase}": s for phase, s in self.spans.take().items()}
        spent |= {"seconds/step": sum(spent.values())}
        return spent | {"policy_version": float(self.version)} | gauges

    # -- durable state ----------------------------------------------------------------------------------

    def checkpoint_when_due(self, step: int, *, always: bool = False) -> None:
        every = self.config.checkpoint.every
        if always or (every and step % every == 0):
            self.checkpoint()

    def checkpoint(self) -> None:
        """Weights, optimiser, ledger and progress, verified before it counts; older ones beyond `keep` go."""
        with self.spans.span("checkpoint"):
            self.progress.drawn, self.progress.groups = self.sampler.drawn, self.collector.counter
            buffer = fetch(self.fleet.buffer.state.remote(), "the buffer's state", 60.0)
            extra = {"progress": asdict(self.progress), "buffer": buffer}
            name = f"step-{self.progress.cold_step + self.progress.step:08d}"
            saved = self.fleet.learner.save.remote(str(self.run_dir / CHECKPOINTS / name), extra)
            fetch(saved, "the learner's checkpoint", 300.0)
            prune(str(self.run_dir / CHECKPOINTS), self.config.checkpoint.keep)

    def restore(self) -> None:
        """Takes up the newest verified checkpoint of the run's folder, where there is one."""
        newest = newest_verified(str(self.run_dir / CHECKPOINTS)) if self.config.run.resume else ""
        if not newest:
            return
        extra = fetch(self.fleet.learner.load.remote(newest), f"the learner to load {newest}", 300.0)
        self.progress = Progress(**extra["progress"])
        if self.progress.step < self.config.steps:  # a run that its time limit ended goes on: so does its end
            kept = [e for e in self.progress.evaluations if e["place"] != "end"]
            self.progress.evaluations = kept
        self.sampler.drawn, self.collector.counter = self.progress.drawn, self.progress.groups
        fetch(self.fleet.buffer.load_state.remote(extra["buffer"]), "the buffer to take up its state", 60.0)
        self.log.note(
            f"resumed from {newest}: {self.progress.cold_step} supervised and "
            f"{self.progress.step} reinforcement steps were done"
        )

    # -- small questions --------------------------------------------------------------------------------

    def cold_steps_wanted(self) -> int:
        config = self.config.cold_start
        return config.steps or math.ceil(config.epochs * len(self.fleet.train_tasks) / config.batch_size)

    def out_of_time(self) -> bool:
        limit_s = self.config.run.time_limit_minutes * 60
        used_up = bool(limit_s) and time.monotonic() - self.started > limit_s
        if used_up:
            self.log.note(f"the time limit of {self.config.run.time_limit_minutes:g} minutes is used up")
        return used_up

    def raise_when_stopped(self) -> None:
        if self.stop():
            raise Interrupted("stopped between two steps")
