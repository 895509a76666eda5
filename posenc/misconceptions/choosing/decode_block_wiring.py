"""Mistakes in how a block is wired: where it normalises, what is added to what, and what the MLP does.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.misconceptions.choosing.block import norm
from posenc.misconceptions.choosing.decode_block import DECODE_BLOCK, Row, Wiring, decoded, pre_norm
from posenc.plain import Array

__all__ = ["DECODE_BLOCK"]


def _wired(wiring: Wiring) -> Any:
    """Return the exercise with a block that is wired in another way."""

    def wrong(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
        return decoded(X, W, U, D, h, s, original, wiring=wiring)

    return wrong


def _fed(feed: Callable[[Array, Array, Array], Array]) -> Any:
    """Return the exercise with another MLP."""

    def wrong(X: Array, W: Array, U: Array, D: Array, h: int, s: float, original: float) -> Array:
        return decoded(X, W, U, D, h, s, original, feed=feed)

    return wrong


def _add(name: str, line: str, wiring: Wiring) -> None:
    DECODE_BLOCK.add(name, line)(_wired(wiring))


def _post_norm(x: Array, attention: Row, feed: Row) -> Array:
    a = norm(x + attention(x))
    return norm(a + feed(a))


def _residual_of_the_normalised(x: Array, attention: Row, feed: Row) -> Array:
    x = norm(x)
    a = norm(x + attention(x))
    return a + feed(a)


def _no_norm(x: Array, attention: Row, feed: Row) -> Array:
    a = x + attention(x)
    return a + feed(a)


def _first_norm_missing(x: Array, attention: Row, feed: Row) -> Array:
    a = x + attention(x)
    return a + feed(norm(a))


def _second_norm_missing(x: Array, attention: Row, feed: Row) -> Array:
    a = x + attention(norm(x))
    return a + feed(a)


def _first_residual_missing(x: Array, attention: Row, feed: Row) -> Array:
    a = attention(norm(x))
    return a + feed(norm(a))


def _second_residual_missing(x: Array, attention: Row, feed: Row) -> Array:
    return feed(norm(x + attention(norm(x))))


def _no_residuals(x: Array, attention: Row, feed: Row) -> Array:
    return feed(norm(attention(norm(x))))


def _second_residual_of_x(x: Array, attention: Row, feed: Row) -> Array:
    return x + feed(norm(x + attention(norm(x))))


def _parallel(x: Array, attention: Row, feed: Row) -> Array:
    return x + attention(norm(x)) + feed(norm(x))


def _mlp_first(x: Array, attention: Row, feed: Row) -> Array:
    a = x + feed(norm(x))
    return a + attention(norm(a))


_add(
    "post-norm",
    "The norms come after the sums: that is the first Transformer's block. Here each part reads a "
    "normalised row, and "
    "the sum is left as it is.",
    _post_norm,
)
_add(
    "residual-of-the-normalised",
    "The normalised row is added instead of the row itself. Normalise what a part reads, and keep x "
    "for the sum.",
    _residual_of_the_normalised,
)
_add("no-norm", "Nothing is normalised. Put norm before attention, and before the MLP.", _no_norm)
_add("first-norm-missing", "Attention reads the row as it is. It reads norm(x).", _first_norm_missing)
_add("second-norm-missing", "The MLP reads the sum as it is. It reads norm of it.", _second_norm_missing)
_add(
    "first-residual-missing",
    "The first residual is missing: add x to what attention returns.",
    _first_residual_missing,
)
_add(
    "second-residual-missing",
    "The second residual is missing: add what went into the MLP's norm to what the MLP returns.",
    _second_residual_missing,
)
_add("no-residuals", "Both residuals are missing: each part's output is added to its input.", _no_residuals)
_add(
    "second-residual-of-x",
    "The MLP's output is added to the block's input, so attention is left out of the sum. Add it to a.",
    _second_residual_of_x,
)
_add(
    "parallel",
    "Attention and MLP read the same row: a parallel block, as in GPT-J. Here the MLP reads the sum "
    "after attention.",
    _parallel,
)
_add("mlp-first", "The MLP comes before attention. Attention comes first.", _mlp_first)
_add(
    "mlp-missing",
    "The MLP is missing: that is the row after attention.",
    lambda x, attention, feed: x + attention(norm(x)),
)
_add(
    "attention-missing",
    "Attention is missing: no row sees another.",
    lambda x, attention, feed: x + feed(norm(x)),
)
_add(
    "norm-at-the-end",
    "The output is normalised as well. A model does that once, after its last block.",
    lambda x, attention, feed: norm(pre_norm(x, attention, feed)),
)

DECODE_BLOCK.add("no-relu", "The ReLU is missing: without it the two matrices of the MLP are one.")(
    _fed(lambda row, U, D: row @ U @ D)
)
DECODE_BLOCK.add("relu-after", "The ReLU comes after both matrices. It stands between them.")(
    _fed(lambda row, U, D: np.maximum(row @ U @ D, 0))
)
DECODE_BLOCK.add(
    "relu-twice", "There is a second ReLU after the MLP. There is one, between the two matrices."
)(_fed(lambda row, U, D: np.maximum(np.maximum(row @ U, 0) @ D, 0)))
