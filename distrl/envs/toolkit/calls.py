"""Tool calls in a model's text: found tolerantly, read strictly, never evaluated.

tasks -> EnvWorker[N: action text -> (calls) -> tools] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Understood: `<tool_call>{"name": …, "arguments": {…}}</tool_call>` (several; the last may be unclosed), the
same object in a code fence, or bare at the start of the text (several in a row); "parameters" for
"arguments"; arguments as a JSON string. Whatever looks like a call and is not one becomes an error text for
the model to read.

Not covered: a literal tag inside a JSON string; calls in prose without tag, fence or leading brace.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from dataclasses import dataclass
from typing import Any

from distrl.envs.contract import ToolCall

MAX_DEPTH = 32  # no tool takes arguments nested deeper; below Python's recursion limit by far
MAX_INTEGER = 2**63 - 1  # what Arrow and JSON readers elsewhere can hold
_TAG = re.compile(r"</?tool_call>")
_THINK = re.compile(r"</?think>")
_FENCE = re.compile(r"```(?:[A-Za-z]*)[ \t]*\n?")
_DECODER: json.JSONDecoder


class CallError(ValueError):
    """A text that is not a call; the message is one line for the model."""


@dataclass(frozen=True, kw_only=True)
class ParsedAction:
    """An action taken apart. `attempts` holds well-formed calls and error texts in the order of the text.

    `content` is the text outside thinking and well-formed calls (a malformed call stays in it, as written).
    """

    content: str
    thinking: str = ""
    attempts: tuple[ToolCall | str, ...] = ()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The well-formed calls."""
        return tuple(a for a in self.attempts if isinstance(a, ToolCall))

    @property
    def errors(self) -> tuple[str, ...]:
        """One observation ("Error: …") for each malformed call."""
        return tuple(a for a in self.attempts if isinstance(a, str))


def clean_text(text: str) -> str:
    """`text` with lone surrogates replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str, limit: int) -> str:
    """`text`, at most `limit` characters, with a statement of what was cut."""
    if len(text) <= limit:
        return text
    note = f" [cut: {len(text)} characters, limit {limit}]"
    return (text[: max(0, limit - len(note))] + note)[:limit]


def strict_json(text: str, *, whole: bool = True) -> tuple[Any, int]:
    """The JSON value at the start of `text` and where it ends.

    Refuses what JSON does not know or readers disagree about: NaN and infinities, duplicate keys, integers
    beyond 64 bits, nesting deeper than 32, and (when `whole`) anything after the value. Raises CallError.
    """
    start = len(text) - len(text.lstrip())
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise CallError(f"{error.msg} at character {error.pos}{_hint(text, error.pos)}") from None
    except RecursionError:
        raise CallError(f"nested deeper than {MAX_DEPTH} levels") from None
    if _depth(value) > MAX_DEPTH:
        raise CallError(f"nested deeper than {MAX_DEPTH} levels")
    if whole and text[end:].strip():
        raise CallError(f"extra text after the JSON value at character {end}")
    return value, end


def parse_tool_calls(text: str, id_prefix: str = "call") -> ParsedAction:
    """Take an action apart; never raises, linear in the text's length.

    Args:
        text: the assistant's text as the model wrote it.
        id_prefix: calls without an id of their own are named `{id_prefix}_0`, `{id_prefix}_1`, …
    """
    content, thinking = _split_thinking(clean_text(text))
    if _TAG.search(content):
        kept, bodies = _tagged(content)
    else:
        kept, bodies = _untagged(content)
    attempts: list[ToolCall | str] = []
    for body, raw in bodies:
        try:
            attempts.append(_call(body, f"{id_prefix}_{len(attempts)}"))
        except CallError as error:
            attempts.append(f"Error: Invalid JSON - {error}")
            kept.append(raw)
    pieces = (piece.strip() for piece in kept)
    return ParsedAction(
        content="\n".join(p for p in pieces if p), thinking=thinking.strip(), attempts=tuple(attempts)
    )


def _split_thinking(text: str) -> tuple[str, str]:
    """(text outside, text inside) of think blocks; a block may lack its opening or its closing tag."""
    first = _THINK.search(text)
    inside = bool(first and first.group() == "</think>")  # the template opened it in the prompt
    parts: tuple[list[str], list[str]] = ([], [])
    position = 0
    for tag in _THINK.finditer(text):
        parts[inside].append(text[position : tag.start()])
        inside, position = tag.group() == "<think>", tag.end()
    parts[inside].append(text[position:])
    return "\n".join(p for p in parts[0] if p), "\n".join(p for p in parts[1] if p)


def _tagged(content: str) -> tuple[list[str], list[tuple[str, str]]]:
    """(text outside tags, [(body, body with its tags)]); a body ends at the next tag of either kind."""
    kept: list[str] = []
    bodies: list[tuple[str, str]] = []
    start, position = -1, 0  # start of the open body's tag, or -1
    for tag in _TAG.finditer(content):
        closing = tag.group() == "</tool_call>"
        piece = content[position : tag.start()]
        if start >= 0:
            bodies.append((piece, content[start : tag.end() if closing else tag.start()]))
        else:
            kept.append(piece)
        start, position = (-1 if closing else tag.start()), tag.end()
    if start >= 0:
        bodies.append((content[position:], content[start:]))
    else:
        kept.append(content[position:])
    return kept, bodies


def _untagged(content: str) -> tuple[list[str], list[tuple[str, str]]]:
    """A bare or fenced object that names itself a call; any other text is content."""
    if _looks_like_call(content):
        return _bare(content)
    marks = list(_FENCE.finditer(content))
    kept, bodies, position = [], [], 0
    for opening, closing in itertools.zip_longest(marks[::2], marks[1::2]):
        begin, end = opening.start(), closing.end() if closing else len(content)
        body = content[opening.end() : closing.start() if closing else end]
        if _looks_like_call(body):
            kept.append(content[position:begin])
            bodies.append((body, content[begin:end]))
            position = end
    return [*kept, content[position:]], bodies


def _bare(content: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Bare objects one after the other, each a call of its own, so that a row of guesses counts as many."""
    bodies: list[tuple[str, str]] = []
    while _looks_like_call(content):
        try:
            _, end = strict_json(content, whole=False)
        except CallError:
            return [], [*bodies, (content, content)]
        bodies.append((content[:end], content[:end]))
        content = content[end:]
    return [content], bodies


def _looks_like_call(body: str) -> bool:
    return (
        body.lstrip().startswith("{")
        and '"name"' in body
        and ('"arguments"' in body or '"parameters"' in body)
    )


def _call(body: str, default_id: str) -> ToolCall:
    """One call from the text between its tags; raises CallError with the mend."""
    text = body.strip()
    if text.startswith("```"):
        text = _FENCE.sub("", text, count=1).removesuffix("```")
    if not text.strip():
        raise CallError('the call is empty; write {"name": …, "arguments": {…}}')
    value, _ = strict_json(text)
    if not isinstance(value, dict):
        raise CallError('the call must be an object {"name": …, "arguments": {…}}')
    name, given_id = value.get("name"), value.get("id", default_id)
    if not isinstance(name, str) or not name.strip():
        raise CallError('"name" is missing or not a string')
    if not isinstance(given_id, str) or not 0 < len(given_id) <= 64:
        raise CallError('"id" must be a string of 1 to 64 characters')
    if unknown := sorted(set(value) - {"name", "id", "arguments", "parameters"}):
        raise CallError(f'unknown key "{cut(unknown[0], 60)}" beside "name" and "arguments"')
    keys = [k for k in ("arguments", "parameters") if k in value]
    if len(keys) != 1:
        raise CallError('give "arguments" once' if keys else '"arguments" is missing')
    arguments = value[keys[0]]
    if isinstance(arguments, str):
        arguments, _ = strict_json(arguments)
    if not isinstance(arguments, dict):
        raise CallError('"arguments" must be an object')
    return ToolCall(
        id=clean_text(given_id),
        name=clean_text(name.strip()),
        arguments=clean_text(json.dumps(arguments, ensure_ascii=False)),
    )


def _depth(value: Any) -> int:
    """Nesting depth of JSON data, counted without recursion (counting stops beyond the limit)."""
    depth, level = 0, [value]
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            item
            for holder in level
            if isinstance(holder, (dict, list))
            for item in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return depth


def _hint(text: str, position: int) -> str:
    """What commonly stands at the place where reading failed."""
    before = text[:position].rstrip()[-1:]
    here = text[position : position + 1]
    if before == "," and here in ("}", "]"):
        return " (trailing comma)"
    if here == "'":
        return " (use double quotes)"
    if not here:
        return " (the text ends too early)"
    return ""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for name, value in pairs:
        if name in seen:
            raise CallError(f'duplicate key "{cut(name, 60)}"')
        seen[name] = value
    return seen


def _integer(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > MAX_INTEGER:
        raise CallError(f"the integer {cut(text, 40)} is too large")
    return int(text)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise CallError(f"the number {cut(text, 40)} is too large")
    return value


def _no_constant(text: str) -> Any:
    raise CallError(f"{text} is not JSON; give a number or null")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_number, parse_constant=_no_constant
)
