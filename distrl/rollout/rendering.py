"""Messages <-> token ids under the exact-prefix rule: what was sampled is never decoded and encoded again.

tasks -> EnvWorker[N: messages -> [ids] <-> Engine[M]] -> Buffer -> Learner -> Weights -> (back)

The chat template is rendered with a sentinel in the place of every content. What stands between sentinels is
the template's own text, and only there control tokens are recognised; contents are encoded as plain text, so
`<|im_end|>` in a tool's output stays a handful of ordinary tokens. An extension is the rendering behind the
last assistant sentinel: closing, observations, generation prompt.

A template that renders earlier turns differently later on (one that strips thinking, say) cannot keep the
prefix. It is refused with RenderError at the turn where it would happen, so no context is ever one that the
policy did not sample in. Not covered: a template that trims contents (ours keep their outer blanks), and
tokenizers that put a blank before every text (SentencePiece with a prefix space).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from transformers import AutoTokenizer

from distrl.engine.stops import stop_ids_of
from distrl.envs.contract import Message
from distrl.rollout.tool_prompt import call_text, tool_instructions

Tools = Sequence[dict[str, Any]]
Chat = list[dict[str, Any]]

_OPEN, _SHUT = "\ue000", "\ue001"  # private-use characters: no template writes or strips them
_SENTINEL = re.compile(f"{_OPEN}(\\d+){_SHUT}")
_THINK_END = "</think>"


class RenderError(ValueError):
    """The chat template cannot render these messages, or would rewrite history; the message says which."""


class Renderer:
    """A model's tokenizer and chat template, read once and shared by all conversations of a worker.

    `tool_prompt` says how tools reach the prompt: `full` JSON schemas (through the template where it knows
    tools, else in the system message), `brief` signatures in the system message, or `none`.
    """

    def __init__(self, model_path: str, tool_prompt: str = "none") -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(model_path, trust_remote_code=False)
        if not self.tokenizer.is_fast or not self.tokenizer.chat_template:
            raise RenderError(f"{model_path}: needs a fast tokenizer (tokenizer.json) with a chat template")
        if tool_prompt not in ("full", "brief", "none"):
            raise RenderError(f"tool_prompt={tool_prompt!r} is not one of full, brief, none")
        self.tool_prompt = tool_prompt
        self._plain = _plain_encoder(self.tokenizer)
        added = self.tokenizer.added_tokens_decoder.items()
        self._control = {str(token.content): int(index) for index, token in added if token.special}
        longest_first = sorted(self._control, key=len, reverse=True)
        self._control_pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self.knows_tools = self._probe_tools()
        closing = self._probe_closing()
        eos = self.tokenizer.eos_token_id
        self.close_id = closing if closing is not None else eos
        if self.close_id is None:
            raise RenderError(
                f"{model_path}: neither the template nor the tokenizer has an end-of-turn token"
            )
        ends = (self.close_id, eos, *stop_ids_of(model_path))  # the engine stops at the model's own ids too
        self.stop_token_ids = tuple(dict.fromkeys(i for i in ends if i is not None))

    def conversation(self) -> Conversation:
        """A new, empty conversation."""
        return Conversation(self)

    def encode_plain(self, text: str) -> tuple[int, ...]:
        """Ids of text that nobody trusts: no control token comes out, whatever stands in it."""
        return tuple(self._plain.encode(text, add_special_tokens=False).ids)

    def encode_gold(self, text: str) -> tuple[int, ...]:
        """Ids of an assistant turn written by the environment, with the stop token at its end."""
        return (*self.encode_plain(text), self.close_id)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of sampled ids, without the stop token at their end; other control tokens stay visible."""
        kept = ids[:-1] if ids and ids[-1] in self.stop_token_ids else ids
        return str(
            self.tokenizer.decode(list(kept), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        )

    def render(self, chat: Chat, tools: Tools, generation_prompt: bool = True) -> str:
        """The template's text for `chat`; every failure of the template becomes RenderError."""
        try:
            text = self.tokenizer.apply_chat_template(
                chat,
                tools=list(tools) or None,
                add_generation_prompt=generation_prompt,
                tokenize=False,
            )
        except Exception as error:  # jinja's own errors, and whatever a template raises on roles it refuses
            roles = [m["role"] for m in chat]
            raise RenderError(f"the chat template cannot render roles {roles}: {error}") from error
        return str(text)

    def encode(self, text: str, contents: dict[int, str]) -> tuple[int, ...]:
        """Ids of template text in which sentinels stand for `contents`.

        Runs between control tokens are encoded as one text, so the ids are those that the tokenizer gives for
        the whole, while a control token is recognised in the template's own text only.
        """
        ids: list[int] = []
        run = ""
        for is_control, piece in self._pieces(text, contents):
            if is_control:
                ids += [*self.encode_plain(run), self._control[piece]]
                run = ""
            else:
                run += piece
        return (*ids, *self.encode_plain(run))

    def _pieces(self, text: str, contents: dict[int, str]) -> Iterable[tuple[bool, str]]:
        for place, part in enumerate(_SENTINEL.split(text)):
            if place % 2:
                yield False, contents[int(part)]
                continue
            end = 0
            for match in self._control_pattern.finditer(part):
                yield False, part[end : match.start()]
                yield True, match.group()
                end = match.end()
            yield False, part[end:]

    def check_trusted(self, text: str, what: str) -> None:
        """Refuses control tokens or sentinels in text that goes through the template itself."""
        found = self._control_pattern.search(text) or re.search(f"[{_OPEN}{_SHUT}]", text)
        if found:
            raise RenderError(f"{what} contain the control token {found.group()!r}")

    def _probe_tools(self) -> bool:
        """True when the template renders the tools it is given and the role of their results."""
        tool = {"type": "function", "function": {"name": "probe_tool", "description": "", "parameters": {}}}
        chat: Chat = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "b"},
            {"role": "tool", "content": "probe_result", "name": "probe_tool", "tool_call_id": "c"},
        ]
        try:
            text = self.render(chat, [tool])
        except RenderError:
            return False
        return "probe_tool" in text and "probe_result" in text

    def _probe_closing(self) -> int | None:
        """The control token with which the template ends an assistant turn."""
        chat = [{"role": r, "content": c} for r, c in (("user", "a"), ("assistant", _mark(0)), ("user", "b"))]
        after = self.render(chat, ()).rpartition(_mark(0))[2]
        first = self._control_pattern.search(after)
        return self._control[first.group()] if first else None


class Conversation:
    """One episode's rendering: `start` once, then `answer` and `extend` in turn. Holds no sampled ids."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._chat: Chat = []
        self._contents: dict[int, str] = {}
        self._tools: Tools = ()
        self._rendered = ""  # up to the generation prompt of the turn that is sampled next
        self._answered: tuple[str, bool, bool] | None = None  # sentinel text, thought, stop token sampled

    def start(self, messages: Sequence[Message], tools: Tools = ()) -> tuple[int, ...]:
        """Ids of the whole opening prompt, generation prompt included."""
        renderer = self._renderer
        if tools and renderer.tool_prompt == "full" and renderer.knows_tools:
            renderer.check_trusted(json.dumps(list(tools), ensure_ascii=False), "tool schemas")
            self._tools = tools
        elif tools and renderer.tool_prompt != "none":
            messages = _with_instructions(messages, tool_instructions(tools, renderer.tool_prompt))
        self._append(messages)
        self._rendered = renderer.render(self._chat, self._tools)
        return renderer.encode(self._rendered, self._contents)

    def answer(self, ids: Sequence[int]) -> str:
        """Takes note of a sampled turn and returns its text, exactly as the model wrote it."""
        assert self._rendered and self._answered is None, "answer() follows start() or extend()"
        text = self._renderer.decode(ids)
        thought = _THINK_END in text
        sentinel = self._sentinel(text)
        self._chat.append(
            {
                "role": "assistant",
                "content": f"<think>\n{_thinking(sentinel)}\n{_THINK_END}\n\n{sentinel}"
                if thought
                else sentinel,
            }
        )
        stopped = bool(ids) and ids[-1] in self._renderer.stop_token_ids[:1]
        self._answered = (sentinel, thought, stopped)
        return text

    def extend(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """The new ids after the sampled turn: its closing unless the stop token was sampled, then `messages`,
        then the generation prompt. Raises RenderError when the template would change what stands before."""
        assert self._answered is not None, "extend() follows answer()"
        sentinel, thought, stopped = self._answered
        self._append(messages)
        rendered = self._renderer.render(self._chat, self._tools)
        suffix = _behind(rendered, self._rendered, sentinel, thought)
        if suffix is None:
            raise RenderError(
                "the chat template rewrites earlier turns"
                + (" (it strips thinking)" if thought else "")
                + ", so the next prompt cannot extend what was sampled; use a template that keeps its history"
            )
        self._rendered, self._answered = rendered, None
        ids = self._renderer.encode(suffix, self._contents)
        closing = self._renderer.close_id
        if stopped and closing in ids:
            return ids[ids.index(closing) + 1 :]
        return ids

    def _sentinel(self, content: str) -> str:
        number = len(self._contents)
        self._contents[number] = content
        return _mark(number)

    def _append(self, messages: Sequence[Message]) -> None:
        """Puts messages into the chat, contents replaced by sentinels."""
        pending: list[str] = []
        for message in messages:
            if message.role == "tool" and not self._renderer.knows_tools:
                pending.append(f"<tool_response>\n{self._sentinel(message.content)}\n</tool_response>")
                continue
            self._flush(pending)
            content = self._sentinel(message.content + call_text(message.tool_calls))
            entry: dict[str, Any] = {"role": message.role, "content": content}
            if message.role == "tool":
                name = message.name or "tool"
                self._renderer.check_trusted(name + message.tool_call_id, "a tool's name and call id")
                entry |= {"name": name, "tool_call_id": message.tool_call_id}
            self._chat.append(entry)
        self._flush(pending)

    def _flush(self, pending: list[str]) -> None:
        if pending:
            self._chat.append({"role": "user", "content": "\n".join(pending)})
            pending.clear()


def _mark(number: int) -> str:
    return f"{_OPEN}{number}{_SHUT}"


def _thinking(sentinel: str) -> str:
    """What stands for the thinking of the turn `sentinel`: a text of its own, seen only when it is kept."""
    return f"thinking-{sentinel.strip(_OPEN + _SHUT)}"


def _behind(rendered: str, before: str, sentinel: str, thought: bool) -> str | None:
    """What `rendered` has after `before` and the sampled turn; None when it does not continue `before`."""
    if not rendered.startswith(before):
        return None
    kept = rf"(?:<think>\s*)?{re.escape(_thinking(sentinel))}\s*{_THINK_END}\s*" if thought else ""
    turn = re.match(kept + re.escape(sentinel), rendered[len(before) :])
    return None if turn is None else rendered[len(before) + turn.end() :]


def _with_instructions(messages: Sequence[Message], text: str) -> list[Message]:
    """`text` at the end of the system message, or as one where there is none."""
    if messages and messages[0].role == "system":
        first = Message(role="system", content=f"{messages[0].content}\n\n{text}")
        return [first, *messages[1:]]
    return [Message(role="system", content=text), *messages]


def _plain_encoder(tokenizer: Any) -> Any:
    """A copy of the tokenizer's core that encodes control tokens as ordinary text."""
    from tokenizers import Tokenizer

    core = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    core.encode_special_tokens = True
    core.no_truncation()
    core.no_padding()
    return core
