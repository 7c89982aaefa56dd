"""A v1 verifiers taskset over small sums, with a tool whose state is the trace's."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import verifiers.v1 as vf

__all__ = ["SumTaskset"]


class SumData(vf.TaskData):
    answer: str
    gold_actions: list[str]


class SumState(vf.State):
    calls: int = 0


class SumToolset(vf.Toolset[vf.ToolsetConfig, SumState]):
    TOOL_PREFIX = None

    @vf.tool
    def add(self, a: int, b: int) -> str:
        """Sum of two numbers."""
        self.state.calls += 1
        return str(a + b)


class SumTask(vf.Task[SumData, SumState]):
    @classmethod
    def toolsets(cls, config: Any) -> list[Any]:
        return [SumToolset(vf.ToolsetConfig())]

    @vf.stop
    async def gave_up(self, trace: vf.Trace) -> bool:
        return trace.assistant_messages[-1].content == "I give up"

    @vf.reward(weight=0.75)
    async def exact(self, trace: vf.Trace) -> float:
        return float((trace.assistant_messages[-1].content or "").strip() == self.data.answer)

    @vf.reward(weight=0.25)
    async def used_tool(self, trace: vf.Trace) -> float:
        return float(trace.state.calls > 0)

    @vf.metric
    async def calls(self, trace: vf.Trace) -> float:
        return float(trace.state.calls)


class SumConfig(vf.TasksetConfig):
    count: int = 12
    image: str | None = None


class SumTaskset(vf.Taskset[SumTask, SumConfig]):
    def load(self) -> Iterable[SumTask]:
        for number in range(self.config.count):
            answer = str(number + 1)
            call = json.dumps({"name": "add", "arguments": {"a": number, "b": 1}})
            data = SumData(
                prompt=f"What is {number} + 1?",
                system_prompt="Use the tool.",
                answer=answer,
                gold_actions=[f"<tool_call>{call}</tool_call>", answer],
                image=self.config.image,
            )
            yield SumTask(data, self.config.task)
