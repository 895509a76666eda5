"""From one layout of pairs to the other: features, and the weights that make them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc.plain import Array, need_even, width

__all__ = ["permute_weights", "to_half", "to_interleaved"]


def to_half(x: ArrayLike) -> Array:
    """Copy features of (..., d) from the interleaved to the half layout: even ones first, then odd ones.

    ``rope(to_half(x), p, layout="half")`` equals ``to_half(rope(x, p))``. Raises ValueError if `d` is odd.

    Examples
    --------
    >>> to_half([0, 1, 2, 3, 4, 5])
    array([0, 2, 4, 1, 3, 5])
    """
    x = np.asarray(x)
    need_even(width(x))
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def to_interleaved(x: ArrayLike) -> Array:
    """Copy features of (..., d) from the half to the interleaved layout, the inverse of :func:`to_half`.

    Examples
    --------
    >>> to_interleaved([0, 2, 4, 1, 3, 5])
    array([0, 1, 2, 3, 4, 5])
    """
    x = np.asarray(x)
    need_even(width(x))
    return np.stack(np.split(x, 2, axis=-1), axis=-1).reshape(x.shape)


def permute_weights(w: ArrayLike, h: int) -> Array:
    """Copy the rows of a query or key projection, head by head, from interleaved to half.

    A checkpoint trained with interleaved RoPE then runs in code that pairs halves, with the same scores.
    `w` is a matrix, (h * d, n_in), or a bias, (h * d,). Values are not turned, so their projection stays;
    with grouped queries, keys have a smaller `h` of their own.

    Raises
    ------
    ValueError
        If the rows do not divide into `h` heads of even width.

    Examples
    --------
    >>> permute_weights([0, 1, 2, 3, 4, 5, 6, 7], 2)
    array([0, 2, 1, 3, 4, 6, 5, 7])
    """
    w = np.asarray(w)
    if w.ndim < 1 or h < 1 or len(w) % h:
        raise ValueError(f"the rows of w must divide into h heads, got shape {w.shape} and h = {h}")
    need_even(len(w) // h)
    by_pair = w.reshape(h, len(w) // h // 2, 2, *w.shape[1:])  # (h, d/2, 2, ...)
    return np.array(by_pair.swapaxes(1, 2)).reshape(w.shape)
