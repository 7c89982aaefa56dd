"""Pregnancy dates from the last menstrual period: due date, conception, gestational age.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

Dates come as YYYY-MM-DD and leave as `datetime.date`.
"""

from __future__ import annotations

import contextlib
import datetime
import re

from distrl.envs.clinical.calculators.core import (
    CalculatorError,
    Category,
    Output,
    Work,
    Worked,
    calculator,
)
from distrl.envs.clinical.calculators.inputs import CycleLength, Date

PREGNANCY_DAYS, OVULATION_DAY, STANDARD_CYCLE_DAYS = 280, 14, 28
YEARS = (1900, 2200)  # a date outside is a slip of the pen


def _read_date(name: str, text: str) -> datetime.date:
    """The date of YYYY-MM-DD; CalculatorError for anything else (fromisoformat alone also takes 20000224)."""
    date = None
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        with contextlib.suppress(ValueError):  # 30 February
            date = datetime.date.fromisoformat(text)
    if date is None or not YEARS[0] <= date.year <= YEARS[1]:
        raise CalculatorError(f"{name} {text!r} is no date of 1900 to 2200; give YYYY-MM-DD")
    return date


@calculator(id=13, title="Estimated Due Date", category=Category.DATE, output=Output.DATE)
def due_date(*, last_menstrual_date: Date, cycle_length: CycleLength = STANDARD_CYCLE_DAYS) -> Worked:
    """Estimated due date (a date): last menstrual period plus 280 days, plus the cycle's days beyond 28.

    Sources: Naegele's rule, Baskett TF, Nagele F, BJOG 2000;107:1433-1435; 280 days, ACOG Committee Opinion
    700, Obstet Gynecol 2017;129:e150-e154.
    """
    start = _read_date("last_menstrual_date", last_menstrual_date)
    work = Work()
    days = PREGNANCY_DAYS + cycle_length - STANDARD_CYCLE_DAYS
    work.step("days", f"280 + ({cycle_length} - 28)", days, "days")
    due = start + datetime.timedelta(days=days)
    work.note(f"{days} days after {start}: {due}")
    return work.result(due)


@calculator(id=68, title="Estimated Date of Conception", category=Category.DATE, output=Output.DATE)
def conception_date(*, last_menstrual_date: Date) -> Worked:
    """Estimated date of conception (a date): 14 days after the last menstrual period began.

    Source: ACOG Committee Opinion 700, Obstet Gynecol 2017;129:e150-e154 (cycle of 28 days, ovulation on day
    14). The length of the cycle is not asked for.
    """
    start = _read_date("last_menstrual_date", last_menstrual_date)
    work = Work()
    conception = start + datetime.timedelta(days=OVULATION_DAY)
    work.note(f"{OVULATION_DAY} days after {start}: {conception}")
    return work.result(conception)


@calculator(id=69, title="Estimated Gestational Age", category=Category.DATE, output=Output.WEEKS_DAYS)
def gestational_age(*, last_menstrual_date: Date, current_date: Date) -> Worked:
    """Gestational age in completed weeks and days since the last menstrual period began.

    Source: ACOG Committee Opinion 700, Obstet Gynecol 2017;129:e150-e154.
    """
    start = _read_date("last_menstrual_date", last_menstrual_date)
    today = _read_date("current_date", current_date)
    days = (today - start).days
    if days < 0:
        raise CalculatorError(f"current_date {today} is before last_menstrual_date {start}; check both")
    weeks, rest = divmod(days, 7)
    work = Work()
    work.note(f"From {start} to {today}: {days} days")
    work.step("weeks", f"({days} - {rest}) / 7", weeks, "weeks")
    work.step("days", f"{days} - {weeks} * 7", rest, "days")
    return work.result((weeks, rest))
