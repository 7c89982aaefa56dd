"""A whole run under Ray with the scripted engine: what it leaves behind, how it stops, how it resumes."""

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest
from transformers import AutoModelForCausalLM

from distrl.learner.checkpoint import newest_verified
from distrl.models.tiny import make_tiny_model
from distrl.observe.sinks import read_metrics
from distrl.trajectory.lake import read_lake

ROOT = Path(__file__).parents[2]
STEPS = 6


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    arguments = [
        "conf=letters.yaml",
        f"model={folder / 'model'}",
        "engine.kind=scripted",
        f"steps={STEPS}",
        "algo.groups_per_step=3",
        "algo.group_size=4",
        "cold_start.steps=2",
        "checkpoint.every=1",
        "data.heldout_tasks=4",
        f"run.dir={folder}",
        "run.name=run",
        "ray.dashboard=false",
        *more,
    ]
    command = [sys.executable, "-m", "distrl.launch", *arguments]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def wait_for_step(folder: Path, step: int, run: subprocess.Popen[str]) -> None:
    """Until the log holds training step `step`; fails when the run ends before or 240 s pass."""
    log, deadline = folder / "run" / "metrics.jsonl", time.monotonic() + 240
    while not (log.exists() and any(r.kind == "train" and r.step == step for r in read_metrics(str(log)))):
        assert run.poll() is None, run.communicate()[0][-2000:]
        assert time.monotonic() < deadline, f"step {step} did not come"
        time.sleep(0.1)


@pytest.mark.timeout(600)
def test_interrupted_run_stops_in_good_order_and_the_same_command_finishes_it(tmp_path: Path) -> None:
    make_tiny_model(str(tmp_path / "model"))
    first = start(tmp_path)
    wait_for_step(tmp_path, 1, first)
    family = psutil.Process(first.pid).children(recursive=True)
    first.send_signal(signal.SIGINT)
    output, _ = first.communicate(timeout=120)
    assert first.returncode == 0, output[-2000:]
    assert "the same command resumes" in output
    assert [p for p in family if p.is_running() and p.status() != psutil.STATUS_ZOMBIE] == []

    run = tmp_path / "run"
    assert newest_verified(str(run / "checkpoints"))
    second = start(tmp_path)
    output, _ = second.communicate(timeout=300)
    assert second.returncode == 0, output[-2000:]
    assert "resumed from" in output

    records = read_metrics(str(run / "metrics.jsonl"))
    steps = Counter((r.kind, r.step) for r in records if r.kind in ("train", "cold_start"))
    wanted = {("train", i + 1): 1 for i in range(STEPS)} | {("cold_start", i + 1): 1 for i in range(2)}
    assert steps == wanted, "no step is trained twice or skipped over the stop"
    assert [r.kind for r in records if r.kind.startswith("eval/")] == [
        "eval/before",
        "eval/cold_start",
        "eval/end",
    ]

    ids = read_lake(str(run / "trajectories"))["id"].to_pylist()
    assert len(ids) == len(set(ids)), "every episode is in the lake once"
    assert len(ids) >= STEPS * 3 * 4 + 2 * 8
    exported = AutoModelForCausalLM.from_pretrained(run / "export")
    assert sum(p.numel() for p in exported.parameters()) > 0
    report = (run / "report.md").read_text()
    assert f"{STEPS} of {STEPS} reinforcement steps were done" in report
    assert "| reward | temperature 1 |" in report


@pytest.mark.timeout(400)
def test_cold_start_alone_is_kept_and_evaluated_once(tmp_path: Path) -> None:
    make_tiny_model(str(tmp_path / "model"))
    run = start(tmp_path, "steps=0", "checkpoint.every=0", "eval.before=false")
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 0, output[-2000:]
    folder = tmp_path / "run"
    assert newest_verified(str(folder / "checkpoints")).endswith("step-00000002"), "no cold start is lost"
    kinds = [r.kind for r in read_metrics(str(folder / "metrics.jsonl")) if r.kind.startswith("eval/")]
    assert kinds == ["eval/cold_start"], "the same weights are not evaluated again"
    assert "| reward | temperature 1 |" in (folder / "report.md").read_text()
