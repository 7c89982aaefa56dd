"""MedCalc's tools: the 55 calculators under their own names, plain arithmetic, and unit conversion.

tasks -> EnvWorker[N: ToolCall -> [TOOLS] -> lines of working] <-> Engine[M] -> Buffer -> Learner -> …

A calculator takes its arguments in the units that its schema names and answers with its working; the last
line gives the value. Nothing that a model writes is executed: arithmetic is parsed (`arithmetic.py`).
"""

from __future__ import annotations

import functools
from typing import Annotated, Any

from distrl.envs.clinical.calculators import CALCULATORS, Calculator, CalculatorError
from distrl.envs.clinical.quantity import UnitError, convert
from distrl.envs.medcalc.grading.answer import value_text
from distrl.envs.medcalc.grading.arithmetic import ArithmeticRefused, evaluate
from distrl.envs.toolkit import Arg, ToolError, ToolKind, Toolkit

TOOLS = Toolkit("medcalc")


@TOOLS.tool(ToolKind.GENERIC)
def calculate(expression: Annotated[str, Arg(max_length=400)]) -> str:
    """Value of an arithmetic expression: + - * / ** ( ) and exp, ln, sqrt, min, max, abs, round.

    Args:
        expression: Plain arithmetic, such as (140 - 60) * 72 / (72 * 1.2).
    """
    try:
        return f"{expression.strip()} = {evaluate(expression):.8g}"
    except ArithmeticRefused as error:
        raise ToolError(str(error)) from None


@TOOLS.tool(ToolKind.GENERIC)
def convert_units(
    value: float,
    unit: Annotated[str, Arg(max_length=40)],
    to: Annotated[str, Arg(max_length=40)],
    substance: Annotated[str, Arg(max_length=40)] = "",
) -> str:
    """A value in another unit.

    Args:
        unit: Unit of the value, such as umol/L.
        to: Unit wanted, such as mg/dL.
        substance: Needed between mass and amount: creatinine, glucose, bun, bilirubin, calcium, …
    """
    try:
        return f"{value:g} {unit} = {convert(value, unit, to, substance):.6g} {to}"
    except UnitError as error:
        raise ToolError(str(error)) from None


def _as_tool(calculator: Calculator) -> Any:
    @functools.wraps(calculator.function)
    def run(**arguments: Any) -> str:
        try:
            worked = calculator.function(**arguments)
        except CalculatorError as error:
            raise ToolError(str(error)) from None
        result = value_text(worked.value, calculator.output, calculator.unit)
        return "\n".join((*worked.steps, f"Result = {result}"))

    return run


for _calculator in sorted(CALCULATORS.values(), key=lambda c: c.id):
    TOOLS.tool(ToolKind.READ)(_as_tool(_calculator))
