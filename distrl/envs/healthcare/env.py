"""The healthcare gym: a ticket about synthetic patients, tools over their records, a reward in five parts.

tasks -> EnvWorker[N: [HealthcareEnv]] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

One class serves every domain: a task's payload (tasks/schema.py) names its domain, the domain names tools and
policy. Synthetic, not for care.
"""

from __future__ import annotations

import json
import random
from typing import Any, ClassVar

from distrl.envs.contract import Message, Task, TaskSource
from distrl.envs.healthcare.cheats import cheats
from distrl.envs.healthcare.domains import DOMAINS, Domain
from distrl.envs.healthcare.knowledge import backend as knowledge_in_use
from distrl.envs.healthcare.knowledge import use as use_knowledge
from distrl.envs.healthcare.reward.rules import REWARD_RULES
from distrl.envs.healthcare.tasks.schema import GoldTurn, Payload
from distrl.envs.healthcare.tasks.sources import HealthcareTasks
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.tool_env import Outcome, ToolEnv
from distrl.envs.toolkit import Toolkit

DEFAULT_MAX_TURNS = 20  # as in arXiv 2605.02943


class HealthcareEnv(ToolEnv):
    """Any domain of the gym; a task's payload is `tasks.schema.Payload`."""

    env_id = "distrl/HealthcareGym-v0"
    domains: ClassVar[tuple[str, ...]] = tuple(DOMAINS)
    toolkit = Toolkit("healthcare")  # what an episode may call is its domain's: see `offered`
    reward_rules = REWARD_RULES
    terminal = frozenset[str]().union(*(d.terminal for d in DOMAINS.values()))

    def __init__(
        self,
        *,
        reward: str = "five",
        other_tools: int | None = None,
        knowledge: str = "",
        max_turns: int | None = None,
        source: TaskSource | None = None,
        split: str = "train",
        render_mode: str | None = None,
    ) -> None:
        """As ToolEnv, and:

        Args:
            reward: a key of `reward.rules.REWARD_RULES`.
            other_tools: how many tools stand beside those that the task's gold play uses, drawn by the task's
                id, for small contexts; None offers the whole toolkit of the domain.
            knowledge: folder of a knowledge base (`distrl knowledge build`) that the search tools of this
                process use from now on; empty: the one in use, at first the project's own.
        """
        if other_tools is not None and (type(other_tools) is not int or other_tools < 0):
            raise ValueError(
                f"{self.env_id}: other_tools={other_tools!r} must be a whole number >= 0, or null for all"
            )
        if not isinstance(knowledge, str):
            raise ValueError(f"{self.env_id}: knowledge={knowledge!r} must name the folder of a built base")
        self.other_tools = other_tools
        if knowledge:
            use_knowledge(knowledge)
        else:
            knowledge_in_use()  # built now, so that no tool's time limit has to pay for it
        super().__init__(
            reward=reward,
            max_turns=DEFAULT_MAX_TURNS if max_turns is None else max_turns,
            source=source,
            split=split,
            render_mode=render_mode,
        )

    def domain_of(self, task: Task) -> Domain:
        """ValueError when the task's domain is not one of this environment's."""
        name = task.payload.get("domain")
        if name not in self.domains:
            raise ValueError(
                f"{self.env_id}: task {task.id} is of domain {name!r}; known: {', '.join(self.domains)}"
            )
        return DOMAINS[name]

    def prompt(self, task: Task) -> list[Message]:
        return [
            Message(role="system", content=self.domain_of(task).policy),
            Message(role="user", content=task.payload["ticket"]),
        ]

    def offered(self, task: Task) -> Toolkit:
        """The domain's tools; with `other_tools` the needed ones and so many others, in the kit's order."""
        kit = self.domain_of(task).toolkit
        if self.other_tools is None:
            return kit
        needed = {call["name"] for turn in task.payload["gold"] for call in turn["calls"]}
        needed |= self.terminal & {tool.name for tool in kit}
        others = [tool.name for tool in kit if tool.name not in needed]
        drawn = random.Random(task.id).sample(others, min(self.other_tools, len(others)))
        return kit.only(tool.name for tool in kit if tool.name in needed or tool.name in drawn)

    def initial_db(self, task: Task) -> Any:
        return database_of(task.payload["world"])

    def default_source(self) -> TaskSource:
        return HealthcareTasks(domains=",".join(self.domains))

    def gold_actions(self, task: Task) -> list[str]:
        return [gold_text(turn) for turn in task.payload["gold"]]

    def cheats(self, task: Task) -> dict[str, list[str]]:
        return {name: [gold_text(turn) for turn in turns] for name, turns in cheats(task).items()}

    def measure(self, task: Task, outcome: Outcome) -> dict[str, float]:
        """Tool errors; share of distinct tools; whether the expected calls were all made by name."""
        payload: Payload = task.payload  # type: ignore[assignment]
        called = {e.name for e in outcome.events if e.ok}
        expected = {call["name"] for call in payload["expected"]}
        return {
            **super().measure(task, outcome),
            "distinct_tools": float(len(called)),
            "expected_tools_called": len(called & expected) / max(1, len(expected)),
            "turns": float(len(outcome.actions)),
        }


def gold_text(turn: GoldTurn) -> str:
    """A gold turn as the assistant would write it: the text, then its calls in tags."""
    calls = [json.dumps(call, separators=(",", ":"), ensure_ascii=False) for call in turn["calls"]]
    blocks = [f"<tool_call>\n{body}\n</tool_call>" for body in calls]
    return "\n".join(part for part in (turn["text"], *blocks) if part)


class ClinicalDiagnosisEnv(HealthcareEnv):
    """From a ticket to a work-up, a recorded diagnosis and a safe plan."""

    env_id = "distrl/ClinicalDiagnosis-v0"
    domains = ("clinical_diagnosis",)


class DrugInteractionEnv(HealthcareEnv):
    """Whether drugs go together in this patient, and what to do when they do not."""

    env_id = "distrl/DrugInteraction-v0"
    domains = ("drug_interaction",)


class MedicalQAEnv(HealthcareEnv):
    """A question, a knowledge base, one answer."""

    env_id = "distrl/MedicalQA-v0"
    domains = ("medical_qa",)
