"""What this machine has, read from the kernel: no torch, no Ray, no start-up time."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from distrl.models.device import usable_threads

GIB = 2**30


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Cores and GPUs that this process may use; memory, shared memory and disk in GiB."""

    cores: int
    gpus: int
    memory_gib: float
    memory_free_gib: float
    shm_free_gib: float
    disk_free_gib: float


def this_machine(folder: str = ".") -> Machine:
    """The machine as it is now; `disk_free_gib` is of the disk that holds (or will hold) `folder`."""
    total, free = _memory_gib()
    place = Path(folder).absolute()
    while not place.exists():
        place = place.parent
    return Machine(
        cores=usable_threads(),
        gpus=_gpus(),
        memory_gib=total,
        memory_free_gib=free,
        shm_free_gib=shutil.disk_usage("/dev/shm").free / GIB if Path("/dev/shm").is_dir() else 0.0,  # noqa: S108
        disk_free_gib=shutil.disk_usage(place).free / GIB,
    )


def _memory_gib(proc: str = "/proc/meminfo", limit: str = "/sys/fs/cgroup/memory.max") -> tuple[float, float]:
    """Total and available memory, cut by a container's limit; zeros where the kernel does not tell."""
    try:
        rows = dict(line.split(":", 1) for line in Path(proc).read_text().splitlines())
        total, free = (int(rows[k].split()[0]) / 2**20 for k in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError, ValueError):
        return 0.0, 0.0
    try:
        cap = int(Path(limit).read_text()) / GIB
    except (OSError, ValueError):  # `max`, or no such control group
        return total, free
    return min(total, cap), min(free, cap)


def _gpus(devices: str = "/proc/driver/nvidia/gpus") -> int:
    """NVIDIA GPUs that CUDA_VISIBLE_DEVICES leaves visible."""
    there = len(list(Path(devices).glob("*"))) if Path(devices).is_dir() else 0
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return there
    return min(there, len([d for d in visible.split(",") if d.strip() not in ("", "-1")]))
