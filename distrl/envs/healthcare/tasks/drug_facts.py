"""The kinds of drug_interaction about one fact of a drug: pregnancy, a level, food, the pathway of a pair.

Profile, Drug -> [kinds] -> Task
"""

from __future__ import annotations

import random

from distrl.envs.clinical.formulary import DRUGS, Drug
from distrl.envs.clinical.interactions import KNOWN as PATHWAYS
from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import drug_text as text
from distrl.envs.healthcare.tasks import phrases, words
from distrl.envs.healthcare.tasks.draft import Draft, call, called, said, split_of
from distrl.envs.healthcare.tasks.drug_asks import ASKS
from distrl.envs.healthcare.tasks.drug_case import Profile, draw_profile, is_clean, proposable
from distrl.envs.healthcare.tasks.drug_steps import (
    SEVERITY_TERMS,
    Looked,
    assert_pair,
    assert_plan,
    draft_of,
    look,
    monograph,
    oblige_screening,
    safe_alternatives,
    screen,
    submit,
)
from distrl.envs.healthcare.tasks.pairs import MODERATE, Pair

COMPATIBLE = [
    "compatible", "safe", "acceptable", "can be used", "may be used", "can be given", "may be taken",
    "suitable",
]  # fmt: skip
HARMFUL = ("avoid", "contraindicated")
HARMFUL_SHARE = 0.65
# What food can be about: words of the monograph, each with the words that name it in an answer.
FOODS: dict[str, tuple[str, ...]] = {
    "grapefruit": ("grapefruit",),
    "vitamin k": ("vitamin K", "leafy", "greens"),
    "alcohol": ("alcohol",),
    "dairy": ("dairy", "milk", "calcium"),
    "milk": ("milk", "dairy", "calcium"),
    "calcium": ("calcium", "milk", "dairy", "antacid", "antacids"),
    "antacid": ("antacid", "antacids"),
    "tyramine": ("tyramine",),
    "potassium": ("potassium",),
    "salt": ("salt", "sodium"),
    "caffeine": ("caffeine", "coffee"),
    "coffee": ("coffee", "caffeine"),
    "empty stomach": ("empty stomach", "before meals", "before food", "before breakfast"),
    "high-fat": ("high-fat", "fatty", "fat"),
    "with food": ("with food", "with meals", "with a meal", "meal"),
    "with meals": ("with meals", "with food", "meal"),
    "protein": ("protein",),
    "upright": ("upright",),
    "water": ("water",),
}
PATHS = ("CYP1A2", "CYP2C9", "CYP2C19", "CYP2D6", "CYP3A4", "P-gp")
# How a level stands to its target: words for it, what is done next, the words for that.
SIDES: dict[str, tuple[str, str, list[str]]] = {
    "below": (
        "low; below; subtherapeutic",
        "Please ask about missed doses, raise the dose if none was missed, and repeat the level.",
        ["missed", "raise", "increase", "adherence", "repeat", "recheck"],
    ),
    "within": (
        "within; therapeutic; in range; on target; in the target",
        "Please continue the present dose and repeat the level when something changes.",
        ["continue", "keep", "any: change", "repeat"],
    ),
    "above": (
        "high; above; supratherapeutic; toxic",
        "Please hold the next dose, look for signs of toxicity, reduce the dose and repeat the level.",
        ["hold", "reduce", "lower", "stop", "withhold", "repeat", "toxicity"],
    ),
}
# Chronic conditions whose drugs are dosed by level.
LEVEL_UNITS = ("mcg/mL", "ng/mL", "mEq/L")  # of a concentration; a TSH or an INR is no level of the drug
LEVEL_CONDITIONS = ("epilepsy", "bipolar_disorder", "atrial_fibrillation", "heart_failure")


def pregnancy(rng: random.Random, split: str) -> Task:
    """A drug in a stated week of pregnancy."""
    harmful = rng.random() < HARMFUL_SHARE
    chosen: list[Drug] = []

    def fits(profile: Profile) -> bool:
        weeks = profile.patient["pregnant_weeks"]
        for drug in proposable(profile, rng):
            rule = drug.pregnancy
            if weeks is None or split_of("pregnancy", drug.name) != split:
                continue
            bad = rule.verdict in HARMFUL and weeks >= rule.from_week
            fine = rule.verdict == "compatible" and all(
                p.rank < MODERATE for p in profile.with_new(drug.name)
            )
            if bad if harmful else fine and is_clean(drug, profile):
                chosen.append(drug)
                return True
        return False

    age, week = rng.randint(20, 40), rng.randint(6, 38)
    profile = draw_profile(rng, fits, what="pregnancy", least=1, pregnant=week, age=age)
    drug, weeks = chosen[-1], profile.patient["pregnant_weeks"]
    draft = draft_of(
        profile,
        rng,
        split,
        "pregnancy",
        phrases.drawn(ASKS["pregnancy"], rng, split).format(
            drug=drug.name, weeks=weeks, purpose=words.use(drug.indications[0])
        ),
        difficulty="moderate" if harmful else "easy",
        purpose=f"{drug.name} in week {weeks}: {drug.pregnancy.verdict}",
    )
    safety = call("check_pregnancy_safety", drug_name=drug.name, patient_id=profile.pid)
    looked = (safety, ("drug_name",), "what pregnancy means for the drug")
    look(draft, rng, text.SCREENING, looked, monograph(drug.name))
    draft.oblige(
        "missing_pregnancy_check",
        4,
        "the answer was given without the pregnancy check",
        called("check_pregnancy_safety", drug_name=[drug.name]),
    )
    closer: list[Looked] = [(screen(profile, drug.name), ("patient_id",), "the drug against the list")]
    if harmful:
        search = call("search_alternatives", drug_name=drug.name, patient_id=profile.pid)
        closer.append((search, ("drug_name",), "what could be given instead"))
    look(draft, rng, text.CLOSER, *closer)
    return _on_pregnancy(draft, split, drug, profile, harmful)


def _on_pregnancy(draft: Draft, split: str, drug: Drug, profile: Profile, harmful: bool) -> Task:
    """The answer with what it is judged by."""
    weeks = profile.patient["pregnant_weeks"]
    named = [f"any: {word}" for word in ("pregnant", "pregnancy", "gestation", "fetus", "fetal")]
    draft.assert_("medium", "The pregnancy is named.", said(named))
    reason = drug.pregnancy.reason.rstrip(".")
    if harmful:
        terms = [
            "avoid",
            "avoided",
            "contraindicated",
            "against",
            "not: compatible",
            "not: safe",
            f"not: {drug.name}",
        ]
        draft.assert_(
            "critical", f"The agent advises against {drug.name}.", said(terms, [f"any: {drug.name}"])
        )
        answer = f"No, {drug.name} should be avoided at {weeks} weeks of pregnancy. {_instead(drug, profile)}"
        why = f"The reason is this: {reason}. Therefore I advise against it in this pregnancy."
        return submit(draft, split, [f"not: {drug.name}"], answer, why)
    draft.assert_("critical", f"{drug.name} is called compatible.", said(COMPATIBLE, [f"any: {drug.name}"]))
    answer = (
        f"{words.capital(drug.name)} is compatible with this pregnancy and can be used for "
        f"{words.use(drug.indications[0])}. Please review it at the next visit."
    )
    why = f"The monograph gives this reason: {reason}. On the list nothing of weight stands against it."
    return submit(draft, split, COMPATIBLE, answer, why)


def _instead(drug: Drug, profile: Profile) -> str:
    """A compatible drug for the same use, or whom to ask."""
    fitting = [d.name for d in safe_alternatives(drug, profile) if d.pregnancy.verdict == "compatible"]
    if not fitting:
        return "Please discuss the choice with obstetrics."
    return f"{words.capital(fitting[0])} is compatible with pregnancy and could be used instead."


def level(rng: random.Random, split: str) -> Task:
    """A drug level: below, within or above its target."""
    chosen: list[Drug] = []

    def fits(profile: Profile) -> bool:
        taken = [DRUGS[name] for name in profile.drugs]
        chosen[:] = [d for d in taken if d.monitoring is not None and d.monitoring.unit in LEVEL_UNITS]
        return bool(chosen)

    profile = draw_profile(rng, fits, what="tdm", least=1, chronic=[rng.choice(LEVEL_CONDITIONS)])
    drug = rng.choice(chosen)
    target = drug.monitoring
    assert target is not None
    side, value = _drawn_level(rng, *target.target)
    low, high = (words.number(end) for end in target.target)
    shown = f"{words.number(value)} {target.unit}"
    draft = draft_of(
        profile,
        rng,
        split,
        "tdm",
        phrases.drawn(ASKS["tdm"], rng, split).format(
            drug=drug.name, Drug=words.capital(drug.name), level=shown
        ),
        difficulty="easy" if side == "within" else "moderate",
        purpose=f"{drug.name} level {shown}: {side} the target",
    )
    reading = call("check_therapeutic_drug_monitoring", drug_name=drug.name, level=value)
    kinetics = call("get_pharmacokinetics", drug_name=drug.name)
    look(
        draft,
        rng,
        text.SCREENING,
        (reading, ("drug_name", "level"), "the target range and where the level stands"),
        (kinetics, ("drug_name",), "when a new level is due"),
    )
    listed = (screen(profile), ("patient_id",), "whether another drug moves the level")
    look(draft, rng, text.CLOSER, listed, (*monograph(drug.name)[:2], ""))
    oblige_screening(draft, profile)
    naming, plan, next_terms = SIDES[side]
    terms = naming.split("; ")
    draft.assert_("critical", f"The level is read as {side} the target.", said(terms))
    draft.assert_("medium", "The target range is given.", said([low], [high]))
    draft.assert_("high", "The agent says what to do next.", said(next_terms))
    span = f"{low} to {high} {target.unit}"
    answer = f"The {drug.name} level of {shown} is {side} the target range of {span}. {plan}"
    moved = [p for p in profile.pairs() if drug.name in (p.first, p.second)][:1]
    for pair in moved:
        assert_pair(draft, pair, critical=False)
    more = " ".join(text.risk_sentence(p, rng) for p in moved)
    why = (
        f"A sample of {drug.name} is valid if drawn as follows: {target.sample}. I compared the level "
        f"with the target because the dose follows from it. {more}"
    )
    return submit(draft, split, terms, answer, why.strip())


def _drawn_level(rng: random.Random, low: float, high: float) -> tuple[str, float]:
    """(below, within or above; a level that stands there), in the digits in which levels are told."""
    side = rng.choice(tuple(SIDES))
    digits = 0 if high >= 30 else 1 if high >= 3 else 2
    spans = {"below": (0.3 * low, 0.85 * low), "within": (low, high), "above": (1.15 * high, 1.9 * high)}
    value = round(rng.uniform(*spans[side]), digits)
    return ("below" if value < low else "above" if value > high else "within"), value


def topics(drug: Drug) -> list[str]:
    """What the monograph's lines on food are about: keys of FOODS."""
    lines = " ".join(drug.food).lower()
    return [key for key in FOODS if key in lines]


def food(rng: random.Random, split: str) -> Task:
    """What to eat and drink, and what not, with one of the current drugs."""
    chosen: list[Drug] = []

    def fits(profile: Profile) -> bool:
        mine = [DRUGS[name] for name in profile.drugs if split_of("food", name) == split]
        chosen[:] = [drug for drug in mine if topics(drug)]
        return bool(chosen)

    profile = draw_profile(rng, fits, what="food", least=1)
    drug = rng.choice(chosen)
    name = drug.name
    draft = draft_of(
        profile,
        rng,
        split,
        "food",
        phrases.drawn(ASKS["food"], rng, split).format(drug=name),
        difficulty="easy",
        purpose=f"food and {name}",
    )
    meals = call("check_food_interactions", drug_name=name)
    look(draft, rng, text.SCREENING, (meals, ("drug_name",), "what food does to it"), monograph(name))
    listed = (screen(profile), ("patient_id",), "what else on the list matters")
    look(draft, rng, text.CLOSER, listed, (call("get_pharmacokinetics", drug_name=name), (), ""))
    for number, key in enumerate(topics(drug)[:2]):
        terms = [f"any: {term}" for term in FOODS[key]]
        importance = "high" if number else "critical"
        draft.assert_(importance, f"Named: {key}.", said(terms, [f"any: {name}"]))  # type: ignore[arg-type]
    lines = "; ".join(line.rstrip(".") for line in drug.food)
    answer = (
        f"What the patient has to know about {name} and food is this: {lines}. It matters because food can "
        "change how much of the drug arrives or how it acts."
    )
    why = f"I read the monograph of {name} and screened the list ({words.joined(profile.drugs)})."
    return submit(draft, split, [f"any: {term}" for term in FOODS[topics(drug)[0]]], answer, why)


def pathway_of(pair: Pair) -> str:
    """The enzyme or transporter that the effect names, or ""."""
    return next((path for path in PATHS if path.lower() in pair.effect.lower()), "")


def cyp(rng: random.Random, split: str) -> Task:
    """By which enzyme or transporter a new drug and a current one interact."""
    chosen: list[Pair] = []

    def fits(profile: Profile) -> bool:
        for drug in proposable(profile, rng):
            pair = next(iter(profile.with_new(drug.name)), None)
            if pair is None or pair.rank < MODERATE or not pathway_of(pair):
                continue
            mine = split_of("cyp", *sorted((pair.first, pair.second))) == split
            if mine and is_clean(drug, profile):
                chosen.append(pair)
                return True
        return False

    profile = draw_profile(rng, fits, what="cyp", least=1)
    pair = chosen[-1]
    new, other, path = pair.first, pair.second, pathway_of(pair)
    draft = draft_of(
        profile,
        rng,
        split,
        "cyp",
        phrases.drawn(ASKS["cyp"], rng, split).format(drug=new, Drug=words.capital(new), other=other),
        difficulty="hard",
        purpose=f"{new} with {other} by {path}",
    )
    look(
        draft,
        rng,
        text.SCREENING,
        (call("check_cyp450_metabolism", drug_name=new), ("drug_name",), "one side of the pathway"),
        (call("check_cyp450_metabolism", drug_name=other), ("drug_name",), "the other side"),
    )
    look(
        draft,
        rng,
        text.CLOSER,
        (call("check_interaction", drug_a=new, drug_b=other), ("drug_a", "drug_b"), "severity and effect"),
        (call("get_pharmacokinetics", drug_name=other), (), ""),
        (screen(profile, new), (), ""),
    )
    oblige_screening(draft, profile, new)
    draft.assert_(
        "critical", f"The pathway is named: {path}.", said([path, path.replace("P-gp", "P-glycoprotein")])
    )
    assert_pair(draft, pair, critical=False)
    assert_plan(draft, pair)
    told = f"{text.risk_sentence(pair, rng)} {text.plan_sentence(pair, rng)}"
    answer = f"The pathway is {path}: {roles(new, other, path)} {told}"
    why = (
        f"I compared how {new} and {other} are cleared. The common pathway explains the effect, therefore "
        "the plan follows from it."
    )
    return submit(draft, split, SEVERITY_TERMS[pair.severity], answer, why)


def roles(first: str, second: str, path: str) -> str:
    """Who inhibits, induces or depends on a pathway, in a sentence."""
    parts = []
    for name in (first, second):
        facts = PATHWAYS[name]
        verbs = (("inhibits", facts.inhibits), ("induces", facts.induces), ("depends on", facts.substrate))
        told = [verb for verb, paths in verbs if path in paths]
        parts += [f"{name} {words.joined(told)} it"] if told else []
    return f"{words.joined(parts)}." if parts else "the label names it for this pair."
