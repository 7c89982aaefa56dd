"""Where metrics go: a JSON line each, and TensorBoard. A sink raises; `RunLog` turns that into a warning.

driver -> RunLog -> [sinks] -> metrics.jsonl, TensorBoard
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, kw_only=True)
class MetricRecord:
    """One row of the log. `kind`: `train`, `cold_start` or `eval/PLACE`; `time`: seconds since the epoch."""

    time: float
    kind: str
    step: int
    metrics: Mapping[str, float]

    def to_json(self) -> str:
        """One line. A non-finite value stands as null and its name in `nonfinite`."""
        values = {name: float(value) for name, value in self.metrics.items()}
        odd = [name for name, value in values.items() if not math.isfinite(value)]
        row: dict[str, Any] = {"time": round(self.time, 3), "kind": self.kind, "step": self.step}
        row["metrics"] = {name: None if name in odd else value for name, value in values.items()}
        if odd:
            row["nonfinite"] = odd
        return json.dumps(row, ensure_ascii=True, allow_nan=False)


class Sink(Protocol):
    """Takes records until it is closed; may raise at any time."""

    name: str

    def write(self, record: MetricRecord) -> None: ...

    def close(self) -> None: ...


class JsonLines:
    """Appends to `metrics.jsonl`, one write a line: a killed run leaves whole lines before the last."""

    name = "metrics.jsonl"

    def __init__(self, folder: str) -> None:
        path = Path(folder) / self.name
        torn = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._torn = torn

    def write(self, record: MetricRecord) -> None:
        line = (("\n" if self._torn else "") + record.to_json() + "\n").encode()
        self._torn = True
        if os.write(self._fd, line) != len(line):
            raise OSError("a line was cut: is the disk full?")
        self._torn = False

    def close(self) -> None:
        os.close(self._fd)


class TensorBoard:
    """Scalars `kind/name` by step. TensorBoard's own event writer: no torch in the driver."""

    name = "TensorBoard"

    def __init__(self, folder: str) -> None:
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._writer = EventFileWriter(str(Path(folder) / "tensorboard"))

    def write(self, record: MetricRecord) -> None:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [
            Summary.Value(tag=f"{record.kind}/{name}", simple_value=float(value))
            for name, value in record.metrics.items()
            if math.isfinite(value)
        ]
        event = Event(wall_time=record.time, step=record.step, summary=Summary(value=values))
        self._writer.add_event(event)
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


def read_metrics(path: str) -> list[MetricRecord]:
    """The records of a `metrics.jsonl`; a torn line is left out, a null value comes back as NaN.

    Empty when there is no such file: a disk that took no metrics must not cost the run its report.
    """
    records: list[MetricRecord] = []
    text = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
    for line in text.splitlines():
        try:
            row = json.loads(line)
            metrics = {k: math.nan if v is None else float(v) for k, v in row["metrics"].items()}
            record = MetricRecord(time=row["time"], kind=row["kind"], step=row["step"], metrics=metrics)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        records.append(record)
    return records
