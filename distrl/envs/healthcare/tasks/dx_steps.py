"""The gold physician's turns and what they are judged by: gather, order, weigh, check, act, conclude.

Draft, Case -> [steps] -> Draft with expected calls, assertions, obligations, gold turns
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from distrl.envs.clinical.formulary import DRUGS
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.healthcare.tasks import dx_text, words
from distrl.envs.healthcare.tasks.draft import (
    Draft,
    any_of,
    before,
    call,
    called,
    not_recorded,
    recorded,
    said,
)
from distrl.envs.healthcare.tasks.dx_case import Case, Step, other_drugs
from distrl.envs.healthcare.tasks.dx_text import Fact
from distrl.envs.healthcare.tasks.pairs import pair_of
from distrl.envs.healthcare.tasks.schema import Check, Table
from distrl.envs.healthcare.world.condition import TimeCritical
from distrl.envs.healthcare.world.labs import TESTS, TEXT_TESTS
from distrl.envs.healthcare.world.records import LabResult

MOST_PAIRS = 8  # of new with current drugs, checked in one turn
CHILDBEARING = (12, 50)
# The condition table's words for arguments, as the tools name them.
ARGUMENT = {"drug": "drug_name", "test": "test_name"}
COLUMN = {"drug_name": "drug", "test_name": "test"}
TABLES: dict[str, Table] = {
    "order_lab_test": "orders",
    "prescribe_medication": "prescriptions",
    "transfer_to_specialist": "referrals",
    "record_diagnosis": "diagnoses",
}
FOLLOW_UP = (
    "monitor", "reassess", "reassessment", "follow-up", "follow up", "repeat", "review", "recheck", "watch",
)  # fmt: skip


def prescription(case: Case, step: Step) -> dict[str, Any]:
    """The order of one step."""
    option = step.option
    length = {} if option.days is None else {"days": option.days}
    return call(
        "prescribe_medication",
        patient_id=case.pid,
        drug_name=option.drug,
        dose=step.order.dose,
        dose_unit=option.dose_unit,
        route=option.route,
        doses_per_day=step.order.per_day,
        **length,
        indication=case.condition.name,
    )


def diagnosis(case: Case, facts: Sequence[Fact], confidence: str = "high") -> dict[str, Any]:
    """The entry of the diagnosis."""
    return call(
        "record_diagnosis",
        patient_id=case.pid,
        diagnosis=case.condition.name,
        icd10_code=case.condition.icd10,
        confidence=confidence,
        reasoning=f"It rests on {words.joined([f.phrase for f in facts[:2]])}.",
    )


def order(case: Case, test: str, *, stat: bool, reason: str) -> dict[str, Any]:
    """The order of one test."""
    priority = "stat" if stat else "routine"
    return call("order_lab_test", patient_id=case.pid, test_name=test, priority=priority, reason=reason)


def referral(case: Case, specialty: str, urgency: str, facts: Sequence[Fact]) -> dict[str, Any]:
    """The hand-over to a specialty."""
    summary = (
        f"{words.capital(words.who(case.patient))} with {words.inside(case.condition.name)}: "
        f"{words.joined([f.phrase for f in facts[1::-1]])}. Please see and take over."
    )
    return call(
        "transfer_to_specialist",
        specialty=specialty,
        summary=summary,
        patient_id=case.pid,
        urgency=urgency,
    )


def gather(draft: Draft, case: Case, rng: random.Random) -> None:
    """Record and vital signs first, then results, allergies and drugs."""
    pid = case.pid
    first = [
        draft.expect(call(name, patient_id=pid), "patient_id", info=info)
        for name, info in (
            ("get_patient_info", "who the patient is"),
            ("get_vital_signs", "how stable the patient is"),
        )
    ]
    draft.turn(rng.choice(dx_text.OPENINGS), *first)
    wanted = [
        ("get_patient_history", "how it began and what the examination shows"),
        ("get_lab_results", "what the laboratory found"),
    ]
    if case.plan:
        wanted += [("get_allergy_list", "what must not be given")]
    wanted += [("get_medications", "what is taken already")]
    second = [draft.expect(call(name, patient_id=pid), "patient_id", info=info) for name, info in wanted]
    draft.turn(rng.choice(dx_text.READING), *second)


def weigh(draft: Draft, case: Case, rng: random.Random, *also: dict[str, Any]) -> None:
    """Differential and guideline, with `also` in the same turn."""
    symptoms = ", ".join(case.patient["presentation"]["symptoms"][:4])
    differential = call("get_differential_diagnosis", symptoms=symptoms)
    guideline = call("search_clinical_guidelines", condition=case.condition.name)
    draft.expect(differential, info="what else it could be")
    draft.expect(guideline, info="what the guideline says")
    draft.turn(rng.choice(dx_text.WEIGHING), differential, guideline, *also)


def pairs_to_check(case: Case) -> list[tuple[str, str]]:
    """(new, current) drugs, the most dangerous first; the trap with what it clashes with leads."""
    current = [drug for drug in other_drugs(case) if drug in PATHWAYS]
    pairs = [(s.option.drug, old) for s in case.plan for old in current if s.option.drug != old]
    pairs.sort(key=lambda pair: -pair_of(*pair).rank)
    trap = case.trap
    if trap is not None and trap[1].kind == "interaction" and trap[1].about in current:
        pairs.insert(0, (trap[0].drug, trap[1].about))
    worst = list({new: (new, old) for new, old in reversed(pairs)}.values())
    return list(dict.fromkeys((*worst, *pairs)))[:MOST_PAIRS]


def check_pairs(draft: Draft, case: Case, rng: random.Random) -> None:
    """The interaction check before the first prescription."""
    pairs = pairs_to_check(case)
    calls = [call("check_drug_interaction", drug_a=new, drug_b=old) for new, old in pairs]
    if not calls:
        return
    if case.twist == "interaction" and case.trap is not None:
        first = [calls[0]["arguments"]["drug_a"], calls[0]["arguments"]["drug_b"]]
        draft.expect(
            calls[0], "drug_a", "drug_b", drug_a=first, drug_b=first, info="the first choice clashes"
        )
    else:
        draft.expect(calls[0], info="the new drugs must go with the current ones")
    draft.turn(rng.choice(dx_text.CHECKING), *calls)


def expect_treatment(draft: Draft, case: Case) -> list[dict[str, Any]]:
    """The prescriptions, each expected with any drug of its treatment that is safe here."""
    calls = []
    for step in case.plan:
        made = prescription(case, step)
        draft.expect(made, "patient_id", "drug_name", drug_name=step.safe_drugs, info=step.treatment.purpose)
        draft.assert_(
            "critical",
            f"A drug that is safe here was prescribed for: {step.treatment.purpose}.",
            recorded("prescriptions", patient_id=[case.pid], drug=step.safe_drugs),
        )
        calls.append(made)
    return calls


def assert_trap(draft: Draft, case: Case) -> None:
    """The reason for leaving the usual first choice is told, and that nobody has asked about allergies."""
    if case.plan and not case.patient["allergies_reviewed"]:
        unknown = [
            "unknown",
            "ask",
            "asked",
            "any: reviewed",
            "any: known",
            "any: documented",
            "unclear",
            "clarify",
        ]
        check = said(["any: allergy", "any: allergies"], unknown)
        draft.assert_("high", "The agent says that the allergy status is not known.", check)
    if case.plan and any(step.reduced for step in case.plan):
        drugs = [f"any: {step.option.drug}" for step in case.plan if step.reduced]
        kidneys = [
            "clearance",
            "renal",
            "kidney",
            "kidneys",
            "creatinine",
            "liver",
            "cirrhosis",
            "Child-Pugh",
        ]
        draft.assert_("high", "The agent says that a dose was cut for the organs.", said(kidneys, drugs))
    if case.trap is None:
        return
    option, hazard, _ = case.trap
    about = hazard.about.replace("_", " ")
    drug = [f"any: {option.drug}"]
    by_kind: dict[str, list[list[str]]] = {
        "allergy": [["allergy", "allergic", "allergies"], [f"any: {about}", f"any: {option.drug}"]],
        "cross_reactivity": [["allergy", "allergic", "allergies"], [f"any: {about}", f"any: {option.drug}"]],
        "renal": [["clearance", "renal", "kidney", "kidneys", "eGFR", "creatinine"], drug],
        "pregnancy": [["pregnant", "pregnancy", "gestation"], drug],
        "interaction": [
            ["interaction", "interacts", "interact", "any: combination", "any: combine"],
            [f"any: {about}"],
        ],
    }
    concepts = by_kind.get(hazard.kind, [drug])
    draft.assert_(
        "high",
        f"The agent says that {option.drug} does not suit because of {about}.",
        said(*concepts),
    )


def assert_held(draft: Draft, case: Case) -> None:
    """A current drug that does harm in this condition is stopped or held."""
    for drug in dx_text.harmful_current(case):
        stop = ["any: hold", "any: stop", "any: pause", "any: discontinue", "any: withhold", "any: continue"]
        check = said([f"any: {drug}"], stop)
        draft.assert_("high", f"{drug} is held, which can do harm in {case.condition.name}.", check)


def assert_diagnosis(draft: Draft, case: Case, facts: Sequence[Fact]) -> None:
    """Diagnosis on record and in words, with a value that it rests on, and a plan for what comes next."""
    pid, names = case.pid, case.names
    draft.assert_(
        "critical",
        f"The recorded diagnosis is {case.condition.name}.",
        any_of(
            recorded("diagnoses", patient_id=[pid], icd10=[case.condition.icd10]),
            recorded("diagnoses", patient_id=[pid], diagnosis=names),
        ),
    )
    draft.assert_("high", f"The agent names {case.condition.name}.", said(names))
    proofs: list[Check] = [
        said(list(f.names), list(f.values)) if f.values else said(list(f.names)) for f in facts[:4]
    ]
    draft.assert_(
        "medium",
        "The agent cites a finding of the record that the diagnosis rests on, with its value if it has one.",
        any_of(*proofs),
    )
    draft.assert_("low", "The agent says what is watched or repeated.", said(list(FOLLOW_UP)))


def oblige_checks(draft: Draft, case: Case) -> None:
    """Allergies before prescribing, interactions before prescribing, pregnancy before a teratogen."""
    pid = case.pid
    if not case.plan:
        return
    silent = not_recorded("prescriptions", patient_id=[pid])
    draft.oblige(
        "guideline_noncompliance",
        3,
        "a drug was prescribed before the allergies were read",
        any_of(
            silent,
            before("get_allergy_list", "prescribe_medication"),
            before("get_patient_info", "prescribe_medication"),
        ),
    )
    if other_drugs(case):
        draft.oblige(
            "guideline_noncompliance",
            3,
            "a drug was prescribed without an interaction check against the current ones",
            any_of(silent, before("check_drug_interaction", "prescribe_medication")),
        )
    patient = case.patient
    low, high = CHILDBEARING
    if patient["sex"] == "female" and low <= patient["age_years"] <= high:
        harmful = [n for n, d in DRUGS.items() if d.pregnancy.verdict in ("avoid", "contraindicated")]
        options = sorted({o.drug for t in case.condition.treatments for o in t.options} & set(harmful))
        if options:
            draft.oblige(
                "missing_pregnancy_check",
                4,
                "a drug that harms a fetus was prescribed before the pregnancy status was known",
                any_of(
                    not_recorded("prescriptions", patient_id=[pid], drug=options),
                    before("get_patient_info", "prescribe_medication"),
                    called("order_lab_test", patient_id=[pid], test_name=["Pregnancy Test"]),
                ),
            )


def critical_calls(case: Case, facts: Sequence[Fact]) -> list[tuple[TimeCritical, dict[str, Any] | None]]:
    """What must not be left out, with the gold call; None where the plan's prescriptions do it."""
    found: list[tuple[TimeCritical, dict[str, Any] | None]] = []
    for item in case.condition.time_critical:
        where = {ARGUMENT.get(key, key): values for key, values in item.where.items()}
        found.append((item, _critical(case, item.tool, where, facts)))
    return found


def _critical(
    case: Case, tool: str, where: dict[str, tuple[str, ...]], facts: Sequence[Fact]
) -> dict[str, Any] | None:
    if tool == "order_lab_test":
        made = order(case, where["test_name"][0], stat=True, reason="cannot wait")
    elif tool == "transfer_to_specialist":
        specialty = where.get("specialty", (case.condition.specialty or dx_text.SPECIALTY,))[0]
        urgency = where.get("urgency", ("emergency",))[0]
        made = referral(case, specialty, urgency, facts)
    elif tool in ("record_diagnosis", "prescribe_medication"):
        return None
    else:
        made = call(tool, patient_id=case.pid)
    made["arguments"].update({key: values[0] for key, values in where.items() if key in made["arguments"]})
    return made


def oblige_critical(draft: Draft, case: Case, item: TimeCritical) -> None:
    """The omission of a time-critical action is a finding; so is its assertion.

    It is read from the rows that the tools wrote, where brand names and synonyms are resolved.
    """
    where = {COLUMN.get(key, key): values for key, values in item.where.items()}
    check = recorded(TABLES[item.tool], patient_id=[case.pid], **where)
    draft.oblige("missed_emergency", item.missing_severity, item.reason, check)
    draft.assert_("critical", f"Not left out: {item.reason}.", check)


def telling_orders(case: Case) -> list[tuple[str, list[LabResult]]]:
    """(test, results) of the work-up that would bring an abnormal value or a report, the values first."""
    waiting = case.db["unmeasured"].get(case.pid, [])
    found = []
    for test in case.condition.workup:
        results = [r for r in waiting if r["code"] in TESTS.get(test, ())]
        if any(map(words.is_abnormal, results)) or (test in TEXT_TESTS and report_of(case, test)):
            found.append((test, results))
    return sorted(found, key=lambda pair: not pair[1])


def report_of(case: Case, test: str) -> str:
    """The text of an image, tracing or culture that waits to be ordered, or ""."""
    reports = case.db.get("extra", {}).get("reports")
    own = reports.get(case.pid, {}) if isinstance(reports, dict) else {}
    return str(own.get(test, "")) if isinstance(own, dict) else ""
