"""Where the time goes: one span log a process, and busy + idle = wall by construction.

Each instant belongs to the span that was opened last and is still open, or to `idle` when none is: nested and
overlapping spans are never counted twice.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

IDLE = "idle"


class SpanLog:
    """Seconds by phase since the start. Threads and tasks may share one; the clock is passed in for tests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._start = self._mark = clock()
        self._open: dict[int, str] = {}  # token -> phase, in the order of opening
        self._next = 0
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._taken: dict[str, float] = {}

    @contextmanager
    def span(self, phase: str) -> Iterator[None]:
        """Books the time inside to `phase`, but for what a span opened later takes."""
        with self._lock:
            self._settle()
            token, self._next = self._next, self._next + 1
            self._open[token] = phase
        try:
            yield
        finally:
            with self._lock:
                self._settle()
                del self._open[token]

    def totals(self) -> dict[str, float]:
        """Seconds by phase and `idle`, up to now; they add up to `wall()` of the same instant."""
        with self._lock:
            self._settle()
            return {IDLE: self._seconds[IDLE], **self._seconds}

    def wall(self) -> float:
        """Seconds from the start to the last time that was booked."""
        with self._lock:
            return self._mark - self._start

    def take(self) -> dict[str, float]:
        """Seconds by phase since the last `take`: what one step cost."""
        now = self.totals()
        with self._lock:
            part = {phase: seconds - self._taken.get(phase, 0.0) for phase, seconds in now.items()}
            self._taken = now
        return part

    def _settle(self) -> None:
        now = self._clock()
        owner = next(reversed(self._open.values()), IDLE)
        self._seconds[owner] += now - self._mark
        self._mark = now
