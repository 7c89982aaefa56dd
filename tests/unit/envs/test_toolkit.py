"""The tool registry: schemas, validation, and every error an observation."""

from __future__ import annotations

import json
import threading
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tiny_env import GOLD, KIT

from distrl.envs.contract import ToolCall
from distrl.envs.toolkit import EpisodeState, ToolFailure, ToolKind, Toolkit, copied, kit
from distrl.envs.toolkit.schema import signature_line


def run(name: str, arguments: Any, call_id: str = "c", state: EpisodeState | None = None) -> Any:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return KIT.run(ToolCall(id=call_id, name=name, arguments=text), state=state)


def parameters(name: str) -> dict[str, Any]:
    return KIT[name].schema["function"]["parameters"]


def test_schema_follows_signature_and_docstring() -> None:
    schema = KIT.schemas()[0]
    assert schema["type"] == "function"
    assert schema["function"]["name"] == "dose"
    assert schema["function"]["description"] == "Say the dose of a drug in one line."
    fields = schema["function"]["parameters"]["properties"]
    assert list(fields) == list(GOLD)
    assert fields["drug"] == {"description": "the drug.", "type": "string", "enum": ["alpha", "beta"]}
    assert fields["weight_kg"] == {
        "description": "actual body weight. [kg]",
        "type": "number",
        "minimum": 1,
        "maximum": 300,
    }
    assert fields["age"]["description"] == "age of the patient, which goes on in a second line. [years]"
    assert fields["risks"]["required"] == ["heart", "renal"]
    assert fields["meals"] == {"type": ["array", "null"], "items": {"type": "integer"}, "default": None}
    assert fields["variants"]["properties"]["2D6"] == {"type": "string", "enum": ["poor", "rapid"]}
    assert fields["note"]["maxLength"] == 100
    assert parameters("dose")["required"] == ["drug", "weight_kg", "age", "allergies", "risks"]


def test_database_is_no_parameter_of_the_model() -> None:
    assert list(parameters("order")["properties"]) == ["item"]
    assert "unknown" in run("order", {"item": "x", "db": {}}, state=EpisodeState(db={"orders": []})).output


def test_signature_says_types_defaults_and_what_may_be_left_out() -> None:
    line = signature_line(KIT.schemas()[0])
    assert line.startswith('dose(drug: "alpha"|"beta", weight_kg: number, age: integer, allergies: [string]')
    assert "loading?: boolean = false): " in line
    foreign = {"function": {"name": "f", "parameters": {"properties": {"a": {}, "b": {"type": "array"}}}}}
    assert signature_line(foreign) == "f(a?: any, b?: array): "


def test_schemas_are_copies() -> None:
    KIT.schemas()[0]["function"]["parameters"]["properties"].clear()
    assert list(parameters("dose")["properties"]) == list(GOLD)


def test_gold_call_runs() -> None:
    event = run("dose", GOLD)
    assert (event.ok, event.kind, event.name) == (True, "READ", "dose")
    assert event.output.startswith("alpha 70.5 kg 60 y")


def test_integral_float_is_an_integer_and_a_boolean_is_not() -> None:
    assert " 60 y" in run("dose", {**GOLD, "age": 60.0}).output
    assert "[40, 60]" in run("dose", {**GOLD, "meals": [40.0, 60]}).output
    for wrong in (60.5, True, "60"):
        event = run("dose", {**GOLD, "age": wrong})
        assert not event.ok
        assert event.output.startswith("Error: Invalid arguments - age: ")
        assert "integer from 0 to 120 [years]" in event.output


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"drug": "gamma"}, 'drug: "gamma" is not one of "alpha", "beta"'),
        ({"weight_kg": 0.5}, "weight_kg: 0.5 is below the minimum 1; give number from 1 to 300 [kg]"),
        ({"weight_kg": 301}, "weight_kg: 301 is above the maximum 300; give number from 1 to 300 [kg]"),
        ({"weight_kg": True}, "weight_kg: true is a boolean; give number"),
        ({"allergies": None}, "allergies: null is null; give [string]"),
        ({"allergies": [1]}, "allergies.0: 1 is an integer; give string"),
        ({"risks": {"heart": True}}, "risks.renal: missing; give boolean"),
        ({"risks": {"heart": 1, "renal": True}}, "risks.heart: 1 is an integer; give boolean"),
        ({"variants": {"3A4": "poor"}}, 'variants."3A4": unknown; remove it (known: 2D6, 2C9)'),
        ({"note": "x" * 101}, "note: too long; give at most 100 characters"),
        ({"surprise": 1}, '"surprise": unknown; remove it (known: drug,'),
    ],
)
def test_argument_error_names_field_and_mend(change: dict[str, Any], said: str) -> None:
    event = run("dose", {**GOLD, **change})
    assert not event.ok
    assert event.output.startswith("Error: Invalid arguments - ")
    assert said in event.output


def test_every_missing_field_is_named_up_to_three() -> None:
    output = run("dose", {}).output
    assert "drug: missing" in output
    assert "weight_kg: missing; give number from 1 to 300 [kg]" in output
    assert output.endswith("and 2 more")


def test_unknown_tool_lists_what_is_available() -> None:
    event = run("dosing", {})
    assert (event.ok, event.kind) == (False, "")
    assert event.output == (
        "Error: Unknown tool 'dosing'. Available: dose, order, orders, flood, hang. Did you mean 'dose'?"
    )


@pytest.mark.parametrize("text", ["{", "{,}", "NaN", '{"a": 1, "a": 2}', '{"a": Infinity}', "[" * 5000, ""])
def test_bad_json_arguments_are_an_observation(text: str) -> None:
    assert run("dose", text).output.startswith("Error: Invalid JSON - ")


def test_tool_exceptions_are_observations() -> None:
    assert run("dose", {**GOLD, "drug": "beta", "allergies": ["beta"]}).output == "Error: allergic to beta"
    event = run("order", {"item": "broken"}, state=EpisodeState(db={"orders": []}))
    assert event.output == "Error: RuntimeError: the printer is on fire"


def test_output_is_cut_with_a_statement() -> None:
    output = run("flood", {"count": 10_000}).output
    assert len(output) == 50
    assert output.endswith("[cut: 10000 characters, limit 50]")


def test_write_runs_once_for_each_call_id() -> None:
    state = EpisodeState(db={"orders": []})
    first = run("order", {"item": "a"}, "c1", state)
    again = run("order", {"item": "a"}, "c1", state)
    assert first == again
    assert state.db == {"orders": ["a"]}
    other = run("order", {"item": "b"}, "c1", state)
    assert not other.ok
    assert "'c1' was used for another call" in other.output
    assert run("order", {"item": "a"}, "c2", state).output == "order 2: a"
    assert state.db == {"orders": ["a", "a"]}


def test_failed_write_changes_nothing_and_may_be_tried_again() -> None:
    state = EpisodeState(db={"orders": []})
    before = state.digest()
    assert not run("order", {"item": "broken"}, "c1", state).ok
    assert state.digest() == before
    assert run("order", {"item": "mended"}, "c1", state).ok


def test_read_leaves_the_digest() -> None:
    state = EpisodeState(db={"orders": ["a"]})
    before = state.digest()
    assert run("orders", {}, state=state).output == '["a"]'
    assert state.digest() == before


def test_hanging_tool_is_ended_and_said_so() -> None:
    before = threading.active_count()
    event = run("hang", {"seconds_to_lose": 1})
    assert event.output == "Error: TimeoutError: hang was ended after 0.05 s"
    assert threading.active_count() == before


def test_tool_that_cannot_be_ended_fails_the_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit, "GRACE_S", 0.05)
    release = threading.Event()
    stuck = Toolkit("stuck")

    @stuck.tool(ToolKind.GENERIC, time_limit_s=0.05)
    def block() -> str:
        """Block inside C code."""
        release.wait(30)
        return ""

    with pytest.raises(ToolFailure, match="block did not end"):
        stuck.run(ToolCall(id="c", name="block", arguments="{}"))
    release.set()


def test_declarations_without_a_schema_are_refused() -> None:
    bad = Toolkit("bad")
    for annotation in (complex, int | str, dict[int, str], list[object]):

        def tool(a: Any) -> str:
            """Doc."""
            return ""

        tool.__annotations__["a"] = annotation
        with pytest.raises(TypeError, match="tool: a"):
            bad.tool(ToolKind.READ)(tool)

    def documented(a: int) -> str:
        """Doc.

        Args:
            b: not a parameter.
        """
        return ""

    with pytest.raises(TypeError, match=r"unknown parameters \['b'\]"):
        bad.tool(ToolKind.READ)(documented)


def test_a_name_is_registered_once() -> None:
    twice = Toolkit("twice")

    def tool() -> str:
        """Doc."""
        return ""

    twice.tool(ToolKind.READ)(tool)
    with pytest.raises(ValueError, match="registered twice"):
        twice.tool(ToolKind.READ)(tool)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from([*GOLD, "x"]), JSON))
def test_any_arguments_give_an_event_that_agrees_with_the_schema(change: dict[str, Any]) -> None:
    arguments = {**GOLD, **change}
    text = json.dumps(arguments)
    event = KIT.run(ToolCall(id="c", name="dose", arguments=text))
    assert event.ok != event.output.startswith("Error: ")
    event.output.encode("utf-8")
    if event.ok:
        assert Draft202012Validator(parameters("dose")).is_valid(json.loads(text))


@settings(max_examples=60, deadline=None)
@given(st.text(), st.text())
def test_any_name_and_any_arguments_never_raise(name: str, arguments: str) -> None:
    event = KIT.run(ToolCall(id="c", name=name, arguments=arguments))
    assert not event.ok
    assert event.output.startswith("Error: ")


def test_copied_shares_nothing_and_takes_any_data() -> None:
    plain = {"a": [1, {"b": 2.5}], "c": None}
    twin = copied(plain)
    twin["a"][1]["b"] = 3
    assert plain == {"a": [1, {"b": 2.5}], "c": None}
    other = {"when": date(2030, 1, 2), "rows": [[1]]}
    twin = copied(other)
    assert twin == other and twin["rows"] is not other["rows"]
