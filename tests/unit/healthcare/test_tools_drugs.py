"""Drug tools: interactions, doses, alternatives, levels; and the differential from the condition table."""

import itertools
import time

import pytest
from tools_harness import allergy, answer, database, lab, medication, person, problem, run

from distrl.envs.clinical.formulary import DRUGS
from distrl.envs.clinical.interactions import SEVERITIES, interaction
from distrl.envs.healthcare.tools import differential, doses, matching
from distrl.envs.healthcare.tools.clinical_diagnosis import TOOLS as CLINICAL
from distrl.envs.healthcare.tools.drug_interaction import TOOLS
from distrl.envs.healthcare.world.conditions import CONDITIONS, cases


def test_a_pair_is_what_the_interaction_table_says_either_way_round() -> None:
    for a, b in (("warfarin", "aspirin"), ("Atorvastatin", "Clarithromycin"), ("metformin", "acetaminophen")):
        found = answer(TOOLS, "check_interaction", database(), drug_a=a, drug_b=b)
        assert found["severity"] == interaction(a.lower(), b.lower()).severity
        other = answer(CLINICAL, "check_drug_interaction", database(), drug_a=b, drug_b=a)
        assert (other["severity"], other["effect"]) == (found["severity"], found["effect"])
    same = run(TOOLS, "check_interaction", database(), drug_a="Coumadin", drug_b="warfarin")
    assert not same.ok and "two different drugs" in same.output
    unknown = run(TOOLS, "check_interaction", database(), drug_a="warfrin", drug_b="aspirin")
    assert not unknown.ok and "did you mean warfarin" in unknown.output


def test_every_drug_of_the_formulary_can_be_looked_up_and_checked() -> None:
    for name in DRUGS:
        for tool in (
            "get_drug_info",
            "check_cyp450_metabolism",
            "check_food_interactions",
            "get_pharmacokinetics",
        ):
            assert answer(TOOLS, tool, database(), drug_name=name)["drug"] == name
        for tool in ("check_pregnancy_safety", "check_therapeutic_drug_monitoring"):
            assert answer(TOOLS, tool, database(), drug_name=name)["drug"] == name
        if name != "warfarin":
            assert run(TOOLS, "check_interaction", database(), drug_a=name, drug_b="warfarin").ok, name


def test_a_whole_list_is_checked_worst_first_with_the_new_drugs_allergy() -> None:
    db = database(
        person(
            medications=[medication("amiodarone", 200), medication("warfarin"), medication("lisinopril", 10)],
            allergies=[allergy("aspirin", "aspirin")],
        )
    )
    found = answer(TOOLS, "check_all_interactions", db, patient_id="P001", new_drug="ibuprofen")
    assert found["pairs_checked"] == 6
    ranks = [SEVERITIES.index(i["severity"]) for i in found["interactions"]]
    assert ranks == sorted(ranks, reverse=True) and ranks[0] >= SEVERITIES.index("MAJOR")
    assert found["allergy_alerts"]


def test_the_score_rises_with_the_grade_and_never_leaves_it() -> None:
    pairs = list(itertools.combinations(list(DRUGS)[:40], 2))
    old = person(age_years=85.0, labs=[lab("cr", 3.0)], problems=[problem("cirrhosis")])
    spans = {
        "none": (0, 0),
        "MINOR": (2, 4),
        "MODERATE": (5, 7),
        "MAJOR": (8, 9),
        "CONTRAINDICATED": (10, 10),
    }
    for a, b in pairs[::7]:
        plain = answer(TOOLS, "calculate_interaction_severity_score", database(), drug_a=a, drug_b=b)
        frail = answer(
            TOOLS,
            "calculate_interaction_severity_score",
            database(old),
            drug_a=a,
            drug_b=b,
            patient_id="P001",
        )
        low, high = spans[plain["severity"]]
        assert low <= plain["score"] <= frail["score"] <= high


def test_alternatives_are_of_another_class_and_name_their_concerns() -> None:
    db = database(
        person(allergies=[allergy("penicillin", "penicillin")], medications=[medication("amoxicillin", 500)])
    )
    record = DRUGS["amoxicillin"]
    found = answer(TOOLS, "search_alternatives", db, drug_name="amoxicillin", patient_id="P001")
    assert found["alternatives"]
    for row in found["alternatives"]:
        other = DRUGS[row["drug"]]
        assert other.classes[0] != record.classes[0] and row["shared_uses"]
        if other.allergy_group == "penicillin":
            assert any("ALLERGY" in c for c in row["concerns"])
    concerned = [bool(row["concerns"]) for row in found["alternatives"]]
    assert concerned == sorted(concerned)


def test_a_drug_of_the_same_class_is_offered_where_it_does_not_interact() -> None:
    db = database(person(medications=[medication("clopidogrel", 75), medication("omeprazole", 20)]))
    found = answer(TOOLS, "search_alternatives", db, drug_name="omeprazole", patient_id="P001")
    concerns = {row["drug"]: row["concerns"] for row in found["same_class"]}
    assert concerns["pantoprazole"] == []
    assert any("clopidogrel" in concern for concern in concerns["esomeprazole"])


@pytest.mark.parametrize("name", sorted(DRUGS))
def test_a_lower_clearance_never_allows_more(name: str) -> None:
    record = DRUGS[name]
    most = float("inf")
    avoided = False
    for clearance in (120.0, 80.0, 55.0, 40.0, 25.0, 12.0, 5.0):
        step = doses.renal_step(record, clearance)
        assert not (avoided and step is not None and not step.avoid), clearance
        avoided = avoided or (step is not None and step.avoid)
        if step is not None and step.max_daily is not None and step.route is None:
            assert step.max_daily <= most
            most = step.max_daily


def test_renal_advice_needs_a_clearance_and_takes_the_records() -> None:
    bare = run(TOOLS, "calculate_renal_dose_adjustment", database(), drug_name="metformin")
    assert not bare.ok and "crcl" in bare.output
    unmeasured = answer(
        TOOLS, "calculate_renal_dose_adjustment", database(), drug_name="metformin", patient_id="P001"
    )
    assert unmeasured["crcl"] is None and unmeasured["avoid"] is None and unmeasured["missing"]
    failing = database(person(labs=[lab("cr", 4.0)]))
    found = answer(
        TOOLS, "calculate_renal_dose_adjustment", failing, drug_name="metformin", patient_id="P001"
    )
    assert found["crcl"]["value"] == pytest.approx(17.5) and found["avoid"] is True
    given = answer(TOOLS, "calculate_renal_dose_adjustment", failing, drug_name="metformin", crcl=100)
    assert given["avoid"] is False and given["crcl"]["source"] == "given"


def test_hepatic_advice_is_by_class_and_is_silent_without_cirrhosis() -> None:
    healthy = answer(
        TOOLS, "calculate_hepatic_dose_adjustment", database(), drug_name="acetaminophen", patient_id="P001"
    )
    assert healthy["child_pugh"] is None and "no cirrhosis" in healthy["missing"][0]
    sick = database(
        person(problems=[problem("cirrhosis")], labs=[lab("bili", 4.0), lab("alb", 2.5), lab("inr", 2.5)])
    )
    found = answer(
        TOOLS, "calculate_hepatic_dose_adjustment", sick, drug_name="acetaminophen", patient_id="P001"
    )
    assert found["child_pugh"]["value"] == "C"


def test_a_dose_is_judged_for_the_patient() -> None:
    fit = database(person(labs=[lab("cr", 0.9)]))
    usual = answer(
        TOOLS, "check_dosage", fit, drug_name="metformin", dose=500, doses_per_day=2, patient_id="P001"
    )
    assert usual["verdict"] == "within limits" and usual["daily_dose"] == {"value": 1000, "unit": "mg/day"}
    much = answer(TOOLS, "check_dosage", fit, drug_name="metformin", dose=2, dose_unit="g", doses_per_day=3)
    assert much["verdict"] == "not acceptable" and any("DOSE" in a for a in much["alerts"])
    failing = database(person(labs=[lab("cr", 4.0)]))
    renal = answer(TOOLS, "check_dosage", failing, drug_name="metformin", dose=500, patient_id="P001")
    assert renal["verdict"] == "not acceptable" and any("RENAL" in a for a in renal["alerts"])


def test_a_level_is_read_against_its_target() -> None:
    toxic = database(person(labs=[lab("dig", 3.1)]))
    found = answer(TOOLS, "check_therapeutic_drug_monitoring", toxic, drug_name="digoxin", patient_id="P001")
    assert found["monitored"] and found["reading"] == "above the target range"
    unmeasured = answer(
        TOOLS, "check_therapeutic_drug_monitoring", database(), drug_name="digoxin", patient_id="P001"
    )
    assert unmeasured["reading"] == "not measured" and unmeasured["missing"]


def test_an_empty_answer_is_not_an_answer() -> None:
    assert not run(TOOLS, "submit_answer", database(), answer="  ").ok
    assert run(TOOLS, "submit_answer", database(), answer="Avoid it.").ok


def test_a_conditions_own_symptoms_rank_it_among_the_first_five() -> None:
    shown = [c for c in CONDITIONS.values() if c.acute and c.symptoms]
    missed = []
    for condition in shown:
        found = answer(
            CLINICAL, "get_differential_diagnosis", database(), symptoms=", ".join(condition.symptoms[:4])
        )
        if condition.name not in [row["condition"] for row in found["differential"][:5]]:
            missed.append(condition.key)
    assert len(shown) >= 24 and not missed


def test_the_differential_leaves_out_what_the_sex_rules_out_and_says_what_it_does_not_know() -> None:
    only = [c for c in CONDITIONS.values() if c.sex == "female" and c.acute and c.symptoms]
    for condition in only:
        symptoms = ", ".join(condition.symptoms[:4])
        found = answer(
            CLINICAL, "get_differential_diagnosis", database(), symptoms=symptoms, patient_id="P001"
        )
        assert condition.name not in [row["condition"] for row in found["differential"]]
    odd = answer(CLINICAL, "get_differential_diagnosis", database(), symptoms="fever, xyzzy")
    assert odd["not_recognised"] == ["xyzzy"]
    denied = answer(CLINICAL, "get_differential_diagnosis", database(), symptoms="fever, no cough")
    assert denied["read_as_absent"] == ["no cough"] and denied["symptoms"] == ["fever"]


def test_a_guideline_is_found_by_name_synonym_and_code() -> None:
    for condition in (CONDITIONS[key] for key in cases()):
        for name in (condition.name, condition.key, *condition.synonyms):
            assert condition in differential.conditions_named(name), name
    for asked, wanted in (
        ("Community-acquired pneumonia", "pneumonia"),
        ("Suspected bacterial meningitis", "meningitis"),
        ("Acute appendicitis", "appendicitis"),
    ):
        found = answer(CLINICAL, "search_clinical_guidelines", database(), condition=asked)["guidelines"]
        assert wanted in found[0]["condition"].lower() and found[0]["treatment"] and found[0]["source"]
    none = answer(CLINICAL, "search_clinical_guidelines", database(), condition="qqq")
    assert none["guidelines"] == [] and none["missing"]


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "no " * 33_000, "fever, " * 14_000, "without " * 12_500, " " * 100_000]
)
def test_matching_is_linear_on_hostile_text(text: str) -> None:
    for function in (matching.words, matching.phrases, matching.present, matching.absent):
        started = time.perf_counter()
        function(text)
        assert time.perf_counter() - started < 0.5  # 50 ms on an idle core
