"""`close` lets nothing pass that is not the number wanted, whatever it says of itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from posenc.checks import WrongAnswer, close

CLAIM = "Rows must be turned."
NUMBERS = "must be a number or a plain array of numbers, got "


def refusal(got, want, **options):
    with pytest.raises(AssertionError) as caught:
        close(got, want, CLAIM, **options)
    claim, _, detail = str(caught.value).partition("\n")
    assert claim == CLAIM
    return detail


@given(arrays(np.float64, array_shapes(min_dims=0), elements=st.floats(-1e6, 1e6)))
def test_equal_is_close_and_moved_is_not(x):
    close(x, x, CLAIM)
    close(x * (1 + 1e-9), x, CLAIM)
    moved = x.copy()
    moved[(0,) * x.ndim] += 1e-3 + 1e-3 * abs(moved[(0,) * x.ndim])
    refusal(moved, x)


def test_numbers_and_lists_of_numbers_are_compared():
    close(2, 2.0, CLAIM)
    close([0.1 + 0.2, 1], (0.3, 1), CLAIM)
    close(True, 1, CLAIM)
    close(np.float32(0.5), 0.5, CLAIM)
    close(1 + 2j, 1 + 2j, CLAIM)
    close(np.array([], float), [], CLAIM)
    close(np.array([np.uint8(1)]), [np.uint8(2)], CLAIM, atol=1)


@pytest.mark.parametrize(
    ("got", "want", "detail"),
    [
        (0.5, [0.5, 0.5], "the shape must be (2,), got ()"),
        ([[0.5, 0.5]], [0.5, 0.5], "the shape must be (2,), got (1, 2)"),
        ([0.5], 0.5, "the shape must be (), got (1,)"),
        (np.nan, 1.0, "must be 1, got nan"),
        (1.0, np.nan, "must be nan, got 1"),
        ([1.0, np.nan], [1.0, 2.0], "must be 2 at [1], got nan"),
        ([1.0, np.inf], [1.0, 2.0], "must be 2 at [1], got inf"),
        (-np.inf, np.inf, "must be inf, got -inf"),
        ([[1, 2], [3, 5]], [[1, 2], [9, 4]], "must be 9 at [1, 0], got 3"),
        (np.array([True]), np.array([False]), "must be 0 at [0], got 1"),
        (np.uint8(255), 256, "must be 256, got 255"),
        (1 + 0j, 1.0, "the numbers must be real, got dtype complex128"),
        (None, 1.0, NUMBERS + "NoneType"),
        ("1", 1.0, NUMBERS + "str"),
        (["1"], [1.0], NUMBERS + "list"),
        ([[1.0], [1.0, 2.0]], [[1.0], [2.0]], NUMBERS + "list"),
        (np.array([1.0], object), [1.0], NUMBERS + "ndarray"),
        (np.ma.array([1.0], mask=[1]), [1.0], NUMBERS + "MaskedArray"),
        (np.datetime64(1, "s"), 1.0, NUMBERS + "datetime64"),
    ],
)
def test_what_is_not_the_number_is_refused(got, want, detail):
    assert refusal(got, want) == detail


def test_nan_and_infinity_equal_themselves():
    close([np.nan, -np.inf, 1], [np.nan, -np.inf, 1], CLAIM)
    assert refusal([np.nan, -np.inf, 1], [np.nan, -np.inf, 2]) == "must be 2 at [2], got 1"


class AlwaysEqual:
    """Equal to everything, close to everything, whatever it is asked."""

    shape, dtype, ndim = (2,), np.dtype(float), 1
    __hash__ = None

    def __eq__(self, other):
        return True

    def __array_ufunc__(self, *args, **kwargs):
        return True

    def __array_function__(self, *args, **kwargs):
        return True


class EqualArray(np.ndarray):
    """An array that calls itself close to everything."""

    __hash__ = None

    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return np.zeros(self.shape)

    def __array_ufunc__(self, *args, **kwargs):
        return np.zeros(self.shape)

    def __array_function__(self, *args, **kwargs):
        return True

    def view(self, *args):
        return np.array([1.0, 2.0])


class Pretender:
    """Says that it is an array."""

    @property
    def __class__(self):
        return np.ndarray

    def __eq__(self, other):
        return True

    __hash__ = None


def test_objects_cannot_declare_themselves_equal():
    assert refusal(AlwaysEqual(), [1.0, 2.0]).endswith("got AlwaysEqual")
    assert refusal([AlwaysEqual()], [1.0]).endswith("got list")
    assert refusal(Pretender(), 1.0).endswith("got Pretender")
    fake = np.array([7.0, 2.0]).view(EqualArray)
    assert refusal(fake, [1.0, 2.0]) == "must be 1 at [0], got 7"
    close(np.array([1.0, 2.0]).view(EqualArray), [1.0, 2.0], CLAIM)


@pytest.mark.parametrize(
    ("dtype", "passes", "fails"),
    [(np.float16, 1e-3, 5e-3), (np.float32, 5e-6, 5e-5), (np.float64, 5e-7, 5e-6)],
)
def test_tolerance_follows_the_coarser_dtype(dtype, passes, fails):
    close(np.array([1 + passes]).astype(dtype), [1.0], CLAIM)
    close([1 + passes], np.ones(1, dtype), CLAIM)
    refusal(np.array([1 + fails]).astype(dtype), [1.0])


def test_given_tolerances_are_kept():
    close(0.41, 0.4161, CLAIM, atol=1e-2)
    close(100.0, 101.0, CLAIM, rtol=1e-1)
    refusal(np.float16(1.001), 1.0, rtol=0, atol=1e-6)


def test_quiet_says_the_claim_and_nothing_else():
    for got in ([9.0], 9.0, None):
        assert refusal(got, [1.0], quiet=True) == ""


def test_a_notebook_shows_the_sentence_alone():
    """IPython asks the exception what to show in place of its traceback."""
    with pytest.raises(WrongAnswer) as caught:
        close(1.0, 2.0, CLAIM)
    assert caught.value._render_traceback_() == [f"Not yet: {CLAIM}\nmust be 2, got 1"]
