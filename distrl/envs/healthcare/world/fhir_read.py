"""Reading parts of FHIR resources: codes, words, times.

[resource] -> fhir_in, fhir_seen
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def clock(text: str) -> str:
    """ISO to the minute, without the zone; a date stays a date."""
    return text[:16] if len(text) > 10 else text


def when(resource: Json) -> str:
    """The time of an observation."""
    period = resource.get("effectivePeriod", {})
    return clock(
        str(resource.get("effectiveDateTime") or period.get("start") or resource.get("issued") or "")
    )


def text_of(concept: Json | None) -> str:
    """The words of a CodeableConcept."""
    concept = concept or {}
    shown = [c.get("display", "") for c in concept.get("coding", [])]
    return str(concept.get("text") or next(filter(None, shown), ""))


def first(items: list[Json] | None) -> Json:
    """The first of a list that may be absent, or {}."""
    return items[0] if items else {}


def code_of(concept: Json, system: str) -> str:
    codes = (c.get("code", "") for c in concept.get("coding", []) if c.get("system") == system)
    return str(next(codes, ""))


def withdrawn(resource: Json) -> bool:
    """Whether its author took it back."""
    verified = resource.get("verificationStatus", {})
    codes = {c.get("code") for c in verified.get("coding", [])} if isinstance(verified, dict) else set()
    return resource.get("status") == "entered-in-error" or bool(codes & {"entered-in-error", "refuted"})
