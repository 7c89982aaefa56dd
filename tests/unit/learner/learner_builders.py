"""Small random models, rows and trajectories for the learner's tests."""

from __future__ import annotations

import random
from functools import partial

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel, Qwen3Config

from distrl.config.schema import AlgoConfig, LearnerConfig
from distrl.learner.model import Policy
from distrl.learner.rows import Rows
from distrl.learner.trainer import Trainer
from distrl.trajectory.records import Status, Trajectory, Turn

VOCABULARY = 40
torch.set_num_threads(1)  # tiny tensors: threads would only wait for each other


def tiny(kind: str, tied: bool = True) -> PreTrainedModel:
    """A float64 model with grouped-query attention, weights wide enough that logits differ by about 1."""
    torch.manual_seed(7)
    config = {"llama": LlamaConfig, "qwen3": Qwen3Config}[kind](
        vocab_size=VOCABULARY,
        hidden_size=24,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        tie_word_embeddings=tied,
        initializer_range=0.2,
    )
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float64, attn_implementation="sdpa")
    for module in model.modules():
        if hasattr(module, "variance_epsilon"):
            module.forward = partial(rms_norm, module)
    return model


def rms_norm(module: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The models' own norm without its detour through float32, which rounds gradients to 1e-8."""
    return module.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + module.variance_epsilon))


def trainer(model: PreTrainedModel, algo: AlgoConfig | None = None, **learner: object) -> Trainer:
    config = LearnerConfig(**{"microbatch_tokens": 1000, "logprob_chunk": 7, **learner})  # type: ignore[arg-type]
    return Trainer(Policy(model, torch.float64, config.logprob_chunk), config, algo or AlgoConfig())


def rows(groups: int = 2, size: int = 3, seed: int = 0, prompt: int = 6) -> Rows:
    """Groups with a shared prompt, unequal rollouts (one of a single token), a masked observation inside."""
    make = random.Random(seed)
    ids: list[int] = []
    mask: list[bool] = []
    offsets, prompts, keys = [0], [], []
    for g in range(groups):
        shared = [make.randrange(VOCABULARY) for _ in range(prompt + g)]
        for k in range(size):
            length = 1 if k == 1 else make.randrange(3, 9)
            sampled = [not (length > 4 and 2 <= t < 4) for t in range(length)]
            ids += shared + [make.randrange(VOCABULARY) for _ in range(length)]
            mask += [False] * len(shared) + sampled
            offsets.append(len(ids))
            prompts.append(len(shared))
            keys.append(f"g{g}")
    draw = torch.Generator().manual_seed(seed)
    logprobs = -3.0 - torch.rand(len(ids), generator=draw)
    return Rows(
        ids=torch.tensor(ids, dtype=torch.int32),
        loss_mask=torch.tensor(mask),
        logprobs_sampled=torch.where(torch.tensor(mask), logprobs, 0.0),
        offsets=tuple(offsets),
        prompt_lengths=tuple(prompts),
        rewards=torch.rand(len(keys), generator=draw, dtype=torch.float64),
        temperatures=torch.tensor([0.5 + 0.25 * (r % 4) for r in range(len(keys))]),
        errors=torch.zeros(len(keys), dtype=torch.bool),
        groups=tuple(keys),
    )


def trajectories(groups: int = 2, size: int = 3, seed: int = 0) -> list[Trajectory]:
    """The same rows as records, one turn each (so without masked observations)."""
    source = rows(groups, size, seed)
    out = []
    for r in range(len(source)):
        start, end = source.offsets[r], source.offsets[r + 1]
        cut = start + source.prompt_lengths[r]
        n = end - cut
        turn = Turn(
            index=0,
            prompt_ids_added=tuple(source.ids[start:cut].tolist()),
            response_ids=tuple(source.ids[cut:end].tolist()),
            logprobs=(-3.5,) * n,
            versions=(0,) * n,
            stop_reason="stop",
        )
        out.append(
            Trajectory(
                id=f"t{r}",
                group_id=source.groups[r],
                attempt=0,
                task_id=source.groups[r],
                env="test",
                seed=r,
                turns=(turn,),
                messages=(),
                tool_events=(),
                reward=float(source.rewards[r]),
                reward_parts={},
                status=Status.SUBMITTED,
            )
        )
    return out


def gradients(of: Trainer) -> dict[str, torch.Tensor]:
    return {n: p.grad.clone() for n, p in of.policy.named_parameters().items() if p.grad is not None}


def distance(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> float:
    """Largest absolute difference; the same parameters must have gradients."""
    assert a.keys() == b.keys() and a
    return max(float((a[n] - b[n]).abs().max()) for n in a)
