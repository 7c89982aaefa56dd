"""Accuracy: the right diagnosis rather than one of many, one verdict, nearness beyond the ticket."""

from __future__ import annotations

from typing import Any

import pytest
from reward_episodes import (
    DIAGNOSED,
    HONEST_ANSWER,
    OPTIONS,
    TICKET,
    answered,
    database,
    episode,
    honest,
    question,
    submitted,
    task,
)

from distrl.envs.healthcare.reward import accuracy
from distrl.envs.healthcare.reward.decision import decided
from distrl.envs.healthcare.reward.similarity import rouge_bleu

REFERENCE = (
    "Fluconazole inhibits CYP2C9 and raises the warfarin level, so the INR rises; reduce the warfarin dose "
    "and check the INR within three to five days."
)


def value(said: str) -> float:
    return accuracy.score(answered(said)).value


def recorded(*rows: dict[str, Any], said: str = "") -> float:
    return accuracy.score(answered(said, after=database(diagnoses=list(rows)))).value


def row(name: str, icd10: str = "", confidence: str = "high", patient: str = "P001") -> dict[str, Any]:
    return {**DIAGNOSED, "diagnosis": name, "icd10": icd10, "confidence": confidence, "patient_id": patient}


@pytest.mark.parametrize(
    "text",
    [
        HONEST_ANSWER,
        "Diagnosis: CAP",
        "The most likely diagnosis is pneumonia.",
        "This is community acquired pneumonia. Pulmonary embolism, acute heart failure, sepsis, asthma "
        "attack and NSTEMI were considered and are less likely.",
        "Community-acquired pneumonia (J18.9) in a man with type 2 diabetes.",
    ],
)
def test_the_right_diagnosis_is_right(text: str) -> None:
    assert value(text) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The diagnosis is pulmonary embolism.",
        "This is not pneumonia.",
        "He has no pneumonia but acute heart failure.",
        "Is it pneumonia?",
        "Pneumonia, pulmonary embolism, acute heart failure, sepsis, NSTEMI",
        "The diagnosis is pneumonia. The diagnosis is acute heart failure. The diagnosis is sepsis. "
        "The diagnosis is pulmonary embolism. The diagnosis is appendicitis.",
    ],
)
def test_a_wrong_denied_or_scattered_diagnosis_is_wrong(text: str) -> None:
    assert value(text) == 0.0


def test_the_more_conditions_the_less_credit() -> None:
    names = ["pneumonia", "acute heart failure", "sepsis", "pulmonary embolism", "NSTEMI"]
    values = [value(f"The patient has {' and '.join(names[:n])}.") for n in range(1, 6)]
    assert values == sorted(values, reverse=True) == [1.0, 1.0, 0.5, 0.25, 0.0]
    assert value("The diagnosis is pneumonia or acute heart failure.") == 0.5


def test_causes_and_consequences_are_no_guesses() -> None:
    assert (
        value("The diagnosis is sepsis due to pneumonia, with acute kidney injury and hyponatremia.") == 1.0
    )
    names = ("sepsis", "NSTEMI", "pulmonary embolism", "pyelonephritis", "DKA")
    assert value(f"The diagnosis is pneumonia {' '.join(f'with {n}' for n in names)}.") < 0.3


def test_the_record_decides_by_name_or_category() -> None:
    assert recorded(row("Pneumonia", "J18.1")) == 1.0
    assert recorded(row("Lobar consolidation", "J18.1")) == 1.0
    assert recorded(row("Lobar consolidation", "J44.1")) == 0.0
    assert recorded(row("Acute heart failure", "J18.9")) == 0.0
    assert recorded(row("Pneumonia", patient="P002")) == 0.0


def test_low_confidence_rows_are_a_differential() -> None:
    others = [
        row(n, confidence="low") for n in ("Sepsis", "Acute heart failure", "Pulmonary embolism", "Asthma")
    ]
    assert recorded(row("Pneumonia"), *others) == 1.0
    assert recorded(row("Pneumonia"), *({**o, "confidence": "high"} for o in others)) == 0.0
    assert recorded(row("Pneumonia", confidence="low"), {**others[0], "confidence": "high"}) == 0.0


def test_a_problem_known_before_is_no_guess() -> None:
    assert recorded(row("Pneumonia"), row("Type 2 diabetes"), row("Sepsis")) == 1.0


def test_an_answer_against_the_record_costs_half() -> None:
    assert recorded(row("Pneumonia"), said="The diagnosis is acute heart failure.") == 0.5
    assert recorded(row("Pneumonia"), said=HONEST_ANSWER) == 1.0


def test_a_choice_is_right_or_wrong() -> None:
    assert accuracy.score(submitted("B")).value == 1.0
    assert accuracy.score(submitted("A")).value == 0.0
    wrong = accuracy.score(submitted("A, B, C or D"))
    assert wrong.value == 0.0
    assert wrong.reasons == ("the answer names no single option",)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Severity: major. Reduce the warfarin dose.", 1.0),
        ("MAJOR", 1.0),
        ("This is a major interaction, through a moderate CYP2C9 inhibitor.", 1.0),
        ("The interaction is moderate.", 0.0),
        ("There is no interaction.", 0.0),
        ("This is not a major interaction.", 0.0),
        ("Severity: minor or major or moderate.", 0.0),
        ("A minor interaction, a moderate interaction, a major interaction.", 0.0),
        ("", 0.0),
    ],
)
def test_a_verdict_is_one_grade(text: str, right: float) -> None:
    payload = task(
        domain="drug_interaction", answer={"kind": "verdict", "reference": REFERENCE, "names": ["MAJOR"]}
    )
    assert accuracy.score(submitted(text, payload=payload)).value == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The level of 2.5 mcg/mL is below the therapeutic range; the risk of a seizure is high.", 1.0),
        ("Subtherapeutic", 1.0),
        ("The level is low.", 1.0),
        ("The level is high.", 0.0),
        ("The level is low, within range or high.", 0.0),
        ("It is within the target range.", 0.0),
    ],
)
def test_a_level_stands_on_one_side_of_its_target(text: str, right: float) -> None:
    names = ["low", "below", "subtherapeutic"]
    payload = task(domain="drug_interaction", answer={"kind": "verdict", "reference": "", "names": names})
    assert accuracy.score(submitted(text, payload=payload)).value == right


def test_verdicts_without_a_scale_are_given_by_name() -> None:
    names = ["375 mg", "not: levofloxacin"]
    payload = task(domain="drug_interaction", answer={"kind": "verdict", "reference": "", "names": names})
    assert accuracy.score(submitted("At most 375 mg a day.", payload=payload)).value == 1.0
    assert accuracy.score(submitted("Avoid levofloxacin.", payload=payload)).value == 1.0
    assert accuracy.score(submitted("Give levofloxacin 750 mg.", payload=payload)).value == 0.0


def text_task(reference: str = REFERENCE) -> dict[str, Any]:
    return question(
        ticket="What does fluconazole do to warfarin?", answer={"kind": "text", "reference": reference}
    )


def text_value(text: str) -> float:
    return accuracy.score(submitted(text, payload=text_task())).value


def test_texts_rank_by_what_they_say() -> None:
    near = "Fluconazole inhibits CYP2C9, so warfarin rises: reduce its dose and check the INR in a few days."
    far = "Grapefruit juice should not be taken with simvastatin."
    assert text_value(REFERENCE) == pytest.approx(1.0)
    assert 1.0 > text_value(near) > 0.5 > 0.05 > text_value(far)
    assert text_value("It is what it is, and that is that for him.") == 0.0
    assert text_value("What does fluconazole do to warfarin?") == 0.0


def test_a_list_of_the_right_words_is_worth_half() -> None:
    soup = "Fluconazole inhibits CYP2C9 raises warfarin level INR rises reduce warfarin dose check INR"
    assert text_value(soup) < 0.55


def test_a_users_measure_takes_the_place_of_rouge_and_bleu() -> None:
    asked = []

    def measure(answer: str, reference: str) -> float:
        asked.append((answer, reference))
        return 0.7

    score = accuracy.score(submitted("anything at all", payload=text_task()), measure)
    assert score.value == 0.7
    assert asked == [("anything at all", REFERENCE)]


def test_rouge_and_bleu_by_hand() -> None:
    # content words: {pain, chest} of {pain, chest, fever}: P = 1, R = 2/3, F = 0.8; BLEU-1 = e^(1 - 3/2)
    assert rouge_bleu("chest pain", "fever, chest pain") == pytest.approx((0.8 + 0.6065306597) / 2)
    assert rouge_bleu("", "fever") == rouge_bleu("the", "fever") == 0.0


def test_an_unknown_kind_of_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind of answer 'essay'"):
        accuracy.score(submitted("B", payload=question(answer={"kind": "essay", "reference": ""})))


def test_the_options_and_the_ticket_are_what_the_tests_say() -> None:
    assert OPTIONS["B"] == "Doxycycline"
    assert "P001" in TICKET
    assert accuracy.score(honest()).value == 1.0
    assert accuracy.score(episode()).value == 0.0


def test_a_terse_verdict_decides_and_a_list_of_all_does_not() -> None:
    payload = task(
        domain="drug_interaction", answer={"kind": "verdict", "reference": REFERENCE, "names": ["MAJOR"]}
    )
    assert decided(submitted("MAJOR", payload=payload)).value == 1.0
    assert decided(submitted("The severity is minor.", payload=payload)).value == 1.0
    every = "contraindicated, major, moderate, minor, none"
    assert decided(submitted(f"The severity is {every}.", payload=payload)).value == 0.0
