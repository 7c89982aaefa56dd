"""A distrl environment in verifiers' v1 shape: a taskset, a harness that plays it, and the env with both.

tasks -> [DistrlTaskset] -> [DistrlHarness: model's endpoint <-> TextEnv.step] -> trace -> [DistrlTask]

Imported only when the installed verifiers has the v1 shape. The harness runs in this process: it starts no
program and needs no container.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import httpx
import verifiers.v1 as vf
from pydantic import Field

from distrl.envs.interop.messages import plain, read_task, task_json
from distrl.envs.interop.to_verifiers import DEFAULT_ENV, DEFAULT_EXAMPLES, EnvSpec, Episode

PLUGIN = "distrl"  # the importable module that exports the classes below to verifiers' loaders
KEY = "distrl"  # where the trace's info keeps the episode's result


class DistrlTasksetConfig(vf.TasksetConfig):
    """EnvSpec's fields, set with `--env.taskset.FIELD`."""

    id: str = PLUGIN
    env_id: str = DEFAULT_ENV
    reward: str = ""
    split: str = "train"
    num_examples: int = DEFAULT_EXAMPLES
    seed: int = 0
    path: str = ""
    options: dict[str, Any] = Field(default_factory=dict)

    def spec(self) -> EnvSpec:
        """The plain values."""
        return EnvSpec(**{name: getattr(self, name) for name in EnvSpec.__dataclass_fields__})


class DistrlTaskData(vf.TaskData):
    """A row: the opening messages as prompt, our task as JSON text, and the environment that plays it."""

    distrl_task: str
    distrl_spec: dict[str, Any]


class DistrlTask(vf.Task[DistrlTaskData]):
    """Scored by what the episode left in the trace."""

    @vf.reward
    async def distrl_reward(self, trace: vf.Trace) -> float:
        """The episode's reward; 0 when the run ended before the episode did."""
        result = trace.info.get(KEY)
        return float(result["reward"]) if result else 0.0

    @vf.metric
    async def distrl_metrics(self, trace: vf.Trace) -> dict[str, float]:
        """Reward parts (`part/NAME`) and metrics."""
        result = trace.info.get(KEY)
        return dict(result["signals"]) if result else {}


class DistrlTaskset(vf.Taskset[DistrlTask, DistrlTasksetConfig]):
    """The tasks of one distrl environment."""

    def load(self) -> Iterable[DistrlTask]:
        spec = self.config.spec()
        for task in spec.tasks():
            opening = Episode(spec, task).opening
            data = DistrlTaskData(
                id=task.id,
                prompt=[{"role": m.role, "content": m.content} for m in opening],
                distrl_task=task_json(task),
                distrl_spec=asdict(spec),
            )
            yield DistrlTask(data, self.config.task)


class DistrlHarnessConfig(vf.HarnessConfig):
    """No settings of its own."""

    id: str = PLUGIN


class DistrlHarness(vf.Harness[DistrlHarnessConfig]):
    """Asks the model, steps the environment on its answer, hands back what the environment added."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

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
        """One episode. A refused or failed model call ends the run with the server's text."""
        episode = await asyncio.to_thread(Episode, EnvSpec(**data.distrl_spec), read_task(data.distrl_task))
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages += [{key: plain(m)[key] for key in ("role", "content")} for m in prompt]
        tools = {"tools": episode.tools} if episode.tools else {}
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(headers=headers, timeout=None) as client:  # noqa: S113, verifiers bounds it
            while episode.result is None:
                body = {"model": ctx.model, "messages": messages, **tools}
                reply = await client.post(f"{endpoint}/chat/completions", json=body)
                if reply.status_code != httpx.codes.OK:
                    return vf.ProgramResult(exit_code=1, stdout="", stderr=reply.text)
                assistant = reply.json()["choices"][0]["message"]
                messages += [assistant, *await asyncio.to_thread(episode.answer, assistant)]
        trace.info[KEY] = {"reward": episode.result.reward, "signals": episode.result.signals()}
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class DistrlEnvConfig(vf.EnvConfig):
    """One seat, played in this process."""

    # A temporary folder; verifiers' default would be a remote sandbox. Its harness is the taskset's, ours.
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class DistrlEnv(vf.Env[DistrlEnvConfig]):
    """One agent plays one task."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)


def build(spec: EnvSpec) -> DistrlEnv:
    """The env of `spec`, made as verifiers' own loaders make it."""
    config = vf.resolve_env_config({"taskset": {"id": PLUGIN, **asdict(spec)}})
    return vf.load_environment(config)
