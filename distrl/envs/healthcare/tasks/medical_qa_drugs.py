"""Facts of one drug's monograph: mechanism, class, contraindications, boxed warnings, food, pregnancy.

clinical.formulary -> [drug kinds] -> questions

Wrong answers are other drugs' rows of the same column; each is false by the formulary. Where a list may be
incomplete (contraindications), the question asks what the monograph says and neighbours of the right answer
(RELATED) are never offered.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

from distrl.envs.clinical.formulary import DRUGS, Drug
from distrl.envs.clinical.formulary.condition_keys import CONDITION_KEYS
from distrl.envs.healthcare.tasks.draft import call
from distrl.envs.healthcare.tasks.medical_qa_facts import (
    Fact,
    Kind,
    alike,
    an,
    by_key,
    monograph,
    pick,
    pick_names,
    split_of,
    start,
)
from distrl.envs.healthcare.world.conditions import CONDITIONS

Rows = Callable[[], Sequence[str]]
RELATED: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "chronic_kidney_disease end_stage_renal_disease acute_kidney_injury hyperkalemia nephrolithiasis",
        "bradycardia av_block hypotension cardiogenic_shock septic_shock heart_failure hypovolemia "
        "aortic_stenosis pulmonary_hypertension bilateral_renal_artery_stenosis",
        "active_bleeding gi_bleeding bleeding_disorder hemorrhagic_stroke peptic_ulcer thrombocytopenia hit "
        "recent_surgery recent_head_trauma",
        "cirrhosis acute_hepatitis alcohol_use_disorder",
        "coronary_artery_disease myocardial_infarction peripheral_artery_disease ischemic_stroke "
        "hypertension venous_thromboembolism antiphospholipid_syndrome migraine_with_aura "
        "mechanical_heart_valve",
        "asthma copd respiratory_depression sleep_apnea raised_intracranial_pressure recent_head_trauma "
        "myasthenia_gravis opioid_use_disorder",
        "long_qt ventricular_arrhythmia hypokalemia hypocalcemia hypomagnesemia pre_excitation "
        "atrial_fibrillation bradycardia",
        "depression bipolar_disorder eating_disorder dementia parkinson_disease epilepsy "
        "alcohol_use_disorder",
        "diabetes_type_1 diabetes_type_2 diabetic_ketoacidosis metabolic_acidosis hypoglycemia pancreatitis",
        "bowel_obstruction gastroparesis inflammatory_bowel_disease esophageal_disorder peptic_ulcer "
        "c_difficile_infection",
        "bone_marrow_suppression thrombocytopenia immunosuppression systemic_infection tuberculosis",
        "bph urinary_retention glaucoma_angle_closure",
        "hyponatremia hypercalcemia hypermagnesemia hypovolemia",
        "breast_cancer venous_thromboembolism",
        "hypothyroidism hyperthyroidism adrenal_insufficiency pheochromocytoma medullary_thyroid_carcinoma",
    )
)


def row_drug(name: str) -> Drug:
    return DRUGS[name]


def about(drug: Drug, part: str, *words: str) -> dict[str, object]:
    """What every fact of a monograph shares: the part it stands in, and how that is found."""
    return {
        "doc_id": monograph(drug.name, part),
        "query": " ".join((drug.name, *words)),
        "topic": drug.name,
        "lookup": (call("get_drug_information", drug_name=drug.name),),
    }


def others(drug: Drug) -> tuple[list[Drug], list[Drug]]:
    """(drugs that share a wide class with it, the rest): near and far distractors."""
    near = [d for d in DRUGS.values() if d.name != drug.name and set(d.classes) & set(drug.classes)]
    far = [d for d in DRUGS.values() if not set(d.classes) & set(drug.classes)]
    return near, far


def same_kind(a: Drug, b: Drug) -> bool:
    """Whether two drugs are of one narrow class, so that what holds of one may hold of the other."""
    return a.classes[0] in b.classes or b.classes[0] in a.classes


def _text_fact(
    kind: str,
    part: str,
    drug: Drug,
    rng: random.Random,
    column: Callable[[Drug], Sequence[str]],
    because: str,
) -> Fact | None:
    """A fact whose answer is a text of `column`; wrong are texts of drugs of other kinds."""
    right = rng.choice(list(column(drug)))
    own = list(column(drug))

    def texts(drugs: list[Drug]) -> list[str]:
        found = [t for d in drugs if not same_kind(drug, d) for t in column(d)]
        return [t for t in found if not any(alike(t, mine) for mine in own)]

    near, far = others(drug)
    wrong = pick(rng, right, rng.sample(sorted(set(texts(near))), min(2, len(set(texts(near))))), texts(far))
    return Fact(
        kind=kind,
        slots={"drug": drug.name, "drug_start": start(drug.name)},
        right=right,
        wrong=wrong,
        holds=(right,),
        because=because.format(drug=drug.name, right=right),
        **about(drug, part, kind.replace("_", " ")),  # type: ignore[arg-type]
    )


def _mechanism(row: str, rng: random.Random) -> Fact | None:
    because = "The monograph of {drug} gives this as its mechanism: {right}."
    return _text_fact("mechanism", "uses", row_drug(row), rng, lambda d: (d.mechanism,), because)


def _boxed(row: str, rng: random.Random) -> Fact | None:
    because = "The monograph of {drug} shows the boxed warning: {right}."
    return _text_fact(
        "boxed_warning",
        "safety",
        row_drug(row),
        rng,
        lambda d: (d.boxed_warning,) * bool(d.boxed_warning),
        because,
    )


def _food(row: str, rng: random.Random) -> Fact | None:
    because = "On food the monograph of {drug} says: {right}."
    return _text_fact("food", "safety", row_drug(row), rng, lambda d: d.food, because)


def _drug_class(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    group = drug.classes[0]
    near, far = others(drug)
    wrong = pick_names(rng, [d.name for d in near if group not in d.classes], [d.name for d in far])
    return Fact(
        kind="drug_class",
        slots={"group": group},
        right=drug.name,
        wrong=wrong,
        holds=(group,),
        because=f"{start(drug.name)} is {an(group)} by its monograph, and none of the others is.",
        difficulty="easy",
        **about(drug, "uses", group, "class"),  # type: ignore[arg-type]
    )


def related(first: str, second: str) -> bool:
    """Whether two conditions are so near that what rules a drug out in one may do so in the other."""
    return first == second or any(first in group and second in group for group in RELATED)


SPELLED = {
    "av_block": "AV block",
    "bph": "benign prostatic hyperplasia",
    "copd": "COPD",
    "g6pd_deficiency": "G6PD deficiency",
    "gi_bleeding": "GI bleeding",
    "hit": "heparin-induced thrombocytopenia",
}


def condition_name(key: str) -> str:
    """A condition's key as words, as the monographs write it."""
    return SPELLED.get(key, key.replace("_", " "))


@cache
def against(name: str) -> frozenset[str]:
    """Keys of conditions in which a table says anything against the drug of that name."""
    drug = DRUGS[name]
    names = {drug.name, *drug.classes}
    keys = {c.condition for c in drug.contraindications}
    return frozenset(keys | {c.key for c in CONDITIONS.values() if names & set(c.avoid_drugs)})


def _contraindication(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    found = rng.choice([c for c in drug.contraindications if c.absolute])
    taboo = against(drug.name)
    wrong = pick_names(
        rng,
        [
            condition_name(key)
            for key in CONDITION_KEYS
            if not any(related(key, other) for other in taboo) and condition_name(key) not in drug.indications
        ],
    )
    return Fact(
        kind="contraindication",
        slots={"drug": drug.name, "drug_start": start(drug.name)},
        right=condition_name(found.condition),
        wrong=wrong,
        holds=(found.reason,),
        because=f"By the monograph {drug.name} is contraindicated in {condition_name(found.condition)}: "
        f"{found.reason}.",
        **about(drug, "safety", "contraindicated"),  # type: ignore[arg-type]
    )


def _mechanism_text(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    return _open("mechanism", drug, f"{start(drug.name)}: {drug.mechanism}.", drug.mechanism)


def _pregnancy_text(row: str, rng: random.Random) -> Fact | None:
    drug = row_drug(row)
    verdict, when = drug.pregnancy.verdict, drug.pregnancy.from_week
    meaning = {
        "compatible": "is compatible with pregnancy",
        "caution": "is used in pregnancy only with caution",
        "avoid": "should be avoided in pregnancy",
        "contraindicated": "is contraindicated in pregnancy",
    }[verdict]
    weeks = f" from week {when} on" if when else ""
    right = f"{start(drug.name)} {meaning}{weeks}: {drug.pregnancy.reason}."
    return _open("pregnancy", drug, right, drug.pregnancy.reason)


def _open(column: str, drug: Drug, right: str, held: str) -> Fact:
    return Fact(
        kind=f"{column}_text",
        slots={"drug": drug.name},
        right=right,
        holds=(held,),
        because=f"This is what the monograph of {drug.name} says.",
        **about(drug, {"mechanism": "uses", "pregnancy": "safety"}[column], column),  # type: ignore[arg-type]
    )


@cache
def _where(has: Callable[[Drug], bool]) -> tuple[str, ...]:
    return tuple(d.name for d in DRUGS.values() if has(d))


def rows_where(has: Callable[[Drug], bool]) -> Rows:
    return lambda: _where(has)


def _mechanism_split(row: str) -> str:
    """Drugs of one mechanism are in one split."""
    return split_of(f"mechanism:{DRUGS[row].mechanism}")


KINDS: tuple[Kind, ...] = (
    Kind(name="mechanism", rows=rows_where(lambda d: True), draw=_mechanism, split=_mechanism_split),
    Kind(name="drug_class", rows=rows_where(lambda d: True), draw=_drug_class, split=by_key("drug:{}:class")),
    Kind(
        name="contraindication",
        rows=rows_where(lambda d: any(c.absolute for c in d.contraindications)),
        draw=_contraindication,
        weight=2,
        split=by_key("drug:{}:contraindication"),
    ),
    Kind(
        name="boxed_warning",
        rows=rows_where(lambda d: bool(d.boxed_warning)),
        draw=_boxed,
        split=by_key("drug:{}:boxed"),
    ),
    Kind(name="food", rows=rows_where(lambda d: bool(d.food)), draw=_food, split=by_key("drug:{}:food")),
    Kind(
        name="mechanism_text", rows=rows_where(lambda d: True), draw=_mechanism_text, split=_mechanism_split
    ),
    Kind(
        name="pregnancy_text",
        rows=rows_where(lambda d: True),
        draw=_pregnancy_text,
        split=by_key("drug:{}:pregnancy"),
    ),
)
