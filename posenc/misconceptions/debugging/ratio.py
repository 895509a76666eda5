"""The bug of the floored ratio: a row too few (lesson 9), and mistakes in mending it.

After facebookresearch/dinov2#378 and pytorch/pytorch#96236. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from posenc.learned import interpolate_1d
from posenc.misconceptions.debugging.bug import Bug, whole
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array


def _reference(table: Array, n: int) -> Array:
    return interpolate_1d(table, n)


def _probe(m: int, n: int, claim: str) -> Probe:
    return Probe((waves(m, 2), n), claim)


PROBES = (
    _probe(3, 3, "Resized to its own size, a table must stay as it is."),
    _probe(2, 4, "New row j must be read at (j + 1/2) * m / n - 1/2, and within the table."),
    _probe(5, 3, "Fewer rows follow the same rule."),
    _probe(11, 15, "The result must have as many rows as were asked for, whatever sizes are divided."),
    _probe(11, 25, "The result must have as many rows as were asked for, no row more."),
    _probe(14, 61, "The result must have as many rows as were asked for, at the places that belong to them."),
)

FAMILY = Family("resize_rows", _reference, PROBES)

RATIO = Bug(
    FAMILY,
    needs=(
        (lambda t, n: t.ndim == 2 and t.size and t.dtype.kind == "f", "table must be a float array (m, d)."),
        (lambda t, n: len(t) <= 1000 and t.shape[1] <= 100, "The table is larger than it need be."),
        (lambda t, n: whole(n, 1, 1000), "n must be a whole number, from 1 to 1000."),
    ),
    blind=(
        (
            lambda t, n: n % len(t) == 0,
            "Your ratio is a whole number, and whole numbers are exact. Resize to a size that is no "
            "multiple.",
        ),
        (
            lambda t, n: len(t) & (len(t) - 1) == 0,
            "The number of rows is a power of two: dividing by it loses no digit. Take another.",
        ),
        (
            lambda t, n: True,
            "For these two sizes the product comes out large enough. Not all do: let a loop try n for one "
            "number of rows, and compare the product, rounded down, with n.",
        ),
    ),
)


def _read(table: Array, at: Array) -> Array:
    at = np.clip(at, 0, len(table) - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, len(table) - 1)
    part = (at - low)[:, None]
    return np.asarray(table[low] * (1 - part) + table[high] * part)


def _by_scale(table: Array, size: int, scale: float) -> Array:
    return _read(table, (np.arange(size) + 0.5) / scale - 0.5)


@FAMILY.add(
    "shipped",
    "This is still the shipped program, or one that rounds down as it does: for some sizes a row is "
    "missing. The size is known: use n, and never compute it back from the ratio.",
)
def _shipped(table: Array, n: int) -> Any:
    scale = n / len(table)
    return _by_scale(table, int(len(table) * scale), scale)


@FAMILY.add(
    "rounded-up",
    "The product is rounded up now: for other sizes there is a row too many. The size is known: use n.",
)
def _rounded_up(table: Array, n: int) -> Any:
    scale = n / len(table)
    return _by_scale(table, ceil(len(table) * scale), scale)


@FAMILY.add(
    "one-added",
    "1 is added to the product: most sizes were right before, and have a row too many now. The size is "
    "known: use n.",
)
def _one_added(table: Array, n: int) -> Any:
    scale = n / len(table)
    return _by_scale(table, int(len(table) * scale) + 1, scale)


@FAMILY.add(
    "offset-kept",
    "A little was added to the size before the division, as DINO once did. The number of rows is right, but "
    "the ratio is off, and rows are read in the wrong places.",
)
def _offset_kept(table: Array, n: int) -> Any:
    scale = (n + 0.1) / len(table)
    return _by_scale(table, int(len(table) * scale), scale)


@FAMILY.add(
    "last-row-again",
    "The missing row was filled up with the last. The places are those of the smaller size: compute them "
    "from n.",
)
def _last_row_again(table: Array, n: int) -> Any:
    scale = n / len(table)
    size = int(len(table) * scale)
    out = _by_scale(table, size, size / len(table))
    return np.concatenate([out, out[[-1] * (n - size)]])


@FAMILY.add(
    "whole-ratio",
    "The ratio was divided with //, which drops its fraction. It need not be whole: n / m, and n for the "
    "size.",
)
def _whole_ratio(table: Array, n: int) -> Any:
    return _by_scale(table, n, max(n // len(table), 1))


@FAMILY.add("inverse", "The ratio is upside down: rows are read at the places for m / n in place of n / m.")
def _inverse(table: Array, n: int) -> Any:
    return _by_scale(table, n, len(table) / n)


@FAMILY.add(
    "corners",
    "The size is right, but corners are aligned now. The shipped program reads the middles of rows: leave "
    "its rule.",
)
def _corners(table: Array, n: int) -> Any:
    return interpolate_1d(table, n, align_corners=True)


@FAMILY.add(
    "no-halves",
    "The size is right, but the halves are gone: row j is read at (j + 1/2) * m / n - 1/2, the middle of "
    "its piece.",
)
def _no_halves(table: Array, n: int) -> Any:
    return _read(table, np.arange(n) * len(table) / n)


@FAMILY.add(
    "nearest", "Each new row is a copy of an old one. Mix the two neighbours, as the shipped program does."
)
def _nearest(table: Array, n: int) -> Any:
    return table[(np.arange(n) * len(table) / n).astype(int)]


@FAMILY.add(
    "not-clipped",
    "Places before the first row are read from the end of the table, since an index of -1 wraps round. Clip "
    "them to 0 and m - 1.",
)
def _not_clipped(table: Array, n: int) -> Any:
    at = (np.arange(n) + 0.5) * len(table) / n - 0.5
    low = np.floor(at).astype(int)
    part = (at - low)[:, None]
    return table[low] * (1 - part) + table[np.minimum(low + 1, len(table) - 1)] * part
