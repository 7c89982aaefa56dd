"""The report of a run: what was learnt, how long it took, where everything lies. Records in, Markdown out.

metrics.jsonl -> [report] -> report.md
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from distrl.observe.sinks import MetricRecord
from distrl.observe.text import cell, number

EVAL = "eval/"
PLACES = {"before": "before", "cold_start": "after the cold start", "end": "after training"}
TABLE_ROWS = 25  # of the learning table; a longer run is thinned evenly, the first and last step kept
LEARNING = ("reward", "loss", "entropy", "clip_fraction", "mismatch_kl", "grad_norm", "sampled_tokens")


class Interval(Protocol):
    """A mean with its 95 % interval."""

    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


class HeldOut(Protocol):
    """One held-out evaluation: where in the run, and its estimates by `measure@temperature`."""

    @property
    def place(self) -> str: ...
    def estimates(self) -> Mapping[str, Interval]: ...


def heldout_metrics(estimates: Mapping[str, Interval]) -> dict[str, float]:
    """Metrics of an `eval/PLACE` record: `NAME`, `NAME.low`, `NAME.high` for each `measure@temperature`."""
    out: dict[str, float] = {}
    for name, e in estimates.items():
        out |= {name: e.mean, f"{name}.low": e.low, f"{name}.high": e.high}
    return out


def render_report(
    title: str,
    records: Sequence[MetricRecord],
    *,
    seconds: Mapping[str, float],
    places: Mapping[str, str],
    notes: Sequence[str] = (),
) -> str:
    """The report as Markdown.

    `seconds` by phase (with `idle`); `places` says what lies where ("checkpoint" → a path); `notes` are lines
    such as the stop reason. A step that was run twice (a resumed run) counts with its last record.
    """
    blocks = [
        [f"# {cell(title)}", ""],
        [*(f"- {cell(note)}" for note in notes), ""] if notes else [],
        _heldout(records),
        _learning(records, "cold_start", "Cold start"),
        _learning(records, "train", "Training"),
        _seconds(seconds),
        _places(places),
    ]
    return "\n".join(line for block in blocks for line in block).rstrip() + "\n"


def write_report(run_dir: str, text: str) -> str:
    """Writes report.md into the run folder and returns its path."""
    path = Path(run_dir) / "report.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def where_things_lie(run_dir: str, export: str) -> dict[str, str]:
    """What of a run exists, and where."""
    names = {
        "checkpoints": "checkpoints",
        "training trajectories (Parquet)": "trajectories",
        "held-out trajectories (Parquet)": "heldout",
        "metrics": "metrics.jsonl",
        "TensorBoard": "tensorboard",
        "resolved config": "config.yaml",
    }
    found = {
        what: str(Path(run_dir) / name) for what, name in names.items() if (Path(run_dir) / name).exists()
    }
    return ({"exported model": export} if export else {}) | found


def heldout_lines(records: Sequence[MetricRecord]) -> list[str]:
    """One line a measure for the terminal: its mean at each place."""
    found = {r.kind.removeprefix(EVAL): r.metrics for r in records if r.kind.startswith(EVAL)}
    names = dict.fromkeys(
        n for m in found.values() for n in m if "@" in n and not n.endswith((".low", ".high"))
    )
    return [
        f"held out, {name}: "
        + "; ".join(f"{PLACES.get(p, p)} {_interval(m, name)}" for p, m in found.items())
        for name in names
    ]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    line = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    return [*line, ""]


def _heldout(records: Sequence[MetricRecord]) -> list[str]:
    """One row a measure and temperature, one column a place, each `mean [low, high]`."""
    found = {r.kind.removeprefix(EVAL): r.metrics for r in records if r.kind.startswith(EVAL)}
    if not found:
        return []
    names = dict.fromkeys(n for m in found.values() for n in m if not n.endswith((".low", ".high")))
    rows = []
    for name in names:
        measure, _, temperature = name.partition("@")
        how = {"": "", "0": "greedy"}.get(temperature, f"temperature {temperature}")
        rows.append([cell(measure), how, *(_interval(metrics, name) for metrics in found.values())])
    head = ["measure", "sampling", *(PLACES.get(place, cell(place)) for place in found)]
    return ["## Held-out tasks (mean and 95 % interval)", "", *_table(head, rows)]


def _interval(metrics: Mapping[str, float], name: str) -> str:
    if name not in metrics:
        return "-"
    if f"{name}.low" not in metrics:
        return f"{metrics[name]:.3f}"
    return f"{metrics[name]:.3f} [{metrics[f'{name}.low']:.3f}, {metrics[f'{name}.high']:.3f}]"


def _learning(records: Sequence[MetricRecord], kind: str, title: str) -> list[str]:
    steps = {r.step: r for r in records if r.kind == kind}
    rows = _thin([steps[s] for s in sorted(steps)])
    columns = [c for c in LEARNING if any(c in r.metrics for r in rows)]
    if not columns:
        return []
    body = [[str(r.step), *(_value(r.metrics.get(c)) for c in columns)] for r in rows]
    shown = "" if len(rows) == len(steps) else f" ({len(rows)} of {len(steps)} steps)"
    return [f"## {title}{shown}", "", *_table(["step", *columns], body)]


def _value(value: float | None) -> str:
    return "not finite" if value is not None and not math.isfinite(value) else number(value)


def _thin(rows: list[MetricRecord]) -> list[MetricRecord]:
    if len(rows) <= TABLE_ROWS:
        return rows
    return [rows[round(i * (len(rows) - 1) / (TABLE_ROWS - 1))] for i in range(TABLE_ROWS)]


def _seconds(seconds: Mapping[str, float]) -> list[str]:
    wall = sum(seconds.values())
    if wall <= 0:
        return []
    order = sorted(seconds.items(), key=lambda item: -item[1])
    rows = [[cell(phase), f"{s:.1f}", f"{100 * s / wall:.0f} %"] for phase, s in order]
    return [
        "## Seconds by phase",
        "",
        *_table(["phase", "seconds", "share"], [*rows, ["wall", f"{wall:.1f}", ""]]),
    ]


def _places(places: Mapping[str, str]) -> list[str]:
    if not places:
        return []
    return [
        "## Where it lies",
        "",
        *(f"- {cell(what)}: `{cell(where)}`" for what, where in places.items()),
        "",
    ]
