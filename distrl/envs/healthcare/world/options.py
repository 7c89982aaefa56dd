"""What a caller may ask of a patient, checked: an impossible wish is a ValueError that says why.

make_database(seed, condition, **options) -> [read_options] -> Options
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from distrl.envs.clinical import allergy as allergies
from distrl.envs.clinical import formulary
from distrl.envs.healthcare.world.background import EXCLUDE
from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.records import Severity, Sex

PREGNANT_AGE = (14.0, 50.0)
PREECLAMPSIA_WEEKS = 20  # by definition from this week on
MISSABLE = (
    "weight", "height", "allergies", "vitals", "temperature", "heart_rate", "respiratory_rate",
    "blood_pressure", "spo2", "gcs", "pain", "labs", "creatinine", "medications", "social", "family_history",
    "immunizations", "notes",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Options:
    """None: left to chance. `allergy` () means none; `chronic` adds to what the case itself needs."""

    age: float | None = None
    sex: Sex | None = None
    pregnant: bool | int | None = None
    allergy: tuple[str, ...] | None = None
    chronic: tuple[str, ...] | None = None
    renal: str | None = None
    severity: Severity | None = None
    missing: tuple[str, ...] | None = None


def _several(value: object, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return () if value in ("", "none") else (value,)
    if isinstance(value, Iterable):
        found = tuple(value)
        if all(isinstance(item, str) for item in found):
            return found
    raise ValueError(f"{name}={value!r}: give a name or a list of names")


def _one_of(value: object, allowed: tuple[str, ...], name: str) -> str | None:
    if value is None or (isinstance(value, str) and value in allowed):
        return value
    raise ValueError(f"{name}={value!r}: give one of {', '.join(allowed)}")


def read_options(condition: Condition, given: dict[str, object]) -> Options:
    """The options, each possible and all of them together."""
    unknown = sorted(set(given) - set(Options.__dataclass_fields__))
    if unknown:
        raise ValueError(
            f"unknown option {unknown[0]!r}; there are {', '.join(Options.__dataclass_fields__)}"
        )
    age, pregnant = given.get("age"), given.get("pregnant")
    if age is not None and (isinstance(age, bool) or not isinstance(age, int | float) or not 0 <= age <= 100):
        raise ValueError(f"age={age!r}: give years from 0 to 100")
    if pregnant is not None and not isinstance(pregnant, int):
        raise ValueError(f"pregnant={pregnant!r}: give true, false or the week")
    renal = _one_of(given.get("renal"), ("none", "mild", "moderate", "severe"), "renal")
    options = Options(
        age=None if age is None else float(age),
        sex=_one_of(given.get("sex"), ("female", "male"), "sex"),  # type: ignore[arg-type]
        pregnant=pregnant,
        allergy=_several(given.get("allergy"), "allergy"),
        chronic=_several(given.get("chronic"), "chronic"),
        renal=None if renal == "none" else renal,
        severity=_one_of(given.get("severity"), ("mild", "moderate", "severe"), "severity"),  # type: ignore[arg-type]
        missing=_several(given.get("missing"), "missing"),
    )
    _check_names(options)
    _check_together(condition, options)
    return options


def _check_names(options: Options) -> None:
    for substance in options.allergy or ():
        known = substance in allergies.GROUPS or substance in allergies.GROUP or formulary.find(substance)
        if not known:
            raise ValueError(f"allergy={substance!r}: neither a drug of the formulary nor an allergy group")
    for key in options.chronic or ():
        if key not in CONDITIONS or key in cases(acute=True):
            raise ValueError(f"chronic={key!r}: no chronic condition of the table")
    for name in options.missing or ():
        if name not in MISSABLE:
            raise ValueError(f"missing={name!r}: give some of {', '.join(MISSABLE)}")


def _check_together(condition: Condition, options: Options) -> None:
    keys = (condition.key, *(options.chronic or ()))
    if options.renal is not None and "end_stage_renal_disease" in keys:
        raise ValueError(f"renal={options.renal!r}: kidney function of end-stage disease is lower")
    if pair := excluded(keys):
        raise ValueError(f"{pair} exclude each other")
    if options.pregnant is False and condition.key == "preeclampsia":
        raise ValueError("pregnant=False: preeclampsia is an illness of pregnancy")
    if is_pregnant(condition, options):
        if options.sex == "male":
            raise ValueError("pregnant with sex='male'")
        weeks = options.pregnant
        if weeks is not None and weeks is not True and not 4 <= weeks <= 41:
            raise ValueError(f"pregnant={weeks!r}: give a week from 4 to 41")
        if (
            condition.key == "preeclampsia"
            and weeks not in (None, True)
            and int(weeks or 0) < PREECLAMPSIA_WEEKS
        ):
            raise ValueError(f"pregnant={weeks!r}: preeclampsia begins from week {PREECLAMPSIA_WEEKS} on")


def is_pregnant(condition: Condition, options: Options) -> bool:
    """Whether the options or the condition ask for a pregnancy."""
    return condition.key == "preeclampsia" or (options.pregnant is not None and options.pregnant is not False)


def excluded(keys: Iterable[str]) -> str:
    """Two of the keys that one person does not have together, or ""."""
    held = set(keys)
    return next((" and ".join(sorted(pair)) for pair in EXCLUDE if pair <= held), "")


def age_range(keys: Iterable[str], *, pregnant: bool, adult: bool) -> tuple[float, float]:
    """The ages that fit all of the conditions. Raises ValueError where none does."""
    names = list(keys)
    low = max(CONDITIONS[key].age[0] for key in names)
    high = min(CONDITIONS[key].age[1] for key in names)
    if pregnant:
        low, high = max(low, PREGNANT_AGE[0]), min(high, PREGNANT_AGE[1])
    if adult:
        low = max(low, 18.0)
    if low > high:
        raise ValueError(f"no age fits {' and '.join(names)}{' in pregnancy' if pregnant else ''}")
    return low, high


def sex_of(keys: Iterable[str]) -> Sex | None:
    """The sex that the conditions ask for, or None. Raises ValueError where they disagree."""
    asked = {CONDITIONS[key].sex for key in keys} - {None}
    if len(asked) > 1:
        raise ValueError(f"no sex fits {' and '.join(keys)}")
    return next(iter(asked), None)
