"""distrl/ClinicalTools-v0: one clinical question, one tool call, one deterministic line back.

tasks -> EnvWorker[N: [ClinicalToolsEnv]] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Patients and answers are synthetic; nothing here is for care.
"""

from __future__ import annotations

import json

from distrl.envs.clinical_tools.rewards import metrics, reward_rules
from distrl.envs.clinical_tools.tasks import SYSTEM_PROMPTS, GeneratedTasks
from distrl.envs.clinical_tools.tools import TOOLS
from distrl.envs.contract import Message, Task, TaskSource
from distrl.envs.tool_env import Outcome, ToolEnv


class ClinicalToolsEnv(ToolEnv):
    """A task's payload: {"prompt": chat messages, "answer": gold output, "ground_truth": JSON call}."""

    env_id = "distrl/ClinicalTools-v0"
    toolkit = TOOLS
    reward_rules = reward_rules(TOOLS)

    def __init__(
        self,
        *,
        reward: str = "graded",
        system_prompt: str = "task",
        single_call: bool = True,
        max_turns: int | None = None,
        source: TaskSource | None = None,
        split: str = "train",
        render_mode: str | None = None,
    ) -> None:
        """As ToolEnv, and:

        Args:
            reward: "graded" (partial credit by fields) or "card" (three tiers).
            system_prompt: "task" keeps the task's own system message; "card" (about 80 words) or "short"
                (about 40) replaces it. All of them state the defaults.
        """
        super().__init__(
            reward=reward,
            single_call=single_call,
            max_turns=max_turns,
            source=source,
            split=split,
            render_mode=render_mode,
        )
        if system_prompt not in ("task", *SYSTEM_PROMPTS):
            known = ", ".join(("task", *SYSTEM_PROMPTS))
            raise ValueError(f"{self.env_id}: unknown system_prompt {system_prompt!r}; one of {known}")
        self.system_prompt = system_prompt

    def prompt(self, task: Task) -> list[Message]:
        messages = [Message(role=m["role"], content=m["content"]) for m in task.payload["prompt"]]
        if self.system_prompt == "task":
            return messages
        system = Message(role="system", content=SYSTEM_PROMPTS[self.system_prompt])
        return [system, *(m for m in messages if m.role != "system")]

    def default_source(self) -> TaskSource:
        return GeneratedTasks()

    def gold_actions(self, task: Task) -> list[str]:
        """The gold call in compact JSON, its arguments in the order of the tool's signature."""
        gold = json.loads(task.payload["ground_truth"])
        given = gold["arguments"]
        ordered = {n: given[n] for n in self.toolkit[gold["name"]].parameters if n in given}
        call = {"name": gold["name"], "arguments": {**ordered, **given}}
        body = json.dumps(call, separators=(",", ":"), ensure_ascii=False)
        return [f"<tool_call>\n{body}\n</tool_call>"]

    def measure(self, task: Task, outcome: Outcome) -> dict[str, float]:
        return metrics(self.toolkit, task, outcome)
