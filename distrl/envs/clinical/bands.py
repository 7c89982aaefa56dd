"""Cut-offs as data: a table of (lower bound, label) rows, read from the highest bound down."""

from __future__ import annotations

import math
from collections.abc import Sequence

Bands = Sequence[tuple[float, str]]


def band(value: float, table: Bands) -> str:
    """The label of the first row whose lower bound is <= `value`; rows stand in falling order.

    The last row holds for everything below it, so that every number (infinities too) has a label.
    """
    for lower, label in table[:-1]:
        if value >= lower:
            return label
    return table[-1][1]


def above(bound: float) -> float:
    """The next number: makes a row that begins just above `bound` ("> 300") out of one that begins at it."""
    return math.nextafter(bound, math.inf)
