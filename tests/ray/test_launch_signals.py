"""Stopping with a real local Ray: in good order, at once, by a crash; never a process left behind.

The driver is a small one: an actor with a child process of its own that ignores SIGTERM. Everything around
it is the real launcher.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

LOOPBACK = ("127.0.0.1", "[::ffff:127.0.0.1]", "[::1]")
DRIVER = textwrap.dedent(
    """
    import os, subprocess, sys, time
    from distrl import launch
    from distrl.config.load import load_config

    def driver(config, log, stop):
        import ray

        @ray.remote(num_cpus=0)
        class Child:
            def pids(self):
                stubborn = subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 600"], start_new_session=True)
                return [os.getpid(), stubborn.pid]

        child = Child.options(name="child").remote()
        ray.get(child.pids.remote(), timeout=120)
        log.note("READY")
        if sys.argv[1] == "crash":
            raise RuntimeError("the driver broke")
        while sys.argv[1] == "hang" or not stop.wait(0.1):
            time.sleep(0.1)
        log.note("saved after " + stop.reason)
        return 0

    sys.exit(launch.execute(load_config(sys.argv[2:]), driver=driver))
    """
)


class Run:
    """A launcher in a process group of its own, marked in the environment that all its processes inherit."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.mark = f"DISTRL_TEST_MARK={os.getpid()}-{time.monotonic_ns()}"
        name, value = self.mark.split("=")
        port = "dashboard_port: 18265" if mode == "good" else "dashboard: false"
        (folder / "a.yaml").write_text(f"ray: {{object_store_mib: 80, {port}}}\nrun: {{name: x}}\n")
        args = [sys.executable, "-c", DRIVER, mode, f"conf={folder}/a.yaml", f"run.dir={folder}/runs"]
        self.folder = folder / "runs" / "x"
        self.out = (folder / "out.txt").open("w+")
        self.process = subprocess.Popen(
            args,
            stdout=self.out,
            stderr=subprocess.STDOUT,
            env=os.environ | {name: value},
            start_new_session=True,
        )

    def text(self) -> str:
        return Path(self.out.name).read_text()

    def wait_ready(self, limit_s: float = 240.0) -> None:
        limit = time.monotonic() + limit_s
        while "READY" not in self.text():
            if self.process.poll() is not None or time.monotonic() > limit:
                raise AssertionError(f"not ready: {self.text()}")
            time.sleep(0.1)
        assert len(self.processes()) > 5  # Ray is there; else the count afterwards would prove nothing

    def processes(self) -> list[int]:
        """Living processes that carry the mark."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self.mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def left_behind(self) -> list[str]:
        """Command lines of what still lives."""
        return [Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:120] for pid in self.processes()]

    def clean(self) -> None:
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.process.wait(10)
        self.out.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[object]:
    runs: list[Run] = []

    def begin(mode: str) -> Run:
        runs.append(Run(tmp_path, mode))
        return runs[-1]

    yield begin
    for run in runs:
        run.clean()


def test_ctrl_c_once_stops_in_good_order_and_the_cluster_was_closed_to_others(start) -> None:  # type: ignore[no-untyped-def]
    run = start("good")
    run.wait_ready()
    listening = subprocess.run(["ss", "-tlnpH"], capture_output=True, text=True, check=False).stdout
    ours = [line for line in listening.splitlines() if any(f"pid={pid}," in line for pid in run.processes())]
    assert len(ours) > 3
    outside = [line for line in ours if line.split()[3].rsplit(":", 1)[0] not in LOOPBACK]
    assert outside == []
    token = run.folder / "ray_token"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert "Ray dashboard: http://127.0.0.1:18" in run.text() and token.read_text() not in run.text()
    os.killpg(run.process.pid, signal.SIGINT)  # as a terminal does it: to the whole foreground group
    assert run.process.wait(60) == 0, run.text()
    assert "saved after SIGINT" in run.text()
    assert run.left_behind() == []


def test_second_signal_exits_130_at_once(start) -> None:  # type: ignore[no-untyped-def]
    run = start("hang")
    run.wait_ready()
    run.process.send_signal(signal.SIGTERM)
    time.sleep(1.0)
    assert run.process.poll() is None
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(15) == 130, run.text()
    assert run.left_behind() == []


def test_a_crash_is_one_line_and_leaves_no_process(start) -> None:  # type: ignore[no-untyped-def]
    run = start("crash")
    assert run.process.wait(240) == 1
    last = run.text().strip().splitlines()[-1]
    assert last == f"distrl: RuntimeError: the driver broke (traceback: {run.folder / 'errors.log'})"
    assert "READY" in run.text() and "the driver broke" in (run.folder / "errors.log").read_text()
    assert run.left_behind() == []


def test_a_killed_launcher_leaves_no_process(start) -> None:  # type: ignore[no-untyped-def]
    run = start("hang")
    run.wait_ready()
    run.process.send_signal(signal.SIGKILL)
    run.process.wait(10)
    limit = time.monotonic() + 60
    while run.left_behind() and time.monotonic() < limit:
        time.sleep(0.2)
    assert run.left_behind() == []
