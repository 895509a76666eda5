"""Mistakes in ``relative_index(n_q, n_k, k)`` about the clip: its bounds, and the shift after it.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.relative.relative_index import distance
from posenc.misconceptions.relative.relative_index_distance import RELATIVE_INDEX

__all__ = ["RELATIVE_INDEX"]  # by now with all its mistakes


@RELATIVE_INDEX.add(
    "not-clipped",
    "Far distances run out of the table. It has 2k + 1 rows: clip to [-k, k] before you add k.",
)
def _not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return distance(n_q, n_k) + k


@RELATIVE_INDEX.add(
    "clipped-after-adding",
    "k was added first, and the sum then clipped to [-k, k]. Clip the distance first, then add k.",
)
def _clipped_after_adding(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k) + k, -k, k)


@RELATIVE_INDEX.add(
    "past-not-clipped",
    "Only the future is clipped. Keys far in the past share a row as well: the one of -k, which is row 0.",
)
def _past_not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return np.minimum(distance(n_q, n_k), k) + k


@RELATIVE_INDEX.add(
    "future-not-clipped",
    "Only the past is clipped. Keys far in the future share a row as well: the one of k, which is row 2k.",
)
def _future_not_clipped(n_q: int, n_k: int, k: int) -> Any:
    return np.maximum(distance(n_q, n_k), -k) + k


@RELATIVE_INDEX.add(
    "past-in-one-row",
    "The whole past reads the row of distance 0: clipped to [0, k]. The past has k rows of its own, "
    "clip to [-k, k].",
)
def _past_in_one_row(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), 0, k) + k


@RELATIVE_INDEX.add(
    "future-in-one-row",
    "The whole future reads the row of distance 0. Here keys in the future have k rows of their own: "
    "clip to [-k, k].",
)
def _future_in_one_row(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k, 0) + k


@RELATIVE_INDEX.add(
    "future-zeroed",
    "Keys in the future all got 0, which is the row of the far past. Hiding the future is the mask's "
    "work; the index gives them rows above k.",
)
def _future_zeroed(n_q: int, n_k: int, k: int) -> Any:
    r = distance(n_q, n_k)
    return np.where(r > 0, 0, np.clip(r, -k, k) + k)


@RELATIVE_INDEX.add(
    "no-shift",
    "Rows are negative: in NumPy those silently count from the end of the table. Add k, so that -k "
    "reads row 0.",
)
def _no_shift(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k, k)


@RELATIVE_INDEX.add(
    "two-k-rows",
    "The row of distance k is missing: this is a table of 2k rows. Distances -k to k are 2k + 1, with "
    "0 in the middle; np.clip keeps both ends.",
)
def _two_k_rows(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k, k - 1) + k


@RELATIVE_INDEX.add(
    "two-k-rows-in-the-past",
    "The row of distance -k is missing, and all the others are one too low. Distances -k to k are 2k "
    "+ 1 rows, so add k.",
)
def _two_k_rows_in_the_past(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k + 1, k) + k - 1


@RELATIVE_INDEX.add(
    "clipped-at-k-minus-1",
    "Distance k reads the row of k - 1. Only distances beyond k share a row: clip to [-k, k], both "
    "ends included.",
)
def _clipped_at_k_minus_1(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k + 1, k - 1) + k


@RELATIVE_INDEX.add(
    "from-1",
    "Every row is one too high: rows count from 0. Add k, not k + 1.",
)
def _from_1(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k, k) + k + 1


@RELATIVE_INDEX.add(
    "shifted-by-2k",
    "Every row is k too high. Add k, so that -k reads row 0 and k reads row 2k.",
)
def _shifted_by_2k(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_q, n_k), -k, k) + 2 * k


@RELATIVE_INDEX.add(
    "wrapped",
    "Far distances wrap around to the other end of the table (a remainder), so that far past looks "
    "like near future. Clip: they share the last row.",
)
def _wrapped(n_q: int, n_k: int, k: int) -> Any:
    return (distance(n_q, n_k) + k) % (2 * k + 1)
