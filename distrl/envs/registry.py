"""The environments by id: what `env.id` names, where its tasks come from, and their Gymnasium registration.

[registry] -> tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

A new environment is one line of ENVIRONMENTS; it is imported when it is asked for. Importing `distrl.envs`
registers all: Gymnasium 1.x reads no entry points, its own spelling `distrl.envs:distrl/…` does the import.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register, registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from distrl.envs.contract import TaskSource, TextEnv


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One environment; each value is "module:name"."""

    env: str  # a TextEnv class with keyword arguments, `reward` among them
    generated: str  # a TaskSource class: a seeded generator
    files: str = ""  # a TaskSource class: (path, heldout_fraction, …); empty when tasks come from no file


ENVIRONMENTS: dict[str, Entry] = {
    "distrl/ClinicalTools-v0": Entry(
        env="distrl.envs.clinical_tools.env:ClinicalToolsEnv",
        generated="distrl.envs.clinical_tools.tasks:GeneratedTasks",
        files="distrl.envs.clinical_tools.load:FileTasks",
    ),
    "distrl/MedCalc-v0": Entry(
        env="distrl.envs.medcalc.env:MedCalcEnv",
        generated="distrl.envs.medcalc.generator.generate:GeneratedTasks",
        files="distrl.envs.medcalc.public.load:FileTasks",
    ),
    "distrl/HealthcareGym-v0": Entry(
        env="distrl.envs.healthcare.env:HealthcareEnv",
        generated="distrl.envs.healthcare.tasks.sources:HealthcareTasks",
    ),
    "distrl/ClinicalDiagnosis-v0": Entry(
        env="distrl.envs.healthcare.env:ClinicalDiagnosisEnv",
        generated="distrl.envs.healthcare.tasks.sources:ClinicalDiagnosisTasks",
    ),
    "distrl/DrugInteraction-v0": Entry(
        env="distrl.envs.healthcare.env:DrugInteractionEnv",
        generated="distrl.envs.healthcare.tasks.sources:DrugInteractionTasks",
    ),
    "distrl/MedicalQA-v0": Entry(
        env="distrl.envs.healthcare.env:MedicalQAEnv",
        generated="distrl.envs.healthcare.tasks.sources:MedicalQATasks",
    ),
    "distrl/Letters-v0": Entry(
        env="distrl.envs.letters:LettersEnv",
        generated="distrl.envs.letters:LettersTasks",
    ),
}


def register_all() -> None:
    """Register every environment with Gymnasium; a second call changes nothing."""
    for env_id, entry in ENVIRONMENTS.items():
        if env_id not in registry:
            register(id=env_id, entry_point=entry.env)


VERIFIERS = "verifiers/"  # begins the id of an environment of the verifiers ecosystem (docs/verifiers.md)


def make(env_id: str, reward: str, options: dict[str, Any]) -> TextEnv:
    """The environment itself, without Gymnasium's wrappers. ValueError names a wrong id, reward or option."""
    if env_id.startswith(VERIFIERS):
        return _from_verifiers().make(env_id, reward, options)
    return _build(_entry(env_id).env, f"{env_id}: env.options", {**options, "reward": reward})


def task_source(env_id: str, path: str, heldout_fraction: float, options: dict[str, Any]) -> TaskSource:
    """Tasks of a file, or of the environment's own generator when `path` is empty."""
    if env_id.startswith(VERIFIERS):
        return _from_verifiers().task_source(env_id, path, heldout_fraction, options)
    entry, where = _entry(env_id), f"{env_id}: data.options"
    if not path:
        return _build(entry.generated, where, options)
    if not entry.files:
        raise ValueError(f"{env_id} reads no task files; leave data.path={path!r} empty")
    return _build(entry.files, where, {**options, "path": path, "heldout_fraction": heldout_fraction})


def _from_verifiers() -> Any:
    return importlib.import_module("distrl.envs.interop.from_verifiers")


def _entry(env_id: str) -> Entry:
    if env_id in ENVIRONMENTS:
        return ENVIRONMENTS[env_id]
    close = difflib.get_close_matches(env_id, ENVIRONMENTS, n=1, cutoff=0.3)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(ENVIRONMENTS)}"
    raise ValueError(f"unknown environment {env_id!r}; {hint}")


def _build(target: str, where: str, arguments: dict[str, Any]) -> Any:
    """Call the named class with keyword arguments that it knows; an unknown one is a ValueError."""
    module, name = target.split(":")
    build: Callable[..., Any] = getattr(importlib.import_module(module), name)
    known = [n for n in inspect.signature(build).parameters if n != "self"]
    for option in arguments:
        if option not in known:
            close = difflib.get_close_matches(option, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            raise ValueError(f"{where}: unknown key {option!r}; {hint}")
    return build(**arguments)
