"""The exercise ``is_equivariant(f, X, order)`` and its mistakes: whether the rows of f(X) follow those of X.

Wrong on purpose, each in one way. Every probe is a function, an input and an order, and the right answer is
True or False.
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
_CYCLE, _SWAP = np.array([3, 1, 0, 5, 2, 4]), np.array([1, 0, 2, 3, 4, 5])
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
        (lambda X: _at_places(X, lambda p: 1.0 * (p > 1)), _X, _SWAP),
        "The given order decides: a swap of the first two rows shows only what differs between them.",
    ),
)


def _reference(f: Function, X: Array, order: Array) -> bool:
    return bool(np.allclose(f(X[order]), f(X)[order]))


EQUIVARIANCE = Family("is_equivariant", _reference, PROBES)


def _both(f: Function, X: Array, order: Array) -> tuple[Array, Array]:
    """Return what must be equal: the output of the permuted input, and the permuted output."""
    return f(X[order]), f(X)[order]


@EQUIVARIANCE.add("always", "Every function passes your test. Compare f(X[order]) with f(X)[order].")
def _always(f: Function, X: Array, order: Array) -> Any:
    return True


@EQUIVARIANCE.add(
    "never",
    "No function passes your test, not even doubling. Compare f(X[order]) with f(X)[order].",
)
def _never(f: Function, X: Array, order: Array) -> Any:
    return False


@EQUIVARIANCE.add(
    "invariance",
    "This tests invariance: that the output stays the same. Equivariant means that the output's rows move "
    "along: permute the output too, f(X)[order].",
)
def _invariance(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[order]), f(X)))


@EQUIVARIANCE.add(
    "output-only",
    "The input was never permuted: both sides see the same X. One side must be f(X[order]).",
)
def _output_only(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X), f(X)[order]))


@EQUIVARIANCE.add(
    "inverse",
    "One side uses the order, the other its inverse. A swap hides this, since it undoes itself. Use the same "
    "order on both sides: f(X[order]) and f(X)[order].",
)
def _inverse(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[order]), f(X)[np.argsort(order)]))


@EQUIVARIANCE.add(
    "input-overwritten",
    "X was overwritten by X[order] before f(X) was computed, so both sides see the permuted rows. Keep X as "
    "it is.",
)
def _input_overwritten(f: Function, X: Array, order: Array) -> Any:
    X[:] = X[order]
    return bool(np.allclose(f(X), f(X)[order]))


@EQUIVARIANCE.add(
    "against-the-input",
    "The output was compared with the input. Compare two outputs: f(X[order]) and f(X)[order].",
)
def _against_the_input(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[order]), X[order]))


@EQUIVARIANCE.add(
    "features",
    "The order was applied to the columns. Tokens are rows: X[order], not X[:, order].",
)
def _features(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[:, order]), f(X)[:, order]))


@EQUIVARIANCE.add(
    "features-of-the-output",
    "The rows of the input were permuted, but the columns of the output. Tokens are rows in both: "
    "f(X)[order].",
)
def _features_of_the_output(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[order]), f(X)[:, order]))


@EQUIVARIANCE.add(
    "own-order",
    "The argument order has no effect: rows are turned upside down, whatever it says. Use the given order.",
)
def _own_order(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(f(X[::-1]), f(X)[::-1]))


@EQUIVARIANCE.add(
    "own-swap",
    "The argument order has no effect: the first two rows are swapped, whatever it says. Use the given "
    "order.",
)
def _own_swap(f: Function, X: Array, order: Array) -> Any:
    return _reference(f, X, _SWAP)


@EQUIVARIANCE.add(
    "exactly-equal",
    "The two sides were compared exactly. They may differ by rounding, since sums run in another order: use "
    "np.allclose.",
)
def _exactly_equal(f: Function, X: Array, order: Array) -> Any:
    return bool(np.array_equal(*_both(f, X, order)))


@EQUIVARIANCE.add(
    "coarse",
    "The tolerance is too wide: small differences pass. Use np.allclose as it comes.",
)
def _coarse(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(*_both(f, X, order), atol=0.1))


@EQUIVARIANCE.add("nan-is-equal", "NaN passes as equal to NaN. It must not: use np.allclose as it comes.")
def _nan_is_equal(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(*_both(f, X, order), equal_nan=True))


@EQUIVARIANCE.add(
    "first-row-only",
    "Only the first row was compared. All rows must follow their tokens: compare the whole arrays.",
)
def _first_row_only(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool(np.allclose(got[0], want[0]))


@EQUIVARIANCE.add(
    "last-row-only",
    "Only the last row decides: a loop that overwrites its answer does that. All rows must agree.",
)
def _last_row_only(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool(np.allclose(got[-1], want[-1]))


@EQUIVARIANCE.add("any", "Some numbers agree, and that was enough. All must: use all, or np.allclose.")
def _any(f: Function, X: Array, order: Array) -> Any:
    return bool(np.isclose(*_both(f, X, order)).any())


@EQUIVARIANCE.add(
    "sums",
    "Only the sums were compared. They can agree while rows are in the wrong places: compare number by "
    "number.",
)
def _sums(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool(np.isclose(got.sum(), want.sum()))


@EQUIVARIANCE.add(
    "sorted",
    "The numbers were sorted before they were compared, so it is not seen where they stand. Compare in "
    "place.",
)
def _sorted(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool(np.allclose(np.sort(got, axis=0), np.sort(want, axis=0)))


@EQUIVARIANCE.add(
    "sizes-only", "Only magnitudes were compared: signs count too. Leave out the absolute value."
)
def _sizes_only(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool(np.allclose(abs(got), abs(want)))


@EQUIVARIANCE.add(
    "signed-difference",
    "The difference was compared without its absolute value, so what is too small passes. Use np.allclose.",
)
def _signed_difference(f: Function, X: Array, order: Array) -> Any:
    got, want = _both(f, X, order)
    return bool((got - want).max() < 1e-8)


@EQUIVARIANCE.add(
    "array-of-answers",
    "An array of comparisons came back. The answer is one True or False: ask whether all of them hold.",
)
def _array_of_answers(f: Function, X: Array, order: Array) -> Any:
    return np.isclose(*_both(f, X, order))


@EQUIVARIANCE.add(
    "opposite",
    "The answer is the opposite of the right one: True means that f is equivariant.",
)
def _opposite(f: Function, X: Array, order: Array) -> Any:
    return not _reference(f, X, order)


@EQUIVARIANCE.add(
    "in-place",
    "The answer is right, but X was changed. X[:] = X[order] writes into the caller's array: use a new one.",
)
def _in_place(f: Function, X: Array, order: Array) -> Any:
    want = f(X)[order].copy()
    X[:] = X[order]
    return bool(np.allclose(f(X), want))
