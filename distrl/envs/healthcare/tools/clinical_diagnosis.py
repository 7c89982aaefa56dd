"""The 25 tools of clinical_diagnosis: read the record, work it up, order, prescribe, record, hand over.

EnvWorker[N: ToolCall -> [TOOLS.run] -> observation] <-> Engine[M] -> …

The names are those of the published gym. There `transfer_to_specialist` is typed GENERIC; here it writes a
referral and is WRITE, and `think` has the kind that is made for it.
"""

from __future__ import annotations

from distrl.envs.healthcare.tools import (
    common,
    differential,
    instruments,
    interaction_checks,
    literature,
    orders,
    records,
    vaccines,
)
from distrl.envs.healthcare.tools.kits import READ, THINK, WRITE, assembled

TOOLS = assembled(
    "clinical_diagnosis",
    (
        (READ, records.get_patient_info),
        (READ, records.get_patient_history),
        (READ, records.get_vital_signs),
        (READ, records.get_vital_signs_trend),
        (READ, records.get_lab_results),
        (WRITE, orders.order_lab_test),
        (READ, records.get_medications),
        (READ, interaction_checks.check_drug_interaction),
        (WRITE, orders.prescribe_medication),
        (READ, records.get_clinical_notes),
        (WRITE, orders.add_clinical_note),
        (READ, differential.get_differential_diagnosis),
        (READ, differential.search_clinical_guidelines),
        (WRITE, orders.record_diagnosis),
        (READ, literature.search_medical_literature, literature.SEARCH_LIMIT_S),
        (WRITE, orders.transfer_to_specialist),
        (READ, instruments.calculate_curb65),
        (READ, instruments.calculate_wells_score),
        (READ, instruments.calculate_chads2_vasc),
        (READ, instruments.calculate_meld_score),
        (READ, instruments.calculate_apache2),
        (READ, records.get_allergy_list),
        (READ, instruments.calculate_bmi),
        (READ, vaccines.get_immunization_history),
        (THINK, common.think),
    ),
)
