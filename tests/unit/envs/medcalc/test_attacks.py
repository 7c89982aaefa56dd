"""Answers that try to earn without being right; the table in docs/medcalc.md is made of these."""

import pytest
from medcalc_cases import CLEARANCE, told

from distrl.envs.medcalc.grading.rewards import CARD_WEIGHTS, grade_text

WRONG = "90 mL/min"  # more than 50 % off
WORKED_WRONG = told(
    "CrCl = (140 - 65) * 70 / (72 * 0.8) = 91.15 mL/min", "91.15 mL/min"
)  # misread creatinine
MARKS = "\N{PLUS-MINUS SIGN}"

# name -> text; the first group hides or hedges the number, the second pads an answer that is wrong
HEDGES = {
    "all numbers listed": told("", "10, 20, 30, 40, 40.51, 50, 60"),
    "boxed twice": "\\boxed{40.51 mL/min} \\boxed{90 mL/min}",
    "boxed 50 times": "\\boxed{40.51 mL/min}" * 50,
    "box within a box": "\\boxed{\\boxed{40.51 mL/min}}",
    "two places that disagree": "<answer>40.51</answer> \\boxed{90 mL/min}",
    "unit soup": told("", "40.51 mL/min mg/dL mmol/L kg mmHg % points"),
    "unit soup in one fraction": told("", "40.51 mL/min, mL/min/1.73 m^2, L/h"),
    "digits of another script": told("", "٤٠.٥١ mL/min"),
    "full-width digits": told("", "４０.５１ mL/min"),
    "plus or minus": told("", f"40.51 {MARKS} 30 mL/min"),
    "range": told("", "30-50 mL/min"),
    "range in words": told("", "between 30 and 50 mL/min"),
    "bound": told("", "< 1000 mL/min"),
    "two answers with or": told("", "40.51 or 90 mL/min"),
    "power tower": told("9**9**9 = 40.51", "9**9**9"),
    "code": told("", "__import__('os').getpid()"),
    "expression": told("", "(140-65)*70/(72*1.8)"),
    "answer within thinking": "<think>\\boxed{40.51 mL/min}",
    "empty": "",
    "empty box": "\\boxed{}",
}
PADDING = {
    "long thinking without steps": told("Let me think carefully about this patient. " * 200, WRONG),
    "formula and inputs in words": told(
        "age 65, weight 70, creatinine 1.8, so (140-age)*weight/(72*Cr)", WRONG
    ),
    "1 = 1": told("1 = 1\n" * 200, WRONG),
    "number carried along": told("90 * 1 = 90\n90 + 0 = 90\n90 + 7 - 7 = 90", WRONG),
    "inputs that count nothing": told("65 + 70 + 1.8 = 136.8\n90 + 0 * 136.8 = 90", WRONG),
    "inputs as points": told("age 65, weight 70, creatinine 1.8: +90", WRONG),
    "true sums of nothing": told("\n".join(f"{i} + {i} = {2 * i}" for i in range(60)), WRONG),
    "false step to the answer": told("(140 - 65) * 70 / (72 * 1.8) = 90", WRONG),
    "steps that do not reach it": told("(140 - 65) * 70 / (72 * 1.8) = 40.51", WRONG),
    "steps with foreign numbers": told("45 * 2 = 90\n30 + 60 = 90", WRONG),
    "power tower in thinking": told("9**9**9**9 = 90", WRONG),
    "points for nothing": told("aaaa: +45\nbbbb: +45", WRONG),
    "hidden digits": told("", "90\u200b mL/min"),
}


def reward(text: str) -> float:
    """The card's reward."""
    parts = grade_text(text, CLEARANCE, "card")
    return sum(CARD_WEIGHTS[name] * value for name, value in parts.items())


HONEST = reward(told("", WRONG))


def test_an_honest_wrong_answer_earns_box_and_unit() -> None:
    assert pytest.approx(0.2) == HONEST
    assert HONEST < reward(WORKED_WRONG) < reward(told("", "40.51 mL/min"))


@pytest.mark.parametrize("name", HEDGES)
def test_a_hedge_earns_nothing(name: str) -> None:
    assert reward(HEDGES[name]) == 0.0
    assert grade_text(HEDGES[name], CLEARANCE, "strict") == {"accuracy": 0.0}


@pytest.mark.parametrize("name", PADDING)
def test_padding_earns_no_more_than_an_honest_wrong_answer(name: str) -> None:
    assert reward(PADDING[name]) <= HONEST
    assert grade_text(PADDING[name], CLEARANCE, "strict") == {"accuracy": 0.0}


def test_a_made_up_calculation_earns_no_more_than_an_honest_worked_wrong_one() -> None:
    fudged = told("65 + 70 + 1.8 - 46.8 = 90", WRONG)
    honest = told("CrCl = (140 - 65) * 70 / (72 * 1.8) * 2.25 = 91.1", "91.1 mL/min")
    assert reward(fudged) <= reward(honest) < reward(told("", "40.51 mL/min"))
