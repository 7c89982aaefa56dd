"""No engine process outlives its owner: each child watches the actor's process and dies with it.

tasks -> EnvWorker[N] <-> [Engine[M]: actor and engine process] -> Buffer -> Learner -> Weights -> (back)

`spawned_under_guard()` makes this module the "main module" of every process that is spawned inside the block.
A spawned process imports its main module before anything else, so the watch begins before vLLM is imported,
and the child does not import the parent's own main program (for a Ray actor: all of Ray).

Not covered: a child in uninterruptible sleep dies when the kernel lets it go.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import types
from collections.abc import Iterator

OWNER_VARIABLE = "DISTRL_ENGINE_OWNER_PID"


def watch_owner() -> None:
    """Kill this process as soon as the owner named in the environment is gone (a no-op in the owner)."""
    owner = int(os.environ.get(OWNER_VARIABLE, "0"))
    if owner in (0, os.getpid()):
        return
    try:
        handle = os.pidfd_open(owner)
    except ProcessLookupError:
        os.kill(os.getpid(), signal.SIGKILL)
        return
    threading.Thread(target=_wait_and_die, args=(handle,), name="owner-watch", daemon=True).start()


def _wait_and_die(handle: int) -> None:
    """Consumes nothing, produces nothing; waits for the owner's end, which unblocks it."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.poll()
    os.kill(os.getpid(), signal.SIGKILL)


@contextlib.contextmanager
def spawned_under_guard() -> Iterator[None]:
    """Processes spawned inside the block run `watch_owner()` first, with this process as the owner."""
    stub = types.ModuleType("__main__")
    stub.__spec__ = sys.modules[__name__].__spec__
    kept = sys.modules["__main__"]
    os.environ[OWNER_VARIABLE] = str(os.getpid())
    sys.modules["__main__"] = stub
    try:
        yield
    finally:
        sys.modules["__main__"] = kept


if __name__ == "__mp_main__":
    watch_owner()
