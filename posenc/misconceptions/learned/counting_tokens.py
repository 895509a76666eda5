"""Mistakes in ``positions_from_mask(mask)`` about tokens: what is counted, from where, and what padding gets.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.learned import positions_from_mask
from posenc.misconceptions.learned.counting import COUNTING, Array, counted

__all__ = ["COUNTING"]


def _places(m: Array) -> Any:
    """Return the number of each place, whatever stands there."""
    return np.broadcast_to(np.arange(m.shape[-1]), m.shape)


# --- what is counted


@COUNTING.add(
    "places",
    "Places are counted, padding included, so tokens after padding on the left get positions that are too "
    "large. Count the tokens: np.cumsum(mask, axis=-1) - 1.",
)
def _all_places(m: Array) -> Any:
    return _places(m)


@COUNTING.add(
    "places-of-tokens",
    "Padding gets 0, but the tokens keep the numbers of their places: after padding on the left they start "
    "too late. Count the tokens up to each place instead.",
)
def _places_of_tokens(m: Array) -> Any:
    return _places(m) * m


@COUNTING.add(
    "gaps-counted",
    "The count starts at the first token, but padding between tokens is counted. Only tokens count: the "
    "next one goes on where the last one stopped.",
)
def _gaps_counted(m: Array) -> Any:
    return (_places(m) - m.argmax(axis=-1)[..., None]) * m


@COUNTING.add(
    "left-only",
    "All padding was taken to stand on the left: its number is subtracted from every place. It may stand "
    "anywhere: count the tokens up to each place.",
)
def _left_only(m: Array) -> Any:
    padding = m.shape[-1] - m.sum(axis=-1, keepdims=True)
    return np.maximum(_places(m) - padding, 0)


@COUNTING.add(
    "right-only",
    "All padding was taken to stand on the right: the first places get 0, 1, 2, ..., tokens or not. Look at "
    "which places hold tokens, not only at how many do.",
)
def _right_only(m: Array) -> Any:
    return np.where(_places(m) < m.sum(axis=-1, keepdims=True), _places(m), 0)


@COUNTING.add(
    "restarts",
    "The count starts again after each gap. Within one text it goes on: padding takes no position. Packed "
    "texts do restart, but a mask of 0 and 1 does not say where they begin.",
)
def _restarts(m: Array) -> Any:
    out = np.zeros(m.shape, dtype=np.int64)
    for place in range(1, m.shape[-1]):
        out[..., place] = (out[..., place - 1] + 1) * m[..., place] * m[..., place - 1]
    return out


@COUNTING.add(
    "inverted", "The padding is counted, and the tokens get 0. In this mask 1 is a token and 0 is padding."
)
def _inverted(m: Array) -> Any:
    return positions_from_mask(m == 0)


@COUNTING.add(
    "from-the-end",
    "The tokens are counted from the end: the last one has position 0. Position 0 is the first token.",
)
def _from_the_end(m: Array) -> Any:
    return positions_from_mask(m[..., ::-1])[..., ::-1]


# --- where it starts, and what padding gets


@COUNTING.add(
    "from-one",
    "The first token gets position 1. np.cumsum counts the token itself too: subtract 1, so that it reads "
    "row 0.",
)
def _from_one(m: Array) -> Any:
    return counted(m) * m


@COUNTING.add(
    "unmasked",
    "The tokens are right, but padding on the left gets -1, which NumPy reads as the last row, and later "
    "padding repeats a token's position. Set padding to 0.",
)
def _unmasked(m: Array) -> Any:
    return counted(m) - 1


@COUNTING.add(
    "clipped",
    "The tokens are right, but padding after a token repeats that token's position. Attention hides it, so "
    "models work so too; here padding gets 0 everywhere.",
)
def _clipped(m: Array) -> Any:
    return np.maximum(counted(m) - 1, 0)


@COUNTING.add(
    "counted-only",
    "This is the plain running count: the first token gets 1, and padding repeats the count before it. "
    "Subtract 1, and set padding to 0.",
)
def _counted_only(m: Array) -> Any:
    return counted(m)


@COUNTING.add(
    "exclusive",
    "The tokens are right, but padding gets the number of tokens before it, which past the last token may "
    "be a row that does not exist. Set padding to 0.",
)
def _exclusive(m: Array) -> Any:
    return counted(m) - m


@COUNTING.add(
    "padding-minus-one",
    "The tokens are right, but padding gets -1. NumPy would read that as the last row: padding gets 0 here,"
    " and attention hides it.",
)
def _padding_minus_one(m: Array) -> Any:
    return np.where(m, counted(m) - 1, -1)


@COUNTING.add(
    "padding-one",
    "The tokens are right, but padding gets 1, as in some code of transformers. Which row hidden padding "
    "reads does not matter to a model; here it is row 0.",
)
def _padding_one(m: Array) -> Any:
    return np.where(m, counted(m) - 1, 1)


@COUNTING.add(
    "padding-nan",
    "Padding gets NaN, which turns every position into a float, and those are no index. Give padding the "
    "integer 0.",
)
def _padding_nan(m: Array) -> Any:
    return np.where(m, counted(m) - 1.0, np.nan)


@COUNTING.add(
    "roberta",
    "This is the count of fairseq and RoBERTa: tokens start at 2, because row 1 belongs to padding. Here "
    "tokens start at 0 and padding gets 0.",
)
def _roberta(m: Array) -> Any:
    return np.where(m, counted(m) + 1, 1)
