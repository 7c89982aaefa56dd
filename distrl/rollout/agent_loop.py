"""One episode: prompt, sample, step, observe, until the environment or a budget ends it.

tasks -> EnvWorker[N: [episode] <-> Engine[M]] -> Buffer -> Learner -> Weights -> (back)

Every sampled text is judged by the environment, also one that a budget cut. Three token budgets: `turn` ends
the turn and the episode goes on; `episode` and `context` leave no room for another turn and end it with
LENGTH, as does an environment that ends on a turn that was cut. `metrics` counts them: `cut_turn`,
`cut_episode`, `cut_context`. An episode that the environment did not end has the rewards of its steps so far.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from distrl.engine.protocol import EngineError, GenerateRequest, Generation, Sampling
from distrl.envs.contract import Message, RewardError, TextEnv, ToolEvent
from distrl.envs.toolkit import ToolFailure
from distrl.rollout.env_thread import EnvThread, StepTimeout
from distrl.rollout.rendering import Renderer, RenderError
from distrl.trajectory.records import GroupLease, Status, Trajectory, Turn

MAX_ERROR_CHARS = 500
STEP_TIMEOUT_S = 60.0  # above every tool's own time limit: passing it means that the environment hangs
_UNLIMITED = 2**31 - 1
_SEED_STRIDE = 7919  # a prime above any number of turns, so that no two turns of a seed share a sampling seed


class Sampler(Protocol):
    """The part of an engine that an episode uses."""

    async def generate(self, request: GenerateRequest) -> Generation: ...


@dataclass(frozen=True, kw_only=True)
class Budgets:
    """Limits of one episode. Tokens are sampled ones, but `context_tokens`: prompt and response together."""

    turn_tokens: int
    episode_tokens: int
    context_tokens: int
    episode_timeout_s: float
    step_timeout_s: float = STEP_TIMEOUT_S


def sampling_seed(seed: int, turn: int) -> int:
    """The sampling seed (31 bits) of a turn in the episode whose seed is `seed`."""
    return (seed * _SEED_STRIDE + turn) % 2**31


class _Ended(Exception):
    """The episode is over for a reason that says nothing about the policy."""

    def __init__(self, status: Status, error: str) -> None:
        super().__init__(error)
        self.status = status


async def run_episode(
    make_env: Callable[[], TextEnv],
    engine: Sampler,
    renderer: Renderer,
    lease: GroupLease,
    index: int,
    budgets: Budgets,
    clock: Callable[[], float] = time.monotonic,
) -> Trajectory:
    """Plays episode `index` of the lease and returns its record, whatever happens (but cancellation).

    Consumes: a lease's task and seed.  Produces: one Trajectory.
    Waits for: the environment's thread, the engine.
    Unblocked by: their answers, `step_timeout_s`, `episode_timeout_s`.
    """
    episode = _Episode(engine, renderer, lease, index, budgets, clock)
    thread = EnvThread(f"episode {episode.id}")
    try:
        status, error = await episode.play(make_env, thread), ""
    except _Ended as ended:
        status, error = ended.status, str(ended)[:MAX_ERROR_CHARS]
    except Exception as odd:  # the border where an episode's error becomes an errored trajectory
        status, error = Status.ENV_ERROR, f"{type(odd).__name__}: {odd}"[:MAX_ERROR_CHARS]
    finally:
        thread.end(episode.close)
    return episode.record(status, error)


async def play_gold(
    make_env: Callable[[], TextEnv],
    renderer: Renderer,
    lease: GroupLease,
    index: int,
    timeout_s: float,
    clock: Callable[[], float] = time.monotonic,
) -> Trajectory:
    """The task's gold actions as a trajectory: stop token appended, log-probabilities 0, versions -1."""
    budgets = Budgets(
        turn_tokens=_UNLIMITED,
        episode_tokens=_UNLIMITED,
        context_tokens=_UNLIMITED,
        episode_timeout_s=timeout_s,
    )
    gold = _GoldSampler(renderer)

    def make_env_and_gold() -> TextEnv:
        env = make_env()
        gold.actions = list(env.gold_actions(lease.task))
        return env

    return await run_episode(make_env_and_gold, gold, renderer, lease, index, budgets, clock)


class _GoldSampler:
    """Answers with gold actions in order, in the place of an engine."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.actions: list[str] = []

    async def generate(self, request: GenerateRequest) -> Generation:
        if not self.actions:
            raise EngineError("the gold actions are used up, but the episode goes on")
        ids = self._renderer.encode_gold(self.actions.pop(0))
        return Generation(
            request_id=request.request_id,
            ids=ids,
            logprobs=(0.0,) * len(ids),
            versions=(-1,) * len(ids),
            stop_reason="stop",
        )


class _Episode:
    """What an episode has gathered so far, and the steps that add to it."""

    def __init__(
        self,
        engine: Sampler,
        renderer: Renderer,
        lease: GroupLease,
        index: int,
        budgets: Budgets,
        clock: Callable[[], float],
    ) -> None:
        self.id = f"{lease.group_id}.{lease.attempt}.{index}"
        self._engine, self._renderer, self._lease, self._index = engine, renderer, lease, index
        self._budgets, self._clock = budgets, clock
        self._deadline = clock() + budgets.episode_timeout_s
        self._env: TextEnv | None = None
        self._context: list[int] = []
        self._turns: list[Turn] = []
        self._messages: list[Message] = []
        self._events: list[ToolEvent] = []
        self._reward = 0.0
        self._parts: dict[str, float] = {}
        self._reasons: tuple[str, ...] = ()
        self._metrics = {"cut_turn": 0.0, "cut_episode": 0.0, "cut_context": 0.0}
        self._seconds = {"engine": 0.0, "env": 0.0}

    async def play(self, make_env: Callable[[], TextEnv], thread: EnvThread) -> Status:
        """The loop. Returns how the episode ended; raises _Ended for a reason beyond the policy."""
        lease, seed = self._lease, self._lease.seeds[self._index]
        self._env = env = await self._in_thread(thread, make_env, "making the environment")
        reset = partial(env.reset, seed=seed, options={"task": lease.task})
        _, info = await self._in_thread(thread, reset, "reset()")
        self._messages += info["messages"]
        conversation = self._renderer.conversation()
        added = self._rendered(partial(conversation.start, info["messages"], info.get("tools", ())))
        while True:
            room, budget = self._room(len(added))
            if room <= 0:
                return self._out_of_room(budget, len(added))
            generation = await self._sample(added, room)
            cut = generation.stop_reason == "length"
            if cut:
                self._metrics[f"cut_{budget}"] += 1
            text = conversation.answer(generation.ids)
            step = partial(env.step, text)
            _, reward, terminated, truncated, info = await self._in_thread(thread, step, "step()")
            self._observe(text, float(reward), info)
            if terminated or truncated:
                return Status.LENGTH if cut else Status.SUBMITTED if terminated else Status.MAX_TURNS
            added = self._rendered(partial(conversation.extend, info["messages"]))

    def close(self) -> None:
        """Closes the environment, in its thread."""
        if self._env is not None:
            self._env.close()

    def _room(self, added: int) -> tuple[int, str]:
        """Tokens that the next turn may sample, and the budget that says so (the widest name on a tie)."""
        sampled = sum(len(t.response_ids) for t in self._turns)
        rooms = {
            "context": self._budgets.context_tokens - len(self._context) - added,
            "episode": self._budgets.episode_tokens - sampled,
            "turn": self._budgets.turn_tokens,
        }
        budget = min(rooms, key=lambda name: rooms[name])
        return rooms[budget], budget

    def _out_of_room(self, budget: str, added: int) -> Status:
        if not self._turns:
            raise _Ended(
                Status.ABORTED,
                f"the prompt has {added} tokens and leaves no room: {budget}_tokens="
                f"{getattr(self._budgets, f'{budget}_tokens')}",
            )
        self._metrics[f"cut_{budget}"] += 1
        return Status.LENGTH

    async def _sample(self, added: Sequence[int], room: int) -> Generation:
        """One turn from the engine, booked exactly as it was sampled."""
        self._context += added
        index = len(self._turns)
        request = GenerateRequest(
            request_id=f"{self.id}.{index}",
            conversation_id=self.id,
            prompt_ids=tuple(self._context),
            sampling=Sampling(
                max_tokens=room,
                temperature=self._lease.temperature,
                stop_token_ids=self._renderer.stop_token_ids,
                seed=sampling_seed(self._lease.seeds[self._index], index),
            ),
        )
        started = self._clock()
        left_s = self._deadline - started
        try:
            generation = await asyncio.wait_for(self._engine.generate(request), timeout=max(0.0, left_s))
            turn = Turn(
                index=index,
                prompt_ids_added=tuple(added),
                response_ids=tuple(generation.ids),
                logprobs=tuple(generation.logprobs),
                versions=tuple(generation.versions),
                stop_reason=generation.stop_reason,
            )
        except TimeoutError as error:
            raise _Ended(
                Status.ABORTED, f"waited {left_s:.1f} s for the engine in turn {index}: {error}"
            ) from error
        except Exception as error:  # the border where an engine's failure becomes an errored trajectory
            raise _Ended(Status.ABORTED, f"turn {index}: {type(error).__name__}: {error}") from error
        finally:
            self._seconds["engine"] += self._clock() - started
        self._turns.append(turn)
        self._context += turn.response_ids
        if turn.stop_reason == "abort":
            raise _Ended(Status.ABORTED, f"the engine aborted turn {index}")
        return generation

    def _observe(self, text: str, reward: float, info: dict[str, Any]) -> None:
        self._messages += [info.get("assistant", Message(role="assistant", content=text)), *info["messages"]]
        self._events += info.get("tool_events", ())
        parts = {name: float(value) for name, value in info.get("reward_parts", {}).items()}
        if not all(map(math.isfinite, (reward, *parts.values()))):
            raise _Ended(Status.REWARD_ERROR, f"the reward is not finite: {reward}, parts {parts}")
        self._reward += reward
        self._parts = parts
        self._reasons = tuple(str(line) for line in info.get("reward_reasons", ()))
        self._metrics |= {name: float(value) for name, value in info.get("metrics", {}).items()}

    def _rendered(self, render: Callable[[], tuple[int, ...]]) -> tuple[int, ...]:
        try:
            return render()
        except RenderError as error:
            raise _Ended(Status.ABORTED, f"RenderError: {error}") from error

    async def _in_thread(self, thread: EnvThread, function: Callable[[], Any], what: str) -> Any:
        """Runs a call into the environment; its failures become this episode's status."""
        started = self._clock()
        limit_s = min(self._budgets.step_timeout_s, self._deadline - started)
        try:
            return await thread.call(function, what, limit_s)
        except RewardError as error:
            raise _Ended(Status.REWARD_ERROR, str(error)) from error
        except (ToolFailure, StepTimeout) as error:
            raise _Ended(Status.TOOL_FAILURE, str(error)) from error
        except Exception as error:  # the border where an environment's error becomes an errored trajectory
            raise _Ended(Status.ENV_ERROR, f"{what}: {type(error).__name__}: {error}") from error
        finally:
            self._seconds["env"] += self._clock() - started

    def record(self, status: Status, error: str) -> Trajectory:
        lease = self._lease
        return Trajectory(
            id=self.id,
            group_id=lease.group_id,
            attempt=lease.attempt,
            task_id=lease.task.id,
            env=lease.task.env,
            seed=lease.seeds[self._index],
            turns=tuple(self._turns),
            messages=tuple(self._messages),
            tool_events=tuple(self._events),
            reward=0.0 if status.is_error else self._reward,
            reward_parts=self._parts,
            reward_reasons=self._reasons,
            status=status,
            temperature=1.0 if lease.purpose == "gold" else lease.temperature,
            error=error,
            metrics=self._metrics,
            seconds=self._seconds,
        )
