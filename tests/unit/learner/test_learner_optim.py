"""Clipping, schedules, and Arrow columns without a copy."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest
import torch
from learner_builders import trajectories

from distrl.config.schema import LearnerConfig
from distrl.learner.optim import Optimiser, warmup, warmup_cosine
from distrl.learner.rows import decode
from distrl.trajectory.arrow import column, to_table


def test_gradient_is_scaled_to_the_global_norm_and_vectors_do_not_decay() -> None:
    matrix = torch.nn.Parameter(torch.ones(2, 2, dtype=torch.float64))
    vector = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    optimiser = Optimiser({"m": matrix, "v": vector}, LearnerConfig(grad_clip=1.0, weight_decay=0.5))
    matrix.grad, vector.grad = torch.full_like(matrix, 3.0), torch.zeros_like(vector)
    result = optimiser.step(0.1, loss=1.0)
    assert result.stepped and result.grad_norm == pytest.approx(6.0)
    first_moment = optimiser.tensors()["exp_avg.m"]
    assert first_moment.flatten().tolist() == pytest.approx([0.05] * 4, rel=1e-5)  # 3/6 x (1 - beta)
    assert vector.tolist() == [1.0, 1.0]
    assert float(matrix[0, 0]) == pytest.approx(1 - 0.1 * 0.5 - 0.1, abs=1e-6)


def test_schedules() -> None:
    assert [warmup(k, 4, 8.0) for k in range(6)] == [2.0, 4.0, 6.0, 8.0, 8.0, 8.0]
    assert warmup(0, 0, 8.0) == 8.0
    rates = [warmup_cosine(k, 100, 1.0) for k in range(100)]
    assert rates[0] == pytest.approx(0.1) and max(rates) == rates[9] == 1.0
    assert rates[-1] == pytest.approx(0.1) and all(a > b for a, b in pairwise(rates[9:]))
    assert warmup_cosine(0, 1, 1.0) == 1.0


def test_token_columns_are_read_without_a_copy() -> None:
    table = to_table(trajectories()).combine_chunks()
    rows = decode(table)
    for name, tensor in (("ids", rows.ids), ("logprobs", rows.logprobs_sampled)):
        assert tensor.data_ptr() == column(table, name)[0].ctypes.data


def test_sliced_and_chunked_tables_decode_like_whole_ones() -> None:
    whole = to_table(trajectories())
    parts = pa.concat_tables([whole.slice(0, 2), whole.slice(2)])
    a, b = decode(whole), decode(parts)
    assert a.offsets == b.offsets and torch.equal(a.ids, b.ids) and torch.equal(a.loss_mask, b.loss_mask)
    tail = decode(whole.slice(4))
    assert len(tail) == 2 and tail.ids.tolist() == a.ids[a.offsets[4] :].tolist()
    assert tail.offsets[0] == 0 and tail.rewards.tolist() == a.rewards[4:].tolist()


def test_greedy_rows_are_trained_at_temperature_one() -> None:
    table = to_table(trajectories())
    greedy = table.set_column(
        table.schema.get_field_index("temperature"), "temperature", pa.array([0.0] * len(table), pa.float32())
    )
    assert decode(greedy).temperatures.tolist() == [1.0] * len(table)
