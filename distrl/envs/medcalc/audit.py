"""Do the labels of a MedCalc-Bench file agree with our calculators, and where not, why?

file -> rows -> [audit] -> table by calculator, one line for each row that does not agree

    python -m distrl.envs.medcalc.audit PATH…     exit code 0 when every row was judged, else 1

A row agrees when our value lies within the label's limits. A disagreement has the reason of the slip that
rebuilds the label (`slips.py`); a row whose entities give no value has the reason of the refusal.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from distrl.envs.clinical.calculators import CALCULATORS, CalculatorError, Value
from distrl.envs.medcalc.public.entities import EntityError, Fault, arguments, parse
from distrl.envs.medcalc.public.rows import Row, agrees, read_rows
from distrl.envs.medcalc.public.slips import Reason, rebuilt, value_with
from distrl.envs.task_files import DataError

REASONS = {
    Fault.MISSING: Reason.MISSING,
    Fault.UNIT: Reason.UNIT,
    Fault.TEXT: Reason.UNREADABLE,
    Fault.UNKNOWN: Reason.UNREADABLE,
    Fault.VALUE: Reason.UNREADABLE,
}


class Verdict(StrEnum):
    """What became of a row."""

    AGREE = "agree"
    DISAGREE = "disagree"
    NO_VALUE = "not computable"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One row judged. `ours` is None where there is no value; `detail` names the slips or the refusal."""

    row: Row
    verdict: Verdict
    ours: Value | None = None
    reason: Reason | None = None
    detail: str = ""

    def line(self) -> str:
        """For people: where, what the label says, what we say, and why."""
        name = f"{self.row.place}: {self.row.calculator_id} {CALCULATORS[self.row.calculator_id].name}"
        values = f"label {shown(self.row.truth.value)}"
        if self.ours is not None:
            values += f", ours {shown(self.ours)}"
        return f"{name}: {values}: {self.reason}: {self.detail}".rstrip(": ")


def judge(row: Row) -> Judgement:
    """The verdict on one row; raises nothing but for a fault of ours."""
    try:
        entities = parse(row.entities)
        given = arguments(row.calculator_id, entities)
        value = CALCULATORS[row.calculator_id].function(**given).value
    except EntityError as error:
        return Judgement(row=row, verdict=Verdict.NO_VALUE, reason=REASONS[error.fault], detail=str(error))
    except CalculatorError as error:
        return Judgement(row=row, verdict=Verdict.NO_VALUE, reason=Reason.DOMAIN, detail=str(error))
    if agrees(row.truth, value):
        return Judgement(row=row, verdict=Verdict.AGREE, ours=value)
    reason, detail = Reason.UNEXPLAINED, ""
    for slips in rebuilt(row.calculator_id):
        label = value_with(row.calculator_id, slips, given, entities)
        if label is not None and agrees(row.truth, label):
            reason, detail = slips[0].reason, "; ".join(slip.name for slip in slips)
            break
    return Judgement(row=row, verdict=Verdict.DISAGREE, ours=value, reason=reason, detail=detail)


def table(judgements: Iterable[Judgement]) -> list[str]:
    """Lines with n, agree, disagree and not computable of each calculator, then their sum."""
    counts: dict[int, Counter[Verdict]] = defaultdict(Counter)
    for each in judgements:
        counts[each.row.calculator_id][each.verdict] += 1
    lines = [f"{'id':>3} {'calculator':<42} {'n':>5} {'agree':>6} {'disagree':>9} {'no value':>9}"]
    rows = [(str(i), CALCULATORS[i].name, counts[i]) for i in sorted(counts)]
    for number, name, count in [*rows, ("", "all", sum(counts.values(), Counter[Verdict]()))]:
        figures = f"{count.total():>5} {count[Verdict.AGREE]:>6} {count[Verdict.DISAGREE]:>9}"
        lines.append(f"{number:>3} {name:<42} {figures} {count[Verdict.NO_VALUE]:>9}")
    return lines


def reasons(judgements: Iterable[Judgement]) -> list[str]:
    """Lines with how many rows of which calculator have which reason, the most frequent first."""
    counts = Counter(
        (each.row.calculator_id, str(each.reason), each.detail if each.verdict is Verdict.DISAGREE else "")
        for each in judgements
        if each.verdict is not Verdict.AGREE
    )
    return [
        f"{n:>5}  {i} {CALCULATORS[i].name}: {reason}: {detail}".rstrip(": ")
        for (i, reason, detail), n in counts.most_common()
    ]


def shown(value: Value) -> str:
    """A value as people read it."""
    if isinstance(value, tuple):
        return f"{value[0]} weeks {value[1]} days"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def main(paths: list[str]) -> int:
    """Print the audit of the files; 0 when every row was judged, 1 when not, 2 without a file."""
    if not paths:
        print("usage: python -m distrl.envs.medcalc.audit PATH…", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        try:
            rows = list(read_rows(Path(path)))
        except DataError as error:
            print(f"error: {error}", file=sys.stderr)
            code = 1
            continue
        judged = [judge(row) for row in rows if isinstance(row, Row)]
        bad = [row for row in rows if not isinstance(row, Row)]
        others = [each.line() for each in judged if each.verdict is not Verdict.AGREE]
        why = [f"not judged: {error}" for error in bad]
        print(
            "\n".join([f"{path}: {len(rows)} rows", *table(judged), "", *others, *why, "", *reasons(judged)])
        )
        code = 1 if bad else code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
