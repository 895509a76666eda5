"""Mistakes in ``alibi_slopes(h)`` about the series for a power of two: where it starts, its ratio, its base.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.alibi import alibi_slopes
from posenc.misconceptions.alibi.slopes import ALIBI_SLOPES, by_rule

__all__ = ["ALIBI_SLOPES"]


@ALIBI_SLOPES.add(
    "head-0",
    "The exponent starts at 0, so the first slope is 1. It starts at -8/h, one step down: heads count from "
    "1.",
)
def _head_0(h: int) -> Any:
    return by_rule(h, lambda c: 2.0 ** (-8 * np.arange(c) / c))


@ALIBI_SLOPES.add(
    "head-2",
    "The slopes start a step too low, and end past 1/256. Heads count from 1: the first exponent is -8/h.",
)
def _head_2(h: int) -> Any:
    return by_rule(h, lambda c: 2.0 ** (-8 * np.arange(2, c + 2) / c))


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
    return by_rule(h, lambda c: 2.0 ** (-c * np.arange(1, c + 1) / 8))


@ALIBI_SLOPES.add(
    "positive-exponent",
    "The exponent lost its minus sign: the slopes grow beyond 1. They fall from 2 ** (-8 / h) to 1/256.",
)
def _positive_exponent(h: int) -> Any:
    return by_rule(h, lambda c: 2.0 ** (8 * np.arange(1, c + 1) / c))


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
    return by_rule(h, lambda c: np.exp(-8 * np.arange(1, c + 1) / c))


@ALIBI_SLOPES.add(
    "exponents",
    "These are the exponents. Raise 2 to each of them.",
)
def _exponents(h: int) -> Any:
    return by_rule(h, lambda c: -8 * np.arange(1, c + 1) / c)


@ALIBI_SLOPES.add(
    "integer-division",
    "The exponents were rounded down to whole numbers. Divide with / in place of //: with 16 heads they go "
    "by halves.",
)
def _integer_division(h: int) -> Any:
    return by_rule(h, lambda c: 2.0 ** (-8 * np.arange(1, c + 1) // c))
