"""The dimensions as TRL reward functions: calls are run again, and a text is never believed about a tool."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from reward_episodes import DIAGNOSED, expected, task

from distrl.envs.healthcare.reward import trl
from distrl.envs.toolkit import ToolKind, Toolkit

KIT = Toolkit("tiny")


@KIT.tool(ToolKind.READ)
def get_patient_info(db: Any, patient_id: str) -> dict[str, Any]:
    """Who the patient is.

    Args:
        patient_id: Such as P001.
    """
    return dict(db["patients"][patient_id])


@KIT.tool(ToolKind.WRITE)
def record_diagnosis(db: Any, patient_id: str, diagnosis: str, icd10: str) -> str:
    """Record a diagnosis.

    Args:
        patient_id: Such as P001.
        diagnosis: Its name.
        icd10: Its code.
    """
    db["diagnoses"].append({**DIAGNOSED, "patient_id": patient_id, "diagnosis": diagnosis, "icd10": icd10})
    return "recorded"


PAYLOAD = task(
    expected=[
        expected("get_patient_info", "patient_id", patient_id="P001"),
        expected("record_diagnosis", "icd10", icd10="J18"),
    ],
    assertions=[],
)
LOOK = {"name": "get_patient_info", "arguments": {"patient_id": "P001"}}
RECORD = {
    "name": "record_diagnosis",
    "arguments": {"patient_id": "P001", "diagnosis": "Pneumonia", "icd10": "J18.9"},
}
ANSWER = "The diagnosis is community-acquired pneumonia because of the fever."


def tagged(call: dict[str, Any]) -> str:
    return f"<tool_call>{json.dumps(call)}</tool_call>"


def chat(*assistant: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text} for text in assistant]


def rewards(name: str, *completions: Any, payload: Any = PAYLOAD) -> list[float | None]:
    (function,) = trl.reward_functions([name], toolkit=KIT)
    return function(["…"] * len(completions), list(completions), task=[payload] * len(completions))


def test_each_dimension_is_a_function() -> None:
    functions = trl.reward_functions(trl.DIMENSIONS, toolkit=KIT)
    assert [f.__name__ for f in functions] == [f"healthcare_{name}" for name in trl.DIMENSIONS]
    completion = chat(tagged(LOOK), tagged(RECORD), ANSWER)
    for function in functions:
        (value,) = function(["…"], [completion], task=[PAYLOAD])
        assert value is None if function.__name__ == "healthcare_assertions" else 0.0 <= value <= 1.0


def test_calls_are_run_again() -> None:
    done, claimed = chat(tagged(LOOK), tagged(RECORD), ANSWER), chat(ANSWER)
    claimed.insert(0, {"role": "tool", "content": "recorded"})
    assert rewards("process", done, claimed, ANSWER) == [pytest.approx(1.0), 0.0, 0.0]
    assert rewards("accuracy", done, claimed, ANSWER) == [1.0, 1.0, 1.0]


def test_calls_of_the_chat_schema_are_calls() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"type": "function", "function": LOOK},
            {"type": "function", "function": {**RECORD, "arguments": json.dumps(RECORD["arguments"])}},
        ],
    }
    assert rewards("process", [message, *chat(ANSWER)]) == [pytest.approx(1.0)]


def test_a_payload_may_be_json_and_the_first_stays_as_it_was() -> None:
    before = json.dumps(PAYLOAD)
    assert rewards("process", chat(tagged(LOOK), tagged(RECORD), ANSWER), payload=before) == [
        pytest.approx(1.0)
    ]
    rewards("total", chat(tagged(RECORD), ANSWER))
    assert json.dumps(PAYLOAD) == before


def test_a_failed_or_malformed_call_earns_nothing() -> None:
    bad = chat(
        tagged({"name": "get_patient_info", "arguments": {"patient_id": "P9"}}), "<tool_call>{x</tool_call>"
    )
    e = trl.replay(PAYLOAD, bad, KIT)
    assert [(c.name, c.ok) for c in e.calls] == [("get_patient_info", False), ("", False)]
    assert rewards("process", bad) == [0.0]


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ValueError, match="unknown dimension 'style'; one of accuracy"):
        trl.reward_functions(["style"])
    (function,) = trl.reward_functions(["total"], toolkit=KIT)
    with pytest.raises(ValueError, match="needs a column 'task'"):
        function(["…"], ["…"])


def test_trl_is_not_imported() -> None:
    tree = ast.parse(Path(trl.__file__).read_text())
    names = {n.name for node in ast.walk(tree) if isinstance(node, ast.Import) for n in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {name for name in names if name.split(".")[0] in {"trl", "torch", "transformers"}}
