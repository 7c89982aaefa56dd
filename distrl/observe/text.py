"""Text that a model, a tool or a file wrote, made safe for a terminal, a log or Markdown."""

from __future__ import annotations


def escape(text: str, keep: str = "") -> str:
    r"""`text` with each character that could steer a terminal written as `\x1b` or `\u202e`; `keep` stays.

    Those are all that Python does not call printable: controls and escape sequences, bidirectional overrides,
    lone surrogates, line ends, spaces other than the plain one.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _code(c) for c in text)


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
