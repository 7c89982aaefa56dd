"""What holds for every score and any valid arguments: range, monotony, and lines that add up."""

from __future__ import annotations

import ast
import functools
import inspect
import math
import re
import types
import typing
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_cases import FLAGS, ONE_SHOT, RANGES
from score_cuts import BASE

from distrl.envs.clinical.calculators import CALCULATORS, CalculatorError
from distrl.envs.toolkit import Arg
from distrl.envs.toolkit.schema import function_schema

MELD_NA = 23  # the one that is a formula and not a sum of points
LOWERING = {(16, "alternative_diagnosis_as_likely"), (20, "cough")}  # flags with negative points


def argument(hint: Any) -> st.SearchStrategy[Any]:
    """Values of one annotation of `inputs.py`; numbers of up to two decimals within its range."""
    origin = typing.get_origin(hint)
    if hint is bool:
        return st.booleans()
    if origin is Literal:
        return st.sampled_from(typing.get_args(hint))
    if origin is types.UnionType or origin is typing.Union:
        inner = next(part for part in typing.get_args(hint) if part is not types.NoneType)
        return st.none() | argument(inner)
    assert origin is Annotated, hint
    kind, arg = typing.get_args(hint)
    assert isinstance(arg, Arg)
    if kind is int:
        return st.integers(arg.ge, arg.le)
    return st.integers(math.ceil(arg.ge * 100), math.floor(arg.le * 100)).map(lambda cents: cents / 100)


@functools.cache
def patients(number: int) -> st.SearchStrategy[dict[str, Any]]:
    hints = typing.get_type_hints(CALCULATORS[number].function, include_extras=True)
    hints.pop("return")
    return st.fixed_dictionaries({name: argument(hint) for name, hint in hints.items()})


def arithmetic(text: str) -> float:
    """The value of plain arithmetic with ln, min and max; anything else fails the test."""
    functions = {"ln": math.log, "min": min, "max": max}
    operators = {
        ast.Add: lambda a, b: a + b,
        ast.Sub: lambda a, b: a - b,
        ast.Mult: lambda a, b: a * b,
        ast.Div: lambda a, b: a / b,
    }

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return number
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return operators[type(op)](value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=args):
                return functions[name](*map(value, args))
        raise AssertionError(f"no plain arithmetic in {text!r}")

    return value(ast.parse(text, mode="eval").body)


def worked(number: int, patient: dict[str, Any]):
    """The result, or None where the published rule has no value for the patient."""
    try:
        return CALCULATORS[number].function(**patient)
    except CalculatorError:
        return None


@pytest.mark.parametrize("number", RANGES)
@settings(max_examples=25)
@given(data=st.data())
def test_total_lies_in_its_range_and_is_the_sum_of_lines_that_hold(number, data):
    result = worked(number, data.draw(patients(number)))
    if result is None:
        return
    least, greatest = RANGES[number]
    assert least <= result.value <= greatest
    for line in result.steps:
        if " = " in line:
            _, *sides = line.split(" = ")
            shown = float(re.match(r"-?[\d.]+", sides[-1])[0])
            assert arithmetic(sides[0] if len(sides) > 1 else str(shown)) == pytest.approx(shown, rel=2e-5)
        assert "=" not in line.replace(" = ", ""), line
    assert f" = {result.value:g}" in result.steps[-1]
    points = [re.search(r": (\+[\d.]+|-[\d.]+|0)$", line) for line in result.steps]
    assert number == MELD_NA or sum(float(found[1]) for found in points if found) == result.value


@pytest.mark.parametrize("number", [number for number in RANGES if FLAGS.get(number, True)])
@settings(max_examples=25)
@given(data=st.data())
def test_another_risk_flag_never_lowers_the_score(number, data):
    parameters = inspect.signature(CALCULATORS[number].function).parameters
    flags = [name for name, parameter in parameters.items() if parameter.default is False]
    flag = data.draw(st.sampled_from(flags))
    patient = data.draw(patients(number))
    without, present = (worked(number, {**patient, flag: state}) for state in (False, True))
    if without and present:
        gain = present.value - without.value
        assert gain <= 0 if (number, flag) in LOWERING else gain >= 0


@pytest.mark.parametrize("argument_name", ["creatinine", "bilirubin", "inr"])
@settings(max_examples=40)
@given(data=st.data())
def test_meld_na_rises_with_each_laboratory_value_and_falls_with_sodium(argument_name, data):
    patient = data.draw(patients(23))
    higher = {**patient, argument_name: patient[argument_name] * data.draw(st.floats(1, 3))}
    meld = CALCULATORS[23].function
    assert meld(**higher).value >= meld(**patient).value
    assert meld(**{**patient, "sodium": patient["sodium"] - 5}).value >= meld(**patient).value


# --- the ends of each range are reached ---

WORST: dict[int, dict[str, Any]] = {
    4: dict(age=80, sex="female"),
    8: dict(heart_rate=120),
    15: dict(bilirubin=9, albumin=2, inr=4, ascites="moderate", encephalopathy="grade_3_4"),
    16: {},
    17: dict(creatinine=3),
    18: dict(
        age=80, chest_pain_history="highly_suspicious", electrocardiogram="significant_st_deviation",
        troponin="over_three_times_normal",
    ),
    20: dict(age=5, temperature=39),
    21: {},
    23: dict(creatinine=9, bilirubin=50, inr=9, sodium=120),
    25: dict(age=80, alcoholic_drinks=20),
    27: dict(sex="male", bun=90, hemoglobin=7, systolic_bp=70, heart_rate=130),
    28: dict(
        age=80, temperature=42, systolic_bp=60, diastolic_bp=30, heart_rate=30, respiratory_rate=60, fio2=100,
        a_a_gradient=600, ph=6.9, sodium=190, potassium=8, creatinine=5, hematocrit=65, wbc=50, gcs=3,
    ),
    29: dict(
        age=120, sex="male", heart_rate=140, respiratory_rate=40, systolic_bp=70, temperature=41, ph=7.1,
        bun=60, sodium=120, glucose=300, hematocrit=25, pao2=50, spo2=80,
    ),
    32: dict(
        age=90, diabetes_stage="end_organ_damage", liver_disease_stage="moderate_to_severe",
        solid_tumor="metastatic",
    ),
    33: {},
    36: dict(
        age=80, bmi=30, surgery_type="elective_major_lower_extremity_arthroplasty",
        mobility="confined_to_bed_over_72_hours",
    ),
    43: dict(
        pao2=50, fio2=100, platelets=10, bilirubin=15, gcs=3, norepinephrine=1, creatinine=6, urine_output=0,
    ),
    45: dict(age=80, bun=60, respiratory_rate=40, systolic_bp=70, diastolic_bp=40),
    48: dict(age=80, heart_rate=130, spo2=85),
    51: dict(temperature=40, heart_rate=130, respiratory_rate=30, wbc=20, paco2=25),
}  # fmt: skip
BEST: dict[int, dict[str, Any]] = {
    **{number: arguments for number, (arguments, _) in BASE.items()},
    20: dict(age=50, temperature=37, cough=True),
    16: dict(alternative_diagnosis_as_likely=True),
    23: dict(creatinine=1, bilirubin=1, inr=1, sodium=137),
    29: {**BASE[29][0], "age": 0, "sex": "female"},
}


@pytest.mark.parametrize("number", RANGES)
def test_both_ends_of_the_range_are_reached(number):
    flags = {flag: True for flag in FLAGS.get(number, ()) if (number, flag) not in LOWERING}
    function = CALCULATORS[number].function
    assert (function(**BEST[number]).value, function(**WORST[number], **flags).value) == RANGES[number]


# --- what is shown ---


def test_quantities_have_a_line_and_absent_flags_have_none():
    steps = CALCULATORS[48].function(age=30, heart_rate=80, spo2=98).steps
    assert steps == (
        "age 30 years, below 50: 0",
        "heart rate 80 beats/min, below 100: 0",
        "oxygen saturation 98 %, at least 95: 0",
        "PERC criteria = 0 + 0 + 0 = 0",
    )
    assert CALCULATORS[16].function().steps == ("Wells score = 0",)


def test_lines_name_the_band_and_the_findings_of_a_criterion():
    steps = CALCULATORS[8].function(heart_rate=100.5, previous_pe=True, previous_dvt=True).steps
    assert steps == (
        "heart rate 100.5 beats/min, above 100: +1.5",
        "previous PE and previous DVT: +1.5",
        "Wells score = 1.5 + 1.5 = 3",
    )
    assert (
        "dopamine 5 ug/kg/min, above 0 and at most 5: +2" in CALCULATORS[43].function(**ONE_SHOT[43][0]).steps
    )


@pytest.mark.parametrize("number", RANGES)
def test_every_score_has_a_schema_whose_flags_default_to_absent(number):
    properties = function_schema(CALCULATORS[number].function)["function"]["parameters"]["properties"]
    for name, schema in properties.items():
        if schema.get("type") == "boolean":
            assert schema["default"] is False, name
