"""The exercise ``lookup(table, positions)`` and its mistakes: rows of a table, and no row outside it.

Wrong on purpose, each in one way. Most are silent: they return a row of another position.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.learned import lookup
from posenc.misconceptions.entry import Answer, Family, Probe

Array = NDArray[Any]


def waves(*shape: int) -> Any:
    """Return numbers of no pattern that a mistake could hide in."""
    return 3 * np.sin(1 + np.arange(np.prod(shape)) ** 1.5).reshape(shape)


LOOKUP = Family(
    "lookup",
    lookup,
    (
        Probe((waves(4, 3), np.array([2, 1])), "Position p reads row p of the table, counted from 0."),
        Probe(
            (waves(8, 3), np.array([5, 4])),
            "A table has as many positions as rows, however few its features.",
        ),
        Probe(
            (waves(7, 3), np.array([6, 0, 4, 4, 3])),
            "Every row may be read, the first and the last too, in any order and more than once.",
        ),
        Probe(
            (waves(6, 5), np.array([[4, 3, 2], [1, 1, 5]])),
            "The result has the shape of positions, with the features as one more axis at the end.",
        ),
        Probe((waves(5, 4), np.array(3)), "A single position gives a single row."),
        Probe((waves(4, 3), np.array([4])), "A position past the last row must raise IndexError."),
        Probe((waves(4, 3), np.array([-1])), "A position below 0 must raise IndexError."),
        Probe((waves(4, 3), np.array([-1, 2])), "A position below 0 at the start must raise IndexError."),
        Probe(
            (waves(5, 2), np.array([[0, 2], [-2, 1]])),
            "One position below 0 among good ones must raise IndexError.",
        ),
        Probe(
            (waves(5, 2), np.array([3, 11, 0])),
            "One position past the end among good ones must raise IndexError.",
        ),
    ),
)


def outside(table: Array, p: Array) -> Any:
    """Say which positions have no row."""
    return (p < 0) | (p >= len(table))


def _checked(read: Answer) -> Answer:
    """Make a mistake in reading, all positions outside being refused as they should."""

    def wrong_lookup(table: Array, p: Array) -> Any:
        if outside(table, p).any():
            raise IndexError("positions must be rows of the table")
        return read(table, p)

    return wrong_lookup


# --- outside the table


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


# --- which row


@LOOKUP.add(
    "from-one",
    "Row p - 1 is read: positions are counted from 1 here. The first token has position 0 and reads row 0; "
    "with p - 1 it silently gets the last row.",
)
def _from_one(table: Array, p: Array) -> Any:
    return table[p - 1]


@LOOKUP.add(
    "from-one-checked",
    "Row p - 1 is read, and the check allows 1 to n. Positions start at 0: rows 0 to n - 1, read as they "
    "are.",
)
def _from_one_checked(table: Array, p: Array) -> Any:
    if (p < 1).any() or (p > len(table)).any():
        raise IndexError("positions must be from 1 to n")
    return table[p - 1]


@LOOKUP.add(
    "padding-offset",
    "Row p + 2 is read, as in RoBERTa, whose first two rows are for padding. This table has none of those: "
    "position p reads row p.",
)
def _padding_offset(table: Array, p: Array) -> Any:
    if (p < 0).any():
        raise IndexError("positions must not be negative")
    return table[p + 2]


@LOOKUP.add(
    "row-numbers",
    "The positions have no effect: rows come in order from the top of the table. With a cache, padding or "
    "packing the first token is not at position 0: read the numbers in positions.",
)
def _row_numbers(table: Array, p: Array) -> Any:
    return table[np.arange(p.size).reshape(p.shape)]


@LOOKUP.add(
    "slice",
    "A slice from the smallest to the largest position was taken. Positions may repeat, have gaps and come "
    "in any order: index the table with the array of positions.",
)
def _slice(table: Array, p: Array) -> Any:
    if outside(table, p).any():
        raise IndexError("positions must be rows of the table")
    return table[p.min() : p.max() + 1]


@LOOKUP.add(
    "as-a-set",
    "Each row that is asked for comes once, in the order of the table. Keep the order of positions, and "
    "repeat rows that are asked for twice.",
)
def _as_a_set(table: Array, p: Array) -> Any:
    if outside(table, p).any():
        raise IndexError("positions must be rows of the table")
    return table[np.unique(p)]


LOOKUP.add(
    "reversed",
    "The table was read from its end. Row 0, at the top, belongs to position 0.",
)(_checked(lambda table, p: table[::-1][p]))
LOOKUP.add(
    "first-only",
    "Every position reads the row of the first. Index with the whole array, table[positions], not with one "
    "of its entries.",
)(_checked(lambda table, p: table[np.full_like(p, p.flat[0])]))

# --- which axis, which bound


LOOKUP.add(
    "flattened",
    "The positions were flattened: all rows stand under each other. Keep the axes of positions, and let the "
    "features be one more axis at the end.",
)(_checked(lambda table, p: table[p.ravel()]))
LOOKUP.add(
    "transposed",
    "The features come first in the result. They belong on the last axis: (..., d).",
)(_checked(lambda table, p: table.T[:, p]))


@LOOKUP.add(
    "columns",
    "Columns were read, table[:, positions]. Rows are positions and columns are features: table[positions].",
)
def _columns(table: Array, p: Array) -> Any:
    return table[:, p]


@LOOKUP.add(
    "width-for-length",
    "The bound of the check is d, the number of features. Positions are counted by rows: len(table), or "
    "table.shape[0].",
)
def _width_for_length(table: Array, p: Array) -> Any:
    if (p < 0).any() or (p >= table.shape[1]).any():
        raise IndexError("positions must be rows of the table")
    return table[p]


@LOOKUP.add(
    "last-refused",
    "The last row is refused. A table of n rows has positions 0 to n - 1: refuse p >= n, not p >= n - 1.",
)
def _last_refused(table: Array, p: Array) -> Any:
    if (p < 0).any() or (p >= len(table) - 1).any():
        raise IndexError("positions must be rows of the table")
    return table[p]


@LOOKUP.add(
    "zero-refused",
    "Position 0 is refused. It is the first token, and reads row 0: refuse p < 0, not p <= 0.",
)
def _zero_refused(table: Array, p: Array) -> Any:
    if (p <= 0).any():
        raise IndexError("positions must be rows of the table")
    return table[p]


@LOOKUP.add(
    "dropped",
    "Positions outside were left out, so the result is shorter than the text and its rows belong to other "
    "tokens. Raise IndexError instead.",
)
def _dropped(table: Array, p: Array) -> Any:
    return table[p[~outside(table, p)] if outside(table, p).any() else p]


LOOKUP.add(
    "one-row-matrix",
    "A single position must give a single row, (d,). Here it gives a matrix with one row: do not turn a "
    "number into an array with an axis.",
)(_checked(lambda table, p: table[np.atleast_1d(p)]))
