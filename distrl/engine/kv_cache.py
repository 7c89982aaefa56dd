"""How large an engine's cache of keys and values has to be, so that no running request is put back.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)

A vLLM engine whose cache is full puts back a running request and computes all of it again later: nothing
fails, it only takes longer. On a CPU the cache is therefore sized for every sequence that may run at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import psutil

from distrl.config.schema import EngineConfig

BLOCK_TOKENS = 32  # tokens of one block on a CPU: the least that vLLM's CPU attention takes
MEMORY_SHARE = 0.25  # of the machine's memory, at most, when the size is ours to choose
ITEM_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True, kw_only=True)
class CachePlan:
    """`bytes` of the cache, and how many full contexts of `context_tokens` it holds."""

    bytes: int
    context_tokens: int
    contexts: int
    wanted: int  # engine.max_running

    def shortfall(self) -> str:
        """A line for people when not every running sequence can have a full context, else ""."""
        if self.contexts >= self.wanted:
            return ""
        return (
            f"the engine's KV cache of {self.bytes >> 20} MiB holds {self.contexts} full contexts of "
            f"{self.context_tokens} tokens and engine.max_running is {self.wanted}: when it is full, running "
            "requests are put back and computed again; raise engine.kv_cache_mib or lower engine.max_running"
        )


def token_bytes(model_path: str, dtype: str) -> int:
    """Bytes of the keys and values of one token over all layers."""
    config = json.loads((Path(model_path) / "config.json").read_text())
    heads = config["num_attention_heads"]
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    key_heads = config.get("num_key_value_heads") or heads
    return 2 * config["num_hidden_layers"] * key_heads * head_dim * ITEM_BYTES[dtype]


def plan_cache(config: EngineConfig, model_path: str, dtype: str, context_tokens: int) -> CachePlan:
    """The size that was asked for, or with `kv_cache_mib` 0 what `max_running` full contexts need.

    One context more stands for the block that vLLM keeps back and for blocks of past prompts.
    """
    blocks = -(-(context_tokens + 1) // BLOCK_TOKENS)
    context_bytes = blocks * BLOCK_TOKENS * token_bytes(model_path, dtype)
    limit = int(psutil.virtual_memory().total * MEMORY_SHARE)
    size = config.kv_cache_mib << 20 or min(limit, (config.max_running + 1) * context_bytes)
    return CachePlan(
        bytes=size,
        context_tokens=context_tokens,
        contexts=size // context_bytes,
        wanted=config.max_running,
    )
