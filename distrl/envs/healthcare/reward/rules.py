"""The rewards of the healthcare environments, as ToolEnv asks for them.

EnvWorker[N: Outcome -> [REWARD_RULES] -> Grade] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back)

`five` is the composed reward; `accuracy` is the answer alone, for evaluation.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from distrl.envs.contract import RewardError, Task
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import from_outcome
from distrl.envs.healthcare.reward import accuracy
from distrl.envs.healthcare.reward.compose import WEIGHTS, Graded, grade
from distrl.envs.healthcare.reward.similarity import Similarity
from distrl.envs.healthcare.world.build import database_of
from distrl.envs.tool_env import Grade, Outcome, RewardRule
from distrl.envs.toolkit import cut

REASON_CHARS = 400  # of one reason in info and trajectory


@dataclass(frozen=True, kw_only=True)
class EpisodeRule(RewardRule):
    """A rule whose parts are those that the task has: their weights are scaled to sum 1 (compose.weights)."""

    graded: Callable[[Episode], Graded]

    def grade(self, task: Task, outcome: Outcome) -> Grade:
        """The reward, its parts and the reasons. Raises RewardError when grading raises or is not finite."""
        try:
            result = self.graded(episode_of(task, outcome))
        except Exception as error:
            raise RewardError(f"task {task.id}: the reward raised {type(error).__name__}: {error}") from error
        if not all(map(math.isfinite, (*result.parts.values(), result.reward))):
            raise RewardError(f"task {task.id}: the reward is not finite: {result.parts}")
        lines = (f"{part}: {why}" for part, whys in result.reasons.items() for why in whys)
        reasons = tuple(cut(line, REASON_CHARS) for line in lines)
        return Grade(reward=result.reward, parts=result.parts, reasons=reasons)


def episode_of(task: Task, outcome: Outcome) -> Episode:
    """The episode; its first database is the outcome's, or is drawn again from the task."""
    before = outcome.initial_db
    return from_outcome(task, outcome, database_of(task.payload["world"]) if before is None else before)


def _accuracy_alone(episode: Episode, similarity: Similarity | None = None) -> Graded:
    score = accuracy.score(episode, similarity)
    return Graded(
        reward=score.value,
        parts={"accuracy": score.value},
        reasons={"accuracy": list(score.reasons)},
        findings=(),
    )


def reward_rules(similarity: Similarity | None = None) -> dict[str, EpisodeRule]:
    """The rules by name; `similarity` judges answers in words, such as a BERTScore F1 of the caller."""
    five = functools.partial(grade, similarity=similarity)
    alone = functools.partial(_accuracy_alone, similarity=similarity)
    return {
        "five": _rule({**WEIGHTS, "deductions": 1.0}, five),
        "accuracy": _rule({"accuracy": 1.0}, alone),
    }


def _rule(weights: Mapping[str, float], graded: Callable[[Episode], Graded]) -> EpisodeRule:
    def parts(task: Task, outcome: Outcome) -> dict[str, float]:
        return graded(episode_of(task, outcome)).parts

    return EpisodeRule(weights=weights, parts=parts, graded=graded)


REWARD_RULES: Mapping[str, RewardRule] = reward_rules()
