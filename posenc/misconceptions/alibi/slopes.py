"""The exercise ``alibi_slopes(h)`` and its mistakes: one slope a head, for any number of heads.

Wrong on purpose, each in one way. Eight heads hide most of them, so the probes hold 4, 6, 12 and more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.alibi import alibi_slopes
from posenc.misconceptions.entry import Family, Probe

Array = NDArray[Any]


def _between_0_and_1(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where a slope is no slope of ALiBi's."""
    if (got <= 0).any():
        return "Every slope must be positive: the minus sign stands in the bias."
    if (got >= 1).any():
        return "Every slope must be below 1: the exponents are negative."
    return None


PROBES = (
    Probe((8,), "For 8 heads the slopes must be 1/2, 1/4, 1/8, ..., 1/256."),
    Probe((4,), "For 4 heads the slopes must be 1/4, 1/16, 1/64, 1/256: the last is 1/256 again."),
    Probe((1,), "For 1 head the slope must be 2 ** (-8 / 1), in an array of shape (1,)."),
    Probe((2,), "For 2 heads the slopes must be 1/16 and 1/256."),
    Probe((16,), "For 16 heads each slope must be the one before it times 2 ** (-1/2)."),
    Probe((3,), "For 3 heads the slopes for 2 must come first, then the first slope for 4."),
    Probe(
        (6,),
        "For 6 heads the 4 slopes for 4 heads must come first, then the first and the third slope for 8 "
        "heads.",
    ),
    Probe((5,), "For 5 heads the 4 slopes for 4 heads must come first, then the first slope for 8 heads."),
    Probe(
        (12,),
        "For 12 heads the 8 slopes for 8 heads must come first, then the first, third, fifth and seventh "
        "for 16.",
    ),
    Probe((7,), "For 7 heads the slopes for 4 must come first, then the first, third and fifth slope for 8."),
)

ALIBI_SLOPES = Family("alibi_slopes", alibi_slopes, PROBES, invariant=_between_0_and_1)


def _below(h: int) -> int:
    """Return the largest power of two up to h."""
    return 1 << (h.bit_length() - 1)


def _one_formula(h: int) -> Array:
    return np.asarray(2.0 ** (-8 * np.arange(1, h + 1) / h))


def _by_rule(h: int, power: Any, stride: slice = slice(0, None, 2)) -> Array:
    """Apply the rule for any h to a wrong formula for powers of two, or take the wrong ones of the next."""
    c = _below(h)
    return np.concatenate([power(c), power(2 * c)[stride][: h - c]])


# --- the formula


@ALIBI_SLOPES.add(
    "head-0",
    "The exponent starts at 0, so the first slope is 1. It starts at -8/h, one step down: heads count from "
    "1.",
)
def _head_0(h: int) -> Any:
    return _by_rule(h, lambda c: 2.0 ** (-8 * np.arange(c) / c))


@ALIBI_SLOPES.add(
    "head-2",
    "The slopes start a step too low, and end past 1/256. Heads count from 1: the first exponent is -8/h.",
)
def _head_2(h: int) -> Any:
    return _by_rule(h, lambda c: 2.0 ** (-8 * np.arange(2, c + 2) / c))


@ALIBI_SLOPES.add(
    "always-halved",
    "Each slope is half of the one before, however many heads there are. The ratio depends on their number: "
    "it is 2 ** (-8 / h).",
)
def _always_halved(h: int) -> Any:
    return 2.0 ** -np.arange(1, h + 1)


@ALIBI_SLOPES.add(
    "swapped",
    "8 and the number of heads have changed places. 8 is on top: the exponent is -8 j / h.",
)
def _swapped(h: int) -> Any:
    return _by_rule(h, lambda c: 2.0 ** (-c * np.arange(1, c + 1) / 8))


@ALIBI_SLOPES.add(
    "positive-exponent",
    "The exponent lost its minus sign: the slopes grow beyond 1. They fall from 2 ** (-8 / h) to 1/256.",
)
def _positive_exponent(h: int) -> Any:
    return _by_rule(h, lambda c: 2.0 ** (8 * np.arange(1, c + 1) / c))


@ALIBI_SLOPES.add(
    "negative",
    "The slopes are negative. Keep them positive: the minus sign stands in the bias.",
)
def _negative(h: int) -> Any:
    return -alibi_slopes(h)


@ALIBI_SLOPES.add(
    "harmonic",
    "These are 1/1, 1/2, 1/3, ... The slopes are geometric: each is the one before it times the same ratio.",
)
def _harmonic(h: int) -> Any:
    return 1.0 / np.arange(1, h + 1)


@ALIBI_SLOPES.add(
    "harmonic-from-2",
    "These are 1/2, 1/3, 1/4, ... The slopes are geometric: each is the one before it times the same ratio.",
)
def _harmonic_from_2(h: int) -> Any:
    return 1.0 / np.arange(2, h + 2)


@ALIBI_SLOPES.add(
    "all-the-same",
    "Every head has the same slope. Each needs its own range: the exponent holds the head's number j.",
)
def _all_the_same(h: int) -> Any:
    return np.full(h, 2.0 ** (-8 / h))


@ALIBI_SLOPES.add(
    "evenly-spaced",
    "The slopes are evenly spaced. It is their exponents that are: each slope is the one before times a "
    "ratio.",
)
def _evenly_spaced(h: int) -> Any:
    return np.linspace(0.5, 2.0**-8, h)


@ALIBI_SLOPES.add(
    "from-a-half",
    "The slopes run from 1/2 to 1/256 for any number of heads. Only the last is fixed: they start at 2 ** "
    "(-8 / h), which is 1/2 for 8 heads.",
)
def _from_a_half(h: int) -> Any:
    return np.geomspace(0.5, 2.0**-8, h)


@ALIBI_SLOPES.add(
    "base-e",
    "The base is e here. Slopes are powers of 2: 2.0 ** (...), or np.exp2, in place of np.exp.",
)
def _base_e(h: int) -> Any:
    return _by_rule(h, lambda c: np.exp(-8 * np.arange(1, c + 1) / c))


@ALIBI_SLOPES.add(
    "exponents",
    "These are the exponents. Raise 2 to each of them.",
)
def _exponents(h: int) -> Any:
    return _by_rule(h, lambda c: -8 * np.arange(1, c + 1) / c)


@ALIBI_SLOPES.add(
    "integer-division",
    "The exponents were rounded down to whole numbers. Divide with / in place of //: with 16 heads they go "
    "by halves.",
)
def _integer_division(h: int) -> Any:
    return _by_rule(h, lambda c: 2.0 ** (-8 * np.arange(1, c + 1) // c))


# --- a number of heads that is no power of two


@ALIBI_SLOPES.add(
    "one-formula",
    "The formula for powers of two was used for every number of heads. Otherwise take the slopes for the "
    "power of two below, then every other slope of twice that many heads.",
)
def _one_formula_for_all(h: int) -> Any:
    return _one_formula(h)


@ALIBI_SLOPES.add(
    "sorted",
    "The slopes are right, but sorted. The extra ones are appended: a trained head expects its own slope at "
    "its own place.",
)
def _sorted(h: int) -> Any:
    return np.sort(alibi_slopes(h))[::-1]


@ALIBI_SLOPES.add(
    "reversed",
    "The slopes come in reverse: the first head has the steepest of its series, the last the shallowest.",
)
def _reversed(h: int) -> Any:
    return _by_rule(h, lambda c: _one_formula(c)[::-1])


@ALIBI_SLOPES.add(
    "all-reversed",
    "The whole array came in reverse. The slopes for the power of two come first, the steepest in front.",
)
def _all_reversed(h: int) -> Any:
    return alibi_slopes(h)[::-1]


@ALIBI_SLOPES.add(
    "second-of-each-pair",
    "The extra slopes are the second, fourth, ... of twice as many heads, which are there already. Take the "
    "first, third, ...: [0::2].",
)
def _second_of_each_pair(h: int) -> Any:
    return _by_rule(h, _one_formula, slice(1, None, 2))


@ALIBI_SLOPES.add(
    "no-stride",
    "The extra slopes are the first ones for twice as many heads, one after the other. Take every other "
    "one: [0::2].",
)
def _no_stride(h: int) -> Any:
    return _by_rule(h, _one_formula, slice(None))


@ALIBI_SLOPES.add(
    "last-extras",
    "The extra slopes are every other one of twice as many heads, but from the end. Take them from the "
    "front, where they are steep.",
)
def _last_extras(h: int) -> Any:
    c = _below(h)
    return np.concatenate([_one_formula(c), _one_formula(2 * c)[0::2][c - (h - c) :]])


@ALIBI_SLOPES.add(
    "cut-from-the-next-power",
    "These are the first slopes for the next power of two, which leaves the shallow heads out. Start from "
    "the power of two below.",
)
def _cut_from_the_next_power(h: int) -> Any:
    return _one_formula(2 * _below(h) if h > _below(h) else h)[:h]


@ALIBI_SLOPES.add(
    "nearest-power",
    "The nearest power of two was taken, which may lie above. Take the largest one that is not above h: "
    "round log2(h) down.",
)
def _nearest_power(h: int) -> Any:
    c = int(2 ** np.round(np.log2(h)))
    return np.concatenate([_one_formula(c), _one_formula(2 * c)[0::2][: max(h - c, 0)]])[:h]


@ALIBI_SLOPES.add(
    "extras-first",
    "The extra slopes come first. They are appended: the slopes for the power of two below stand in front.",
)
def _extras_first(h: int) -> Any:
    c = _below(h)
    return np.concatenate([_one_formula(2 * c)[0::2][: h - c], _one_formula(c)])


@ALIBI_SLOPES.add(
    "series-continued",
    "The series for the power of two below was continued past 1/256. The extra slopes are every other one "
    "of the series for twice as many heads.",
)
def _series_continued(h: int) -> Any:
    return 2.0 ** (-8 * np.arange(1, h + 1) / _below(h))


@ALIBI_SLOPES.add(
    "extras-missing",
    "Some heads have no slope: only those of the power of two below came back. Append the others.",
)
def _extras_missing(h: int) -> Any:
    return _one_formula(_below(h))


@ALIBI_SLOPES.add(
    "extras-too-many",
    "There are more slopes than heads. Append only as many as are missing: [0::2][: h - c].",
)
def _extras_too_many(h: int) -> Any:
    c = _below(h)
    extra = _one_formula(2 * c)[0::2] if h > c else np.zeros(0)
    return np.concatenate([_one_formula(c), extra])


# --- the shape


@ALIBI_SLOPES.add(
    "column",
    "The slopes stand in a column. Return shape (h,): reshape them where they meet the scores.",
)
def _column(h: int) -> Any:
    return alibi_slopes(h)[:, None]
