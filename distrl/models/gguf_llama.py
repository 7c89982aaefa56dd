"""A GGUF file of the llama architecture -> a Hugging Face folder (safetensors, bfloat16) with its tokenizer.

GGUF keeps weights in blocks (Q4_1, Q8_0, …) and orders the rows of the query and key projections for a
rotary embedding on neighbouring pairs; Hugging Face rotates the two halves of a head. So rows are put back,
values are de-quantised, and one file becomes config.json, model.safetensors, tokenizer.json and a template.

Not covered, and refused: other architectures, rotary scaling, mixtures of experts, sentencepiece tokenizers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

LAYER_NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OUTER_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
CONTROL_TOKEN = 3  # GGUF's token type of <|im_start|> and the like


class ConversionError(ValueError):
    """The GGUF file holds something that this converter does not know."""


def convert_gguf(gguf_path: str | Path, folder: str | Path) -> None:
    """Write `folder` (which exists and is empty) from `gguf_path`. Raises ConversionError."""
    from gguf import GGUFReader
    from safetensors.torch import save_file

    reader = GGUFReader(str(gguf_path))
    fields = {name: field.contents() for name, field in reader.fields.items()}
    config = model_config(fields)
    tensors = {}
    for tensor in reader.tensors:
        name, values = convert_tensor(tensor, config)
        tensors[name] = values
    config["tie_word_embeddings"] = "lm_head.weight" not in tensors
    expected = 2 + 9 * config["num_hidden_layers"] + (not config["tie_word_embeddings"])
    if len(tensors) != expected:
        raise ConversionError(f"{gguf_path}: {len(tensors)} tensors, expected {expected}")
    folder = Path(folder)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    tokens = {name: config[name] for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "generation_config.json").write_text(json.dumps(tokens) + "\n")
    build_tokenizer(fields).save_pretrained(folder)


def model_config(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of config.json, from GGUF's metadata."""
    architecture = fields.get("general.architecture")
    if architecture != "llama":
        raise ConversionError(f"GGUF architecture {architecture!r}: only llama is known")
    if fields.get("llama.rope.scaling.type", "none") != "none":
        raise ConversionError("GGUF rotary scaling is not known")
    hidden, heads = fields["llama.embedding_length"], fields["llama.attention.head_count"]
    if fields.get("llama.rope.dimension_count", hidden // heads) != hidden // heads:
        raise ConversionError("GGUF rotates a part of each head only: not known")
    eos = fields["tokenizer.ggml.eos_token_id"]
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": hidden,
        "intermediate_size": fields["llama.feed_forward_length"],
        "num_hidden_layers": fields["llama.block_count"],
        "num_attention_heads": heads,
        "num_key_value_heads": fields.get("llama.attention.head_count_kv", heads),
        "head_dim": hidden // heads,
        "vocab_size": len(fields["tokenizer.ggml.tokens"]),
        "max_position_embeddings": fields["llama.context_length"],
        "rope_theta": float(fields.get("llama.rope.freq_base", 10000.0)),
        "rms_norm_eps": float(f"{fields['llama.attention.layer_norm_rms_epsilon']:.6g}"),  # kept as float32
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "dtype": "bfloat16",
        "bos_token_id": fields["tokenizer.ggml.bos_token_id"],
        "eos_token_id": eos,
        "pad_token_id": fields.get("tokenizer.ggml.padding_token_id", eos),
    }


def convert_tensor(tensor: Any, config: dict[str, Any]) -> tuple[str, Any]:
    """One GGUF tensor -> (its Hugging Face name, a bfloat16 torch tensor, shape [out, in] or [hidden])."""
    import torch
    from gguf import dequantize

    values = np.asarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
    name = OUTER_NAMES.get(tensor.name)
    if name is None:
        part = tensor.name.split(".")  # blk.<layer>.<kind>.weight
        if len(part) != 4 or part[0] != "blk" or part[3] != "weight" or part[2] not in LAYER_NAMES:
            raise ConversionError(f"GGUF tensor {tensor.name!r} is not known")
        name = f"model.layers.{part[1]}.{LAYER_NAMES[part[2]]}.weight"
        heads = {"attn_q": "num_attention_heads", "attn_k": "num_key_value_heads"}.get(part[2])
        if heads:
            values = halves_from_pairs(values, config[heads])
    return name, torch.from_numpy(np.array(values, order="C")).to(torch.bfloat16)


def halves_from_pairs(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows [out, in] ordered pair by pair within a head -> first halves, then second halves."""
    out, width = rows.shape
    return rows.reshape(heads, out // heads // 2, 2, width).swapaxes(1, 2).reshape(out, width)


def build_tokenizer(fields: dict[str, Any]) -> Any:
    """transformers' fast tokenizer from GGUF's pieces, merges and chat template."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    splitters = {
        "smollm": pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level]),
        "gpt-2": byte_level,
    }
    kind, split = fields.get("tokenizer.ggml.model"), fields.get("tokenizer.ggml.pre")
    if kind != "gpt2" or split not in splitters:
        raise ConversionError(f"GGUF tokenizer {kind!r} with pre-tokenizer {split!r} is not known")
    pieces, types = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    merges = [(left, right) for left, right in (m.split(" ") for m in fields["tokenizer.ggml.merges"])]
    core = Tokenizer(models.BPE(vocab={p: i for i, p in enumerate(pieces)}, merges=merges, fuse_unk=False))
    core.pre_tokenizer = splitters[split]
    core.decoder = decoders.ByteLevel()
    control = [p for p, t in zip(pieces, types, strict=True) if t == CONTROL_TOKEN]
    core.add_special_tokens([AddedToken(p, special=True, normalized=False) for p in control])
    eos = fields["tokenizer.ggml.eos_token_id"]
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core,
        bos_token=pieces[fields["tokenizer.ggml.bos_token_id"]],
        eos_token=pieces[eos],
        pad_token=pieces[fields.get("tokenizer.ggml.padding_token_id", eos)],
        unk_token=pieces[fields.get("tokenizer.ggml.unknown_token_id", 0)],
        model_max_length=fields["llama.context_length"],
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = fields.get("tokenizer.chat_template")
    return tokenizer
