"""The two toolkits as a whole: names, kinds, public calls, no change by reading, no raising, the document."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tools_harness import (
    Shelf,
    allergy,
    answer,
    arguments_of,
    database,
    lab,
    medication,
    person,
    problem,
    run,
)

from distrl.envs.clinical.formulary import DRUGS
from distrl.envs.healthcare.knowledge import default
from distrl.envs.healthcare.tools import clinical_diagnosis, describe, drug_interaction
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.labs import TESTS
from distrl.envs.healthcare.world.records import Database
from distrl.envs.toolkit import EpisodeState, Tool, ToolKind, Toolkit

REPOSITORY = Path(__file__).parents[3]
PUBLIC = REPOSITORY.parent / "shared" / "data" / "healthcare_gym_tasks"
KITS: dict[str, Toolkit] = {
    "clinical_diagnosis": clinical_diagnosis.TOOLS,
    "drug_interaction": drug_interaction.TOOLS,
}
EVERY = [pytest.param(kit, tool, id=f"{kit.name}-{tool.name}") for kit in KITS.values() for tool in kit]
WRITES = {
    "order_lab_test": {"patient_id": "P001", "test_name": "Troponin"},
    "prescribe_medication": {
        "patient_id": "P001",
        "drug_name": "azithromycin",
        "dose": 500,
        "dose_unit": "mg",
        "route": "oral",
        "doses_per_day": 1,
    },
    "add_clinical_note": {"patient_id": "P001", "note_type": "progress", "content": "Worse."},
    "record_diagnosis": {"patient_id": "P001", "diagnosis": "Pneumonia", "icd10_code": "J18.9"},
    "transfer_to_specialist": {"specialty": "surgery", "summary": "Please see."},
}


def full_world() -> Database:
    """A patient of whom everything is on record."""
    full = person(
        allergies=[allergy("penicillin", "penicillin", "severe")],
        medications=[medication("warfarin"), medication("amiodarone", 200), medication("lisinopril", 10)],
        problems=[problem("atrial_fibrillation"), problem("cirrhosis")],
        labs=[
            lab(short, value)
            for short, value in (
                ("cr", 1.9),
                ("bun", 30),
                ("bili", 2.4),
                ("alb", 2.7),
                ("inr", 1.9),
                ("na", 131),
            )
        ],
        notes=[
            {
                "note_id": "N1",
                "at": "2031-03-04T07:00",
                "kind": "admission",
                "author": "doctor",
                "text": "Cough.",
            }
        ],
    )
    return database(full, person(patient_id="P777", name="Somebody Else"))


KNOWN = {
    "patient_id": ["P001", "P777", "nobody"],
    "drug_name": list(DRUGS),
    "drug_a": list(DRUGS),
    "drug_b": list(DRUGS),
    "new_drug": list(DRUGS),
    "test_name": list(TESTS),
    "condition": [c.name for c in CONDITIONS.values()],
    "symptoms": ["fever, cough", "chest pain"],
    "dose_unit": ["mg", "g", "mcg", "units"],
    "route": ["oral", "iv", "po"],
    "drug_class": sorted({c for d in DRUGS.values() for c in d.classes}),
}


CLINICAL_NAMES = """
get_patient_info get_patient_history get_vital_signs get_vital_signs_trend get_lab_results order_lab_test
get_medications check_drug_interaction prescribe_medication get_clinical_notes add_clinical_note
get_differential_diagnosis search_clinical_guidelines record_diagnosis search_medical_literature
transfer_to_specialist calculate_curb65 calculate_wells_score calculate_chads2_vasc calculate_meld_score
calculate_apache2 get_allergy_list calculate_bmi get_immunization_history think
"""
DRUG_NAMES = """
get_drug_info search_drugs_by_class check_interaction check_all_interactions get_patient_medications
search_alternatives check_dosage check_cyp450_metabolism calculate_renal_dose_adjustment
calculate_hepatic_dose_adjustment check_pregnancy_safety calculate_interaction_severity_score
check_food_interactions get_pharmacokinetics check_therapeutic_drug_monitoring think submit_answer
"""


@pytest.fixture(autouse=True, scope="module")
def small_knowledge_base() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(default, "_in_use", [Shelf()])
        yield


def test_names_and_kinds_are_those_of_the_published_gym() -> None:
    clinical = clinical_diagnosis.TOOLS
    assert [t.name for t in clinical] == CLINICAL_NAMES.split()
    assert [t.name for t in drug_interaction.TOOLS] == DRUG_NAMES.split()
    assert {t.name for t in clinical if t.kind is ToolKind.WRITE} == set(WRITES)
    assert not [t.name for t in drug_interaction.TOOLS if t.kind is ToolKind.WRITE]


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public task files are not in ../shared")
@pytest.mark.parametrize("domain", KITS)
def test_expected_calls_of_the_public_tasks_fit_the_schemas_and_run(domain: str) -> None:
    checked = 0
    for task in json.loads((PUBLIC / domain / "tasks.json").read_text()):
        for action in task["evaluation_criteria"]["actions"]:
            arguments = action["arguments"]
            if action["name"] == "submit_answer" and not arguments:
                arguments = {"answer": task["correct_answer"]}  # these files compare its name alone
            KITS[domain].check(action["name"], arguments)
            whom = person(patient_id=arguments.get("patient_id", "P001"))
            event = run(KITS[domain], action["name"], database(whom), **arguments)
            assert event.ok, event.output
            checked += 1
    assert checked >= 15


@pytest.mark.parametrize(("kit", "tool"), EVERY)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_arguments_get_an_observation_and_only_a_write_changes_the_record(
    kit: Toolkit, tool: Tool, data: st.DataObject
) -> None:
    state = EpisodeState(db=full_world())
    before = state.digest()
    event = run(kit, tool.name, state, **data.draw(arguments_of(tool.schema, KNOWN)))
    assert event.ok != event.output.startswith("Error:")
    if event.ok:
        json.loads(event.output)
    if tool.kind is not ToolKind.WRITE or not event.ok:
        assert state.digest() == before
    assert "Somebody Else" not in event.output or "P777" in event.arguments


@pytest.mark.parametrize("name", WRITES)
def test_a_write_changes_the_record_once_for_each_call_id(name: str) -> None:
    kit, state = clinical_diagnosis.TOOLS, EpisodeState(db=database())
    before = state.digest()
    first = run(kit, name, state, **WRITES[name])
    after = state.digest()
    assert first.ok and after != before, first.output
    again = run(kit, name, state, **WRITES[name])
    assert again.output == first.output and state.digest() == after
    run(kit, name, state, call_id="call_1", **WRITES[name])
    assert state.digest() != after


@pytest.mark.parametrize(("kit", "tool"), EVERY)
def test_an_unknown_patient_is_an_error_that_names_nobody(kit: Toolkit, tool: Tool) -> None:
    if "patient_id" not in tool.parameters:
        return
    given_arguments: dict[str, Any] = {
        **WRITES.get(tool.name, {}),
        **{n: v for n, v in (("drug_name", "warfarin"), ("drug_a", "warfarin"), ("drug_b", "aspirin"))},
        "dose": 5,
        "symptoms": "fever",
        "condition": "pe",
        "patient_id": "P002",
    }
    event = run(
        kit, tool.name, full_world(), **{n: v for n, v in given_arguments.items() if n in tool.parameters}
    )
    assert not event.ok
    assert "no patient with id 'P002'" in event.output
    assert "P001" not in event.output and "P777" not in event.output


CLINICAL_READS = """get_patient_info get_patient_history get_vital_signs get_vital_signs_trend get_lab_results
get_medications get_clinical_notes get_allergy_list get_immunization_history calculate_bmi"""


@cache
def generated() -> list[Database]:
    return [make_database(11, key, others=0) for key in cases()[::5]]


def test_reading_tools_answer_whole_json_on_every_generated_patient() -> None:
    for db in generated():
        state, pid = EpisodeState(db=db), target_of(db)
        before = state.digest()
        for name in CLINICAL_READS.split():
            event = run(clinical_diagnosis.TOOLS, name, state, patient_id=pid)
            assert event.ok, (name, event.output)
            json.loads(event.output)
        for name in ("get_patient_medications", "check_all_interactions"):
            event = run(drug_interaction.TOOLS, name, state, patient_id=pid)
            assert event.ok, (name, event.output)
            json.loads(event.output)
        assert state.digest() == before


def test_every_treatment_of_the_condition_table_can_be_prescribed() -> None:
    for condition in CONDITIONS.values():
        for treatment in condition.treatments:
            for option in treatment.options:
                dose = option.dose * (20.0 if option.dose_per_kg else 1.0)
                event = run(
                    clinical_diagnosis.TOOLS,
                    "prescribe_medication",
                    database(),
                    patient_id="P001",
                    drug_name=option.drug,
                    dose=dose,
                    dose_unit=option.dose_unit,
                    route=option.route,
                    doses_per_day=option.doses_per_day,
                )
                assert event.ok, (condition.key, option, event.output)


def test_every_test_of_a_workup_can_be_ordered() -> None:
    for condition in CONDITIONS.values():
        for test in condition.workup:
            event = run(
                clinical_diagnosis.TOOLS, "order_lab_test", database(), patient_id="P001", test_name=test
            )
            assert event.ok, (condition.key, event.output)


def test_literature_is_excerpts_with_their_ids_and_nothing_found_is_said() -> None:
    kit = clinical_diagnosis.TOOLS
    found = answer(kit, "search_medical_literature", database(), query="ceftriaxone dose")
    assert found["passages"][0]["doc_id"] == "d1" and len(found["passages"][0]["excerpt"]) <= 500
    none = answer(kit, "search_medical_literature", database(), query="zebra")
    assert none["passages"] == [] and none["missing"]
    assert not run(kit, "search_medical_literature", database(), query=" ").ok


def test_the_document_of_the_tools_is_what_the_toolkits_say() -> None:
    written = (REPOSITORY / "docs" / "healthcare_tools.md").read_text(encoding="utf-8")
    assert written == describe.document(), "run python -m distrl.envs.healthcare.tools.describe"
