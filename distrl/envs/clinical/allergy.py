"""Drug allergy by class: what is contraindicated, what is a cross-reaction to weigh.

Sources: Khan DA (AAAAI/ACAAI), "Drug allergy: a 2022 practice parameter update", J Allergy Clin Immunol
2022;150:1333: penicillin to cephalosporin about 2 % (more with a shared side chain: amoxicillin with
cephalexin, cefadroxil, cefaclor). The parameter lets many such patients have the other class after
assessment; a tool that knows only the label "allergy" says CAUTION and does not forbid. Sulfonamide
antibiotics do not cross-react with non-antibiotic sulfonamides (Strom BL, N Engl J Med 2003;349:1628).
Aspirin stands for COX-1 inhibitors (AERD).
"""

from __future__ import annotations

from collections.abc import Iterable

# The allergen group of each drug.
GROUP = {
    "amoxicillin": "penicillin",
    "ampicillin": "penicillin",
    "penicillin": "penicillin",
    "piperacillin-tazobactam": "penicillin",
    "cefazolin": "cephalosporin",
    "ceftriaxone": "cephalosporin",
    "cephalexin": "cephalosporin",
    "sulfamethoxazole-trimethoprim": "sulfa",
    "sulfasalazine": "sulfa",
    "aspirin": "aspirin",
    "ibuprofen": "aspirin",
    "ketorolac": "aspirin",
    "naproxen": "aspirin",
    "codeine": "codeine",
}
CROSS_REACTIVE = {("penicillin", "cephalosporin"): "about 2%", ("cephalosporin", "penicillin"): "about 2%"}


def allergy_conflicts(drug: str, allergies: Iterable[str]) -> list[tuple[str, str]]:
    """(verdict, reason) of each allergy that touches `drug`; verdict is "CONTRAINDICATED" or "CAUTION".

    An allergy names a drug or a group of GROUP; one that is neither touches only the drug of that name.
    """
    group = GROUP.get(drug)
    found = []
    for allergy in allergies:
        allergen = GROUP.get(allergy, allergy)
        if allergy == drug or (group is not None and allergen == group):
            found.append(("CONTRAINDICATED", f"{allergy} allergy"))
        elif group is not None and (allergen, group) in CROSS_REACTIVE:
            rate = CROSS_REACTIVE[allergen, group]
            found.append(("CAUTION", f"{allergy} allergy cross-reacts with {group}s in {rate}"))
    return found
