"""The share of shown steps that hold: what earns, what costs, and what earns nothing."""

import pytest
from medcalc_cases import AGE, CLEARANCE, DUE, NOTE, SCORE, decimal, told

from distrl.envs.clinical.calculators.core import Output
from distrl.envs.medcalc.grading.rewards import grade_text
from distrl.envs.medcalc.grading.working import read_working

CARD_EXAMPLE = """From the patient note, I extract the relevant values:
- Age: 65 years
- Weight: 70 kg
- Serum Creatinine: 1.8 mg/dL

CrCl = [(140 - Age) × Weight × (0.85 if female)] / (72 × Serum Creatinine)

For a male patient:
CrCl = [(140 - 65) × 70] / (72 × 1.8)
CrCl = [75 × 70] / 129.6
CrCl = 5250 / 129.6
CrCl = 40.51 mL/min"""
RIGHT = "CrCl = (140 - 65) * 70 / (72 * 1.8) = 40.51 mL/min"


def share(thinking: str, box: str = "40.51 mL/min", payload: dict = CLEARANCE) -> float:
    return grade_text(told(thinking, box), payload, "card")["thinking"]


@pytest.mark.parametrize(
    "thinking",
    [
        RIGHT,
        CARD_EXAMPLE,
        "140 - 65 = 75\n75 * 70 = 5250\n72 * 1.8 = 129.6\nCrCl = 5250 / 129.6 = 40.51",
        r"\[ \text{CrCl} = \frac{(140 - 65) \times 70}{72 \times 1.8} = 40.51 \text{ mL/min} \]",
        "- (140 - 65 years) * 70 kg / (72 * 1.8 mg/dL) = 40.51 mL/min",
        "First 140 - 65 = 75. Then 75 * 70 = 5250. Next 72 * 1.8 = 129.6. So 5250 / 129.6 ≈ 40.5.",
    ],
)
def test_steps_that_hold_and_use_the_inputs_earn_everything(thinking: str) -> None:
    assert share(thinking) == 1.0


@pytest.mark.parametrize(
    "thinking",
    [
        "",
        "wait " * 1500,
        "The clearance follows from the Cockcroft-Gault formula with age 65, weight 70 and creatinine 1.8.",
        "40.51 = 40.51",
        "1 = 1\n2 = 2",
        "40.51 * 1 = 40.51",
        "40.51 + 0 = 40.51 mL/min",
        "40.51 + 7 - 7 = 40.51",
        "40.51 + 0 * (65 + 70 + 1.8) = 40.51",
        "65 + 70 + 1.8 = 136.8\n40.51 + 136.8 * 0 = 40.51",
        "40.51 + (65 - 65) * 70 * 1.8 = 40.51",
        "min(40.51, 65 * 70 * 1.8) = 40.51",
        "age 65, weight 70, creatinine 1.8: +40.51",  # points of no score
        "CrCl = 40.51 mL/min",
        "30.51 + 10 = 40.51",  # reaches the answer without any input
        "140 - 65 = 75\n72 * 1.8 = 129.6",  # inputs, but the answer comes from nowhere
        "CrCl = (140 - 65) * 70 / (72 * 1.8) = 45",
        "(140 - age) * 70 = 40.51",
        "9**9**9 = 40.51",
    ],
)
def test_what_shows_no_step_to_the_answer_earns_nothing(thinking: str) -> None:
    assert share(thinking) == 0.0


def test_a_wrong_step_costs_its_share() -> None:
    assert share(f"{RIGHT}\n72 * 1.8 = 130.9") == 0.5
    assert share("140 - 65 = 75\n72 * 1.8 = 130.9\n75 * 70 / (72 * 1.8) = 40.51") == pytest.approx(2 / 3)


def test_repeating_a_right_step_gains_nothing() -> None:
    once = share(f"{RIGHT}\n72 * 1.8 = 130.9")
    assert share(f"{RIGHT}\n" * 20 + "72 * 1.8 = 130.9") == once


def test_padding_around_steps_changes_nothing() -> None:
    assert share("hmm, let me think. " * 100 + "\n" + RIGHT) == share(RIGHT)


def test_true_sums_beside_the_way_to_the_answer_gain_nothing() -> None:
    sums = "\n".join(f"{i} + {i} = {2 * i}" for i in range(30, 50))
    assert share(f"{RIGHT}\n{sums}\n72 * 1.8 = 130.9") == 0.5
    assert share(f"{sums}\n40 + 0.51 = 40.51") == 0.0


def test_inputs_left_out_cost_their_share() -> None:
    assert share("70 - 29.49 = 40.51") == pytest.approx(1 / 3)


def test_another_answer_than_the_worked_one_earns_nothing() -> None:
    assert share(RIGHT, "52 mL/min") == 0.0
    assert share(RIGHT, "about 40.51") == 0.0  # no answer at all


def test_steps_outside_thinking_do_not_count() -> None:
    assert grade_text(f"{RIGHT}\n\\boxed{{40.51 mL/min}}", CLEARANCE, "card")["thinking"] == 0.0


def test_rounding_follows_the_digits_shown() -> None:
    def right(line: str) -> list[bool]:
        return [s.right for s in read_working(line, Output.DECIMAL).steps]

    assert right("60 / 113 = 0.531") == right("60 / 113 = 0.53") == right("60 / 113 = 0.5310") == [True]
    assert right("60 / 113 = 0.58") == right("60 / 113 = 1") == [False]
    assert right("200 / 3 = 67") == [True]
    assert right("251 / 2.5 = 100.0") == [False]  # 0.4 % off
    assert right("7 / 5 = 1") == [False]  # rounding is worth 5 % at most
    assert right("4 / 10 = 40%") == right("100 * 4 / 10 = 40%") == [True]


@pytest.mark.parametrize(
    "line", ["65-74 = 1 point", "age >= 65 = yes", "BP = 128/76 mmHg", "x + 1 = 2", "a = b"]
)
def test_lines_that_claim_no_arithmetic_are_no_steps(line: str) -> None:
    assert read_working(line, Output.INTEGER).steps == ()


def test_a_step_that_carries_a_number_counts_where_the_gold_working_has_it() -> None:
    gold = ("corrected calcium = 9.3 + 0.8 * (4 - 4) = 9.3 mg/dL",)
    inputs = {"calcium": 9.3, "albumin": 4.0}
    normal = decimal(9.3, "mg/dL", calculator_id=7, arguments=inputs, explanation=gold)
    assert share("9.3 + (4.0 - 4.0) * 0.8 = 9.3", "9.3 mg/dL", normal) == 1.0
    assert share("9.3 + 0 * 4.0 = 9.3", "9.3 mg/dL", {**normal, "explanation": ()}) == 0.0


def test_points_must_add_up_to_the_score() -> None:
    lines = "\n".join(SCORE["explanation"])
    assert share(lines, "3", SCORE) == 1.0
    assert share(lines, "4", SCORE) == 0.0
    assert share("hypertension: +1\ndiabetes: 1 point\nage 65: +1", "3", SCORE) == 1.0
    assert share("foo: +1\nbar: +2", "3", SCORE) == 0.0
    assert share("hypertension: +1\n" * 3, "3", SCORE) == 0.0


def test_days_between_dates_are_steps() -> None:
    assert share("02/24/2000 plus 282 days = December 2, 2000", "12/02/2000", DUE) == pytest.approx(0.5)
    assert share("280 + (30 - 28) = 282\n282 days after 2000-02-24: 2000-12-02", "12/02/2000", DUE) == 1.0
    assert share("280 + (30 - 28) = 282\n282 days after 2000-02-24: 2000-12-09", "12/09/2000", DUE) == 0.0
    assert share("From 12/23/2020 to 08/21/2021 = 241 days = 34 weeks and 3 days", "34w3d", AGE) == 1.0


def test_rows_without_inputs_want_a_number_of_the_note() -> None:
    bare = decimal(93.3333, "mmHg", calculator_id=5, note=NOTE)
    assert share("MAP = 76 + (128 - 76) / 3 = 93.33", "93.33 mmHg", bare) == 1.0
    assert share("MAP = 90 + 10 / 3 = 93.33", "93.33 mmHg", bare) == 0.0


def test_inputs_may_be_converted() -> None:
    note = NOTE.replace("1.8 mg/dL", "159 µmol/L").replace("70 kg", "154.3 lb")
    payload = {**CLEARANCE, "note": note}
    converted = "159 / 88.4 = 1.7986\n154.3 * 0.4536 = 69.99\n(140 - 65) * 69.99 / (72 * 1.7986) = 40.53"
    assert share(converted, "40.53 mL/min", payload) == 1.0
