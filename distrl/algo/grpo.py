"""GRPO: the token-level clipped objective with group-relative advantages.

Buffer -> Learner [grpo] -> Weights

Left out on purpose: a KL term to a reference policy, and a mean over each rollout's own length (it weights
tokens of short rollouts more; Yu et al. 2025, arXiv:2503.14476, section 3.3).
"""

from __future__ import annotations

from distrl.algo.mismatch import mismatch_metrics, mismatch_weights
from distrl.algo.objective import Output, TokenBatch
from distrl.config.schema import AlgoConfig


def grpo(batch: TokenBatch, config: AlgoConfig) -> Output:
    """Loss sum: - w min(r A, clip(r, 1 - clip_low, 1 + clip_high) A), r = pi_current / pi_old, w = mismatch.

    Sources: Schulman et al. 2017 (arXiv:1707.06347) for the clip, Shao et al. 2024 (arXiv:2402.03300) for the
    group baseline, Yu et al. 2025 (arXiv:2503.14476) for two clip ranges and the token-level mean.
    """
    ratio = (batch.logprobs_current - batch.logprobs_old).exp()
    clipped = ratio.clamp(1.0 - config.clip_low, 1.0 + config.clip_high)
    surrogate = ratio * batch.advantages
    bounded = clipped * batch.advantages
    weights = mismatch_weights(batch.logprobs_old, batch.logprobs_sampled, config)
    loss = -(weights * surrogate.minimum(bounded)).sum()
    seen = ratio.detach()
    metrics = {
        "clip_fraction": (bounded < surrogate).to(seen.dtype).sum(),
        "entropy": batch.entropy.sum(),
        "ratio_mean": seen.sum(),
        "ratio_max": seen.max() if len(seen) else seen.sum(),
        **mismatch_metrics(batch.logprobs_old, batch.logprobs_sampled, config),
    }
    return loss, metrics
