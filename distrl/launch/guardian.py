"""The guardian: ends what a run started when the launcher itself was killed.

[launch] -> guardian -> processes of the run

A small process in a session of its own waits on a pipe whose other end only the launcher holds: the pipe ends
when the launcher does, however that comes about. Then every process that carries the run's mark in its
environment, which all descendants inherit, gets SIGKILL. An orderly launcher says so first; then nothing is.

Not covered: a process that was started with an emptied environment, processes on other nodes (Ray ends
those), and a guardian that is killed itself. Where there is no /proc it finds nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "DISTRL_RUN_MARK"
QUIET_S = 5.0  # a dying process may have started another: this long nothing must turn up
LIMIT_S = 30.0
ORDERLY = b"."
END_S = 30.0  # for the guardian to end after the launcher closed the pipe


@contextlib.contextmanager
def guarded() -> Iterator[frozenset[int]]:
    """Marks what is started inside and keeps a guardian for it; gives the guardian's own process id."""
    mark = secrets.token_hex(16)
    command = [sys.executable, "-E", "-S", str(Path(__file__).resolve()), mark]
    unmarked = {name: value for name, value in os.environ.items() if name != MARK}
    guardian = subprocess.Popen(command, stdin=subprocess.PIPE, env=unmarked, start_new_session=True)
    before = os.environ.get(MARK)
    os.environ[MARK] = mark
    try:
        yield frozenset({guardian.pid})
    finally:
        if before is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = before
        with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
            guardian.communicate(ORDERLY, timeout=END_S)


def marked(mark: str) -> list[int]:
    """Living processes with `mark` in their environment, but for this one."""
    needle, found = f"{MARK}={mark}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if needle in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def watch(mark: str) -> None:
    """Waits for the end of the pipe, then kills until nothing marked turns up any more."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.stdin.buffer.read() == ORDERLY:
        return
    quiet_since, limit = time.monotonic(), time.monotonic() + LIMIT_S
    while time.monotonic() - quiet_since < QUIET_S and time.monotonic() < limit:
        if alive := marked(mark):
            quiet_since = time.monotonic()
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)


if __name__ == "__main__":
    watch(sys.argv[1])
