"""After a live refresh, does the engine compute with the new weights, all of them, and at what cost?

Learner -> [Weights -> Engine] : `python -m benchmarks.refresh_exactness [--model smollm2-135m]`

fp32, because bf16 noise (up to 0.4 nats) would hide a stale layer. The prompt fills two blocks of the prefix
cache before the refresh, and the model's output layer is tied where the model says so: the two silent traps.
The last line is one JSON object: the largest |log-probability difference| against transformers, in nats.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from distrl.config.schema import EngineConfig
from distrl.engine.protocol import GenerateRequest, Generation, RefreshReport, Sampling
from distrl.engine.vllm_engine import VllmEngine
from distrl.models.resolve import resolve_model
from distrl.weights.files import write_weights
from distrl.weights.manifest import WeightManifest

Tensors = dict[str, torch.Tensor]

GOAL_NATS = 1e-4
PROMPT_TOKENS = 300  # two full cache blocks of 128 and a part
NEW_TOKENS = 32
NOISE = 0.05  # of each tensor's own spread: enough to move log-probabilities by tenths


def main() -> None:
    """Run, print what was measured for people, then the JSON line; exit code 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2-135m", help="known name, local folder or hub id")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0: all cores")
    args = parser.parse_args()
    result = asyncio.run(measure(resolve_model(args.model).path, args.model, args.threads))
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


async def measure(model_path: str, name: str, threads: int) -> dict[str, object]:
    """Publish the model's weights, warm the cache, publish changed weights, compare."""
    old = load_fp32(model_path)
    new = changed(old)
    prompt = prompt_of(old)
    copy_s = copy_seconds(new)
    engine = VllmEngine("engine-0", EngineConfig(threads=threads), model_path, "float32", 512, 0)
    with tempfile.TemporaryDirectory(dir=shared_memory()) as folder:
        started = time.perf_counter()
        await engine.start()
        start_s = time.perf_counter() - started
        try:
            await engine.refresh(publish(old, folder, 0)[0])
            before = [await generate(engine, prompt, t) for t in (0.0, 1.0)]
            manifest, write_s = publish(new, folder, 1)
            report = await engine.refresh(manifest)
            after = [await generate(engine, prompt, t) for t in (0.0, 1.0)]
        finally:
            await engine.stop()
    worst = max(difference(model_path, new, prompt, done) for done in after)
    moved = max(difference(model_path, new, prompt, done) for done in before)
    seconds = {"write": write_s, **report.seconds, "memory_copy": copy_s}
    tell(report, seconds, worst, moved, start_s)
    return {
        "name": "refresh_exactness",
        "value": worst,
        "goal": f"<= {GOAL_NATS} nats",
        "holds": worst <= GOAL_NATS < moved,
        "conditions": {
            "model": name,
            "dtype": "float32",
            "bytes": report.bytes,
            "seconds": {phase: round(value, 4) for phase, value in seconds.items()},
            "old_weights_differ_by": moved,
            "prompt_tokens": PROMPT_TOKENS,
            "sampled_tokens": sum(len(done.ids) for done in after),
            "engine_start_s": round(start_s, 1),
            "cores": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


def tell(
    report: RefreshReport, seconds: dict[str, float], worst: float, moved: float, start_s: float
) -> None:
    print(f"engine start                {start_s:8.1f} s")
    print(f"weights                     {report.bytes / 1e6:8.1f} MB in fp32")
    for phase, value in seconds.items():
        print(f"  {phase:<26}{value:8.3f} s   {report.bytes / 1e9 / max(value, 1e-9):8.2f} GB/s")
    print(f"largest difference          {worst:8.1e} nats (goal: at most {GOAL_NATS:.0e})")
    print(f"tokens of the old weights   {moved:8.1e} nats away: what a refresh that did nothing would show")


def load_fp32(model_path: str) -> Tensors:
    files = sorted(Path(model_path).glob("*.safetensors"))
    return {name: t.float() for file in files for name, t in load_file(file).items()}


def changed(tensors: Tensors) -> Tensors:
    """Every tensor moves, so that no layer can be stale unseen."""
    generator = torch.Generator().manual_seed(1)
    return {
        name: t + NOISE * (t.std() if t.numel() > 1 else 1.0) * torch.randn(t.shape, generator=generator)
        for name, t in tensors.items()
    }


def prompt_of(tensors: Tensors) -> tuple[int, ...]:
    vocabulary = max(t.shape[0] for name, t in tensors.items() if "embed_tokens" in name)
    return tuple(int(i) for i in np.random.default_rng(0).integers(3, vocabulary, PROMPT_TOKENS))


def shared_memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108


def publish(tensors: Tensors, folder: str, version: int) -> tuple[WeightManifest, float]:
    start = time.perf_counter()
    manifest = write_weights(tensors, folder, version=version, kind="policy", source_version=version)
    return manifest, time.perf_counter() - start


def copy_seconds(tensors: Tensors) -> float:
    """Best of three plain copies of the same bytes, tensor by tensor, into memory that is already mapped."""
    targets = [torch.zeros_like(t) for t in tensors.values()]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for target, t in zip(targets, tensors.values(), strict=True):
            target.copy_(t)
        times.append(time.perf_counter() - start)
    return min(times)


async def generate(engine: VllmEngine, prompt: tuple[int, ...], temperature: float) -> Generation:
    sampling = Sampling(max_tokens=NEW_TOKENS, temperature=temperature, seed=0)
    name = f"t{temperature}-{engine.gauges()['requests']}"
    return await engine.generate(
        GenerateRequest(request_id=name, conversation_id=name, prompt_ids=prompt, sampling=sampling)
    )


def difference(model_path: str, tensors: Tensors, prompt: tuple[int, ...], done: Generation) -> float:
    """Largest |engine - transformers| over the sampled tokens' log-probabilities, under `tensors` in fp32."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(model_path)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    model.load_state_dict(tensors, strict=False)
    model.tie_weights()
    with torch.no_grad():
        logits = model(torch.tensor([[*prompt, *done.ids]])).logits[0, len(prompt) - 1 : -1]
    reference = logits.double().log_softmax(-1)[torch.arange(len(done.ids)), torch.tensor(done.ids)]
    return float((reference - torch.tensor(done.logprobs, dtype=torch.float64)).abs().max())


if __name__ == "__main__":
    main()
