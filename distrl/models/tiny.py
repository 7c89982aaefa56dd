"""A random Qwen3-shaped model with its own tokenizer, made without a download: for tests and trials.

tasks -> EnvWorker[N] <-> Engine[M] -> Buffer -> Learner -> Weights -> (back): the model that all of them load
when the question is about the plumbing and not about language. `python -m distrl.models.tiny FOLDER`.

Its vocabulary has 256 bytes, three special tokens and 61 two-letter merges, so any text has an encoding, any
sampled id has a text, and decoding then encoding may give other ids than were sampled, as with a real one.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")  # ids 0, 1, 2
PAIR_TEXT = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve "
    'co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur Ġa Ġt Ġs Ġi Ġo Ġc Ġd Ġp Ġ{ Ġ" ":'
)
MERGED_PAIRS = tuple(PAIR_TEXT.split())
VOCAB_SIZE = 256 + len(SPECIAL_TOKENS) + len(MERGED_PAIRS)  # 320: a multiple of 64, as engines pad to
HEAD_DIM = 32  # the attention kernels of CPU engines want a multiple of 32
INITIALIZER_RANGE = (
    0.1  # wide enough that logits differ by about 1: a stale weight is then seen in log-probabilities
)

PLAIN_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

QWEN_TEMPLATE = """\
{%- set first_is_system = messages and messages[0].role == 'system' -%}
{%- if tools or first_is_system -%}
{{- '<|im_start|>system\\n' -}}
{{- messages[0].content if first_is_system else '' -}}
{%- if tools -%}
{{- '\\n\\nTools (JSON schemas):\\n<tools>' -}}
{%- for tool in tools -%}{{- '\\n' + (tool | tojson) -}}{%- endfor -%}
{{- '\\n</tools>\\nA call: <tool_call>\\n{"name": NAME, "arguments": OBJECT}\\n</tool_call>' -}}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message.role == 'tool' -%}
{%- if loop.first or loop.previtem.role != 'tool' -%}{{- '<|im_start|>user' -}}{%- endif -%}
{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' -}}
{%- if loop.last or loop.nextitem.role != 'tool' -%}{{- '<|im_end|>\\n' -}}{%- endif -%}
{%- elif not (loop.first and first_is_system) -%}
{{- '<|im_start|>' + message.role + '\\n' + (message.content or '') -}}
{%- for call in message.tool_calls or [] -%}
{%- set function = call.function or call -%}
{{- '\\n' if not loop.first or message.content else '' -}}
{{- '<tool_call>\\n{"name": ' + (function.name | tojson) + ', "arguments": ' -}}
{{- function.arguments if function.arguments is string else function.arguments | tojson -}}
{{- '}\\n</tool_call>' -}}
{%- endfor -%}
{{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
"""

TEMPLATES = {"plain": PLAIN_TEMPLATE, "qwen": QWEN_TEMPLATE}


def make_tiny_model(
    path: str | os.PathLike[str],
    seed: int = 0,
    *,
    tied: bool = True,
    layers: int = 2,
    hidden: int = 128,
    template: str = "plain",
) -> str:
    """Write a Hugging Face folder (safetensors, float32) and return its path.

    The same arguments give the same bytes. `hidden` is a multiple of 64 (heads of 32, half as many key-value
    heads). `template`: `plain` renders roles and contents only; `qwen` renders tools, calls and tool results.
    Raises ValueError for a `hidden` or `template` that cannot be.
    """
    import torch
    from transformers import GenerationConfig, Qwen3Config, Qwen3ForCausalLM

    if hidden % (2 * HEAD_DIM):
        raise ValueError(f"hidden={hidden}: give a multiple of {2 * HEAD_DIM}")
    tokenizer = make_tiny_tokenizer(template)
    heads = hidden // HEAD_DIM
    config = Qwen3Config(
        vocab_size=VOCAB_SIZE,
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads // 2,
        head_dim=HEAD_DIM,
        max_position_embeddings=4096,
        initializer_range=INITIALIZER_RANGE,
        tie_word_embeddings=tied,
        bos_token_id=0,
        eos_token_id=2,
        pad_token_id=0,
        dtype="float32",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen3ForCausalLM(config)
    model.generation_config = GenerationConfig(bos_token_id=0, eos_token_id=2, pad_token_id=0)
    Path(path).mkdir(parents=True, exist_ok=True)
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return str(path)


def make_tiny_tokenizer(template: str = "plain") -> Any:
    """The byte-level BPE tokenizer (transformers' fast tokenizer) with one of the two chat templates."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    if template not in TEMPLATES:
        raise ValueError(f"template={template!r}: give one of {', '.join(TEMPLATES)}")
    pieces = [*SPECIAL_TOKENS, *sorted(pre_tokenizers.ByteLevel.alphabet()), *MERGED_PAIRS]
    core = Tokenizer(
        models.BPE(
            vocab={piece: index for index, piece in enumerate(pieces)},
            merges=[(pair[0], pair[1]) for pair in MERGED_PAIRS],
        )
    )
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL_TOKENS])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core,
        bos_token="<|endoftext|>",  # noqa: S106
        eos_token="<|im_end|>",  # noqa: S106
        pad_token="<|endoftext|>",  # noqa: S106
        model_max_length=4096,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TEMPLATES[template]
    return tokenizer


def main() -> None:
    """Write a tiny model to the folder named on the command line."""
    parser = argparse.ArgumentParser(description="Write a random, tiny test model to FOLDER.")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--untied", action="store_true", help="give the output layer weights of its own")
    parser.add_argument("--template", choices=sorted(TEMPLATES), default="plain")
    args = parser.parse_args()
    folder = make_tiny_model(
        args.folder,
        args.seed,
        tied=not args.untied,
        layers=args.layers,
        hidden=args.hidden,
        template=args.template,
    )
    print(folder)


if __name__ == "__main__":
    main()
