"""One event loop in a thread of its own, in which all coroutines of verifiers run.

tasks -> EnvWorker[N: TextEnv.step -> (loop) -> verifiers' hooks] <-> Engine[M] -> Buffer -> Learner -> …

Verifiers' environments are shared by their rollouts and hold what belongs to one loop (locks, clients); our
episodes each step in a thread of their own and wait here with a deadline.

Not covered: a hook that blocks the loop blocks every verifiers episode of the process, as in verifiers.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
DEADLINE_S = 600.0  # no hook without network takes longer; the rollout worker's own limit ends sooner


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="verifiers", daemon=True).start()
    return loop


_START = threading.Lock()


def wait_for(coroutine: Coroutine[Any, Any, T], what: str) -> T:
    """The value or exception of `coroutine`. TimeoutError after DEADLINE_S, naming `what`.

    Consumes: a coroutine. Produces: its value. Waits for: the loop's thread. Unblocked by: end or deadline.
    """
    with _START:
        loop = _loop()
    future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    try:
        return future.result(DEADLINE_S)
    except TimeoutError:
        if future.done():
            raise
        future.cancel()
        raise TimeoutError(f"{what} did not return within {DEADLINE_S:.0f} s") from None
