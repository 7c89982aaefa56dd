"""How near is a text to the one that would be right: ROUGE-1 and BLEU-1 over what both name.

answer, reference -> [similarity] -> accuracy

Function words are left out (negations stay) and words are stemmed: any two English texts share them, and
they would hand a fifth of the score to any prose. Lin CY, ROUGE, ACL workshop 2004; Papineni K, BLEU, ACL
2002, one-gram with its brevity penalty, smoothed by method 1 of Chen B, WMT 2014.

Not covered: word order, and so negation's scope ("A but not B" is near "B but not A"); give a model's measure
(BERTScore) where that matters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from distrl.envs.healthcare import said_tables
from distrl.envs.healthcare.said import stem

Similarity = Callable[[str, str], float]  # (answer, reference) -> 0..1
MAX_WORDS = 1500  # of the answer; a longer one has lost its precision long before
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_NEGATIONS = frozenset({"no", "not", "without", "never", "cannot"})


def rouge_bleu(answer: str, reference: str) -> float:
    """The mean of ROUGE-1 (F) and BLEU-1 of `answer`, in 0..1; 0.0 where either names nothing."""
    ours, theirs = _content(answer), _content(reference)
    if not ours or not theirs:
        return 0.0
    scorer, bleu, smooth = _library()
    rouge = scorer.score(" ".join(theirs), " ".join(ours))["rouge1"].fmeasure
    return (float(rouge) + float(bleu([theirs], ours, weights=(1.0,), smoothing_function=smooth))) / 2


@lru_cache(maxsize=512)
def _content(text: str) -> list[str]:
    words = (w.lower() for w in _WORD.findall(text)[:MAX_WORDS])
    return [stem(w) for w in words if w in _NEGATIONS or w not in said_tables.FUNCTION]


@cache
def _library() -> tuple[Any, Any, Any]:
    """(ROUGE scorer, BLEU, smoothing), imported when first needed: nltk takes seconds to load."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1"], tokenizer=_Blanks()), sentence_bleu, SmoothingFunction().method1


class _Blanks:
    """What RougeScorer takes for a tokenizer; the words are made already."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()
