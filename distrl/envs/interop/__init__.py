"""distrl and the verifiers ecosystem, both ways; nothing here imports verifiers until it is used.

tasks -> EnvWorker[N: (any verifiers environment)] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

`load_environment` gives any distrl environment to verifiers (to_verifiers.py); `from_verifiers.py` gives any
verifiers environment to distrl. The package `distrl` itself has the same names, for verifiers' loaders.
"""

from __future__ import annotations

from typing import Any

from distrl.envs.interop.to_verifiers import load_environment

__all__ = ["DistrlEnv", "DistrlHarness", "DistrlTaskset", "load_environment"]


def __getattr__(name: str) -> Any:
    """The v1 classes, which exist only where verifiers.v1 is installed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from distrl.envs.interop.versions import require

    require("v1")
    from distrl.envs.interop import v1_env

    return getattr(v1_env, name)
