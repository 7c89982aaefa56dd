"""The whole real path learns: Ray, vLLM, Arrow, learner, refresh; and does not when weights never arrive."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from distrl.models.tiny import make_tiny_model
from distrl.observe.sinks import MetricRecord, read_metrics

LIMIT_S = 180.0  # start of Ray and engine included, on two cores
ROOT = Path(__file__).parents[2]


def train(folder: Path, *overrides: str) -> tuple[list[MetricRecord], float]:
    """Run conf/letters.yaml on a tiny random model; the log's records and the seconds it took."""
    model = make_tiny_model(str(folder / "model"))
    arguments = [
        "conf=letters.yaml",
        f"model={model}",
        f"run.dir={folder}",
        "run.name=run",
        "ray.dashboard=false",
    ]
    began = time.monotonic()
    command = [sys.executable, "-m", "distrl.launch", *arguments, *overrides]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=420, check=False)
    seconds = time.monotonic() - began
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return read_metrics(str(folder / "run" / "metrics.jsonl")), seconds


def reward_at(records: list[MetricRecord], kind: str) -> float:
    return next(r for r in records if r.kind == kind).metrics["reward@1"]


@pytest.mark.timeout(450)
def test_tiny_model_learns_a_verifiable_task_on_the_real_path(tmp_path: Path) -> None:
    records, seconds = train(tmp_path)
    assert reward_at(records, "eval/before") < 0.45, "near chance: 26 letters and the merges made of them"
    assert reward_at(records, "eval/end") >= 0.9
    mismatch = [r.metrics["mismatch_kl"] for r in records if "mismatch_kl" in r.metrics]
    assert max(mismatch) < 1e-3, "fp32 engine and learner serve the same policy"
    assert seconds < LIMIT_S, f"{seconds:.0f} s"


@pytest.mark.timeout(450)
def test_the_same_run_fails_to_learn_when_refreshes_do_nothing(tmp_path: Path) -> None:
    records, _ = train(tmp_path, "engine.fault=skip_refresh")
    assert reward_at(records, "eval/end") < 0.45
    mismatch = [r.metrics["mismatch_kl"] for r in records if "mismatch_kl" in r.metrics]
    assert mismatch[-1] > 0.01, "the mismatch is what tells a user that weights do not arrive"
