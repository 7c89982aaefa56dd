"""Literature search over the process's knowledge base.

EnvWorker[N: ToolCall -> Toolkit.run -> [literature] -> KnowledgeBase] <-> Engine[M] -> …
"""

from __future__ import annotations

from typing import Annotated, Any

from distrl.envs.healthcare import knowledge
from distrl.envs.toolkit import Arg, ToolError

SEARCH_LIMIT_S = 10.0  # a search that takes longer than this would hold up its whole group
EXCERPT_CHARS = 500


def search_medical_literature(
    query: Annotated[str, Arg(max_length=400)],
    max_results: Annotated[int, Arg(ge=1, le=10)] = 5,
) -> dict[str, Any]:
    """Passages of the knowledge base that fit the words of a query, best first.

    Source: the installed knowledge base.

    Args:
        query: Plain words, such as "empiric antibiotics community-acquired pneumonia penicillin allergy".
        max_results: How many passages.
    """
    if not query.strip():
        raise ToolError("query: empty; give a few words")
    hits = knowledge.backend().search(query, max_results)
    return {
        "query": query,
        "passages": [
            {
                "doc_id": hit.passage.doc_id,
                "title": hit.passage.title,
                "source": hit.passage.source,
                "score": round(hit.score, 3),
                "excerpt": hit.passage.content[:EXCERPT_CHARS],
            }
            for hit in hits
        ],
        "missing": [] if hits else ["no passage holds these words; try fewer or other ones"],
    }
