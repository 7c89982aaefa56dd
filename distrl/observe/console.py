"""What a person sees: live progress on a terminal, one readable line a step elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TextIO

from rich.console import Console as RichConsole
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from distrl.observe.sinks import MetricRecord
from distrl.observe.text import escape, number

HEADLINE = (
    "reward",
    "loss",
    "whole_call_right",
    "metric/whole_call_right",
    "part/format",
    "kl",
    "mismatch_kl",
    "clip_fraction",
    "entropy",
    "grad_norm",
    "sampled_tokens",
    "seconds/step",
)
SHOWN = 8  # figures in one line; all of them stand in metrics.jsonl


def headline(metrics: Mapping[str, float]) -> list[str]:
    """Names for the line: the known important ones first, then others in the order given, at most SHOWN."""
    base = {name: name.split("@", 1)[0] for name in metrics}
    first = [n for wanted in HEADLINE for n in metrics if base[n] == wanted]
    rest = [n for n in metrics if n not in first and not n.endswith((".low", ".high"))]
    return (first if len(first) >= 3 else first + rest)[:SHOWN]


def line_of(record: MetricRecord, total: int = 0) -> str:
    """`train 3/20  reward 0.512  loss 0.0131`: one printable line."""
    of = f"/{total}" if total else ""
    parts = [f"{name} {_figure(record.metrics[name])}" for name in headline(record.metrics)]
    return escape("  ".join([f"{record.kind} {record.step}{of}", *parts]))


def _figure(value: float) -> str:
    return number(value) if math.isfinite(value) else str(value)


class Console:
    """Prints records and notes; a live bar for each kind of step whose total is known, on a terminal only."""

    name = "console"

    def __init__(self, totals: Mapping[str, int], stream: TextIO | None = None) -> None:
        self._totals = dict(totals)
        self._out = RichConsole(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=True)
        self._bars: dict[str, TaskID] = {}
        self._progress: Progress | None = None

    def write(self, record: MetricRecord) -> None:
        total = self._totals.get(record.kind, 0)
        self.print(line_of(record, total))
        if self._out.is_terminal and total:
            self._advance(record, total)

    def print(self, text: str) -> None:
        self._out.print(escape(text))

    def _advance(self, record: MetricRecord, total: int) -> None:
        if self._progress is None:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            self._progress = Progress(*columns, TimeElapsedColumn(), console=self._out, transient=True)
            self._progress.start()
        if record.kind not in self._bars:
            self._bars[record.kind] = self._progress.add_task(escape(record.kind), total=total)
        self._progress.update(self._bars[record.kind], completed=min(record.step, total))

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
