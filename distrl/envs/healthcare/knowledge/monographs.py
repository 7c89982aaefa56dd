"""Drug monographs as passages, from the formulary and the interaction table.

[formulary, clinical.interactions -> monographs] -> own.passages() -> KnowledgeBase

Sentences of the project; every figure is the one that the tools use. Synthetic use only; not for care.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from distrl.envs.clinical import formulary
from distrl.envs.clinical.formulary.core import ChildDose, DoseRange, Drug, HepaticStep, RenalStep
from distrl.envs.clinical.interactions import KNOWN as INTERACTING
from distrl.envs.clinical.interactions import SEVERITIES, interaction
from distrl.envs.healthcare.knowledge.protocol import Passage

VERDICTS = {
    "compatible": "is compatible with pregnancy",
    "caution": "is used with caution in pregnancy",
    "avoid": "is avoided in pregnancy",
    "contraindicated": "is contraindicated in pregnancy",
}
CLEARED = {
    "renal": "by the kidneys",
    "hepatic": "by the liver",
    "mixed": "by liver and kidneys",
    "other": "otherwise",
}
CHILD_PUGH = {"A": "Child-Pugh class A or worse", "B": "Child-Pugh class B or C", "C": "Child-Pugh class C"}


def monographs() -> Iterator[Passage]:
    """Four passages a drug: uses, doses, safety, interactions (where there are any)."""
    for drug in formulary.DRUGS.values():
        parts = {"uses": _uses(drug), "dosing": _dosing(drug), "safety": _safety(drug)}
        if drug.name in INTERACTING:
            parts["interactions"] = _interactions(drug.name)
        for part, sentences in parts.items():
            content = " ".join([*sentences, f"Source: {drug.source}."])
            if sentences:
                yield Passage(
                    doc_id=f"drug:{drug.name.replace(' ', '_')}:{part}",
                    source="distrl",
                    title=f"{drug.name.capitalize()}: {part}",
                    content=content,
                    category="drug",
                    dataset_name="own",
                )


def listed(items: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def span(low: float, high: float) -> str:
    """`5`, or `5 to 10`."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def name_of(key: str) -> str:
    """A snake-case key as words."""
    return key.replace("_", " ")


def _uses(drug: Drug) -> Iterator[str]:
    brands = f" (brand names: {listed(drug.brands)})" if drug.brands else ""
    name = drug.name.capitalize()
    yield f"{name}{brands} belongs to the drug classes {listed(drug.classes)}."
    if drug.mechanism:
        yield f"Mechanism: {drug.mechanism}."
    yield f"{name} is used for {listed(drug.indications)}."
    kinetics = drug.pharmacokinetics
    yield f"Its half-life is {span(*kinetics.half_life_h)} hours."
    yield f"It is cleared mainly {CLEARED[kinetics.cleared]}."
    if kinetics.bioavailability is not None:
        yield f"Oral bioavailability is about {100 * kinetics.bioavailability:.0f} %."
    if kinetics.protein_binding is not None:
        yield f"About {100 * kinetics.protein_binding:.0f} % is bound to plasma proteins."


def _dosing(drug: Drug) -> Iterator[str]:
    yield from (f"{drug.name.capitalize()}: {_adult(dose)}." for dose in drug.adult)
    yield from (f"Children: {_child(dose)}." for dose in drug.child)
    if drug.age_reason:
        yield f"Not under {drug.from_years:g} years: {drug.age_reason}."
    yield from (f"{_renal(step)}." for step in sorted(drug.renal, key=lambda s: -s.crcl_below))
    yield from (f"{_hepatic(step)}." for step in drug.hepatic)
    if drug.monitoring:
        seen = drug.monitoring
        yield f"Therapeutic drug monitoring: target {span(*seen.target)} {seen.unit}, sample {seen.sample}."


def _adult(dose: DoseRange) -> str:
    per = f"{dose.unit}/kg" if dose.per_kg else dose.unit
    per_day = f"{per} a day"
    often = f"{span(*dose.doses_per_day)} times a day"
    for_what = f" for {dose.indication}" if dose.indication else ""
    most = f"at most {dose.max_single:g} {per} in a single dose and {dose.max_daily:g} {per_day}"
    most += f", never more than {dose.cap:g} {dose.unit} at once" if dose.cap is not None else ""
    return f"adult {dose.route} dose{for_what} {span(*dose.usual)} {per}, {often}; {most}"


def _child(dose: ChildDose) -> str:
    age = f" from {dose.from_years:g} years" if dose.from_years else ""
    return f"{dose.route}{age} {span(*dose.mg_per_kg_day)} mg/kg a day, at most {dose.max_mg_day:g} mg a day"


def _renal(step: RenalStep) -> str:
    what = f"avoid; {step.advice}" if step.avoid else step.advice
    return f"Creatinine clearance below {step.crcl_below:g} mL/min{_route(step.route)}: {what}"


def _hepatic(step: HepaticStep) -> str:
    what = f"avoid; {step.advice}" if step.avoid else step.advice
    return f"Liver disease, {CHILD_PUGH[step.child_pugh]}{_route(step.route)}: {what}"


def _route(route: str | None) -> str:
    return f" ({route})" if route else ""


def _safety(drug: Drug) -> Iterator[str]:
    name = drug.name.capitalize()
    if drug.boxed_warning:
        yield f"Boxed warning of {drug.name}: {drug.boxed_warning}."
    for rule in drug.contraindications:
        verb = "is contraindicated" if rule.absolute else "needs caution"
        yield f"{name} {verb} in {name_of(rule.condition)}: {rule.reason}."
    if drug.allergy_group:
        yield f"In allergy {name} counts to the group {drug.allergy_group}, whose members cross-react."
    week = f" from week {drug.pregnancy.from_week}" if drug.pregnancy.from_week else ""
    yield f"{name} {VERDICTS[drug.pregnancy.verdict]}{week}: {drug.pregnancy.reason}."
    if drug.side_effects:
        yield f"Adverse effects of {drug.name}: {listed(drug.side_effects)}."
    if drug.food:
        yield f"Food: {'; '.join(drug.food)}."


def _interactions(drug: str) -> Iterator[str]:
    """The worst first; pathways and pairs that need no change are left out.

    Each pair names both drugs, so that a search for one finds its own passage before the others' lists.
    """
    found = [
        (other, interaction(drug, other))
        for other in formulary.DRUGS
        if other != drug and other in INTERACTING
    ]
    for severity in reversed(SEVERITIES[2:]):
        rows = [f"{drug} with {other}: {hit.effect}" for other, hit in found if hit.severity == severity]
        if rows:
            yield f"{severity.capitalize()} interactions of {drug}: {'. '.join(rows)}."
