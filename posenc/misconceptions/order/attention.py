"""The exercise ``attention(q, k, v)`` and its mistakes: softmax of scaled dot products, times the values.

Wrong on purpose, each in one way. Holds its probes and the mistakes in what is done to the scores; those in
what is done with whom are in `attention_roles`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.attention import attention, softmax
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def waves(n_q: int, n_k: int, d: int, d_v: int, *, batch: tuple[int, ...] = ()) -> tuple[Array, Array, Array]:
    """Return queries, keys and values without any symmetry."""

    def wave(n: int, width: int, phase: float) -> Any:
        shape = (*batch, n, width)
        return 2 * np.sin(phase + np.arange(np.prod(shape)).reshape(shape) ** 1.5)

    return wave(n_q, d, 0.0), wave(n_k, d, 1.0), wave(n_k, d_v, 2.0)


def inside_the_values(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the result is no average."""
    v = args[2]
    low, high = (edge(v, axis=-2, keepdims=True) for edge in (np.min, np.max))
    if (got < low - 1e-6).any() or (got > high + 1e-6).any():
        return "An average lies between the smallest and the largest value: here it does not."
    return None


PROBES = (
    Probe(
        (
            np.array([[2.0, 0, 0, 0]]),
            np.array([[0.0, 0, 0, 0], [np.log(3), 0, 0, 0]]),
            np.array([[0.0], [8.0]]),
        ),
        "The weights must be the softmax of the dot products divided by sqrt(d), and the result the average "
        "of the values with these weights.",
    ),
    Probe(
        (np.zeros((3, 2)), *waves(3, 5, 2, 4)[1:]),
        "A query of zeros prefers no key, so it must get the plain mean of the values.",
    ),
    Probe(
        waves(3, 5, 6, 2),
        "There may be more keys than queries, and values of another width: row i of the result must belong "
        "to "
        "query i.",
    ),
    Probe(waves(4, 4, 4, 4), "Where all sizes are equal, rows must still be queries and columns keys."),
    Probe(
        waves(3, 4, 5, 6, batch=(2,)),
        "Leading axes are batch axes: each set of queries, keys and values must be treated as if it came "
        "alone.",
    ),
    Probe(waves(2, 3, 7, 5, batch=(3, 2)), "There may be any number of batch axes, such as batch and heads."),
)

ATTENTION = Family("attention", attention, PROBES, invariant=inside_the_values)


def scores(q: Array, k: Array) -> Any:
    """Return the scaled scores, (..., n_q, n_k)."""
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def _raw(q: Array, k: Array) -> Any:
    return q @ k.swapaxes(-1, -2)


@ATTENTION.add("not-scaled", "The scores were not scaled. Divide them by sqrt(d) before the softmax.")
def _not_scaled(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=1.0)


@ATTENTION.add(
    "scaled-by-d",
    "The scores were divided by d, perhaps by its root twice. Divide once by its square root.",
)
def _scaled_by_d(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=1 / q.shape[-1])


@ATTENTION.add(
    "half-width",
    "The scores were divided by d / 2: that is what d ** 1 / 2 means. Write d ** 0.5 or np.sqrt(d).",
)
def _half_width(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=2 / q.shape[-1])


@ATTENTION.add("multiplied", "The scores were multiplied by sqrt(d). Divide by it.")
def _multiplied(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=q.shape[-1] ** 0.5)


@ATTENTION.add(
    "scaled-by-keys",
    "The scores were divided by the root of the number of keys. Divide by that of d, the number of features.",
)
def _scaled_by_keys(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=k.shape[-2] ** -0.5)


@ATTENTION.add(
    "scaled-by-queries",
    "The scores were divided by the root of the number of queries. Divide by that of d, the number of "
    "features.",
)
def _scaled_by_queries(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=q.shape[-2] ** -0.5)


@ATTENTION.add(
    "scaled-by-len",
    "len(q) is the length of the first axis, not the number of features. That is q.shape[-1].",
)
def _scaled_by_len(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=len(q) ** -0.5)


@ATTENTION.add(
    "scaled-by-second-axis",
    "q.shape[1] is the number of features only where there is no batch. It is q.shape[-1] always.",
)
def _scaled_by_second_axis(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=q.shape[1] ** -0.5)


@ATTENTION.add(
    "scaled-by-value-width",
    "The scores were divided by the root of the width of the values. Divide by that of the queries and keys.",
)
def _scaled_by_value_width(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=v.shape[-1] ** -0.5)


@ATTENTION.add(
    "scaled-after",
    "The weights were divided by sqrt(d) after the softmax, so they do not sum to 1. Divide the scores, "
    "before it.",
)
def _scaled_after(q: Array, k: Array, v: Array) -> Any:
    return attention(q, k, v, scale=1.0) / np.sqrt(q.shape[-1])


@ATTENTION.add(
    "softmax-over-queries",
    "The weights of each key sum to 1, over all queries. Each query shares out its attention: softmax along "
    "the keys, the last axis.",
)
def _softmax_over_queries(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k), axis=-2) @ v


@ATTENTION.add(
    "softmax-first-axis",
    "The softmax runs along the first axis: over the queries, or over the batch where there is one. It "
    "belongs along the keys, the last axis.",
)
def _softmax_first_axis(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k), axis=0) @ v


@ATTENTION.add(
    "softmax-second-axis",
    "axis=1 is the axis of keys only where there is no batch. Use the last one: axis=-1.",
)
def _softmax_second_axis(q: Array, k: Array, v: Array) -> Any:
    return softmax(scores(q, k), axis=1) @ v


@ATTENTION.add(
    "softmax-over-everything",
    "All weights together sum to 1. Each query has weights of its own that sum to 1: softmax along the keys.",
)
def _softmax_over_everything(q: Array, k: Array, v: Array) -> Any:
    s = scores(q, k)
    return softmax(s.reshape(-1)).reshape(s.shape) @ v


@ATTENTION.add("softmax-twice", "The softmax was taken twice, which flattens the weights. Once is enough.")
def _softmax_twice(q: Array, k: Array, v: Array) -> Any:
    return softmax(softmax(scores(q, k))) @ v


@ATTENTION.add(
    "no-softmax", "The values were weighted by the scores. Put the scores through a softmax first."
)
def _no_softmax(q: Array, k: Array, v: Array) -> Any:
    return scores(q, k) @ v


@ATTENTION.add(
    "not-normalised",
    "The weights are exponentials that do not sum to 1. Divide each by the sum over the keys.",
)
def _not_normalised(q: Array, k: Array, v: Array) -> Any:
    return np.exp(scores(q, k)) @ v


@ATTENTION.add(
    "sigmoid",
    "Each score was squashed alone, so the weights do not sum to 1. Softmax compares the keys with each "
    "other.",
)
def _sigmoid(q: Array, k: Array, v: Array) -> Any:
    return 1 / (1 + np.exp(-scores(q, k))) @ v


@ATTENTION.add(
    "hard-maximum",
    "Each query took the value of its best key alone. Attention is soft: average all values by their "
    "weights.",
)
def _hard_maximum(q: Array, k: Array, v: Array) -> Any:
    return np.eye(k.shape[-2])[scores(q, k).argmax(axis=-1)] @ v


@ATTENTION.add(
    "cosine-similarity",
    "Queries and keys were brought to length 1 before the dot product. Their lengths count: leave them.",
)
def _cosine_similarity(q: Array, k: Array, v: Array) -> Any:
    lengths = np.linalg.norm(q, axis=-1)[..., :, None] * np.linalg.norm(k, axis=-1)[..., None, :]
    return softmax(_raw(q, k) / np.where(lengths == 0, 1, lengths)) @ v


@ATTENTION.add(
    "distance",
    "The score is a distance between query and key. It must be their dot product, divided by sqrt(d).",
)
def _distance(q: Array, k: Array, v: Array) -> Any:
    apart = np.linalg.norm(q[..., :, None, :] - k[..., None, :, :], axis=-1)
    return softmax(-apart / np.sqrt(q.shape[-1])) @ v
