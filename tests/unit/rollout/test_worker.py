"""The env worker over scripted engines: groups as tables, bounded, at the current version only."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
import torch
from ray.exceptions import ActorDiedError

from distrl.config.schema import EngineConfig, EnvConfig, RolloutConfig
from distrl.engine.scripted import ScriptedEngine
from distrl.envs.registry import task_source
from distrl.rollout.worker import EnvWorker
from distrl.trajectory.arrow import from_table, validate
from distrl.trajectory.records import GroupLease, Status
from distrl.weights.files import write_weights

ENV = EnvConfig(id="distrl/Letters-v0", reward="share", options={})


class Handle:
    """What an actor handle looks like to the worker; counts the requests in flight."""

    def __init__(self, engine: ScriptedEngine) -> None:
        self.engine, self.running, self.most, self.served = engine, 0, 0, 0
        self.generate = SimpleNamespace(remote=self._generate)

    async def _generate(self, request):
        self.running += 1
        self.served += 1
        self.most = max(self.most, self.running)
        try:
            return await self.engine.generate(request)
        finally:
            self.running -= 1


async def handles(folder: str, tmp_path, count: int) -> dict[str, Handle]:
    weights = {"w": torch.randn(320, 16, generator=torch.Generator().manual_seed(0)) * 0.3}
    manifest = write_weights(weights, str(tmp_path / "weights"), version=0, kind="policy", source_version=0)
    out = {}
    for number in range(count):
        engine = ScriptedEngine(f"engine-{number}", EngineConfig(kind="scripted"), folder, "float32", 512, 0)
        await engine.start()
        await engine.refresh(manifest)
        out[f"engine-{number}"] = Handle(engine)
    return out


def lease(purpose: str = "train", rows: int = 8, name: str = "g") -> GroupLease:
    task = task_source(ENV.id, "", 0.2, {}).tasks("train", 1, 0)[0]
    return GroupLease(
        group_id=name, attempt=0, task=task, seeds=tuple(range(rows)), temperature=1.0, purpose=purpose
    )


def worker(folder: str, engines: dict, **changes) -> EnvWorker:
    rollout = RolloutConfig(**{"turn_tokens": 12, "context_tokens": 128, "episodes_per_worker": 3, **changes})
    return EnvWorker("worker-0", ENV, rollout, folder, engines)


async def test_a_group_is_one_table_with_a_row_a_seed(plain_model: str, tmp_path) -> None:
    engines = await handles(plain_model, tmp_path, 2)
    one = worker(plain_model, engines)
    await one.set_versions(dict.fromkeys(engines, 0))
    tables = await asyncio.gather(one.run_group(lease(name="g")), one.run_group(lease(name="h")))
    for table in tables:
        validate(table)
        records = from_table(table)
        assert [r.seed for r in records] == list(range(8))
        assert {r.status for r in records} <= {Status.SUBMITTED, Status.LENGTH}
        assert all(set(v for t in r.turns for v in t.versions) == {0} for r in records)
        assert all("all_lower" in r.metrics for r in records)
    assert sum(h.most for h in engines.values()) <= 3, "the bound holds over all leases"
    assert all(h.served for h in engines.values())
    gauges = one.gauges()
    assert gauges["episodes"] == 16 and gauges["running"] == gauges["waiting"] == 0
    assert gauges["sampled_tokens"] == sum(r.sampled_tokens for t in tables for r in from_table(t))


async def test_the_same_seeds_give_the_same_rows(plain_model: str, tmp_path) -> None:
    """Whatever the concurrency, and on whichever engine."""
    engines = await handles(plain_model, tmp_path, 2)
    rows = []
    for width in (1, 8):
        one = worker(plain_model, engines, episodes_per_worker=width)
        await one.set_versions(dict.fromkeys(engines, 0))
        rows.append([(r.turns, r.reward) for r in from_table(await one.run_group(lease()))])
    assert rows[0] == rows[1]
    assert len({tuple(turns[0].response_ids) for turns, _ in rows[0]}) > 1, "seeds differ"


async def test_gold_needs_no_engine(plain_model: str) -> None:
    records = from_table(await worker(plain_model, {}).run_group(lease("gold", rows=2)))
    assert [r.reward for r in records] == [1.0, 1.0] and {r.status for r in records} == {Status.SUBMITTED}


async def test_no_admissible_engine_is_named_with_versions(plain_model: str, tmp_path) -> None:
    engines = await handles(plain_model, tmp_path, 1)
    one = worker(plain_model, engines, episode_timeout_s=0.4)
    records = from_table(await one.run_group(lease(rows=2)))
    assert {r.status for r in records} == {Status.ABORTED}
    assert "NoEngineError" in records[0].error and "engine-0 at no version" in records[0].error


async def test_requests_of_a_dead_engine_go_to_another_one(plain_model: str, tmp_path) -> None:
    engines = await handles(plain_model, tmp_path, 2)
    alive = worker(plain_model, engines)
    await alive.set_versions(dict.fromkeys(engines, 0))
    expected = from_table(await alive.run_group(lease()))

    async def dead(request):
        raise ActorDiedError

    engines["engine-0"].generate = SimpleNamespace(remote=dead)
    one = worker(plain_model, engines)
    await one.set_versions(dict.fromkeys(engines, 0))
    records = from_table(await one.run_group(lease()))
    assert [r.turns for r in records] == [r.turns for r in expected]
    engines["engine-1"].generate = SimpleNamespace(remote=dead)
    records = from_table(await one.run_group(lease(rows=2)))
    assert {r.status for r in records} == {Status.ABORTED}
    assert all("every engine is dead: engine-0 dead, engine-1 dead" in r.error for r in records)
    assert set(one.gauges()[f"load/{e}"] for e in engines) == {0.0}


async def test_episodes_wait_for_the_announcement(plain_model: str, tmp_path) -> None:
    engines = await handles(plain_model, tmp_path, 1)
    one = worker(plain_model, engines)
    running = asyncio.create_task(one.run_group(lease(rows=2)))
    await asyncio.sleep(0.1)
    assert not running.done()
    await one.set_versions({"engine-0": 0})
    assert not any(r.status.is_error for r in from_table(await running))


async def test_an_unknown_purpose_is_refused(plain_model: str) -> None:
    with pytest.raises(ValueError, match="purpose 'play' is not one of"):
        await worker(plain_model, {}).run_group(lease("play"))
