"""`distrl check-env`: what it prints, its exit codes, and whether a reward that pays too much is found."""

from __future__ import annotations

from typing import Any

import pytest

from distrl import check_command
from distrl.check_command import check, earned_by_play, known_ids, table
from distrl.cli import EXIT_BAD_INPUT, EXIT_PROBLEM, main
from distrl.envs import checker
from distrl.envs.checker import CHECKS, Finding, check_factory
from distrl.envs.contract import Task
from distrl.envs.healthcare.env import DrugInteractionEnv
from distrl.envs.healthcare.tasks.sources import DrugInteractionTasks
from distrl.envs.registry import ENVIRONMENTS
from distrl.envs.tool_env import Outcome, RewardRule


def generous(_: Task, outcome: Outcome) -> dict[str, float]:
    """Pays in full whoever hands in anything at all."""
    return {"handed_in": float(any(e.ok and e.name == "submit_answer" for e in outcome.events))}


def idle(_: Task, outcome: Outcome) -> dict[str, float]:
    """Pays in full for the work and a tenth for nothing."""
    return {"calls": 1.0 if len(outcome.events) > 2 else 0.1}


class Generous(DrugInteractionEnv):
    reward_rules = {"five": RewardRule(weights={"handed_in": 1.0}, parts=generous)}  # noqa: RUF012


class Idle(DrugInteractionEnv):
    reward_rules = {"five": RewardRule(weights={"calls": 1.0}, parts=idle)}  # noqa: RUF012

    def cheats(self, task: Task) -> dict[str, list[str]]:
        return {"null": super().cheats(task)["null"]}


def test_the_table_counts_averages_and_compares_with_the_gold_play_of_the_same_task() -> None:
    earned = {
        "gold": [(1.0, 1.0), (0.5, 0.5)],
        "junk": [(0.25, 1.0), (0.5, 0.5), (0.75, 1.0)],
        "null": [(0.0, 1.0)],
    }
    head, *rows = (line.split() for line in table(earned))
    assert head == ["play", "tasks", "mean", "least", "most", "below", "gold"]
    assert rows == [
        ["gold", "2", "0.750", "0.500", "1.000"],
        ["junk", "3", "0.500", "0.250", "0.750", "2/3"],
        ["null", "1", "0.000", "0.000", "0.000", "1/1"],
    ]


def test_the_columns_of_the_table_stand_below_each_other() -> None:
    lines = table({"gold": [(1.0, 1.0)], "right but unsafe": [(0.1, 1.0)] * 100})
    assert len({len(line) for line in lines}) == 1
    assert all(line[-11] == " " for line in lines)
    assert lines[2].endswith("100/100")


def test_an_environment_without_plays_has_no_table() -> None:
    assert table({}) == []
    assert earned_by_play("distrl/Letters-v0", 1) == {}


@pytest.mark.parametrize(("env_id", "every"), [("", False), ("distrl/Letters-v0", True)])
def test_neither_and_both_are_refused(env_id: str, every: bool) -> None:
    with pytest.raises(ValueError, match=r"name one environment, such as .*, or give --all") as caught:
        known_ids(env_id, every)
    assert "\n" not in str(caught.value)


def test_one_id_stands_for_itself_and_all_for_the_registry() -> None:
    assert known_ids("distrl/Letters-v0", False) == ["distrl/Letters-v0"]
    assert known_ids("", True) == list(ENVIRONMENTS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name one environment"),
        (["distrl/Letters-v0", "--all"], "name one environment"),
        (["distrl/Letter-v0"], "did you mean 'distrl/Letters-v0'"),
        (["distrl/Letters-v0", "--tasks=0"], "--tasks=0 is too small"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-env", *arguments]) == EXIT_BAD_INPUT == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("distrl check-env: ") and said in err
    assert err.count("\n") == 1 and err.endswith("\n")


def test_a_sound_environment_is_ok_and_exit_code_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-env", "distrl/Letters-v0", "--tasks=2"]) == 0
    assert capsys.readouterr().out == "distrl/Letters-v0: ok\n"


def test_findings_are_printed_counted_and_exit_code_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = [Finding(check="gold", message="too little"), Finding(check="junk", message="it raised")]
    asked: list[tuple[str, int]] = []

    def found(env_id: str, tasks: int) -> list[Finding]:
        asked.append((env_id, tasks))
        return planted if env_id == "distrl/Letters-v0" else []

    monkeypatch.setattr(check_command, "check_env", found)
    monkeypatch.setattr(check_command, "earned_by_play", lambda env_id, tasks: {"gold": [(1.0, 1.0)]})
    assert main(["check-env", "distrl/Letters-v0", "--tasks=3"]) == EXIT_PROBLEM == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["gold: too little", "junk: it raised", "distrl/Letters-v0: 2 findings"]
    assert lines[3:] == table({"gold": [(1.0, 1.0)]})
    said: list[str] = []
    assert check(["distrl/MedCalc-v0", "distrl/Letters-v0"], 4, said.append) == 2
    assert said[0] == "distrl/MedCalc-v0: ok"
    assert asked == [("distrl/Letters-v0", 3), ("distrl/MedCalc-v0", 4), ("distrl/Letters-v0", 4)]


def test_every_play_is_tried_on_tasks_of_both_splits() -> None:
    earned = earned_by_play("distrl/DrugInteraction-v0", 1)
    assert {"gold", "null", "submit only", "right but unsafe"} <= earned.keys()
    assert {len(pairs) for pairs in earned.values()} == {2}
    gold = [reward for reward, _ in earned["gold"]]
    assert all([honest for _, honest in pairs] == gold for pairs in earned.values())
    assert min(gold) >= 0.95


def findings_of_plays(env: type[DrugInteractionEnv], monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    monkeypatch.setattr(checker, "CHECKS", {"cheats": CHECKS["cheats"]})
    source: Any = DrugInteractionTasks()
    return check_factory(env, source, tasks=2)


def test_a_reward_that_pays_for_handing_in_anything_is_found_by_the_plays_that_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = findings_of_plays(Generous, monkeypatch)
    assert {f.check for f in found} == {"cheats"}
    for name in ("junk", "keyword soup", "tool spam", "submit only", "copied ticket", "right but unsafe"):
        assert sum(f"the play '{name}' earns 1.000 > 0.950; mend the reward" in f.message for f in found) == 2
    assert not [f for f in found if "'null'" in f.message]


def test_a_reward_that_pays_for_nothing_is_found_by_the_null_play(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings_of_plays(Idle, monkeypatch)
    assert len(found) == 2
    assert all("the play 'null' earns 0.100 > 0.050" in f.message for f in found)


def test_the_reward_as_it_is_has_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings_of_plays(DrugInteractionEnv, monkeypatch) == []
