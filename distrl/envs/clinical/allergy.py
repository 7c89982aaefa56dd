"""Drug allergy by class: what is contraindicated, what is a cross-reaction to weigh.

Sources: Khan DA (AAAAI/ACAAI), "Drug allergy: a 2022 practice parameter update", J Allergy Clin Immunol
2022;150:1333: penicillin to cephalosporin about 2 % (more with a shared side chain: amoxicillin with
cephalexin, cefadroxil, cefaclor). The parameter lets many such patients have the other class after
assessment; a tool that knows only the label "allergy" says CAUTION and does not forbid. Sulfonamide
antibiotics do not cross-react with non-antibiotic sulfonamides (Strom BL, N Engl J Med 2003;349:1628).
Aspirin stands for COX-1 inhibitors (AERD), codeine for opioids of the phenanthrene structure.

Also: a shared side chain of aminopenicillin and cephalosporin about 16 % (Picard M, J Allergy Clin Immunol
Pract 2019;7:2722); carbapenems below 1 % (Romano A, N Engl J Med 2006;354:2835); aztreonam shares only the
side chain of ceftazidime; receptor blockers after ACE inhibitor angioedema (Haymore BR, Ann Allergy Asthma
Immunol 2008;101:495); aromatic antiepileptics 40 to 80 % (Shear NH, J Clin Invest 1988;82:1826); egg and
propofol, milk protein and inhaled powders, fish and protamine, sulfonamides and celecoxib: US labels.
Shellfish and iodinated contrast do not cross-react (ACR Manual on Contrast Media 2023), nor do latex and any
drug of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable

_MEMBERS: dict[str, str] = {
    "penicillin": "penicillin|penicillin g|penicillin g benzathine|penicillin v|amoxicillin|ampicillin"
    "|nafcillin|amoxicillin-clavulanate|ampicillin-sulbactam|piperacillin-tazobactam|dicloxacillin|oxacillin",
    "cephalosporin": "cefazolin|cephalexin|cefadroxil|cefaclor|cefprozil|cefuroxime|cefoxitin|ceftriaxone"
    "|cefotaxime|cefdinir|cefpodoxime|ceftazidime|cefepime|ceftaroline",
    "carbapenem": "meropenem|ertapenem|imipenem-cilastatin",
    "monobactam": "aztreonam",
    "sulfa": "sulfamethoxazole-trimethoprim|sulfasalazine|sulfadiazine",
    "non-antibiotic sulfonamide": "furosemide|bumetanide|torsemide|hydrochlorothiazide|chlorthalidone"
    "|acetazolamide|indapamide",
    "macrolide": "azithromycin|clarithromycin|erythromycin",
    "fluoroquinolone": "ciprofloxacin|levofloxacin|moxifloxacin",
    "tetracycline": "doxycycline|minocycline|tetracycline",
    "glycopeptide": "vancomycin|telavancin",
    "aminoglycoside": "gentamicin|tobramycin|amikacin|streptomycin|neomycin",
    "lincosamide": "clindamycin|lincomycin",
    "nitroimidazole": "metronidazole|tinidazole",
    "rifamycin": "rifampin|rifabutin|rifaximin",
    "azole": "fluconazole|itraconazole|ketoconazole|voriconazole|posaconazole",
    "acyclovir": "acyclovir|valacyclovir",
    "aspirin": "aspirin|ibuprofen|ketorolac|naproxen|indomethacin|diclofenac|meloxicam",
    "cox-2 inhibitor": "celecoxib",
    "codeine": "codeine|morphine|hydromorphone|oxycodone|hydrocodone|oxymorphone|buprenorphine-naloxone",
    "phenylpiperidine opioid": "fentanyl|meperidine|remifentanil",
    "phenylpropylamine opioid": "tramadol|tapentadol",
    "heparin": "heparin|enoxaparin|dalteparin",
    "protamine": "protamine",
    "thienopyridine": "clopidogrel|prasugrel|ticlopidine",
    "ace inhibitor": "lisinopril|enalapril|ramipril|captopril|benazepril",
    "angiotensin receptor blocker": "losartan|valsartan|sacubitril-valsartan|candesartan|irbesartan",
    "aromatic antiepileptic": "phenytoin|fosphenytoin|carbamazepine|oxcarbazepine|phenobarbital",
    "lamotrigine": "lamotrigine",
    "amide local anesthetic": "lidocaine|bupivacaine|ropivacaine|mepivacaine",
    "ester local anesthetic": "procaine|chloroprocaine|tetracaine|benzocaine",
    "iodinated contrast": "iohexol|iopamidol|iodixanol",
    "benzodiazepine": "lorazepam|diazepam|midazolam|alprazolam|clonazepam|chlordiazepoxide",
    "proton pump inhibitor": "omeprazole|esomeprazole|pantoprazole|lansoprazole",
}
# The allergen group of each drug.
GROUP = {drug: group for group, drugs in _MEMBERS.items() for drug in drugs.split("|")}
# Groups that are known by what a product holds, not by a class of drugs.
SUBSTANCES = ("egg", "soy", "milk protein", "fish", "latex", "shellfish", "iodine")
GROUPS: tuple[str, ...] = (*_MEMBERS, *SUBSTANCES)

CROSS_REACTIVE = {("penicillin", "cephalosporin"): "about 2%", ("cephalosporin", "penicillin"): "about 2%"}
# (allergen group, group of the drug) -> what is known of the pair, where no rate says it all.
_WEIGH = {
    ("penicillin", "carbapenem"): "cross-reacts with carbapenems in less than 1%",
    ("carbapenem", "penicillin"): "cross-reacts with penicillins in less than 1%",
    ("cephalosporin", "carbapenem"): "cross-reacts with carbapenems in less than 1%",
    ("carbapenem", "cephalosporin"): "cross-reacts with cephalosporins in less than 1%",
    ("cephalosporin", "monobactam"): "cross-reacts with aztreonam if it was ceftazidime",
    ("monobactam", "cephalosporin"): "cross-reacts with ceftazidime only",
    ("aspirin", "cox-2 inhibitor"): "cross-reacts with selective COX-2 inhibitors in few",
    ("cox-2 inhibitor", "aspirin"): "can cross-react with other NSAIDs",
    ("sulfa", "cox-2 inhibitor"): "is named by the celecoxib label; cross-reaction is not shown",
    ("codeine", "phenylpropylamine opioid"): "is a warning of the tramadol label",
    (
        "ace inhibitor",
        "angiotensin receptor blocker",
    ): "recurs with receptor blockers in 2 to 10% (angioedema)",
    ("aromatic antiepileptic", "lamotrigine"): "raises the risk of rash with lamotrigine",
    ("lamotrigine", "aromatic antiepileptic"): "raises the risk of rash with aromatic antiepileptics",
}
# One drug of such a group says little of another; the same drug stays forbidden.
_LOOSE = frozenset({"azole", "non-antibiotic sulfonamide", "thienopyridine", "benzodiazepine"})
# R1 side chains that two classes, or two drugs of one class, have in common.
SIDE_CHAIN = {
    **dict.fromkeys(
        ("amoxicillin", "amoxicillin-clavulanate", "ampicillin", "ampicillin-sulbactam"), "amino"
    ),
    **dict.fromkeys(("cephalexin", "cefadroxil", "cefaclor", "cefprozil"), "amino"),
    **dict.fromkeys(("ceftriaxone", "cefotaxime", "cefepime", "cefpodoxime", "cefuroxime"), "methoxyimino"),
    **dict.fromkeys(("ceftazidime", "aztreonam"), "carboxypropyl"),
}
# drug -> what its products hold -> verdict and reason.
_HOLDS: dict[str, dict[str, tuple[str, str]]] = {
    "propofol": {
        "egg": ("CAUTION", "egg allergy: the emulsion holds egg lecithin"),
        "soy": ("CAUTION", "soy allergy: the emulsion holds soybean oil"),
    },
    "fluticasone-salmeterol": {
        "milk protein": (
            "CONTRAINDICATED",
            "milk protein allergy: the powder holds lactose with milk protein",
        )
    },
    "protamine": {"fish": ("CAUTION", "fish allergy: made from fish sperm")},
    "mesalamine": {"aspirin": ("CAUTION", "aspirin allergy: mesalamine is a salicylate too")},
    "insulin nph": {"protamine": ("CAUTION", "protamine allergy: the suspension holds protamine")},
    "amiodarone": {"iodine": ("CAUTION", "iodine allergy is named by the label")},
}
_NAMED = {
    "ace": "ace inhibitor",
    "anticonvulsant": "aromatic antiepileptic",
    "arb": "angiotensin receptor blocker",
    "cephalosporins": "cephalosporin",
    "contrast": "iodinated contrast",
    "contrast dye": "iodinated contrast",
    "contrast media": "iodinated contrast",
    "eggs": "egg",
    "iv contrast": "iodinated contrast",
    "milk": "milk protein",
    "nonsteroidal anti-inflammatory drug": "aspirin",
    "nsaid": "aspirin",
    "opiate": "codeine",
    "opioid": "codeine",
    "pcn": "penicillin",
    "ppi": "proton pump inhibitor",
    "quinolone": "fluoroquinolone",
    "radiocontrast": "iodinated contrast",
    "soya": "soy",
    "sulfa antibiotic": "sulfa",
    "sulfa drug": "sulfa",
    "sulfonamide": "sulfa",
    "sulfonamide antibiotic": "sulfa",
    "sulphonamide": "sulfa",
}


def group_named(text: str) -> str:
    """The allergen group that `text` names as such, in singular or plural; "" for a drug or unknown words."""
    key = " ".join(text.lower().split())
    for form in (key, key.removesuffix("s")):
        known = _NAMED.get(form, form)
        if known in GROUPS:
            return known
    return ""


def group_of(substance: str) -> str:
    """The allergen group of a drug (generic name) or of a group's own name; "" where there is none."""
    key = " ".join(substance.lower().split())
    return GROUP.get(key) or group_named(key)


def allergy_conflicts(drug: str, allergies: Iterable[str]) -> list[tuple[str, str]]:
    """(verdict, reason) of each allergy that touches `drug`; verdict is "CONTRAINDICATED" or "CAUTION".

    An allergy names a drug or a group of GROUP; one that is neither touches only the drug of that name.
    """
    found = [_conflict(drug, allergy) for allergy in allergies]
    return [one for one in found if one is not None]


def _conflict(drug: str, allergy: str) -> tuple[str, str] | None:
    group = GROUP.get(drug)
    allergen = GROUP.get(allergy, allergy)
    if allergy == drug:
        return "CONTRAINDICATED", f"{allergy} allergy"
    if allergen in _HOLDS.get(drug, {}):
        return _HOLDS[drug][allergen]
    if group is None:
        return None
    if allergen == group:
        loose = group in _LOOSE and allergy != group
        return ("CAUTION" if loose else "CONTRAINDICATED"), f"{allergy} allergy"
    if allergy in SIDE_CHAIN and SIDE_CHAIN[allergy] == SIDE_CHAIN.get(drug):
        return "CONTRAINDICATED", f"{allergy} allergy: {drug} has the same side chain"
    if (allergen, group) in CROSS_REACTIVE:
        rate = CROSS_REACTIVE[allergen, group]
        return "CAUTION", f"{allergy} allergy cross-reacts with {group}s in {rate}"
    if (allergen, group) in _WEIGH:
        return "CAUTION", f"{allergy} allergy {_WEIGH[allergen, group]}"
    return None
