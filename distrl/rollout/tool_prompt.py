"""Tools as prompt text, for chat templates that know none, and calls as the text a model would write.

tasks -> EnvWorker[N: [tools -> system message] <-> Engine[M]] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from distrl.envs.contract import ToolCall

_HOW = (
    "To call a tool, write one JSON object between tags and nothing after it:\n"
    '<tool_call>\n{"name": "tool", "arguments": {"parameter": "value"}}\n</tool_call>'
)


def tool_instructions(tools: Sequence[dict[str, Any]], style: str) -> str:
    """The system text that presents `tools` (OpenAI schemas): `full` JSON schemas or `brief` signatures."""
    lines = [json.dumps(t, ensure_ascii=False) if style == "full" else _signature(t) for t in tools]
    return "\n".join(["Tools:", *lines, "", _HOW])


def _signature(tool: dict[str, Any]) -> str:
    """`name(a: number, b?: string): first line of the description`."""
    function = tool.get("function", tool)
    parameters = function.get("parameters", {})
    required = set(parameters.get("required", ()))
    fields = [
        f"{name}{'' if name in required else '?'}: {_type(schema)}"
        for name, schema in parameters.get("properties", {}).items()
    ]
    summary = function.get("description", "").strip().partition("\n")[0]
    return f"{function['name']}({', '.join(fields)}): {summary}"


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    kind = schema.get("type", "any")
    return "|".join(kind) if isinstance(kind, list) else str(kind)


def call_text(calls: Sequence[ToolCall]) -> str:
    """Calls of a message that was not sampled (an example in the prompt), as text behind its content."""
    return "".join(
        f'\n<tool_call>\n{{"name": {json.dumps(c.name)}, "arguments": {c.arguments}}}\n</tool_call>'
        for c in calls
    )
