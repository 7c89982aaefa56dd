"""GeneratedTasks: every argument is told, the gold follows from the shown figures, the splits are apart."""

from __future__ import annotations

import inspect
import json
import random
import re
from collections import Counter
from dataclasses import asdict

import pytest
from jsonschema import Draft202012Validator

from distrl.envs.clinical.calculators import CALCULATORS, Output
from distrl.envs.clinical.calculators.core import Category
from distrl.envs.medcalc.generator import phrases, phrases_around, phrases_choices, phrases_flags, questions
from distrl.envs.medcalc.generator.draws import Patient, in_heldout_band, is_heldout, parameters
from distrl.envs.medcalc.generator.generate import ENV_ID, GeneratedTasks
from distrl.envs.medcalc.generator.notes import FRAMES, HELDOUT_STYLES, STYLES, TRAIN_STYLES, compose
from distrl.envs.medcalc.generator.phrases import Forms
from distrl.envs.medcalc.generator.statements import (
    SPECIAL,
    Kind,
    Writer,
    may_be_silent,
    read_back,
    shown_text,
    unit_of,
    write,
)
from distrl.envs.medcalc.grading.working import read_working
from distrl.envs.medcalc.task import HALF_POINTS, truth_of
from distrl.envs.toolkit.schema import function_schema

BY_ANOTHER = {"diastolic_bp", "dose_mg", "target_steroid", "age", "sex"}  # told with their neighbours


def _writers(count: int, seed: int, heldout: bool = False) -> list[Writer]:
    """`count` patients for each calculator."""
    written = []
    for calculator_id in CALCULATORS:
        for i in range(count):
            rng = random.Random(f"{seed}/{calculator_id}/{i}")
            written.append(write(Patient(calculator_id, rng, heldout), rng))
    return written


@pytest.fixture(scope="module")
def both() -> dict[str, list]:
    """Ten tasks of each calculator in either split."""
    source = GeneratedTasks()
    return {split: source.tasks(split, 550, 0) for split in ("train", "heldout")}


def test_every_argument_of_all_55_calculators_has_words():
    assert len(CALCULATORS) == 55
    for calculator_id, calculator in CALCULATORS.items():
        names = [p.name for p in parameters(calculator_id)]
        assert names == list(inspect.signature(calculator.function).parameters)
        assert calculator_id in questions.ASKED and calculator_id in phrases_around.REASONS
        for p in parameters(calculator_id):
            if p.kind == "flag":
                assert p.name in phrases_flags.FLAGS
            elif p.kind == "choice" and p.name not in BY_ANOTHER | SPECIAL.keys():
                assert set(phrases_choices.CHOICES[p.name][1]) == set(p.choices)
            else:
                assert p.name in SPECIAL.keys() | phrases.QUANTITIES.keys() | BY_ANOTHER, p.name


def test_words_are_only_for_arguments_that_exist():
    names = {p.name for calculator_id in CALCULATORS for p in parameters(calculator_id)}
    tables = (phrases_flags.FLAGS, phrases_choices.CHOICES, phrases.QUANTITIES, SPECIAL)
    assert set().union(*tables) <= names


def test_every_argument_is_told_by_a_statement_or_is_its_default():
    for writer in _writers(6, seed=1):
        told = {name for s in writer.statements for name in s.tells}
        for p in parameters(writer.patient.id):
            if p.name in writer.arguments and p.name not in told:
                assert writer.arguments[p.name] == p.default
            if p.name not in writer.arguments:
                assert p.default is None  # an optional quantity that was not measured
        assert told <= set(writer.arguments)


def test_every_statement_stands_in_the_note_of_every_style():
    for i, style in enumerate(STYLES):
        for writer in _writers(1, seed=2 + i, heldout=style in HELDOUT_STYLES):
            for distractors in (False, True):
                note = compose(writer, style, distractors=distractors)
                for s in writer.statements:
                    assert s.text in note or s.text[0].upper() + s.text[1:] in note
                    assert s.kind is not Kind.QUANTITY or s.long in note or s.short in note


def test_shown_figures_with_their_units_give_the_arguments():
    checked: Counter[str] = Counter()
    for writer in _writers(8, seed=3):
        for s in writer.statements:
            if s.kind is not Kind.QUANTITY or not s.name:
                continue
            if s.name == "height" and s.unit == "in" and "inches" not in s.text:
                feet, inches = re.findall(r"\d+", s.text)  # 5 ft 10 in, 5'10"
                figure = 12.0 * int(feet) + int(inches)
            else:
                figure = float(re.match(r"[\d.,]+", s.text).group().replace(",", ""))
            assert figure == s.shown
            if s.tells == (s.name,):
                assert read_back(s.name, figure, s.unit) == pytest.approx(writer.arguments[s.name], rel=1e-9)
                checked[s.name] += 1
    assert len(checked) >= 40  # of the 45 or so quantities, the others are told in pairs or sentences


def test_a_surface_loses_no_more_than_its_last_digit():
    rng = random.Random(0)
    for name, row in phrases.QUANTITIES.items():
        for surface in row.surfaces:
            figure = rng.uniform(20, 40)
            text = shown_text(round(figure, surface.digits), surface)
            there = read_back(name, round(figure, surface.digits), surface.unit)
            exact = read_back(name, figure, surface.unit)
            step = abs(
                read_back(name, 10.0**-surface.digits, surface.unit) - read_back(name, 0.0, surface.unit)
            )
            assert abs(there - exact) <= step / 2 + 1e-6, (name, text)
            assert unit_of(name) or surface.unit == ""


def test_the_answer_is_the_calculator_s_value_of_the_arguments(both):
    for task in both["train"] + both["heldout"]:
        payload = task.payload
        calculator = CALCULATORS[payload["calculator_id"]]
        worked = calculator.function(**payload["arguments"])
        truth = truth_of(payload)
        assert truth.value == worked.value and truth.unit == calculator.unit
        assert payload["explanation"][-len(worked.steps) :] == list(worked.steps)
        shown = read_working("\n".join(payload["explanation"]), truth.output)
        assert all(step.right for step in shown.steps), payload["explanation"]
        if calculator.output is Output.INTEGER or calculator.id in HALF_POINTS:
            assert truth.lower == truth.value == truth.upper
        elif calculator.output is Output.DECIMAL:
            assert truth.lower <= truth.value <= truth.upper
            assert truth.value == 0 or truth.upper - truth.lower == pytest.approx(0.1 * abs(truth.value))


def test_arguments_are_within_the_tools_schema(both):
    tasks = both["train"][:220] + both["heldout"][:110]
    for calculator_id, calculator in CALCULATORS.items():
        schema = Draft202012Validator(function_schema(calculator.function)["function"]["parameters"])
        for task in tasks:
            if task.payload["calculator_id"] == calculator_id:
                errors = list(schema.iter_errors(task.payload["arguments"]))
                assert not errors, (calculator.name, errors[0].message)


def test_equal_seeds_give_equal_tasks_whatever_the_count(both):
    again = GeneratedTasks().tasks("train", 110, 0)
    assert [asdict(t) for t in again] == [asdict(t) for t in both["train"][:110]]
    assert [t.id for t in GeneratedTasks().tasks("train", 110, 1)] != [t.id for t in again]


def test_tasks_are_dealt_evenly_and_differ(both):
    for split, tasks in both.items():
        assert set(Counter(t.payload["calculator_id"] for t in tasks).values()) == {10}
        assert len({t.id for t in tasks}) == len(tasks)
        assert all(t.split == split and t.env == ENV_ID and t.licence == "Apache-2.0" for t in tasks)
        assert len({t.payload["note"] for t in tasks}) > 0.99 * len(tasks)


def test_splits_share_no_arguments_and_no_style(both):
    keys = {
        split: {
            json.dumps([t.payload["calculator_id"], t.payload["arguments"]], sort_keys=True) for t in tasks
        }
        for split, tasks in both.items()
    }
    assert not keys["train"] & keys["heldout"]
    for split, tasks in both.items():
        for t in tasks:
            assert is_heldout(t.payload["calculator_id"], t.payload["arguments"]) == (split == "heldout")
            assert t.payload["note"].startswith("Situation") == (split == "heldout")
    assert not set(TRAIN_STYLES) & set(HELDOUT_STYLES)


def _cells() -> list[Forms]:
    cells = [*questions.ASKED.values(), *phrases_around.REASONS.values(), *FRAMES.values()]
    for row in phrases.QUANTITIES.values():
        cells += [row.long, row.short]
    for flag in phrases_flags.FLAGS.values():
        cells += [flag.yes, flag.no]
    for _, says in phrases_choices.CHOICES.values():
        cells += says.values()
    return cells


def test_every_cell_has_words_of_its_own_for_the_heldout_split():
    for cell in _cells():
        assert cell.train and cell.heldout
        assert not set(cell.train) & set(cell.heldout), cell


def test_scores_reach_low_and_high_values():
    source = GeneratedTasks(calculators=[4, 21, 51], distractors=False)
    seen: dict[int, set] = {4: set(), 21: set(), 51: set()}
    for task in source.tasks("train", 900, 4):
        seen[task.payload["calculator_id"]].add(task.payload["answer"])
    assert set(range(9)) <= seen[4]
    assert set(range(3, 16)) <= seen[21]
    assert set(range(5)) <= seen[51]


def test_without_distractors_a_note_holds_only_what_tells_an_argument_or_the_patient():
    for writer in _writers(1, seed=5):
        before = list(writer.statements)
        compose(writer, "vignette", distractors=False)
        assert writer.statements == before
        assert all(s.tells or s.kind is Kind.WHO for s in before)


def test_distractors_tell_no_argument():
    for writer in _writers(3, seed=6):
        before = len(writer.statements)
        compose(writer, "soap", distractors=True)
        added = writer.statements[before:]
        assert not any(s.tells for s in added)
        assert not {s.name for s in added if s.name} & set(writer.arguments)


def test_the_answer_is_written_in_no_note_of_an_equation():
    """A decimal with three significant decimals stands in a note only if the note was given it."""
    for task in GeneratedTasks(calculators=[2, 3, 6, 19, 60]).tasks("train", 250, 7):
        assert CALCULATORS[task.payload["calculator_id"]].category in (Category.LAB, Category.PHYSICAL)
        assert f"{task.payload['answer']:.3f}" not in task.payload["note"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"calculators": [1]}, "unknown calculators 1"),
        ({"calculators": []}, "give a list of at least one"),
        ({"styles": ["handover"]}, "unknown styles 'handover'"),
        ({"styles": "soap"}, "give a list of at least one"),
    ],
)
def test_a_wrong_choice_is_one_line_that_names_it(options, message):
    with pytest.raises(ValueError, match=message):
        GeneratedTasks(**options)


def test_an_unknown_split_and_an_empty_count_are_refused():
    with pytest.raises(ValueError, match="unknown split 'test'"):
        GeneratedTasks().tasks("test", 1, 0)
    with pytest.raises(ValueError, match="count is 0"):
        GeneratedTasks().tasks("train", 0, 0)


@pytest.mark.parametrize("style", TRAIN_STYLES)
def test_a_chosen_style_and_calculator_is_what_comes(style):
    first = {"discharge": "D", "soap": "S", "table": "PR", "referral": "D", "vignette": "A"}[style]
    for task in GeneratedTasks(calculators=[5], styles=[style]).tasks("train", 5, 0):
        assert task.payload["calculator_id"] == 5 and task.payload["note"][0] in first


def test_a_note_is_silent_only_where_the_question_says_what_silence_means():
    """Silence about ascites must not be a riddle; a story of chest pain is always told."""
    silences = {*questions._SILENCE.train, *questions._SILENCE.heldout}
    for calculator_id, calculator in CALCULATORS.items():
        rng = random.Random(calculator_id)
        asked = questions.question(calculator, rng, heldout=False)
        quiet = any(map(may_be_silent, parameters(calculator_id)))
        assert any(words in asked for words in silences) is quiet, calculator.name
    for writer in _writers(6, seed=9):
        told = {name for s in writer.statements for name in s.tells}
        for p in parameters(writer.patient.id):
            if p.kind in ("flag", "choice") and p.name in writer.arguments and p.name not in told:
                assert may_be_silent(p), p.name
    assert not may_be_silent(next(p for p in parameters(18) if p.name == "chest_pain_history"))
    assert may_be_silent(next(p for p in parameters(15) if p.name == "ascites"))


def test_no_score_hangs_on_how_its_cut_offs_are_rounded_in_si_units():
    """SOFA gives a point from creatinine 110 µmol/L or 1.2 mg/dL: 108 µmol/L is passed over."""
    molar = 0
    for task in GeneratedTasks(calculators=[43, 15, 27, 29]).tasks("train", 200, 10):
        note, arguments = task.payload["note"], task.payload["arguments"]
        if "mol/L" not in note:
            continue
        molar += 1
        calculator = CALCULATORS[task.payload["calculator_id"]]
        for name in ("creatinine", "bilirubin", "bun", "glucose"):
            value = arguments.get(name)
            if isinstance(value, float) and value != round(value, 2):  # told in moles
                for factor in (0.963, 1.037):
                    nudged = arguments | {name: value * factor}
                    assert calculator.function(**nudged).value == task.payload["answer"]
    assert molar > 20


@pytest.mark.parametrize("heldout", [False, True])
def test_a_value_that_changes_its_split_stays_possible(heldout):
    """A child of 9 kg that the other split shows becomes heavier, not weightless."""
    rng = random.Random(11)
    patients = [Patient(22, rng, heldout) for _ in range(500)]
    assert all(patient["weight"] >= 3.2 and patient["age"] >= 2 for patient in patients)
    assert all(in_heldout_band("weight", patient["weight"]) is heldout for patient in patients)


def test_dialysis_and_its_denial_do_not_contradict():
    """A note may deny sessions of dialysis beside CVVHD, which is dialysis too, but not dialysis as such."""
    row = phrases_flags.FLAGS["dialysis_twice_past_week"]
    assert all("intermittent" in words.lower() for words in (*row.no.train, *row.no.heldout))


def test_a_question_sets_a_time_for_measured_values_alone():
    """History is earlier than admission, and an infusion that scores is a treatment."""
    for calculator in CALCULATORS.values():
        for heldout in (False, True):
            asked = questions.question(calculator, random.Random(0), heldout)
            timed = calculator.category not in questions.TIMELESS
            assert ("measured values" in asked.lower()) is timed


def test_no_score_hangs_on_the_last_digit_of_a_conversion():
    """100.4 °F is 38.0 °C for one reader and 38.00000000000001 for another: such draws are passed over."""
    fahrenheit = 0
    for task in GeneratedTasks(calculators=[20, 29, 51]).tasks("train", 300, 8):
        arguments = task.payload["arguments"]
        calculator = CALCULATORS[task.payload["calculator_id"]]
        if "°F" in task.payload["note"]:
            fahrenheit += 1
            for nudge in (-1e-9, 1e-9):
                nudged = arguments | {"temperature": arguments["temperature"] + nudge}
                assert calculator.function(**nudged).value == task.payload["answer"]
    assert fahrenheit > 50
