"""Anion gap, its rise over the normal one, and the ratio of that rise to the fall of bicarbonate.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

"Delta gap" is here the rise of the anion gap over 12 mEq/L (Rastegar A, J Am Soc Nephrol 2007;18:2429-2431).
Wrenn K, Ann Emerg Med 1990;19:1310-1313 gives the same name to that rise less the fall of bicarbonate, which
is another number. The gap is without potassium, the normal values are 12 (gap), 24 (bicarbonate) and 4 g/dL
(albumin; Figge takes 4.4).
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
from distrl.envs.clinical.calculators.inputs import Albumin, Bicarbonate, Chloride, Sodium

NORMAL_GAP, NORMAL_BICARBONATE, NORMAL_ALBUMIN = 12.0, 24.0, 4.0
GAP_PER_ALBUMIN = 2.5  # mEq/L a g/dL, Figge 1998
DECIMALS = 9  # far below any laboratory's, above the noise of binary subtraction (a gap of 1e-14 for 0)


def _write_gap(work: Work, sodium: float, chloride: float, bicarbonate: float) -> float:
    value = round(sodium - (chloride + bicarbonate), DECIMALS)
    anions = f"{shown_number(chloride)} + {shown_number(bicarbonate)}"
    return work.step("anion gap", f"{shown_number(sodium)} - ({anions})", value, "mEq/L")


def _write_corrected(work: Work, gap: float, albumin: float) -> float:
    value = round(gap + GAP_PER_ALBUMIN * (NORMAL_ALBUMIN - albumin), DECIMALS)
    expression = f"{shown_number(gap)} + 2.5 * (4 - {shown_number(albumin)})"
    return work.step("corrected anion gap", expression, value, "mEq/L")


def _write_delta(work: Work, gap: float) -> float:
    value = round(gap - NORMAL_GAP, DECIMALS)
    return work.step("delta gap", f"{shown_number(gap)} - 12", value, "mEq/L")


def _write_ratio(work: Work, delta: float, bicarbonate: float) -> float:
    fall = round(NORMAL_BICARBONATE - bicarbonate, DECIMALS)
    if fall == 0:
        raise CalculatorError("bicarbonate 24 mEq/L is no fall to divide by; the delta ratio has no value")
    return work.step(
        "delta ratio", f"{shown_number(delta)} / (24 - {shown_number(bicarbonate)})", delta / fall
    )


@calculator(id=39, title="Anion Gap", category=Category.LAB, unit="mEq/L")
def anion_gap(*, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate) -> Worked:
    """Anion gap in mEq/L: sodium less chloride and bicarbonate.

    Source: Emmett M, Narins RG, Medicine (Baltimore) 1977;56:38-54.
    """
    work = Work()
    return work.result(_write_gap(work, sodium, chloride, bicarbonate))


@calculator(id=63, title="Delta Gap", category=Category.LAB, unit="mEq/L")
def delta_gap(*, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate) -> Worked:
    """Delta gap in mEq/L: anion gap less the normal 12.

    Source: Rastegar A, J Am Soc Nephrol 2007;18:2429-2431 (not Wrenn's, see the module).
    """
    work = Work()
    return work.result(_write_delta(work, _write_gap(work, sodium, chloride, bicarbonate)))


@calculator(id=64, title="Delta Ratio", category=Category.LAB)
def delta_ratio(*, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate) -> Worked:
    """Delta ratio, without unit: (anion gap - 12) over (24 - bicarbonate).

    Source: Rastegar A, J Am Soc Nephrol 2007;18:2429-2431. CalculatorError at a bicarbonate of 24.
    """
    work = Work()
    delta = _write_delta(work, _write_gap(work, sodium, chloride, bicarbonate))
    return work.result(_write_ratio(work, delta, bicarbonate))


@calculator(id=65, title="Albumin Corrected Anion Gap", category=Category.LAB, unit="mEq/L")
def albumin_corrected_anion_gap(
    *, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate, albumin: Albumin
) -> Worked:
    """Anion gap in mEq/L, raised by 2.5 for each g/dL of albumin below 4.

    Source: Figge J, Crit Care Med 1998;26:1807-1810, with a normal albumin of 4 g/dL for their 4.4.
    """
    work = Work()
    gap = _write_gap(work, sodium, chloride, bicarbonate)
    return work.result(_write_corrected(work, gap, albumin))


@calculator(id=66, title="Albumin Corrected Delta Gap", category=Category.LAB, unit="mEq/L")
def albumin_corrected_delta_gap(
    *, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate, albumin: Albumin
) -> Worked:
    """Delta gap in mEq/L from the albumin-corrected anion gap: corrected gap less 12.

    Sources: Figge J, Crit Care Med 1998;26:1807-1810; Rastegar A, J Am Soc Nephrol 2007;18:2429-2431.
    """
    work = Work()
    gap = _write_gap(work, sodium, chloride, bicarbonate)
    return work.result(_write_delta(work, _write_corrected(work, gap, albumin)))


@calculator(id=67, title="Albumin Corrected Delta Ratio", category=Category.LAB)
def albumin_corrected_delta_ratio(
    *, sodium: Sodium, chloride: Chloride, bicarbonate: Bicarbonate, albumin: Albumin
) -> Worked:
    """Delta ratio, without unit: (albumin-corrected anion gap - 12) over (24 - bicarbonate).

    Sources: Figge J, Crit Care Med 1998;26:1807-1810; Rastegar A, J Am Soc Nephrol 2007;18:2429-2431.
    CalculatorError at a bicarbonate of 24.
    """
    work = Work()
    gap = _write_gap(work, sodium, chloride, bicarbonate)
    delta = _write_delta(work, _write_corrected(work, gap, albumin))
    return work.result(_write_ratio(work, delta, bicarbonate))
