"""How many episodes of the healthcare gym does one core grade in a second?

EnvWorker[N: Outcome -> [grade] -> reward parts] : `python -m benchmarks.healthcare_reward [--seconds 5]`

Gold episodes of the three domains, the same cut to their last turn, and the same with an answer padded to the
length of an action, in equal parts; safety included. CPU seconds of this process, so that a busy machine
changes little. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time

from distrl.envs.contract import Task
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.env import gold_text
from distrl.envs.healthcare.reward.rules import REWARD_RULES
from distrl.envs.healthcare.reward.trl import outcome_of
from distrl.envs.healthcare.tasks.generate import GeneratedTasks
from distrl.envs.tool_env import Outcome

GOAL_PER_S = 25.0  # a step of 512 rollouts is graded by one core in 20 s, beside minutes of generation
TASKS = 12  # of each domain
KINDS = ("gold", "last", "long")
LONG_CHARS = 8000
PADDING = "Let me go through the record again before I decide, since each value there may still matter. "


def main() -> None:
    """Run, print what was measured for people, then the JSON line; exit code 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds to grade for")
    result = measure(parser.parse_args().seconds)
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


def measure(seconds: float) -> dict[str, object]:
    """Grade round after round until the CPU time is spent; the first round only warms caches."""
    rule = REWARD_RULES["five"]
    cases = [
        (kind, task, outcome)
        for domain in DOMAINS
        for task in GeneratedTasks(domain=domain).tasks("train", TASKS, seed=0)
        for kind, outcome in outcomes(task).items()
    ]
    rewards = {
        kind: statistics.mean(rule.grade(t, o).reward for k, t, o in cases if k == kind) for kind in KINDS
    }
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    spent = 0.0
    while spent < seconds:
        for kind, task, outcome in cases:
            start = time.process_time()
            rule.grade(task, outcome)
            took = time.process_time() - start
            times[kind].append(took)
            spent += took
    count = sum(map(len, times.values()))
    for kind, took_all in times.items():
        print(
            f"{kind:<8}{1e3 * statistics.median(took_all):8.2f} ms a grade (median of {len(took_all)}), "
            f"mean reward {rewards[kind]:.3f}"
        )
    rate = count / spent
    print(f"{rate:8.0f} grades a second on one core (goal: at least {GOAL_PER_S:.0f})")
    return {
        "name": "healthcare_reward",
        "value": round(rate, 1),
        "goal": f">= {GOAL_PER_S:.0f} grades/s on one core",
        "holds": rate >= GOAL_PER_S,
        "conditions": {
            "rule": "five",
            "grades": count,
            "tasks": len(cases) // len(KINDS),
            "median_ms": {kind: round(1e3 * statistics.median(t), 3) for kind, t in times.items()},
            "mean_reward": {kind: round(reward, 4) for kind, reward in rewards.items()},
            "clock": "CPU time",
            "cores": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


def outcomes(task: Task) -> dict[str, Outcome]:
    """What a gold play leaves behind, its last turn alone, and one that says much before its last turn."""
    gold = [gold_text(turn) for turn in task.payload["gold"]]
    talk = PADDING * (LONG_CHARS // len(PADDING))
    plays = {"gold": gold, "last": gold[-1:], "long": [*gold[:-1], f"{talk}\n{gold[-1]}"]}
    return {kind: outcome_of(task.payload, texts) for kind, texts in plays.items()}


if __name__ == "__main__":
    main()
