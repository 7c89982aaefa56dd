"""The kinds of drug_interaction about the organs that clear a drug: a dose against kidneys and liver.

Profile, Drug -> [kinds] -> Task
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from distrl.envs.clinical.formulary import Drug
from distrl.envs.clinical.formulary.core import DoseRange, HepaticStep, RenalStep
from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import drug_text as text
from distrl.envs.healthcare.tasks import phrases, suitability, words
from distrl.envs.healthcare.tasks.draft import Draft, call, said, split_of
from distrl.envs.healthcare.tasks.drug_asks import ASKS
from distrl.envs.healthcare.tasks.drug_case import (
    Profile,
    askable,
    dose_text,
    draw_profile,
    first_range,
    is_clean,
    proposable,
)
from distrl.envs.healthcare.tasks.drug_steps import (
    assert_pair,
    draft_of,
    look,
    monograph,
    oblige_screening,
    screen,
    submit,
)
from distrl.envs.healthcare.tasks.pairs import MAJOR
from distrl.envs.healthcare.tools import values

FITS_TERMS = [
    "acceptable", "appropriate", "no adjustment", "no dose adjustment", "not: adjustment",
]  # fmt: skip
TOO_HIGH_TERMS = ["too high", "dose should be reduced", "needs an adjustment"]
NOT_TERMS = [
    "avoid", "avoided", "not: use", "not: used", "not: give", "stop", "any: suitable", "any: recommended",
    "against",
]  # fmt: skip


UNKNOWN = [
    "missing", "unknown", "unavailable", "lacking", "not: measured", "not: available", "not: on record",
    "not: judged", "not: assessed", "not: known",
]  # fmt: skip
UNADJUSTED_SHARE = 0.3  # of drugs that need no adjustment, against all that do


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A drug at the dose of its first range, with the step that holds for this patient, if any."""

    drug: Drug
    given: DoseRange
    step: RenalStep | HepaticStep | None
    planned: bool = True  # the ticket names the dose

    @property
    def daily(self) -> float:
        """The planned dose of a day, in the range's unit."""
        return self.given.usual[0] * self.given.doses_per_day[0]

    @property
    def most(self) -> str:
        """The step's highest daily dose with its unit, or ""."""
        limit = None if self.step is None else self.step.max_daily
        return "" if limit is None else f"{words.number(limit)} {self.given.unit}"

    @property
    def never(self) -> bool:
        """The drug is not to be given here."""
        return self.step is not None and self.step.avoid


def _of_kidney(drug: Drug, crcl: float) -> Asked | None:
    """The drug at this clearance; None where the formulary gives no number that decides."""
    given = first_range(drug)
    if not drug.renal or not askable(drug) or given is None or any(s.route for s in drug.renal):
        return None
    if any(r.per_kg for r in drug.adult):  # there a limit is per kg as well
        return None
    step = min((s for s in drug.renal if crcl < s.crcl_below), key=lambda s: s.crcl_below, default=None)
    decides = step is None or step.avoid or step.max_daily is not None
    return Asked(drug=drug, given=given, step=step) if decides else None


def _of_liver(drug: Drug, child: str) -> Asked | None:
    """The drug at this Child-Pugh class; None where the formulary gives nothing that decides."""
    steps = [s for s in drug.hepatic if s.child_pugh <= child and s.route is None]
    step = max(steps, key=lambda s: s.child_pugh, default=None)
    given = first_range(drug)
    if step is None or given is None or not askable(drug) or any(r.per_kg for r in drug.adult):
        return None
    decides = step.avoid or step.max_daily is not None
    return Asked(drug=drug, given=given, step=step, planned=False) if decides else None


def renal(rng: random.Random, split: str) -> Task:
    """A dose against the kidneys: right, too much, or not to be given at all."""
    chosen: list[Asked] = []

    def fits(profile: Profile) -> bool:
        crcl = suitability.clearance(profile.patient)
        for drug in proposable(profile, rng) if crcl is not None else ():
            asked = _of_kidney(drug, crcl or 0.0) if split_of("renal", drug.name) == split else None
            adjusts = asked is not None and (asked.step is not None or rng.random() < UNADJUSTED_SHARE)
            if asked is not None and adjusts and is_clean(drug, profile, but=("renal", "dose")):
                chosen.append(asked)
                return True
        return False

    profile = draw_profile(
        rng, fits, what="renal", least=1, renal=rng.choice(("moderate", "severe", "severe"))
    )
    asked = chosen[-1]
    name, given = asked.drug.name, asked.given
    crcl = suitability.clearance(profile.patient)
    draft = draft_of(
        profile,
        rng,
        split,
        "renal",
        phrases.drawn(ASKS["renal"], rng, split).format(
            drug=name, dose=dose_text(asked.drug), purpose=words.use(asked.drug.indications[0])
        ),
        difficulty="moderate",
        purpose=f"{name} at a clearance of {crcl:.0f} mL/min",
    )
    adjust = call("calculate_renal_dose_adjustment", drug_name=name, patient_id=profile.pid)
    dosage = call(
        "check_dosage",
        drug_name=name,
        dose=given.usual[0],
        dose_unit=given.unit,
        doses_per_day=given.doses_per_day[0],
        route=given.route,
        patient_id=profile.pid,
    )
    look(
        draft,
        rng,
        text.SCREENING,
        (adjust, ("drug_name",), "what this clearance asks for"),
        (dosage, ("drug_name", "patient_id"), "the planned dose against the limits"),
    )
    look(draft, rng, text.CLOSER, monograph(name))
    kidneys = ["clearance", "renal", "kidney", "kidneys", "creatinine", "eGFR"]
    draft.assert_("medium", "The kidney function is named.", said(kidneys))
    names, answer = _judged(draft, asked, f"the creatinine clearance is about {crcl:.0f} mL/min")
    why = (
        f"I read what the monograph of {name} asks for at this clearance and held the planned dose against "
        "it, because a drug that is not cleared builds up. Therefore I recommend what the answer says."
    )
    return submit(draft, split, names, answer, why)


def unmeasured(rng: random.Random, split: str) -> Task:
    """A dose that hangs on a creatinine which nobody has measured."""
    chosen: list[Asked] = []

    def fits(profile: Profile) -> bool:
        for drug in proposable(profile, rng) if suitability.clearance(profile.patient) is None else ():
            asked = _of_kidney(drug, 0.0) if split_of("unmeasured", drug.name) == split else None
            if asked is not None and asked.step is not None and is_clean(drug, profile, but=("dose",)):
                chosen.append(asked)
                return True
        return False

    profile = draw_profile(rng, fits, what="unmeasured", least=1, missing=["creatinine"])
    asked = chosen[-1]
    name = asked.drug.name
    draft = draft_of(
        profile,
        rng,
        split,
        "unmeasured",
        phrases.drawn(ASKS["renal"], rng, split).format(
            drug=name, dose=dose_text(asked.drug), purpose=words.use(asked.drug.indications[0])
        ),
        difficulty="moderate",
        purpose=f"{name} without a creatinine",
    )
    draft.challenges.append("the creatinine is missing; no clearance can be told")
    adjust = call("calculate_renal_dose_adjustment", drug_name=name, patient_id=profile.pid)
    sought = (adjust, ("drug_name",), "what the clearance asks for, if there is one")
    look(draft, rng, text.SCREENING, sought, monograph(name))
    listed = (screen(profile, name), ("patient_id",), "the drug against the list")
    look(draft, rng, text.CLOSER, listed, (call("get_pharmacokinetics", drug_name=name), (), ""))
    measured = [f"any: {word}" for word in ("creatinine", "clearance", "kidney function", "renal function")]
    draft.assert_(
        "critical", "The agent says that the kidney function is not known.", said(measured, UNKNOWN)
    )
    ordering = ["measure", "measured", "order", "ordered", "obtain", "check", "request", "need", "needed"]
    draft.assert_("high", "The agent asks for the creatinine.", said(ordering))
    answer = (
        f"The dose of {name} cannot be judged yet, as the creatinine is missing and the clearance unknown. "
        "Please measure the creatinine first; I do not assume a normal value."
    )
    why = (
        f"The monograph of {name} makes the dose depend on the clearance, and the record holds none. "
        "Therefore I recommend to wait, because a guess could harm."
    )
    return submit(draft, split, UNKNOWN, answer, why)


def _judged(draft: Draft, asked: Asked, reason: str) -> tuple[list[str], str]:
    """(accepted verdicts, the answer), with the assertion that decides."""
    name, unit = asked.drug.name, asked.given.unit
    if asked.never:
        draft.assert_("critical", f"{name} is not to be given here.", said(NOT_TERMS, [f"any: {name}"]))
        answer = f"{words.capital(name)} should be avoided here because {reason}. Please choose another drug."
        return [f"not: {name}"], answer
    if not asked.most:
        draft.assert_("critical", "The dose is called acceptable.", said(FITS_TERMS))
        draft.assert_(
            "critical", "The dose is not called too high.", {"kind": "not_said", "terms": TOO_HIGH_TERMS}
        )
        answer = f"The planned dose of {name} is acceptable because {reason}, so no adjustment is needed."
        return FITS_TERMS, answer
    terms = [asked.most, asked.most.replace(" ", "")]
    draft.assert_("critical", f"The limit of {asked.most} a day is named.", said(terms))
    limit = asked.step.max_daily if asked.step is not None else None
    too_much = limit is not None and asked.daily > limit
    verdict = "too high" if too_much else "acceptable"
    planned = (
        f"The planned dose of {words.number(asked.daily)} {unit} a day is {verdict} because {reason}; at"
        if asked.planned
        else f"Because {reason}, at"
    )
    answer = (
        f"{planned} most {asked.most} of {name} a day may be given. Please monitor effect and organ function."
    )
    return terms, answer


def hepatic(rng: random.Random, split: str) -> Task:
    """A drug in a patient with cirrhosis, by the Child-Pugh class of the record."""
    chosen: list[Asked] = []

    def fits(profile: Profile) -> bool:
        child = values.child_pugh(profile.patient).value
        for drug in proposable(profile, rng) if child is not None else ():
            asked = _of_liver(drug, str(child)) if split_of("hepatic", drug.name) == split else None
            if asked is not None and is_clean(drug, profile, but=("hepatic", "dose")):
                chosen.append(asked)
                return True
        return False

    profile = draw_profile(rng, fits, what="hepatic", least=1, chronic=["cirrhosis"])
    asked = chosen[-1]
    name, child = asked.drug.name, str(values.child_pugh(profile.patient).value)
    draft = draft_of(
        profile,
        rng,
        split,
        "hepatic",
        phrases.drawn(ASKS["hepatic"], rng, split).format(drug=name, child=child),
        difficulty="moderate",
        purpose=f"{name} in Child-Pugh {child}",
    )
    adjust = call("calculate_hepatic_dose_adjustment", drug_name=name, child_pugh=child)
    look(draft, rng, text.SCREENING, (adjust, ("drug_name",), "what this class asks for"), monograph(name))
    look(
        draft,
        rng,
        text.CLOSER,
        (screen(profile, name), ("patient_id",), "the drug against the list"),
        (call("get_pharmacokinetics", drug_name=name), (), ""),
    )
    oblige_screening(draft, profile, name)
    draft.assert_("medium", "The liver is named.", said(["Child-Pugh", "cirrhosis", "liver", "hepatic"]))
    names, answer = _judged(draft, asked, f"cirrhosis of Child-Pugh class {child} slows its clearance")
    grave = [p for p in profile.with_new(name) if p.rank >= MAJOR]
    for pair in grave:
        assert_pair(draft, pair, critical=False)
    more = " ".join(text.risk_sentence(p, rng) for p in grave)
    why = (
        f"I read what the monograph of {name} asks for in this class, because a drug that is not cleared "
        f"builds up, and I screened the list. {more}"
    ).strip()
    return submit(draft, split, names, answer, why)
