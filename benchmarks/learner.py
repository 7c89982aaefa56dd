"""How much faster does one policy-gradient update run packed and shared than in a plain padded loop?

Both sides train the same group (one prompt, G rollouts) with the same loss from the same weights: the plain
side is transformers' own model on padded rows with full logits, the other is `distrl.learner.trainer`.
Forward and backward are timed, the optimiser is not (it is the same). Best of `repeats`, the two sides in
turn, in one run, both with glibc keeping freed memory. By arithmetic alone: 2,160 row tokens become 1,110
computed positions and the head runs at 960 of them, about 1.9 times less work.

    python -m benchmarks.learner [model folder or name] [--threads N] [--profile]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from collections.abc import Callable

import torch
from transformers import AutoModelForCausalLM

from distrl.algo.advantages import group_advantages
from distrl.config.schema import AlgoConfig, LearnerConfig
from distrl.learner.host import keep_freed_memory, set_threads
from distrl.learner.meter import Meter
from distrl.learner.model import load_policy
from distrl.learner.rows import Rows, trainable
from distrl.learner.trainer import Trainer
from distrl.models.device import resolve_dtype
from distrl.models.resolve import resolve_model

PROMPT, ROLLOUT, GROUP = 150, 120, 8
PLAIN_ROWS = 4  # rows in one padded micro-batch: 4 x 270 x 49,152 logits are 0.2 GB in float32
GOAL = 2.0
SAME_GRADIENT = {"float32": 1e-3, "bfloat16": 0.2}  # relative difference of any parameter's gradient


def group(vocabulary: int, seed: int = 0) -> Rows:
    """One group of equal lengths (padding costs the plain side nothing), random ids, rewards 0 and 1."""
    torch.manual_seed(seed)
    prompt = torch.randint(0, vocabulary, (PROMPT,))
    length = PROMPT + ROLLOUT
    ids = torch.cat([torch.cat((prompt, torch.randint(0, vocabulary, (ROLLOUT,)))) for _ in range(GROUP)])
    mask = (torch.arange(length) >= PROMPT).repeat(GROUP)
    return Rows(
        ids=ids.int(),
        loss_mask=mask,
        logprobs_sampled=torch.zeros(len(ids)),
        offsets=tuple(range(0, GROUP * length + 1, length)),
        prompt_lengths=(PROMPT,) * GROUP,
        rewards=(torch.arange(GROUP) % 2).double(),
        temperatures=torch.ones(GROUP),
        errors=torch.zeros(GROUP, dtype=torch.bool),
        groups=("group",) * GROUP,
    )


@torch.no_grad()
def on_policy(model: torch.nn.Module, rows: Rows) -> Rows:
    """The rows as if `model` had sampled them: importance weights are 1 on both sides."""
    ids = rows.ids.view(GROUP, -1).long()
    logprobs = torch.zeros(ids.shape)
    for row in range(GROUP):
        logits = model(input_ids=ids[row : row + 1]).logits[0, :-1].float()
        logprobs[row, 1:] = logits.log_softmax(-1).gather(1, ids[row, 1:, None])[:, 0]
    return dataclasses.replace(rows, logprobs_sampled=torch.where(rows.loss_mask, logprobs.flatten(), 0.0))


def plain_step(model: torch.nn.Module, rows: Rows, advantages: torch.Tensor, dtype: str) -> None:
    """Forward and backward of transformers' model on padded rows, full logits, log-softmax, gather."""
    ids = rows.ids.view(GROUP, -1).long()
    mask = rows.loss_mask.view(GROUP, -1)[:, 1:]
    tokens = mask.sum()
    for part in range(0, GROUP, PLAIN_ROWS):
        chunk = ids[part : part + PLAIN_ROWS]
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=dtype == "bfloat16"):
            logits = model(input_ids=chunk, attention_mask=torch.ones_like(chunk)).logits
        logprobs = logits[:, :-1].float().log_softmax(-1).gather(2, chunk[:, 1:, None]).squeeze(2)
        ratio = (logprobs - logprobs.detach()).exp()
        weighted = ratio * advantages[part : part + PLAIN_ROWS, None] * mask[part : part + PLAIN_ROWS]
        (-weighted.sum() / tokens).backward()


def packed_step(trainer: Trainer, rows: Rows, advantages: torch.Tensor, chosen: torch.Tensor) -> Meter:
    """Forward and backward of the learner; gradients stay in the parameters."""
    meter = Meter()
    trainer.accumulate(
        trainer.pack(rows, chosen),
        int(chosen.sum()),
        rows,
        trainer.policy_loss(rows, advantages, None),
        meter,
    )
    return meter


def seconds_of(step: Callable[[], object], model: torch.nn.Module) -> float:
    """Wall-clock seconds of one call, from empty gradients."""
    model.zero_grad(set_to_none=True)
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?", default="smollm2-135m")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--profile", action="store_true", help="print the learner's operators by time")
    args = parser.parse_args()
    threads = set_threads(args.threads)
    keep_freed_memory()
    folder = resolve_model(args.model).path
    dtype = resolve_dtype("auto", "cpu")
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
    rows = on_policy(plain, group(plain.config.vocab_size))
    advantages = group_advantages(rows.rewards, rows.groups, rows.errors, True).advantages
    config = LearnerConfig()
    trainer = Trainer(load_policy(folder, dtype, config.logprob_chunk, False, "cpu"), config, AlgoConfig())
    chosen = trainable(rows, torch.ones(GROUP, dtype=torch.bool), finite_logprobs=True)
    steps = {
        plain: lambda: plain_step(plain, rows, advantages.float(), dtype),
        trainer.policy.model: lambda: packed_step(trainer, rows, advantages, chosen),
    }
    rounds = [[seconds_of(step, model) for model, step in steps.items()] for _ in range(args.repeats + 1)]
    seconds_plain, seconds_packed = (min(column) for column in zip(*rounds[1:], strict=True))
    reference = {n: p.grad for n, p in plain.named_parameters()}
    difference = max(
        float((p.grad - reference[n]).norm() / reference[n].norm())
        for n, p in trainer.policy.named_parameters().items()
        if p.grad is not None and reference[n] is not None
    )
    if args.profile:
        with torch.profiler.profile() as profile:
            packed_step(trainer, rows, advantages, chosen)
        print(profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=25))
    tokens = len(rows.ids)
    ratio = seconds_plain / seconds_packed
    print(f"plain {tokens / seconds_plain:.0f} row tokens/s, packed and shared {tokens / seconds_packed:.0f}")
    result = {
        "name": "learner_speedup_over_padded_loop",
        "value": round(ratio, 3),
        "goal": GOAL,
        "holds": ratio >= GOAL and difference < SAME_GRADIENT[dtype],
        "conditions": {
            "model": args.model,
            "dtype": dtype,
            "threads": threads,
            "prompt": PROMPT,
            "rollout": ROLLOUT,
            "group": GROUP,
            "plain_tokens_per_s": round(tokens / seconds_plain, 1),
            "packed_tokens_per_s": round(tokens / seconds_packed, 1),
            "gradient_relative_difference": difference,
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
