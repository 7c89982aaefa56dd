"""Launch without Ray: the run folder, its lock, the dry run, signals, and ending every process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from distrl import cli
from distrl.config.errors import ConfigError
from distrl.config.schema import Config, RayConfig
from distrl.launch import command as launch
from distrl.launch.cluster import start_ray
from distrl.launch.doctor import Line, examine, render
from distrl.launch.machine import Machine
from distrl.launch.plan import fit_problem, model_source, render_plan
from distrl.launch.signals import StopSignal, descendants

MACHINE = Machine(cores=2, gpus=1, memory_gib=8, memory_free_gib=4, shm_free_gib=1, disk_free_gib=9)


def script(body: str, *args: str) -> subprocess.Popen[str]:
    """A Python process that imports the signal machinery and runs `body`."""
    head = "import os, subprocess, sys, time\nfrom distrl.launch.signals import *\n"
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", head + body, *args], stdout=pipe, stderr=pipe, text=True)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def gone(pids: list[int], limit_s: float = 5.0) -> bool:
    limit = time.monotonic() + limit_s
    while any(map(alive, pids)) and time.monotonic() < limit:
        time.sleep(0.02)
    return not any(map(alive, pids))


def test_a_second_driver_on_a_run_folder_is_refused_by_name(tmp_path: Path) -> None:
    with launch.run_lock(str(tmp_path)):
        with (
            pytest.raises(
                ConfigError, match=rf"is in use by process {os.getpid()} on .*; wait for it"
            ) as error,
            launch.run_lock(str(tmp_path)),
        ):
            raise AssertionError("two drivers hold one folder")
        assert str(error.value).isprintable()
    with launch.run_lock(str(tmp_path)):
        pass


def test_lock_of_a_killed_driver_is_free(tmp_path: Path) -> None:
    body = "from distrl.launch.command import run_lock as lock\n"
    body += "with lock(sys.argv[1]): print('HELD', flush=True); time.sleep(60)"
    holder = script(body, str(tmp_path))
    assert holder.stdout and holder.stdout.readline() == "HELD\n"
    with pytest.raises(ConfigError), launch.run_lock(str(tmp_path)):
        pass
    holder.kill()
    holder.wait(10)
    with launch.run_lock(str(tmp_path)):
        pass


def test_without_resume_a_taken_folder_is_left_alone(tmp_path: Path) -> None:
    config = Config()
    config.run.dir, config.run.name = str(tmp_path), "x"
    assert [launch.choose_folder(config) for _ in range(2)] == [str(tmp_path / "x")] * 2
    config.run.resume = False
    assert launch.choose_folder(config) == str(tmp_path / "x-2")
    assert config.run.name == "x-2"


def test_dry_run_shows_the_plan_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = descendants()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("env: {id: distrl/Letters-v0, reward: share}\n")
    assert launch.main(["conf=a.yaml", "--dry-run", "engine.count=2"]) == 0
    out = capsys.readouterr().out
    assert "group_size: 8" in out
    assert "# 2 x engine      1 CPU    0 GPU each" in out
    assert "# reserved: 3 CPUs, 0 GPUs" in out
    assert "# run folder: runs/a-seed0 (new)" in out
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]
    assert descendants() == before


def test_an_unknown_environment_reward_or_option_is_refused() -> None:
    for change, words in (("id", "Letters"), ("reward", "reward"), ("options", "options")):
        config = Config()
        config.env.id, config.env.reward = "distrl/Letters-v0", "share"
        setattr(config.env, change, {"options": {"nonsense": 1}}.get(change, "distrl/Leters-v0"))
        with pytest.raises(ConfigError, match=words):
            launch.check_registered(config)


def test_a_local_run_that_needs_absent_gpus_is_refused_and_a_cluster_run_is_not() -> None:
    config = Config()
    config.engine.gpus = config.learner.gpus = 1.0
    assert "reserve 2 GPUs, and this machine has 1" in fit_problem(config, MACHINE)
    assert "DOES NOT FIT" in render_plan(config, MACHINE)
    config.ray.address = "auto"
    assert fit_problem(config, MACHINE) == ""
    config = Config()
    config.engine.count = 9  # CPUs are shared out
    assert fit_problem(config, MACHINE) == ""


def test_the_models_source_is_named_without_fetching(tmp_path: Path) -> None:
    assert model_source(str(tmp_path), "") == f"local folder {tmp_path}"
    assert model_source("path:/no/such", "").endswith("(DOES NOT EXIST)")
    assert model_source("some/model", "").startswith("hub id some/model")
    assert "to be downloaded (89 MiB" in model_source("smollm2-135m", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_another_machines_ray_without_a_token_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="another machine and there is no token"):
        start_ray(RayConfig(address="10.0.0.9:6379"), str(tmp_path), namespace="x")


def test_a_failure_is_one_line_and_its_traceback_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise RuntimeError("bad \x1b]52;c;x\x07\nsecond line")
    except RuntimeError as error:
        assert launch._failed(error, str(tmp_path)) == 1
    text = capsys.readouterr().err
    path = tmp_path / "errors.log"
    assert text == f"distrl: RuntimeError: bad \\x1b]52;c;x\\x07 second line (traceback: {path})\n"
    assert "Traceback" in path.read_text() and "\x1b" not in path.read_text()


WAIT = """
adopt_orphans(); stop = StopSignal(); watch = SignalWatch(stop)
subprocess.Popen(["sh", "-c", "trap '' TERM INT; (trap '' TERM; sleep 300 & echo $!; wait) & sleep 300"])
time.sleep(0.5); print("READY", *descendants(), flush=True)
"""


def started(body: str) -> tuple[subprocess.Popen[str], list[int]]:
    process = script(WAIT + body)
    assert process.stdout
    for line in process.stdout:
        if line.startswith("READY"):
            pids = [int(p) for p in line.split()[1:]]
            assert len(pids) >= 3
            return process, pids
    raise AssertionError(process.communicate()[1])


def test_one_signal_asks_and_no_process_stays() -> None:
    """Also: the pair of signals that `timeout` sends at once counts as one."""
    process, pids = started("assert stop.wait(30); end_descendants(0.2); print(stop.reason)")
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out.strip().splitlines()[-1]) == (0, "SIGTERM"), err
    assert gone(pids)


def test_second_signal_ends_at_once_even_when_the_driver_hangs() -> None:
    """The main thread waits in C code that no Python handler interrupts; children ignore SIGTERM."""
    hang = "import ctypes\nfor _ in range(9999): ctypes.CDLL(None).pause()"
    process, pids = started(hang)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert [line.split(":")[1] for line in err.splitlines() if line] == [" SIGINT", " second signal"]
    assert gone(pids)


def test_stop_signal_keeps_its_first_reason() -> None:
    stop = StopSignal()
    assert not stop() and not stop.wait(0)
    stop.set("SIGTERM")
    stop.set("SIGINT")
    assert stop() and stop.wait(0) and stop.reason == "SIGTERM"


def test_descendants_reads_names_with_brackets_and_leaves_zombies_out(tmp_path: Path) -> None:
    for pid, name, state, parent in (
        (5, "a) R 1 (b", "S", 1),
        (6, "x", "Z", 5),
        (7, "y", "S", 6),
        (8, "z", "S", 2),
    ):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) {state} {parent} 0 0")
    assert descendants(1, str(tmp_path)) == [5, 7]


def test_command_line_help_is_quick_and_lists_what_works() -> None:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "distrl.cli", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert time.perf_counter() - began < 10
    imported = {
        line.rsplit("|", 1)[1].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line
    }
    assert not imported & {"ray", "torch", "vllm", "omegaconf", "gymnasium", "rich", "pyarrow", "numpy"}
    assert all(name in done.stdout for name in cli.COMMANDS)


def test_command_errors_are_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["data", "clinical_tools", "--out", str(tmp_path), "--count", "0"]) == 2
    assert cli.main(["check-env", "distrl/Leters-v0"]) == 2
    assert cli.main(["model", "no such model"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3 and all(line.startswith("distrl ") for line in lines)


def test_doctor_marks_problems_and_counts_them() -> None:
    lines = examine()
    assert {"python", "ray", "cpu", "memory", "vllm", "model"} <= {line.what for line in lines}
    text = render([Line(what="a", found="1"), Line(what="b", found="2", mend="do this")])
    assert text == "ok      a: 1\nPROBLEM b: 2; do this\n\n1 problem"


def test_spared_processes_live_on_when_the_others_are_ended() -> None:
    body = """
adopt_orphans()
kept = subprocess.Popen(["sleep", "300"])
spare = frozenset(descendants())
other = subprocess.Popen(["sh", "-c", "sleep 300 & wait"])
time.sleep(0.2)
killed = end_descendants(0.0, spare=spare)
print(kept.pid in descendants(), len(killed) == 2, descendants() == [kept.pid])
end_descendants(0.0)
"""
    out, err = script(body).communicate(timeout=20)
    assert out.split() == ["True", "True", "True"], err
