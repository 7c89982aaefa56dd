"""The engine that sampled and the learner that trains compute different numbers: measure it, correct it.

Buffer -> Learner [mismatch] -> Weights
"""

from __future__ import annotations

import torch
from torch import Tensor

from distrl.config.schema import AlgoConfig


def mismatch_weights(logprobs_old: Tensor, logprobs_sampled: Tensor, config: AlgoConfig) -> Tensor:
    """Importance weight of each token [tokens], detached: min(pi_old / mu, cap), or ones for `none`.

    Source: truncated importance sampling, Ionides 2008 (doi:10.1198/106186008X320456), used between the
    sampler's and the learner's probabilities.
    """
    if config.mismatch == "none":
        return torch.ones_like(logprobs_old)
    if config.mismatch != "truncate":
        raise ValueError(f"algo.mismatch={config.mismatch!r}; known: truncate, none")
    return (logprobs_old - logprobs_sampled).detach().exp().clamp(max=config.mismatch_cap)


def mismatch_metrics(logprobs_old: Tensor, logprobs_sampled: Tensor, config: AlgoConfig) -> dict[str, Tensor]:
    """Sums over tokens: the k3 estimate of KL(engine || learner), the mean distance, the capped share.

    k3 = exp(d) - 1 - d with d = log pi_old - log mu, tokens drawn from mu (Schulman 2020): never negative.
    """
    delta = (logprobs_old - logprobs_sampled).detach()
    return {
        "mismatch_kl": (delta.exp() - 1 - delta).sum(),
        "mismatch_abs": delta.abs().sum(),
        "mismatch_capped": (delta.exp() > config.mismatch_cap).to(delta.dtype).sum(),
        "mismatch_abs_max": delta.abs().max() if len(delta) else delta.sum(),
    }
