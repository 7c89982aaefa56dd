"""Log-probabilities and entropies at selected positions; logits exist for one chunk of positions at a time.

Learner [logprobs]

The backward pass computes a chunk's logits again: one more product with the head, and no [positions,
vocabulary] tensor that outlives its chunk. Only the last chunk's probabilities wait for the backward pass,
which follows at once; a micro-batch of one chunk computes nothing twice.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _ChunkedLogprobs(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        scale: Tensor,
        chunk: int,
    ) -> tuple[Tensor, Tensor]:
        logprobs, entropy = [], []
        probabilities = None
        compute = _compute_weight(weight, hidden)
        for part in _parts(len(hidden), chunk):
            logits = _logits(hidden[part], compute, bias, scale[part])
            log_z = logits.logsumexp(-1)
            logprobs.append(logits.gather(1, targets[part, None]).squeeze(1) - log_z)
            probabilities = logits.sub(log_z[:, None]).exp_()
            entropy.append(log_z - torch.linalg.vecdot(probabilities, logits))
        ctx.save_for_backward(hidden, weight, bias, targets, scale)
        ctx.chunk, ctx.last = chunk, probabilities
        out = (
            (torch.cat(logprobs), torch.cat(entropy))
            if logprobs
            else (scale.new_zeros(0), scale.new_zeros(0))
        )
        ctx.mark_non_differentiable(out[1])
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        hidden, weight, bias, targets, scale = ctx.saved_tensors
        upstream = grads[0]
        compute = _compute_weight(weight, hidden)
        d_hidden = torch.zeros_like(hidden)
        d_weight = torch.zeros_like(weight) if ctx.needs_input_grad[1] else None
        d_bias = torch.zeros_like(bias) if bias is not None and ctx.needs_input_grad[2] else None
        for part in _parts(len(hidden), ctx.chunk):
            coefficient = upstream[part] * scale[part]
            if part.stop == len(hidden):
                d_logits = ctx.last * -coefficient[:, None]
            else:
                logits = _logits(hidden[part], compute, bias, scale[part])
                d_logits = logits.sub_(logits.logsumexp(-1, keepdim=True)).exp_()
                d_logits.mul_(-coefficient[:, None])
            d_logits.scatter_add_(1, targets[part, None], coefficient[:, None])
            if d_bias is not None:
                d_bias += d_logits.sum(0).to(d_bias.dtype)
            d_logits = d_logits.to(compute.dtype)
            d_hidden[part] = (d_logits @ compute).to(hidden.dtype)
            if d_weight is not None:
                _accumulate(d_weight, d_logits, hidden[part])
        return d_hidden, d_weight, d_bias, None, None, None


def _parts(count: int, chunk: int) -> list[slice]:
    return [slice(i, min(i + chunk, count)) for i in range(0, count, chunk)]


def _compute_weight(weight: Tensor, hidden: Tensor) -> Tensor:
    """The head in the hidden states' type: bfloat16 hidden states (autocast) multiply a bfloat16 copy."""
    return weight.to(hidden.dtype)


def _logits(hidden: Tensor, weight: Tensor, bias: Tensor | None, scale: Tensor) -> Tensor:
    """[n, vocabulary] in float32 or wider, divided by the temperature."""
    logits = (hidden @ weight.t()).to(scale.dtype)
    if bias is not None:
        logits += bias
    return logits.mul_(scale[:, None])


def _accumulate(d_weight: Tensor, d_logits: Tensor, hidden: Tensor) -> None:
    if d_weight.dtype == hidden.dtype:
        d_weight.addmm_(d_logits.t(), hidden)
    else:
        d_weight += (d_logits.t() @ hidden).to(d_weight.dtype)


def chunked_logprobs(
    hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor, temperatures: Tensor, chunk: int
) -> tuple[Tensor, Tensor]:
    """(log-probabilities, entropies) [positions], nats, of softmax(logits / temperature).

    `hidden` [positions, H]; `weight` [vocabulary, H] (the head's, or the tied embedding's); `targets` int64
    [positions]; `temperatures` [positions], above 0. Float32 inside, float64 where the weights are. The
    entropy carries no gradient. Memory: `chunk` x vocabulary floats, at most three times.
    """
    if chunk < 1:
        raise ValueError(f"learner.logprob_chunk={chunk} must be at least 1")
    wide = torch.promote_types(weight.dtype, torch.float32)
    scale = temperatures.to(wide).reciprocal()
    with torch.autocast(hidden.device.type, enabled=False):
        out: tuple[Tensor, Tensor] = _ChunkedLogprobs.apply(hidden, weight, bias, targets, scale, chunk)
    return out
