"""distrl: a Ray-distributed actor-learner system for tool-using clinical language agents.

`__all__` is what the loaders of the verifiers ecosystem look for in a package (docs/verifiers.md); it is
imported when it is asked for.
"""

from typing import Any

__version__ = "0.1.0"
__all__ = ["DistrlEnv", "DistrlHarness", "DistrlTaskset", "load_environment"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'distrl' has no attribute {name!r}")
    from distrl.envs import interop

    return getattr(interop, name)
