"""The exercise ``biased_attention(q, k, v, bias)``: where a bias goes, and for which head.

Right is ``softmax(q @ k.T / sqrt(d) + bias) @ v`` for every head. Holds its probes and the pieces that wrong
implementations are made of; the mistakes are in `biased_attention_sum` and `biased_attention_scale`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.attention import attention
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.relative import t5_bucket

Array = NDArray[Any]


def _from_table(h: int, n_q: int, n_k: int) -> Any:
    """Return a bias as T5 makes it: a number for each bucket and head."""
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]
    table = waves(8, h, start=0.3)
    return np.moveaxis(table[t5_bucket(r, bidirectional=True, n_buckets=8, max_distance=16)], -1, 0)


def _causal(bias: Array) -> Any:
    n_q, n_k = bias.shape[-2:]
    return np.where(np.tri(n_q, n_k, n_k - n_q, dtype=np.bool_), bias, -np.inf)


PROBES = (
    Probe(
        (np.zeros((1, 1, 2)), np.zeros((1, 2, 2)), np.array([[[1.0], [5.0]]]), np.log([[[1.0, 3.0]]])),
        "With q = 0 the weights must be the softmax of the bias alone, along the keys.",
    ),
    Probe(
        (waves(2, 4, 3), waves(2, 4, 3, start=2), waves(2, 4, 5, start=3), np.zeros((2, 4, 4))),
        "With a bias of 0 this must be plain attention: scores q . k divided by sqrt(d), softmax over "
        "the keys.",
    ),
    Probe(
        (waves(2, 4, 3), waves(2, 4, 3, start=2), waves(2, 4, 5, start=3), _from_table(2, 4, 4)),
        "The bias must be added to the scores after they are divided by sqrt(d) and before the softmax, "
        "each head its own.",
    ),
    Probe(
        (waves(3, 2, 6), waves(3, 5, 6, start=2), waves(3, 5, 4, start=3), _from_table(3, 2, 5)),
        "Rows of the bias belong to queries, columns to keys, also where there are fewer queries than keys.",
    ),
    Probe(
        (waves(2, 3, 2), waves(2, 4, 2, start=2), waves(2, 4, 3, start=3), _causal(_from_table(2, 3, 4))),
        "A bias of minus infinity must hide that key from that query, and change nothing else.",
    ),
)


def _between_the_values(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where an output is no average of the values."""
    v = args[2]
    low, high = v.min(axis=-2, keepdims=True) - 1e-9, v.max(axis=-2, keepdims=True) + 1e-9
    if ((low <= got) & (got <= high)).all():
        return None
    return (
        "The weights of a query must be positive and sum to 1, so an output lies between the smallest and "
        "the largest value: here one does not."
    )


def right(q: Array, k: Array, v: Array, bias: Array) -> Any:
    """Attend as the exercise asks."""
    return attention(q, k, v, bias=bias)


BIASED_ATTENTION = Family("biased_attention", right, PROBES, invariant=_between_the_values)


def scaled_scores(q: Array, k: Array) -> Any:
    """Return the scores without a bias, (h, n_q, n_k)."""
    return np.asarray(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
