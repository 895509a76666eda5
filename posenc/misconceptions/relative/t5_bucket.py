"""The exercise ``t5_bucket(r, bidirectional, n_buckets=32, max_distance=128)``: near exact, far shared.

No probe asks for a distance on the edge of a bucket, where a logarithm in floating point may fall on either
side. Holds its probes and the pieces that wrong implementations are made of; the mistakes are in
`t5_bucket_directions` and `t5_bucket_logarithm`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe
from posenc.relative import t5_bucket

Array = NDArray[Any]


def _distances(n: int) -> Any:
    return np.arange(n) - np.arange(n)[:, None]


PROBES = (
    Probe(
        (np.arange(-7, 8), True, 32, 128),
        "In an encoder a near key has a bucket of its own: the distance itself in the past and at 0, "
        "n_buckets/2 more in the future.",
    ),
    Probe(
        (np.arange(-15, 4), False, 32, 128),
        "In a decoder half of the n_buckets are for near keys in the past, one each, and the whole "
        "future is bucket 0.",
    ),
    Probe(
        (np.array([-110, -77, -50, -38, -19, -13, 9, 14, 27, 70, 101]), True, 32, 128),
        "From m/2 on the bucket must grow with the logarithm of the distance, rounded down, to m - 1 at "
        "max_distance; m is the number of buckets of one direction.",
    ),
    Probe(
        (np.array([-18, -20, -30, -50, -65, -95, -120]), False, 32, 128),
        "In a decoder m is n_buckets: from m/2 on the bucket must grow with the logarithm of the distance.",
    ),
    Probe(
        (np.array([[-900, -200], [250, 5000]]), True, 32, 128),
        "From max_distance on, every key of one direction must fall into that direction's last bucket.",
    ),
    Probe(
        (_distances(30)[:, ::3], True, 20, 100),
        "n_buckets and max_distance must be used, for r of any shape.",
    ),
    Probe(
        (_distances(60)[::7], False, 12, 50), "n_buckets and max_distance must be used in a decoder as well."
    ),
    Probe(
        (np.array([[[-300, -21, 2, 30]]]), True),
        "By default there must be 32 buckets, with max_distance 128.",
    ),
)


def _in_the_table(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an entry is no bucket."""
    n_buckets = args[2] if len(args) > 2 else 32
    if 0 <= got.min() and got.max() < n_buckets and (got == np.round(got)).all():
        return None
    return "Every entry must be a whole number from 0 to n_buckets - 1: here one is not."


def right(r: Array, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128) -> Any:
    """Return the buckets that the exercise asks for."""
    return t5_bucket(r, bidirectional=bidirectional, n_buckets=n_buckets, max_distance=max_distance)


T5_BUCKET = Family("t5_bucket", right, PROBES, invariant=_in_the_table)

#: Returns the bucket of distances n >= 0 within one direction of m buckets.
OneWay = Callable[[Array, int, int], Array]


def far_bucket(n: Array, m: int, longest: float, round_down: Callable[[Array], Array] = np.floor) -> Any:
    """Return the bucket of far distances, without its limit."""
    exact = m // 2
    part = np.log(np.maximum(n, 1) / exact) / np.log(longest / exact)
    return exact + round_down(part * (m - exact))


def with_limit(far: OneWay) -> OneWay:
    """Return one direction with these far buckets, near ones exact and the last one shared."""
    return lambda n, m, longest: np.where(n < m // 2, n, np.minimum(m - 1, far(n, m, longest)))


one_direction = with_limit(far_bucket)
