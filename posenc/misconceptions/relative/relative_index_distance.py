"""Mistakes in ``relative_index(n_q, n_k, k)`` about the distance: from what to what, and which queries.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.relative.relative_index import RELATIVE_INDEX, distance

__all__ = ["RELATIVE_INDEX"]


# --- which distance


@RELATIVE_INDEX.add(
    "query-minus-key",
    "The rows are in the opposite order: this is query minus key. A distance here is key minus query, "
    "so keys in the past have the rows below k.",
)
def _query_minus_key(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(-distance(n_q, n_k), -k, k) + k


@RELATIVE_INDEX.add(
    "no-sign",
    "Left and right are treated alike: the sign of the distance got lost. A word before and a word "
    "behind have rows of their own, so leave out the absolute value.",
)
def _no_sign(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(np.abs(distance(n_q, n_k)), -k, k) + k


@RELATIVE_INDEX.add(
    "no-sign-no-shift",
    "This is the size of the distance, clipped: its sign got lost. Clip the signed distance to "
    "[-k, k] and add k, so that both directions have rows.",
)
def _no_sign_no_shift(n_q: int, n_k: int, k: int) -> Any:
    return np.minimum(np.abs(distance(n_q, n_k)), k)


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
    return np.clip(distance(n_q, n_k) - n_q, -k, k) + k


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
    return np.clip(distance(n_q, n_k) - 1, -k, k) + k


@RELATIVE_INDEX.add(
    "all-queries",
    "There is a row for every key. Return one for each of the n_q queries: the last n_q rows of this.",
)
def _all_queries(n_q: int, n_k: int, k: int) -> Any:
    return np.clip(distance(n_k, n_k), -k, k) + k


@RELATIVE_INDEX.add(
    "transposed",
    "Rows and columns are exchanged. Rows belong to queries and columns to keys: the shape is (n_q, n_k).",
)
def _transposed(n_q: int, n_k: int, k: int) -> Any:
    return (np.clip(distance(n_q, n_k), -k, k) + k).T
