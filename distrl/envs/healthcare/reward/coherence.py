"""Does what the agent said hang together: length, reasoning, a conclusion, no repetition.

Episode -> [coherence] -> compose

The published heuristic (arXiv 2605.02943 and its code): 0.5, +0.1 from 20 words on, +0.2 for reasoning, +0.15
for a conclusion, -0.3 when too short, -0.3 for repetition. Hardened: markers count within sentences and not
when they crowd, keyword lists and words that are none are capped, and an episode that decides nothing earns
nothing. The most that can be earned is 0.95.

Not covered: whether the reasoning is sound.
"""

from __future__ import annotations

import re

from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import own_words
from distrl.envs.healthcare.reward.decision import decided
from distrl.envs.healthcare.reward.prose import Prose, measure
from distrl.envs.healthcare.reward.score import Score

BASE, LONG, REASONED, CONCLUDED, TOO_SHORT, REPEATED = 0.5, 0.1, 0.2, 0.15, -0.3, -0.3
LONG_WORDS, SHORT_WORDS = 20, 8
DISTINCT, DEGENERATE = 0.6, 0.3  # runs of four words that differ: below, repetition; degenerate text
CROWDED = 0.2  # markers of all words: a list of markers
LIST_CAP = 0.2
FUNCTION_FULL, FUNCTION_NONE = 0.15, 0.05  # share of function words at which the cap ends and begins
_REASONS = re.compile(
    r"\b(?:because|therefore|since|thus|hence|given|due to|suggests?|indicates?|consistent with|supports?|"
    r"supported by|rules? out|excludes?|explains?|however|although|so that|which means|as a result|despite|"
    r"argues? against)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:in conclusion|conclusion|in summary|overall|therefore|diagnosis|the answer is|answer:|"
    r"recommend\w*|most likely|plan|i conclude|final)\b",
    re.IGNORECASE,
)


def score(episode: Episode) -> Score:
    """0..0.95, on the agent's own visible words."""
    made = decided(episode)
    if made.value == 0.0:
        return made
    return of_text(own_words(episode))


def of_text(text: str) -> Score:
    """The heuristic on a text, whatever it is about."""
    prose = measure(text)
    if prose.wordlike < 0.7 or prose.distinct < DEGENERATE or not prose.words:
        return Score(value=0.0, reasons=("not words, or one phrase over and over",))
    markers = len(_REASONS.findall(text)) + len(_CONCLUDES.findall(text))
    crowded = markers > CROWDED * prose.words and prose.words > SHORT_WORDS
    gains = [
        (BASE, "base"),
        (LONG if prose.words >= LONG_WORDS else 0.0, f"{LONG_WORDS} words or more"),
        (REASONED if _REASONS.search(text) and not crowded else 0.0, "reasoning"),
        (CONCLUDED if _CONCLUDES.search(text) and not crowded else 0.0, "a conclusion"),
        (TOO_SHORT if prose.words < SHORT_WORDS else 0.0, "too short"),
        (REPEATED if prose.distinct < DISTINCT else 0.0, "repetition"),
    ]
    value = max(0.0, sum(gain for gain, _ in gains))
    reasons = [f"{gain:+.2f} {name}" for gain, name in gains if gain]
    cap = _cap(prose)
    if cap < value:
        reasons.append(f"capped at {cap:.2f}: a list of keywords rather than sentences")
    return Score(value=min(value, cap), reasons=tuple(reasons))


def _cap(prose: Prose) -> float:
    """1.0 for prose and short notes, LIST_CAP for keyword lists, a line between."""
    if prose.words < LONG_WORDS // 2:
        return 1.0
    share = (prose.function_share - FUNCTION_NONE) / (FUNCTION_FULL - FUNCTION_NONE)
    share = min(1.0, max(0.0, share)) * (1.0 - prose.listed)
    return LIST_CAP + (1.0 - LIST_CAP) * share
