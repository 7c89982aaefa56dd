"""A distrl environment in verifiers' legacy shape: a MultiTurnEnv with a data set and a rubric.

tasks -> [data set rows] -> verifiers.MultiTurnEnv [setup_state, env_response -> TextEnv.step] -> [Rubric]

Imported only when the installed verifiers has the legacy shape.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import pyarrow as pa
import verifiers as vf
from datasets import Dataset
from datasets.table import InMemoryTable

from distrl.envs.contract import Task
from distrl.envs.interop.messages import flat_tool, read_task, task_json
from distrl.envs.interop.to_verifiers import EnvSpec, Episode, Result

EPISODE = "distrl_episode"  # the rollout's own Episode in verifiers' state
RESULT = "distrl_result"  # its Result, once it is over


def build(spec: EnvSpec) -> DistrlLegacyEnv:
    """The environment of `spec`, with the held-out tasks as its evaluation data."""
    train = spec.tasks()
    heldout = train if spec.path else spec.tasks("heldout")  # a file keeps nothing apart
    return DistrlLegacyEnv(spec, rows_of(spec, train), rows_of(spec, heldout))


def rows_of(spec: EnvSpec, tasks: Any) -> list[dict[str, Any]]:
    """Data rows: prompt (chat messages), answer (what the task calls its answer, or empty) and info.

    `info` is JSON text: {"distrl": the task as JSON text, "tool_defs": the tools}.
    """
    return [_row(spec, task, example_id) for example_id, task in enumerate(tasks)]


def _row(spec: EnvSpec, task: Task, example_id: int) -> dict[str, Any]:
    episode = Episode(spec, task)
    info = {"distrl": task_json(task), "tool_defs": [flat_tool(tool) for tool in episode.tools]}
    answer = task.payload.get("answer", "")
    return {
        "example_id": example_id,
        "prompt": [{"role": m.role, "content": m.content} for m in episode.opening],
        "answer": answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False),
        "info": json.dumps(info, ensure_ascii=False),
    }


def data_set(rows: list[dict[str, Any]]) -> Dataset:
    """Rows as a data set whose fingerprint is the hash of its content.

    `Dataset.from_list` hashes by pickling the table, which datasets 5.2 cannot do under pyarrow 26.
    """
    fingerprint = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
    return Dataset(InMemoryTable(pa.Table.from_pylist(rows)), fingerprint=fingerprint)


class DistrlRubric(vf.Rubric):
    """The reward that the episode itself gave; its parts and metrics stand beside it with no weight."""

    def __init__(self) -> None:
        super().__init__(funcs=[distrl_reward])

    async def score_rollout(self, state: Any) -> None:
        await super().score_rollout(state)
        _add_signals(state)

    async def score_group(self, states: Any) -> None:
        await super().score_group(states)
        for state in states:
            _add_signals(state)


def distrl_reward(state: Any) -> float:
    """The episode's reward; 0 when the rollout broke off before the episode's end."""
    result: Result | None = state.get(RESULT)
    return result.reward if result else 0.0


def _add_signals(state: Any) -> None:
    if result := state.get(RESULT):
        state["metrics"] = {**(state["metrics"] or {}), **result.signals()}


class DistrlLegacyEnv(vf.MultiTurnEnv):
    """Each rollout has an environment of its own; the episode's end ends the rollout."""

    def __init__(self, spec: EnvSpec, rows: list[dict[str, Any]], heldout: list[dict[str, Any]]) -> None:
        super().__init__(
            dataset=data_set(rows),
            eval_dataset=data_set(heldout),
            rubric=DistrlRubric(),
            max_turns=-1,  # the environment has its own turn limit
            env_id=spec.env_id,
        )
        self.spec = spec

    async def setup_state(self, state: Any, **kwargs: Any) -> Any:
        task = read_task(state["info"]["distrl"])
        state[EPISODE] = await asyncio.to_thread(Episode, self.spec, task)
        state[RESULT] = None
        return state

    async def env_response(self, messages: Any, state: Any, **kwargs: Any) -> Any:
        """Step on the last message. At the end, what the environment added is the final response."""
        episode: Episode = state[EPISODE]
        try:
            added = await asyncio.to_thread(episode.answer, messages[-1])
        except Exception as error:
            raise vf.Error(f"{self.spec.env_id}: {type(error).__name__}: {error}") from error
        if episode.result is not None:
            state[RESULT] = episode.result
            state["final_env_response"] = added
        return added
