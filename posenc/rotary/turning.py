"""How turns are made and applied without slow passes over memory: the arithmetic below :mod:`pairs`.

Checks nothing and decides nothing: shapes are broadcast and dtypes chosen by the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.plain import Array

_STRIDE = 64  # a power of two, so that a position splits without rounding
_PIECE = 1 << 19  # bytes of each array that are worked on at a time: few calls, and all of it in the cache


def turns_at(positions: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.complex128]:
    r"""Return ``exp(1j * p * w)``, (..., m), for positions of any shape.

    Cosine and sine are what takes the time. Whole positions close together share them: with p = 64 a + b,
    :math:`e^{i p w} = e^{i 64 a w} e^{i b w}`, and there are few `a` and 64 `b`.
    """
    a = np.floor(positions / _STRIDE)
    b = positions - _STRIDE * a
    if positions.size < 4 * _STRIDE or (b != np.floor(b)).any():
        return _exp(positions, w)
    first = a.min()
    count = a.max() - first + 1
    if not count + _STRIDE <= positions.size / 2:
        return _exp(positions, w)
    coarse = _exp(_STRIDE * (first + np.arange(count)), w)
    fine = _exp(np.arange(float(_STRIDE)), w)
    turns: NDArray[np.complex128] = coarse.take((a - first).astype(np.intp), axis=0)
    turns *= fine.take(b.astype(np.intp), axis=0)
    return turns


def _exp(positions: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.complex128]:
    angles = positions[..., None] * w  # (..., m) radians
    turns = np.empty(angles.shape, np.complex128)
    # Apart, since a complex exponential takes up to four times as long.
    turns.real, turns.imag = np.cos(angles), np.sin(angles)
    return turns


def turn_neighbours(x: Array, turns: Array, out: Array) -> None:
    """Read neighbours as complex numbers and multiply: one pass, nothing overwritten before its use."""
    pair = np.result_type(x.dtype, np.complex64)
    np.multiply(_adjacent(x).view(pair), turns.astype(pair, copy=False), out=out.view(pair))


def turn_halves(x: Array, turns: Array, out: Array) -> None:
    """Compute ``[x1, x2] * [c, c] + [x2, x1] * [-s, s]``, a piece at a time.

    Long rows are fast and half rows are slow, so the halves change places as blocks of bytes, and everything
    else runs over whole rows. What is needed beside `x` and `out` stays in the cache.
    """
    if x.ndim == 1:
        x, turns, out = x[None], turns[None], out[None]
    rows = max(1, _PIECE // (x.shape[-1] * x.itemsize))
    x, turns = _adjacent(x), np.atleast_2d(turns)
    for start in range(0, x.shape[-2], rows):
        at = (..., slice(start, start + rows), slice(None))
        _turn_rows(x[at], turns if turns.shape[-2] == 1 else turns[at], out[at])


def _turn_rows(x: Array, turns: Array, out: Array) -> None:
    half = np.dtype((np.void, x.itemsize * turns.shape[-1]))
    cos, sin = (np.broadcast_to(each, x.shape) for each in _doubled(turns, x.dtype, half))
    product = np.empty(0, x.dtype)
    for part, c, s, to in _pieces(x, cos, sin, out):
        if product.shape != part.shape:
            product = np.empty(part.shape, x.dtype)
        to.view(half)[...] = part.view(half)[..., ::-1]
        to *= s
        to += np.multiply(part, c, out=product)


def _doubled(turns: Array, dtype: np.dtype[Any], half: np.dtype[Any]) -> Array:
    """Return [c, c] and [-s, s], (2, ..., 2m), in one piece of memory."""
    planes = np.empty((6, *turns.shape), dtype)  # c, s, and the four halves of the rows
    planes[0], planes[1] = turns.real, turns.imag
    rows = planes[2:].reshape(2, *turns.shape[:-1], 2 * turns.shape[-1])
    blocks, (c, s) = rows.view(half), planes[:2, ..., None, :].view(half)[..., 0]
    blocks[0] = c
    blocks[1, ..., 1:] = s
    blocks[1, ..., :1] = np.negative(planes[1], out=planes[1]).view(half)
    return rows


def _adjacent(x: Array) -> Array:
    """Return x with features side by side in memory, as they mostly are."""
    return x if x.strides[-1] == x.itemsize else np.ascontiguousarray(x)


def _pieces(*arrays: Array) -> Iterator[tuple[Array, ...]]:
    """Cut arrays of one shape along their first axes into pieces of a bounded size, views all of them."""
    first = arrays[0]
    if first.nbytes <= _PIECE or first.ndim == 1:
        yield arrays
        return
    each = first.nbytes // len(first)
    if each > _PIECE:
        for rows in zip(*arrays, strict=True):
            yield from _pieces(*rows)
        return
    step = _PIECE // each
    for start in range(0, len(first), step):
        yield tuple(array[start : start + step] for array in arrays)
