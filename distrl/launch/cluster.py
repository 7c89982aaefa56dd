"""Ray: a private one on loopback with a token, or an existing cluster to attach to.

launch -> [Ray] -> driver, actors
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distrl.config.errors import ConfigError
from distrl.config.schema import RayConfig
from distrl.launch.signals import descendants, end_descendants

LOOPBACK = "127.0.0.1"
TOKEN_FILE = "ray_token"  # noqa: S105  (a file name)
SHUTDOWN_S = 30.0
PORTS_TRIED = 50
START_TRIES = 3
_ON_THIS_MACHINE = re.compile(r"^(?:ray://)?(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$")


@dataclass(frozen=True, kw_only=True)
class RayHandle:
    """A connected Ray. `dashboard_url` and `token_path` are empty where there is none of ours."""

    local: bool
    dashboard_url: str
    token_path: str


def start_ray(
    config: RayConfig,
    run_dir: str,
    *,
    namespace: str,
    cpus: int | None = None,
    verbose: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> RayHandle:
    """Starts (or attaches to) Ray. `cpus`: what a local Ray schedules by; None: the machine's cores.
    `stop`: no further try when it turns true.

    Raises ConfigError when a cluster cannot be reached or would be reached without a token.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # leave CUDA_VISIBLE_DEVICES alone
    options: dict[str, Any] = {
        "namespace": namespace,
        "log_to_driver": verbose,
        "logging_level": logging.INFO if verbose else logging.ERROR,
    }
    if config.address != "local":
        return _attach(config.address, options)
    token_path = _new_token(run_dir)
    # Ray turns a loopback address into the machine's outer one unless its single-machine switch is set
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    options |= {
        "num_cpus": cpus,
        "object_store_memory": config.object_store_mib * 2**20,
        "include_dashboard": config.dashboard,
        "dashboard_host": LOOPBACK,
        "_node_ip_address": LOOPBACK,
    }
    port = _start_local(options, config.dashboard_port if config.dashboard else 0, stop)
    url = f"http://{LOOPBACK}:{port}" if port else ""
    return RayHandle(local=True, dashboard_url=url, token_path=token_path)


def _start_local(options: dict[str, Any], first_port: int, stop: Callable[[], bool]) -> int:
    """Starts Ray and returns the dashboard's port (0: no dashboard).

    Ray gives its helpers 15 s to report, which a busy machine may miss; the next try finds its files cached.
    A half-started Ray leaves processes that `ray.shutdown` does not know: they are ended between two tries.
    """
    import ray

    spare = frozenset(descendants())
    for left in reversed(range(START_TRIES)):
        port = _free_port(first_port) if first_port else 0
        try:
            ray.init(address="local", dashboard_port=port or None, **options)
            return port
        except Exception:  # what Ray raises here is a plain Exception
            ray.shutdown()
            end_descendants(grace_s=0.0, spare=spare)
            if not left or stop():
                raise
    raise AssertionError("the last try returns or raises")


def stop_ray(timeout_s: float = SHUTDOWN_S) -> bool:
    """Ends a local Ray or leaves a cluster; False when that took longer than `timeout_s`."""
    import ray

    thread = threading.Thread(target=ray.shutdown, name="ray-shutdown", daemon=True)
    thread.start()
    thread.join(timeout_s)
    return not thread.is_alive()


def _attach(address: str, options: dict[str, Any]) -> RayHandle:
    if address != "auto" and not _ON_THIS_MACHINE.match(address) and not has_token():
        raise ConfigError(
            f"ray.address={address!r} is another machine and there is no token: set RAY_AUTH_MODE=token and "
            "RAY_AUTH_TOKEN_PATH (without one, anybody who reaches that port can run code there)"
        )
    import ray

    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ConfigError(
            f"ray.address={address!r} cannot be reached ({reason}); start a cluster there, "
            "or use ray.address=local"
        ) from error
    return RayHandle(local=False, dashboard_url="", token_path="")


def has_token() -> bool:
    """True when this process would show a token: token mode is on, and a token is set or lies in a file."""
    if os.environ.get("RAY_AUTH_MODE", "").lower() != "token":
        return False
    file = os.environ.get("RAY_AUTH_TOKEN_PATH") or str(Path.home() / ".ray" / "auth_token")
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or Path(file).is_file()


def _new_token(run_dir: str) -> str:
    """A fresh token in a file that only this user reads; Ray and its job client find it by the variables."""
    path = Path(run_dir).absolute() / TOKEN_FILE
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(32))
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN_PATH"] = str(path)
    os.environ.pop("RAY_AUTH_TOKEN", None)
    return str(path)


def _free_port(first: int) -> int:
    """The first port from `first` on that is free on loopback."""
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if probe.connect_ex((LOOPBACK, port)) != 0:
                try:
                    probe.bind((LOOPBACK, port))
                except OSError:
                    continue
                return port
    raise ConfigError(
        f"ray.dashboard_port={first}: no free port among the next {PORTS_TRIED}; give another one"
    )
