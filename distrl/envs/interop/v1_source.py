"""A v1 verifiers taskset as a source: prompt, tools, stops and scoring run here, the harness is our engine.

tasks -> EnvWorker[N: VerifiersEnv.step -> [V1Session: toolsets, @stop, Task.score]] <-> Engine[M] -> …

The session plays what verifiers' plain chat harness plays: a turn with calls runs them, a turn without ends.
Imported only when the installed verifiers has the v1 shape. Not covered, and refused by name: tasks that need
a container, or a runtime to be scored, judges, `@intercept` and stops on a request or response, an Env of its
own (several agents, user simulators). Tools run in this process, not in a server of their own.
"""

from __future__ import annotations

import inspect
import itertools
import json
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import verifiers.v1 as vf
from mcp.server.mcpserver import MCPServer
from verifiers.v1 import graph
from verifiers.v1.session import hook_boundary
from verifiers.v1.state import state_cls
from verifiers.v1.utils.decorators import discover_decorated, invoke

from distrl.envs.contract import RewardError
from distrl.envs.interop.messages import openai_tool, read_message
from distrl.envs.interop.session import Action, End, Turn

MAX_ROWS = 10_000  # of a taskset that never ends
MODEL = "distrl"


def load(name: str, args: dict[str, Any]) -> V1Source:
    """The taskset that package `name` exports, configured by `args`. ValueError when that does not work."""
    try:
        config = vf.taskset_config_type(name).model_validate({**args, "id": name})
        taskset = vf.load_taskset(config)
        own_env = vf.environment_class(name)
    except Exception as error:
        raise ValueError(f"verifiers/{name}: {' '.join(str(error).split())}") from error
    if own_env is not vf.SingleAgentEnv:
        raise ValueError(f"verifiers/{name}: its {own_env.__name__} runs agents of its own; not covered")
    return V1Source(name, taskset)


class V1Source:
    """Rows of the taskset, sessions on its tasks."""

    def __init__(self, name: str, taskset: Any) -> None:
        self.name = name
        self._taskset = taskset
        self._task_type = type(taskset).task_type()

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """All rows as training rows; a taskset keeps none apart."""
        rows: list[dict[str, Any]] = []
        for task in itertools.islice(self._taskset, MAX_ROWS):
            if not rows:
                self._refuse(task)
            rows.append(task.data.model_dump(mode="json"))
        return {"train": rows}

    def session(self, row: dict[str, Any], max_turns: int) -> V1Session:
        """A session on one row, of at most `max_turns` turns."""
        data = self._task_type.data_type().model_validate(row)
        task = self._task_type(data, self._taskset.config.task)
        taskset = self._taskset
        shared = taskset.toolsets(taskset.config)
        return V1Session(self.name, task, [*shared, *task.toolsets(task.config)], len(shared), max_turns)

    def _refuse(self, task: Any) -> None:
        """ValueError for what a session cannot play, judged by the first task."""
        graders = [*task.hooks("reward"), *task.hooks("metric")]
        reasons = {
            "needs a container": task.NEEDS_CONTAINER or task.data.image,
            "is graded by a judge, which asks a model over the network": task.config.judges,
            "is graded in a runtime": any(_needs_runtime(fn) for fn in graders),
            "intercepts requests or responses": discover_decorated(task, "intercept"),
            "stops on a request or response": any(not _on_trace(fn) for fn in task.hooks("stop")),
            "has no prompt, so a user must open": task.data.prompt is None,
        }
        for reason, holds in reasons.items():
            if holds:
                raise ValueError(f"verifiers/{self.name}: its task {reason}; not covered")


def _needs_runtime(grader: Callable[..., Any]) -> bool:
    parameter = inspect.signature(grader).parameters.get("runtime")
    return parameter is not None and parameter.default is inspect.Parameter.empty


def _on_trace(stop: Callable[..., Any]) -> bool:
    return hook_boundary(stop, allow_trace=True) is vf.Trace


class V1Session:
    """One trace: commits each turn to it, runs the calls, scores it at the end."""

    def __init__(self, name: str, task: Any, toolsets: list[Any], shared: int, max_turns: int) -> None:
        """`shared` says how many of the toolsets, from the first, belong to the taskset and see no task."""
        self._name = name
        self._task = task
        self._toolsets = toolsets
        self._shared = shared
        self._max_turns = max_turns
        self._servers: dict[str, tuple[MCPServer, str]] = {}  # the tool's full name: server and own name
        self._tools: list[dict[str, Any]] = []
        self._history: list[Any] = []
        self._stack = AsyncExitStack()
        self._trace = vf.Trace(
            task=vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
            state=state_cls(type(task))(),
            agent=vf.AgentInfo(config=vf.AgentConfig()),
        )

    async def open(self) -> Turn:
        await self._hook("setup")
        for position, toolset in enumerate(self._toolsets):
            await self._serve(toolset, is_shared=position < self._shared)
        data = self._task.data
        if data.system_prompt is not None:
            self._history.append(vf.SystemMessage(content=data.system_prompt))
        prompt = data.prompt
        self._history += [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt
        return Turn(messages=[read_message(m) for m in self._history], tools=self._tools)

    async def answer(self, action: Action) -> Turn:
        calls = action.message.tool_calls
        native = [vf.ToolCall(id=c.id, name=c.name, arguments=c.arguments) for c in calls]
        message = vf.AssistantMessage(content=action.content, tool_calls=native or None)
        self._commit(message)
        results = [
            vf.ToolMessage(tool_call_id=c.id, name=c.name, content=await self._call(c.name, c.arguments))
            for c in calls
        ]
        self._history += [message, *results]
        added = [read_message(m) for m in results]
        if not calls:
            self._trace.stop("agent_completed")
        for stop in self._task.hooks("stop"):
            if await _settled(invoke(stop, {vf.Trace: self._trace, "trace": self._trace})):
                self._trace.stop(stop.__name__)
        if self._trace.stop_condition is None and self._trace.num_turns >= self._max_turns:
            self._trace.stop("max_turns")
        return Turn(messages=added, end=await self._end() if self._trace.stop_condition else None)

    async def close(self) -> None:
        await self._stack.aclose()

    def _commit(self, message: Any) -> None:
        """The turn as a node of the trace, as verifiers' own interception records it."""
        finish = "tool_calls" if message.tool_calls else "stop"
        response = vf.Response(
            id="action", created=int(time.time()), model=MODEL, message=message, finish_reason=finish
        )
        tools = [vf.Tool(**tool["function"]) for tool in self._tools]
        graph.prepare_turn(self._trace, self._history, tools).commit(response)

    async def _end(self) -> End:
        await self._hook("finalize")
        try:
            await self._task.score(self._trace, None)
        except Exception as error:
            raise RewardError(f"verifiers/{self._name}: scoring raised: {error}") from error
        trace = self._trace
        return End(
            reward=float(trace.reward),
            parts={name: float(r.value) for name, r in trace.rewards.items() if r is not None}
            or {"reward": 0.0},
            metrics={name: float(value) for name, value in trace.metrics.items() if value is not None},
            truncated=trace.stop_condition == "max_turns",
        )

    async def _hook(self, name: str) -> None:
        """The task's setup or finalize, without a runtime."""
        try:
            await invoke(getattr(self._task, name), {"trace": self._trace, "runtime": None})
        except Exception as error:
            raise RewardError(f"verifiers/{self._name}: {name} failed without a runtime: {error}") from error

    async def _serve(self, toolset: Any, *, is_shared: bool) -> None:
        """Offer a toolset's tools under verifiers' names; its state is the trace's."""

        async def pull() -> Any:
            return self._trace.state

        async def push(before: bytes) -> None:
            """The state is the same object on both sides."""

        toolset._pull_state, toolset._push_state = pull, push
        await self._stack.enter_async_context(toolset._exit_stack)
        await toolset.setup()
        if not is_shared:
            await toolset.setup_task(self._task.data)
        server = MCPServer(toolset.server_name or type(toolset).__name__)
        toolset.register(server)
        for tool in await server.list_tools():
            full = f"{toolset.server_name}_{tool.name}" if toolset.server_name else tool.name
            self._servers[full] = (server, tool.name)
            described = {"name": full, "description": tool.description, "parameters": tool.input_schema}
            self._tools.append(openai_tool(described))

    async def _call(self, name: str, arguments: str) -> str:
        """The tool's text; an error is text too."""
        if name not in self._servers:
            return f"Error: unknown tool {name!r}; one of {', '.join(self._servers) or 'none'}"
        server, own_name = self._servers[name]
        try:
            result: Any = await server.call_tool(own_name, json.loads(arguments))
        except Exception as error:
            return f"Error: {' '.join(str(error).split())}"
        return "\n".join(part.text for part in result.content if part.type == "text")


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
