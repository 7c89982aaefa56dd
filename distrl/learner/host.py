"""The learner's process: threads, memory, device.

Learner [host]
"""

from __future__ import annotations

import ctypes
import os
import sys

import torch

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # names of malloc.h


def set_threads(threads: int) -> int:
    """Sets torch's intra-operation threads (0: every core this process may use); returns the number."""
    count = threads or len(os.sched_getaffinity(0))
    torch.set_num_threads(count)
    return count


def keep_freed_memory() -> bool:
    """Lets glibc reuse freed activations instead of returning them to the kernel; False without glibc.

    A large tensor is otherwise mapped, zeroed page by page and unmapped again at every operation.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    limit = 2**30  # bytes; larger blocks (an embedding gradient of a large model) keep their own mapping
    return bool(mallopt(_M_MMAP_THRESHOLD, limit)) and bool(mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))


def device_for(gpus: float) -> str:
    """`cuda` when GPUs were reserved, else `cpu`; ValueError when they were reserved and torch sees none."""
    if gpus <= 0:
        return "cpu"
    if not torch.cuda.is_available():
        raise ValueError(f"learner.gpus={gpus} but torch sees no GPU on this node; set learner.gpus=0")
    return "cuda"
