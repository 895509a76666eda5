"""What counts as a number: fractions and whole numbers past 64 bits are read as float64, not refused."""

from fractions import Fraction

import numpy as np
import pytest

from posenc.relative import t5_bucket
from posenc.rotary import rope, table, xpos
from posenc.scaling import longrope
from posenc.sinusoidal import at

HALF, FAR = Fraction(1, 2), 2**70
X = np.arange(1.0, 5.0)


@pytest.mark.parametrize("p", [HALF, FAR])
def test_positions_are_any_real_numbers(p):
    np.testing.assert_array_equal(at([p], 4), at([float(p)], 4), strict=True)
    np.testing.assert_array_equal(table([p], 4), table([float(p)], 4), strict=True)


def test_positions_of_queries_and_keys_are_any_real_numbers():
    for got, want in zip(xpos(X, X, [HALF], [3 * HALF]), xpos(X, X, [0.5], [1.5]), strict=True):
        np.testing.assert_array_equal(got, want, strict=True)


def test_frequencies_and_divisors_are_any_real_numbers():
    np.testing.assert_array_equal(rope(X, 3, frequencies=[HALF]), rope(X, 3, frequencies=[0.5]))
    for length in (5, 50):
        got, _ = longrope(4, length, short=[1, HALF], long=[1, 3 * HALF], original=9, s=2)
        want, _ = longrope(4, length, short=[1, 0.5], long=[1, 1.5], original=9, s=2)
        np.testing.assert_array_equal(got, want, strict=True)


def test_distances_past_those_that_float64_tells_apart():
    """The least distance of the last of 40 buckets, and one less, are the same number in float64."""
    options = {"bidirectional": False, "n_buckets": 40, "max_distance": 2**62}
    first = 624767233362130569
    assert first**20 >= 2 ** (62 * 19) * 20 > (first - 1) ** 20
    assert t5_bucket([1 - first, -first], **options).tolist() == [38, 39]


def test_positions_of_few_bits_do_not_overflow_on_the_way_to_their_middle():
    few, plain = np.array([200, 250], np.uint8), [200.0, 250.0]
    for got, want in zip(xpos(X, X, few), xpos(X, X, plain), strict=True):
        np.testing.assert_array_equal(got, want)
    for got, want in zip(xpos(X, X, 210, few), xpos(X, X, 210, plain), strict=True):
        np.testing.assert_array_equal(got, want)
