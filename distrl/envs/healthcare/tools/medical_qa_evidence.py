"""Evidence tools of medical_qa: passages by kind, sentences that sum them up, support for each option.

EnvWorker[N: ToolCall -> Toolkit.run -> [evidence] -> knowledge.backend()] <-> Engine[M] -> …

Support is what passages say, counted: no tool here sees a task or its answer. Not covered: negation. A
passage that denies an option holds its words as well, which is why each comes with the sentence to read.
"""

from __future__ import annotations

from typing import Annotated, Any

from distrl.envs.healthcare.knowledge.protocol import Passage
from distrl.envs.healthcare.tools import search
from distrl.envs.healthcare.tools.search import SNIPPET_CHARS, find, listed, sentences, snippet, words
from distrl.envs.toolkit import Arg, ToolError

Question = Annotated[str, Arg(max_length=4000)]
Category = Annotated[str, Arg(max_length=60, help="Such as drug, guideline, criteria; any for all.")]
MAX_OPTIONS = 8
FOR_QUESTION = 8  # passages read for the question itself
FOR_OPTION = 4  # and for the question with one option
ENOUGH = 0.6  # share of an option's words that a passage must hold to count as support


def retrieve_evidence(
    query: search.Query, category: Category = "any", limit: search.Limit = 5
) -> dict[str, Any]:
    """Passages of the installed base on a question, of one kind or of any.

    Args:
        query: The question, or the terms that the passage should hold.
        category: A category that the base holds.
    """
    if category == "any":
        return listed(query, find(query, limit))
    return search.of_kind(query, limit, f"passages of the category {category}", (category.strip().lower(),))


def summarize_evidence(
    topic: search.Query, max_sentences: Annotated[int, Arg(ge=1, le=12)] = 5
) -> dict[str, Any]:
    """The sentences of the best passages that say most on a topic, word for word, with their passages.

    Args:
        topic: The topic or question.
    """
    asked = set(words(topic))
    hits = find(topic, 6)
    rows = [
        (len(asked.intersection(words(s))) / (1 + place), s, hit.passage)
        for place, hit in enumerate(hits)
        for s in sentences(hit.passage.content)
    ]
    best = sorted((r for r in rows if r[0] > 0), key=lambda r: -r[0])[:max_sentences]
    result: dict[str, Any] = {
        "topic": topic[:200],
        "summary": [
            {"sentence": s[:SNIPPET_CHARS], "doc_id": p.doc_id, "title": p.title[: search.TITLE_CHARS]}
            for _, s, p in best
        ],
        "passages_read": len(hits),
    }
    return result if best else {**result, "note": "No passage of the installed base matches these words."}


def analyze_answer_options(
    question: Question, options: Annotated[dict[str, str], Arg(help="Letter to text.")]
) -> dict[str, Any]:
    """What the installed base holds for each option: passages with its words and the question's.

    Support is a count of words, no verdict: read the named passages. The right answer is not known here.

    Args:
        question: The question, without the options.
    """
    if not 2 <= len(options) <= MAX_OPTIONS:
        raise ToolError(f"options: {len(options)} given; give 2 to {MAX_OPTIONS}, as letter to text")
    asked = set(words(question))
    common = {h.passage.doc_id: h.passage for h in find(question, FOR_QUESTION)}
    rows = {letter[:8]: _support(text[:400], question, asked, common) for letter, text in options.items()}
    ranked = sorted(rows, key=lambda letter: -rows[letter]["support"])
    return {
        "options": rows,
        "by_support": ranked,
        "note": "Support counts words of question and option in one passage; it is no proof. Read them.",
    }


def _support(option: str, question: str, asked: set[str], common: dict[str, Passage]) -> dict[str, Any]:
    """The best passages for one option; support from 0 to 1."""
    own = set(words(option))
    if not own:
        return {
            "text": option,
            "support": 0.0,
            "passages": [],
            "note": "The option holds no word to look for.",
        }
    read = {**common, **{h.passage.doc_id: h.passage for h in find(f"{option} {question}", FOR_OPTION)}}
    scored = []
    for passage in read.values():
        held = set(words(f"{passage.title} {passage.content}"))
        covers = len(own & held) / len(own)
        if covers >= ENOUGH:
            scored.append((covers * len(asked & held) / max(1, len(asked)), passage))
    scored.sort(key=lambda row: -row[0])
    found = [
        {
            "doc_id": p.doc_id,
            "title": p.title[: search.TITLE_CHARS],
            "support": round(score, 3),
            "sentence": snippet(p.content, own | asked, 160),
        }
        for score, p in scored[:2]
    ]
    support = found[0]["support"] if found else 0.0
    note = {} if found else {"note": "No passage of the installed base holds this option's words."}
    return {"text": option[:120], "support": support, "passages": found, **note}
