"""The edges of T5's buckets, each worked out anew: no test here sees what an earlier one left behind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import relative

edges = relative._edges.__wrapped__  # below the memory for what was asked before


# The first distance of each bucket but bucket 0 in T5, for an encoder and a decoder, and of smaller tables.
@pytest.mark.parametrize(
    ("m", "max_distance", "want"),
    [
        (16, 128, [*range(1, 9), 12, 16, 23, 32, 46, 64, 91]),
        (32, 128, [*range(1, 17), 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]),
        (4, 16, [1, 2, 6]),
        (8, 16, [1, 2, 3, 4, 6, 8, 12]),
        (2, 128, [1]),
        (3, 128, [1, 12]),
    ],
)
def test_golden_edges(m, max_distance, want):
    assert list(edges(m, max_distance)) == want


@given(st.integers(2, 40), st.integers(21, 2000))
def test_an_edge_is_the_least_distance_of_its_bucket(m, max_distance):
    """In whole numbers, since a logarithm rounds: n >= exact * (max / exact) ** (j / steps)."""
    exact, steps = m // 2, m - m // 2
    found = edges(m, max_distance)
    assert len(found) == m - 1
    assert found[:exact] == tuple(range(1, exact + 1))
    for j, edge in enumerate(found[exact:], start=1):
        wanted = max_distance**j * exact ** (steps - j)
        assert edge**steps >= wanted > (edge - 1) ** steps


@given(st.integers(2, 40), st.integers(21, 2000))
def test_edges_never_fall(m, max_distance):
    found = edges(m, max_distance)
    assert (np.diff(found) >= 0).all()
    assert found[-1] <= max_distance
