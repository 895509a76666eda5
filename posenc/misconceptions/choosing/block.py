"""The pieces of the capstone: heads that are turned with YaRN, a cache, and a block around them.

Right, all of it; what the modules beside it exchange makes a mistake. A cache is (2, h, t, w): keys, then
values, of t tokens. W is (4, d, d): for queries, keys, values and the output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.attention import attention
from posenc.plain import Array
from posenc.rotary import rope
from posenc.scaling import yarn

#: Turns x, (h, n, w), to positions, with a stretch and the original length.
Turn = Callable[[Array, Any, float, float], Array]
#: From a cache, a row, W, a stretch and the original length to a longer cache, or to what the row attends to.
Step = Callable[..., Array]


def turn_heads(x: Array, positions: Any, s: float, original: float) -> Array:
    """Turn each row of each head to its position, with YaRN for the head's width."""
    frequencies, factor = yarn(x.shape[-1], s, original=original)
    return rope(x, positions, frequencies=frequencies, attention_factor=factor)


def split(row: Array, h: int) -> Array:
    """Cut a row of d features into h heads, (h, 1, w)."""
    return np.reshape(row, (h, 1, -1))


def append(cache: Array, key: Array, value: Array) -> Array:
    """Return the cache with a key and a value, (h, 1, w) each, behind the others."""
    return np.concatenate([cache, np.stack([key, value])], axis=2)


def extend_cache(
    cache: Array, x: Array, W: Array, s: float, original: float, *, turn: Turn = turn_heads
) -> Array:
    """Return the cache with the turned key and the plain value of row x, as the next token."""
    _, h, t, _ = cache.shape
    return append(cache, turn(split(x @ W[1], h), [t], s, original), split(x @ W[2], h))


def attend(cache: Array, x: Array, W: Array, s: float, original: float, *, turn: Turn = turn_heads) -> Array:
    """Return what row x, the last token of the cache, attends to, through the output matrix."""
    _, h, count, _ = cache.shape
    q = turn(split(x @ W[0], h), [count - 1], s, original)
    return np.asarray(attention(q, cache[0], cache[1]).reshape(-1) @ W[3])


def norm(x: Array) -> Array:
    """Scale a row to a root mean square of 1, as the lesson's own `norm` does."""
    return np.asarray(x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6))


def mlp(row: Array, U: Array, D: Array) -> Array:
    """Return two matrices with a ReLU between."""
    return np.asarray(np.maximum(row @ U, 0) @ D)


def waves(*shape: int, phase: float = 0.0) -> Array:
    """Return an array whose numbers look random and are the same everywhere."""
    k = np.arange(int(np.prod(shape)))
    return np.asarray(1.5 * np.sin(phase + 0.7 * k + k**1.5)).reshape(shape)


def weights(d: int, phase: float = 0.0) -> Array:
    """Return W, (4, d, d), of a size that leaves scores moderate."""
    return np.asarray(waves(4, d, d, phase=phase) / d**0.5)


def turned_by(f: Callable[..., Array], turn: Turn) -> Callable[..., Array]:
    """Return `extend_cache` or `attend` with keys or queries turned in another way."""

    def wrong(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
        return f(cache, x, W, s, original, turn=turn)

    return wrong


def at(f: Callable[..., Array], position: Callable[[Array], int]) -> Callable[..., Array]:
    """Return `extend_cache` or `attend` with the token at another position, made from the cache."""

    def wrong(cache: Array, x: Array, W: Array, s: float, original: float) -> Array:
        return f(cache, x, W, s, original, turn=lambda x, p, *rest: turn_heads(x, [position(cache)], *rest))

    return wrong
