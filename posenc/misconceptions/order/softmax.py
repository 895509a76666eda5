"""The exercise ``softmax(x)``: weights along the last axis, for scores of any size.

A right answer is positive, sums to 1, and never overflows. Holds its probes and the division that wrong
implementations end with; the mistakes are in `softmax_rows` and `softmax_weights`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.attention import softmax
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]
INF = np.inf


def sums_to_one(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the weights are no weights."""
    if (got < 0).any():
        return "Weights are never negative: exponentiate the scores first."
    if not np.allclose(got.sum(axis=-1), 1):
        return "The weights along the last axis must sum to 1."
    return None


PROBES = (
    Probe((np.array([0.0, np.log(3.0)]),), "Exponentiate each score, then divide by the sum of all of them."),
    Probe(
        (np.array([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5], [-0.5, 2.5, 1.0]]),),
        "In a table each row is on its own: it must sum to 1, whatever the other rows hold.",
    ),
    Probe(
        (2 * np.sin(np.arange(24.0)).reshape(2, 3, 4),),
        "Weights must be made along the last axis, however many axes come before it.",
    ),
    Probe(
        (np.array([1000.0, 1001.0, 1002.5]),),
        "Only differences of scores count: large scores must not overflow.",
    ),
    Probe(
        (np.array([[0.0, 1.0, 2.0], [-2000.0, -2001.0, -1999.5]]),),
        "Rows may differ much in size: each must be handled by its own scores alone.",
    ),
    Probe((np.array([3, 1, 2]),), "Integer scores must give weights that are fractions."),
    Probe(
        (np.array([[0.0, -INF, 1.0], [-INF, 2.0, -INF]]),),
        "A score of -inf must get weight 0, and the others must share the whole.",
    ),
    Probe((np.array([0.0, 800.0]),), "Scores far apart must give the weights 0 and 1, not an overflow."),
)

SOFTMAX = Family("softmax", softmax, PROBES, invariant=sums_to_one)


def divided(e: Array) -> Any:
    """Divide by the sums along the last axis."""
    return e / e.sum(axis=-1, keepdims=True)
