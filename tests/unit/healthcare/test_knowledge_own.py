"""The project's own passages: they say what the tables say, and are there in every process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from distrl.envs.clinical import formulary
from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.healthcare.knowledge import default, own
from distrl.envs.healthcare.knowledge.build import build_passages
from distrl.envs.healthcare.knowledge.place import MANIFEST
from distrl.envs.healthcare.world.conditions import CONDITIONS

BY_ID = {p.doc_id: p for p in own.passages()}


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A process that has not asked for a base yet, with an empty cache."""
    monkeypatch.setenv("DISTRL_CACHE", str(tmp_path))
    monkeypatch.setattr(default, "_in_use", [])
    return tmp_path


def test_ids_are_distinct_and_fields_full() -> None:
    assert len(BY_ID) == len(own.passages()) >= 300
    for p in own.passages():
        assert p.title
        assert len(p.content) >= 40
        assert p.source == "distrl"
        assert p.category in {"drug", "guideline", "criteria"}
        assert "  " not in p.content
        assert ".." not in p.content
        assert "None" not in p.content


def test_every_drug_condition_and_calculator_has_its_passages() -> None:
    for name in formulary.DRUGS:
        assert {f"drug:{name.replace(' ', '_')}:{part}" for part in ("uses", "dosing", "safety")} <= set(
            BY_ID
        )
    for condition in CONDITIONS.values():
        assert f"guideline:{condition.key}:diagnosis" in BY_ID
        assert (f"guideline:{condition.key}:key_points" in BY_ID) == bool(condition.teaching)
    assert {f"criteria:{c.name}" for c in CALCULATORS.values()} <= set(BY_ID)


def test_figures_are_those_of_the_tables() -> None:
    for drug in formulary.DRUGS.values():
        dosing, safety = (
            BY_ID[f"drug:{drug.name.replace(' ', '_')}:{part}"].content for part in ("dosing", "safety")
        )
        assert all(f"{dose.max_daily:g}" in dosing for dose in drug.adult)
        assert all(
            f"below {step.crcl_below:g} mL/min" in dosing and step.advice in dosing for step in drug.renal
        )
        assert all(rule.reason in safety for rule in drug.contraindications)
        assert drug.pregnancy.reason in safety
        assert drug.source in dosing
    for condition in CONDITIONS.values():
        text = " ".join(
            p.content for key, p in BY_ID.items() if key.startswith(f"guideline:{condition.key}:")
        )
        options = [option for treatment in condition.treatments for option in treatment.options]
        assert all(f"{option.drug} {option.dose:g} {option.dose_unit}" in text for option in options)
        assert all(sentence in text for sentence in condition.teaching)
        assert condition.source in text


def test_score_passage_has_its_points_and_publication() -> None:
    text = BY_ID["criteria:curb_65"].content
    assert "Lim WS" in text
    assert "age at least 65 years +1" in text
    assert "confusion +1" in text


def test_severe_interaction_is_told_on_both_sides() -> None:
    assert "simvastatin" in BY_ID["drug:clarithromycin:interactions"].content
    assert "clarithromycin" in BY_ID["drug:simvastatin:interactions"].content


def test_backend_is_built_once_and_shared_by_threads(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def counted(passages: object, path: Path, **options: object) -> None:
        built.append(path)
        build_passages(passages, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(default, "build_passages", counted)
    with ThreadPoolExecutor(8) as pool:
        bases = list(pool.map(lambda _: default.backend(), range(16)))
    assert all(base is bases[0] for base in bases)
    assert built == [fresh / "knowledge" / f"own-{own.digest()}"]
    monkeypatch.setattr(default, "_in_use", [])
    assert default.backend().stats()["passages"] == len(BY_ID)
    assert len(built) == 1


def test_cache_that_cannot_be_written_is_no_obstacle(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = fresh / "file"
    blocked.write_text("")
    monkeypatch.setenv("DISTRL_CACHE", str(blocked))
    hit = default.backend().search("penicillin allergy pneumonia", 1)[0]
    assert hit.passage.doc_id in BY_ID


def test_use_replaces_the_base(fresh: Path) -> None:
    build_passages(own.passages()[:3], fresh / "small")
    assert default.use(fresh / "small") is default.backend()
    assert default.backend().stats()["passages"] == 3
    other = default.own_base()
    assert default.use(other) is default.backend() is other
    assert (fresh / "knowledge" / f"own-{own.digest()}" / MANIFEST).exists()
