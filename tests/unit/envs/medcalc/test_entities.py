"""Entities of public rows: text as data, names of every version, units, choices, dates, and honest errors."""

from __future__ import annotations

import ast
import csv
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.medcalc.public.entities import (
    MAX_CHARS,
    EntityError,
    Fault,
    arguments,
    compute,
    parameters,
    parse,
    plain,
)
from distrl.envs.medcalc.public.entity_names import CHOICES, IRRELEVANT, NAMES, NAMES_OF

DATA = Path(__file__).resolve().parents[5] / "shared/data"
ONE_SHOT = DATA / "medcalc_bench_verified_oneshot/one_shot_data.csv"
needs_rows = pytest.mark.skipif(not ONE_SHOT.exists(), reason="../shared has no MedCalc-Bench rows")
SOFA: dict[str, Any] = {
    "PaO2": [80.0, "mm Hg"],
    "FiO2": [50.0, "%"],
    "Platelet count": [200000.0, "µL"],
    "Bilirubin": [1.0, "mg/dL"],
}
FRAMINGHAM: dict[str, Any] = {
    "sex": "Male",
    "age": [54, "years"],
    "Systolic Blood Pressure": [139.0, "mm hg"],
    "Smoker": True,
    "Blood pressure being treated with medicines": False,
}


@pytest.mark.parametrize(
    "text",
    [
        "{'age': 1.2.3}",
        "__import__('os').system('true')",
        "{'age': __import__('os')}",
        "{'age': [x for x in (1,)]}",
        "{'age': 1 + 1}",
        "{'age': f'{1}'}",
        "{'age': b'5'}",
        "[1, 2]",
        "",
        "{",
        "{'age': 5",
        "{'age': 5, 'age': 6}",
        "{5: 'age'}",
        "{[1]: 2}",
        "{'age': nan}",
        "{'a': " + "[" * 2000 + "]" * 2000 + "}",
        "{'a': " + "-" * 5000 + "1}",
        "{'a': '" + "x" * MAX_CHARS + "'}",
        "{'a': " + "9" * 4000 + "}",
        "{" + ", ".join(f"'e{i}': 1" for i in range(200)) + "}",
    ],
)
def test_hostile_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(EntityError) as caught:
        parse(text)
    assert caught.value.fault is Fault.TEXT
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


@given(st.text(max_size=200))
def test_any_text_is_entities_or_an_entity_error(text: str) -> None:
    try:
        found = parse(text)
    except EntityError:
        return
    assert all(isinstance(name, str) for name in found)


@given(
    st.dictionaries(
        st.text(max_size=20),
        st.one_of(
            st.booleans(),
            st.text(max_size=20),
            st.integers(-(10**9), 10**9),
            st.lists(st.one_of(st.integers(0, 9), st.text(max_size=5)), max_size=3),
        ),
        max_size=8,
    )
)
def test_a_python_literal_of_plain_values_is_read_as_it_is(found: dict[str, Any]) -> None:
    text = repr(found)
    try:
        assert parse(text) == ast.literal_eval(text)
    except EntityError as error:  # the deep nesting and control characters that are refused
        assert error.fault is Fault.TEXT
        assert any(ord(c) < 32 or c in "\x7f\x85" for k, v in found.items() for c in f"{k}{v}")


def test_json_is_read_like_a_python_literal() -> None:
    assert parse('{"Stroke": true, "age": [62, "years"], "note": null}') == {
        "Stroke": True,
        "age": [62, "years"],
        "note": None,
    }


def test_every_name_of_the_tables_is_plain_and_an_argument_of_a_calculator() -> None:
    known = {name for i in CALCULATORS for name in parameters(i)["properties"]}
    for table in (NAMES, *NAMES_OF.values()):
        for entity, name in table.items():
            assert plain(entity) == entity
            assert name in known or name in {"mean_arterial_pressure", "chronic_renal_failure"}, entity
    assert all(plain(entity) == entity for entity in IRRELEVANT)


def test_every_choice_of_the_tables_is_one_of_a_signature() -> None:
    for name, spellings in CHOICES.items():
        fields = [parameters(i)["properties"].get(name, {}) for i in CALCULATORS]
        allowed = {value for field in fields for value in field.get("enum", ())}
        assert set(spellings.values()) <= allowed, name


@needs_rows
def test_every_entity_of_the_one_shot_rows_reaches_an_argument() -> None:
    with ONE_SHOT.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    unused = set()
    for row in rows:
        number, entities = int(row["Calculator ID"]), parse(row["Relevant Entities"])
        for entity in entities:
            name = NAMES_OF.get(number, {}).get(plain(entity), NAMES.get(plain(entity)))
            if number not in (24, 49) and name not in arguments(number, entities):
                unused.add((number, entity))
    # No points by the published rules: sex in Caprini's score, chronic renal failure in APACHE II.
    assert unused == {(36, "sex"), (28, "Chronic renal failure")}


@pytest.mark.parametrize(
    ("calculator_id", "spellings"),
    [
        (4, ("Congestive Heart Faliure", "Congestive Heart Failure")),
        (43, ("Continous positive airway pressure", "Continuous positive airway pressure")),
        (27, ("Recent syncope", "Recent Syncope")),
        (33, ("Symptom onset ≤3 days", "Symptom onset <=3 days")),
        (32, ("Chronic Pulmonary Disease", "Chronic Obstructive Pulmonary Disease")),
        (29, ("Renal disease history", "Renal disease")),
    ],
)
def test_every_versions_spelling_of_a_finding_counts(calculator_id: int, spellings: tuple[str, ...]) -> None:
    needed: dict[int, dict[str, Any]] = {
        4: {"age": [62, "years"], "sex": "Male"},
        27: {
            "sex": "Male",
            "Blood Urea Nitrogen (BUN)": [10.0, "mg/dL"],
            "Hemoglobin": [15.0, "g/dL"],
            "Systolic Blood Pressure": [120.0, "mm Hg"],
            "Heart Rate or Pulse": [70.0, "bpm"],
        },
        29: {
            "sex": "Male",
            "age": [62, "years"],
            "Heart Rate or Pulse": [70.0, "bpm"],
            "respiratory rate": [15.0, "breaths per minute"],
            "Systolic Blood Pressure": [120.0, "mm Hg"],
            "Temperature": [37.0, "degrees celsius"],
        },
        32: {"age": [62, "years"]},
        43: SOFA,
        33: {},
    }
    without = compute(calculator_id, needed[calculator_id]).value
    for entity in spellings:
        assert compute(calculator_id, {**needed[calculator_id], entity: True}).value != without


@pytest.mark.parametrize(
    ("calculator_id", "entities", "name", "value"),
    [
        (11, {"QT interval": [330, "msec"], "Heart Rate or Pulse": [70, "bpm"]}, "qt_interval", 330),
        (11, {"QT Interval": [0.33, "s"], "Heart Rate or Pulse": [70, "bpm"]}, "qt_interval", 330),
        (60, {"weight": [3000.0, "g"], "height": [0.5, "m"]}, "weight", 3.0),
        (60, {"weight": [142.0, "lbs"], "height": [70, "in"]}, "height", 177.8),
        (60, {"weight": [142.0, "lbs"], "height": [70, "in"]}, "weight", 64.4101),
        (20, {"age": [48, "months"], "Temperature": [99.0, "degrees fahreinheit"]}, "age", 4.0),
        (20, {"age": [48, "months"], "Temperature": [99.0, "degrees fahreinheit"]}, "temperature", 37.2222),
        (20, {"age": [9, "years"], "Temperature": [37.5, "degrees celsisus"]}, "temperature", 37.5),
        (
            5,
            {"Systolic Blood Pressure": [70.0, "s mm hg"], "Diastolic Blood Pressure": [62, "mm hg"]},
            "systolic_bp",
            70,
        ),
        (3, {"age": [50, "years"], "sex": "Male", "creatinine": [88.42, "µmol/L"]}, "creatinine", 1.0002),
    ],
)
def test_units_become_the_calculators(
    calculator_id: int, entities: dict[str, Any], name: str, value: float
) -> None:
    assert arguments(calculator_id, entities)[name] == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ([181000.0, "µL"], 181),
        ([181000.0, "mm^3"], 181),
        ([1.81e11, "L"], 181),
        ([181.0, "10^9/L"], 181),
        ([8500.0, "m^3"], 8.5),
    ],
)
def test_a_count_names_the_volume_that_it_was_counted_in(given: list[Any], value: float) -> None:
    entities = {"age": [35, "years"], "Alanine aminotransferase": [10.0, "U/L"]}
    entities |= {"Aspartate aminotransferase": [10.0, "U/L"], "Platelet count": given}
    assert arguments(19, entities)["platelets"] == pytest.approx(value)


def test_framingham_takes_cholesterol_in_mmol_as_in_mg() -> None:
    """The published code swaps compound and molar mass here."""
    names = ("Total cholesterol", "high-density lipoprotein cholesterol")
    milligrams = compute(46, {**FRAMINGHAM, names[0]: [235.0, "mg/dL"], names[1]: [39.0, "mg/dL"]}).value
    moles = {names[0]: [235.0 / 38.665, "mmol/L"], names[1]: [39.0 / 38.665, "mmol/L"]}
    assert compute(46, {**FRAMINGHAM, **moles}).value == pytest.approx(milligrams, rel=1e-6)


def test_bilirubin_converts_from_micromoles() -> None:
    """The published code has no molar mass for it."""
    assert arguments(43, {**SOFA, "Bilirubin": [88.41, "µmol/L"]})["bilirubin"] == pytest.approx(
        5.169, abs=1e-3
    )


@pytest.mark.parametrize("name", ["FentANYL patch", "FentaNYL patch", "fentanyl patch"])
@pytest.mark.parametrize("unit", ["mg", "µg/hr"])
def test_a_fentanyl_patch_counts_by_its_strength_an_hour(name: str, unit: str) -> None:
    """The published code misses one of two spellings and the files write mg."""
    assert compute(49, {f"{name} Dose": [50, unit], f"{name} Dose Per Day": [1, "per day"]}).value == 120.0


def test_other_opioids_convert_to_their_unit() -> None:
    doses = {"FentaNYL buccal Dose": [0.02, "mg"], "FentaNYL buccal Dose Per Day": [2, "per day"]}
    doses |= {"Morphine Dose": [0.01, "g"], "Morphine Dose Per Day": [3, "per day"]}
    assert compute(49, doses).value == pytest.approx(20 * 2 * 0.13 + 30)


@pytest.mark.parametrize("support", ["On mechanical ventilation", "Continuous positive airway pressure"])
def test_one_kind_of_respiratory_support_alone_is_enough(support: str) -> None:
    """The published code raises KeyError unless both are told."""
    assert (compute(43, SOFA).value, compute(43, {**SOFA, support: True}).value) == (2, 3)


def test_findings_of_one_meaning_count_when_any_is_told() -> None:
    both = {"History of cerebrovascular disease": True, "Cerebrovascular disease history": False}
    assert arguments(17, both)["cerebrovascular_disease"] is True


def test_absence_of_cough_is_the_opposite_of_cough() -> None:
    base = {"age": [20, "years"], "Temperature": [37.0, "degrees celsius"]}
    assert arguments(20, {**base, "Cough Absent": True})["cough"] is False
    assert arguments(20, {**base, "Cough Absent": False})["cough"] is True


def test_choices_of_every_version_are_read() -> None:
    cci = {"age": [60, "years"], "Solid tumor": "Metastatic", "Liver disease severity": "Moderate"}
    found = arguments(32, {**cci, "Diabetes mellitus criteria for CCI rule": "None or Diet-controlled"})
    assert (found["solid_tumor"], found["liver_disease_stage"]) == ("metastatic", "moderate_to_severe")
    assert found["diabetes_stage"] == "none_or_diet_controlled"
    assert arguments(32, {"age": [60, "years"], "Solid tumor": False})["solid_tumor"] == "none"


def test_dates_become_iso_and_impossible_ones_are_refused() -> None:
    entities = {"Last menstrual date": "02/24/2000", "cycle length": 30}
    assert arguments(13, entities) == {"last_menstrual_date": "2000-02-24", "cycle_length": 30}
    with pytest.raises(EntityError, match="'Last menstrual date': '02/30/2000' is no date"):
        arguments(13, {"Last menstrual date": "02/30/2000"})


@pytest.mark.parametrize(
    ("calculator_id", "entities", "fault", "says"),
    [
        (99, {}, Fault.UNKNOWN, "no calculator 99"),
        (6, {"wieght": [70, "kg"], "height": [170, "cm"]}, Fault.UNKNOWN, "did you mean 'weight'?"),
        (6, {"height": [170, "cm"]}, Fault.MISSING, "needs 'weight'"),
        (6, {"weight": [70, "furlongs"], "height": [170, "cm"]}, Fault.UNIT, "'weight'.*furlongs"),
        (6, {"weight": [70, "mmHg"], "height": [170, "cm"]}, Fault.UNIT, "'weight'"),
        (6, {"weight": [70000, "kg"], "height": [170, "cm"]}, Fault.UNIT, "outside 0.3 to 400"),
        (6, {"weight": "heavy", "height": [170, "cm"]}, Fault.VALUE, "give a number"),
        (6, {"weight": [10**400, "kg"], "height": [170, "cm"]}, Fault.VALUE, "give a number"),
        (6, {"weight": [math.nan, "kg"], "height": [170, "cm"]}, Fault.VALUE, "give a number"),
        (6, {"weight": [True, "kg"], "height": [170, "cm"]}, Fault.VALUE, "give a number"),
        (6, {"weight": [1, "kg", 2], "height": [170, "cm"]}, Fault.VALUE, "give a number"),
        (10, {"sex": "Unknown", "height": [170, "cm"]}, Fault.VALUE, "give one of male, female"),
        (
            4,
            {"age": [60, "years"], "sex": "Male", "Stroke": "perhaps"},
            Fault.VALUE,
            "neither true nor false",
        ),
        (24, {"input steroid": ["Prednisone PO"], "target steroid": "Cortisone PO"}, Fault.VALUE, "give \\["),
        (49, {"Morphine Dose": [10, "mg"]}, Fault.MISSING, "doses per day"),
        (49, {"Aspirin Dose": [10, "mg"], "Aspirin Dose Per Day": [1, "per day"]}, Fault.VALUE, "aspirin"),
        (49, {"age": [50, "years"]}, Fault.UNKNOWN, "no opioid's dose"),
        (3, {"creatinine": [200.0, "mmol/L"], "sex": "Male", "age": [49, "years"]}, Fault.UNIT, "outside"),
        (64, {"Sodium": [137.0, "mg/dL"]}, Fault.UNIT, "'Sodium'"),
    ],
)
def test_errors_name_the_entity_and_the_mend(
    calculator_id: int, entities: dict[str, Any], fault: Fault, says: str
) -> None:
    with pytest.raises(EntityError, match=says) as caught:
        compute(calculator_id, entities)
    assert caught.value.fault is fault
    assert "\n" not in str(caught.value)


def test_a_value_of_none_is_an_entity_that_is_not_there() -> None:
    with pytest.raises(EntityError, match="needs 'height'"):
        compute(6, {"weight": [70, "kg"], "height": None})


@given(
    st.sampled_from(sorted(CALCULATORS)),
    st.dictionaries(
        st.sampled_from([*NAMES, "input steroid", "Morphine Dose", "Morphine Dose Per Day"]),
        st.one_of(
            st.none(),
            st.booleans(),
            st.text(max_size=8),
            st.floats(),
            st.integers(),
            st.lists(st.one_of(st.floats(), st.sampled_from(["mg/dL", "", "µL", "kg"])), max_size=3),
            st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
        ),
        max_size=8,
    ),
)
def test_whatever_values_stand_there_nothing_but_an_entity_error_is_raised(
    calculator_id: int, entities: dict[str, Any]
) -> None:
    try:
        found = arguments(calculator_id, entities)
    except EntityError:
        return
    assert set(found) <= set(parameters(calculator_id)["properties"])
