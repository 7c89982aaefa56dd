"""Every record of the formulary is whole and consistent, and its limits are the published ones."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from distrl.envs.clinical import drug_pk
from distrl.envs.clinical.allergy import GROUP
from distrl.envs.clinical.formulary import CONDITION_KEYS, DRUGS, with_implied
from distrl.envs.clinical.formulary.condition_keys import IMPLIES
from distrl.envs.clinical.formulary.core import DoseRange, Drug
from distrl.envs.clinical.formulary.limits import convert
from distrl.envs.clinical.formulary.names import CLASS_SYNONYMS, SYNONYMS
from distrl.envs.healthcare.world.conditions import CONDITIONS

RECORDS = list(DRUGS.values())
RANGES = [(drug, row) for drug in RECORDS for row in drug.adult]


def test_formulary_is_large_and_holds_every_drug_of_the_interaction_table():
    assert len(DRUGS) >= 120
    assert drug_pk.DRUGS.keys() <= DRUGS.keys()


def test_every_name_is_lower_case_and_every_class_too():
    for drug in RECORDS:
        assert DRUGS[drug.name] is drug
        assert drug.name == drug.name.lower().strip()
        assert drug.classes and len(set(drug.classes)) == len(drug.classes), drug.name
        assert all(name == name.lower() for name in drug.classes), drug.name


def test_no_brand_stands_for_two_drugs():
    brands = Counter(brand.lower() for drug in RECORDS for brand in drug.brands)
    assert [brand for brand, times in brands.items() if times > 1] == []
    assert brands.keys().isdisjoint(DRUGS)


def test_every_record_says_what_it_is_for_and_where_it_stands():
    for drug in RECORDS:
        assert drug.mechanism and drug.indications and drug.side_effects and drug.adult, drug.name
        assert drug.pregnancy.reason and drug.brands, drug.name
        assert re.search(r"prescribing information|\d{4}", drug.source), drug.name


def _problems(drug: Drug, row: DoseRange) -> list[str]:
    low, high = row.usual
    rare, often = row.doses_per_day
    rules = {
        "usual is a range": 0 < low <= high,
        "times are a range": 0 < rare <= often <= 24,
        "usual within one dose": high <= row.max_single,
        "the least day within the day": low * rare <= row.max_daily * (1 + 1e-9),
        "one dose within the day": often < 1 or row.max_single <= row.max_daily,
        "a weekly dose averages": often >= 1 or row.max_daily <= row.max_single,
        "rates have one bound": "/" not in row.unit or row.max_single == row.max_daily,
        "unit is known": convert(1.0, row.unit, row.unit) == 1.0 and not row.unit.endswith("/kg"),
        "cap only with per kg": row.cap is None or row.per_kg,
    }
    return [rule for rule, holds in rules.items() if not holds]


def test_doses_are_ordered():
    wrong = {(drug.name, row.route): _problems(drug, row) for drug, row in RANGES if _problems(drug, row)}
    assert wrong == {}


def test_children_get_no_more_than_a_known_route_and_an_ordered_range():
    for drug in RECORDS:
        for row in drug.child:
            assert 0 < row.mg_per_kg_day[0] <= row.mg_per_kg_day[1], drug.name
            assert 0 <= row.from_years < 18 and row.max_mg_day > 0, drug.name
            assert row.route in {adult.route for adult in drug.adult}, drug.name
            assert row.from_years >= drug.from_years, drug.name


def test_kidney_and_liver_steps_narrow_down():
    for drug in RECORDS:
        for route in {step.route for step in drug.renal}:
            steps = [step for step in drug.renal if step.route == route]
            bounds = [step.crcl_below for step in steps]
            assert bounds == sorted(bounds, reverse=True), drug.name
            most = [0.0 if step.avoid else step.max_daily for step in steps]
            numbers = [number for number in most if number is not None]
            assert numbers == sorted(numbers, reverse=True), drug.name
        grades = [step.child_pugh for step in drug.hepatic]
        assert grades == sorted(grades), drug.name
        largest = max(row.max_daily for row in drug.adult)
        for step in (*drug.renal, *drug.hepatic):
            assert step.advice and (step.max_daily is None or 0 < step.max_daily <= largest), drug.name


def test_contraindications_use_the_keys_of_the_condition_table():
    assert len(set(CONDITION_KEYS)) == len(CONDITION_KEYS)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", key) for key in CONDITION_KEYS)
    for drug in RECORDS:
        keys = [row.condition for row in drug.contraindications]
        assert set(keys) <= set(CONDITION_KEYS), drug.name
        assert len(set(keys)) == len(keys), drug.name
        assert all(row.reason for row in drug.contraindications), drug.name
    assert set(CONDITION_KEYS) <= CONDITIONS.keys()


def test_pharmacokinetics_and_targets_are_possible():
    for drug in RECORDS:
        kinetics = drug.pharmacokinetics
        assert 0 < kinetics.half_life_h[0] <= kinetics.half_life_h[1], drug.name
        for share in (kinetics.bioavailability, kinetics.protein_binding):
            assert share is None or 0 <= share <= 1, drug.name
        if drug.monitoring is not None:
            low, high = drug.monitoring.target
            assert 0 < low < high and drug.monitoring.sample, drug.name


def test_age_floor_has_a_reason_and_pregnancy_a_week():
    for drug in RECORDS:
        assert bool(drug.from_years) == bool(drug.age_reason), drug.name
        assert 0 <= drug.pregnancy.from_week <= 40, drug.name


def test_allergy_group_agrees_with_the_allergy_table():
    assert {drug.name: drug.allergy_group for drug in RECORDS if drug.allergy_group} == {
        name: group for name, group in GROUP.items() if name in DRUGS
    }


def test_synonyms_lead_to_records_and_classes():
    classes = {name for drug in RECORDS for name in drug.classes}
    assert set(SYNONYMS.values()) <= DRUGS.keys()
    assert set(CLASS_SYNONYMS.values()) <= classes


def test_what_treats_a_condition_is_known_and_not_forbidden_in_it():
    for key, condition in CONDITIONS.items():
        for option in (option for treatment in condition.treatments for option in treatment.options):
            drug = DRUGS[option.drug]
            forbidden = {row.condition for row in drug.contraindications if row.absolute}
            assert forbidden.isdisjoint(with_implied([key])), (key, drug.name)
            assert option.route in {row.route for row in drug.adult}, (key, drug.name)


def test_what_a_condition_implies_is_known_and_reached_to_any_depth():
    assert IMPLIES.keys() <= CONDITIONS.keys()
    assert {wider for row in IMPLIES.values() for wider in row} <= set(CONDITION_KEYS)
    assert with_implied(["stemi", "moon"]) == {
        "stemi",
        "moon",
        "myocardial_infarction",
        "coronary_artery_disease",
    }
    assert with_implied([]) == frozenset()


# Published limits: (drug, route, unit, max_single, max_daily, source), absolute unless the unit is per kg.
PUBLISHED = [
    ("acetaminophen", "oral", "mg", 1000, 4000, "Ofirmev and OTC labels: 1 g at once, 4 g a day"),
    ("ibuprofen", "oral", "mg", 800, 3200, "Motrin label: 3200 mg a day"),
    ("celecoxib", "oral", "mg", 400, 800, "Celebrex label: 800 mg a day in polyposis"),
    ("metformin", "oral", "mg", 2000, 2550, "Glucophage label: 2550 mg a day"),
    ("lisinopril", "oral", "mg", 80, 80, "Zestril label: doses up to 80 mg"),
    ("losartan", "oral", "mg", 100, 100, "Cozaar label: 100 mg a day"),
    ("valsartan", "oral", "mg", 320, 320, "Diovan label: 320 mg a day"),
    ("amlodipine", "oral", "mg", 10, 10, "Norvasc label: 10 mg a day"),
    ("atorvastatin", "oral", "mg", 80, 80, "Lipitor label: 10 to 80 mg"),
    ("rosuvastatin", "oral", "mg", 40, 40, "Crestor label: 5 to 40 mg"),
    ("simvastatin", "oral", "mg", 40, 40, "Zocor label: 80 mg not for new patients"),
    ("apixaban", "oral", "mg", 10, 20, "Eliquis label: 10 mg twice a day for 7 days"),
    ("rivaroxaban", "oral", "mg", 20, 30, "Xarelto label: 15 mg twice a day for 21 days"),
    ("citalopram", "oral", "mg", 40, 40, "Celexa label, FDA 2012"),
    ("sertraline", "oral", "mg", 200, 200, "Zoloft label: 200 mg"),
    ("escitalopram", "oral", "mg", 20, 20, "Lexapro label: 20 mg"),
    ("bupropion", "oral", "mg", 450, 450, "Wellbutrin label: 450 mg"),
    ("tramadol", "oral", "mg", 100, 400, "Ultram label: 400 mg a day"),
    ("gabapentin", "oral", "mg", 1200, 3600, "Neurontin label: doses up to 3600 mg a day"),
    ("pregabalin", "oral", "mg", 300, 600, "Lyrica label: 600 mg a day"),
    ("ceftriaxone", "iv", "mg", 2000, 4000, "Rocephin label: 4 g a day"),
    ("piperacillin-tazobactam", "iv", "mg", 4500, 18000, "Zosyn label: 4.5 g every 6 h"),
    ("cephalexin", "oral", "mg", 1000, 4000, "Keflex label: 4 g a day"),
    ("levofloxacin", "oral", "mg", 750, 750, "Levaquin label: 750 mg"),
    ("linezolid", "iv", "mg", 600, 1200, "Zyvox label: 600 mg every 12 h"),
    ("enoxaparin", "sc", "mg/kg", 1.5, 2, "Lovenox label: 1 mg/kg every 12 h, 1.5 mg/kg a day"),
    ("methotrexate", "oral", "mg", 25, 25 / 7, "EULAR 2022: 25 mg a week"),
    ("alendronate", "oral", "mg", 70, 10, "Fosamax label: 70 mg a week, 10 mg a day"),
    ("colchicine", "oral", "mg", 1.2, 1.8, "Colcrys label: 1.8 mg over one hour"),
    ("loperamide", "oral", "mg", 4, 16, "Imodium label: 16 mg a day"),
    ("metoclopramide", "iv", "mg", 20, 40, "Reglan label: 10 mg four times a day"),
    ("empagliflozin", "oral", "mg", 25, 25, "Jardiance label: 25 mg"),
    ("sitagliptin", "oral", "mg", 100, 100, "Januvia label: 100 mg"),
    ("levetiracetam", "oral", "mg", 1500, 3000, "Keppra label: 1500 mg twice a day"),
    ("amiodarone", "oral", "mg", 800, 1600, "Pacerone label: loading 800 to 1600 mg a day"),
    ("codeine", "oral", "mg", 60, 360, "codeine sulfate label: 360 mg a day"),
    ("ketorolac", "iv", "mg", 30, 120, "ketorolac label: 120 mg a day"),
    ("allopurinol", "oral", "mg", 300, 800, "Zyloprim label: 800 mg a day, above 300 mg divided"),
]


@pytest.mark.parametrize(("name", "route", "unit", "single", "daily", "source"), PUBLISHED)
def test_limits_are_the_published_ones(name, route, unit, single, daily, source):
    per_kg = unit.endswith("/kg")
    rows = [row for row in DRUGS[name].adult if row.route == route and row.per_kg == per_kg]
    assert {row.unit for row in rows} >= {unit.removesuffix("/kg")}
    assert max(row.max_single for row in rows) == pytest.approx(single), source
    assert max(row.max_daily for row in rows) == pytest.approx(daily), source
