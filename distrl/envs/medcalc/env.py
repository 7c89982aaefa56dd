"""distrl/MedCalc-v0: a patient note and a question; the answer is a value with its unit in a box.

tasks -> EnvWorker[N: [MedCalcEnv]] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Two modes. `answer`: one turn, `<think>…</think>\\boxed{…}`. `tools`: many turns with calculators, arithmetic
and unit conversion; the turn without a call is the answer. Notes are synthetic or public; not for care.
"""

from __future__ import annotations

import json
import random

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.contract import Message, Task, TaskSource
from distrl.envs.medcalc.generator.generate import GeneratedTasks
from distrl.envs.medcalc.grading.answer import value_text
from distrl.envs.medcalc.grading.rewards import REWARD_RULES, measure
from distrl.envs.medcalc.task import truth_of
from distrl.envs.medcalc.tools import TOOLS
from distrl.envs.tool_env import Outcome, ToolEnv
from distrl.envs.toolkit import Toolkit

MODES = ("answer", "tools")
SYSTEM = {
    "answer": (
        "You are a clinical calculator. Work out the asked value from the note, step by step, inside "
        "<think></think>. Then give the value with its unit in \\boxed{}."
    ),
    "tools": (
        "You are a clinical calculator. Take the inputs from the note, convert units where needed, and use "
        "the tools. Then give the value with its unit in \\boxed{}, without a tool call."
    ),
}
NO_TOOLS = TOOLS.only(())


class MedCalcEnv(ToolEnv):
    """A task's payload: see `task.py`."""

    env_id = "distrl/MedCalc-v0"
    toolkit = TOOLS
    reward_rules = REWARD_RULES

    def __init__(
        self,
        *,
        reward: str = "card",
        mode: str = "answer",
        other_calculators: int = 3,
        max_turns: int | None = None,
        source: TaskSource | None = None,
        split: str = "train",
        render_mode: str | None = None,
    ) -> None:
        """As ToolEnv, and:

        Args:
            reward: "card" (four parts with bands) or "strict" (the benchmark's own rule).
            mode: "answer" or "tools".
            other_calculators: in tools mode, how many calculators stand beside the needed one; 54 offers all.
        """
        if mode not in MODES:
            raise ValueError(f"{self.env_id}: unknown mode {mode!r}; one of {', '.join(MODES)}")
        if not 0 <= other_calculators < len(CALCULATORS):
            raise ValueError(
                f"{self.env_id}: other_calculators={other_calculators} must be 0 to {len(CALCULATORS) - 1}"
            )
        self.mode = mode
        self.other_calculators = other_calculators
        super().__init__(
            reward=reward,
            single_call=mode == "answer",
            max_turns=max_turns,
            source=source,
            split=split,
            render_mode=render_mode,
        )

    def prompt(self, task: Task) -> list[Message]:
        text = f"{task.payload['note'].strip()}\n\n{task.payload['question'].strip()}"
        return [Message(role="system", content=SYSTEM[self.mode]), Message(role="user", content=text)]

    def offered(self, task: Task) -> Toolkit:
        """In tools mode arithmetic, conversion, the needed calculator, and others drawn by the task's id."""
        if self.mode == "answer":
            return NO_TOOLS
        needed = task.payload["calculator_id"]
        others = sorted(i for i in CALCULATORS if i != needed)
        drawn = random.Random(task.id).sample(others, self.other_calculators)
        names = [CALCULATORS[i].name for i in sorted((needed, *drawn))]
        return TOOLS.only(("calculate", "convert_units", *names))

    def default_source(self) -> TaskSource:
        return GeneratedTasks()

    def gold_actions(self, task: Task) -> list[str]:
        """Working and boxed value; in tools mode the call first, where the arguments are known."""
        payload = task.payload
        truth = truth_of(payload)
        boxed = f"\\boxed{{{value_text(truth.value, truth.output, truth.unit)}}}"
        if self.mode == "answer" or not payload["arguments"]:
            working = "\n".join(payload["explanation"])
            return [f"<think>\n{working}\n</think>\n{boxed}"]
        call = {"name": CALCULATORS[payload["calculator_id"]].name, "arguments": payload["arguments"]}
        body = json.dumps(call, separators=(",", ":"), ensure_ascii=False)
        return [f"<tool_call>\n{body}\n</tool_call>", boxed]

    def measure(self, task: Task, outcome: Outcome) -> dict[str, float]:
        return {**super().measure(task, outcome), **measure(task, outcome)}
