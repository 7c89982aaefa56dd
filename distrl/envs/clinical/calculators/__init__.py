"""The 55 calculators of MedCalc-Bench from their published definitions, shared by the environments.

[calculators] -> MedCalc's tasks, gold thinking and tools; tools of the healthcare gym

Importing this package fills CALCULATORS. Synthetic patients, not for care.
"""

from distrl.envs.clinical.calculators import (
    acid_base,
    body,
    cardiac,
    chemistry,
    comorbidity,
    critical,
    dates,
    doses,
    ecg,
    infection,
    kidney,
    lipids,
    liver,
    thrombosis,
)
from distrl.envs.clinical.calculators.core import (
    CALCULATORS,
    Calculator,
    CalculatorError,
    Category,
    Output,
    Value,
    Worked,
)

__all__ = [
    "CALCULATORS",
    "Calculator",
    "CalculatorError",
    "Category",
    "Output",
    "Value",
    "Worked",
    "acid_base",
    "body",
    "cardiac",
    "chemistry",
    "comorbidity",
    "critical",
    "dates",
    "doses",
    "ecg",
    "infection",
    "kidney",
    "lipids",
    "liver",
    "thrombosis",
]
