"""Packing: every token once, budgets hold, sources predict their targets."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from learner_builders import rows

from distrl.learner.packing import MicroBatch, pack
from distrl.learner.rows import Rows, trainable


def history(micro: MicroBatch, source: int) -> list[int]:
    """The ids that position `source` sees, by the layout."""
    index, span = next((i, s) for i, s in enumerate(micro.spans) if s.start <= source < s.stop)
    context = micro.spans[span.context] if span.context >= 0 else None
    before = micro.ids[context.start : context.stop].tolist() if context else []
    assert span.context < index
    return before + micro.ids[span.start : source + 1].tolist()


def everything(batch: Rows) -> torch.Tensor:
    return trainable(batch, torch.ones(len(batch), dtype=torch.bool), finite_logprobs=True)


@settings(max_examples=60, deadline=None)
@given(
    groups=st.integers(1, 4),
    size=st.integers(1, 4),
    seed=st.integers(0, 10_000),
    prompt=st.integers(0, 6),
    budget=st.integers(1, 120),
    share=st.booleans(),
)
def test_each_target_once_with_its_own_history_and_budgets_hold(
    groups: int, size: int, seed: int, prompt: int, budget: int, share: bool
) -> None:
    batch = rows(groups, size, seed, prompt)
    chosen = everything(batch)
    micros = pack(batch, chosen, budget, share)
    targets = torch.cat([m.target_tokens for m in micros])
    assert sorted(targets.tolist()) == torch.nonzero(chosen).flatten().tolist()
    row_of = batch.row_of_token
    seen: dict[int, int] = {}
    for m in micros:
        assert len(m.ids) == sum(s.length for s in m.spans) == m.spans[-1].stop
        assert len(m.ids) <= budget or len({int(row_of[t]) for t in m.target_tokens}) == 1
        for token in m.token.tolist():
            seen[token] = seen.get(token, 0) + 1
        triples = zip(m.sources.tolist(), m.targets, m.target_tokens.tolist(), strict=True)
        for source, target, token in triples:
            start = batch.offsets[int(row_of[token])]
            assert history(m, source) == batch.ids[start:token].tolist()
            assert int(m.positions[source]) == token - start - 1
            assert int(target) == int(batch.ids[token])
    responses = [
        t
        for r in range(len(batch))
        for t in range(batch.offsets[r] + batch.prompt_lengths[r], batch.offsets[r + 1])
    ]
    trained = {int(row_of[t]) for t in targets}
    assert all(seen[t] == 1 for t in responses if int(row_of[t]) in trained)
    if not share:
        assert all(n == 1 for n in seen.values())
        assert len(seen) == sum(batch.offsets[r + 1] - batch.offsets[r] for r in trained)
    if share and budget == 120:
        assert all(n == 1 for n in seen.values())
    assert sum(m.row_tokens for m in micros) == sum(batch.offsets[r + 1] - batch.offsets[r] for r in trained)


def test_a_shared_prompt_is_computed_once() -> None:
    batch = rows(groups=1, size=3, prompt=6)
    (micro,) = pack(batch, everything(batch), 1000, True)
    assert len(micro.ids) == len(batch.ids) - 2 * 6


def test_targets_inside_a_prompt_keep_the_row_whole() -> None:
    batch = rows(groups=1, size=3, prompt=6)
    batch.loss_mask[2] = True
    (micro,) = pack(batch, everything(batch), 1000, True)
    assert len(micro.ids) == len(batch.ids) - 6  # the two other rows share
    assert 2 in micro.target_tokens.tolist()


def test_rows_without_targets_are_not_computed() -> None:
    batch = rows()
    assert pack(batch, torch.zeros(len(batch.ids), dtype=torch.bool), 100, True) == []


def test_a_budget_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="microbatch_tokens=0"):
        pack(rows(), everything(rows()), 0, True)


def test_what_different_prompts_begin_with_is_computed_once() -> None:
    batch = rows(groups=3, size=1, prompt=40)
    opening = torch.arange(20, dtype=torch.int32)
    for start in batch.offsets[:-1]:
        batch.ids[start : start + 20] = opening
        batch.ids[start + 20] = start % 40  # prompts part here
    (micro,) = pack(batch, everything(batch), 1000, True)
    assert len(micro.ids) == len(batch.ids) - 2 * 20
    assert micro.row_tokens == len(batch.ids)
    (unshared,) = pack(batch, everything(batch), 1000, False)
    assert len(unshared.ids) == len(batch.ids)
    batch.ids[batch.offsets[1] + 3] = 39  # now only three tokens are common: not worth a span
    (micro,) = pack(batch, everything(batch), 1000, True)
    assert len(micro.ids) == len(batch.ids)
