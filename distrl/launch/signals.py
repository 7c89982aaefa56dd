"""Stopping: the first signal asks, the second one ends; no process outlives the launcher.

launch -> [StopSignal] -> driver -> actors

Signals reach a thread of their own through Python's wake-up descriptor, so that they count while the main
thread waits inside C code, and whatever handler a library installs later.

Not covered: a launcher that is killed with SIGKILL cannot clean up; its guardian does (`guardian.py`).
Processes on other nodes of a cluster belong to Ray, which ends them with the job.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

EXIT_NOW = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ONE_REQUEST_S = 0.3  # `timeout` signals a process and then its group: that is one request, not two
PR_SET_CHILD_SUBREAPER = 36  # prctl(2): orphaned descendants become our children, so none is lost from sight


class StopSignal:
    """Set once when the run should end in good order. The driver looks at it between its waits."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.reason = ""

    def set(self, reason: str) -> None:
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    def is_set(self) -> bool:
        return self._event.is_set()

    __call__ = is_set  # the driver and its waits take a plain question: `stop()`

    def wait(self, timeout_s: float) -> bool:
        """Sleeps until the signal or the time limit; True when the signal is set."""
        return self._event.wait(timeout_s)


class SignalWatch:
    """Turns signals into `stop` (first) and an immediate end (second). Main thread only; once a process."""

    def __init__(self, stop: StopSignal) -> None:
        self._stop = stop
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._old = {s: signal.getsignal(s) for s in SIGNALS}
        self.install()
        threading.Thread(target=self._watch, name="signals", daemon=True).start()

    def install(self) -> None:
        """(Re)installs the handlers; called again after a library has put its own in place."""
        for number in SIGNALS:
            if number == signal.SIGHUP and self._old[number] is signal.SIG_IGN:
                continue  # nohup
            signal.signal(number, lambda *_: None)  # the byte in the wake-up descriptor is what counts

    def restore(self) -> None:
        """Back to the handlers from before; the thread ends."""
        signal.set_wakeup_fd(self._old_fd)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._writer.close()

    def _watch(self) -> None:
        """Consumes: signal numbers. Produces: the stop signal, then the end. Unblocked by: `restore`."""
        first = 0.0
        while numbers := self._reader.recv(64):
            wanted = [n for n in numbers if n in SIGNALS]
            now = time.monotonic()
            if not wanted or (first and now - first < ONE_REQUEST_S):
                continue
            if first:
                _say("second signal: ending now, without a checkpoint")
                end_descendants(grace_s=0.0)
                os._exit(EXIT_NOW)
            first = now
            name = signal.Signals(wanted[0]).name
            _say(f"{name}: stopping in good order (a second one ends at once)")
            self._stop.set(name)
        self._reader.close()


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, f"\ndistrl: {text}\n".encode())


def adopt_orphans() -> None:
    """Makes this process the parent of its orphaned descendants (Linux; elsewhere it does nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root: int | None = None, proc: str = "/proc") -> list[int]:
    """Living processes below `root` (this process), children before grandchildren. Zombies do not count."""
    children: dict[int, list[int]] = {}
    dead: set[int] = set()
    for entry in Path(proc).iterdir():
        if not entry.name.isdigit():
            continue
        try:  # pid (name) state parent …; the name may hold spaces and brackets
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        children.setdefault(int(parent), []).append(int(entry.name))
        if state in "ZX":
            dead.add(int(entry.name))
    found, queue = [], [os.getpid() if root is None else root]
    while queue:
        below = children.get(queue.pop(0), [])
        queue += below
        found += [pid for pid in below if pid not in dead]
    return found


def end_descendants(
    grace_s: float, deadline_s: float = 10.0, spare: frozenset[int] = frozenset()
) -> list[int]:
    """Ends every descendant but `spare`: waits `grace_s`, SIGTERM and again `grace_s`, then SIGKILL.

    Returns those that had to be killed. Raises RuntimeError when some survive `deadline_s` of SIGKILL.
    """
    if grace_s > 0 and _gone_within(grace_s, spare):
        return []
    if grace_s > 0:
        _signal_all(signal.SIGTERM, spare)
        if _gone_within(grace_s, spare):
            return []
    killed: set[int] = set()
    limit = time.monotonic() + deadline_s
    while alive := _others(spare):  # again and again: a dying process may have started another
        if time.monotonic() > limit:
            raise RuntimeError(f"processes {alive} survived SIGKILL for {deadline_s:.0f} s")
        killed |= set(alive)
        _signal_all(signal.SIGKILL, spare)
        _gone_within(0.2, spare)
    return sorted(killed)


def _others(spare: frozenset[int]) -> list[int]:
    return [pid for pid in descendants() if pid not in spare]


def _signal_all(number: int, spare: frozenset[int]) -> None:
    for pid in _others(spare):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _gone_within(limit_s: float, spare: frozenset[int]) -> bool:
    limit = time.monotonic() + limit_s
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not _others(spare):
            return True
        if time.monotonic() >= limit:
            return False
        time.sleep(0.05)
