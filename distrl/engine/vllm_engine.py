"""vLLM behind the engine protocol: the one file that drives AsyncLLM.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)

Ids in, ids out: no tokenizer is loaded. Log-probabilities are of the distribution that was sampled from
(`processed_logprobs`; no top-p, no top-k). The policy version of each token is stamped by vLLM's engine
process at the step that sampled it, so it is exact around a refresh, at no cost per token here.

Not covered: the GPU path is written (plain weight loading, tensor parallelism) and has not yet run on a GPU.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable
from typing import Any, TypeVar, cast

from distrl.config.schema import EngineConfig
from distrl.engine.guard import spawned_under_guard
from distrl.engine.kv_cache import BLOCK_TOKENS, plan_cache
from distrl.engine.protocol import EngineError, EngineHealth, GenerateRequest, Generation, RefreshReport
from distrl.engine.stops import stop_ids_of
from distrl.weights.files import manifest_to_json, require_newer
from distrl.weights.manifest import WeightError, WeightManifest

T = TypeVar("T")

VLLM_VERSION = "0.32."  # the calls below are those of this release
STOP_GRACE_S = 1.0  # there is nothing to save in an engine process
HEALTH_TIMEOUT_S = 60.0  # one long prefill step on a slow CPU may come before the probe
WORKER_EXTENSION = "distrl.engine.worker_extension.RefreshExtension"


class VllmEngine:
    """One AsyncLLM: `start`, then `refresh` once, then any number of calls at the same time."""

    def __init__(
        self,
        engine_id: str,
        config: EngineConfig,
        model_path: str,
        dtype: str,
        context_tokens: int,
        seed: int,
    ) -> None:
        self.engine_id = engine_id
        self._config = config
        self._model_path = model_path
        self._dtype = dtype
        self._context_tokens = context_tokens
        self._seed = seed
        self._llm: Any = None
        self._broken = ""
        self._version = -1
        self._paused = False
        self._refreshing = asyncio.Lock()
        self._stop_ids = stop_ids_of(model_path)
        self._running = 0
        self._totals: dict[str, float] = {
            "requests": 0,
            "tokens": 0,
            "scored_tokens": 0,
            "refreshes": 0,
            "aborted": 0,
        }

    async def start(self) -> EngineHealth:
        """Start the engine process and load the model; EngineError after `start_timeout_s`."""
        for name, value in environment(self._config).items():
            os.environ[name] = value
        started = time.monotonic()
        self._llm = await self._within(
            asyncio.to_thread(self._build), self._config.start_timeout_s, "its engine process to start"
        )
        self._totals["start_s"] = round(time.monotonic() - started, 3)
        return await self.health()

    def _build(self) -> Any:
        import vllm
        from vllm.v1.engine.async_llm import AsyncLLM

        if not vllm.__version__.startswith(VLLM_VERSION):
            raise EngineError(f"vllm {vllm.__version__} is installed; this adapter is for {VLLM_VERSION}x")
        vllm_config = self._engine_args().create_engine_config()
        with spawned_under_guard():
            return AsyncLLM.from_vllm_config(vllm_config, disable_log_stats=True)

    def _engine_args(self) -> Any:
        from vllm.engine.arg_utils import AsyncEngineArgs
        from vllm.v1.executor.uniproc_executor import UniProcExecutor

        config, on_gpu = self._config, self._config.gpus > 0
        options: dict[str, Any] = {}
        if not on_gpu:
            options["enforce_eager"] = True
            # One process computes and schedules: a start without a third import of vLLM, and no
            # shared-memory queue between the two that is polled while the engine is idle.
            options["distributed_executor_backend"] = UniProcExecutor
            # A prompt that is prefilled in parts makes vLLM rewind the request's random generator, which
            # a CPU generator cannot do: the engine would die. So prompts are prefilled whole.
            options["enable_chunked_prefill"] = False
            # Prompts are shared by whole blocks of keys and values: vLLM's own 128 would compute up to 127
            # tokens of a shared prompt again for every rollout.
            options["block_size"] = BLOCK_TOKENS
            cache = plan_cache(config, self._model_path, self._dtype, self._context_tokens)
            options["kv_cache_memory_bytes"] = cache.bytes
        elif config.kv_cache_mib > 0:
            options["kv_cache_memory_bytes"] = config.kv_cache_mib << 20
        return AsyncEngineArgs(
            model=self._model_path,
            skip_tokenizer_init=True,
            trust_remote_code=False,
            load_format="safetensors",
            dtype=cast(Any, self._dtype),
            seed=self._seed,
            max_model_len=self._context_tokens + 1,  # scoring a full context asks for one token more
            max_num_seqs=config.max_running,
            tensor_parallel_size=config.tensor_parallel,
            enable_prefix_caching=True,
            logprobs_mode="processed_logprobs",
            worker_extension_cls=WORKER_EXTENSION,
            disable_log_stats=True,
            **options,
        )

    async def generate(self, request: GenerateRequest) -> Generation:
        """Sample until a stop id, `max_tokens` or the context's end; EngineError after the deadline."""
        self._require_serving()
        room = self._context_tokens - len(request.prompt_ids)
        if not request.prompt_ids or room < 1:
            raise EngineError(
                f"{self.engine_id}: request {request.request_id}: a prompt of {len(request.prompt_ids)} ids "
                f"leaves no token to sample in a context of {self._context_tokens}"
            )
        output = await self._request(request.request_id, request.prompt_ids, self._sampling(request, room))
        completion = output.outputs[0]
        ids = tuple(completion.token_ids)
        reason = completion.finish_reason
        self._totals["requests"] += 1
        self._totals["tokens"] += len(ids)
        self._totals["aborted"] += reason == "abort"
        return Generation(
            request_id=request.request_id,
            ids=ids,
            logprobs=tuple(completion.logprobs.logprobs) if ids else (),
            versions=versions_of(completion.weight_versions, len(ids)),
            stop_reason=reason,
        )

    def _sampling(self, request: GenerateRequest, room: int) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        sampling = request.sampling
        return SamplingParams(
            max_tokens=min(sampling.max_tokens, room),
            temperature=sampling.temperature,
            seed=sampling.seed,
            stop_token_ids=sorted({*self._stop_ids, *sampling.stop_token_ids}),
            logprobs=0,
            flat_logprobs=True,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    async def score(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        """Log-probabilities of ids[1:] at temperature 1, computed afresh (the prefix cache is not read)."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        self._require_serving()
        if not 2 <= len(ids) <= self._context_tokens:
            raise EngineError(
                f"{self.engine_id}: score takes 2 to {self._context_tokens} ids, not {len(ids)}"
            )
        params = SamplingParams(
            max_tokens=1,
            temperature=0.0,
            prompt_logprobs=0,
            flat_logprobs=True,
            skip_reading_prefix_cache=True,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        output = await self._request(f"score-{self._totals['requests']}-{id(params)}", ids, params)
        self._totals["requests"] += 1
        self._totals["scored_tokens"] += len(ids)
        scored = output.prompt_logprobs
        return tuple(scored.logprobs[start] for start in scored.start_indices[1:])

    async def _request(self, request_id: str, ids: tuple[int, ...], params: Any) -> Any:
        async def last_output() -> Any:
            final = None
            async for output in self._llm.generate({"prompt_token_ids": list(ids)}, params, request_id):
                final = output
            return final

        self._running += 1
        try:
            return await self._within(last_output(), self._config.request_timeout_s, f"request {request_id}")
        finally:
            self._running -= 1

    async def pause(self, mode: str) -> None:
        """Stop sampling and drop all cached keys and values; requests that arrive now wait for `resume`."""
        self._require_process()
        await self._within(
            self._llm.pause_generation(mode=mode, clear_cache=True),
            self._config.request_timeout_s,
            f"its running requests to pause ({mode})",
        )
        self._paused = True

    async def resume(self) -> None:
        self._require_process()
        await self._within(self._llm.resume_generation(), HEALTH_TIMEOUT_S, "its scheduler to resume")
        self._paused = False

    async def refresh(self, manifest: WeightManifest, mode: str = "keep") -> RefreshReport:
        """Serve `manifest` from the next sampled token on; WeightError leaves the engine as it was.

        The pause empties the prefix cache; requests frozen by "keep" compute their keys and values again. A
        digest that differs from the announced one after a load is fatal: the engine never serves again.
        """
        self._require_process()
        async with self._refreshing:
            require_newer(manifest, self._version)
            was_paused, start = self._paused, time.perf_counter()
            await self.pause(mode)
            paused = time.perf_counter()
            try:
                states = await self._rpc(
                    "distrl_refresh",
                    self._config.request_timeout_s,
                    (manifest_to_json(manifest), self._config.fault),
                )
            except EngineError as error:  # failed or too late: the weights may be neither old nor new
                self._broken = self._broken or f"the load of version {manifest.version} did not end: {error}"
                raise
            refused = [state["refused"] for state in states if "refused" in state]
            if not refused:
                await self._adopt(manifest, states)
            loaded = time.perf_counter()
            if not was_paused:
                await self.resume()
            if refused:
                raise WeightError(f"{self.engine_id}: {refused[0]}")
        end = time.perf_counter()
        slowest = {phase: max(state["seconds"][phase] for state in states) for phase in ("read", "load")}
        return RefreshReport(
            engine_id=self.engine_id,
            version=manifest.version,
            digest=states[0]["digest"],
            bytes=manifest.bytes,
            seconds={"pause": paused - start, **slowest, "resume": end - loaded, "total": end - start},
        )

    async def _adopt(self, manifest: WeightManifest, states: list[dict[str, Any]]) -> None:
        """Check what every worker says it serves, and label the tokens from here on with the new version."""
        served = {(state.get("version"), state.get("digest")) for state in states}
        if served != {(manifest.version, manifest.digest)}:
            self._broken = f"serves {sorted(map(str, served))} instead of version {manifest.version}"
            raise WeightError(f"{self.engine_id}: {self._broken} ({manifest.digest[:12]} was announced)")
        await self._within(
            self._llm.update_weight_version(str(manifest.version)), HEALTH_TIMEOUT_S, "its version label"
        )
        self._version = manifest.version
        self._totals["refreshes"] += 1

    async def health(self) -> EngineHealth:
        """Asks the process that computes; EngineError when it is dead, broken, or silent for 60 s."""
        if self._broken:
            raise EngineError(f"{self.engine_id}: {self._broken}")
        state = (await self._rpc("distrl_state", HEALTH_TIMEOUT_S))[0]
        return EngineHealth(
            engine_id=self.engine_id,
            version=state["version"],
            digest=state["digest"],
            paused=self._paused,
            running=self._running,
            pid=state["pid"],
            rss_mib=state["rss_mib"],
        )

    def gauges(self) -> dict[str, float]:
        """Counters since the start, requests in flight, and the version that is served."""
        return {**self._totals, "running": self._running, "version": self._version}

    async def stop(self) -> None:
        """End the engine process; a second call does nothing."""
        llm, self._llm = self._llm, None
        self._broken = self._broken or "stopped"
        if llm is not None:
            await asyncio.to_thread(llm.shutdown, STOP_GRACE_S)

    async def _rpc(self, method: str, timeout_s: float, args: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
        self._require_process()
        call = self._llm.collective_rpc(method, args=args)
        answers: list[dict[str, Any]] = await self._within(call, timeout_s, f"its worker to answer {method}")
        return answers

    async def _within(self, call: Awaitable[T], timeout_s: float, what: str) -> T:
        """The result of `call`; vLLM's errors and the deadline become EngineError naming this engine."""
        try:
            return await asyncio.wait_for(call, timeout_s)
        except TimeoutError:
            raise EngineError(f"{self.engine_id}: waited {timeout_s:.0f} s for {what}") from None
        except (EngineError, WeightError):
            raise
        except Exception as error:
            if type(error).__name__ == "EngineDeadError":
                self._broken = f"{type(error).__name__} while waiting for {what}"
            raise EngineError(f"{self.engine_id}: {what}: {type(error).__name__}: {error}") from error

    def _require_process(self) -> None:
        if self._broken or self._llm is None:
            raise EngineError(f"{self.engine_id}: {self._broken or 'not started'}")

    def _require_serving(self) -> None:
        self._require_process()
        if self._version < 0:
            raise EngineError(f"{self.engine_id}: no weights were published yet: call refresh first")


def environment(config: EngineConfig) -> dict[str, str]:
    """Variables that vLLM reads at import or at the start of its process."""
    out = {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
    if "VLLM_LOGGING_LEVEL" not in os.environ:
        out["VLLM_LOGGING_LEVEL"] = "WARNING"
    if config.gpus > 0:
        return out
    threads = config.threads or len(os.sched_getaffinity(0))
    # Eager CPU: with dynamo on, the first request that asks for log-probabilities would compile for seconds.
    return out | {"TORCHDYNAMO_DISABLE": "1", "OMP_NUM_THREADS": str(threads)}


def versions_of(spans: Any, tokens: int) -> tuple[int, ...]:
    """One version a token from vLLM's contiguous spans; EngineError when they do not cover the tokens."""
    out = tuple(int(span.version) for span in spans or () for _ in range(span.start, span.end))
    if len(out) != tokens:
        raise EngineError(f"versions of {len(out)} tokens for {tokens} sampled tokens")
    return out
