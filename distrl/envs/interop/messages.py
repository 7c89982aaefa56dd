"""Chat messages of the verifiers ecosystem to and from the contract's: pure functions, verifiers not needed.

tasks -> EnvWorker[N: action text <-> (messages) <-> verifiers] <-> Engine[M] -> Buffer -> Learner -> Weights

Our environments read calls in the assistant's text; chat servers often return them apart from it, so
`action_text` writes them back. Not covered: images and audio; of a message's parts only text is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from distrl.envs.contract import Message, Task, ToolCall
from distrl.envs.toolkit import clean_text

MAX_CALL_ID = 64  # what our parser takes as a call's id; a longer one is left out


def plain(message: Any) -> dict[str, Any]:
    """A chat message as a dict, whether it came as one or as a pydantic model."""
    return dict(message) if isinstance(message, Mapping) else message.model_dump()


def text_of(content: Any) -> str:
    """The text of a message's content: a string, a list of parts, or None."""
    if isinstance(content, str):
        return content
    parts = [part if isinstance(part, Mapping) else plain(part) for part in content or []]
    return "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")


def read_message(message: Any) -> Message:
    """The contract's record of a system, user, tool or assistant message; any other role becomes user."""
    given = plain(message)
    role = given.get("role")
    return Message(
        role=role if role in ("system", "user", "tool", "assistant") else "user",
        content=clean_text(text_of(given.get("content"))),
        tool_calls=tuple(ToolCall(**call) for call in _calls(given)),
        tool_call_id=str(given.get("tool_call_id") or ""),
        name=str(given.get("name") or "") if role == "tool" else "",
    )


def action_text(message: Any) -> str:
    """The assistant text that our environments read: thinking, content, then native calls as tags.

    Arguments that are no JSON object are handed on as a JSON string, so that the environment itself
    answers with its error.
    """
    given = plain(message)
    pieces = []
    if thinking := given.get("reasoning_content"):
        pieces.append(f"<think>\n{thinking}\n</think>")
    if content := text_of(given.get("content")):
        pieces.append(content)
    for call in _calls(given):
        body: dict[str, Any] = {"name": call["name"], "arguments": _arguments(call["arguments"])}
        if 0 < len(call["id"]) <= MAX_CALL_ID:
            body["id"] = call["id"]
        pieces.append(f"<tool_call>\n{json.dumps(body, ensure_ascii=False)}\n</tool_call>")
    return "\n".join(pieces)


def observation(message: Message, answered: Sequence[str]) -> dict[str, Any]:
    """What the environment added, as a chat message for a server.

    Args:
        message: a tool or user message of a step.
        answered: ids of the calls that the server itself knows. A tool's answer to any other call (one
            written in the text) goes as a user message, since servers refuse an answer without its call.
    """
    if message.role == "tool" and message.tool_call_id in answered:
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    if message.role == "tool":
        return {"role": "user", "content": f"<tool_response>\n{message.content}\n</tool_response>"}
    return {"role": message.role, "content": message.content}


def call_ids(message: Any) -> list[str]:
    """Ids of a message's native calls."""
    return [call["id"] for call in _calls(plain(message))]


def openai_tool(tool: Any) -> dict[str, Any]:
    """A tool {name, description, parameters} (dict or model) as an OpenAI function schema."""
    given = plain(tool)
    function = {
        "name": given["name"],
        "description": given.get("description") or given["name"],
        "parameters": given.get("parameters") or {"type": "object", "properties": {}},
    }
    return {"type": "function", "function": function}


def flat_tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The reverse of `openai_tool`: {name, description, parameters}."""
    function = schema["function"]
    return {key: function[key] for key in ("name", "description", "parameters") if key in function}


def task_json(task: Task) -> str:
    """A task as JSON text, for a data set's row."""
    return json.dumps(asdict(task), ensure_ascii=False)


def read_task(text: str) -> Task:
    """The task of `task_json`."""
    return Task(**json.loads(text))


def _calls(message: Mapping[str, Any]) -> list[dict[str, str]]:
    """Native calls as {id, name, arguments (JSON text)}; flat and OpenAI's nested shape are both read."""
    calls = []
    for raw in message.get("tool_calls") or []:
        call = plain(raw)
        inner = call.get("function")
        body = plain(inner) if inner else call
        arguments = body.get("arguments") or "{}"
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        calls.append({"id": str(call.get("id") or ""), "name": str(body.get("name")), "arguments": text})
    return calls


def _arguments(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text
