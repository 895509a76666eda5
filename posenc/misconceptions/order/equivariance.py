"""The exercise ``is_equivariant(f, X, order)``: whether the rows of f(X) follow those of X.

Every probe is a function, an input and an order, and the right answer is True or False. Holds the probes and
the pieces that wrong implementations are made of; the mistakes are in `equivariance_order` and
`equivariance_comparison`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc.attention import attention
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]
Function: TypeAlias = Callable[[Array], Array]

_X = 3 * np.sin(np.arange(48.0) ** 1.5).reshape(6, 8)
_CYCLE, SWAP = np.array([3, 1, 0, 5, 2, 4]), np.array([1, 0, 2, 3, 4, 5])
_TENTHS = np.array([[0.1], [0.2], [0.3], [0.7], [1.1], [1.3]])


def _at_places(X: Array, f: Callable[[Array], Array]) -> Any:
    """Add to each row a number that depends on where it stands."""
    return X + f(np.arange(len(X)))[:, None]


def _third_doubled(X: Array) -> Any:
    return np.where(np.arange(len(X))[:, None] == 2, 2 * X, X)


def _last_doubled(X: Array) -> Any:
    return np.where(np.arange(len(X))[:, None] == len(X) - 1, 2 * X, X)


def _summed(X: Array) -> Any:
    """Scale by the sum of the rows, added from the first to the last: rounding depends on their order."""
    return X * np.cumsum(X, axis=0)[-1]


def _mixed(X: Array) -> Any:
    """Map each row by one matrix, which features see and rows do not."""
    d = X.shape[1]
    return X @ np.cos(np.arange(d * d)).reshape(d, d)


PROBES = (
    Probe(
        (lambda X: 2 * X, _X, _CYCLE),
        "Doubling is equivariant for every order: permute the rows of the input, and those of the output.",
    ),
    Probe(
        (lambda X: attention(X, X, X), _X, _CYCLE),
        "Attention without a mask is equivariant, although each row of its output depends on all rows.",
    ),
    Probe((lambda X: X.copy(), _X, _CYCLE), "Leaving the rows as they are is equivariant."),
    Probe((_mixed, _X, _CYCLE), "Rows are tokens: order permutes rows, and never features."),
    Probe(
        (lambda X: np.cumsum(X, axis=0), _X, _CYCLE),
        "A running sum depends on what came before, so it is not equivariant.",
    ),
    Probe(
        (lambda X: np.sort(X, axis=0), _X, _CYCLE),
        "A function whose output is the same for every order is invariant, which is not equivariant.",
    ),
    Probe(
        (lambda X: np.zeros_like(X) + X.mean(axis=0), _X, _CYCLE),
        "A function that gives each row the mean of all is equivariant, and invariant as well.",
    ),
    Probe((lambda X: X[::-1], _X, _CYCLE), "Turning the rows upside down is not equivariant for this order."),
    Probe(
        (lambda X: _at_places(X, lambda p: 1.0 * p), _X, _CYCLE),
        "Adding something to each row by where it stands is not equivariant.",
    ),
    Probe(
        (lambda X: _at_places(X, lambda p: abs(p - 2.5)), _X, _CYCLE),
        "The given order decides, no other: what one order does not show, another may.",
    ),
    Probe((lambda X: X * (-1.0) ** np.arange(6)[:, None], _X, _CYCLE), "Signs count too."),
    Probe((_third_doubled, _X, _CYCLE), "Every row of the output must follow its token, not only some."),
    Probe((_last_doubled, _X, _CYCLE), "The last row of the output must follow its token as well."),
    Probe(
        (lambda X: X * X[0, :1], _X, _CYCLE),
        "A factor taken from the row that comes first is not equivariant.",
    ),
    Probe(
        (lambda X: X - X[0], _TENTHS, _CYCLE),
        "Measuring every row from the one that comes first is not equivariant.",
    ),
    Probe(
        (lambda X: _at_places(X, lambda p: 1e-3 * p), _X, _CYCLE),
        "A small difference is a difference: compare as np.allclose does by default.",
    ),
    Probe((_summed, _TENTHS, _CYCLE), "Rounding is no difference: compare with np.allclose, not with ==."),
    Probe((lambda X: np.full_like(X, np.nan), _X, _CYCLE), "NaN is close to nothing, so it must give False."),
    Probe(
        (lambda X: np.cumsum(X, axis=0), _X, np.arange(6)),
        "Where the order changes nothing, every function that gives numbers is equivariant.",
    ),
    Probe(
        (lambda X: _at_places(X, lambda p: 1.0 * (p > 1)), _X, SWAP),
        "The given order decides: a swap of the first two rows shows only what differs between them.",
    ),
)


def right(f: Function, X: Array, order: Array) -> bool:
    """Answer as the exercise asks."""
    return bool(np.allclose(f(X[order]), f(X)[order]))


EQUIVARIANCE = Family("is_equivariant", right, PROBES)


def both(f: Function, X: Array, order: Array) -> tuple[Array, Array]:
    """Return what must be equal: the output of the permuted input, and the permuted output."""
    return f(X[order]), f(X)[order]
