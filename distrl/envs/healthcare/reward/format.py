"""Does the answer stand where the domain asks for it, in a form that can be read.

Episode -> [format] -> compose

1.0 in its place; 0.8 elsewhere (a message where it was to be submitted); 0.5 too short to be an answer in
words, or no diagnosis in it where one is asked for; 0.0 without an answer, or where nothing was decided. A
single letter is a full answer to a question with options.
"""

from __future__ import annotations

from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward import diagnosis
from distrl.envs.healthcare.reward.decision import decided
from distrl.envs.healthcare.reward.score import Score

MIN_CHARS = 10  # an answer in words is longer
BY_MESSAGE = frozenset({"clinical_diagnosis"})  # domains that end with a message; the others submit


def score(episode: Episode) -> Score:
    """1.0, 0.8, 0.5 or 0.0."""
    answer = (episode.answer or "").strip()
    if not answer:
        return Score(value=0.0, reasons=("no answer",))
    made = decided(episode)
    if made.value == 0.0:
        return made
    kind = episode.task["answer"]["kind"]
    if kind != "choice" and len(answer) <= MIN_CHARS:
        return Score(value=0.5, reasons=(f"an answer of {len(answer)} characters",))
    if kind == "diagnosis" and not diagnosis.in_answer(episode).count:
        return Score(value=0.5, reasons=("the answer names no diagnosis",))
    if bool(episode.submitted) == (episode.task["domain"] in BY_MESSAGE):
        return Score(value=0.8, reasons=("the answer does not stand where the domain asks for it",))
    return Score(value=1.0)
