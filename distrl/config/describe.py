"""The schema as text: `--help` for a terminal, and docs/configuration.md.

python -m distrl.config.describe > docs/configuration.md
"""

from __future__ import annotations

import itertools
import sys
import textwrap
from typing import Any

from distrl.config.keys import SHORTHANDS, Key, known_keys
from distrl.config.load import USAGE
from distrl.config.validate import CHOICES

_NOTES = (
    """\
`conf=` names a file: a path, or a name in `conf/`. A file may begin with `base:` (one file name or a list,
relative to the file); later files win, then the `key=value` arguments. `${run.seed}` inserts another key's
value; `???` in a file marks a key that must be given. A section given as one word means its leading key ("""
    + ", ".join(f"`{short}: x` is `{full}: x`" for short, full in SHORTHANDS.items())
    + """).
An unknown key, a wrong type or a combination that cannot run is refused in one line, with exit code 2.
`--dry-run` prints the resolved config and the actors, and starts nothing. `--verbose` shows the actors' logs.
Stop with Ctrl-C (or SIGTERM) once: what is in flight is finished or dropped, a checkpoint is written, and the
exit code is 0; a second one ends at once with 130."""
)


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "''" if value == "" else str(value)


def _groups() -> list[tuple[str, str, list[Key]]]:
    """(section name, its meaning, its keys); the section of top-level keys has an empty name."""
    by_section = itertools.groupby(
        known_keys().values(), key=lambda k: (k.name.rpartition(".")[0], k.section)
    )
    return [(name, meaning, list(keys)) for (name, meaning), keys in by_section]


def describe() -> str:
    """Every key with type, default and meaning, for a terminal."""
    lines = [USAGE, "", *textwrap.wrap(_NOTES.replace("`", ""), 100), ""]
    for name, meaning, keys in _groups():
        lines.append(f"{name or 'top level'}: {meaning}")
        for k in keys:
            lines.append(f"  {k.name} ({k.type_name}, default {_default(k.default)})")
            lines += textwrap.wrap(k.meaning, 96, initial_indent="      ", subsequent_indent="      ")
        lines.append("")
    return "\n".join(lines)


def markdown() -> str:
    """docs/configuration.md."""
    lines = ["# Configuration", "", f"    {USAGE.removeprefix('usage: ')}", "", _NOTES, ""]
    lines += ["Made from the schema: `python -m distrl.config.describe > docs/configuration.md`.", ""]
    for name, meaning, keys in _groups():
        lines += [f"## {f'`{name}`' if name else 'Top level'}", "", meaning, ""]
        lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
        for k in keys:
            words = CHOICES.get(k.name, ())
            kind = " or ".join(f"`{w}`" for w in words if w) if words else k.type_name
            meaning_cell = k.meaning.replace("|", "\\|")
            lines.append(f"| `{k.name}` | {kind} | `{_default(k.default)}` | {meaning_cell} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(markdown())
