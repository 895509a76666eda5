"""The exercise ``relative_index(n_q, n_k, k)``: the row that each distance reads.

Right is ``clip(key - query, -k, k) + k``, with the queries at the last `n_q` positions. Holds its probes and
that distance; the mistakes are in `relative_index_distance` and `relative_index_clip`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.misconceptions.entry import Family, Probe
from posenc.relative import shaw_index

Array = NDArray[Any]

PROBES = (
    Probe(
        (4, 4, 6),
        "Where no distance passes k, query i must read row j - i + k for key j: key minus query, "
        "moved up by k.",
    ),
    Probe(
        (6, 6, 2),
        "Distances beyond k must read the row of k, and those below -k the row of -k: clip first, "
        "then add k.",
    ),
    Probe((3, 7, 2), "With fewer queries than keys, the queries must be the last n_q positions."),
    Probe((1, 9, 3), "A single query must stand at the position of the last key, and give one row."),
)


def _in_the_table(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an entry is no row of the table."""
    if got.size and 0 <= got.min() and got.max() <= 2 * args[2]:
        return None
    return "Every entry must be a row of the table, from 0 to 2k: here one lies outside."


RELATIVE_INDEX = Family("relative_index", shaw_index, PROBES, invariant=_in_the_table)


def distance(n_q: int, n_k: int) -> Any:
    """Return key minus query, the queries last."""
    return np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
