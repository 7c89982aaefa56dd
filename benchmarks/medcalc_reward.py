"""How many MedCalc answers does one core grade in a second?

EnvWorker[N: answer -> [grade] -> reward parts] : `python -m benchmarks.medcalc_reward [--seconds 5]`

Gold working of all 55 calculators, the same with a wrong value, and working padded to the length of an
action, in equal parts; CPU seconds of this process, so that a busy machine changes little. The last line is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time

from distrl.envs.medcalc.generator.generate import GeneratedTasks
from distrl.envs.medcalc.grading.answer import value_text
from distrl.envs.medcalc.grading.rewards import grade_text
from distrl.envs.medcalc.task import truth_of

GOAL_PER_S = 200.0  # a step of 512 rollouts is graded by one core in 2.6 s, beside minutes of generation
TASKS = 220
LONG_CHARS = 8000
PADDING = "Let me check the note again for the values that the formula needs. "


def main() -> None:
    """Run, print what was measured for people, then the JSON line; exit code 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds to grade for")
    result = measure(parser.parse_args().seconds)
    print(json.dumps(result))
    raise SystemExit(0 if result["holds"] else 1)


def measure(seconds: float) -> dict[str, object]:
    """Grade round after round until the CPU time is spent; the first round only warms caches."""
    cases = [
        (kind, text, task.payload)
        for task in GeneratedTasks().tasks("train", TASKS, seed=0)
        for kind, text in texts(task.payload).items()
    ]
    for _, text, payload in cases:
        grade_text(text, payload, "card")
    times: dict[str, list[float]] = {kind: [] for kind, _, _ in cases}
    spent = 0.0
    while spent < seconds:
        for kind, text, payload in cases:
            start = time.process_time()
            grade_text(text, payload, "card")
            took = time.process_time() - start
            times[kind].append(took)
            spent += took
    count = sum(map(len, times.values()))
    for kind, took in times.items():
        print(f"{kind:<8}{1e3 * statistics.median(took):8.3f} ms a grade (median of {len(took)})")
    rate = count / spent
    print(f"{rate:8.0f} grades a second on one core (goal: at least {GOAL_PER_S:.0f})")
    return {
        "name": "medcalc_reward",
        "value": round(rate, 1),
        "goal": f">= {GOAL_PER_S:.0f} grades/s on one core",
        "holds": rate >= GOAL_PER_S,
        "conditions": {
            "rule": "card",
            "grades": count,
            "tasks": len(cases) // len(times),
            "median_ms": {kind: round(1e3 * statistics.median(took), 4) for kind, took in times.items()},
            "clock": "CPU time",
            "cores": os.cpu_count(),
            "machine": platform.machine(),
        },
    }


def texts(payload: dict[str, object]) -> dict[str, str]:
    """A gold text, one with another value, and one as long as actions become."""
    truth = truth_of(payload)
    working = "\n".join(truth_lines(payload))
    answer = value_text(truth.value, truth.output, truth.unit)
    padding = PADDING * ((LONG_CHARS - len(working)) // len(PADDING))
    return {
        "gold": f"<think>\n{working}\n</think>\n\\boxed{{{answer}}}",
        "wrong": f"<think>\n{working}\n</think>\n\\boxed{{12345}}",
        "long": f"<think>\n{padding}\n{working}\n</think>\n\\boxed{{{answer}}}",
    }


def truth_lines(payload: dict[str, object]) -> list[str]:
    lines = payload["explanation"]
    assert isinstance(lines, list)
    return lines


if __name__ == "__main__":
    main()
