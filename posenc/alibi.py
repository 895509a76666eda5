r"""Attention with linear biases (ALiBi): a penalty on scores that grows with the distance.

Pure functions. The bias is added to scores after they are scaled by ``1 / sqrt(d)``; nothing here is learned.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.attention import causal_mask
from posenc.plain import Array, working

__all__ = ["alibi_bias", "alibi_slopes"]


def alibi_slopes(h: int) -> NDArray[np.float64]:
    r"""Return the slope of each head, in logits per position.

    Parameters
    ----------
    h : int
        Number of heads, at least 1.

    Returns
    -------
    (h,) ndarray of float64
        For a power of two, ``2 ** (-8 * j / h)`` for j from 1 to `h`. Otherwise the slopes for the largest
        power of two below, followed by every other slope (the first, third, ...) for twice that many heads.

    Raises
    ------
    ValueError
        If `h` is not positive.

    References
    ----------
    .. [1] Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables Input Length
       Extrapolation", 2022, arXiv:2108.12409, and its code for numbers of heads that are no power of two.

    Examples
    --------
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(6)[4:]
    array([0.5  , 0.125])
    """
    if h < 1:
        raise ValueError(f"h must be positive, got {h}")
    c = 1 << (h.bit_length() - 1)  # the largest power of two up to h
    return np.concatenate([_geometric(c), _geometric(2 * c)[0::2][: h - c]])


def alibi_bias(n_q: int, n_k: int, slopes: ArrayLike, *, causal: bool = True) -> Array:
    r"""Return the bias of each head: minus the slope times the distance between query and key.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys. The queries are the last `n_q` of the `n_k` positions.
    slopes : (...) array_like
        Slopes in logits per position, (h,) for `h` heads or one number for one.
    causal : bool, optional
        Set keys after the query to -inf. Otherwise the bias is symmetric, ``-slope * abs(i - j)``.

    Returns
    -------
    (..., n_q, n_k) ndarray
        The dtype is that of `slopes` if it is float16, float32 or float64, else float64.

    Raises
    ------
    ValueError
        If there are more queries than keys.

    References
    ----------
    .. [1] Press, Smith and Lewis, "Train Short, Test Long", 2022, arXiv:2108.12409.

    Examples
    --------
    >>> alibi_bias(2, 3, 0.5)
    array([[-0.5, -0. , -inf],
           [-1. , -0.5, -0. ]])
    """
    seen = causal_mask(n_q, n_k)
    (slopes,), dtype = working(slopes)
    r = np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None]  # (n_q, n_k) key minus query
    bias = -slopes[..., None, None] * np.abs(r)  # (..., n_q, n_k)
    if causal:
        bias = np.where(seen, bias, -np.inf)
    return np.asarray(bias).astype(dtype, copy=False)


def _geometric(h: int) -> NDArray[np.float64]:
    return np.asarray(2.0 ** (-8 * np.arange(1, h + 1) / h))
