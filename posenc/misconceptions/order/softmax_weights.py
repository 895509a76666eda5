"""Mistakes in ``softmax(x)`` about weights: how scores become weights, and the array that they come in.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import softmax
from posenc.misconceptions.order.softmax import INF, Array, divided
from posenc.misconceptions.order.softmax_rows import SOFTMAX

__all__ = ["SOFTMAX"]  # by now with all its mistakes


@SOFTMAX.add("not-divided", "These are the exponentials. Divide by their sum, so that the weights sum to 1.")
def _not_divided(x: Array) -> Any:
    return np.exp(x)


@SOFTMAX.add(
    "largest-is-one",
    "The largest weight of each row is 1. Divide by the sum of the exponentials, so that the weights sum to "
    "1.",
)
def _largest_is_one(x: Array) -> Any:
    return np.exp(x - x.max(axis=-1, keepdims=True))


@SOFTMAX.add(
    "mean-in-place-of-sum",
    "The exponentials were divided by their mean, so the weights sum to their number. Divide by the sum.",
)
def _mean_in_place_of_sum(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.mean(axis=-1, keepdims=True)


@SOFTMAX.add(
    "unit-length",
    "The exponentials were divided by their length, the root of the sum of squares. Divide by the sum "
    "itself.",
)
def _unit_length(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / np.linalg.norm(e, axis=-1, keepdims=True)


@SOFTMAX.add(
    "no-exponential",
    "The scores themselves were divided by their sum. Exponentiate first: scores may be negative, weights "
    "not.",
)
def _no_exponential(x: Array) -> Any:
    return divided(x)


@SOFTMAX.add(
    "min-max",
    "The scores were stretched to the range from 0 to 1. Weights come from exponentials, divided by their "
    "sum.",
)
def _min_max(x: Array) -> Any:
    low = x.min(axis=-1, keepdims=True)
    return (x - low) / (x.max(axis=-1, keepdims=True) - low)


@SOFTMAX.add("base-2", "The base looks like 2. The exponential has base e here: np.exp.")
def _base_2(x: Array) -> Any:
    return softmax(x * np.log(2.0))


@SOFTMAX.add("base-10", "The base looks like 10. The exponential has base e here: np.exp.")
def _base_10(x: Array) -> Any:
    return softmax(x * np.log(10.0))


@SOFTMAX.add("logarithm", "These are the logarithms of the weights. Return the weights.")
def _logarithm(x: Array) -> Any:
    return np.log(softmax(x))


@SOFTMAX.add(
    "one-hot",
    "The whole weight went to the largest score. Softmax is soft: smaller scores keep a share.",
)
def _one_hot(x: Array) -> Any:
    return np.eye(x.shape[-1])[x.argmax(axis=-1)]


@SOFTMAX.add(
    "sigmoid",
    "Each score was squashed alone, by the logistic function. Softmax compares: divide each exponential by "
    "the sum of all.",
)
def _sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


@SOFTMAX.add(
    "negated",
    "The smallest score gets the largest weight: a minus sign too many. It is the largest score minus, not "
    "minus the score.",
)
def _negated(x: Array) -> Any:
    return softmax(np.where(np.isinf(x), INF, -x))


@SOFTMAX.add(
    "absolute",
    "The sign of the scores got lost. A negative score means less weight, not more: leave out the absolute "
    "value.",
)
def _absolute(x: Array) -> Any:
    return softmax(np.abs(x))


@SOFTMAX.add("standardised", "The scores were divided by their spread. Subtract the largest, and no more.")
def _standardised(x: Array) -> Any:
    return softmax((x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True))


@SOFTMAX.add(
    "rounded", "The weights were rounded. Return them as they come: rounded ones no longer sum to 1."
)
def _rounded(x: Array) -> Any:
    return softmax(x).round(2)


@SOFTMAX.add(
    "integers-truncated",
    "The result was written into an array of the dtype of x, and integers cut fractions off. Make it with "
    "dtype float.",
)
def _integers_truncated(x: Array) -> Any:
    return softmax(x).astype(x.dtype)


@SOFTMAX.add(
    "columns", "Rows and columns are exchanged in the result. It has the shape of x: drop the transpose."
)
def _columns(x: Array) -> Any:
    return softmax(x).T


@SOFTMAX.add(
    "in-place",
    "The weights are right, but x was changed. x -= ... writes into the caller's array: use x = x - ...",
)
def _in_place(x: Array) -> Any:
    x -= x.max(axis=-1, keepdims=True)
    return divided(np.exp(x))
