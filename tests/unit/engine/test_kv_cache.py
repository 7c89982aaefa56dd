"""The cache holds every sequence that may run, or the plan says that it does not."""

from pathlib import Path

import psutil
import pytest

from distrl.config.schema import EngineConfig
from distrl.engine.kv_cache import MEMORY_SHARE, plan_cache, token_bytes
from distrl.models.tiny import make_tiny_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("kv") / "model"
    make_tiny_model(str(folder))
    return str(folder)


def test_bytes_of_a_token_follow_the_models_shape(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        '{"num_hidden_layers": 30, "hidden_size": 576, "num_attention_heads": 9, "num_key_value_heads": 3}'
    )
    assert token_bytes(str(tmp_path), "float32") == 2 * 30 * 3 * 64 * 4
    assert token_bytes(str(tmp_path), "bfloat16") == 2 * 30 * 3 * 64 * 2


def test_default_size_holds_every_running_sequence(model: str) -> None:
    plan = plan_cache(EngineConfig(max_running=8), model, "float32", 100)
    assert plan.contexts == 9
    assert plan.bytes == 9 * 128 * token_bytes(model, "float32")
    assert plan.shortfall() == ""


def test_a_size_that_is_too_small_is_said_with_its_numbers(model: str) -> None:
    plan = plan_cache(EngineConfig(max_running=64, kv_cache_mib=1), model, "float32", 2048)
    assert plan.contexts < 64
    assert f"holds {plan.contexts} full contexts of 2048 tokens" in plan.shortfall()
    assert "engine.max_running is 64" in plan.shortfall()


def test_default_size_leaves_most_of_the_memory_alone(model: str) -> None:
    plan = plan_cache(EngineConfig(max_running=10**6), model, "float32", 8192)
    assert plan.bytes <= psutil.virtual_memory().total * MEMORY_SHARE
    assert plan.shortfall()
