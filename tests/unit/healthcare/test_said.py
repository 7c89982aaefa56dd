"""What counts as asserted: negation, quotation, hypothesis, keyword lists, inflection, cost."""

from __future__ import annotations

import pytest
from timing import least_seconds

from distrl.envs.healthcare.said import asserts, read, spans, stem

ASSERTED = [
    ("Start amoxicillin 1 g three times daily.", "amoxicillin"),
    ("The picture fits community acquired pneumonias.", "community-acquired pneumonia"),
    ("Not only is this pneumonia, it is severe.", "pneumonia"),
    ("Pulmonary embolism cannot be ruled out.", "pulmonary embolism"),
    ("Give ceftriaxone without delay.", "ceftriaxone"),
    ("Do not withhold insulin.", "insulin"),
    ("No fever, but there is a productive cough.", "productive cough"),
    ("Avoid amoxicillin and start azithromycin.", "azithromycin"),
    ("Avoid amoxicillin, give azithromycin.", "azithromycin"),
    ("Instead of amoxicillin, azithromycin is preferred.", "azithromycin"),
    ("Use azithromycin rather than amoxicillin.", "azithromycin"),
    ("Amoxicillin is contraindicated; azithromycin is the choice.", "azithromycin"),
    ("Amoxicillin should be avoided because of the penicillin allergy.", "penicillin allergy"),
    ("Amoxicillin should not be given in penicillin allergy.", "penicillin allergy"),
    ("The patient is allergic to penicillin, so cephalexin is a risk.", "penicillin"),
    ("The family wants antibiotics, but this is a viral infection.", "viral infection"),
    ("The patient reports chest pain and dyspnoea.", "dyspnea"),
    ("The haemoglobin is falling.", "hemoglobin"),
    ("If the fever persists after two days, repeat the blood cultures.", "blood culture"),
    ("Final answer: pneumonia", "pneumonia"),
    ("Community-acquired pneumonia", "pneumonia"),
    ("Plan:\n- azithromycin 500 mg PO daily\n- blood cultures\n- oxygen", "azithromycin"),
    ("I am stopping metformin today.", "metformin"),
    ("There is no fever.", "no fever"),
    ("Please avoid NSAIDs.", "avoid nsaid"),
    ("The combination is contraindicated.", "contraindicated"),
    ("Monitored potassium daily.", "monitoring"),
    ("He does not have asthma and he has heart failure.", "heart failure"),
    ("Avoid amoxicillin - use azithromycin.", "azithromycin"),
    ("Dr. Hale agrees that this is sepsis.", "sepsis"),
]
NOT_ASSERTED = [
    ("Avoid amoxicillin.", "amoxicillin"),
    ("Do not give amoxicillin or ampicillin.", "ampicillin"),
    ("There is no evidence of pneumonia.", "pneumonia"),
    ("He denies fever, chills, night sweats and chest pain.", "chest pain"),
    ("Amoxicillin, ampicillin and other penicillins are contraindicated.", "amoxicillin"),
    ("Amoxicillin should not be given because of the penicillin allergy.", "amoxicillin"),
    ("Pulmonary embolism was ruled out.", "pulmonary embolism"),
    ("Amoxicillin is not recommended here.", "amoxicillin"),
    ("Use azithromycin instead of amoxicillin.", "amoxicillin"),
    ("Rather than amoxicillin, azithromycin is preferred.", "amoxicillin"),
    ("The family says he has epilepsy.", "epilepsy"),
    ('The caller asked: "Can he take ibuprofen?" I will look first.', "ibuprofen"),
    ("Should we start warfarin?", "warfarin"),
    ("If he were not allergic, amoxicillin would be first choice.", "amoxicillin"),
    ("Were it not for the allergy, amoxicillin would be right.", "amoxicillin"),
    ("If she is not allergic to penicillin, give amoxicillin.", "amoxicillin"),
    ("First-line therapy would normally be amoxicillin, but here it is doxycycline.", "amoxicillin"),
    ("pneumonia sepsis allergy azithromycin oxygen culture curb-65 antibiotics ward troponin", "sepsis"),
    ("pneumonia, sepsis, allergy\nazithromycin, oxygen\nculture, curb-65, antibiotics", "sepsis"),
    ("Drugs to avoid:\n- amoxicillin\n- ibuprofen", "ibuprofen"),
    ("Contraindicated: amoxicillin, ampicillin.", "ampicillin"),
    ("Amoxicillin: contraindicated", "amoxicillin"),
    ("A non-penicillin antibiotic is needed.", "penicillin"),
    ("The pneumoniae serology is pending.", "pneumonia severity"),
    ("The mother insists on antibiotics for the boy.", "antibiotics"),
    ("", "pneumonia"),
]


@pytest.mark.parametrize(("text", "term"), ASSERTED)
def test_an_own_affirmative_sentence_asserts(text: str, term: str) -> None:
    assert asserts(text, [term]), spans(text, [term])


@pytest.mark.parametrize(("text", "term"), NOT_ASSERTED)
def test_denial_quotation_question_hypothesis_and_soup_do_not_assert(text: str, term: str) -> None:
    assert not asserts(text, [term]), spans(text, [term])


def test_prefixes_ask_for_the_denial_or_for_either() -> None:
    text = "Avoid amoxicillin; start azithromycin."
    assert asserts(text, ["not: amoxicillin"]) and not asserts(text, ["not: azithromycin"])
    assert asserts(text, ["any: amoxicillin"]) and asserts(text, ["any: azithromycin"])
    assert not asserts("The family says he takes amoxicillin.", ["any: amoxicillin"])


def test_spans_stand_where_the_term_stands() -> None:
    text = "No fever. Fever later."
    found = spans(text, ["fever"])
    assert [(text[s.start : s.end], s.status) for s in found] == [("fever", "negated"), ("Fever", "asserted")]


def test_stems_join_inflections_and_keep_other_words_apart() -> None:
    assert stem("stopped") == stem("stops") == stem("stopping") == stem("stop")
    assert stem("allergies") == stem("allergy")
    assert stem("anaesthesia") == stem("anesthesia")
    assert stem("hyperkalemia") != stem("hypokalemia")
    assert stem("sepsis") != stem("septic")


HOSTILE = [
    "no amoxicillin ",
    "a ",
    "if ",
    '"',
    '" asks ',
    "family says ",
    "avoid:\n- x\n",
    "amoxicillin and ampicillin, ",
    "(",
    ". ",
    "e.g.",
    "-\n",
    "x? ",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_costs_linear_time(text: str) -> None:
    assert _seconds((text * 40_000)[:40_000]) < 14 * max(_seconds((text * 10_000)[:10_000]), 0.01)


def _seconds(text: str) -> float:
    def once() -> None:
        read.cache_clear()
        asserts(text, ["amoxicillin", "ampicillin", "x", "zebra"])

    return least_seconds(once)
