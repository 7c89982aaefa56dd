"""What one learner call reports: token-weighted means, counts, and seconds by phase.

Learner [meter]
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from distrl.learner.optim import StepResult
from distrl.learner.packing import MicroBatch


class Meter:
    """Sums while a call runs; `metrics` divides them at the end."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._seconds: dict[str, float] = defaultdict(float)
        self._sums: dict[str, float] = defaultdict(float)
        self._counts: dict[str, float] = defaultdict(float)
        self._maxima: dict[str, float] = {}
        self._set: dict[str, float] = {}
        self._norms: list[float] = []
        self._padding = 0

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self._seconds[phase] += time.perf_counter() - started

    def add(self, name: str, count: float) -> None:
        self._counts[name] += count

    def set(self, name: str, value: float) -> None:
        self._set[name] = value

    def micro(self, micro: MicroBatch, loss: float, sums: dict[str, float]) -> None:
        """One micro-batch: its loss sum, the objective's sums (or maxima, by the ending `_max`), its size."""
        self._sums["loss"] += loss
        for name, value in sums.items():
            if name.endswith("_max"):
                self._maxima[name] = max(value, self._maxima.get(name, value))
            else:
                self._sums[name] += value
        self._counts["microbatches"] += 1
        self._counts["tokens_computed"] += len(micro.ids)
        self._counts["tokens_in_rows"] += micro.row_tokens
        self._padding += len(micro.ids) - sum(s.length for s in micro.spans)

    def step(self, result: StepResult) -> None:
        self._norms.append(result.grad_norm)
        self._counts["updates"] += result.stepped
        self._counts["nonfinite"] += not result.stepped

    def metrics(self) -> dict[str, float]:
        """`tokens` are trained targets; `sharing` is the share of row tokens that was not computed again.

        `padding_waste` is the share of computed positions that belong to no span: packing makes none, and the
        figure is measured all the same. `tokens_per_s` counts row tokens over the whole call.
        """
        count = self._counts
        for name in ("tokens", "tokens_computed", "tokens_in_rows", "updates", "nonfinite", "skipped_empty"):
            count[name] += 0.0
        tokens = max(1.0, count["tokens"])
        total = time.perf_counter() - self._started
        out = {name: value / tokens for name, value in self._sums.items()}
        out["loss"] = out.get("loss", 0.0)
        return {
            **out,
            **self._maxima,
            **count,
            **self._set,
            "grad_norm": sum(self._norms) / len(self._norms) if self._norms else 0.0,
            "padding_waste": self._padding / max(1.0, count["tokens_computed"]),
            "sharing": 1 - count["tokens_computed"] / max(1.0, count["tokens_in_rows"]),
            **{f"seconds_{p}": self._seconds[p] for p in ("pack", "forward", "backward", "optim")},
            "seconds_learner": total,
            "tokens_per_s": count["tokens_in_rows"] / total,
        }
