"""Accuracy and unit credit: the card's bands, the exact rule, conversions."""

import pytest
from medcalc_cases import AGE, CLEARANCE, DUE, SCORE, decimal, integer, told

from distrl.envs.medcalc.grading.rewards import CARD_WEIGHTS, REWARD_RULES, grade_text, metrics


def accuracy(body: str, payload: dict, rule: str = "card") -> float:
    return grade_text(f"\\boxed{{{body}}}", payload, rule)["accuracy"]


def units(body: str, payload: dict) -> float:
    return grade_text(f"\\boxed{{{body}}}", payload, "card")["units"]


@pytest.mark.parametrize(
    ("given", "credit"),
    [
        (100.0, 1.0),
        (105.0, 1.0),
        (95.0, 1.0),
        (105.1, 0.75),
        (110.0, 0.75),
        (110.1, 0.5),
        (75.0, 0.5),
        (74.9, 0.25),
        (150.0, 0.25),
        (150.1, 0.0),
        (-100.0, 0.0),
    ],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_card_has_bands_either_side_of_the_truth(given: float, credit: float, sign: float) -> None:
    assert accuracy(f"{sign * given}", decimal(sign * 100.0)) == credit


def test_limits_of_the_data_hold_beside_the_bands() -> None:
    wide = {**decimal(100.0), "lower": 80.0, "upper": 120.0}
    assert accuracy("81", wide) == accuracy("81", wide, "strict") == 1.0
    assert accuracy("79", wide, "strict") == 0.0


def test_a_truth_of_zero_wants_zero() -> None:
    assert accuracy("0", decimal(0.0)) == accuracy("0.0 mEq/L", decimal(0.0, "mEq/L"), "strict") == 1.0
    assert accuracy("0.01", decimal(0.0)) == accuracy("0.01", decimal(0.0), "strict") == 0.0


def test_a_score_off_by_one_earns_a_band_under_the_card_alone() -> None:
    fourteen = integer(15)
    assert accuracy("14", fourteen) == 0.75
    assert accuracy("14", fourteen, "strict") == 0.0
    assert accuracy("15", fourteen, "strict") == accuracy("15.0", fourteen, "strict") == 1.0


def test_the_exact_rule_does_not_round() -> None:
    assert accuracy("2.6", SCORE, "strict") == 0.0
    assert accuracy("3", SCORE, "strict") == accuracy("3/9", SCORE, "strict") == 1.0


def test_percents_are_a_unit_and_not_divided() -> None:
    excretion = decimal(0.58, "%", calculator_id=40)
    assert accuracy("0.58%", excretion, "strict") == accuracy("0.58", excretion, "strict") == 1.0
    assert accuracy("58%", excretion) == 0.0
    assert accuracy("58%", decimal(0.58, calculator_id=64), "strict") == 1.0


@pytest.mark.parametrize(
    ("body", "payload"),
    [
        ("2.43 L/h", CLEARANCE),
        ("2.25 mmol/L", decimal(9.02, "mg/dL", calculator_id=7)),
        ("4.5 mEq/L", decimal(9.02, "mg/dL", calculator_id=7)),
        ("2.6 mmol/L", decimal(100.0, "mg/dL", calculator_id=44)),
        *[("12 mmol/L", decimal(12.0, "mEq/L", calculator_id=number)) for number in (26, 39, 63, 65, 66)],
        ("154 lb", decimal(70.0, "kg", calculator_id=10)),
        ("0.42 s", decimal(420.0, "ms", calculator_id=11)),
    ],
)
def test_an_answer_in_another_unit_is_converted_and_credited(body: str, payload: dict) -> None:
    assert accuracy(body, payload, "strict") == 1.0
    assert units(body, payload) == 1.0


@pytest.mark.parametrize("body", ["40.51", "40.51 kg", "40.51 mL/min/1.73 m^2", "40.51 bananas"])
def test_a_missing_or_wrong_unit_costs_the_unit_alone(body: str) -> None:
    assert accuracy(body, CLEARANCE) == 1.0
    assert units(body, CLEARANCE) == 0.0


def test_the_number_of_the_truth_in_a_larger_unit_is_wrong() -> None:
    assert accuracy("40.51 L/h", CLEARANCE) == 0.0


@pytest.mark.parametrize(("body", "credit"), [("3", 1.0), ("3 points", 1.0), ("3 mg", 0.0), ("3 %", 0.0)])
def test_a_score_wants_no_unit(body: str, credit: float) -> None:
    assert units(body, SCORE) == credit


@pytest.mark.parametrize(
    ("payload", "right", "wrong"),
    [(DUE, "December 2, 2000", "12/03/2000"), (AGE, "34 weeks 3 days", "34 weeks 4 days")],
)
def test_dates_and_weeks_are_right_or_wrong_under_either_rule(payload: dict, right: str, wrong: str) -> None:
    for rule in ("card", "strict"):
        assert accuracy(right, payload, rule) == 1.0
        assert accuracy(wrong, payload, rule) == 0.0
    assert units(wrong, payload) == 1.0


@pytest.mark.parametrize("place", ["<answer>40.5 mL/min</answer>", '{"answer": "40.5 mL/min"}'])
def test_other_places_count_but_earn_no_box(place: str) -> None:
    assert grade_text(place, CLEARANCE, "strict") == {"accuracy": 1.0}
    parts = grade_text(place, CLEARANCE, "card")
    assert (parts["accuracy"], parts["boxed"], parts["units"]) == (1.0, 0.0, 1.0)


def test_an_answer_within_thinking_is_none() -> None:
    assert set(grade_text(r"<think>\boxed{40.5 mL/min}</think>", CLEARANCE, "card").values()) == {0.0}
    text = told(r"perhaps \boxed{99}", "40.5 mL/min")
    assert grade_text(text, CLEARANCE, "card")["accuracy"] == 1.0


@pytest.mark.parametrize("payload", [CLEARANCE, SCORE, DUE, AGE])
def test_the_gold_text_earns_everything(payload: dict) -> None:
    answer = {2: "40.5093 mL/min", 4: "3", 13: "12/02/2000", 69: "(34 weeks, 3 days)"}[
        payload["calculator_id"]
    ]
    parts = grade_text(told("\n".join(payload["explanation"]), answer), payload, "card")
    assert parts == dict.fromkeys(CARD_WEIGHTS, 1.0)


def test_rules_and_metrics_name_their_parts() -> None:
    assert sum(CARD_WEIGHTS.values()) == pytest.approx(1.0)
    for name, rule in REWARD_RULES.items():
        assert grade_text("", CLEARANCE, name).keys() == rule.weights.keys()
    assert set(metrics("", CLEARANCE)) == {
        "accuracy_exact",
        "accuracy_card",
        "boxed",
        "unit_right",
        "thinking",
    }
    with pytest.raises(ValueError, match="lenient"):
        grade_text("", CLEARANCE, "lenient")
