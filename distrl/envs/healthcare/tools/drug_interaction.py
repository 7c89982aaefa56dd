"""The 17 tools of drug_interaction: read the list, check pairs and doses, find alternatives, submit.

EnvWorker[N: ToolCall -> [TOOLS.run] -> observation] <-> Engine[M] -> …
"""

from __future__ import annotations

from distrl.envs.healthcare.tools import common, doses, drugs, interaction_checks, records
from distrl.envs.healthcare.tools.kits import GENERIC, READ, THINK, assembled

TOOLS = assembled(
    "drug_interaction",
    (
        (READ, drugs.get_drug_info),
        (READ, drugs.search_drugs_by_class),
        (READ, interaction_checks.check_interaction),
        (READ, interaction_checks.check_all_interactions),
        (READ, records.get_patient_medications),
        (READ, drugs.search_alternatives),
        (READ, doses.check_dosage),
        (READ, drugs.check_cyp450_metabolism),
        (READ, doses.calculate_renal_dose_adjustment),
        (READ, doses.calculate_hepatic_dose_adjustment),
        (READ, drugs.check_pregnancy_safety),
        (READ, interaction_checks.calculate_interaction_severity_score),
        (READ, drugs.check_food_interactions),
        (READ, drugs.get_pharmacokinetics),
        (READ, drugs.check_therapeutic_drug_monitoring),
        (THINK, common.think),
        (GENERIC, common.submit_answer),
    ),
)
