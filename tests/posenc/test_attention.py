"""Attention: by loops, with masks, biases and caches, and in every precision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.attention import attention, attention_weights, causal_mask, softmax


def qkv(seed=0, n=7, d=6, *lead):
    return np.random.default_rng(seed).normal(size=(3, *lead, n, d))


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=9), st.floats(-1e4, 1e4))
def test_softmax_sums_to_1_and_ignores_a_shift(scores, shift):
    w = softmax(scores)
    assert w.sum() == pytest.approx(1)
    assert (w >= 0).all()
    np.testing.assert_allclose(softmax(np.array(scores) + shift), w, atol=1e-9)


def test_softmax_goldens():
    np.testing.assert_allclose(softmax([0.0, np.log(3)]), [0.25, 0.75])
    np.testing.assert_allclose(
        softmax([[1e300, 0], [0, 1]], axis=0), [[1, 1 / (1 + np.e)], [0, np.e / (1 + np.e)]]
    )
    np.testing.assert_array_equal(softmax([[-np.inf, -np.inf], [-np.inf, 0]]), [[0, 0], [0, 1]])
    assert softmax([1, 2]).dtype == np.float64


def test_causal_mask():
    np.testing.assert_array_equal(causal_mask(3, 3), np.tril(np.ones((3, 3), bool)))
    np.testing.assert_array_equal(causal_mask(2, 4), [[1, 1, 1, 0], [1, 1, 1, 1]])
    with pytest.raises(ValueError, match="between 0 and n_k, got n_q = 4 and n_k = 3"):
        causal_mask(4, 3)


@pytest.mark.parametrize("causal", [False, True])
def test_by_loops(causal):
    q, k, v = qkv(d=6)
    for i, row in enumerate(attention(q, k, v, causal=causal)):
        seen = range(i + 1 if causal else 7)
        weights = np.array([np.exp(q[i] @ k[j] / np.sqrt(6)) for j in seen])
        np.testing.assert_allclose(row, weights / weights.sum() @ v[list(seen)])


def test_permuting_tokens_permutes_rows():
    """Self-attention is equivariant; tried with a permutation that is not its own inverse."""
    q, k, v = qkv(n=6)
    order = [3, 1, 0, 5, 2, 4]
    np.testing.assert_allclose(attention(q[order], k[order], v[order]), attention(q, k, v)[order])
    assert not np.allclose(
        attention(q[order], k[order], v[order], causal=True), attention(q, k, v, causal=True)[order]
    )


def test_cache_equals_full_pass():
    q, k, v = qkv(0, 7, 6, 2, 3)
    full = attention(q, k, v, causal=True)
    np.testing.assert_allclose(attention(q[..., -2:, :], k, v, causal=True), full[..., -2:, :])


def test_bias_comes_after_the_scale():
    q, k, _ = qkv()
    bias = np.arange(49.0).reshape(7, 7)
    want = softmax(q @ k.T / np.sqrt(6) + bias)
    np.testing.assert_allclose(attention_weights(q, k, bias=bias), want)
    np.testing.assert_allclose(attention_weights(q, k, scale=2.0), softmax(2 * q @ k.T))
    heads = attention_weights(q, k, bias=np.stack([bias, -bias]), causal=True)
    assert heads.shape == (2, 7, 7)
    np.testing.assert_allclose(heads.sum(-1), 1)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtype_is_kept(dtype):
    q, k, v = qkv().astype(dtype)
    out = attention(q, k, v, bias=np.zeros((7, 7)), causal=True)
    assert out.dtype == attention_weights(q, k).dtype == dtype
    np.testing.assert_allclose(out, attention(*qkv(), causal=True), atol=20 * np.finfo(dtype).eps)
    assert attention(q, k, np.ones((7, 6), int)).dtype == np.float64
    assert attention(q, k, v.astype(np.float64)).dtype == np.float64


def test_inputs_stay():
    q, k, v = qkv()
    bias = np.zeros((7, 7))
    before = [x.copy() for x in (q, k, v, bias)]
    attention(q, k, v, bias=bias, causal=True)
    softmax(q)
    for x, old in zip((q, k, v, bias), before, strict=True):
        np.testing.assert_array_equal(x, old)


def test_errors():
    q, k, v = qkv()
    with pytest.raises(ValueError, match="same d, got 6 and 4"):
        attention_weights(q, k[:, :4])
    with pytest.raises(ValueError, match="same n_k, got 7 and 5"):
        attention(q, k, v[:5])
    with pytest.raises(TypeError, match="must be real, got dtype complex128"):
        softmax([1j])
