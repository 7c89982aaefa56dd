"""Which drug suits a patient: each hazard is found, and the first option without one is chosen."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from distrl.envs.healthcare.tasks import phrases, words
from distrl.envs.healthcare.tasks.drug_asks import ASKS
from distrl.envs.healthcare.tasks.drug_text import effect_of
from distrl.envs.healthcare.tasks.dx_twists import TWISTS, openings
from distrl.envs.healthcare.tasks.pairs import Pair, pair_of
from distrl.envs.healthcare.tasks.suitability import choose, hazards, ordered
from distrl.envs.healthcare.world.condition import Option, Treatment
from distrl.envs.healthcare.world.conditions import cases
from distrl.envs.healthcare.world.generate import make_database, target_of
from distrl.envs.healthcare.world.records import Patient

DRAWN = make_database(
    1, "cellulitis", others=0, age=50, sex="female", allergy="none", chronic=[], renal="none"
)


def patient(**changes: Any) -> Patient:
    """A woman of 50 without allergies, illnesses and drugs, with changes."""
    person = copy.deepcopy(DRAWN["patients"][target_of(DRAWN)])
    person["problems"], person["medications"], person["allergies"] = [], [], []
    person.update(changes)  # type: ignore[typeddict-item]
    return person


def allergy(substance: str, group: str, severity: str = "moderate") -> dict[str, str]:
    return {"substance": substance, "group": group, "reaction": "hives", "severity": severity}


def medication(drug: str) -> dict[str, Any]:
    return {
        "drug": drug, "dose": 1.0, "dose_unit": "mg", "route": "oral", "doses_per_day": 1.0,
        "since": "2030-01-01", "indication": "", "status": "active",
    }  # fmt: skip


def kinds(drug: str, person: Patient) -> set[str]:
    return {hazard.kind for hazard in hazards(drug, person)}


def test_a_drug_without_any_reason_against_it_has_no_hazard() -> None:
    assert hazards("amoxicillin", patient()) == []


@pytest.mark.parametrize(
    ("drug", "changes", "kind"),
    [
        ("amoxicillin", {"allergies": [allergy("penicillin", "penicillin")]}, "allergy"),
        ("cephalexin", {"allergies": [allergy("penicillin", "penicillin", "severe")]}, "cross_reactivity"),
        ("warfarin", {"pregnant_weeks": 12}, "pregnancy"),
        ("simvastatin", {"medications": [medication("clarithromycin")]}, "interaction"),
        ("atorvastatin", {"medications": [medication("simvastatin")]}, "duplicate"),
        ("amoxicillin", {"medications": [medication("amoxicillin")]}, "duplicate"),
    ],
)
def test_each_reason_against_a_drug_is_found(drug: str, changes: dict[str, Any], kind: str) -> None:
    assert kind in kinds(drug, patient(**changes))
    assert kind not in kinds(drug, patient())


def test_a_mild_cross_reaction_is_weighed_and_no_hazard() -> None:
    assert not kinds("cephalexin", patient(allergies=[allergy("penicillin", "penicillin", "mild")]))


def test_a_drug_that_the_formulary_lacks_is_never_safe() -> None:
    assert kinds("snake oil", patient()) == {"unknown"}


def test_low_clearance_forbids_a_drug_that_the_kidney_clears() -> None:
    person = patient()
    for lab in person["labs"]:
        if lab["code"] == "2160-0":
            lab["value"] = 6.0
    assert "renal" in kinds("metformin", person)


def test_the_first_option_without_a_hazard_is_taken_and_the_passed_ones_tell_why() -> None:
    treatment = Treatment(
        purpose="skin infection",
        options=tuple(
            Option(drug=d, dose=500, dose_unit="mg", route="oral", doses_per_day=2)
            for d in ("amoxicillin", "penicillin v", "cephalexin")
        ),
    )
    chosen, passed = choose(treatment, patient(), "cellulitis")
    assert chosen is not None and chosen.drug == "amoxicillin" and not passed
    allergic = patient(allergies=[allergy("penicillin", "penicillin")])
    chosen, passed = choose(treatment, allergic, "cellulitis")
    assert chosen is not None and chosen.drug == "cephalexin"
    assert [(o.drug, h[0].kind) for o, h in passed] == [
        ("amoxicillin", "allergy"),
        ("penicillin v", "allergy"),
    ]


def test_a_dose_per_kg_is_for_the_whole_patient_and_needs_a_weight() -> None:
    option = Option(drug="enoxaparin", dose=1, dose_unit="mg", route="sc", doses_per_day=2, dose_per_kg=True)
    assert ordered(option, patient(weight_kg=71.4)).dose == 70
    with pytest.raises(ValueError, match="weight is unknown"):
        ordered(option, patient(weight_kg=None))


def test_a_dose_is_cut_to_the_kidneys_by_fewer_times_a_day_first() -> None:
    person = patient(weight_kg=70.0)
    option = Option(drug="enoxaparin", dose=1, dose_unit="mg", route="sc", doses_per_day=2, dose_per_kg=True)
    assert (ordered(option, person).dose, ordered(option, person).per_day) == (70, 2)
    for lab in person["labs"]:
        if lab["code"] == "2160-0":
            lab["value"] = 3.5
    assert (ordered(option, person).dose, ordered(option, person).per_day) == (70, 1)


def test_pairs_are_symmetric_and_a_drug_does_not_interact_with_itself() -> None:
    assert pair_of("simvastatin", "clarithromycin").severity == "CONTRAINDICATED"
    assert pair_of("clarithromycin", "simvastatin").severity == "CONTRAINDICATED"
    assert pair_of("warfarin", "warfarin").severity == "none"
    assert pair_of("warfarin", "snake oil").severity == "none"


def test_an_effect_is_told_with_its_pathway_and_without_advice_or_another_grade() -> None:
    def told(effect: str) -> str:
        return effect_of(Pair(first="a", second="b", severity="MAJOR", effect=effect))

    assert told("bleeding: CYP2C9 inhibition; cut warfarin by 30-50%") == "bleeding, by CYP2C9 inhibition"
    assert told("less active metabolite: CYP2C19; use pantoprazole") == "less active metabolite, by CYP2C19"
    assert told("myopathy: simvastatin at most 20 mg/day") == "myopathy"
    assert told("severe hyponatremia") == "hyponatremia"


def test_every_twist_can_occur_in_some_acute_case() -> None:
    assert all(any(openings(key, twist) for key in cases(acute=True)) for twist in TWISTS)


def test_no_two_splits_share_eight_words_of_a_style_or_a_question() -> None:
    for table in (phrases.CASE_STYLES, phrases.DRUG_STYLES, *phrases.CASE_ASKS.values(), *ASKS.values()):
        runs = []
        for group in table:
            texts = [form.template if isinstance(form, phrases.Style) else str(form) for form in group]
            tokens = [text.lower().split() for text in texts]
            runs.append({tuple(t[i : i + 8]) for t in tokens for i in range(len(t) - 7)})
        assert not (runs[0] & runs[1] or runs[0] & runs[2] or runs[1] & runs[2])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Acute gout flare", "acute gout flare"),
        ("COPD", "COPD"),
        ("C-reactive protein", "C-reactive protein"),
        ("ST-elevation myocardial infarction", "ST-elevation myocardial infarction"),
    ],
)
def test_a_name_inside_a_sentence_keeps_its_abbreviations(name: str, shown: str) -> None:
    assert words.inside(name) == shown


def test_doses_and_ages_read_as_people_write_them() -> None:
    option = Option(drug="doxycycline", dose=100, dose_unit="mg", route="oral", doses_per_day=2, days=5)
    assert words.dose_of(option, 100.0, 2) == "doxycycline 100 mg by mouth twice daily for 5 days"
    assert words.who(patient(age_years=80.2)) == "an 80-year-old woman"
    assert words.who(patient(age_years=0.5)) == "a 6-month-old girl"
    assert words.joined(["a", "b", "c"]) == "a, b and c"
