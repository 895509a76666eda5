"""Mistakes in ``alibi_attention(q, k, v, slopes)`` about the weights: scale, softmax, and what comes of them.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.alibi import alibi_bias
from posenc.attention import attention, softmax
from posenc.misconceptions.alibi.attention import Array, penalty, relative, right, scaled_scores
from posenc.misconceptions.alibi.attention_mask import ALIBI_ATTENTION

__all__ = ["ALIBI_ATTENTION"]  # by now with all its mistakes


@ALIBI_ATTENTION.add(
    "not-scaled",
    "The scores were not scaled. Divide q @ k.T by the square root of d, then add the bias.",
)
def _not_scaled(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=1.0)


@ALIBI_ATTENTION.add("scaled-by-d", "The scores were divided by d. Divide by its square root.")
def _scaled_by_d(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=1 / q.shape[2])


@ALIBI_ATTENTION.add(
    "scaled-by-length",
    "The scores were divided by the square root of the number of keys. d is the number of features, the "
    "last axis of q.",
)
def _scaled_by_length(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=k.shape[1] ** -0.5)


@ALIBI_ATTENTION.add(
    "scaled-by-model-width",
    "The scores were divided by the square root of the width of all heads together. d is the width of one "
    "head, the last axis of q.",
)
def _scaled_by_model_width(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    scale = (q.shape[0] * q.shape[2]) ** -0.5
    return attention(q, k, v, bias=alibi_bias(q.shape[1], k.shape[1], slopes), scale=scale)


@ALIBI_ATTENTION.add(
    "softmax-over-heads",
    "The weights sum to 1 over the heads. They sum to 1 over the keys of each query: the softmax runs along "
    "the last axis.",
)
def _softmax_over_heads(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return softmax(np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), -np.inf), axis=0) @ v


@ALIBI_ATTENTION.add(
    "softmax-over-queries",
    "The weights sum to 1 over the queries. They sum to 1 over the keys of each query: the softmax runs "
    "along the last axis.",
)
def _softmax_over_queries(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return softmax(np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), -np.inf), axis=1) @ v


@ALIBI_ATTENTION.add(
    "softmax-over-everything",
    "The weights of all heads and queries sum to 1 together. They sum to 1 for each query: the softmax runs "
    "along the last axis.",
)
def _softmax_over_everything(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    scores = np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), -np.inf)
    return softmax(scores.ravel()).reshape(scores.shape) @ v


@ALIBI_ATTENTION.add(
    "no-softmax",
    "Values are weighted by the scores themselves. Put scores and bias through a softmax first.",
)
def _no_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), 0.0) @ v


@ALIBI_ATTENTION.add(
    "weights",
    "These are the weights. Multiply them by the values: weights @ v.",
)
def _weights(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return softmax(np.where(r <= 0, scaled_scores(q, k) + penalty(slopes, r), -np.inf))


@ALIBI_ATTENTION.add(
    "heads-summed",
    "The heads were added up. Each keeps its own output: the shape is (h, n_q, d_v).",
)
def _heads_summed(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, slopes).sum(axis=0)


@ALIBI_ATTENTION.add(
    "heads-inside",
    "The axes of heads and queries have changed places. Keep the heads in front: (h, n_q, d_v).",
)
def _heads_inside(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, slopes).swapaxes(0, 1)


@ALIBI_ATTENTION.add(
    "heads-joined",
    "The outputs of the heads stand side by side, as before the output projection. Here they stay apart: "
    "(h, n_q, d_v).",
)
def _heads_joined(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return np.concatenate(list(right(q, k, v, slopes)), axis=-1)


@ALIBI_ATTENTION.add(
    "in-place",
    "The numbers are right, but an argument was changed. Leave q, k, v and slopes as they came: a cache is "
    "used again.",
)
def _in_place(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    out = right(q, k, v, slopes)
    q /= np.sqrt(q.shape[2])
    return out
