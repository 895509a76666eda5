"""Mistakes in ``ramp(d, original, beta_fast, beta_slow, base)`` about the pairs where it begins and ends.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from math import ceil, floor, log, log10, pi
from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.scaling.ramp import RAMP, ends, line, pair_of, reference

__all__ = ["RAMP"]


def _enter(name: str, told: str, wrong_ends: Answer) -> None:
    """Enter the ramp that is right but for lo and hi."""

    def wrong(
        d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
    ) -> Any:
        return line(d, *wrong_ends(d, original, beta_fast, beta_slow, base))

    RAMP.add(name, told)(wrong)


def _enter_pair(name: str, told: str, wrong_pair: Answer) -> None:
    """Enter the ramp that is right but for the formula of the pair that turns so often."""

    def wrong_ends(d: int, original: float, fast: float, slow: float, base: float) -> Any:
        lo, hi = wrong_pair(fast, d, original, base), wrong_pair(slow, d, original, base)
        return max(floor(lo), 0), min(ceil(hi), d - 1)

    _enter(name, told, wrong_ends)


def _enter_rounding(name: str, told: str, first: Answer, last: Answer) -> None:
    """Enter the ramp that is right but for how lo and hi are rounded."""

    def wrong_ends(d: int, original: float, fast: float, slow: float, base: float) -> Any:
        lo, hi = pair_of(fast, d, original, base), pair_of(slow, d, original, base)
        return max(first(lo), 0), min(last(hi), d - 1)

    _enter(name, told, wrong_ends)


# --- the formula

_enter_pair(
    "no-2-pi",
    "A turn is 2 pi radians, and the 2 pi is missing: the pair that turns n times has the index "
    "d ln(original / (2 pi n)) / (2 ln base).",
    lambda n, d, original, base: d * log(original / n) / (2 * log(base)),
)
_enter_pair(
    "pi-for-2-pi",
    "A turn is 2 pi radians, not pi.",
    lambda n, d, original, base: d * log(original / (pi * n)) / (2 * log(base)),
)
_enter_pair(
    "features-for-pairs",
    "lo and hi come out as indices of features, twice as large. Divide by 2 ln base: the index counts pairs.",
    lambda n, d, original, base: d * log(original / (2 * pi * n)) / log(base),
)
_enter_pair(
    "mixed-logarithms",
    "One of the two logarithms is of another kind. Use np.log for both, or the same other one for both.",
    lambda n, d, original, base: d * log(original / (2 * pi * n)) / (2 * log10(base)),
)
_enter_pair(
    "turns-multiplied",
    "The number of turns stands on the wrong side: more turns mean a faster pair, of a smaller index. It is "
    "original / (2 pi n).",
    lambda n, d, original, base: d * log(original * n / (2 * pi)) / (2 * log(base)),
)
_enter_pair(
    "default-base",
    "The base argument has no effect. Models come with other bases: use it in ln base.",
    lambda n, d, original, base: pair_of(n, d, original, 10000.0),
)
_enter_pair(
    "default-length",
    "The original length has no effect: 4096 seems to be written into the function. Use the argument.",
    lambda n, d, original, base: pair_of(n, d, 4096, base),
)
_enter_pair(
    "stretched-length",
    "lo and hi belong to a longer text. Count the turns within the original length, which the model was "
    "trained with.",
    lambda n, d, original, base: pair_of(n, d, 4 * original, base),
)

# --- which turns

_enter(
    "default-turns",
    "beta_fast and beta_slow have no effect: 32 and 1 seem to be written into the function. Use the "
    "arguments.",
    lambda d, original, fast, slow, base: ends(d, original, 32, 1, base),
)

# --- rounding

_enter_rounding(
    "not-rounded",
    "lo and hi were not rounded. gpt-oss does without; here, as in the released code and most models, lo is "
    "rounded down and hi up.",
    lambda lo: lo,
    lambda hi: hi,
)
_enter_rounding(
    "rounded-to-nearest",
    "lo and hi were rounded to the nearest whole number. Round lo down and hi up.",
    round,
    round,
)
_enter_rounding(
    "both-down",
    "Both were rounded down. Round lo down and hi up.",
    floor,
    floor,
)
_enter_rounding(
    "both-up",
    "Both were rounded up. Round lo down and hi up.",
    ceil,
    ceil,
)
_enter_rounding(
    "rounded-inwards",
    "lo was rounded up and hi down. It is the other way round: the ramp becomes wider.",
    ceil,
    floor,
)
_enter_rounding(
    "hi-one-more",
    "hi is one too large: round up with ceil, and add nothing.",
    floor,
    lambda hi: ceil(hi) + 1,
)

# --- limits


def _unlimited(d: int, original: float, fast: float, slow: float, base: float) -> tuple[int, int]:
    return floor(pair_of(fast, d, original, base)), ceil(pair_of(slow, d, original, base))


_enter(
    "lo-negative",
    "lo may not be negative: where no pair is fast enough, the ramp starts at pair 0.",
    lambda *args: (_unlimited(*args)[0], ends(*args)[1]),
)
_enter(
    "hi-past-d",
    "hi is at most d - 1, as in the released code.",
    lambda *args: (ends(*args)[0], _unlimited(*args)[1]),
)
_enter(
    "no-limits",
    "lo is at least 0, and hi at most d - 1: both limits are missing.",
    _unlimited,
)
_enter(
    "hi-within-the-pairs",
    "hi was limited to the last pair, so that the ramp always reaches 1. The limit is d - 1: in long "
    "texts even the slowest pair comes round, and is not fully interpolated.",
    lambda d, *rest: (ends(d, *rest)[0], min(ends(d, *rest)[1], d // 2 - 1)),
)


@RAMP.add(
    "bounds-only",
    "These are lo and hi. Return the ramp, a number for each pair.",
)
def _bounds_only(
    d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
) -> Any:
    return np.array(ends(d, original, beta_fast, beta_slow, base))


@RAMP.add(
    "column",
    "The ramp stands in a column. Return shape (d/2,), so that it meets the frequencies one by one.",
)
def _column(
    d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
) -> Any:
    return reference(d, original, beta_fast, beta_slow, base)[:, None]
