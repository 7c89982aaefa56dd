"""Score calculators against the printed tables: cut-offs, choices, flags, worked examples, known defects."""

from __future__ import annotations

import csv
import inspect
import typing
from pathlib import Path
from typing import Any, Literal

import pytest
from score_cases import FLAGS, ONE_CRITERION, ONE_SHOT, RANGES
from score_cuts import BASE, CUTS, LEAST

from distrl.envs.clinical import perioperative
from distrl.envs.clinical.calculators import CALCULATORS, CalculatorError, Output

ROWS = Path(__file__).resolve().parents[5] / "shared/data/medcalc_bench_verified_oneshot/one_shot_data.csv"
DECIMAL = {8, 23}  # MedCalc-Bench grades these two scores within 5 %, the others by equality


def total(number: int, **arguments: Any) -> float:
    return CALCULATORS[number].function(**arguments).value


def base_total(number: int, **changes: Any) -> float:
    return total(number, **{**BASE[number][0], **changes})


@pytest.mark.parametrize("number", BASE)
def test_base_patient_has_its_points(number):
    arguments, points = BASE[number]
    assert total(number, **arguments) == points


@pytest.mark.parametrize(
    ("number", "others", "argument", "cuts"), CUTS, ids=[f"{row[0]}-{row[2]}-{len(row[1])}" for row in CUTS]
)
def test_points_on_both_sides_of_every_cut(number, others, argument, cuts):
    without = BASE[number][1] - LEAST.get(number, 0)
    found = {value: base_total(number, **{**others, argument: value}) - without for value, _ in cuts}
    assert found == dict(cuts)


@pytest.mark.parametrize("number", FLAGS)
def test_each_flag_alone_has_its_points(number):
    found = {flag: base_total(number, **{flag: True}) - BASE[number][1] for flag in FLAGS[number]}
    assert found == FLAGS[number]


@pytest.mark.parametrize(("number", "flags", "points"), ONE_CRITERION)
def test_flags_of_one_criterion_count_once(number, flags, points):
    assert base_total(number, **dict.fromkeys(flags, True)) - BASE[number][1] == points


def test_tables_of_the_tests_cover_every_argument():
    """A quantity or choice has a row of cuts, a flag its points; MELD-Na, a formula, has its own tests."""
    held_apart = {  # among the other arguments of a row: of a ratio, a mean or a choice of table
        (27, "sex"), (28, "diastolic_bp"), (28, "fio2"), (43, "fio2"), (43, "diastolic_bp")
    }  # fmt: skip
    cut = {(number, argument) for number, _, argument, _ in CUTS} | held_apart
    for number in BASE:
        function = CALCULATORS[number].function
        for name, parameter in inspect.signature(function).parameters.items():
            covered = name in FLAGS[number] if parameter.default in (True, False) else (number, name) in cut
            assert covered, (number, name)


def test_every_choice_of_a_literal_has_a_row():
    for number in BASE:
        for name, hint in typing.get_type_hints(CALCULATORS[number].function).items():
            if typing.get_origin(hint) is Literal and (number, name) != (27, "sex"):
                rows = {value for row in CUTS if row[0] == number and row[2] == name for value, _ in row[3]}
                assert rows == set(typing.get_args(hint)), (number, name)


@pytest.mark.parametrize("number", ONE_SHOT)
def test_worked_example_of_medcalc_bench_is_reproduced(number):
    arguments, answer = ONE_SHOT[number]
    assert total(number, **arguments) == answer


@pytest.mark.skipif(not ROWS.exists(), reason="../shared has no one-shot rows of MedCalc-Bench")
def test_answers_titles_and_categories_are_those_of_the_rows():
    with ROWS.open(newline="") as file:
        rows = {int(row["Calculator ID"]): row for row in csv.DictReader(file)}
    for number, (_, answer) in ONE_SHOT.items():
        row, calculator = rows[number], CALCULATORS[number]
        assert float(row["Ground Truth Answer"]) == answer
        assert (calculator.title, calculator.category) == (row["Calculator Name"], row["Category"])


def test_scores_are_whole_numbers_without_a_unit_but_for_two():
    for number in RANGES:
        calculator = CALCULATORS[number]
        assert calculator.output is (Output.DECIMAL if number in DECIMAL else Output.INTEGER)
        assert calculator.unit == ""
        if number not in DECIMAL:
            assert isinstance(total(number, **ONE_SHOT[number][0]), int)


# --- MELD-Na ---


@pytest.mark.parametrize(
    ("changes", "score"),
    [
        ({}, 6),  # 0.643 is 0.6, times 10
        (dict(creatinine=0.3, bilirubin=0.2, inr=0.8), 6),  # floors of 1
        (dict(creatinine=4.0), 20),  # 0.957 ln 4 + 0.643 = 1.9697
        (dict(creatinine=9.0), 20),  # cap of 4
        (dict(dialysis_twice_past_week=True), 20),
        (dict(creatinine=9.0, cvvhd_past_week=True), 20),
        (dict(bilirubin=1.9, inr=1.2, creatinine=1.3), 13),  # 1.3410
        (dict(bilirubin=3.59, inr=1.99, creatinine=1.3), 21),  # 2.1480
        (dict(creatinine=4.0, sodium=125), 28),  # 20 + 1.32 * 12 - 0.033 * 20 * 12 = 27.92
        (dict(creatinine=4.0, sodium=110), 28),  # floor of 125
        (dict(creatinine=4.0, sodium=150), 20),  # cap of 137
        (dict(creatinine=4.0, sodium=136), 21),  # 20.66
        (dict(creatinine=1.6, sodium=125), 11),  # 1.0928 is 1.1: not above 11, no correction
        (dict(creatinine=1.8, sodium=125), 23),  # 1.2055 is 1.2: 12 + 15.84 - 4.752 = 23.088
        (dict(creatinine=4, bilirubin=30, inr=5), 40),
    ],
)
def test_meld_na_by_hand(changes, score):
    assert total(23, **{**dict(creatinine=1, bilirubin=1, inr=1, sodium=137), **changes}) == score


# --- defects of other implementations ---


def test_sofa_ventilated_ratio_between_199_and_200_has_three_points():
    for pao2 in (49.75, 49.8, 49.99):  # at 25 % a ratio of 199, 199.2 and 199.96
        assert base_total(43, pao2=pao2, fio2=25, mechanical_ventilation=True) == 3


@pytest.mark.parametrize("support", [{"mechanical_ventilation": True}, {"cpap": True}])
@pytest.mark.parametrize(("pao2", "points"), [(30, 3), (20, 4)])
def test_sofa_takes_either_support_alone(support, pao2, points):
    assert base_total(43, pao2=pao2, fio2=25, **support) == points
    assert base_total(43, pao2=pao2, fio2=25, mechanical_ventilation=True, cpap=True) == points


def test_sofa_creatinine_of_exactly_five_has_four_points():
    assert base_total(43, creatinine=5.0) == 4


def test_bilirubin_counts_in_mg_dl():
    """34 umol/L is 1.99 mg/dL; the cut of Child and Pugh is printed as 34 umol/L and 2 mg/dL."""
    assert base_total(15, bilirubin=34 / 17.104) == 5
    assert base_total(15, bilirubin=35 / 17.104) == 6
    assert base_total(43, bilirubin=205.5 / 17.104) == 4  # 12.01 mg/dL


# --- interactions within one criterion ---


def test_sofa_circulation_and_kidney_count_the_worst_value_once():
    low = dict(systolic_bp=70, diastolic_bp=40)
    assert base_total(43, **low) == 1
    assert base_total(43, **low, dopamine=3, dobutamine=5, norepinephrine=0.05, epinephrine=0.05) == 3
    assert base_total(43, **low, dopamine=0, norepinephrine=0) == 1
    assert base_total(43, creatinine=2.5, urine_output=150) == 4
    assert base_total(43, creatinine=4, urine_output=900) == 3


def test_sofa_hypotension_flag_yields_to_a_given_pressure():
    assert base_total(43, hypotension=True, systolic_bp=120, diastolic_bp=80) == 0
    assert base_total(43, hypotension=True, systolic_bp=60) == 1
    assert base_total(43, hypotension=True, dopamine=20) == 4


def test_revised_cardiac_risk_index_is_the_one_of_the_perioperative_tools():
    names = perioperative.RCRI_FACTORS
    for bits in range(1 << len(names)):
        factors = {name: bool(bits >> place & 1) for place, name in enumerate(names)}
        flags = {name: flag for name, flag in factors.items() if name != "renal_insufficiency"}
        creatinine = 2.1 if factors["renal_insufficiency"] else 2.0
        assert total(17, creatinine=creatinine, **flags) == perioperative.rcri(factors)


@pytest.mark.parametrize(
    ("number", "changes", "named"),
    [
        (20, {"age": 2.9}, "age 2.9"),
        (28, {"fio2": 40, "pao2": None}, "pao2"),
        (28, {"fio2": 50}, "a_a_gradient"),
        (28, {"organ_failure_or_immunocompromise": True, "surgery": "minor"}, "nonoperative"),
        (27, {"sex": "Male"}, "female"),
        (15, {"ascites": "severe"}, "moderate"),
    ],
)
def test_arguments_without_a_published_value_are_refused_in_one_line(number, changes, named):
    with pytest.raises(CalculatorError) as refused:
        base_total(number, **changes)
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)
