r"""Sinusoidal encodings: a position written as sines and cosines of many frequencies.

Pure functions of the position. Nothing here is learned, cached or limited to a longest sequence.

Two spacings of the frequencies: ``"paper"``, :math:`b^{-2i/d}`, and ``"tensor2tensor"``, which divides `i` by
d//2 - 1 instead of d/2, so that the last frequency is exactly :math:`1/b`. Two layouts of the columns:
``"interleaved"``, sin, cos, sin, cos, and ``"half"``, all sines, then all cosines.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import need_even

Float64: TypeAlias = NDArray[np.float64]
Layout: TypeAlias = Literal["interleaved", "half"]
Spacing: TypeAlias = Literal["paper", "tensor2tensor"]

__all__ = ["at", "frequencies", "shift_matrix", "sinusoidal"]


def frequencies(d: int, *, base: float = 10000.0, spacing: Spacing = "paper") -> Float64:
    r"""Return the frequency of each pair of columns, in radians per position.

    Parameters
    ----------
    d : int
        Width of a code, at least 1.
    base : float, optional
        Sets the slowest frequency.
    spacing : {"paper", "tensor2tensor"}, optional
        ``base ** (-2 * i / d)`` for i below d/2, rounded up, or ``base ** (-i / (d//2 - 1))`` for i below
        d//2.

    Returns
    -------
    (m,) ndarray of float64
        From 1 radian per position downwards.

    Raises
    ------
    ValueError
        If `d` or `base` is not positive, or `spacing` is unknown.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> frequencies(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    """
    if d < 1:
        raise ValueError(f"d must be positive, got {d}")
    if not base > 0:
        raise ValueError(f"base must be positive, got {base}")
    if spacing == "paper":
        exponent = np.arange(0, d, 2) / d
    elif spacing == "tensor2tensor":
        exponent = np.arange(d // 2) / max(d // 2 - 1, 1)
    else:
        raise ValueError(f'spacing must be "paper" or "tensor2tensor", got {spacing!r}')
    return np.asarray(base**-exponent)


def at(
    positions: ArrayLike,
    d: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
) -> Float64:
    """Encode any positions, whole or not, in any order.

    Parameters
    ----------
    positions : (...) array_like of real numbers
        Positions, of any shape.
    d : int
        Width of each code, at least 1. With odd `d` the last cosine is left out; in tensor2tensor's spacing
        the last column is 0 instead, as in its code.
    base, spacing
        As in :func:`frequencies`.
    layout : {"interleaved", "half"}, optional
        Order of the columns.

    Returns
    -------
    (..., d) ndarray of float64
        One code a position.

    Raises
    ------
    ValueError
        If `d` or `base` is not positive, or `layout` or `spacing` is unknown.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> at(1, 4).round(3)
    array([0.841, 0.54 , 0.01 , 1.   ])
    >>> at(1, 4, layout="half").round(3)
    array([0.841, 0.01 , 0.54 , 1.   ])
    """
    if layout not in ("interleaved", "half"):
        raise ValueError(f'layout must be "interleaved" or "half", got {layout!r}')
    p = np.asarray(positions, dtype=np.float64)
    angles = p[..., None] * frequencies(d, base=base, spacing=spacing)  # (..., m) radians
    sines, cosines = np.sin(angles), np.cos(angles)[..., : d // 2]
    out = np.zeros((*p.shape, d))
    if layout == "interleaved":
        out[..., 0 : 2 * sines.shape[-1] : 2] = sines
        out[..., 1::2] = cosines
    else:
        m = sines.shape[-1]
        out[..., :m] = sines
        out[..., m : m + d // 2] = cosines
    return out


def sinusoidal(
    n: int, d: int, *, base: float = 10000.0, layout: Layout = "interleaved", spacing: Spacing = "paper"
) -> Float64:
    r"""Encode positions 0 … n-1 as sines and cosines of d/2 frequencies.

    Parameters
    ----------
    n : int
        Number of positions, at least 1.
    d : int
        Width of each code, at least 1; odd `d` as in :func:`at`.
    base : float, optional
        Sets the longest wavelength, just under ``2 * pi * base`` positions.
    layout, spacing
        As in :func:`at`.

    Returns
    -------
    (n, d) ndarray of float64
        ``P[p, 2i] = sin(p * w[i])``, ``P[p, 2i+1] = cos(p * w[i])``, ``w[i] = base ** (-2 * i / d)`` in
        radians per position.

    Raises
    ------
    ValueError
        If `n`, `d` or `base` is not positive, or `layout` or `spacing` is unknown.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> sinusoidal(2, 4).round(3)
    array([[0.   , 1.   , 0.   , 1.   ],
           [0.841, 0.54 , 0.01 , 1.   ]])
    """
    if n < 1:
        raise ValueError(f"n must be positive, got {n}")
    return at(np.arange(n), d, base=base, layout=layout, spacing=spacing)


def shift_matrix(k: float, d: int, *, base: float = 10000.0) -> Float64:
    r"""Return the matrix that moves every code `k` positions on, whatever the position.

    Parameters
    ----------
    k : float
        How far, in positions; negative moves back.
    d : int
        Width of a code, even: without its cosine a sine cannot be moved.
    base : float, optional
        As in :func:`frequencies`.

    Returns
    -------
    (d, d) ndarray of float64
        Orthogonal, with ``M @ at(p, d) == at(p + k, d)`` up to rounding: blocks
        ``[[cos(w k), sin(w k)], [-sin(w k), cos(w k)]]`` along the diagonal.

    Raises
    ------
    ValueError
        If `d` is odd, or `d` or `base` is not positive.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> shift_matrix(1, 2).round(3)
    array([[ 0.54 ,  0.841],
           [-0.841,  0.54 ]])
    """
    need_even(d)
    angles = k * frequencies(d, base=base)
    M = np.zeros((d, d))
    i = np.arange(0, d, 2)
    M[i, i] = M[i + 1, i + 1] = np.cos(angles)
    M[i, i + 1] = np.sin(angles)
    M[i + 1, i] = -np.sin(angles)
    return M
