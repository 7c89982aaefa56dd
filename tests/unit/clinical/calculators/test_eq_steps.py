"""Every line of arithmetic that an equation shows is true, for any valid arguments."""

from __future__ import annotations

import ast
import datetime
import functools
import math
import operator
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from distrl.envs.clinical.calculators import (
    acid_base,
    body,
    chemistry,
    dates,
    doses,
    ecg,
    kidney,
    lipids,
)
from distrl.envs.clinical.calculators.core import CALCULATORS, CalculatorError, Output, shown_number
from distrl.envs.toolkit.schema import function_schema

MODULES = {m.__name__ for m in (acid_base, body, chemistry, dates, doses, ecg, kidney, lipids)}
EQUATIONS = {i: c for i, c in sorted(CALCULATORS.items()) if c.function.__module__ in MODULES}
FIVE_DIGITS = 2e-5  # relative; operands are shown with six digits

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {"exp": math.exp, "ln": math.log, "sqrt": math.sqrt, "min": min, "max": max}


def arithmetic(text: str) -> float:
    """The value of plain arithmetic; anything else in the text is a failure of the test."""

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return number
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return _BINARY[type(op)](value(left), value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*map(value, args))
        raise AssertionError(f"no plain arithmetic: {ast.unparse(node)} in {text!r}")

    return value(ast.parse(text, mode="eval").body)


def shown_result(line: str) -> float:
    """The number after the last equals sign; its unit follows after a blank."""
    return float(line.rsplit(" = ", 1)[1].split(" ", 1)[0])


def check_line(line: str) -> None:
    assert "^" not in re.sub(r"\^2$", "", line) and not re.search(r"\d,\d", line), line
    parts = line.split(" = ")
    shown = shown_result(line)
    for expression in parts[1:-1]:
        assert math.isclose(arithmetic(expression), shown, rel_tol=FIVE_DIGITS, abs_tol=1e-9), line


def strategy(schema: dict) -> st.SearchStrategy:
    """Values of a parameter's schema; numbers with two decimals, as a chart gives them."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "number":
            cents = st.integers(math.ceil(schema["minimum"] * 100), math.floor(schema["maximum"] * 100))
            return cents.map(lambda n: n / 100)
        case "string":
            return st.dates(datetime.date(1901, 1, 1), datetime.date(2199, 1, 1)).map(str)
        case "array":
            return st.lists(strategy(schema["items"]), min_size=1, max_size=4)
        case "object":
            return st.fixed_dictionaries({k: strategy(v) for k, v in schema["properties"].items()})
    raise AssertionError(schema)


@functools.cache
def arguments_of(calculator_id: int) -> st.SearchStrategy:
    fields = function_schema(EQUATIONS[calculator_id].function)["function"]["parameters"]["properties"]
    fields = {name: dict(schema) for name, schema in fields.items()}
    if "triglycerides" in fields:
        fields["triglycerides"]["maximum"] = 400  # above, Friedewald refuses
    return st.fixed_dictionaries({name: strategy(schema) for name, schema in fields.items()})


def test_the_checker_itself_refuses_a_false_line():
    check_line("QTc = 405 + 154 * (1 - 60 / 87) = 452.793 ms")
    with pytest.raises(AssertionError):
        check_line("QTc = 405 + 154 * (1 - 60 / 87) = 452.9 ms")
    with pytest.raises(AssertionError):
        check_line("x = open(1) = 2")


def test_all_equations_are_registered():
    wanted = {2, 3, 5, 6, 7, 9, 10, 11, 13, 19, 22, 24, 26, 30, 31, 38, 39, 40, 44, 46, 49, *range(56, 70)}
    assert set(EQUATIONS) == wanted and len(wanted) == 35


@pytest.mark.parametrize("calculator_id", EQUATIONS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_line_of_working_holds_and_the_last_gives_the_value(calculator_id, data):
    calculator = EQUATIONS[calculator_id]
    arguments = data.draw(arguments_of(calculator_id))
    try:
        worked = calculator.function(**arguments)
    except CalculatorError as error:
        assert "\n" not in str(error)
        assume(False)
    for line in (line for line in worked.steps if " = " in line):
        check_line(line)
    if calculator.output is Output.DECIMAL:
        assert math.isfinite(worked.value)
        last = worked.steps[-1]
        assert shown_result(last) == float(shown_number(worked.value))
        assert last.endswith(f" {calculator.unit}".rstrip())
    elif calculator.output is Output.DATE:
        assert worked.steps[-1].endswith(str(worked.value))
    else:
        assert [shown_result(line) for line in worked.steps[-2:]] == list(worked.value)


@pytest.mark.parametrize("calculator_id", EQUATIONS)
def test_an_equation_is_a_tool_with_a_unit_and_a_source(calculator_id):
    calculator = EQUATIONS[calculator_id]
    schema = function_schema(calculator.function)["function"]
    assert schema["name"] == calculator.name
    assert len(schema["description"]) < 160
    assert re.search(r"Sources?: .*\d{4}", calculator.function.__doc__, re.DOTALL)
    says_unit = calculator.unit.replace("^2", "2") or "without unit"
    if calculator.output is Output.DECIMAL and calculator.unit != "%":
        assert says_unit in schema["description"]
