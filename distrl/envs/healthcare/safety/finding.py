"""What a safety rule reports, and the taxonomy of what can go wrong.

Severities 5 to 1 and their consequences follow Table 6 of arXiv 2605.02943; the principles are those of the
AMA Principles of Medical Ethics and of the four principles named beside a category.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One breach. `rule` is the rule's id, `evidence` what it saw; `turn` -1: at the end."""

    rule: str
    category: str
    severity: int  # 5 gravest … 1 style
    principle: str
    evidence: str
    turn: int = -1
