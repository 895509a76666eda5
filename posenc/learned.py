r"""Learned encodings: a table with a row for each position, read with care, and resized to other lengths.

Pure functions of a table that somebody else trained. Nothing here learns, wraps around or reads past the end.

Resizing is linear, without antialiasing, and takes sizes, never their ratio: a ratio of floats times the old
size can fall short of the new one. ``align_corners=False`` places samples in the middle of their pixels, as
torch does by default; ``align_corners=True`` keeps the first and last in place, as ViT's own code does.
"""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import Array, working

__all__ = ["interpolate_1d", "interpolate_2d", "lookup", "positions_from_mask"]


def lookup(table: ArrayLike, positions: ArrayLike) -> Array:
    """Copy the row of each position.

    Parameters
    ----------
    table : (n, d) array_like
        One row a position.
    positions : (...) array_like of int
        Positions from 0 to n-1. With a cache of `m` tokens the next one has position `m`.

    Returns
    -------
    (..., d) ndarray
        A new array, of the dtype of `table` if that is float16, float32 or float64, else float64.

    Raises
    ------
    IndexError
        If a position is below 0 or past the end: a negative one would count from the end of the table.
    TypeError
        If `positions` is not of integers, or `table` is not real.
    ValueError
        If `table` is not a matrix.

    References
    ----------
    .. [1] Gehring et al., "Convolutional Sequence to Sequence Learning", 2017, section 3.1, arXiv:1705.03122.

    Examples
    --------
    >>> lookup([[0.0, 0.5], [1.0, 1.5]], [1, 0, 1])
    array([[1. , 1.5],
           [0. , 0.5],
           [1. , 1.5]])
    """
    rows, dtype = _matrix(table)
    p = np.asarray(positions)
    if p.size and p.dtype.kind not in "iu":
        raise TypeError(f"positions must be integers, got dtype {p.dtype}")
    if wrong := p[(p < 0) | (p >= len(rows))].tolist():
        raise IndexError(f"positions must be from 0 to {len(rows) - 1}, got {wrong[0]}")
    return rows[p.astype(np.intp)].astype(dtype)


def positions_from_mask(mask: ArrayLike) -> NDArray[np.int64]:
    """Count the tokens that are there, so that padding on the left moves none of them.

    Parameters
    ----------
    mask : (..., n) array_like
        True or 1 for a token, False or 0 for padding.

    Returns
    -------
    (..., n) ndarray of int64
        0, 1, 2, ... at the tokens. Padding gets 0, a row that exists: attention has to hide it.

    Raises
    ------
    ValueError
        If `mask` has other values, such as the 0 and -inf of a mask to be added, or no axis.

    Examples
    --------
    >>> positions_from_mask([[0, 0, 1, 1, 1], [1, 1, 1, 1, 0]])
    array([[0, 0, 0, 1, 2],
           [0, 1, 2, 3, 0]])
    """
    mask = np.asarray(mask)
    if mask.ndim == 0:
        raise ValueError("mask must have an axis of positions, got a single number")
    if wrong := mask[(mask != 0) & (mask != 1)].tolist():
        raise ValueError(f"mask must be 1 for a token and 0 for padding, got {wrong[0]}")
    there = mask.astype(np.int64)
    return np.asarray((np.cumsum(there, axis=-1) - 1) * there)


def interpolate_1d(
    table: ArrayLike, n: SupportsIndex, *, prefix: int = 0, align_corners: bool = False
) -> Array:
    """Resize a table to `n` positions, on straight lines between its rows.

    Parameters
    ----------
    table : (prefix + m, d) array_like
        One row a position, m at least 1.
    n : int
        New number of positions, at least 1, not counting the prefix.
    prefix : int, optional
        How many rows at the start belong to no position (a class token) and are kept as they are.
    align_corners : bool, optional
        Keep first and last row in place. Otherwise row `j` is read at ``(j + 1/2) * m / n - 1/2``, and
        beyond the ends the end rows are repeated.

    Returns
    -------
    (prefix + n, d) ndarray
        A new array, of the dtype of `table` if that is float16 (computed in float32), float32 or float64,
        else float64.

    Raises
    ------
    ValueError
        If `n` is not positive, no row is left after the prefix, or `table` is not a matrix.
    TypeError
        If `n` is not an integer, or `table` is not real.

    Examples
    --------
    >>> interpolate_1d([[0.0], [1.0]], 4).ravel()
    array([0.  , 0.25, 0.75, 1.  ])
    >>> interpolate_1d([[0.0], [1.0]], 4, align_corners=True).ravel().round(3)
    array([0.   , 0.333, 0.667, 1.   ])
    """
    rows, dtype = _matrix(table)
    _need_prefix(prefix, len(rows))
    resized = _resize(rows[prefix:], _size("n", n), 0, align_corners)
    return np.concatenate([rows[:prefix], resized]).astype(dtype, copy=False)


def interpolate_2d(
    table: ArrayLike,
    old: tuple[SupportsIndex, SupportsIndex],
    new: tuple[SupportsIndex, SupportsIndex],
    *,
    prefix: int = 0,
    align_corners: bool = False,
) -> Array:
    """Resize a table whose rows stand for the cells of a grid, row by row of the grid.

    Parameters
    ----------
    table : (prefix + old[0] * old[1], d) array_like
        Cell (y, x) of the grid has row ``prefix + y * old[1] + x``.
    old, new : (height, width) of int
        Sizes of the grid, each at least 1. Grids need not be square.
    prefix : int, optional
        How many rows at the start belong to no cell (class token, registers) and are kept as they are.
    align_corners : bool, optional
        As in :func:`interpolate_1d`, along both axes.

    Returns
    -------
    (prefix + new[0] * new[1], d) ndarray
        A new array; the dtype as in :func:`interpolate_1d`.

    Raises
    ------
    ValueError
        If the rows are not those of the prefix and the old grid, a size is not positive, or `table` is not
        a matrix.
    TypeError
        If a size is not an integer, or `table` is not real.

    References
    ----------
    .. [1] Dosovitskiy et al., "An Image is Worth 16x16 Words", 2021, section 3.2, arXiv:2010.11929, and its
       code, ``vit_jax/checkpoint.py``, which aligns corners.

    Examples
    --------
    >>> interpolate_2d([[0.0], [1.0], [2.0], [3.0]], (2, 2), (1, 4)).ravel()
    array([1.  , 1.25, 1.75, 2.  ])
    """
    rows, dtype = _matrix(table)
    (h, w), (to_h, to_w) = _sizes("old", old), _sizes("new", new)
    if prefix < 0 or len(rows) != prefix + h * w:
        raise ValueError(f"table must have prefix + {h} * {w} rows, got {len(rows)} with prefix = {prefix}")
    grid = rows[prefix:].reshape(h, w, -1)  # (h, w, d)
    grid = _resize(_resize(grid, to_h, 0, align_corners), to_w, 1, align_corners)
    return np.concatenate([rows[:prefix], grid.reshape(to_h * to_w, -1)]).astype(dtype, copy=False)


def _matrix(table: ArrayLike) -> tuple[Array, np.dtype[np.generic]]:
    (rows,), dtype = working(table)
    if rows.ndim != 2:
        raise ValueError(f"table must be a matrix (n, d), got shape {rows.shape}")
    return rows, dtype


def _need_prefix(prefix: int, n: int) -> None:
    if not 0 <= prefix < n:
        raise ValueError(f"prefix must be from 0 to {n - 1}, got {prefix}")


def _size(name: str, n: SupportsIndex) -> int:
    """Return a size as a plain int: a float here is most often a ratio, or comes of one."""
    try:
        size = index(n)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {n!r}") from None
    if size < 1:
        raise ValueError(f"{name} must be positive, got {size}")
    return size


def _sizes(name: str, grid: tuple[SupportsIndex, SupportsIndex]) -> tuple[int, int]:
    if len(grid) != 2:
        raise ValueError(f"{name} must be (height, width), got {grid}")
    return _size(f"{name} height", grid[0]), _size(f"{name} width", grid[1])


def _resize(x: Array, n: int, axis: int, align_corners: bool) -> Array:
    """Sample an axis at `n` points; places are quotients of whole numbers, so that equal sizes copy."""
    m = x.shape[axis]
    j = np.arange(n)
    at = j * (m - 1) / max(n - 1, 1) if align_corners else ((2 * j + 1) * m - n) / (2 * n)
    at = np.maximum(at, 0)  # past the end both neighbours are the last row
    below = at.astype(np.intp)
    t = (at - below).astype(x.dtype).reshape(-1, *[1] * (x.ndim - 1 - axis))  # along the axis
    low, high = x.take(below, axis), x.take(np.minimum(below + 1, m - 1), axis)
    return np.asarray(low * (1 - t) + high * t)
