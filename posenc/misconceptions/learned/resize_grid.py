"""Mistakes in ``resize(table, old, new)``: how rows are laid out on the grid, and the class token.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.learned.resize import RESIZE, Array, Grid, both, half_pixel, laid_out, right

__all__ = ["RESIZE"]


def _grid(table: Array, old: Grid) -> Any:
    return table[1:].reshape(*old, -1)


def _back(table: Array, grid: Array) -> Any:
    """Lay a grid out row by row again, behind the class token."""
    return np.concatenate([table[:1], grid.reshape(-1, table.shape[1])])


# --- the class token


@RESIZE.add(
    "class-on-the-line",
    "The whole table, class token included, was resized as one long line. Keep row 0 as it is, give the "
    "others their grid, and resize along both axes.",
)
def _class_on_the_line(table: Array, old: Grid, new: Grid) -> Any:
    return half_pixel(table, 1 + new[0] * new[1])


@RESIZE.add(
    "class-dropped",
    "The class token is missing. Keep row 0 of the table and put it before the resized grid.",
)
def _class_dropped(table: Array, old: Grid, new: Grid) -> Any:
    return right(table, old, new)[1:]


@RESIZE.add("class-last", "The class token came last. It is row 0 of the table, and stays row 0.")
def _class_last(table: Array, old: Grid, new: Grid) -> Any:
    return np.roll(right(table, old, new), -1, axis=0)


@RESIZE.add(
    "class-zeroed",
    "The class token came back as zeros. It was trained like every other row: keep row 0 of the table.",
)
def _class_zeroed(table: Array, old: Grid, new: Grid) -> Any:
    out = right(table, old, new)
    out[0] = 0
    return out


@RESIZE.add(
    "class-in-the-grid",
    "The grid was read from row 0 on, so every patch has the row before its own and the class token sits in"
    " a corner. The grid begins at row 1.",
)
def _class_in_the_grid(table: Array, old: Grid, new: Grid) -> Any:
    return _back(table, both(half_pixel, table[:-1].reshape(*old, -1), new))


# --- the grid


@RESIZE.add(
    "as-a-line",
    "The patches were resized as one long line, across the ends of the rows of the image. Give them their "
    "grid first, (h, w, d), and resize along both axes.",
)
def _as_a_line(table: Array, old: Grid, new: Grid) -> Any:
    return _back(table, half_pixel(table[1:], new[0] * new[1]))


@RESIZE.add(
    "height-width-swapped",
    "Height and width were exchanged, in the old grid and the new one: it cannot be seen on squares. "
    "Reshape to (h, w, d), height first.",
)
def _height_width_swapped(table: Array, old: Grid, new: Grid) -> Any:
    return right(table, old[::-1], new[::-1])


@RESIZE.add(
    "old-swapped",
    "Height and width of the old grid were exchanged: it cannot be seen on squares. Reshape to (h, w, d), "
    "height first.",
)
def _old_swapped(table: Array, old: Grid, new: Grid) -> Any:
    return right(table, old[::-1], new)


@RESIZE.add(
    "new-swapped",
    "Height and width of the new grid were exchanged: it cannot be seen on squares. new is (height, width),"
    " like old.",
)
def _new_swapped(table: Array, old: Grid, new: Grid) -> Any:
    return right(table, old, new[::-1])


@RESIZE.add(
    "column-by-column",
    "The old grid is right, but the new one was laid out column by column. Rows of patches follow each "
    "other: bring the axes back to (height, width, d) before you reshape.",
)
def _column_by_column(table: Array, old: Grid, new: Grid) -> Any:
    return _back(table, both(half_pixel, _grid(table, old), new).swapaxes(0, 1))


@RESIZE.add(
    "features-as-height",
    "The reshape put the features before the grid, (d, h, w), which mixes features with patches. Reshape to "
    "(h, w, d) first, and move axes afterwards.",
)
def _features_as_height(table: Array, old: Grid, new: Grid) -> Any:
    grid = np.moveaxis(table[1:].reshape(-1, *old), 0, -1)
    return _back(table, both(half_pixel, grid, new))


@RESIZE.add(
    "square-assumed",
    "A square grid was assumed, from the root of the number of rows. Images may be rectangles: use the "
    "sizes in old.",
)
def _square_assumed(table: Array, old: Grid, new: Grid) -> Any:
    side = int(np.sqrt(len(table) - 1))
    return (
        right(table, (side, side), new)
        if side * side == len(table) - 1
        else table[1:].reshape(side, side, -1)
    )


@RESIZE.add(
    "same-count-unchanged",
    "With as many patches as before the table came back as it was. The grid may still have another shape: "
    "compare the sizes, not their product.",
)
def _same_count_unchanged(table: Array, old: Grid, new: Grid) -> Any:
    return table if np.prod(old) == np.prod(new) else right(table, old, new)


@RESIZE.add(
    "height-only",
    "Only the height was resized by the rule; along the width patches were copied or left out. Use the rule"
    " along both axes.",
)
def _height_only(table: Array, old: Grid, new: Grid) -> Any:
    tall = half_pixel(_grid(table, old), new[0])
    return _back(table, tall[:, np.arange(new[1]) * old[1] // new[1]])


@RESIZE.add(
    "width-only",
    "Only the width was resized by the rule; along the height patches were copied or left out. Use the rule"
    " along both axes.",
)
def _width_only(table: Array, old: Grid, new: Grid) -> Any:
    wide = both(half_pixel, _grid(table, old), (old[0], new[1]))
    return _back(table, wide[np.arange(new[0]) * old[0] // new[0]])


@RESIZE.add("unchanged", "The table came back as it was. Read the new grid from it, along both axes.")
def _unchanged(table: Array, old: Grid, new: Grid) -> Any:
    return table


# --- in place of interpolation


@RESIZE.add(
    "repeated",
    "np.resize repeats the rows from the top until there are enough, wherever they stood. Interpolate on "
    "the grid instead.",
)
def _repeated(table: Array, old: Grid, new: Grid) -> Any:
    return np.concatenate([table[:1], np.resize(table[1:], (new[0] * new[1], table.shape[1]))])


@RESIZE.add(
    "cut-out",
    "The old grid was cut to the new size, or filled up with its edges, as if the new image were a detail "
    "of the old. It shows the same view in other patches: interpolate.",
)
def _cut_out(table: Array, old: Grid, new: Grid) -> Any:
    rows, columns = (np.minimum(np.arange(n), m - 1) for m, n in zip(old, new, strict=True))
    return _back(table, _grid(table, old)[rows][:, columns])


@RESIZE.add(
    "filled-with-zeros",
    "New patches beyond the old grid are zeros, as if the image had been extended. It shows the same view "
    "in more patches: interpolate.",
)
def _filled_with_zeros(table: Array, old: Grid, new: Grid) -> Any:
    out = np.zeros((*new, table.shape[1]))
    h, w = (min(m, n) for m, n in zip(old, new, strict=True))
    out[:h, :w] = _grid(table, old)[:h, :w]
    return _back(table, out)


RESIZE.add(
    "upside-down",
    "The image is upside down: the rows of the grid came in reverse. Row 1 of the table is the top left "
    "patch.",
)(laid_out(half_pixel, edit=lambda grid: grid[::-1]))
RESIZE.add(
    "mirrored",
    "The image is mirrored: the columns of the grid came in reverse. Row 1 of the table is the top left "
    "patch.",
)(laid_out(half_pixel, edit=lambda grid: grid[:, ::-1]))
