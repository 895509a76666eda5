r"""RoPE of one position a vector: the table of turns, and the turning.

A table is made once and used in every layer. Nothing here remembers one.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import Array, need_even, width, working
from posenc.rotary.turning import turn_halves, turn_neighbours, turns_at

Layout: TypeAlias = Literal["interleaved", "half"]

__all__ = ["Layout", "rope", "rotate", "table"]


def table(
    positions: ArrayLike,
    d: int,
    *,
    base: float = 10000.0,
    frequencies: ArrayLike | None = None,
    attention_factor: float = 1.0,
) -> NDArray[np.complex128]:
    r"""Compute the turn of every pair at every position, to be made once and used in every layer.

    Parameters
    ----------
    positions : (...) array_like of real numbers
        Positions, of any shape.
    d : int
        Number of features of a head, even.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)``, in radians per position.
    frequencies : (m,) array_like, optional
        Frequencies in place of those, at most d/2. With fewer, the remaining features pass through.
    attention_factor : float, optional
        Multiplies cosine and sine, so that a score is multiplied by its square [2]_.

    Returns
    -------
    (..., m) ndarray of complex128
        ``attention_factor * exp(1j * p * w[i])``; `m` is d/2 unless `frequencies` says otherwise.

    Raises
    ------
    ValueError
        If `d` is odd, `base` is not positive, or `frequencies` is not a vector of at most d/2.

    References
    ----------
    .. [1] Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, arXiv:2104.09864.
    .. [2] Peng et al., "YaRN: Efficient Context Window Extension", 2023, section 3.4, arXiv:2309.00071.

    Examples
    --------
    >>> table(2, 4).round(3)
    array([-0.416+0.909j,  1.   +0.02j ])
    """
    w = spectrum(d, base, frequencies)
    turns = turns_at(np.asarray(positions, dtype=np.float64), w)
    if attention_factor != 1:
        turns *= attention_factor
    return turns


def rotate(x: ArrayLike, table: ArrayLike, *, layout: Layout = "interleaved") -> Array:
    """Turn the pairs of `x` by a table of turns.

    Parameters
    ----------
    x : (..., d) array_like
        Vectors to turn, real, `d` even.
    table : (..., m) array_like of complex
        What :func:`table` returned. Its leading axes broadcast against ``x.shape[:-1]``: for `x` of shape
        (B, h, n, d) and positions of shape (B, n), make the table from ``positions[:, None, :]``.
    layout : {"interleaved", "half"}, optional
        Which features form a pair; with m < d/2, pairs are formed within the first 2m features.

    Returns
    -------
    (..., d) ndarray
        A new array, of the dtype of `x` if that is float16 (computed in float32), float32 or float64, else
        float64.

    Raises
    ------
    ValueError
        If `d` is odd, the table has more than d/2 frequencies, or `layout` is unknown.
    TypeError
        If `x` is not real.

    Examples
    --------
    >>> rotate([1.0, 2.0, 3.0, 4.0], table(1, 4)).round(3)
    array([-1.143,  1.922,  2.96 ,  4.03 ])
    >>> rotate([1.0, 2.0, 3.0, 4.0], table(1, 4), layout="half").round(3)
    array([-1.984,  1.96 ,  2.462,  4.02 ])
    """
    (x,), dtype = working(x)
    need_even(width(x))
    turns = np.asarray(table)
    m, most = turns.shape[-1], x.shape[-1] // 2
    if m > most:
        raise ValueError(f"a table must have at most d/2 = {most} frequencies, got {m}")
    if layout not in ("interleaved", "half"):
        raise ValueError(f'layout must be "interleaved" or "half", got {layout!r}')
    shape = np.broadcast_shapes(x.shape[:-1], turns.shape[:-1])
    x = np.broadcast_to(x, (*shape, 2 * most))
    out = np.empty(x.shape, x.dtype)
    out[..., 2 * m :] = x[..., 2 * m :]  # what passes through
    if m:
        turn = turn_neighbours if layout == "interleaved" else turn_halves
        turn(x[..., : 2 * m], turns, out[..., : 2 * m])
    return out.astype(dtype, copy=False)


def rope(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    base: float = 10000.0,
    frequencies: ArrayLike | None = None,
    attention_factor: float = 1.0,
    layout: Layout = "interleaved",
) -> Array:
    """Turn each pair of `x` by its position times the frequency of the pair.

    Parameters
    ----------
    x : (..., d) array_like
        Queries or keys, real, `d` even.
    positions : array_like
        Broadcast against ``x.shape[:-1]``: a number, (n,) for (..., n, d), (B, 1, n) for (B, h, n, d).
    base, frequencies, attention_factor
        As in :func:`table`, which says what they must be.
    layout : {"interleaved", "half"}, optional
        As in :func:`rotate`, which says what returns.

    Returns
    -------
    (..., d) ndarray
        A new array.

    Examples
    --------
    >>> rope([3.0, 5.0], 2).round(3)
    array([-5.795,  0.647])
    """
    d = width(np.asarray(x))
    turns = table(positions, d, base=base, frequencies=frequencies, attention_factor=attention_factor)
    return rotate(x, turns, layout=layout)


def spectrum(d: int, base: float, frequencies: ArrayLike | None) -> NDArray[np.float64]:
    """Return the frequency of each pair that turns, (m,), in radians per position."""
    need_even(d)
    if not base > 0:
        raise ValueError(f"base must be positive, got {base}")
    if frequencies is None:
        return np.asarray(base ** (-np.arange(0, d, 2) / d))
    w = np.asarray(frequencies, dtype=np.float64)
    if w.ndim != 1 or len(w) > d // 2:
        raise ValueError(f"frequencies must be a vector of at most d/2 = {d // 2}, got shape {w.shape}")
    return w
