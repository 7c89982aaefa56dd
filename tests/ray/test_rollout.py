"""Env workers, engines and buffer as real Ray actors: groups arrive, and a killed worker loses no count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import ray
import torch

from distrl.config.schema import EngineConfig, EnvConfig, RolloutConfig
from distrl.engine.actor import EngineActor
from distrl.envs.registry import task_source
from distrl.fleet.waiting import FleetError
from distrl.models.tiny import make_tiny_tokenizer
from distrl.rollout.collect import Collector
from distrl.rollout.worker import EnvWorker
from distrl.trajectory.arrow import from_table
from distrl.trajectory.buffer import TrajectoryBuffer
from distrl.trajectory.records import GroupLease
from distrl.weights.files import write_weights

ENV = EnvConfig(id="distrl/Letters-v0", reward="share", options={})
ROLLOUT = RolloutConfig(turn_tokens=12, context_tokens=128, episodes_per_worker=8, episode_timeout_s=60.0)
WAIT_S = 120.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A Ray of this test's own on loopback, without a token: Ray reads its token mode when it is imported."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "RAY_AUTH_MODE": "disabled",
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # keeps Ray on loopback
        }.items():
            patch.setenv(name, value)
        for left in (2, 1, 0):
            try:
                ray.init(
                    address="local",
                    num_cpus=2,
                    include_dashboard=False,
                    object_store_memory=100 * 2**20,
                    log_to_driver=False,
                    _node_ip_address="127.0.0.1",
                )
                break
            except Exception:  # Ray gives its helpers 30 s, which a busy machine misses
                ray.shutdown()
                if not left:
                    raise
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    make_tiny_tokenizer().save_pretrained(folder)
    (folder / "generation_config.json").write_text('{"eos_token_id": 2}')
    return str(folder)


def lease(number: int, attempt: int = 0) -> GroupLease:
    task = task_source(ENV.id, "", 0.2, {}).tasks("train", 1, number)[0]
    return GroupLease(group_id=f"g{number}", attempt=attempt, task=task, seeds=(0, 1, 2, 3), temperature=1.0)


def engines(model: str, folder: str, count: int) -> dict[str, ray.actor.ActorHandle]:
    weights = {"w": torch.randn(320, 16, generator=torch.Generator().manual_seed(0)) * 0.3}
    manifest = write_weights(weights, folder, version=0, kind="policy", source_version=0)
    actor = ray.remote(EngineActor).options(num_cpus=0, max_concurrency=100)
    out = {
        f"engine-{i}": actor.remote(f"engine-{i}", EngineConfig(kind="scripted"), model, "float32", 512, 0)
        for i in range(count)
    }
    ray.get([e.start.remote() for e in out.values()], timeout=WAIT_S)
    ray.get([e.refresh.remote(manifest) for e in out.values()], timeout=WAIT_S)
    return out


def test_groups_travel_and_a_killed_workers_group_is_run_once_more(
    cluster: None, model: str, tmp_path
) -> None:
    pool = engines(model, str(tmp_path / "weights"), 2)
    make_worker = ray.remote(EnvWorker).options(num_cpus=0, max_concurrency=100)
    workers = [make_worker.remote(f"worker-{i}", ENV, ROLLOUT, model, pool) for i in range(2)]
    buffer = ray.remote(TrajectoryBuffer).options(num_cpus=0).remote(str(tmp_path / "lake"))
    try:
        ray.get(workers[1].set_versions.remote(dict.fromkeys(pool, 0)), timeout=WAIT_S)
        leases = [lease(i) for i in range(3)]
        assert all(ray.get([buffer.issue.remote(one) for one in leases], timeout=WAIT_S))
        ray.kill(workers[0])
        lost = workers[0].run_group.remote(leases[0])
        with pytest.raises(ray.exceptions.RayActorError):
            ray.get(lost, timeout=WAIT_S)
        leases[0] = lease(0, attempt=1)
        ray.get(buffer.issue.remote(leases[0]), timeout=WAIT_S)
        tables = [workers[1].run_group.remote(one) for one in leases]
        puts = [
            buffer.put.remote(one.group_id, one.attempt, table)
            for one, table in zip(leases, tables, strict=True)
        ]
        verdicts = ray.get(puts, timeout=WAIT_S)
        assert [len(v.rewards) for v in verdicts] == [4, 4, 4] and not any(v.errors for v in verdicts)
        again = buffer.put.remote("g0", 1, tables[0])
        assert ray.get(again, timeout=WAIT_S).duplicate, "a reply was lost and the call is repeated"
        table = ray.get(buffer.take.remote(3, 0), timeout=WAIT_S)
        groups = sorted({t.group_id for t in from_table(table)})
        assert groups == [v.group_id for v in verdicts if not v.zero_variance]
        assert ray.get(buffer.trained.remote(groups), timeout=WAIT_S) == len(groups)
        totals = ray.get(buffer.totals.remote(), timeout=WAIT_S)
        assert totals["issued"] == 3 == totals["trained"] + totals["dropped"]
        assert (totals["live"], totals["reissued"], totals["ignored"]) == (0, 1, 1)
        served = ray.get([e.gauges.remote() for e in pool.values()], timeout=WAIT_S)
        assert all(g["requests"] > 0 for g in served), "both engines were used"
    finally:
        for actor in (*workers, buffer, *pool.values()):
            ray.kill(actor)


def test_a_dead_worker_is_given_nothing_more_and_the_last_one_is_named(
    cluster: None, model: str, tmp_path
) -> None:
    pool = engines(model, str(tmp_path / "weights"), 1)
    make_worker = ray.remote(EnvWorker).options(num_cpus=0, max_concurrency=100)
    workers = [make_worker.remote(f"worker-{i}", ENV, ROLLOUT, model, pool) for i in range(2)]
    buffer = ray.remote(TrajectoryBuffer).options(num_cpus=0).remote(str(tmp_path / "lake"))
    tasks = iter(task_source(ENV.id, "", 0.2, {}).tasks("train", 40, 0))
    wanted = {"want": 3, "budget": 8, "group_size": 4, "temperature": 1.0}
    try:
        ray.get([w.set_versions.remote(dict.fromkeys(pool, 0)) for w in workers], timeout=WAIT_S)
        ray.kill(workers[0])
        collector = Collector(workers, buffer, seed=0, timeout_s=WAIT_S, stop=lambda: False)
        out = collector.train(lambda: next(tasks), **wanted)
        assert out.lost == 0 and out.ready, "the groups of the dead worker ran on the other one"
        totals = ray.get(buffer.totals.remote(), timeout=WAIT_S)
        assert 1 <= totals["reissued"] <= 2 and totals["admitted"] == len(out.ready)
        again = collector.train(lambda: next(tasks), **wanted)
        assert again.lost == 0
        assert ray.get(buffer.totals.remote(), timeout=WAIT_S)["reissued"] == totals["reissued"]
        ray.kill(workers[1])
        with pytest.raises(FleetError, match=r"every env worker is dead: worker-0 with .*; worker-1 with "):
            collector.train(lambda: next(tasks), **wanted)
    finally:
        for actor in (*workers, buffer, *pool.values()):
            ray.kill(actor)
