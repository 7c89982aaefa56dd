"""The one error of the configuration: always one printable line that names the value and the mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

EXIT_BAD_CONFIG = 2


class ConfigError(ValueError):
    """A configuration that cannot run. Its text is one line without control characters."""

    def __init__(self, message: str) -> None:
        line = " ".join(message.split())
        super().__init__("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line))


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """`; did you mean 'truncate'?` for the word of `known` nearest to `wrong`, or an empty text."""
    near = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def did_you_mean_key(wrong: str, known: Iterable[str]) -> str:
    """The same for dotted keys: a bare leaf (`lr`) names the keys that end in it, in all their sections."""
    names = list(known)
    leaf = wrong.rsplit(".", 1)[-1]
    near = [n for n in names if n.rsplit(".", 1)[-1] == leaf][:3]
    return f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else did_you_mean(wrong, names)
