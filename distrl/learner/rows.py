"""An Arrow batch as torch tensors: flat token columns plus row offsets, without a copy where Arrow allows.

Buffer -> [Arrow batch] -> Learner [rows] -> Weights
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from distrl.trajectory.arrow import column
from distrl.trajectory.records import Status


@dataclass(frozen=True, kw_only=True)
class Rows:
    """`tokens` long flat columns; row i is positions offsets[i] to offsets[i + 1].

    `ids` int32, `loss_mask` bool, `logprobs_sampled` float32 (nats); by row: `prompt_lengths` int, `rewards`
    float64, `temperatures` float32 (1 where sampling was greedy), `errors` bool, `groups` str.
    """

    ids: Tensor
    loss_mask: Tensor
    logprobs_sampled: Tensor
    offsets: tuple[int, ...]
    prompt_lengths: tuple[int, ...]
    rewards: Tensor
    temperatures: Tensor
    errors: Tensor
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.groups)

    @property
    def row_of_token(self) -> Tensor:
        """The row of each flat position, int64 [tokens]."""
        lengths = torch.tensor(self.offsets).diff()
        return torch.repeat_interleave(torch.arange(len(self)), lengths)


def decode(table: pa.Table) -> Rows:
    """The columns that training reads; the table is assumed valid (the buffer validated it on entry)."""
    table = table.combine_chunks()
    ids, offsets = column(table, "ids")
    temperatures = table["temperature"].to_numpy()
    return Rows(
        ids=_tensor(ids),
        loss_mask=_tensor(column(table, "loss_mask")[0]),
        logprobs_sampled=_tensor(column(table, "logprobs")[0]),
        offsets=tuple(offsets.tolist()),
        prompt_lengths=tuple(table["prompt_length"].to_pylist()),
        rewards=torch.tensor(table["reward"].to_numpy(), dtype=torch.float64),
        temperatures=torch.tensor(np.where(temperatures > 0, temperatures, 1.0), dtype=torch.float32),
        errors=torch.tensor([Status(s).is_error for s in table["status"].to_pylist()], dtype=torch.bool),
        groups=tuple(table["group_id"].to_pylist()),
    )


def _tensor(values: np.ndarray) -> Tensor:
    """A tensor over Arrow's own memory, which is read-only; torch cannot say so: never write to it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not writable.*")
        return torch.from_numpy(values)


def trainable(rows: Rows, kept: Tensor, finite_logprobs: bool) -> Tensor:
    """Which flat positions enter the loss, bool [tokens]: sampled, in a kept row, with a known predecessor.

    With `finite_logprobs` a token whose behaviour log-probability is not finite leaves too, and so leaves the
    denominator, which is the number of True here. `kept` bool [rows].
    """
    chosen = rows.loss_mask & kept[rows.row_of_token]
    starts = [o for o, end in zip(rows.offsets[:-1], rows.offsets[1:], strict=True) if o < end]
    chosen[starts] = False  # nothing predicts a row's first token
    if finite_logprobs:
        chosen &= torch.isfinite(rows.logprobs_sampled)
    return chosen
