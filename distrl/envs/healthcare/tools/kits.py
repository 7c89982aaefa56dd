"""How a domain's toolkit is put together from functions that several domains share.

[functions of this package] -> (assembled) -> Toolkit of a domain -> HealthcareEnv
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from distrl.envs.toolkit import ToolKind, Toolkit

READ, WRITE, THINK, GENERIC = ToolKind.READ, ToolKind.WRITE, ToolKind.THINK, ToolKind.GENERIC
Function = Callable[..., Any]
Row = tuple[ToolKind, Function] | tuple[ToolKind, Function, float]


def assembled(name: str, rows: Iterable[Row]) -> Toolkit:
    """A toolkit of (kind, function) rows, in order; a third entry is the time limit in seconds."""
    kit = Toolkit(name)
    for kind, function, *limit in rows:
        kit.tool(kind, time_limit_s=limit[0] if limit else None)(function)
    return kit
