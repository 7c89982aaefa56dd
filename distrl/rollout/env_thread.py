"""One daemon thread an episode: the environment lives in it, the event loop waits with a deadline.

tasks -> EnvWorker[N: event loop -> [environment's thread]] <-> Engine[M] -> Buffer -> Learner -> (back)

A slow tool so stalls its own episode only, and what an environment binds to a thread (a database handle)
stays valid. Not covered: a step that never returns keeps its thread until the process ends; the episode gives
it up, and as a daemon it does not hold up the exit.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any

_Call = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class StepTimeout(RuntimeError):
    """A call into the environment did not return in time; the message says which and how long it took."""


class EnvThread:
    """Runs calls one after another in a thread of its own. `call` may be used from one event loop."""

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._name = name
        self._cleanup: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    async def call(self, function: Callable[[], Any], what: str, timeout_s: float) -> Any:
        """The value or exception of `function()`; StepTimeout when it takes longer than `timeout_s`."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls.put((function, future))
        done, _ = await asyncio.wait([future], timeout=max(0.0, timeout_s))
        if not done:
            future.cancel()
            raise StepTimeout(f"{self._name}: {what} did not return within {timeout_s:.1f} s")
        return future.result()

    def end(self, cleanup: Callable[[], None]) -> None:
        """Lets the thread end after the calls it has and after `cleanup()`; does not wait for it."""
        self._cleanup = cleanup
        self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            function, future = call
            if future.cancelled():
                continue
            value: Any = None
            error: Exception | None = None
            try:
                value = function()
            except Exception as raised:
                odd = isinstance(raised, StopIteration)  # a future refuses this one type
                error = RuntimeError(f"StopIteration: {raised}") if odd else raised
            except BaseException as raised:  # an environment that calls sys.exit() ends its episode only
                error = RuntimeError(f"{type(raised).__name__}: {raised}")
            try:
                future.get_loop().call_soon_threadsafe(_settle, future, value, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                break
        self._cleanup()


def _settle(future: asyncio.Future[Any], value: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
