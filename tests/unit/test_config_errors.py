"""Bad input: each wrong config or command line is one clear line that names the value and the mend."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from distrl.config.errors import ConfigError
from distrl.config.load import USAGE, load_config

FILES = {
    "ok.yaml": "steps: 2\n",
    "unknown.yaml": "learner:\n  lrr: 1\n",
    "broken.yaml": "steps: 2\nlearner: {lr: [1\nrun: x\n",
    "twice.yaml": "steps: 2\nsteps: 3\n",
    "list.yaml": "- steps\n",
    "ring_a.yaml": "base: ring_b.yaml\n",
    "ring_b.yaml": "base: ring_a.yaml\n",
    "orphan.yaml": "base: okk.yaml\n",
    "tag.yaml": "run: {name: !!python/object/apply:os.system [id]}\n",
    "needs.yaml": "data:\n  path: ???\n",
    "rows.jsonl": "{}\n",
}

WRONG: list[tuple[list[str], str]] = [  # arguments ({d}: the folder of FILES) and the exact line
    ([], f"conf= is missing; {USAGE}"),
    (["conf=ok.yaml", "conf=ok.yaml"], f"conf= is given 2 times; {USAGE}"),
    (["conf=ok.yaml", "--dryrun"], f"cannot read '--dryrun': write key=value; {USAGE}"),
    (["conf={d}/okk.yaml"], "config file '{d}/okk.yaml' not found; did you mean 'ok.yaml'?"),
    (["conf={d}/ok.yaml", "learner.lrr=1"], "unknown key 'learner.lrr'; did you mean 'learner.lr'?"),
    (["conf={d}/ok.yaml", "group_size=4"], "unknown key 'group_size'; did you mean 'algo.group_size'?"),
    (["conf={d}/unknown.yaml"], "{d}/unknown.yaml: unknown key 'learner.lrr'; did you mean 'learner.lr'?"),
    (
        ["conf={d}/broken.yaml"],
        "{d}/broken.yaml, line 3, column 4: not valid YAML: expected ',' or ']', but got ':'",
    ),
    (["conf={d}/twice.yaml"], "{d}/twice.yaml, line 2, column 1: not valid YAML: key 'steps' stands twice"),
    (["conf={d}/list.yaml"], "{d}/list.yaml: a config is a mapping of keys, this is a list"),
    (
        ["conf={d}/ring_a.yaml"],
        "{d}/ring_a.yaml: `base:` goes in a circle: ring_a.yaml -> ring_b.yaml -> ring_a.yaml",
    ),
    (
        ["conf={d}/orphan.yaml"],
        "{d}/orphan.yaml: base: config file 'okk.yaml' not found; did you mean 'ok.yaml'?",
    ),
    (
        ["conf={d}/tag.yaml"],
        "{d}/tag.yaml, line 1, column 13: not valid YAML: could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system'",
    ),
    (
        ["conf={d}/needs.yaml"],
        "data.path is required by {d}/needs.yaml and has no default; write data.path=…",
    ),
    (
        ["conf={d}/ok.yaml", "learner.lr=fast"],
        "learner.lr='fast' has the wrong type: float is wanted; e.g. learner.lr=1e-05",
    ),
    (["conf={d}/ok.yaml", "steps=2.5"], "steps=2.5 has the wrong type: int is wanted; e.g. steps=20"),
    (
        ["conf={d}/ok.yaml", "run.resume=1"],
        "run.resume=1 has the wrong type: bool is wanted; e.g. run.resume=true",
    ),
    (
        ["conf={d}/ok.yaml", "eval.temperatures=0.5"],
        "eval.temperatures=0.5 has the wrong type: list of float is wanted; "
        "e.g. eval.temperatures=[0.0, 1.0]",
    ),
    (
        ["conf={d}/ok.yaml", "learner=3"],
        "learner=3: 'learner' is a section; set one of its keys, e.g. learner.lr",
    ),
    (
        ["conf={d}/ok.yaml", "run.dir=${run.name}", "run.name=${run.dir}"],
        "run.dir: cannot be resolved: Recursive interpolation detected",
    ),
    (
        ["conf={d}/ok.yaml", "steps=${run.sead}"],
        "steps: cannot be resolved: Interpolation key 'run.sead' not found",
    ),
    (
        ["conf={d}/ok.yaml", "learner.lr=nan"],
        "learner.lr='nan' has the wrong type: float is wanted; e.g. learner.lr=1e-05",
    ),
    (["conf={d}/ok.yaml", "learner.lr=.nan"], "learner.lr=nan is not a finite number"),
    (["conf={d}/ok.yaml", "algo.group_size=1"], "algo.group_size=1 is too small; at least 2"),
    (
        ["conf={d}/ok.yaml", "algo.clip_low=1.5"],
        "algo.clip_low=1.5 must lie between 0 and 1, both excluded",
    ),
    (
        ["conf={d}/ok.yaml", "rollout.temperature=0"],
        "rollout.temperature=0.0 must be above 0: "
        "training needs sampling (greedy belongs to eval.temperatures)",
    ),
    (
        ["conf={d}/ok.yaml", "rollout.context_tokens=256"],
        "rollout.context_tokens=256 leaves no room for a prompt beside rollout.turn_tokens=256; "
        "raise the first or lower the second",
    ),
    (
        ["conf={d}/ok.yaml", "rollout.episode_tokens=8"],
        "rollout.episode_tokens=8 is below rollout.turn_tokens=256; an episode holds at least one turn",
    ),
    (
        ["conf={d}/ok.yaml", "cold_start.steps=3", "cold_start.epochs=1"],
        "cold_start.steps=3 and cold_start.epochs=1.0 are both set; keep one and set the other to 0",
    ),
    (
        ["conf={d}/ok.yaml", "engine.tensor_parallel=2"],
        "engine.tensor_parallel=2 needs that many GPUs, and engine.gpus=0; set engine.gpus=2",
    ),
    (
        ["conf={d}/ok.yaml", "ray.address=auto", "ray.dashboard_port=9000"],
        "ray.dashboard_port=9000 does nothing when attaching (ray.address=auto); "
        "set it where that cluster is started, or use ray.address=local",
    ),
    (
        ["conf={d}/ok.yaml", "ray.address=0.0.0.0"],
        "ray.address='0.0.0.0' is not `local`, `auto` or host:port, e.g. 127.0.0.1:6379",
    ),
    (
        ["conf={d}/ok.yaml", "algo.mismatch=truncat"],
        "algo.mismatch='truncat' is not one of 'truncate', 'none'; did you mean 'truncate'?",
    ),
    (
        ["conf={d}/ok.yaml", "algo.mismatch=none", "algo.mismatch_cap=3"],
        "algo.mismatch_cap=3.0 does nothing with algo.mismatch=none; drop one",
    ),
    (
        ["conf={d}/ok.yaml", "data.path={d}/row.jsonl"],
        "data.path='{d}/row.jsonl' does not exist; did you mean '{d}/rows.jsonl'?",
    ),
    (
        ["conf={d}/ok.yaml", "data.heldout_fraction=1", "data.path={d}/rows.jsonl"],
        "data.heldout_fraction=1.0 must lie between 0 and 1, both excluded",
    ),
    (
        ["conf={d}/ok.yaml", "data.train_tasks=0"],
        "data.train_tasks=0 means all of a file, and data.path is empty; "
        "name a file or give a number of tasks",
    ),
    (
        ["conf={d}/ok.yaml", "run.name=../../etc"],
        "run.name='../../etc' must be one folder name (no slash, at most 100 characters); "
        "run.dir is the place",
    ),
    (
        ["conf={d}/ok.yaml", "eval.temperatures=[0.0]", "eval.samples=4"],
        "eval.samples=4 does nothing at eval.temperatures=[0.0] (greedy is the same every time); "
        "add a temperature above 0 or set it to 1",
    ),
    (
        ["conf={d}/ok.yaml", "learner.betas=[0.9]"],
        "learner.betas=[0.9] must be two numbers from 0 to below 1, e.g. [0.9, 0.95]",
    ),
    (["conf={d}/ok.yaml", "\x1b]52;c;=1"], "unknown key '\\x1b]52;c;'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad")
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


def fill(text: str, folder: Path) -> str:
    return text.replace("{d}", str(folder))


@pytest.mark.parametrize(("args", "line"), WRONG, ids=[line[:60] for _, line in WRONG])
def test_bad_input_is_one_exact_line(args: list[str], line: str, folder: Path) -> None:
    with pytest.raises(ConfigError) as error:
        load_config([fill(a, folder) for a in args])
    assert str(error.value) == fill(line, folder)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("number", [0, 7])
def test_launch_exits_with_2_and_one_line_on_stderr(number: int, folder: Path) -> None:
    args, line = WRONG[number]
    command = [sys.executable, "-m", "distrl.launch", *(fill(a, folder) for a in args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"distrl: {fill(line, folder)}\n"
