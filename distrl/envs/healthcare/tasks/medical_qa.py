"""Questions of medical_qa by seed: multiple choice and open, on facts of the tables, with gold episodes.

formulary, CONDITIONS, calculators -> facts -> [make_task] -> Task -> HealthcareEnv -> rewards

A question is answerable from the own knowledge base and the tools: its gold episode searches, reads the
passage, looks the fact up with another tool, weighs the options and answers. Held out, and never shown by
training: three rows of ten of every table (half of them for `heldout`, half for `test`) and every wording.
Written for this project; no benchmark item. Synthetic use only, not for care.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from distrl.envs.contract import Task
from distrl.envs.healthcare.tasks import (
    medical_qa_cases,
    medical_qa_conditions,
    medical_qa_doses,
    medical_qa_drugs,
    medical_qa_pairs,
    medical_qa_scoring,
)
from distrl.envs.healthcare.tasks.draft import SPLITS, Draft, any_of, before, call
from distrl.envs.healthcare.tasks.medical_qa_facts import Fact, Kind, rows_of
from distrl.envs.healthcare.tasks.medical_qa_wording import CLOSINGS, PERSONAS, STEMS, TEXT_CLOSINGS
from distrl.envs.healthcare.tasks.schema import Answer, World

KINDS: dict[str, Kind] = {
    kind.name: kind
    for module in (
        medical_qa_drugs,
        medical_qa_doses,
        medical_qa_pairs,
        medical_qa_conditions,
        medical_qa_cases,
        medical_qa_scoring,
    )
    for kind in module.KINDS
}
LETTERS = "ABCDE"
FEWEST_WRONG = 3
MAX_DRAWS = 200
SEARCHES = ("search_pubmed", "search_medical_wiki", "retrieve_evidence", "summarize_evidence")


@cache
def _deck(split: str) -> tuple[str, ...]:
    """Names of the kinds that have rows in a split, each as often as its weight."""
    return tuple(name for name, kind in KINDS.items() if rows_of(kind, split) for _ in range(kind.weight))


def make_task(seed: int, split: str, kind: str | None = None) -> Task:
    """The task of a seed in a split; the same for the same seed, split and kind.

    Args:
        seed: any whole number.
        split: "train", "heldout" or "test".
        kind: a key of KINDS; None deals the kinds by weight.

    Raises ValueError for an unknown split or kind, RuntimeError when the tables give no question of it.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; known: {', '.join(KINDS)}")
    rng = random.Random(f"medical_qa/{seed}/{split}")
    for _ in range(MAX_DRAWS):
        chosen = KINDS[kind or rng.choice(_deck(split))]
        rows = rows_of(chosen, split)
        if not rows:
            break
        fact = chosen.draw(rng.choice(rows), rng)
        if fact is not None and (not fact.wrong or len(fact.wrong) >= FEWEST_WRONG):
            return _task(fact, split, rng)
    raise RuntimeError(f"no question of kind {kind or 'any'} in {split!r} for seed {seed}")


def _task(fact: Fact, split: str, rng: random.Random) -> Task:
    stem = rng.choice(STEMS[fact.kind][split]).format(**fact.slots)
    if fact.wrong:
        options = _options(fact, rng)
        letter = next(key for key, text in options.items() if text == fact.right)
        shown = "\n".join(f"{key}. {text}" for key, text in options.items())
        ticket = f"{stem}\n\n{shown}\n\n{rng.choice(CLOSINGS[split])}"
        answer: Answer = {"kind": "choice", "reference": fact.right, "letter": letter, "options": options}
    else:
        options, letter = {}, ""
        ticket = f"{stem}\n\n{rng.choice(TEXT_CLOSINGS[split])}"
        answer = {"kind": "text", "reference": fact.right}
    draft = Draft(
        domain="medical_qa",
        kind=fact.kind,
        purpose=f"Answer a question on {fact.topic}",
        difficulty=fact.difficulty,
        persona=rng.choice(PERSONAS[split]),
        ticket=ticket,
        patient_id="",
        world=World(),
        challenges=[
            "find the passage that holds the fact",
            f"kind of question: {fact.kind.replace('_', ' ')}",
        ],
    )
    _gold(draft, fact, stem, options, letter)
    rule = any_of(*(before(search, "submit_answer") for search in SEARCHES))
    draft.assert_("high", "The knowledge base was searched before the answer was given", rule)
    return draft.task(split, answer)


def _options(fact: Fact, rng: random.Random) -> dict[str, str]:
    """Four or five options by letter, in drawn order."""
    count = rng.choice((3, 4)) if len(fact.wrong) > FEWEST_WRONG else FEWEST_WRONG
    texts = [fact.right, *fact.wrong[:count]]
    rng.shuffle(texts)
    return dict(zip(LETTERS, texts, strict=False))


def _gold(draft: Draft, fact: Fact, stem: str, options: dict[str, str], letter: str) -> None:
    """The gold episode: search, read, look up, weigh, answer."""
    search = call("search_pubmed", query=fact.query)
    draft.expect(search, info="Search the knowledge base")
    draft.turn(f"I search the knowledge base for {fact.topic} first.", search)
    if fact.doc_id:
        read = call("browse_article", article_id=fact.doc_id)
        draft.expect(read, info="Read the passage that holds the fact")
        draft.turn("The passage on this is among the results, so I read it.", read)
    for made in fact.lookup:
        draft.expect(made, *_compared(made), info="Look the fact up with a second tool")
        draft.turn("I check this with a second source.", made)
    if options:
        weigh = call("analyze_answer_options", question=stem, options=options)
        draft.turn("Now I compare what the base holds for each option.", weigh)
    named = "" if fact.right in fact.because or fact.right[:1].isdigit() else f", {fact.right}"
    verdict = f"Therefore the answer is {letter}{named}." if options else "Therefore I answer so."
    reasoning = f"{fact.because} {verdict}"
    submit = call("submit_answer", answer=letter or fact.right, reasoning=reasoning)
    draft.expect(submit, info="Submit the answer")
    draft.turn(reasoning, submit)


def _compared(made: dict[str, Any]) -> tuple[str, ...]:
    """Arguments of a look-up that must match: what it is about."""
    return tuple(name for name in ("drug_name", "condition", "score_name") if name in made["arguments"])
