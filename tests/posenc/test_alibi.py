"""ALiBi: the slopes of the authors' code for any number of heads, and the bias with and without a cache."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.attention import softmax

inf = np.inf


# ofirpress/attention_with_linear_biases, fairseq/models/transformer.py; BLOOM and MPT agree.
@pytest.mark.parametrize(
    ("h", "want"),
    [
        (1, [0.00390625]),
        (2, [0.0625, 0.00390625]),
        (3, [0.0625, 0.00390625, 0.25]),
        (4, [0.25, 0.0625, 0.015625, 0.00390625]),
        (5, [0.25, 0.0625, 0.015625, 0.00390625, 0.5]),
        (6, [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]),
        (8, [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625]),
    ],
)
def test_slopes_goldens(h, want):
    np.testing.assert_allclose(alibi_slopes(h), want, strict=True)


def test_slopes_of_twelve_heads_end_with_every_other_of_sixteen():
    np.testing.assert_allclose(
        alibi_slopes(12)[8:], [0.70710678, 0.35355339, 0.1767767, 0.08838835], atol=1e-8
    )


@given(st.integers(1, 200))
def test_slopes_are_positive_distinct_and_at_most_1(h):
    m = alibi_slopes(h)
    assert m.shape == (h,)
    assert ((m > 0) & (m < 1)).all()
    assert len(np.unique(m)) == h


def test_bias_goldens():
    want = [[0, -inf, -inf, -inf], [-1, 0, -inf, -inf], [-2, -1, 0, -inf], [-3, -2, -1, 0]]
    got = alibi_bias(4, 4, alibi_slopes(2))
    np.testing.assert_allclose(got, np.array([want, want]) * [[[0.0625]], [[0.00390625]]], strict=True)
    want = -0.0625 * np.array([[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]])
    np.testing.assert_allclose(alibi_bias(4, 4, 0.0625, causal=False), want, strict=True)


def test_bias_of_a_cache_is_the_last_rows():
    np.testing.assert_allclose(alibi_bias(1, 5, 0.0625), [[-0.25, -0.1875, -0.125, -0.0625, 0]], strict=True)
    for causal in (False, True):
        full = alibi_bias(7, 7, alibi_slopes(3), causal=causal)
        np.testing.assert_array_equal(alibi_bias(2, 7, alibi_slopes(3), causal=causal), full[:, -2:])


def test_lesson_text_agrees():
    N, slope = 5, 0.5
    distances = np.abs(np.arange(N)[:, None] - np.arange(N)[None, :])
    np.testing.assert_array_equal(alibi_bias(N, N, slope, causal=False), -slope * distances)


def test_key_index_alone_gives_the_same_causal_weights():
    """BLOOM and fairseq add slope * j: the same after the softmax, since it ignores a shift of a row."""
    scores = np.random.default_rng(0).normal(size=(6, 6))
    shortcut = np.where(np.tri(6), 0.25 * np.arange(6), -inf)
    np.testing.assert_allclose(softmax(scores + alibi_bias(6, 6, 0.25)), softmax(scores + shortcut))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtype_is_that_of_the_slopes(dtype):
    assert alibi_bias(2, 3, np.array([0.5], dtype)).dtype == dtype
    assert alibi_bias(2, 3, 1).dtype == np.float64


def test_errors():
    with pytest.raises(ValueError, match="h must be positive, got 0"):
        alibi_slopes(0)
    with pytest.raises(ValueError, match="got n_q = 3 and n_k = 2"):
        alibi_bias(3, 2, 0.5, causal=False)


@given(st.integers(1, 9), st.integers(0, 9), st.integers(1, 12), st.booleans())
def test_bias_knows_the_offset_only_and_a_longer_one_begins_with_it(n, more, h, causal):
    short, long = (alibi_bias(m, m, alibi_slopes(h), causal=causal) for m in (n, n + more))
    np.testing.assert_array_equal(long[:, 1:, 1:], long[:, :-1, :-1])
    np.testing.assert_array_equal(long[:, :n, :n], short)


@given(st.integers(2, 40), st.integers(1, 40))
def test_bias_falls_with_the_distance_by_the_slope_a_position(n, h):
    last = alibi_bias(1, n, alibi_slopes(h))[:, 0]  # (h, n) what the last query adds for each key
    assert (last[:, -1] == 0).all()
    np.testing.assert_allclose(np.diff(last), np.broadcast_to(alibi_slopes(h)[:, None], (h, n - 1)))
