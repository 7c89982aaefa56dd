"""The laboratory table: codes, tests, ranges."""

import re

import pytest

from distrl.envs.clinical import quantity
from distrl.envs.healthcare.world.labs import (
    CODE,
    LABS,
    TESTS,
    TEXT_TESTS,
    find_test,
    flag,
    reference_range,
    result,
)


def _check_digit(body: str) -> int:
    """LOINC's own: Luhn's mod 10 over the digits before the dash."""
    doubled = [int(d) * 2 if i % 2 == 0 else int(d) for i, d in enumerate(reversed(body))]
    return -sum(d // 10 + d % 10 for d in doubled) % 10


def test_every_loinc_code_has_its_check_digit():
    for code in LABS:
        assert re.fullmatch(r"\d{3,5}-\d", code)
        body, _, digit = code.partition("-")
        assert _check_digit(body) == int(digit), code


def test_table_is_wide_enough_and_names_are_unique():
    assert len(LABS) >= 60
    assert len({lab.name for lab in LABS.values()}) == len(LABS) == len(CODE)


def test_every_analyte_can_be_ordered_by_its_test():
    for lab in LABS.values():
        assert lab.code in TESTS[lab.test], lab.name


def test_only_text_tests_lack_codes():
    assert {name for name, codes in TESTS.items() if not codes} == set(TEXT_TESTS)


@pytest.mark.parametrize(
    "name", ["Blood Culture", "CSF Analysis", "CT Abdomen", "ECG", "Chest X-ray", "Lactate"]
)
def test_named_tests_can_be_ordered(name):
    assert find_test(name) == name


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("cbc", "Complete Blood Count"),
        ("  blood   CULTURES ", "Blood Culture"),
        ("Lumbar Puncture / CSF Analysis", "CSF Analysis"),
        ("Potassium", "Basic Metabolic Panel"),
        ("Hemoglobin", "Complete Blood Count"),
        ("EKG", "ECG"),
    ],
)
def test_synonyms_find_their_test(said, test):
    assert find_test(said) == test


def test_unknown_test_is_not_found():
    assert find_test("aura reading") is None
    assert find_test("x" * 100_000) is None


def test_healthy_values_lie_in_the_adult_ranges():
    for lab in LABS.values():
        for low, high in (lab.female, lab.male):
            if lab.short in ("hcg", "egfr", *("dig", "lith", "phenyt", "valp")):
                continue
            middle = lab.usual[0]
            assert (low is None or middle >= low - 0.75) and (high is None or middle <= high), lab.name


def test_units_are_known_to_the_unit_reader():
    unknown = {
        lab.unit
        for lab in LABS.values()
        if lab.unit and quantity.canonical(lab.unit) is None and lab.unit not in ("ng/mL FEU", "/HPF", "/uL")
    }
    assert unknown <= {"10^3/uL", "10^6/uL", "mL/min/1.73 m2", "mOsm/kg", "U/mL", "IU/mL", "mIU/L", "mIU/mL"}


def test_flag_reads_the_printed_range():
    made = result(CODE["k"], 5.96, "2031-01-01T08:00", "female", 40.0)
    assert (made["value"], made["unit"], flag(made)) == (6.0, "mmol/L", "high")
    assert flag({**made, "value": 3.0}) == "low"
    assert flag({**made, "value": 4.0}) == "normal"
    assert flag({**made, "low": None, "high": None}) == "no range"


def test_children_have_their_own_creatinine_range():
    creatinine = LABS[CODE["cr"]]
    assert reference_range(creatinine, "male", 3.0)[1] < reference_range(creatinine, "male", 30.0)[0]
