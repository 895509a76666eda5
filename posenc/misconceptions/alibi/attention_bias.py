"""Mistakes in ``alibi_attention(q, k, v, slopes)`` about the bias: its sign, its slopes, its place.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.alibi import alibi_slopes
from posenc.attention import attention, softmax
from posenc.misconceptions.alibi.attention import (
    ALIBI_ATTENTION,
    Array,
    attend,
    penalty,
    relative,
    right,
    scaled_scores,
)

__all__ = ["ALIBI_ATTENTION"]


@ALIBI_ATTENTION.add(
    "plus-sign",
    "Far keys are rewarded. Distance is a penalty: subtract slope times distance from the scores.",
)
def _plus_sign(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attend(scaled_scores(q, k) - penalty(slopes, relative(q, k)), relative(q, k) <= 0, v)


@ALIBI_ATTENTION.add(
    "no-bias",
    "The slopes have no effect: this is plain causal attention. Subtract slope times distance from the "
    "scores.",
)
def _no_bias(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return attention(q, k, v, causal=True)


@ALIBI_ATTENTION.add(
    "first-slope-for-all",
    "All heads use the first slope. Each has its own: give the slopes two more axes, slopes[:, None, None].",
)
def _first_slope_for_all(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, np.full_like(slopes, slopes[0]))


@ALIBI_ATTENTION.add(
    "mean-slope",
    "All heads use the mean of the slopes. Each has its own: give the slopes two more axes, slopes[:, None, "
    "None].",
)
def _mean_slope(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, np.full_like(slopes, slopes.mean()))


@ALIBI_ATTENTION.add(
    "slopes-reversed",
    "The slopes reach the heads in reverse. Slope number i belongs to head number i.",
)
def _slopes_reversed(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, slopes[::-1])


@ALIBI_ATTENTION.add(
    "own-slopes",
    "The slopes that came were not used: these are the standard ones for so many heads. Use the argument.",
)
def _own_slopes(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, alibi_slopes(len(slopes)))


@ALIBI_ATTENTION.add(
    "squared-distance",
    "The distance was squared. The penalty is a straight line: slope times distance.",
)
def _squared_distance(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return attend(scaled_scores(q, k) + penalty(slopes, r**2), r <= 0, v)


@ALIBI_ATTENTION.add(
    "bias-scaled",
    "The bias was divided by the square root of d along with the scores. Scale q @ k.T first, then add the "
    "bias.",
)
def _bias_scaled(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, slopes / np.sqrt(q.shape[2]))


@ALIBI_ATTENTION.add(
    "bias-multiplied",
    "The scores were multiplied by the bias, so that what a penalty does hangs on the sign of a score. Add "
    "it.",
)
def _bias_multiplied(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    return attend(scaled_scores(q, k) * penalty(slopes, r), r <= 0, v)


@ALIBI_ATTENTION.add(
    "bias-after-softmax",
    "The bias was added to the weights, which then no longer sum to 1. Add it to the scores, before the "
    "softmax.",
)
def _bias_after_softmax(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    r = relative(q, k)
    weights = softmax(np.where(r <= 0, scaled_scores(q, k), -np.inf))
    return (weights + np.where(r <= 0, penalty(slopes, r), 0)) @ v


@ALIBI_ATTENTION.add(
    "bias-on-keys",
    "The keys themselves were lowered by slope times position. The bias belongs to the scores: one number "
    "for each query and key.",
)
def _bias_on_keys(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    n = k.shape[1]
    return attention(q, k - slopes[:, None, None] * np.arange(n)[::-1, None], v, causal=True)


@ALIBI_ATTENTION.add(
    "bias-on-values",
    "The values were changed by the distance. They carry content and stay as they are: the bias belongs to "
    "the scores.",
)
def _bias_on_values(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    n = k.shape[1]
    return attention(q, k, v - slopes[:, None, None] * np.arange(n)[::-1, None], causal=True)


@ALIBI_ATTENTION.add(
    "weights-decay-twice",
    "The bias enters twice. Once is enough: minus slope times distance.",
)
def _twice(q: Array, k: Array, v: Array, slopes: Array) -> Any:
    return right(q, k, v, 2 * slopes)
