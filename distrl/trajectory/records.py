"""Records that cross actors: frozen, keyword-only, typed.

tasks -> EnvWorker[N] <-> Engine[M] -> [records as Arrow] -> Buffer -> Learner -> Weights -> (back)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from distrl.envs.contract import Message, Task, ToolEvent

# Rewards of a group that lie within this distance are equal: dividing by the standard deviation would
# otherwise turn rounding noise (about 1e-16 in float64, 1e-7 in stored float32) into advantages of size one.
EQUAL_REWARDS = 1e-6


class Status(StrEnum):
    """How an episode ended. A failed tool, a cut episode and a wrong answer are three different things."""

    SUBMITTED = "submitted"  # the environment said `terminated`
    MAX_TURNS = "max_turns"  # the environment said `truncated`
    LENGTH = "length"  # a token budget (turn, episode or context) ran out
    TOOL_FAILURE = "tool_failure"  # a tool failed beyond what an observation can tell
    ENV_ERROR = "env_error"  # the environment raised
    REWARD_ERROR = "reward_error"  # the reward raised or was not finite
    ABORTED = "aborted"  # the engine or the run gave it up

    @property
    def is_error(self) -> bool:
        """True when the episode says nothing about the policy: it stays outside baseline and gradient."""
        return self in (Status.TOOL_FAILURE, Status.ENV_ERROR, Status.REWARD_ERROR, Status.ABORTED)

    @property
    def is_cut(self) -> bool:
        """True when a budget, not the policy, ended the episode."""
        return self in (Status.MAX_TURNS, Status.LENGTH)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One assistant turn exactly as the engine sampled it.

    `prompt_ids_added` are the ids appended to the context before sampling: the whole prompt for turn 0,
    later the rendered observation and the generation prompt. `versions[k]` is the policy version that
    sampled `response_ids[k]`; `logprobs[k]` its log-probability under `temperature` (nats).
    """

    index: int
    prompt_ids_added: tuple[int, ...]
    response_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    versions: tuple[int, ...]
    stop_reason: str  # "stop" | "length" | "abort"

    def __post_init__(self) -> None:
        n = len(self.response_ids)
        if not n == len(self.logprobs) == len(self.versions):
            raise ValueError(
                f"turn {self.index}: {n} sampled ids, {len(self.logprobs)} logprobs,"
                f" {len(self.versions)} versions"
            )


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """One episode: its tokens (the record), its messages (for people) and its reward in named parts."""

    id: str
    group_id: str
    attempt: int
    task_id: str
    env: str
    seed: int
    turns: tuple[Turn, ...]
    messages: tuple[Message, ...]
    tool_events: tuple[ToolEvent, ...]
    reward: float
    reward_parts: dict[str, float]
    status: Status
    temperature: float = 1.0
    error: str = ""
    metrics: dict[str, float] = field(default_factory=dict)  # the environment's facts worth averaging
    reward_reasons: tuple[str, ...] = ()  # lines "part: why", for people
    seconds: dict[str, float] = field(default_factory=dict)  # "engine", "env": seconds spent there

    def ids(self) -> list[int]:
        """All ids in order: prompt, response, observation, response, …"""
        return [i for t in self.turns for i in (*t.prompt_ids_added, *t.response_ids)]

    def loss_mask(self) -> list[bool]:
        """True at sampled ids only; same length as `ids()`."""
        out: list[bool] = []
        for t in self.turns:
            out += [False] * len(t.prompt_ids_added) + [True] * len(t.response_ids)
        return out

    def logprobs(self) -> list[float]:
        """Behaviour log-probabilities aligned with `ids()`; 0.0 at positions that were not sampled."""
        out: list[float] = []
        for t in self.turns:
            out += [0.0] * len(t.prompt_ids_added) + list(t.logprobs)
        return out

    @property
    def sampled_tokens(self) -> int:
        return sum(len(t.response_ids) for t in self.turns)


@dataclass(frozen=True, kw_only=True)
class GroupLease:
    """The right to run one group: one task, one episode a seed, one worker.

    `purpose` is "train", "gold" (play the task's gold actions, for supervised steps) or "eval".
    `temperature` 0 is greedy. `attempt` rises when a lost group is issued again.
    """

    group_id: str
    attempt: int
    task: Task
    seeds: tuple[int, ...]
    temperature: float
    purpose: str = "train"
