"""The fast paths of RoPE against the formula written out, at sizes where they are taken."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import rope, rotate, table

W = 10000.0 ** (-np.arange(0, 6, 2) / 6)


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def spelled_out(x, turns, layout):
    """Pick the first and second feature of each pair by number, and turn them as complex numbers."""
    i, m = np.arange(turns.shape[-1]), turns.shape[-1]
    one, two = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + m)
    z = (x[..., one] + 1j * x[..., two]) * turns
    out = np.array(np.broadcast_to(x, (*z.shape[:-1], x.shape[-1])))
    out[..., one], out[..., two] = z.real, z.imag
    return out


@pytest.mark.parametrize(
    "positions",
    [
        np.arange(1000),
        np.arange(-300, 700),
        np.arange(1000)[::-1],
        np.arange(90_000, 91_000),
        np.random.default_rng(0).integers(-500, 500, (2, 1, 600)),
        np.arange(1000) / 2,
        np.arange(1000) + 0.25,
        np.arange(1000) * 1000,
        np.full(1000, 2.0**40 + 1),
        np.append(np.arange(999), 2.0**40),  # far apart: no room for what lies between
        np.arange(64),
        np.zeros((3, 0)),
        np.arange(256),
    ],
)
def test_table_is_the_exponential_whatever_the_positions(positions):
    """Angles p * w are rounded, so that far positions are compared with what float64 can hold."""
    angles = positions[..., None] * W
    got = table(positions, 6)
    np.testing.assert_allclose(
        got, np.exp(1j * angles), atol=1e-14 + 2e-16 * np.max(np.abs(angles), initial=0)
    )
    assert got.shape == angles.shape


def test_whole_positions_are_turned_exactly_at_0():
    turns = table(np.arange(-500, 500), 6)
    np.testing.assert_array_equal(turns[500], np.ones(3))


@pytest.mark.parametrize("far", [np.nan, np.inf])
def test_positions_that_are_no_numbers_stay_with_themselves(far):
    positions = np.arange(1000.0)
    positions[7] = far
    with np.errstate(invalid="ignore"):
        turns = table(positions, 6)
    assert np.isnan(turns[7]).all()
    np.testing.assert_allclose(np.delete(turns, 7, axis=0), np.delete(table(np.arange(1000), 6), 7, axis=0))


@given(st.integers(0, 2**32 - 1), st.integers(257, 900), st.integers(1, 256))
def test_a_table_of_fewer_positions_is_its_beginning(seed, n, fewer):
    start = np.random.default_rng(seed).integers(-1000, 1000)
    longer = table(np.arange(start, start + n), 6)
    np.testing.assert_allclose(
        table(np.arange(start, start + fewer), 6), longer[:fewer], rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("shape", "positions"),
    [
        ((5000, 64), (5000,)),
        ((3, 2500, 64), (2500,)),
        ((3, 2, 1300, 64), (3, 1, 1300)),
        ((70_000, 1, 4), (70_000, 1)),
        ((1, 64), (5000,)),
        ((2, 1500, 64), (2, 1)),
        ((5000, 64), (1,)),
        ((5000, 64), ()),
        ((300_000,), ()),
    ],
)
def test_long_arrays_turn_as_short_ones_do(shape, positions, dtype, layout):
    x = vectors(0, *shape).astype(dtype)
    turns = table(np.random.default_rng(1).integers(0, 5000, positions), shape[-1])
    got = rotate(x, turns, layout=layout)
    want = spelled_out(x.astype(np.float64), turns, layout)
    assert (got.shape, got.dtype) == (want.shape, x.dtype)
    tolerance = 8 * np.finfo(dtype).eps
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("kind", [np.complex64, np.complex128, np.float64])
def test_a_table_may_be_of_any_numbers(kind, layout):
    turns = table(np.arange(7), 6).real.astype(kind) + np.zeros(1, kind)
    x = vectors(0, 7, 6)
    np.testing.assert_allclose(rotate(x, turns, layout=layout), spelled_out(x, turns, layout), rtol=1e-6)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_memory_in_any_order(layout):
    """Features far apart, backwards, cut out, repeated: what is not side by side is copied first."""
    x = vectors(0, 12, 8, 20)
    turns = table(np.arange(8), 6)
    for view in (
        x[..., ::3][..., :6],
        x[..., 5::-1],
        x[..., 3:9],
        x[0].T[:8, :6],
        np.broadcast_to(x[0, 0, :6], (3, 8, 6)),
    ):
        np.testing.assert_allclose(
            rotate(view, turns, layout=layout), spelled_out(view, turns, layout), rtol=1e-12
        )
    wide = np.asfortranarray(x[0])
    np.testing.assert_allclose(rope(wide, 3, layout=layout), rope(x[0], 3, layout=layout))


def test_an_infinite_feature_spoils_its_own_pair_only():
    x = np.ones(8)
    x[1] = np.inf
    with np.errstate(invalid="ignore"):
        assert np.isfinite(rope(x, 3, layout="half")).tolist() == [i not in (1, 5) for i in range(8)]
