"""More mistakes in ``attention(q, k, v)``: queries, keys and values in each other's place, axes, the output.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import attention, softmax
from posenc.misconceptions.order.attention import ATTENTION, Array, scores

__all__ = ["ATTENTION"]


@ATTENTION.add(
    "batch-reversed",
    "k.T reverses all axes, so it turns a batch inside out. Exchange the last two only: np.swapaxes(k, -1, "
    "-2).",
)
def _batch_reversed(q: Array, k: Array, v: Array) -> Any:
    return softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v


@ATTENTION.add(
    "weights-transposed",
    "The weights were transposed before they met the values. Row i already holds what query i gives to each "
    "key: weights @ v.",
)
def _weights_transposed(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k)).swapaxes(-1, -2) @ v


@ATTENTION.add(
    "query-and-key-exchanged",
    "Queries and keys changed places: rows of the scores must be queries, columns keys. It is q times k "
    "transposed.",
)
def _query_and_key_exchanged(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(k, q)) @ v


@ATTENTION.add(
    "keys-as-values",
    "The keys were averaged. Keys say how well they fit; what is averaged are the values, v.",
)
def _keys_as_values(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k)) @ k


@ATTENTION.add("queries-as-values", "The queries were averaged. What is averaged are the values, v.")
def _queries_as_values(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k)) @ q


@ATTENTION.add(
    "values-as-keys",
    "The scores compare queries with values. They must compare queries with keys, k.",
)
def _values_as_keys(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, v)) @ v


@ATTENTION.add(
    "keys-with-keys",
    "The scores compare the keys with each other. They must compare each query with each key.",
)
def _keys_with_keys(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(k, k)) @ v


@ATTENTION.add(
    "queries-with-queries",
    "The scores compare the queries with each other. They must compare each query with each key.",
)
def _queries_with_queries(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, q)) @ v


@ATTENTION.add(
    "plain-mean",
    "Every query got the plain mean of the values, as if all keys fitted alike. Weight them by the softmax.",
)
def _plain_mean(q: Array, k: Array, v: Array) -> Any:
    return attention(np.zeros_like(q), k, v)


@ATTENTION.add(
    "values-alone",
    "The values came back as they were. Average them, with weights from the queries and keys.",
)
def _values_alone(q: Array, k: Array, v: Array) -> Any:
    return v


@ATTENTION.add("weights-returned", "These are the weights. Multiply them by the values: weights @ v.")
def _weights_returned(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k))


@ATTENTION.add(
    "scores-returned",
    "These are the scaled scores. Make weights of them, and average the values with these.",
)
def _scores_returned(q: Array, k: Array, v: Array) -> Any:
    return scores(q, k)


@ATTENTION.add(
    "transposed",
    "Rows and columns of the result are exchanged. A row belongs to a query: weights @ v, in this order.",
)
def _transposed(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v).swapaxes(-1, -2)


@ATTENTION.add("first-query-only", "Only the first query got an answer. Return a row for each query.")
def _first_query_only(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v)[..., 0, :]


@ATTENTION.add(
    "values-added",
    "Something was added to the average: the value of each token itself, it seems. That is the residual "
    "connection of a whole layer, and no part of attention.",
)
def _values_added(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v) + v


@ATTENTION.add(
    "causal",
    "Later keys were hidden from earlier queries: that is a causal mask. There is none here: each query sees "
    "all keys.",
)
def _causal(q: Array, k: Array, v: Array) -> Any:
    seen = np.tri(q.shape[-2], k.shape[-2], dtype=np.bool_)
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


@ATTENTION.add(
    "in-place",
    "The result is right, but q, k or v was changed. q /= ... writes into the caller's array: use q = q / "
    "...",
)
def _in_place(q: Array, k: Array, v: Array) -> Any:
    out = attention(q, k, v)
    q /= np.sqrt(q.shape[-1])
    q[...] = q + 1.0
    return out
