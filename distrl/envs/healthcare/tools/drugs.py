"""Tools that read the formulary: monographs, classes, alternatives, metabolism, food, pregnancy, levels.

EnvWorker[N: ToolCall -> Toolkit.run -> [drugs] -> clinical.formulary, clinical.drug_pk] <-> Engine[M] -> …

Every answer names the record's source. What the formulary does not hold is said under "missing".
"""

from __future__ import annotations

from typing import Annotated, Any

from distrl.envs.clinical.formulary import DRUGS, Drug, alternatives, in_class
from distrl.envs.clinical.interactions import KNOWN
from distrl.envs.healthcare.tools import doses, lookup, screening, values
from distrl.envs.healthcare.tools.lookup import DrugName, OptionalId, patient, shown, suggestion
from distrl.envs.healthcare.tools.records import could_be_pregnant
from distrl.envs.healthcare.world.labs import LABS
from distrl.envs.healthcare.world.records import Database, Patient
from distrl.envs.toolkit import Arg

Data = dict[str, Any]
MOST_LISTED = 25
MOST_ALTERNATIVES, MOST_OF_CLASS = 12, 6  # the safest of them
SUBSTRATE = {3: "sensitive substrate", 2: "moderate substrate", 1: "minor substrate"}
STRENGTH = {3: "strong", 2: "moderate", 1: "weak"}
STEADY_STATE_HALF_LIVES = 5  # 97 % of the plateau


def get_drug_info(drug_name: DrugName) -> Data:
    """Monograph of a drug: class, use, doses, contraindications, kidney, liver, pregnancy, side effects."""
    record = lookup.drug(drug_name)
    return {
        "drug": record.name,
        "brands": list(record.brands),
        "classes": list(record.classes),
        "mechanism": record.mechanism,
        "indications": list(record.indications),
        "adult_doses": [doses.usual_text(r) for r in record.adult],
        "child_doses": [
            f"{c.route} {doses.span(c.mg_per_kg_day)} mg/kg/day, at most {c.max_mg_day:g} mg/day, "
            f"from {c.from_years:g} years"
            for c in record.child
        ],
        "contraindications": [
            f"{c.condition.replace('_', ' ')} ({'absolute' if c.absolute else 'relative'}): {c.reason}"
            for c in record.contraindications
        ],
        "youngest": f"{record.from_years:g} years: {record.age_reason}" if record.from_years else None,
        "boxed_warning": record.boxed_warning or None,
        "renal": [f"CrCl below {s.crcl_below:g} mL/min: {s.advice}" for s in record.renal],
        "hepatic": [f"Child-Pugh {s.child_pugh} and worse: {s.advice}" for s in record.hepatic],
        "pregnancy": f"{record.pregnancy.verdict}: {record.pregnancy.reason}",
        "side_effects": list(record.side_effects),
        "food": list(record.food),
        "source": record.source,
        "missing": [] if record.child else ["child doses: none in the formulary"],
    }


def search_drugs_by_class(
    drug_class: Annotated[str, Arg(max_length=80)],
) -> Data:
    """Drugs of the formulary that belong to a class.

    Source: the formulary's record, which names its label.

    Args:
        drug_class: Such as "macrolide", "statin" or "ace inhibitor".
    """
    found = in_class(drug_class)
    classes = sorted({c for record in DRUGS.values() for c in record.classes})
    return {
        "drug_class": drug_class,
        "drugs": [
            {
                "drug": record.name,
                "classes": list(record.classes),
                "indications": list(record.indications[:3]),
            }
            for record in found[:MOST_LISTED]
        ],
        "missing": []
        if found
        else [f"no drug of class {shown(drug_class)}{suggestion(drug_class, classes)}"],
    }


def search_alternatives(
    db: Database,
    drug_name: DrugName,
    patient_id: OptionalId = None,
) -> Data:
    """Drugs for the same use, of other classes and of the same; screened for a patient, the safest first.

    Screened: allergies, pregnancy, conditions, kidney, interactions with the other drugs (not `drug_name`).

    Source: the formulary, `clinical.interactions`, `clinical.allergy`.

    Args:
        patient_id: For whom.
    """
    record = lookup.drug(drug_name)
    person = patient(db, patient_id) if patient_id is not None else None
    rows = _ranked(db, person, record, alternatives(record.name))
    narrow = record.classes[0]
    kin = [d for d in in_class(narrow) if d.name != record.name and d.classes[0] == narrow]
    return {
        "drug": record.name,
        "for": list(record.indications),
        "screened_for": None if person is None else person["patient_id"],
        "alternatives": rows[:MOST_ALTERNATIVES],
        "same_class": _ranked(db, person, record, kin)[:MOST_OF_CLASS],
        "not_shown": max(0, len(rows) - MOST_ALTERNATIVES) + max(0, len(kin) - MOST_OF_CLASS),
        "missing": [] if rows else [f"no alternative of another class to {record.name} in the formulary"],
    }


def check_cyp450_metabolism(drug_name: DrugName) -> Data:
    """How a drug is metabolised: the CYP enzymes and P-gp it is a substrate, inhibitor or inducer of."""
    name = lookup.interaction_name(drug_name)
    facts = KNOWN[name]
    known = facts.substrate or facts.inhibits or facts.induces
    return {
        "drug": name,
        "substrate_of": {path: SUBSTRATE[grade] for path, grade in facts.substrate.items()},
        "inhibits": {path: STRENGTH[grade] for path, grade in facts.inhibits.items()},
        "induces": {path: STRENGTH[grade] for path, grade in facts.induces.items()},
        "activated_by": list(facts.prodrug),
        "narrow_therapeutic_index": facts.narrow,
        "missing": [] if known else ["no CYP or P-gp pathway of importance is on record"],
        "source": "FDA table of substrates, inhibitors and inducers (2023); Flockhart table (2021)",
    }


def check_food_interactions(drug_name: DrugName) -> Data:
    """What food, drink and timing of meals do to a drug."""
    record = lookup.drug(drug_name)
    return {
        "drug": record.name,
        "food": list(record.food),
        "missing": [] if record.food else ["no food interaction is on record; with or without food"],
        "source": record.source,
    }


def get_pharmacokinetics(drug_name: DrugName) -> Data:
    """Half-life, time to steady state, clearance, bioavailability and protein binding of a drug."""
    record = lookup.drug(drug_name)
    kinetics = record.pharmacokinetics
    low, high = kinetics.half_life_h
    return {
        "drug": record.name,
        "half_life": {"low": low, "high": high, "unit": "h"},
        "time_to_steady_state": {
            "low": round(STEADY_STATE_HALF_LIVES * low, 1),
            "high": round(STEADY_STATE_HALF_LIVES * high, 1),
            "unit": "h",
        },
        "cleared_by": kinetics.cleared,
        "oral_bioavailability": values.amount(kinetics.bioavailability, "fraction 0 to 1"),
        "protein_binding": values.amount(kinetics.protein_binding, "fraction 0 to 1"),
        "missing": [
            f"{name}: not on record"
            for name, value in (
                ("oral bioavailability", kinetics.bioavailability),
                ("protein binding", kinetics.protein_binding),
            )
            if value is None
        ],
        "source": record.source,
    }


def check_pregnancy_safety(
    db: Database,
    drug_name: DrugName,
    patient_id: OptionalId = None,
    weeks: Annotated[int | None, Arg(unit="weeks", ge=0, le=43)] = None,
) -> Data:
    """Whether a drug may be given in pregnancy, and why.

    Source: FDA table of substrates, inhibitors and inducers (2023); Flockhart table (2021).

    Args:
        patient_id: Takes the weeks of pregnancy from the record.
        weeks: Weeks of gestation, where they are known otherwise.
    """
    record = lookup.drug(drug_name)
    person = patient(db, patient_id) if patient_id is not None else None
    known = weeks if weeks is not None else (person["pregnant_weeks"] if person is not None else None)
    verdict = record.pregnancy.verdict
    if known is not None:
        verdict = screening.pregnancy_verdict(record, known)  # type: ignore[assignment]
    missing = []
    if person is not None and known is None:
        can = could_be_pregnant(person)
        missing.append("pregnancy: no status on the record" if can else "pregnancy: none on the record")
    return {
        "drug": record.name,
        "verdict": verdict,
        "reason": record.pregnancy.reason,
        "holds_from_week": record.pregnancy.from_week,
        "weeks": values.amount(known, "weeks of gestation"),
        "compatible_in_class": [
            other.name
            for other in DRUGS.values()
            if other.name != record.name
            and other.pregnancy.verdict == "compatible"
            and set(other.indications) & set(record.indications)
        ][:10]
        if verdict in screening.HARMFUL_IN_PREGNANCY
        else [],
        "missing": missing,
        "source": record.source,
    }


def check_therapeutic_drug_monitoring(
    db: Database,
    drug_name: DrugName,
    patient_id: OptionalId = None,
    level: Annotated[float | None, Arg(ge=0, le=1e6, help="In the unit of the target range.")] = None,
) -> Data:
    """Target range of a drug's level, when to draw the sample, and what a level means.

    Source: the formulary's record, which names its label.

    Args:
        patient_id: Takes the latest level from the record, where one is measured.
        level: A measured level.
    """
    record = lookup.drug(drug_name)
    target = record.monitoring
    if target is None:
        return {
            "drug": record.name,
            "monitored": False,
            "missing": ["no therapeutic range is on record; levels are not used to dose it"],
            "source": record.source,
        }
    found = values.Found(value=level, unit=target.unit, source="given")
    if level is None and patient_id is not None:
        found = _level(patient(db, patient_id), record)
    low, high = target.target
    reading = "not measured"
    if isinstance(found.value, (int, float)):
        side = "below" if found.value < low else "above" if found.value > high else "within"
        reading = f"{side} the target range"
    return {
        "drug": record.name,
        "monitored": True,
        "target": {"low": low, "high": high, "unit": target.unit},
        "sample": target.sample,
        "level": found.as_data(),
        "reading": reading,
        "missing": list(found.missing) or ([] if found.value is not None else ["level: not given"]),
        "source": record.source,
    }


def _ranked(db: Database, person: Patient | None, record: Drug, others: list[Drug]) -> list[Data]:
    """A row for each, the least grave concern first."""
    rows = [_alternative(db, person, record, other) for other in others]
    rows.sort(key=lambda row: (row[0], len(row[1]["concerns"])))
    return [row for _, row in rows]


def _alternative(db: Database, person: Patient | None, record: Drug, other: Drug) -> tuple[int, Data]:
    """(gravity of the worst concern, the row)."""
    alerts: list[screening.Alert] = []
    if person is not None:
        alerts += screening.concerns(db, person, other, without=record.name)
        alerts += _kidney_concern(person, other)
    row = {
        "drug": other.name,
        "classes": list(other.classes),
        "shared_uses": [i for i in other.indications if i in record.indications],
        "concerns": [str(alert) for alert in alerts],
    }
    return max((screening.GRAVITY[alert.level] for alert in alerts), default=0), row


def _kidney_concern(person: Patient, record: Drug) -> list[screening.Alert]:
    clearance = values.creatinine_clearance(person).value
    step = doses.renal_step(record, clearance) if isinstance(clearance, float) else None
    if step is None or not step.avoid:
        return []
    text = f"creatinine clearance {clearance:g} mL/min: {step.advice}"
    return [screening.Alert(kind="renal", level="contraindicated", text=text)]


def _level(person: Patient, record: Drug) -> values.Found:
    """The latest level of the drug among the laboratory results."""
    assert record.monitoring is not None
    name = record.name.split("-")[0]
    codes = {code for code, lab in LABS.items() if lab.name.lower().startswith(name)}
    rows = sorted((r for r in person["labs"] if r["code"] in codes), key=lambda r: r["at"])
    if not rows:
        return values.Found(missing=(f"{record.name} level: not measured",))
    value = values.in_unit(rows[-1]["value"], rows[-1]["unit"], record.monitoring.unit)
    if value is None:
        return values.Found(missing=(f"level in {rows[-1]['unit']} does not turn into the target's unit",))
    return values.Found(value=value, unit=record.monitoring.unit, source=f"laboratory, {rows[-1]['at']}")
