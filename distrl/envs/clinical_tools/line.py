"""The observation of a clinical tool: one line of comma-separated `Label: value` pairs, and shared
argument types.

tasks -> EnvWorker[N: call -> clinical tool -> this line] <-> Engine[M] -> Buffer -> Learner -> Weights ->
(back)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from distrl.envs.toolkit import Arg

Sex = Literal["male", "female"]
AdultAge = Annotated[int, Arg(unit="years", ge=18, le=120)]
Creatinine = Annotated[float, Arg(unit="mg/dL", ge=0.1, le=30)]
Egfr = Annotated[float | None, Arg(unit="mL/min/1.73 m2", ge=1, le=250)]
SystolicBp = Annotated[float, Arg(unit="mmHg", ge=50, le=300)]

TEXT_LIMIT = 200  # characters of a free text that is echoed


def line(*pairs: tuple[str, str] | None) -> str:
    """`Label: value, Label: value`; a pair that is None or has an empty value is left out.

    A class or verdict in a line is read from the number as printed, so that the two never disagree.
    """
    return ", ".join(f"{label}: {value}" for label, value in filter(None, pairs) if value)


def notes(texts: Iterable[str]) -> tuple[str, str]:
    """The pair of remarks, joined by semicolons; left out by `line` when there are none."""
    return "Note", "; ".join(text for text in texts if text)


def yes(flag: bool) -> str:
    """yes or no."""
    return "yes" if flag else "no"


def one_line(text: str) -> str:
    """Free text on one line, for an echo."""
    return " ".join(text.split())
