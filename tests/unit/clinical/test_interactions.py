"""The drug tables are whole, and a screen is symmetric and never milder than its strongest ground."""

from __future__ import annotations

import itertools

import pytest

from distrl.envs.clinical import drug_notes
from distrl.envs.clinical.drug_pairs import CLASS_PAIRS, DRUG_PAIRS
from distrl.envs.clinical.drug_pk import ALIASES, DRUGS, canonical
from distrl.envs.clinical.interactions import SEVERITIES, interaction, rank


def test_every_name_in_a_table_is_a_known_drug_or_class():
    classes = {name for facts in DRUGS.values() for name in facts.classes}
    assert {name for row in DRUG_PAIRS for name in row[:2]} <= DRUGS.keys()
    assert {name for row in CLASS_PAIRS for name in row[:2]} <= classes
    for table in (
        drug_notes.RENAL,
        drug_notes.HEPATIC,
        drug_notes.PREGNANCY,
        drug_notes.FOOD,
        drug_notes.BEERS,
    ):
        assert table.keys() <= DRUGS.keys()
    assert {drug for _, drug in drug_notes.GENOTYPE} <= DRUGS.keys()
    assert drug_notes.PREGNANCY.keys() >= drug_notes.TERATOGENS
    assert set(ALIASES.values()) <= DRUGS.keys()


def test_no_pair_stands_twice_and_no_effect_holds_a_comma():
    for rows in (DRUG_PAIRS, CLASS_PAIRS):
        assert len({frozenset(row[:2]) for row in rows}) == len(rows)
        assert all(row[2] in SEVERITIES and "," not in row[3] for row in rows)


def test_renal_rows_rise_so_that_the_narrowest_is_read_first():
    for rows in drug_notes.RENAL.values():
        bounds = [below for below, _ in rows]
        assert bounds == sorted(bounds)


def test_screen_is_symmetric_for_every_pair():
    for first, second in itertools.combinations(DRUGS, 2):
        assert interaction(first, second) == interaction(second, first)


@pytest.mark.parametrize(
    ("first", "second", "severity", "word"),
    [
        ("warfarin", "amiodarone", "MAJOR", "CYP2C9"),
        ("simvastatin", "clarithromycin", "CONTRAINDICATED", "rhabdomyolysis"),
        ("clopidogrel", "omeprazole", "MAJOR", "CYP2C19"),
        ("theophylline", "ciprofloxacin", "MAJOR", "CYP1A2"),
        ("metoprolol", "paroxetine", "MAJOR", "CYP2D6"),
        ("tacrolimus", "ketoconazole", "MAJOR", "raised tacrolimus"),
        ("tacrolimus", "rifampin", "MAJOR", "lowered tacrolimus"),
        ("codeine", "paroxetine", "MODERATE", "lowered codeine effect"),
        ("sertraline", "tramadol", "MAJOR", "serotonin"),
        ("lisinopril", "ibuprofen", "MODERATE", "renal failure"),
        ("warfarin", "aspirin", "MAJOR", "bleeding"),
        ("gabapentin", "lisinopril", "none", ""),
    ],
)
def test_known_pairs(first, second, severity, word):
    found = interaction(first, second)
    assert found.severity == severity
    assert word in found.effect


def test_a_strong_inhibitor_of_a_sensitive_narrow_substrate_is_at_least_major():
    for cause, victim in itertools.permutations(DRUGS, 2):
        facts, target = DRUGS[cause], DRUGS[victim]
        if any(
            facts.inhibits.get(path) == 3
            for path, grade in target.substrate.items()
            if grade == 3 and target.narrow
        ):
            assert rank(interaction(cause, victim).severity) >= rank("MAJOR"), (cause, victim)


def test_names_are_read_without_regard_to_case_and_spaces():
    assert canonical("  Oral   Contraceptive ") == "oral contraceptives"
    assert canonical("Rifampicin") == "rifampin"
    assert canonical("Warfarin") == "warfarin"
