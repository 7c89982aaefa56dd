"""Checks read the agent's words, its successful calls and its own rows, and nothing that a tool printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from reward_episodes import DIAGNOSED, PRESCRIBED, answered, call, database, episode, honest

from distrl.envs.healthcare.checks import allowed, arguments_match, holds, new_rows


def said(*concepts: list[str]) -> Any:
    return {"kind": "said", "concepts": list(concepts)}


def test_each_concept_needs_one_of_its_terms_asserted() -> None:
    e = answered("He has pneumonia. I start doxycycline. There is no sign of heart failure.")
    assert holds(said(["pneumonia"], ["azithromycin", "doxycycline"]), e)
    assert not holds(said(["pneumonia"], ["azithromycin"]), e)
    assert not holds(said(["heart failure"]), e)
    assert holds({"kind": "not_said", "terms": ["heart failure"]}, e)
    assert not holds({"kind": "not_said", "terms": ["heart failure", "doxycycline"]}, e)


def test_what_a_tool_printed_is_not_said() -> None:
    e = episode(calls=(call("get_allergy_list", output='{"allergies": ["penicillin allergy"]}'),))
    assert not holds(said(["penicillin allergy"]), e)


def test_a_pasted_tool_output_is_not_said() -> None:
    output = '{"allergies": [{"substance": "penicillin", "note": "The patient has a penicillin allergy."}]}'
    e = answered(f"Here is the record. {output}", calls=(call("get_allergy_list", output=output),))
    assert not holds(said(["penicillin allergy"]), e)
    assert holds(said(["penicillin allergy"]), answered("The patient has a penicillin allergy."))


def test_a_keyword_list_is_not_said() -> None:
    soup = "pneumonia doxycycline penicillin allergy sepsis embolism lactate fluids oxygen ward diabetes curb"
    assert not holds(said(["penicillin allergy"]), answered(soup))


def test_only_successful_calls_count() -> None:
    check: Any = {"kind": "called", "name": "get_vital_signs", "where": {"patient_id": ["P001"]}}
    assert holds(check, honest())
    assert not holds(check, episode(calls=(call("get_vital_signs", ok=False, patient_id="P001"),)))
    assert not holds(check, episode(calls=(call("get_vital_signs", patient_id="P002"),)))
    assert not holds(check, episode(calls=(call("get_vital_signs"),)))


def test_only_rows_of_the_episode_count() -> None:
    check: Any = {"kind": "recorded", "table": "diagnoses", "where": {"icd10": ["J18"]}}
    assert holds(check, honest())
    old = database(diagnoses=[DIAGNOSED])
    assert not holds(check, episode(before=old, after=old))
    twice = database(diagnoses=[DIAGNOSED, DIAGNOSED])
    assert holds(check, episode(before=old, after=twice))
    assert holds({**check, "kind": "not_recorded"}, episode(before=old, after=old))


def test_a_changed_row_is_a_new_one() -> None:
    stronger = {**PRESCRIBED, "dose": 200.0}
    e = episode(before=database(prescriptions=[PRESCRIBED]), after=database(prescriptions=[stronger]))
    assert new_rows(e, "prescriptions") == [stronger]


def test_order_of_calls() -> None:
    check: Any = {"kind": "before", "first": "get_allergy_list", "then": ["prescribe_medication"]}
    look, act = call("get_allergy_list"), call("prescribe_medication")
    assert holds(check, episode(calls=(look, act)))
    assert not holds(check, episode(calls=(act, look)))
    assert not holds(check, episode(calls=(act,)))
    assert not holds(check, episode(calls=(replace(look, ok=False), act)))
    assert holds(check, episode(calls=()))


def test_any_of_needs_one_and_nesting_is_bounded() -> None:
    never: Any = {"kind": "called", "name": "no_such_tool"}
    always: Any = {"kind": "not_recorded", "table": "orders", "where": {}}
    assert holds({"kind": "any_of", "checks": [never, always]}, episode())
    assert not holds({"kind": "any_of", "checks": [never, never]}, episode())
    deep = always
    for _ in range(20):
        deep = {"kind": "any_of", "checks": [deep]}
    with pytest.raises(ValueError, match="nested deeper"):
        holds(deep, episode())


@pytest.mark.parametrize(
    ("check", "complaint"),
    [
        ({"kind": "sad"}, "unknown kind of check 'sad'"),
        ({}, "unknown kind"),
        ({"kind": "said"}, "needs 'concepts'"),
        ({"kind": "said", "concepts": []}, "needs 'concepts'"),
        ({"kind": "called"}, "needs 'name'"),
        ({"kind": "recorded", "table": "patients"}, "unknown table 'patients'"),
        ({"kind": "before", "first": "a"}, "needs 'then'"),
    ],
)
def test_a_malformed_check_says_what_is_wrong(check: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        holds(check, honest())


@pytest.mark.parametrize(
    ("field", "actual", "expected", "same"),
    [
        ("dose", 500, 500.0, True),
        ("dose", 500.0, [250, 500], True),
        ("dose", 0.1 + 0.2, 0.3, True),
        ("dose", 501, 500, False),
        ("flag", True, 1, False),
        ("flag", True, True, True),
        ("test", " Blood  Culture", "blood culture", True),
        ("test", "blood culture", ["lactate", "blood culture"], True),
        ("drugs", ["b", "A"], ["a", "B"], True),
        ("drugs", ["a", "b"], [["c"], ["b", "a"]], True),
        ("drugs", ["a"], ["a", "b"], False),
        ("drug", "Tylenol", "acetaminophen", True),
        ("drug_name", "paracetamol", "acetaminophen", True),
        ("note", "Tylenol", "acetaminophen", False),
        ("drug", "warfarin", "acetaminophen", False),
        ("icd10", "J18.9", "J18", True),
        ("icd10", "J18.9", "J18.1", False),
        ("icd10", "J15.1", ["J18", "J15"], True),
        ("diagnosis", "Severe community-acquired pneumonia", "pneumonia", True),
        ("diagnosis", "No pneumonia", "pneumonia", False),
    ],
)
def test_values_compare_by_what_they_mean(field: str, actual: Any, expected: Any, same: bool) -> None:
    assert allowed(field, actual, expected) is same


def test_a_pair_of_drugs_has_no_order() -> None:
    where = {"drug_a": "warfarin", "drug_b": "fluconazole"}
    assert arguments_match({"drug_a": "fluconazole", "drug_b": "Coumadin"}, where)
    assert not arguments_match({"drug_a": "warfarin", "drug_b": "Coumadin"}, where)
    assert not arguments_match({"drug_a": "warfarin"}, where)
