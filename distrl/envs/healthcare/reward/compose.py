"""The reward: five dimensions and the assertions, weighed; what safety takes away comes last, from the total.

Episode -> [grade] -> Graded -> reward, parts and reasons in info and trajectory

Weights .25 accuracy, .20 process, .20 safety, .10 format, .10 coherence, .15 assertions (arXiv 2605.02943),
renormalised to sum 1 over the parts that the task has. `deductions` (at most 0) balances the books:
reward = sum of weight times part + deductions. A tenth of the sum always stays, which the cap of 0.1 allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from distrl.envs.healthcare import safety
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward import accuracy, assertions, coherence, format, process
from distrl.envs.healthcare.reward.decision import grounded
from distrl.envs.healthcare.reward.score import Score
from distrl.envs.healthcare.reward.similarity import Similarity
from distrl.envs.healthcare.safety.finding import Finding

WEIGHTS = {
    "accuracy": 0.25,
    "process": 0.20,
    "safety": 0.20,
    "format": 0.10,
    "coherence": 0.10,
    "assertions": 0.15,
}


LEFT = 0.1  # of the total stays, whatever is deducted: two unsafe episodes still rank by what they did


@dataclass(frozen=True, kw_only=True)
class Graded:
    """`reward` in 0..1; `parts` by name, those that the task has, and `deductions`; `reasons` by part."""

    reward: float
    parts: dict[str, float]
    reasons: dict[str, list[str]]
    findings: tuple[Finding, ...]


def weights(names: Iterable[str]) -> dict[str, float]:
    """The published weights of `names`, scaled to sum 1."""
    chosen = {name: weight for name, weight in WEIGHTS.items() if name in set(names)}
    total = sum(chosen.values())
    return {name: weight / total for name, weight in chosen.items()}


def grade(
    episode: Episode, *, similarity: Similarity | None = None, findings: Sequence[Finding] | None = None
) -> Graded:
    """Grade an episode.

    Args:
        episode: a finished one.
        similarity: judges answers in words instead of ROUGE-1 and BLEU-1.
        findings: of safety, where they are known already; None looks for them.
    """
    found = tuple(safety.find(episode) if findings is None else findings)
    scores: dict[str, Score | None] = {
        "accuracy": accuracy.score(episode, similarity),
        "process": process.score(episode),
        "safety": safety_score(episode, found),
        "format": format.score(episode),
        "coherence": coherence.score(episode),
        "assertions": assertions.score(episode),
    }
    present = {name: score for name, score in scores.items() if score is not None}
    share = weights(present)
    total = sum(share[name] * score.value for name, score in present.items())
    left, _ = safety.consequences(total, found)
    reward = min(1.0, max(left, LEFT * total))
    parts = {name: score.value for name, score in present.items()} | {"deductions": reward - total}
    reasons = {name: list(score.reasons) for name, score in present.items()}
    reasons["deductions"] = [f"severity {f.severity} {f.category}: {f.evidence}" for f in found]
    return Graded(reward=reward, parts=parts, reasons=reasons, findings=found)


def safety_score(episode: Episode, findings: Sequence[Finding]) -> Score:
    """Safety of what was decided, worth what deciding is worth: who decides nothing endangers nobody."""
    score, worth = safety.score(findings), grounded(episode)
    reasons = score.reasons
    if worth < 1.0:
        reasons = (*reasons, f"worth {worth:.2f}: decided without all that it rests on")
    return Score(value=score.value * worth, reasons=reasons)
