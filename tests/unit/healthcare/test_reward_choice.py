"""One letter is an answer, a list of letters is none; the letter is found however it is dressed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_episodes import OPTIONS, question, submitted
from timing import least_seconds

from distrl.envs.healthcare.reward.choice import chosen, letter_of

OTHERS = {
    "A": "Muscle biopsy",
    "B": "Skin biopsy",
    "C": "Muscle biopsy with electromyography",
    "D": "No test",
}


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "b",
        "(B)",
        "B.",
        "**B**",
        "B) Doxycycline",
        "B: Doxycycline",
        "Option B",
        "option b.",
        "Answer: B",
        "answer: b",
        "ANSWER IS B",
        "The answer is B.",
        "The correct answer is (B), doxycycline.",
        "Final answer: **B**",
        "\\boxed{B}",
        "I choose B because amoxicillin is excluded.",
        "The best option is B.",
        "Option A is wrong and option C is wrong; the answer is B.",
        "The answer is not A. The answer is B.",
        "I would not pick A. Answer: B",
        "B because A and C share the ring",
        "Doxycycline",
        "doxycycline.",
        "I would give doxycycline for five days.",
        "Doxycycline rather than amoxicillin, since he is allergic.",
        "A patient like this needs an antibiotic. The answer is B.",
    ],
)
def test_one_letter_is_read(text: str) -> None:
    assert letter_of(text, OPTIONS) == "B"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "A, B, C, D",
        "A B C D",
        "A or B",
        "Answer: A or B",
        "Answer: A, B, C, D",
        "The answer is A/B.",
        "The answer is A. The answer is B.",
        "Answer: (A) and (B)",
        "A patient with pneumonia needs an antibiotic.",
        "Answer: E",
        "The answer is not B.",
        "Amoxicillin or doxycycline or ceftriaxone or vancomycin",
        "All of them",
        "I would not give doxycycline.",
        "doxycycline pneumonia allergy macrolide fever cough oxygen lactate sepsis treatment plan diagnosis",
    ],
)
def test_several_letters_or_none_are_no_answer(text: str) -> None:
    assert letter_of(text, OPTIONS) is None


def test_the_longer_of_two_nested_options_is_meant() -> None:
    assert letter_of("muscle biopsy with electromyography", OTHERS) == "C"
    assert letter_of("I want a muscle biopsy with electromyography done", OTHERS) == "C"
    assert letter_of("I want a muscle biopsy done", OTHERS) == "A"


def test_the_question_handed_back_names_no_option() -> None:
    asked = "Which drug is first? " + " ".join(
        f"{k}) {v} in the usual dose for five days" for k, v in OPTIONS.items()
    )
    payload = question(ticket=asked)
    assert chosen(submitted(asked, payload=payload)) is None
    assert chosen(submitted(f"{asked} The answer is B.", payload=payload)) == "B"
    assert chosen(submitted("B) Doxycycline in the usual dose for five days", payload=payload)) == "B"


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_any_text_gives_a_letter_or_none(text: str) -> None:
    assert letter_of(text, OPTIONS) in {None, *OPTIONS}


@pytest.mark.parametrize("piece", ["answer is ", "A, ", "(((", "option ", "not a ", " ", "\n", "{answer:"])
def test_hostile_text_is_read_fast(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert least_seconds(lambda: letter_of(text, OPTIONS)) < 0.2
