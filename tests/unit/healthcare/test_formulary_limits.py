"""A limit is the least of what label, age, weight, kidney and liver allow, with the ground named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.clinical.formulary import DRUGS, convert, daily_limit, single_limit

NAMES = sorted(DRUGS)
PATIENT = {
    "weight_kg": st.one_of(st.none(), st.floats(2, 200)),
    "age_years": st.one_of(st.none(), st.floats(0, 100)),
    "crcl": st.one_of(st.none(), st.floats(0, 150)),
    "child_pugh": st.sampled_from([None, "A", "B", "C"]),
}


@pytest.mark.parametrize(
    ("arguments", "value", "unit", "word"),
    [
        (("amoxicillin", "oral"), 3000, "mg", "label"),
        (("Amoxil", "PO", 12, 3), 1080, "mg", "child"),
        (("amoxicillin", "oral", 70, 40, 20), 1000, "mg", "CrCl 20"),
        (("metformin", "oral", 70, 60, 40), 1000, "mg", "halve"),
        (("metformin", "oral", 70, 60, 29), 0, "mg", "lactic acidosis"),
        (("acetaminophen", "oral", 70, 60, 90, "B"), 2000, "mg", "Child-Pugh B"),
        (("codeine", "oral", 20, 8), 0, "mg", "12 years"),
        (("aspirin", "oral", 30, 10), 0, "mg", "Reye"),
        (("gentamicin", "iv", 80, 40), 560, "mg", "label"),
        (("gentamicin", "iv"), 7, "mg/kg", "no weight"),
        (("vancomycin", "iv", 70, 50, 20), 1750, "mg", "level"),
        (("vancomycin", "oral", 70, 50, 20), 2000, "mg", "label"),
        (("enoxaparin", "sc", 80, 70, 25), 80, "mg", "once a day"),
        (("dabigatran", "oral", 80, 70, 10), 0, "mg", "CrCl 10"),
        (("rosuvastatin", "oral", 80, 70, 25), 10, "mg", "at most 10"),
        (("allopurinol", "oral", 80, 70, 15), 200, "mg", "200 mg"),
        (("levothyroxine", "oral", 5, 1), 75, "mcg", "child"),
        (("doxycycline", "oral", 30, 9), 132, "mg", "4.4 mg/kg"),
        (("doxycycline", "oral", 42, 13), 200, "mg", "label"),
        (("lisinopril", "oral", 60, 15), 40, "mg", "child"),
    ],
)
def test_known_limits(arguments, value, unit, word):
    found = daily_limit(*arguments)
    assert found is not None
    assert (found.value, found.unit) == (pytest.approx(value), unit)
    assert word in found.reason


def test_a_cap_bounds_one_dose_of_a_heavy_patient():
    assert single_limit("tenecteplase", "iv", 120, unit="mg").value == 50
    assert single_limit("vancomycin", "iv", 60).value == 2100
    assert single_limit("vancomycin", "iv", 150).value == 3000


def test_unit_chooses_between_a_bolus_and_a_rate():
    assert daily_limit("heparin", "iv", 80, unit="units").value == 48_000
    assert daily_limit("heparin", "iv", 80, unit="units/h").unit == "units/kg/h"
    assert daily_limit("norepinephrine", "iv", 70, unit="mcg/kg/min").value == 70


def test_weekly_drug_taken_daily_is_above_its_limit():
    limit = daily_limit("methotrexate", "oral", 70, 50)
    assert 10 * 1 > limit.value > 10 / 7


@pytest.mark.parametrize(("drug", "route"), [("moonflower", "oral"), ("ceftriaxone", "oral"), ("", "iv")])
def test_unknown_drug_or_route_has_no_limit(drug, route):
    assert daily_limit(drug, route) is None
    assert single_limit(drug, route) is None


@settings(deadline=None)
@given(name=st.sampled_from(NAMES), **PATIENT)
def test_a_patient_never_raises_a_limit_and_a_worse_kidney_never_either(
    name, weight_kg, age_years, crcl, child_pugh
):
    for route in {row.route for row in DRUGS[name].adult}:
        plain = daily_limit(name, route, weight_kg)
        here = daily_limit(name, route, weight_kg, age_years, crcl, child_pugh)
        assert 0 <= here.value <= plain.value and here.reason
        if crcl is not None:
            assert daily_limit(name, route, weight_kg, age_years, crcl / 2, child_pugh).value <= here.value


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "weight", "result"),
    [
        (1, "g", "mg", None, 1000),
        (250, "mcg", "mg", None, 0.25),
        (5, "mg/kg", "mg", 70, 350),
        (0.1, "mcg/kg/min", "mcg/min", 70, 7),
        (6, "mg/h", "mg/min", None, 0.1),
        (40, "milliunits/min", "units/min", None, 0.04),
        (1, "mg", "units", None, None),
        (1, "mg/kg", "mg", None, None),
        (1, "mg/h", "mg", 70, None),
        (1, "tablet", "mg", 70, None),
        (2, "Tablet", "tablet", None, 2),
        (1, "mg/fortnight", "mg", None, None),
    ],
)
def test_conversion_holds_only_between_the_same_things(value, unit, wanted, weight, result):
    found = convert(value, unit, wanted, weight)
    assert found is None if result is None else found == pytest.approx(result)
