"""The endless task source of clinical tool calling: a seeded generator for all eight tools.

[GeneratedTasks] -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

Three splits that never share a prompt, whatever the seeds and counts:
    train        training phrases, training value bands
    heldout_iid  the same phrases and bands; a hash of the user text deals each draw to one of the two
    heldout      phrases, sentence frames and value bands that training never shows
Every gold argument stands in the text, or is the default (false, 0, none, [], null) that the system prompt
states.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from typing import Any

from distrl.envs.clinical_tools import phrases, surfaces
from distrl.envs.clinical_tools.draws import DRAWS, Arguments, Dice
from distrl.envs.clinical_tools.tools import TOOLS
from distrl.envs.contract import Task, TaskSource, ToolCall

ENV_ID = "distrl/ClinicalTools-v0"
SPLITS = ("train", "heldout", "heldout_iid")
STYLES = ("plain", "varied")
IID_SHARE = 5  # one of so many draws of the training phrases belongs to heldout_iid
MAX_REDRAWS = 2000  # in a row; reached only when a split has no further prompt to give

_CONVENTIONS = (
    "Convert to kg, cm, mg/dL, mL/h, mg; round to whole numbers, creatinine and A1c to one decimal. "
    "What is not mentioned is false, 0, none, [] or null."
)
SYSTEM_PROMPTS = {
    "short": (
        'Answer with one <tool_call>{"name": …, "arguments": {…}}</tool_call>, all arguments given. '
        f"{_CONVENTIONS}"
    ),
    "card": (
        "You support clinical decisions with eight tools: drug dosing, cardiovascular risk, BMI and "
        "metabolic risk, surgical risk, insulin regimens, kidney function, fluid replacement and drug "
        "interactions. Read the patient's presentation, choose the one tool that answers it and call it "
        "with every parameter; then sum up its result in a sentence with the key figures. Do not ask back. "
        f"{_CONVENTIONS}"
    ),
}


class GeneratedTasks(TaskSource):
    """Unlimited synthetic tasks; task i of a seed and split is the same whatever `count` is.

    Args:
        tools: names of the tools to draw from, in turn; None takes all eight.
        system_prompt: "short" (about 35 words) or "card" (about 80); both state the defaults.
        style: "varied" (other units, distractors) or "plain" (neither).

    Raises ValueError for an unknown tool, prompt, style or split.
    """

    def __init__(
        self, *, tools: Sequence[str] | None = None, system_prompt: str = "short", style: str = "varied"
    ) -> None:
        self.tools = list(DRAWS) if tools is None else tool_names(tools)
        self.system_prompt = SYSTEM_PROMPTS[one_of("system_prompt", system_prompt, SYSTEM_PROMPTS)]
        self.style = one_of("style", style, STYLES)

    def tasks(self, split: str, count: int, seed: int) -> list[Task]:
        """`count` tasks of `split`, no two with the same id; equal for equal seeds."""
        one_of("split", split, SPLITS)
        if count < 1:
            raise ValueError(f"count is {count}; a generator is endless, so ask for at least 1 task")
        seen: set[str] = set()
        return [self._task(split, index, seed, seen) for index in range(count)]

    def _task(self, split: str, index: int, seed: int, seen: set[str]) -> Task:
        rng = random.Random(f"{seed}/{split}/{index}")
        tool = self.tools[index % len(self.tools)]
        for _ in range(MAX_REDRAWS):
            arguments = DRAWS[tool](Dice(rng, split == "heldout"))
            text = _compose(tool, arguments, rng, heldout=split == "heldout", plain=self.style == "plain")
            digest = hashlib.sha256(text.encode()).hexdigest()
            if digest in seen or _misdealt(split, digest):
                continue
            answer = answer_of(tool, arguments)
            if not answer.startswith("Error"):
                seen.add(digest)
                messages = [
                    {"role": "system", "content": self.system_prompt},
                    {"role": "user", "content": text},
                ]
                return make_task(
                    split=split, messages=messages, tool=tool, arguments=arguments, answer=answer
                )
        raise RuntimeError(
            f"{tool}: {MAX_REDRAWS} draws in a row gave no new task of split {split!r} (seed {seed})"
        )


def one_of(what: str, value: str, allowed: Any) -> str:
    """`value`, if it is allowed; else a ValueError that lists what is."""
    if value not in allowed:
        raise ValueError(f"unknown {what} {value!r}; known: {', '.join(allowed)}")
    return value


def tool_names(tools: Sequence[str]) -> list[str]:
    """`tools` as a list of known names; a ValueError for none, for an unknown one and for a bare text."""
    if isinstance(tools, str):
        raise ValueError(f"tools is the text {tools!r}; give a list: [{tools}]")
    if not tools:
        raise ValueError("tools is empty; name at least one tool, or leave it out for all eight")
    return [one_of("tool", tool, DRAWS) for tool in tools]


def answer_of(tool: str, arguments: Arguments) -> str:
    """What the tool says to a call; it begins with "Error" when the call is refused."""
    return TOOLS.run(ToolCall(id="gold", name=tool, arguments=json.dumps(arguments)), turn=0).output


def make_task(
    *,
    split: str,
    messages: list[dict[str, str]],
    tool: str,
    arguments: Arguments,
    answer: str,
    source: str = "generated",
    licence: str = "Apache-2.0",
) -> Task:
    """A task in the card's schema; its id is a hash of what is asked and what is expected."""
    ground_truth = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False)
    return Task(
        id=task_id(messages, ground_truth),
        env=ENV_ID,
        split=split,
        payload={"prompt": messages, "answer": answer, "ground_truth": ground_truth},
        source=source,
        licence=licence,
    )


def task_id(messages: list[dict[str, str]], ground_truth: str) -> str:
    """Sixteen hex digits: a SHA-256 of the conversation (without the system's words) and the gold call."""
    said = [[m["role"], m["content"]] for m in messages if m["role"] != "system"]
    return hashlib.sha256(json.dumps([said, ground_truth]).encode()).hexdigest()[:16]


def _misdealt(split: str, digest: str) -> bool:
    """True when the hash deals this text of the training phrases to the other split."""
    return split != "heldout" and (int(digest[:8], 16) % IID_SHARE == 0) != (split == "heldout_iid")


def _compose(tool: str, arguments: Arguments, rng: random.Random, *, heldout: bool, plain: bool) -> str:
    """The user's text: a request, the patient, the facts in random order and perhaps a distractor."""
    drug = arguments.get("proposed_medication", arguments.get("drug_name", ""))
    who, told = _who(arguments, rng, heldout)
    facts = [
        _phrase(name, arguments, rng, heldout=heldout, plain=plain)
        for name in arguments
        if name not in told and name not in ("drug_name", "proposed_medication")
    ]
    facts = [f for f in facts if f]
    rng.shuffle(facts)
    if rng.random() < 0.5:
        opener = rng.choice(phrases.OPENERS[tool].of(heldout)).format(who=who, drug=drug)
        parts = [opener if heldout else f"{opener}, {facts.pop(0)}", *_sentences(facts, rng, heldout)]
    else:
        closer = rng.choice(phrases.CLOSERS[tool].of(heldout)).format(drug=drug)
        first = _upper(who) if heldout else f"{_upper(who)}: {facts.pop(0)}"
        parts = [first, *_sentences(facts, rng, heldout), closer]
    if not plain and rng.random() < 0.4:
        known = phrases.CHILD_DISTRACTORS if arguments.get("is_pediatric") else phrases.DISTRACTORS
        parts.insert(rng.randrange(1, len(parts) + 1), rng.choice(known.of(heldout)))
    return " ".join(p if p[-1] in ".?" else f"{p}." for p in parts)


def _who(arguments: Arguments, rng: random.Random, heldout: bool) -> tuple[str, set[str]]:
    """The patient in words, and the arguments that these words tell."""
    age, told = arguments.get("patient_age"), {"patient_age", "sex"}
    if age is not None:
        kind = "sexed"
    elif "is_pediatric" in arguments:
        kind, told = ("child" if arguments["is_pediatric"] else "adult"), {"is_pediatric"}
        age = _child_age(arguments["patient_weight_kg"]) if arguments["is_pediatric"] else rng.randint(20, 80)
    else:
        kind, told = "patient", set()
    female = arguments.get("sex") == "female"
    text = rng.choice(phrases.WHO[kind].of(heldout)).format(
        age=age, noun="woman" if female else "man", adjective="female" if female else "male"
    )
    return _articled(text), told


def _child_age(weight_kg: int) -> int:
    """Years, near twice (age + 4) kg, the rule of Advanced Paediatric Life Support; 1 to 14."""
    return min(14, max(1, round(weight_kg / 2) - 4))


def _articled(text: str) -> str:
    """ "a 8-year-old" -> "an 8-year-old"."""
    return f"an {text[2:]}" if text.startswith(("a 8", "a 11", "a 18")) else text


def _phrase(name: str, arguments: Arguments, rng: random.Random, *, heldout: bool, plain: bool) -> str:
    """One phrase that tells the argument `name`, or "" where its default goes without saying."""
    value = arguments[name]
    if name == "is_pregnant" and not value and arguments.get("sex") == "male":
        return ""
    if (
        name == "prior_cardiac_history"
        and value == "none"
        and any(arguments["cardiac_risk_factors"].values())
    ):
        return ""  # "no cardiac history" beside heart failure would contradict itself
    cells = phrases.PHRASES[phrases.ALIASES.get(name, name)]
    forms = cells[case] if (case := surfaces.case_of(value)) in cells else cells["*"]
    known = surfaces.written(name, value, arguments)
    fitting = [
        form
        for form in forms.of(heldout)
        if (need := phrases.fields(form)) <= known.keys() and not (plain and need & phrases.ALTERNATIVE_UNITS)
    ]
    return rng.choice(fitting).format(**known)


def _sentences(facts: list[str], rng: random.Random, heldout: bool) -> list[str]:
    """The facts in sentences of one to four; the held-out frame is a list with semicolons."""
    if heldout:
        return [_upper("; ".join(facts))] if facts else []
    sentences = []
    while facts:
        taken = rng.randint(1, 4)
        sentences.append(_upper(", ".join(facts[:taken])))
        facts = facts[taken:]
    return sentences


def _upper(text: str) -> str:
    """First letter raised, where the first word is a plain lower-case word (not eGFR)."""
    word = text.split(" ", 1)[0]
    return (
        text[0].upper() + text[1:]
        if word.rstrip(",:;").replace("-", "").isalpha() and word.islower()
        else text
    )
