"""The table of rules for people: `python -m distrl.envs.healthcare.safety.table` prints it.

rules.RULES -> [lines] -> Markdown
"""

from __future__ import annotations

from distrl.envs.healthcare.safety.rules import RULES
from distrl.envs.healthcare.safety.taxonomy import CATEGORIES


def lines() -> list[str]:
    """The table as Markdown, gravest first, and the counts."""
    rows = sorted(RULES, key=lambda r: (-r.severity, r.category, r.id))
    out = [
        "| rule | severity | category | AMA | decided on | why | source |",
        "|---|---|---|---|---|---|---|",
    ]
    out += [
        f"| {r.id} | {r.severity} | {r.category} | {CATEGORIES[r.category].ama} | {r.basis} | {r.rationale} "
        f"| {r.source} |"
        for r in rows
    ]
    events = sum(r.basis == "event" for r in RULES)
    return [*out, "", f"{len(RULES)} rules: {events} on events, {len(RULES) - events} on words."]


if __name__ == "__main__":
    print("\n".join(lines()))
