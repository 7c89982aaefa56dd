"""Tools that every domain shares and that touch no record: thinking aloud, handing in the answer.

EnvWorker[N: ToolCall -> Toolkit.run -> [think, submit_answer]] <-> Engine[M] -> …
"""

from __future__ import annotations

from typing import Annotated

from distrl.envs.toolkit import Arg, ToolError

Text = Annotated[str, Arg(max_length=8000)]


def think(thought: Text) -> dict[str, str]:
    """Write down a line of reasoning before acting. It changes nothing and nobody else reads it.

    Args:
        thought: What is known, what is missing and what to do next.
    """
    return {"noted": f"{len(thought.split())} words", "effect": "none"}


def submit_answer(answer: Text, reasoning: Text = "") -> dict[str, str]:
    """Hand in the final answer. This ends the case, so do it once, when everything needed has been looked up.

    Args:
        answer: The full answer: a letter where options are given, else risk, findings and plan in words.
        reasoning: Why, with the data it rests on.
    """
    if not answer.strip():
        raise ToolError("the answer is empty; write it in full")
    return {"status": "submitted", "answer": answer.strip()[:200]}
