"""All rules, those on events first.

[drug, repeat, conduct, evidence, text rules] -> RULES -> find
"""

from __future__ import annotations

from distrl.envs.healthcare.safety import conduct_rules, drug_rules, evidence_rules, repeat_rules, text_rules
from distrl.envs.healthcare.safety.rule import Rule

RULES: tuple[Rule, ...] = (
    *drug_rules.RULES,
    *repeat_rules.RULES,
    *conduct_rules.RULES,
    *evidence_rules.RULES,
    *text_rules.RULES,
)
