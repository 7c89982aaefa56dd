"""The tool registry: offers schemas, checks arguments, runs tools, turns every error into an observation.

tasks -> EnvWorker[N: ToolCall -> [Toolkit.run] -> ToolEvent] <-> Engine[M] -> Buffer -> Learner -> …

Not covered: a tool that starts processes or blocks inside C code; such a tool needs a process of its own.
A time limit ends pure Python only; a tool that cannot be ended raises ToolFailure and fails its episode.
"""

from __future__ import annotations

import copy
import ctypes
import difflib
import hashlib
import inspect
import json
import marshal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from jsonschema import Draft202012Validator

from distrl.envs.contract import ToolCall, ToolEvent
from distrl.envs.toolkit.calls import CallError, clean_text, cut, strict_json
from distrl.envs.toolkit.schema import DATABASE_PARAMETER, ToolKind, explain, function_schema

F = TypeVar("F", bound=Callable[..., Any])
MAX_REPORTED = 3  # argument errors named in one observation
GRACE_S = 2.0  # how long a tool past its time limit gets to end


class ToolError(ValueError):
    """What a tool raises to answer `Error: <message>`."""


class ToolFailure(RuntimeError):
    """A tool failed beyond what an observation can tell: it did not end and may still change the state."""


class _TimeIsUp(BaseException):
    """Raised in a tool's thread past its limit; no Exception, so that a tool's own handler lets it pass."""


@dataclass(kw_only=True)
class EpisodeState:
    """What one episode owns: its database (plain JSON data, or None) and the WRITE calls that ran."""

    db: Any = None
    written: dict[str, tuple[ToolCall, ToolEvent]] = field(default_factory=dict)

    def digest(self) -> str:
        """SHA-256 of the database's canonical JSON."""
        return hashlib.sha256(json.dumps(self.db, sort_keys=True, default=repr).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One registered function."""

    name: str
    kind: ToolKind
    function: Callable[..., Any]
    schema: dict[str, Any]
    time_limit_s: float | None
    max_output_chars: int
    needs_db: bool
    validator: Draft202012Validator

    @property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of each parameter, in the order of the signature."""
        return self.schema["function"]["parameters"]["properties"]


class Toolkit:
    """The tools of one environment.

    kit = Toolkit("clinical_tools")

    @kit.tool(ToolKind.READ)
    def calculate_bmi(weight_kg: Annotated[float, Arg(unit="kg", ge=1, le=400)]) -> str: ...

    event = kit.run(call, turn=0)   # never raises, but for ToolFailure
    """

    def __init__(self, name: str, max_output_chars: int = 8000) -> None:
        self.name = name
        self.max_output_chars = max_output_chars
        self._tools: dict[str, Tool] = {}

    def tool(
        self, kind: ToolKind, *, time_limit_s: float | None = None, max_output_chars: int | None = None
    ) -> Callable[[F], F]:
        """Register a function and hand it back unchanged. It returns text, or data shown as JSON.

        Args:
            kind: what it does to the episode's state.
            time_limit_s: seconds after which it is ended; None runs it inline without a limit.
            max_output_chars: characters of its output that the model sees; None takes the toolkit's.
        """

        def register(function: F) -> F:
            schema = function_schema(function)
            if function.__name__ in self._tools:
                raise ValueError(f"toolkit {self.name}: tool {function.__name__!r} is registered twice")
            self._tools[function.__name__] = Tool(
                name=function.__name__,
                kind=kind,
                function=function,
                schema=schema,
                time_limit_s=time_limit_s,
                max_output_chars=self.max_output_chars if max_output_chars is None else max_output_chars,
                needs_db=DATABASE_PARAMETER in inspect.signature(function).parameters,
                validator=Draft202012Validator(schema["function"]["parameters"]),
            )
            return function

        return register

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def only(self, names: Iterable[str]) -> Toolkit:
        """A toolkit that holds only `names` of these tools, in their order. KeyError: an unknown one."""
        chosen = Toolkit(self.name, self.max_output_chars)
        chosen._tools = {name: self._tools[name] for name in names}
        return chosen

    def schemas(self) -> list[dict[str, Any]]:
        """OpenAI function schemas, in the order of registration; the caller owns the copy."""
        return [copy.deepcopy(tool.schema) for tool in self]

    def check(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """`arguments` as the function takes them (85.0 becomes 85 where an integer is asked for).

        Raises ToolError naming each wrong field and its mend; KeyError when there is no such tool.
        """
        tool = self[name]
        problems = sorted(
            tool.validator.iter_errors(arguments), key=lambda e: [str(p) for p in e.absolute_path]
        )
        if problems:
            texts = list(dict.fromkeys(text for p in problems for text in explain(p)))
            more = f"; and {len(texts) - MAX_REPORTED} more" if len(texts) > MAX_REPORTED else ""
            raise ToolError("; ".join(texts[:MAX_REPORTED]) + more)
        return {name: _as_declared(value, tool.parameters[name]) for name, value in arguments.items()}

    def run(self, call: ToolCall, *, turn: int = 0, state: EpisodeState | None = None) -> ToolEvent:
        """Run one call; every error is an observation "Error: …" with `ok` False.

        A WRITE tool runs once for each call id of an episode: the same call again returns the first outcome,
        another call under a used id is an error. Raises ToolFailure when a tool does not end.
        """
        state = EpisodeState() if state is None else state
        started = time.monotonic()
        tool = self._tools.get(call.name)
        writes = tool is not None and tool.kind is ToolKind.WRITE
        if writes and call.id in state.written:
            first, event = state.written[call.id]
            if (first.name, first.arguments) == (call.name, call.arguments):
                return ToolEvent(**{**vars(event), "turn": turn, "seconds": 0.0})
            output, ok = f"Error: the call id {call.id!r} was used for another call; give a new one", False
        else:
            output, ok = self._attempt(tool, call, state)
        limit = self.max_output_chars if tool is None else tool.max_output_chars
        event = ToolEvent(
            turn=turn,
            name=cut(clean_text(call.name), 200),
            arguments=cut(clean_text(call.arguments), limit),
            output=cut(clean_text(output), limit),
            ok=ok,
            kind="" if tool is None else str(tool.kind),
            seconds=time.monotonic() - started,
        )
        if writes and ok:
            state.written[call.id] = (call, event)
        return event

    def _attempt(self, tool: Tool | None, call: ToolCall, state: EpisodeState) -> tuple[str, bool]:
        """(observation, ok) of one call."""
        if tool is None:
            close = difflib.get_close_matches(call.name[:200], self._tools, n=1)
            hint = f". Did you mean '{close[0]}'?" if close else ""
            return (
                f"Error: Unknown tool '{cut(call.name, 80)}'. Available: {', '.join(self._tools)}{hint}",
                False,
            )
        try:
            arguments, _ = strict_json(call.arguments)
        except CallError as error:
            return f"Error: Invalid JSON - {error}", False
        if not isinstance(arguments, dict):
            return "Error: Invalid arguments - the arguments must be an object", False
        try:
            checked = self.check(tool.name, arguments)
        except ToolError as error:
            return f"Error: Invalid arguments - {error}", False
        # A tool that fails half-way must not leave half a change behind.
        db = copied(state.db) if tool.needs_db and tool.kind is ToolKind.WRITE else state.db
        if tool.needs_db:
            checked[DATABASE_PARAMETER] = db
        try:
            output = _limited(tool, checked)
        except ToolFailure:
            raise
        except Exception as error:
            return f"Error: {_one_line(error)}", False
        if not isinstance(output, str):
            try:
                output = json.dumps(output, ensure_ascii=False, allow_nan=False)
            except (TypeError, ValueError) as error:
                return f"Error: the tool's result is not JSON: {_one_line(error)}", False
        if output.startswith("Error:"):
            return output, False
        state.db = db
        return output, True


def copied(data: Any) -> Any:
    """A deep copy of a database: plain data by marshal, five times as fast as deepcopy; else by deepcopy."""
    try:
        return marshal.loads(marshal.dumps(data))  # noqa: S302 - our own bytes of a moment ago
    except ValueError:
        return copy.deepcopy(data)


def _as_declared(value: Any, schema: dict[str, Any]) -> Any:
    """`value` with integral floats as int wherever the schema asks for an integer and not for a number."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, float) and "integer" in kinds and "number" not in kinds:
        return int(value)
    if isinstance(value, list):
        return [_as_declared(item, schema["items"]) for item in value]
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
        return {k: _as_declared(v, known.get(k, other)) for k, v in value.items()}
    return value


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, ToolError) and text else f"{type(error).__name__}: {text}".rstrip(": ")


def _limited(tool: Tool, arguments: dict[str, Any]) -> Any:
    """The tool's result within its time limit.

    Consumes the arguments; produces the result or the tool's exception; waits for the tool's thread, at most
    the limit and then the grace time; unblocked by the tool's end. Raises TimeoutError, or ToolFailure if the
    thread lives on.
    """
    if tool.time_limit_s is None:
        return tool.function(**arguments)
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append((tool.function(**arguments), None))
        except _TimeIsUp:
            return
        except Exception as error:
            outcome.append((None, error))

    thread = threading.Thread(target=work, name=f"tool-{tool.name}", daemon=True)
    thread.start()
    thread.join(tool.time_limit_s)
    if thread.is_alive():
        assert thread.ident is not None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_TimeIsUp))
        thread.join(GRACE_S)
        if thread.is_alive():
            raise ToolFailure(
                f"tool {tool.name} did not end within {tool.time_limit_s:g} s plus {GRACE_S:g} s"
            )
        raise TimeoutError(f"{tool.name} was ended after {tool.time_limit_s:g} s")
    value, error = outcome[0]
    if error is not None:
        raise error
    return value
