"""Learned tables: reading them, counting past padding, and resizing to other lengths and grids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.learned import interpolate_1d, interpolate_2d, lookup, positions_from_mask

TABLE = np.arange(24.0).reshape(8, 3)


# torch's interpolate(..., mode="linear"), and scipy.ndimage.zoom(order=1) in the code of ViT.
@pytest.mark.parametrize(
    ("align_corners", "want"), [(False, [0, 0.25, 0.75, 1]), (True, [0, 1 / 3, 2 / 3, 1])]
)
def test_interpolation_goldens(align_corners, want):
    got = interpolate_1d([[0.0], [1.0]], 4, align_corners=align_corners)
    np.testing.assert_allclose(got[:, 0], want, rtol=1e-15)
    column = interpolate_2d([[0.0], [1.0]], (2, 1), (4, 1), align_corners=align_corners)
    row = interpolate_2d([[0.0], [1.0]], (1, 2), (1, 4), align_corners=align_corners)
    np.testing.assert_array_equal(column, got)
    np.testing.assert_array_equal(row, got)


def test_half_pixels_are_the_default():
    for resized in (interpolate_1d([[0.0], [1.0]], 4), interpolate_2d([[0.0], [1.0]], (2, 1), (4, 1))):
        np.testing.assert_array_equal(resized[:, 0], [0, 0.25, 0.75, 1])


def test_lookup_copies_rows():
    got = lookup(TABLE, [[2, 0, 2]])
    np.testing.assert_array_equal(got, TABLE[[[2, 0, 2]]], strict=True)
    got[...] = -1
    np.testing.assert_array_equal(TABLE, np.arange(24.0).reshape(8, 3))
    np.testing.assert_array_equal(lookup(TABLE, np.uint8(7)), TABLE[7])
    assert lookup(TABLE, []).shape == (0, 3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtype_is_that_of_the_table(dtype):
    table = TABLE.astype(dtype)
    for got in (lookup(table, [1]), interpolate_1d(table, 3), interpolate_2d(table, (2, 4), (3, 3))):
        assert got.dtype == dtype
    for got in (
        lookup([[1]], [0]),
        interpolate_1d([[1], [2]], 3),
        interpolate_2d([[1], [2]], (1, 2), (1, 3)),
    ):
        assert got.dtype == np.float64
    np.testing.assert_array_equal(interpolate_1d([[1], [2]], 3).ravel(), [1, 1.5, 2])


sizes = st.integers(1, 9)
corners = st.booleans()


@given(sizes, st.integers(0, 3), sizes, corners)
def test_prefix_rows_are_kept_and_the_ends_of_the_table_are_not_left(m, prefix, n, align_corners):
    table = np.random.default_rng(m).normal(size=(prefix + m, 2))
    before = table.copy()
    got = interpolate_1d(table, n, prefix=prefix, align_corners=align_corners)
    assert got.shape == (prefix + n, 2)
    np.testing.assert_array_equal(got[:prefix], table[:prefix])
    body = table[prefix:]
    assert (got[prefix:] <= body.max(axis=0) + 1e-12).all()
    assert (got[prefix:] >= body.min(axis=0) - 1e-12).all()
    same = interpolate_1d(table, m, prefix=prefix, align_corners=align_corners)
    np.testing.assert_array_equal(same, before)
    got[...] = same[...] = 0
    np.testing.assert_array_equal(table, before)


@given(st.integers(2, 30), st.integers(2, 30))
def test_straight_lines_stay_straight(m, n):
    line = 2.0 * np.arange(m)[:, None] - 1
    at = np.linspace(0, m - 1, n)
    got = interpolate_1d(line, n, align_corners=True)[:, 0]
    np.testing.assert_allclose(got, 2 * at - 1, atol=1e-12)
    at = np.clip((np.arange(n) + 0.5) * m / n - 0.5, 0, m - 1)  # beyond the ends, the end rows
    np.testing.assert_allclose(interpolate_1d(line, n)[:, 0], 2 * at - 1, atol=1e-12)


@given(sizes, sizes, sizes, sizes, corners)
def test_a_grid_is_resized_along_each_axis(h, w, to_h, to_w, align_corners):
    options = {"align_corners": align_corners}
    rows, cols = np.random.default_rng(h).normal(size=(h, 1)), np.random.default_rng(w).normal(size=(w, 1))
    table = (rows * cols.T).reshape(-1, 1)
    got = interpolate_2d(table, (h, w), (to_h, to_w), **options)
    want = interpolate_1d(rows, to_h, **options) * interpolate_1d(cols, to_w, **options).T
    np.testing.assert_allclose(got.reshape(to_h, to_w), want, atol=1e-12)
    np.testing.assert_array_equal(interpolate_2d(table, (h, w), (h, w), **options), table)


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_positions_count_the_tokens_and_padding_gets_0(mask):
    got, there = positions_from_mask(mask), np.array(mask)
    np.testing.assert_array_equal(got[there], np.arange(there.sum()))
    np.testing.assert_array_equal(got[~there], 0)
    np.testing.assert_array_equal(positions_from_mask(np.array([mask, mask], int)), [got, got])


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (IndexError, lambda: lookup(TABLE, [0, 8]), "positions must be from 0 to 7, got 8"),
        (IndexError, lambda: lookup(TABLE, -1), "positions must be from 0 to 7, got -1"),
        (TypeError, lambda: lookup(TABLE, 1.0), "positions must be integers, got dtype float64"),
        (TypeError, lambda: lookup(TABLE, [True]), "positions must be integers, got dtype bool"),
        (TypeError, lambda: lookup(1j * TABLE, 0), "numbers must be real, got dtype complex128"),
        (ValueError, lambda: lookup([1.0], 0), r"table must be a matrix \(n, d\), got shape \(1,\)"),
        (ValueError, lambda: positions_from_mask([0, 2]), "1 for a token and 0 for padding, got 2"),
        (ValueError, lambda: positions_from_mask([0, -np.inf]), "got -inf"),
        (ValueError, lambda: positions_from_mask(1), "must have an axis of positions, got a single number"),
        (ValueError, lambda: interpolate_1d(TABLE, 0), "n must be positive, got 0"),
        (TypeError, lambda: interpolate_1d(TABLE, 4.0), "n must be an integer, got 4.0"),
        (ValueError, lambda: interpolate_1d(TABLE, 4, prefix=8), "prefix must be from 0 to 7, got 8"),
        (ValueError, lambda: interpolate_1d(TABLE, 4, prefix=-1), "prefix must be from 0 to 7, got -1"),
        (ValueError, lambda: interpolate_2d(TABLE, (2, 3), (2, 3)), r"prefix \+ 2 \* 3 rows, got 8 with"),
        (ValueError, lambda: interpolate_2d(TABLE, (3, 3), (2, 3), prefix=-1), "got 8 with prefix = -1"),
        (ValueError, lambda: interpolate_2d(TABLE, (2, 4), (0, 3)), "new height must be positive, got 0"),
        (TypeError, lambda: interpolate_2d(TABLE, (2, 4), (1, 1.5)), "new width must be an integer, got 1.5"),
        (ValueError, lambda: interpolate_2d(TABLE, (2, 4), (8,)), r"new must be \(height, width\), got"),
        (ValueError, lambda: interpolate_2d(TABLE, (-2, -4), (1, 1)), "old height must be positive, got -2"),
    ],
)
def test_errors(error, call, message):
    with pytest.raises(error, match=message):
        call()
