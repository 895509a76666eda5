r"""Relative positions as rows of a small learned table: Shaw's clipped distances and T5's buckets.

Pure functions. They say which row a distance reads; the table is the caller's, nothing here is learned.

A distance `r` is key minus query, in positions: negative for keys in the past.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["shaw_index", "t5_bucket"]


def shaw_index(n_q: int, n_k: int, k: int) -> NDArray[np.int64]:
    r"""Return the row of Shaw's table that each query reads for each key.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys. The queries are the last `n_q` of the `n_k` positions.
    k : int
        Largest distance that is told apart, in positions. The table has ``2 * k + 1`` rows, for distances
        ``-k`` to `k`.

    Returns
    -------
    (n_q, n_k) ndarray of int64
        ``clip(r, -k, k) + k``.

    Raises
    ------
    ValueError
        If there are more queries than keys, or `k` is negative.

    References
    ----------
    .. [1] Shaw, Uszkoreit and Vaswani, "Self-Attention with Relative Position Representations", 2018,
       section 3.2, arXiv:1803.02155.

    Examples
    --------
    >>> shaw_index(2, 5, 2)
    array([[0, 0, 1, 2, 3],
           [0, 0, 0, 1, 2]])
    """
    if not 0 <= n_q <= n_k:
        raise ValueError(f"n_q must be between 0 and n_k, got n_q = {n_q} and n_k = {n_k}")
    if k < 0:
        raise ValueError(f"k must not be negative, got {k}")
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]  # (n_q, n_k) key minus query
    return np.asarray(np.clip(r, -k, k) + k, dtype=np.int64)


def t5_bucket(
    r: ArrayLike, *, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> NDArray[np.int64]:
    r"""Return the bucket of each distance: near ones have their own, far ones share, ever more of them.

    With `bidirectional` each direction has half of the buckets, the second half for keys after the query.
    Otherwise keys after the query share bucket 0 with distance 0. Of the `m` buckets of a direction the first
    m // 2 hold one distance each; the others grow as a logarithm, and the last holds all from
    `max_distance` on. T5 adds one number a bucket and head to scores that are not divided by ``sqrt(d)``,
    from one table for all layers, and none in cross-attention.

    Parameters
    ----------
    r : (...) array_like of int
        Key minus query, in positions, of any shape.
    bidirectional : bool
        True in an encoder, False in a decoder.
    n_buckets : int, optional
        Number of buckets: even and at least 4 with `bidirectional`, otherwise at least 2.
    max_distance : int, optional
        Distance in positions from which all share the last bucket; more than the m // 2 exact ones.

    Returns
    -------
    (...) ndarray of int64
        Buckets from 0 to ``n_buckets - 1``. Edges are exact: released code takes a logarithm in single
        precision, which comes to the same for the sizes in use, while double precision can miss an edge.

    Raises
    ------
    ValueError
        If `n_buckets` or `max_distance` is too small, or `n_buckets` is odd with `bidirectional`.
    TypeError
        If `r` is not of integers.

    References
    ----------
    .. [1] Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
       2020, section 2.1, arXiv:1910.10683.
    .. [2] mesh-tensorflow, ``transformer/transformer_layers.py``, ``_relative_position_bucket``.

    Examples
    --------
    >>> t5_bucket([-20, -3, 0, 3, 20], bidirectional=True)
    array([10,  3,  0, 19, 26])
    >>> t5_bucket([-20, -3, 0, 3, 20], bidirectional=False)
    array([17,  3,  0,  0,  0])
    """
    r = np.asarray(r)
    if r.dtype.kind not in "iu":
        raise TypeError(f"r must be of integers, got dtype {r.dtype}")
    r = r.astype(np.int64)
    m = _buckets_each_way(n_buckets, bidirectional)
    if max_distance <= m // 2:
        raise ValueError(f"max_distance must be more than {m // 2}, got {max_distance}")
    away = np.abs(r) if bidirectional else np.maximum(-r, 0)
    bucket = np.searchsorted(_edges(m, max_distance), away, side="right")
    return np.asarray(bucket + (m * (r > 0) if bidirectional else 0), dtype=np.int64)


def _buckets_each_way(n_buckets: int, bidirectional: bool) -> int:
    least = 4 if bidirectional else 2
    if n_buckets < least:
        raise ValueError(f"n_buckets must be at least {least}, got {n_buckets}")
    if bidirectional and n_buckets % 2:
        raise ValueError(f"n_buckets must be even when bidirectional, got {n_buckets}")
    return n_buckets // 2 if bidirectional else n_buckets


@cache
def _edges(m: int, max_distance: int) -> tuple[int, ...]:
    """Return the first distance of each bucket but bucket 0."""
    exact = m // 2
    return (*range(1, exact + 1), *(_edge(j, m - exact, exact, max_distance) for j in range(1, m - exact)))


def _edge(j: int, steps: int, exact: int, max_distance: int) -> int:
    """Return the least n with ``n >= exact * (max_distance / exact) ** (j / steps)``, in whole numbers.

    A logarithm rounds, and an n that lies on the edge then falls on either side of it.
    """
    wanted = max_distance**j * exact ** (steps - j)
    return bisect_left(range(max_distance), wanted, key=lambda n: n**steps)
