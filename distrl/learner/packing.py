"""Rows -> unpadded micro-batches in which what several rows begin with is computed once.

Buffer -> Learner [packing] -> Weights

A micro-batch is one flat sequence of T tokens cut into spans. A span attends causally to itself and fully to
its context, the span of its prompt (or nothing); positions continue from the context's length. Hidden states
come out flat [T, H]; a log-probability is asked for by (source position, target id), so the last position of
a shared prompt predicts the first token of every rollout that follows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from distrl.learner.rows import Rows

MIN_COMMON = 16  # tokens; a shorter common beginning costs more in attention calls than it saves


@dataclass(frozen=True, kw_only=True)
class Span:
    """Flat positions start to stop; `context` is the index of the span it continues, or -1."""

    start: int
    stop: int
    context: int

    @property
    def length(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, kw_only=True)
class MicroBatch:
    """T tokens in spans, and P targets.

    `ids`, `positions` int64 [T]; `token` int64 [T]: the flat position in Rows that each token came from;
    `sources` int64 [P]: where in T the prediction is read; `targets` int64 [P]: the predicted ids;
    `target_tokens` int64 [P]: the targets' flat positions in Rows. `row_tokens`: tokens of the rows in it,
    that is T without sharing.
    """

    ids: Tensor
    positions: Tensor
    token: Tensor
    spans: tuple[Span, ...]
    sources: Tensor
    targets: Tensor
    target_tokens: Tensor
    row_tokens: int


def pack(rows: Rows, chosen: Tensor, budget: int, share_prefix: bool) -> list[MicroBatch]:
    """Every row with a chosen token, once, in micro-batches of at most `budget` tokens (a longer row alone).

    `chosen` bool [tokens] marks the targets. Rows are taken group by group; a group that does not fit into
    what is left of a micro-batch opens the next one; one larger than the budget is split, and its prompt is
    then computed once in each part. Rows that share their whole prompt with no other form the last group, on
    what their prompts have in common.
    """
    if budget < 1:
        raise ValueError(f"learner.microbatch_tokens={budget} must be at least 1")
    batches: list[MicroBatch] = []
    builder = _Builder(rows, chosen)
    for members, prefix in _families(rows, chosen, share_prefix):
        whole = prefix + sum(_length(rows, r) - prefix for r in members)
        if builder.size and builder.size + whole > budget:
            batches.append(builder.build())
            builder = _Builder(rows, chosen)
        context = -1
        for row in members:
            own = _length(rows, row) - prefix
            if builder.size and builder.size + own + (prefix if context < 0 else 0) > budget:
                batches.append(builder.build())
                builder, context = _Builder(rows, chosen), -1
            if prefix and context < 0:
                context = builder.add_prefix(row, prefix)
            builder.add_row(row, prefix, context)
    if builder.size:
        batches.append(builder.build())
    return batches


def _length(rows: Rows, row: int) -> int:
    return rows.offsets[row + 1] - rows.offsets[row]


def _families(rows: Rows, chosen: Tensor, share_prefix: bool) -> list[tuple[list[int], int]]:
    """(rows, length of their shared prompt or 0), by first appearance; rows without a target drop out."""
    families: dict[object, list[int]] = {}
    for row in range(len(rows)):
        start, end = rows.offsets[row], rows.offsets[row + 1]
        if not bool(chosen[start:end].any()):
            continue
        prompt = rows.ids[start : start + rows.prompt_lengths[row]]
        key = prompt.numpy().tobytes() if share_prefix and len(prompt) else row
        families.setdefault(key, []).append(row)
    # A target inside the prompt belongs to one row only: such a row stands alone.
    out: list[tuple[list[int], int]] = []
    single: list[int] = []
    for members in families.values():
        prefix = rows.prompt_lengths[members[0]]
        alone = [r for r in members if bool(chosen[rows.offsets[r] : rows.offsets[r] + prefix].any())]
        shared = [r for r in members if r not in alone]
        out += [([r], 0) for r in alone]
        if len(shared) > 1:
            out.append((shared, prefix))
        else:
            single += shared
    common = _common_prefix(rows, single) if share_prefix else 0
    return out + ([(single, common)] if common else [([r], 0) for r in single])


def _common_prefix(rows: Rows, members: list[int]) -> int:
    """Length of what different prompts begin with, such as a system message; 0 if not worth a span."""
    if len(members) < 2:
        return 0
    length = min(rows.prompt_lengths[r] for r in members)
    first = rows.ids[rows.offsets[members[0]] :][:length]
    for r in members[1:]:
        same = rows.ids[rows.offsets[r] :][: len(first)] == first
        first = first[: int(same.long().cumprod(0).sum())]
    return len(first) if len(first) >= MIN_COMMON else 0


class _Builder:
    """Collects the spans of one micro-batch."""

    def __init__(self, rows: Rows, chosen: Tensor) -> None:
        self.rows, self.chosen = rows, chosen
        self.size = self.row_tokens = 0
        self.spans: list[Span] = []
        self.tokens: list[Tensor] = []
        self.positions: list[Tensor] = []
        self.sources: list[Tensor] = []
        self.target_tokens: list[Tensor] = []

    def _add(self, start: int, stop: int, position: int, context: int) -> int:
        length = stop - start
        self.spans.append(Span(start=self.size, stop=self.size + length, context=context))
        self.tokens.append(torch.arange(start, stop))
        self.positions.append(torch.arange(position, position + length))
        self.size += length
        return len(self.spans) - 1

    def add_prefix(self, row: int, length: int) -> int:
        start = self.rows.offsets[row]
        return self._add(start, start + length, 0, -1)

    def add_row(self, row: int, prefix: int, context: int) -> None:
        """The row without its first `prefix` tokens, which span `context` holds."""
        start, stop = self.rows.offsets[row], self.rows.offsets[row + 1]
        begin = self.size
        if start + prefix < stop:
            self._add(start + prefix, stop, prefix, context)
        targets = torch.nonzero(self.chosen[start:stop]).flatten()
        sources = begin + targets - prefix - 1
        if context >= 0:
            sources[targets == prefix] = self.spans[context].stop - 1
        self.sources.append(sources)
        self.target_tokens.append(targets + start)
        self.row_tokens += stop - start

    def build(self) -> MicroBatch:
        token, target_tokens = torch.cat(self.tokens), torch.cat(self.target_tokens)
        ids = self.rows.ids
        return MicroBatch(
            ids=ids[token].long(),
            positions=torch.cat(self.positions),
            token=token,
            spans=tuple(self.spans),
            sources=torch.cat(self.sources),
            targets=ids[target_tokens].long(),
            target_tokens=target_tokens,
            row_tokens=self.row_tokens,
        )
