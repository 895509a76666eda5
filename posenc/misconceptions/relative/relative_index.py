"""The exercise ``relative_index(n_q, n_k, k)`` and its mistakes: the row that each distance reads.

Wrong on purpose, each in one way. Right is ``clip(key - query, -k, k) + k``, with the queries at the last
`n_q` positions.
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


def _distance(n_q: int, n_k: int) -> Any:
    """Return key minus query, the queries last."""
    return np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]


# --- which distance


@RELATIVE_INDEX.add(
    "query-minus-key",
    "The rows are in the opposite order: this is query minus key. A distance here is key minus query, "
    "so keys in the past have the rows below k.",
)
def _query_minus_key(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(-_distance(n_q, n_k), -k, k) + k


@RELATIVE_INDEX.add(
    "no-sign",
    "Left and right are treated alike: the sign of the distance got lost. A word before and a word "
    "behind have rows of their own, so leave out the absolute value.",
)
def _no_sign(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(np.abs(_distance(n_q, n_k)), -k, k) + k


@RELATIVE_INDEX.add(
    "no-sign-no-shift",
    "This is the size of the distance, clipped: its sign got lost. Clip the signed distance to "
    "[-k, k] and add k, so that both directions have rows.",
)
def _no_sign_no_shift(n_q: int, n_k: int, k: int) -> Any:
    return np.minimum(np.abs(_distance(n_q, n_k)), k)


@RELATIVE_INDEX.add(
    "sum-of-positions",
    "The positions are added. What counts is how far apart they are: subtract the query's position "
    "from the key's.",
)
def _sum_of_positions(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(np.arange(n_k) + np.arange(n_k - n_q, n_k)[:, None], -k, k) + k


@RELATIVE_INDEX.add(
    "key-position",
    "Every query reads the same rows: this is the key's position, not its distance. Subtract the "
    "position of each query, np.arange(...)[:, None].",
)
def _key_position(n_q: int, n_k: int, k: int) -> Any:
    return np.tile(np.clip(np.arange(n_k), -k, k) + k, (n_q, 1))


# --- which queries


@RELATIVE_INDEX.add(
    "first-queries",
    "The queries stand at the first positions. Where there are fewer queries than keys they are the "
    "last n_q positions: query i stands at n_k - n_q + i.",
)
def _first_queries(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(np.arange(n_k) - np.arange(n_q)[:, None], -k, k) + k


@RELATIVE_INDEX.add(
    "queries-past-the-keys",
    "The queries stand after the last key. Their own keys are in the cache already: the last query "
    "stands at the last key's position.",
)
def _queries_past_the_keys(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k) - n_q, -k, k) + k


@RELATIVE_INDEX.add(
    "all-at-the-last",
    "All queries stand at the last position. Each has its own: they are the last n_q positions, one "
    "after another.",
)
def _all_at_the_last(n_q: int, n_k: int, k: int) -> Any:
    return np.tile(np.clip(np.arange(n_k) - (n_k - 1), -k, k) + k, (n_q, 1))


@RELATIVE_INDEX.add(
    "one-too-far",
    "The queries stand one position too far, so that a word reads the row of its predecessor for itself. "
    "The last query stands at n_k - 1.",
)
def _one_too_far(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k) - 1, -k, k) + k


@RELATIVE_INDEX.add(
    "all-queries",
    "There is a row for every key. Return one for each of the n_q queries: the last n_q rows of this.",
)
def _all_queries(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_k, n_k), -k, k) + k


@RELATIVE_INDEX.add(
    "transposed",
    "Rows and columns are exchanged. Rows belong to queries and columns to keys: the shape is (n_q, n_k).",
)
def _transposed(n_q: int, n_k: int, k: int) -> Any:
    return (np.clip(_distance(n_q, n_k), -k, k) + k).T


# --- clipping and shifting


@RELATIVE_INDEX.add(
    "not-clipped",
    "Far distances run out of the table. It has 2k + 1 rows: clip to [-k, k] before you add k.",
)
def _not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return _distance(n_q, n_k) + k


@RELATIVE_INDEX.add(
    "clipped-after-adding",
    "k was added first, and the sum then clipped to [-k, k]. Clip the distance first, then add k.",
)
def _clipped_after_adding(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k) + k, -k, k)


@RELATIVE_INDEX.add(
    "past-not-clipped",
    "Only the future is clipped. Keys far in the past share a row as well: the one of -k, which is row 0.",
)
def _past_not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return np.minimum(_distance(n_q, n_k), k) + k


@RELATIVE_INDEX.add(
    "future-not-clipped",
    "Only the past is clipped. Keys far in the future share a row as well: the one of k, which is row 2k.",
)
def _future_not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return np.maximum(_distance(n_q, n_k), -k) + k


@RELATIVE_INDEX.add(
    "past-in-one-row",
    "The whole past reads the row of distance 0: clipped to [0, k]. The past has k rows of its own, "
    "clip to [-k, k].",
)
def _past_in_one_row(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), 0, k) + k


@RELATIVE_INDEX.add(
    "future-in-one-row",
    "The whole future reads the row of distance 0. Here keys in the future have k rows of their own: "
    "clip to [-k, k].",
)
def _future_in_one_row(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k, 0) + k


@RELATIVE_INDEX.add(
    "future-zeroed",
    "Keys in the future all got 0, which is the row of the far past. Hiding the future is the mask's "
    "work; the index gives them rows above k.",
)
def _future_zeroed(n_q: int, n_k: int, k: int) -> Any:
    r = _distance(n_q, n_k)
    return np.where(r > 0, 0, np.clip(r, -k, k) + k)


@RELATIVE_INDEX.add(
    "no-shift",
    "Rows are negative: in NumPy those silently count from the end of the table. Add k, so that -k "
    "reads row 0.",
)
def _no_shift(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k, k)


@RELATIVE_INDEX.add(
    "two-k-rows",
    "The row of distance k is missing: this is a table of 2k rows. Distances -k to k are 2k + 1, with "
    "0 in the middle; np.clip keeps both ends.",
)
def _two_k_rows(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k, k - 1) + k


@RELATIVE_INDEX.add(
    "two-k-rows-in-the-past",
    "The row of distance -k is missing, and all the others are one too low. Distances -k to k are 2k "
    "+ 1 rows, so add k.",
)
def _two_k_rows_in_the_past(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k + 1, k) + k - 1


@RELATIVE_INDEX.add(
    "clipped-at-k-minus-1",
    "Distance k reads the row of k - 1. Only distances beyond k share a row: clip to [-k, k], both "
    "ends included.",
)
def _clipped_at_k_minus_1(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k + 1, k - 1) + k


@RELATIVE_INDEX.add(
    "from-1",
    "Every row is one too high: rows count from 0. Add k, not k + 1.",
)
def _from_1(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k, k) + k + 1


@RELATIVE_INDEX.add(
    "shifted-by-2k",
    "Every row is k too high. Add k, so that -k reads row 0 and k reads row 2k.",
)
def _shifted_by_2k(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(_distance(n_q, n_k), -k, k) + 2 * k


@RELATIVE_INDEX.add(
    "wrapped",
    "Far distances wrap around to the other end of the table (a remainder), so that far past looks "
    "like near future. Clip: they share the last row.",
)
def _wrapped(n_q: int, n_k: int, k: int) -> Any:
    return (_distance(n_q, n_k) + k) % (2 * k + 1)
