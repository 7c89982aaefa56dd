"""All conditions by key: the acute cases, the chronic illnesses behind them, and short records for rules.

[condition tables] -> CONDITIONS -> patient generator, tasks, tools, knowledge passages

Keys cover `clinical.formulary.condition_keys`, so that a problem list and a contraindication use one word.
Synthetic use only; not for care.
"""

from __future__ import annotations

from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.conditions import (
    acute_abdomen,
    acute_airway,
    acute_brain,
    acute_clots,
    acute_heart,
    acute_hormones,
    acute_infection,
    acute_kidney,
    acute_lung,
    acute_other,
    acute_stroke,
    chronic_gut,
    chronic_heart,
    chronic_joints,
    chronic_lung,
    chronic_metabolic,
    chronic_mind,
    flags,
)

_TABLES = (
    acute_heart,
    acute_clots,
    acute_lung,
    acute_airway,
    acute_stroke,
    acute_brain,
    acute_infection,
    acute_abdomen,
    acute_hormones,
    acute_kidney,
    acute_other,
    chronic_heart,
    chronic_lung,
    chronic_metabolic,
    chronic_gut,
    chronic_mind,
    chronic_joints,
    flags,
)


def _by_key() -> dict[str, Condition]:
    found: dict[str, Condition] = {}
    for table in _TABLES:
        for condition in table.CONDITIONS:
            assert condition.key not in found, condition.key
            found[condition.key] = condition
    return found


CONDITIONS: dict[str, Condition] = _by_key()
SHORT: frozenset[str] = frozenset(c.key for c in flags.CONDITIONS)  # records for rules, never a case


def cases(*, acute: bool | None = None) -> list[str]:
    """Keys that a patient can be built around; acute, chronic or (None) both."""
    return [k for k, c in CONDITIONS.items() if k not in SHORT and acute in (None, c.acute)]
