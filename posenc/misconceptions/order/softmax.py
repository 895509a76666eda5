"""The exercise ``softmax(x)`` and its mistakes: weights along the last axis, for scores of any size.

Wrong on purpose, each in one way. A right answer is positive, sums to 1, and never overflows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.attention import softmax
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]
INF = np.inf


def sums_to_one(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the weights are no weights."""
    if (got < 0).any():
        return "Weights are never negative: exponentiate the scores first."
    if not np.allclose(got.sum(axis=-1), 1):
        return "The weights along the last axis must sum to 1."
    return None


PROBES = (
    Probe((np.array([0.0, np.log(3.0)]),), "Exponentiate each score, then divide by the sum of all of them."),
    Probe(
        (np.array([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5], [-0.5, 2.5, 1.0]]),),
        "In a table each row is on its own: it must sum to 1, whatever the other rows hold.",
    ),
    Probe(
        (2 * np.sin(np.arange(24.0)).reshape(2, 3, 4),),
        "Weights must be made along the last axis, however many axes come before it.",
    ),
    Probe(
        (np.array([1000.0, 1001.0, 1002.5]),),
        "Only differences of scores count: large scores must not overflow.",
    ),
    Probe(
        (np.array([[0.0, 1.0, 2.0], [-2000.0, -2001.0, -1999.5]]),),
        "Rows may differ much in size: each must be handled by its own scores alone.",
    ),
    Probe((np.array([3, 1, 2]),), "Integer scores must give weights that are fractions."),
    Probe(
        (np.array([[0.0, -INF, 1.0], [-INF, 2.0, -INF]]),),
        "A score of -inf must get weight 0, and the others must share the whole.",
    ),
    Probe((np.array([0.0, 800.0]),), "Scores far apart must give the weights 0 and 1, not an overflow."),
)

SOFTMAX = Family("softmax", softmax, PROBES, invariant=sums_to_one)


def _divided(e: Array) -> Any:
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.add(
    "overflow",
    "The exponential of a large score overflows to infinity, and infinity over infinity is NaN. Subtract the "
    "largest score of the row first: the weights stay the same.",
)
def _overflow(x: Array) -> Any:
    return _divided(np.exp(x))


@SOFTMAX.add(
    "nan-hidden",
    "The exponential overflows, and the NaN that follows was replaced by 0. Subtract the largest score of "
    "the row first, and there is nothing to hide.",
)
def _nan_hidden(x: Array) -> Any:
    return np.nan_to_num(_divided(np.exp(x)))


@SOFTMAX.add(
    "one-maximum",
    "One maximum was taken over the whole array. A row far below it becomes 0 over 0. Take each row's own: "
    "axis=-1, keepdims=True.",
)
def _one_maximum(x: Array) -> Any:
    return _divided(np.exp(x - x.max()))


@SOFTMAX.add(
    "smallest-subtracted",
    "The smallest score was subtracted, so a row with a wide spread still overflows. Subtract the largest: "
    "then no exponent is above 0.",
)
def _smallest_subtracted(x: Array) -> Any:
    return _divided(np.exp(x - x.min(axis=-1, keepdims=True)))


@SOFTMAX.add(
    "mean-subtracted",
    "The mean was subtracted. It is no safe choice: one score of -inf makes it infinite. Subtract the "
    "largest "
    "score of the row.",
)
def _mean_subtracted(x: Array) -> Any:
    return _divided(np.exp(x - x.mean(axis=-1, keepdims=True)))


@SOFTMAX.add(
    "clipped",
    "Scores were clipped, so large ones look alike. Subtract the largest score of the row instead: that "
    "keeps their differences.",
)
def _clipped(x: Array) -> Any:
    return _divided(np.exp(np.clip(x, -100, 100)))


@SOFTMAX.add(
    "first-axis",
    "The weights sum to 1 down the first axis. Each row is a set of weights here: use the last axis, "
    "axis=-1.",
)
def _first_axis(x: Array) -> Any:
    return softmax(x, axis=0)


@SOFTMAX.add(
    "second-axis",
    "axis=1 is the last axis of a table only. A single row has none, and a batch has it elsewhere. Use "
    "axis=-1.",
)
def _second_axis(x: Array) -> Any:
    return softmax(x, axis=1)


@SOFTMAX.add(
    "rows-of-a-table",
    "This works for a table only: going through x row by row, a single row falls apart into numbers, and a "
    "batch into whole tables. Use axis=-1, keepdims=True in place of the loop.",
)
def _rows_of_a_table(x: Array) -> Any:
    rows = [np.exp(row - row.max()) for row in x]
    return np.array([row / row.sum() for row in rows])


@SOFTMAX.add(
    "everything",
    "All weights together sum to 1. Each row must: sum along the last axis, with axis=-1, keepdims=True.",
)
def _everything(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum()


@SOFTMAX.add(
    "sum-without-keepdims",
    "The sums lie along the wrong axis when you divide: in a square table each column is divided by another "
    "row's sum. Keep the axis, keepdims=True.",
)
def _sum_without_keepdims(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@SOFTMAX.add(
    "maximum-without-keepdims",
    "The maxima lie along the wrong axis when you subtract: in a square table each column loses another "
    "row's "
    "maximum. Keep the axis, keepdims=True.",
)
def _maximum_without_keepdims(x: Array) -> Any:
    return _divided(np.exp(x - x.max(axis=-1)))


@SOFTMAX.add(
    "without-keepdims",
    "Both the maxima and the sums lie along the wrong axis when you use them. Keep the axis in both: "
    "axis=-1, keepdims=True.",
)
def _without_keepdims(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1)


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
    return _divided(x)


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
    return _divided(np.exp(x))
