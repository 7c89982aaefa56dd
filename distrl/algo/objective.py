"""What a policy objective is, and the registry of them.

Buffer -> Learner [Objective] -> Weights

A new algorithm is one small file: a function `(TokenBatch, AlgoConfig) -> Output`, and one line in
`OBJECTIVES`. It sees selected tokens only and returns a SUM over them; the caller divides by the one global
token denominator of the optimiser step, so micro-batches and accumulation cannot change the gradient.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from distrl.config.schema import AlgoConfig


@dataclass(frozen=True, kw_only=True)
class TokenBatch:
    """Selected sampled tokens of one micro-batch; every tensor has the shape [tokens]. Nats throughout."""

    logprobs_current: Tensor  # under the weights that are being trained; carries the gradient
    logprobs_old: Tensor  # under the learner's weights before the first update on this batch; detached
    logprobs_sampled: Tensor  # as the engine reported them when it sampled
    advantages: Tensor  # of the token's rollout
    entropy: Tensor  # of the current distribution at the token's position; detached
    rows: Tensor  # int64, the rollout that each token belongs to (for sequence-level objectives)


Output = tuple[Tensor, dict[str, Tensor]]
"""(loss summed over tokens, metrics). Metrics are sums over tokens too, except names that end in `_max`."""

Objective = Callable[[TokenBatch, AlgoConfig], Output]

OBJECTIVES: dict[str, str] = {
    "grpo": "distrl.algo.grpo:grpo",
}


def objective(name: str) -> Objective:
    """The registered objective; ValueError names the known ones."""
    if name not in OBJECTIVES:
        raise ValueError(f"algo.name={name!r} is not a registered objective; known: {', '.join(OBJECTIVES)}")
    module, function = OBJECTIVES[name].split(":")
    found: Objective = getattr(importlib.import_module(module), function)
    return found
