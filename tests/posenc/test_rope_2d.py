"""RoPE on a grid: the first half of the features turns by the row, the second by the column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import rope, rope_2d

ONE_TO_EIGHT = np.arange(1.0, 9.0)


def test_rope_2d_goldens():
    want = [-1.14264, 1.922076, 2.959851, 4.0298, -7.536519, 2.049606, 6.838611, 8.138391]
    np.testing.assert_allclose(rope_2d(ONE_TO_EIGHT, 1, 2), want, atol=1e-6, strict=True)
    want = [-2.234742, 0.077004, 2.919405, 4.059196, -2.347314, 7.449169, 6.919651, 8.069599]
    np.testing.assert_allclose(rope_2d(ONE_TO_EIGHT, 2, 1), want, atol=1e-6, strict=True)


def test_rope_2d_on_a_grid():
    x = np.random.default_rng(0).normal(size=(2, 3, 8)).astype(np.float32)
    rows, cols = np.arange(2)[:, None], np.arange(3)
    out = rope_2d(x, rows, cols, layout="half", base=100.0)
    assert out.dtype == np.float32
    np.testing.assert_allclose(out[1, 2, :4], rope(x[1, 2, :4], 1, layout="half", base=100.0))
    np.testing.assert_allclose(out[1, 2, 4:], rope(x[1, 2, 4:], 2, layout="half", base=100.0))
    assert rope_2d(x[0, 0], 1, cols).shape == (3, 8)


seeds = st.integers(0, 2**32 - 1)
widths = st.integers(1, 5).map(lambda pairs: 4 * pairs)
places = st.tuples(*[st.integers(-500, 500)] * 2).map(np.array)
layouts = st.sampled_from(["interleaved", "half"])


@given(seeds, widths, places, places, places, layouts)
def test_scores_know_the_offset_of_row_and_column_only(seed, d, at, offset, shift, layout):
    q, k = np.random.default_rng(seed).normal(size=(2, d))

    def score(place):
        return rope_2d(q, *place, layout=layout) @ rope_2d(k, *(place + offset), layout=layout)

    assert score(at) == pytest.approx(score(at + shift), abs=1e-9)


@given(widths, places, layouts)
def test_rotation_is_orthogonal(d, at, layout):
    R = rope_2d(np.eye(d), *at, layout=layout).T
    np.testing.assert_allclose(R.T @ R, np.eye(d), atol=1e-12)
    np.testing.assert_array_equal(R[: d // 2, d // 2 :], 0)
    np.testing.assert_array_equal(R[d // 2 :, : d // 2], 0)
