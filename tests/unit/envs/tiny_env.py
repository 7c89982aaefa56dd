"""A tool environment of a few lines with one tool of each kind, and its endless task source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from distrl.envs.clinical_tools.rewards import metrics, reward_rules
from distrl.envs.contract import Message, Task, TaskSource
from distrl.envs.tool_env import Outcome, ToolEnv
from distrl.envs.toolkit import Arg, ToolError, ToolKind, Toolkit

KIT = Toolkit("tiny", max_output_chars=400)


class Risks(TypedDict):
    heart: bool
    renal: bool


@KIT.tool(ToolKind.READ)
def dose(
    drug: Literal["alpha", "beta"],
    weight_kg: Annotated[float, Arg(unit="kg", ge=1, le=300)],
    age: Annotated[int, Arg(unit="years", ge=0, le=120)],
    allergies: list[str],
    risks: Risks,
    meals: list[int] | None = None,
    variants: dict[Literal["2D6", "2C9"], Literal["poor", "rapid"]] | None = None,
    note: Annotated[str | None, Arg(max_length=100)] = None,
    loading: bool = False,
) -> str:
    """Say the dose of a drug in one line.

    Not part of the summary.

    Args:
        drug: the drug.
        weight_kg: actual body weight.
        age (int): age of the patient, which
            goes on in a second line.
    """
    if drug == "beta" and "beta" in allergies:
        raise ToolError("allergic to beta")
    return (
        f"{drug} {weight_kg:.1f} kg {age} y {sorted(allergies)} {risks} {meals} {variants} {note} {loading}"
    )


@KIT.tool(ToolKind.WRITE)
def order(item: str, db: Any) -> str:
    """Order an item; the database counts them."""
    db["orders"].append(item)
    if item == "broken":
        raise RuntimeError("the printer is on fire")
    return f"order {len(db['orders'])}: {item}"


@KIT.tool(ToolKind.READ)
def orders(db: Any) -> str:
    """List the orders."""
    return json.dumps(db["orders"])


@KIT.tool(ToolKind.GENERIC, max_output_chars=50)
def flood(count: int) -> str:
    """Say a lot."""
    return "x" * count


@KIT.tool(ToolKind.GENERIC, time_limit_s=0.05)
def hang(seconds_to_lose: int) -> str:
    """Never come back."""
    while seconds_to_lose:
        try:
            seconds_to_lose = abs(seconds_to_lose)
        except Exception:
            continue
    return "back"


GOLD = {
    "drug": "alpha",
    "weight_kg": 70.5,
    "age": 60,
    "allergies": ["sulfa", "penicillin"],
    "risks": {"heart": True, "renal": False},
    "meals": [40, 60],
    "variants": None,
    "note": "Suspected  MRSA",
    "loading": True,
}


def text_of(arguments: Any, name: str = "dose") -> str:
    """The action that calls `name` with `arguments`."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


class TinyTasks(TaskSource):
    """Task i asks for alpha at weight i."""

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        return [self.task(1 + (seed + i) % 200) for i in range(count)]

    def task(self, weight: int) -> Task:
        arguments = {**GOLD, "weight_kg": weight}
        return Task(
            id=f"tiny-{weight}",
            env="test/Tiny-v0",
            split="train",
            payload={
                "prompt": [
                    {"role": "system", "content": "Call a tool."},
                    {"role": "user", "content": f"alpha at {weight} kg?"},
                ],
                "ground_truth": json.dumps({"name": "dose", "arguments": arguments}),
                "answer": dose(**arguments),  # type: ignore[arg-type]
            },
        )


class TinyEnv(ToolEnv):
    """The environment of TinyTasks."""

    env_id = "test/Tiny-v0"
    toolkit = KIT
    reward_rules = reward_rules(KIT)

    def __init__(self, *, reward: str = "graded", **options: Any) -> None:
        super().__init__(reward=reward, **options)

    def prompt(self, task: Task) -> list[Message]:
        return [Message(**m) for m in task.payload["prompt"]]

    def default_source(self) -> TaskSource:
        return TinyTasks()

    def initial_db(self, task: Task) -> Any:
        return {"orders": []}

    def gold_actions(self, task: Task) -> list[str]:
        call = json.loads(task.payload["ground_truth"])
        texts = [text_of(call["arguments"], call["name"])]
        return texts if self.single_call else [*texts, "That is the dose."]

    def measure(self, task: Task, outcome: Outcome) -> dict[str, float]:
        return metrics(KIT, task, outcome)
