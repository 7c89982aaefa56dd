"""Text that a model, a tool or a file wrote, made safe for a terminal, a log or Markdown."""

from __future__ import annotations

import unicodedata

_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
"""Controls (C0, C1, escape sequences), bidirectional overrides, lone surrogates, odd line ends."""


def escape(text: str, keep: str = "") -> str:
    r"""`text` with each character that could steer a terminal written as `\x1b` or `\u202e`; `keep` stays."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or unicodedata.category(c) not in _UNSAFE else _code(c) for c in text)


def _code(char: str) -> str:
    point = ord(char)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def cell(text: str) -> str:
    """`text` for one cell of a Markdown table: escaped, no HTML, no column bars."""
    return escape(text).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("`", "'")


def number(value: float | None) -> str:
    """A figure for a person: four significant digits, integers whole, `-` for one that is missing."""
    if value is None:
        return "-"
    if float(value).is_integer() and abs(value) < 1e7:
        return str(int(value))
    return f"{value:.4g}"
