"""The sixteen shared knowledge tools: search and read the installed passages, whatever base is behind them.

tasks -> EnvWorker[N: ToolCall -> [search tools -> knowledge.backend()] -> passages] <-> Engine[M] -> …

Every tool searches the base that is installed on this machine. The names that recall a live service
(search_pubmed, search_medical_wiki) are the gym's; nothing leaves the machine. A kind of text that the base
does not hold is said in `note`, never replaced by something near. Synthetic use only; not for care.

Not covered: passages that do not name what they are about; the index knows words, not meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from distrl.envs.clinical import formulary
from distrl.envs.clinical.interactions import interaction
from distrl.envs.healthcare.knowledge import backend
from distrl.envs.healthcare.knowledge.protocol import Hit, Passage
from distrl.envs.healthcare.tools import lookup
from distrl.envs.healthcare.tools.common import submit_answer, think
from distrl.envs.toolkit import Arg, ToolError, ToolKind, Toolkit

TIME_LIMIT_S = 10.0  # a query of the large base takes milliseconds; past this something is wrong
MAX_OUTPUT_CHARS = 8000
SNIPPET_CHARS = 320
TITLE_CHARS = 100
ROOM_CHARS = 7400  # of all results together, below the output cap
RESULT_CHARS = 270  # of one result beside its text: names, title, source, score
PAGE_CHARS = 5000  # of one passage; below the output cap, so that the result stays JSON
MAX_WORDS = 48  # of a query; what is longer costs time and finds no more
DEFAULT_RESULTS = 5
MAX_KINDS = 5  # of passages side by side

Query = Annotated[str, Arg(max_length=2000, help="Plain words.")]
Limit = Annotated[int, Arg(ge=1, le=20, help="Passages wanted.")]
DocId = Annotated[str, Arg(max_length=200, help="A doc_id that a search returned.")]
Name = Annotated[str, Arg(max_length=120)]

# Categories of passages, by what a tool looks for.
GUIDELINES = ("guideline", "guidelines")
TRIALS = ("clinical_trial", "trial", "rct")
ACCURACY = ("diagnostic_accuracy", "accuracy")

KNOWLEDGE = Toolkit("knowledge", MAX_OUTPUT_CHARS)
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+|\n+")
STOPWORDS = frozenset(
    """a an and are as at be by does do for from had has have he her his if in into is it its many most much
    no not of on one or she should that the their there these this those to was were what when where which who
    whom whose will with would you your following patient""".split()  # noqa: SIM905 - a word list reads best so
)


def words(text: str) -> list[str]:
    """The words of `text` in lower case, without those that say nothing."""
    return [w for w in _WORD.findall(text.lower()) if w not in STOPWORDS]


def query_words(text: str) -> str:
    """A question as a query: its telling words, each once, at most MAX_WORDS."""
    return " ".join(list(dict.fromkeys(words(text)))[:MAX_WORDS])


def find(query: str, limit: int = DEFAULT_RESULTS, *, category: str = "", source: str = "") -> list[Hit]:
    """Best passages of the installed base. Raises ToolError for a query without a word."""
    asked = query_words(query) or " ".join(_WORD.findall(query.lower())[:MAX_WORDS])
    if not asked:
        raise ToolError("query: no word to search for; give the terms that the passage should hold")
    return backend().search(asked, limit, category=category, source=source)


def sentences(text: str) -> list[str]:
    """The sentences and lines of a passage."""
    return [s for part in _SENTENCE_END.split(text) if (s := part.strip())]


def snippet(content: str, asked: Iterable[str], limit: int = SNIPPET_CHARS) -> str:
    """The stretch of `content` that holds most of the asked words, at most `limit` characters."""
    wanted, parts = set(asked), sentences(content)
    if not parts:
        return ""
    hits = [len(wanted.intersection(words(part))) for part in parts]
    best = max(range(len(parts)), key=lambda i: (hits[i], -i))
    text, follow = parts[best], best + 1
    while follow < len(parts) and len(text) + 1 + len(parts[follow]) <= limit:
        text, follow = f"{text} {parts[follow]}", follow + 1
    return text if len(text) <= limit else text[: limit - 1] + "…"


def room(count: int) -> int:
    """Characters of text for each of `count` results, so that all of them stay below the output cap."""
    return max(60, min(SNIPPET_CHARS, ROOM_CHARS // max(1, count) - RESULT_CHARS))


def shown(hit: Hit, asked: Sequence[str], limit: int = SNIPPET_CHARS) -> dict[str, Any]:
    """A hit as a model reads it: where the passage is and its most telling stretch."""
    passage = hit.passage
    return {
        "doc_id": passage.doc_id,
        "title": passage.title[:TITLE_CHARS],
        "source": passage.source[:40],
        "category": passage.category[:40],
        "snippet": snippet(passage.content, asked, limit),
        "score": round(hit.score, 3),
    }


def listed(query: str, hits: Sequence[Hit], note: str = "") -> dict[str, Any]:
    """The result of a search; `note` says what is missing."""
    asked = words(query)
    limit = room(len(hits))
    result: dict[str, Any] = {"query": query[:200], "results": [shown(h, asked, limit) for h in hits]}
    if not hits and not note:
        note = "No passage of the installed base matches these words."
    return {**result, "note": note} if note else result


def held_categories() -> list[str]:
    """Categories of the installed base, by its statistics; [] where the backend does not count them."""
    return sorted(k.removeprefix("category:") for k in backend().stats() if k.startswith("category:"))


def of_kind(query: str, limit: int, what: str, categories: Sequence[str]) -> dict[str, Any]:
    """Search only `categories`; says plainly that the base holds no `what` where there is none of them."""
    held = held_categories()
    wanted = [c for c in categories if c in held] if held else list(categories)
    hits = [h for c in wanted for h in find(query, limit, category=c)]
    hits = sorted(hits, key=lambda h: -h.score)[:limit]
    if hits:
        return listed(query, hits)
    if wanted and held:
        return listed(query, [], f"The installed base holds {what}, but none matches these words.")
    kept = f" It holds: {', '.join(held)}." if held else ""
    return listed(query, [], f"The installed base holds no {what}.{kept} Use search for what it has.")


def passage_of(doc_id: str) -> Passage:
    """The passage of that id. Raises ToolError with the ids that come near."""
    passage = backend().get(doc_id.strip())
    if passage is None:
        near = [h.passage.doc_id for h in backend().search(query_words(doc_id), 3)] if words(doc_id) else []
        hint = f"; near: {', '.join(near)}" if near else ""
        raise ToolError(f"no passage {doc_id[:80]!r}; give a doc_id that a search returned{hint}")
    return passage


def page(passage: Passage, section: str = "", offset: int = 0) -> dict[str, Any]:
    """One passage from `offset` on, or only the lines of it that belong to `section`."""
    content, note = passage.content, ""
    if section:
        kept = [s for s in sentences(content) if set(words(section)) <= set(words(s))]
        content = "\n".join(kept)
        note = "" if kept else f"No line of this passage names {section[:60]!r}; read it without a section."
    text = content[offset : offset + PAGE_CHARS]
    result: dict[str, Any] = {
        "doc_id": passage.doc_id,
        "title": passage.title,
        "source": passage.source,
        "category": passage.category,
        "content": text,
        "total_chars": len(content),
    }
    if offset + PAGE_CHARS < len(content):
        note = f"Cut here; read on with offset {offset + PAGE_CHARS}."
    return {**result, "note": note} if note else result


_read = KNOWLEDGE.tool(ToolKind.READ, time_limit_s=TIME_LIMIT_S)
_think = KNOWLEDGE.tool(ToolKind.THINK)
_answer = KNOWLEDGE.tool(ToolKind.GENERIC)


@_read
def search(query: Query, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Search all passages of the installed knowledge base (BM25).

    Args:
        query: Terms that the passage should hold.
    """
    return listed(query, find(query, limit))


@_read
def browse(doc_id: DocId, offset: Annotated[int, Arg(ge=0, unit="characters")] = 0) -> dict[str, Any]:
    """Read one passage in full by its doc_id.

    Args:
        offset: Where to read on in a long passage.
    """
    return page(passage_of(doc_id), offset=offset)


@_read
def search_pubmed(query: Query, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Search medical literature. It searches the installed base, not the live PubMed service.

    Args:
        query: Terms that the article should hold.
    """
    return listed(query, find(query, limit))


@_read
def search_medical_wiki(query: Query, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Search reference entries by topic, one result a title, in the installed base (no live wiki).

    Args:
        query: The topic.
    """
    best: dict[str, Hit] = {}
    for hit in find(query, min(100, 4 * limit)):
        best.setdefault(hit.passage.title.casefold(), hit)
    return listed(query, list(best.values())[:limit])


@_read
def search_evidence(query: Query, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Sentences of the installed base that speak to a question, each with the passage it stands in.

    Args:
        query: The question or claim.
    """
    asked = set(words(query))
    ranked = [
        (len(asked.intersection(words(s))), -place, s, hit.passage)
        for place, hit in enumerate(find(query, 10))
        for s in sentences(hit.passage.content)
    ]
    ranked.sort(key=lambda row: (-row[0], -row[1]))
    width = room(limit)
    found = [
        {"sentence": s[:width], "doc_id": p.doc_id, "title": p.title[:TITLE_CHARS], "shared_words": shared}
        for shared, _, s, p in ranked[:limit]
        if shared
    ]
    note = {} if found else {"note": "No passage of the installed base matches these words."}
    return {"query": query[:200], "evidence": found, **note}


@_read
def search_guidelines(condition: Name, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Search guidance on a condition in the installed base.

    Args:
        condition: The condition, and the question if there is one.
    """
    return of_kind(condition, limit, "guidelines", GUIDELINES)


@_read
def browse_article(
    article_id: DocId,
    section: Annotated[str, Arg(max_length=80)] = "",
    offset: Annotated[int, Arg(ge=0, unit="characters")] = 0,
) -> dict[str, Any]:
    """Read one article of the installed base, or only the lines of it on one matter.

    Args:
        article_id: A doc_id that a search returned (for literature its PMID).
        section: Only lines that hold these words; empty reads all.
        offset: Where to read on in a long article.
    """
    return page(passage_of(article_id), section, offset)


@_read
def browse_wiki_entry(title: Annotated[str, Arg(max_length=200)]) -> dict[str, Any]:
    """Read the entry of that title in the installed base.

    Args:
        title: A title that a search returned.
    """
    hits = find(title, 20)
    exact = [h.passage for h in hits if h.passage.title.casefold() == title.strip().casefold()]
    if not exact:
        near = ", ".join(dict.fromkeys(h.passage.title for h in hits[:3]))
        raise ToolError(
            f"no entry {title[:80]!r}" + (f"; near: {near}" if near else "; search for the topic")
        )
    return page(exact[0])


@_read
def cross_reference(topic: Query, limit: Annotated[int, Arg(ge=1, le=4)] = 3) -> dict[str, Any]:
    """What the kinds of passages in the installed base say on one topic, side by side.

    Args:
        topic: The topic or claim.
        limit: Passages of each kind.
    """
    asked = words(topic)
    kinds: dict[str, list[Hit]] = {}
    for hit in find(topic, 60):
        kind = kinds.setdefault(hit.passage.category or hit.passage.source, [])
        if len(kind) < limit:
            kind.append(hit)
    chosen = dict(list(kinds.items())[:MAX_KINDS])
    width = room(sum(map(len, chosen.values())))
    note = {} if kinds else {"note": "No passage of the installed base matches these words."}
    by_kind = {kind: [shown(h, asked, width) for h in hits] for kind, hits in chosen.items()}
    return {"topic": topic[:200], "by_kind": by_kind, **note}


@_read
def get_citation(doc_id: DocId) -> dict[str, Any]:
    """The citation of a passage: its title, its source, and the publications that it names."""
    passage = passage_of(doc_id)
    lines = [line.strip() for line in passage.content.splitlines()]
    named = [line for line in lines if line.lower().startswith(("source", "reference"))]
    result: dict[str, Any] = {
        "doc_id": passage.doc_id,
        "title": passage.title,
        "source": passage.source,
        "dataset": passage.dataset_name or "missing",
        "publications": named,
    }
    return result if named else {**result, "note": "The passage names no publication."}


@_read
def search_clinical_trials(query: Query, limit: Limit = DEFAULT_RESULTS) -> dict[str, Any]:
    """Search reports of clinical trials in the installed base (no live registry).

    Args:
        query: Condition, treatment or both.
    """
    return of_kind(query, limit, "clinical trial reports", TRIALS)


@_read
def search_drug_interactions(drug_a: Name, drug_b: Name = "", limit: Limit = 3) -> dict[str, Any]:
    """What the interaction table and the installed base say of a drug, or of two drugs together.

    Args:
        drug_a: A drug.
        drug_b: The other drug; empty searches passages on the first alone.
    """
    result = listed(f"{drug_a} {drug_b} interaction".strip(), find(f"{drug_a} {drug_b} interaction", limit))
    if not drug_b:
        return result
    try:
        first, second = lookup.interaction_name(drug_a), lookup.interaction_name(drug_b)
    except ToolError as error:
        return {**result, "interaction": "missing", "note": str(error)}
    verdict = interaction(first, second)
    effect = verdict.effect or "no interaction is on record"
    return {**result, "interaction": {"severity": verdict.severity, "effect": effect}}


@_read
def search_adverse_effects(drug_name: Name, limit: Limit = 3) -> dict[str, Any]:
    """Adverse effects of a drug: the formulary's list, its boxed warning, and passages of the installed base.

    Args:
        drug_name: Generic or brand name.
    """
    drug = formulary.find(drug_name)
    name = drug_name if drug is None else drug.name
    result = listed(f"{name} adverse effects", find(f"{name} side effects adverse warning", limit))
    if drug is None:
        return {**result, "side_effects": "missing", "note": f"{drug_name[:60]} is not in the formulary."}
    return {
        **result,
        "side_effects": list(drug.side_effects),
        "boxed_warning": drug.boxed_warning or "none on record",
        "formulary_source": drug.source,
    }


@_read
def search_diagnostic_accuracy(
    test: Name, condition: Name = "", limit: Limit = DEFAULT_RESULTS
) -> dict[str, Any]:
    """Search sensitivity, specificity or likelihood ratios of a test in the installed base.

    Args:
        test: The test or sign.
        condition: What it is to show; empty for any.
    """
    return of_kind(
        f"{test} {condition} sensitivity specificity", limit, "diagnostic accuracy studies", ACCURACY
    )


_think(think)
_answer(submit_answer)
