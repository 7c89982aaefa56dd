"""AdamW with a global gradient norm, a guard against non-finite steps, and the learning-rate schedules.

Learner [optim]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from distrl.config.schema import LearnerConfig


class NonFiniteError(RuntimeError):
    """Too many optimiser steps in a row had a loss or gradient that is not finite."""


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """`stepped` False: weights and optimiser state are as before. `grad_norm` is before clipping."""

    stepped: bool
    grad_norm: float


class Optimiser:
    """AdamW over named parameters. Weight decay applies to matrices only (not to norms and biases)."""

    def __init__(self, parameters: dict[str, nn.Parameter], config: LearnerConfig) -> None:
        self.parameters, self.config = parameters, config
        self.nonfinite_in_row = self.nonfinite_total = 0
        matrices = [p for p in parameters.values() if p.ndim >= 2]
        vectors = [p for p in parameters.values() if p.ndim < 2]
        groups = [
            {"params": matrices, "weight_decay": config.weight_decay},
            {"params": vectors, "weight_decay": 0.0},
        ]
        fused = all(p.dtype == torch.float32 for p in parameters.values())
        self.adam = torch.optim.AdamW(
            [g for g in groups if g["params"]],
            lr=config.lr,
            betas=(config.betas[0], config.betas[1]),
            fused=fused,
        )

    def zero(self) -> None:
        self.adam.zero_grad(set_to_none=True)

    def step(self, lr: float, loss: float) -> StepResult:
        """One update from the accumulated gradients, unless `loss` or their norm is not finite.

        Raises NonFiniteError after `max_nonfinite` refused steps in a row.
        """
        grads = [p.grad for p in self.parameters.values() if p.grad is not None]
        norm = (
            torch.nn.utils.get_total_norm(grads) if grads and math.isfinite(loss) else torch.tensor(math.nan)
        )
        if not bool(torch.isfinite(norm)):
            return self._refuse(loss, float(norm))
        self.nonfinite_in_row = 0
        if self.config.grad_clip > 0:
            torch.nn.utils.clip_grads_with_norm_(self.parameters.values(), self.config.grad_clip, norm)
        for group in self.adam.param_groups:
            group["lr"] = lr
        self.adam.step()
        self.zero()
        return StepResult(stepped=True, grad_norm=float(norm))

    def _refuse(self, loss: float, norm: float) -> StepResult:
        self.zero()
        self.nonfinite_in_row += 1
        self.nonfinite_total += 1
        if self.nonfinite_in_row >= self.config.max_nonfinite:
            raise NonFiniteError(
                f"{self.nonfinite_in_row} optimiser steps in a row were not finite (loss {loss}, norm"
                f" {norm}); lower learner.lr or resume from an earlier checkpoint"
            )
        return StepResult(stepped=False, grad_norm=norm)

    def tensors(self) -> dict[str, Tensor]:
        """State by name: `exp_avg.<parameter>`, `exp_avg_sq.<parameter>`, `step.<parameter>`."""
        return {
            f"{key}.{name}": value
            for name, parameter in self.parameters.items()
            for key, value in self.adam.state.get(parameter, {}).items()
        }

    def load_tensors(self, tensors: dict[str, Tensor]) -> None:
        """The inverse of `tensors`. KeyError names a parameter that is not in this model."""
        self.adam.state.clear()
        for full, value in tensors.items():
            key, name = full.split(".", 1)
            parameter = self.parameters[name]
            self.adam.state[parameter][key] = value.to(parameter.device)  # as a fused AdamW keeps `step`


def warmup(step: int, warmup_steps: int, peak: float) -> float:
    """Learning rate of step `step` (0-based): linear up to `peak` over `warmup_steps`, then constant."""
    return peak * min(1.0, (step + 1) / warmup_steps) if warmup_steps > 0 else peak


def warmup_cosine(step: int, steps: int, peak: float, warm_share: float = 0.1, floor: float = 0.1) -> float:
    """Linear warm-up over `warm_share` of `steps`, then cosine decay to `floor` x peak at the last step."""
    warm = max(1, round(steps * warm_share))
    if step < warm:
        return peak * (step + 1) / warm
    progress = min(1.0, (step + 1 - warm) / max(1, steps - warm))
    return peak * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * progress)))
