"""The two layouts: weights that were permuted once give the same scores in the other one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import permute_weights, rope, to_half, to_interleaved


def test_permute_weights_is_per_head():
    """The row order of Hugging Face's convert_llama_weights_to_hf.permute, two heads of width 4 and of 8."""
    np.testing.assert_array_equal(permute_weights(np.arange(8), 2), [0, 2, 1, 3, 4, 6, 5, 7])
    W = np.arange(16.0)[:, None] * [1, 10, 100]
    np.testing.assert_array_equal(permute_weights(W, 2)[8:, 1], 10 * np.array([8, 10, 12, 14, 9, 11, 13, 15]))


def test_permuted_weights_give_the_same_scores():
    rng = np.random.default_rng(0)
    h, d, n, width = 3, 6, 7, 10
    Wq, Wk, x = rng.normal(size=(h * d, width)), rng.normal(size=(h * d, width)), rng.normal(size=(n, width))

    def scores(Wq, Wk, layout):
        q, k = ((x @ W.T).reshape(n, h, d).swapaxes(0, 1) for W in (Wq, Wk))
        q, k = (rope(v, np.arange(n), layout=layout) for v in (q, k))
        return q @ k.swapaxes(-1, -2)

    want = scores(Wq, Wk, "interleaved")
    np.testing.assert_allclose(scores(permute_weights(Wq, h), permute_weights(Wk, h), "half"), want)
    assert not np.allclose(scores(Wq, Wk, "half"), want)


@pytest.mark.parametrize("shape", [(6,), (2, 3, 6), (4, 1, 2, 8)])
def test_the_last_axis_is_permuted_whatever_comes_before(shape):
    x = np.arange(np.prod(shape)).reshape(shape)
    straight, halves = to_interleaved(x), to_half(x)
    assert straight.shape == halves.shape == shape
    for at in np.ndindex(shape[:-1]):
        np.testing.assert_array_equal(halves[at], [*x[at][0::2], *x[at][1::2]])
        np.testing.assert_array_equal(straight[at][0::2], x[at][: shape[-1] // 2])
        np.testing.assert_array_equal(straight[at][1::2], x[at][shape[-1] // 2 :])


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3))
def test_permute_weights_is_to_half_of_the_rows_of_each_head(h, pairs, n_in):
    w = np.arange(2.0 * h * pairs * n_in).reshape(h * 2 * pairs, n_in)
    heads = w.reshape(h, 2 * pairs, n_in).swapaxes(1, 2)
    want = to_half(heads).swapaxes(1, 2).reshape(w.shape)
    np.testing.assert_array_equal(permute_weights(w, h), want, strict=True)


def test_one_head_is_enough():
    np.testing.assert_array_equal(permute_weights(np.arange(6), 1), [0, 2, 4, 1, 3, 5])
    with pytest.raises(ValueError, match="d must be even, got 3$"):
        permute_weights(np.arange(6), 2)


def test_weights_of_no_input_stay_as_they_are():
    assert permute_weights(np.zeros((8, 0)), 2).shape == (8, 0)
