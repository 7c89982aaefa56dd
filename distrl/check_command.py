"""`distrl check-env`: the contract of one environment or of all, and what plays that are not the work earn.

cli -> [check_command] -> environments
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium

from distrl.envs.checker import check_env, earnings
from distrl.envs.registry import ENVIRONMENTS, task_source

Say = Callable[[str], None]
SPLITS = ("train", "heldout")


def check(env_ids: Sequence[str], tasks: int, say: Say) -> int:
    """Check each environment on `tasks` tasks of each split; returns the number of findings."""
    found = 0
    for env_id in env_ids:
        findings = check_env(env_id, tasks)
        for finding in findings:
            say(str(finding))
        say(f"{env_id}: {f'{len(findings)} findings' if findings else 'ok'}")
        found += len(findings)
        for line in table(earned_by_play(env_id, tasks)):
            say(line)
    return found


def known_ids(env_id: str, every: bool) -> list[str]:
    """The ids to check; ValueError when neither or both were asked for."""
    if bool(env_id) == every:
        raise ValueError("name one environment, such as distrl/ClinicalTools-v0, or give --all")
    return list(ENVIRONMENTS) if every else [env_id]


def earned_by_play(env_id: str, tasks: int) -> dict[str, list[tuple[float, float]]]:
    """(reward, reward of the gold play of the same task) by play; {} where an environment knows no cheats."""
    env: Any = gymnasium.make(env_id, disable_env_checker=True).unwrapped
    source = task_source(env_id, "", 0.0, {})
    out: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for split in SPLITS:
        for task in source.tasks(split, tasks, 1):
            if not env.cheats(task):
                return {}
            earned = earnings(env, task)
            for name, reward in earned.items():
                out[name].append((reward, earned["gold"]))
    return dict(out)


def table(earned: Mapping[str, Sequence[tuple[float, float]]]) -> list[str]:
    """Lines for people: for each play its mean, least and highest reward, and how often gold is ahead."""
    if not earned:
        return []
    lines = [f"  {'play':18} {'tasks':>5} {'mean':>6} {'least':>6} {'most':>6} {'below gold':>10}"]
    for name, pairs in earned.items():
        rewards = [reward for reward, _ in pairs]
        below = "" if name == "gold" else f"{sum(r < gold for r, gold in pairs)}/{len(pairs)}"
        numbers = " ".join(f"{f(rewards):6.3f}" for f in (statistics.fmean, min, max))
        lines.append(f"  {name:18} {len(pairs):5d} {numbers} {below:>10}")
    return lines
