"""The guardian: what a killed launcher leaves is ended, and nobody else's processes are."""

import os
import signal
import subprocess
import sys
import textwrap
import time

LAUNCHER = textwrap.dedent(
    """
    import os, signal, subprocess, sys, time
    from distrl.launch.guardian import guarded

    with guarded() as guardian:
        stubborn = subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 300 & wait"], start_new_session=True)
        print(stubborn.pid, *guardian, flush=True)
        if sys.argv[1] == "die":
            time.sleep(300)
        os.killpg(stubborn.pid, signal.SIGKILL)
        stubborn.wait()
    """
)


def living(pids: list[int]) -> list[int]:
    return [p for p in pids if os.path.exists(f"/proc/{p}") and _state(p) not in "ZX"]


def _state(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def start(how: str) -> tuple[subprocess.Popen[str], list[int]]:
    launcher = subprocess.Popen([sys.executable, "-c", LAUNCHER, how], stdout=subprocess.PIPE, text=True)
    assert launcher.stdout is not None
    return launcher, [int(pid) for pid in launcher.stdout.readline().split()]


def gone(pids: list[int], limit_s: float = 60.0) -> bool:
    limit = time.monotonic() + limit_s
    while living(pids) and time.monotonic() < limit:
        time.sleep(0.05)
    return not living(pids)


def test_killed_launcher_leaves_no_process_and_a_stranger_lives_on() -> None:
    stranger = subprocess.Popen(["sleep", "300"])
    launcher, pids = start("die")
    try:
        assert len(living(pids)) == 2
        launcher.send_signal(signal.SIGKILL)
        launcher.wait(10)
        assert gone(pids)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait(10)


def test_guardian_ends_with_an_orderly_launcher() -> None:
    launcher, pids = start("live")
    assert launcher.wait(60) == 0
    assert gone(pids)
