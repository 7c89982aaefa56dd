"""Two legacy verifiers environments over small sums: one turn, and one with a tool."""

from __future__ import annotations

import json
from typing import Any

import verifiers as vf

from distrl.envs.interop.legacy_env import data_set


def add(a: int, b: int) -> str:
    """Sum of two numbers.

    Args:
        a: the first.
        b: the second.
    """
    return str(a + b)


def exact(completion: Any, answer: str) -> float:
    return float((completion[-1].content or "").strip() == answer)


def group_mean(completions: Any) -> list[float]:
    return [0.0 for _ in completions]


def row(number: int, *, tool: bool) -> dict[str, Any]:
    answer = str(number + 1)
    call = json.dumps({"name": "add", "arguments": {"a": number, "b": 1}})
    gold = [f"<tool_call>{call}</tool_call>", answer] if tool else [answer]
    prompt = [{"role": "user", "content": f"What is {number} + 1?"}]
    return {"prompt": prompt, "answer": answer, "info": json.dumps({"gold_actions": gold})}


def load_environment(kind: str = "single", rows: int = 12, heldout: int = 4) -> Any:
    """`kind`: "single", "tool" or "group"."""
    data = data_set([row(i, tool=kind == "tool") for i in range(rows)])
    evaluation = data_set([row(i, tool=kind == "tool") for i in range(rows - 1, rows - 1 + heldout)])
    rubric = vf.Rubric(funcs=[group_mean if kind == "group" else exact])
    common = {"dataset": data, "eval_dataset": evaluation, "rubric": rubric}
    if kind == "tool":
        return vf.ToolEnv(tools=[add], max_turns=5, **common)
    return vf.SingleTurnEnv(**common)
