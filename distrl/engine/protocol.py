"""What a rollout engine is: token ids in; ids, log-probabilities and policy versions out.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)

Two implementations: `engine.vllm_engine.VllmEngine` and, for tests, `engine.scripted.ScriptedEngine`.
One contract suite (tests/contract) runs on both. `engine.actor.EngineActor` is the thin Ray shell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from distrl.weights.manifest import WeightManifest


class EngineError(RuntimeError):
    """The engine cannot serve; the message names the engine and the cause."""


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How to sample. `temperature=0` is greedy. No top-p or top-k: behaviour log-probabilities stay exact."""

    max_tokens: int
    temperature: float = 1.0
    stop_token_ids: tuple[int, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """`request_id` is unique; `conversation_id` is the same for all turns of an episode (sticky routing)."""

    request_id: str
    conversation_id: str
    prompt_ids: tuple[int, ...]
    sampling: Sampling


@dataclass(frozen=True, kw_only=True)
class Generation:
    """What was sampled. The stop token, when sampled, is part of `ids`.

    `logprobs[k]` (nats) is of the distribution that was sampled from (temperature applied; for greedy the
    raw one); `versions[k]` the policy version that sampled token k.
    """

    request_id: str
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    versions: tuple[int, ...]
    stop_reason: str  # "stop" | "length" | "abort"


@dataclass(frozen=True, kw_only=True)
class EngineHealth:
    """The answer of a probe that reached the process that computes, not only the actor before it."""

    engine_id: str
    version: int  # policy version served now
    digest: str  # digest of the weights served now
    paused: bool
    running: int  # requests in flight
    pid: int
    rss_mib: float


@dataclass(frozen=True, kw_only=True)
class RefreshReport:
    """A refresh that was verified: the engine serves `version`, whose digest equals the manifest's."""

    engine_id: str
    version: int
    digest: str
    bytes: int
    seconds: dict[str, float] = field(default_factory=dict)  # "pause", "read", "load", "resume", "total"


class Engine(Protocol):
    """Every method has a deadline inside; an engine that cannot answer raises EngineError."""

    async def start(self) -> EngineHealth: ...
    async def generate(self, request: GenerateRequest) -> Generation: ...
    async def score(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        """Log-probability (nats, temperature 1) of ids[1:] each given its prefix; length len(ids) - 1."""
        ...

    async def pause(self, mode: str) -> None:
        """`mode`: "wait" drains running requests, "keep" freezes them, "abort" ends them with partials."""
        ...

    async def resume(self) -> None: ...
    async def refresh(self, manifest: WeightManifest, mode: str = "keep") -> RefreshReport:
        """pause(mode) -> load -> verify digest -> reset prefix cache -> resume. Versions only rise."""
        ...

    async def health(self) -> EngineHealth: ...
    def gauges(self) -> dict[str, float]: ...
    async def stop(self) -> None: ...
