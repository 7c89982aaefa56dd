"""`python -m distrl.launch conf=quickstart.yaml key=value …`: the one command that starts a run.

[launch] -> Ray, run folder, log, stop signal -> driver

Exit codes: 0 done or stopped in good order; 2 a config that cannot run; 130 a second signal; else a failure.
"""

from __future__ import annotations

import fcntl
import math
import os
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.config.describe import describe
from distrl.config.errors import EXIT_BAD_CONFIG, ConfigError
from distrl.config.load import load_config, save_resolved
from distrl.config.resources import actor_plan, reserved
from distrl.config.resume import check_resume
from distrl.config.schema import Config
from distrl.launch.cluster import start_ray, stop_ray
from distrl.launch.guardian import guarded
from distrl.launch.machine import this_machine
from distrl.launch.plan import check_fits, render_plan
from distrl.launch.signals import SignalWatch, StopSignal, adopt_orphans, end_descendants
from distrl.observe import RunLog
from distrl.observe.text import escape

Driver = Callable[[Config, RunLog, StopSignal], int]

FLAGS = ("--dry-run", "--help", "-h", "--verbose")
EXIT_FAILED = 1
GRACE_S = 5.0  # for processes that Ray's shutdown left; then SIGTERM, the same again, then SIGKILL
MAX_ERROR_CHARS = 600


def main(argv: list[str] | None = None) -> int:
    """Reads the command line, then helps, shows the plan or runs. Returns the exit code."""
    args = sys.argv[1:] if argv is None else argv
    flags = {a for a in args if a in FLAGS}
    if flags & {"--help", "-h"}:
        print(describe())
        return 0
    try:
        config = load_config([a for a in args if a not in FLAGS])
        check_registered(config)
        if "--dry-run" in flags:
            print(render_plan(config))
            return 0
        check_fits(config)
    except ConfigError as error:
        return _complain(str(error), EXIT_BAD_CONFIG)
    return execute(config, verbose="--verbose" in flags)


def check_registered(config: Config) -> None:
    """Raises ConfigError when the environment, its reward or its options are not known."""
    from distrl.envs.registry import make

    try:
        make(config.env.id, config.env.reward, config.env.options).close()
    except (ValueError, TypeError) as error:
        raise ConfigError(f"env: {error}") from error


def execute(config: Config, *, verbose: bool = False, driver: Driver | None = None) -> int:
    """Runs `driver` (distrl.driver.run) inside everything it needs, and cleans up whatever happens."""
    adopt_orphans()
    stop = StopSignal()
    watch = SignalWatch(stop)
    run_dir = ""
    try:
        run_dir = choose_folder(config)
        with run_lock(run_dir):
            check_resume(config, run_dir)
            save_resolved(config, run_dir)
            with guarded() as guardian:
                return _logged(config, run_dir, stop, watch, driver or _drive, verbose, guardian)
    except ConfigError as error:
        return _complain(str(error), EXIT_BAD_CONFIG)
    except (Exception, SystemExit) as error:
        return _failed(error, run_dir)
    finally:
        watch.restore()


def _drive(config: Config, log: RunLog, stop: StopSignal) -> int:
    """The real driver, imported late: Ray reads its token mode once, when it is imported."""
    from distrl.driver import run

    return run(config, log, stop)


def _logged(
    config: Config,
    run_dir: str,
    stop: StopSignal,
    watch: SignalWatch,
    driver: Driver,
    verbose: bool,
    guardian: frozenset[int],
) -> int:
    """Opens the log and Ray, runs the driver, and ends every process before the run folder is released."""
    log = RunLog(run_dir, totals={"train": config.steps, "cold_start": config.cold_start.steps})
    try:
        log.note(f"run folder: {run_dir}")
        cpus, _ = reserved(actor_plan(config))
        cores = max(this_machine().cores, math.ceil(cpus))
        try:
            name = f"distrl-{config.run.name}"
            handle = start_ray(config.ray, run_dir, namespace=name, cpus=cores, verbose=verbose, stop=stop)
        except (Exception, SystemExit):
            if stop.is_set():  # a half-started Ray does not take a signal well; there is nothing to save yet
                log.note("stopped while Ray was starting")
                return 0
            raise
        watch.install()
        if handle.dashboard_url:
            log.note(f"Ray dashboard: {handle.dashboard_url} (its token lies in {handle.token_path})")
        return driver(config, log, stop)
    finally:
        if not stop_ray():
            log.note("warning: Ray did not shut down in time; its processes are ended")
        if killed := end_descendants(grace_s=GRACE_S, spare=guardian):
            log.note(f"warning: {len(killed)} processes did not end by themselves and were killed")
        log.close()


def choose_folder(config: Config) -> str:
    """The run's folder, made. Without `run.resume` a taken name gets a number; `config.run.name` follows."""
    name, number = config.run.name, 1
    while not config.run.resume and (Path(config.run.dir) / config.run.name).exists():
        number += 1
        config.run.name = f"{name}-{number}"
    folder = (Path(config.run.dir) / config.run.name).absolute()  # actors have other working folders
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"run.dir={config.run.dir!r}: {folder} cannot be made: {error.strerror}") from error
    return str(folder)


@contextmanager
def run_lock(run_dir: str) -> Iterator[None]:
    """Holds the run folder for this process; another driver is refused. The kernel frees it at any end."""
    fd = os.open(Path(run_dir) / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = escape(os.pread(fd, 200, 0).decode(errors="replace")) or "another process"
            raise ConfigError(
                f"run folder {run_dir} is in use by {owner}; wait for it, stop it, or set run.name"
            ) from None
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(fd)


def _complain(line: str, code: int) -> int:
    print(f"distrl: {line}", file=sys.stderr)
    return code


def _failed(error: BaseException, run_dir: str) -> int:
    """One line for the terminal; the traceback goes to errors.log in the run folder."""
    text = " ".join(escape(str(error), keep="\n").split())
    line = f"{type(error).__name__}: {text}"[:MAX_ERROR_CHARS]
    if not run_dir:
        return _complain(line, EXIT_FAILED)
    path = Path(run_dir) / "errors.log"
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    trace = escape("".join(traceback.format_exception(error)), keep="\n")
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{stamp} UTC\n{trace}\n")
    except OSError as disk:
        return _complain(f"{line} (no traceback: {path}: {disk.strerror})", EXIT_FAILED)
    return _complain(f"{line} (traceback: {path})", EXIT_FAILED)
