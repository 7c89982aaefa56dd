"""A published set of weights: what it is, where its parts lie, and the digest that proves it.

Learner -> [manifest + parts] -> Engine[M]
"""

from __future__ import annotations

from dataclasses import dataclass


class WeightError(RuntimeError):
    """A weight set is torn, partial, older than what is served, or not the one that was announced."""


@dataclass(frozen=True, kw_only=True)
class WeightPart:
    """One safetensors file of a weight set."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class WeightManifest:
    """Written after its parts, hash last. `digest` is the sha256 over the parts' hashes in order."""

    version: int
    kind: str  # "policy" | "teacher"
    source_version: int  # the policy version it was made from
    digest: str
    parts: tuple[WeightPart, ...]

    @property
    def bytes(self) -> int:
        return sum(p.bytes for p in self.parts)
