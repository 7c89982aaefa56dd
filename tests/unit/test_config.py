"""Config: what loads, how layers compose, and that the documentation is the schema."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.config.describe import describe, markdown
from distrl.config.errors import ConfigError
from distrl.config.keys import get, known_keys
from distrl.config.load import load_config, save_resolved, to_yaml
from distrl.config.resources import actor_plan, reserved
from distrl.config.resume import CHECKPOINTS, check_resume
from distrl.config.schema import Config

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "conf").glob("*.yaml"))
GIVEN = {  # what a shipped config asks of its user with `???`
    "clinical_public.yaml": ["data.path={tmp}/rows.jsonl"],
    "letters.yaml": ["model.name={tmp}"],
}


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return f"conf={folder / name}"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.name)
def test_every_shipped_config_loads(path: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}\n")
    extra = [text.format(tmp=tmp_path) for text in GIVEN.get(path.name, [])]
    config = load_config([f"conf={path}", *extra])
    assert config.run.name == f"{path.stem}-seed0"


def test_there_are_shipped_configs() -> None:
    assert {"quickstart.yaml", "cluster.yaml", "clinical_public.yaml"} <= {p.name for p in SHIPPED}


def test_later_layers_win_and_options_merge(tmp_path: Path) -> None:
    write(
        tmp_path, "a.yaml", "steps: 1\nlearner: {lr: 1e-3, grad_clip: 2}\nenv: {options: {x: {p: 1, q: 2}}}\n"
    )
    write(tmp_path, "b.yaml", "steps: 2\nlearner: {lr: 2e-3}\n")
    conf = write(tmp_path, "c.yaml", "base: [a.yaml, b.yaml]\nenv: {options: {x: {q: 3}}}\n")
    config = load_config([conf, "learner.lr=5e-4", "env.options.x.r=1e-4", "env.options.y=[1, two]"])
    assert (config.steps, config.learner.lr, config.learner.grad_clip) == (2, 5e-4, 2)
    assert config.env.options == {"x": {"p": 1, "q": 3, "r": 1e-4}, "y": [1, "two"]}


def test_base_may_be_reached_twice_but_not_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, "root.yaml", "steps: 4\n")
    write(tmp_path, "left.yaml", "base: root.yaml\nsteps: 5\n")
    conf = write(tmp_path, "both.yaml", "base: [left.yaml, root.yaml]\n")
    assert load_config([conf]).steps == 4


def test_text_keys_take_the_text_as_it_stands(tmp_path: Path) -> None:
    conf = write(tmp_path, "a.yaml", "")
    config = load_config([conf, "run.name=007", "model.name=1e5", "model.cache_dir=", "algo.mismatch=none"])
    assert (config.run.name, config.model.name, config.model.cache_dir) == ("007", "1e5", "")
    assert config.algo.mismatch == "none"


def test_a_section_given_as_one_word_means_its_leading_key(tmp_path: Path) -> None:
    conf = write(tmp_path, "a.yaml", "model: some/model\nlearner:\n")
    assert load_config([conf, "env=distrl/Letters-v0"]).env.id == "distrl/Letters-v0"
    assert load_config([conf]).model.name == "some/model"


def test_interpolation_takes_another_keys_value(tmp_path: Path) -> None:
    conf = write(tmp_path, "a.yaml", "run: {seed: 7, name: 'x-${run.seed}'}\nsteps: ${run.seed}\n")
    config = load_config([conf])
    assert (config.run.name, config.steps) == ("x-7", 7)


def test_a_conf_is_found_by_name_in_the_conf_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config(["conf=quickstart.yaml"]) == load_config(["conf=quickstart"])


def test_saved_config_reads_back_equal(tmp_path: Path) -> None:
    conf = write(tmp_path, "a.yaml", "eval: {temperatures: [0.5]}\nenv: {options: {'a b': [1, {c: null}]}}\n")
    config = load_config([conf, "run.name=ünïcode"])
    path = save_resolved(config, str(tmp_path / "run"))
    assert load_config([f"conf={path}"]) == config
    assert [p.name for p in (tmp_path / "run").iterdir()] == ["config.yaml"]


NUMBERS = {
    "learner.lr": st.floats(1e-12, 1e3),
    "learner.weight_decay": st.floats(0, 1),
    "algo.clip_high": st.floats(1e-9, 10),
    "steps": st.integers(0, 10**9),
    "run.seed": st.integers(0, 2**31 - 1),
    "algo.group_size": st.integers(2, 64),
}


@settings(max_examples=10, deadline=None)
@given(values=st.fixed_dictionaries(NUMBERS))
def test_any_number_survives_the_command_line_and_the_saved_file(tmp_path_factory, values) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("conf")
    config = load_config([write(folder, "a.yaml", ""), *(f"{k}={v!r}" for k, v in values.items())])
    assert {k: get(config, k) for k in values} == values
    again = load_config([write(folder, "b.yaml", to_yaml(config))])
    assert asdict(again) == asdict(config)


def test_every_key_is_described_and_the_document_is_in_step() -> None:
    text = describe()
    for key in known_keys().values():
        assert key.meaning, key.name
        assert f"  {key.name} ({key.type_name}, default " in text
    document = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert document == markdown(), "run: python -m distrl.config.describe > docs/configuration.md"


def test_plan_counts_what_the_actors_reserve() -> None:
    config = Config()
    config.engine.count, config.engine.gpus, config.rollout.workers = 3, 0.5, 4
    plan = actor_plan(config)
    assert reserved(plan) == (3 * config.engine.cpus + config.learner.cpus, 1.5)
    assert list(itertools.chain(*(p.names for p in plan if p.name == "engine"))) == [
        "engine-0",
        "engine-1",
        "engine-2",
    ]


def test_resume_refuses_other_numbers_and_allows_another_machine(tmp_path: Path) -> None:
    conf, folder = write(tmp_path, "a.yaml", ""), str(tmp_path / "run")
    save_resolved(load_config([conf]), folder)
    other = load_config([conf, "algo.group_size=4"])
    check_resume(other, folder)  # nothing was trained yet
    (tmp_path / "run" / CHECKPOINTS / "step-1").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"algo\.group_size was 8, is 4; set run\.name"):
        check_resume(other, folder)
    check_resume(load_config([conf, "steps=99", "learner.threads=1", "engine.count=2"]), folder)
