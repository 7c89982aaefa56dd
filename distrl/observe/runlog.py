"""The log of a run: every number once, to a file, to TensorBoard and to a person.

driver -> [RunLog] -> metrics.jsonl, TensorBoard, log.txt, console
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from distrl.observe.console import Console
from distrl.observe.report import (
    EVAL,
    HeldOut,
    heldout_lines,
    heldout_metrics,
    render_report,
    where_things_lie,
    write_report,
)
from distrl.observe.sinks import JsonLines, MetricRecord, Sink, TensorBoard, read_metrics
from distrl.observe.text import escape


class RunLog:
    """Writes metrics and notes into `run_dir`. A sink that fails is warned about once and never ends the run.

    `totals` gives the number of steps by kind, for the progress bars. The clock is passed in for tests.
    """

    def __init__(
        self,
        run_dir: str,
        console: bool = True,
        *,
        totals: Mapping[str, int] | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.run_dir = run_dir
        self._clock = clock
        Path(run_dir).mkdir(parents=True, exist_ok=True)
        self._warned: set[str] = set()
        self._console = Console(totals or {}, stream) if console else None
        self._sinks: list[Sink] = []
        for kind in (JsonLines, TensorBoard):
            self.add(lambda kind=kind: kind(run_dir), kind.name)  # type: ignore[misc]

    def add(self, make: Callable[[], Sink], name: str) -> None:
        """Adds a sink; one that cannot be made is a warning."""
        try:
            self._sinks.append(make())
        except Exception as error:  # a tracker's border: any fault of a tracker is a warning
            self._warn(name, error)

    def step(self, kind: str, step: int, metrics: Mapping[str, float]) -> None:
        """Writes one record to every sink. `kind`: `train`, `cold_start` or `eval/PLACE`."""
        record = MetricRecord(time=self._clock(), kind=kind, step=step, metrics=dict(metrics))
        sinks = [*self._sinks, self._console] if self._console else self._sinks
        for sink in sinks:
            try:
                sink.write(record)
            except Exception as error:  # a tracker's border
                self._warn(sink.name, error)

    def report(
        self,
        evaluations: Sequence[HeldOut],
        notes: Sequence[str],
        *,
        seconds: Mapping[str, float],
        export: str = "",
    ) -> str:
        """Writes report.md, says the held-out figures, the notes and where things lie; returns its path.

        `evaluations` replace the log's own (they survive a resume); `notes` are facts about the run, a line
        each; `seconds` by phase add up to the wall clock of this process.
        """
        logged = read_metrics(str(Path(self.run_dir) / JsonLines.name))
        heldout = [
            MetricRecord(time=0.0, kind=f"{EVAL}{e.place}", step=0, metrics=heldout_metrics(e.estimates()))
            for e in evaluations
        ]
        records = [r for r in logged if not r.kind.startswith(EVAL)] + heldout
        places = where_things_lie(self.run_dir, export)
        title = f"Run {Path(self.run_dir).name}"
        path = write_report(
            self.run_dir, render_report(title, records, seconds=seconds, places=places, notes=notes)
        )
        lies = [f"{what}: {where}" for what, where in places.items()]
        for line in (*heldout_lines(records), *notes, *lies, f"report: {path}"):
            self.note(line)
        return path

    def note(self, text: str) -> None:
        """One line for people: to the console and, with the time, to log.txt."""
        line = escape(text)
        stamp = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m-%d %H:%M:%S")
        try:
            with open(Path(self.run_dir) / "log.txt", "a", encoding="utf-8") as file:
                file.write(f"{stamp} {line}\n")
        except OSError as error:
            self._warn("log.txt", error)
        try:
            if self._console:
                self._console.print(line)
        except (OSError, ValueError):  # the terminal is gone; log.txt has the line
            self._console = None

    def _warn(self, name: str, error: Exception) -> None:
        """Says once that a sink fails; later failures of the same sink are silent."""
        if name not in self._warned:
            self._warned.add(name)
            self.note(f"warning: {name} cannot be written ({type(error).__name__}: {error}); the run goes on")

    def close(self) -> None:
        """Closes every sink; safe to call twice."""
        sinks, self._sinks = [*self._sinks, *([self._console] if self._console else [])], []
        for sink in sinks:
            try:
                sink.close()
            except Exception as error:  # a tracker's border
                self._warn(sink.name, error)
