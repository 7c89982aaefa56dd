"""The episodes of benchmarks/env_steps.py written natively for verifiers (its v1 shape, 0.4).

tasks -> [HealthTaskset] -> [LoopHarness <-> interception <-> Canned] -> trace -> [HealthTask.five]

Two shapes. `served` is the one verifiers asks for: a shared Toolset in a server process, whose State (the
episode's database) travels with each call. `inline` is the fastest that it allows: a harness of one's own,
which runs in its process and calls the functions itself. Tool functions, database, texts and reward are the
same.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import typing
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from typing import Any, Literal
from unittest import mock

import aiohttp
import verifiers.v1 as vf
from verifiers.v1.clients import Client, EvalClientConfig, ModelContext
from verifiers.v1.harnesses.utils.mcp import call_mcp, connect_mcp
from verifiers.v1.interception import server as interception_server

from distrl.envs.contract import Task, ToolEvent
from distrl.envs.healthcare.reward.rules import REWARD_RULES
from distrl.envs.healthcare.reward.trl import assistant_texts
from distrl.envs.healthcare.tools.clinical_diagnosis import TOOLS
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.tool_env import Outcome
from distrl.envs.toolkit import EpisodeState, ToolError, cut
from distrl.envs.toolkit.schema import DATABASE_PARAMETER

__all__ = ["HealthTaskset", "LoopHarness"]

PLUGIN = "env_steps_verifiers"  # verifiers' loaders import a plug-in by a name without dots
sys.modules.setdefault(PLUGIN, sys.modules[__name__])
Shape = Literal["served", "inline"]
AT_ONCE = 8  # rollouts in flight; one core takes no more steps with 1 or with 32
TASKS: dict[str, Task] = {}  # by id, so that a row carries only its id


# Tools


def run_tool(name: str, db: dict[str, Any], arguments: dict[str, Any]) -> str:
    """The tool's text, as long as ours may be."""
    tool = TOOLS[name]
    try:
        result = tool.function(**arguments, **({DATABASE_PARAMETER: db} if tool.needs_db else {}))
    except ToolError as error:
        return f"Error: {error}"
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return cut(text, tool.max_output_chars)


class HealthState(vf.State):
    """The database of one rollout."""

    db: dict[str, Any] = {}  # noqa: RUF012, pydantic copies it


class HealthToolset(vf.Toolset[vf.SharedToolsetConfig, HealthState]):
    """The 25 tools; methods are added below, one for each function."""

    TOOL_PREFIX = None


def _method(name: str) -> Callable[..., str]:
    function = TOOLS[name].function
    hints = typing.get_type_hints(function, include_extras=True)
    shown = [
        p.replace(annotation=hints[p.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for p in inspect.signature(function).parameters.values()
        if p.name != DATABASE_PARAMETER
    ]

    def method(self: HealthToolset, **arguments: Any) -> str:
        return run_tool(name, self.state.db, arguments)

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__name__, method.__doc__ = name, function.__doc__
    method.__signature__ = inspect.Signature([itself, *shown])  # type: ignore[attr-defined]
    return vf.tool(method)


for _tool in TOOLS:
    setattr(HealthToolset, _tool.name, _method(_tool.name))


# Tasks and reward


class HealthTask(vf.Task[vf.TaskData, HealthState]):
    """A ticket; the reward is ours, called once at the end."""

    async def setup(self, trace: vf.Trace) -> None:
        """A fresh database for the rollout."""
        trace.state.db = database_of(TASKS[self.data.id].payload["world"])

    @vf.reward
    async def five(self, trace: vf.Trace) -> float:
        """The composed reward of what the trace holds."""
        return REWARD_RULES["five"].grade(TASKS[self.data.id], outcome_of(trace)).reward


def outcome_of(trace: vf.Trace) -> Outcome:
    """What our reward reads, from the trace's messages and state."""
    turns = trace.assistant_messages
    texts = assistant_texts([m.model_dump() for m in turns])
    answers = {m.tool_call_id: str(m.content) for m in trace.tool_messages}
    events = tuple(
        ToolEvent(
            turn=turn,
            name=call.name,
            arguments=call.arguments,
            output=answers[call.id],
            ok=not answers[call.id].startswith("Error"),
            kind=str(TOOLS[call.name].kind),
        )
        for turn, message in enumerate(turns)
        for call in message.tool_calls or ()
    )
    state = EpisodeState(db=trace.state.db)
    return Outcome(actions=tuple(texts), messages=(), attempts=(), events=events, state=state)


class HealthTasksetConfig(vf.TasksetConfig):
    """Which shape the tools have."""

    id: str = PLUGIN
    tools: Shape = "served"


class HealthTaskset(vf.Taskset[HealthTask, HealthTasksetConfig]):
    """Rows for the tasks in TASKS."""

    def load(self) -> Iterator[HealthTask]:
        from distrl.envs.healthcare.domains import DOMAINS

        policy = DOMAINS["clinical_diagnosis"].policy
        for task in TASKS.values():
            data = vf.TaskData(id=task.id, prompt=task.payload["ticket"], system_prompt=policy)
            yield HealthTask(data, self.config.task)

    @classmethod
    def toolsets(cls, config: HealthTasksetConfig) -> list[vf.Toolset]:
        return [HealthToolset(vf.SharedToolsetConfig())] if config.tools == "served" else []


# The loop and the model


class LoopHarnessConfig(vf.HarnessConfig):
    """No settings of its own."""

    id: str = PLUGIN


class LoopHarness(vf.Harness[LoopHarnessConfig]):
    """verifiers' plain chat loop without its process: one coroutine a rollout, one HTTP session for all."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False
    session_of_all: aiohttp.ClientSession | None = None

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: Any,
    ) -> vf.ProgramResult:
        """Ask, run the calls in order, ask again; a turn without calls ends the rollout."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        async with AsyncExitStack() as stack:
            schemas, call = await _tools(trace, mcp_urls, stack)
            while True:
                body = {"model": ctx.model, "messages": messages, "tools": schemas}
                assistant = await self._ask(endpoint, secret, body)
                messages.append(assistant)
                if not assistant.get("tool_calls"):
                    return vf.ProgramResult(exit_code=0, stdout="", stderr="")
                for made in assistant["tool_calls"]:
                    function = made["function"]
                    content = await call(function["name"], json.loads(function["arguments"]))
                    messages.append({"role": "tool", "tool_call_id": made["id"], "content": content})

    async def _ask(self, endpoint: str, secret: str, body: dict[str, Any]) -> dict[str, Any]:
        if LoopHarness.session_of_all is None:
            LoopHarness.session_of_all = aiohttp.ClientSession()
        headers = {"Authorization": f"Bearer {secret}"}
        url = f"{endpoint}/chat/completions"
        async with LoopHarness.session_of_all.post(url, json=body, headers=headers) as reply:
            reply.raise_for_status()
            message: dict[str, Any] = (await reply.json())["choices"][0]["message"]
            return message


Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


async def _tools(
    trace: Any, mcp_urls: dict[str, str], stack: AsyncExitStack
) -> tuple[list[dict[str, Any]], Call]:
    """Schemas, and what runs a call: verifiers' own MCP client, or the function itself."""
    if not mcp_urls:

        async def inline(name: str, arguments: dict[str, Any]) -> str:
            return run_tool(name, trace.state.db, arguments)

        return SCHEMAS, inline
    config = {"mcpServers": {name: {"url": url} for name, url in mcp_urls.items()}}
    schemas, dispatch, servers = await connect_mcp(config, stack)

    async def served(name: str, arguments: dict[str, Any]) -> Any:
        return await call_mcp(servers, dispatch, name, arguments)

    return schemas, served


SCHEMAS = TOOLS.schemas()


class Canned(Client):
    """Answers at once with the next scripted turn of the ticket."""

    def __init__(self) -> None:
        self._scripts = {task.payload["ticket"]: list(_script(task)) for task in TASKS.values()}

    async def get_response(
        self, dialect: Any, body: dict[str, Any], *args: Any, **options: Any
    ) -> vf.Response:
        messages = body["messages"]
        ticket = next(m["content"] for m in messages if m["role"] == "user")
        message, raw = self._scripts[ticket][sum(m["role"] == "assistant" for m in messages)]
        finish = raw["choices"][0]["finish_reason"]
        return vf.Response(id="x", created=0, model="canned", message=message, finish_reason=finish, raw=raw)


def _script(task: Task) -> Iterator[tuple[vf.AssistantMessage, dict[str, Any]]]:
    """Each gold turn as verifiers' message and as the JSON that a server sends."""
    for turn, gold in enumerate(task.payload["gold"]):
        calls = [
            (f"call_{turn}_{i}", c["name"], json.dumps(c["arguments"], ensure_ascii=False))
            for i, c in enumerate(gold["calls"])
        ]
        native = [vf.ToolCall(id=i, name=name, arguments=text) for i, name, text in calls] or None
        wire: dict[str, Any] = {"role": "assistant", "content": gold["text"]}
        if calls:
            wire["tool_calls"] = [
                {"id": i, "type": "function", "function": {"name": name, "arguments": text}}
                for i, name, text in calls
            ]
        choice = {"index": 0, "message": wire, "finish_reason": "tool_calls" if calls else "stop"}
        raw = {"id": "x", "object": "chat.completion", "created": 0, "model": "canned", "choices": [choice]}
        yield vf.AssistantMessage(content=gold["text"], tool_calls=native), raw


class Baseline:
    """One verifiers environment, kept serving while the benchmark runs."""

    def __init__(self, shape: Shape, tasks: Iterable[Task]) -> None:
        TASKS.clear()
        TASKS.update({task.id: task for task in tasks})
        seat = {"harness": {"id": PLUGIN}, "runtime": {"type": "subprocess"}}
        config = {"taskset": {"id": PLUGIN, "tools": shape}, "agent": seat}
        self.env = vf.load_environment(vf.resolve_env_config(config))
        self._context = ModelContext(model="canned", client=EvalClientConfig(base_url="http://canned"))
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Baseline:
        canned = Canned()
        self._stack.enter_context(
            mock.patch.object(interception_server, "resolve_client", lambda config: canned)
        )
        await self._stack.enter_async_context(self.env.serving())
        return self

    async def __aexit__(self, *error: object) -> None:
        if LoopHarness.session_of_all is not None:
            await LoopHarness.session_of_all.close()
            LoopHarness.session_of_all = None
        await self._stack.aclose()

    async def play(self) -> tuple[int, int, dict[str, float]]:
        """All tasks once, AT_ONCE in flight: turns, tool calls, and each task's reward."""
        gate = asyncio.Semaphore(AT_ONCE)
        slots = [slot for task in self.env.taskset for slot in self.env.slots(task)]
        episodes = await asyncio.gather(*(self.env.run_slot(s, self._context, gate) for s in slots))
        turns = calls = 0
        rewards: dict[str, float] = {}
        for episode in episodes:
            if not episode.ok:
                raise RuntimeError(f"a verifiers episode failed: {episode.errors or episode.traces}")
            (trace,) = episode.traces
            turns += trace.num_turns
            calls += len(trace.tool_messages)
            rewards[trace.task.data.id] = trace.reward
        return turns, calls, rewards


if __name__ == "__main__":  # the tool server: verifiers starts `python -m` this module
    HealthToolset.run()
