"""The exercise ``alibi_slopes(h)``: one slope a head, for any number of heads.

Eight heads hide most mistakes, so the probes hold 4, 6, 12 and more. Holds those and the pieces that wrong
implementations are made of; the mistakes are in `slopes_series` and `slopes_heads`.
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


def below(h: int) -> int:
    """Return the largest power of two up to h."""
    return 1 << (h.bit_length() - 1)


def one_formula(h: int) -> Array:
    """Return the slopes by the formula for powers of two, whatever h is."""
    return np.asarray(2.0 ** (-8 * np.arange(1, h + 1) / h))


def by_rule(h: int, power: Any, stride: slice = slice(0, None, 2)) -> Array:
    """Apply the rule for any h to a wrong formula for powers of two, or take the wrong ones of the next."""
    c = below(h)
    return np.concatenate([power(c), power(2 * c)[stride][: h - c]])
