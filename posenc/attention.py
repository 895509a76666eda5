r"""Scaled dot-product attention, its weights, and the causal mask.

Pure functions. Nothing here knows where a token stands: positions come in through `q`, `k` or `bias`. Left
out altogether they make NoPE, which is a choice too: with ``causal=True`` a head can count the keys that it
sees, and so tell where it stands (Kazemnejad et al., 2023, arXiv:2305.19466); without a mask it cannot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.plain import Array, working

__all__ = ["attention", "attention_weights", "causal_mask", "softmax"]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    """Turn scores into positive weights that sum to 1 along an axis.

    Parameters
    ----------
    x : (...) array_like
        Scores (logits). The largest is subtracted first, so that large ones do not overflow.
    axis : int, optional
        The axis along which weights sum to 1.

    Returns
    -------
    (...) ndarray
        A new array: float16, float32 and float64 as they came, anything else float64. Where all scores
        are -inf, as with nothing to attend to, weights are 0.

    Raises
    ------
    TypeError
        If `x` is not real.

    Examples
    --------
    >>> softmax([0.0, np.log(3.0)]).round(2)
    array([0.25, 0.75])
    """
    (work,), dtype = working(x)
    largest = np.max(work, axis=axis, keepdims=True, initial=-np.inf)
    weights = np.exp(work - np.where(np.isneginf(largest), 0, largest))
    total = np.sum(weights, axis=axis, keepdims=True)
    return np.asarray(weights / np.where(total == 0, 1, total)).astype(dtype, copy=False)


def causal_mask(n_q: int, n_k: int) -> NDArray[np.bool_]:
    """Say which keys each query may see: those at its own position and before.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys. The queries are the last `n_q` of the `n_k` positions.

    Returns
    -------
    (n_q, n_k) ndarray of bool
        True where the key may be seen.

    Raises
    ------
    ValueError
        If there are more queries than keys.

    Examples
    --------
    >>> causal_mask(2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    if not 0 <= n_q <= n_k:
        raise ValueError(f"n_q must be between 0 and n_k, got n_q = {n_q} and n_k = {n_k}")
    return np.tri(n_q, n_k, n_k - n_q, dtype=np.bool_)


def attention_weights(
    q: ArrayLike,
    k: ArrayLike,
    *,
    bias: ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    r"""Compute ``softmax(scale * q @ k.T + bias)``: how much each query attends to each key.

    Parameters
    ----------
    q : (..., n_q, d) array_like
        Queries.
    k : (..., n_k, d) array_like
        Keys.
    bias : (..., n_q, n_k) array_like, optional
        Added to the scaled scores.
    causal : bool, optional
        Hide keys after each query; the queries are the last `n_q` positions.
    scale : float, optional
        Multiplies the scores; ``1 / sqrt(d)`` by default.

    Returns
    -------
    (..., n_q, n_k) ndarray
        Rows sum to 1. The dtype is the widest of `q` and `k` if they are float16, float32 or float64,
        else float64.

    Raises
    ------
    ValueError
        If `q` and `k` differ in `d`, or there are more queries than keys in the causal case.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1, arXiv:1706.03762.

    Examples
    --------
    >>> attention_weights([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], scale=1.0).round(2)
    array([[0.73, 0.27]])
    """
    (q, k), dtype = working(q, k)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k must have the same d, got {q.shape[-1]} and {k.shape[-1]}")
    scores = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)  # (..., n_q, n_k)
    if bias is not None:
        scores = scores + np.asarray(bias)
    if causal:
        scores = np.where(causal_mask(*scores.shape[-2:]), scores, -np.inf)
    return softmax(scores).astype(dtype, copy=False)


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    bias: ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Average the values of all keys, weighted by how much each query attends to them.

    Parameters
    ----------
    q : (..., n_q, d) array_like
        Queries.
    k : (..., n_k, d) array_like
        Keys.
    v : (..., n_k, d_v) array_like
        Values.
    bias, causal, scale
        As in :func:`attention_weights`.

    Returns
    -------
    (..., n_q, d_v) ndarray
        The dtype is the widest of `q`, `k` and `v` if they are float16, float32 or float64, else float64.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there are more queries than keys in the causal case.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1, arXiv:1706.03762.

    Examples
    --------
    >>> attention([[0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]], [[10.0], [20.0]])
    array([[15.]])
    """
    (q, k, v), dtype = working(q, k, v)
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"k and v must have the same n_k, got {k.shape[-2]} and {v.shape[-2]}")
    out = attention_weights(q, k, bias=bias, causal=causal, scale=scale) @ v
    return out.astype(dtype, copy=False)
