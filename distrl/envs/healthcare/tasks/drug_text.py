"""What the gold pharmacist writes: the risk, how it comes about, what to do, and why.

Pair, Profile, Drug -> [sentences] -> gold trajectories
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from distrl.envs.healthcare.tasks import words
from distrl.envs.healthcare.tasks.drug_case import Profile
from distrl.envs.healthcare.tasks.pairs import Pair

OPENINGS = (
    "I begin with the medication list and what bears on it.",
    "First the current drugs of this patient.",
    "Let me read the list before I judge anything.",
)
SCREENING = (
    "Now I screen the list and read the monograph.",
    "Next comes the screening, with the monograph beside it.",
    "With the list in hand I check the drugs against each other.",
)
CLOSER = (
    "The finding that matters deserves a closer look.",
    "I look at the decisive point in detail.",
    "One more check before I answer.",
)
SEVERITY_WORD = {
    "none": "no", "MINOR": "minor", "MODERATE": "moderate", "MAJOR": "major",
    "CONTRAINDICATED": "contraindicated",
}  # fmt: skip
# What is watched, by a word of the effect; the first that fits counts.
WATCHED: tuple[tuple[str, str], ...] = (
    ("bleed", "signs of bleeding and the blood count (the INR with warfarin)"),
    ("anticoagulation", "the INR and signs of thrombosis"),
    ("inr", "the INR"),
    ("rhabdo", "muscle pain and creatine kinase"),
    ("myopath", "muscle pain and creatine kinase"),
    ("qt", "the QT interval on the ECG, with potassium and magnesium"),
    ("hyperkal", "potassium and creatinine within a week"),
    ("serotonin", "agitation, tremor and fever"),
    ("respiratory", "sedation and breathing"),
    ("bradycard", "heart rate and blood pressure"),
    ("av block", "heart rate and the ECG"),
    ("digoxin", "the digoxin level and heart rate"),
    ("lithium", "the lithium level"),
    ("theophylline", "the theophylline level"),
    ("seizure", "seizures"),
    ("gluc", "blood glucose"),
    ("glycaem", "blood glucose"),
    ("glycem", "blood glucose"),
    ("renal", "creatinine and blood pressure"),
    ("nephrotox", "creatinine"),
    ("hypotens", "blood pressure"),
    ("contracept", "the need for a second method of contraception"),
)


CAUSES = ("CYP", "P-gp", "inhibition", "induction", "OATP")  # by which a cause is told from advice


GRADES = frozenset(["severe", "serious", "major", "moderate", "mild", "minor"])


def watched(effect: str) -> str:
    """What to monitor for an effect."""
    text = effect.lower()
    return next((what for key, what in WATCHED if key in text), "effect and adverse effects")


def effect_of(pair: Pair) -> str:
    """The effect as a clause: what happens, by which pathway; without advice and without other grades."""
    plain = " ".join(word for word in pair.effect.split(";")[0].split() if word.lower() not in GRADES)
    head, _, cause = plain.partition(":")
    cause = cause.strip()
    if not any(sign in cause for sign in CAUSES):
        return head.strip()
    return f"{head.strip()}, by {cause}"


def risk_sentence(pair: Pair, rng: random.Random) -> str:
    """Severity and effect of one pair."""
    word, effect = SEVERITY_WORD[pair.severity], effect_of(pair)
    one, two = pair.first, pair.second
    if pair.severity == "CONTRAINDICATED":
        return rng.choice(
            (
                f"The combination of {one} with {two} is contraindicated because of this risk: {effect}.",
                f"Giving {one} together with {two} is contraindicated; the reason is {effect}.",
            )
        )
    return rng.choice(
        (
            f"The interaction of {one} with {two} is {word}; the risk is {effect}.",
            f"There is a {word} interaction between {one} and {two}: {effect}.",
        )
    )


def plan_sentence(pair: Pair, rng: random.Random, instead: str = "") -> str:
    """What to do about one pair, by its severity."""
    also = f" {words.capital(instead)} is an alternative that goes with the list." if instead else ""
    look = watched(pair.effect)
    if pair.severity == "CONTRAINDICATED":
        return f"The two must not be taken together, so one of them has to be replaced or stopped.{also}"
    if pair.severity == "MAJOR":
        return rng.choice(
            (
                f"I advise against the combination where an alternative exists; else monitor {look}.{also}",
                f"The pair should be avoided; if that is impossible, please monitor {look}.{also}",
            )
        )
    if pair.severity == "MODERATE":
        return rng.choice(
            (
                f"Both can be given with monitoring: check {look}, and adjust the dose if needed.",
                f"It can be used, but please monitor {look} and adjust if that changes.",
            )
        )
    return "Nothing has to change; usual monitoring is enough."


def none_sentence(drug: str, profile: Profile, rng: random.Random) -> str:
    """That a new drug goes with the list."""
    listed = words.joined(profile.drugs)
    return rng.choice(
        (
            f"I found no clinically relevant interaction of {drug} with {listed}, so it can be started.",
            f"There is no relevant interaction between {drug} and the current drugs ({listed}), so it is "
            "safe to start.",
        )
    )


def rationale(pairs: Sequence[Pair], profile: Profile, checked: str) -> str:
    """Why, for the reasoning of the submission."""
    listed = words.joined(profile.drugs)
    worst = pairs[0].severity if pairs else "none"
    return (
        f"The current list is {listed}. I checked {checked}; the worst severity found was {worst}. "
        "The recommendation follows from that because a severity decides between avoiding, monitoring and "
        "leaving things as they are."
    )
