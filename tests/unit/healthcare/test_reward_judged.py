"""An outcome becomes an episode: who said it, what was handed in, what was only pasted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_episodes import DATABASE, answered, call, database, task
from timing import least_seconds

from distrl.envs.contract import Task, ToolEvent
from distrl.envs.healthcare.judged import from_outcome, own_words, without_copies
from distrl.envs.tool_env import Outcome
from distrl.envs.toolkit import EpisodeState

TASK = Task(id="t", env="e", split="train", payload=task())


def event(name: str, arguments: str, *, ok: bool = True, kind: str = "READ", output: str = "{}") -> ToolEvent:
    return ToolEvent(turn=0, name=name, arguments=arguments, output=output, ok=ok, kind=kind)


def outcome(*actions: str, events: tuple[ToolEvent, ...] = (), after: Any = DATABASE) -> Outcome:
    return Outcome(
        actions=actions,
        messages=(),
        attempts=(),
        events=events,
        state=EpisodeState(db=after),
        initial_db=DATABASE,
    )


def test_the_last_message_without_a_call_is_the_answer() -> None:
    acting = 'I look.\n<tool_call>{"name": "get_vital_signs", "arguments": {}}</tool_call>'
    e = from_outcome(TASK, outcome(acting, "<think>hmm</think>It is pneumonia."), DATABASE)
    assert e.answer == "It is pneumonia."
    assert e.said == "I look.\nIt is pneumonia."
    assert e.thought == "hmm"
    assert e.turns == 2
    assert e.submitted == {}


def test_an_episode_cut_while_acting_has_no_answer() -> None:
    acting = 'It is pneumonia.\n<tool_call>{"name": "get_vital_signs", "arguments": {}}</tool_call>'
    e = from_outcome(TASK, outcome(acting), DATABASE)
    assert e.answer is None
    assert e.said == "It is pneumonia."


def test_a_submission_is_the_answer_and_is_said() -> None:
    arguments = '{"answer": "B", "reasoning": "Because of the allergy."}'
    action = f'<tool_call>{{"name": "submit_answer", "arguments": {arguments}}}</tool_call>'
    e = from_outcome(
        TASK, outcome(action, events=(event("submit_answer", arguments, kind="GENERIC"),)), DATABASE
    )
    assert e.answer == "B"
    assert e.submitted == {"answer": "B", "reasoning": "Because of the allergy."}
    assert e.said == "B\nBecause of the allergy."


def test_a_refused_submission_hands_in_nothing() -> None:
    e = from_outcome(
        TASK,
        outcome("…", events=(event("submit_answer", '{"answer": "B"}', ok=False),)),
        DATABASE,
    )
    assert e.submitted == {}
    assert e.answer == "…"


def test_malformed_calls_are_tried_calls_and_no_speech() -> None:
    action = 'Now.\n<tool_call>{"name": "x", penicillin allergy}</tool_call>'
    refused = event("", "", ok=False, output="Error: Invalid JSON")
    e = from_outcome(TASK, outcome(action, events=(refused,)), DATABASE)
    assert e.said == "Now."
    assert [(c.name, c.ok, c.arguments) for c in e.calls] == [("", False, {})]


@pytest.mark.parametrize("arguments", ["", "[1]", "{", '{"a": 1} [cut: 9000 characters, limit 8000]'])
def test_arguments_that_are_no_object_are_empty(arguments: str) -> None:
    e = from_outcome(TASK, outcome("…", events=(event("f", arguments),)), DATABASE)
    assert e.calls[0].arguments == {}


def test_the_databases_are_the_first_and_the_last() -> None:
    after = database(orders=[{"order_id": "O1"}])
    e = from_outcome(TASK, outcome("…", after=after), DATABASE)
    assert e.before is DATABASE
    assert e.after is after


PASSAGE = (
    "For adults with pneumonia who are treated at home the guideline asks for a macrolide or doxycycline "
    "where resistance is rare and for a beta lactam with a macrolide where other illnesses are present "
    "and it asks for cultures of blood and of sputum where the illness is severe"
)


def test_long_copies_of_a_tool_or_the_ticket_are_not_the_agents_words() -> None:
    looked = (call("search_clinical_guidelines", output=f'{{"text": "{PASSAGE}"}}'),)
    e = answered(f"I read this. {PASSAGE} And so I give doxycycline.", calls=looked)
    assert own_words(e) == "I read this. .  And so I give doxycycline."
    assert own_words(answered(e.said)) == e.said  # without the tool's output it is the agent's
    ticket = answered(task()["ticket"] + " I agree.")
    assert "productive cough" not in own_words(ticket)


def test_a_short_quotation_stays() -> None:
    looked = (call("search_clinical_guidelines", output=f'{{"text": "{PASSAGE}"}}'),)
    said = (
        "The guideline asks for a macrolide or doxycycline where resistance is rare, so I give doxycycline."
    )
    assert own_words(answered(said, calls=looked)) == said


@settings(max_examples=40)
@given(st.text(max_size=400), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_read(text: str, sources: list[str]) -> None:
    assert isinstance(without_copies(text, sources, 3), str)


@pytest.mark.parametrize("piece", ["word ", '{"a": ', "{", '}":', "a" * 50, "\n"])
def test_hostile_text_is_read_fast(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert least_seconds(lambda: (without_copies(text, [text], 20), own_words(answered(text)))) < 0.5
