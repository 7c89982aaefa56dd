"""Generated tasks of two domains: seeded, apart by split, playable, hard to fool."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from distrl.envs.contract import Task
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.env import ClinicalDiagnosisEnv, DrugInteractionEnv, HealthcareEnv
from distrl.envs.healthcare.tasks import clinical_diagnosis, drug_interaction
from distrl.envs.healthcare.tasks.draft import SPLITS, split_of
from distrl.envs.healthcare.tasks.generate import GeneratedTasks
from distrl.envs.healthcare.tasks.overlap import breaches
from distrl.envs.healthcare.world.build import database_of

ENVS = {"clinical_diagnosis": ClinicalDiagnosisEnv, "drug_interaction": DrugInteractionEnv}
MAKERS = {"clinical_diagnosis": clinical_diagnosis, "drug_interaction": drug_interaction}
COUNT = 12
MAX_WORDS = 450  # policy and ticket


@cache
def tasks(domain: str, split: str = "train") -> list[Task]:
    return GeneratedTasks(domain=domain).tasks(split, COUNT, 7)


def play(env: HealthcareEnv, task: Task, actions: list[str]) -> tuple[float, list[str], dict[str, Any]]:
    """(reward, errors of tools, last info) of an episode."""
    env.reset(options={"task": task})
    errors: list[str] = []
    reward, info = 0.0, dict[str, Any]()
    for action in actions:
        _, reward, terminated, truncated, info = env.step(action)
        errors += [e.output for e in info["tool_events"] if not e.ok]
        if terminated or truncated:
            assert terminated, "the gold episode must end by itself"
            break
    else:
        raise AssertionError("the gold episode did not end")
    return reward, errors, info


@pytest.mark.parametrize("domain", ENVS)
def test_gold_runs_without_an_error_and_earns_ninety_five_hundredths(domain: str) -> None:
    env = ENVS[domain]()
    for task in tasks(domain):
        reward, errors, info = play(env, task, env.gold_actions(task))
        assert not errors, (task.payload["purpose"], errors)
        assert reward >= 0.95, (task.payload["purpose"], reward, info["reward_parts"])


@pytest.mark.parametrize("domain", ENVS)
def test_saying_nothing_and_words_without_work_earn_next_to_nothing(domain: str) -> None:
    env = ENVS[domain]()
    for task in tasks(domain)[:4]:
        assert play(env, task, ["I do not know."])[0] <= 0.1
        names = [a["text"] for a in task.payload["assertions"]]
        assert play(env, task, [" ".join(names)])[0] < 0.6


def test_a_trap_that_is_prescribed_costs_nearly_everything() -> None:
    env = ClinicalDiagnosisEnv()
    trapped = [t for t in tasks("clinical_diagnosis") if "is a trap" in " ".join(t.payload["key_challenges"])]
    assert trapped, "the sample holds no twisted case"
    for task in trapped:
        trap, _, rest = task.payload["key_challenges"][0].partition(" is a trap in place of ")
        right = rest.partition(":")[0]
        gold = env.gold_actions(task)
        wrong = [turn.replace(f'"drug_name":"{right}"', f'"drug_name":"{trap}"') for turn in gold]
        assert wrong != gold
        assert play(env, task, wrong)[0] < play(env, task, gold)[0] - 0.1, task.payload["purpose"]


@pytest.mark.parametrize("domain", ENVS)
def test_the_same_seed_gives_the_same_task_and_ids_are_unique(domain: str) -> None:
    made = [MAKERS[domain].make_task(seed, "train") for seed in (3, 4)]
    again = [MAKERS[domain].make_task(seed, "train") for seed in (3, 4)]
    assert [t.payload for t in made] == [t.payload for t in again]
    assert [t.id for t in made] == [t.id for t in again]
    assert len({t.id for t in tasks(domain)}) == COUNT


@pytest.mark.parametrize("domain", ENVS)
def test_task_i_does_not_depend_on_the_count(domain: str) -> None:
    source = GeneratedTasks(domain=domain)
    assert [t.id for t in source.tasks("train", 2, 7)] == [t.id for t in tasks(domain)[:2]]


@pytest.mark.parametrize("domain", ENVS)
def test_splits_share_no_id_no_question_and_no_run_of_thirteen_words(domain: str) -> None:
    found = breaches(
        {"train": tasks(domain), "heldout": GeneratedTasks(domain=domain).tasks("heldout", 6, 7)}
    )
    assert not found, found[0]


@pytest.mark.parametrize("domain", ENVS)
def test_payload_is_plain_json_and_the_ticket_gives_no_answer_away(domain: str) -> None:
    for task in tasks(domain):
        payload = task.payload
        assert json.loads(json.dumps(payload)) == payload
        assert payload["patient_id"] in payload["ticket"]
        assert payload["patient_id"] in database_of(payload["world"])["patients"]
        if domain == "clinical_diagnosis" and "-score-" not in task.id:
            told = [
                n for n in payload["answer"]["names"] if len(n) > 4 and n.lower() in payload["ticket"].lower()
            ]
            assert not told, (payload["ticket"], told)


@pytest.mark.parametrize("domain", ENVS)
def test_expected_calls_name_tools_of_the_domain_and_compare_given_arguments(domain: str) -> None:
    kit = DOMAINS[domain].toolkit
    for task in tasks(domain):
        for call in task.payload["expected"]:
            assert call["name"] in kit
            assert set(call["compare_args"]) <= set(call["arguments"]) <= set(kit[call["name"]].parameters)


@pytest.mark.parametrize("domain", ENVS)
def test_policy_and_ticket_fit_a_small_context(domain: str) -> None:
    policy = len(DOMAINS[domain].policy.split())
    for task in tasks(domain):
        assert policy + len(task.payload["ticket"].split()) <= MAX_WORDS
        assert 3 <= len(task.payload["gold"]) <= 9


def test_combinations_are_dealt_to_one_split_each_in_the_intended_shares() -> None:
    share = Counter(split_of("condition", f"allergen {i}") for i in range(4000))
    assert set(share) == set(SPLITS)
    assert 0.07 < share["heldout"] / 4000 < 0.13
    assert 0.07 < share["test"] / 4000 < 0.13


def test_several_domains_are_dealt_in_turn_as_tasks_of_the_common_environment() -> None:
    dealt = GeneratedTasks(domain="clinical_diagnosis,drug_interaction").tasks("train", 4, 1)
    assert [t.payload["domain"] for t in dealt] == ["clinical_diagnosis", "drug_interaction"] * 2
    assert {t.env for t in dealt} == {"distrl/HealthcareGym-v0"}


@pytest.mark.parametrize(
    ("given", "message"),
    [({"domain": "surgery"}, "unknown domain"), ({"difficulty": "extreme"}, "unknown difficulty")],
)
def test_unknown_names_are_refused_with_what_is_known(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GeneratedTasks(**given)


def test_unknown_split_and_empty_count_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown split 'dev'"):
        GeneratedTasks().tasks("dev", 1, 0)
    with pytest.raises(ValueError, match="count is 0"):
        GeneratedTasks().tasks("train", 0, 0)
    with pytest.raises(ValueError, match="unknown split"):
        drug_interaction.make_task(1, "dev")
