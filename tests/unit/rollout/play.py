"""A scripted environment and a scripted sampler for the tests of this folder."""

from __future__ import annotations

import time
from typing import Any

from distrl.engine.protocol import GenerateRequest, Generation
from distrl.envs.contract import Message, RewardError, Task, TextEnv, ToolEvent
from distrl.envs.toolkit import ToolFailure
from distrl.rollout.agent_loop import Budgets
from distrl.rollout.rendering import Renderer
from distrl.trajectory.records import GroupLease


class PlayEnv(TextEnv):
    """Does what the payload says: `turns`, `reward`, `fault` (at the last turn), `sleep_s`, `answer`."""

    closed = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.plan, self.turn, self.actions = options["task"].payload, 0, []
        if self.plan.get("fault") == "reset":
            raise KeyError("no such patient")
        messages = [Message(role="system", content="Be brief."), Message(role="user", content="Dose?")]
        return "Dose?", {"task_id": options["task"].id, "messages": messages, "tools": []}

    def step(self, action: str):
        self.turn += 1
        self.actions.append(action)
        time.sleep(self.plan.get("sleep_s", 0.0))
        last = self.turn == self.plan.get("turns", 1)
        if last:
            self._fail(self.plan.get("fault"))
        answer = self.plan.get("answer", "more")
        info: dict[str, Any] = {
            "assistant": Message(role="assistant", content=action),
            "messages": [] if last else [Message(role="tool", content=answer, name="f", tool_call_id="c")],
            "tool_events": [
                ToolEvent(turn=self.turn, name="f", arguments="{}", output=answer, ok=True, kind="READ")
            ],
        }
        if self.plan.get("fault") == "no_messages":
            del info["messages"]
        if last:
            info |= {"reward_parts": {"all": self.plan.get("reward", 1.0)}, "metrics": {"whole": 1.0}}
        truncated = last and self.plan.get("truncate", False)
        return answer, self.plan.get("reward", 1.0) if last else 0.0, last and not truncated, truncated, info

    def _fail(self, fault: str | None) -> None:
        if fault == "step":
            raise ZeroDivisionError("patient weighs nothing")
        if fault == "stop_iteration":
            raise StopIteration("odd")
        if fault == "exit":
            raise SystemExit(3)
        if fault == "reward":
            raise RewardError("cannot grade")
        if fault == "tool":
            raise ToolFailure("the tool does not end")

    def gold_actions(self, task: Task) -> list[str]:
        return task.payload["gold"]

    def close(self) -> None:
        type(self).closed += 1


class Replies:
    """Answers with the given turns (ids and stop reason, or an error) in order; keeps the requests."""

    def __init__(self, *replies: tuple[tuple[int, ...], str] | Exception, versions: int = 3) -> None:
        self.replies, self.requests, self.version = list(replies), [], versions

    async def generate(self, request: GenerateRequest) -> Generation:
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        ids, reason = reply
        kept = ids[: request.sampling.max_tokens]
        return Generation(
            request_id=request.request_id,
            ids=kept,
            logprobs=tuple(-0.5 - k for k in range(len(kept))),
            versions=(self.version,) * len(kept),
            stop_reason="length" if len(kept) < len(ids) else reason,
        )


def reply(renderer: Renderer, text: str) -> tuple[tuple[int, ...], str]:
    return renderer.encode_gold(text), "stop"


def lease(*, seeds: tuple[int, ...] = (5,), purpose: str = "train", **plan: Any) -> GroupLease:
    return GroupLease(
        group_id="g",
        attempt=0,
        task=Task(id="t", env="Play", split="train", payload=plan),
        seeds=seeds,
        temperature=0.7,
        purpose=purpose,
    )


def budgets(**changes: float) -> Budgets:
    plain = {
        "turn_tokens": 50,
        "episode_tokens": 200,
        "context_tokens": 1000,
        "episode_timeout_s": 5.0,
        "step_timeout_s": 2.0,
    }
    return Budgets(**{**plain, **changes})
