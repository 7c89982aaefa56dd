"""Each way to earn without doing the work stays below the honest episode, by a margin that is stated.

The reference's holes (arXiv 2605.02943's code): keyword soup .620 against .627 for a terse right answer, 20
junk characters .437, penicillin to a penicillin-allergic patient unseen, one submit call with soup .6.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from reward_episodes import (
    DIAGNOSED,
    HONEST_ANSWER,
    HONEST_CALLS,
    LOOKED_UP,
    PRESCRIBED,
    QUESTION,
    REASONING,
    TICKET,
    answered,
    call,
    database,
    episode,
    honest,
    question,
    submitted,
)

from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward.compose import grade

SOUP = (
    "pneumonia penicillin allergy doxycycline azithromycin curb-65 sepsis lactate oxygen diabetes macrolide "
    "cultures chest radiograph antibiotics follow-up monitoring diagnosis treatment plan because therefore"
)
JUNK = "xk7 qqz!! vbnm ~~ 42"
RECORD = (
    '{"patient_id": "P001", "allergies": [{"substance": "penicillin", "reaction": "anaphylaxis"}], '
    '"problems": [{"name": "Type 2 diabetes"}], "assessment": "community-acquired pneumonia is suspected"}'
)
ECHO_CALLS = (call("get_patient_info", output=RECORD, patient_id="P001"),)
ALL = "Pneumonia, pulmonary embolism, acute heart failure, sepsis, NSTEMI, asthma attack, croup"
WRONG = HONEST_ANSWER.replace("community-acquired pneumonia", "acute pyelonephritis").replace(
    "Pulmonary embolism is", "Cystitis is"
)
EMPTY = (
    "The patient should be monitored closely because the evidence supports a safe plan. In conclusion I "
    "recommend careful follow-up and treatment with the right drug at the right dose, given the risk."
)
GIVEN = {**PRESCRIBED, "drug": "amoxicillin", "dose": 1000.0, "doses_per_day": 3.0}
UNSAFE_CALLS = (
    *HONEST_CALLS[:5],
    call("prescribe_medication", 5, kind="WRITE", patient_id="P001", drug="amoxicillin"),
)
UNSAFE = "The diagnosis is community-acquired pneumonia because of the fever. I prescribed amoxicillin 1 g."


def reward(e: Episode) -> float:
    return grade(e).reward


# Attack, and how far below the honest episode it must stay.
ATTACKS: dict[str, tuple[Episode, float]] = {
    "silence": (episode(), 0.90),
    "junk": (answered(JUNK), 0.90),
    "keyword soup": (answered(SOUP), 0.80),
    "soup over a record": (answered(SOUP, after=database(diagnoses=[DIAGNOSED])), 0.35),
    "submit only, right": (answered("The diagnosis is community-acquired pneumonia."), 0.35),
    "submit only, wrong": (answered("The diagnosis is acute pyelonephritis."), 0.60),
    "tool spam": (episode(calls=tuple(call(f"tool_{i}", i // 8) for i in range(64))), 0.85),
    "one tool over and over": (episode(calls=HONEST_CALLS[:1] * 40), 0.85),
    "echo of a tool's output": (answered(RECORD, calls=ECHO_CALLS), 0.80),
    "the ticket handed back": (answered(TICKET), 0.90),
    "all answers at once": (answered(ALL), 0.80),
    "fluent and empty": (answered(EMPTY), 0.90),
    "all the work, an empty answer": (answered(EMPTY, honest()), 0.10),
    "wrong but safe": (
        answered(WRONG, replace(honest(), after=database(prescriptions=[PRESCRIBED]))),
        0.25,
    ),
    "right but unsafe": (
        answered(
            UNSAFE,
            replace(
                honest(), calls=UNSAFE_CALLS, after=database(diagnoses=[DIAGNOSED], prescriptions=[GIVEN])
            ),
        ),
        0.80,
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_stay_below_honest_work(name: str) -> None:
    attack, margin = ATTACKS[name]
    assert reward(attack) <= reward(honest()) - margin, grade(attack)


QUESTION_ATTACKS: dict[str, tuple[Episode, float]] = {
    "silence": (episode(question()), 0.90),
    "junk": (submitted(JUNK), 0.90),
    "keyword soup": (submitted(SOUP), 0.90),
    "right by guess": (submitted("B"), 0.30),
    "wrong by guess": (submitted("A"), 0.65),
    "wrong with reasons": (submitted("A", REASONING.replace("B is", "A is"), calls=LOOKED_UP), 0.25),
    "all letters": (submitted("A, B, C, D"), 0.90),
    "all letters, looked up": (submitted("A or B or C or D", REASONING, calls=LOOKED_UP), 0.60),
    "the question handed back": (submitted(QUESTION), 0.90),
    "fluent and empty": (submitted(EMPTY), 0.90),
    "fluent and empty, looked up": (submitted(EMPTY, EMPTY, calls=LOOKED_UP), 0.60),
    "right with soup for reasons": (submitted("B", SOUP), 0.35),
}


@pytest.mark.parametrize("name", QUESTION_ATTACKS)
def test_attacks_on_a_question_stay_below_honest_work(name: str) -> None:
    attack, margin = QUESTION_ATTACKS[name]
    honest_reward = reward(submitted("B", REASONING, calls=LOOKED_UP))
    assert honest_reward > 0.95
    assert reward(attack) <= honest_reward - margin, grade(attack)


# The reference's holes


def test_a_wrong_answer_in_keywords_is_far_below_a_terse_right_one() -> None:
    soup = answered("acute pyelonephritis " + SOUP.replace("pneumonia ", ""))
    terse = answered("Diagnosis: pneumonia. Start doxycycline.")
    assert grade(terse, findings=()).reward - grade(soup, findings=()).reward > 0.3
    assert reward(terse) > reward(soup)


def test_twenty_characters_of_junk_earn_nothing() -> None:
    assert len(JUNK) == 20
    assert reward(answered(JUNK)) == reward(submitted(JUNK)) == 0.0


def test_penicillin_for_the_allergic_is_capped() -> None:
    attack, _ = ATTACKS["right but unsafe"]
    graded = grade(attack)
    assert graded.reward <= 0.1
    assert max(f.severity for f in graded.findings) == 5


def test_ten_times_the_dose_is_capped() -> None:
    tenfold = {**PRESCRIBED, "dose": 1000.0}
    graded = grade(replace(honest(), after=database(diagnoses=[DIAGNOSED], prescriptions=[tenfold])))
    assert graded.reward <= 0.1


def test_one_submission_of_soup_is_no_emergency_care() -> None:
    soup = (
        "STEMI aspirin cath lab ECG troponin heparin ESI 1 resuscitation bed immediate activation cardiology"
    )
    assert reward(submitted(soup)) <= 0.05


# Degrees: more of the work earns more


def test_the_work_done_ranks_the_reward() -> None:
    steps = [
        answered("The diagnosis is community-acquired pneumonia."),
        answered("The diagnosis is community-acquired pneumonia.", calls=HONEST_CALLS[:3]),
        answered(
            "The diagnosis is pneumonia in a man with a penicillin allergy. I recheck him tomorrow.",
            calls=HONEST_CALLS[:5],
            after=database(diagnoses=[DIAGNOSED]),
        ),
        honest(),
    ]
    rewards = [reward(e) for e in steps]
    assert rewards == sorted(rewards)
    assert all(later - earlier > 0.02 for earlier, later in itertools.pairwise(rewards))
