"""A dimension's value with its reasons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Score:
    """`value` in 0..1; `reasons` are short lines for people, gains and losses alike."""

    value: float
    reasons: tuple[str, ...] = ()
