"""The Ray shell around one engine: it builds the implementation, lends its methods, and dies with it.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)

A plain class: the caller makes it an actor, `ray.remote(EngineActor).options(name=…, max_concurrency=1000)`.
A live actor before a dead engine helps nobody, so a failed probe ends the actor's process; the engine's own
processes watch the actor (engine.guard) and end when it ends, however it ends.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from distrl.config.schema import EngineConfig
from distrl.engine.protocol import (
    Engine,
    EngineError,
    EngineHealth,
    GenerateRequest,
    Generation,
    RefreshReport,
)
from distrl.engine.scripted import ScriptedEngine
from distrl.engine.vllm_engine import VllmEngine
from distrl.weights.claim import PREFIX, claim_folder
from distrl.weights.files import receive_weights
from distrl.weights.manifest import WeightManifest

KINDS: dict[str, type[VllmEngine] | type[ScriptedEngine]] = {"vllm": VllmEngine, "scripted": ScriptedEngine}
DEAD_ENGINE_EXIT = 71  # exit code of an actor whose engine no longer answers
PART_TIMEOUT_S = 120.0  # one part (2 GiB at most) from the learner's node


class EngineActor:
    """One engine. Every call has the engine's own deadline."""

    def __init__(
        self,
        engine_id: str,
        config: EngineConfig,
        model_path: str,
        dtype: str,
        context_tokens: int,
        seed: int,
    ) -> None:
        if config.kind not in KINDS:
            raise ValueError(f"engine.kind={config.kind!r}: give one of {', '.join(KINDS)}")
        self._engine_id = engine_id
        self._engine: Engine = KINDS[config.kind](engine_id, config, model_path, dtype, context_tokens, seed)
        self._serving = False
        self._inbox = _inbox(engine_id)
        self._claim = 0  # descriptor of the lock on the inbox, once it is used

    async def start(self) -> EngineHealth:
        health = await self._engine.start()
        self._serving = True
        return health

    async def generate(self, request: GenerateRequest) -> Generation:
        """The engine's answer. After a failure comes a probe: a dead engine must not go on failing fast."""
        try:
            return await self._engine.generate(request)
        except EngineError:
            await self.health()
            raise

    async def score(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        return await self._engine.score(ids)

    async def pause(self, mode: str) -> None:
        await self._engine.pause(mode)

    async def resume(self) -> None:
        await self._engine.resume()

    async def refresh(self, manifest: WeightManifest, mode: str = "keep") -> RefreshReport:
        return await self._engine.refresh(manifest, mode)

    async def refresh_from(self, manifest: WeightManifest, learner: Any, mode: str = "keep") -> RefreshReport:
        """`refresh` on another node than the learner's: its part bytes come over the object store first."""
        parts = []
        for index in range(len(manifest.parts)):
            ref = learner.part_bytes.remote(manifest.version, index)
            try:
                parts.append(await asyncio.wait_for(ref, PART_TIMEOUT_S))
            except TimeoutError:
                raise EngineError(
                    f"{self._engine_id}: waited {PART_TIMEOUT_S:.0f} s for the learner's part {index} "
                    f"of version {manifest.version}"
                ) from None
        self._claim = self._claim or claim_folder(str(self._inbox))
        local = await asyncio.to_thread(receive_weights, manifest, parts, str(self._inbox))
        del parts
        return await self._engine.refresh(local, mode)

    async def health(self) -> EngineHealth:
        """The engine's own answer; when a started engine cannot give one, this process ends."""
        try:
            return await self._engine.health()
        except EngineError as error:
            if self._serving:
                print(f"{self._engine_id}: the engine is dead: {error}", file=sys.stderr, flush=True)
                shutil.rmtree(self._inbox, ignore_errors=True)
                os._exit(DEAD_ENGINE_EXIT)
            raise

    async def gauges(self) -> dict[str, float]:
        return self._engine.gauges()

    async def stop(self) -> None:
        """End the engine's processes; the actor itself is ended by its owner."""
        self._serving = False
        await self._engine.stop()
        shutil.rmtree(self._inbox, ignore_errors=True)


def _inbox(engine_id: str) -> Path:
    """Where parts from another node lie: shared memory where there is any, else the temporary folder."""
    root = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(os.environ.get("TMPDIR", "/tmp"))  # noqa: S108
    return root / f"{PREFIX}{engine_id}-{os.getpid()}"
