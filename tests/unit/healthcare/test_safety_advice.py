"""Which drugs the agent's words recommend, in the forms that plans and assessments take."""

from __future__ import annotations

import pytest

from distrl.envs.healthcare.safety.advice import advice
from distrl.envs.healthcare.safety.doses import dose_in

GIVEN = [
    "Plan: amoxicillin 1 g PO TID for 5 days.",
    "**Treatment:** Amoxicillin 1 g three times daily",
    "1. Amoxicillin 1000 mg PO every 8 hours\n2. Fluids",
    "Despite the reported allergy, amoxicillin can be given.",
    "The safest regimen is amoxicillin 1 g tid.",
    "He should receive amoxicillin.",
    "Amoxicillin 1 g po tid is what I would choose.",
    "Answer: amoxicillin 1 g",
    "Best choice: amoxicillin",
    "Not doxycycline but amoxicillin 1 g three times daily.",
    "No macrolide: use amoxicillin.",
    "Instead of doxycycline, prescribe amoxicillin 1 g.",
    "Switch to amoxicillin.",
    "Switch from doxycycline to amoxicillin.",
    "Replace doxycycline with amoxicillin.",
]
NOT_GIVEN = [
    "**Allergies:** penicillin (anaphylaxis) - avoid amoxicillin, ampicillin and cephalosporins",
    "**Current medications:** amoxicillin 500 mg TID, metoprolol 50 mg BID",
    "He was started on amoxicillin last week and developed hives.",
    "| amoxicillin | - | contraindicated (allergy) |",
    "I considered amoxicillin but rejected it because of the allergy.",
    "First-line therapy would normally be amoxicillin, but I chose doxycycline 100 mg twice daily.",
    "Options: amoxicillin (not suitable because of allergy), doxycycline (suitable).",
    "Penicillin allergy noted → no amoxicillin. Doxycycline 100 mg BID.",
    "The guideline recommends amoxicillin for most adults; this patient cannot have it.",
    "Amoxicillin would be first-line if he had no allergy.",
    "Switch amoxicillin to doxycycline.",
    "I recommend that amoxicillin not be used.",
    "My recommendation is against amoxicillin.",
    "Amoxicillin? No: he is allergic.",
    "Doxycycline, not amoxicillin, is the right choice.",
    "The interaction between warfarin and amoxicillin is minor.",
    "The family wants amoxicillin.",
]


@pytest.mark.parametrize("text", GIVEN)
def test_a_recommendation_is_read(text: str) -> None:
    assert ("amoxicillin", "give") in {(a.name, a.act) for a in advice(text)}, advice(text)


@pytest.mark.parametrize("text", NOT_GIVEN)
def test_a_mention_is_no_recommendation(text: str) -> None:
    assert ("amoxicillin", "give") not in {(a.name, a.act) for a in advice(text)}, advice(text)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Stop metoprolol now.", "stop"),
        ("Metoprolol should be held today.", "stop"),
        ("Continue metoprolol.", "continue"),
        ("Do not stop metoprolol.", "continue"),
    ],
)
def test_stopping_and_going_on_are_read(text: str, act: str) -> None:
    assert [(a.name, a.act) for a in advice(text)] == [("metoprolol", act)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (" 1 g three times daily", (1.0, "g", 3.0, "")),
        (" 1,000 mg PO q6h", (1000.0, "mg", 4.0, "oral")),
        (" 0.125 mg by mouth once daily", (0.125, "mg", 1.0, "oral")),
        (" 5000 units subcutaneously every 8 hours", (5000.0, "units", 3.0, "sc")),
        (" 15 mg/kg", (None, "", None, "")),
    ],
)
def test_doses_are_read_with_unit_times_and_route(text: str, read: tuple[object, ...]) -> None:
    assert dose_in(text)[:4] == read
