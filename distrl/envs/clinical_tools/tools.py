"""The eight clinical decision-support tools, in the order of their published card.

tasks -> EnvWorker[N: ToolCall -> TOOLS -> one line] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Parameters (names, order, choices, what may be null) are those of the public prompt set; a parameter that
may be null may also be left out. Formulas, sources and decisions: docs/clinical_tools.md. Synthetic, not
for care.
"""

from __future__ import annotations

from distrl.envs.clinical_tools.care_tools import (
    assess_kidney_function,
    calculate_fluid_replacement,
    calculate_insulin_regimen,
)
from distrl.envs.clinical_tools.drug_tools import calculate_drug_dosage, screen_drug_interactions
from distrl.envs.clinical_tools.risk_tools import (
    assess_cardiovascular_risk,
    calculate_bmi_metabolic_risk,
    estimate_surgical_risk,
)
from distrl.envs.toolkit import ToolKind, Toolkit

TOOLS = Toolkit("clinical_tools")
for _function in (
    calculate_drug_dosage,
    assess_cardiovascular_risk,
    calculate_bmi_metabolic_risk,
    estimate_surgical_risk,
    calculate_insulin_regimen,
    assess_kidney_function,
    calculate_fluid_replacement,
    screen_drug_interactions,
):
    TOOLS.tool(ToolKind.READ)(_function)
