"""Chunked log-probabilities against plain log_softmax; models that would not be exact are refused."""

from __future__ import annotations

import pytest
import torch
from learner_builders import tiny
from transformers import Gemma2Config, LlamaConfig, MistralConfig

from distrl.learner.attention import check_supported, packed_attention
from distrl.learner.logprobs import chunked_logprobs

VOCABULARY, HIDDEN, POSITIONS = 11, 5, 6


def inputs(bias: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None, torch.Tensor, torch.Tensor]:
    torch.manual_seed(3)
    hidden = torch.randn(POSITIONS, HIDDEN, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(VOCABULARY, HIDDEN, dtype=torch.float64, requires_grad=True)
    b = torch.randn(VOCABULARY, dtype=torch.float64, requires_grad=True) if bias else None
    targets = torch.randint(0, VOCABULARY, (POSITIONS,))
    return hidden, weight, b, targets, torch.linspace(0.5, 1.5, POSITIONS, dtype=torch.float64)


@pytest.mark.parametrize("chunk", [1, 4, 100])
@pytest.mark.parametrize("bias", [False, True])
def test_values_and_gradients_are_those_of_log_softmax(chunk: int, bias: bool) -> None:
    hidden, weight, b, targets, temperatures = inputs(bias)
    plain = (torch.nn.functional.linear(hidden, weight, b) / temperatures[:, None]).log_softmax(-1)
    got, entropy = chunked_logprobs(hidden, weight, b, targets, temperatures, chunk)
    torch.testing.assert_close(got, plain.gather(1, targets[:, None])[:, 0], rtol=0, atol=1e-13)
    torch.testing.assert_close(entropy, -(plain.exp() * plain).sum(-1), rtol=0, atol=1e-13)
    assert not entropy.requires_grad
    leaves = [hidden, weight] + ([b] if b is not None else [])

    def function(*args: torch.Tensor) -> torch.Tensor:
        return chunked_logprobs(args[0], args[1], args[2] if bias else None, targets, temperatures, chunk)[0]

    assert torch.autograd.gradcheck(function, leaves, atol=1e-8)


def test_no_positions_give_empty_results_and_zero_gradients() -> None:
    hidden, weight, _, targets, temperatures = inputs(False)
    got, entropy = chunked_logprobs(hidden[:0], weight, None, targets[:0], temperatures[:0], 4)
    assert got.shape == entropy.shape == (0,)
    got.sum().backward()
    assert float(weight.grad.abs().max()) == 0.0


def test_logits_of_all_positions_never_exist_at_once() -> None:
    positions, vocabulary, chunk = 64, 5000, 8
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            nonlocal largest
            out = func(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor):
                largest = max(largest, out.numel())
            return out

    hidden = torch.randn(positions, 4, requires_grad=True)
    weight = torch.randn(vocabulary, 4, requires_grad=True)
    targets = torch.zeros(positions, dtype=torch.int64)
    with Watch():
        got, _ = chunked_logprobs(hidden, weight, None, targets, torch.ones(positions), chunk)
        got.sum().backward()
    assert largest == chunk * vocabulary


def test_bfloat16_hidden_states_give_float32_results() -> None:
    hidden = torch.randn(3, 8).bfloat16().requires_grad_()
    weight = torch.randn(20, 8, requires_grad=True)
    got, _ = chunked_logprobs(hidden, weight, None, torch.tensor([1, 2, 3]), torch.ones(3), 2)
    plain = (hidden.float() @ weight.t()).log_softmax(-1).gather(1, torch.tensor([[1], [2], [3]]))[:, 0]
    assert got.dtype == torch.float32 and hidden.dtype == torch.bfloat16
    torch.testing.assert_close(got, plain, rtol=0, atol=0.05)
    got.sum().backward()
    assert weight.grad.dtype == torch.float32


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (Gemma2Config(), "'gemma2' cannot be trained packed"),
        (MistralConfig(sliding_window=64), "sliding-window"),
        (LlamaConfig(attention_dropout=0.1), "attention_dropout=0.1"),
        (
            LlamaConfig(rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}),
            "rope type 'dynamic'",
        ),
    ],
)
def test_models_that_would_not_be_exact_are_refused(config: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_supported(config)  # type: ignore[arg-type]


def test_attention_without_a_layout_is_an_error_and_not_a_guess() -> None:
    q = torch.zeros(1, 2, 3, 4)
    with pytest.raises(ValueError, match="needs layout="):
        packed_attention(tiny("llama"), q, q, q, None)
