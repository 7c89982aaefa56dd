"""The whole real path learns: Ray, vLLM, Arrow, learner, refresh; and does not when weights never arrive."""

import json
import time
from pathlib import Path

import pytest

from distrl.config.load import load_config
from distrl.launch import launch
from distrl.models.tiny import make_tiny_model

LIMIT_S = 180.0  # start of Ray and engine included, on two cores


def train(folder: Path, *overrides: str) -> tuple[list[dict], float]:
    """Run conf/letters.yaml on a tiny random model; the log's records and the seconds it took."""
    model = make_tiny_model(folder / "model")
    arguments = ["conf=letters.yaml", f"model.name={model}", f"run.dir={folder}", "run.name=run", "ray.dashboard=false"]
    began = time.monotonic()
    assert launch(load_config([*arguments, *overrides])) == 0
    seconds = time.monotonic() - began
    lines = (folder / "run" / "metrics.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines], seconds


def reward_at(records: list[dict], kind: str) -> float:
    return next(r for r in records if r["kind"] == kind)["metrics"]["reward@1"]


@pytest.mark.timeout(400)
def test_tiny_model_learns_a_verifiable_task_on_the_real_path(tmp_path):
    records, seconds = train(tmp_path)
    assert reward_at(records, "heldout before") < 0.25
    assert reward_at(records, "heldout after") >= 0.9
    assert seconds < LIMIT_S, f"{seconds:.0f} s"


@pytest.mark.timeout(400)
def test_the_same_run_fails_to_learn_when_refreshes_do_nothing(tmp_path):
    records, _ = train(tmp_path, "engine.fault=skip_refresh", "steps=8")
    assert reward_at(records, "heldout after") < 0.25
    mismatch = [r["metrics"]["mismatch_kl"] for r in records if r["kind"] == "reinforce"]
    assert mismatch[-1] > 10 * mismatch[0] + 0.01, "the mismatch is what tells a user"
