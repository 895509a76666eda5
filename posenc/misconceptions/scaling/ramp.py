"""The exercise ``ramp(d, original, beta_fast, beta_slow, base)``: how far each pair is interpolated, 0 to 1.

Holds the probes and the pieces that wrong ramps are made of; the mistakes are in `ramp_bounds` and
`ramp_shape`.
"""

from __future__ import annotations

from math import ceil, floor, log, pi
from typing import Any

import numpy as np

from posenc.misconceptions.entry import Family, Probe
from posenc.misconceptions.scaling.interpolate import Array, plain
from posenc.scaling import yarn


def reference(
    d: int, original: float, beta_fast: float = 32, beta_slow: float = 1, base: float = 10000.0
) -> Array:
    """Return the ramp of yarn's own frequencies: at s = 2, twice the part that was taken off."""
    f, _ = yarn(d, 2, original=original, base=base, beta_fast=beta_fast, beta_slow=beta_slow)
    return np.asarray(2 * (1 - f / plain(d, base)))


def _rises(args: tuple[Any, ...], got: Array) -> str | None:
    """Say so where a ramp leaves 0 to 1, or falls."""
    if (got < 0).any() or (got > 1).any():
        return "Every value must lie between 0 and 1: clip the straight line."
    if (np.diff(got) < 0).any():
        return "The ramp must never fall: fast pairs are kept (0), slow ones interpolated (1)."
    return None


PROBES = (
    Probe((16, 256), "For lo = 0 and hi = 4 the ramp must be 0, 0.25, 0.5, 0.75, and then 1."),
    Probe(
        (64, 2048),
        "Up to the pair lo the ramp must be 0, from hi on 1, and a straight line in the index between.",
    ),
    Probe((16, 64), "No pair turns 32 times in 64 positions: lo must be 0 there, not negative."),
    Probe((64, 131072), "In long texts hi may lie beyond the last pair: the ramp must then end below 1."),
    Probe(
        (32, 4096, 16, 2, 500.0), "beta_fast, beta_slow and base are arguments: use the ones that are given."
    ),
    Probe((8, 1500, 32, 1, 20.0), "hi must be at most d - 1."),
)

RAMP = Family("ramp", reference, PROBES, invariant=_rises)


def pair_of(turns: float, d: int, original: float, base: float) -> float:
    """Return the index, not whole, of the pair that turns so often within the original length."""
    return d * log(original / (2 * pi * turns)) / (2 * log(base))


def ends(d: int, original: float, beta_fast: float, beta_slow: float, base: float) -> tuple[float, float]:
    """Return lo and hi as they should be."""
    lo, hi = (pair_of(beta, d, original, base) for beta in (beta_fast, beta_slow))
    return max(floor(lo), 0), min(ceil(hi), d - 1)


def line(d: int, lo: float, hi: float) -> Array:
    """Return the clipped straight line from lo to hi."""
    return np.asarray(np.clip((np.arange(d // 2) - lo) / (hi - lo), 0, 1))
