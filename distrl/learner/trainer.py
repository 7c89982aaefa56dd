"""The optimiser steps: rows in, one global token denominator, micro-batches accumulated, metrics out.

Buffer -> Learner [trainer] -> Weights
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from distrl.algo.advantages import GroupAdvantages, group_advantages
from distrl.algo.objective import Output, TokenBatch, objective
from distrl.config.schema import AlgoConfig, LearnerConfig
from distrl.learner.meter import Meter
from distrl.learner.model import Policy
from distrl.learner.optim import Optimiser
from distrl.learner.packing import MicroBatch, pack
from distrl.learner.rows import Rows, trainable

Loss = Callable[[MicroBatch, Tensor, Tensor], Output]
"""(micro-batch, log-probabilities [P], entropies [P]) -> (loss summed over tokens, metric sums)."""


class Trainer:
    """Holds the policy and its optimiser; one call is one batch. Plain torch, no Ray."""

    def __init__(self, policy: Policy, config: LearnerConfig, algo: AlgoConfig) -> None:
        self.policy, self.config, self.algo = policy, config, algo
        self.objective = objective(algo.name)
        self.optimiser = Optimiser(policy.named_parameters(), config)
        self.updates = 0  # optimiser steps that changed the weights

    def supervised(self, rows: Rows, lr: float) -> dict[str, float]:
        """One step of masked cross entropy, the mean over all sampled tokens (nats), at temperature 1."""
        meter = Meter()
        rows = replace(rows, temperatures=torch.ones(len(rows)))
        with meter.timed("pack"):
            chosen = trainable(rows, ~rows.errors, finite_logprobs=False)
            batches = self.pack(rows, chosen)

        def loss(_: MicroBatch, logprobs: Tensor, entropy: Tensor) -> Output:
            return -logprobs.sum(), {"entropy": entropy.sum()}

        self._update(batches, int(chosen.sum()), rows, loss, lr, meter)
        meter.set("reward", float(rows.rewards.mean()) if len(rows) else 0.0)
        meter.set("error_rows", float(rows.errors.sum()))
        return meter.metrics()

    def reinforce(self, rows: Rows, lr: float) -> dict[str, float]:
        """`updates_per_step` optimiser steps, each on its own share of the groups that have a signal."""
        meter = Meter()
        with meter.timed("pack"):
            judged = group_advantages(rows.rewards, rows.groups, rows.errors, self.algo.normalise_std)
            chosen = trainable(rows, judged.kept, finite_logprobs=True)
            shares = [s for s in self._shares(rows, judged, chosen) if bool(s.any())] or [chosen]
            packed = [self.pack(rows, share) for share in shares]
        old = torch.full((len(rows.ids),), torch.nan, dtype=torch.float64)
        with meter.timed("forward"):
            for batches in packed[1:]:
                self._old_logprobs(batches, rows, old)
        for number, (share, batches) in enumerate(zip(shares, packed, strict=True)):
            loss = self.policy_loss(rows, judged.advantages, old if number else None)
            self._update(batches, int(share.sum()), rows, loss, lr, meter)
        kept_before = trainable(rows, judged.kept, finite_logprobs=False)
        meter.set("bad_logprob_tokens", float(kept_before.sum() - chosen.sum()))
        valid = rows.rewards[~rows.errors]
        meter.set("reward", float(valid.mean()) if len(valid) else 0.0)
        meter.set("groups", float(judged.groups))
        meter.set("zero_variance_groups", float(judged.zero_variance_groups))
        meter.set("error_rows", float(judged.error_rows))
        return meter.metrics()

    def pack(self, rows: Rows, chosen: Tensor) -> list[MicroBatch]:
        return pack(rows, chosen, self.config.microbatch_tokens, self.config.share_prefix)

    def _shares(self, rows: Rows, judged: GroupAdvantages, chosen: Tensor) -> list[Tensor]:
        """The chosen positions, split by group into `updates_per_step` parts, in the order of the groups."""
        order = {
            key: n
            for n, key in enumerate(
                dict.fromkeys(g for g, k in zip(rows.groups, judged.kept, strict=True) if k)
            )
        }
        parts = self.algo.updates_per_step
        part = torch.tensor([order.get(g, 0) * parts // max(1, len(order)) for g in rows.groups])
        return [chosen & (part == k)[rows.row_of_token] for k in range(parts)]

    def _old_logprobs(self, batches: list[MicroBatch], rows: Rows, old: Tensor) -> None:
        """Writes the log-probabilities before the first update into `old`, by flat position."""
        with torch.no_grad():
            for micro in batches:
                logprobs, _ = self.policy.logprobs(micro, _by_target(rows, micro))
                old[micro.target_tokens] = logprobs.double().cpu()

    def policy_loss(self, rows: Rows, advantages: Tensor, old: Tensor | None) -> Loss:
        """The registered objective; `old` None: the current log-probabilities are those before the update."""
        row_of_token = rows.row_of_token

        def loss(micro: MicroBatch, logprobs: Tensor, entropy: Tensor) -> Output:
            at, row = micro.target_tokens, row_of_token[micro.target_tokens]
            before = logprobs.detach() if old is None else old[at].to(logprobs)
            batch = TokenBatch(
                logprobs_current=logprobs,
                logprobs_old=before,
                logprobs_sampled=rows.logprobs_sampled[at].to(logprobs),
                advantages=advantages[row].to(logprobs),
                entropy=entropy,
                rows=row.to(logprobs.device),
            )
            return self.objective(batch, self.algo)

        return loss

    def accumulate(
        self, batches: list[MicroBatch], tokens: int, rows: Rows, loss_of: Loss, meter: Meter
    ) -> float:
        """Adds the gradient of (loss summed over the micro-batches) / `tokens`; returns that loss.

        `tokens`, at least 1, is the global denominator. Stops at a micro-batch whose loss is not finite:
        the step is then refused.
        """
        total = 0.0
        for micro in batches:
            with meter.timed("forward"):
                logprobs, entropy = self.policy.logprobs(micro, _by_target(rows, micro))
                loss, sums = loss_of(micro, logprobs, entropy)
                value = float(loss.detach())
            total += value / tokens
            meter.micro(micro, value, {k: float(v) for k, v in sums.items()})
            if not math.isfinite(value):
                break
            with meter.timed("backward"):
                (loss / tokens).backward()
        return total

    def _update(
        self, batches: list[MicroBatch], tokens: int, rows: Rows, loss_of: Loss, lr: float, meter: Meter
    ) -> None:
        """One optimiser step; none, and an exactly zero gradient, when there is no token to train on."""
        self.optimiser.zero()
        meter.add("tokens", tokens)
        if tokens == 0:
            meter.add("skipped_empty", 1)
            return
        total = self.accumulate(batches, tokens, rows, loss_of, meter)
        with meter.timed("optim"):
            result = self.optimiser.step(lr, total)
        self.updates += result.stepped
        meter.step(result)


def _by_target(rows: Rows, micro: MicroBatch) -> Tensor:
    """The temperature of each target's row [P]."""
    return rows.temperatures[rows.row_of_token[micro.target_tokens]]
