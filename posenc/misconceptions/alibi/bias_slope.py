"""Mistakes in ``alibi_bias(N, slope)`` about the slope, and about the matrix that it makes of the distances.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.attention import softmax
from posenc.misconceptions.alibi.bias import distance, right
from posenc.misconceptions.alibi.bias_distance import ALIBI_BIAS

__all__ = ["ALIBI_BIAS"]  # by now with all its mistakes


# --- the slope


@ALIBI_BIAS.add(
    "no-slope",
    "The slope has no effect. Multiply the distance by it.",
)
def _no_slope(N: int, slope: float) -> Any:
    return -distance(N)


@ALIBI_BIAS.add(
    "divided-by-slope",
    "The distance was divided by the slope. A steeper slope makes distance dearer: multiply.",
)
def _divided_by_slope(N: int, slope: float) -> Any:
    return -distance(N) / slope


@ALIBI_BIAS.add(
    "power",
    "The slope was raised to the distance. A straight line is a product: minus the slope times the distance.",
)
def _power(N: int, slope: float) -> Any:
    return -(slope ** distance(N))


@ALIBI_BIAS.add(
    "slope-squared",
    "The slope was multiplied in twice. Once is enough: minus the slope times the distance.",
)
def _slope_squared(N: int, slope: float) -> Any:
    return -(slope**2) * distance(N)


# --- what comes after


@ALIBI_BIAS.add(
    "exponential",
    "The exponential was taken. That is the softmax's work: a bias is added to scores, before it.",
)
def _exponential(N: int, slope: float) -> Any:
    return np.exp(right(N, slope))


@ALIBI_BIAS.add(
    "softmax",
    "Each row sums to 1: the bias went through a softmax. Return the bias itself, which is added to scores "
    "before the softmax.",
)
def _softmax(N: int, slope: float) -> Any:
    return softmax(right(N, slope))


@ALIBI_BIAS.add(
    "integers",
    "Decimals were cut off: the bias was written into an integer array. Use floats, as np.zeros makes by "
    "default.",
)
def _integers(N: int, slope: float) -> Any:
    return right(N, slope).astype(np.int64)


@ALIBI_BIAS.add(
    "rounded",
    "The numbers were rounded. Round only to print: small slopes need every decimal.",
)
def _rounded(N: int, slope: float) -> Any:
    return right(N, slope).round(2)


@ALIBI_BIAS.add(
    "one-row",
    "Only one row came back. There is a row for each query: an (N, N) matrix, as from two aranges, one of "
    "them with [:, None].",
)
def _one_row(N: int, slope: float) -> Any:
    return -slope * np.arange(N)


@ALIBI_BIAS.add(
    "extra-axis",
    "The matrix carries an axis of length 1 too many. One head, one matrix: the shape is (N, N).",
)
def _extra_axis(N: int, slope: float) -> Any:
    return right(N, slope)[None]


@ALIBI_BIAS.add(
    "one-token-too-many",
    "There is a row and a column too many. Positions run from 0 to N - 1: np.arange(N).",
)
def _one_token_too_many(N: int, slope: float) -> Any:
    return right(N + 1, slope)
