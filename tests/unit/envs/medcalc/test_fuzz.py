"""A hundred thousand hostile answers: the grade is finite, in range, quick, and never raises."""

import random
import statistics
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from medcalc_cases import AGE, CLEARANCE, DUE, SCORE
from test_answer import NO_NUMBER, NUMBERS
from test_attacks import HEDGES, PADDING

from distrl.envs.medcalc.grading.rewards import CARD_WEIGHTS, grade_text

TASKS = (CLEARANCE, SCORE, DUE, AGE)
COUNT = 100_000
BATCH = 20  # timed together: reading the clock costs as much as a grade
LIMIT_S = 5e-3
REPEATS = 5  # of an answer that looked slow once: the median tells its own time from the machine's

PIECES = (
    *[body for body, _, _ in NUMBERS],
    *[body for body in NO_NUMBER if len(body) < 50],
    *(line for task in TASKS for line in task["explanation"]),
    *(
        "<think>",
        "</think>",
        "\\boxed{",
        "}",
        "{",
        "<answer>",
        "</answer>",
        '{"answer": ',
        '"',
        "\n",
        " ",
        "=",
        "≈",
    ),
    *(
        "<tool_call>",
        "</tool_call>",
        "```json",
        "\\frac{1}{2}",
        "\\text{",
        "mL/min",
        "mg/dL",
        "%",
        "±",
        "9**9**9",
    ),
    *(
        "\u200b",
        "\ud800",
        "\x00",
        "٤٠",
        "1e308",
        "-0",
        "1/0",
        "(" * 30,
        ")" * 30,
        "√" * 9,
        "^-^",
        "12/02/2000",
    ),
    *(
        "34 weeks 3 days",
        ": +1",
        "hypertension: +1",
        "max(1,",
        "0 days",
        "2000-02-30",
        "1,2,3",
        "é",
        "🙂",
        "nan",
    ),
)
# Shapes that are slow for readers that go back and forth, each as long as an action may be.
LONG = {
    "one sum": "\n".join("1+" * 110 + f"{i} = {i + 110}" for i in range(45)),
    "short claims": "1+1=2=" * 1650,
    "equal signs": "=" * 9900,
    "chains": "\n".join("1=2=" * 50 for _ in range(49)),
    "functions": "\n".join("max(" * 8 + "1,1" + ",1)" * 8 + f" = {i}" for i in range(150)),
    "brackets": "\n".join("(" * 20 + "1+1" + ")" * 20 + "= 2" for _ in range(200)),
    "units": "\n".join("1kg/mL " * 30 + "= 1" for _ in range(45)),
    "points": "\n".join(f"word{i}: +1" for i in range(800)),
    "dates": "\n".join("2020-01-01 " * 18 + "1 day" for _ in range(48)),
    "spaces": " " * 9900,
    "digits": "9" * 9900,
    "fractions": "\\frac{" * 1600,
    "wrappers": "\\text{" * 1600,
    "boxes": "\\boxed{" * 1400,
    "tags": "<answer>" * 1200,
    "thinks": "<think>" * 1400,
    "objects": '{"answer": ' * 900,
    "arrays": '{"answer": ' + "[" * 9800,
}


def hostile(rng: random.Random) -> str:
    """Pieces joined, cut, doubled or with a character changed; mostly short, as answers are."""
    text = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 9)))
    turn = rng.random()
    if turn < 0.5:
        text = f"<think>{text}</think>\\boxed{{{rng.choice(PIECES)}}}"
    elif turn < 0.6 and text:
        at = rng.randrange(len(text))
        text = text[:at] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x110000)))) + text[at + 1 :]
    elif turn < 0.65:
        text = text * rng.randint(2, 30)
    return text


def checked(text: str, task: dict) -> None:
    """Grade once; the parts must be there and in range."""
    parts = grade_text(text, task, "card")
    assert parts.keys() == CARD_WEIGHTS.keys()
    assert all(0.0 <= value <= 1.0 for value in parts.values()), (text, parts)


def timed(text: str, task: dict) -> float:
    """CPU seconds of one grade."""
    started = time.process_time()
    checked(text, task)
    return time.process_time() - started


def test_a_hundred_thousand_hostile_answers_are_graded_in_range_and_in_time() -> None:
    rng = random.Random(20240612)
    slow = []
    for _ in range(COUNT // BATCH):
        batch = [(hostile(rng), TASKS[number % len(TASKS)]) for number in range(BATCH)]
        started = time.process_time()
        for text, task in batch:
            checked(text, task)
        if time.process_time() - started > LIMIT_S:  # one of them may be slow
            slow += batch
    for text, task in slow:
        if timed(text, task) > LIMIT_S:
            assert statistics.median(timed(text, task) for _ in range(REPEATS)) < LIMIT_S, text[:300]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["output"])
def test_long_shapes_are_graded_in_time(name: str, task: dict) -> None:
    body = LONG[name]
    texts = [
        f"<think>{body}</think>\\boxed{{40.51 mL/min}}",
        body,
        f"\\boxed{{{body}}}",
        f"<answer>{body}</answer>",
    ]
    for text in [*texts, f"<think>{body}</think>\\boxed{{12/02/2000}}"]:
        assert statistics.median(timed(text, task) for _ in range(REPEATS)) < LIMIT_S


@settings(max_examples=100)
@given(st.text(max_size=300), st.text(max_size=60), st.sampled_from(TASKS))
def test_any_text_is_graded_under_either_rule(thinking: str, body: str, task: dict) -> None:
    for text in (thinking, f"<think>{thinking}</think>\\boxed{{{body}}}", f"<answer>{body}</answer>"):
        checked(text, task)
        assert grade_text(text, task, "strict")["accuracy"] in (0.0, 1.0)


@pytest.mark.parametrize("text", [*HEDGES.values(), *PADDING.values()])
def test_the_same_text_has_the_same_grade(text: str) -> None:
    assert grade_text(text, CLEARANCE, "card") == grade_text(text, CLEARANCE, "card")
