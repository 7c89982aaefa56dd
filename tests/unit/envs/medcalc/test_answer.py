"""Reading of answers: where they stand and what they say."""

import datetime

import pytest

from distrl.envs.clinical.calculators.core import Output
from distrl.envs.medcalc.grading.answer import answer_body, boxed_body, read_answer, value_text

D, N, T, W = Output.DECIMAL, Output.INTEGER, Output.DATE, Output.WEEKS_DAYS

PLACES = [
    (r"so \boxed{40.5 mL/min}.", "40.5 mL/min"),
    (r"\boxed{40.5\text{ mL/min}}", r"40.5\text{ mL/min}"),
    (r"$\boxed {\frac{1}{2}}$", r"\frac{1}{2}"),
    ("<answer> 40.5 </answer>", "40.5"),
    (r"<answer>\boxed{40.5}</answer>", "40.5"),
    ('{"step_by_step_thinking": "{a} = 3", "answer": "40.5"}', "40.5"),
    ('```json\n{"answer": 40.5}\n```', "40.5"),
    ('{"answer": [34, 3]}', "(34, 3)"),
    (r"\boxed{40.5} <answer>40.5</answer>", "40.5"),
    (r"\boxed{40.5} <answer>41</answer>", None),
    (r"\boxed{40.5} \boxed{40.5}", None),
    (r"\boxed{\boxed{40.5}}", None),
    (r"\boxed{40.5", None),
    ("<answer>1</answer><answer>1</answer>", None),
    ("<answer>1", None),
    ('{"answer": 40.5} and more', None),
    ('{"answer": true}', None),
    ('{"answer": 1, "answer": 2}', None),
    ("the answer is 40.5", None),
    ("", None),
]

NUMBERS = [  # body, value, unit
    ("40.51 mL/min", 40.51, "mL/min"),
    (r"40.51\,\text{mL/min}", 40.51, "mL/min"),
    (r"40.51~\mathrm{mL/min/1.73 m^{2}}", 40.51, "mL/min/1.73 m^2"),
    (r"CrCl = 40.51 mL/min", 40.51, "mL/min"),
    (r"\approx 40.5", 40.5, ""),
    (r"$40.5$", 40.5, ""),
    ("-7", -7.0, ""),
    ("−7.5 mEq/L", -7.5, "mEq/L"),
    ("+3", 3.0, ""),
    (".5", 0.5, ""),
    ("1,234.5 mL", 1234.5, "mL"),
    (r"1{,}234 mL", 1234.0, "mL"),
    ("1.2e3", 1200.0, ""),
    (r"1.2 \times 10^{3} mL", 1200.0, "mL"),
    ("1.2 × 10^-3", 0.0012, ""),
    ("0.58%", 0.58, "%"),
    (r"0.58\%", 0.58, "%"),
    ("44 µmol/L", 44.0, "µmol/L"),
    ("250 x 10^9/L", 250e9, "/L"),
    ("38.2^\\circ C", 38.2, "°C"),
    ("40.51 mL/min (moderate)", 40.51, "mL/min (moderate)"),
]

NO_NUMBER = [
    "",
    "unknown",
    "forty",
    "40, 41, 42",
    "40 41",
    "40.51.1",
    "40 or 41 mL/min",
    "40-45 mL/min",
    "40–45",
    "40 to 45",
    "40 ± 2",
    "±40",
    "<40",
    "> 40",
    r"\geq 40",
    "40,51",
    "1.234,5",
    "12,34",
    "٤٠",
    "４０",
    "4०",
    "40½",
    "40²",
    "9**9**9",
    "9^9^9",
    "(140-65)*70/129.6",
    r"\frac{81}{2}",
    "1e999",
    "1e13",
    "nan",
    "inf",
    "40 mL/min mg/dL mmol/L",
    "40 mL/min, kg, mmHg",
    "40.5 mL/min (stage 3b)",
    "40 = 41",
    "0x28",
    "__import__('os')",
    "4" * 300,
]


@pytest.mark.parametrize(("text", "body"), PLACES)
def test_the_answer_is_read_from_one_place(text: str, body: str | None) -> None:
    assert answer_body(text) == body


@pytest.mark.parametrize(("body", "value", "unit"), NUMBERS)
def test_a_number_and_its_unit_are_read(body: str, value: float, unit: str) -> None:
    answer = read_answer(body, D)
    assert answer is not None
    assert answer.value == pytest.approx(value)
    assert answer.unit == unit


@pytest.mark.parametrize("body", NO_NUMBER)
@pytest.mark.parametrize("output", [D, N])
def test_what_is_not_one_number_is_no_answer(body: str, output: Output) -> None:
    assert read_answer(body, output) is None


@pytest.mark.parametrize(
    ("body", "value"), [("3", 3), ("3/15", 3), ("3 out of 9", 3), ("3 points", 3), ("3.0", 3)]
)
def test_a_score_may_name_its_range(body: str, value: int) -> None:
    answer = read_answer(body, N)
    assert answer is not None
    assert answer.value == value


def test_a_fraction_is_no_decimal() -> None:
    assert read_answer("3/4", D) is None


@pytest.mark.parametrize(
    "body",
    [
        "12/02/2000",
        "12/2/2000",
        "2000-12-02",
        "December 2, 2000",
        "Dec 2nd 2000",
        "Dec. 2, 2000",
        "2 December 2000",
        r"\text{12/02/2000}",
        "EDD: 12/02/2000",
    ],
)
def test_a_date_is_read_in_each_form(body: str) -> None:
    answer = read_answer(body, T)
    assert answer is not None
    assert answer.value == datetime.date(2000, 12, 2)


@pytest.mark.parametrize(
    "body",
    [
        "24/02/2000",
        "02/30/2000",
        "12/02/00",
        "2000",
        "12/02/2000 or 12/03/2000",
        "Smarch 2, 2000",
        "0000-01-01",
        "40",
    ],
)
def test_what_is_not_one_date_is_no_answer(body: str) -> None:
    assert read_answer(body, T) is None


@pytest.mark.parametrize(
    "body",
    [
        "34 weeks 3 days",
        "34 weeks and 3 days",
        "(34 weeks, 3 days)",
        "('34 weeks', '3 days')",
        r"\text{34 weeks, 3 days}",
        "34w3d",
        "(34, 3)",
        "34+3",
        "34 3/7 weeks",
    ],
)
def test_weeks_and_days_are_read_in_each_form(body: str) -> None:
    answer = read_answer(body, W)
    assert answer is not None
    assert answer.value == (34, 3)


@pytest.mark.parametrize(
    "body",
    [
        "34 weeks 7 days",
        "34 weeks",
        "241 days",
        "33 weeks 10 days",
        "34.4 weeks",
        "(34, 3, 1)",
        "34",
        "34-35",
    ],
)
def test_what_is_not_weeks_and_days_is_no_answer(body: str) -> None:
    assert read_answer(body, W) is None


@pytest.mark.parametrize(
    ("value", "output", "unit"),
    [
        (40.5093, D, "mL/min"),
        (-0.163641, D, ""),
        (123456.0, D, "mL"),
        (3, N, ""),
        (datetime.date(2000, 12, 2), T, ""),
        ((34, 3), W, ""),
    ],
)
def test_a_written_value_is_read_back(value, output, unit) -> None:
    answer = read_answer(value_text(value, output, unit), output)
    assert answer is not None
    assert answer.value == value if output in (T, W) else answer.value == pytest.approx(value)
    assert answer.unit == unit


def test_a_box_must_close() -> None:
    assert boxed_body(r"\boxed{" + "{" * 50 + "}" * 50) is None
    assert boxed_body(r"\boxed{a{b}c} d}") == "a{b}c"
