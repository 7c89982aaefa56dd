"""Severity and risk scores that a clinical_diagnosis ticket may ask for, and how each is worked out.

Case -> [scores] -> the call that a good episode makes, its value, and a sentence on what it means
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from typing import Any

from distrl.envs.healthcare.tasks import words
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.dx_case import Case
from distrl.envs.healthcare.tools import instruments


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One instrument: conditions in which it is asked, its tool, and facts that only the ticket tells.

    `facts`: argument -> (sentence where it is true, sentence where it is false). `fixed`: arguments that are
    always given, `told` the sentence that tells them.
    """

    title: str
    terms: tuple[str, ...]
    conditions: tuple[str, ...]
    tool: str
    fixed: dict[str, Any] = field(default_factory=dict)
    told: str = ""
    facts: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Worked:
    """The call, its arguments that count, the value, what it means, and what the ticket has to tell."""

    call: dict[str, Any]
    compare: tuple[str, ...]
    value: float
    meaning: str
    told: str


ASKED: tuple[Asked, ...] = (
    Asked(
        title="CURB-65",
        terms=("CURB-65", "CURB 65", "CURB65"),
        conditions=("community_acquired_pneumonia",),
        tool="calculate_curb65",
    ),
    Asked(
        title="CHA2DS2-VASc score",
        terms=("CHA2DS2-VASc", "CHA2DS2 VASc", "CHA₂DS₂-VASc"),
        conditions=("atrial_fibrillation", "atrial_fibrillation_rvr"),
        tool="calculate_chads2_vasc",
    ),
    Asked(
        title="MELD-Na score",
        terms=("MELD-Na", "MELD"),
        conditions=("cirrhosis", "hepatic_encephalopathy", "spontaneous_bacterial_peritonitis"),
        tool="calculate_meld_score",
    ),
    Asked(
        title="Wells score for pulmonary embolism",
        terms=("Wells",),
        conditions=("pulmonary_embolism",),
        tool="calculate_wells_score",
        fixed={"condition": "pe", "pe_most_likely": True},
        told="Pulmonary embolism is our first thought.",
        facts={
            "dvt_signs": ("The left calf is swollen and tender.", "Both legs look normal."),
            "surgery_past_4_weeks": (
                "There was an operation two weeks ago.",
                "There was no recent operation.",
            ),
            "active_cancer": ("Chemotherapy ended last month.", "No cancer is known."),
        },
    ),
    Asked(
        title="Wells score for deep vein thrombosis",
        terms=("Wells",),
        conditions=("deep_vein_thrombosis",),
        tool="calculate_wells_score",
        fixed={"condition": "dvt", "deep_vein_tenderness": True},
        told="The deep veins of the leg are tender, and no other diagnosis is as likely.",
        facts={
            "calf_swelling_over_3_cm": (
                "The calf measures 4 cm more than the other side.",
                "The calves differ by less than 2 cm.",
            ),
            "entire_leg_swollen": ("The whole leg is swollen.", "The thigh looks the same on both sides."),
            "pitting_edema": ("Edema of that leg is pitting.", "The edema does not pit."),
        },
    ),
    Asked(
        title="APACHE II score",
        terms=("APACHE II", "APACHE 2"),
        conditions=(
            "sepsis",
            "septic_shock",
            "diabetic_ketoacidosis",
            "community_acquired_pneumonia",
            "acute_pancreatitis",
            "copd_exacerbation",
        ),
        tool="calculate_apache2",
        fixed={"fio2": 21},
        told="The blood gas was drawn on room air.",
    ),
)
TOOLS = {
    "calculate_curb65": instruments.calculate_curb65,
    "calculate_chads2_vasc": instruments.calculate_chads2_vasc,
    "calculate_meld_score": instruments.calculate_meld_score,
    "calculate_wells_score": instruments.calculate_wells_score,
    "calculate_apache2": instruments.calculate_apache2,
}


def work_out(case: Case, asked: Asked, rng: random.Random) -> Worked | None:
    """The score of this patient with drawn facts; None where the record lacks an input."""
    given, told = dict(asked.fixed), [asked.told] if asked.told else []
    for name, (yes, no) in asked.facts.items():
        holds = rng.random() < 0.5
        given[name] = holds
        told.append(yes if holds else no)
    made = call(asked.tool, patient_id=case.pid, **given)
    result = TOOLS[asked.tool](copy.deepcopy(case.db), **made["arguments"])  # type: ignore[operator]
    if result["score"] is None:
        return None
    counted = tuple(name for name, value in given.items() if value is not False)
    return Worked(made, ("patient_id", *counted), result["score"], result["interpretation"], " ".join(told))


def score_sentence(asked: Asked, worked: Worked) -> str:
    """The value and what it means."""
    meaning = worked.meaning.split(":")[0].strip()
    points = "point" if worked.value == 1 else "points"
    return (
        f"The {asked.title} is {words.number(worked.value)} {points}, which means: {worked.meaning}."
        if meaning
        else f"The {asked.title} is {words.number(worked.value)} {points}."
    )
