"""One bench for every engine: a started engine, weights to publish, and a float64 reference."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from safetensors.torch import load_file

from distrl.config.schema import EngineConfig
from distrl.engine.protocol import Engine, EngineError, GenerateRequest, Generation, RefreshReport, Sampling
from distrl.engine.scripted import ScriptedEngine, log_softmax, window_logits
from distrl.engine.vllm_engine import VllmEngine
from distrl.models.tiny import make_tiny_model
from distrl.weights.files import write_weights
from distrl.weights.manifest import WeightManifest

T = TypeVar("T")

CONTEXT = 1024
MAX_RUNNING = 16
VOCABULARY = 320  # of the tiny model
TOLERANCE = 1e-4  # fp32 engine against the float64 reference, nats


class Bench:
    """Owns one engine of `kind` and the event loop that it lives in."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.loop = asyncio.new_event_loop()
        self._folder = folder
        self.model_path = make_tiny_model(folder / "model", seed=0)
        self._base = load_file(Path(self.model_path) / "model.safetensors")
        self.tensors: dict[int, dict[str, torch.Tensor]] = {}
        self.config = EngineConfig(
            kind=kind,
            max_running=MAX_RUNNING,
            kv_cache_mib=64,
            request_timeout_s=120.0,
            start_timeout_s=280.0,
            threads=1,
        )
        self.engine: Engine = self._build()
        self.loop.run_until_complete(self.engine.start())
        self.version = -1
        self.error_before_publish = self._refusal()
        self.refresh()

    def _build(self) -> Engine:
        args = ("engine-0", self.config, self.model_path, "float32", CONTEXT, 0)
        if self.kind == "vllm":
            return VllmEngine(*args)
        return ScriptedEngine(*args, token_s=0.001)

    def _refusal(self) -> str:
        try:
            self.generate([5, 6, 7])
        except EngineError as error:
            return str(error)
        return ""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, 140.0))

    def close(self) -> None:
        self.run(self.engine.stop())
        self.loop.close()

    def write(self) -> WeightManifest:
        """A new weight set: every tensor differs from the last set's, the tied head included."""
        self.version += 1
        generator = torch.Generator().manual_seed(self.version)
        self.tensors[self.version] = {
            name: value + 0.03 * torch.randn(value.shape, generator=generator)
            for name, value in self._base.items()
        }
        return write_weights(
            self.tensors[self.version],
            str(self._folder / "weights"),
            version=self.version,
            kind="policy",
            source_version=self.version,
            max_part_bytes=500_000,
        )

    def refresh(self, mode: str = "wait") -> RefreshReport:
        return self.run(self.engine.refresh(self.write(), mode))

    def generate(self, prompt: list[int], **sampling: Any) -> Generation:
        return self.run(self.engine.generate(self.request(prompt, **sampling)))

    def generate_all(self, requests: list[GenerateRequest]) -> list[Generation]:
        async def together() -> list[Generation]:
            return await asyncio.gather(*[self.engine.generate(r) for r in requests])

        return self.run(together())

    def request(self, prompt: list[int], request_id: str = "", **sampling: Any) -> GenerateRequest:
        self._requests = getattr(self, "_requests", 0) + 1
        return GenerateRequest(
            request_id=request_id or f"r{self._requests}",
            conversation_id="c",
            prompt_ids=tuple(prompt),
            sampling=Sampling(**{"max_tokens": 8, **sampling}),
        )

    def reference(
        self, ids: tuple[int, ...], temperature: float = 1.0, version: int | None = None
    ) -> np.ndarray:
        """Log-probabilities (len(ids) - 1, vocabulary) after ids[:1], ids[:2], …: float64."""
        tensors = self.tensors[self.version if version is None else version]
        if self.kind == "scripted":
            weights = {name: value.double().numpy() for name, value in tensors.items()}
            logits = np.stack([window_logits(ids[:k], weights) for k in range(1, len(ids))])
        else:
            logits = self._transformers(tensors)(torch.tensor([ids[:-1]])).logits[0].detach().numpy()
        return np.stack([log_softmax(row / temperature) for row in logits])

    def _transformers(self, tensors: dict[str, torch.Tensor]) -> Any:
        from transformers import AutoConfig, AutoModelForCausalLM

        config = AutoConfig.from_pretrained(self.model_path)
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float64).eval()
        model.load_state_dict({k: v.double() for k, v in tensors.items()}, strict=False)
        model.tie_weights()
        return model

    def expected(
        self, prompt: list[int], done: Generation, temperature: float = 1.0, version: int | None = None
    ):
        """The reference's log-probability of each sampled token, given all ids before it."""
        table = self.reference((*prompt, *done.ids), temperature, version)[len(prompt) - 1 :]
        return table[np.arange(len(done.ids)), list(done.ids)]


def prompt_of(length: int, seed: int = 0) -> list[int]:
    return [int(i) for i in np.random.default_rng(seed).integers(3, VOCABULARY, length)]
