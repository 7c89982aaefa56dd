"""Which ids end a response, by the model's own files.

tasks -> EnvWorker[N] <-> [Engine[M]] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import json
from pathlib import Path


def stop_ids_of(model_path: str) -> tuple[int, ...]:
    """End-of-sequence ids of the generation config, else of the config; ValueError when neither names one."""
    for name in ("generation_config.json", "config.json"):
        path = Path(model_path) / name
        if path.exists():
            value = json.loads(path.read_text(encoding="utf-8")).get("eos_token_id")
            if value is not None:
                return tuple(value) if isinstance(value, list) else (value,)
    raise ValueError(f"{model_path}: neither generation_config.json nor config.json names an eos_token_id")
