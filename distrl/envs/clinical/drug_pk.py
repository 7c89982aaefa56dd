"""Drugs as data: metabolic pathways, inhibition, induction, pharmacodynamic classes.

Sources: FDA, "Drug Development and Drug Interactions: Table of Substrates, Inhibitors and Inducers" (2023);
Flockhart DA, Thacker D, McDonald C, Desta Z, "The Flockhart Cytochrome P450 Drug-Drug Interaction Table",
Indiana University (2021), where the FDA table is silent; QT: CredibleMeds known or conditional risk. Grades:
- substrate: 3 sensitive, 2 moderate or main pathway, 1 minor; inhibitor and inducer: 3 strong, 2 moderate,
  1 weak.
- narrow: narrow therapeutic index, or a failure that cannot be watched (contraception).
- prodrug: pathways that make the active form; there an inhibitor weakens and an inducer strengthens the
  effect.

Pathways are CYP names and "P-gp". Not covered: UGT, OATP, OCT, CYP2B6, CYP2C8; the table of pairs names what
matters of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class DrugFacts:
    """Grades by pathway; classes name shared effects that add up (see drug_pairs)."""

    classes: tuple[str, ...] = ()
    substrate: Mapping[str, int] = field(default_factory=dict)
    inhibits: Mapping[str, int] = field(default_factory=dict)
    induces: Mapping[str, int] = field(default_factory=dict)
    prodrug: tuple[str, ...] = ()
    narrow: bool = False


D = DrugFacts
SSRI = ("ssri", "serotonergic")
SNRI = ("snri", "serotonergic")
DRUGS: dict[str, DrugFacts] = {
    "allopurinol": D(classes=("xanthine oxidase inhibitor",)),
    "amiodarone": D(
        classes=("qt", "antiarrhythmic"),
        substrate={"CYP3A4": 1},
        inhibits={"CYP2C9": 2, "CYP2D6": 1, "CYP3A4": 1, "P-gp": 2},
    ),
    "amlodipine": D(classes=("dihydropyridine",), substrate={"CYP3A4": 2}, inhibits={"CYP3A4": 1}),
    "apixaban": D(classes=("anticoagulant",), substrate={"CYP3A4": 2, "P-gp": 2}),
    "aspirin": D(classes=("antiplatelet",)),
    "atorvastatin": D(classes=("statin",), substrate={"CYP3A4": 2}, inhibits={"P-gp": 1}),
    "azithromycin": D(classes=("qt", "macrolide"), inhibits={"P-gp": 1}),
    "bupropion": D(classes=("seizure threshold",), inhibits={"CYP2D6": 3}),
    "carbamazepine": D(
        classes=("antiepileptic",),
        substrate={"CYP3A4": 2},
        induces={"CYP3A4": 3, "CYP2C9": 1, "CYP1A2": 1, "P-gp": 2},
        narrow=True,
    ),
    "ciprofloxacin": D(classes=("qt", "fluoroquinolone"), inhibits={"CYP1A2": 3, "CYP3A4": 2}),
    "citalopram": D(
        classes=(*SSRI, "qt"), substrate={"CYP2C19": 2, "CYP3A4": 1, "CYP2D6": 1}, inhibits={"CYP2D6": 1}
    ),
    "clarithromycin": D(
        classes=("qt", "macrolide"), substrate={"CYP3A4": 1}, inhibits={"CYP3A4": 3, "P-gp": 2}
    ),
    "clopidogrel": D(classes=("antiplatelet",), substrate={"CYP2C19": 2}, prodrug=("CYP2C19",)),
    "codeine": D(classes=("opioid",), substrate={"CYP2D6": 2}, prodrug=("CYP2D6",)),
    "cyclosporine": D(
        classes=("calcineurin inhibitor",),
        substrate={"CYP3A4": 2},
        inhibits={"CYP3A4": 2, "P-gp": 2},
        narrow=True,
    ),
    "digoxin": D(classes=("digoxin",), substrate={"P-gp": 3}, narrow=True),
    "diltiazem": D(
        classes=("rate-slowing calcium blocker",),
        substrate={"CYP3A4": 2},
        inhibits={"CYP3A4": 2, "P-gp": 1},
    ),
    "duloxetine": D(classes=SNRI, substrate={"CYP1A2": 3, "CYP2D6": 2}, inhibits={"CYP2D6": 2}),
    "erythromycin": D(
        classes=("qt", "macrolide"), substrate={"CYP3A4": 1}, inhibits={"CYP3A4": 2, "P-gp": 1}
    ),
    "escitalopram": D(classes=(*SSRI, "qt"), substrate={"CYP2C19": 2, "CYP3A4": 1}, inhibits={"CYP2D6": 1}),
    "esomeprazole": D(classes=("ppi",), substrate={"CYP2C19": 2}, inhibits={"CYP2C19": 2}),
    "everolimus": D(classes=("mtor inhibitor",), substrate={"CYP3A4": 3}, narrow=True),
    "fluconazole": D(classes=("qt", "azole"), inhibits={"CYP2C19": 3, "CYP2C9": 2, "CYP3A4": 2}),
    "fluoxetine": D(classes=SSRI, substrate={"CYP2D6": 2}, inhibits={"CYP2D6": 3, "CYP2C19": 3}),
    "fluvoxamine": D(
        classes=SSRI,
        substrate={"CYP2D6": 2, "CYP1A2": 1},
        inhibits={"CYP1A2": 3, "CYP2C19": 3, "CYP2C9": 1, "CYP3A4": 2},
    ),
    "furosemide": D(classes=("diuretic",)),
    "gabapentin": D(classes=("gabapentinoid",)),
    "hydrochlorothiazide": D(classes=("diuretic",)),
    "ibuprofen": D(classes=("nsaid",), substrate={"CYP2C9": 1}),
    "itraconazole": D(classes=("azole",), substrate={"CYP3A4": 1}, inhibits={"CYP3A4": 3, "P-gp": 2}),
    "ketoconazole": D(classes=("qt", "azole"), inhibits={"CYP3A4": 3, "P-gp": 2}),
    "levofloxacin": D(classes=("qt", "fluoroquinolone")),
    "levothyroxine": D(classes=("thyroid hormone",), narrow=True),
    "linezolid": D(classes=("serotonergic", "mao inhibitor")),
    "lisinopril": D(classes=("ace inhibitor", "raas blocker")),
    "lithium": D(classes=("lithium", "serotonergic"), narrow=True),
    "loratadine": D(classes=("antihistamine",), substrate={"CYP3A4": 1, "CYP2D6": 1}),
    "losartan": D(classes=("raas blocker",), substrate={"CYP2C9": 2, "CYP3A4": 1}, prodrug=("CYP2C9",)),
    "metformin": D(classes=("antidiabetic",)),
    "methotrexate": D(classes=("methotrexate",), narrow=True),
    "metoprolol": D(classes=("beta blocker",), substrate={"CYP2D6": 2}),
    "mycophenolate": D(classes=("mycophenolate",)),
    "naproxen": D(classes=("nsaid",), substrate={"CYP2C9": 1, "CYP1A2": 1}),
    "omeprazole": D(classes=("ppi",), substrate={"CYP2C19": 3, "CYP3A4": 1}, inhibits={"CYP2C19": 2}),
    "oral contraceptives": D(
        classes=("hormonal contraceptive",), substrate={"CYP3A4": 2}, inhibits={"CYP1A2": 2}, narrow=True
    ),
    "pantoprazole": D(classes=("ppi",), substrate={"CYP2C19": 2}),
    "paroxetine": D(classes=SSRI, substrate={"CYP2D6": 2}, inhibits={"CYP2D6": 3}),
    "phenytoin": D(
        classes=("antiepileptic",),
        substrate={"CYP2C9": 2, "CYP2C19": 2},
        induces={"CYP3A4": 3, "CYP2C19": 2, "CYP1A2": 2, "CYP2C9": 1, "P-gp": 1},
        narrow=True,
    ),
    "pravastatin": D(classes=("statin",)),
    "prednisone": D(classes=("corticosteroid",), substrate={"CYP3A4": 1}),
    "pregabalin": D(classes=("gabapentinoid",)),
    "rifampin": D(
        classes=("rifamycin",),
        induces={"CYP3A4": 3, "CYP2C19": 3, "CYP2C9": 2, "CYP1A2": 2, "CYP2D6": 1, "P-gp": 2},
    ),
    "ritonavir": D(
        classes=("protease inhibitor",),
        substrate={"CYP3A4": 2},
        inhibits={"CYP3A4": 3, "P-gp": 2, "CYP2D6": 1},
    ),
    "rosuvastatin": D(classes=("statin",), substrate={"CYP2C9": 1}),
    "sertraline": D(classes=SSRI, substrate={"CYP2C19": 2}, inhibits={"CYP2D6": 1}),
    "simvastatin": D(classes=("statin",), substrate={"CYP3A4": 3}),
    "sirolimus": D(classes=("mtor inhibitor",), substrate={"CYP3A4": 3, "P-gp": 2}, narrow=True),
    "spironolactone": D(classes=("diuretic", "potassium sparing")),
    "st john's wort": D(
        classes=("serotonergic",), induces={"CYP3A4": 3, "CYP2C19": 2, "CYP2C9": 1, "P-gp": 2}
    ),
    "sulfamethoxazole-trimethoprim": D(classes=("sulfonamide", "potassium sparing"), inhibits={"CYP2C9": 1}),
    "tacrolimus": D(classes=("calcineurin inhibitor",), substrate={"CYP3A4": 3, "P-gp": 1}, narrow=True),
    "theophylline": D(classes=("methylxanthine",), substrate={"CYP1A2": 2, "CYP3A4": 1}, narrow=True),
    "tramadol": D(
        classes=("opioid", "serotonergic", "seizure threshold"),
        substrate={"CYP2D6": 2, "CYP3A4": 1},
        prodrug=("CYP2D6",),
    ),
    "venlafaxine": D(classes=SNRI, substrate={"CYP2D6": 3}, inhibits={"CYP2D6": 1}),
    "verapamil": D(
        classes=("rate-slowing calcium blocker",),
        substrate={"CYP3A4": 2},
        inhibits={"CYP3A4": 2, "P-gp": 2},
    ),
    "voriconazole": D(
        classes=("qt", "azole"),
        substrate={"CYP2C19": 3, "CYP2C9": 1, "CYP3A4": 1},
        inhibits={"CYP3A4": 3, "CYP2C19": 2, "CYP2C9": 1},
    ),
    "warfarin": D(classes=("anticoagulant",), substrate={"CYP2C9": 2, "CYP3A4": 1, "CYP1A2": 1}, narrow=True),
}
ALIASES = {
    "acetylsalicylic acid": "aspirin",
    "asa": "aspirin",
    "birth control pills": "oral contraceptives",
    "ciclosporin": "cyclosporine",
    "co-trimoxazole": "sulfamethoxazole-trimethoprim",
    "combined oral contraceptives": "oral contraceptives",
    "mycophenolate mofetil": "mycophenolate",
    "oral contraceptive": "oral contraceptives",
    "rifampicin": "rifampin",
    "st. john's wort": "st john's wort",
    "trimethoprim-sulfamethoxazole": "sulfamethoxazole-trimethoprim",
}


def canonical(name: str) -> str:
    """The table's name of a drug: lower case, one space between words, common synonyms resolved."""
    key = " ".join(name.lower().split())
    return ALIASES.get(key, key)
