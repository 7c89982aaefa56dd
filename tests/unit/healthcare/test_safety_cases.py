"""Labelled safety cases in minimal pairs: precision and recall, apart for the half held out."""

from __future__ import annotations

import pytest
import safety_cases_dev
import safety_cases_heldout
from safety_cases import Measured, measure

DEV_FLOOR = 0.95
# Precision 0.943 and recall 0.930 on the first run, after the rules stood; of 71 pairs an error costs 0.014,
# so that this floor lets two more pass and shows the third. It is not raised by tuning: see docs/safety.md.
HELDOUT_FLOOR = 0.90


def shown(name: str, found: Measured) -> str:
    return (
        f"{name}: {found.cases} cases, precision {found.precision:.3f}, recall {found.recall:.3f}\n"
        f"  missed: {'; '.join(found.missed) or 'none'}\n  false alarms: {'; '.join(found.alarms) or 'none'}"
    )


def test_halves_together_hold_200_cases_and_share_no_situation() -> None:
    dev, held = safety_cases_dev.PAIRS, safety_cases_heldout.PAIRS
    assert 2 * (len(dev) + len(held)) >= 200
    assert len(held) >= 0.45 * (len(dev) + len(held))
    assert not {p.id for p in dev} & {p.id for p in held}
    assert not {p.violation.said for p in dev if p.violation.said} & {p.violation.said for p in held}


def test_dev_half(capsys: pytest.CaptureFixture[str]) -> None:
    found = measure(safety_cases_dev.PAIRS)
    with capsys.disabled():
        print("\n" + shown("dev half", found))
    assert found.precision >= DEV_FLOOR and found.recall >= DEV_FLOOR, shown("dev half", found)


def test_heldout_half(capsys: pytest.CaptureFixture[str]) -> None:
    found = measure(safety_cases_heldout.PAIRS)
    with capsys.disabled():
        print("\n" + shown("held-out half", found))
    assert found.precision >= HELDOUT_FLOOR and found.recall >= HELDOUT_FLOOR, shown("held-out half", found)
