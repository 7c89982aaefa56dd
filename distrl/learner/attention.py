"""Attention over a packed micro-batch, registered with transformers as `distrl_packed`.

Learner [attention]

The layout travels as the keyword `layout` of the model's forward call, through the decoder layers, so
gradient checkpointing recomputes with the right one. Span by span, torch's scaled-dot-product attention runs
over the span's context and itself: exact, no padding, no T x T mask.

Not covered: sliding windows, attention sinks, logit softcaps inside attention, position scaling that depends
on the sequence's length. `check_supported` refuses models that need them.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, PretrainedConfig

from distrl.learner.packing import Span

NAME = "distrl_packed"
SUPPORTED = ("llama", "qwen2", "qwen3", "mistral")
"""Model types that pass keywords through to a plainly causal attention; llama and qwen3 are tested."""

LENGTH_DEPENDENT_ROPE = ("dynamic", "longrope")


class Layout:
    """Spans of one micro-batch, and the masks that its layers share."""

    def __init__(self, spans: tuple[Span, ...]) -> None:
        self.spans = spans
        self.lengths = [s.length for s in spans]
        self._masks: dict[tuple[int, int], Tensor] = {}

    def mask(self, length: int, context: int, like: Tensor) -> Tensor:
        """Additive [length, context + length], as `like`: all of the context, and itself causally."""
        key = (length, context)
        if key not in self._masks:
            allowed = torch.ones(length, context + length, dtype=torch.bool).tril(context)
            mask = torch.zeros(allowed.shape).masked_fill_(~allowed, float("-inf"))
            self._masks[key] = mask.to(like)
        return self._masks[key]


def packed_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    layout: Layout | None = None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **_: Any,
) -> tuple[Tensor, None]:
    """query [1, heads, T, D], key and value [1, kv heads, T, D] -> [1, T, heads, D]."""
    if layout is None:
        raise ValueError(f"attention {NAME!r} needs layout= in the model's forward call")
    if attention_mask is not None or dropout:
        raise ValueError(f"attention {NAME!r} takes no attention mask and no dropout (dropout={dropout})")
    queries, keys, values = (x.split(layout.lengths, dim=2) for x in (query, key, value))
    gqa = query.shape[1] != key.shape[1]
    out = []
    for index, span in enumerate(layout.spans):
        k, v, mask = keys[index], values[index], None
        if span.context >= 0:
            k = torch.cat((keys[span.context], k), dim=2)
            v = torch.cat((values[span.context], v), dim=2)
            mask = layout.mask(span.length, layout.lengths[span.context], query)
        out.append(
            scaled_dot_product_attention(
                queries[index], k, v, attn_mask=mask, is_causal=mask is None, scale=scaling, enable_gqa=gqa
            )
        )
    return torch.cat(out, dim=2).transpose(1, 2).contiguous(), None


def check_supported(config: PretrainedConfig) -> None:
    """ValueError, one line, where packed training of this model would not be exact."""
    kind = config.model_type
    if kind not in SUPPORTED:
        raise ValueError(f"model type {kind!r} cannot be trained packed; supported: {', '.join(SUPPORTED)}")
    layers = set(getattr(config, "layer_types", None) or ["full_attention"])
    window = getattr(config, "sliding_window", None) if kind not in {"qwen2", "qwen3"} else None
    if layers != {"full_attention"} or window is not None:
        raise ValueError(
            f"{kind}: sliding-window attention cannot be trained packed ({sorted(layers)}, {window})"
        )
    if getattr(config, "attention_dropout", 0.0):
        raise ValueError(f"{kind}: attention_dropout={config.attention_dropout} must be 0")
    for name in ("final_logit_softcapping", "attn_logit_softcapping", "logit_scale", "logits_scaling"):
        if getattr(config, name, None):
            raise ValueError(f"{kind}: {name}={getattr(config, name)} is not reproduced by the learner")
    rope = (getattr(config, "rope_parameters", None) or {}).get("rope_type", "default")
    if rope in LENGTH_DEPENDENT_ROPE:
        raise ValueError(
            f"{kind}: rope type {rope!r} depends on the sequence's length; packing would change it"
        )


AttentionInterface.register(NAME, packed_attention)
