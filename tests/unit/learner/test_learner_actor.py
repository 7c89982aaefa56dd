"""The actor's plain class on a real (tiny) model folder: steps, versions, checkpoints, export."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from learner_builders import trajectories
from transformers import AutoModelForCausalLM, AutoTokenizer

from distrl.config.schema import AlgoConfig, LearnerConfig
from distrl.learner import checkpoint
from distrl.learner.actor import LearnerActor
from distrl.learner.checkpoint import CheckpointError
from distrl.models.tiny import make_tiny_model
from distrl.trajectory.arrow import to_table
from distrl.weights.files import read_weights

TABLE = to_table(trajectories())


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_tiny_model(str(tmp_path_factory.mktemp("model") / "tiny"), seed=1))


@pytest.fixture
def started(model: str, tmp_path: Path) -> Callable[[], LearnerActor]:
    def build() -> LearnerActor:
        actor = LearnerActor(LearnerConfig(threads=1), AlgoConfig(), model, "float32", str(tmp_path), 0)
        actor.start()
        return actor

    return build


def weights(actor: LearnerActor) -> dict[str, torch.Tensor]:
    return actor.trainer.policy.tensors(torch.float32)


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return a.keys() == b.keys() and all(torch.equal(a[n], b[n]) for n in a)


def test_versions_start_at_zero_and_rise_when_the_weights_moved(started: Callable[[], LearnerActor]) -> None:
    actor = started()
    first = actor.publish()
    assert (first.version, first.kind) == (0, "policy")
    written = Path(first.parts[0].path).stat()
    assert actor.publish() == first and Path(first.parts[0].path).stat() == written, "nothing to write again"
    actor.supervised(TABLE, 1e-2)
    actor.reinforce(TABLE, 1e-2)
    second = actor.publish()
    assert second.version == second.source_version == 1 and second.digest != first.digest
    published = read_weights(second)
    assert same(published, weights(actor)) and "lm_head.weight" not in published
    assert actor.part_bytes(1, 0).tobytes() == Path(second.parts[0].path).read_bytes()
    actor.stop()
    assert not Path(second.parts[0].path).exists()


def test_supervised_steps_lower_the_loss(started: Callable[[], LearnerActor]) -> None:
    actor = started()
    losses = [actor.supervised(TABLE, 3e-3)["loss"] for _ in range(8)]
    assert losses[-1] < 0.7 * losses[0]


def test_reinforcement_makes_the_best_rollout_likelier(started: Callable[[], LearnerActor]) -> None:
    actor = started()
    rows = trajectories(groups=1, size=3)
    best = max(rows, key=lambda t: t.reward)
    alone = to_table([best])
    probe = started()
    before = probe.supervised(alone, 0.0)["loss"]
    for _ in range(5):
        actor.reinforce(to_table(rows), 3e-3)
    assert actor.supervised(alone, 0.0)["loss"] < before - 0.1


def test_step_after_load_is_bit_identical(started: Callable[[], LearnerActor], tmp_path: Path) -> None:
    actor = started()
    actor.reinforce(TABLE, 1e-3)
    actor.publish()
    path = actor.save(str(tmp_path / "ckpt" / "step-1"), {"ledger": {"issued": 3}})
    resumed = started()
    assert resumed.load(path) == {"ledger": {"issued": 3}}
    assert resumed.version == 1 and same(weights(resumed), weights(actor))
    for one in (actor, resumed):
        one.reinforce(TABLE, 1e-3)
    assert same(weights(resumed), weights(actor))
    assert same(resumed.trainer.optimiser.tensors(), actor.trainer.optimiser.tensors())
    assert resumed.publish().digest == actor.publish().digest and resumed.version == 2


def test_what_was_published_before_a_load_is_not_published_again(
    started: Callable[[], LearnerActor], tmp_path: Path
) -> None:
    actor, other = started(), started()
    actor.reinforce(TABLE, 1e-3)
    before = actor.publish()
    other.supervised(TABLE, 1e-3)
    other.publish()
    actor.load(other.save(str(tmp_path / "ckpt"), {}))
    after = actor.publish()
    assert after.version == before.version == 1 and after.digest != before.digest
    assert same(read_weights(after), weights(other))


@pytest.mark.parametrize("name", [checkpoint.WEIGHTS, checkpoint.OPTIMIZER, checkpoint.STATE])
@pytest.mark.parametrize("damage", ["cut", "flipped bit", "missing"])
def test_damage_is_noticed_named_and_the_one_before_is_chosen(
    started: Callable[[], LearnerActor], tmp_path: Path, name: str, damage: str
) -> None:
    actor = started()
    actor.reinforce(TABLE, 1e-3)
    good = actor.save(str(tmp_path / "a"), {})
    actor.reinforce(TABLE, 1e-3)
    newest = actor.save(str(tmp_path / "b"), {})
    assert checkpoint.newest_verified(str(tmp_path)) == newest
    file = Path(newest) / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    {"cut": lambda: file.write_bytes(content[:-7]), "missing": file.unlink}.get(
        damage, lambda: file.write_bytes(content)
    )()
    with pytest.raises(CheckpointError, match=name):
        actor.load(newest)
    with pytest.warns(UserWarning, match=name):
        assert checkpoint.newest_verified(str(tmp_path)) == good


def test_unfinished_checkpoint_is_not_chosen_and_old_ones_are_pruned(
    started: Callable[[], LearnerActor], tmp_path: Path
) -> None:
    actor = started()
    paths = [actor.save(str(tmp_path / f"c{k}"), {}) for k in range(3)]
    (tmp_path / ".c9.1.writing").mkdir()
    (Path(paths[2]) / checkpoint.MARKER).unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checkpoint.newest_verified(str(tmp_path)) == paths[1]
    assert checkpoint.prune(str(tmp_path), keep=1) == [paths[0], str(tmp_path / ".c9.1.writing")]
    assert checkpoint.newest_verified(str(tmp_path / "nowhere")) == ""
    with pytest.raises(CheckpointError, match="never finished"):
        actor.load(paths[2])


def test_a_damaged_checkpoint_of_a_later_step_does_not_crowd_out_good_ones(
    started: Callable[[], LearnerActor], tmp_path: Path
) -> None:
    actor, again = started(), started()
    actor.reinforce(TABLE, 1e-3)
    damaged = Path(actor.save(str(tmp_path / "step-9"), {}))
    (damaged / checkpoint.STATE).write_text("{}")
    good = again.save(str(tmp_path / "step-1"), {})
    assert checkpoint.prune(str(tmp_path), keep=1) == [str(damaged)]
    assert checkpoint.newest_verified(str(tmp_path)) == good


def test_checkpoint_of_another_model_is_refused(started: Callable[[], LearnerActor], tmp_path: Path) -> None:
    actor = started()
    state = {"model": "other"}
    tensors, steps = {"x": torch.zeros(2)}, {"step.x": torch.zeros(())}
    path = checkpoint.write(str(tmp_path / "other"), tensors, steps, state)
    with pytest.raises(CheckpointError, match="is of another model"):
        actor.load(path)


def test_export_loads_in_transformers_with_equal_logits(
    started: Callable[[], LearnerActor], model: str, tmp_path: Path
) -> None:
    actor = started()
    actor.supervised(TABLE, 1e-2)
    path = actor.export(str(tmp_path / "out"))
    assert actor.export(path) == path, "a later export replaces an earlier one"
    (tmp_path / "mine").mkdir()
    with pytest.raises(FileExistsError, match="no exported model"):
        actor.export(str(tmp_path / "mine"))
    assert json.loads((Path(path) / "config.json").read_text())["dtype"] == "float32"
    exported = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="sdpa")
    fresh = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, attn_implementation="sdpa")
    before = fresh(torch.arange(12)[None]).logits
    fresh.load_state_dict(weights(actor), strict=False)
    ids = torch.arange(12)[None]
    assert torch.equal(exported(ids).logits, fresh(ids).logits)
    assert not torch.equal(exported(ids).logits, before)
    text = "serum creatinine 1.2"
    one, two = AutoTokenizer.from_pretrained(path), AutoTokenizer.from_pretrained(model)
    assert one(text).input_ids == two(text).input_ids and one.chat_template == two.chat_template


def test_gauges_count(started: Callable[[], LearnerActor]) -> None:
    actor = started()
    metrics = actor.reinforce(TABLE, 1e-3)
    gauges = actor.gauges()
    assert gauges["updates"] == 1 and gauges["tokens_total"] == metrics["tokens"] and gauges["rss_mib"] > 1


def test_unusable_settings_are_refused(model: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="compute dtype 'int8'"):
        LearnerActor(LearnerConfig(threads=1), AlgoConfig(), model, "int8", str(tmp_path), 0).start()
    with pytest.raises(RuntimeError, match="call start"):
        LearnerActor(LearnerConfig(), AlgoConfig(), model, "float32", str(tmp_path), 0).publish()
