"""An engine without vLLM, for tests: the same protocol, real manifests, a model of a few lines of numpy.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)

The same request under the same weights gives the same tokens. Time passes only through `sleep`, which a test
may give. Not covered: the cost and the batching of a real engine.
"""

from __future__ import annotations

import asyncio
import os
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping

import numpy as np
import psutil

from distrl.config.schema import EngineConfig
from distrl.engine.protocol import EngineError, EngineHealth, GenerateRequest, Generation, RefreshReport
from distrl.engine.stops import stop_ids_of
from distrl.weights.files import read_weights, require_newer
from distrl.weights.manifest import WeightManifest

Floats = np.ndarray
Model = Callable[[tuple[int, ...], Mapping[str, Floats]], Floats]
Sleep = Callable[[float], Awaitable[None]]

WINDOW = 4  # how many of the last ids the default model looks at


def window_logits(ids: tuple[int, ...], weights: Mapping[str, Floats]) -> Floats:
    """Logits (vocabulary,) in float64 from the first matrix W (vocabulary, width) of `weights`.

    W @ h / sqrt(width), where h is the sum of W's rows of the last ids, halved with each step back.
    """
    table = next(value for _, value in sorted(weights.items()) if value.ndim == 2)
    recent = ids[-WINDOW:][::-1]
    state = sum(table[i % len(table)] * 0.5**age for age, i in enumerate(recent))
    logits: Floats = table @ state * table.shape[1] ** -0.5
    return logits


def log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max()
    out: Floats = shifted - np.log(np.exp(shifted).sum())
    return out


class ScriptedEngine:
    """Samples from `model`; `token_s` seconds of `sleep` pass before each token."""

    def __init__(  # noqa: PLR0913 - as VllmEngine, plus what a test sets
        self,
        engine_id: str,
        config: EngineConfig,
        model_path: str,
        dtype: str,
        context_tokens: int,
        seed: int,
        *,
        model: Model = window_logits,
        token_s: float = 0.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        del dtype  # float64 always
        self.engine_id = engine_id
        self._config, self._context_tokens, self._seed = config, context_tokens, seed
        self._stop_ids = stop_ids_of(model_path)
        self._model, self._token_s, self._sleep = model, token_s, sleep
        self._weights: dict[str, Floats] = {}
        self._version, self._digest = -1, ""
        self._started = False
        self._admit, self._step = (
            asyncio.Event(),
            asyncio.Event(),
        )  # new requests may start; running ones may go on
        self._idle = asyncio.Event()
        self._aborts = 0  # how often "abort" was called: a request that began under a lower count ends
        self._running = 0
        self._totals = {"requests": 0, "tokens": 0, "scored_tokens": 0, "refreshes": 0, "aborted": 0}

    async def start(self) -> EngineHealth:
        self._started = True
        for event in (self._admit, self._step, self._idle):
            event.set()
        return await self.health()

    async def generate(self, request: GenerateRequest) -> Generation:
        self._require_serving()
        room = self._context_tokens - len(request.prompt_ids)
        if not request.prompt_ids or room < 1:
            raise EngineError(
                f"{self.engine_id}: request {request.request_id}: a prompt of {len(request.prompt_ids)} ids "
                f"leaves no token to sample in a context of {self._context_tokens}"
            )
        try:
            return await asyncio.wait_for(self._sample(request, room), self._config.request_timeout_s)
        except TimeoutError:
            limit_s = self._config.request_timeout_s
            raise EngineError(
                f"{self.engine_id}: waited {limit_s:.0f} s for request {request.request_id}"
            ) from None

    async def _sample(self, request: GenerateRequest, room: int) -> Generation:
        """Consumes one request, produces its tokens; waits at the gates, which `resume` opens."""
        await self._admit.wait()
        sampling, born = request.sampling, self._aborts
        seed = sampling.seed if sampling.seed is not None else zlib.crc32(request.request_id.encode())
        rng = np.random.default_rng((self._seed, seed))
        stops = {*self._stop_ids, *sampling.stop_token_ids}
        ids: list[int] = []
        logprobs: list[float] = []
        versions: list[int] = []
        reason = ""
        self._enter(1)
        try:
            while not reason:
                await self._sleep(self._token_s)
                await self._step.wait()
                if self._aborts > born:
                    reason = "abort"
                    break
                token, logprob = self._next((*request.prompt_ids, *ids), sampling.temperature, rng)
                ids.append(token)
                logprobs.append(logprob)
                versions.append(self._version)
                if token in stops:
                    reason = "stop"
                elif len(ids) == min(sampling.max_tokens, room):
                    reason = "length"
        finally:
            self._enter(-1)
        self._totals["requests"] += 1
        self._totals["tokens"] += len(ids)
        self._totals["aborted"] += reason == "abort"
        return Generation(
            request_id=request.request_id,
            ids=tuple(ids),
            logprobs=tuple(logprobs),
            versions=tuple(versions),
            stop_reason=reason,
        )

    def _next(self, ids: tuple[int, ...], temperature: float, rng: np.random.Generator) -> tuple[int, float]:
        logits = self._model(ids, self._weights)
        logp = log_softmax(logits / temperature if temperature > 0 else logits)
        token = int(rng.choice(len(logp), p=np.exp(logp)) if temperature > 0 else logp.argmax())
        return token, float(logp[token])

    def _enter(self, change: int) -> None:
        self._running += change
        (self._idle.clear if self._running else self._idle.set)()

    async def score(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        self._require_serving()
        if not 2 <= len(ids) <= self._context_tokens:
            raise EngineError(
                f"{self.engine_id}: score takes 2 to {self._context_tokens} ids, not {len(ids)}"
            )
        self._totals["requests"] += 1
        self._totals["scored_tokens"] += len(ids)
        return tuple(
            float(log_softmax(self._model(ids[:k], self._weights))[ids[k]]) for k in range(1, len(ids))
        )

    async def pause(self, mode: str) -> None:
        self._require_process()
        if mode not in ("wait", "keep", "abort"):
            raise EngineError(f"{self.engine_id}: pause mode {mode!r}: give wait, keep or abort")
        self._admit.clear()
        if mode == "keep":
            self._step.clear()
            return
        self._aborts += mode == "abort"
        try:
            await asyncio.wait_for(self._idle.wait(), self._config.request_timeout_s)
        except TimeoutError:
            raise EngineError(
                f"{self.engine_id}: waited {self._config.request_timeout_s:.0f} s for "
                f"its {self._running} running requests to pause ({mode})"
            ) from None

    async def resume(self) -> None:
        self._require_process()
        self._admit.set()
        self._step.set()

    async def refresh(self, manifest: WeightManifest, mode: str = "keep") -> RefreshReport:
        self._require_process()
        require_newer(manifest, self._version)
        start, was_paused = time.perf_counter(), not self._admit.is_set()
        await self.pause(mode)
        paused = time.perf_counter()
        try:
            tensors = read_weights(manifest)
            read = time.perf_counter()
            if self._config.fault != "skip_refresh" or not self._weights:
                self._weights = {name: value.double().numpy() for name, value in tensors.items()}
            self._version, self._digest = manifest.version, manifest.digest
        finally:
            if not was_paused:
                await self.resume()
        end = time.perf_counter()
        self._totals["refreshes"] += 1
        return RefreshReport(
            engine_id=self.engine_id,
            version=manifest.version,
            digest=self._digest,
            bytes=manifest.bytes,
            seconds={
                "pause": paused - start,
                "read": read - paused,
                "load": end - read,
                "resume": 0.0,
                "total": end - start,
            },
        )

    async def health(self) -> EngineHealth:
        self._require_process()
        return EngineHealth(
            engine_id=self.engine_id,
            version=self._version,
            digest=self._digest,
            paused=not self._admit.is_set(),
            running=self._running,
            pid=os.getpid(),
            rss_mib=psutil.Process().memory_info().rss / 2**20,
        )

    def gauges(self) -> dict[str, float]:
        return {**self._totals, "running": self._running, "version": self._version}

    async def stop(self) -> None:
        self._started = False

    def _require_process(self) -> None:
        if not self._started:
            raise EngineError(f"{self.engine_id}: not started")

    def _require_serving(self) -> None:
        self._require_process()
        if self._version < 0:
            raise EngineError(f"{self.engine_id}: no weights were published yet: call refresh first")
