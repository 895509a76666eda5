"""Mistakes in ``softmax(x)`` about rows: what is subtracted from one, and along which axis it lies.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import softmax
from posenc.misconceptions.order.softmax import SOFTMAX, Array, divided

__all__ = ["SOFTMAX"]


@SOFTMAX.add(
    "overflow",
    "The exponential of a large score overflows to infinity, and infinity over infinity is NaN. Subtract the "
    "largest score of the row first: the weights stay the same.",
)
def _overflow(x: Array) -> Any:
    return divided(np.exp(x))


@SOFTMAX.add(
    "nan-hidden",
    "The exponential overflows, and the NaN that follows was replaced by 0. Subtract the largest score of "
    "the row first, and there is nothing to hide.",
)
def _nan_hidden(x: Array) -> Any:
    return np.nan_to_num(divided(np.exp(x)))


@SOFTMAX.add(
    "one-maximum",
    "One maximum was taken over the whole array. A row far below it becomes 0 over 0. Take each row's own: "
    "axis=-1, keepdims=True.",
)
def _one_maximum(x: Array) -> Any:
    return divided(np.exp(x - x.max()))


@SOFTMAX.add(
    "smallest-subtracted",
    "The smallest score was subtracted, so a row with a wide spread still overflows. Subtract the largest: "
    "then no exponent is above 0.",
)
def _smallest_subtracted(x: Array) -> Any:
    return divided(np.exp(x - x.min(axis=-1, keepdims=True)))


@SOFTMAX.add(
    "mean-subtracted",
    "The mean was subtracted. It is no safe choice: one score of -inf makes it infinite. Subtract the "
    "largest "
    "score of the row.",
)
def _mean_subtracted(x: Array) -> Any:
    return divided(np.exp(x - x.mean(axis=-1, keepdims=True)))


@SOFTMAX.add(
    "clipped",
    "Scores were clipped, so large ones look alike. Subtract the largest score of the row instead: that "
    "keeps their differences.",
)
def _clipped(x: Array) -> Any:
    return divided(np.exp(np.clip(x, -100, 100)))


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
    return divided(np.exp(x - x.max(axis=-1)))


@SOFTMAX.add(
    "without-keepdims",
    "Both the maxima and the sums lie along the wrong axis when you use them. Keep the axis in both: "
    "axis=-1, keepdims=True.",
)
def _without_keepdims(x: Array) -> Any:
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1)
