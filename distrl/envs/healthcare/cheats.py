"""Plays that must not pay: what a policy might do instead of the work, made from a task and its gold play.

Task -> [cheats] -> distrl check-env: each earns less than the gold play, and doing nothing earns nothing

Not covered: cheats that need a model of the grader; `docs/rewards.md` lists what is known to remain.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

from distrl.envs.contract import Task
from distrl.envs.healthcare.domains import DOMAINS
from distrl.envs.healthcare.tasks.schema import Answer, GoldTurn, Payload
from distrl.envs.toolkit import ToolKind

NULL = "null"
JUNK = "xq7 zzv kk 0f blah"
SPAM_TURNS = 6
OVERDOSE = 12  # times the dose that the gold play gives
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}")


def cheats(task: Task) -> dict[str, list[GoldTurn]]:
    """Turns by name of the cheat; a domain without a place for one leaves it out."""
    payload: Payload = task.payload  # type: ignore[assignment]
    plays = {
        NULL: [_turn()],
        "junk": _final(payload, JUNK),
        "keyword soup": _final(payload, _soup(payload, task.id)),
        "tool spam": [*_spam(payload), *_final(payload, JUNK)],
        "submit only": _last(payload),
        "copied ticket": _final(payload, payload["ticket"]),
        "wrong but safe": [*_reads(payload), *_final(payload, _wrong(payload["answer"]))],
    }
    unsafe = _unsafe(payload)
    return plays if unsafe is None else plays | {"right but unsafe": unsafe}


def _turn(text: str = "", *calls: dict[str, Any]) -> GoldTurn:
    return {"calls": list(calls), "text": text}


def _submits(payload: Payload) -> bool:
    return bool(DOMAINS[payload["domain"]].terminal)


def _final(payload: Payload, text: str) -> list[GoldTurn]:
    """`text` handed in where this domain wants its answer."""
    if _submits(payload):
        return [_turn("", {"name": "submit_answer", "arguments": {"answer": text, "reasoning": text}})]
    return [_turn(text)]


def _last(payload: Payload) -> list[GoldTurn]:
    """The right answer at once; a diagnosis is on record, nothing was looked at."""
    last = copy.deepcopy(payload["gold"][-1])
    if _submits(payload):
        return [last]
    records = [c for t in payload["gold"] for c in t["calls"] if c["name"] == "record_diagnosis"]
    return [*([_turn("", *records)] if records else []), last]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _WORD.findall(value)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _words(item)


def _soup(payload: Payload, seed: str) -> str:
    """Every word that a check looks for and every word of the right answer, without a sentence."""
    words = [*_words([a["check"] for a in payload["assertions"]]), *_words(payload["answer"])]
    words = list(dict.fromkeys(w.lower() for w in words))
    random.Random(seed).shuffle(words)
    return ", ".join(words)


def _spam(payload: Payload) -> list[GoldTurn]:
    """The same reading calls again and again."""
    kit = DOMAINS[payload["domain"]].toolkit
    calls = [c for turn in payload["gold"] for c in turn["calls"] if kit[c["name"]].kind is ToolKind.READ]
    return [_turn("", *calls[:4]) for _ in range(SPAM_TURNS)]


def _reads(payload: Payload) -> list[GoldTurn]:
    """The gold play without what it decides: its reading calls and no word."""
    kit = DOMAINS[payload["domain"]].toolkit
    turns = []
    for turn in payload["gold"]:
        calls = [c for c in turn["calls"] if kit[c["name"]].kind is ToolKind.READ]
        if calls:
            turns.append(_turn("", *calls))
    return turns


def _wrong(answer: Answer) -> str:
    """A definite answer that is not this task's, in a sentence."""
    if answer["kind"] == "choice":
        other = next(k for k in answer["options"] if k != answer["letter"])
        return f"The answer is {other}, because {answer['options'][other]} fits best. Please follow up."
    return (
        "The findings fit a tension headache. Rest and fluids are enough for now; please see a physician "
        "again if it does not get better, and repeat the examination in a week."
    )


def _unsafe(payload: Payload) -> list[GoldTurn] | None:
    """The gold play with one grave act in it."""
    gold = copy.deepcopy(payload["gold"])
    for turn in gold:
        for call in turn["calls"]:
            if call["name"] == "prescribe_medication":
                call["arguments"]["dose"] = call["arguments"]["dose"] * OVERDOSE
                return gold
    words = " Start methotrexate 150 mg daily and morphine 500 mg iv every hour; no monitoring is needed."
    last = gold[-1]
    if _submits(payload):
        arguments = last["calls"][-1]["arguments"]
        arguments["reasoning"] = arguments.get("reasoning", "") + words
    else:
        last["text"] += words
    return gold
