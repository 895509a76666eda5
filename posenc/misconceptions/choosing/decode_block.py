"""The exercise ``decode_block(X, W, U, D, h, s, original)`` and its probes: a block, a token at a time.

The mistakes are in the modules beside this one: in how the block is wired, and in what it remembers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from posenc.misconceptions.choosing.block import attend, extend_cache, mlp, norm, waves, weights
from posenc.misconceptions.entry import Family, Probe
from posenc.plain import Array

Row: TypeAlias = Callable[[Array], Array]
#: From a row, its attention and its MLP to the block's output for that row.
Wiring: TypeAlias = Callable[[Array, Row, Row], Array]


def _probe(n: int, h: int, w: int, m: int, s: float, original: float, claim: str) -> Probe:
    d = h * w
    U, D = waves(d, m, phase=1) / d**0.5, waves(m, d, phase=2) / m**0.5
    return Probe((waves(n, d, phase=3), weights(d, phase=4), U, D, h, s, original), claim)


PROBES = (
    _probe(
        1, 3, 4, 5, 1, 100,
        "With one token: a = x + W[3] of its value, then a + MLP; each part reads a normalised row.",
    ),
    _probe(
        7, 3, 6, 10, 2, 100,
        "Row t must equal row t of the full causal pass, with both residuals and a norm before each part.",
    ),
    _probe(
        5, 2, 16, 9, 4, 256,
        "Decoding must equal the full causal pass for any number of heads and any stretch.",
    ),
)  # fmt: skip


def pre_norm(x: Array, attention: Row, feed: Row) -> Array:
    """Wire a block as the exercise asks: normalise, attend, add; normalise, feed, add."""
    a = x + attention(norm(x))
    return a + feed(norm(a))


def decoded(
    X: Array,
    W: Array,
    U: Array,
    D: Array,
    h: int,
    s: float,
    original: float,
    *,
    wiring: Wiring = pre_norm,
    feed: Callable[[Array, Array, Array], Array] = mlp,
) -> Array:
    """Decode token by token with one cache, the block wired as told."""
    cache = np.zeros((2, h, 0, X.shape[1] // h))

    def attention(row: Array) -> Array:
        nonlocal cache
        cache = extend_cache(cache, row, W, s, original)
        return attend(cache, row, W, s, original)

    return np.array([wiring(x, attention, lambda row: feed(row, U, D)) for x in X])


def _reference(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
    return decoded(X, W, U, D, h, s, original)


DECODE_BLOCK = Family("decode_block", _reference, PROBES)
