"""How many environment steps with tool calls does one core take in a second, beside the same in verifiers?

EnvWorker[N: text -> [HealthcareEnv.step] -> observation, reward] : `python -m benchmarks.env_steps`

Gold episodes of distrl/ClinicalDiagnosis-v0, reward included, then the same tasks, texts, tool functions and
reward written natively for verifiers 0.4 (env_steps_verifiers.py): `served`, with its Toolset, is what the
goal is measured against; `inline`, without its tools, is reported beside it. A step is an assistant turn. All
processes are pinned to one core, the tool server included, and their CPU seconds are counted, so that waiting
costs nobody; the sides alternate and the median ratio counts. At the end, memory of live episodes of ours.

Left out: verifiers' shipped chat harness, which starts a program for each rollout and is slower than both.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import json
import os
import platform
import statistics
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from importlib import metadata
from pathlib import Path

import psutil

from distrl.envs.contract import Task
from distrl.envs.healthcare.env import ClinicalDiagnosisEnv, gold_text
from distrl.envs.healthcare.tasks.generate import GeneratedTasks

GOAL_RATIO = 3.0
TASKS = 12
LIVE = 200  # episodes held at once for the memory figure
ROUNDS = {"ours": 4, "served": 1, "inline": 4}  # plays of all tasks in one measurement: each lasts seconds
NOT_INSTALLED = 2
TOLERANCE = 1e-9  # of a reward: both sides must have played the same
INSTALL = (
    "verifiers 0.4 is not installed, so there is nothing to compare with. In an installation of its own "
    "(docs/verifiers.md says why): pip install -e '.[verifiers]'"
)

Played = tuple[int, int, dict[str, float]]  # turns, tool calls, reward by task
Sides = dict[str, Callable[[], Awaitable[Played]]]
Rates = dict[str, list[float]]


def main() -> None:
    """Run, print what was measured, then the JSON line; exit code 1: goal missed, 2: no verifiers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5, help="measurements of each side")
    parser.add_argument("--tasks", type=int, default=TASKS, help="episodes played in each")
    args = parser.parse_args()
    if importlib.util.find_spec("verifiers") is None or not metadata.version("verifiers").startswith("0.4"):
        print(INSTALL)
        raise SystemExit(NOT_INSTALLED)
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # the tool server inherits it
    root = str(Path(__file__).resolve().parent.parent)  # it imports this package from another folder
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH")) if p)
    result = asyncio.run(measure(args.pairs, args.tasks))
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


async def measure(pairs: int, count: int) -> dict[str, object]:
    """Warm each side with one play, compare what it played, then alternate."""
    from benchmarks.env_steps_verifiers import AT_ONCE, Baseline

    tasks = GeneratedTasks(domain="clinical_diagnosis").tasks("train", count, seed=0)
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(Baseline("served", tasks))
        inline = await stack.enter_async_context(Baseline("inline", tasks))

        async def ours() -> Played:
            return play(tasks)

        sides: Sides = {"ours": ours, "served": served.play, "inline": inline.play}
        played = {name: await side() for name, side in sides.items()}
        check_same(played)
        rates = await alternate(sides, pairs, played["ours"][0])
    ratios = {
        name: [a / b for a, b in zip(rates["ours"], rates[name], strict=True)]
        for name in ("served", "inline")
    }
    ratio = statistics.median(ratios["served"])
    kilobytes = memory_of_live(tasks)
    for name, values in rates.items():
        print(f"{name:<8}{statistics.median(values):8.1f} steps a second of one core (median of {pairs})")
    for name, values in ratios.items():
        print(f"ours / {name:<8}{statistics.median(values):6.2f} ({min(values):.2f} to {max(values):.2f})")
    print(f"{kilobytes:8.0f} KB for each of {LIVE} live episodes of ours")
    turns, calls, rewards = played["ours"]
    return {
        "name": "env_steps",
        "value": round(ratio, 2),
        "goal": f">= {GOAL_RATIO:g} times the steps/s of verifiers on one core",
        "holds": ratio >= GOAL_RATIO,
        "conditions": {
            "env": ClinicalDiagnosisEnv.env_id,
            "verifiers": metadata.version("verifiers"),
            "tasks": len(tasks),
            "turns": turns,
            "tool_calls": calls,
            "mean_reward": round(statistics.mean(rewards.values()), 4),
            "steps_per_s": {name: round(statistics.median(v), 1) for name, v in rates.items()},
            "ratios": {name: [round(v, 2) for v in values] for name, values in ratios.items()},
            "ratio_inline": round(statistics.median(ratios["inline"]), 2),
            "rollouts_at_once": AT_ONCE,
            "kb_per_live_episode": round(kilobytes, 1),
            "live_episodes": LIVE,
            "clock": "CPU time of all processes, pinned to one core",
            "cores": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


async def alternate(sides: Sides, pairs: int, turns: int) -> Rates:
    """Steps a CPU second of each side, every other pair in reverse order."""
    rates: Rates = {name: [] for name in sides}
    for pair in range(pairs):
        for name in list(sides)[:: -1 if pair % 2 else 1]:
            gc.collect()
            start = cpu_seconds()
            for _ in range(ROUNDS[name]):
                await sides[name]()
            rates[name].append(turns * ROUNDS[name] / (cpu_seconds() - start))
    return rates


def cpu_seconds() -> float:
    """User and system time of this process, and of the processes it started, ended ones included."""
    mine = os.times()
    children = psutil.Process().children(recursive=True)
    theirs = sum(t.user + t.system for t in (child.cpu_times() for child in children))
    return time.process_time() + mine.children_user + mine.children_system + theirs


def check_same(played: dict[str, Played]) -> None:
    """ValueError unless every side made the same turns and calls, and earned the same in each task."""
    turns, calls, rewards = played["ours"]
    for name, (their_turns, their_calls, their_rewards) in played.items():
        if (turns, calls) != (their_turns, their_calls):
            raise ValueError(f"{name} played {their_turns} turns, {their_calls} calls; ours {turns}, {calls}")
        for task, reward in rewards.items():
            if abs(reward - their_rewards[task]) > TOLERANCE:
                raise ValueError(f"{name}: task {task} earned {their_rewards[task]}, ours {reward}")


def play(tasks: Sequence[Task]) -> Played:
    """Each task's gold episode to its end, in an environment of its own."""
    turns = calls = 0
    rewards: dict[str, float] = {}
    for task in tasks:
        env = ClinicalDiagnosisEnv()
        env.reset(seed=0, options={"task": task})
        for gold in task.payload["gold"]:
            _, reward, terminated, _, info = env.step(gold_text(gold))
            turns += 1
            calls += len(info["tool_events"])
        if not terminated:
            raise ValueError(f"task {task.id}: its gold play does not end the episode")
        rewards[task.id] = reward
    return turns, calls, rewards


def memory_of_live(tasks: Sequence[Task]) -> float:
    """KB of Python memory of an episode before its last turn, a mean over LIVE; tasks are not counted."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    live = []
    for i in range(LIVE):
        task = tasks[i % len(tasks)]
        env = ClinicalDiagnosisEnv()
        env.reset(seed=0, options={"task": task})
        for gold in task.payload["gold"][:-1]:
            env.step(gold_text(gold))
        live.append(env)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return held / len(live) / 1024


if __name__ == "__main__":
    main()
