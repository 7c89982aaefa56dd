"""Which option an answer names: one letter, or none where it names several.

answer text -> [letter_of] -> accuracy, decision

Read, in this order: a statement ("the answer is B", "Answer: (B)", "\\boxed{B}"), a letter that stands first
or alone ("B", "(B)", "B) Muscle biopsy", "Option B."), an option's own text. A list of letters is no answer.

Not covered: an answer by position ("the second one").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from distrl.envs.healthcare.checks import plain
from distrl.envs.healthcare.episode import Episode
from distrl.envs.healthcare.judged import own_answer
from distrl.envs.healthcare.said import asserts

MAX_CHARS = 10_000
_DRESS = re.compile(r"[*_`$]|\\(?:text|textbf|mathrm|mathbf)(?=\{)")
_STATED = re.compile(
    r"(?:\b(?:answer|choice|choose|pick|select)(?: is| would be| should be)?(?: option| choice)?"
    r"|\b(?:option|one) (?:is|would be))\s{0,2}[(\[{]?(?P<letter>[A-Z])(?![\w'’])"
    r"|\b(?:answer|choice|option)\b(?: is)?\s{0,2}[:=]\s{0,3}(?:option )?"
    r"[(\[{]?(?P<marked>[A-Za-z])(?![\w'’])"
    r"|\\boxed\s{0,2}\{\(?(?P<boxed>[A-Za-z])(?![\w'’])"
)
_CUES = re.compile(
    r"\b(?:answer|choice|choose|pick|select|option|one|is|would be|should be)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\s{1,3}(?:is|was|would be)\s{1,3}(?:not|wrong|incorrect|unlikely|false)\b")
_DENIES = re.compile(r"\b(?:not|never|cannot)\s[a-z ]{0,12}$|n['’]t\s[a-z ]{0,12}$")
_FIRST = re.compile(
    r"[\s(\[{]{0,8}(?:(?:option|choice|answer)\s{1,3})?[(\[{]?(?P<letter>[A-Z])(?![\w'’])", re.IGNORECASE
)
_AND_MORE = re.compile(
    r"[\s)\]}.]{0,4}(?:,|/|\bor\b|\band\b|&|\+|-|–)\s{0,3}[(\[{]?(?P<letter>[A-Z])(?![\w'’])"
)
_AFTER_FIRST = re.compile(r"\s{0,4}(?:$|[)\]}.:,;–-]|\n|because\b|since\b|as\b|is (?:correct|right|the)\b)")


def letter_of(answer: str, options: Mapping[str, str]) -> str | None:
    """The one key of `options` (upper-case letters) that `answer` names, or None."""
    text = _DRESS.sub("", answer[:MAX_CHARS]).strip()
    keys = {key.upper(): key for key in options}
    cues = _CUES.sub(lambda m: m.group().lower(), text)
    named = {
        letter.upper()
        for match in _STATED.finditer(cues)
        if not _DENIED.match(cues, match.end())
        and not _DENIES.search(cues[max(0, match.start() - 20) : match.start()])
        for letter in _letters(match, text)
    }
    if not named and (first := _FIRST.match(text)) and _AFTER_FIRST.match(text, first.end()):
        named = {letter.upper() for letter in _letters(first, text)}
    named &= set(keys)
    if named:
        return keys[named.pop()] if len(named) == 1 else None
    return _by_text(text, options)


def chosen(episode: Episode) -> str | None:
    """The option that an episode's answer names; the ticket handed back, options and all, names none."""
    if episode.answer is None:
        return None
    options = episode.task["answer"].get("options", {})
    own = own_answer(episode)
    return letter_of(own, options) or _same(plain(episode.answer).strip(" ."), options)


def _letters(match: re.Match[str], text: str) -> list[str]:
    """The letter of `match` and those that a list adds to it."""
    letters, position = [next(g for g in match.groups() if g)], match.end()
    while more := _AND_MORE.match(text, position):
        letters.append(more["letter"])
        position = more.end()
    return letters


def _by_text(text: str, options: Mapping[str, str]) -> str | None:
    """The option whose text the answer is, or the only one that it asserts (the longest where nested)."""
    if same := _same(plain(text).strip(" ."), options):
        return same
    bodies = _bodies(options)
    held = {key for key, body in bodies.items() if asserts(text, [body])}
    longest = {
        key
        for key in held
        if not any(other != key and bodies[key] in bodies[other] != bodies[key] for other in held)
    }
    return longest.pop() if len(longest) == 1 else None


def _same(whole: str, options: Mapping[str, str]) -> str | None:
    """The one option whose text is `whole`."""
    same = [key for key, body in _bodies(options).items() if body == whole]
    return same[0] if len(same) == 1 else None


def _bodies(options: Mapping[str, str]) -> dict[str, str]:
    return {key: plain(body).strip(" .") for key, body in options.items() if body.strip()}
