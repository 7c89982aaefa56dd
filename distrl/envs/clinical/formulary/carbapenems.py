"""Carbapenems, aztreonam and oral third generation cephalosporins.

Doses and kidney steps: US prescribing information of each drug.
"""

from __future__ import annotations

from distrl.envs.clinical.formulary.core import Drug
from distrl.envs.clinical.formulary.records import (
    ONCE,
    child,
    given,
    kidney,
    kin,
    label,
    pregnancy,
    weigh,
)

_WALL = "blocks cell wall synthesis by binding penicillin-binding proteins"
_SAFE = pregnancy("compatible", "no sign of harm in animals or in limited human use")
_SEIZE = weigh("epilepsy", "lowers the seizure threshold and the level of valproate")

DRUGS: tuple[Drug, ...] = (
    Drug(
        name="cefdinir",
        brands=("Omnicef",),
        classes=("third generation cephalosporin", "cephalosporin", "beta-lactam", "antibiotic"),
        allergy_group="cephalosporin",
        mechanism=_WALL,
        indications=(
            "otitis media",
            "sinusitis",
            "streptococcal pharyngitis",
            "community-acquired pneumonia",
        ),
        contraindications=(),
        adult=(given("oral", "mg", (300, 600), (1, 2), 600, 600),),
        child=(child("oral", (14, 14), 600, 0.5),),
        renal=(kidney(30, "300 mg once a day", 300),),
        pregnancy=_SAFE,
        side_effects=("diarrhea", "red stools with iron", "rash", "anaphylaxis"),
        pharmacokinetics=kin((1.7, 1.7), "renal", 0.2, 0.65),
        food=("2 h apart from iron and antacids",),
        source=label("Omnicef"),
    ),
    Drug(
        name="meropenem",
        brands=("Merrem",),
        classes=("carbapenem", "beta-lactam", "antibiotic"),
        allergy_group="carbapenem",
        mechanism=_WALL,
        indications=(
            "sepsis",
            "meningitis",
            "intra-abdominal infection",
            "hospital-acquired pneumonia",
            "febrile neutropenia",
            "esbl infection",
        ),
        contraindications=(_SEIZE,),
        adult=(given("iv", "mg", (500, 2000), (3, 3), 2000, 6000),),
        child=(child("iv", (30, 120), 6000, 0.25),),
        renal=(
            kidney(51, "usual dose every 12 h", 4000),
            kidney(26, "half a dose every 12 h", 2000),
            kidney(10, "half a dose every 24 h", 1000),
        ),
        pregnancy=_SAFE,
        side_effects=("diarrhea", "nausea", "rash", "seizures", "thrombocytosis"),
        pharmacokinetics=kin((1, 1), "renal", None, 0.02),
        source=label("Merrem"),
    ),
    Drug(
        name="ertapenem",
        brands=("Invanz",),
        classes=("carbapenem", "beta-lactam", "antibiotic"),
        allergy_group="carbapenem",
        mechanism=_WALL,
        indications=(
            "intra-abdominal infection",
            "diabetic foot infection",
            "pyelonephritis",
            "esbl infection",
        ),
        contraindications=(_SEIZE,),
        adult=(
            given("iv", "mg", (1000, 1000), ONCE, 1000, 1000),
            given("im", "mg", (1000, 1000), ONCE, 1000, 1000),
        ),
        child=(child("iv", (30, 30), 1000, 0.25),),
        renal=(kidney(31, "500 mg once a day", 500),),
        pregnancy=_SAFE,
        side_effects=("diarrhea", "nausea", "headache", "seizures", "encephalopathy in kidney failure"),
        pharmacokinetics=kin((4, 4), "renal", None, 0.95),
        source=label("Invanz"),
    ),
    Drug(
        name="aztreonam",
        brands=("Azactam",),
        classes=("monobactam", "beta-lactam", "antibiotic"),
        allergy_group="monobactam",
        mechanism=f"{_WALL} of gram-negative bacteria",
        indications=("sepsis", "hospital-acquired pneumonia", "pyelonephritis", "intra-abdominal infection"),
        contraindications=(),
        adult=(given("iv", "mg", (1000, 2000), (2, 4), 2000, 8000),),
        child=(child("iv", (90, 120), 8000, 0.75),),
        renal=(
            kidney(30, "full first dose, then half doses", 4000),
            kidney(10, "full first dose, then quarter doses", 2000),
        ),
        pregnancy=_SAFE,
        side_effects=("phlebitis", "diarrhea", "rash", "raised transaminases"),
        pharmacokinetics=kin((1.5, 2), "renal", None, 0.56),
        source=label("Azactam"),
    ),
)
