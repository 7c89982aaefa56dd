from __future__ import annotations

import os
from pathlib import Path

import pytest

from distrl.models.tiny import TEMPLATES, make_tiny_tokenizer
from distrl.rollout.rendering import Renderer

os.environ.setdefault("HF_HUB_OFFLINE", "1")


def tokenizer_folder(factory: pytest.TempPathFactory, template: str) -> str:
    folder = str(factory.mktemp("tokenizer"))
    tokenizer = make_tiny_tokenizer()
    tokenizer.chat_template = TEMPLATES.get(template, template)
    tokenizer.save_pretrained(folder)
    Path(folder, "generation_config.json").write_text('{"eos_token_id": 2}')  # what an engine reads
    return folder


@pytest.fixture(scope="session")
def plain_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder whose chat template knows roles and contents only."""
    return tokenizer_folder(tmp_path_factory, "plain")


@pytest.fixture(scope="session")
def qwen_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder whose chat template renders tools, calls and tool results."""
    return tokenizer_folder(tmp_path_factory, "qwen")


@pytest.fixture(scope="session")
def renderer(plain_model: str) -> Renderer:
    return Renderer(plain_model)
