"""Every key a user can set, with its type, default and meaning.

`python -m distrl.launch --help` prints this file's content; an unknown key or a wrong type is refused.
A component gets its own part (EngineConfig, LearnerConfig, …), never the whole.
"""

# ruff: noqa: RUF009 - `key` returns a dataclass field, which is what a default should be

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def key(default: Any, meaning: str) -> Any:
    """A config key: its default and one line of meaning (units included)."""
    if isinstance(default, (dict, list)):
        return field(default_factory=lambda: type(default)(default), metadata={"help": meaning})
    return field(default=default, metadata={"help": meaning})


@dataclass
class RunConfig:
    """The run itself."""

    dir: str = key("runs", "folder that holds run folders")
    name: str = key("", "name of this run's folder; empty: made from the config's name and the seed")
    seed: int = key(0, "seed of tasks, sampling and shuffling")
    resume: bool = key(
        True, "continue from the newest verified checkpoint in the run's folder, if there is one"
    )
    time_limit_minutes: float = key(0.0, "stop training in good order after this many minutes; 0: no limit")


@dataclass
class RayConfig:
    """The Ray cluster."""

    address: str = key("local", "`local` starts a private Ray; `auto` or host:port attaches to a cluster")
    dashboard: bool = key(True, "start the Ray dashboard on loopback, with a token (local Ray only)")
    dashboard_port: int = key(8265, "port of the dashboard; the next free one is taken when it is in use")
    object_store_mib: int = key(512, "object store of a local Ray, MiB")


@dataclass
class ModelConfig:
    """The policy's starting point."""

    name: str = key("smollm2-135m", "known name, local Hugging Face folder, or hub id; safetensors only")
    cache_dir: str = key("", "where converted models lie; empty: $DISTRL_CACHE or ~/.cache/distrl")
    dtype: str = key(
        "auto", "compute type `bfloat16`, `float32` or `auto` (bfloat16 where the device has it)"
    )


@dataclass
class EnvConfig:
    """Where tasks and rewards come from."""

    id: str = key("distrl/ClinicalTools-v0", "registered environment")
    reward: str = key("graded", "name of the environment's reward rule")
    options: dict[str, Any] = key({}, "keyword arguments of the environment")


@dataclass
class DataConfig:
    """Which tasks are trained on and which are held out."""

    path: str = key("", "task file (JSONL or Parquet); empty: the environment's own seeded generator")
    train_tasks: int = key(512, "how many training tasks are drawn; 0: all of a file")
    heldout_tasks: int = key(64, "how many held-out tasks are drawn; 0: all of a file's held-out part")
    heldout_fraction: float = key(0.2, "share of a file's rows that is held out, chosen by a hash of the row")
    options: dict[str, Any] = key({}, "keyword arguments of the task source")


@dataclass
class RolloutConfig:
    """Env workers and the three budgets."""

    workers: int = key(1, "env-worker actors")
    episodes_per_worker: int = key(64, "episodes that one worker runs at once")
    temperature: float = key(1.0, "sampling temperature; the learner reproduces it")
    turn_tokens: int = key(256, "sampled tokens in one turn, at most")
    episode_tokens: int = key(1024, "sampled tokens in one episode, at most")
    context_tokens: int = key(1024, "prompt plus response in the context, at most")
    tool_prompt: str = key("none", "tools in the prompt: `full` schemas, `brief` signatures, or `none`")
    episode_timeout_s: float = key(600.0, "wall-clock limit of one episode, seconds")


@dataclass
class EngineConfig:
    """Rollout engines."""

    kind: str = key("vllm", "`vllm`, or `scripted` (tests only)")
    count: int = key(1, "engine actors")
    cpus: float = key(1.0, "Ray CPUs that one engine reserves")
    gpus: float = key(0.0, "Ray GPUs that one engine reserves")
    tensor_parallel: int = key(1, "GPUs over which one engine shards the model")
    threads: int = key(0, "CPU threads of one engine; 0: all cores of the machine (CPU engines only)")
    max_running: int = key(64, "sequences that one engine runs at once")
    kv_cache_mib: int = key(
        0, "memory of the KV cache, MiB; 0: room for `max_running` full contexts (CPU), the free share (GPU)"
    )
    start_timeout_s: float = key(420.0, "limit for the start of one engine, seconds")
    request_timeout_s: float = key(600.0, "limit for one generate or score call, seconds")
    fault: str = key("", "planted fault for tests: `skip_refresh` accepts weights and does not load them")


@dataclass
class ColdStartConfig:
    """Supervised steps on the environment's gold trajectories before reinforcement learning."""

    steps: int = key(0, "supervised optimiser steps; 0: none")
    epochs: float = key(0.0, "instead of steps: passes over the training tasks")
    batch_size: int = key(8, "gold trajectories in one step")
    lr: float = key(
        1e-4, "peak learning rate; linear warm-up over a tenth of the steps, cosine decay to a tenth"
    )


@dataclass
class AlgoConfig:
    """The policy-gradient objective."""

    name: str = key("grpo", "registered objective")
    groups_per_step: int = key(8, "groups (tasks) with a signal that one step trains on")
    group_size: int = key(8, "rollouts of one group (G)")
    extra_groups: float = key(
        1.0, "zero-variance groups are replaced by up to this many times groups_per_step"
    )
    clip_low: float = key(0.2, "lower clip range of the importance ratio")
    clip_high: float = key(0.2, "upper clip range of the importance ratio")
    normalise_std: bool = key(True, "divide a group's advantages by their standard deviation")
    updates_per_step: int = key(1, "optimiser steps on one batch of groups (each on its own share)")
    mismatch: str = key(
        "truncate", "engine-learner mismatch: `truncate` the ratio at mismatch_cap, or `none`"
    )
    mismatch_cap: float = key(2.0, "cap of the truncated importance ratio between learner and engine")
    max_empty_batches: int = key(3, "stop after this many batches in a row in which no group had a signal")


@dataclass
class LearnerConfig:
    """The learner actor."""

    lr: float = key(1e-5, "peak learning rate of the reinforcement part")
    warmup_steps: int = key(0, "linear warm-up of the reinforcement part, steps")
    weight_decay: float = key(0.0, "AdamW weight decay")
    betas: list[float] = key([0.9, 0.95], "AdamW betas")
    grad_clip: float = key(1.0, "global gradient norm above which gradients are scaled down")
    microbatch_tokens: int = key(2048, "tokens in one packed micro-batch (a longer row stands alone)")
    logprob_chunk: int = key(512, "positions whose logits exist at once")
    share_prefix: bool = key(True, "compute the prompt that a group's rollouts share once")
    gradient_checkpointing: bool = key(False, "trade compute for memory")
    threads: int = key(0, "CPU threads of the learner; 0: all cores of the machine")
    cpus: float = key(1.0, "Ray CPUs that the learner reserves")
    gpus: float = key(0.0, "Ray GPUs that the learner reserves")
    timeout_s: float = key(1800.0, "limit for one learner step, seconds")
    max_nonfinite: int = key(3, "stop after this many non-finite losses in a row")


@dataclass
class EvalConfig:
    """Held-out evaluation: before, after the cold start, every so many steps, and at the end."""

    every: int = key(0, "evaluate every so many steps; 0: only at the three fixed places")
    temperatures: list[float] = key([0.0, 1.0], "each held-out task is run at each temperature")
    samples: int = key(1, "rollouts of each task at a temperature above 0")
    before: bool = key(True, "evaluate before any training")


@dataclass
class CheckpointConfig:
    """Checkpoints and export."""

    every: int = key(5, "steps between checkpoints; 0: only at the end")
    keep: int = key(2, "verified checkpoints that are kept")


@dataclass
class Config:
    """The whole run."""

    run: RunConfig = field(default_factory=RunConfig)
    ray: RayConfig = field(default_factory=RayConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    env: EnvConfig = field(default_factory=EnvConfig)
    data: DataConfig = field(default_factory=DataConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    cold_start: ColdStartConfig = field(default_factory=ColdStartConfig)
    algo: AlgoConfig = field(default_factory=AlgoConfig)
    learner: LearnerConfig = field(default_factory=LearnerConfig)
    eval: EvalConfig = field(default_factory=EvalConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    steps: int = field(default=20, metadata={"help": "reinforcement steps"})
