"""What this machine can compute with: the compute type, the CPU's features, the threads we may use."""

from __future__ import annotations

import os
from pathlib import Path

BFLOAT16_FLAGS = frozenset(
    {"avx512_bf16", "amx_bf16"}
)  # without one, a bf16 product is emulated, ~100x slower
DTYPES = ("float32", "bfloat16")


def cpu_features(cpuinfo: str = "/proc/cpuinfo") -> frozenset[str]:
    """The flags of the first processor; empty where the kernel tells none."""
    try:
        text = Path(cpuinfo).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()


def resolve_dtype(name: str, device: str, features: frozenset[str] | None = None) -> str:
    """`auto` becomes `bfloat16` where `device` (`cpu`, `cuda`, `cuda:0`, …) computes in it, else `float32`.

    A named type is taken as it is. Raises ValueError for any other name. `features`: CPU flags, read if None.
    """
    if name in DTYPES:
        return name
    if name != "auto":
        raise ValueError(f"model.dtype={name!r}: give auto, {' or '.join(DTYPES)}")
    if device.startswith("cuda"):
        import torch

        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    flags = cpu_features() if features is None else features
    return "bfloat16" if flags & BFLOAT16_FLAGS else "float32"


def usable_threads(cpu_max: str = "/sys/fs/cgroup/cpu.max") -> int:
    """Cores that this process may run on: its affinity, cut by a container's CPU quota; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path(cpu_max).read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return max(1, cores)
    return max(1, cores if quota == "max" else min(cores, int(quota) // int(period)))
