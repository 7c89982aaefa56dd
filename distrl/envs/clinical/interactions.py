"""Screening of drug pairs: explicit pairs first, then shared effects, then pathways.

The severity of a pathway interaction is a sum, a decision of this house: strength of the inhibitor or
inducer (1-3) + sensitivity of the substrate (1-3) + 1 for a narrow index: 6 and more MAJOR, 5 MODERATE, 4
MINOR, less none. A strong inhibitor of a sensitive substrate is thus MAJOR, as the FDA guidance (in vitro
and clinical drug interaction studies, 2020) defines both by a five-fold exposure; a moderate one of a
moderate narrow-index substrate MODERATE.
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.envs.clinical.drug_pairs import CLASS_PAIRS, DRUG_PAIRS, Row
from distrl.envs.clinical.drug_pairs_formulary import FORMULARY_CLASS_PAIRS, FORMULARY_DRUG_PAIRS
from distrl.envs.clinical.drug_pk import DRUGS, DrugFacts
from distrl.envs.clinical.drug_pk_formulary import FORMULARY_DRUGS

SEVERITIES = ("none", "MINOR", "MODERATE", "MAJOR", "CONTRAINDICATED")
_PATHWAY_SEVERITY = {4: "MINOR", 5: "MODERATE", 6: "MAJOR", 7: "MAJOR"}
KNOWN: dict[str, DrugFacts] = FORMULARY_DRUGS | DRUGS
_ALL_CLASS_PAIRS = (*CLASS_PAIRS, *FORMULARY_CLASS_PAIRS)
_PAIRS = {frozenset(row[:2]): row for row in (*FORMULARY_DRUG_PAIRS, *DRUG_PAIRS)}


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """One finding between two drugs; severity is one of SEVERITIES, effect a short phrase without commas."""

    severity: str
    effect: str


def rank(severity: str) -> int:
    """0 for none to 4 for CONTRAINDICATED."""
    return SEVERITIES.index(severity)


def _class_rows(first: str, second: str) -> list[Row]:
    """Rows that name an effect, or one of the drugs itself, on either side.

    The formulary's rows hold only where a drug outside drug_pk takes part.
    """
    rows = CLASS_PAIRS if first in DRUGS and second in DRUGS else _ALL_CLASS_PAIRS
    a, b = {first, *KNOWN[first].classes}, {second, *KNOWN[second].classes}
    return [row for row in rows if (row[0] in a and row[1] in b) or (row[1] in a and row[0] in b)]


def _pathway(cause: str, victim: str) -> list[Interaction]:
    """What `cause` does to the level of `victim`."""
    facts, target = KNOWN[cause], KNOWN[victim]
    found = []
    for path, sensitivity in target.substrate.items():
        for verb, grade in (("inhibition", facts.inhibits.get(path)), ("induction", facts.induces.get(path))):
            total = 0 if grade is None else grade + sensitivity + target.narrow
            if total not in _PATHWAY_SEVERITY:
                continue
            raises = (verb == "inhibition") != (path in target.prodrug)
            what = "effect" if path in target.prodrug else "level"
            effect = f"{'raised' if raises else 'lowered'} {victim} {what}: {path} {verb}"
            found.append(Interaction(severity=_PATHWAY_SEVERITY[total], effect=effect))
    return found


def interaction(first: str, second: str) -> Interaction:
    """The worst interaction of two drugs of KNOWN; symmetric. Raises KeyError for an unknown drug."""
    unknown = {first, second} - KNOWN.keys()
    if unknown:
        raise KeyError(min(unknown))
    named = _PAIRS.get(frozenset((first, second)))
    if named is not None:
        return Interaction(severity=named[2], effect=named[3])
    found = [Interaction(severity=row[2], effect=row[3]) for row in _class_rows(first, second)]
    low, high = sorted((first, second))
    found += _pathway(low, high) + _pathway(high, low)
    return max(found, key=lambda i: rank(i.severity), default=Interaction(severity="none", effect=""))
