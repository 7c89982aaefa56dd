"""Waiting for actors: every wait has a deadline and says for whom it waited.

driver -> [wait] -> EnvWorker[N], Engine[M], Buffer, Learner
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError, RayTaskError

POLL_S = 0.5  # how often a wait looks at the stop signal


class FleetError(RuntimeError):
    """An actor died, failed or did not answer in time; the message names it."""


class Interrupted(Exception):
    """The stop signal was set while the driver waited."""


def fetch(ref: ray.ObjectRef, what: str, timeout_s: float, stop: Callable[[], bool] | None = None) -> Any:
    """The value of `ref`; raises FleetError naming `what`, or Interrupted when `stop()` turns true first."""
    return fetch_all([ref], what, timeout_s, stop)[0]


def fetch_all(
    refs: Sequence[ray.ObjectRef], what: str, timeout_s: float, stop: Callable[[], bool] | None = None
) -> list[Any]:
    """The values of `refs` in order, under one deadline for all of them."""
    pending, deadline = list(refs), time.monotonic() + timeout_s
    while pending:
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise FleetError(
                f"waited {timeout_s:.0f} s for {what}: {len(pending)} of {len(refs)} answers are missing"
            )
        done, pending = ray.wait(pending, num_returns=len(pending), timeout=min(left_s, POLL_S))
        for ref in done:
            value_of(ref, what)
        if pending and stop is not None and stop():
            raise Interrupted(f"stopped while waiting for {what}")
    return [value_of(ref, what) for ref in refs]


def value_of(ref: ray.ObjectRef, what: str) -> Any:
    """The value of a finished `ref`, with an actor's error in one line."""
    try:
        return ray.get(ref, timeout=60.0)
    except RayTaskError as error:
        cause = error.cause if error.cause is not None else error
        raise FleetError(f"{what}: {type(cause).__name__}: {cause}") from error
    except RayActorError as error:
        raise FleetError(f"{what}: the actor is dead ({_first_line(error)})") from error
    except GetTimeoutError as error:
        raise FleetError(f"{what}: the finished answer could not be read within 60 s") from error
    except RayError as error:
        raise FleetError(f"{what}: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
