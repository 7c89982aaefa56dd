"""Which shapes of verifiers are installed, imported when they are asked for.

tasks -> EnvWorker[N: our environments <-> (verifiers)] <-> Engine[M] -> Buffer -> Learner -> …

Up to 0.3 the package has `verifiers.Environment` with data set, turns and rubric ("legacy"); from 0.3 on it
has `verifiers.v1` with taskset, harness and trace ("v1"). 0.3 has both.
"""

from __future__ import annotations

import importlib
import importlib.util
from importlib import metadata
from typing import Any

SHAPES = {
    "legacy": ("verifiers", "0.3.*"),
    "v1": ("verifiers.v1", "0.4.*"),
}
V1_SINCE = (0, 3)
LEGACY_UNTIL = (0, 4)


def installed_shapes() -> tuple[str, ...]:
    """The shapes that the installed verifiers has, "legacy" first; empty without verifiers."""
    if importlib.util.find_spec("verifiers") is None:
        return ()
    version = tuple(int(part) for part in metadata.version("verifiers").split(".")[:2])
    has = {"legacy": version < LEGACY_UNTIL, "v1": version >= V1_SINCE}
    return tuple(shape for shape in SHAPES if has[shape])


def require(shape: str) -> Any:
    """The module of `shape`. ValueError with the install command when it is not there."""
    if shape not in SHAPES:
        raise ValueError(f"unknown shape {shape!r} of verifiers; one of {', '.join(SHAPES)}")
    module, version = SHAPES[shape]
    if shape not in installed_shapes():
        what = f"the {shape} shape of verifiers is" if installed_shapes() else "verifiers is"
        raise ValueError(f'{what} not installed: pip install "verifiers=={version}"')
    return importlib.import_module(module)


def default_shape() -> str:
    """The shape whose callers expect something from `load_environment`: legacy where there is one."""
    return installed_shapes()[0] if installed_shapes() else "v1"
