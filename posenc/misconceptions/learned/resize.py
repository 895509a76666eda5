"""The exercise ``resize(table, old, new)``: a class token, then a grid, resized by half pixels.

Holds its probes and the pieces that wrong implementations are made of; the mistakes are in `resize_places`
(where a new point is read) and `resize_grid` (how rows are laid out).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.learned import interpolate_2d
from posenc.misconceptions.entry import Answer, Family, Probe, waves

Array = NDArray[Any]
Grid: TypeAlias = tuple[int, int]
#: ``(rows, n) -> rows``: an axis 0 of any length, brought to length n.
Along: TypeAlias = Callable[[Array, int], Any]


def right(table: Array, old: Grid, new: Grid) -> Any:
    """Resize as the exercise asks."""
    return interpolate_2d(table, old, new, prefix=1)


def _kept(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where the class token is not kept."""
    if np.allclose(got[0], args[0][0]):
        return None
    return "Row 0 is the class token: it stands nowhere in the image, and must come back as it is."


PROBES = (
    Probe(
        (waves(3, 2), (1, 2), (1, 4)),
        "Along a row of two patches, four new ones are read at -1/4, 1/4, 3/4 and 5/4, kept inside 0 and 1.",
    ),
    Probe(
        (waves(3, 2), (2, 1), (4, 1)),
        "Along a column of two patches, four new ones are read at -1/4, 1/4, 3/4 and 5/4, kept inside 0 and"
        " 1.",
    ),
    Probe((waves(10, 2), (3, 3), (5, 5)), "A square grid is resized along its rows and along its columns."),
    Probe(
        (waves(7, 3), (2, 3), (2, 3)),
        "Resized to its own size, a table stays as it is: patch (y, x) is row 1 + y * w + x.",
    ),
    Probe(
        (waves(7, 3), (2, 3), (3, 2)),
        "As many patches as before, on another grid: they stand elsewhere, and have to be read anew.",
    ),
    Probe(
        (waves(7, 2), (2, 3), (5, 4)),
        "new is (height, width): the result holds its rows of patches one after the other.",
    ),
    Probe(
        (waves(21, 2), (4, 5), (2, 3)),
        "Fewer patches than before are read by the same rule, between the two nearest old ones along each "
        "axis.",
    ),
    Probe(
        (waves(38, 1), (1, 37), (1, 39)),
        "The result has exactly the size that was asked for: compute with sizes, never with a rounded ratio.",
    ),
)

RESIZE = Family("resize", right, PROBES, invariant=_kept)


def laid_out(along: Along, *, edit: Callable[[Array], Array] = lambda grid: grid) -> Answer:
    """Make a mistake along each axis, or in the grid, all else being right."""

    def wrong_resize(table: Array, old: Grid, new: Grid) -> Any:
        grid = edit(table[1:].reshape(*old, -1))
        grid = both(along, grid, new)
        return np.concatenate([table[:1], grid.reshape(-1, table.shape[1])])

    return wrong_resize


def both(along: Along, grid: Array, new: Grid) -> Any:
    """Resize a grid (h, w, d) along its rows, then along its columns."""
    tall = along(grid, new[0])
    return np.swapaxes(along(np.swapaxes(tall, 0, 1), new[1]), 0, 1)


def places(m: int, n: int) -> Any:
    """Return where n new points lie among m old ones, in old points."""
    return (np.arange(n) + 0.5) * m / n - 0.5


def between(rows: Array, c: Array) -> Any:
    """Read rows at places c, on straight lines, the end rows beyond the ends."""
    c = np.clip(c, 0, len(rows) - 1)
    low = np.floor(c).astype(int)
    high = np.minimum(low + 1, len(rows) - 1)
    t = (c - low).reshape(-1, *[1] * (rows.ndim - 1))
    return rows[low] * (1 - t) + rows[high] * t


def half_pixel(rows: Array, n: int) -> Any:
    """Resize axis 0 as the exercise asks."""
    return between(rows, places(len(rows), n))
