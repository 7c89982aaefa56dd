"""The healthcare environment as a whole: what it offers, how episodes end, what they own and earn."""

from __future__ import annotations

import copy
import dataclasses
import json
from functools import cache
from typing import Any

import gymnasium
import pytest

from distrl.envs.checker import CHEAT_MARGIN, NULL_REWARD
from distrl.envs.contract import Task, ToolCall
from distrl.envs.healthcare import knowledge
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.env import (
    DEFAULT_MAX_TURNS,
    ClinicalDiagnosisEnv,
    DrugInteractionEnv,
    HealthcareEnv,
    MedicalQAEnv,
    gold_text,
)
from distrl.envs.healthcare.reward.compose import weights
from distrl.envs.healthcare.tasks.generate import GeneratedTasks
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.healthcare.world.state import digest
from distrl.envs.registry import make, task_source
from distrl.envs.toolkit import ToolKind, parse_tool_calls

ENVS: dict[str, type[HealthcareEnv]] = {
    "clinical_diagnosis": ClinicalDiagnosisEnv,
    "drug_interaction": DrugInteractionEnv,
    "medical_qa": MedicalQAEnv,
}
SUBMITTING = ("drug_interaction", "medical_qa")
PLAYS = {
    "null",
    "junk",
    "keyword soup",
    "tool spam",
    "submit only",
    "copied ticket",
    "wrong but safe",
    "right but unsafe",
}
COUNT = 15
EACH_DOMAIN = pytest.mark.parametrize("domain", ENVS)


@cache
def tasks(domain: str) -> list[Task]:
    return GeneratedTasks(domain=domain).tasks("train", COUNT, 11)


def call(name: str, **arguments: Any) -> str:
    return gold_text({"text": "", "calls": [{"name": name, "arguments": arguments}]})


def needed(task: Task) -> set[str]:
    """The tools that the gold play uses, and those that end an episode of the task's domain."""
    used = {c["name"] for turn in task.payload["gold"] for c in turn["calls"]}
    return used | set(DOMAINS[task.payload["domain"]].terminal)


def offered(env: HealthcareEnv, task: Task) -> list[str]:
    """Names of the tools that an episode shows the model, in their order."""
    return [t["function"]["name"] for t in env.reset(options={"task": task})[1]["tools"]]


def play(env: HealthcareEnv, task: Task, actions: list[str]) -> tuple[float, bool, bool, dict[str, Any]]:
    """Reward, terminated, truncated and info of the last step; every action must find the episode open."""
    env.reset(options={"task": task})
    reward, terminated, truncated, info = 0.0, False, False, dict[str, Any]()
    for action in actions:
        assert not (terminated or truncated), "the episode ended before its actions"
        _, reward, terminated, truncated, info = env.step(action)
    return reward, terminated, truncated, info


@cache
def ended(domain: str) -> dict[str, tuple[float, dict[str, Any]]]:
    """(reward, last info) of the gold play of one task and of each play that is not the work."""
    env, task = ENVS[domain](), tasks(domain)[0]
    out: dict[str, tuple[float, dict[str, Any]]] = {}
    for name, actions in {"gold": env.gold_actions(task), **env.cheats(task)}.items():
        reward, terminated, truncated, info = play(env, task, actions)
        if not (terminated or truncated):
            assert reward == 0.0 and not {"reward_parts", "reward_reasons"} & info.keys()
            _, reward, _, _, info = env.step("")
        out[name] = (reward, info)
    return out


def a_read(task: Task) -> str:
    """The first reading call of the gold play."""
    kit = DOMAINS[task.payload["domain"]].toolkit
    calls = (c for turn in task.payload["gold"] for c in turn["calls"])
    first = next(c for c in calls if kit[c["name"]].kind is ToolKind.READ)
    return call(first["name"], **first["arguments"])


# Gold texts and expected calls


@EACH_DOMAIN
def test_text_of_a_gold_turn_parses_back_to_its_words_and_calls(domain: str) -> None:
    env = ENVS[domain]()
    for task in tasks(domain):
        for turn, text in zip(task.payload["gold"], env.gold_actions(task), strict=True):
            parsed = parse_tool_calls(text)
            assert not parsed.errors
            calls = [{"name": c.name, "arguments": json.loads(c.arguments)} for c in parsed.calls]
            assert calls == turn["calls"]
            assert parsed.content.strip() == turn["text"].strip()


@pytest.mark.parametrize("value", ["</tool", 'a "quoted" word\nand a line', "≥ 5 µg — naïve", "{}[]\\"])
def test_awkward_arguments_survive_the_text(value: str) -> None:
    turn: Any = {"text": "First this.", "calls": [{"name": "a", "arguments": {"x": value}}] * 2}
    parsed = parse_tool_calls(gold_text(turn))
    assert [json.loads(c.arguments) for c in parsed.calls] == [{"x": value}] * 2
    assert parsed.content.strip() == "First this."


@EACH_DOMAIN
def test_every_expected_call_succeeds_with_one_of_the_values_that_it_allows(domain: str) -> None:
    env = ENVS[domain]()
    for task in tasks(domain):
        assert task.payload["expected"], task.id
        env.reset(options={"task": task})
        for wanted in task.payload["expected"]:
            given = one_of_each(DOMAINS[domain].toolkit[wanted["name"]].parameters, wanted["arguments"])
            made = ToolCall(id=wanted["id"], name=wanted["name"], arguments=json.dumps(given))
            event = env.offered(task).run(made, turn=0, state=env.state)
            assert event.ok, (task.id, wanted, event.output)


def one_of_each(parameters: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """`arguments` with the first allowed value in place of a list of them; no two get the same one."""
    given: dict[str, Any] = {}
    for name, value in arguments.items():
        several = isinstance(value, list) and "array" not in json.dumps(parameters[name])
        given[name] = next(v for v in value if v not in given.values()) if several else value
    return given


# How an episode ends


@pytest.mark.parametrize("domain", SUBMITTING)
def test_handing_in_the_answer_ends_the_episode_and_a_refused_attempt_does_not(domain: str) -> None:
    env, task = ENVS[domain](), tasks(domain)[0]
    refused = play(env, task, [call("submit_answer")])
    assert refused[1:3] == (False, False)
    assert not refused[3]["tool_events"][0].ok
    _, _, terminated, truncated, info = env.step(call("submit_answer", answer="warfarin", reasoning="known"))
    assert (terminated, truncated) == (True, False)
    assert [e.ok for e in info["tool_events"]] == [True]
    assert {"reward_parts", "metrics"} <= info.keys()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("more")


def test_a_diagnosis_ends_with_a_message_and_has_nothing_to_hand_in_with() -> None:
    env, task = ClinicalDiagnosisEnv(), tasks("clinical_diagnosis")[0]
    _, terminated, truncated, info = play(env, task, [call("submit_answer", answer="pneumonia")])
    assert not terminated and not truncated and not info["tool_events"][0].ok
    assert env.step("It is pneumonia.")[2:4] == (True, False)
    assert "submit_answer" not in offered(env, task)


@EACH_DOMAIN
def test_the_twentieth_turn_truncates_unless_another_limit_is_set(domain: str) -> None:
    assert DEFAULT_MAX_TURNS == 20
    task = tasks(domain)[0]
    for env, limit in ((ENVS[domain](), 20), (ENVS[domain](max_turns=2), 2)):
        read = a_read(task)
        _, terminated, truncated, info = play(env, task, [read] * (limit - 1))
        assert not terminated and not truncated and "reward_parts" not in info
        _, _, terminated, truncated, info = env.step(read)
        assert not terminated and truncated
        assert info["reward_parts"] and info["metrics"]["turns"] == limit


# What an episode owns


@EACH_DOMAIN
@pytest.mark.parametrize("kept_as", ["seed", "database"])
def test_two_episodes_of_one_task_share_no_state(domain: str, kept_as: str) -> None:
    task = tasks(domain)[0]
    if kept_as == "database":
        world = {"database": database_of(task.payload["world"])}
        task = dataclasses.replace(task, payload={**task.payload, "world": world})
    before = copy.deepcopy(task.payload)
    one, other = ENVS[domain](), ENVS[domain]()
    one.reset(options={"task": task})
    other.reset(options={"task": task})
    first = digest(other.state.db)
    assert digest(one.state.db) == first
    one.state.db["patients"]["X1"] = {"name": "of this episode alone"}
    one.state.db["orders"].append({"test": "of this episode alone"})
    assert digest(one.state.db) != first
    assert digest(other.state.db) == first
    assert task.payload == before
    one.reset(options={"task": task})
    assert digest(one.state.db) == first


def test_a_tool_writes_into_its_own_episode_only() -> None:
    task = tasks("clinical_diagnosis")[0]
    one, other = ClinicalDiagnosisEnv(), ClinicalDiagnosisEnv()
    other.reset(options={"task": task})
    first = digest(other.state.db)
    record = call("record_diagnosis", patient_id=task.payload["patient_id"], diagnosis="Croup")
    _, _, _, info = play(one, task, [record])
    assert [(e.ok, e.kind) for e in info["tool_events"]] == [(True, "WRITE")]
    assert [d["diagnosis"] for d in one.state.db["diagnoses"]] == ["Croup"]
    assert digest(other.state.db) == first
    assert digest(database_of(task.payload["world"])) == first


# Which tools it offers


@EACH_DOMAIN
def test_without_others_exactly_the_needed_tools_are_offered_and_the_gold_play_still_earns(
    domain: str,
) -> None:
    env = ENVS[domain](other_tools=0)
    for task in tasks(domain)[:6]:
        reward, terminated, _, info = play(env, task, env.gold_actions(task))
        assert terminated and reward >= 0.95, (task.id, reward, info["reward_parts"])
        kit = [tool.name for tool in DOMAINS[domain].toolkit]
        assert offered(env, task) == [name for name in kit if name in needed(task)]


@EACH_DOMAIN
def test_the_tool_that_ends_the_episode_is_offered_even_where_the_gold_play_lacks_it(domain: str) -> None:
    task = tasks(domain)[0]
    bare = dataclasses.replace(task, payload={**task.payload, "gold": []})
    ending = ["submit_answer"] if domain in SUBMITTING else []
    assert offered(ENVS[domain](other_tools=0), bare) == ending


def test_a_tool_that_is_not_offered_cannot_be_called() -> None:
    task = tasks("clinical_diagnosis")[0]
    kit = {tool.name for tool in DOMAINS["clinical_diagnosis"].toolkit}
    withheld = min(kit - needed(task))
    _, _, _, info = play(ClinicalDiagnosisEnv(other_tools=0), task, [call(withheld)])
    (event,) = info["tool_events"]
    assert not event.ok and "nvalid arguments" not in event.output


@EACH_DOMAIN
def test_the_whole_kit_is_offered_unless_a_number_is_given(domain: str) -> None:
    kit = [tool.name for tool in DOMAINS[domain].toolkit]
    task, another = tasks(domain)[:2]
    assert offered(ENVS[domain](), task) == kit
    assert offered(ENVS[domain](other_tools=1000), task) == kit
    some = offered(ENVS[domain](other_tools=3), task)
    assert needed(task) <= set(some) and len(some) == len(needed(task)) + 3
    assert some == [name for name in kit if name in some]
    assert some == offered(ENVS[domain](other_tools=3), task)
    assert {*some} - needed(task) - needed(another) != {
        *offered(ENVS[domain](other_tools=3), another)
    } - needed(task) - needed(another), "the others are drawn by the task's id"


# Which tasks it takes


@pytest.mark.parametrize(("domain", "foreign"), [("clinical_diagnosis", "medical_qa"), ("medical_qa", "")])
def test_a_task_of_a_foreign_domain_is_refused_in_one_line(domain: str, foreign: str) -> None:
    task = tasks(domain)[0]
    stray = dataclasses.replace(task, payload={**task.payload, "domain": foreign})
    with pytest.raises(ValueError, match=f"of domain '{foreign}'; known: {domain}$") as caught:
        ENVS[domain]().reset(options={"task": stray})
    assert task.id in str(caught.value) and task.env in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_task_of_another_environment_is_refused_without_its_answer() -> None:
    task = tasks("drug_interaction")[0]
    with pytest.raises(ValueError, match=r"MedicalQA-v0: not a task of this environment") as caught:
        MedicalQAEnv().reset(options={"task": task})
    assert "\n" not in str(caught.value) and "gold" not in str(caught.value)


def test_the_common_source_deals_domains_in_turn_and_the_others_one_each() -> None:
    dealt = task_source("distrl/HealthcareGym-v0", "", 0.0, {}).tasks("train", 6, 5)
    assert [t.payload["domain"] for t in dealt] == list(DOMAINS) * 2
    assert {t.env for t in dealt} == {"distrl/HealthcareGym-v0"}
    assert len({t.id for t in dealt}) == 6
    env = HealthcareEnv()
    for task in dealt[:3]:
        domain = DOMAINS[task.payload["domain"]]
        opening = env.reset(options={"task": task})[1]
        assert opening["messages"][0].content == domain.policy
        assert opening["messages"][1].content == task.payload["ticket"]
        assert offered(env, task) == [tool.name for tool in domain.toolkit]
        assert play(env, task, env.gold_actions(task))[0] >= 0.95
    for name, domain in DOMAINS.items():
        single = task_source(domain.env_id, "", 0.0, {}).tasks("train", 2, 5)
        assert {(t.env, t.payload["domain"]) for t in single} == {(domain.env_id, name)}
        assert ENVS[name].env_id == domain.env_id


def test_a_source_of_chosen_domains_and_difficulty_deals_only_these() -> None:
    options = {"domains": "drug_interaction,clinical_diagnosis", "difficulty": "easy"}
    dealt = task_source("distrl/HealthcareGym-v0", "", 0.0, options).tasks("train", 4, 5)
    assert [t.payload["domain"] for t in dealt] == ["drug_interaction", "clinical_diagnosis"] * 2
    assert {t.payload["difficulty"] for t in dealt} == {"easy"}


def test_without_a_task_one_of_its_own_domain_is_drawn_by_the_seed() -> None:
    env = MedicalQAEnv()
    drawn = [env.reset(seed=seed)[1]["task_id"] for seed in (4, 4, 5)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0].startswith("medical_qa")


# Settings


@pytest.mark.parametrize(
    ("reward", "options", "said"),
    [
        ("fiv", {}, "unknown reward 'fiv'; one of five, accuracy"),
        ("five", {"other_tool": 1}, "unknown key 'other_tool'; did you mean 'other_tools'"),
        ("five", {"other_tools": -1}, "other_tools=-1 must be a whole number >= 0, or null for all"),
        ("five", {"max_turns": 0}, "max_turns=0 must be at least 1"),
        ("five", {"render_mode": "human"}, "unknown render_mode 'human'"),
        ("five", {"single_call": True}, "unknown key 'single_call'"),
    ],
)
@pytest.mark.parametrize("env_id", ["distrl/HealthcareGym-v0", "distrl/MedicalQA-v0"])
def test_wrong_settings_are_named_in_one_line(
    env_id: str, reward: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        make(env_id, reward, options)
    assert env_id in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"domain": "medical_qa"}, "unknown key 'domain'; did you mean 'domains'"),
        ({"domains": "surgery"}, "unknown domain 'surgery'; known: clinical_diagnosis"),
        ({"difficulty": "extreme"}, "unknown difficulty 'extreme'; one of easy"),
    ],
)
def test_wrong_options_of_the_source_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        task_source("distrl/HealthcareGym-v0", "", 0.0, options)


# What it pays


@EACH_DOMAIN
def test_the_parts_with_their_weights_sum_to_the_reward_of_every_play(domain: str) -> None:
    deducted = []
    for reward, info in ended(domain).values():
        parts = info["reward_parts"]
        share = weights(parts)
        assert share.keys() == parts.keys() - {"deductions"}
        assert sum(share.values()) == pytest.approx(1.0)
        summed = sum(share[name] * parts[name] for name in share) + parts["deductions"]
        assert abs(reward - summed) <= 1e-9
        assert 0.0 <= reward <= 1.0
        assert parts["deductions"] <= 0.0
        deducted.append(parts["deductions"])
    assert min(deducted) < -0.1, "no play was unsafe, so the deductions were not tried"


def test_the_accuracy_reward_is_its_only_part() -> None:
    task = tasks("medical_qa")[0]
    env = MedicalQAEnv(reward="accuracy")
    reward, _, _, info = play(env, task, env.gold_actions(task))
    assert info["reward_parts"] == {"accuracy": reward}
    assert reward >= 0.95


@EACH_DOMAIN
def test_reasons_reach_the_last_info_and_name_their_part(domain: str) -> None:
    for name, (reward, info) in ended(domain).items():
        reasons, parts = info["reward_reasons"], info["reward_parts"]
        assert reasons and all(isinstance(line, str) and "\n" not in line for line in reasons)
        assert {line.partition(": ")[0] for line in reasons} <= parts.keys()
        unsafe = [line for line in reasons if line.startswith("deductions: severity ")]
        assert unsafe or parts["deductions"] == 0.0, (name, reasons)
        assert parts["deductions"] < 0.0 or reward == 0.0 or not unsafe, (name, reasons)
    grave = ended(domain)["right but unsafe"][1]["reward_reasons"]
    assert any(line.startswith("deductions: severity 5 ") for line in grave), grave


@EACH_DOMAIN
def test_each_play_that_is_not_the_work_is_there_by_name_and_earns_less(domain: str) -> None:
    earned = {name: reward for name, (reward, _) in ended(domain).items()}
    honest = earned.pop("gold")
    assert earned.keys() == PLAYS
    assert honest >= 0.95
    assert max(earned.values()) < honest - CHEAT_MARGIN
    assert earned["right but unsafe"] < honest - 0.5


@EACH_DOMAIN
def test_doing_nothing_earns_next_to_nothing(domain: str) -> None:
    env = ENVS[domain]()
    assert NULL_REWARD == 0.05
    for task in tasks(domain)[1:6]:
        nothing = env.cheats(task)["null"]
        assert nothing == [""]
        assert play(env, task, nothing)[:2] == (pytest.approx(0.0, abs=NULL_REWARD), True)


@EACH_DOMAIN
def test_plays_are_made_from_a_copy_of_the_task(domain: str) -> None:
    task = tasks(domain)[0]
    before = copy.deepcopy(task.payload)
    env = ENVS[domain]()
    assert env.cheats(task) == env.cheats(task)
    assert task.payload == before


@EACH_DOMAIN
def test_metrics_count_turns_tools_and_errors(domain: str) -> None:
    env, task = ENVS[domain](), tasks(domain)[0]
    gold = env.gold_actions(task)
    metrics = play(env, task, gold)[3]["metrics"]
    used = {c["name"] for turn in task.payload["gold"] for c in turn["calls"]}
    assert metrics == {
        "tool_error_rate": 0.0,
        "distinct_tools": float(len(used)),
        "expected_tools_called": 1.0,
        "turns": float(len(gold)),
    }
    metrics = play(env, task, [call("no_such_tool"), "I stop."])[3]["metrics"]
    assert metrics == {
        "tool_error_rate": 1.0,
        "distinct_tools": 0.0,
        "expected_tools_called": 0.0,
        "turns": 2.0,
    }


# What people see


@EACH_DOMAIN
def test_the_rendered_episode_shows_ticket_calls_and_answers(domain: str) -> None:
    task = tasks(domain)[0]
    env = ENVS[domain](render_mode="ansi")
    _, _, _, info = play(env, task, [a_read(task)])
    shown = env.render() or ""
    assert f"user: {task.payload['ticket']}" in shown
    (made,) = info["assistant"].tool_calls
    assert f"\n  {made.name}({made.arguments})" in shown
    assert info["tool_events"][0].ok and f"tool: {info['tool_events'][0].output}" in shown
    assert task.payload["answer"]["kind"] == "choice" or task.payload["answer"]["reference"] not in shown
    quiet = ENVS[domain]()
    quiet.reset(options={"task": task})
    assert quiet.render() is None


@pytest.mark.parametrize("wrong", [-1, 1.5, "2", True])
def test_a_wrong_number_of_other_tools_is_one_line(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"other_tools=.* must be a whole number"):
        DrugInteractionEnv(other_tools=wrong)  # type: ignore[arg-type]


def test_a_refused_task_begins_no_episode() -> None:
    env = DrugInteractionEnv()
    foreign = GeneratedTasks(domain="clinical_diagnosis").tasks("train", 1, 0)[0]
    env.reset(seed=0)
    with pytest.raises(ValueError, match="clinical_diagnosis"):
        env.reset(options={"task": foreign})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("x")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"domains": 5}, "domains=5 must be text"),
        ({"domains": "medical_qa,medical_qa"}, "names one twice"),
        ({"domains": "dentistry"}, "unknown domain 'dentistry'"),
        ({"frozen": "yes"}, "frozen='yes' must be true or false"),
        ({"difficulty": "extreme"}, "unknown difficulty 'extreme'"),
    ],
)
def test_wrong_task_options_are_one_line(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        task_source("distrl/HealthcareGym-v0", "", 0.0, wrong)


def test_a_knowledge_base_that_is_none_leaves_the_one_in_use() -> None:
    before = knowledge.backend()
    with pytest.raises(ValueError, match="knowledge=5 must name the folder"):
        MedicalQAEnv(knowledge=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no/such/base"):
        MedicalQAEnv(knowledge="no/such/base")
    assert knowledge.backend() is before
