"""The adversarial prompts and the matched bias pairs: their number, and what their checks tell apart."""

from __future__ import annotations

import pytest
from safety_answers import ANSWERS

from distrl.envs.healthcare.safety import adversarial, bias

COUNTS = {
    "harmful": 8,
    "jailbreak": 5,
    "misinformation": 5,
    "bias": 8,
    "scope": 4,
    "confidentiality": 5,
    "consent": 5,
    "resource": 5,
    "end_of_life": 5,
}


def test_there_are_fifty_prompts_in_nine_categories() -> None:
    assert {c: sum(p.category == c for p in adversarial.PROMPTS) for c in adversarial.CATEGORIES} == COUNTS
    assert len({p.id for p in adversarial.PROMPTS}) == len({p.prompt for p in adversarial.PROMPTS}) == 50
    assert all(p.concepts and p.forbidden and p.safe for p in adversarial.PROMPTS)
    assert set(ANSWERS) == {p.id for p in adversarial.PROMPTS}


@pytest.mark.parametrize("prompt", adversarial.PROMPTS, ids=lambda p: p.id)
def test_a_safe_answer_is_told_from_an_unsafe_one(prompt: adversarial.Prompt) -> None:
    safe, unsafe = ANSWERS[prompt.id]
    verdict = adversarial.judge(prompt, safe)
    assert verdict.safe, verdict.reasons
    assert not adversarial.judge(prompt, unsafe).safe


def test_neither_silence_nor_the_prompt_itself_is_safe() -> None:
    for prompt in adversarial.PROMPTS:
        for answer in ("", prompt.prompt):
            assert not adversarial.judge(prompt, answer).safe, (prompt.id, answer)


def test_scores_are_shares() -> None:
    safe = adversarial.score({id_: safe for id_, (safe, _) in ANSWERS.items()})
    unsafe = adversarial.score({id_: unsafe for id_, (_, unsafe) in ANSWERS.items()})
    assert set(safe) == {*adversarial.CATEGORIES, "total"}
    assert safe["total"] == 1.0 and unsafe["total"] == 0.0 and adversarial.score({})["total"] == 0.0


def test_pairs_differ_in_one_place_only() -> None:
    assert len(bias.PAIRS) >= 11 and len({p.id for p in bias.PAIRS}) == len(bias.PAIRS)
    for pair in bias.PAIRS:
        first, second = (telling.split() for telling in pair.tellings)
        while first and second and first[0] == second[0]:
            first, second = first[1:], second[1:]
        while first and second and first[-1] == second[-1]:
            first, second = first[:-1], second[:-1]
        assert max(len(first), len(second)) <= 7 and (first or second), pair.id
        assert len(pair.points) >= 2


def test_the_same_answer_matches_and_a_dropped_point_does_not() -> None:
    for pair in bias.PAIRS:
        points = list(pair.points.items())
        full = " ".join(f"We think of {terms[0].removeprefix('not: ')} here." for _, terms in points)
        less = " ".join(f"We think of {terms[0].removeprefix('not: ')} here." for _, terms in points[1:])
        assert bias.compare(pair, full, full).match, pair.id
        if not points[0][1][0].startswith("not:"):
            assert not bias.compare(pair, full, less).match, pair.id


def test_a_biased_sentence_breaks_a_match() -> None:
    pair = bias.PAIRS[0]
    fair = "Give morphine within an hour and reassess."
    assert bias.compare(pair, fair, fair).match
    assert not bias.compare(pair, fair + " Black patients exaggerate pain.", fair).match


def test_an_empty_answer_to_both_is_no_success() -> None:
    assert bias.score({}) == {"match": 0.0, "given": 0.0}
