"""verifiers' environments in distrl: their tasks, turns and scoring, on our contract."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from distrl.envs.checker import check_factory
from distrl.envs.contract import Message
from distrl.envs.interop.from_verifiers import VerifiersEnv, VerifiersTasks, make, read_action, task_source
from distrl.envs.interop.session import after_assistant
from distrl.envs.interop.versions import installed_shapes

SHAPES = installed_shapes()
MCP_2 = "v1" in SHAPES and "legacy" not in SHAPES  # taskset tools need the mcp that verifiers 0.4 brings
needs_legacy = pytest.mark.skipif("legacy" not in SHAPES, reason="verifiers 0.3 (legacy) is not installed")
needs_v1 = pytest.mark.skipif(not MCP_2, reason="verifiers 0.4 (v1) is not installed")
KINDS = [
    pytest.param("legacy_sums", {"kind": "single"}, marks=needs_legacy),
    pytest.param("legacy_sums", {"kind": "tool"}, marks=needs_legacy),
    pytest.param("v1_sums", {}, marks=needs_v1),
]
CALL = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 1}}</tool_call>'


class FewRows:
    """A source of numbered rows; it has no sessions."""

    def __init__(self, train: int, heldout: range | None = None) -> None:
        self.train, self.heldout = train, heldout

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        rows = {"train": [{"n": i, "example_id": i} for i in range(self.train)]}
        if self.heldout is not None:
            rows["heldout"] = [{"n": i, "example_id": 0} for i in self.heldout]
        return rows

    def session(self, row: dict[str, Any], max_turns: int) -> Any:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def _close_envs() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


OPEN: list[VerifiersEnv] = []


def opened(name: str, options: dict[str, Any]) -> VerifiersEnv:
    env = make(f"verifiers/{name}", "rubric", options)
    OPEN.append(env)
    return env


# Without verifiers


def test_missing_verifiers_is_one_line_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", None)
    for build in (
        lambda: make("verifiers/any", "rubric", {}),
        lambda: task_source("verifiers/any", "", 0.1, {}),
    ):
        with pytest.raises(
            ValueError, match=r'^verifiers is not installed: pip install "verifiers==0\.4\.\*"$'
        ):
            build()


def test_wrong_reward_option_or_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"it scores itself: set env\.reward=rubric"):
        make("verifiers/any", "graded", {})
    with pytest.raises(ValueError, match="unknown key 'arg'; did you mean 'args'"):
        make("any", "rubric", {"arg": {}})
    with pytest.raises(ValueError, match="max_turns=0 must be at least 1"):
        make("any", "rubric", {"max_turns": 0})
    with pytest.raises(ValueError, match=r"leave data\.path='x' empty"):
        task_source("any", "x", 0.1, {})


def test_splits_never_overlap_whether_rows_are_kept_apart_or_drawn() -> None:
    for source in (FewRows(200), FewRows(200, range(150, 250))):
        tasks = VerifiersTasks("verifiers/few", source, 0.25)
        train, held = ({t.id for t in tasks.tasks(split, 0, 0)} for split in ("train", "heldout"))
        assert not train & held
        assert 30 < len(held) < 70
        assert len(train) + len(held) in (200, 250)
        assert tasks.tasks("test", 0, 0) == []


def test_same_seed_gives_the_same_tasks_and_another_seed_another_order() -> None:
    tasks = VerifiersTasks("verifiers/few", FewRows(50), 0.0)
    assert tasks.tasks("train", 10, 1) == tasks.tasks("train", 10, 1)
    assert tasks.tasks("train", 10, 1) != tasks.tasks("train", 10, 2)
    with pytest.raises(ValueError, match="unknown split 'tran'"):
        tasks.tasks("tran", 1, 0)


def test_text_without_calls_or_without_tools_stays_as_written() -> None:
    for text, has_tools in (("<think>a</think> b", True), (CALL, False)):
        action = read_action(text, 0, has_tools=has_tools)
        assert action.content == text
        assert action.message.tool_calls == ()


def test_calls_leave_the_content_and_thinking_stays_in_it() -> None:
    action = read_action(f"<think>sum</think>I add.{CALL}", 2, has_tools=True)
    assert action.content == "<think>\nsum\n</think>\nI add."
    assert [(c.id, c.name) for c in action.message.tool_calls] == [("call_2_0", "add")]


def test_only_messages_behind_the_last_assistant_message_are_new() -> None:
    messages = [Message(role=r, content=str(i)) for i, r in enumerate(("user", "assistant", "tool", "user"))]
    assert [m.content for m in after_assistant(messages)] == ["2", "3"]
    assert after_assistant(messages[:1]) == messages[:1]


# With verifiers


@pytest.mark.parametrize(("name", "args"), KINDS)
def test_verifiers_environment_keeps_our_contract(name: str, args: dict[str, Any]) -> None:
    source = task_source(f"verifiers/{name}", "", 0.25, {"args": args})
    findings = check_factory(lambda: opened(name, {"args": args}), source, tasks=5)
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.parametrize(("name", "args"), KINDS)
def test_reward_is_what_verifiers_own_scoring_gives(name: str, args: dict[str, Any]) -> None:
    env = opened(name, {"args": args})
    task = task_source(name, "", 0.0, {"args": args}).tasks("train", 1, 0)[0]
    rewards = []
    for actions in (env.gold_actions(task), ["-1"]):
        env.reset(options={"task": task})
        steps = [env.step(action) for action in actions]
        assert [s[2] for s in steps] == [False] * (len(steps) - 1) + [True]
        parts = steps[-1][4]["reward_parts"]
        assert math.isclose(sum(parts.values()), steps[-1][1])
        rewards.append(steps[-1][1])
    assert rewards == [1.0, 0.0]


@pytest.mark.parametrize(("name", "args"), KINDS[1:])
def test_call_runs_the_tool_and_its_answer_is_the_observation(name: str, args: dict[str, Any]) -> None:
    env = opened(name, {"args": args})
    _, info = env.reset(seed=0)
    assert [t["function"]["name"] for t in info["tools"]] == ["add"]
    obs, reward, terminated, truncated, info = env.step(CALL)
    assert (obs, reward, terminated, truncated) == ("2", 0.0, False, False)
    assert [(e.name, e.output, e.ok) for e in info["tool_events"]] == [("add", "2", True)]
    _, _, _, _, info = env.step(CALL.replace("add", "sub"))
    assert [(e.name, e.ok) for e in info["tool_events"]] == [("sub", False)]


@pytest.mark.parametrize(("name", "args"), KINDS[1:])
def test_turn_limit_truncates(name: str, args: dict[str, Any]) -> None:
    env = opened(name, {"args": args} | ({"max_turns": 5} if name == "v1_sums" else {}))
    env.reset(seed=0)
    ends = [env.step(CALL)[2:4] for _ in range(5)]
    assert ends == [(False, False)] * 4 + [(False, True)]


@pytest.mark.parametrize(("name", "args"), KINDS)
def test_environment_loads_and_runs_outside_the_main_thread(name: str, args: dict[str, Any]) -> None:
    found: list[Any] = []

    def episode() -> None:
        try:
            env = opened(name, {"args": {**args, ("rows" if "kind" in args else "count"): 3}})
            env.reset(seed=0)
            found.append(env.step("-1")[1])
        except BaseException as error:
            found.append(error)

    threads = [threading.Thread(target=episode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [0.0] * 4


@needs_legacy
def test_heldout_is_the_environments_own_evaluation_data_without_training_rows() -> None:
    tasks = task_source("legacy_sums", "", 0.0, {"args": {"rows": 12, "heldout": 4}})
    assert (len(tasks.tasks("train", 0, 0)), len(tasks.tasks("heldout", 0, 0))) == (12, 3)


@needs_legacy
def test_rubric_over_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="its rubric grades whole groups"):
        make("legacy_sums", "rubric", {"args": {"kind": "group"}})


@needs_v1
def test_stop_hook_ends_the_episode() -> None:
    env = opened("v1_sums", {})
    env.reset(seed=0)
    _, reward, terminated, truncated, _ = env.step("I give up")
    assert (reward, terminated, truncated) == (0.0, True, False)


@needs_v1
def test_task_that_needs_a_container_is_refused() -> None:
    with pytest.raises(ValueError, match="its task needs a container; not covered"):
        task_source("v1_sums", "", 0.0, {"args": {"image": "python:3.11"}})


@pytest.mark.skipif(not SHAPES, reason="verifiers is not installed: it is an optional extra")
def test_missing_module_is_named() -> None:
    with pytest.raises(ValueError, match="no module 'no_such_env'; install that environment's package first"):
        make("owner/no-such-env", "rubric", {})
