"""The log of a run: every number arrives, no tracker ends a run, no text steers a terminal, time adds up."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.observe import RunLog, SpanLog
from distrl.observe.console import line_of
from distrl.observe.report import heldout_metrics, render_report
from distrl.observe.sinks import JsonLines, MetricRecord, read_metrics
from distrl.observe.spans import IDLE
from distrl.observe.text import cell, escape


def record(kind: str = "train", step: int = 1, **metrics: float) -> MetricRecord:
    return MetricRecord(time=0.0, kind=kind, step=step, metrics=metrics)


def quiet(folder: Path, **options: object) -> tuple[RunLog, io.StringIO]:
    stream = io.StringIO()
    return RunLog(str(folder), stream=stream, **options), stream  # type: ignore[arg-type]


def test_each_step_is_one_flushed_json_line_and_non_finite_values_are_flagged(tmp_path: Path) -> None:
    log, _ = quiet(tmp_path, clock=lambda: 12.5)
    log.step("train", 3, {"reward": 0.25, "loss": math.nan, "big": -math.inf})
    row = json.loads((tmp_path / "metrics.jsonl").read_text())  # before close: flushed
    assert row == {
        "time": 12.5,
        "kind": "train",
        "step": 3,
        "metrics": {"reward": 0.25, "loss": None, "big": None},
        "nonfinite": ["loss", "big"],
    }
    log.close()
    log.close()


def test_tensorboard_holds_the_same_numbers(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    log, _ = quiet(tmp_path)
    log.step("train", 1, {"reward": 0.5, "loss": math.nan})
    log.step("train", 2, {"reward": 0.75})
    log.close()
    (file,) = (tmp_path / "tensorboard").iterdir()
    found = [
        (event.step, value.tag, value.tensor.float_val[0])
        for event in EventFileLoader(str(file)).Load()
        for value in event.summary.value
    ]
    assert found == [(1, "train/reward", 0.5), (2, "train/reward", 0.75)]


def test_a_failing_tracker_is_one_warning_and_the_others_go_on(tmp_path: Path) -> None:
    class Broken:
        name = "broken"

        def write(self, record: MetricRecord) -> None:
            raise OSError("disk \x1b[31mfull")

        close = None  # not even callable

    log, stream = quiet(tmp_path)
    log.add(Broken, "broken")  # type: ignore[arg-type]
    log.add(lambda: JsonLines("/nonexistent"), "absent")
    for step in (1, 2):
        log.step("train", step, {"reward": 1.0})
    log.close()
    assert [r.step for r in read_metrics(str(tmp_path / "metrics.jsonl"))] == [1, 2]
    assert read_metrics(str(tmp_path / "nowhere.jsonl")) == []
    warnings = [line for line in stream.getvalue().splitlines() if line.startswith("warning")]
    assert warnings == [
        "warning: absent cannot be written (FileNotFoundError: [Errno 2] No such file or directory: "
        "'/nonexistent/metrics.jsonl'); the run goes on",
        "warning: broken cannot be written (OSError: disk \\x1b[31mfull); the run goes on",
    ]


def test_a_torn_last_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text(record(step=1, a=1.0).to_json() + "\n" + '{"time": 1, "ki')
    sink = JsonLines(str(tmp_path))
    sink.write(record(step=2, a=math.inf))
    sink.close()
    rows = read_metrics(str(path))
    assert [r.step for r in rows] == [1, 2] and math.isnan(rows[1].metrics["a"])


def test_without_a_terminal_a_step_is_one_line(tmp_path: Path) -> None:
    log, stream = quiet(tmp_path, totals={"train": 20})
    log.step("train", 3, {"reward": 0.51234, "lr": 1e-5, "grad_norm": math.inf})
    log.note("a\nb")
    log.close()
    assert stream.getvalue() == "train 3/20  reward 0.5123  grad_norm inf  lr 1e-05\na\\x0ab\n"
    assert (tmp_path / "log.txt").read_text().endswith(" a\\x0ab\n")


def test_on_a_terminal_progress_is_live_and_the_line_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    log, stream = quiet(tmp_path, totals={"train": 4})
    log.step("train", 1, {"reward": 0.5})
    log.close()
    assert "train 1/4  reward 0.5" in stream.getvalue()
    assert "━" in stream.getvalue()


@given(st.text())
def test_no_text_steers_a_terminal(text: str) -> None:
    safe = escape(text)
    assert safe.isprintable()
    assert not any(c in safe for c in "\x1b\x07\x9b\r\n\t\u202e\u2066\u2028\x7f")
    assert "<" not in cell(text) and escape(safe) == safe
    assert line_of(record(**{"reward": 1.0}, kind="train")).isprintable()


def test_known_attacks_are_visible_text() -> None:
    assert escape("\x1b]52;c;cm0=\x07") == "\\x1b]52;c;cm0=\\x07"
    assert escape("a\u202eb\ud800é漢") == "a\\u202eb\\ud800é漢"
    assert cell("<script>|`x`\n") == "&lt;script>\\|'x'\\x0a"


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_nested_and_overlapping_spans_are_counted_once() -> None:
    clock = Clock()
    log = SpanLog(clock)
    outer, inner = log.span("rollout"), log.span("env")
    clock.now += 1
    outer.__enter__()
    clock.now += 2
    inner.__enter__()
    clock.now += 3
    outer.__exit__(None, None, None)  # ends first: they overlap
    clock.now += 4
    inner.__exit__(None, None, None)
    clock.now += 5
    assert log.totals() == {IDLE: 6.0, "rollout": 2.0, "env": 7.0}
    assert log.wall() == 15.0
    assert log.take() == {IDLE: 6.0, "rollout": 2.0, "env": 7.0}
    clock.now += 1
    assert log.take() == {IDLE: 1.0, "rollout": 0.0, "env": 0.0}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1000)), max_size=40))
def test_busy_and_idle_add_up_to_the_wall(events: list[tuple[int, int]]) -> None:
    clock = Clock()
    log = SpanLog(clock)
    spans: dict[int, object] = {}
    for which, ticks in events:  # the same number opens a span, then closes it
        clock.now += ticks
        if which in spans:
            spans.pop(which).__exit__(None, None, None)  # type: ignore[attr-defined]
        else:
            spans[which] = log.span(f"phase {which}")
            spans[which].__enter__()  # type: ignore[attr-defined]
    totals = log.totals()
    assert sum(totals.values()) == log.wall() == clock.now - 100.0
    assert all(seconds >= 0 for seconds in totals.values())


def test_a_raising_span_is_closed() -> None:
    clock = Clock()
    log = SpanLog(clock)
    with pytest.raises(KeyError), log.span("x"):
        clock.now += 1
        raise KeyError
    clock.now += 1
    assert log.totals() == {IDLE: 1.0, "x": 1.0}


def estimates(mean: float) -> dict[str, SimpleNamespace]:
    return {"right@0": SimpleNamespace(mean=mean, low=mean - 0.1, high=mean + 0.1)}


def test_report_tells_heldout_learning_time_and_places() -> None:
    rows = [
        record("eval/before", 0, **heldout_metrics(estimates(0.2)), seconds=2.0),  # type: ignore[arg-type]
        record("train", 1, reward=0.1, seconds=10.0, seconds_rollout=7.0, seconds_learner=2.0),
        record("train", 1, reward=0.3, seconds=10.0, seconds_rollout=7.0, seconds_learner=2.0),
        record("train", 2, reward=math.nan, loss=0.5, seconds=0.0),
        record("eval/end", 2, **heldout_metrics(estimates(0.6))),  # type: ignore[arg-type]
    ]
    text = render_report(
        "Run <x>",
        rows,
        seconds={"rollout": 14.0, "learner": 8.0},
        places={"checkpoint": "runs/x"},
        notes=["model: tiny"],
    )
    assert text.startswith("# Run &lt;x>\n\n- model: tiny\n")
    assert "| measure | sampling | before | after training |" in text
    assert "| right | greedy | 0.200 [0.100, 0.300] | 0.600 [0.500, 0.700] |" in text
    assert "| 1 | 0.3 | - |" in text and "| 2 | not finite | 0.5 |" in text
    assert "| rollout | 14.0 | 64 % |" in text and "| wall | 22.0 |  |" in text
    assert text.endswith("- checkpoint: `runs/x`\n")


def test_a_long_run_is_thinned_and_keeps_both_ends() -> None:
    rows = [record("train", step, reward=step / 1000) for step in range(1, 1001)]
    text = render_report("x", rows, seconds={}, places={})
    assert "## Training (25 of 1000 steps)" in text and "| 1 | 0.001 |" in text and "| 1000 | 1 |" in text


def test_log_writes_the_report_from_its_own_metrics(tmp_path: Path) -> None:
    clock = Clock()
    log, stream = quiet(tmp_path, clock=clock)
    log.step("train", 1, {"reward": 0.5})
    ending = SimpleNamespace(place="end", estimates=lambda: estimates(0.6))
    path = log.report([ending], ["model: tiny"], seconds={"start": 2.0, "idle": 3.0}, export="out")  # type: ignore[list-item]
    log.close()
    text = Path(path).read_text()
    assert "| right | greedy | 0.600 [0.500, 0.700] |" in text and "- exported model: `out`" in text
    assert "| start | 2.0 | 40 % |" in text and "| wall | 5.0 |  |" in text
    assert "held out, right@0: after training 0.600 [0.500, 0.700]" in stream.getvalue()
