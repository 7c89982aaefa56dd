"""The tools of medical_qa and the shared search tools: names, what is missing, no gold, limits."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import least_seconds

from distrl.envs.clinical.calculators import CALCULATORS
from distrl.envs.clinical.formulary import DRUGS
from distrl.envs.contract import ToolCall
from distrl.envs.healthcare.knowledge import own
from distrl.envs.healthcare.knowledge.protocol import Hit, Passage
from distrl.envs.healthcare.tools import medical_qa_evidence, search
from distrl.envs.healthcare.tools.medical_qa import TOOLS
from distrl.envs.healthcare.tools.medical_qa_clinical import (
    Phrase,
    check_diagnostic_criteria,
    compare_treatments,
    condition_named,
    get_drug_information,
)
from distrl.envs.healthcare.tools.medical_qa_scores import (
    MEANINGS,
    calculate_clinical_score,
    find_score,
    interpretation,
)
from distrl.envs.healthcare.tools.search import KNOWLEDGE
from distrl.envs.healthcare.world.build import empty_database
from distrl.envs.healthcare.world.conditions import CONDITIONS
from distrl.envs.medcalc.generator import draws
from distrl.envs.toolkit import EpisodeState, ToolError, ToolKind, Toolkit

FOURTEEN = [
    "search_pubmed",
    "browse_article",
    "search_medical_wiki",
    "browse_wiki_entry",
    "retrieve_evidence",
    "analyze_answer_options",
    "summarize_evidence",
    "compare_treatments",
    "calculate_clinical_score",
    "get_drug_information",
    "check_diagnostic_criteria",
    "get_differential_diagnosis",
    "think",
    "submit_answer",
]
SIXTEEN = {
    "search",
    "browse",
    "search_pubmed",
    "search_medical_wiki",
    "search_evidence",
    "search_guidelines",
    "browse_article",
    "browse_wiki_entry",
    "cross_reference",
    "get_citation",
    "search_clinical_trials",
    "search_drug_interactions",
    "search_adverse_effects",
    "search_diagnostic_accuracy",
    "think",
    "submit_answer",
}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"query": "lisinopril hyperkalemia"},
    "browse": {"doc_id": "drug:lisinopril:safety"},
    "search_pubmed": {"query": "lisinopril hyperkalemia"},
    "search_medical_wiki": {"query": "lisinopril"},
    "search_evidence": {"query": "lisinopril in pregnancy"},
    "search_guidelines": {"condition": "pneumonia"},
    "browse_article": {"article_id": "drug:lisinopril:safety", "section": "pregnancy"},
    "browse_wiki_entry": {"title": "Lisinopril: safety"},
    "cross_reference": {"topic": "lisinopril heart failure"},
    "get_citation": {"doc_id": "drug:lisinopril:safety"},
    "search_clinical_trials": {"query": "lisinopril"},
    "search_drug_interactions": {"drug_a": "lisinopril", "drug_b": "spironolactone"},
    "search_adverse_effects": {"drug_name": "lisinopril"},
    "search_diagnostic_accuracy": {"test": "troponin"},
    "retrieve_evidence": {"query": "lisinopril", "category": "drug"},
    "analyze_answer_options": {
        "question": "Which drug blocks ACE?",
        "options": {"A": "lisinopril", "B": "aspirin"},
    },
    "summarize_evidence": {"topic": "lisinopril mechanism"},
    "compare_treatments": {"condition": "hypertension", "treatments": ["lisinopril", "amlodipine"]},
    "calculate_clinical_score": {
        "score_name": "CHA2DS2-VASc",
        "numbers": {"age": 70},
        "choices": {"sex": "male"},
    },
    "get_drug_information": {"drug_name": "lisinopril"},
    "check_diagnostic_criteria": {"condition": "community-acquired pneumonia", "findings": ["fever"]},
    "get_differential_diagnosis": {"symptoms": "fever, productive cough"},
    "think": {"thought": "what is asked?"},
    "submit_answer": {"answer": "A"},
}


class Fixed:
    """A knowledge base in memory: ranks by shared words, knows its categories."""

    def __init__(self, passages: list[Passage]) -> None:
        self.passages = passages
        self.held = [(set(search.words(p.title)), set(search.words(p.content))) for p in passages]

    def search(self, query: str, limit: int = 10, *, category: str = "", source: str = "") -> list[Hit]:
        asked = set(search.words(query))
        hits = [
            Hit(passage=p, score=2.0 * len(asked & title) + len(asked & content))
            for p, (title, content) in zip(self.passages, self.held, strict=True)
            if not category or p.category == category
        ]
        return sorted((h for h in hits if h.score), key=lambda h: -h.score)[:limit]

    def get(self, doc_id: str) -> Passage | None:
        return next((p for p in self.passages if p.doc_id == doc_id), None)

    def stats(self) -> dict[str, int]:
        kinds = {p.category for p in self.passages}
        return {"passages": len(self.passages), **{f"category:{k}": 1 for k in kinds}}

    def add(self, passages: Any) -> int:
        raise NotImplementedError


OWN = Fixed(own.passages())


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> Fixed:
    monkeypatch.setattr(search, "backend", lambda: OWN)
    return OWN


def run(kit: Toolkit, name: str, arguments: dict[str, Any], state: EpisodeState | None = None) -> Any:
    state = EpisodeState(db=empty_database()) if state is None else state
    event = kit.run(ToolCall(id="c", name=name, arguments=json.dumps(arguments)), state=state)
    assert event.ok, event.output
    return json.loads(event.output)


def test_the_toolkits_have_exactly_the_names_of_the_gym() -> None:
    assert [tool.name for tool in TOOLS] == FOURTEEN
    assert {tool.name for tool in KNOWLEDGE} == SIXTEEN


@pytest.mark.parametrize("kit", [TOOLS, KNOWLEDGE], ids=lambda kit: kit.name)
def test_every_tool_runs_within_its_cap_and_leaves_the_database(kit: Toolkit) -> None:
    for tool in kit:
        state = EpisodeState(db=empty_database())
        digest = state.digest()
        output = run(kit, tool.name, ARGUMENTS[tool.name], state)
        assert output and state.digest() == digest
        assert len(json.dumps(output)) <= tool.max_output_chars
        if tool.kind is ToolKind.READ:
            assert tool.time_limit_s is not None


LARGEST: dict[str, dict[str, Any]] = {
    "search": {"query": "dose", "limit": 20},
    "search_evidence": {"query": "dose", "limit": 20},
    "cross_reference": {"topic": "dose", "limit": 4},
    "search_medical_wiki": {"query": "dose", "limit": 20},
    "summarize_evidence": {"topic": "dose", "max_sentences": 12},
    "analyze_answer_options": {
        "question": "dose",
        "options": {letter: "dose " * 79 for letter in "ABCDEFGH"},
    },
    "check_diagnostic_criteria": {"condition": "STEMI", "findings": ["x" * 120] * 30},
    "retrieve_evidence": {"query": "dose", "limit": 20},
}


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_result_stays_below_the_cap(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    long = [
        Passage(
            doc_id=f"{category}-{i}",
            source="s" * 300,
            title="dose " * 60,
            content=("dose " * 100 + ". ") * 3,
            category=f"{category}{'c' * 90}",
        )
        for i in range(20)
        for category in "abcdefgh"
    ]
    monkeypatch.setattr(search, "backend", lambda: Fixed(long))
    run(KNOWLEDGE if name in KNOWLEDGE else TOOLS, name, LARGEST[name])  # reads the output as JSON


def test_every_monograph_and_picture_stays_below_the_cap() -> None:
    for drug in DRUGS:
        assert len(json.dumps(get_drug_information(drug), ensure_ascii=False)) < search.MAX_OUTPUT_CHARS, drug
    for condition in CONDITIONS.values():
        assert len(json.dumps(check_diagnostic_criteria(condition.name, []))) < search.MAX_OUTPUT_CHARS


@pytest.mark.parametrize("name", ["search_pubmed", "search_medical_wiki", "search_clinical_trials"])
def test_names_of_live_services_say_that_they_search_the_installed_base(name: str) -> None:
    assert "installed base" in KNOWLEDGE[name].schema["function"]["description"]


@pytest.mark.parametrize(
    ("name", "arguments", "what"),
    [
        ("search_clinical_trials", {"query": "aspirin"}, "clinical trial reports"),
        ("search_diagnostic_accuracy", {"test": "troponin"}, "diagnostic accuracy studies"),
        (
            "retrieve_evidence",
            {"query": "aspirin", "category": "astrology"},
            "passages of the category astrology",
        ),
    ],
)
def test_a_kind_of_text_that_the_base_lacks_is_said_plainly(
    name: str, arguments: dict[str, str], what: str
) -> None:
    found = run(KNOWLEDGE if name in KNOWLEDGE else TOOLS, name, arguments)
    assert found["results"] == []
    assert f"holds no {what}" in found["note"] and "drug" in found["note"]


def test_a_kind_that_the_base_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Passage(
        doc_id="t1", source="s", title="Aspirin trial", content="Aspirin lowered it.", category="trial"
    )
    monkeypatch.setattr(search, "backend", lambda: Fixed([trial]))
    assert run(KNOWLEDGE, "search_clinical_trials", {"query": "aspirin"})["results"][0]["doc_id"] == "t1"
    assert "none matches" in run(KNOWLEDGE, "search_clinical_trials", {"query": "zebra"})["note"]


def test_an_unknown_passage_is_an_error_that_names_near_ones() -> None:
    with pytest.raises(ToolError, match="give a doc_id that a search returned; near: drug:lisinopril"):
        search.passage_of("lisinopril monograph")
    with pytest.raises(ToolError, match="no word to search for"):
        search.find("?!")


def test_a_long_passage_is_read_page_by_page_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"word{i}" for i in range(3000))
    monkeypatch.setattr(
        search, "backend", lambda: Fixed([Passage(doc_id="p", source="s", title="t", content=text)])
    )
    read, offset = "", 0
    while True:
        part = run(KNOWLEDGE, "browse", {"doc_id": "p", "offset": offset})
        read, offset = read + part["content"], offset + search.PAGE_CHARS
        if "note" not in part:
            break
        assert f"offset {offset}" in part["note"]
    assert read == text


def test_support_does_not_depend_on_letters_or_order() -> None:
    """No gold answer reaches the tool: the same options under other letters have the same support."""
    options = ["lisinopril", "amlodipine", "furosemide", "warfarin"]
    question = "Which drug inhibits the angiotensin-converting enzyme?"
    seen = []
    for seed in range(3):
        random.Random(seed).shuffle(options)
        found = medical_qa_evidence.analyze_answer_options(question, dict(zip("ABCD", options, strict=True)))
        seen.append({row["text"]: row["support"] for row in found["options"].values()})
    assert seen[0] == seen[1] == seen[2]
    assert all(p["doc_id"] for row in found["options"].values() for p in row["passages"])
    with pytest.raises(ToolError, match="give 2 to"):
        medical_qa_evidence.analyze_answer_options(question, {"A": "one"})


def test_a_summary_quotes_the_passages_word_for_word() -> None:
    found = medical_qa_evidence.summarize_evidence("lisinopril pregnancy")
    for line in found["summary"]:
        passage = OWN.get(line["doc_id"])
        assert passage is not None and line["sentence"].rstrip("…") in passage.content


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=lambda c: c.name)
def test_each_calculator_is_found_by_name_and_title(calculator: Any) -> None:
    assert find_score(calculator.name) == calculator
    assert find_score(calculator.title) == calculator


def test_a_score_is_that_of_the_calculator() -> None:
    for name in ("curb_65", "has_bled", "child_pugh", "glasgow_blatchford"):
        calculator = find_score(name)
        assert calculator is not None
        arguments = draws.drawn(draws.Patient(calculator.id, random.Random(name), heldout=False))
        given = {k: v for k, v in arguments.items() if v is not None}
        found = calculate_clinical_score(
            name,
            {k: v for k, v in given.items() if not isinstance(v, bool | str)},
            [k for k, v in given.items() if v is True],
            {k: v for k, v in given.items() if isinstance(v, str)},
        )
        value = calculator.function(**given).value
        assert found["value"] == str(value)
        assert found["meaning"] == interpretation(name, value, given)[0]  # type: ignore[index]


def test_a_wrong_score_input_is_answered_with_the_inputs() -> None:
    with pytest.raises(ToolError, match=r"bun: missing.*Its inputs: age, bun"):
        calculate_clinical_score("CURB-65", {"age": 70})
    with pytest.raises(ToolError, match="unknown finding 'fever'; known: confusion"):
        calculate_clinical_score("CURB-65", {"age": 70}, ["fever"])
    with pytest.raises(ToolError, match="no score 'horoscope'; known: "):
        calculate_clinical_score("horoscope")


@pytest.mark.parametrize(
    ("name", "value", "arguments", "meaning"),
    [
        ("cha2ds2_vasc", 2, {"sex": "male"}, "recommended"),
        ("cha2ds2_vasc", 2, {"sex": "female"}, "reasonable"),
        ("child_pugh", 6, {}, "class A"),
        ("child_pugh", 7, {}, "class B"),
        ("child_pugh", 10, {}, "class C"),
        ("wells_pulmonary_embolism", 4, {}, "unlikely"),
        ("wells_pulmonary_embolism", 4.5, {}, "likely"),
        ("fib4_index", 3.25, {}, "indeterminate"),
        ("gfr_ckd_epi_2021", 44.9, {}, "G3b"),
        ("pneumonia_severity_index", 130, {}, "class IV"),
        ("centor", 4, {}, "high risk"),
    ],
)
def test_meanings_change_at_the_published_cut_offs(
    name: str, value: float, arguments: dict[str, str], meaning: str
) -> None:
    found = interpretation(name, value, arguments)
    assert found is not None and meaning in found[0]
    assert MEANINGS[name].source == found[1] != ""


def test_findings_are_held_against_the_picture_with_their_sign() -> None:
    condition = CONDITIONS["stemi"]
    found = check_diagnostic_criteria(
        "STEMI", [*condition.symptoms[:2], "fever", "no calf swelling", "green hair"]
    )
    assert found["symptoms"]["fits"] == list(condition.symptoms[:2])
    assert found["usually_absent"]["fits"] == ["no calf swelling"]
    assert found["speaks_against"] == ["fever"]
    assert found["not_in_the_table"] == ["green hair"]
    assert Phrase.of("no fever").opposes(Phrase.of("fever"))


def test_every_condition_is_found_by_its_own_name_and_key() -> None:
    for condition in CONDITIONS.values():
        assert condition_named(condition.name) is condition
    with pytest.raises(ToolError, match="not in the table"):
        condition_named("dragon pox")


def test_compared_treatments_show_place_and_interactions() -> None:
    found = compare_treatments("STEMI", ["aspirin", "ibuprofen"])
    assert "choice 1" in found["treatments"]["aspirin"]["place"][0]
    assert found["treatments"]["ibuprofen"]["against_it_in_this_condition"]
    assert {"aspirin", "ibuprofen"} == set(found["interactions_among_them"][0]["drugs"])
    with pytest.raises(ToolError, match="not in the formulary"):
        compare_treatments("STEMI", ["aspirin", "moonstone"])


def test_a_monograph_says_what_it_lacks() -> None:
    assert get_drug_information("digoxin")["target_level"]["unit"] == "ng/mL"
    found = get_drug_information("aspirin")
    assert found["target_level"] is None and isinstance(found["missing"], list)


def test_many_threads_get_the_same_results() -> None:
    queries = [f"{name} safety" for name in ("lisinopril", "warfarin", "digoxin", "aspirin")] * 6
    expected = [search.search(q)["results"] for q in queries]
    with ThreadPoolExecutor(8) as pool:
        assert [r["results"] for r in pool.map(search.search, queries)] == expected


@given(st.text(max_size=400))
@settings(max_examples=25, deadline=None)
def test_no_query_breaks_a_search(text: str) -> None:
    event = KNOWLEDGE.run(ToolCall(id="c", name="search_evidence", arguments=json.dumps({"query": text})))
    assert event.ok or event.output.startswith("Error: query: no word")


@pytest.mark.parametrize("hostile", ["a" * 100_000, "a " * 50_000, ". " * 50_000, "(" * 100_000])
def test_reading_words_is_linear_on_hostile_text(hostile: str) -> None:
    for function in (search.words, search.sentences, lambda t: search.snippet(t, ["a"])):
        assert least_seconds(lambda read=function: read(hostile)) < 0.25  # 50 ms alone
