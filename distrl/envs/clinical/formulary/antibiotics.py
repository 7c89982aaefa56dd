"""Glycopeptides, aminoglycosides, macrolides, tetracyclines, fluoroquinolones and lincosamides.

Doses: US prescribing information. Vancomycin by area under the curve: Rybak MJ, Am J Health Syst Pharm
2020;77:835. Extended-interval gentamicin: Nicolau DP, Antimicrob Agents Chemother 1995;39:650.
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
    level,
    never,
    pregnancy,
    weigh,
)

_QT = weigh("long_qt", "prolongs the QT interval")
_MG = never("myasthenia_gravis", "can cause respiratory failure by blocking the neuromuscular junction")
_WEAK = weigh("myasthenia_gravis", "can block the neuromuscular junction")
_AMINOGLYCOSIDE = ("aminoglycoside", "antibiotic")
_MACROLIDE = ("macrolide", "antibiotic")
_TETRACYCLINE = ("tetracycline", "antibiotic")
_QUINOLONE = ("fluoroquinolone", "antibiotic")
_30S = "binds the 30S ribosome and blocks protein synthesis"
_50S = "binds the 50S ribosome and blocks protein synthesis"
_GYRASE = "blocks DNA gyrase and topoisomerase IV"
_QUINOLONE_BOX = (
    "tendon rupture, peripheral neuropathy, central nervous effects, worsening of myasthenia gravis; "
    "not for mild infections where another drug serves"
)
_AMINOGLYCOSIDE_BOX = "nephrotoxicity, ototoxicity, neuromuscular blockade; fetal harm"
_CATIONS = "2 h before or 6 h after dairy, calcium, iron and antacids"
_QUINOLONE_PREGNANT = pregnancy(
    "avoid", "cartilage damage in young animals; use another drug where one serves"
)
_DEAF = pregnancy("avoid", "aminoglycosides can harm the hearing of the fetus")
_QUINOLONE_RISKS = (
    _MG,
    _QT,
    weigh("tendon_disorder", "tendon rupture"),
    weigh("epilepsy", "lowers the seizure threshold"),
)
_TEETH = "stains the teeth and slows bone growth below 8 years"

DRUGS: tuple[Drug, ...] = (
    Drug(
        name="vancomycin",
        brands=("Vancocin", "Firvanq"),
        classes=("glycopeptide", "antibiotic"),
        allergy_group="glycopeptide",
        mechanism="binds D-alanyl-D-alanine and blocks cell wall synthesis",
        indications=(
            "mrsa infection",
            "sepsis",
            "meningitis",
            "endocarditis",
            "hospital-acquired pneumonia",
            "c difficile infection",
        ),
        contraindications=(weigh("acute_kidney_injury", "nephrotoxic"),),
        adult=(
            given("iv", "mg", (15, 20), (2, 3), 35, 60, per_kg=True, cap=3000),
            given("oral", "mg", (125, 500), (4, 4), 500, 2000, use="c difficile infection"),
        ),
        child=(child("iv", (40, 60), 4000, 0.08), child("oral", (40, 40), 2000, 0)),
        renal=(
            kidney(60, "longer interval, dose by level", 40, route="iv"),
            kidney(30, "20 to 25 mg/kg once, then every 24 h or longer by level", 25, route="iv"),
            kidney(15, "20 to 25 mg/kg once, the next dose by level", 25, route="iv"),
        ),
        pregnancy=pregnancy("compatible", "no harm shown; oral drug is not absorbed"),
        side_effects=(
            "nephrotoxicity",
            "infusion reaction with flushing",
            "ototoxicity",
            "neutropenia",
            "rash",
        ),
        pharmacokinetics=kin((4, 6), "renal", 0.0, 0.5),
        monitoring=level(400, 600, "mg*h/L", "24 h area under the curve from two levels at steady state"),
        source=label("vancomycin injection", "ASHP/IDSA vancomycin 2020; IDSA/SHEA C. difficile 2021"),
    ),
    Drug(
        name="gentamicin",
        brands=("Garamycin",),
        classes=_AMINOGLYCOSIDE,
        allergy_group="aminoglycoside",
        mechanism=_30S,
        indications=("sepsis", "pyelonephritis", "endocarditis", "intra-abdominal infection"),
        contraindications=(_WEAK, weigh("acute_kidney_injury", "nephrotoxic")),
        adult=(
            given("iv", "mg", (1, 7), (1, 3), 7, 7, per_kg=True),
            given("im", "mg", (1, 2), (1, 3), 2.5, 5, per_kg=True),
        ),
        child=(child("iv", (5, 7.5), 600, 0.08),),
        renal=(
            kidney(60, "longer interval, dose by level", 5),
            kidney(40, "every 36 to 48 h, dose by level", 3.5),
            kidney(20, "one dose, the next by level", 2),
        ),
        pregnancy=_DEAF,
        side_effects=("nephrotoxicity", "ototoxicity", "vestibular damage", "neuromuscular blockade"),
        pharmacokinetics=kin((2, 3), "renal", None, 0.1),
        monitoring=level(5, 10, "mcg/mL", "peak 30 min after the infusion, trough below 2; divided doses"),
        boxed_warning=_AMINOGLYCOSIDE_BOX,
        source=label("gentamicin injection", "Nicolau 1995"),
    ),
    Drug(
        name="tobramycin",
        brands=("Nebcin",),
        classes=_AMINOGLYCOSIDE,
        allergy_group="aminoglycoside",
        mechanism=_30S,
        indications=("sepsis", "hospital-acquired pneumonia", "cystic fibrosis"),
        contraindications=(_WEAK, weigh("acute_kidney_injury", "nephrotoxic")),
        adult=(given("iv", "mg", (1, 7), (1, 3), 7, 7, per_kg=True),),
        child=(child("iv", (6, 7.5), 600, 0.08),),
        renal=(
            kidney(60, "longer interval, dose by level", 5),
            kidney(40, "every 36 to 48 h, dose by level", 3.5),
            kidney(20, "one dose, the next by level", 2),
        ),
        pregnancy=_DEAF,
        side_effects=("nephrotoxicity", "ototoxicity", "neuromuscular blockade"),
        pharmacokinetics=kin((2, 3), "renal", None, 0.1),
        monitoring=level(5, 10, "mcg/mL", "peak 30 min after the infusion, trough below 2; divided doses"),
        boxed_warning=_AMINOGLYCOSIDE_BOX,
        source=label("tobramycin injection"),
    ),
    Drug(
        name="amikacin",
        brands=("Amikin",),
        classes=_AMINOGLYCOSIDE,
        allergy_group="aminoglycoside",
        mechanism=_30S,
        indications=("sepsis", "hospital-acquired pneumonia", "tuberculosis"),
        contraindications=(_WEAK, weigh("acute_kidney_injury", "nephrotoxic")),
        adult=(given("iv", "mg", (5, 15), (1, 3), 15, 15, per_kg=True),),
        child=(child("iv", (15, 15), 1500, 0),),
        renal=(
            kidney(60, "longer interval, dose by level", 12),
            kidney(40, "every 36 to 48 h, dose by level", 7.5),
            kidney(20, "one dose, the next by level", 5),
        ),
        pregnancy=_DEAF,
        side_effects=("nephrotoxicity", "ototoxicity", "neuromuscular blockade"),
        pharmacokinetics=kin((2, 3), "renal", None, 0.1),
        monitoring=level(20, 30, "mcg/mL", "peak 30 min after the infusion, trough below 8; divided doses"),
        boxed_warning=_AMINOGLYCOSIDE_BOX,
        source=label("amikacin injection"),
    ),
    Drug(
        name="azithromycin",
        brands=("Zithromax", "Z-Pak"),
        classes=_MACROLIDE,
        allergy_group="macrolide",
        mechanism=_50S,
        indications=(
            "community-acquired pneumonia",
            "copd exacerbation",
            "chlamydia",
            "pertussis",
            "sinusitis",
        ),
        contraindications=(_QT, weigh("myasthenia_gravis", "can worsen weakness")),
        adult=(
            given("oral", "mg", (250, 500), ONCE, 2000, 2000),
            given("iv", "mg", (500, 500), ONCE, 500, 500),
        ),
        child=(child("oral", (5, 12), 500, 0.5),),
        pregnancy=pregnancy("compatible", "no sign of harm"),
        side_effects=("diarrhea", "nausea", "QT prolongation", "hepatotoxicity"),
        pharmacokinetics=kin((68, 68), "hepatic", 0.38, 0.3),
        source=label("Zithromax", "ATS/IDSA pneumonia 2019"),
    ),
    Drug(
        name="clarithromycin",
        brands=("Biaxin",),
        classes=_MACROLIDE,
        allergy_group="macrolide",
        mechanism=_50S,
        indications=("community-acquired pneumonia", "h pylori infection", "sinusitis"),
        contraindications=(
            _QT,
            weigh("coronary_artery_disease", "more deaths in heart disease years later (CLARICOR)"),
            weigh("myasthenia_gravis", "can worsen weakness"),
        ),
        adult=(given("oral", "mg", (250, 500), (2, 2), 1000, 1000),),
        child=(child("oral", (15, 15), 1000, 0.5),),
        renal=(kidney(30, "halve the dose", 500),),
        pregnancy=pregnancy("avoid", "harm in animals; use another drug where one serves"),
        side_effects=("metallic taste", "nausea", "QT prolongation", "hepatotoxicity"),
        pharmacokinetics=kin((3, 7), "mixed", 0.5, 0.7),
        source=label("Biaxin"),
    ),
    Drug(
        name="erythromycin",
        brands=("Ery-Tab", "Erythrocin"),
        classes=_MACROLIDE,
        allergy_group="macrolide",
        mechanism=_50S,
        indications=("pertussis", "chlamydia", "gastroparesis"),
        contraindications=(_QT, weigh("myasthenia_gravis", "can worsen weakness")),
        adult=(
            given("oral", "mg", (250, 500), (2, 4), 1000, 4000),
            given("iv", "mg", (250, 1000), (4, 4), 1000, 4000),
        ),
        child=(child("oral", (30, 50), 4000, 0),),
        pregnancy=pregnancy("caution", "the estolate salt harms the liver; other salts are used"),
        side_effects=("nausea", "cramps", "QT prolongation", "cholestatic hepatitis"),
        pharmacokinetics=kin((1.5, 2), "hepatic", 0.35, 0.8),
        food=("base on an empty stomach",),
        source=label("Ery-Tab; Erythrocin lactobionate"),
    ),
    Drug(
        name="doxycycline",
        brands=("Vibramycin", "Doryx"),
        classes=_TETRACYCLINE,
        allergy_group="tetracycline",
        mechanism=_30S,
        indications=(
            "community-acquired pneumonia",
            "lyme disease",
            "chlamydia",
            "cellulitis",
            "rocky mountain spotted fever",
            "copd exacerbation",
            "malaria prophylaxis",
        ),
        contraindications=(weigh("raised_intracranial_pressure", "intracranial hypertension"),),
        adult=(
            given("oral", "mg", (100, 200), (1, 2), 200, 200),
            given("iv", "mg", (100, 200), (1, 2), 200, 200),
        ),
        child=(child("oral", (2.2, 4.4), 200, 8),),
        pregnancy=pregnancy("avoid", "stains fetal teeth and slows bone growth", from_week=14),
        side_effects=("photosensitivity", "esophagitis", "nausea", "intracranial hypertension"),
        pharmacokinetics=kin((18, 22), "mixed", 0.95, 0.9),
        food=("2 h apart from dairy, calcium, iron and antacids", "full glass of water, upright for 30 min"),
        source=label("Vibramycin", "CDC STI treatment guidelines 2021"),
        from_years=8,
        age_reason=_TEETH,
    ),
    Drug(
        name="minocycline",
        brands=("Minocin",),
        classes=_TETRACYCLINE,
        allergy_group="tetracycline",
        mechanism=_30S,
        indications=("acne", "cellulitis"),
        contraindications=(weigh("raised_intracranial_pressure", "intracranial hypertension"),),
        adult=(given("oral", "mg", (50, 200), (1, 2), 200, 400),),
        child=(child("oral", (4, 4), 200, 8),),
        renal=(kidney(80, "at most 200 mg a day", 200),),
        pregnancy=pregnancy("avoid", "stains fetal teeth and slows bone growth", from_week=14),
        side_effects=("vertigo", "skin pigmentation", "drug-induced lupus", "intracranial hypertension"),
        pharmacokinetics=kin((11, 22), "hepatic", 0.9, 0.75),
        food=("2 h apart from calcium, iron and antacids",),
        source=label("Minocin"),
        from_years=8,
        age_reason=_TEETH,
    ),
    Drug(
        name="ciprofloxacin",
        brands=("Cipro",),
        classes=_QUINOLONE,
        allergy_group="fluoroquinolone",
        mechanism=_GYRASE,
        indications=("pyelonephritis", "urinary tract infection", "intra-abdominal infection", "prostatitis"),
        contraindications=_QUINOLONE_RISKS,
        adult=(
            given("oral", "mg", (250, 750), (2, 2), 1000, 1500),
            given("iv", "mg", (200, 400), (2, 3), 400, 1200),
        ),
        child=(child("oral", (20, 40), 1500, 1), child("iv", (18, 30), 1200, 1)),
        renal=(
            kidney(50, "250 to 500 mg every 12 h", 1000, route="oral"),
            kidney(30, "250 to 500 mg every 18 h", 667, route="oral"),
            kidney(30, "200 to 400 mg every 18 to 24 h", 534, route="iv"),
        ),
        pregnancy=_QUINOLONE_PREGNANT,
        side_effects=("nausea", "tendinitis", "QT prolongation", "dysglycemia", "neuropathy", "delirium"),
        pharmacokinetics=kin((4, 5), "mixed", 0.7, 0.3),
        food=(_CATIONS,),
        boxed_warning=_QUINOLONE_BOX,
        source=label("Cipro; Cipro IV"),
    ),
    Drug(
        name="levofloxacin",
        brands=("Levaquin",),
        classes=("respiratory fluoroquinolone", *_QUINOLONE),
        allergy_group="fluoroquinolone",
        mechanism=_GYRASE,
        indications=(
            "community-acquired pneumonia",
            "pyelonephritis",
            "copd exacerbation",
            "sinusitis",
            "prostatitis",
        ),
        contraindications=_QUINOLONE_RISKS,
        adult=(
            given("oral", "mg", (250, 750), ONCE, 750, 750),
            given("iv", "mg", (250, 750), ONCE, 750, 750),
        ),
        child=(child("oral", (8, 20), 750, 0.5),),
        renal=(
            kidney(50, "750 mg every 48 h, or 500 mg then 250 mg a day", 375),
            kidney(20, "750 mg then 500 mg every 48 h", 250),
        ),
        pregnancy=_QUINOLONE_PREGNANT,
        side_effects=("nausea", "tendinitis", "QT prolongation", "dysglycemia", "neuropathy", "delirium"),
        pharmacokinetics=kin((6, 8), "renal", 0.99, 0.31),
        food=("2 h apart from calcium, iron and antacids",),
        boxed_warning=_QUINOLONE_BOX,
        source=label("Levaquin"),
    ),
    Drug(
        name="moxifloxacin",
        brands=("Avelox",),
        classes=("respiratory fluoroquinolone", *_QUINOLONE),
        allergy_group="fluoroquinolone",
        mechanism=_GYRASE,
        indications=(
            "community-acquired pneumonia",
            "sinusitis",
            "intra-abdominal infection",
            "copd exacerbation",
        ),
        contraindications=_QUINOLONE_RISKS,
        adult=(
            given("oral", "mg", (400, 400), ONCE, 400, 400),
            given("iv", "mg", (400, 400), ONCE, 400, 400),
        ),
        pregnancy=_QUINOLONE_PREGNANT,
        side_effects=("nausea", "tendinitis", "QT prolongation", "dysglycemia", "neuropathy"),
        pharmacokinetics=kin((12, 15), "hepatic", 0.9, 0.5),
        food=("4 h before or 8 h after antacids, iron and zinc",),
        boxed_warning=_QUINOLONE_BOX,
        source=label("Avelox"),
    ),
    Drug(
        name="clindamycin",
        brands=("Cleocin",),
        classes=("lincosamide", "antibiotic"),
        allergy_group="lincosamide",
        mechanism=_50S,
        indications=(
            "cellulitis",
            "mrsa infection",
            "aspiration pneumonia",
            "dental infection",
            "toxic shock",
        ),
        contraindications=(
            weigh("c_difficile_infection", "C. difficile colitis is frequent"),
            weigh("inflammatory_bowel_disease", "colitis"),
        ),
        adult=(
            given("oral", "mg", (150, 450), (3, 4), 450, 1800),
            given("iv", "mg", (300, 900), (2, 4), 900, 4800),
        ),
        child=(child("oral", (8, 25), 1800, 0.08), child("iv", (20, 40), 2700, 0.08)),
        pregnancy=pregnancy("compatible", "no sign of harm"),
        side_effects=("diarrhea", "C. difficile colitis", "rash", "esophagitis"),
        pharmacokinetics=kin((2, 3), "hepatic", 0.9, 0.9),
        boxed_warning="C. difficile colitis, which can be fatal",
        source=label("Cleocin"),
    ),
)
