"""Mistakes in ``ramp(d, original, beta_fast, beta_slow, base)`` about its shape: which way, over what.

Wrong on purpose, each in one way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.scaling.interpolate import Array, plain
from posenc.misconceptions.scaling.ramp import ends, line
from posenc.misconceptions.scaling.ramp_bounds import RAMP

__all__ = ["RAMP"]  # by now with all its mistakes


def _enter(name: str, told: str, wrong_ramp: Answer) -> None:
    """Enter a ramp that is made from the right lo and hi, and d, in a wrong way."""

    def wrong(
        d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
    ) -> Any:
        return wrong_ramp(d, *ends(d, original, beta_fast, beta_slow, base))

    RAMP.add(name, told)(wrong)


def _enter_by_turns(name: str, told: str, wrong_ramp: Answer) -> None:
    """Enter a ramp over how often each pair turns within the original length, not over its index."""

    def wrong(
        d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
    ) -> Any:
        turns = original * plain(d, base) / (2 * np.pi)
        return np.clip(wrong_ramp(turns, beta_fast, beta_slow), 0, 1)

    RAMP.add(name, told)(wrong)


def _straight(d: int, lo: float, hi: float) -> Array:
    return np.asarray((np.arange(d // 2) - lo) / (hi - lo))


_enter(
    "inverted",
    "The ramp runs from 1 down to 0. Here 0 means keep, for the fast pairs in front, and 1 interpolate: "
    "take it from 1, or leave the 1 - out.",
    lambda d, lo, hi: 1 - line(d, lo, hi),
)
_enter(
    "not-clipped",
    "The line goes on below 0 and above 1. Clip it: pairs before lo are kept, pairs from hi on interpolated.",
    _straight,
)
_enter(
    "clipped-above-only",
    "The line goes on below 0 for the fast pairs. Clip it at 0 as well as at 1.",
    lambda d, lo, hi: np.minimum(_straight(d, lo, hi), 1),
)
_enter(
    "clipped-below-only",
    "The line goes on above 1 for the slow pairs. Clip it at 1 as well as at 0.",
    lambda d, lo, hi: np.maximum(_straight(d, lo, hi), 0),
)
_enter(
    "over-even-features",
    "The ramp runs over 0, 2, 4, ..., the even features. It runs over pairs: 0, 1, 2, ..., d/2 - 1.",
    lambda d, lo, hi: np.clip((np.arange(0, d, 2) - lo) / (hi - lo), 0, 1),
)
_enter(
    "all-features",
    "There is a value for each of the d features. Return d/2 of them, one for each pair.",
    lambda d, lo, hi: np.clip((np.arange(d) - lo) / (hi - lo), 0, 1),
)
_enter(
    "from-pair-1",
    "The pairs are counted from 1. The fastest pair has index 0.",
    lambda d, lo, hi: np.clip((np.arange(1, d // 2 + 1) - lo) / (hi - lo), 0, 1),
)
_enter(
    "divided-by-hi",
    "The line is divided by hi. Divide by hi - lo, so that it reaches 1 at hi.",
    lambda d, lo, hi: np.clip((np.arange(d // 2) - lo) / hi, 0, 1),
)
_enter(
    "one-step-short",
    "The line reaches 1 one pair too early. Divide by hi - lo, not one less.",
    lambda d, lo, hi: np.clip((np.arange(d // 2) - lo) / (hi - lo - 1), 0, 1),
)
_enter(
    "step",
    "The ramp jumps from 0 to 1. Between lo and hi it is a straight line.",
    lambda d, lo, hi: (np.arange(d // 2) >= (lo + hi) / 2).astype(float),
)
_enter(
    "smooth",
    "The ramp is bent like an S. It is a straight line between lo and hi.",
    lambda d, lo, hi: line(d, lo, hi) ** 2 * (3 - 2 * line(d, lo, hi)),
)
_enter(
    "everything",
    "Every pair is interpolated: that is position interpolation. The fast pairs must be kept, 0 up to lo.",
    lambda d, lo, hi: np.ones(d // 2),
)
_enter(
    "whole-numbers",
    "The ramp lost its decimals: it was written into integers, or divided with //.",
    lambda d, lo, hi: np.floor(line(d, lo, hi)),
)
_enter_by_turns(
    "paper",
    "That is NTK-by-parts as the paper writes it: linear in the number of turns. The released code, "
    "which is asked for, is linear in the index of the pair.",
    lambda turns, fast, slow: 1 - (turns - slow) / (fast - slow),
)
_enter_by_turns(
    "paper-inverted",
    "This is the paper's gamma: linear in the number of turns, and 1 where a pair is kept. Here the "
    "ramp is linear in the index of the pair, and 0 where a pair is kept.",
    lambda turns, fast, slow: (turns - slow) / (fast - slow),
)
_enter_by_turns(
    "wavelengths",
    "The ramp is linear in the wavelength. Make it linear in the index of the pair, from lo to hi.",
    lambda turns, fast, slow: (1 / turns - 1 / fast) / (1 / slow - 1 / fast),
)


@RAMP.add(
    "betas-swapped",
    "beta_fast and beta_slow have changed places. The pair that turns beta_fast times comes first, at lo.",
)
def _betas_swapped(
    d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
) -> Any:
    lo, hi = ends(d, original, beta_slow, beta_fast, base)
    return line(d, lo, hi)
