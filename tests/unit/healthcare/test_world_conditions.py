"""The condition tables agree with the laboratory table, the formulary and themselves."""

import re

import pytest

from distrl.envs.clinical import formulary
from distrl.envs.clinical.formulary.condition_keys import CONDITION_KEYS
from distrl.envs.healthcare.world.background import CAUSES, COMMON, EXCLUDE, NEEDS
from distrl.envs.healthcare.world.conditions import CONDITIONS, SHORT, cases
from distrl.envs.healthcare.world.labs import LABS, TESTS, TEXT_TESTS
from distrl.envs.healthcare.world.reports import NEGATIVE, POSITIVE

FULL = [CONDITIONS[key] for key in cases()]
EVERY = list(CONDITIONS.values())


def key_of(condition):
    return condition.key


def test_every_formulary_key_is_a_condition():
    assert set(CONDITION_KEYS) <= set(CONDITIONS)


def test_there_are_enough_cases():
    assert len(cases(acute=True)) >= 24
    assert len(cases(acute=False)) >= 18


def test_record_is_well_formed():
    for condition in EVERY:
        assert re.fullmatch(r"[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?", condition.icd10), condition.icd10
        assert 0 <= condition.age[0] < condition.age[1] <= 100
        assert re.search(r"(19|20)\d\d", condition.source), "a citation has a year"
        assert condition.specialty
        assert condition.teaching
        assert all(fact.endswith(".") for fact in condition.teaching)
        assert len(set(condition.teaching)) == len(condition.teaching)


def test_case_is_told_in_full():
    for condition in FULL:
        assert len(condition.teaching) >= 4, condition.key
        assert condition.complaints and condition.symptoms, condition.key
        if condition.acute:
            assert len(condition.symptoms) >= 4 and len(condition.negatives) >= 3, condition.key
            assert condition.findings and condition.differential and condition.vitals, condition.key
            assert condition.urgency != "routine" or not condition.time_critical, condition.key


def test_references_are_known():
    for condition in EVERY:
        for key in (*condition.differential, *condition.goes_with):
            assert key in CONDITIONS and key != condition.key, key
        assert set(condition.workup) <= set(TESTS), condition.key
        for code, shift in {**condition.labs, **condition.unmeasured}.items():
            assert code in LABS, condition.key
            assert shift.low <= shift.mean <= shift.high and shift.sd >= 0, condition.key
        for action in condition.time_critical:
            assert 3 <= action.missing_severity <= 5 and action.reason


def test_symptoms_do_not_give_the_name_away():
    for condition in EVERY:
        told = " ".join([*condition.complaints, *condition.symptoms, *condition.findings]).lower()
        if condition.acute:
            for name in (condition.name, *condition.synonyms):
                assert len(name) <= 4 or name.lower() not in told, name


def test_treatment_does_not_harm():
    for condition in EVERY:
        for treatment in condition.treatments:
            for option in treatment.options:
                drug = formulary.DRUGS[option.drug]
                assert not set(condition.avoid_drugs) & {option.drug, *drug.classes}, option.drug
                for rule in drug.contraindications:
                    assert not (rule.absolute and rule.condition == condition.key), option.drug


def test_options_are_drugs_of_the_formulary():
    offered = {o.drug for c in EVERY for t in c.treatments for o in t.options}
    assert offered <= set(formulary.DRUGS)


@pytest.mark.parametrize("condition", [c for c in FULL if c.treatments and c.age[1] >= 18], ids=key_of)
def test_adult_doses_are_within_the_label(condition):
    for treatment in condition.treatments:
        for option in treatment.options:
            limit = formulary.daily_limit(option.drug, option.route, 75.0, 40.0, unit=option.dose_unit)
            assert limit is not None, f"{option.drug} {option.route} {option.dose_unit}"
            dose = option.dose * (75.0 if option.dose_per_kg else 1.0) * option.doses_per_day
            daily = formulary.convert(dose, option.dose_unit, limit.unit, 75.0)
            assert daily is not None and daily <= limit.value * 1.001, f"{option.drug}: {daily} {limit}"


def test_urgent_cases_have_a_time_critical_action():
    without = {c.key for c in FULL if c.acute and c.urgency == "emergency" and not c.time_critical}
    assert without <= {"hypercalcemia", "rhabdomyolysis"}  # fluids first, no single action


def test_time_critical_drugs_are_those_of_the_treatment():
    for condition in FULL:
        offered = {o.drug for t in condition.treatments for o in t.options}
        for action in condition.time_critical:
            if action.tool == "prescribe_medication":
                assert offered & set(action.where["drug_name"]), condition.key


def test_background_tables_name_conditions():
    named = {k for pair in EXCLUDE for k in pair} | set(NEEDS) | {k for v in NEEDS.values() for k in v}
    assert named | set(CAUSES) | {key for key, _ in COMMON} <= set(CONDITIONS)


def test_text_tests_have_a_text():
    assert set(NEGATIVE) == set(TEXT_TESTS)
    assert set(POSITIVE) <= set(CONDITIONS)
    assert {test for texts in POSITIVE.values() for test in texts} <= set(TEXT_TESTS)


def test_short_records_are_no_cases():
    assert not SHORT & set(cases())
