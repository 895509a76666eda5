"""Mistakes in ``lookup(table, positions)`` about the range: what becomes of positions outside the table.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.learned.lookup import LOOKUP, Array, outside

__all__ = ["LOOKUP"]


@LOOKUP.add(
    "negative",
    "NumPy reads -1 as the last row and says nothing, so a position below 0 gets the row of another one. "
    "Check for positions below 0 yourself, and raise IndexError.",
)
def _negative(table: Array, p: Array) -> Any:
    return table[p]


@LOOKUP.add(
    "wraps",
    "Positions outside the table wrap around here, so two positions share one row and no layer can tell "
    "them apart. Raise IndexError instead.",
)
def _wraps(table: Array, p: Array) -> Any:
    return table[p % len(table)]


@LOOKUP.add(
    "clamps",
    "Positions outside the table read its first or last row here: all of them look alike from there on. "
    "Raise IndexError instead.",
)
def _clamps(table: Array, p: Array) -> Any:
    return table[np.clip(p, 0, len(table) - 1)]


@LOOKUP.add(
    "clamps-the-end",
    "Positions below 0 are refused, as they should be, but those past the end read the last row. They have "
    "no row of their own: raise IndexError.",
)
def _clamps_the_end(table: Array, p: Array) -> Any:
    if (p < 0).any():
        raise IndexError("positions must not be negative")
    return table[np.minimum(p, len(table) - 1)]


@LOOKUP.add(
    "clamps-to-negative",
    "Past the end the last row is repeated, and below 0 NumPy counts from the end. Neither is a row of that "
    "position: raise IndexError for both.",
)
def _clamps_to_negative(table: Array, p: Array) -> Any:
    return table[np.minimum(p, len(table) - 1)]


@LOOKUP.add(
    "clamps-to-zero",
    "Positions below 0 read row 0 here. That hides a wrong count: raise IndexError, as past the end.",
)
def _clamps_to_zero(table: Array, p: Array) -> Any:
    return table[np.maximum(p, 0)]


@LOOKUP.add(
    "zeros-outside",
    "Outside the table the rows come back as zeros, as a matrix of one-hot rows would give them. Then those "
    "tokens carry no position at all, silently: raise IndexError.",
)
def _zeros_outside(table: Array, p: Array) -> Any:
    return np.where(outside(table, p)[..., None], 0.0, table[np.clip(p, 0, len(table) - 1)])


@LOOKUP.add(
    "nan-outside",
    "Outside the table the rows come back as NaN. That is at least visible, but it surfaces far from its "
    "cause: raise IndexError where the position comes in.",
)
def _nan_outside(table: Array, p: Array) -> Any:
    return np.where(outside(table, p)[..., None], np.nan, table[np.clip(p, 0, len(table) - 1)])


@LOOKUP.add(
    "all-for-any",
    "Positions below 0 are refused only if all of them are. One among good ones is as wrong: ask whether any "
    "is below 0.",
)
def _all_for_any(table: Array, p: Array) -> Any:
    if (p < 0).all():
        raise IndexError("positions must not be negative")
    return table[p]


@LOOKUP.add(
    "first-checked",
    "Only the first position is checked. Any of them may lie outside: check them all.",
)
def _first_checked(table: Array, p: Array) -> Any:
    if p.flat[0] < 0:
        raise IndexError("positions must not be negative")
    return table[p]


@LOOKUP.add(
    "below-unchecked",
    "Positions past the end are refused with a check of the largest, but those below 0 still count from the "
    "end. Check the smallest too, and mind that IndexError is asked for in both cases.",
)
def _below_unchecked(table: Array, p: Array) -> Any:
    if p.max() >= len(table):
        raise ValueError("too long")
    return table[p]


def _refuses_with(error: type[Exception]) -> Answer:
    def wrong_lookup(table: Array, p: Array) -> Any:
        if outside(table, p).any():
            raise error("no such row")
        return table[p]

    return wrong_lookup


LOOKUP.add(
    "value-error",
    "Positions outside are refused, but with ValueError. Asking a sequence for an element that it does not "
    "have is an IndexError, in Python and in NumPy: raise that.",
)(_refuses_with(ValueError))
LOOKUP.add(
    "key-error",
    "Positions outside are refused, but with KeyError, which is for dictionaries. A table is read by index: "
    "raise IndexError.",
)(_refuses_with(KeyError))
LOOKUP.add(
    "assertion",
    "Positions outside are refused with an assert. python -O removes those, and callers cannot tell them "
    "from a failed test: raise IndexError.",
)(_refuses_with(AssertionError))


@LOOKUP.add(
    "only-below-typed",
    "Positions below 0 raise ValueError and those past the end IndexError. Both mean that there is no such "
    "row: raise IndexError for both.",
)
def _only_below_typed(table: Array, p: Array) -> Any:
    if (p < 0).any():
        raise ValueError("positions must not be negative")
    return table[p]
