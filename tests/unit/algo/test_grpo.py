"""GRPO on numbers worked out by hand; the registry."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import pytest
import torch

from distrl.algo.objective import OBJECTIVES, TokenBatch, objective
from distrl.config.schema import AlgoConfig


def f64(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def batch(ratios: torch.Tensor, advantages: torch.Tensor, weights: torch.Tensor) -> TokenBatch:
    """Tokens with the given current / old and old / engine ratios; old probability one half."""
    old = torch.full_like(ratios, log(0.5))
    return TokenBatch(
        logprobs_current=(old + ratios.log()).requires_grad_(),
        logprobs_old=old,
        logprobs_sampled=old - weights.log(),
        advantages=advantages,
        entropy=torch.full_like(ratios, 0.25),
        rows=torch.arange(len(ratios)),
    )


def test_by_hand() -> None:
    # ratio       1.0   1.5     1.5    0.5    0.5
    # advantage   2     1      -1      1     -1
    # inside clip [0.8, 1.3]: min(r A, clip(r) A) = 2, 1.3, -1.5, 0.5, -0.8
    tokens = batch(f64(1.0, 1.5, 1.5, 0.5, 0.5), f64(2, 1, -1, 1, -1), f64(1.0, 1.0, 1.0, 1.0, 1.0))
    loss, metrics = objective("grpo")(tokens, AlgoConfig(clip_low=0.2, clip_high=0.3))
    assert float(loss) == pytest.approx(-(2 + 1.3 - 1.5 + 0.5 - 0.8), abs=1e-12)
    loss.backward()
    # d/d logprob of -r A is -r A; exactly zero where the clip binds
    assert tokens.logprobs_current.grad is not None
    assert tokens.logprobs_current.grad.tolist() == pytest.approx([-2, 0, 1.5, -0.5, 0], abs=1e-12)
    assert float(metrics["clip_fraction"]) == 2
    assert float(metrics["ratio_mean"]) == pytest.approx(5.0)
    assert float(metrics["ratio_max"]) == pytest.approx(1.5)
    assert float(metrics["entropy"]) == pytest.approx(1.25)
    assert float(metrics["mismatch_kl"]) == pytest.approx(0.0, abs=1e-12)


def test_mismatch_weights_multiply_are_capped_and_carry_no_gradient() -> None:
    tokens = batch(f64(1, 1, 1), f64(1, 1, 1), f64(0.5, 1.5, 8.0))
    loss, metrics = objective("grpo")(tokens, AlgoConfig(mismatch_cap=2.0))
    assert float(loss) == pytest.approx(-(0.5 + 1.5 + 2.0))
    loss.backward()
    assert tokens.logprobs_current.grad is not None
    assert tokens.logprobs_current.grad.tolist() == pytest.approx([-0.5, -1.5, -2.0])
    assert float(metrics["mismatch_capped"]) == 1
    kl = sum(w - 1 - log(w) for w in (0.5, 1.5, 8.0))
    assert float(metrics["mismatch_kl"]) == pytest.approx(kl)
    assert float(metrics["mismatch_abs"]) == pytest.approx(log(2) + log(1.5) + log(8))
    assert exp(float(metrics["mismatch_abs_max"])) == pytest.approx(8)
    uncorrected, _ = objective("grpo")(tokens, AlgoConfig(mismatch="none"))
    assert float(uncorrected) == pytest.approx(-3.0)


def test_splitting_the_tokens_changes_neither_loss_nor_sums() -> None:
    torch.manual_seed(0)
    whole = batch(torch.rand(9).double() + 0.5, torch.randn(9).double(), torch.rand(9).double() + 0.5)
    loss, metrics = objective("grpo")(whole, AlgoConfig())
    parts = []
    for a, b in ((0, 4), (4, 4), (4, 9)):
        cut = {name: getattr(whole, name)[a:b] for name in whole.__dataclass_fields__}
        parts.append(objective("grpo")(replace(whole, **cut), AlgoConfig()))
    torch.testing.assert_close(sum(p[0] for p in parts), loss, rtol=0, atol=1e-12)
    for name, value in metrics.items():
        values = [p[1][name] for p in parts]
        merged = max(values) if name.endswith("_max") else sum(values)
        torch.testing.assert_close(merged, value, rtol=0, atol=1e-12)


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"algo\.name='ppo' is not a registered objective; known: grpo"):
        objective("ppo")
    with pytest.raises(ValueError, match=r"algo\.mismatch='clip'"):
        objective("grpo")(batch(f64(1), f64(1), f64(1)), AlgoConfig(mismatch="clip"))


def test_every_registered_objective_can_be_loaded() -> None:
    assert all(callable(objective(name)) for name in OBJECTIVES)
