"""Tasks of clinical_diagnosis: from a ticket to a work-up, a recorded diagnosis and a treatment that is safe.

world -> [make_task] -> Task -> EnvWorker[N: ClinicalDiagnosisEnv] <-> Engine[M] -> …

Six kinds: the full work-up (with a twist that makes the usual first choice a trap), the urgent case, the
work-up that an order decides, the score that is asked for, the hand-over, and the value that is missing.
All of it is computed from the drawn world; the gold episode runs on the tools. Synthetic, not for care.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import dx_steps as steps
from distrl.envs.healthcare.tasks import dx_text, phrases, words
from distrl.envs.healthcare.tasks.draft import (
    SPLITS,
    Difficulty,
    Draft,
    any_of,
    called,
    recorded,
    said,
    split_of,
)
from distrl.envs.healthcare.tasks.dx_case import ANY, Case, NoCase, draw
from distrl.envs.healthcare.tasks.dx_scores import ASKED, score_sentence, work_out
from distrl.envs.healthcare.tasks.dx_twists import TWISTS
from distrl.envs.healthcare.tasks.suitability import ADULT_YEARS
from distrl.envs.healthcare.world.condition import Condition
from distrl.envs.healthcare.world.labs import TESTS
from distrl.envs.healthcare.world.records import LabResult

DOMAIN = "clinical_diagnosis"
KINDS = {"workup": 5, "urgent": 4, "order": 4, "score": 3, "handover": 2, "missing": 2}  # parts of a deal
TWIST_PARTS = {
    "none": 3, "unasked": 1, "allergy": 3, "renal": 2, "pregnancy": 1, "interaction": 2,
    "contraindication": 1,
}  # fmt: skip
MAX_REDRAWS = 60
# Specialties whose patients an internist hands over.
HANDED_OVER = (
    "surgery", "gynecology", "obstetrics", "urology", "neurosurgery", "orthopedics", "ophthalmology",
    "psychiatry", "pediatrics", "neurology", "toxicology",
)  # fmt: skip
# Tests that can be asked for and be nowhere, with the words by which they are known.
ASKED_TESTS = {
    "Ammonia": ("ammonia",),
    "Ferritin": ("ferritin",),
    "Haptoglobin": ("haptoglobin",),
    "Uric Acid": ("uric acid", "urate"),
    "Vitamin B12": ("vitamin B12", "B12"),
    "Morning Cortisol": ("cortisol",),
    "Parathyroid Hormone": ("parathyroid hormone", "PTH"),
    "Serum Osmolality": ("serum osmolality", "osmolality"),
    "Alpha-fetoprotein": ("alpha-fetoprotein", "AFP"),
    "Rheumatoid Factor": ("rheumatoid factor",),
    "Tryptase": ("tryptase",),
    "Procalcitonin": ("procalcitonin", "PCT"),
}
ABSENT = (
    "missing", "unavailable", "any: available", "any: no result", "any: measured", "unknown", "pending",
    "any: on record", "any: on the record", "lacking", "any: result",
)  # fmt: skip


def make_task(seed: int, split: str) -> Task:
    """The task of a seed and split. ValueError for an unknown split."""
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
    rng = random.Random(f"{DOMAIN}/{split}/{seed}")
    for _ in range(MAX_REDRAWS):
        kind = rng.choices(list(KINDS), weights=list(KINDS.values()))[0]
        try:
            return MAKERS[kind](rng, split)
        except NoCase:
            continue
    raise RuntimeError(f"{DOMAIN}: {MAX_REDRAWS} draws gave no task for seed {seed} in split {split!r}")


def _drawn(
    rng: random.Random, split: str, fits: Callable[[Condition], bool], kind: str, twist: str = ""
) -> Case:
    chosen = twist or rng.choices(TWISTS, weights=[TWIST_PARTS[t] for t in TWISTS])[0]
    return draw(rng, split, chosen, fits, what=kind)


def _draft(case: Case, rng: random.Random, split: str, kind: str, ask: str, extra: str = "") -> Draft:
    """The ticket, and all that does not depend on what is done."""
    style = phrases.drawn(phrases.CASE_STYLES, rng, split)
    person = case.patient["presentation"]
    symptoms = rng.sample(person["symptoms"], min(2, len(person["symptoms"])))
    ticket = style.template.format(
        name=case.patient["name"],
        pid=case.pid,
        who=words.who(case.patient),
        complaint=person["complaint"],
        Complaint=words.capital(person["complaint"]),
        onset=person["onset"],
        symptoms=words.joined(symptoms) or "nothing else",
        ask=ask,
    )
    draft = Draft(
        domain=DOMAIN,
        kind=kind,
        purpose=f"{kind}: {case.condition.name}, twist {case.twist}",
        difficulty=difficulty(kind, case.twist),
        persona=style.persona,
        ticket=f"{ticket} {extra}".strip(),
        patient_id=case.pid,
        world=case.world,
    )
    if case.trap is not None:
        option, hazard, step = case.trap
        draft.challenges.append(f"{option.drug} is a trap in place of {step.option.drug}: {hazard.reason}")
    draft.challenges += [item.reason for item in case.condition.time_critical]
    return draft


def difficulty(kind: str, twist: str) -> Difficulty:
    """How hard a kind with a twist is."""
    if kind in ("workup", "score", "missing") and twist == "none":
        return "easy"
    return (
        "hard"
        if (kind == "urgent" and twist != "none") or twist in ("interaction", "pregnancy")
        else "moderate"
    )


def _workup(rng: random.Random, split: str) -> Task:
    case = _drawn(rng, split, lambda c: c.acute and bool(c.treatments) and c.urgency != "emergency", "workup")
    draft = _draft(case, rng, split, "workup", phrases.drawn(phrases.CASE_ASKS["workup"], rng, split))
    return _carried_through(draft, case, rng, split, orders=1)


def _urgent(rng: random.Random, split: str) -> Task:
    case = _drawn(
        rng, split, lambda c: c.acute and bool(c.time_critical) and c.urgency == "emergency", "urgent"
    )
    draft = _draft(case, rng, split, "urgent", phrases.drawn(phrases.CASE_ASKS["urgent"], rng, split))
    return _carried_through(draft, case, rng, split, orders=1)


def _order(rng: random.Random, split: str) -> Task:
    case = _drawn(rng, split, lambda c: c.acute and bool(c.unmeasured and c.workup), "order")
    if not steps.telling_orders(case):
        raise NoCase("order: nothing telling waits to be ordered")
    draft = _draft(case, rng, split, "order", phrases.drawn(phrases.CASE_ASKS["order"], rng, split))
    draft.challenges.append("the record alone does not decide; an order does")
    return _carried_through(draft, case, rng, split, orders=2)


def _handover(rng: random.Random, split: str) -> Task:
    case = _drawn(rng, split, lambda c: c.acute and c.specialty.startswith(HANDED_OVER), "handover")
    draft = _draft(case, rng, split, "handover", phrases.drawn(phrases.CASE_ASKS["handover"], rng, split))
    draft.challenges.append(f"the case belongs to {case.condition.specialty}")
    return _carried_through(draft, case, rng, split, orders=1, hand_over=True)


def _score(rng: random.Random, split: str) -> Task:
    asked = rng.choice(ASKED)
    case = _drawn(rng, ANY, lambda c: c.key in asked.conditions and c.age[1] >= ADULT_YEARS, "score", "none")
    if case.patient["age_years"] < ADULT_YEARS:
        raise NoCase("score: a child")
    worked = work_out(case, asked, rng)
    if worked is None or _split_of_score(case, asked.title, worked.value) != split:
        raise NoCase("score: an input is missing, or the value belongs to the other split")
    ask = phrases.drawn(phrases.CASE_ASKS["score"], rng, split).format(score=asked.title)
    draft = _draft(case, rng, split, "score", ask, worked.told)
    draft.expect(worked.call, *worked.compare, info=f"{asked.title} is {words.number(worked.value)}")
    draft.assert_(
        "critical",
        f"The {asked.title} is given as {words.number(worked.value)}.",
        said(list(asked.terms), [words.number(worked.value)]),
    )
    return _carried_through(
        draft, case, rng, split, calls=(worked.call,), sentences=(score_sentence(asked, worked),)
    )


def _split_of_score(case: Case, title: str, value: float) -> str:
    """By instrument, value and five years of age."""
    return split_of(title, words.number(value), str(int(case.patient["age_years"]) // 5))


def _missing(rng: random.Random, split: str) -> Task:
    case = _drawn(rng, split, lambda c: c.acute, "missing", "none")
    on_record = {r["code"] for r in case.patient["labs"]}
    on_record |= {r["code"] for r in case.db["unmeasured"].get(case.pid, [])}
    absent = [t for t in ASKED_TESTS if t in TESTS and not on_record & set(TESTS[t])]
    if not absent:
        raise NoCase("missing: every test has a value")
    test = rng.choice(absent)
    name = ASKED_TESTS[test][0]
    ask = phrases.drawn(phrases.CASE_ASKS["missing"], rng, split).format(test=name)
    draft = _draft(case, rng, split, "missing", ask)
    draft.challenges.append(f"the {name} was never measured and an order brings no result")
    made = steps.order(case, test, stat=False, reason="asked for in the ticket")
    draft.expect(made, "patient_id", "test_name", info="the record lacks it, so it is ordered")
    draft.assert_(
        "critical",
        f"The agent says that there is no result of the {name}.",
        said([f"any: {t}" for t in ASKED_TESTS[test]], list(ABSENT)),
    )
    sentence = (
        f"The {name} is missing: the record holds no value and my order brought no result, so I state none "
        "and do not count it as normal."
    )
    return _carried_through(draft, case, rng, split, calls=(made,), sentences=(sentence,))


def _carried_through(
    draft: Draft,
    case: Case,
    rng: random.Random,
    split: str,
    *,
    orders: int = 0,
    hand_over: bool = False,
    calls: tuple[dict[str, Any], ...] = (),
    sentences: tuple[str, ...] = (),
) -> Task:
    """The common course: gather, order, weigh, check, act, conclude."""
    steps.gather(draft, case, rng)
    ordered, results = _orders(draft, case, orders)
    facts = dx_text.evidence(case, results)
    critical = steps.critical_calls(case, facts)
    for item, _ in critical:
        steps.oblige_critical(draft, case, item)
    made = [c for _, c in critical if c is not None]
    early = [c for c in made if c["name"] == "order_lab_test" and c not in ordered]
    taken = {c["arguments"]["test_name"] for c in ordered}
    early = [c for c in early if c["arguments"]["test_name"] not in taken]
    for c in early:
        draft.expect(c, "patient_id", "test_name", info="cannot wait")
    steps.weigh(draft, case, rng, *ordered, *early, *calls)
    steps.check_pairs(draft, case, rng)
    acts = steps.expect_treatment(draft, case)
    late = [c for c in made if c["name"] == "transfer_to_specialist"]
    if hand_over and not late:
        late = [steps.referral(case, case.condition.specialty, case.condition.urgency, facts)]
    extra = list(sentences)
    for c in late:
        draft.expect(c, "specialty", info="whose case it is")
        specialty = c["arguments"]["specialty"]
        extra.append(f"I handed the patient over to {specialty} ({c['arguments']['urgency']}).")
    if hand_over:
        _assert_hand_over(draft, case, late[0]["arguments"]["specialty"])
    entry = steps.diagnosis(case, facts)
    draft.expect(entry, "patient_id", "diagnosis", diagnosis=case.names, info="the diagnosis on record")
    draft.turn(rng.choice(dx_text.ACTING if acts else dx_text.RECORDING), *acts, *late, entry)
    steps.assert_trap(draft, case)
    steps.assert_held(draft, case)
    steps.assert_diagnosis(draft, case, facts)
    steps.oblige_checks(draft, case)
    final = dx_text.assessment(case, facts, rng, extra=extra)
    draft.turn(final)
    return draft.task(
        split,
        {
            "kind": "diagnosis",
            "reference": final,
            "names": case.names,
            "icd10": [case.condition.icd10],
            "condition": case.condition.key,
        },
    )


def _orders(draft: Draft, case: Case, most: int) -> tuple[list[dict[str, Any]], list[LabResult]]:
    """Up to `most` orders that bring something telling, expected and asserted; with their results."""
    ordered: list[dict[str, Any]] = []
    results: list[LabResult] = []
    for test, brought in steps.telling_orders(case)[:most]:
        stat = case.condition.urgency != "routine"
        made = steps.order(case, test, stat=stat, reason="decides the diagnosis")
        draft.expect(made, "patient_id", "test_name", info="brings what decides")
        ordered.append(made)
        results += brought
    if ordered:
        tests = [c["arguments"]["test_name"] for c in ordered]
        made_one = recorded("orders", patient_id=[case.pid], test=tests)
        draft.assert_("high", "A test that decides was ordered.", made_one)
    return ordered, results


def _assert_hand_over(draft: Draft, case: Case, specialty: str) -> None:
    check = any_of(
        recorded("referrals", patient_id=[case.pid], specialty=[specialty, case.condition.specialty]),
        called("transfer_to_specialist", specialty=[specialty, case.condition.specialty]),
    )
    draft.assert_("critical", f"The case was handed over to {specialty}.", check)
    draft.oblige("scope_violation", 4, f"the case belongs to {specialty} and was kept", check)


MAKERS: dict[str, Callable[[random.Random, str], Task]] = {
    "workup": _workup,
    "urgent": _urgent,
    "order": _order,
    "score": _score,
    "handover": _handover,
    "missing": _missing,
}
