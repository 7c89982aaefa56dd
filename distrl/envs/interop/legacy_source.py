"""A legacy verifiers environment as a source: its own rollout runs, and the model's client is our action.

tasks -> EnvWorker[N: VerifiersEnv.step -> [ActionClient] <-> Environment.rollout -> Rubric] <-> Engine[M]

Since `rollout` itself runs, setup_state, env_response, stop conditions and clean-up are verifiers'. Imported
only when the installed verifiers has the legacy shape. Not covered: rubrics that grade a group at once
(refused), environments whose own code asks the model (`state["client"]`) beside the turns, sandboxes, judges
over the network. A reward function that raises earns 0: verifiers catches it.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from types import SimpleNamespace
from typing import Any

import verifiers as vf
from verifiers.clients import Client
from verifiers.types import Response, ResponseMessage, ToolCall

from distrl.envs.contract import RewardError
from distrl.envs.interop.messages import openai_tool, read_message
from distrl.envs.interop.session import Action, End, Turn, after_assistant

CUT_OFF = ("max_turns_reached", "max_total_completion_tokens_reached", "prompt_too_long", "timeout_reached")
MODEL = "distrl"


def load(name: str, args: dict[str, Any]) -> LegacySource:
    """The environment that module `name` builds from `args`. ValueError when that does not work."""
    # Environment takes SIGINT and SIGTERM for itself when it is built. They belong to the process's owner,
    # and outside the main thread taking them fails; so that module gets a signal module that takes none.
    keep = SimpleNamespace(**{**vars(signal), "signal": lambda *_: None})
    sys.modules[vf.Environment.__module__].signal = keep  # type: ignore[attr-defined]
    try:
        env = vf.load_environment(name, **args)
    except Exception as error:
        raise ValueError(f"verifiers/{name}: {' '.join(str(error).split())}") from error
    if env.rubric.has_group_rewards:
        raise ValueError(f"verifiers/{name}: its rubric grades whole groups, which distrl does not offer it")
    return LegacySource(name, env)


class LegacySource:
    """Rows of the data set, sessions of the environment."""

    def __init__(self, name: str, env: Any) -> None:
        self.name = name
        self._env = env

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Training rows, and evaluation rows where the environment has its own."""
        env = self._env
        if env.build_dataset() is None:
            return {"train": [], "heldout": _json_rows(env.get_eval_dataset())}
        rows = {"train": _json_rows(env.get_dataset())}
        if env.build_eval_dataset() is not None:
            rows["heldout"] = _json_rows(env.get_eval_dataset())
        return rows

    def session(self, row: dict[str, Any], max_turns: int) -> LegacySession:
        """A session on one row; the turn limit is the environment's own."""
        return LegacySession(self.name, self._env, row)


def _json_rows(data: Any) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(row, default=str)) for row in data]


class ActionClient(Client):
    """Stands where the model's client stands: requests go to `asked`, answers come from `answers`."""

    def __init__(self) -> None:
        super().__init__(None)
        self.asked: asyncio.Queue[tuple[Any, Any]] = asyncio.Queue()
        self.answers: asyncio.Queue[Action] = asyncio.Queue()

    def setup_client(self, config: Any) -> Any:
        return None

    async def to_native_tool(self, tool: Any) -> Any:
        return openai_tool(tool)

    async def to_native_prompt(self, messages: Any) -> tuple[Any, dict[str, Any]]:
        return [read_message(m) for m in messages], {}

    async def get_native_response(
        self, prompt: Any, model: str, sampling_args: Any, tools: Any = None, **kwargs: Any
    ) -> Action:
        self.asked.put_nowait((prompt, tools or []))
        return await self.answers.get()

    async def raise_from_native_response(self, response: Any) -> None:
        """An action is never an error."""

    async def from_native_response(self, response: Action) -> Any:
        calls = [ToolCall(**vars(call)) for call in response.message.tool_calls]
        message = ResponseMessage(
            content=response.content,
            tool_calls=calls or None,
            finish_reason="tool_calls" if calls else "stop",
            is_truncated=False,
        )
        return Response(id="action", created=int(time.time()), model=MODEL, message=message)

    async def close(self) -> None:
        """Holds nothing."""


class LegacySession:
    """One rollout as a task of the loop; it waits in ActionClient for each action."""

    def __init__(self, name: str, env: Any, row: dict[str, Any]) -> None:
        self._name = name
        self._env = env
        self._row = row
        self._client: ActionClient
        self._rollout: asyncio.Task[Any] | None = None

    async def open(self) -> Turn:
        self._client = ActionClient()
        rollout = self._env.rollout(self._row, client=self._client, model=MODEL, sampling_args={})
        self._rollout = asyncio.ensure_future(rollout)
        turn = await self._next()
        if turn.end is not None:
            raise ValueError(f"verifiers/{self._name}: the rollout ended before the model was asked")
        return turn

    async def answer(self, action: Action) -> Turn:
        self._client.answers.put_nowait(action)
        turn = await self._next()
        return Turn(messages=after_assistant(turn.messages), tools=turn.tools, end=turn.end)

    async def close(self) -> None:
        if self._rollout is not None and not self._rollout.done():
            self._rollout.cancel()
            await asyncio.wait([self._rollout])

    def __del__(self) -> None:
        """An episode that nobody closed must not leave its rollout waiting for ever."""
        if not sys.is_finalizing() and self._rollout is not None and not self._rollout.done():
            self._rollout.get_loop().call_soon_threadsafe(self._rollout.cancel)

    async def _next(self) -> Turn:
        """The next request for an assistant message, or the end."""
        assert self._rollout is not None
        asked = asyncio.ensure_future(self._client.asked.get())
        await asyncio.wait({asked, self._rollout}, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            prompt, tools = asked.result()
            return Turn(messages=prompt, tools=tools)
        asked.cancel()
        return await self._settle(self._rollout.result())

    async def _settle(self, state: Any) -> Turn:
        rubric = self._env.rubric
        if (error := state["error"]) is not None:
            await rubric.cleanup(state)
            raise RewardError(f"verifiers/{self._name}: the rollout failed: {error!r}") from error
        await rubric.score_rollout(state)
        await rubric.cleanup(state)
        reward = float(state["reward"])
        condition = state.get("stop_condition")
        # An environment of one turn ends by its turn limit: that is its own end.
        own_end = condition == "max_turns_reached" and self._env.max_turns == 1
        end = End(
            reward=reward,
            parts={"rubric": reward},
            metrics={name: float(value) for name, value in (state["metrics"] or {}).items()},
            truncated=condition in CUT_OFF and not own_end,
        )
        completion = [read_message(m) for m in state["completion"] or []]
        return Turn(messages=completion, end=end)
