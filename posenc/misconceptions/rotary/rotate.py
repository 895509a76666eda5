"""The exercise ``rotate(X, positions)`` and its mistakes: a whole sequence, the dtype kept, odd d refused.

Wrong on purpose, each in one way. Most mistakes in `rope` are entered here again, for sequences.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer, Family, Probe
from posenc.misconceptions.rotary.rope import BASE, Array, exponent, pair_lengths, turn
from posenc.misconceptions.rotary.rope_angles import ROPE
from posenc.rotary import rope

_ONE_VECTOR_ONLY = {"in-place", "first-axis", "one-vector", "truncated"}


def _waves(*shape: int) -> Any:
    """Return numbers of no pattern that a mistake could hide in."""
    return 3 * np.sin(1 + np.arange(np.prod(shape)) ** 1.5).reshape(shape)


PROBES = (
    Probe(
        (_waves(3, 4), np.array([0, 1, 2])),
        "Row j must be turned by positions[j]: pair i, features 2i and 2i+1, by positions[j] * "
        "10000 ** (-2i/d) radians.",
    ),
    Probe(
        (_waves(5, 8), np.array([3, 7, 2, 4001, 1])),
        "Positions may come in any order and with gaps: use the numbers in positions, not the row numbers.",
    ),
    Probe(
        (_waves(3, 5, 6), np.array([4, 0, 1, 2, 9])),
        "Leading axes are batch axes: positions run along the last axis but one, the same for every head.",
    ),
    Probe(
        (_waves(4, 6).astype(np.float32), np.array([0, 1, 500, 4001])),
        "float32 must stay float32, with the angles computed in float64 and cast last.",
    ),
    Probe(
        (_waves(2, 4).astype(np.float16), np.array([2049, 2050])),
        "float16 must stay float16, with the angles computed in float64: it cannot hold every position.",
    ),
    Probe(
        (np.arange(1, 9).reshape(2, 4), np.array([1, 2])),
        "Integers must be computed in float64: the result has decimals.",
    ),
    Probe(
        (_waves(2, 3), np.array([0, 1])),
        "An odd d must raise ValueError: a feature would be without its partner.",
    ),
)

ROTATE = Family("rotate", rope, PROBES, keeps_dtype=True, invariant=pair_lengths)


def _answer_dtype(X: Array) -> np.dtype[Any]:
    return X.dtype if X.dtype.kind == "f" else np.dtype(np.float64)


def _need_even(X: Array) -> None:
    if X.shape[-1] % 2:
        raise ValueError("d must be even")


def _angles(X: Array, positions: Array) -> Any:
    return positions[..., None] * BASE ** -exponent(X)


def _right(X: Array, positions: Array) -> Any:
    _need_even(X)
    return turn(X.astype(np.float64), _angles(X, positions)).astype(_answer_dtype(X))


def _lifted(wrong: Answer) -> Answer:
    """Make a mistake in `rope` for a whole sequence, all else being right."""

    def wrong_rotate(X: Array, positions: Array) -> Any:
        _need_even(X)
        return wrong(X.astype(np.float64), positions[:, None]).astype(_answer_dtype(X))

    return wrong_rotate


def _lift_all() -> None:
    for entry in ROPE.entries:
        name = entry.id.removeprefix("rope-")
        if name not in _ONE_VECTOR_ONLY:
            ROTATE.add(name, entry.line)(_lifted(entry.wrong))


_lift_all()

# --- the axes


@ROTATE.add(
    "row-numbers",
    "The positions argument has no effect: row j is turned as position j. Use the positions that "
    "came; with a cache the first row is not position 0.",
)
def _row_numbers(X: Array, positions: Array) -> Any:
    return _right(X, np.arange(X.shape[-2]))


@ROTATE.add(
    "first-position",
    "Every row is turned by the first position. Each row has its own: give positions a last axis, "
    "positions[:, None], so that they meet the frequencies.",
)
def _first_position(X: Array, positions: Array) -> Any:
    return _right(X, positions[:1])


@ROTATE.add(
    "heads-axis",
    "Positions run along the heads: all rows of one head are turned alike. They belong to the "
    "sequence, the last axis but one.",
)
def _heads_axis(X: Array, positions: Array) -> Any:
    if X.ndim == 2:
        return _right(X, positions)
    return _right(X, positions[: X.shape[0], None])


@ROTATE.add(
    "axis-too-many",
    "Cosines and sines carry an axis too many, as for shape (n, h, d). Here X is (..., n, d): shape"
    " (n, d/2) lines up by itself.",
)
def _axis_too_many(X: Array, positions: Array) -> Any:
    return _right(X, positions[:, None])


@ROTATE.add(
    "two-axes-only",
    "This works for X of shape (n, d) only. Leading axes are batch axes: write X[..., 0::2] instead"
    " of X[:, 0::2].",
)
def _two_axes_only(X: Array, positions: Array) -> Any:
    _need_even(X)
    work, a = X.astype(np.float64), _angles(X, positions)
    out = np.empty_like(work)
    out[:, 0::2] = work[:, 0::2] * np.cos(a) - work[:, 1::2] * np.sin(a)
    out[:, 1::2] = work[:, 0::2] * np.sin(a) + work[:, 1::2] * np.cos(a)
    return out.astype(_answer_dtype(X))


@ROTATE.add(
    "heads-in-width",
    "The exponent divides by the width of all heads together. Divide by d, the width of one head: "
    "X.shape[-1].",
)
def _heads_in_width(X: Array, positions: Array) -> Any:
    _need_even(X)
    d = X.shape[-1]
    width = d * int(np.prod(X.shape[:-2]))
    a = positions[:, None] * BASE ** (-np.arange(0, d, 2) / width)
    return turn(X.astype(np.float64), a).astype(_answer_dtype(X))


# --- dtypes, errors, side effects


@ROTATE.add(
    "always-float64",
    "float16 and float32 came back as float64. Cast the result to the dtype of X at the end, when X"
    " is a float array.",
)
def _always_float64(X: Array, positions: Array) -> Any:
    return _right(X.astype(np.float64), positions)


@ROTATE.add(
    "angles-in-dtype",
    "The angles were computed in the dtype of X: in half precision far positions cannot be told "
    "apart. Compute angles in float64 and cast last.",
)
def _angles_in_dtype(X: Array, positions: Array) -> Any:
    _need_even(X)
    dtype = _answer_dtype(X)
    a = positions.astype(dtype)[:, None] * (BASE ** -exponent(X)).astype(dtype)
    return turn(X.astype(dtype), a)


@ROTATE.add(
    "integers-truncated",
    "Integer input lost its decimals: the result was written into an integer array. Compute it in float64.",
)
def _integers_truncated(X: Array, positions: Array) -> Any:
    return _right(X, positions).astype(X.dtype)


@ROTATE.add(
    "integers-truncated-inside",
    "The decimals of integer input are lost, although the result is float: compute in float64 from "
    "the start.",
)
def _integers_truncated_inside(X: Array, positions: Array) -> Any:
    return _right(X, positions).astype(X.dtype).astype(_answer_dtype(X))


@ROTATE.add(
    "odd-dropped",
    "An odd d was accepted and the last feature got lost. Raise ValueError: it has no partner to turn with.",
)
def _odd_dropped(X: Array, positions: Array) -> Any:
    return _right(X[..., : X.shape[-1] // 2 * 2], positions)


@ROTATE.add(
    "odd-kept",
    "An odd d was accepted and the last feature passed through. Raise ValueError: it has no partner"
    " to turn with.",
)
def _odd_kept(X: Array, positions: Array) -> Any:
    even = X.shape[-1] // 2 * 2
    return np.concatenate([_right(X[..., :even], positions), X[..., even:]], axis=-1)


@ROTATE.add(
    "in-place",
    "The numbers are right, but X itself was changed. Write into a new array: whoever called still "
    "needs the old X.",
)
def _in_place(X: Array, positions: Array) -> Any:
    out = _right(X, positions)
    X[...] = out
    return out
