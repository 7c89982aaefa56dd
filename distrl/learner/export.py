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

    The folder appears by one rename, whole. An earlier export there (a folder with config.json) is replaced;
    FileExistsError for anything else of that name.
    """
    target = Path(folder)
    if target.exists() and not (target / "config.json").is_file():
        raise FileExistsError(f"{folder} is there already and no exported model; give another folder")
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
    shutil.rmtree(target, ignore_errors=True)
    aside.rename(target)
    return str(target)
