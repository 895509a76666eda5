r"""Rotary position embedding (RoPE): a position turns each pair of features by an angle.

Pure functions. Nothing here changes its input, draws, checks an answer or remembers a call.

A pair :math:`(x_0, x_1)` at position :math:`p` becomes :math:`(x_0 + i x_1) e^{i p w}`: counter-clockwise
by :math:`p w` radians. Angles are computed in float64 and cast last, whatever the dtype of `x`. Two
layouts say which features form pair `i` of `d`: ``"interleaved"``, neighbours (2i, 2i+1), and ``"half"``,
(i, i + d/2).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import Array, working

Layout: TypeAlias = Literal["interleaved", "half"]

__all__ = ["permute_weights", "rope", "rope_2d", "rotate", "table", "to_half", "to_interleaved"]


def table(
    positions: ArrayLike,
    d: int,
    *,
    base: float = 10000.0,
    frequencies: ArrayLike | None = None,
    attention_factor: float = 1.0,
) -> NDArray[np.complex128]:
    r"""Compute the turns of every pair at every position, to be made once and used in every layer.

    Parameters
    ----------
    positions : (...) array_like of real numbers
        Positions, of any shape.
    d : int
        Number of features of a head, even.
    base : float, optional
        Sets the frequencies ``base ** (-2 * i / d)`` in radians per position. Unused where `frequencies`
        is given.
    frequencies : (m,) array_like, optional
        Frequencies in radians per position instead, at most d/2. With fewer, the remaining features pass
        through.
    attention_factor : float, optional
        Multiplies cosine and sine (YaRN), so a score is multiplied by its square.

    Returns
    -------
    (..., m) ndarray of complex128
        ``attention_factor * exp(1j * p * w[i])``; `m` is d/2 unless `frequencies` says otherwise.

    Raises
    ------
    ValueError
        If `d` is odd or not positive, `base` is not positive, or `frequencies` is not a vector of at most
        d/2.

    References
    ----------
    .. [1] Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, arXiv:2104.09864.
    .. [2] Peng et al., "YaRN", 2023, section 3.4, arXiv:2309.00071 (the attention factor).

    Examples
    --------
    >>> table(2, 4).round(3)
    array([-0.416+0.909j,  1.   +0.02j ])
    """
    w = _frequencies(d, base) if frequencies is None else _given(frequencies, d)
    angles = np.asarray(positions, dtype=np.float64)[..., None] * w  # (..., m) radians
    turns: NDArray[np.complex128] = attention_factor * np.exp(1j * angles)
    return turns


def rotate(x: ArrayLike, table: ArrayLike, *, layout: Layout = "interleaved") -> Array:
    """Turn the pairs of `x` by a table of turns.

    Parameters
    ----------
    x : (..., d) array_like
        Vectors to turn, real, `d` even.
    table : (..., m) array_like of complex
        What :func:`table` returned. Its leading axes broadcast against ``x.shape[:-1]``: for `x` of shape
        (B, H, n, d) and positions of shape (B, n), make the table from ``positions[:, None, :]``.
    layout : {"interleaved", "half"}, optional
        Which features form a pair.

    Returns
    -------
    (..., d) ndarray
        A new array: float16, float32 and float64 as they came (float16 is computed in float32), anything
        else float64.

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
    _need_even(_width(x))
    turns = np.asarray(table, dtype=np.complex64 if x.dtype == np.float32 else np.complex128)
    if turns.shape[-1] > x.shape[-1] // 2:
        raise ValueError(
            f"a table must have at most d/2 = {x.shape[-1] // 2} frequencies, got {turns.shape[-1]}"
        )
    if layout not in ("interleaved", "half"):
        raise ValueError(f'layout must be "interleaved" or "half", got {layout!r}')
    turn = _turn_neighbours if layout == "interleaved" else _turn_halves
    out = _with_rest(x, turn(x[..., : 2 * turns.shape[-1]], turns))
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
        Broadcast against ``x.shape[:-1]``: a number, (n,) for (..., n, d), (B, 1, n) for (B, H, n, d).
    base, frequencies, attention_factor
        As in :func:`table`.
    layout : {"interleaved", "half"}, optional
        As in :func:`rotate`.

    Returns
    -------
    (..., d) ndarray
        A new array, dtype as in :func:`rotate`.

    Raises
    ------
    ValueError
        As :func:`table` and :func:`rotate`.
    TypeError
        If `x` is not real.

    References
    ----------
    .. [1] Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, arXiv:2104.09864.

    Examples
    --------
    >>> rope([3.0, 5.0], 2).round(3)
    array([-5.795,  0.647])
    """
    x = np.asarray(x)
    turns = table(positions, _width(x), base=base, frequencies=frequencies, attention_factor=attention_factor)
    return rotate(x, turns, layout=layout)


def rope_2d(
    x: ArrayLike, rows: ArrayLike, cols: ArrayLike, *, base: float = 10000.0, layout: Layout = "interleaved"
) -> Array:
    """Turn the first half of the features by the row, the second half by the column.

    Parameters
    ----------
    x : (..., d) array_like
        Vectors to turn, `d` a multiple of 4.
    rows, cols : array_like
        The two coordinates, each broadcast against ``x.shape[:-1]``.
    base : float, optional
        Each half is a RoPE of its own width: frequencies ``base ** (-2 * i / (d/2))`` in radians per
        position.
    layout : {"interleaved", "half"}, optional
        Which features form a pair, inside each half.

    Returns
    -------
    (..., d) ndarray
        A new array, dtype as in :func:`rotate`.

    Raises
    ------
    ValueError
        If `d` is not a multiple of 4.

    References
    ----------
    .. [1] Biderman et al., "Rotary Embeddings: A Relative Revolution", 2021, EleutherAI blog,
       section "Extension to multiple dimensions".

    Examples
    --------
    >>> rope_2d([1.0, 0.0, 1.0, 0.0], 0, 2).round(3)
    array([ 1.   ,  0.   , -0.416,  0.909])
    """
    x = np.asarray(x)
    d = _width(x)
    if d % 4:
        raise ValueError(f"d must be a multiple of 4, got {d}")
    halves = (
        rope(half, p, base=base, layout=layout)
        for half, p in zip(np.split(x, 2, axis=-1), (rows, cols), strict=True)
    )
    return np.concatenate(np.broadcast_arrays(*halves), axis=-1)


def to_half(x: ArrayLike) -> Array:
    """Reorder features from the interleaved to the half layout: even ones first, then odd ones.

    Parameters
    ----------
    x : (..., d) array_like
        Vectors in the interleaved layout, `d` even.

    Returns
    -------
    (..., d) ndarray
        A new array: features 0, 2, 4, ..., 1, 3, 5, ...; ``rope(to_half(x), p, layout="half")`` equals
        ``to_half(rope(x, p))``.

    Raises
    ------
    ValueError
        If `d` is odd.

    Examples
    --------
    >>> to_half([0, 1, 2, 3, 4, 5])
    array([0, 2, 4, 1, 3, 5])
    """
    x = np.asarray(x)
    _need_even(_width(x))
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def to_interleaved(x: ArrayLike) -> Array:
    """Reorder features from the half to the interleaved layout, the inverse of :func:`to_half`.

    Parameters
    ----------
    x : (..., d) array_like
        Vectors in the half layout, `d` even.

    Returns
    -------
    (..., d) ndarray
        A new array: features 0, d/2, 1, d/2 + 1, ...

    Raises
    ------
    ValueError
        If `d` is odd.

    Examples
    --------
    >>> to_interleaved([0, 2, 4, 1, 3, 5])
    array([0, 1, 2, 3, 4, 5])
    """
    x = np.asarray(x)
    _need_even(_width(x))
    return np.stack(np.split(x, 2, axis=-1), axis=-1).reshape(x.shape)


def permute_weights(w: ArrayLike, h: int) -> Array:
    """Reorder the rows of a query or key projection, head by head, from interleaved to half.

    A checkpoint trained with interleaved RoPE then runs in code that pairs halves, with the same scores.
    Apply it to the projections of queries and keys, not of values; with grouped queries, keys have their
    own, smaller `h`.

    Parameters
    ----------
    w : (h * d, ...) array_like
        Weights, (h * d, n_in), or a bias, (h * d,).
    h : int
        Number of heads in `w`.

    Returns
    -------
    (h * d, ...) ndarray
        A new array.

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
    if w.ndim < 1 or h < 1 or w.shape[0] % h:
        raise ValueError(f"the rows of w must divide into h heads, got shape {w.shape} and h = {h}")
    d = w.shape[0] // h
    _need_even(d)
    return np.array(w.reshape(h, d // 2, 2, *w.shape[1:]).swapaxes(1, 2)).reshape(w.shape)


def _need_even(d: int) -> None:
    if d % 2 or d < 2:
        raise ValueError(f"d must be even, got {d}" if d % 2 else f"d must be at least 2, got {d}")


def _width(x: Array) -> int:
    if x.ndim == 0:
        raise ValueError("x must have an axis of features, got a single number")
    return int(x.shape[-1])


def _frequencies(d: int, base: float) -> NDArray[np.float64]:
    _need_even(d)
    if not base > 0:
        raise ValueError(f"base must be positive, got {base}")
    w: NDArray[np.float64] = base ** (-np.arange(0, d, 2) / d)
    return w


def _given(frequencies: ArrayLike, d: int) -> NDArray[np.float64]:
    _need_even(d)
    w = np.asarray(frequencies, dtype=np.float64)
    if w.ndim != 1 or len(w) > d // 2:
        raise ValueError(f"frequencies must be a vector of at most d/2 = {d // 2}, got shape {w.shape}")
    return w


def _turn_neighbours(x: Array, turns: Array) -> Array:
    """Read neighbours as complex numbers and multiply: one pass, nothing overwritten before its use."""
    pairs = np.ascontiguousarray(x).view(turns.dtype)  # (..., m)
    return np.multiply(pairs, turns, order="C").view(x.dtype)


def _turn_halves(x: Array, turns: Array) -> Array:
    first, second = np.split(x, 2, axis=-1)
    c, s = turns.real, turns.imag
    return np.concatenate([first * c - second * s, first * s + second * c], axis=-1)


def _with_rest(x: Array, turned: Array) -> Array:
    """Append the features that pass through, as often as the positions ask for."""
    width = turned.shape[-1]
    if width == x.shape[-1]:
        return turned
    rest = np.broadcast_to(x[..., width:], (*turned.shape[:-1], x.shape[-1] - width))
    return np.concatenate([turned, rest], axis=-1)
