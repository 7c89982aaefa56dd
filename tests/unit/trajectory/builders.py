"""Small trajectories for the tests of this folder."""

from __future__ import annotations

from distrl.envs.contract import Message, Task, ToolCall, ToolEvent
from distrl.trajectory.records import GroupLease, Status, Trajectory, Turn


def turn(index: int, prompt: int, sampled: int, version: int = 0) -> Turn:
    return Turn(
        index=index,
        prompt_ids_added=tuple(range(10, 10 + prompt)),
        response_ids=tuple(range(100, 100 + sampled)),
        logprobs=tuple(-0.25 * (k + 1) for k in range(sampled)),
        versions=(version,) * sampled,
        stop_reason="stop",
    )


def trajectory(
    group_id: str = "g",
    *,
    attempt: int = 0,
    index: int = 0,
    reward: float = 0.0,
    status: Status = Status.SUBMITTED,
    version: int = 0,
    error: str = "",
) -> Trajectory:
    return Trajectory(
        id=f"{group_id}.{attempt}.{index}",
        group_id=group_id,
        attempt=attempt,
        task_id="task",
        env="env",
        seed=index,
        turns=(turn(0, 5, 3, version), turn(1, 2, 4, version)),
        messages=(
            Message(role="user", content="hi"),
            Message(role="assistant", content="", tool_calls=(ToolCall(id="c", name="f", arguments="{}"),)),
            Message(role="tool", content="1", tool_call_id="c", name="f"),
        ),
        tool_events=(ToolEvent(turn=0, name="f", arguments="{}", output="1", ok=True, kind="READ"),),
        reward=reward,
        reward_parts={"right": reward},
        status=status,
        error=error,
        metrics={"whole": reward},
        seconds={"engine": 0.5},
    )


def group(group_id: str, rewards: list[float], *, attempt: int = 0, version: int = 0) -> list[Trajectory]:
    return [
        trajectory(group_id, attempt=attempt, index=i, reward=r, version=version)
        for i, r in enumerate(rewards)
    ]


def lease(group_id: str, *, rows: int = 2, attempt: int = 0, purpose: str = "train") -> GroupLease:
    return GroupLease(
        group_id=group_id,
        attempt=attempt,
        task=Task(id="task", env="env", split="train", payload={}),
        seeds=tuple(range(rows)),
        temperature=1.0,
        purpose=purpose,
    )
