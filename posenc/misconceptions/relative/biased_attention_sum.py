"""Mistakes in ``biased_attention(q, k, v, bias)`` about the sum: where the bias is added, and to which head.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import softmax
from posenc.misconceptions.relative.biased_attention import BIASED_ATTENTION, Array, scaled_scores

__all__ = ["BIASED_ATTENTION"]


# --- where the bias goes


@BIASED_ATTENTION.add(
    "after-softmax",
    "The bias was added to the weights, after the softmax: they no longer sum to 1. Add it to the "
    "scores, before the softmax.",
)
def _after_softmax(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return (softmax(scaled_scores(q, k)) + bias) @ v


@BIASED_ATTENTION.add(
    "after-softmax-normalised",
    "The bias was added to the weights, which were then divided by their sum. Weights can turn negative "
    "that way. Add it to the scores, before the softmax.",
)
def _after_softmax_normalised(q: Array, k: Array, v: Array, bias: Array) -> Any:
    weights = softmax(scaled_scores(q, k)) + bias
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@BIASED_ATTENTION.add(
    "before-scaling",
    "The bias was divided by sqrt(d) as well: it was added before the scaling. Scale the scores "
    "first, then add it.",
)
def _before_scaling(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax((q @ k.swapaxes(-1, -2) + bias) / np.sqrt(q.shape[-1])) @ v


@BIASED_ATTENTION.add(
    "multiplied",
    "The scores were multiplied by the bias, so its effect depends on their sign. Add it.",
)
def _multiplied(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) * bias) @ v


@BIASED_ATTENTION.add(
    "weights-multiplied",
    "The weights were multiplied by the bias after the softmax. Add it to the scores, before the softmax.",
)
def _weights_multiplied(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k)) * bias @ v


@BIASED_ATTENTION.add(
    "subtracted",
    "The bias was subtracted. Add it: its sign is already in the table.",
)
def _subtracted(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) - bias) @ v


@BIASED_ATTENTION.add(
    "ignored",
    "The bias has no effect: this is plain attention. Add it to the scaled scores, before the softmax.",
)
def _ignored(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k)) @ v


@BIASED_ATTENTION.add(
    "bias-alone",
    "The queries and keys have no effect: the weights come from the bias alone. Add it to the scores.",
)
def _bias_alone(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(bias) @ v


@BIASED_ATTENTION.add(
    "softmax-twice",
    "The scores went through a softmax before the bias was added, and again after it. Add the bias to "
    "the scores themselves: one softmax, at the end.",
)
def _softmax_twice(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(softmax(scaled_scores(q, k)) + bias) @ v


@BIASED_ATTENTION.add(
    "two-softmaxes",
    "Scores and bias went through a softmax each, and the two were added. Add scores and bias, then "
    "take one softmax of the sum.",
)
def _two_softmaxes(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return (softmax(scaled_scores(q, k)) + softmax(bias)) @ v


# --- which head, which axis


@BIASED_ATTENTION.add(
    "first-head-for-all",
    "Every head got the bias of the first one. Each head has its own: bias[h] goes to head h.",
)
def _first_head_for_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias[0]) @ v


@BIASED_ATTENTION.add(
    "mean-over-heads",
    "Every head got the average bias of all heads. Each head has its own: keep the head axis.",
)
def _mean_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias.mean(axis=0)) @ v


@BIASED_ATTENTION.add(
    "sum-over-heads",
    "Every head got the biases of all heads, added up. Each head has its own: keep the head axis.",
)
def _sum_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias.sum(axis=0)) @ v


@BIASED_ATTENTION.add(
    "heads-reversed",
    "The heads got each other's bias, in reverse order. bias[h] goes to head h.",
)
def _heads_reversed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias[::-1]) @ v


@BIASED_ATTENTION.add(
    "bias-transposed",
    "Rows and columns of the bias are exchanged. It comes as (h, n_q, n_k), like the scores: add it "
    "as it is.",
)
def _bias_transposed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias.swapaxes(-1, -2)) @ v


@BIASED_ATTENTION.add(
    "keys-reversed",
    "The bias runs along the keys in reverse. Column j belongs to key j.",
)
def _keys_reversed(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias[..., ::-1]) @ v


@BIASED_ATTENTION.add(
    "one-row-for-all",
    "Every query got the bias of the last one. Each query has its own row of the bias.",
)
def _one_row_for_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias[:, -1:]) @ v


@BIASED_ATTENTION.add(
    "softmax-over-queries",
    "The softmax runs along the queries. A query shares its attention out among the keys: the last axis.",
)
def _softmax_over_queries(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias, axis=-2) @ v


@BIASED_ATTENTION.add(
    "softmax-over-heads",
    "The softmax runs along the heads. A query shares its attention out among the keys: the last axis.",
)
def _softmax_over_heads(q: Array, k: Array, v: Array, bias: Array) -> Any:
    return softmax(scaled_scores(q, k) + bias, axis=0) @ v


@BIASED_ATTENTION.add(
    "softmax-over-all",
    "One softmax runs over all queries and keys of a head, or of all heads. Every row must sum to 1 by "
    "itself: use the last axis.",
)
def _softmax_over_all(q: Array, k: Array, v: Array, bias: Array) -> Any:
    scores = scaled_scores(q, k) + bias
    return softmax(scores.reshape(len(scores), -1)).reshape(scores.shape) @ v
