"""What the formulary says of a drug: classes, limits by age, kidney, liver and pregnancy, and whence.

One room for tools, safety rules, tasks and knowledge passages: a rule that stands here stands nowhere else.
Every record cites its publication. Synthetic use only; not for care.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PregnancyVerdict = Literal["compatible", "caution", "avoid", "contraindicated"]
Route = Literal["oral", "iv", "im", "sc", "inhaled", "topical", "rectal", "intranasal", "ophthalmic"]


@dataclass(frozen=True, kw_only=True)
class DoseRange:
    """Adult doses by one route. Limits are those of the label; `unit` mostly "mg", else "units", "mcg", "g".

    `usual` is one dose (low, high); `per_kg` says that usual and max_single are per kg of body weight.
    `max_daily` is absolute (per kg and day where `per_kg`). A weekly drug has 1/7 dose a day, and its
    `max_daily` is the average day. An infusion has a rate as its unit ("mcg/min", "mcg/kg/min"), one dose a
    day, and `max_daily` equals `max_single`. `cap`: an absolute bound of one dose where `per_kg`.
    """

    route: Route
    unit: str
    usual: tuple[float, float]
    doses_per_day: tuple[float, float]
    max_single: float
    max_daily: float
    per_kg: bool = False
    indication: str = ""  # when it differs by indication; "" is the general range
    cap: float | None = None


@dataclass(frozen=True, kw_only=True)
class ChildDose:
    """Paediatric doses: mg per kg and day, with absolute caps; `from_years` the youngest age it holds for."""

    route: Route
    mg_per_kg_day: tuple[float, float]
    max_mg_day: float
    from_years: float


@dataclass(frozen=True, kw_only=True)
class RenalStep:
    """Below `crcl_below` mL/min (Cockcroft-Gault, or eGFR where the label says so): what holds.

    `max_daily` in the unit of the adult range; None: no number. `avoid`: not to be given. `route` None: all.
    """

    crcl_below: float
    advice: str
    max_daily: float | None = None
    avoid: bool = False
    route: Route | None = None


@dataclass(frozen=True, kw_only=True)
class HepaticStep:
    """From Child-Pugh class `child_pugh` on. `route` None: all routes."""

    child_pugh: Literal["A", "B", "C"]
    advice: str
    max_daily: float | None = None
    avoid: bool = False
    route: Route | None = None


@dataclass(frozen=True, kw_only=True)
class Pregnancy:
    verdict: PregnancyVerdict
    reason: str
    from_week: int = 0  # the verdict holds from this week on; before it "caution"


@dataclass(frozen=True, kw_only=True)
class Contraindication:
    """`condition` is one of condition_keys.CONDITION_KEYS (snake case), such as "heart_failure"."""

    condition: str
    reason: str
    absolute: bool = True


@dataclass(frozen=True, kw_only=True)
class Pharmacokinetics:
    """Half-life in hours (low, high); `cleared` names the main route; bioavailability 0-1 or None."""

    half_life_h: tuple[float, float]
    cleared: Literal["renal", "hepatic", "mixed", "other"]
    bioavailability: float | None
    protein_binding: float | None


@dataclass(frozen=True, kw_only=True)
class Monitoring:
    """Therapeutic drug monitoring: target range in `unit`, when the sample is drawn."""

    target: tuple[float, float]
    unit: str
    sample: str


@dataclass(frozen=True, kw_only=True)
class Drug:
    """One monograph. `name`: generic, lower case, the key; `classes`: narrow to wide, lower case singular.

    Below `from_years` it is not to be given at all, for `age_reason`.
    """

    name: str
    brands: tuple[str, ...]
    classes: tuple[str, ...]
    mechanism: str
    indications: tuple[str, ...]
    contraindications: tuple[Contraindication, ...]
    adult: tuple[DoseRange, ...]
    pregnancy: Pregnancy
    side_effects: tuple[str, ...]
    pharmacokinetics: Pharmacokinetics
    child: tuple[ChildDose, ...] = ()
    renal: tuple[RenalStep, ...] = ()
    hepatic: tuple[HepaticStep, ...] = ()
    monitoring: Monitoring | None = None
    food: tuple[str, ...] = ()
    boxed_warning: str = ""
    from_years: float = 0.0
    age_reason: str = ""
    allergy_group: str = ""  # its group in clinical.allergy.GROUP
    source: str
