"""xPos: RoPE whose scores decay with the distance, whatever the centre."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import rope, to_half, xpos

Q, K = np.arange(1.0, 5.0), np.arange(4.0, 0.0, -1)

seeds = st.integers(0, 2**32 - 1)
positions = st.integers(-3000, 3000)
widths = st.integers(1, 8).map(lambda pairs: 2 * pairs)
layouts = st.sampled_from(["interleaved", "half"])


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def score(q, k, at_q, at_k, **options):
    q, k = xpos(q, k, at_q, at_k, **options)
    return q @ k


@pytest.mark.parametrize("shift", [0, 100, 100_000])
def test_golden_score_depends_on_the_offset_only(shift):
    assert score(Q, K, 5 + shift, 3 + shift) == pytest.approx(1.21549211, abs=1e-8)


def test_goldens_of_the_factors():
    """zeta for d = 8, as in torchscale: after 512 positions pair i has decayed by zeta[i]."""
    zeta = [0.28571429, 0.46428571, 0.64285714, 0.82142857]
    q, k = xpos(np.ones(8), np.ones(8), 512, 0, centre=0)
    lengths = np.hypot(q[0::2], q[1::2]) / np.sqrt(2)
    np.testing.assert_allclose(lengths, zeta, atol=1e-8)
    np.testing.assert_array_equal(k, np.ones(8))


def test_gamma_sets_the_fastest_decay():
    q, _ = xpos(np.ones(8), np.ones(8), 512, 0, centre=0, gamma=1.0)
    np.testing.assert_allclose(np.hypot(q[0::2], q[1::2]) / np.sqrt(2), [0.5, 0.625, 0.75, 0.875])


def test_the_centre_is_the_middle_of_all_positions():
    """Queries at 4 to 6 and keys at 0 to 6: what lies at 3 is turned and not scaled."""
    q, k = vectors(0, 2, 7, 8)
    turned_q, turned_k = xpos(q[4:], k, np.arange(4, 7), np.arange(7))
    np.testing.assert_allclose(turned_k[3], rope(k[3], 3), rtol=1e-12)
    assert not np.isclose(turned_q[0], rope(q[4], 4), rtol=1e-6).any()


@given(seeds, widths, positions, st.integers(0, 500), st.integers(-1000, 1000), layouts)
def test_scores_are_relative(seed, d, p, r, shift, layout):
    q, k = vectors(seed, 2, d)
    here = score(q, k, p, p - r, layout=layout)
    assert here == pytest.approx(score(q, k, p + shift, p + shift - r, layout=layout), rel=1e-7, abs=1e-9)


@given(seeds, widths, positions, st.integers(0, 500), positions)
def test_centre_cancels(seed, d, p, r, centre):
    q, k = vectors(seed, 2, d)
    want = score(q, k, p, p - r)
    assert score(q, k, p, p - r, centre=centre) == pytest.approx(want, rel=1e-7, abs=1e-9)


@given(seeds, widths, st.integers(1, 9), st.integers(0, 9), layouts)
def test_around_a_given_centre_a_longer_sequence_begins_with_the_shorter_one(seed, d, n, more, layout):
    q, k = vectors(seed, 2, n + more, d)
    longer = xpos(q, k, np.arange(n + more), centre=4, layout=layout)
    for long, short in zip(longer, xpos(q[:n], k[:n], np.arange(n), centre=4, layout=layout), strict=True):
        np.testing.assert_allclose(long[:n], short, rtol=1e-12)


@given(widths, positions, st.integers(1, 300))
def test_a_pair_decays_with_the_distance(d, p, r):
    """A query and key that agree once turned: what is left is the decay."""
    one = np.tile([1.0, 0.0], d // 2)
    q, k = xpos(rope(one, -p), rope(one, r - p), p, p - r)
    zeta = (2 * np.arange(d // 2) + 0.4 * d) / (1.4 * d)
    np.testing.assert_allclose((q * k).reshape(-1, 2).sum(axis=-1), zeta ** (r / 512), rtol=1e-9)


def test_without_decay_it_is_rope():
    q, k = vectors(0, 2, 5, 6)
    for got, x in zip(xpos(q, k, np.arange(5), scale_base=1e30, layout="half"), (q, k), strict=True):
        np.testing.assert_allclose(got, rope(x, np.arange(5), layout="half"), rtol=1e-12)


def test_layouts_differ_by_a_permutation():
    q, k = vectors(0, 2, 5, 6)
    straight, halves = xpos(q, k, np.arange(5)), xpos(to_half(q), to_half(k), np.arange(5), layout="half")
    for got, want in zip(halves, straight, strict=True):
        np.testing.assert_allclose(got, to_half(want), rtol=1e-12)


def test_queries_may_be_fewer_than_keys_and_heads_as_well():
    q, k = vectors(0, 2, 6, 3, 8), vectors(1, 2, 2, 7, 8)
    turned_q, turned_k = xpos(q, k, np.arange(4, 7), np.arange(7))
    assert (turned_q.shape, turned_k.shape) == (q.shape, k.shape)
    want = score(q[1, 4, 2], k[1, 0, 3], 6, 3)
    assert turned_q[1, 4, 2] @ turned_k[1, 0, 3] == pytest.approx(want)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_keep_their_dtype(dtype):
    q, k = vectors(0, 2, 7, 6).astype(dtype)
    p = np.arange(2047, 2054)
    tolerance = 8 * np.finfo(dtype).eps
    for got, want in zip(xpos(q, k, p), xpos(q.astype(float), k.astype(float), p), strict=True):
        assert got.dtype == dtype
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def test_positions_reach_as_far_as_the_factor_of_the_first_pair_is_a_normal_number():
    """gamma = 1 and scale_base = 1: the first pair halves with each position, down to 2**-1022."""
    options = {"gamma": 1, "scale_base": 1, "centre": 0}
    q, _ = xpos(np.ones(2), np.ones(2), 1022, 0, **options)
    assert np.hypot(*q) == pytest.approx(np.sqrt(2) * 2.0**-1022)
    with pytest.raises(ValueError, match=r"within 1022\.0 times scale_base .*, got 1022\.5 times"):
        xpos(np.ones(2), np.ones(2), 1022.5, 0, **options)


def test_the_centre_is_within_reach_however_fast_the_decay():
    q, k = np.ones(2, np.float16), np.ones(2, np.float16)
    np.testing.assert_array_equal(xpos(q, k, 0, gamma=1e-5)[0], [1, 1])
    with pytest.raises(ValueError, match=r"within 0\.8 times scale_base .*, got 1\.0 times"):
        xpos(q, k, 1, gamma=1e-5, scale_base=1, centre=0)


def test_inputs_stay_and_no_position_is_no_error():
    q, k = vectors(0, 2, 7, 6)
    before = q.copy(), k.copy()
    for turned in xpos(q, k, np.arange(7)):
        turned[:] = 0
    np.testing.assert_array_equal(q, before[0])
    np.testing.assert_array_equal(k, before[1])
    assert [x.shape for x in xpos(q[:0], k[:0], [])] == [(0, 6), (0, 6)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: xpos(np.ones(5), np.ones(5), 1), "d must be even, got 5"),
        (lambda: xpos(np.ones(4), np.ones(6), 1), "d must be the same in q and k, got 4 and 6"),
        (lambda: xpos(Q, K, 1, scale_base=0), "scale_base must be positive, got 0"),
        (lambda: xpos(Q, K, 1, gamma=0), "gamma must be positive, got 0"),
        (lambda: xpos(Q, K, 1, base=0), "base must be positive, got 0"),
        (lambda: xpos(Q, K, np.nan), "of the centre in float64, got nan times"),
        (
            lambda: xpos(Q.astype(np.float32), K, 40_000, centre=0),
            "within 69.7 times scale_base of the centre in float32, got 78.1 times",
        ),
        (lambda: xpos(Q, K, 0, 2000, scale_base=1), "of the centre in float64, got 1000.0 times"),
        (
            lambda: xpos(Q.astype(np.float16), K, 9000, 0),
            "times scale_base of the centre in float16, got 8.8",
        ),
    ],
)
def test_errors_say_what_must_hold_then_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()
