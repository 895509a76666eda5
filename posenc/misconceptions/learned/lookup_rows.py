"""Mistakes in ``lookup(table, positions)`` about rows: which are read, along which axis, which exist.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.learned.lookup import Array, outside
from posenc.misconceptions.learned.lookup_range import LOOKUP

__all__ = ["LOOKUP"]  # by now with all its mistakes


def _checked(read: Answer) -> Answer:
    """Make a mistake in reading, all positions outside being refused as they should."""

    def wrong_lookup(table: Array, p: Array) -> Any:
        if outside(table, p).any():
            raise IndexError("positions must be rows of the table")
        return read(table, p)

    return wrong_lookup


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
