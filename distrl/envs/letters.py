"""The smallest complete environment: answer in lower-case letters. A self-test of the whole loop.

A random model answers with a lower-case letter about as often as letters are in its vocabulary; the
reward says how much of the answer is lower case, so a loop that works learns this within minutes and a
loop whose weights never reach the engines cannot. It is also the example to copy for a new environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from distrl.envs.contract import Message, Task, TextEnv

ENV_ID = "distrl/Letters-v0"


class LettersTasks:
    """Prompts that differ only in a number; the splits use disjoint numbers."""

    def tasks(self, split: str, count: int, seed: int) -> Sequence[Task]:
        first = {"train": 0, "heldout": 500_000}[split]
        numbers = (
            np.random.default_rng((seed, first)).choice(500_000, size=count or 64, replace=False) + first
        )
        return [
            Task(id=f"letters-{n}", env=ENV_ID, split=split, payload={"prompt": f"{n}:"}) for n in numbers
        ]


class LettersEnv(TextEnv):
    """One turn; reward = share of lower-case ASCII letters among the characters of the answer."""

    def __init__(self, reward: str = "share") -> None:
        if reward != "share":
            raise ValueError(f"{ENV_ID} knows the reward 'share', not {reward!r}")
        self._source = LettersTasks()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        task = (options or {}).get("task") or self._source.tasks("train", 1, seed or 0)[0]
        prompt = task.payload["prompt"]
        return prompt, {
            "task_id": task.id,
            "messages": [Message(role="user", content=prompt)],
            "tools": [],
        }

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        share = sum("a" <= c <= "z" for c in action) / len(action) if action else 0.0
        info = {
            "messages": [],
            "assistant": Message(role="assistant", content=action),
            "tool_events": [],
            "reward_parts": {"share": share},
            "metrics": {"all_lower": float(share == 1.0)},
        }
        return "", share, True, False, info

    def gold_actions(self, task: Task) -> list[str]:
        return ["abc"]
