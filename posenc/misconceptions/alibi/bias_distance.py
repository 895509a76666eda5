"""Mistakes in ``alibi_bias(N, slope)`` about the distance: its sign, the side that it counts on, its growth.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.alibi import alibi_bias
from posenc.misconceptions.alibi.bias import ALIBI_BIAS, distance, offset, right

__all__ = ["ALIBI_BIAS"]


# --- the sign


@ALIBI_BIAS.add(
    "plus-sign",
    "The sign is turned: far keys are rewarded. Distance is a penalty, so the slope enters with a minus.",
)
def _plus_sign(N: int, slope: float) -> Any:
    return slope * distance(N)


@ALIBI_BIAS.add(
    "signed",
    "The distance has kept its sign, so keys after the query are rewarded. Both sides are visible here: "
    "take the absolute value of i - j.",
)
def _signed(N: int, slope: float) -> Any:
    return -slope * offset(N)


@ALIBI_BIAS.add(
    "signed-reversed",
    "The distance has a sign, and the past is rewarded for being far. Take the absolute value of i - j: "
    "either side is a penalty.",
)
def _signed_reversed(N: int, slope: float) -> Any:
    return slope * offset(N)


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
    return np.tril(right(N, slope))


@ALIBI_BIAS.add(
    "future-only",
    "The lower triangle is 0, so keys before the query are free. Both sides cost the same here: no np.triu.",
)
def _future_only(N: int, slope: float) -> Any:
    return np.triu(right(N, slope))


# --- the distance


@ALIBI_BIAS.add(
    "squared",
    "The distance was squared. The line is straight: each further position costs one slope more.",
)
def _squared(N: int, slope: float) -> Any:
    return -slope * distance(N) ** 2


@ALIBI_BIAS.add(
    "logarithm",
    "The distance went through a logarithm, so far keys cost too little. ALiBi's line is straight.",
)
def _logarithm(N: int, slope: float) -> Any:
    return -slope * np.log1p(distance(N))


@ALIBI_BIAS.add(
    "square-root",
    "The distance went through a square root. ALiBi's line is straight: slope times distance.",
)
def _square_root(N: int, slope: float) -> Any:
    return -slope * np.sqrt(distance(N))


@ALIBI_BIAS.add(
    "reciprocal",
    "This is a closeness, large when near and small when far. The bias is minus the slope times the "
    "distance, 0 on the diagonal.",
)
def _reciprocal(N: int, slope: float) -> Any:
    return slope / (1 + distance(N))


@ALIBI_BIAS.add(
    "one-too-far",
    "Every distance is one too large. A softmax would not notice a constant, but by definition a token is "
    "at distance 0 from itself.",
)
def _one_too_far(N: int, slope: float) -> Any:
    return -slope * (distance(N) + 1)


@ALIBI_BIAS.add(
    "free-neighbours",
    "Neighbours cost nothing: every distance but 0 is one too small. A neighbour is at distance 1.",
)
def _free_neighbours(N: int, slope: float) -> Any:
    return -slope * np.maximum(distance(N) - 1, 0)


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
    return -slope * distance(N) / N


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
