"""A finished episode as reward and safety read it: what was asked, said, called, and how the database moved.

EnvWorker[N: ToolEnv -> [Episode] -> safety, reward] <-> Engine[M] -> Buffer -> Learner -> …
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from distrl.envs.healthcare.tasks.schema import Payload
from distrl.envs.healthcare.world.records import Database


@dataclass(frozen=True, kw_only=True)
class Call:
    """One tool call that was tried; `arguments` is {} where they were not an object of JSON."""

    turn: int
    name: str
    arguments: dict[str, Any]
    ok: bool
    output: str
    kind: str

    @property
    def result(self) -> Any:
        """The output as JSON, or None where it is not (an error, a cut output)."""
        try:
            return json.loads(self.output)
        except ValueError:
            return None


@dataclass(frozen=True)
class Episode:
    """All that a grader may look at.

    `said` is the agent's own visible words, message after message, and the texts that it submitted; nothing
    a tool printed. `thought` is its text inside think tags. `answer` is what it submitted, or the last
    message without a call; None where the episode ended otherwise. `submitted` holds the terminal call's
    arguments. `before` and `after` are read, not changed.
    """

    task: Payload
    calls: tuple[Call, ...]
    said: str
    thought: str
    answer: str | None
    submitted: dict[str, Any]
    before: Database
    after: Database
    turns: int

    @cached_property
    def succeeded(self) -> tuple[Call, ...]:
        """The calls that ran without an error, in order."""
        return tuple(c for c in self.calls if c.ok)

    def calls_of(self, name: str) -> Iterator[Call]:
        """Successful calls of one tool."""
        return (c for c in self.succeeded if c.name == name)
