"""Generated texts hang together: no contradiction, no absurd patient, no value that reads in two ways."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from distrl.envs.clinical_tools import surfaces
from distrl.envs.clinical_tools.phrases import CHILD_DISTRACTORS, DISTRACTORS
from distrl.envs.clinical_tools.tasks import SPLITS, GeneratedTasks

GROWN_UP = ("cane", "teacher", "pilot")


def drawn(tool: str, split: str, count: int) -> list[tuple[str, dict[str, Any]]]:
    tasks = GeneratedTasks(tools=[tool]).tasks(split, count, 21)
    return [
        (t.payload["prompt"][-1]["content"], json.loads(t.payload["ground_truth"])["arguments"])
        for t in tasks
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_nobody_with_a_cardiac_risk_has_no_cardiac_history(split: str) -> None:
    tried = 0
    for text, arguments in drawn("estimate_surgical_risk", split, 150):
        if any(arguments["cardiac_risk_factors"].values()):
            tried += 1
            assert "no prior cardiac history" not in text.lower(), text
            assert "no earlier heart events" not in text.lower(), text
    assert tried > 50


@pytest.mark.parametrize("split", SPLITS)
def test_chest_and_heart_are_operated_under_general_anesthesia(split: str) -> None:
    kinds = {
        a["planned_anesthesia"]
        for _, a in drawn("estimate_surgical_risk", split, 90)
        if a["surgery_type"] in ("thoracic", "cardiac")
    }
    assert kinds == {"general"}


@pytest.mark.parametrize("split", SPLITS)
def test_children_have_neither_profession_nor_cane(split: str) -> None:
    children = [text for text, a in drawn("calculate_fluid_replacement", split, 400) if a["is_pediatric"]]
    assert len(children) > 60
    assert not [text for text in children if any(word in text for word in GROWN_UP)]


def test_distractors_of_children_are_some_of_all() -> None:
    for known, every in zip(CHILD_DISTRACTORS, DISTRACTORS, strict=True):
        assert 0 < len(known) < len(every)
        assert set(known) < set(every)


def test_a_second_unit_reads_back_alike_under_either_rule_of_rounding() -> None:
    """75 inches are 190.5 cm: 190 by one rule, 191 by the other, so 190 cm is never written so."""
    rows = [("height_cm", v, "inch", "2.54") for v in range(145, 201)]
    rows += [("waist_circumference_cm", v, "inch", "2.54") for v in range(60, 166)]
    rows += [("patient_weight_kg", v, "lb", "0.45359237") for v in range(8, 139)]
    rows += [("urine_output_ml_hr", v, "per_kg", str(kg)) for kg in range(8, 119) for v in range(2, 2 * kg)]
    tried = 0
    for name, value, field, factor in rows:
        text = surfaces.written(name, value, {"patient_weight_kg": int(float(factor))}).get(field)
        if text is None:
            continue
        tried += 1
        product = Decimal(text) * Decimal(factor)
        for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN):
            assert product.quantize(Decimal(1), rounding=rule) == value, (name, value, text, factor)
    assert tried > 5000
    assert "inch" not in surfaces.written("height_cm", 190, {})
