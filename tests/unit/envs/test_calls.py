"""Tool calls in text: tolerant where it is harmless, an error text where it is not, never an exception."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.envs.toolkit import cut, parse_tool_calls

CALL = '{"name": "f", "arguments": {"a": 1, "b": [true, null]}}'
ARGUMENTS = {"a": 1, "b": [True, None]}


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{CALL}</tool_call>",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"<tool_call>```json\n{CALL}\n```</tool_call>",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}\n```",
        f"```json\n{CALL}",
        CALL,
        f"  {CALL}\n",
        CALL.replace("arguments", "parameters"),
        json.dumps({"name": " f ", "arguments": json.dumps(ARGUMENTS)}),
        f"<think>I could <tool_call>{{}}</tool_call></think><tool_call>{CALL}</tool_call>",
        f"thought without an opening tag</think>{CALL}",
    ],
)
def test_every_spelling_is_the_same_call(text: str) -> None:
    parsed = parse_tool_calls(text)
    assert parsed.errors == ()
    assert [(c.id, c.name, json.loads(c.arguments)) for c in parsed.calls] == [("call_0", "f", ARGUMENTS)]
    assert parsed.content == ""


def test_several_calls_keep_their_order_and_content() -> None:
    text = f'One.<tool_call>{CALL}</tool_call> Two. <tool_call>{{"a"</tool_call><tool_call>{CALL}'
    parsed = parse_tool_calls(text, id_prefix="call_7")
    assert [c.id for c in parsed.calls] == ["call_7_0", "call_7_2"]
    assert [isinstance(a, str) for a in parsed.attempts] == [False, True, False]
    assert parsed.content == 'One.\nTwo.\n<tool_call>{"a"</tool_call>'


def test_thinking_is_kept_apart() -> None:
    parsed = parse_tool_calls(f"<think>first {CALL}</think>Answer.<think>never closed {CALL}")
    assert parsed.thinking == f"first {CALL}\nnever closed {CALL}"
    assert parsed.content == "Answer."
    assert parsed.attempts == ()


def test_own_id_is_kept() -> None:
    parsed = parse_tool_calls('{"id": "x1", "name": "f", "arguments": {}}')
    assert parsed.calls[0].id == "x1"


def test_text_behind_a_bare_call_is_content() -> None:
    parsed = parse_tool_calls(CALL + "\nThat is all.")
    assert len(parsed.calls) == 1
    assert parsed.content == "That is all."


def test_bare_calls_in_a_row_are_each_a_call() -> None:
    parsed = parse_tool_calls(f"{CALL}\n{CALL} {CALL}Done.")
    assert [c.id for c in parsed.calls] == ["call_0", "call_1", "call_2"]
    assert parsed.content == "Done."
    broken = parse_tool_calls(CALL + CALL[:-1])
    assert [isinstance(a, str) for a in broken.attempts] == [False, True]


@pytest.mark.parametrize(
    "text", ["", "Hello.", '{"answer": 42}', "[1, 2]", "```python\nprint()\n```", "</tool_call>"]
)
def test_other_text_is_content_without_an_attempt(text: str) -> None:
    assert parse_tool_calls(text).attempts == ()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "the call is empty"),
        ('{"name": "f", "arguments": {"a": 1,}}', "trailing comma"),
        ("{'name': 'f'}", "use double quotes"),
        ('{"name": "f", "arguments": {"a": 1', "ends too early"),
        ('{"name": "f", "arguments": {"a": NaN}}', "NaN is not JSON"),
        ('{"name": "f", "arguments": {"a": -Infinity}}', "-Infinity is not JSON"),
        ('{"name": "f", "arguments": {"a": 1e999}}', "too large"),
        ('{"name": "f", "arguments": {"a": ' + "9" * 5000 + "}}", "too large"),
        ('{"name": "f", "arguments": {"a": 1, "a": 2}}', 'duplicate key "a"'),
        ('{"name": "f", "name": "g", "arguments": {}}', 'duplicate key "name"'),
        ('{"name": "f", "arguments": {"a": ' + "[" * 40 + "]" * 40 + "}}", "nested deeper"),
        ("[" * 5000, "nested deeper"),
        ('{"a":' * 5000, "nested deeper"),
        (f"[{CALL}]", "must be an object"),
        ('"f"', "must be an object"),
        ('{"arguments": {}}', '"name" is missing'),
        ('{"name": 3, "arguments": {}}', '"name" is missing'),
        ('{"name": "f"}', '"arguments" is missing'),
        ('{"name": "f", "arguments": {}, "parameters": {}}', 'give "arguments" once'),
        ('{"name": "f", "arguments": null}', '"arguments" must be an object'),
        ('{"name": "f", "arguments": [1]}', '"arguments" must be an object'),
        ('{"name": "f", "arguments": "{\\"a\\": 1,}"}', "trailing comma"),
        ('{"name": "f", "arguments": {}, "code": "x"}', 'unknown key "code"'),
        ('{"id": "", "name": "f", "arguments": {}}', '"id" must be'),
        (CALL + " and more", "extra text"),
        ("f(a=1)", "Expecting value"),
    ],
)
def test_malformed_call_is_an_error_text(body: str, said: str) -> None:
    parsed = parse_tool_calls(f"<tool_call>{body}</tool_call>")
    assert parsed.calls == ()
    (error,) = parsed.errors
    assert error.startswith("Error: Invalid JSON - ")
    assert said in error
    assert "\n" not in error
    assert len(error) < 300


def test_integers_are_read_up_to_64_bits() -> None:
    for number, sound in ((2**63 - 1, True), (2**63, False), (-(2**63) + 1, True), (-(2**63) - 1, False)):
        parsed = parse_tool_calls(f'{{"name": "f", "arguments": {{"a": {number}}}}}')
        assert bool(parsed.calls) is sound, number
        assert bool(parsed.errors) is not sound, number


def test_lone_surrogates_do_not_survive() -> None:
    parsed = parse_tool_calls('\ud800 <tool_call>{"name": "f", "arguments": {"a": "\\ud800"}}</tool_call>')
    (parsed.content + parsed.calls[0].arguments).encode("utf-8")


PIECES = st.sampled_from(
    [
        *(
            "<tool_call>",
            "</tool_call>",
            "<think>",
            "</think>",
            "```json\n",
            "```",
            CALL,
            '{"name"',
            ': "f", ',
        ),
        *('"arguments"', "{", "}", "[", "]", '"', "\\", ",", "NaN", "1e400", "\ud800", "\x00", "\n", " "),
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(PIECES | st.text(st.characters(), max_size=4), max_size=40).map("".join))
def test_no_text_raises_and_every_call_is_plain_json(text: str) -> None:
    parsed = parse_tool_calls(text)
    for call in parsed.calls:
        assert isinstance(json.loads(call.arguments), dict)
        call.arguments.encode("utf-8")
    assert all(e.startswith("Error: Invalid JSON - ") and "\n" not in e for e in parsed.errors)
    parsed.content.encode("utf-8")
    assert parsed == parse_tool_calls(text)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<tool_call>",
            "</tool_call>",
            "<think>",
            "</think>",
            "[",
            "{",
            '{"a":',
            '"',
            "\\",
            "```",
            "```json\n{",
            " ",
        ),
        *(
            "<",
            "<tool_call>{}",
            CALL,
            '{"name""arguments"',
            "<tool_call>```",
            "1",
            "\ud800",
            "<tool_call>[[[[",
        ),
    ],
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    def seconds(chars: int) -> float:
        text = (piece * chars)[:chars]
        best = float("inf")
        for _ in range(2):
            started = time.thread_time()
            parse_tool_calls(text)
            best = min(best, time.thread_time() - started)
        return best

    assert seconds(80_000) < 24 * seconds(10_000) + 0.02  # 8 times the text; quadratic would be 64
    assert seconds(10_000) < 0.5


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300), st.integers(40, 200))
def test_cut_keeps_the_limit_and_says_what_was_cut(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= limit
    assert short == text if len(text) <= limit else f"{len(text)} characters, limit {limit}" in short
