"""Drugs are found by any name, in linear time, and allergies and interactions by any of them too."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import least_seconds

from distrl.envs.clinical import drug_pk, interactions
from distrl.envs.clinical.allergy import GROUPS, allergy_conflicts, group_of
from distrl.envs.clinical.drug_pairs import CLASS_PAIRS, DRUG_PAIRS
from distrl.envs.clinical.drug_pairs_formulary import FORMULARY_CLASS_PAIRS, FORMULARY_DRUG_PAIRS
from distrl.envs.clinical.drug_pk_formulary import FORMULARY_DRUGS
from distrl.envs.clinical.formulary import (
    DRUGS,
    alternatives,
    conflicts_with_allergies,
    drugs_named_in,
    find,
    in_class,
    interaction_of,
)


@pytest.mark.parametrize(
    ("name", "generic"),
    [
        ("Co-Trimoxazole", "sulfamethoxazole-trimethoprim"),
        ("TMP/SMX", "sulfamethoxazole-trimethoprim"),
        ("  bactrim ", "sulfamethoxazole-trimethoprim"),
        ("Paracetamol", "acetaminophen"),
        ("noradrenaline", "norepinephrine"),
        ("Augmentin", "amoxicillin-clavulanate"),
        ("piperacillin/tazobactam", "piperacillin-tazobactam"),
        ("Penicillin", "penicillin g"),
        ("TPA", "alteplase"),
        ("St. John’s wort", "st john's wort"),
    ],
)
def test_find_by_any_name(name, generic):
    assert find(name).name == generic


def test_every_name_of_a_record_finds_it():
    for drug in DRUGS.values():
        for name in (drug.name, drug.name.upper(), *drug.brands):
            assert find(name) is drug, name


@settings(deadline=None)
@given(st.text(max_size=40))
def test_find_and_mentions_take_any_text(text):
    assert find(text) is None or find(text).name in DRUGS
    assert all(drug.name in DRUGS for drug in drugs_named_in(text))


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("ACE inhibitors", "lisinopril"),
        ("beta-blockers", "metoprolol"),
        ("statins", "atorvastatin"),
        ("PPIs", "omeprazole"),
        ("benzodiazepines", "lorazepam"),
        ("NSAID", "ibuprofen"),
        ("DOACs", "apixaban"),
        ("antibiotics", "ceftriaxone"),
        ("SGLT2 inhibitors", "empagliflozin"),
    ],
)
def test_class_by_plural_and_abbreviation(name, member):
    assert member in {drug.name for drug in in_class(name)}
    assert in_class("philosophers") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Start amoxicillin-clavulanate 875 mg.", ["amoxicillin-clavulanate"]),
        ("Give Zithromax; stop aspirin, then aspirin again", ["azithromycin", "aspirin"]),
        ("Fear of heparin-induced thrombocytopenia, ASA class III", []),
        ("heparin, then low molecular weight heparin", ["heparin"]),
        ("amoxicillinx is no drug", []),
        ("0.9% sodium chloride 1 L and insulin glargine", ["sodium chloride 0.9%", "insulin glargine"]),
        ("", []),
    ],
)
def test_drugs_named_in_text(text, names):
    assert [drug.name for drug in drugs_named_in(text)] == names


@pytest.mark.parametrize(
    "piece", ["a", "insulin ", "sodium chloride 0 ", "st john s ", "-", "é", "low molecular weight "]
)
def test_hostile_text_is_read_in_linear_time(piece):
    text = (piece * 100_000)[:100_000]
    assert least_seconds(lambda: drugs_named_in(text)) < 0.5  # about 0.03 s; a quadratic reader takes minutes


@pytest.mark.parametrize(
    ("drug", "allergy", "verdict", "word"),
    [
        ("amoxicillin", "Penicillins", "CONTRAINDICATED", "penicillin"),
        ("Zosyn", "PCN", "CONTRAINDICATED", "penicillin"),
        ("ceftriaxone", "penicillin", "CAUTION", "2%"),
        ("cephalexin", "Amoxil", "CONTRAINDICATED", "side chain"),
        ("cefazolin", "amoxicillin", "CAUTION", "2%"),
        ("meropenem", "penicillin", "CAUTION", "1%"),
        ("aztreonam", "ceftazidime", "CONTRAINDICATED", "side chain"),
        ("aztreonam", "cephalosporin", "CAUTION", "ceftazidime"),
        ("Bactrim", "sulfa drugs", "CONTRAINDICATED", "sulfa"),
        ("celecoxib", "sulfa", "CAUTION", "label"),
        ("ibuprofen", "NSAIDs", "CONTRAINDICATED", "aspirin"),
        ("morphine", "codeine", "CONTRAINDICATED", "codeine"),
        ("tramadol", "opioids", "CAUTION", "label"),
        ("losartan", "ACE inhibitors", "CAUTION", "angioedema"),
        ("enalapril", "lisinopril", "CONTRAINDICATED", "lisinopril"),
        ("enoxaparin", "heparin", "CONTRAINDICATED", "heparin"),
        ("carbamazepine", "phenytoin", "CONTRAINDICATED", "phenytoin"),
        ("azithromycin", "erythromycin", "CONTRAINDICATED", "erythromycin"),
        ("moxifloxacin", "quinolones", "CONTRAINDICATED", "fluoroquinolone"),
        ("iohexol", "IV contrast", "CONTRAINDICATED", "contrast"),
        ("propofol", "eggs", "CAUTION", "egg"),
        ("fluticasone-salmeterol", "milk protein", "CONTRAINDICATED", "milk"),
        ("fluconazole", "voriconazole", "CAUTION", "voriconazole"),
        ("warfarin", "Coumadin", "CONTRAINDICATED", "warfarin"),
    ],
)
def test_allergy_that_touches(drug, allergy, verdict, word):
    [(found, reason)] = conflicts_with_allergies(drug, [allergy])
    assert found == verdict and word in reason


@pytest.mark.parametrize(
    ("drug", "allergy"),
    [
        ("aztreonam", "penicillin"),
        ("furosemide", "sulfa"),
        ("hydrochlorothiazide", "sulfa"),
        ("iohexol", "shellfish"),
        ("fentanyl", "codeine"),
        ("azithromycin", "penicillin"),
        ("lidocaine", "ester local anesthetic"),
        ("fondaparinux", "heparin"),
        ("acetaminophen", "aspirin"),
        ("levetiracetam", "phenytoin"),
        ("propofol", "latex"),
        ("vancomycin", "penicillin"),
    ],
)
def test_near_miss_of_an_allergy_is_free(drug, allergy):
    assert conflicts_with_allergies(drug, [allergy]) == []


def test_every_group_forbids_a_drug_or_is_a_substance():
    assert all(group_of(group) == group for group in GROUPS)
    for drug in DRUGS.values():
        if drug.allergy_group:
            assert allergy_conflicts(drug.name, [drug.allergy_group])[0][0] == "CONTRAINDICATED", drug.name


def test_alternatives_share_a_use_and_no_class():
    for drug in DRUGS.values():
        for other in alternatives(drug.name):
            assert set(other.indications) & set(drug.indications)
            assert other.classes[0] != drug.classes[0]
            assert not any(v == "CONTRAINDICATED" for v, _ in allergy_conflicts(other.name, [drug.name]))
    assert "losartan" in [drug.name for drug in alternatives("Zestril")]
    assert alternatives("moonflower") == []


def test_every_drug_of_the_formulary_is_known_to_the_screen():
    assert DRUGS.keys() <= interactions.KNOWN.keys()
    assert FORMULARY_DRUGS.keys().isdisjoint(drug_pk.DRUGS)
    known = interactions.KNOWN.keys() | {
        name for facts in interactions.KNOWN.values() for name in facts.classes
    }
    rows = (*FORMULARY_DRUG_PAIRS, *FORMULARY_CLASS_PAIRS)
    assert {name for row in rows for name in row[:2]} <= known
    assert all(row[2] in interactions.SEVERITIES and row[3] and "," not in row[3] for row in rows)


def test_no_pair_of_the_formulary_stands_twice_or_changes_an_older_one():
    pairs = [frozenset(row[:2]) for row in (*FORMULARY_DRUG_PAIRS, *DRUG_PAIRS)]
    assert len(set(pairs)) == len(pairs)
    classes = [frozenset(row[:2]) for row in (*FORMULARY_CLASS_PAIRS, *CLASS_PAIRS)]
    assert len(set(classes)) == len(classes)
    assert all(set(row[:2]) - drug_pk.DRUGS.keys() for row in FORMULARY_DRUG_PAIRS)


def test_rows_of_the_formulary_leave_the_older_table_alone(monkeypatch):
    pairs = list(itertools.combinations(drug_pk.DRUGS, 2))
    here = [interactions.interaction(*pair) for pair in pairs]
    monkeypatch.setattr(interactions, "_ALL_CLASS_PAIRS", CLASS_PAIRS)
    monkeypatch.setattr(interactions, "_PAIRS", {frozenset(row[:2]): row for row in DRUG_PAIRS})
    assert here == [interactions.interaction(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("first", "second", "severity", "word"),
    [
        ("Viagra", "nitroglycerin", "CONTRAINDICATED", "hypotension"),
        ("morphine", "lorazepam", "MAJOR", "respiratory"),
        ("alteplase", "heparin", "MAJOR", "bleeding"),
        ("enoxaparin", "ketorolac", "MAJOR", "bleeding"),
        ("warfarin", "metronidazole", "MAJOR", "CYP2C9"),
        ("Entresto", "lisinopril", "CONTRAINDICATED", "angioedema"),
        ("azathioprine", "allopurinol", "MAJOR", "marrow"),
        ("meropenem", "valproate", "MAJOR", "seizures"),
        ("simvastatin", "Paxlovid", "CONTRAINDICATED", "rhabdomyolysis"),
        ("gentamicin", "furosemide", "MAJOR", "ototoxicity"),
        ("potassium chloride", "spironolactone", "MAJOR", "hyperkalaemia"),
        ("ondansetron", "haloperidol", "MAJOR", "QT"),
        ("linezolid", "sumatriptan", "CONTRAINDICATED", "serotonin"),
        ("propranolol", "albuterol", "MAJOR", "bronchospasm"),
        ("metoclopramide", "levodopa-carbidopa", "MAJOR", "antiparkinson"),
        ("colchicine", "clarithromycin", "MAJOR", "colchicine"),
        ("midazolam", "ketoconazole", "MAJOR", "raised midazolam"),
        ("ciprofloxacin", "ferrous sulfate", "MODERATE", "absorbed"),
        ("amoxicillin", "acetaminophen", "none", ""),
        ("ceftriaxone", "azithromycin", "none", ""),
    ],
)
def test_known_pairs(first, second, severity, word):
    for pair in ((first, second), (second, first)):
        found = interaction_of(*pair)
        assert found.severity == severity and word in found.effect
    assert interaction_of(first, "moonflower") is None
