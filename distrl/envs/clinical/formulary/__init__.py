"""Drug monographs as data, cited; synthetic use, not for care.

drug tables by class -> [formulary] -> tools, tasks, safety rules, knowledge passages
"""

from distrl.envs.clinical.formulary.condition_keys import CONDITION_KEYS, with_implied
from distrl.envs.clinical.formulary.core import Drug
from distrl.envs.clinical.formulary.limits import Limit, convert, daily_limit, single_limit
from distrl.envs.clinical.formulary.lookup import (
    alternatives,
    conflicts_with_allergies,
    drugs_named_in,
    find,
    in_class,
    interaction_of,
)
from distrl.envs.clinical.formulary.table import DRUGS

__all__ = [
    "CONDITION_KEYS",
    "DRUGS",
    "Drug",
    "Limit",
    "alternatives",
    "conflicts_with_allergies",
    "convert",
    "daily_limit",
    "drugs_named_in",
    "find",
    "in_class",
    "interaction_of",
    "single_limit",
    "with_implied",
]
