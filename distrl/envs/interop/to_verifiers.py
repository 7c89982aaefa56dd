"""Any distrl environment as a verifiers environment: the rollout loop is verifiers', the episode is ours.

tasks -> verifiers' rollout [(episode) -> TextEnv.step -> messages, reward parts] <-> any chat endpoint

Both shapes of verifiers use `Episode`: assistant message in, messages out, and at the end reward, parts and
metrics. Not covered: verifiers' group rewards and its token-level clients' own settings.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from distrl.envs.contract import Message, Task, TextEnv
from distrl.envs.interop.messages import action_text, call_ids, observation
from distrl.envs.interop.versions import default_shape, require
from distrl.envs.registry import ENVIRONMENTS, make, task_source

DEFAULT_ENV = "distrl/ClinicalTools-v0"
DEFAULT_EXAMPLES = 1000  # a seeded generator has no end; enough for an evaluation, quick to draw


@dataclass(frozen=True, kw_only=True)
class EnvSpec:
    """Which environment, reward and tasks; plain values, so that they travel in a row or a config."""

    env_id: str = DEFAULT_ENV
    reward: str = ""  # empty: the environment's default reward
    split: str = "train"
    num_examples: int = DEFAULT_EXAMPLES
    seed: int = 0
    path: str = ""  # a task file; empty: the environment's own generator
    options: dict[str, Any] | None = None  # keyword arguments of the environment, system_prompt for one

    def make(self) -> TextEnv:
        """A fresh environment. ValueError names a wrong id, reward or option."""
        options = dict(self.options or {})
        return make(self.env_id, self.reward or default_reward(self.env_id), options)

    def tasks(self, split: str | None = None) -> Sequence[Task]:
        """The tasks of a split, the same for the same seed. ValueError when there are none."""
        source = task_source(self.env_id, self.path, 0.0, {})
        tasks = source.tasks(split or self.split, self.num_examples, self.seed)
        if not tasks:
            raise ValueError(f"{self.env_id}: no task in split {split or self.split!r}; choose another split")
        return tasks


@dataclass(frozen=True, kw_only=True)
class Result:
    """The end of an episode: the reward, its parts and metrics, as JSON-serialisable values."""

    reward: float
    parts: dict[str, float]
    metrics: dict[str, float]
    truncated: bool

    def signals(self) -> dict[str, float]:
        """Parts (as `part/NAME`) and metrics in one table."""
        parts = {f"part/{name}": value for name, value in self.parts.items()}
        return {**parts, **self.metrics, "truncated": float(self.truncated)}


class Episode:
    """One rollout's own environment. `opening` and `tools` stand after construction."""

    def __init__(self, spec: EnvSpec, task: Task) -> None:
        self._env = spec.make()
        _, info = self._env.reset(seed=spec.seed, options={"task": task})
        self.opening: list[Message] = info["messages"]
        self.tools: list[dict[str, Any]] = info["tools"]
        self.result: Result | None = None

    def answer(self, assistant: Any) -> list[dict[str, Any]]:
        """Step on one assistant message (dict or model) and return the chat messages that follow it.

        After the last one, `result` is set. Raises what `TextEnv.step` raises.
        """
        _, reward, terminated, truncated, info = self._env.step(action_text(assistant))
        if terminated or truncated:
            parts, metrics = info["reward_parts"], info["metrics"]
            self.result = Result(reward=float(reward), parts=parts, metrics=metrics, truncated=truncated)
            self._env.close()
        ids = call_ids(assistant)
        return [observation(message, ids) for message in info["messages"]]


def load_environment(
    env_id: str = DEFAULT_ENV,
    *,
    environment: str = "",
    reward: str = "",
    split: str = "train",
    num_examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    path: str = "",
    shape: str = "",
    **options: Any,
) -> Any:
    """A verifiers environment whose rows are our tasks, whose turns drive our environment.

    Args:
        env_id: a key of distrl's registry.
        environment: the same, for `verifiers.load_environment(name, **args)`, which keeps `env_id` to itself.
        reward: one of that environment's rewards; empty takes its default.
        split: "train" or "heldout"; the legacy shape also offers "heldout" as its evaluation data.
        num_examples: how many tasks are drawn.
        seed: of the draw and of the episodes.
        path: a task file, where the environment reads one; empty takes its own generator.
        shape: "legacy" (verifiers.Environment), "v1" (verifiers.v1.Env); empty takes legacy where the
            installed version has it.
        options: keyword arguments of the environment (system_prompt, max_turns, …).

    Raises ValueError when verifiers is not installed or an argument is wrong.
    """
    spec = EnvSpec(
        env_id=environment or env_id,
        reward=reward,
        split=split,
        num_examples=num_examples,
        seed=seed,
        path=path,
        options=options,
    )
    shape = shape or default_shape()
    require(shape)
    spec.make().close()  # a wrong id, reward or option is named here, not in the first rollout
    if shape == "legacy":
        from distrl.envs.interop.legacy_env import build
    else:
        from distrl.envs.interop.v1_env import build
    return build(spec)


def default_reward(env_id: str) -> str:
    """The reward that the environment takes by itself; "" for an id that the registry does not know."""
    if env_id not in ENVIRONMENTS:
        return ""
    module, name = ENVIRONMENTS[env_id].env.split(":")
    parameter = inspect.signature(getattr(importlib.import_module(module), name)).parameters["reward"]
    return "" if parameter.default is inspect.Parameter.empty else parameter.default
