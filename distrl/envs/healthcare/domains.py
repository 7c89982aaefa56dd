"""The domains of the gym: for each its tools, its policy, and how its episodes end.

[domains] -> HealthcareEnv -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

A new domain is one line of DOMAINS; its modules are imported when it is asked for.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from distrl.envs.toolkit import Toolkit


@dataclass(frozen=True)
class Domain:
    """One domain; `toolkit` is "module:name". Its policy is `policies/<name>.md`."""

    name: str
    env_id: str
    tools: str
    terminal: frozenset[str] = frozenset()

    @cached_property
    def toolkit(self) -> Toolkit:
        module, name = self.tools.split(":")
        kit: Toolkit = getattr(importlib.import_module(module), name)
        return kit

    @cached_property
    def policy(self) -> str:
        """The system prompt's rules, Markdown."""
        path = files("distrl.envs.healthcare") / "policies" / f"{self.name}.md"
        return path.read_text(encoding="utf-8").strip()


_TOOLS = "distrl.envs.healthcare.tools"
_SUBMIT = frozenset({"submit_answer"})

DOMAINS: dict[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain("clinical_diagnosis", "distrl/ClinicalDiagnosis-v0", f"{_TOOLS}.clinical_diagnosis:TOOLS"),
        Domain("drug_interaction", "distrl/DrugInteraction-v0", f"{_TOOLS}.drug_interaction:TOOLS", _SUBMIT),
        Domain("medical_qa", "distrl/MedicalQA-v0", f"{_TOOLS}.medical_qa:TOOLS", _SUBMIT),
    )
}
