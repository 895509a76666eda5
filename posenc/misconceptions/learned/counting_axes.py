"""Mistakes in ``positions_from_mask(mask)`` about the array: along which axis, of which shape and dtype.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.learned import positions_from_mask
from posenc.misconceptions.learned.counting import Array, counted
from posenc.misconceptions.learned.counting_tokens import COUNTING

__all__ = ["COUNTING"]  # by now with all its mistakes


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
    return (counted(m) - 1)[m == 1]


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
