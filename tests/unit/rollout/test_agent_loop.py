"""One episode: what is recorded, which budget ends it, and what each failure is called."""

from __future__ import annotations

import asyncio
import math
import time

import pytest
from play import PlayEnv, Replies, budgets, lease, reply

from distrl.engine.protocol import EngineError, GenerateRequest, Generation
from distrl.rollout.agent_loop import play_gold, run_episode
from distrl.rollout.rendering import Renderer
from distrl.trajectory.arrow import from_table, to_table, validate
from distrl.trajectory.records import GroupLease, Status, Trajectory


async def episode(
    renderer: Renderer, engine: Replies, group: GroupLease, index: int = 0, **limits: float
) -> Trajectory:
    done = await run_episode(PlayEnv, engine, renderer, group, index, budgets(**limits))
    assert validate(to_table([done])) == 0
    assert from_table(to_table([done]))[0].ids() == done.ids()
    return done


async def test_the_record_is_what_was_sampled_and_prompts_extend_it(renderer: Renderer) -> None:
    """Sampled ids that no text encodes to, and a turn cut by its budget, stand in the record unchanged."""
    odd = tuple(renderer.encode_plain("t") + renderer.encode_plain("h"))  # "th" has an id of its own
    assert renderer.encode_plain("th") != odd
    engine = Replies((odd, "stop"), ((60, 61, 62, 63), "length"), reply(renderer, "done"))
    done = await episode(renderer, engine, lease(turns=3), turn_tokens=3)
    assert done.status is Status.LENGTH, "the last turn was cut by its budget too"
    assert [t.response_ids for t in done.turns][:2] == [odd, (60, 61, 62)]
    for earlier, later in zip(engine.requests, engine.requests[1:], strict=False):
        answer = done.turns[engine.requests.index(earlier)].response_ids
        assert later.prompt_ids[: len(earlier.prompt_ids) + len(answer)] == (*earlier.prompt_ids, *answer)
    ids, mask, logprobs = done.ids(), done.loss_mask(), done.logprobs()
    assert [i for i, m in zip(ids, mask, strict=True) if m] == [i for t in done.turns for i in t.response_ids]
    assert all(p == 0.0 for p, m in zip(logprobs, mask, strict=True) if not m)
    assert all(p != 0.0 for p, m in zip(logprobs, mask, strict=True) if m)
    assert tuple(ids[: len(engine.requests[-1].prompt_ids)]) == engine.requests[-1].prompt_ids


async def test_an_episode_that_ends_has_its_reward_parts_metrics_and_messages(renderer: Renderer) -> None:
    engine = Replies(reply(renderer, "first"), reply(renderer, "second"))
    closed = PlayEnv.closed
    done = await episode(renderer, engine, lease(turns=2, reward=0.75), index=0)
    assert (done.status, done.reward, done.reward_parts) == (Status.SUBMITTED, 0.75, {"all": 0.75})
    assert done.metrics == {"whole": 1.0, "cut_turn": 0.0, "cut_episode": 0.0, "cut_context": 0.0}
    roles = [(m.role, m.content) for m in done.messages]
    assert roles[2:] == [("assistant", "first"), ("tool", "more"), ("assistant", "second")]
    assert len(done.tool_events) == 2 and done.seed == 5 and done.temperature == pytest.approx(0.7)
    assert {v for t in done.turns for v in t.versions} == {3}
    conversations = {r.conversation_id for r in engine.requests}
    assert len(conversations) == 1 and len({r.request_id for r in engine.requests}) == 2
    assert len({r.sampling.seed for r in engine.requests}) == 2
    assert all(r.sampling.stop_token_ids == renderer.stop_token_ids for r in engine.requests)
    for _ in range(100):
        if PlayEnv.closed > closed:
            break
        await asyncio.sleep(0.01)
    assert PlayEnv.closed == closed + 1


async def test_truncated_is_not_terminated(renderer: Renderer) -> None:
    done = await episode(renderer, Replies(reply(renderer, "x")), lease(truncate=True))
    assert (done.status, done.reward) == (Status.MAX_TURNS, 1.0)


@pytest.mark.parametrize(
    ("limits", "budget", "turns"),
    [
        ({"turn_tokens": 3}, "cut_turn", 3),
        ({"episode_tokens": 12}, "cut_episode", 2),
        ({"context_tokens": 4}, "cut_context", 2),  # beyond the second turn's prompt
    ],
)
async def test_each_budget_ends_what_it_should(
    renderer: Renderer, limits: dict[str, int], budget: str, turns: int
) -> None:
    long = (tuple(range(60, 70)), "stop")
    if "context_tokens" in limits:
        free = Replies(long, long, long)
        await episode(renderer, free, lease(turns=3))
        limits = {"context_tokens": len(free.requests[1].prompt_ids) + limits["context_tokens"]}
    done = await episode(renderer, Replies(long, long, long), lease(turns=3), **limits)
    assert done.status is Status.LENGTH and not done.status.is_error
    assert len(done.turns) == turns and done.turns[-1].stop_reason == "length"
    cuts = {k: v for k, v in done.metrics.items() if k.startswith("cut_")}
    assert {k for k, v in cuts.items() if v} == {budget}
    limit = limits.get("episode_tokens", math.inf)
    assert done.sampled_tokens <= limit and len(done.ids()) <= limits.get("context_tokens", math.inf)
    assert done.sampled_tokens == limit or "episode_tokens" not in limits, "the tokens are kept"


async def test_an_observation_that_fills_the_context_ends_the_episode(renderer: Renderer) -> None:
    done = await episode(
        renderer, Replies(reply(renderer, "x")), lease(turns=2, answer="long " * 200), context_tokens=300
    )
    assert (done.status, len(done.turns), done.metrics["cut_context"]) == (Status.LENGTH, 1, 1.0)
    assert done.messages[-1].role == "tool", "people can still read why"


async def test_a_prompt_without_room_says_so(renderer: Renderer) -> None:
    done = await episode(renderer, Replies(), lease(), context_tokens=10)
    assert done.status is Status.ABORTED and "context_tokens=10" in done.error and done.ids() == []


@pytest.mark.parametrize(
    ("plan", "status", "words"),
    [
        ({"fault": "reset"}, Status.ENV_ERROR, "no such patient"),
        ({"fault": "step"}, Status.ENV_ERROR, "ZeroDivisionError: patient weighs nothing"),
        ({"fault": "stop_iteration"}, Status.ENV_ERROR, "odd"),
        ({"fault": "exit"}, Status.ENV_ERROR, "SystemExit: 3"),
        ({"fault": "no_messages"}, Status.ENV_ERROR, "KeyError: 'messages'"),
        ({"fault": "reward"}, Status.REWARD_ERROR, "cannot grade"),
        ({"reward": math.nan}, Status.REWARD_ERROR, "not finite"),
        ({"fault": "tool"}, Status.TOOL_FAILURE, "does not end"),
        ({"sleep_s": 0.5}, Status.TOOL_FAILURE, "step() did not return within 0.1 s"),
    ],
)
async def test_failures_of_the_environment_have_names(renderer: Renderer, plan, status, words) -> None:
    done = await episode(renderer, Replies(reply(renderer, "x")), lease(**plan), step_timeout_s=0.1)
    assert done.status is status and status.is_error and words in done.error
    assert done.reward == 0.0 and len(done.turns) == (plan.get("fault") != "reset")


class Silent:
    async def generate(self, request: GenerateRequest) -> Generation:
        await asyncio.sleep(60)
        raise AssertionError("the deadline comes first")


async def test_failures_of_the_engine_abort_the_episode(renderer: Renderer) -> None:
    done = await episode(renderer, Replies(EngineError("engine-0 is gone")), lease())
    assert done.status is Status.ABORTED and "EngineError: engine-0 is gone" in done.error
    done = await episode(renderer, Replies(((60, 61), "abort")), lease())
    assert done.status is Status.ABORTED and done.turns[0].response_ids == (60, 61), "tokens are kept"
    done = await episode(renderer, Silent(), lease(), episode_timeout_s=0.2)
    assert (
        done.status is Status.ABORTED and "waited 0." in done.error and "the engine in turn 0" in done.error
    )


async def test_a_slow_environment_stalls_only_itself(renderer: Renderer) -> None:
    started = time.monotonic()
    slow = [episode(renderer, Replies(reply(renderer, "x")), lease(sleep_s=0.3)) for _ in range(4)]
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticker = asyncio.create_task(tick())
    done = await asyncio.gather(*slow)
    ticker.cancel()
    assert all(d.status is Status.SUBMITTED for d in done)
    wall_s = time.monotonic() - started
    assert wall_s < 0.75 * sum(d.seconds["env"] for d in done), "one after the other would take the sum"
    assert ticks > 5
    assert all(d.seconds["env"] >= 0.3 for d in done)


async def test_gold_actions_become_a_trajectory_without_behaviour(renderer: Renderer) -> None:
    gold = lease(purpose="gold", turns=2, gold=["call <|im_end|>", "answer"])
    done = await play_gold(PlayEnv, renderer, gold, 0, timeout_s=5.0)
    assert (done.status, done.reward, done.temperature) == (Status.SUBMITTED, 1.0, 1.0)
    assert [renderer.decode(t.response_ids) for t in done.turns] == ["call <|im_end|>", "answer"]
    assert all(t.response_ids.count(renderer.close_id) == 1 for t in done.turns)
    assert {v for t in done.turns for v in t.versions} == {-1}
    assert {p for t in done.turns for p in t.logprobs} == {0.0}
    short = await play_gold(PlayEnv, renderer, lease(purpose="gold", turns=2, gold=["a"]), 0, timeout_s=5.0)
    assert short.status is Status.ABORTED and "gold actions are used up" in short.error
