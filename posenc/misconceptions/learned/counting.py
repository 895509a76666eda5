"""The exercise ``positions_from_mask(mask)`` and its mistakes: counting the tokens, not the places.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.learned import positions_from_mask
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]

COUNTING = Family(
    "positions_from_mask",
    positions_from_mask,
    (
        Probe(
            (np.array([1, 1, 1, 1]),),
            "Without padding the positions are 0, 1, 2, ..., from the first token on.",
        ),
        Probe(
            (np.array([0, 0, 1, 1, 1]),),
            "With padding on the left, the first token has position 0, and padding gets 0 too.",
        ),
        Probe(
            (np.array([1, 1, 1, 0, 0]),),
            "With padding on the right, the tokens count from 0 and padding gets 0.",
        ),
        Probe(
            (np.array([0, 1, 1, 0, 0, 1, 0, 1]),),
            "With padding in the middle, the count goes on at the next token, as if the padding were not "
            "there.",
        ),
        Probe(
            (np.array([[0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]]),),
            "In a batch every row is counted on its own, along the last axis.",
        ),
        Probe(
            (np.array([[[0, 0, 1], [1, 1, 1]], [[1, 1, 0], [0, 1, 1]]]),),
            "There may be several leading axes: only the last one is counted along.",
        ),
        Probe((np.array([False, True, True, True]),), "A mask of booleans is counted like one of 0 and 1."),
        Probe((np.array([0, 0, 0]),), "Where there is only padding, every position is 0."),
    ),
)


def _counted(m: Array) -> Any:
    """Return how many tokens stand up to each place, itself included."""
    return m.astype(np.int64).cumsum(axis=-1)


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
    return _counted(m) * m


@COUNTING.add(
    "unmasked",
    "The tokens are right, but padding on the left gets -1, which NumPy reads as the last row, and later "
    "padding repeats a token's position. Set padding to 0.",
)
def _unmasked(m: Array) -> Any:
    return _counted(m) - 1


@COUNTING.add(
    "clipped",
    "The tokens are right, but padding after a token repeats that token's position. Attention hides it, so "
    "models work so too; here padding gets 0 everywhere.",
)
def _clipped(m: Array) -> Any:
    return np.maximum(_counted(m) - 1, 0)


@COUNTING.add(
    "counted-only",
    "This is the plain running count: the first token gets 1, and padding repeats the count before it. "
    "Subtract 1, and set padding to 0.",
)
def _counted_only(m: Array) -> Any:
    return _counted(m)


@COUNTING.add(
    "exclusive",
    "The tokens are right, but padding gets the number of tokens before it, which past the last token may "
    "be a row that does not exist. Set padding to 0.",
)
def _exclusive(m: Array) -> Any:
    return _counted(m) - m


@COUNTING.add(
    "padding-minus-one",
    "The tokens are right, but padding gets -1. NumPy would read that as the last row: padding gets 0 here,"
    " and attention hides it.",
)
def _padding_minus_one(m: Array) -> Any:
    return np.where(m, _counted(m) - 1, -1)


@COUNTING.add(
    "padding-one",
    "The tokens are right, but padding gets 1, as in some code of transformers. Which row hidden padding "
    "reads does not matter to a model; here it is row 0.",
)
def _padding_one(m: Array) -> Any:
    return np.where(m, _counted(m) - 1, 1)


@COUNTING.add(
    "padding-nan",
    "Padding gets NaN, which turns every position into a float, and those are no index. Give padding the "
    "integer 0.",
)
def _padding_nan(m: Array) -> Any:
    return np.where(m, _counted(m) - 1.0, np.nan)


@COUNTING.add(
    "roberta",
    "This is the count of fairseq and RoBERTa: tokens start at 2, because row 1 belongs to padding. Here "
    "tokens start at 0 and padding gets 0.",
)
def _roberta(m: Array) -> Any:
    return np.where(m, _counted(m) + 1, 1)


# --- along which axis, in which dtype


@COUNTING.add(
    "batch-axis",
    "The count runs down the batch, so a token's position depends on the other texts. Count along the last "
    "axis: axis=-1.",
)
def _batch_axis(m: Array) -> Any:
    return (m.astype(np.int64).cumsum(axis=0) - 1) * m


@COUNTING.add(
    "second-axis",
    "The count runs along axis 1, which is the last one only where there are two. Count along axis=-1.",
)
def _second_axis(m: Array) -> Any:
    return (m.astype(np.int64).cumsum(axis=min(1, m.ndim - 1)) - 1) * m


@COUNTING.add(
    "flattened",
    "np.cumsum without an axis flattens the batch, and the result with it. Give it axis=-1.",
)
def _flattened(m: Array) -> Any:
    return (m.astype(np.int64).cumsum() - 1) * m.ravel()


@COUNTING.add(
    "continued",
    "The count goes on from one text of the batch to the next. Every row of the mask starts at 0: give "
    "np.cumsum axis=-1.",
)
def _continued(m: Array) -> Any:
    return (m.astype(np.int64).cumsum().reshape(m.shape) - 1) * m


@COUNTING.add(
    "first-row",
    "Every text of the batch gets the positions of the first. Each row of the mask has its own padding: "
    "count each on its own.",
)
def _first_row(m: Array) -> Any:
    return np.broadcast_to(positions_from_mask(m.reshape(-1, m.shape[-1])[0]), m.shape)


@COUNTING.add(
    "tokens-only",
    "Only the tokens' positions came back. The result has the shape of the mask, with 0 at padding.",
)
def _tokens_only(m: Array) -> Any:
    return (_counted(m) - 1)[m == 1]


@COUNTING.add(
    "token-places",
    "These are the places where tokens stand, as np.nonzero finds them. The result has the shape of the "
    "mask and counts the tokens.",
)
def _token_places(m: Array) -> Any:
    return np.nonzero(m)[-1]


@COUNTING.add(
    "bool-kept",
    "The positions were written into an array of the mask's dtype: with a mask of booleans, all but 0 became "
    "True. Make the array of integers.",
)
def _bool_kept(m: Array) -> Any:
    return positions_from_mask(m).astype(m.dtype)


@COUNTING.add(
    "bool-sum",
    "The running count of a mask of booleans stayed boolean: it says whether there was a token, not how "
    "many. Turn the mask into integers first.",
)
def _bool_sum(m: Array) -> Any:
    return (np.cumsum(m, axis=-1, dtype=m.dtype) - np.int64(1)) * m


@COUNTING.add(
    "in-place",
    "The positions are right, but they were written into the mask itself, which attention still needs. "
    "Return a new array.",
)
def _in_place(m: Array) -> Any:
    out = positions_from_mask(m)
    m[...] = out
    return out
