"""Scaling: what each rule promises for every width, stretch, length and base."""

from math import ceil, floor, log, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.scaling import (
    by_parts,
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    ntk,
    partial,
    proportional,
    yarn,
)

widths = st.integers(2, 40).map(lambda i: 2 * i)
stretches = st.floats(1, 64)
lengths = st.integers(16, 100_000)
bases = st.sampled_from([500.0, 10_000.0, 500_000.0])


def plain(d, base=10_000.0):
    return base ** (-np.arange(0, d, 2) / d)


@given(widths, lengths, bases)
def test_a_stretch_of_1_changes_nothing(d, original, base):
    ones = np.ones(d // 2)
    for frequencies, attention_factor in [
        interpolated(d, 1, base=base),
        ntk(d, 1, base=base),
        dynamic_ntk(d, 1, original, original=original, base=base),
        by_parts(d, 1, original=original, base=base),
        yarn(d, 1, original=original, base=base),
        yarn(d, 1, original=original, base=base, truncate=False, mscale=0.7, mscale_all_dim=1.3),
        llama3(d, 1, original=original, base=base),
        longrope(d, original, short=ones, long=ones, original=original, s=1, base=base),
        partial(d, 1, base=base),
        proportional(d, 1, base=base),
    ]:
        np.testing.assert_allclose(frequencies, plain(d, base), rtol=1e-12, strict=True)
        assert attention_factor == 1


@given(widths, stretches, lengths, bases)
def test_every_frequency_lies_between_kept_and_divided(d, s, original, base):
    f = plain(d, base)
    for got, _ in [
        interpolated(d, s, base=base),
        ntk(d, s, base=base),
        by_parts(d, s, original=original, base=base),
        yarn(d, s, original=original, base=base),
        yarn(d, s, original=original, base=base, truncate=False),
        llama3(d, s, original=original, base=base),
    ]:
        assert (got <= f * (1 + 1e-12)).all()
        assert (got >= f / s * (1 - 1e-12)).all()
        assert (np.diff(got) < 0).all()


@given(widths, stretches, bases)
def test_ntk_keeps_the_first_frequency_and_divides_the_last(d, s, base):
    got = ntk(d, s, base=base)[0]
    assert got[0] == 1
    assert got[-1] == pytest.approx(interpolated(d, s, base=base)[0][-1], rel=1e-12)


@given(widths, stretches, lengths, st.floats(0.01, 8))
def test_dynamic_ntk_never_shrinks_below_the_original(d, s, original, times):
    got = dynamic_ntk(d, s, times * original, original=original)[0]
    if times <= 1:
        np.testing.assert_array_equal(got, plain(d))
    else:
        assert got[-1] == pytest.approx(plain(d)[-1] / (s * times - (s - 1)), rel=1e-9)
    longer = dynamic_ntk(d, s, 2 * times * original, original=original)[0]
    assert (longer <= got).all()


def branches(f, s, original, low, high):
    """Llama's rule for one frequency, branch by branch."""
    wavelength = 2 * pi / f
    if wavelength < original / high:
        return f
    if wavelength > original / low:
        return f / s
    smooth = (original / wavelength - low) / (high - low)
    return (1 - smooth) * f / s + smooth * f


@given(widths, stretches, lengths, bases, st.floats(0.5, 4), st.floats(0.1, 8))
def test_llama3_is_its_three_branches(d, s, original, base, low, more):
    want = [branches(f, s, original, low, low + more) for f in plain(d, base)]
    got = llama3(d, s, original=original, base=base, low=low, high=low + more)
    np.testing.assert_allclose(got[0], want, rtol=1e-9)
    np.testing.assert_array_equal(
        by_parts(d, s, original=original, base=base, alpha=low, beta=low + more)[0], got[0]
    )


def released(d, s, original, base, fast, slow, truncate):
    """YaRN, pair by pair."""
    low, high = (d * log(original / (2 * pi * turns)) / (2 * log(base)) for turns in (fast, slow))
    if truncate:
        low, high = floor(low), ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    if low == high:
        high += 0.001
    ramp = [min(max((i - low) / (high - low), 0), 1) for i in range(d // 2)]
    return [f / s * t + f * (1 - t) for f, t in zip(plain(d, base), ramp, strict=True)]


small_bases = st.floats(1.5, 10)  # with these the blend lies past the last pair


@given(
    widths,
    stretches,
    lengths | st.integers(1, 16),
    bases | small_bases,
    st.sampled_from([8, 32]),
    st.booleans(),
)
def test_yarn_is_its_released_code_pair_by_pair(d, s, original, base, fast, truncate):
    options = {"original": original, "base": base, "beta_fast": fast, "beta_slow": 2, "truncate": truncate}
    want = released(d, s, original, base, fast, 2, truncate)
    np.testing.assert_allclose(yarn(d, s, **options)[0], want, rtol=1e-9)


def test_bounds_of_yarn_that_coincide_part_kept_from_divided():
    got = yarn(8, 4, original=4, base=10_000.0)[0]  # both bounds come to 0
    np.testing.assert_allclose(got, [1, 0.025, 0.0025, 0.00025])


def test_attention_factor_is_given_or_derived_or_a_ratio():
    options = {"d": 64, "s": 40, "original": 4096}
    assert yarn(**options)[1] == pytest.approx(1.36888795)
    assert yarn(**options, attention_factor=1.0)[1] == 1
    assert yarn(**options, attention_factor=0.5, mscale=1.0, mscale_all_dim=0.5)[1] == 0.5
    assert yarn(**options, mscale=0.707, mscale_all_dim=0.707)[1] == 1
    ratio = yarn(**options, mscale=1.0, mscale_all_dim=0.8)[1]
    assert ratio == pytest.approx((0.1 * log(40) + 1) / (0.08 * log(40) + 1))
    # What DeepSeek multiplies its scores by: V3, and V2-Lite.
    assert yarn(**options, mscale=1.0, mscale_all_dim=0)[1] ** 2 == pytest.approx(1.87385421)
    assert yarn(**options, mscale=0.707, mscale_all_dim=0)[1] ** 2 == pytest.approx(1.58962617)


def test_longrope_takes_short_up_to_the_original_length_and_long_beyond():
    options = {"short": [1, 1, 2, 2], "long": [1, 2, 4, 8], "original": 100, "s": 4}
    for length, divisors in [(1, [1, 1, 2, 2]), (100, [1, 1, 2, 2]), (101, [1, 2, 4, 8])]:
        got, factor = longrope(8, length, **options)
        np.testing.assert_allclose(got, plain(8) / divisors)
        assert factor == pytest.approx((1 + log(4) / log(100)) ** 0.5)
    np.testing.assert_allclose(longrope(8, 1, base=81.0, **options)[0], [1, 1 / 3, 1 / 18, 1 / 54])
    assert longrope(8, 1, **options | {"original": 2})[1] == pytest.approx(3**0.5)


@given(widths, st.floats(0.05, 1))
def test_proportional_keeps_the_first_frequencies_and_stops_the_others(d, p):
    got = proportional(d, p)[0]
    k = int(d * p / 2)
    np.testing.assert_array_equal(got[:k], plain(d)[:k])
    np.testing.assert_array_equal(got[k:], np.zeros(d // 2 - k))


@given(widths, st.integers(1, 20))
def test_partial_is_a_plain_encoding_of_its_own_width(d, m):
    if 2 * m <= d:
        got = partial(d, 2 * m / d + 1e-9 if 2 * m < d else 1, base=500.0)[0]
        np.testing.assert_allclose(got, plain(2 * m, 500.0), strict=True)
