"""What do env workers, rendering, router, environment and Arrow cost on top of the bare engine?

tasks -> EnvWorker[N] <-> Engine[M] -> Arrow : `python -m benchmarks.rollout [--model smollm2-135m]`

The same requests go to the same engine actor twice, alternating several times in one run: once as episodes
through an env-worker actor that answers with Arrow tables, once replayed straight at the engine, turn after
turn of each conversation and as many at a time. The last line is one JSON object: sampled tokens/s through
the whole path divided by tokens/s of the bare engine, the median over the pairs. Ray is imported after
`start_ray`, because it reads its token mode when it is imported.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
from safetensors.torch import load_file

from distrl.config.schema import EngineConfig, EnvConfig, RayConfig, RolloutConfig
from distrl.engine.protocol import GenerateRequest, Sampling
from distrl.envs.registry import task_source
from distrl.launch.cluster import start_ray, stop_ray
from distrl.models.device import resolve_dtype
from distrl.models.resolve import resolve_model
from distrl.rollout.agent_loop import sampling_seed
from distrl.rollout.rendering import Renderer
from distrl.trajectory.arrow import from_table
from distrl.trajectory.records import GroupLease, Trajectory
from distrl.weights.files import write_weights

GOAL = 0.9
ENV = EnvConfig(id="distrl/ClinicalTools-v0", reward="graded", options={})
WAIT_S = 900.0


def main() -> None:
    """Run, print what was measured for people, then the JSON line; exit code 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2-135m", help="known name, local folder or hub id")
    parser.add_argument("--engine", default="vllm", choices=("vllm", "scripted"), help="engine.kind")
    parser.add_argument("--groups", type=int, default=4, help="groups in one measurement")
    parser.add_argument("--group-size", type=int, default=8, help="episodes of one group")
    parser.add_argument("--turn-tokens", type=int, default=64, help="sampled tokens in one turn, at most")
    parser.add_argument("--pairs", type=int, default=4, help="how often the two paths alternate")
    args = parser.parse_args()
    model_path = resolve_model(args.model).path
    with tempfile.TemporaryDirectory() as folder:
        start_ray(RayConfig(dashboard=False), folder, namespace="benchmark", cpus=os.cpu_count())
        try:
            result = measure(args, model_path, folder)
        finally:
            stop_ray()
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


def measure(args: argparse.Namespace, model_path: str, folder: str) -> dict[str, Any]:
    """Warm both paths, alternate them, compare their rates."""
    import ray

    from distrl.rollout.worker import EnvWorker

    rollout = RolloutConfig(
        turn_tokens=args.turn_tokens, episodes_per_worker=args.groups * args.group_size, context_tokens=2048
    )
    dtype = resolve_dtype("auto", "cpu")
    engine = started_engine(args.engine, model_path, dtype, rollout.context_tokens, folder)
    make_worker: Any = ray.remote(EnvWorker).options(num_cpus=0, max_concurrency=1000)
    worker = make_worker.remote("worker-0", ENV, rollout, model_path, {"engine-0": engine})
    ray.get(worker.set_versions.remote({"engine-0": 0}), timeout=WAIT_S)
    leases = leases_of(args.groups, args.group_size)
    stops = Renderer(model_path).stop_token_ids
    _, episodes = run_worker(worker, leases)  # warms caches and gives the requests to replay
    run_raw(engine, episodes, stops)
    rates: list[tuple[float, float]] = []
    for pair in range(args.pairs):
        if pair % 2:
            raw = run_raw(engine, episodes, stops)
            whole, _ = run_worker(worker, leases)
        else:
            whole, _ = run_worker(worker, leases)
            raw = run_raw(engine, episodes, stops)
        rates.append((whole, raw))
        print(f"pair {pair}: whole path {rates[-1][0]:.1f} tokens/s, bare engine {rates[-1][1]:.1f} tokens/s")
    ray.get(engine.stop.remote(), timeout=WAIT_S)
    return summary(args, rates, dtype)


def summary(args: argparse.Namespace, rates: list[tuple[float, float]], dtype: str) -> dict[str, Any]:
    ratios = [whole / raw for whole, raw in rates]
    value = statistics.median(ratios)
    return {
        "name": "rollout_tokens_per_s_over_bare_engine",
        "value": round(value, 4),
        "goal": GOAL,
        "holds": value >= GOAL,
        "conditions": {
            "model": args.model,
            "engine": args.engine,
            "dtype": dtype,
            "episodes": args.groups * args.group_size,
            "turn_tokens": args.turn_tokens,
            "ratios": [round(r, 4) for r in ratios],
            "whole_tokens_per_s": round(statistics.median(w for w, _ in rates), 1),
            "bare_tokens_per_s": round(statistics.median(r for _, r in rates), 1),
            "cpus": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


def started_engine(kind: str, model_path: str, dtype: str, context_tokens: int, folder: str) -> Any:
    """An engine actor that serves the model's own weights as version 0."""
    import ray

    from distrl.engine.actor import EngineActor

    actor: Any = ray.remote(EngineActor).options(num_cpus=0, max_concurrency=1000)
    engine = actor.remote("engine-0", EngineConfig(kind=kind), model_path, dtype, context_tokens, 0)
    ray.get(engine.start.remote(), timeout=WAIT_S)
    tensors = {
        k: v for path in sorted(Path(model_path).glob("*.safetensors")) for k, v in load_file(path).items()
    }
    manifest = write_weights(tensors, f"{folder}/weights", version=0, kind="policy", source_version=0)
    ray.get(engine.refresh.remote(manifest), timeout=WAIT_S)
    return engine


def leases_of(groups: int, size: int) -> list[GroupLease]:
    tasks = task_source(ENV.id, "", 0.2, {}).tasks("train", groups, 0)
    return [
        GroupLease(
            group_id=f"g{number}",
            attempt=0,
            task=task,
            seeds=tuple(range(number * size, (number + 1) * size)),
            temperature=1.0,
        )
        for number, task in enumerate(tasks)
    ]


def run_worker(worker: Any, leases: list[GroupLease]) -> tuple[float, list[Trajectory]]:
    """Sampled tokens per second until all tables are here, and the episodes."""
    import ray

    started = time.perf_counter()
    tables: list[pa.Table] = ray.get([worker.run_group.remote(one) for one in leases], timeout=WAIT_S)
    seconds = time.perf_counter() - started
    episodes = [t for table in tables for t in from_table(table)]
    failed = [t.error for t in episodes if t.status.is_error]
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(episodes)} episodes failed: {failed[0]}")
    return sum(t.sampled_tokens for t in episodes) / seconds, episodes


def run_raw(engine: Any, episodes: list[Trajectory], stops: tuple[int, ...]) -> float:
    """Sampled tokens per second of the same requests, straight at the engine actor."""

    async def replay(episode: Trajectory) -> int:
        context: list[int] = []
        tokens = 0
        for turn in episode.turns:
            context += turn.prompt_ids_added
            request = GenerateRequest(
                request_id=f"raw.{episode.id}.{turn.index}",
                conversation_id=episode.id,
                prompt_ids=tuple(context),
                sampling=Sampling(
                    max_tokens=len(turn.response_ids),
                    temperature=episode.temperature,
                    stop_token_ids=stops,
                    seed=sampling_seed(episode.seed, turn.index),
                ),
            )
            tokens += len((await engine.generate.remote(request)).ids)
            context += turn.response_ids
        return tokens

    async def all_of_them() -> int:
        return sum(await asyncio.gather(*map(replay, episodes)))

    started = time.perf_counter()
    tokens = asyncio.run(asyncio.wait_for(all_of_them(), WAIT_S))
    return tokens / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
