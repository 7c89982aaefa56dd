"""What every engine must do: one suite, on the scripted engine and on vLLM (tiny model, fp32)."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from engine_fixtures import CONTEXT, MAX_RUNNING, TOLERANCE, Bench, prompt_of

from distrl.engine.protocol import EngineError
from distrl.weights.manifest import WeightError

BLOCKS_2 = 2 * 128 + 40  # a prompt that fills two blocks of the CPU prefix cache


# The start of vLLM, its imports above all, has the engine's own limit; a test has its own.
pytestmark = pytest.mark.timeout(300, func_only=True)


@pytest.fixture(scope="module", params=["scripted", "vllm"])
def bench(request, tmp_path_factory):
    made = Bench(request.param, tmp_path_factory.mktemp(request.param))
    yield made
    made.close()


def test_an_engine_without_weights_refuses_to_sample(bench):
    assert "no weights were published" in bench.error_before_publish


def test_every_sampled_token_has_a_logprob_and_a_version(bench):
    done = bench.generate(prompt_of(9), max_tokens=6, seed=1)
    assert len(done.ids) == len(done.logprobs) == len(done.versions)
    assert set(done.versions) == {bench.version}
    assert (done.stop_reason == "length") == (len(done.ids) == 6 and done.ids[-1] != 2)


def test_the_stop_token_is_part_of_the_response(bench):
    free = bench.generate(prompt_of(12), max_tokens=8, temperature=0.0)
    stop = free.ids[2]
    done = bench.generate(prompt_of(12), max_tokens=8, temperature=0.0, stop_token_ids=(stop,))
    assert done.ids == free.ids[: free.ids.index(stop) + 1]
    assert done.stop_reason == "stop"


def test_the_models_own_end_token_ends_a_response(bench):
    done = bench.generate_all([bench.request(prompt_of(4, seed=i), max_tokens=60) for i in range(64)])
    assert any(d.stop_reason == "stop" for d in done)
    for d in done:
        assert 2 not in d.ids[:-1]
        assert (d.stop_reason == "stop") == (d.ids[-1] == 2)


def test_greedy_is_the_argmax_of_the_reference_every_time(bench):
    prompt = prompt_of(20, seed=3)
    first, again = (bench.generate(prompt, max_tokens=24, temperature=0.0) for _ in range(2))
    assert first == replace(again, request_id=first.request_id)
    best = bench.reference((*prompt, *first.ids))[len(prompt) - 1 :].argmax(axis=1)
    assert list(best) == list(first.ids)
    np.testing.assert_allclose(first.logprobs, bench.expected(prompt, first), atol=TOLERANCE)


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.7])
def test_logprobs_are_of_the_distribution_that_was_sampled_from(bench, temperature):
    prompt = prompt_of(30, seed=4)
    done = bench.generate(prompt, max_tokens=40, temperature=temperature, seed=2)
    np.testing.assert_allclose(done.logprobs, bench.expected(prompt, done, temperature), atol=TOLERANCE)


def test_greedy_and_sampled_requests_in_one_batch_keep_their_own_logprobs(bench):
    prompt = prompt_of(15, seed=5)
    temperatures = [0.0, 0.5, 1.0, 2.0] * 3
    done = bench.generate_all([bench.request(prompt, max_tokens=12, temperature=t) for t in temperatures])
    for d, t in zip(done, temperatures, strict=True):
        np.testing.assert_allclose(d.logprobs, bench.expected(prompt, d, t or 1.0), atol=TOLERANCE)


def test_score_equals_the_logprobs_of_what_was_sampled(bench):
    prompt = prompt_of(BLOCKS_2, seed=6)
    done = bench.generate(prompt, max_tokens=20, seed=3)
    scores = bench.run(bench.engine.score((*prompt, *done.ids)))
    assert len(scores) == len(prompt) + len(done.ids) - 1
    np.testing.assert_allclose(scores[len(prompt) - 1 :], done.logprobs, atol=TOLERANCE)
    table = bench.reference((*prompt, *done.ids))
    exact = table[np.arange(len(table)), [*prompt, *done.ids][1:]]
    np.testing.assert_allclose(scores, exact, atol=TOLERANCE)


def test_more_requests_than_places_each_get_their_own_answer(bench):
    prompts = [prompt_of(5 + i, seed=i) for i in range(3 * MAX_RUNNING)]
    requests = [bench.request(p, max_tokens=10, request_id=f"many{i}") for i, p in enumerate(prompts)]
    done = bench.generate_all(requests)
    assert [d.request_id for d in done] == [r.request_id for r in requests]
    for prompt, d in list(zip(prompts, done, strict=True))[::5]:
        np.testing.assert_allclose(d.logprobs, bench.expected(prompt, d), atol=TOLERANCE)
    assert bench.run(bench.engine.health()).running == 0


def test_a_burst_of_long_seeded_prompts_is_served_and_seeds_hold(bench):
    """More tokens at once than an engine prefills in one step."""
    prompts = [prompt_of(CONTEXT - 100, seed=i) for i in range(MAX_RUNNING)]
    alone = bench.generate(prompts[-1], max_tokens=6, seed=15)
    done = bench.generate_all([bench.request(p, max_tokens=6, seed=i) for i, p in enumerate(prompts)])
    assert all(1 <= len(d.ids) <= 6 for d in done)
    np.testing.assert_allclose(done[3].logprobs, bench.expected(prompts[3], done[3]), atol=TOLERANCE)
    assert done[-1].ids == alone.ids


def test_a_seed_fixes_the_sample(bench):
    first, again, other = (bench.generate(prompt_of(8), max_tokens=16, seed=s) for s in (7, 7, 8))
    assert first.ids == again.ids != other.ids


def test_the_context_is_a_limit_with_its_reason(bench):
    done = bench.generate(prompt_of(CONTEXT - 2), max_tokens=8, temperature=0.0)
    assert len(done.ids) <= 2 and done.stop_reason in ("length", "stop")
    assert len(bench.run(bench.engine.score(tuple(prompt_of(CONTEXT))))) == CONTEXT - 1
    for length in (0, CONTEXT):
        with pytest.raises(EngineError, match=f"a prompt of {length} ids"):
            bench.generate(prompt_of(length))
    for length in (1, CONTEXT + 1):
        with pytest.raises(EngineError, match=f"not {length}"):
            bench.run(bench.engine.score(tuple(prompt_of(length))))


@pytest.mark.parametrize("mode", ["keep", "wait", "abort"])
def test_a_paused_engine_holds_requests_until_it_resumes(bench, mode):
    async def scene():
        await bench.engine.pause(mode)
        late = asyncio.ensure_future(bench.engine.generate(bench.request(prompt_of(6), max_tokens=4)))
        done, _ = await asyncio.wait([late], timeout=0.3)
        held, health = not done, await bench.engine.health()
        await bench.engine.resume()
        return held, health, await late, await bench.engine.health()

    held, paused, late, after = bench.run(scene())
    assert held and paused.paused and not after.paused
    assert late.ids and late.stop_reason in ("length", "stop")


def long_requests(bench, count=8, tokens=900):
    """Greedy is not used: a stop token is unlikely to come at once for all of them."""
    return [bench.request(prompt_of(40, seed=i), max_tokens=tokens, seed=i) for i in range(count)]


async def interrupt(bench, action):
    """Run `action` while long requests are being sampled; returns the requests and what they gave."""
    requests = long_requests(bench)
    start = time.monotonic()
    await bench.engine.generate(bench.request(prompt_of(40), max_tokens=16))
    about_16_tokens_s = max(time.monotonic() - start, 0.05)
    running = [asyncio.ensure_future(bench.engine.generate(r)) for r in requests]
    await asyncio.sleep(2 * about_16_tokens_s)
    assert not all(r.done() for r in running)
    await action()
    return requests, await asyncio.gather(*running)


def test_abort_returns_what_was_sampled_so_far(bench):
    async def action():
        await bench.engine.pause("abort")
        await bench.engine.resume()

    requests, done = bench.run(interrupt(bench, action))
    cut = [(r, d) for r, d in zip(requests, done, strict=True) if d.stop_reason == "abort"]
    assert cut
    assert any(d.ids for _, d in cut)
    for r, d in cut:
        assert len(d.ids) < 900
        np.testing.assert_allclose(d.logprobs, bench.expected(list(r.prompt_ids), d), atol=TOLERANCE)


def test_wait_lets_running_requests_finish_under_the_old_version(bench):
    old = bench.version

    async def action():
        await bench.engine.refresh(bench.write(), "wait")

    _, done = bench.run(interrupt(bench, action))
    assert {v for d in done for v in d.versions} == {old}
    assert set(bench.generate(prompt_of(5)).versions) == {old + 1}


def test_keep_gives_each_token_the_version_that_sampled_it(bench):
    async def action():
        await bench.engine.refresh(bench.write(), "keep")

    requests, done = bench.run(interrupt(bench, action))
    new, both = bench.version, 0
    for r, d in zip(requests, done, strict=True):
        prompt = list(r.prompt_ids)
        expected = {v: bench.expected(prompt, d, version=v) for v in (new - 1, new)}
        assert list(d.versions) == sorted(d.versions) and set(d.versions) <= set(expected)
        for k, version in enumerate(d.versions):
            assert abs(d.logprobs[k] - expected[version][k]) < TOLERANCE, (k, d.versions)
        both += len(set(d.versions)) == 2
    assert both


def test_a_refresh_equals_the_reference_with_tied_head_and_warm_prefix_cache(bench):
    prompt = prompt_of(BLOCKS_2, seed=11)
    before = [bench.generate(prompt, max_tokens=12, temperature=t, seed=5) for t in (0.0, 1.0)]
    report = bench.refresh("keep")
    assert report.version == bench.version and report.bytes == sum(
        os.path.getsize(p)
        for p in Path(bench._folder, "weights", f"policy-{bench.version:08d}").glob("part*")
    )
    after = [bench.generate(prompt, max_tokens=12, temperature=t, seed=5) for t in (0.0, 1.0)]
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new.logprobs, bench.expected(prompt, new), atol=TOLERANCE)
        assert (
            np.abs(bench.expected(prompt, old) - old.logprobs).max() > 100 * TOLERANCE
        )  # the weights did change
    health = bench.run(bench.engine.health())
    assert (health.version, health.digest) == (report.version, report.digest)


def test_an_older_or_equal_version_is_refused_and_nothing_changes(bench):
    old = bench.write()
    bench.refresh()
    greedy = bench.generate(prompt_of(9), temperature=0.0)
    for version in (old.version, bench.version):
        with pytest.raises(WeightError, match="not newer"):
            bench.run(bench.engine.refresh(replace(old, version=version)))
    assert bench.generate(prompt_of(9), temperature=0.0).ids == greedy.ids


def test_a_damaged_set_is_refused_and_the_engine_serves_on(bench):
    greedy, served = bench.generate(prompt_of(9), temperature=0.0), bench.version
    manifest = bench.write()
    path = Path(manifest.parts[-1].path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(WeightError, match="sha256"):
        bench.run(bench.engine.refresh(manifest))
    with pytest.raises(WeightError, match="digest"):
        bench.run(bench.engine.refresh(replace(manifest, digest="0" * 64)))
    after = bench.generate(prompt_of(9), temperature=0.0)
    assert (after.ids, set(after.versions)) == (greedy.ids, {served})
    path.write_bytes(whole)
    assert bench.run(bench.engine.refresh(manifest)).version == bench.version


def test_the_planted_fault_reports_new_weights_and_serves_old_ones(bench):
    bench.config.fault = "skip_refresh"
    try:
        report = bench.refresh()
    finally:
        bench.config.fault = ""
    prompt = prompt_of(25, seed=13)
    done = bench.generate(prompt, max_tokens=12)
    assert set(done.versions) == {bench.version} == {report.version}
    np.testing.assert_allclose(
        done.logprobs, bench.expected(prompt, done, version=bench.version - 1), atol=TOLERANCE
    )
    bench.refresh()


def test_gauges_count_what_was_done(bench):
    before = bench.engine.gauges()
    done = bench.generate(prompt_of(5))
    after = bench.engine.gauges()
    assert after["tokens"] - before["tokens"] == len(done.ids)
    assert after["requests"] - before["requests"] == 1
    assert (after["running"], after["version"]) == (0, bench.version)


def test_health_reaches_the_process_that_computes(bench):
    health = bench.run(bench.engine.health())
    assert health.rss_mib > 10
    if bench.kind == "vllm":
        assert psutil.Process(health.pid).ppid() == os.getpid()


def test_a_worker_that_serves_another_digest_is_fatal(bench, monkeypatch):
    if bench.kind != "vllm":
        pytest.skip("the scripted engine has no worker process that could disagree")
    real = bench.engine._rpc

    async def lying(method, timeout_s, args=()):
        return [{**state, "digest": "0" * 64} for state in await real(method, timeout_s, args)]

    monkeypatch.setattr(bench.engine, "_rpc", lying)
    with pytest.raises(WeightError, match="was announced"):
        bench.refresh()
    monkeypatch.undo()
    with pytest.raises(EngineError, match="instead of version"):
        bench.generate(prompt_of(5))
    with pytest.raises(EngineError, match="instead of version"):
        bench.run(bench.engine.health())
