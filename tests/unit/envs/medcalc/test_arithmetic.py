"""Arithmetic from text: what it computes, what it refuses, and that refusing is quick."""

import ast
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.envs.medcalc.grading.arithmetic import MAX_CHARS, ArithmeticRefused, carries, evaluate, tokens


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("50 + 2.3 * (68.9 - 60)", 70.47),
        ("[(140 - 65) × 70] ÷ (72 x 1.8)", 5250 / 129.6),
        ("142 * (1.7/0.9)**-1.2 * 0.9938**81 * 1.0", 39.99991),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("1,234.5 + 1", 1235.5),
        ("1.2e3 / 2", 600.0),
        ("20% * 50", 10.0),
        ("(3 + 4)%", 0.07),
        ("241 % 7", 3.0),
        ("330 / √(0.53097)", 452.87563),
        ("max(1, 2, 3) + min(4, 5) - abs(-1)", 6.0),
        ("round(23.456, 1)", 23.5),
        ("max(100,200)", 200.0),
        ("ln(exp(2)) + log10(100) + sqrt(16) + log(1)", 8.0),
        ("-7 − 5", -12.0),
    ],
)
def test_arithmetic_has_its_value(expression: str, value: float) -> None:
    assert evaluate(expression) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "   ",
        "1 +",
        "(1",
        "1)",
        "2(3)",
        "1 2",
        "1/0",
        "0^-1",
        "(-8)^(1/3)",
        "sqrt(-1)",
        "ln(0)",
        "exp(1000)",
        "9**9**9",
        "9^9^9^9",
        "10^101",
        "1e999",
        "99999999999999999999 ^ 999",
        "inf",
        "nan",
        "x",
        "__import__('os')",
        "(lambda: 1)()",
        "a.b",
        "1 if 1 else 2",
        "[1, 2, 3]",
        "min()",
        "sqrt(1, 2)",
        "round(1, 2, 3)",
        "241 // 7",
        "٣ + ٤",
        "1_000",
        "0x10",
        "(" * 200 + "1" + ")" * 200,
        "-" * 200 + "1",
        "√" * 200 + "1",
        "2^" * 100 + "1",
        "1+" * 400 + "1",
        "1" * (MAX_CHARS + 1),
    ],
)
def test_what_is_not_bounded_arithmetic_is_refused_at_once(expression: str) -> None:
    started = time.process_time()
    with pytest.raises(ArithmeticRefused) as refusal:
        evaluate(expression)
    assert time.process_time() - started < 0.05
    assert "\n" not in str(refusal.value)


@given(st.text(alphabet="0123456789.+-*/^%(),eE xsqrtlnmi√×\u0664", max_size=80))
def test_any_text_gives_a_finite_float_or_a_refusal(text: str) -> None:
    try:
        value = evaluate(text)
    except ArithmeticRefused:
        return
    assert isinstance(value, float)
    assert math.isfinite(value)


def _expression() -> st.SearchStrategy[str]:
    numbers = st.integers(0, 99).map(str) | st.decimals(0, 99, places=2).map(str)
    return st.recursive(
        numbers,
        lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        max_leaves=8,
    )


@given(_expression())
def test_it_agrees_with_python_on_random_expressions(expression: str) -> None:
    try:
        expected = float(_python(ast.parse(expression, mode="eval").body))
    except ZeroDivisionError:
        with pytest.raises(ArithmeticRefused):
            evaluate(expression)
        return
    assert evaluate(expression) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def _python(node: ast.expr) -> float:
    """A second reading of the same text, by Python's own parser."""
    if isinstance(node, ast.Constant):
        return float(node.value)
    assert isinstance(node, ast.BinOp)
    a, b = _python(node.left), _python(node.right)
    return {ast.Add: a.__add__, ast.Sub: a.__sub__, ast.Mult: a.__mul__, ast.Div: a.__truediv__}[
        type(node.op)
    ](b)


@pytest.mark.parametrize(
    ("expression", "shown", "carried"),
    [
        ("40 + 0 * (65 + 70)", 40.0, True),
        ("40 + (65 - 65) * 70", 40.0, True),
        ("9.3 + 0.8 * (4 - 4)", 9.3, True),
        ("min(73, 80)", 73.0, False),
        ("max(0.7, 1)", 1.0, False),
        ("140 - 70", 70.0, False),
        ("4 * 5", 20.0, False),
    ],
)
def test_an_expression_carries_a_number_that_its_others_cannot_change(
    expression: str, shown: float, carried: bool
) -> None:
    assert carries(tokens(expression), shown) is carried
