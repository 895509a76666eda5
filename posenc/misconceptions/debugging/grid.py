"""The bug of the equal count: another grid with as many patches (lesson 9), and mistakes in mending it.

After huggingface/pytorch-image-models#2737. Wrong on purpose, each in one way.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, TypeAlias

import numpy as np

from posenc.learned import interpolate_2d
from posenc.misconceptions.debugging.bug import Bug, alike
from posenc.misconceptions.entry import Family, Probe, waves
from posenc.plain import Array

Grid: TypeAlias = tuple[int, int]


def _reference(table: Array, old: Grid, new: Grid) -> Array:
    return interpolate_2d(table, old, new, align_corners=True)


def _probe(old: Grid, new: Grid, claim: str) -> Probe:
    return Probe((waves(old[0] * old[1], 2), old, new), claim)


PROBES = (
    _probe((3, 2), (3, 2), "Resized to its own grid, a table must stay as it is."),
    _probe((2, 3), (4, 5), "Corners must stay, and new rows lie on straight lines between old ones."),
    _probe((2, 3), (3, 2), "A grid with as many patches is another grid if its sides differ: read it anew."),
    _probe((2, 8), (4, 4), "From a rectangle to a square with as many patches, the table must be read anew."),
    _probe((3, 3), (5, 2), "From a square to a rectangle the same rule holds."),
    _probe((1, 9), (2, 4), "A square number of rows need not be a square: the sides are told."),
    _probe((2, 5), (2, 3), "Where one side stays, the other must still be resized."),
)

FAMILY = Family("resize_grid", _reference, PROBES)


def _sides(grid: Any) -> bool:
    return (
        np.shape(grid) == (2,) and grid.dtype.kind in "iu" and bool((1 <= grid).all() and (grid <= 64).all())
    )


def _patches(grid: Array) -> int:
    return int(grid[0]) * int(grid[1])


GRID = Bug(
    FAMILY,
    needs=(
        (lambda t, old, new: t.ndim == 2 and t.size, "table must be an array (h * w, d)."),
        (lambda t, old, new: t.size <= 10**5, "The table is larger than it need be: a small grid shows it."),
        (
            lambda t, old, new: _sides(old) and _sides(new),
            "old and new must be pairs (h, w) of whole numbers, from 1 to 64.",
        ),
        (lambda t, old, new: len(t) == _patches(old), "The table must have h * w rows, for the old (h, w)."),
    ),
    blind=(
        (
            lambda t, old, new: (old == new).all(),
            "Old and new grid are the same, and there is nothing to resize. Let them differ.",
        ),
        (
            lambda t, old, new: old[0] == old[1] and new[0] == new[1],
            "Both your grids are squares, like most images in most tests. Try a rectangle.",
        ),
        (
            lambda t, old, new: _patches(old) != _patches(new),
            "Your grids have different numbers of patches, and then the shipped program resizes as it "
            "should. Read its first condition again.",
        ),
        (
            lambda t, old, new: alike(t),
            "All rows of your table are equal: it does not matter where they are read.",
        ),
    ),
)


@FAMILY.add(
    "shipped",
    "This is still the shipped program: it compares numbers of patches, and two grids can have as many and "
    "not be the same. Compare the sides.",
)
def _shipped(table: Array, old: Grid, new: Grid) -> Any:
    return table if len(table) == new[0] * new[1] else _reference(table, old, new)


@FAMILY.add(
    "square-only",
    "A table is still handed back where the new grid is a square with as many patches. Compare both sides "
    "of both grids.",
)
def _square_only(table: Array, old: Grid, new: Grid) -> Any:
    return table if len(table) == new[0] * new[1] and new[0] == new[1] else _reference(table, old, new)


@FAMILY.add(
    "rectangle-only",
    "A table is still handed back where the new grid is a rectangle with as many patches. Compare both "
    "sides of both grids.",
)
def _rectangle_only(table: Array, old: Grid, new: Grid) -> Any:
    return table if len(table) == new[0] * new[1] and new[0] != new[1] else _reference(table, old, new)


@FAMILY.add(
    "one-side-compared",
    "A table is handed back where the heights agree, whatever the widths. Compare both sides.",
)
def _one_side_compared(table: Array, old: Grid, new: Grid) -> Any:
    return table if old[0] == new[0] else _reference(table, old, new)


@FAMILY.add(
    "sides-exchanged",
    "Height and width of the old grid are exchanged. Patches are numbered row by row of the image: reshape "
    "to (h, w).",
)
def _sides_exchanged(table: Array, old: Grid, new: Grid) -> Any:
    return table if tuple(old) == tuple(new) else _reference(table, (old[1], old[0]), new)


@FAMILY.add(
    "always-exchanged",
    "Height and width of the old grid are exchanged, also where the size stays. Reshape to (h, w): patches "
    "are numbered row by row.",
)
def _always_exchanged(table: Array, old: Grid, new: Grid) -> Any:
    return _reference(table, (old[1], old[0]), new)


@FAMILY.add(
    "new-exchanged",
    "Height and width of the new grid are exchanged: new is (h, w), as old is.",
)
def _new_exchanged(table: Array, old: Grid, new: Grid) -> Any:
    return _reference(table, old, (new[1], new[0]))


@FAMILY.add(
    "transposed",
    "The new patches are numbered column by column: the axes were exchanged for the second side, and not "
    "back again.",
)
def _transposed(table: Array, old: Grid, new: Grid) -> Any:
    grid = _reference(table, old, new).reshape(*new, -1)
    return grid.swapaxes(0, 1).reshape(len(grid) * new[1], -1)


@FAMILY.add(
    "square-assumed",
    "Where the number of rows is a square number, the old grid is taken for a square. Its sides are told: "
    "use them.",
)
def _square_assumed(table: Array, old: Grid, new: Grid) -> Any:
    side = isqrt(len(table))
    return _reference(table, (side, side) if side * side == len(table) else old, new)


@FAMILY.add(
    "half-pixels",
    "The table is read in the middle of patches, by half pixels. The shipped program aligns corners: leave "
    "its rule.",
)
def _half_pixels(table: Array, old: Grid, new: Grid) -> Any:
    return interpolate_2d(table, old, new)


@FAMILY.add(
    "nearest", "Each new row is a copy of the nearest old one. Mix neighbours, as the shipped program does."
)
def _nearest(table: Array, old: Grid, new: Grid) -> Any:
    y, x = (np.rint(np.linspace(0, m - 1, n)).astype(int) for m, n in zip(old, new, strict=True))
    return table[(y[:, None] * old[1] + x).ravel()]


@FAMILY.add(
    "as-a-line",
    "The table was resized as one long line of patches. It is a grid: resize down and across.",
)
def _as_a_line(table: Array, old: Grid, new: Grid) -> Any:
    if tuple(old) == tuple(new):
        return table
    return interpolate_2d(table, (len(table), 1), (new[0] * new[1], 1), align_corners=True)
