"""Scores over the record: the calculators' values, arguments first, no score without an input."""

import pytest
from tools_harness import answer, database, lab, person, problem, run, vitals

from distrl.envs.clinical.calculators import body, infection, liver
from distrl.envs.healthcare.tools.clinical_diagnosis import TOOLS

LABS = {
    "cr": 2.0, "bun": 40, "bili": 3.0, "inr": 1.8, "na": 128, "k": 5.6, "hct": 33.0, "wbc": 16.0,
    "ph": 7.29, "po2": 62,
}  # fmt: skip


def measured(**changes: object) -> object:
    return database(person(labs=[lab(short, value) for short, value in LABS.items()], **changes))


def test_curb65_is_the_calculators_and_names_each_source() -> None:
    found = answer(TOOLS, "calculate_curb65", measured(), patient_id="P001")  # type: ignore[arg-type]
    expected = infection.curb_65(
        age=70, bun=40, respiratory_rate=32, systolic_bp=88, diastolic_bp=55, confusion=False
    )
    assert found["score"] == expected.value == 4
    assert found["inputs"]["bun"] == {
        "value": 40, "unit": "mg/dL", "source": "laboratory, 2031-03-04T08:00",
    }  # fmt: skip
    assert found["inputs"]["confusion"]["source"].startswith("GCS 15")


def test_an_argument_counts_before_the_record() -> None:
    found = answer(
        TOOLS,
        "calculate_curb65",
        measured(),
        patient_id="P001",
        bun=10,
        confusion=True,  # type: ignore[arg-type]
    )
    assert found["score"] == 4 and found["inputs"]["bun"]["source"] == "given"


def test_without_an_input_there_is_no_score() -> None:
    found = answer(TOOLS, "calculate_curb65", database(), patient_id="P001")
    assert found["score"] is None
    assert found["missing"] == ["urea nitrogen: not measured; order Basic Metabolic Panel"]
    no_gcs = database(person(labs=[lab("bun", 30)], vitals=[vitals(gcs=None)]))
    assert "confusion" in answer(TOOLS, "calculate_curb65", no_gcs, patient_id="P001")["missing"][0]
    nobody = answer(TOOLS, "calculate_bmi", database(), weight_kg=80)
    assert nobody["score"] is None and "height" in nobody["missing"][0]


def test_meld_and_bmi_are_the_calculators() -> None:
    meld = answer(TOOLS, "calculate_meld_score", measured(), patient_id="P001")  # type: ignore[arg-type]
    assert meld["score"] == liver.meld_na(creatinine=2.0, bilirubin=3.0, inr=1.8, sodium=128).value
    bmi = answer(TOOLS, "calculate_bmi", database(), patient_id="P001")
    assert bmi["score"] == pytest.approx(float(body.body_mass_index(weight=72, height=175).value), abs=0.01)  # type: ignore[arg-type]
    assert bmi["interpretation"] == "normal weight"


def test_chads_vasc_counts_the_problem_list_and_lists_what_it_counts_as_absent() -> None:
    db = database(
        person(
            problems=[problem("heart_failure"), problem("diabetes_type_2"), problem("myocardial_infarction")]
        )
    )
    found = answer(TOOLS, "calculate_chads2_vasc", db, patient_id="P001")
    assert found["score"] == 4  # age 65-74, heart failure, diabetes, vascular disease
    assert "stroke" in found["counted_as_absent"]
    assert found["interpretation"] == "anticoagulation recommended"
    denied = answer(TOOLS, "calculate_chads2_vasc", db, patient_id="P001", diabetes=False)
    assert denied["score"] == 3


def test_wells_takes_the_items_of_its_kind_alone() -> None:
    found = answer(
        TOOLS, "calculate_wells_score", database(), condition="pe", patient_id="P001", pe_most_likely=True
    )
    assert found["score"] == 4.5 and found["interpretation"].startswith("pulmonary embolism likely")
    bleeding = database(
        person(presentation={**person()["presentation"], "symptoms": ["coughing a little blood"]})
    )
    read = answer(TOOLS, "calculate_wells_score", bleeding, condition="pe", patient_id="P001")
    assert read["score"] == 2.5 and read["inputs"]["hemoptysis"]["source"].startswith("record")
    assert "dvt_signs" in read["counted_as_absent"]
    wrong = run(TOOLS, "calculate_wells_score", database(), condition="pe", pitting_edema=True, heart_rate=90)
    assert not wrong.ok and "pitting_edema: not an item" in wrong.output
    empty = run(TOOLS, "calculate_wells_score", database(), condition="dvt")
    assert not empty.ok and "patient_id" in empty.output


def test_apache_never_assumes_the_inspired_oxygen() -> None:
    without = answer(TOOLS, "calculate_apache2", measured(), patient_id="P001")  # type: ignore[arg-type]
    assert without["score"] is None and without["missing"] == ["fio2: not given, and not on the record"]
    room_air = answer(TOOLS, "calculate_apache2", measured(), patient_id="P001", fio2=21)  # type: ignore[arg-type]
    assert room_air["score"] > 15
    oxygen = answer(TOOLS, "calculate_apache2", measured(), patient_id="P001", fio2=60)  # type: ignore[arg-type]
    assert oxygen["score"] is None and "a_a_gradient" in oxygen["missing"][0]


def test_adult_scores_refuse_a_child() -> None:
    child = database(person(age_years=6.0, labs=[lab("bun", 10, age=6.0)]))
    event = run(TOOLS, "calculate_curb65", child, patient_id="P001")
    assert not event.ok and "holds for adults" in event.output
    assert "percentile" in answer(TOOLS, "calculate_bmi", child, patient_id="P001")["interpretation"]
