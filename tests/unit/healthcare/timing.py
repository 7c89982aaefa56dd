"""CPU seconds of a call, the least of a few: another process beside the tests makes one of them slow."""

import time
from collections.abc import Callable


def least_seconds(call: Callable[[], object], times: int = 3) -> float:
    """The fastest of `times` calls, CPU seconds."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)
