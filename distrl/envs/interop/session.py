"""What both shapes of verifiers look like from distrl: a source of rows, and a session for one of them.

tasks -> EnvWorker[N: VerifiersEnv.step -> (session) -> verifiers' hooks] <-> Engine[M] -> Buffer -> …
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from distrl.envs.contract import Message


@dataclass(frozen=True, kw_only=True)
class Action:
    """An assistant message for verifiers: `content` as verifiers' parsers expect it, and its calls apart."""

    content: str
    message: Message  # the same, parsed for the contract


@dataclass(frozen=True, kw_only=True)
class End:
    """How an episode ended and what it earned; `parts` sum up to `reward`."""

    reward: float
    parts: dict[str, float]
    metrics: dict[str, float]
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What verifiers added before the next assistant message; after the last one, `end` stands."""

    messages: list[Message]
    tools: list[dict[str, Any]] = field(default_factory=list)  # OpenAI schemas
    end: End | None = None


class Session(Protocol):
    """One episode; its coroutines run in verifiers' loop, one after the other."""

    async def open(self) -> Turn:
        """The opening messages and the tools."""

    async def answer(self, action: Action) -> Turn:
        """What follows an assistant message."""

    async def close(self) -> None:
        """End the episode wherever it stands; a second call changes nothing."""


class Source(Protocol):
    """A loaded verifiers environment."""

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """JSON rows by split. "heldout" is left out where the environment keeps no rows apart."""

    def session(self, row: dict[str, Any], max_turns: int) -> Session:
        """A session on one row."""


def after_assistant(messages: list[Message]) -> list[Message]:
    """The messages behind the last assistant message."""
    last = max((i for i, m in enumerate(messages) if m.role == "assistant"), default=-1)
    return messages[last + 1 :]
