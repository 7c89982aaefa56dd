"""Tools as prompt text, for chat templates that know none, and calls as the text a model would write.

tasks -> EnvWorker[N: [tools -> system message] <-> Engine[M]] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from distrl.envs.contract import ToolCall
from distrl.envs.toolkit.schema import signature_line

_HOW = (
    "To call a tool, write one JSON object between tags and nothing after it:\n"
    '<tool_call>\n{"name": "tool", "arguments": {"parameter": "value"}}\n</tool_call>'
)


def tool_instructions(tools: Sequence[dict[str, Any]], style: str) -> str:
    """The system text that presents `tools` (OpenAI schemas): `full` JSON schemas or `brief` signatures."""
    lines = [json.dumps(t, ensure_ascii=False) if style == "full" else signature_line(t) for t in tools]
    return "\n".join(["Tools:", *lines, "", _HOW])


def call_text(calls: Sequence[ToolCall]) -> str:
    """Calls of a message that was not sampled (an example in the prompt), as text behind its content."""
    return "".join(
        f'\n<tool_call>\n{{"name": {json.dumps(c.name)}, "arguments": {c.arguments}}}\n</tool_call>'
        for c in calls
    )
