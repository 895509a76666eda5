"""The exercise ``alibi_bias(N, slope)`` and its mistakes: minus the slope times the distance, both ways.

Wrong on purpose, each in one way. One head, and the symmetric form: no mask.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_bias
from posenc.attention import softmax
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def _reference(N: int, slope: float) -> Array:
    return alibi_bias(N, N, slope, causal=False)


def _shape_of_a_tent(args: tuple[Any, ...], got: Array) -> str | None:
    """Say which property of a penalty by distance is missing."""
    if not np.isfinite(got).all():
        return "Every entry must be finite: this bias masks nothing, the mask comes with the attention."
    if np.abs(np.diagonal(got)).max() > 1e-6:
        return "The diagonal must be 0: a token is at distance 0 from itself."
    if not np.allclose(got, got.T):
        return "The bias must be symmetric: query and key may change places, their distance stays."
    if got.max() > 1e-6:
        return "No entry may be positive: distance is a penalty, never a reward."
    return None


PROBES = (
    Probe((1, 0.5), "One token is at distance 0 from itself: the bias must be [[0]]."),
    Probe((3, 0.5), "Entry [i, j] must be minus the slope times the distance between i and j."),
    Probe((4, 2.0), "The slope must multiply the distance, whether it is below or above 1."),
    Probe((6, 0.0625), "A slope need not be a round number: every entry must keep all of its decimals."),
    Probe((9, 0.25), "Each further position must cost the same: the bias is a straight line on both sides."),
)

ALIBI_BIAS = Family("alibi_bias", _reference, PROBES, invariant=_shape_of_a_tent)


def _offset(N: int) -> Array:
    """Return query position minus key position, (N, N)."""
    return np.subtract.outer(np.arange(N), np.arange(N))


def _distance(N: int) -> Array:
    return np.abs(_offset(N))


# --- the sign


@ALIBI_BIAS.add(
    "plus-sign",
    "The sign is turned: far keys are rewarded. Distance is a penalty, so the slope enters with a minus.",
)
def _plus_sign(N: int, slope: float) -> Any:
    return slope * _distance(N)


@ALIBI_BIAS.add(
    "signed",
    "The distance has kept its sign, so keys after the query are rewarded. Both sides are visible here: "
    "take the absolute value of i - j.",
)
def _signed(N: int, slope: float) -> Any:
    return -slope * _offset(N)


@ALIBI_BIAS.add(
    "signed-reversed",
    "The distance has a sign, and the past is rewarded for being far. Take the absolute value of i - j: "
    "either side is a penalty.",
)
def _signed_reversed(N: int, slope: float) -> Any:
    return slope * _offset(N)


# --- the mask


@ALIBI_BIAS.add(
    "causal-mask",
    "Keys after the query are set to -inf. That is the mask of causal attention; this bias is the symmetric "
    "one, and hides nothing.",
)
def _causal_mask(N: int, slope: float) -> Any:
    return alibi_bias(N, N, slope)


@ALIBI_BIAS.add(
    "past-only",
    "The upper triangle is 0, so keys after the query are free. Both sides cost the same here: no np.tril.",
)
def _past_only(N: int, slope: float) -> Any:
    return np.tril(_reference(N, slope))


@ALIBI_BIAS.add(
    "future-only",
    "The lower triangle is 0, so keys before the query are free. Both sides cost the same here: no np.triu.",
)
def _future_only(N: int, slope: float) -> Any:
    return np.triu(_reference(N, slope))


# --- the distance


@ALIBI_BIAS.add(
    "squared",
    "The distance was squared. The line is straight: each further position costs one slope more.",
)
def _squared(N: int, slope: float) -> Any:
    return -slope * _distance(N) ** 2


@ALIBI_BIAS.add(
    "logarithm",
    "The distance went through a logarithm, so far keys cost too little. ALiBi's line is straight.",
)
def _logarithm(N: int, slope: float) -> Any:
    return -slope * np.log1p(_distance(N))


@ALIBI_BIAS.add(
    "square-root",
    "The distance went through a square root. ALiBi's line is straight: slope times distance.",
)
def _square_root(N: int, slope: float) -> Any:
    return -slope * np.sqrt(_distance(N))


@ALIBI_BIAS.add(
    "reciprocal",
    "This is a closeness, large when near and small when far. The bias is minus the slope times the "
    "distance, 0 on the diagonal.",
)
def _reciprocal(N: int, slope: float) -> Any:
    return slope / (1 + _distance(N))


@ALIBI_BIAS.add(
    "one-too-far",
    "Every distance is one too large. A softmax would not notice a constant, but by definition a token is "
    "at distance 0 from itself.",
)
def _one_too_far(N: int, slope: float) -> Any:
    return -slope * (_distance(N) + 1)


@ALIBI_BIAS.add(
    "free-neighbours",
    "Neighbours cost nothing: every distance but 0 is one too small. A neighbour is at distance 1.",
)
def _free_neighbours(N: int, slope: float) -> Any:
    return -slope * np.maximum(_distance(N) - 1, 0)


@ALIBI_BIAS.add(
    "sum-of-positions",
    "The positions were added. A distance is a difference: the absolute value of i - j.",
)
def _sum_of_positions(N: int, slope: float) -> Any:
    return -slope * np.add.outer(np.arange(N), np.arange(N))


@ALIBI_BIAS.add(
    "over-length",
    "The distance was divided by the length, so the price of a step depends on N. ALiBi counts positions as "
    "they are.",
)
def _over_length(N: int, slope: float) -> Any:
    return -slope * _distance(N) / N


@ALIBI_BIAS.add(
    "other-corner",
    "The line falls from a corner of the matrix, the same in every row. Each row starts at its own query: "
    "the distance is the absolute value of i - j.",
)
def _other_corner(N: int, slope: float) -> Any:
    return np.tile(-slope * np.arange(N), (N, 1))


@ALIBI_BIAS.add(
    "key-index",
    "Every row is the slope times the key's index. That shortcut is good for a causal softmax only, which "
    "forgets a constant in each row. Both sides count here, so measure from the query.",
)
def _key_index(N: int, slope: float) -> Any:
    return np.tile(slope * np.arange(N), (N, 1))


@ALIBI_BIAS.add(
    "key-index-from-end",
    "Every row counts from the last key. That shortcut is good for a causal softmax only. Both sides count "
    "here, so measure from each row's own query.",
)
def _key_index_from_end(N: int, slope: float) -> Any:
    return np.tile(slope * np.arange(1 - N, 1), (N, 1))


# --- the slope


@ALIBI_BIAS.add(
    "no-slope",
    "The slope has no effect. Multiply the distance by it.",
)
def _no_slope(N: int, slope: float) -> Any:
    return -_distance(N)


@ALIBI_BIAS.add(
    "divided-by-slope",
    "The distance was divided by the slope. A steeper slope makes distance dearer: multiply.",
)
def _divided_by_slope(N: int, slope: float) -> Any:
    return -_distance(N) / slope


@ALIBI_BIAS.add(
    "power",
    "The slope was raised to the distance. A straight line is a product: minus the slope times the distance.",
)
def _power(N: int, slope: float) -> Any:
    return -(slope ** _distance(N))


@ALIBI_BIAS.add(
    "slope-squared",
    "The slope was multiplied in twice. Once is enough: minus the slope times the distance.",
)
def _slope_squared(N: int, slope: float) -> Any:
    return -(slope**2) * _distance(N)


# --- what comes after


@ALIBI_BIAS.add(
    "exponential",
    "The exponential was taken. That is the softmax's work: a bias is added to scores, before it.",
)
def _exponential(N: int, slope: float) -> Any:
    return np.exp(_reference(N, slope))


@ALIBI_BIAS.add(
    "softmax",
    "Each row sums to 1: the bias went through a softmax. Return the bias itself, which is added to scores "
    "before the softmax.",
)
def _softmax(N: int, slope: float) -> Any:
    return softmax(_reference(N, slope))


@ALIBI_BIAS.add(
    "integers",
    "Decimals were cut off: the bias was written into an integer array. Use floats, as np.zeros makes by "
    "default.",
)
def _integers(N: int, slope: float) -> Any:
    return _reference(N, slope).astype(np.int64)


@ALIBI_BIAS.add(
    "rounded",
    "The numbers were rounded. Round only to print: small slopes need every decimal.",
)
def _rounded(N: int, slope: float) -> Any:
    return _reference(N, slope).round(2)


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
    return _reference(N, slope)[None]


@ALIBI_BIAS.add(
    "one-token-too-many",
    "There is a row and a column too many. Positions run from 0 to N - 1: np.arange(N).",
)
def _one_token_too_many(N: int, slope: float) -> Any:
    return _reference(N + 1, slope)
