"""What the gradient must not depend on, in float64, against the stock model one row at a time."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
import torch
from learner_builders import distance, gradients, rows, tiny, trainer

from distrl.algo.advantages import group_advantages
from distrl.config.schema import AlgoConfig
from distrl.learner.meter import Meter
from distrl.learner.rows import Rows, trainable
from distrl.learner.trainer import Trainer

EXACT = 1e-10


def reference(kind: str, tied: bool, batch: Rows, padding: int = 0) -> dict[str, torch.Tensor]:
    """GRPO's gradient by the stock model, each row alone, optionally right-padded; written out again here."""
    model = tiny(kind, tied)
    advantages = group_advantages(batch.rewards, batch.groups, batch.errors, True).advantages
    total, count = torch.zeros((), dtype=torch.float64), 0
    for r in range(len(batch)):
        start, end = batch.offsets[r], batch.offsets[r + 1]
        ids = batch.ids[start:end].long()
        padded = torch.cat((ids, torch.zeros(padding, dtype=torch.int64)))
        keep = (torch.arange(len(padded)) < len(ids)).long()
        logits = model(padded[None], attention_mask=keep[None]).logits[0, : len(ids)]
        logprobs = (logits / batch.temperatures[r]).log_softmax(-1)[:-1].gather(1, ids[1:, None])[:, 0]
        mask = batch.loss_mask[start + 1 : end]
        weight = (logprobs.detach() - batch.logprobs_sampled[start + 1 : end]).exp().clamp(max=2.0)
        total = total - (mask * weight * (logprobs - logprobs.detach()).exp() * advantages[r]).sum()
        count += int(mask.sum())
    (total / count).backward()
    return {n: p.grad for n, p in model.named_parameters()}


def grpo_gradient(of: Trainer, batch: Rows) -> dict[str, torch.Tensor]:
    judged = group_advantages(batch.rewards, batch.groups, batch.errors, True)
    chosen = trainable(batch, judged.kept, finite_logprobs=True)
    of.optimiser.zero()
    of.accumulate(
        of.pack(batch, chosen),
        int(chosen.sum()),
        batch,
        of.policy_loss(batch, judged.advantages, None),
        Meter(),
    )
    return gradients(of)


@pytest.mark.parametrize("kind", ["llama", "qwen3"])
@pytest.mark.parametrize("tied", [True, False])
def test_packed_and_shared_gradient_is_that_of_the_stock_model_row_by_row(kind: str, tied: bool) -> None:
    batch = rows()
    expected = reference(kind, tied, batch)
    assert distance(expected, reference(kind, tied, batch, padding=5)) < EXACT
    for options in (
        {"share_prefix": True},
        {"share_prefix": False},
        {"share_prefix": True, "microbatch_tokens": 20},  # groups are split, prompts repeated
        {"share_prefix": True, "microbatch_tokens": 1, "logprob_chunk": 1},  # every row alone
    ):
        assert distance(expected, grpo_gradient(trainer(tiny(kind, tied), **options), batch)) < EXACT, options


@pytest.mark.parametrize("budget", [1000, 60])
def test_a_beginning_shared_by_different_prompts_changes_no_gradient(budget: int) -> None:
    batch = rows(groups=6, size=1, prompt=24)
    for start in batch.offsets[:-1]:
        batch.ids[start : start + 20] = torch.arange(20, dtype=torch.int32)
    batch = dataclasses.replace(batch, groups=("a", "a", "a", "b", "b", "b"))
    shared = trainer(tiny("llama"), share_prefix=True, microbatch_tokens=budget)
    assert any(s.context >= 0 for m in shared.pack(batch, batch.loss_mask) for s in m.spans)
    assert distance(reference("llama", True, batch), grpo_gradient(shared, batch)) < EXACT


def test_gradient_checkpointing_changes_no_gradient_and_really_recomputes() -> None:
    batch = rows()
    plain = grpo_gradient(trainer(tiny("qwen3")), batch)
    model = tiny("qwen3")
    model.train()
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    calls = []
    model.model.layers[0].mlp.register_forward_pre_hook(lambda *_: calls.append(1))
    assert distance(plain, grpo_gradient(trainer(model), batch)) < EXACT
    assert len(calls) == 2


def permuted(batch: Rows, order: list[int]) -> Rows:
    spans = [(batch.offsets[r], batch.offsets[r + 1]) for r in order]
    flat = torch.cat([torch.arange(a, b) for a, b in spans])
    index = torch.tensor(order)
    offsets = [0]
    for a, b in spans:
        offsets.append(offsets[-1] + b - a)
    return Rows(
        ids=batch.ids[flat],
        loss_mask=batch.loss_mask[flat],
        logprobs_sampled=batch.logprobs_sampled[flat],
        offsets=tuple(offsets),
        prompt_lengths=tuple(batch.prompt_lengths[r] for r in order),
        rewards=batch.rewards[index],
        temperatures=batch.temperatures[index],
        errors=batch.errors[index],
        groups=tuple(batch.groups[r] for r in order),
    )


def test_permuting_rows_changes_no_gradient() -> None:
    batch = rows(groups=2, size=3)
    of = trainer(tiny("llama"), microbatch_tokens=25)
    assert distance(grpo_gradient(of, batch), grpo_gradient(of, permuted(batch, [5, 0, 3, 2, 4, 1]))) < EXACT


def test_group_without_variance_and_errored_row_leave_the_gradient_as_if_absent() -> None:
    batch = rows(groups=2, size=3)
    flat_group = replace(batch, rewards=torch.tensor([0.1, 0.9, 0.4, 0.3, 0.3, 0.3], dtype=torch.float64))
    of = trainer(tiny("llama"))
    first = permuted(flat_group, [0, 1, 2])
    assert distance(grpo_gradient(of, first), grpo_gradient(of, flat_group)) == 0.0
    errored = replace(flat_group, errors=torch.tensor([False, True, False, False, False, False]))
    assert distance(grpo_gradient(of, permuted(flat_group, [0, 2])), grpo_gradient(of, errored)) < EXACT


def test_nan_behaviour_logprob_takes_its_token_out_of_loss_and_denominator() -> None:
    batch = rows()
    target = batch.prompt_lengths[0]
    broken = batch.logprobs_sampled.clone()
    broken[target] = torch.nan
    masked = batch.loss_mask.clone()
    masked[target] = False
    of = trainer(tiny("llama"))
    with_nan = replace(batch, logprobs_sampled=broken)
    assert distance(grpo_gradient(of, with_nan), grpo_gradient(of, replace(batch, loss_mask=masked))) == 0.0
    metrics = of.reinforce(with_nan, 1e-3)
    assert metrics["bad_logprob_tokens"] == 1
    assert metrics["tokens"] == int(batch.loss_mask.sum()) - 1
    assert metrics["updates"] == 1 and torch.isfinite(torch.tensor(metrics["loss"]))


@pytest.mark.parametrize("case", ["zero variance", "errors", "empty mask", "one rollout"])
def test_no_signal_means_no_step_and_unchanged_weights(case: str) -> None:
    batch = rows(groups=1, size=1) if case == "one rollout" else rows()
    if case == "zero variance":
        batch = replace(batch, rewards=torch.full_like(batch.rewards, 0.1 + 0.2))
    if case == "errors":
        batch = replace(batch, errors=torch.ones_like(batch.errors))
    if case == "empty mask":
        batch = replace(batch, loss_mask=torch.zeros_like(batch.loss_mask))
    of = trainer(tiny("llama"), weight_decay=0.5)
    before = {n: p.detach().clone() for n, p in of.policy.named_parameters().items()}
    metrics = of.reinforce(batch, 1.0)
    assert metrics["tokens"] == metrics["updates"] == of.updates == 0 and metrics["loss"] == 0.0
    assert metrics["skipped_empty"] == 1
    assert all(torch.equal(before[n], p) for n, p in of.policy.named_parameters().items())
    assert all(p.grad is None for p in of.policy.named_parameters().values())


def test_supervised_gradient_is_the_mean_cross_entropy_over_sampled_tokens() -> None:
    batch = rows()
    model = tiny("qwen3", tied=False)
    total = torch.zeros((), dtype=torch.float64)
    for r in range(len(batch)):
        start, end = batch.offsets[r], batch.offsets[r + 1]
        ids = batch.ids[start:end].long()
        labels = torch.where(batch.loss_mask[start:end], ids, -100)
        logits = model(ids[None]).logits[0, :-1]
        total = total + torch.nn.functional.cross_entropy(logits, labels[1:], reduction="sum")
    loss = total / batch.loss_mask.sum()
    loss.backward()
    norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters()])
    metrics = trainer(tiny("qwen3", tied=False)).supervised(batch, 1e-3)
    assert metrics["loss"] == pytest.approx(float(loss.detach()), abs=EXACT)
    assert metrics["grad_norm"] == pytest.approx(float(norm), abs=EXACT)


def test_later_shares_are_clipped_against_the_weights_before_the_first_update() -> None:
    algo = AlgoConfig(updates_per_step=2)
    of = trainer(tiny("llama"), algo)
    metrics = of.reinforce(rows(groups=4), 0.05)
    assert metrics["updates"] == 2 and of.updates == 2
    assert metrics["ratio_max"] > 1.01 and metrics["clip_fraction"] > 0
    one = trainer(tiny("llama")).reinforce(rows(groups=4), 0.05)
    assert one["ratio_max"] == 1.0 and one["clip_fraction"] == 0.0


def test_nonfinite_loss_is_not_a_step_is_counted_and_raises_after_the_limit() -> None:
    of = trainer(tiny("llama"), max_nonfinite=2)
    with torch.no_grad():
        of.policy.model.model.norm.weight.fill_(torch.nan)
    first = of.reinforce(rows(), 1e-3)
    assert first["nonfinite"] == 1 and first["updates"] == 0 and not of.optimiser.adam.state
    with pytest.raises(RuntimeError, match="2 optimiser steps in a row"):
        of.reinforce(rows(), 1e-3)


def test_metrics_name_what_the_step_log_needs() -> None:
    metrics = trainer(tiny("llama")).reinforce(rows(), 1e-3)
    assert metrics["padding_waste"] == 0.0
    assert metrics["tokens_computed"] < metrics["tokens_in_rows"] == len(rows().ids)
    assert metrics["sharing"] == pytest.approx(1 - metrics["tokens_computed"] / metrics["tokens_in_rows"])
    assert metrics["mismatch_kl"] > 0 and 0 < metrics["entropy"] < 4
    names = ["reward", "clip_fraction", "zero_variance_groups", "error_rows", "tokens_per_s", "ratio_mean"]
    assert not set(names + [f"seconds_{p}" for p in ("pack", "forward", "backward", "optim")]) - set(metrics)
