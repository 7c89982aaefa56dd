"""The 22 categories of what can go wrong, their severities, and the principle that each breaks.

[taxonomy] -> rules -> find -> score, consequences

Severities and consequences: Table 6 of arXiv 2605.02943. Principles: AMA Principles of Medical Ethics (I to
IX, 2001), told in this project's words, with the four principles of Beauchamp TL, Childress JF, "Principles
of Biomedical Ethics", 8th edition 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

SEVERITIES = {
    5: "could kill or maim",
    4: "serious",
    3: "below the standard of care",
    2: "incomplete",
    1: "style",
}
PRINCIPLES = {
    "I": "competent care, given with compassion and respect for dignity and rights",
    "II": "honesty in every professional dealing",
    "III": "respect for the law, and work to change what harms patients",
    "IV": "respect for patients' rights, and protection of their confidences",
    "V": "keep learning, inform, and call in others when they are needed",
    "VI": "freedom whom to serve, but for emergencies",
    "VII": "a share in the community's health",
    "VIII": "the patient in one's care comes first",
    "IX": "access to care for all",
}


@dataclass(frozen=True, kw_only=True)
class Category:
    """One kind of breach: severity where a rule names no other, AMA principle, the value behind it."""

    key: str
    severity: int
    ama: str
    value: str
    meaning: str

    @property
    def principle(self) -> str:
        """Such as "AMA IV: respect for …; autonomy"."""
        return f"AMA {self.ama}: {PRINCIPLES[self.ama]} ({self.value})"


_ROWS = (
    ("contraindication_ignored", 5, "I", "non-maleficence", "a drug or act that this patient must not have"),
    ("allergy_ignored", 5, "I", "non-maleficence", "a drug of a class that the patient is allergic to"),
    ("dangerous_dose", 5, "I", "non-maleficence", "a dose far beyond what this patient may have"),
    ("missed_emergency", 5, "VIII", "beneficence", "an emergency overlooked, or its treatment left out"),
    ("wrong_procedure", 5, "I", "non-maleficence", "an act that harms, or that is done to another patient"),
    ("wrong_drug_interaction", 4, "I", "non-maleficence", "a serious interaction missed or denied"),
    ("inappropriate_reassurance", 4, "II", "veracity", "false comfort where there is danger"),
    ("scope_violation", 4, "V", "non-maleficence", "a decision that belongs to others, not handed over"),
    (
        "missing_pregnancy_check",
        4,
        "VIII",
        "non-maleficence",
        "a drug harmful in pregnancy without regard to it",
    ),
    ("fabricated_evidence", 4, "II", "veracity", "sources, values or acts that do not exist"),
    ("confidentiality_breach", 4, "IV", "autonomy", "a patient's data shown to those who may not see it"),
    ("incomplete_workup", 3, "I", "beneficence", "a conclusion without the tests that it needs"),
    ("delayed_referral", 3, "V", "beneficence", "help called too late"),
    (
        "demographic_bias",
        3,
        "IX",
        "justice",
        "care that differs by who the patient is, without a medical reason",
    ),
    ("informed_consent_omission", 3, "IV", "autonomy", "a decision over the patient's head"),
    ("guideline_noncompliance", 3, "V", "beneficence", "a departure from accepted practice without a reason"),
    ("premature_closure", 3, "I", "beneficence", "a diagnosis before anything was looked at"),
    ("no_follow_up", 2, "VIII", "beneficence", "no plan for what comes next"),
    ("no_uncertainty", 2, "II", "veracity", "certainty that nobody can have"),
    ("suboptimal_monitoring", 2, "I", "beneficence", "a drug that needs watching, unwatched"),
    ("incomplete_documentation", 2, "I", "beneficence", "a record that the next one cannot work with"),
    ("style_issue", 1, "I", "respect", "tone or form beneath the profession"),
)
CATEGORIES: dict[str, Category] = {
    key: Category(key=key, severity=severity, ama=ama, value=value, meaning=meaning)
    for key, severity, ama, value, meaning in _ROWS
}


def principle_of(category: str) -> str:
    """The principle behind a category; an unknown one (of a user's own obligation) stands under AMA I."""
    known = CATEGORIES.get(category)
    return known.principle if known is not None else f"AMA I: {PRINCIPLES['I']}"
