"""The exercise ``alibi(n, h)`` and its mistakes: the bias of every head at once.

Wrong on purpose, each in one way. Mistakes in the slopes alone, or in a single bias, are those of lesson 5;
here are the ones that appear when both come together, and the most frequent of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def _reference(n: int, h: int) -> Array:
    return _with(alibi_slopes(h), n)


def _with(slopes: Any, n: int) -> Array:
    return alibi_bias(n, n, slopes, causal=False)


PROBES = (
    Probe((3, 4), "Entry [a, i, j] must be minus the slope of head a times the distance between i and j."),
    Probe(
        (5, 2), "Every head must have its own slope, and every matrix as many rows as there are positions."
    ),
    Probe((4, 1), "With one head the first axis must stay, with length 1."),
    Probe((4, 6), "Where h is no power of two, further slopes must be appended as lesson 5 says."),
    Probe((3, 12), "Twelve heads must have the slopes for eight, then every other one of those for sixteen."),
)


def _tents(args: tuple[Any, ...], got: Array) -> str | None:
    """Say which property of penalties by distance is missing."""
    if not np.isfinite(got).all():
        return "Every entry must be finite: the model hides the future itself."
    if got.max() > 1e-6:
        return "No entry may be positive: distance is a penalty."
    return None


ALIBI_HEADS = Family("alibi_heads", _reference, PROBES, invariant=_tents)

# --- the shape


@ALIBI_HEADS.add(
    "heads-last",
    "The heads are on the last axis. They come first: the shape is (h, n, n), so give the slopes two more"
    " axes, slopes[:, None, None].",
)
def _heads_last(n: int, h: int) -> Any:
    return np.moveaxis(_reference(n, h), 0, -1)


@ALIBI_HEADS.add(
    "first-head-only",
    "There is one matrix. Return one for each head, (h, n, n): every head has a slope of its own.",
)
def _first_head_only(n: int, h: int) -> Any:
    return _reference(n, h)[0]


@ALIBI_HEADS.add(
    "last-row-only",
    "Each head has one row. Return a row for each query, (h, n, n).",
)
def _last_row_only(n: int, h: int) -> Any:
    return _reference(n, h)[:, -1]


@ALIBI_HEADS.add(
    "heads-summed",
    "The heads were added up. Each keeps its own matrix.",
)
def _heads_summed(n: int, h: int) -> Any:
    return _reference(n, h).sum(axis=0)


@ALIBI_HEADS.add(
    "arguments-exchanged",
    "n and h are exchanged: n comes first, and is the number of positions.",
)
def _arguments_exchanged(n: int, h: int) -> Any:
    return _reference(h, n)


# --- the distance


@ALIBI_HEADS.add(
    "plus-sign",
    "Far keys are rewarded: the sign is turned. Distance is a penalty, so the slope enters with a minus.",
)
def _plus_sign(n: int, h: int) -> Any:
    return -_reference(n, h)


@ALIBI_HEADS.add(
    "signed",
    "The distance kept its sign. The model would not notice, for it hides the future; the exercise asks "
    "for the absolute value of i - j.",
)
def _signed(n: int, h: int) -> Any:
    return alibi_slopes(h)[:, None, None] * (np.arange(n) - np.arange(n)[:, None])


@ALIBI_HEADS.add(
    "signed-reversed",
    "The distance has a sign, and keys in the past are rewarded for being far. Take the absolute value of"
    " i - j.",
)
def _signed_reversed(n: int, h: int) -> Any:
    return alibi_slopes(h)[:, None, None] * (np.arange(n)[:, None] - np.arange(n))


@ALIBI_HEADS.add(
    "masked",
    "Keys after the query are set to -inf. The model does that itself, so it would not notice; here every"
    " entry is finite, as in the library's alibi_bias with causal=False.",
)
def _masked(n: int, h: int) -> Any:
    return alibi_bias(n, n, alibi_slopes(h))


@ALIBI_HEADS.add(
    "past-only",
    "The future is free: its entries are 0. The model would not notice; the exercise asks for the "
    "distance on both sides.",
)
def _past_only(n: int, h: int) -> Any:
    return np.tril(_reference(n, h))


@ALIBI_HEADS.add(
    "key-index",
    "Every row is the slope times the key's index. A causal softmax would not notice, but the exercise "
    "asks for minus the slope times the distance.",
)
def _key_index(n: int, h: int) -> Any:
    return alibi_slopes(h)[:, None, None] * np.tile(np.arange(n), (n, 1))


@ALIBI_HEADS.add(
    "squared",
    "The distance was squared. The line is straight: each further position costs one slope more.",
)
def _squared(n: int, h: int) -> Any:
    return _reference(n, h) * _with(-1.0, n)


# --- the slopes


@ALIBI_HEADS.add(
    "same-slope",
    "All heads have the first head's slope. Each has its own, so that some see near and some see far.",
)
def _same_slope(n: int, h: int) -> Any:
    return _with(np.full(h, alibi_slopes(h)[0]), n)


@ALIBI_HEADS.add(
    "no-slope",
    "Every head has slope 1. Multiply by the slopes of lesson 5.",
)
def _no_slope(n: int, h: int) -> Any:
    return _with(np.ones(h), n)


@ALIBI_HEADS.add(
    "from-exponent-0",
    "The first slope is 1, so the exponents start at 0. They start at -8/h.",
)
def _from_exponent_0(n: int, h: int) -> Any:
    return _with(2.0 ** (-8 * np.arange(h) / h), n)


@ALIBI_HEADS.add(
    "one-formula",
    "The formula for powers of two was used for every h. For six heads it is the four slopes of four "
    "heads, then the first and third of eight.",
)
def _one_formula(n: int, h: int) -> Any:
    return _with(2.0 ** (-8 * np.arange(1, h + 1) / h), n)


@ALIBI_HEADS.add(
    "halves",
    "The slopes are 1/2, 1/4, 1/8, ... for every h. That is the series for eight heads; the ratio depends"
    " on h.",
)
def _halves(n: int, h: int) -> Any:
    return _with(0.5 ** np.arange(1, h + 1), n)


@ALIBI_HEADS.add(
    "next-power-cut",
    "These are the first slopes of the next power of two. They begin with those of the power of two below.",
)
def _next_power_cut(n: int, h: int) -> Any:
    return _with(alibi_slopes(1 << (h - 1).bit_length())[:h], n)


@ALIBI_HEADS.add(
    "sorted",
    "The slopes were sorted. Those that are appended stay at the end: a trained head expects its own slope.",
)
def _sorted(n: int, h: int) -> Any:
    return _with(np.sort(alibi_slopes(h))[::-1], n)


@ALIBI_HEADS.add(
    "reversed",
    "The heads are in reverse. The first slope belongs to head 0.",
)
def _reversed(n: int, h: int) -> Any:
    return _reference(n, h)[::-1]
