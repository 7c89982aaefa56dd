"""Clinical reference tools of medical_qa: treatments compared, criteria checked against findings.

EnvWorker[N: ToolCall -> Toolkit.run -> [clinical] -> formulary, CONDITIONS] <-> Engine[M] -> …

What a table does not hold stands under "missing" in words. Synthetic use only; not for care.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from distrl.envs.clinical.drug_pk import DrugFacts
from distrl.envs.clinical.formulary import Drug
from distrl.envs.clinical.interactions import KNOWN, interaction
from distrl.envs.healthcare.tools import differential, lookup, matching
from distrl.envs.healthcare.tools.drugs import STRENGTH, SUBSTRATE, get_drug_info
from distrl.envs.healthcare.world.condition import Condition, Shift
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.toolkit import Arg, ToolError

ConditionName = Annotated[str, Arg(max_length=120)]
Finding = Annotated[str, Arg(max_length=120)]
Findings = Annotated[list[Finding], Arg(max_length=30)]
MAX_TREATMENTS = 6
SAME_WORDS = 0.6  # share of a listed phrase's words that a given finding must hold to count as it
ABSENT = ("no ", "not ", "without ", "denies ", "denied ", "absent ")


@cache
def _by_name() -> dict[str, Condition]:
    """Every name of a condition; its own name wins over its key, that over synonyms of others."""
    known: dict[str, Condition] = {}
    for names in (
        lambda c: (c.icd10, *c.synonyms),
        lambda c: (c.key.replace("_", " "),),
        lambda c: (c.name,),
    ):
        known.update({_plain(name): c for c in CONDITIONS.values() for name in names(c)})
    return known


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def conditions_like(name: str) -> list[Condition]:
    """The condition of that name, else those whose names share its words."""
    exact = _by_name().get(_plain(name[:200]))
    return differential.conditions_named(name[:200]) if exact is None else [exact]


def condition_named(name: str) -> Condition:
    """The condition of that name. Raises ToolError, with near names, for an unknown one and for several."""
    found = conditions_like(name)
    if not found:
        hint = lookup.suggestion(name, {c.name.lower(): c.name for c in CONDITIONS.values()})
        raise ToolError(
            f"condition {lookup.shown(name)} is not in the table{hint}; search the passages instead"
        )
    if len(found) > 1:
        names = ", ".join(c.name for c in found)
        raise ToolError(f"condition {lookup.shown(name)} may be several: {names}; name one")
    return found[0]


def get_drug_information(drug_name: lookup.DrugName) -> dict[str, Any]:
    """Monograph of a drug: class, use, doses, contraindications, pregnancy, target level, pathways, food.

    Args:
        drug_name: Generic or brand name, without a dose.
    """
    record = lookup.drug(drug_name)
    level, facts = record.monitoring, KNOWN.get(record.name)
    found = get_drug_info(record.name)
    missing = [*found.pop("missing"), *([] if facts else ["pathways: not in the interaction table"])]
    return {
        **found,
        "target_level": None
        if level is None
        else {"low": level.target[0], "high": level.target[1], "unit": level.unit, "sample": level.sample},
        "pathways": {} if facts is None else _pathways(facts),
        "missing": missing,
    }


def _pathways(facts: DrugFacts) -> dict[str, dict[str, str]]:
    """Enzymes and P-gp by role; a role that is not on record is left out."""
    roles = {
        "substrate_of": {path: SUBSTRATE[grade] for path, grade in facts.substrate.items()},
        "inhibits": {path: STRENGTH[grade] for path, grade in facts.inhibits.items()},
        "induces": {path: STRENGTH[grade] for path, grade in facts.induces.items()},
    }
    return {role: paths for role, paths in roles.items() if paths}


def compare_treatments(
    condition: ConditionName, treatments: Annotated[list[str], Arg(max_length=MAX_TREATMENTS)]
) -> dict[str, Any]:
    """Drugs for a condition side by side: place in guidance, hazards, pregnancy, dose, interactions.

    Args:
        condition: The condition to treat.
        treatments: Two to six generic or brand names.
    """
    if len(treatments) < 2:
        raise ToolError(f"treatments: {len(treatments)} given; give 2 to {MAX_TREATMENTS} drugs to compare")
    found = conditions_like(condition)
    known = found[0] if len(found) == 1 else None
    drugs = [lookup.drug(name) for name in treatments]
    known_pairs, unknown_drugs = _pairs(drugs)
    unknown = f"{lookup.shown(condition)}: not one condition of the table, so places are unknown"
    return {
        "condition": condition[:120] if known is None else known.name,
        "treatments": {d.name: _compared(d, known) for d in drugs},
        "interactions_among_them": known_pairs,
        "missing": [*([] if known else [unknown]), *unknown_drugs],
    }


def _pairs(drugs: list[Drug]) -> tuple[list[dict[str, Any]], list[str]]:
    """(interactions among the drugs, which of them the interaction table does not hold)."""
    names = list(dict.fromkeys(d.name for d in drugs))
    missing = [
        f"{n}: not in the interaction table, which does not mean safe" for n in names if n not in KNOWN
    ]
    found = [
        {"drugs": [a, b], "severity": verdict.severity, "effect": verdict.effect}
        for a, b in itertools.combinations([n for n in names if n in KNOWN], 2)
        if (verdict := interaction(a, b)).severity != "none"
    ]
    return found, missing


def _compared(drug: Drug, condition: Condition | None) -> dict[str, Any]:
    reasons: list[str] = []
    if condition is not None:
        reasons = [c.reason for c in drug.contraindications if c.condition == condition.key]
        if {drug.name, *drug.classes} & set(condition.avoid_drugs):
            reasons.append(f"guidance says to avoid it in {condition.name}")
    return {
        "class": drug.classes[0],
        "place": "unknown" if condition is None else _places(drug.name, condition),
        "against_it_in_this_condition": reasons,
        "usual_adult_dose": [
            f"{r.usual[0]:g}-{r.usual[1]:g} {r.unit}{' per kg' if r.per_kg else ''} {r.route}, "
            f"{r.doses_per_day[0]:g}-{r.doses_per_day[1]:g} a day"
            for r in drug.adult
        ]
        or "missing",
        "pregnancy": f"{drug.pregnancy.verdict}: {drug.pregnancy.reason}",
        "side_effects": list(drug.side_effects[:5]),
    }


def _places(drug: str, condition: Condition) -> list[str] | str:
    """Which choice the drug is, for each purpose of the condition's treatments."""
    found = [
        f"choice {place} for {treatment.purpose}: {differential._option(option)}"
        for treatment in condition.treatments
        for place, option in enumerate(treatment.options, 1)
        if option.drug == drug
    ]
    return found or "not among the treatments of the table"


def check_diagnostic_criteria(condition: ConditionName, findings: Findings) -> dict[str, Any]:
    """Findings of a patient held against the typical picture of a condition: what fits, what does not.

    Args:
        condition: The condition that is thought of.
        findings: Symptoms, signs and their absence, one phrase each, such as "fever" or "no rash".
    """
    found = condition_named(condition)
    stated = [Phrase.of(f) for f in findings]
    symptoms, signs, absent = (
        [Phrase.of(p) for p in x] for x in (found.symptoms, found.findings, found.negatives)
    )
    listed = [*symptoms, *signs, *absent]
    return {
        "condition": found.name,
        "icd10": found.icd10,
        "symptoms": _held(symptoms, stated),
        "signs": _held(signs, stated),
        "usually_absent": _held(absent, stated),
        "speaks_against": [s.text for s in stated if any(s.opposes(phrase) for phrase in listed)],
        "not_in_the_table": [
            s.text for s in stated if not any(s.says(phrase) or s.opposes(phrase) for phrase in listed)
        ],
        "typical_laboratory": [_lab_text(code, shift) for code, shift in _labs(found).items()],
        "work_up": list(found.workup),
        "told_apart_from": [CONDITIONS[key].name for key in found.differential if key in CONDITIONS],
        "source": found.source,
    }


@dataclass(frozen=True)
class Phrase:
    """A finding as its words, and whether it is said to be absent."""

    text: str
    words: frozenset[str]
    absent: bool

    @classmethod
    def of(cls, text: str) -> Phrase:
        """Read a phrase: "no fever" is fever, absent."""
        plain = " ".join(text[:400].lower().split())
        sign = next((s for s in ABSENT if plain.startswith(s)), "")
        return cls(text[:400], matching.words(plain.removeprefix(sign)), bool(sign))

    def says(self, listed: Phrase) -> bool:
        """Whether this is the listed phrase: the same sign, and most of its words."""
        return self.absent == listed.absent and self._shares(listed)

    def opposes(self, listed: Phrase) -> bool:
        """Whether this is the listed phrase with the other sign."""
        return self.absent != listed.absent and self._shares(listed)

    def _shares(self, listed: Phrase) -> bool:
        return bool(listed.words) and len(self.words & listed.words) / len(listed.words) >= SAME_WORDS


def _held(listed: list[Phrase], stated: list[Phrase]) -> dict[str, list[str]]:
    fits = [phrase.text for phrase in listed if any(s.says(phrase) for s in stated)]
    return {"fits": fits, "not_stated": [phrase.text for phrase in listed if phrase.text not in fits]}


def _labs(condition: Condition) -> dict[str, Shift]:
    return {code: s for code, s in {**condition.labs, **condition.unmeasured}.items() if code in LABS}


def _lab_text(code: str, shift: Shift) -> str:
    return f"{LABS[code].name} about {shift.mean:g} {LABS[code].unit}".rstrip()
