"""Which engine serves a conversation: sticky, least-loaded at first, current version only. Pure.

tasks -> EnvWorker[N: episodes -> [router]] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Stickiness keeps a conversation where its prefix is cached. An engine behind the newest announced version is
not admitted, so a healed or not yet refreshed engine serves nobody; its conversations move, which costs
nothing more, as a refresh clears the prefix cache anyway.
"""

from __future__ import annotations

from collections.abc import Iterable


class NoEngineError(RuntimeError):
    """No engine was admissible in time; the message names engines and versions."""


class Router:
    """Keeps loads, homes and versions of a pool of engines."""

    def __init__(self, engine_ids: Iterable[str]) -> None:
        self._load = dict.fromkeys(engine_ids, 0)
        self._versions: dict[str, int] = {}
        self._home: dict[str, str] = {}
        self._lost: set[str] = set()  # engines that died since the last announcement
        self.moves = 0  # conversations that changed their engine

    def set_versions(self, versions: dict[str, int]) -> None:
        """Announces what each engine serves; an engine that is left out is not admitted."""
        unknown = sorted(set(versions) - set(self._load))
        if unknown:
            raise ValueError(f"versions name unknown engines {unknown}; known: {sorted(self._load)}")
        self._versions = dict(versions)
        self._lost.clear()

    def lose(self, engine_id: str) -> None:
        """The engine is dead: a fast failure must not look like a light load. Until it is announced again."""
        self._lost.add(engine_id)

    @property
    def all_lost(self) -> bool:
        """True when every announced engine died: waiting for one is in vain."""
        return bool(self._versions) and self._lost.issuperset(self._versions)

    @property
    def version(self) -> int:
        """The newest announced version; -1 before any."""
        return max(self._versions.values(), default=-1)

    def admissible(self) -> list[str]:
        """Living engines at the newest announced version."""
        current = self.version
        return [e for e in self._load if self._versions.get(e, -1) == current >= 0 and e not in self._lost]

    def acquire(self, conversation_id: str) -> str | None:
        """The engine for the conversation's next request, its load raised by one; None when there is none."""
        open_ids = self.admissible()
        if not open_ids:
            return None
        home = self._home.get(conversation_id)
        if home not in open_ids:
            self.moves += home is not None
            home = min(open_ids, key=lambda e: self._load[e])
            self._home[conversation_id] = home
        self._load[home] += 1
        return home

    def release(self, engine_id: str) -> None:
        """One request of the engine has ended."""
        assert self._load[engine_id] > 0, f"{engine_id} was released more often than acquired"
        self._load[engine_id] -= 1

    def forget(self, conversation_id: str) -> None:
        """The conversation is over."""
        self._home.pop(conversation_id, None)

    def loads(self) -> dict[str, int]:
        """Requests in flight at each engine."""
        return dict(self._load)

    def describe(self) -> str:
        """Engines and versions in one line, for an error."""
        stands = {e: f"at {v}" for e, v in self._versions.items()} | dict.fromkeys(self._lost, "dead")
        stand = ", ".join(f"{e} {stands.get(e, 'at no version')}" for e in self._load)
        return (
            f"{stand or 'no engines'}; current version {self.version if self._versions else 'not announced'}"
        )
