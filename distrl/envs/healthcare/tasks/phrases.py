"""The words of tickets: who writes, how a case is told, what is asked for; each split has forms of its own.

[phrases] -> clinical_diagnosis, drug_interaction -> Task

Forms stand in three groups: of train, of heldout, of test. No two groups share a form, so that splits
share no long run of words.
"""

from __future__ import annotations

import random
from typing import NamedTuple, TypeVar

from distrl.envs.healthcare.tasks.draft import SPLITS

T = TypeVar("T")
Groups = tuple[tuple[T, ...], tuple[T, ...], tuple[T, ...]]  # in the order of SPLITS


class Style(NamedTuple):
    """Who writes, and how the ticket reads. Slots: name, pid, who, complaint, onset, symptoms, ask."""

    persona: str
    template: str


def drawn(groups: Groups[T], rng: random.Random, split: str) -> T:
    """One form of that split."""
    return rng.choice(groups[SPLITS.index(split)])


CASE_STYLES: Groups[Style] = (
    (
        Style(
            "An attending physician on the ward who wants a second opinion in plain sentences.",
            "I would like your view on {name} ({pid}), {who}. Main complaint: {complaint}. Onset: {onset}. "
            "Also mentioned: {symptoms}. {ask}",
        ),
        Style(
            "An emergency physician between two patients, brief and direct.",
            "{pid}, {who}. {Complaint}; onset {onset}. Triage wrote down {symptoms}. {ask}",
        ),
        Style(
            "A general practitioner who refers by letter and expects a clear plan back.",
            "Dear colleague, thank you for seeing {name} (record {pid}), {who}, whom I refer for "
            "{complaint}. Onset: {onset}. On asking there was {symptoms}. {ask}",
        ),
        Style(
            "A resident who hands over in SBAR form.",
            "S: {complaint}. B: {who}, record {pid}; onset {onset}. A: I noted {symptoms}, the rest is in "
            "the chart. R: {ask}",
        ),
        Style(
            "A charge nurse who is worried and wants someone to decide.",
            "{name} in the assessment unit ({pid}) is not well: {complaint}. Onset, as told to me: {onset}. "
            "It is {who} and the family speaks of {symptoms}. {ask}",
        ),
        Style(
            "A physician who types in telegram style.",
            "{pid} / {who} / {complaint} / since: {onset} / plus {symptoms}. {ask}",
        ),
    ),
    (
        Style(
            "A doctor in a remote clinic on a poor telephone line.",
            "Calling from the island clinic, chart {pid}. The person in front of me, {who}, came because of "
            "{complaint}. When it began: {onset}. Further words from the couch: {symptoms}. {ask}",
        ),
        Style(
            "A night doctor with a handover card.",
            "Card for the night. Bed of {name}, number {pid}. Reason for stay: {complaint}. Person: {who}. "
            "Timeline: {onset}. Seen at dusk: {symptoms}. Open point: {ask}",
        ),
    ),
    (
        Style(
            "A medical student who presents to the team and wants to learn the reasoning.",
            "May I present {name}? Chart number {pid}, {who}, presenting with {complaint}, timing {onset}, "
            "accompanied by {symptoms}. {ask}",
        ),
        Style(
            "A paramedic at the door of the department.",
            "Just brought in: {who}. Wristband {pid}. Called us over {complaint}; clock started {onset}. "
            "In the van also {symptoms}. {ask}",
        ),
    ),
)
DRUG_STYLES: Groups[Style] = (
    (
        Style(
            "A community pharmacist at the counter who needs a clear answer.",
            "At my counter: {name} (profile {pid}), {who}. {ask}",
        ),
        Style(
            "A hospital physician who writes orders for the ward.",
            "Request from the ward on {pid}, {who}. {ask} Please base it on the current medication list.",
        ),
        Style(
            "A general practitioner during a busy clinic.",
            "Quick question about {name}, {who} (record {pid}). {ask}",
        ),
        Style(
            "A nurse practitioner preparing a discharge.",
            "{name} goes home soon (id {pid}; {who}). Before I finish the list: {ask}",
        ),
        Style(
            "A clinical pharmacologist who asks the trainee on call.",
            "Consult {pid}: {who}. {ask} Tell me what you looked up.",
        ),
    ),
    (
        Style(
            "A ship's doctor who writes by e-mail.",
            "Greetings from aboard. Number {pid}, {who}, brings this up: {ask}",
        ),
        Style(
            "A care-home physician on the weekly round.",
            "Weekly round, resident {name}, dossier {pid}, {who}. My concern today: {ask}",
        ),
    ),
    (
        Style(
            "A patient's relative who is a nurse and wants it explained.",
            "I am looking after {name}, {who}; the file carries the label {pid}. {ask}",
        ),
        Style(
            "A dentist who needs advice before a procedure.",
            "Before I treat {name} (card {pid}, {who}) in my practice: {ask}",
        ),
    ),
)

# What a ticket of clinical_diagnosis asks for, by kind.
CASE_ASKS: dict[str, Groups[str]] = {
    "workup": (
        (
            "Please work this up, record the diagnosis and start treatment.",
            "What is it, and what should be prescribed? Please carry it through.",
            "Assess the case in full, record what you find and write the orders.",
            "Please make the diagnosis and begin a treatment that suits this patient.",
        ),
        (
            "Take it from chart review to a recorded diagnosis and a first prescription, will you?",
            "From here on it is yours: name it, enter it, treat it.",
        ),
        (
            "I need an entry for the diagnosis and medication that this person can safely have.",
            "Tell us what this is and get therapy under way, diagnosis entered.",
        ),
    ),
    "urgent": (
        (
            "This looks serious to me. Please assess at once and do what cannot wait.",
            "I think that minutes count here. Please take over the first steps.",
            "Getting worse in front of me. Work it up now and start what is needed.",
        ),
        (
            "No time to lose by the look of it; set the first measures going and tell me what it is.",
            "I do not like the look of this at all, so begin straight away.",
        ),
        (
            "Please act without delay and name the cause.",
            "Help, quickly: first measures, then an answer to what lies behind it.",
        ),
    ),
    "order": (
        (
            "The tests so far do not settle it. Order what decides and give me the diagnosis.",
            "Something is still missing from the work-up. Please request it and conclude.",
            "Please order the test that tells the possibilities apart, then record the diagnosis and treat.",
        ),
        (
            "One investigation should clear this up: choose it, read it and tell me where we stand.",
            "Find the examination that would prove it, have it done, act on it.",
        ),
        (
            "Decide which further examination is worth having, get it, and name the illness.",
            "What would you test for next? Go ahead with that and finish the case.",
        ),
    ),
    "score": (
        (
            "Please calculate the {score} from the record and tell me what follows from it.",
            "I need the {score}, with the items you counted, and the diagnosis on record.",
            "What is the {score} here? Use the charted values only, and enter the diagnosis.",
        ),
        ("Could you work out a {score}, explain how each item was scored, and close the case?",),
        ("Our registry wants the {score} beside the diagnosis; take the numbers out of the chart.",),
    ),
    "handover": (
        (
            "Please see the case through and do not leave it undecided who treats it.",
            "Who has to take this on, and how fast? Please arrange it and do the rest.",
            "Work it up, start what is due and bring in whoever is needed.",
        ),
        ("Sort out which team owns this case, get them on board, and do your part.",),
        ("If it is beyond us, make sure that the right people know of it; begin in the meantime.",),
    ),
    "missing": (
        (
            "Before we decide: what does the {test} show? Please use the real value and make the diagnosis.",
            "I want the {test} in your assessment. Look it up or order it, then conclude.",
            "Please report the {test} together with your diagnosis.",
        ),
        ("My chief asks for the figure of the {test}; include it when you conclude.",),
        ("Do not forget to quote the {test} next to your diagnosis.",),
    ),
}
