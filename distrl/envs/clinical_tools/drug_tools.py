"""Two tools about drugs: a dose for the kidney function, and a screen for interactions.

tasks -> EnvWorker[N: call -> these functions -> line] <-> Engine[M] -> …
Formulas, tables and their sources: distrl/envs/clinical/{renal,dosing,allergy,interactions,drug_*}.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from distrl.envs.clinical import allergy, dosing, drug_notes, drug_pk, renal
from distrl.envs.clinical.interactions import Interaction, interaction, rank
from distrl.envs.clinical_tools.line import TEXT_LIMIT, AdultAge, Creatinine, Sex, line, notes, one_line
from distrl.envs.toolkit import Arg, ToolError

Drug = Literal["vancomycin", "gentamicin", "amoxicillin", "metformin", "lisinopril"]
Allergen = Literal["sulfa", "penicillin", "aspirin", "cephalosporin", "codeine"]
Frequency = Literal["daily", "bid", "tid", "q8h", "q12h", "q24h"]
Gene = Literal["2D6", "2C19", "2C9"]
Phenotype = Literal["poor_metabolizer", "intermediate_metabolizer"]
Hepatic = Literal["normal", "mild_impairment", "moderate_impairment", "severe_impairment"]


def calculate_drug_dosage(  # noqa: PLR0913 - the tool's published parameters
    *,
    drug_name: Drug,
    standard_dose_mg: Annotated[float, Arg(unit="mg", ge=0.1, le=10000)],
    route: Literal["PO", "IV", "IM"],
    patient_weight_kg: Annotated[float, Arg(unit="kg", ge=20, le=400)],
    patient_age: AdultAge,
    serum_creatinine: Creatinine,
    sex: Sex,
    allergies: Annotated[list[Allergen], Arg(max_length=10)],
    indication: Annotated[str, Arg(max_length=TEXT_LIMIT)],
    frequency_override: Frequency | None = None,
    max_daily_dose_mg: Annotated[float | None, Arg(unit="mg", ge=0.1, le=20000)] = None,
    is_loading_dose: bool,
) -> str:
    """Renal-adjusted drug dose from Cockcroft-Gault clearance, with allergy cross-reactivity.

    Clearance from actual weight (no height is asked for), rounded to 0.1 mL/min before the tier is read.
    A loading dose of a drug that has one is not reduced. The daily limit caps the adjusted dose.
    Sources: Cockcroft & Gault 1976; clinical/dosing.py; clinical/allergy.py.

    Args:
        standard_dose_mg: Usual single dose at normal kidney function.
        allergies: Known drug allergies; an empty list when there are none.
        indication: Why the drug is given.
        frequency_override: Frequency asked for by the prescriber, in place of the computed interval.
        max_daily_dose_mg: Most that may be given in a day.
    """
    crcl = round(renal.cockcroft_gault(patient_age, patient_weight_kg, serum_creatinine, sex), 1)
    row = dosing.dose_row(drug_name, route, crcl)
    loading = is_loading_dose and drug_name in dosing.HAS_LOADING_DOSE and route != "PO"
    factor = 1.0 if loading else row.factor
    interval = frequency_override or row.interval
    adjusted = min(standard_dose_mg * factor, row.most_mg)
    dose = dosing.capped_dose(adjusted, interval, max_daily_dose_mg, loading)
    allergens = sorted(set(allergies))
    conflicts = allergy.allergy_conflicts(drug_name, allergens)
    reasons = [reason for verdict, reason in conflicts if verdict == "CONTRAINDICATED"]
    forbidden = bool(reasons) or factor == 0.0
    asked, order = (f"{amount:.1f}mg {route} {interval}" for amount in (standard_dose_mg, dose))
    advice = "Loading dose, no renal reduction" if loading else row.advice
    title = drug_name.capitalize()
    remarks = (
        "dose capped by the daily limit" if dose < adjusted and not forbidden else "",
        "" if route in dosing.ROUTES[drug_name] else f"{title} is not given {route}",
        f"{title} has no loading dose" if is_loading_dose and not loading else "",
        _label_limit(row, standard_dose_mg) if not forbidden else "",
        dosing.too_often(row, frequency_override, loading) if not forbidden else "",
        dosing.heavy_dose(drug_name, route, dose, interval, patient_weight_kg, loading),
    )
    return line(
        ("Drug", f"{title} CONTRAINDICATED (asked {asked})" if forbidden else f"{title} {order}"),
        ("CrCl", f"{crcl:.1f} mL/min"),
        ("Renal tier", renal.renal_tier(crcl)),
        ("Dose factor", str(float(factor))),
        ("Indication", one_line(indication)),
        ("Adjustment", f"Do not give: {'; '.join(reasons)}" if reasons else advice),
        ("Allergies", _allergy_text(allergens, conflicts)),
        ("Interval", f"as ordered (renal default {row.interval})" if frequency_override else ""),
        ("Daily limit", "" if max_daily_dose_mg is None else f"{max_daily_dose_mg:.1f}mg"),
        notes(remarks),
    )


def _allergy_text(allergies: Sequence[str], conflicts: list[tuple[str, str]]) -> str:
    if not allergies:
        return ""
    verdict = "; ".join(f"{verdict} {reason}" for verdict, reason in conflicts) or "no conflict"
    return f"{' + '.join(allergies)} ({verdict})"


def _label_limit(row: dosing.DoseRow, asked_mg: float) -> str:
    """Names the dose that was asked, so that the line still shows it."""
    allowed = f"the label allows {row.most_mg:g} mg a dose at this clearance"
    return f"{asked_mg:g} mg asked but {allowed}" if asked_mg > row.most_mg else ""


def screen_drug_interactions(  # noqa: PLR0913 - the tool's published parameters
    *,
    current_medications: Annotated[list[str], Arg(max_length=20)],
    proposed_medication: Annotated[str, Arg(max_length=60)],
    patient_age: AdultAge,
    sex: Sex,
    hepatic_function: Hepatic,
    renal_function_egfr: Annotated[float, Arg(unit="mL/min/1.73 m2", ge=1, le=250)],
    is_pregnant: bool,
    genetic_cyp_variants: dict[Gene, Phenotype] | None = None,
    indication: Annotated[str, Arg(max_length=TEXT_LIMIT)],
    check_food_interactions: bool,
) -> str:
    """Drug interaction screening of a proposed drug against the current ones, with CYP450 pathways.

    Each current drug gets its severity against the proposed one, the worst first, whatever order is given.
    Notes for kidney, liver, pregnancy, genotype, food and age name every drug of the list that they touch.
    A drug outside the tables is named, never passed over.
    Sources: FDA table of substrates, inhibitors and inducers; Flockhart table; CPIC; AGS Beers 2023;
    clinical/drug_*.py.

    Args:
        current_medications: Drugs the patient takes, generic names.
        proposed_medication: Drug to add, generic name.
        genetic_cyp_variants: CYP genes with a reduced phenotype.
        indication: Why the drug is proposed.
        check_food_interactions: Whether to report food interactions.
    """
    if is_pregnant and sex == "male":
        raise ToolError("is_pregnant: true contradicts sex male; correct one of the two")
    proposed = drug_pk.canonical(proposed_medication)
    current = [drug_pk.canonical(name) for name in current_medications]
    if not proposed or not all(current):
        raise ToolError("a medication name is empty; give generic drug names")
    drugs = [proposed, *sorted(set(current) - {proposed})]
    unknown = [drug for drug in drugs if drug not in drug_pk.DRUGS]
    known = [drug for drug in drugs if drug in drug_pk.DRUGS]
    found = {drug: interaction(proposed, drug) for drug in known[1:]} if proposed in known else {}
    worst = max((i.severity for i in found.values()), key=rank, default="none")
    listed = sorted(
        set(current), key=lambda drug: (-rank(found[drug].severity) if drug in found else 0, drug)
    )
    screened = "; ".join(_pair_text(drug, found.get(drug), drug == proposed) for drug in listed) or "no drug"
    return line(
        ("Proposed", proposed),
        ("Overall", f"INCOMPLETE (at least {worst})" if unknown else worst),
        ("Interactions", screened),
        ("Renal", f"eGFR {renal_function_egfr:g}{_join(_renal_notes(known, renal_function_egfr))}"),
        ("Hepatic", f"{hepatic_function}{_join(_hepatic_notes(known, hepatic_function))}"),
        ("Genotype", _genotype_text(known, genetic_cyp_variants)),
        ("Pregnancy", _pregnancy_text(known, sex, patient_age, is_pregnant)),
        ("Food", _food_text(known) if check_food_interactions else "not checked"),
        ("Patient", f"{patient_age} y {sex}{_join(_beers_notes(known, patient_age))}"),
        ("Indication", one_line(indication)),
        notes([f"not in the tables: {' + '.join(unknown)}" if unknown else ""]),
    )


def _pair_text(drug: str, found: Interaction | None, same: bool) -> str:
    if same:
        return f"{drug} already taken"
    if found is None:
        return f"{drug} not screened"
    return f"{drug} {found.severity}" + (f" ({found.effect})" if found.effect else "")


def _join(texts: list[str]) -> str:
    return f" ({'; '.join(texts)})" if texts else ""


def _renal_notes(drugs: list[str], egfr: float) -> list[str]:
    found = []
    for drug in drugs:
        text = next((text for below, text in drug_notes.RENAL.get(drug, ()) if egfr < below), "")
        found += [f"{drug} {text}"] if text else []
    return found


def _hepatic_notes(drugs: list[str], level: str) -> list[str]:
    grade = drug_notes.HEPATIC_LEVEL[level]
    rows = [(drug, *drug_notes.HEPATIC[drug]) for drug in drugs if drug in drug_notes.HEPATIC]
    return [f"{drug} {text}" for drug, since, text in rows if grade >= since]


def _genotype_text(drugs: list[str], variants: dict[Gene, Phenotype] | None) -> str:
    found = []
    for gene, phenotype in sorted((variants or {}).items()):
        column = 0 if phenotype == "poor_metabolizer" else 1
        rows = [(drug, drug_notes.GENOTYPE.get((gene, drug), ("", ""))[column]) for drug in drugs]
        advice = [f"{drug} {text}" for drug, text in rows if text] or ["no change for these drugs"]
        found.append(f"CYP{gene} {phenotype}{_join(advice)}")
    return "; ".join(found) or "not given"


def _pregnancy_text(drugs: list[str], sex: str, age: int, pregnant: bool) -> str:
    """Notes in pregnancy; outside it, contraception for women up to 50 years on a teratogen."""
    if pregnant:
        noted = [f"{drug} {drug_notes.PREGNANCY[drug]}" for drug in drugs if drug in drug_notes.PREGNANCY]
        return f"yes{_join(noted)}"
    fertile = sex == "female" and age <= 50
    harmful = [drug for drug in drugs if drug in drug_notes.TERATOGENS] if fertile else []
    return f"no (contraception with {' + '.join(harmful)})" if harmful else "no"


def _food_text(drugs: list[str]) -> str:
    return "; ".join(f"{drug} {drug_notes.FOOD[drug]}" for drug in drugs if drug in drug_notes.FOOD) or "none"


def _beers_notes(drugs: list[str], age: int) -> list[str]:
    if age < 65:
        return []
    return [f"{drug} {drug_notes.BEERS[drug]}" for drug in drugs if drug in drug_notes.BEERS]
