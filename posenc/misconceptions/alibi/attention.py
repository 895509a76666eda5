"""The exercise ``alibi_attention(q, k, v, slopes)``: causal, biased, with a cache.

Only a softmax sees the bias here, so two habits are right that would be wrong for `alibi_bias`: a constant
more in each row, and the slope times the key's index. Holds its probes and the pieces that wrong
implementations are made of; the mistakes are in `attention_bias`, `attention_mask` and `attention_weights`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_bias
from posenc.attention import attention
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def right(q: Array, k: Array, v: Array, slopes: Array) -> Array:
    """Attend as the exercise asks."""
    return attention(q, k, v, bias=alibi_bias(q.shape[-2], k.shape[-2], slopes))


def _inside(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an average is not between its values."""
    v = args[2]
    low, high = v.min(axis=1, keepdims=True) - 1e-6, v.max(axis=1, keepdims=True) + 1e-6
    if ((low <= got) & (got <= high)).all():
        return None
    return (
        "Every output is an average of values, so it lies between the smallest and the largest of its "
        "column: here it does not. Do the weights sum to 1?"
    )


def _waves(h: int, n_q: int, n_k: int, d: int, d_v: int) -> tuple[Array, Array, Array]:
    a, b, c = (np.arange(h * n * width).reshape(h, n, width) for n, width in ((n_q, d), (n_k, d), (n_k, d_v)))
    return 2 * np.sin(1 + a**1.5), 2 * np.cos(1 + 2 * b**1.5), 3 * np.sin(2 + 3 * c**1.5)


PROBES = (
    Probe(
        (*_waves(2, 1, 1, 4, 3), np.array([0.5, 0.0625])),
        "With one key there is nothing to choose: the output must be its value.",
    ),
    Probe(
        (np.zeros((2, 5, 3)), *_waves(2, 5, 5, 3, 4)[1:], np.array([0.5, 2.0])),
        "Where all contents are equal, a key must have exp(-slope) times the weight of the one after it, up "
        "to the query's own position, and none beyond.",
    ),
    Probe(
        (*_waves(2, 5, 5, 4, 3), np.array([0.5, 0.0625])),
        "The weights must be the softmax of q @ k.T / sqrt(d) minus slope times distance, over the keys up "
        "to the query's own position.",
    ),
    Probe(
        (*_waves(3, 1, 6, 2, 5), np.array([0.25, 0.0625, 0.3])),
        "A single query with a cache must stand at the last key's position, and see every key.",
    ),
    Probe(
        (*_waves(2, 3, 7, 6, 4), np.array([1.0, 0.125])),
        "The queries must be the last n_q of the n_k positions: the first of them stands at n_k - n_q.",
    ),
    Probe(
        (*_waves(1, 7, 7, 2, 3), np.array([2000.0])),
        "However steep the slope, the future must have no weight at all: -inf hides, a large number only "
        "discourages.",
    ),
)

ALIBI_ATTENTION = Family("alibi_attention", right, PROBES, invariant=_inside)


def scaled_scores(q: Array, k: Array) -> Array:
    """Return the scores without a bias, (h, n_q, n_k)."""
    return np.asarray(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]))


def relative(q: Array, k: Array, shift: int | None = None) -> Array:
    """Return key minus query position, (n_q, n_k); the first query stands at `shift`, or n_k - n_q."""
    n_q, n_k = q.shape[1], k.shape[1]
    first = n_k - n_q if shift is None else shift
    return np.arange(n_k) - (first + np.arange(n_q))[:, None]


def penalty(slopes: Array, r: Array) -> Array:
    """Return the penalty alone, (h, n_q, n_k)."""
    return np.asarray(-slopes[:, None, None] * np.abs(r))


def attend(scores: Array, seen: Array, v: Array) -> Any:
    """Weigh values by the softmax of scores, in which a row that sees nothing is all NaN."""
    hidden = np.where(seen, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
