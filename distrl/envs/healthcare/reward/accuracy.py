"""Is the answer right: by letter, by diagnosis, by verdict, or by nearness to the right text.

Episode -> [accuracy] -> compose

One letter is right or wrong; a diagnosis is read from the record, else from the answer, and shared among
the conditions committed to; a verdict is given or not; a text earns its nearness to the reference above what
the ticket handed back would earn.
"""

from __future__ import annotations

from functools import lru_cache

from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.reward import diagnosis, prose
from distrl.envs.healthcare.reward.choice import chosen
from distrl.envs.healthcare.reward.score import Score
from distrl.envs.healthcare.reward.similarity import Similarity, rouge_bleu
from distrl.envs.healthcare.reward.verdict import gives

LIST_FACTOR = 0.5  # what a bare list of the right words is worth beside sentences
NAMES_TOLD = 3  # in a reason
CONTRADICTED = 0.5  # what the right record is worth beside an answer that names another condition


def score(episode: Episode, similarity: Similarity | None = None) -> Score:
    """0..1. `similarity` judges texts instead of ROUGE-1 and BLEU-1, such as a BERTScore F1 of the user.

    ValueError: an unknown kind of answer.
    """
    kind = episode.task["answer"]["kind"]
    if kind == "diagnosis":
        return _diagnosis(episode)
    if episode.answer is None:
        return Score(value=0.0, reasons=("no answer",))
    if kind == "choice":
        return _choice(episode)
    if kind == "verdict":
        return _verdict(episode, episode.answer)
    if kind == "text":
        return _text(episode, episode.answer, similarity)
    raise ValueError(f"unknown kind of answer {kind!r}; one of choice, diagnosis, text, verdict")


def _choice(episode: Episode) -> Score:
    truth = episode.task["answer"]
    named = chosen(episode)
    if named is None:
        return Score(value=0.0, reasons=("the answer names no single option",))
    right = named.upper() == truth.get("letter", "").upper()
    why = f"option {named} is right" if right else f"option {named} is wrong, {truth.get('letter')} is right"
    return Score(value=float(right), reasons=(why,))


def _diagnosis(episode: Episode) -> Score:
    name = diagnosis.gold_names(episode)[0]
    row = diagnosis.recorded(episode)
    said = diagnosis.in_answer(episode)
    made, where = (said, "answer") if row is None else (row, "record")
    if not made.right:
        return Score(value=0.0, reasons=(f"the {where} does not commit to {name}",))
    value = made.credit
    reasons = [f"the {where} commits to {name}"]
    if value < 1.0:
        reasons.append(f"it is one of {made.count} conditions{' behind an or' if made.hedged else ''}")
    if row is not None and said.count and not said.right:
        value *= CONTRADICTED
        reasons.append("the answer commits to another condition than the record")
    return Score(value=value, reasons=tuple(reasons))


def _verdict(episode: Episode, answer: str) -> Score:
    names = [*episode.task["answer"].get("names", ())] or [episode.task["answer"]["reference"]]
    right = gives(answer, names)
    wanted = " or ".join(names[:NAMES_TOLD])
    return Score(value=float(right), reasons=(f"the verdict {wanted} is {'' if right else 'not '}given",))


def _text(episode: Episode, answer: str, similarity: Similarity | None) -> Score:
    near = similarity or rouge_bleu
    reference = episode.task["answer"]["reference"]
    floor = _floor(episode.task["ticket"], reference) if similarity is None else 0.0
    raw = min(1.0, max(0.0, near(answer, reference)))
    value = max(0.0, (raw - floor) / (1.0 - floor)) if floor < 1.0 else raw
    reasons = [f"similarity to the reference {raw:.2f}, {floor:.2f} of it by the ticket alone"]
    if prose.measure(answer).listed > 0.5:
        value *= LIST_FACTOR
        reasons.append("a list of keywords counts half")
    return Score(value=value, reasons=tuple(reasons))


@lru_cache(maxsize=512)
def _floor(ticket: str, reference: str) -> float:
    return rouge_bleu(ticket, reference)
