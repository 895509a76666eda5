"""Mistakes in ``is_equivariant(f, X, order)`` about the comparison: how close, of what, and its answer.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.order.equivariance import Array, Function, both, right
from posenc.misconceptions.order.equivariance_order import EQUIVARIANCE

__all__ = ["EQUIVARIANCE"]  # by now with all its mistakes


@EQUIVARIANCE.add(
    "exactly-equal",
    "The two sides were compared exactly. They may differ by rounding, since sums run in another order: use "
    "np.allclose.",
)
def _exactly_equal(f: Function, X: Array, order: Array) -> Any:
    return bool(np.array_equal(*both(f, X, order)))


@EQUIVARIANCE.add(
    "coarse",
    "The tolerance is too wide: small differences pass. Use np.allclose as it comes.",
)
def _coarse(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(*both(f, X, order), atol=0.1))


@EQUIVARIANCE.add("nan-is-equal", "NaN passes as equal to NaN. It must not: use np.allclose as it comes.")
def _nan_is_equal(f: Function, X: Array, order: Array) -> Any:
    return bool(np.allclose(*both(f, X, order), equal_nan=True))


@EQUIVARIANCE.add(
    "first-row-only",
    "Only the first row was compared. All rows must follow their tokens: compare the whole arrays.",
)
def _first_row_only(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool(np.allclose(got[0], want[0]))


@EQUIVARIANCE.add(
    "last-row-only",
    "Only the last row decides: a loop that overwrites its answer does that. All rows must agree.",
)
def _last_row_only(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool(np.allclose(got[-1], want[-1]))


@EQUIVARIANCE.add("any", "Some numbers agree, and that was enough. All must: use all, or np.allclose.")
def _any(f: Function, X: Array, order: Array) -> Any:
    return bool(np.isclose(*both(f, X, order)).any())


@EQUIVARIANCE.add(
    "sums",
    "Only the sums were compared. They can agree while rows are in the wrong places: compare number by "
    "number.",
)
def _sums(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool(np.isclose(got.sum(), want.sum()))


@EQUIVARIANCE.add(
    "sorted",
    "The numbers were sorted before they were compared, so it is not seen where they stand. Compare in "
    "place.",
)
def _sorted(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool(np.allclose(np.sort(got, axis=0), np.sort(want, axis=0)))


@EQUIVARIANCE.add(
    "sizes-only", "Only magnitudes were compared: signs count too. Leave out the absolute value."
)
def _sizes_only(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool(np.allclose(abs(got), abs(want)))


@EQUIVARIANCE.add(
    "signed-difference",
    "The difference was compared without its absolute value, so what is too small passes. Use np.allclose.",
)
def _signed_difference(f: Function, X: Array, order: Array) -> Any:
    got, want = both(f, X, order)
    return bool((got - want).max() < 1e-8)


@EQUIVARIANCE.add(
    "array-of-answers",
    "An array of comparisons came back. The answer is one True or False: ask whether all of them hold.",
)
def _array_of_answers(f: Function, X: Array, order: Array) -> Any:
    return np.isclose(*both(f, X, order))


@EQUIVARIANCE.add(
    "opposite",
    "The answer is the opposite of the right one: True means that f is equivariant.",
)
def _opposite(f: Function, X: Array, order: Array) -> Any:
    return not right(f, X, order)


@EQUIVARIANCE.add(
    "in-place",
    "The answer is right, but X was changed. X[:] = X[order] writes into the caller's array: use a new one.",
)
def _in_place(f: Function, X: Array, order: Array) -> Any:
    want = f(X)[order].copy()
    X[:] = X[order]
    return bool(np.allclose(f(X), want))
