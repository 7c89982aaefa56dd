"""The generator: every gold argument is read back out of the prompt by a reader that knows only the words."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from distrl.envs.clinical_tools.draws import ALLERGENS, BAND_WIDTHS, DRAWS, SCREENED_DRUGS, in_heldout_range
from distrl.envs.clinical_tools.phrases import CLOSERS, DISTRACTORS, OPENERS, PHRASES, WHO
from distrl.envs.clinical_tools.tasks import SPLITS, SYSTEM_PROMPTS, GeneratedTasks
from distrl.envs.clinical_tools.tools import TOOLS
from distrl.envs.contract import TaskSource

NUMBER = r"(\d+(?:\.\d+)?)"
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
FACTORS = {
    "ischemic_heart_disease": "ischemic heart disease",
    "heart_failure": "heart failure",
    "cerebrovascular_disease": "cerebrovascular disease",
    "renal_insufficiency": "renal insufficiency",
    "insulin_diabetes": "insulin-dependent diabetes",
    "high_risk_surgery": "high-risk surgery",
}


def find(pattern: str, text: str) -> str | None:
    """The one thing that the pattern's groups capture in the text; two different things are a fault."""
    found = {next(g for g in m.groups() if g is not None) for m in re.finditer(pattern, text, re.IGNORECASE)}
    assert len(found) <= 1, (pattern, found, text)
    return found.pop() if found else None


def measured(text: str, *rules: tuple[str, float, int]) -> float | None:
    """A number by the first rule (pattern, factor, decimals) that finds one."""
    for pattern, factor, decimals in rules:
        if (found := find(pattern, text)) is not None:
            return round(float(found) * factor, decimals)
    return None


def says(text: str, pattern: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def choice(text: str, **patterns: str) -> str | None:
    hits = [name for name, pattern in patterns.items() if re.search(pattern, text, re.IGNORECASE)]
    assert len(hits) <= 1, (hits, text)
    return hits[0] if hits else None


def numbers(found: str | None) -> list[int]:
    assert found is not None
    return [int(n) for n in re.findall(r"\d+", found)]


def age(t: str) -> float | None:
    return measured(t, (rf"\ban? {NUMBER}(?:-year-old|yo| y/o)|\baged? {NUMBER}", 1, 0))


def sex(t: str) -> str | None:
    return choice(t, female=r"\b(woman|female)\b", male=r"\b(man|male)\b")


def weight(t: str) -> float | None:
    return measured(t, (rf"{NUMBER} (?:lb|pounds)\b", 0.45359237, 0), (rf"{NUMBER} ?kg\b(?! ?/)", 1, 0))


def creatinine(t: str) -> float | None:
    start = r"(?<!urine )\b(?:SCr|Cr|creatinine) "
    return measured(t, (rf"{start}{NUMBER} µmol/L", 1 / 88.4, 1), (start + NUMBER, 1, 1))


def labs(start: str, factor: float) -> Any:
    unit = rf"(?:{start}) {NUMBER} mmol/L"
    return lambda t: measured(t, (unit, factor, 0), (rf"(?:{start}) {NUMBER}", 1, 0))


def dose(t: str) -> float | None:
    start = r"(?:standard dose|usual dose|reference dose|default|default is)"
    return measured(
        t, (rf"{start} {NUMBER} g\b", 1000, 2), (rf"{start} {NUMBER} mg|{NUMBER} mg standard dose", 1, 2)
    )


def indication(t: str) -> str | None:
    return find(
        r"(?:(?:\bfor|indication|treating|because of) |reason: )(?!an? |this |my )([\w -]+?)(?=[,.;]|$)", t
    )


def allergies(t: str) -> list[str]:
    found = find(r"(?:allergic to |reacts to |allergies: )([a-z ]+)|([a-z ]+) allergy", t) or ""
    return [w for w in re.findall(r"[a-z]+", found.lower()) if w in ALLERGENS]


def medicines(t: str) -> list[str]:
    found = re.search(
        r"(?:\bon|taking|current meds:|takes|drug list:) ((?:\w+, )*\w+ and \w+)", t, re.IGNORECASE
    )
    assert found, t
    return [w for w in re.findall(r"\w+", found[1].lower()) if w in SCREENED_DRUGS]


def proposed(t: str) -> str | None:
    others = set(medicines(t))
    named = {d for d in re.findall(r"\w+", t.lower()) if d in SCREENED_DRUGS} - others
    assert len(named) == 1, (named, t)
    return named.pop()


def variants(t: str) -> dict[str, str] | None:
    status, gene = find(r"(poor|intermediate) metabolizer", t), find(r"CYP(2\w+)", t)
    return {gene: f"{status.lower()}_metabolizer"} if status and gene else None


def factors(t: str) -> dict[str, bool]:
    return {name: says(t, words) for name, words in FACTORS.items()}


def asa(t: str) -> int | None:
    found = find(r"ASA(?: class|-PS| status)? ([IV]+|\d)\b", t)
    return None if found is None else ROMAN.get(found.upper()) or int(found)


def a1c(t: str) -> float | None:
    mmol = find(rf"(?:HbA1c|glycated Hb) {NUMBER} mmol/mol", t)
    if mmol:
        return round(0.09148 * float(mmol) + 2.152, 1)
    return measured(t, (rf"(?:A1c|glycated Hb) {NUMBER}", 1, 1))


def urine_output(t: str) -> float | None:
    per_kg = rf"(?:urine output|makes) {NUMBER} mL/kg/h"
    return measured(t, (per_kg, weight(t) or 0, 0), (rf"(?:\bUO|urine output|makes) {NUMBER} mL/h", 1, 0))


def hepatic(t: str) -> str:
    level = find(r"(mild|moderate|severe) (?:liver|hepatic)|impairment, (mild|moderate|severe)", t)
    return f"{level.lower()}_impairment" if level else "normal"


def drug(t: str) -> str | None:
    return find(r"\b(vancomycin|gentamicin|amoxicillin|metformin|lisinopril)\b", t)


READERS: dict[str, Any] = {
    "drug_name": drug,
    "standard_dose_mg": dose,
    "route": lambda t: choice(
        t, IV=r"\bIV\b|intravenous", IM=r"\bIM\b|intramuscular", PO=r"\bPO\b|by mouth|orally"
    ),
    "patient_weight_kg": weight,
    "weight_kg": weight,
    "patient_age": age,
    "serum_creatinine": creatinine,
    "sex": sex,
    "allergies": allergies,
    "indication": indication,
    "frequency_override": lambda t: choice(
        t,
        daily="once daily|daily dosing|one dose a day",
        bid="twice daily|BID|two doses a day",
        tid="three times daily|TID|three doses a day",
        q8h="every 8 h|q8h|8-hourly",
        q12h="every 12 h|q12h|12-hourly",
        q24h="every 24 h|q24h|24-hourly",
    ),
    "max_daily_dose_mg": lambda t: measured(
        t, (rf"(?:\bmax|cap at|daily maximum|not above|ceiling) {NUMBER} mg", 1, 0)
    ),
    "is_loading_dose": lambda t: says(t, r"(?<!not a )loading dose"),
    "total_cholesterol": labs(r"\bTC|total cholesterol|cholesterol \(total\)|T-chol", 38.67),
    "hdl_cholesterol": labs("HDL|HDL cholesterol|HDL-C", 38.67),
    "hdl_cholesterol_mg_dl": labs("HDL|HDL cholesterol|HDL-C", 38.67),
    "systolic_bp": lambda t: measured(t, (rf"(?:\bBP|\bSBP|systolic|systolic pressure) {NUMBER}", 1, 0)),
    "on_bp_medication": lambda t: says(t, r"\bon BP meds|takes BP med|BP is treated|on antihypertensives"),
    "is_smoker": lambda t: says(t, r"(?<!non-)smoker|smokes|uses tobacco"),
    "has_diabetes": lambda t: says(t, r"(?<!not )\bdiabetic|has diabetes|known diabetes"),
    "has_hypertension": lambda t: says(t, r"(?<!not )\bhypertensive|(has|known) hypertension"),
    "family_history_cvd": lambda t: says(t, r"(?<!no )family history of heart|father had|a parent with"),
    "bmi": lambda t: measured(t, (rf"(?:BMI|BMI is|body mass index) {NUMBER}", 1, 1)),
    "height_cm": lambda t: measured(
        t,
        (rf"{NUMBER} inches tall|stands {NUMBER} inches", 2.54, 0),
        (rf"{NUMBER} ?cm tall|(?:height|stands) {NUMBER} cm", 1, 0),
    ),
    "waist_circumference_cm": lambda t: measured(
        t, (rf"(?:waist|girth) {NUMBER} in\b", 2.54, 0), (rf"(?:waist|girth) {NUMBER} ?cm", 1, 0)
    ),
    "fasting_glucose_mg_dl": labs("fasting glucose|glucose|FBG|fasting sugar", 18),
    "triglycerides_mg_dl": labs(r"\bTG|triglycerides|trigs", 88.57),
    "physical_activity_level": lambda t: (find(r"\b(sedentary|light|moderate|active)\b", t) or "").lower(),
    "family_history_diabetes": lambda t: says(
        t, r"(?<!no )family history of diab|mother has diab|diabetes in the fam"
    ),
    "surgery_type": lambda t: find(
        r"\b(minor|orthopedic|abdominal|thoracic|vascular|cardiac) (?:surgery|operation)"
        r"|operation type: (\w+)",
        t.lower(),
    ),
    "asa_class": asa,
    "cardiac_risk_factors": factors,
    "functional_capacity_mets": lambda t: measured(t, (rf"METs (?:= )?{NUMBER}|{NUMBER} METs", 1, 1)),
    "is_emergency": lambda t: says(t, "emergency"),
    "has_insulin_dependent_diabetes": lambda t: says(t, "insulin-dependent diabetes"),
    "prior_cardiac_history": lambda t: (
        choice(t, mi=r"\bMI\b", cabg="CABG", stent="stent", valve="valve", stroke="stroke") or "none"
    ),
    "planned_anesthesia": lambda t: find(
        r"(general|spinal|local|regional) anesthe|anesthetic: (\w+)", t.lower()
    ),
    "diabetes_type": lambda t: choice(t, type1=r"type 1|T1DM", type2=r"type 2|T2DM"),
    "current_a1c": a1c,
    "meal_carbs_per_day": lambda t: numbers(
        find(r"(?:meals of|per meal|eats|by meal:|carbs are) ([\d, /and]+) g", t)
    ),
    "current_insulin_regimen": lambda t: (
        choice(
            t,
            basal_only="basal insulin only|basal-only|basal insulin alone",
            basal_bolus="basal-bolus",
            pump="pump",
        )
        or "none"
    ),
    "correction_target_mg_dl": lambda t: measured(
        t, (rf"(?:target|default|aim for|default is) {NUMBER}", 1, 0)
    ),
    "renal_function_egfr": lambda t: measured(t, (rf"(?:eGFR|eGFR is|estimated GFR) {NUMBER}", 1, 0)),
    "steroid_use": lambda t: says(t, "prednisone|on steroids|dexamethasone"),
    "is_pregnant": lambda t: says(t, r"(?<!not )\bpregnant|expecting a baby"),
    "is_african_american": lambda t: says(t, r"(?<!not )African American|race: Black"),
    "blood_urea_nitrogen": labs("BUN|urea nitrogen", 2.8),
    "urine_albumin_mg_l": lambda t: measured(
        t, (rf"urine albumin {NUMBER} mg/dL", 10, 0), (rf"(?:urine albumin|albumin in urine) {NUMBER}", 1, 0)
    ),
    "urine_creatinine_mg_dl": lambda t: measured(
        t, (rf"(?:urine creatinine|urine Cr|creatinine in urine) {NUMBER}", 1, 0)
    ),
    "clinical_scenario": lambda t: choice(
        t,
        burn=r"\bburn",
        maintenance="maintenance",
        dehydration="dehydrat",
        dka="DKA",
        hemorrhage="hemorrhage",
    ),
    "percent_tbsa_burn": lambda t: measured(
        t, (rf"{NUMBER}% TBSA|TBSA {NUMBER}%|{NUMBER} percent TBSA", 1, 0)
    ),
    "hours_since_injury": lambda t: measured(
        t, (rf"{NUMBER} h since injury|injured {NUMBER} h|hours since injury: {NUMBER}", 1, 0)
    ),
    "fluid_type": lambda t: choice(t, LR=r"\bLR\b", NS=r"\bNS\b", D5W="D5W", D5NS="D5NS"),
    "maintenance_rate_override": lambda t: measured(
        t, (rf"base rate (?:at|override|set to) {NUMBER} mL/h", 1, 0)
    ),
    "urine_output_ml_hr": urine_output,
    "serum_sodium": lambda t: measured(t, (rf"(?:\bNa|sodium|Na\+) {NUMBER}", 1, 0)),
    "is_pediatric": lambda t: says(t, r"\bchild\b"),
    "ongoing_losses_ml_hr": lambda t: measured(t, (rf"(?:losses|losing) {NUMBER} mL/h", 1, 0)) or 0,
    "current_medications": medicines,
    "proposed_medication": proposed,
    "hepatic_function": hepatic,
    "genetic_cyp_variants": variants,
    "check_food_interactions": lambda t: says(t, "(check|include) food|food interactions also"),
}


def user_text(task: Any) -> str:
    return task.payload["prompt"][-1]["content"]


def gold(task: Any) -> tuple[str, dict[str, Any]]:
    call = json.loads(task.payload["ground_truth"])
    return call["name"], call["arguments"]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("style", ["plain", "varied"])
def test_every_gold_argument_is_read_back_from_the_prompt_alone(split: str, style: str) -> None:
    for task in GeneratedTasks(style=style).tasks(split, 160, seed=11):
        text, (_, arguments) = user_text(task), gold(task)
        for name, value in arguments.items():
            assert READERS[name](text) == value, (name, value, text)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**40), split=st.sampled_from(SPLITS))
def test_any_seed_gives_readable_tasks_whose_answer_is_the_tools(seed: int, split: str) -> None:
    for task in GeneratedTasks().tasks(split, 16, seed):
        text, (name, arguments) = user_text(task), gold(task)
        assert list(arguments) == list(TOOLS[name].parameters)
        assert {k: READERS[k](text) for k in arguments} == arguments, text
        assert TOOLS.check(name, arguments) == arguments
        assert not task.payload["answer"].startswith("Error")
        assert "\n" not in task.payload["answer"]


def test_same_seed_same_tasks_and_a_longer_draw_extends_a_shorter_one() -> None:
    source = GeneratedTasks()
    assert isinstance(source, TaskSource)
    long, short = source.tasks("train", 60, 5), GeneratedTasks().tasks("train", 24, 5)
    assert long[:24] == short
    assert source.tasks("train", 24, 6) != short


def test_splits_share_no_id_and_no_prompt_whatever_the_seeds() -> None:
    source = GeneratedTasks()
    drawn = {s: [t for seed in (1, 2) for t in source.tasks(s, 120, seed)] for s in SPLITS}
    for left, right in (("train", "heldout"), ("train", "heldout_iid"), ("heldout", "heldout_iid")):
        assert not {t.id for t in drawn[left]} & {t.id for t in drawn[right]}
        assert not {user_text(t) for t in drawn[left]} & {user_text(t) for t in drawn[right]}
    for split in SPLITS:
        once = source.tasks(split, 120, 3)
        assert len({t.id for t in once}) == 120
        assert all(t.split == split for t in once)


def test_a_hash_of_the_text_deals_training_phrases_to_train_or_heldout_iid() -> None:
    for split, dealt in (("train", False), ("heldout_iid", True)):
        for task in GeneratedTasks().tasks(split, 40, 9):
            digest = hashlib.sha256(user_text(task).encode()).hexdigest()
            assert (int(digest[:8], 16) % 5 == 0) is dealt


@pytest.mark.parametrize(("split", "inside"), [("train", False), ("heldout_iid", False), ("heldout", True)])
def test_value_bands_are_held_out(split: str, inside: bool) -> None:
    met = Counter()
    for task in GeneratedTasks().tasks(split, 160, 4):
        for name, value in gold(task)[1].items():
            if name in BAND_WIDTHS and value is not None:
                assert in_heldout_range(name, value) is inside, (name, value)
                met[name] += 1
    assert set(met) == set(BAND_WIDTHS)


def test_heldout_phrases_are_apart_from_training_phrases() -> None:
    cells = [c for table in PHRASES.values() for c in table.values()]
    for forms in [*cells, *WHO.values(), *OPENERS.values(), *CLOSERS.values(), DISTRACTORS]:
        assert forms.train and forms.heldout
        assert not (set(forms.train) & set(forms.heldout)) - {""}, forms
    assert set(OPENERS) == set(CLOSERS) == set(DRAWS) == {tool.name for tool in TOOLS}


def test_tools_come_in_turn_and_can_be_chosen() -> None:
    names = [
        gold(t)[0]
        for t in GeneratedTasks(tools=["assess_kidney_function", "calculate_drug_dosage"]).tasks(
            "train", 6, 0
        )
    ]
    assert names == ["assess_kidney_function", "calculate_drug_dosage"] * 3
    everything = Counter(gold(t)[0] for t in GeneratedTasks().tasks("heldout", 80, 0))
    assert everything == {name: 10 for name in DRAWS}


def test_prompts_are_compact_and_state_the_defaults() -> None:
    for name, system in SYSTEM_PROMPTS.items():
        tasks = GeneratedTasks(system_prompt=name).tasks("train", 200, 0)
        assert all([m["role"] for m in t.payload["prompt"]] == ["system", "user"] for t in tasks)
        assert all(t.payload["prompt"][0]["content"] == system for t in tasks)
        assert "not mentioned is false, 0, none, [] or null" in system
    words = sorted(len(f"{SYSTEM_PROMPTS['short']} {user_text(t)}".split()) for t in tasks)
    assert 40 <= words[len(words) // 2] <= 90
    assert words[-1] < 120


def test_plain_style_has_neither_other_units_nor_distractors() -> None:
    texts = [user_text(t) for t in GeneratedTasks(style="plain").tasks("train", 200, 0)]
    assert not [t for t in texts if re.search(r"mmol/L|µmol| lb\b|inches|mL/kg/h", t)]
    assert not [t for t in texts for d in DISTRACTORS.train if d in t]
    for tool, units in (
        ("calculate_bmi_metabolic_risk", (" lb", "inches", "mmol/L")),
        ("calculate_insulin_regimen", ("mmol/mol",)),
        ("calculate_fluid_replacement", ("mL/kg/h",)),
        ("assess_kidney_function", ("µmol/L", "mmol/L")),
    ):
        varied = " ".join(user_text(t) for t in GeneratedTasks(tools=[tool]).tasks("train", 60, 0))
        assert all(unit in varied for unit in units), tool


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tools": ["guess"]}, "unknown tool 'guess'"),
        ({"tools": []}, "tools is empty"),
        ({"system_prompt": "long"}, "unknown system_prompt 'long'; known: short, card"),
        ({"style": "odd"}, "unknown style 'odd'; known: plain, varied"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        GeneratedTasks(**options)


def test_wrong_split_and_count_are_named() -> None:
    with pytest.raises(ValueError, match="unknown split 'dev'; known: train, heldout, heldout_iid"):
        GeneratedTasks().tasks("dev", 1, 0)
    with pytest.raises(ValueError, match="count is 0"):
        GeneratedTasks().tasks("train", 0, 0)
