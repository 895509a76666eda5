"""Mistakes in ``is_equivariant(f, X, order)`` about the order: what is permuted, along which axis, and how.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.order.equivariance import EQUIVARIANCE, SWAP, Array, Function, right

__all__ = ["EQUIVARIANCE"]


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
    return right(f, X, SWAP)
