"""The policy as a Hugging Face folder that transformers and vLLM load.

Learner [export] -> disk
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from safetensors.torch import save_file
from torch import Tensor

WEIGHT_SUFFIXES = (".safetensors", ".safetensors.index.json", ".bin", ".pt", ".pth", ".gguf")
"""Files of the source folder that hold or list its own weights; everything else (tokenizer, …) is copied."""


def export_folder(tensors: dict[str, Tensor], source: str, folder: str, dtype: str) -> str:
    """Writes `tensors` with the configuration and tokenizer of `source` to `folder`; returns the path.

    The folder appears by one rename. FileExistsError when it is there already: an export replaces nothing.
    """
    target = Path(folder)
    if target.exists():
        raise FileExistsError(f"{folder} is there already; an export replaces nothing")
    aside = target.with_name(f".{target.name}.{os.getpid()}.writing")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    for item in sorted(Path(source).iterdir()):
        if item.is_file() and not item.name.endswith((*WEIGHT_SUFFIXES, ".py", ".pkl")):
            shutil.copyfile(item, aside / item.name)
    config = json.loads((aside / "config.json").read_text())
    config.pop("torch_dtype", None)
    config["dtype"] = dtype
    (aside / "config.json").write_text(json.dumps(config, indent=2))
    save_file(tensors, aside / "model.safetensors", metadata={"format": "pt"})
    aside.rename(target)
    return str(target)
