"""What a config must satisfy beyond its types, as tables: one value at a time, then combinations.

Every line names the value and the mend. An option that could do nothing is refused like a wrong one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from distrl.config.errors import ConfigError, did_you_mean
from distrl.config.keys import get, known_keys
from distrl.config.schema import Config

CHOICES: dict[str, tuple[str, ...]] = {
    "model.dtype": ("auto", "float32", "bfloat16"),
    "rollout.tool_prompt": ("none", "brief", "full"),
    "engine.kind": ("vllm", "scripted"),
    "engine.fault": ("", "skip_refresh"),
    "algo.mismatch": ("truncate", "none"),
}

AT_LEAST: dict[str, float] = {
    "steps": 0,
    "run.seed": 0,
    "run.time_limit_minutes": 0,
    "ray.dashboard_port": 1024,
    "ray.object_store_mib": 80,  # Ray's own minimum is 75 MiB
    "data.train_tasks": 0,
    "data.heldout_tasks": 0,
    "rollout.workers": 1,
    "rollout.episodes_per_worker": 1,
    "rollout.turn_tokens": 1,
    "engine.count": 1,
    "engine.cpus": 0,
    "engine.gpus": 0,
    "engine.tensor_parallel": 1,
    "engine.threads": 0,
    "engine.max_running": 1,
    "engine.kv_cache_mib": 0,
    "cold_start.steps": 0,
    "cold_start.epochs": 0,
    "cold_start.batch_size": 1,
    "algo.groups_per_step": 1,
    "algo.group_size": 2,  # an advantage is relative to the group
    "algo.extra_groups": 0,
    "algo.mismatch_cap": 1,
    "algo.updates_per_step": 1,
    "algo.max_empty_batches": 1,
    "learner.warmup_steps": 0,
    "learner.weight_decay": 0,
    "learner.microbatch_tokens": 1,
    "learner.logprob_chunk": 1,
    "learner.threads": 0,
    "learner.cpus": 0,
    "learner.gpus": 0,
    "learner.max_nonfinite": 1,
    "eval.every": 0,
    "eval.samples": 1,
    "checkpoint.every": 0,
    "checkpoint.keep": 1,
}

AT_MOST: dict[str, float] = {
    "run.seed": 2**31 - 1,
    "ray.dashboard_port": 65535,
    "learner.gpus": 1,  # one learner rank
}

ABOVE_ZERO: dict[str, str] = {
    "rollout.temperature": "training needs sampling (greedy belongs to eval.temperatures)",
    "rollout.episode_timeout_s": "a limit in seconds",
    "engine.start_timeout_s": "a limit in seconds",
    "engine.request_timeout_s": "a limit in seconds",
    "learner.timeout_s": "a limit in seconds",
    "learner.lr": "a rate of 0 learns nothing",
    "learner.grad_clip": "a norm of 0 would stop every step",
    "cold_start.lr": "a rate of 0 learns nothing",
    "algo.clip_high": "a range of 0 clips every token",
}

FRACTIONS = ("data.heldout_fraction", "algo.clip_low")
"""Strictly between 0 and 1."""


class Rule(NamedTuple):
    """A combination that cannot run: `broken` tells, `says` writes the line."""

    broken: Callable[[Config], bool]
    says: Callable[[Config], str]


def _changed(c: Config, *names: str) -> str:
    """The first of `names` that differs from its default, or an empty text."""
    return next((n for n in names if get(c, n) != known_keys()[n].default), "")


_LOCAL_RAY_ONLY = ("ray.dashboard", "ray.dashboard_port", "ray.object_store_mib")

RULES: tuple[Rule, ...] = (
    Rule(
        lambda c: c.rollout.context_tokens <= c.rollout.turn_tokens,
        lambda c: (
            f"rollout.context_tokens={c.rollout.context_tokens} leaves no room for a prompt beside "
            f"rollout.turn_tokens={c.rollout.turn_tokens}; raise the first or lower the second"
        ),
    ),
    Rule(
        lambda c: c.rollout.episode_tokens < c.rollout.turn_tokens,
        lambda c: (
            f"rollout.episode_tokens={c.rollout.episode_tokens} is below "
            f"rollout.turn_tokens={c.rollout.turn_tokens}; an episode holds at least one turn"
        ),
    ),
    Rule(
        lambda c: c.rollout.episodes_per_worker < c.algo.group_size,
        lambda c: (
            f"rollout.episodes_per_worker={c.rollout.episodes_per_worker} is below "
            f"algo.group_size={c.algo.group_size}; one worker runs a whole group at once"
        ),
    ),
    Rule(
        lambda c: c.algo.updates_per_step > c.algo.groups_per_step,
        lambda c: (
            f"algo.updates_per_step={c.algo.updates_per_step} exceeds "
            f"algo.groups_per_step={c.algo.groups_per_step}; each update needs a group of its own"
        ),
    ),
    Rule(
        lambda c: c.algo.mismatch == "none" and bool(_changed(c, "algo.mismatch_cap")),
        lambda c: f"algo.mismatch_cap={c.algo.mismatch_cap} does nothing with algo.mismatch=none; drop one",
    ),
    Rule(
        lambda c: c.cold_start.steps > 0 and c.cold_start.epochs > 0,
        lambda c: (
            f"cold_start.steps={c.cold_start.steps} and cold_start.epochs={c.cold_start.epochs} "
            "are both set; keep one and set the other to 0"
        ),
    ),
    Rule(
        lambda c: not c.data.path and 0 in (c.data.train_tasks, c.data.heldout_tasks),
        lambda c: (
            f"data.{'train' if c.data.train_tasks == 0 else 'heldout'}_tasks=0 means all of a file, "
            "and data.path is empty; name a file or give a number of tasks"
        ),
    ),
    Rule(
        lambda c: not c.data.path and bool(_changed(c, "data.heldout_fraction")),
        lambda c: (
            f"data.heldout_fraction={c.data.heldout_fraction} does nothing without data.path "
            "(a generator has its own held-out split); set data.path or drop it"
        ),
    ),
    Rule(
        lambda c: c.engine.tensor_parallel > 1 and c.engine.gpus < c.engine.tensor_parallel,
        lambda c: (
            f"engine.tensor_parallel={c.engine.tensor_parallel} needs that many GPUs, and "
            f"engine.gpus={c.engine.gpus:g}; set engine.gpus={c.engine.tensor_parallel}"
        ),
    ),
    Rule(
        lambda c: c.engine.gpus > 1 and c.engine.gpus != c.engine.tensor_parallel,
        lambda c: (
            f"engine.gpus={c.engine.gpus:g} reserves GPUs that engine.tensor_parallel="
            f"{c.engine.tensor_parallel} does not use; make the two equal"
        ),
    ),
    Rule(
        lambda c: c.engine.gpus > 0 and c.engine.threads > 0,
        lambda c: (
            f"engine.threads={c.engine.threads} does nothing with engine.gpus={c.engine.gpus:g}; set it to 0"
        ),
    ),
    Rule(
        lambda c: c.ray.address != "local" and bool(_changed(c, *_LOCAL_RAY_ONLY)),
        lambda c: (
            f"{(n := _changed(c, *_LOCAL_RAY_ONLY))}={get(c, n)} does nothing when attaching "
            f"(ray.address={c.ray.address}); set it where that cluster is started, or use ray.address=local"
        ),
    ),
    Rule(
        lambda c: not c.ray.dashboard and bool(_changed(c, "ray.dashboard_port")),
        lambda c: (
            f"ray.dashboard_port={c.ray.dashboard_port} does nothing with ray.dashboard=false; drop one"
        ),
    ),
    Rule(
        lambda c: c.eval.samples > 1 and not any(t > 0 for t in c.eval.temperatures),
        lambda c: (
            f"eval.samples={c.eval.samples} does nothing at eval.temperatures={c.eval.temperatures} "
            "(greedy is the same every time); add a temperature above 0 or set it to 1"
        ),
    ),
)

_ADDRESS = re.compile(r"^(?:local|auto|(?:ray://)?(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5})$")
_ENV_ID = re.compile(r"^(?:[\w.-]+/)?[\w.-]+$")


def _fail(name: str, value: Any, need: str) -> None:
    raise ConfigError(f"{name}={value!r} {need}")


def _single(config: Config) -> None:
    """One value at a time: in range, one of the known words."""
    for name, words in CHOICES.items():
        if get(config, name) not in words:
            shown = ", ".join(repr(w) for w in words)
            _fail(name, get(config, name), f"is not one of {shown}{did_you_mean(get(config, name), words)}")
    for name, low in AT_LEAST.items():
        if get(config, name) < low:
            _fail(name, get(config, name), f"is too small; at least {low:g}")
    for name, high in AT_MOST.items():
        if get(config, name) > high:
            _fail(name, get(config, name), f"is too large; at most {high:.0f}")
    for name, reason in ABOVE_ZERO.items():
        if get(config, name) <= 0:
            _fail(name, get(config, name), f"must be above 0: {reason}")
    for name in FRACTIONS:
        if not 0 < get(config, name) < 1:
            _fail(name, get(config, name), "must lie between 0 and 1, both excluded")


def _finite(config: Config) -> None:
    for name in known_keys():
        value = get(config, name)
        numbers = [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, float)]
        if not all(map(math.isfinite, numbers)):
            _fail(name, value, "is not a finite number")


def _lists(config: Config) -> None:
    betas, temperatures = config.learner.betas, config.eval.temperatures
    if len(betas) != 2 or not all(0 <= b < 1 for b in betas):
        _fail("learner.betas", betas, "must be two numbers from 0 to below 1, e.g. [0.9, 0.95]")
    if not temperatures or len(set(temperatures)) != len(temperatures) or min(temperatures) < 0:
        _fail("eval.temperatures", temperatures, "must be different numbers of at least 0, e.g. [0.0, 1.0]")


def _names(config: Config) -> None:
    if not _ADDRESS.match(config.ray.address):
        _fail("ray.address", config.ray.address, "is not `local`, `auto` or host:port, e.g. 127.0.0.1:6379")
    if not _ENV_ID.match(config.env.id):
        _fail("env.id", config.env.id, "is no environment id, e.g. distrl/ClinicalTools-v0")
    name = config.run.name
    if name in (".", "..") or "/" in name or "\\" in name or not name.isprintable() or len(name) > 100:
        _fail(
            "run.name",
            name,
            "must be one folder name (no slash, at most 100 characters); run.dir is the place",
        )
    if not config.model.name.strip():
        _fail("model.name", config.model.name, "is empty; e.g. smollm2-135m, a local folder or a hub id")


def _files(config: Config) -> None:
    """Paths that must exist, or must not be files."""
    path = Path(config.data.path)
    if config.data.path and not path.is_file():
        if path.is_dir():
            _fail("data.path", config.data.path, "is a folder; name the JSONL or Parquet file in it")
        near = [str(p) for p in sorted(path.parent.glob("*")) if p.suffix in (".jsonl", ".parquet", ".json")]
        hint = did_you_mean(str(path), near) or (
            f"; the folder {str(path.parent)!r} does not exist" if not path.parent.is_dir() else ""
        )
        _fail("data.path", config.data.path, f"does not exist{hint}")
    for folder in (Path(config.run.dir), Path(config.run.dir) / config.run.name):
        if folder.exists() and not folder.is_dir():
            _fail("run.dir", config.run.dir, f"cannot hold the run: {str(folder)!r} is a file")


def validate(config: Config) -> None:
    """Raises `ConfigError` for the first value or combination that cannot run."""
    for check in (_finite, _single, _lists, _names):
        check(config)
    for rule in RULES:
        if rule.broken(config):
            raise ConfigError(rule.says(config))
    _files(config)
