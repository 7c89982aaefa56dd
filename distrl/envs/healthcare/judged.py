"""From what an episode left behind to what its graders read.

EnvWorker[N: Outcome -> [from_outcome] -> Episode -> checks, safety, reward] <-> Engine[M] -> Buffer -> …

Who said it is settled here: `said` is the agent's own visible text, `own_words` the same without what it
pasted from a tool or from the ticket. A malformed call is not speech.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from distrl.envs.contract import Task, ToolEvent
from distrl.envs.healthcare.episode import Call, Episode
from distrl.envs.healthcare.tasks.schema import Payload
from distrl.envs.healthcare.world.records import Database
from distrl.envs.tool_env import Outcome
from distrl.envs.toolkit import parse_tool_calls, strict_json
from distrl.envs.toolkit.calls import CallError

T = TypeVar("T")
TERMINAL = frozenset({"submit_answer", "submit_report"})  # tools that hand in the answer
ANSWER_FIELDS = ("answer", "report", "diagnosis")  # where a submission holds its answer
TICKET_WORDS = 20  # so many words in a row as the ticket has them are a copy, not a statement
OUTPUT_WORDS = 40  # as a tool printed them: more than a sentence that is quoted
ECHO_SOURCE_CHARS = 400_000  # of tool output searched for copies; the newest first

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"</?tool_call>")
_BRACE = re.compile(r"[{}]")


def from_outcome(task: Task, outcome: Outcome, before: Database) -> Episode:
    """The episode that `outcome` tells of; `before` is the database as it began."""
    payload: Payload = task.payload  # type: ignore[assignment]
    parsed = [parse_tool_calls(action) for action in outcome.actions]
    visible = [_without_tags(p.content) if p.errors else p.content for p in parsed]
    calls = tuple(_call(event) for event in outcome.events)
    submission = next((c for c in reversed(calls) if c.ok and c.name in TERMINAL), None)
    answer: str | None = None
    if submission is not None:
        answer = _answer_of(submission.arguments)
    elif parsed and not parsed[-1].attempts:
        answer = visible[-1].strip() or None
    submitted = {} if submission is None else submission.arguments
    return Episode(
        task=payload,
        calls=calls,
        said="\n".join(text for text in (*visible, *_texts(submitted)) if text.strip()),
        thought="\n".join(p.thinking for p in parsed if p.thinking),
        answer=answer,
        submitted=submitted,
        before=before,
        after=outcome.state.db if outcome.state.db is not None else before,
        turns=len(outcome.actions),
    )


def own_words(episode: Episode) -> str:
    """What the agent said itself: `said` without JSON objects and long copies of tools and ticket."""
    return once(episode, "own_words", lambda: _own(episode.said, episode))


def own_answer(episode: Episode) -> str:
    """The answer without what it pasted; "" where there is none."""
    return once(episode, "own_answer", lambda: _own(episode.answer or "", episode))


def _own(text: str, episode: Episode) -> str:
    text = without_copies(_without_objects(text), [episode.task["ticket"]], TICKET_WORDS)
    return without_copies(text, _outputs(episode), OUTPUT_WORDS)


def once(episode: Episode, name: str, make: Callable[[], T]) -> T:
    """What `make` gives for an episode, made once; kept on the episode, as a cached property keeps it."""
    memo = vars(episode).setdefault("_once", {})
    if name not in memo:
        memo[name] = make()
    value: T = memo[name]
    return value


def without_copies(text: str, sources: Iterable[str], run: int) -> str:
    """`text` without runs of `run` words or more that stand in one of `sources`; linear in both."""
    words = list(_WORD.finditer(text))
    if len(words) < run:
        return text
    folded = [w.group().casefold() for w in words]
    theirs = [_WORD.findall(source.casefold()) for source in sources]
    places: dict[tuple[str, ...], list[int]] = {}
    for i in _known_runs(folded, frozenset(itertools.chain.from_iterable(theirs)), run):
        places.setdefault(tuple(folded[i : i + run]), []).append(i)
    if not places:
        return text
    copied = bytearray(len(words))
    for source in theirs:
        for i in range(len(source) - run + 1):
            for place in places.pop(tuple(source[i : i + run]), ()):
                copied[place : place + run] = b"\1" * run
    return "".join(_kept(text, words, copied)) if any(copied) else text


def _known_runs(words: list[str], known: frozenset[str], run: int) -> Iterator[int]:
    """Where `run` known words in a row begin: a copy can stand nowhere else."""
    length = 0
    for i, word in enumerate(words):
        length = length + 1 if word in known else 0
        if length >= run:
            yield i - run + 1


def _kept(text: str, words: list[re.Match[str]], copied: bytearray) -> Iterator[str]:
    """The pieces of `text` around copied words; a sentence's end takes the place of each copied run."""
    position = 0
    for i, word in enumerate(words):
        if not copied[i]:
            continue
        if not (i and copied[i - 1]):
            yield text[position : word.start()]
            yield ". "
        position = word.end()
    yield text[position:]


def _without_objects(text: str) -> str:
    """`text` without brace groups that hold a JSON key; unbalanced braces stay."""
    if '":' not in text:
        return text
    pieces, position, depth, start = [], 0, 0, 0
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            start = brace.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0 and '":' in text[start : brace.end()]:
                pieces.append(text[position:start])
                position = brace.end()
    return " ".join([*pieces, text[position:]])


def _outputs(episode: Episode) -> Iterator[str]:
    """What tools printed, the newest first, JSON's escapes taken away."""
    room = ECHO_SOURCE_CHARS
    for call in reversed(episode.calls):
        if room <= 0:
            return
        yield call.output[:room].replace("\\n", " ").replace('\\"', '"')
        room -= len(call.output)


def _call(event: ToolEvent) -> Call:
    try:
        arguments, _ = strict_json(event.arguments)
    except CallError:
        arguments = {}
    return Call(
        turn=event.turn,
        name=event.name,
        arguments=arguments if isinstance(arguments, dict) else {},
        ok=event.ok,
        output=event.output,
        kind=event.kind,
    )


def _answer_of(arguments: dict[str, Any]) -> str | None:
    """The field that holds the answer, else all that was handed in."""
    for field in ANSWER_FIELDS:
        if isinstance(value := arguments.get(field), str) and value.strip():
            return value.strip()
    return "\n".join(_texts(arguments)).strip() or None


def _texts(value: Any) -> list[str]:
    """The strings among a submission's values, lists and objects opened."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _texts(item)]


def _without_tags(content: str) -> str:
    """`content` without malformed calls in tags; an unclosed one reaches to the end."""
    pieces, position, inside = [], 0, False
    for tag in _TAG.finditer(content):
        if not inside:
            pieces.append(content[position : tag.start()])
        inside, position = tag.group() == "<tool_call>", tag.end()
    return "\n".join([*pieces, "" if inside else content[position:]]).strip()
