"""The comparison itself: what counts as agreeing, without torch."""

import math

import numpy as np
import pytest

from tests.conformance.agreement import Agreement, Case, Group, compare, distance


def off(got, want, by_vector=False):
    return distance((np.asarray(got),), (np.asarray(want),), by_vector=by_vector)


def test_an_error_is_a_fraction_of_the_entry_or_of_the_vector():
    assert off([1.0, 2e-3], [1.0, 1e-3]) == pytest.approx(1.0)
    assert off([1.0, 2e-3], [1.0, 1e-3], by_vector=True) == pytest.approx(1e-3)
    assert off([[1e-9, 0.0], [1.0, 1e-9]], [[1e-9, 0.0], [1.0, 0.0]], by_vector=True) == pytest.approx(1e-9)


def test_what_is_equal_in_a_vector_still_counts_for_its_length():
    assert off([1.0, 1e-17], [1.0, 0.0], by_vector=True) == pytest.approx(1e-17)


def test_infinities_must_lie_where_they_are_wanted():
    assert off([-np.inf, 1.0], [-np.inf, 1.0]) == 0
    assert off([-np.inf, 1.0], [-np.inf, 1.0], by_vector=True) == 0
    assert off([0.0, -np.inf], [-np.inf, 1.0]) == math.inf
    assert off([1.0, 1.0], [-np.inf, 1.0], by_vector=True) == math.inf


@pytest.mark.parametrize("by_vector", [False, True])
def test_nan_and_other_shapes_never_agree(by_vector):
    assert off([np.nan, 1.0], [0.5, 1.0], by_vector) == math.inf
    assert off([0.5, 1.0], [np.nan, 1.0], by_vector) == math.inf
    assert off([[1.0]], [1.0], by_vector) == math.inf
    assert distance((np.ones(2),), (np.ones(2), np.ones(())), by_vector=by_vector) == math.inf


def test_whole_numbers_agree_exactly_and_as_whole_numbers():
    assert off([3, 4], [3, 4]) == 0
    assert off([3, 5], [3, 4]) == math.inf
    assert off([3.0, 4.0], [3, 4]) == math.inf


def group(function="alibi.alibi_slopes"):
    return Group(function, "", "", lambda rng, dtype: iter(()))


def test_a_group_counts_what_agrees():
    right, wrong = Case({"h": 2}, ([0.0625, 0.00390625],)), Case({"h": 2}, ([0.0625, 0.0039],))
    agreement, asked = compare(group(), iter([right, wrong, right]), "float64")
    assert (agreement.agreed, agreement.tried) == (2, 3)
    assert agreement.worst == pytest.approx(0.00390625 / 0.0039 - 1)
    assert asked == [right, wrong, right]
    assert len(agreement.disagreements) == 1


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        ("alibi.alibi_slopes", {"h": 0}, "ValueError: h must be positive"),
        ("alibi.no_such_name", {}, "AttributeError"),
        ("no_such_room.name", {}, "ModuleNotFoundError"),
    ],
)
def test_a_function_that_raises_does_not_agree(function, arguments, said):
    agreement, _ = compare(group(function), iter([Case(arguments, ([1.0],))]), "float32")
    assert (agreement.agreed, agreement.tried) == (0, 1)
    assert said in agreement.disagreements[0]


def test_the_worst_of_many_is_kept_and_a_few_disagreements_are_told():
    agreement = Agreement()
    for error in (0.5, 3.0, 1.0, 2.0, 2.0):
        agreement.add(error, 0.75, "x" * 1000)
    assert (agreement.tried, agreement.agreed, agreement.worst) == (5, 1, 3.0)
    assert len(agreement.disagreements) == 3
    assert max(map(len, agreement.disagreements)) < 500
