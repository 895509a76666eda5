"""The exercise ``alibi_bias(N, slope)``: minus the slope times the distance, both ways.

One head, and the symmetric form: no mask. Holds its probes and the pieces that wrong implementations are made
of; the mistakes are in `bias_distance` and `bias_slope`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_bias
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def right(N: int, slope: float) -> Array:
    """Return the bias that the exercise asks for."""
    return alibi_bias(N, N, slope, causal=False)


def _shape_of_a_tent(args: tuple[Any, ...], got: Array) -> str | None:
    """Say which property of a penalty by distance is missing."""
    if not np.isfinite(got).all():
        return "Every entry must be finite: this bias masks nothing, the mask comes with the attention."
    if np.abs(np.diagonal(got)).max() > 1e-6:
        return "The diagonal must be 0: a token is at distance 0 from itself."
    if not np.allclose(got, got.T):
        return "The bias must be symmetric: query and key may change places, their distance stays."
    if got.max() > 1e-6:
        return "No entry may be positive: distance is a penalty, never a reward."
    return None


PROBES = (
    Probe((1, 0.5), "One token is at distance 0 from itself: the bias must be [[0]]."),
    Probe((3, 0.5), "Entry [i, j] must be minus the slope times the distance between i and j."),
    Probe((4, 2.0), "The slope must multiply the distance, whether it is below or above 1."),
    Probe((6, 0.0625), "A slope need not be a round number: every entry must keep all of its decimals."),
    Probe((9, 0.25), "Each further position must cost the same: the bias is a straight line on both sides."),
)

ALIBI_BIAS = Family("alibi_bias", right, PROBES, invariant=_shape_of_a_tent)


def offset(N: int) -> Array:
    """Return query position minus key position, (N, N)."""
    return np.subtract.outer(np.arange(N), np.arange(N))


def distance(N: int) -> Array:
    """Return the distance between query and key, (N, N)."""
    return np.abs(offset(N))
