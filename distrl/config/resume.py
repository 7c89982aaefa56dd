"""Whether a run folder's checkpoint may continue under a config: what the numbers depend on must be equal."""

from __future__ import annotations

from pathlib import Path

from distrl.config.errors import ConfigError
from distrl.config.keys import get, known_keys
from distrl.config.schema import Config
from distrl.config.sources import read_conf

CHECKPOINTS = "checkpoints"
"""The run folder's folder of checkpoints: while it is empty, a run has nothing to contradict."""

_SECTIONS = ("env.", "data.", "cold_start.", "algo.")
_KEYS = (
    "run.seed",
    "model.name",
    "model.dtype",
    "rollout.temperature",
    "rollout.turn_tokens",
    "rollout.episode_tokens",
    "rollout.context_tokens",
    "rollout.tool_prompt",
    "learner.lr",
    "learner.warmup_steps",
    "learner.weight_decay",
    "learner.betas",
    "learner.grad_clip",
)


def matters(name: str) -> bool:
    """True for keys that a resumed run may not change; places, limits and sizes of machines may change."""
    return name in _KEYS or name.startswith(_SECTIONS)


def check_resume(config: Config, run_dir: str) -> None:
    """Raises ConfigError naming what differs from the config that the folder's checkpoints were made with."""
    saved = Path(run_dir) / "config.yaml"
    checkpoints = Path(run_dir) / CHECKPOINTS
    if not saved.exists() or not checkpoints.is_dir() or not any(checkpoints.iterdir()):
        return
    old = read_conf(saved)[-1][1]
    changed = [
        f"{name} was {before!r}, is {get(config, name)!r}"
        for name in known_keys()
        if matters(name) and (before := _lookup(old, name, get(config, name))) != get(config, name)
    ]
    if changed:
        raise ConfigError(
            f"{run_dir} holds checkpoints of another config: {'; '.join(changed)}; "
            "set run.name to a new name, or run.resume=false"
        )


def _lookup(tree: object, name: str, default: object) -> object:
    """The value at a dotted key of a nested mapping; `default` for a key that it does not hold."""
    for part in name.split("."):
        if not isinstance(tree, dict) or part not in tree:
            return default
        tree = tree[part]
    return tree
