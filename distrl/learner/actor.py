"""The learner actor: Arrow batches in, weight versions out.

Buffer -> [Learner] -> Weights

Consumes: batches that the driver hands over, already admitted. Produces: metrics, weight sets, checkpoints.
Waits for: nothing; every method runs to its end, and the caller sets the deadline (`learner.timeout_s`).
Unblocked by: the driver. A plain class; `ray.remote(LearnerActor)` is the caller's.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch

from distrl.config.schema import AlgoConfig, LearnerConfig
from distrl.learner import checkpoint
from distrl.learner.export import export_folder
from distrl.learner.host import device_for, keep_freed_memory, set_threads
from distrl.learner.model import DTYPES, load_policy
from distrl.learner.rows import decode
from distrl.learner.trainer import Trainer
from distrl.weights.claim import claim_folder
from distrl.weights.files import write_weights
from distrl.weights.manifest import WeightError, WeightManifest

KEPT_VERSIONS = 2  # a slow engine may still read the one before the newest


class LearnerActor:
    """One policy, its optimiser and its version counter."""

    def __init__(
        self, config: LearnerConfig, algo: AlgoConfig, model_path: str, dtype: str, work_dir: str, seed: int
    ) -> None:
        self.config, self.algo = config, algo
        self.model_path, self.dtype, self.work_dir, self.seed = model_path, dtype, work_dir, seed
        self.version = 0
        self._changed = False  # weights moved since version `version` was published
        self._published: dict[int, WeightManifest] = {}
        self._trainer: Trainer | None = None
        self._claim = 0  # descriptor of the lock on `work_dir`
        self._totals = {"tokens": 0.0, "seconds": 0.0}

    def start(self) -> dict[str, Any]:
        """Claims `work_dir` and loads the model.

        Returns parameters, device, dtype, threads and the Ray node ("" outside Ray).
        """
        self._claim = self._claim or claim_folder(self.work_dir)
        torch.manual_seed(self.seed)
        threads = set_threads(self.config.threads)
        keep_freed_memory()
        policy = load_policy(
            self.model_path,
            self.dtype,
            self.config.logprob_chunk,
            self.config.gradient_checkpointing,
            device_for(self.config.gpus),
        )
        self._trainer = Trainer(policy, self.config, self.algo)
        return {
            "parameters": sum(p.numel() for p in policy.named_parameters().values()),
            "device": str(policy.device),
            "dtype": self.dtype,
            "threads": threads,
            "node_id": _node_id(),
        }

    @property
    def trainer(self) -> Trainer:
        if self._trainer is None:
            raise RuntimeError("the learner was not started; call start() first")
        return self._trainer

    def supervised(self, table: pa.Table, lr: float) -> dict[str, float]:
        """One supervised step on gold trajectories; see `Trainer.supervised`."""
        return self._stepped(self.trainer.supervised(decode(table), lr))

    def reinforce(self, table: pa.Table, lr: float) -> dict[str, float]:
        """`updates_per_step` policy-gradient steps on one batch of groups; see `Trainer.reinforce`."""
        return self._stepped(self.trainer.reinforce(decode(table), lr))

    def _stepped(self, metrics: dict[str, float]) -> dict[str, float]:
        self._changed |= metrics["updates"] > 0
        self._totals["tokens"] += metrics["tokens"]
        self._totals["seconds"] += metrics["seconds_learner"]
        return metrics

    def publish(self) -> WeightManifest:
        """Writes the engines' weights under `work_dir/weights`; the version rises if they moved.

        Weights that did not move are not written again: the manifest is the one of before.
        """
        if not self._changed and self.version in self._published:
            return self._published[self.version]
        self.version += self._changed
        self._changed = False
        tensors = self.trainer.policy.tensors(DTYPES[self.dtype])
        manifest = write_weights(
            tensors,
            str(Path(self.work_dir) / "weights"),
            version=self.version,
            kind="policy",
            source_version=self.version,
            keep=KEPT_VERSIONS,
        )
        self._published[self.version] = manifest
        for old in sorted(self._published)[:-KEPT_VERSIONS]:
            del self._published[old]
        return manifest

    def part_bytes(self, version: int, index: int) -> np.ndarray:
        """The bytes of one part of a published version, uint8, for a node that cannot read our files."""
        if version not in self._published:
            raise WeightError(f"version {version} is not held any more; held: {sorted(self._published)}")
        return np.fromfile(self._published[version].parts[index].path, dtype=np.uint8)

    def save(self, folder: str, extra: dict[str, Any]) -> str:
        """Writes a verified checkpoint at `folder` with `extra` (JSON values) and returns its path."""
        trainer = self.trainer
        optimizer = trainer.optimiser.tensors()
        state = {
            "model": Path(self.model_path).name,
            "version": self.version,
            "changed": self._changed,
            "updates": trainer.updates,
            "nonfinite": [trainer.optimiser.nonfinite_in_row, trainer.optimiser.nonfinite_total],
            "totals": self._totals,
            "rng": torch.get_rng_state().numpy().tobytes().hex(),
            "extra": extra,
        }
        weights = {n: p.detach().contiguous() for n, p in trainer.policy.named_parameters().items()}
        return checkpoint.write(folder, weights, optimizer, state)

    def load(self, folder: str) -> dict[str, Any]:
        """Restores a verified checkpoint; returns its `extra`. CheckpointError says what is wrong."""
        weights, optimizer, state = checkpoint.read(folder)
        trainer = self.trainer
        parameters = trainer.policy.named_parameters()
        wrong = set(weights) ^ set(parameters) or {
            n for n, p in parameters.items() if p.shape != weights[n].shape or p.dtype != weights[n].dtype
        }
        if wrong:
            raise checkpoint.CheckpointError(
                f"{folder}: is of another model ({state['model']}); {len(wrong)} tensors differ, such as"
                f" {sorted(wrong)[0]}"
            )
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(weights[name])
        trainer.optimiser.load_tensors(optimizer)
        trainer.optimiser.nonfinite_in_row, trainer.optimiser.nonfinite_total = state["nonfinite"]
        trainer.updates = state["updates"]
        self.version, self._changed, self._totals = state["version"], state["changed"], state["totals"]
        self._published.clear()
        torch.set_rng_state(
            torch.from_numpy(np.frombuffer(bytes.fromhex(state["rng"]), dtype=np.uint8).copy())
        )
        extra: dict[str, Any] = state["extra"]
        return extra

    def export(self, folder: str) -> str:
        """A Hugging Face folder with the weights that the engines serve; returns its path."""
        return export_folder(
            self.trainer.policy.tensors(DTYPES[self.dtype]), self.model_path, folder, self.dtype
        )

    def gauges(self) -> dict[str, float]:
        """Counters for a metrics sink."""
        rss_pages = int(Path("/proc/self/statm").read_text().split()[1])
        return {
            "version": float(self.version),
            "updates": float(self.trainer.updates),
            "nonfinite_total": float(self.trainer.optimiser.nonfinite_total),
            "tokens_total": self._totals["tokens"],
            "seconds_total": self._totals["seconds"],
            "rss_mib": rss_pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        }

    def stop(self) -> None:
        """Frees the model and removes the published weight files (checkpoints and exports stay)."""
        self._trainer = None
        shutil.rmtree(Path(self.work_dir) / "weights", ignore_errors=True)
        self._published.clear()


def _node_id() -> str:
    import ray

    return str(ray.get_runtime_context().get_node_id()) if ray.is_initialized() else ""
