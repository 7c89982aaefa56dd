"""The policy as the learner holds it: float32 master weights, packed forward pass, log-probabilities out.

Buffer -> Learner [model] -> Weights
"""

from __future__ import annotations

import contextlib

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from distrl.learner.attention import NAME, Layout, check_supported
from distrl.learner.logprobs import chunked_logprobs
from distrl.learner.packing import MicroBatch

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


class Policy:
    """A causal language model over packed micro-batches.

    `compute` is the type of the matrix products: bfloat16 runs under autocast, float32 (or float64 in a model
    that holds it) runs as the weights are. `chunk`: positions whose logits exist at once.
    """

    def __init__(self, model: PreTrainedModel, compute: torch.dtype, chunk: int) -> None:
        check_supported(model.config)
        model.set_attn_implementation(NAME)
        self.model, self.compute, self.chunk = model, compute, chunk
        self.device = model.device

    def hidden(self, micro: MicroBatch) -> Tensor:
        """Final hidden states, flat [T, H]."""
        layout = Layout(micro.spans)
        with self._autocast():
            out = self.model.base_model(
                input_ids=micro.ids.to(self.device)[None],
                position_ids=micro.positions.to(self.device)[None],
                use_cache=False,
                layout=layout,
            )
        states: Tensor = out.last_hidden_state[0]
        return states

    def logprobs(self, micro: MicroBatch, temperatures: Tensor) -> tuple[Tensor, Tensor]:
        """(log-probability, entropy) of each target [P]; `temperatures` [P]. Entropies carry no gradient."""
        head = self.model.get_output_embeddings()
        hidden = self.hidden(micro)[micro.sources.to(self.device)]
        if self.compute == torch.bfloat16:
            hidden = hidden.to(self.compute)
        return chunked_logprobs(
            hidden,
            head.weight,
            head.bias,
            micro.targets.to(self.device),
            temperatures.to(self.device),
            self.chunk,
        )

    def _autocast(self) -> contextlib.AbstractContextManager[object]:
        if self.compute == torch.bfloat16:
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return contextlib.nullcontext()

    def named_parameters(self) -> dict[str, nn.Parameter]:
        """Hugging Face names; a tied head appears once, as the embedding."""
        return dict(self.model.named_parameters(remove_duplicate=True))

    def tensors(self, dtype: torch.dtype) -> dict[str, Tensor]:
        """Detached weights as `dtype` by Hugging Face name; a tied head is left out."""
        return {n: p.detach().to(dtype).contiguous() for n, p in self.named_parameters().items()}


def load_policy(path: str, dtype: str, chunk: int, gradient_checkpointing: bool, device: str) -> Policy:
    """The folder's model with float32 weights (safetensors, no remote code). ValueError: unknown dtype."""
    if dtype not in DTYPES:
        raise ValueError(f"compute dtype {dtype!r} is unknown; known: {', '.join(DTYPES)}")
    check_supported(AutoConfig.from_pretrained(path, trust_remote_code=False, local_files_only=True))
    model = AutoModelForCausalLM.from_pretrained(
        path,
        dtype=torch.float32,
        attn_implementation=NAME,
        use_safetensors=True,
        trust_remote_code=False,
        local_files_only=True,
    )
    torch.nn.Module.to(model, device)
    model.train()
    if gradient_checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return Policy(model, DTYPES[dtype], chunk)
