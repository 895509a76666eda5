"""Mistakes about the angles of sinusoids: frequencies, units, precision, positions.

Wrong on purpose, each in one way: ``wrong(p, d)`` gives the angles, (..., pairs).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.misconceptions.entry import Answer
from posenc.misconceptions.sinusoidal.codes import BASE, Slip, angles, exponent

__all__ = ["FREQUENCIES", "POSITIONS", "PRECISION", "UNITS"]


def _i(d: int) -> Any:
    return np.arange((d + 1) // 2)


def _speeds(frequencies: Callable[[int], Any]) -> Answer:
    """Return the angles that these frequencies give."""

    def wrong(p: Any, d: int) -> Any:
        return np.asarray(p, dtype=np.float64)[..., None] * frequencies(d)

    return wrong


def _product(p: Any, d: int) -> Any:
    return np.asarray(p, dtype=np.float64)[..., None] / (BASE * exponent(d))


def _power_of_quotient(p: Any, d: int) -> Any:
    return (np.asarray(p, dtype=np.float64)[..., None] / BASE) ** exponent(d)


FREQUENCIES = (
    Slip(
        "half-exponent",
        "Your frequencies fall half as fast as they should. With pair index i the exponent is 2i/d, not i/d "
        "(a base of 100 would do the same).",
        _speeds(lambda d: BASE ** (-_i(d) / d)),
    ),
    Slip(
        "double-exponent",
        "Your frequencies fall twice as fast as they should. np.arange(0, d, 2) already contains the 2: do "
        "not multiply by 2 again.",
        _speeds(lambda d: BASE ** (-2 * exponent(d))),
    ),
    Slip(
        "positive-exponent",
        "Later pairs turn faster here, and should turn slower. Divide by 10000 ** (2i/d), or keep the minus "
        "sign in the exponent.",
        _speeds(lambda d: BASE ** exponent(d)),
    ),
    Slip(
        "product",
        "10000 was multiplied by 2i/d. It is raised to that power: 10000 ** (2i/d).",
        _product,
    ),
    Slip(
        "power-of-quotient",
        "The exponent was taken of p / 10000 together. Only 10000 is raised to it: p / 10000 ** (2i/d), "
        "check the brackets.",
        _power_of_quotient,
    ),
    Slip(
        "base-1000",
        "Your base looks like 1000. It is 10000 here.",
        _speeds(lambda d: 1000.0 ** -exponent(d)),
    ),
    Slip(
        "base-100000",
        "Your base looks like 100000, a zero too many. It is 10000 here.",
        _speeds(lambda d: 100000.0 ** -exponent(d)),
    ),
    Slip(
        "natural-base",
        "The base is e here: np.exp needs the logarithm of 10000 in its exponent, -np.log(10000) * 2i/d.",
        _speeds(lambda d: np.exp(-exponent(d))),
    ),
    Slip(
        "decimal-logarithm",
        "np.exp undoes the natural logarithm: use np.log(10000), not np.log10(10000).",
        _speeds(lambda d: np.exp(-exponent(d) * np.log10(BASE))),
    ),
    Slip(
        "tensor2tensor-spacing",
        "Your last pair turns at exactly 1/10000: that is tensor2tensor's spacing, which divides i by "
        "d/2 - 1. The paper divides by d/2, so that the exponent is 2i/d.",
        _speeds(lambda d: BASE ** (-_i(d) / max(d // 2 - 1, 1))),
    ),
    Slip(
        "width-minus-one",
        "The exponent divides by d - 1. Divide by d.",
        _speeds(lambda d: BASE ** (-np.arange(0, d, 2) / (d - 1))),
    ),
    Slip(
        "counted-from-one",
        "Your first pair is already slower than 1 radian per position: pairs were counted from 1. Count i "
        "from 0.",
        _speeds(lambda d: BASE ** (-2 * (_i(d) + 1) / d)),
    ),
    Slip(
        "one-frequency",
        "All pairs have the same frequency. The exponent 2i/d depends on i, and is a fraction: no integer "
        "division, //.",
        _speeds(lambda d: np.ones((d + 1) // 2)),
    ),
    Slip(
        "reversed-frequencies",
        "The frequencies are right but in reverse order. The fastest comes first: 1 radian per position.",
        _speeds(lambda d: BASE ** -exponent(d)[::-1]),
    ),
    Slip(
        "fixed-width-8",
        "This is right for d = 8 only: an 8 stands where d should.",
        _speeds(lambda d: BASE ** (-np.arange(0, d, 2) / 8)),
    ),
    Slip(
        "fixed-width-512",
        "The exponent divides by 512, the width of the paper's model. Divide by d, whatever it is.",
        _speeds(lambda d: BASE ** (-np.arange(0, d, 2) / 512)),
    ),
)

UNITS = (
    Slip(
        "degrees",
        "The angles were taken for degrees. np.sin and np.cos want radians, and radians is what they are: no "
        "conversion.",
        lambda p, d: np.deg2rad(angles(p, d)),
    ),
    Slip(
        "whole-turns",
        "The angles carry an extra 2 pi. The first pair turns by 1 radian per position, not by a whole turn.",
        lambda p, d: 2 * np.pi * angles(p, d),
    ),
    Slip(
        "pi-turns",
        "The angles carry an extra pi. The first pair turns by 1 radian per position.",
        lambda p, d: np.pi * angles(p, d),
    ),
)


def _half_precision(p: Any, d: int) -> Any:
    half = np.float16
    return np.asarray(p).astype(half)[..., None] * (BASE ** -exponent(d)).astype(half)


def _single_precision(p: Any, d: int) -> Any:
    single = np.float32
    return np.asarray(p).astype(single)[..., None] * (BASE ** -exponent(d)).astype(single)


PRECISION = (
    Slip(
        "half-precision",
        "The angles were computed in float16, which cannot even hold every position above 2048. Compute them "
        "in float64.",
        _half_precision,
    ),
    Slip(
        "single-precision",
        "Close, but the angles were computed in float32, which drifts at far positions. Compute them in "
        "float64.",
        _single_precision,
    ),
)

POSITIONS = (
    Slip(
        "positions-from-one",
        "Positions were counted from 1. Position 0 has angle 0 in every pair: sines 0, cosines 1.",
        lambda p, d: angles(np.asarray(p) + 1, d),
    ),
    Slip(
        "ignores-position",
        "Every position gets the code of position 1: the position has no effect. Multiply the frequencies by "
        "it.",
        lambda p, d: angles(np.ones_like(p), d),
    ),
    Slip(
        "position-and-pair-swapped",
        "Position and pair have changed places in the formula. The position is divided by "
        "10000 ** (2i/d); the pair index i is in the exponent.",
        lambda p, d: _i(d) * BASE ** (-2 * np.asarray(p, dtype=np.float64)[..., None] / d),
    ),
)
