"""The exercise ``positions_from_mask(mask)``: counting the tokens, not the places.

Holds its probes and the count that wrong implementations are made of; the mistakes are in `counting_tokens`
and `counting_axes`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.learned import positions_from_mask
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]

COUNTING = Family(
    "positions_from_mask",
    positions_from_mask,
    (
        Probe(
            (np.array([1, 1, 1, 1]),),
            "Without padding the positions are 0, 1, 2, ..., from the first token on.",
        ),
        Probe(
            (np.array([0, 0, 1, 1, 1]),),
            "With padding on the left, the first token has position 0, and padding gets 0 too.",
        ),
        Probe(
            (np.array([1, 1, 1, 0, 0]),),
            "With padding on the right, the tokens count from 0 and padding gets 0.",
        ),
        Probe(
            (np.array([0, 1, 1, 0, 0, 1, 0, 1]),),
            "With padding in the middle, the count goes on at the next token, as if the padding were not "
            "there.",
        ),
        Probe(
            (np.array([[0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]]),),
            "In a batch every row is counted on its own, along the last axis.",
        ),
        Probe(
            (np.array([[[0, 0, 1], [1, 1, 1]], [[1, 1, 0], [0, 1, 1]]]),),
            "There may be several leading axes: only the last one is counted along.",
        ),
        Probe((np.array([False, True, True, True]),), "A mask of booleans is counted like one of 0 and 1."),
        Probe((np.array([0, 0, 0]),), "Where there is only padding, every position is 0."),
    ),
)


def counted(m: Array) -> Any:
    """Return how many tokens stand up to each place, itself included."""
    return m.astype(np.int64).cumsum(axis=-1)
