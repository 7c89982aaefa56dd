"""Heart-rate corrected QT interval by five formulas.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

The RR interval in seconds is 60 over the heart rate; QT and QTc are in ms.
"""

from __future__ import annotations

from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Work,
    Worked,
    calculator,
    shown_number,
)
from distrl.envs.clinical.calculators.inputs import HeartRate, QTInterval


def _write_rr(work: Work, heart_rate: float) -> float:
    return work.step("RR", f"60 / {shown_number(heart_rate)}", 60.0 / heart_rate, "s")


@calculator(id=11, title="QTc Bazett Calculator", category=Category.PHYSICAL, unit="ms")
def qtc_bazett(*, heart_rate: HeartRate, qt_interval: QTInterval) -> Worked:
    """Corrected QT interval in ms by Bazett: QT over the square root of RR.

    Source: Bazett HC, Heart 1920;7:353-370.
    """
    work = Work()
    rr = _write_rr(work, heart_rate)
    value = qt_interval / rr**0.5
    work.step("QTc", f"{shown_number(qt_interval)} / sqrt({shown_number(rr)})", value, "ms")
    return work.result(value)


@calculator(id=56, title="QTc Fridericia Calculator", category=Category.PHYSICAL, unit="ms")
def qtc_fridericia(*, heart_rate: HeartRate, qt_interval: QTInterval) -> Worked:
    """Corrected QT interval in ms by Fridericia: QT over the cube root of RR.

    Source: Fridericia LS, Acta Med Scand 1920;53:469-486.
    """
    work = Work()
    rr = _write_rr(work, heart_rate)
    value = qt_interval / rr ** (1.0 / 3.0)
    work.step("QTc", f"{shown_number(qt_interval)} / {shown_number(rr)} ** (1 / 3)", value, "ms")
    return work.result(value)


@calculator(id=57, title="QTc Framingham Calculator", category=Category.PHYSICAL, unit="ms")
def qtc_framingham(*, heart_rate: HeartRate, qt_interval: QTInterval) -> Worked:
    """Corrected QT interval in ms by the Framingham line: QT plus 154 times (1 - RR).

    Source: Sagie A, Am J Cardiol 1992;70:797-801. CalculatorError where the line leaves no interval (a very
    slow heart).
    """
    value = qt_interval + 154.0 * (1.0 - 60.0 / heart_rate)
    if value <= 0:
        raise CalculatorError(
            f"heart_rate {heart_rate:g} leaves no QTc for qt_interval {qt_interval:g}; check both"
        )
    work = Work()
    expression = f"{shown_number(qt_interval)} + 154 * (1 - 60 / {shown_number(heart_rate)})"
    work.step("QTc", expression, value, "ms")
    return work.result(value)


@calculator(id=58, title="QTc Hodges Calculator", category=Category.PHYSICAL, unit="ms")
def qtc_hodges(*, heart_rate: HeartRate, qt_interval: QTInterval) -> Worked:
    """Corrected QT interval in ms by Hodges: QT plus 1.75 times (heart rate - 60).

    Source: Hodges M, J Am Coll Cardiol 1983;1:694.
    """
    work = Work()
    value = qt_interval + 1.75 * (heart_rate - 60.0)
    work.step("QTc", f"{shown_number(qt_interval)} + 1.75 * ({shown_number(heart_rate)} - 60)", value, "ms")
    return work.result(value)


@calculator(id=59, title="QTc Rautaharju Calculator", category=Category.PHYSICAL, unit="ms")
def qtc_rautaharju(*, heart_rate: HeartRate, qt_interval: QTInterval) -> Worked:
    """Corrected QT interval in ms by Rautaharju: QT times (120 + heart rate) over 180.

    Source: Rautaharju PM, Int J Cardiol 2014;174:535-540.
    """
    work = Work()
    value = qt_interval * (120.0 + heart_rate) / 180.0
    work.step("QTc", f"{shown_number(qt_interval)} * (120 + {shown_number(heart_rate)}) / 180", value, "ms")
    return work.result(value)
