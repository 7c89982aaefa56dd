"""Group-relative advantages: a rollout is judged against its siblings on the same task.

Buffer -> Learner [advantages] -> Weights
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from distrl.trajectory.records import EQUAL_REWARDS


@dataclass(frozen=True, kw_only=True)
class GroupAdvantages:
    """Advantages by rollout, and what was left out.

    `advantages` float64 [rows], exactly 0 where `kept` is False. `kept` bool [rows]: those that enter
    the loss.
    """

    advantages: Tensor
    kept: Tensor
    groups: int
    zero_variance_groups: int
    error_rows: int


def group_advantages(
    rewards: Tensor, groups: Sequence[Hashable], errors: Tensor, normalise_std: bool
) -> GroupAdvantages:
    """A_i = r_i - mean(group), divided by the group's population standard deviation when asked for.

    `rewards` [rows]; `groups` a key for each row; `errors` bool [rows]. An errored row, or one whose reward
    is not finite, says nothing about the policy: it stays outside baseline and loss. A group whose remaining
    rewards are equal (or that has fewer than two of them) has no signal: its rows leave the loss too.
    Source: Shao et al. 2024 (arXiv:2402.03300), section 4.1; without the division, Liu et al. 2025
    (arXiv:2503.20783).
    """
    rewards = rewards.to(torch.float64)
    valid = ~errors & torch.isfinite(rewards)
    advantages = torch.zeros_like(rewards)
    kept = torch.zeros_like(valid)
    members: dict[Hashable, list[int]] = {}
    for row, key in enumerate(groups):
        members.setdefault(key, []).append(row)
    zero_variance = 0
    for rows in members.values():
        index = torch.tensor([r for r in rows if valid[r]], dtype=torch.int64)
        values = rewards[index]
        if len(index) < 2 or float(values.max() - values.min()) <= EQUAL_REWARDS:
            zero_variance += 1
            continue
        centred = values - values.mean()
        advantages[index] = centred / values.std(correction=0) if normalise_std else centred
        kept[index] = True
    return GroupAdvantages(
        advantages=advantages,
        kept=kept,
        groups=len(members),
        zero_variance_groups=zero_variance,
        error_rows=int((~valid).sum()),
    )
