"""The scripted engine under a fake clock, the guard of engine processes, and small parts of the shell."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest
import torch

from distrl.config.schema import EngineConfig
from distrl.engine.actor import DEAD_ENGINE_EXIT, KINDS, EngineActor
from distrl.engine.pool import EnginePool
from distrl.engine.protocol import EngineError, GenerateRequest, Sampling
from distrl.engine.scripted import ScriptedEngine, log_softmax, window_logits
from distrl.engine.stops import stop_ids_of
from distrl.engine.vllm_engine import environment, versions_of
from distrl.weights.files import write_weights

VOCABULARY = 11


class FakeClock:
    """`sleep` returns when `advance` has passed its moment; no real time goes by."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now_s + seconds, future))
        await future

    async def advance(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        await self._settle()
        while due := sorted((s for s in self._sleepers if s[0] <= end_s), key=lambda s: s[0]):
            self.now_s = due[0][0]
            self._sleepers.remove(due[0])
            if not due[0][1].done():  # its task may have been cancelled
                due[0][1].set_result(None)
            await self._settle()
        self.now_s = end_s

    async def _settle(self) -> None:
        """Let every task that can run reach its next wait."""
        for _ in range(20):
            await asyncio.sleep(0)


def publish(folder, version):
    table = torch.randn(VOCABULARY, 6, generator=torch.Generator().manual_seed(version))
    return write_weights(
        {"table": table}, str(folder / "weights"), version=version, kind="policy", source_version=version
    )


def engine_of(folder, **options):
    (folder / "generation_config.json").write_text('{"eos_token_id": [0]}')
    return ScriptedEngine("engine-0", EngineConfig(kind="scripted"), str(folder), "float32", 64, 0, **options)


def request(name="a", tokens=5, **sampling):
    return GenerateRequest(
        request_id=name,
        conversation_id=name,
        prompt_ids=(1, 2, 3),
        sampling=Sampling(max_tokens=tokens, **sampling),
    )


def never_ends(ids, weights):
    """The window model, with its end token out of reach."""
    return window_logits(ids, weights) - 50.0 * (np.arange(VOCABULARY) == 0)


async def test_tokens_come_at_the_pace_of_the_clock_and_carry_the_version_of_their_moment(tmp_path):
    clock = FakeClock()
    engine = engine_of(tmp_path, model=never_ends, token_s=1.0, sleep=clock.sleep)
    await engine.start()
    await engine.refresh(publish(tmp_path, 0))
    running = asyncio.ensure_future(engine.generate(request(tokens=6)))
    await asyncio.sleep(0)
    await clock.advance(2.5)
    await engine.refresh(publish(tmp_path, 3), "keep")
    await clock.advance(10.0)
    assert (await running).versions == (0, 0, 3, 3, 3, 3)


async def test_abort_between_two_tokens_returns_the_first(tmp_path):
    clock = FakeClock()
    engine = engine_of(tmp_path, model=never_ends, token_s=1.0, sleep=clock.sleep)
    await engine.start()
    await engine.refresh(publish(tmp_path, 0))
    running = asyncio.ensure_future(engine.generate(request()))
    await asyncio.sleep(0)
    await clock.advance(1.5)
    pause = asyncio.ensure_future(engine.pause("abort"))
    await asyncio.sleep(0)
    await clock.advance(1.0)
    await pause
    done = await running
    assert (len(done.ids), done.stop_reason) == (1, "abort")


async def test_every_wait_ends_and_names_the_engine(tmp_path):
    clock = FakeClock()
    engine = engine_of(tmp_path, model=never_ends, token_s=1.0, sleep=clock.sleep)
    await engine.start()
    await engine.refresh(publish(tmp_path, 0))
    running = asyncio.ensure_future(engine.generate(request()))
    await clock.advance(0.5)
    engine._config.request_timeout_s = 0.05  # of the calls that begin now
    with pytest.raises(EngineError, match=r"engine-0: waited .* 1 running requests to pause \(wait\)"):
        await engine.pause("wait")
    with pytest.raises(EngineError, match=r"engine-0: waited .* request b"):
        await engine.generate(request("b"))
    running.cancel()


async def test_the_same_request_gives_the_same_tokens_whatever_runs_beside_it(tmp_path):
    engine = engine_of(tmp_path, model=never_ends)
    await engine.start()
    await engine.refresh(publish(tmp_path, 0))
    alone = await engine.generate(request("x", seed=4))
    others = [request(f"r{i}") for i in range(20)]
    crowd = await asyncio.gather(*[engine.generate(r) for r in (*others, request("x", seed=4))])
    assert crowd[-1] == alone


async def test_sampling_follows_the_models_distribution(tmp_path):
    engine = engine_of(tmp_path)
    await engine.start()
    manifest = publish(tmp_path, 0)
    await engine.refresh(manifest)
    done = await asyncio.gather(
        *[engine.generate(request(f"r{i}", tokens=1, temperature=2.0)) for i in range(4000)]
    )
    table = torch.randn(VOCABULARY, 6, generator=torch.Generator().manual_seed(0)).double().numpy()
    expected = np.exp(log_softmax(window_logits((1, 2, 3), {"table": table}) / 2.0))
    counts = np.bincount([d.ids[0] for d in done], minlength=VOCABULARY) / 4000
    assert np.abs(counts - expected).max() < 4 * np.sqrt(0.25 / 4000)


@pytest.mark.parametrize("mode", ["drain", ""])
async def test_an_unknown_pause_mode_is_an_error(tmp_path, mode):
    engine = engine_of(tmp_path)
    await engine.start()
    with pytest.raises(EngineError, match="give wait, keep or abort"):
        await engine.pause(mode)


async def test_a_stopped_engine_refuses(tmp_path):
    engine = engine_of(tmp_path)
    await engine.start()
    await engine.stop()
    with pytest.raises(EngineError, match="not started"):
        await engine.health()


@pytest.mark.parametrize(("value", "expected"), [(2, (2,)), ([2, 5], (2, 5)), (0, (0,))])
def test_stop_ids_come_from_the_generation_config_then_from_the_config(tmp_path, value, expected):
    (tmp_path / "config.json").write_text(json.dumps({"eos_token_id": value}))
    assert stop_ids_of(str(tmp_path)) == expected
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": 7}')
    assert stop_ids_of(str(tmp_path)) == (7,)
    (tmp_path / "config.json").unlink()
    (tmp_path / "generation_config.json").write_text("{}")
    with pytest.raises(ValueError, match="eos_token_id"):
        stop_ids_of(str(tmp_path))


def test_version_spans_must_cover_the_sampled_tokens():
    class Span:
        def __init__(self, version, start, end):
            self.version, self.start, self.end = version, start, end

    assert versions_of([Span("3", 0, 2), Span("4", 2, 5)], 5) == (3, 3, 4, 4, 4)
    assert versions_of(None, 0) == ()
    for spans in (None, [Span("3", 0, 4)]):
        with pytest.raises(EngineError, match="5 sampled tokens"):
            versions_of(spans, 5)


def test_threads_of_a_cpu_engine_are_set_and_zero_means_all_cores():
    assert environment(EngineConfig(threads=3))["OMP_NUM_THREADS"] == "3"
    assert environment(EngineConfig())["OMP_NUM_THREADS"] == str(len(os.sched_getaffinity(0)))
    assert "OMP_NUM_THREADS" not in environment(EngineConfig(gpus=1.0))


def test_an_unknown_kind_of_engine_is_refused(tmp_path):
    assert set(KINDS) == {"vllm", "scripted"}
    with pytest.raises(ValueError, match=r"engine\.kind='magic'"):
        EngineActor("e", EngineConfig(kind="magic"), str(tmp_path), "float32", 64, 0)


PARENT = """
import multiprocessing, time
from distrl.engine.guard import spawned_under_guard
if __name__ == "__main__":
    with spawned_under_guard():
        child = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
        child.start()
    print(child.pid, flush=True)
    time.sleep(600)
"""


def test_a_killed_owner_takes_its_spawned_processes_with_it(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        child = psutil.Process(int(parent.stdout.readline()))
        time.sleep(1.0)
        assert child.is_running() and parent.poll() is None
        parent.send_signal(signal.SIGKILL)
        child.wait(timeout=30)
    finally:
        parent.kill()
        parent.wait(timeout=10)
    assert not child.is_running()


def test_the_pool_publishes_to_engines_that_do_not_serve_the_set_yet(tmp_path) -> None:
    """A step that moved no weight gives the version that is served: no engine must load it again."""
    one = write_weights({"w": torch.zeros(2, 2)}, str(tmp_path), version=3, kind="policy", source_version=3)
    pool = EnginePool({"a": object(), "b": object()}, timeout_s=1.0)
    assert pool.behind(one) == ["a", "b"]
    pool.served = {"a": (3, one.digest), "b": (2, one.digest)}
    assert pool.behind(one) == ["b"]
    pool.served["b"] = (3, "another digest")
    assert pool.behind(one) == ["b"]


ACTOR = """
import asyncio, sys
from distrl.config.schema import EngineConfig
from distrl.engine.actor import EngineActor
from distrl.engine.protocol import EngineError, GenerateRequest, Sampling

async def main():
    actor = EngineActor("e", EngineConfig(kind="scripted"), sys.argv[1], "float32", 64, 0)
    await actor.start()
    sampling = Sampling(max_tokens=1)
    request = GenerateRequest(request_id="r", conversation_id="c", prompt_ids=(1,), sampling=sampling)
    try:
        await actor.generate(request)
    except EngineError as error:
        print(error, flush=True)
    await actor._engine.stop()
    await actor.generate(request)

asyncio.run(main())
"""


def test_an_actor_whose_engine_died_ends_at_the_next_request_and_not_at_a_refused_one(tmp_path):
    (tmp_path / "config.json").write_text('{"eos_token_id": 2}')
    command = [sys.executable, "-c", ACTOR, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "no weights were published yet" in done.stdout, "a live engine's refusal is an answer"
    assert done.returncode == DEAD_ENGINE_EXIT and "the engine is dead: e: not started" in done.stderr
