"""Mistakes in ``alibi_attention(q, k, v, slopes)`` about the mask: which keys are seen, and from where.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import attention, softmax
from posenc.misconceptions.alibi.attention import Array, attend, penalty, relative, scaled_scores
from posenc.misconceptions.alibi.attention_bias import ALIBI_ATTENTION

__all__ = ["ALIBI_ATTENTION"]


# --- the mask


@ALIBI_ATTENTION.add(
    "sees-the-future",
    "Queries attend to keys after them, as in an encoder. This attention is causal: set those scores to "
    "-inf.",
)
def _sees_the_future(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=penalty(slopes, relative(q, k)))


@ALIBI_ATTENTION.add(
    "future-rewarded",
    "Keys after the query are visible, and rewarded for being far ahead. Slope times (j - i) is a penalty "
    "in the past only: set scores with j > i to -inf.",
)
def _future_rewarded(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=slopes[:, None, None] * relative(q, k))


@ALIBI_ATTENTION.add(
    "finite-mask",
    "The future is discouraged by a large number, and a steep or long line climbs over it. Use -inf, which "
    "nothing can outweigh.",
)
def _finite_mask(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return attention(q, k, v, bias=slopes[:, None, None] * r + np.where(r <= 0, 0.0, -1e4))


@ALIBI_ATTENTION.add(
    "zero-mask",
    "Scores of later keys were set to 0, and exp(0) is 1: they still have weight. Set them to -inf.",
)
def _zero_mask(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return softmax(np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), 0.0)) @ v


@ALIBI_ATTENTION.add(
    "mask-after-softmax",
    "The future was cut out after the softmax, so the weights that are left no longer sum to 1. Hide it "
    "before: -inf in the scores.",
)
def _mask_after_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return (softmax(scaled_scores(q, k) + penalty(slopes, r)) * (r <= 0)) @ v


@ALIBI_ATTENTION.add(
    "misses-itself",
    "A query does not see the key at its own position. Hide the keys with j > i only; distance 0 stays.",
)
def _misses_itself(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return attend(scaled_scores(q, k) + penalty(slopes, r), r < 0, v)


@ALIBI_ATTENTION.add(
    "sees-the-future-only",
    "The mask is turned over: each query sees the keys after it, not those before. Rows are queries i, "
    "columns keys j; hide j > i.",
)
def _sees_the_future_only(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return attend(scaled_scores(q, k) + penalty(slopes, r), r >= 0, v)


# --- the cache


@ALIBI_ATTENTION.add(
    "queries-at-start",
    "With a cache the queries are taken for the first positions. They are the last: query number i stands "
    "at n_k - n_q + i, for the bias and for the mask.",
)
def _queries_at_start(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k, 0)
    return attend(scaled_scores(q, k) + penalty(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "distance-from-start",
    "The mask is right, but distances take the queries for the first positions. With a cache they are the "
    "last: query number i stands at n_k - n_q + i.",
)
def _distance_from_start(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attend(scaled_scores(q, k) + penalty(slopes, relative(q, k, 0)), relative(q, k) <= 0, v)


@ALIBI_ATTENTION.add(
    "one-ahead",
    "The queries stand one position too far, and see one key of the future. The last query and the last key "
    "share a position: query number i stands at n_k - n_q + i.",
)
def _one_ahead(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k, k.shape[1] - q.shape[1] + 1)
    return attend(scaled_scores(q, k) + penalty(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "no-mask-for-one-query",
    "With fewer queries than keys the mask is left out. A single query may see every key, but of several "
    "each sees only up to its own position.",
)
def _no_mask_for_one_query(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    seen = r <= 0 if q.shape[1] == k.shape[1] else r <= k.shape[1]
    return attend(scaled_scores(q, k) + penalty(slopes, r), seen, v)
