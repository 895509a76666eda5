r"""Layers of a Transformer, forward and backward: each returns its output and how to go back.

``y, back = layer(x, ...)``; ``back(dy)`` takes the gradient of a loss with respect to `y` and returns those
with respect to what the layer was given, in that order. Every gradient is worked out by hand and written out
here; nothing is traced. This room knows no parameters by name and no encoding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Back: TypeAlias = Callable[[Array], Any]

EPSILON = 1e-6


def linear(x: Array, W: Array) -> tuple[Array, Back]:
    """Multiply features (..., d) by a matrix (d, m)."""

    def back(dy: Array) -> tuple[Array, Array]:
        return dy @ W.T, flat(x).T @ flat(dy)

    return x @ W, back


def embedding(tokens: Array, table: Array) -> tuple[Array, Back]:
    """Read the row of each token, (...) of int, from a table (n_tokens, d)."""

    def back(dy: Array) -> Array:
        # One row of ones a token: a product of matrices adds rows up faster than np.add.at.
        return one_hot(tokens.ravel(), len(table), dy.dtype).T @ flat(dy)

    return table[tokens], back


def rms_norm(x: Array) -> tuple[Array, Back]:
    """Scale each row of features to a root mean square of 1; no gain is learned."""
    scale = 1 / np.sqrt(mean_of_product(x, x) + EPSILON)
    y = x * scale

    def back(dy: Array) -> Array:
        return scale * (dy - y * mean_of_product(dy, y))

    return y, back


def relu(x: Array) -> tuple[Array, Back]:
    """Set what is negative to 0."""
    on = x > 0
    return x * on, lambda dy: dy * on


def softmax(x: Array) -> tuple[Array, Back]:
    """Turn scores into weights that sum to 1 along the last axis."""
    y = np.exp(x - x.max(axis=-1, keepdims=True))
    y /= y.sum(axis=-1, keepdims=True)

    def back(dy: Array) -> Array:
        return np.asarray(y * (dy - np.einsum("...i,...i->...", dy, y)[..., None]))

    return y, back


def turned(x: Array, maps: Array | None) -> tuple[Array, Back]:
    """Apply a linear map to the features of each position: (..., n, d), maps (n, d, d) or None."""
    if maps is None:
        return x, lambda dy: dy
    return apply(x, maps), lambda dy: apply(dy, maps.swapaxes(-1, -2))


def apply(x: Array, maps: Array) -> Array:
    """Multiply the rows at each position by that position's matrix."""
    rows = np.moveaxis(x, -2, 0).reshape(len(maps), -1, x.shape[-1])  # (n, batch * h, d)
    return np.moveaxis((rows @ maps).reshape(len(maps), *x.shape[:-2], -1), 0, -2)


def attention(q: Array, k: Array, v: Array, bias: Array) -> tuple[Array, Back]:
    """Attend: all (batch, h, n, d), with a bias (h, n, n) that is -inf where a key may not be seen."""
    scale = q.dtype.type(q.shape[-1] ** -0.5)
    weights, back_softmax = softmax(q @ k.swapaxes(-1, -2) * scale + bias)

    def back(dy: Array) -> tuple[Array, Array, Array, Array]:
        dscores = back_softmax(dy @ v.swapaxes(-1, -2))
        dv = weights.swapaxes(-1, -2) @ dy
        dbias = dscores.sum(axis=0)
        dscores *= scale
        return dscores @ k, dscores.swapaxes(-1, -2) @ q, dv, dbias

    return weights @ v, back


def cross_entropy(logits: Array, targets: Array) -> tuple[Array, Back]:
    """Return minus the log probability of each target, in nats: logits (..., n_out), targets (...)."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    at = targets[..., None]

    def back(dloss: Array) -> Array:
        d = np.exp(log_p)
        np.put_along_axis(d, at, np.take_along_axis(d, at, axis=-1) - 1, axis=-1)
        return np.asarray(d * dloss[..., None])

    return -np.take_along_axis(log_p, at, axis=-1)[..., 0], back


def flat(x: Array) -> Array:
    """Return rows of features as one matrix."""
    return x.reshape(-1, x.shape[-1])


def one_hot(index: Array, n: int, dtype: Any) -> Array:
    """Return rows that are 1 at an index and 0 elsewhere."""
    return np.asarray(np.arange(n) == index[:, None], dtype=dtype)


def mean_of_product(a: Array, b: Array) -> Array:
    """Return the mean of a * b over features, kept as an axis of length 1."""
    return np.asarray(np.einsum("...i,...i->...", a, b)[..., None] / a.dtype.type(a.shape[-1]))
