"""The exercise ``lookup(table, positions)``: rows of a table, and no row outside it.

Holds its probes and the pieces that wrong implementations are made of; the mistakes are in `lookup_range` and
`lookup_rows`. Most are silent: they return a row of another position.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.learned import lookup
from posenc.misconceptions.entry import Family, Probe, waves

Array = NDArray[Any]


LOOKUP = Family(
    "lookup",
    lookup,
    (
        Probe((waves(4, 3), np.array([2, 1])), "Position p reads row p of the table, counted from 0."),
        Probe(
            (waves(8, 3), np.array([5, 4])),
            "A table has as many positions as rows, however few its features.",
        ),
        Probe(
            (waves(7, 3), np.array([6, 0, 4, 4, 3])),
            "Every row may be read, the first and the last too, in any order and more than once.",
        ),
        Probe(
            (waves(6, 5), np.array([[4, 3, 2], [1, 1, 5]])),
            "The result has the shape of positions, with the features as one more axis at the end.",
        ),
        Probe((waves(5, 4), np.array(3)), "A single position gives a single row."),
        Probe((waves(4, 3), np.array([4])), "A position past the last row must raise IndexError."),
        Probe((waves(4, 3), np.array([-1])), "A position below 0 must raise IndexError."),
        Probe((waves(4, 3), np.array([-1, 2])), "A position below 0 at the start must raise IndexError."),
        Probe(
            (waves(5, 2), np.array([[0, 2], [-2, 1]])),
            "One position below 0 among good ones must raise IndexError.",
        ),
        Probe(
            (waves(5, 2), np.array([3, 11, 0])),
            "One position past the end among good ones must raise IndexError.",
        ),
    ),
)


def outside(table: Array, p: Array) -> Any:
    """Say which positions have no row."""
    return (p < 0) | (p >= len(table))
