"""What distrl adds to vLLM's worker: it runs inside the process that computes.

Learner -> Weights -> [Engine[M]: worker process]

vLLM mixes `RefreshExtension` into its worker class (`worker_extension_cls`) and reaches its methods through
`collective_rpc`. Two traps of the CPU back end are closed here (docs/engine.md): linear weights are packed at
load, so a refresh goes layer by layer; and a tied output layer gets no weights of its own, so its packed copy
is made anew. The third trap, keys and values of old weights in the prefix cache, is closed in `vllm_engine`.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from typing import Any

import psutil
import torch
from vllm.config import set_current_vllm_config
from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm
from vllm.model_executor.model_loader.reload import finalize_layerwise_reload, initialize_layerwise_reload
from vllm.platforms import current_platform

from distrl.weights.files import manifest_from_json, read_weights, require_newer
from distrl.weights.manifest import WeightError

# vLLM warns at every reload of modules that own no weights (rotary tables, a tied head); `load_weights` below
# counts the parameters itself and raises.
logging.getLogger("vllm.model_executor.model_loader.reload.layerwise").setLevel(logging.ERROR)

SKIP_REFRESH = "skip_refresh"  # planted fault: reports the new version and digest, serves the old weights


class RefreshExtension:
    """State and refresh of the weights that this worker serves."""

    vllm_config: Any  # given by vLLM's worker, as are the next two
    model_runner: Any
    model_config: Any
    distrl_version: int = -1
    distrl_digest: str = ""

    def distrl_state(self) -> dict[str, Any]:
        """What is served now, and by which process: version, digest, pid, rss_mib, threads."""
        return {
            "version": self.distrl_version,
            "digest": self.distrl_digest,
            "pid": os.getpid(),
            "rss_mib": psutil.Process().memory_info().rss / 2**20,
            "threads": torch.get_num_threads(),
        }

    def distrl_refresh(self, manifest_json: str, fault: str = "") -> dict[str, Any]:
        """Read, verify and load a weight set; returns version, digest and seconds, or `refused`: the reason.

        A set that is refused leaves the served weights as they were. An error while loading raises: the
        weights are then neither old nor new, and the engine must not serve again.
        """
        start = time.perf_counter()
        try:
            manifest = manifest_from_json(manifest_json)
            require_newer(manifest, self.distrl_version)
            tensors = read_weights(manifest)
        except WeightError as error:
            return {"refused": str(error)}
        read = time.perf_counter()
        if fault != SKIP_REFRESH:
            load_weights(self.model_runner, tensors, self.vllm_config, self.model_config)
        self.distrl_version, self.distrl_digest = manifest.version, manifest.digest
        return {
            "version": manifest.version,
            "digest": manifest.digest,
            "seconds": {"read": read - start, "load": time.perf_counter() - read},
        }


def load_weights(
    model_runner: Any, tensors: Mapping[str, torch.Tensor], vllm_config: Any, model_config: Any
) -> None:
    """Put `tensors` (checkpoint names) into the live model, by the way that the platform needs."""
    model = model_runner.model
    expected = {name for name, _ in model.named_parameters()}
    with set_current_vllm_config(vllm_config), torch.no_grad():
        if current_platform.is_cpu():
            initialize_layerwise_reload(model)
            loaded = model.load_weights(tensors.items())
            finalize_layerwise_reload(model, model_config)
            repack_tied_layers(model)
        else:
            loaded = model.load_weights(tensors.items())
            torch.accelerator.synchronize()
    if missing := sorted(expected - loaded):
        raise RuntimeError(f"the weight set lacks {len(missing)} parameters of the model: {missing[0]}, …")
    model_runner.reset_lora_state()


def repack_tied_layers(model: torch.nn.Module) -> None:
    """Pack again every layer that kept its weight: a tied output layer, which no tensor of the set names."""
    for layer in model.modules():
        weight = getattr(layer, "weight", None)
        if hasattr(layer, "cpu_linear") and weight is not None and weight.dim() == 2 and weight.numel() > 0:
            dispatch_cpu_unquantized_gemm(layer, remove_weight=False)
