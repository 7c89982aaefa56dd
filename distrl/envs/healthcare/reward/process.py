"""Was the work done: expected calls made, without going in circles, with the tools that the task needs.

Episode -> [process] -> compose

0.6 coverage + 0.2 diversity + 0.2 thoroughness; where the task has rules of conduct (assertions and
obligations on calls, their order and the record) these weigh 0.7 and the former 0.3 (arXiv 2605.02943).
Only calls that succeeded count; handing in the answer is no work. Thoroughness asks for at most as many tools
as the task needs. Calls far beyond what it needs shrink diversity and thoroughness, so that trying everything
once is no virtue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from distrl.envs.healthcare.checks import arguments_match, holds
from distrl.envs.healthcare.episode import Call, Episode
from distrl.envs.healthcare.judged import TERMINAL, once
from distrl.envs.healthcare.reward.matching import maximum_matching
from distrl.envs.healthcare.reward.score import Score
from distrl.envs.healthcare.tasks.schema import Check, ExpectedCall

COVERAGE, DIVERSITY, THOROUGHNESS = 0.6, 0.2, 0.2
RULES = 0.7
ENOUGH_TOOLS = 5
SPARE_FACTOR, SPARE_CALLS = 2, 4  # calls that nobody counts: twice the expected ones and four
CONDUCT = frozenset({"called", "recorded", "not_recorded", "before"})
SEVERITY_WEIGHT = {5: 2.0, 4: 1.5, 3: 1.0}  # of an obligation; less grave ones 0.5
IMPORTANCE = {"critical": 2.0, "high": 1.5, "medium": 1.0, "low": 0.5}


def score(episode: Episode) -> Score | None:
    """0..1, or None where the task neither expects a call nor has a rule of conduct."""
    covered = coverage(episode)
    reasons = [f"missed: {_told(e)}" for e in missed(episode)]
    parts: list[tuple[float, float]] = []
    if covered is not None:
        diverse, thorough = _diversity(episode), _thoroughness(episode)
        spare = _within_budget(episode)
        reasons += [
            f"diversity {diverse:.2f}, thoroughness {thorough:.2f}"
            + (f", both shrunk to {spare:.2f} by calls beyond need" if spare < 1.0 else "")
        ]
        base = COVERAGE * covered + (DIVERSITY * diverse + THOROUGHNESS * thorough) * spare
        parts.append((1.0 - RULES, base))
    if (kept := _rules_kept(episode, 1.0 if covered is None else covered, reasons)) is not None:
        parts.append((RULES, kept))
    if not parts:
        return None
    value = sum(w * v for w, v in parts) / sum(w for w, _ in parts)
    return Score(value=value, reasons=tuple(reasons))


def coverage(episode: Episode) -> float | None:
    """The share of expected calls that were made, each by a call of its own; None where none is expected."""
    expected = _expected(episode)
    return 1.0 - len(missed(episode)) / len(expected) if expected else None


def missed(episode: Episode) -> list[ExpectedCall]:
    """The expected calls that no call was left for, in the largest matching."""
    return once(episode, "missed", lambda: _missed(episode))


def _missed(episode: Episode) -> list[ExpectedCall]:
    expected, made = _expected(episode), list(_work(episode))
    matched = maximum_matching([[i for i, call in enumerate(made) if fits(call, e)] for e in expected])
    return [e for i, e in enumerate(expected) if i not in matched]


def _expected(episode: Episode) -> list[ExpectedCall]:
    return [e for e in episode.task["expected"] if e["name"] not in TERMINAL]


def fits(call: Call, expected: ExpectedCall) -> bool:
    """Whether a call is the expected one: its name, and the arguments that are compared."""
    where = {name: expected["arguments"].get(name) for name in expected["compare_args"]}
    return call.name == expected["name"] and arguments_match(call.arguments, where)


def _told(expected: ExpectedCall) -> str:
    where = ", ".join(f"{n}={expected['arguments'].get(n)!r}" for n in expected["compare_args"])
    return f"{expected['name']}({where})"


def _work(episode: Episode) -> Iterator[Call]:
    """Successful calls other than handing in."""
    return (call for call in episode.succeeded if call.name not in TERMINAL)


def _tried(episode: Episode) -> int:
    return sum(call.name not in TERMINAL for call in episode.calls)


def _diversity(episode: Episode) -> float:
    """Successful calls that differ, of all that were tried."""
    signatures = {(c.name, json.dumps(c.arguments, sort_keys=True)) for c in _work(episode)}
    return len(signatures) / max(1, _tried(episode))


def _thoroughness(episode: Episode) -> float:
    """Distinct tools of use, of ENOUGH_TOOLS or the fewer that the task needs."""
    used = {call.name for call in _work(episode) if call.kind != "THINK" and call.name != "think"}
    needed = {e["name"] for e in _expected(episode)}
    return min(1.0, len(used) / min(ENOUGH_TOOLS, len(needed)))


def _within_budget(episode: Episode) -> float:
    """1.0 up to the calls that nobody counts, then their share of the calls that were tried."""
    allowance = SPARE_FACTOR * len(_expected(episode)) + SPARE_CALLS
    return min(1.0, allowance / max(1, _tried(episode)))


def _rules_kept(episode: Episode, worked: float, reasons: list[str]) -> float | None:
    """Weighted share of the rules of conduct that hold; one that silence would keep is worth `worked`."""
    task = episode.task
    rules = [
        (IMPORTANCE[a["importance"]], a["text"], a["check"])
        for a in task["assertions"]
        if conduct(a["check"])
    ]
    rules += [
        (SEVERITY_WEIGHT.get(o["severity"], 0.5), o["reason"], o["check"])
        for o in task["obligations"]
        if conduct(o["check"]) and _orders(o["check"])
    ]
    if not rules:
        return None
    earned = 0.0
    for weight, text, check in rules:
        if holds(check, episode):
            earned += weight * (worked if by_silence(check, episode) else 1.0)
        else:
            reasons.append(f"rule not kept: {text}")
    return earned / sum(weight for weight, _, _ in rules)


def conduct(check: Check) -> bool:
    """Whether a check is on what was done rather than on what was said."""
    return check["kind"] in CONDUCT or (check["kind"] == "any_of" and all(map(conduct, check["checks"])))


def _orders(check: Check) -> bool:
    return check["kind"] == "before" or (check["kind"] == "any_of" and any(map(_orders, check["checks"])))


def by_silence(check: Check, episode: Episode) -> bool:
    """Whether a check would hold in the same task if the agent had said and done nothing."""
    silent = replace(
        episode, calls=(), said="", thought="", answer=None, submitted={}, after=episode.before, turns=0
    )
    return holds(check, silent)
