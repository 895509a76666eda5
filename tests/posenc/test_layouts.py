"""The two layouts: weights that were permuted once give the same scores in the other one."""

import numpy as np

from posenc.rotary import permute_weights, rope


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
